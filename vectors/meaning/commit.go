package meaning

import (
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// The extension commit: draft-talpey-rdma-commit-01.

// ofCommit are its messages.
const ofCommit = spec.Committing | spec.FlushResponse | spec.VerifyResponse | spec.AtomicWriteResponse

// classOf returns the class of an opcode with the extensions of the test.
func (n *notes) classOf(op wire.Opcode) spec.Class {
	row, _ := n.extensions.Operation(op)
	return row.Class
}

// WithoutAlternative lists the decisions on the draft for which tests have no alternative: a design with another choice
// fails tests that cite them, whatever their result. The other decisions concern codes and headers of Terminates, and
// messages inside incomplete ones; their tests permit other choices.
var WithoutAlternative = ids("I-06", "I-11", "I-15", "I-16", "I-17", "I-19", "I-20", "I-21", "I-51", "I-52", "I-54", "I-56", "I-57", "I-58", "I-59", "I-90", "I-91", "I-92", "I-94",
	"I-97", "I-98")

// Sections returns the sections of the draft whose requirements a test covers, without its appendix.
func Sections(requirements []string) (list []string) {
	for _, id := range requirements {
		if row, is := strings.CutPrefix(id, "COMMIT01-"); is && row[0] != 'A' {
			list = append(list, "COMMIT 01 "+row[:strings.LastIndexByte(row, '-')])
		}
	}
	return list
}

// Merge returns sections of both lists, sorted and without duplicates.
func Merge(a, b []string) []string { return sorted(slices.Concat(a, b)) }

// namesNothing reports whether a segment is a Flush or a Verify of no octets.
func (n *notes) namesNothing(s *wire.Segment) bool {
	var f wire.FlushRequest
	var v wire.VerifyRequest
	switch n.classOf(s.Header.Opcode) {
	case spec.FlushRequest:
		return f.Decode(s.Payload) == nil && f.Length == 0
	case spec.VerifyRequest:
		return v.Decode(s.Payload) == nil && v.Length == 0
	}
	return false
}

// commit evaluates a valid message of the extension in either direction.
func (n *notes) commit(s *wire.Segment) {
	if !n.extensions.Is(s.Header.Opcode, ofCommit) {
		return
	}
	n.decide("I-16")
	if n.extensions.Is(s.Header.Opcode, spec.Committing) && s.Header.InvalidateSTag != 0 {
		n.decide("I-52")
	}
	if n.namesNothing(s) {
		n.decide("I-20")
	}
	switch n.classOf(s.Header.Opcode) {
	case spec.VerifyRequest:
		n.decide("I-17", "I-91")
	case spec.VerifyResponse:
		if len(s.Payload) <= 8 { // a CRC
			n.decide("I-51")
		}
	case spec.AtomicWriteRequest, spec.AtomicWriteResponse:
		n.decide("I-15", "I-19")
	}
}

// Requirements that the messages of the extension cover: all of them, requests and responses; then each message.
var (
	ofCommitControl   = drafted("1-01", "3.1-01", "3.1-02", "3.1-05", "3.1-06", "3.1-07", "3.1-20")
	ofCommitRequests  = drafted("3.1-16", "3.1.4-01")
	ofCommitResponses = drafted("3.1-17")

	ofCommitMessage = map[spec.Class][]string{
		spec.FlushRequest: drafted("2.1-14", "2.1-23", "3.1.1-01", "3.1-10", "3.1-21", "3.1.1.1-01", "3.1.1.1-02", "3.1.1.1-04", "3.1.1.1-05", "3.1.1.1-07", "3.1.1.1-08", "3.1.1.1-09",
			"3.1.1.3-02", "6-01", "A.1-01"),
		spec.FlushResponse:       drafted("2.1-19", "2.1.1-04", "3.1-11", "3.1-22", "3.1.1.2-01", "3.1.1.2-02", "3.1.1.2-03", "3.1.1.3-03", "6-02", "A.2-01"),
		spec.VerifyRequest:       drafted("2.4-10", "3.1-12", "3.1-23", "3.1.2.1-01", "3.1.2.1-02", "3.1.2.1-04", "3.1.2.1-05", "3.1.2.1-06", "3.1.2.3-02", "6-03", "A.3-01"),
		spec.VerifyResponse:      drafted("2.3-08", "2.4-10", "3.1-13", "3.1-24", "3.1.2.2-01", "3.1.2.2-02", "3.1.2.2-03", "3.1.2.2-05", "3.1.2.3-03", "6-04", "A.4-01"),
		spec.AtomicWriteRequest:  drafted("3.1-14", "3.1-25", "3.1.3.1-01", "3.1.3.1-02", "3.1.3.1-04", "3.1.3.1-05", "3.1.3.1-06", "3.1.3.1-07", "3.1.3.1-11", "6-05", "A.5-01"),
		spec.AtomicWriteResponse: drafted("3.1-15", "3.1-26", "3.1.3.2-01", "3.1.3.2-02", "3.1.3.2-03", "6-06", "A.6-01"),
	}
	// ofCommitAnswered lists what a response that is sent covers.
	ofCommitAnswered = map[spec.Class][]string{
		spec.FlushResponse:       drafted("3.1.1.2-04", "3.1.1.3-09"),
		spec.VerifyResponse:      drafted("2.3-03", "3.1.2-01", "3.1.2-05"),
		spec.AtomicWriteResponse: drafted("3.1.3-05", "3.1.3.2-04"),
	}
	// ofCommitRefused lists what a refused message covers.
	ofCommitRefused = map[spec.Class][]string{
		spec.FlushRequest:       drafted("3.1.1-04", "5.2-01", "5.2-04"),
		spec.VerifyRequest:      drafted("3.1.2-03", "5.2-01", "5.2-04"),
		spec.AtomicWriteRequest: drafted("5.2-01", "5.2-04"),
	}
	ofCommitError = map[spec.Rule][]string{
		spec.ReservedOpcode:    drafted("3.1.4-06"),
		spec.RequestSTag:       drafted("2.4-01", "7-02", "5.2-03"),
		spec.RequestBounds:     drafted("2.4-01", "7-02", "5.2-03"),
		spec.RequestAccess:     drafted("2.4-01", "7-02", "5.2-03"),
		spec.AtomicWriteLength: drafted("3.1.3.1-06", "3.1.3-04", "3.1.3.1-14", "3.1.3.1-15", "3.1.3.1-16"),
	}
)

// drafted completes ids of the draft's catalogue.
func drafted(rows ...string) (list []string) {
	for _, r := range rows {
		list = append(list, "COMMIT01-"+r)
	}
	return list
}

// ofExtension returns the requirements that a message of the extension covers; sent: it is an outcome. kind is the rule
// that a received one breaks.
func ofExtension(x spec.Extensions, s *wire.Segment, kind spec.Rule, sent bool) (list []string) {
	row, _ := x.Operation(s.Header.Opcode)
	if row.Class&ofCommit == 0 || kind == spec.ShortHeader || kind == spec.StreamNotOpen {
		return nil
	}
	list = append(list, ofCommitControl...)
	if kind != spec.None {
		list = append(append(append(list, drafted("5-01", "5.1-03", "5.1-05")...), ofCommitRefused[row.Class]...), ofCommitError[kind]...)
		if stage := stageOf(kind); stage == ofDDPHeader || stage == ofDDP {
			list = append(list, drafted("5.2-02")...)
		}
		return list
	}
	list = append(list, ofCommitMessage[row.Class]...)
	switch {
	case row.Class&spec.Committing != 0:
		list = append(list, ofCommitRequests...)
	default:
		list = append(list, ofCommitResponses...)
		if sent {
			list = append(list, ofCommitAnswered[row.Class]...)
		}
	}
	return list
}
