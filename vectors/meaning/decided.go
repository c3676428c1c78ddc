package meaning

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/replay"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// decidedBy lists the decisions about a valid message in either direction.
var decidedBy = map[spec.Class][]string{
	spec.SendInvalidate: {"I-02"},
	spec.AtomicResponse: {"I-01"},
}

// contradicted reports whether draft-00 describes a message inconsistently.
func contradicted(o *spec.Operation) bool {
	return o.Class == spec.Immediate && o.Solicited || o.Class == spec.AtomicResponse
}

// decidedByReceived lists the decisions about a valid received message.
var decidedByReceived = map[spec.Class][]string{
	spec.Immediate:      {"I-12"},
	spec.AtomicResponse: {"I-08", "I-48"},

	spec.VerifyRequest:      {"I-54"},
	spec.VerifyResponse:     {"I-90"},
	spec.AtomicWriteRequest: {"I-58"},
}

// decidedBySent lists the decisions about a sent message.
var decidedBySent = map[spec.Class][]string{
	spec.AtomicResponse: {"I-10", "I-38"},
}

// Sections about DDP headers, segmentation, order, teardown and errors.
const (
	ddpTagged     = "RFC 5041 4.2"
	ddpUntagged   = "RFC 5041 4.3"
	ddpSegments   = "RFC 5041 5.2"
	ddpDelivery   = "RFC 5041 5.4"
	rdmapOrder    = "RFC 5040 5.5"
	rdmapTeardown = "RFC 5040 6.2"
	rdmapControl  = "RFC 5040 4.1"
	newOrder      = "RFC 7306 7"
	newErrors     = "RFC 7306 8.1"
)

// notes collects the decisions and sections of a test.
type notes struct {
	decisions, sections []string
	draft00             bool
	extensions          spec.Extensions
}

func (n *notes) decide(ids ...string)       { n.decisions = append(n.decisions, ids...) }
func (n *notes) section(sections ...string) { n.sections = append(n.sections, sections...) }

// Cited returns the decisions on which the outcomes of a test depend, and the sections that it covers, sorted and
// without duplicates. They are derived from its segments, its outcomes and the results of the model; ofCase adds
// decisions of the case. MarkOpen must have processed the test.
func Cited(c gen.Config, t *suite.Test, out *replay.Outcome, ofCase []string) (decisions, sections []string) {
	n := &notes{decisions: slices.Clone(ofCase), draft00: c.Draft00(), extensions: c.Protocol()}
	n.received(t, out)
	n.sent(t, out)
	n.unsuccessful(t)
	if out.Waited {
		n.decide("I-77")
	}
	if len(out.Undelivered) > 0 {
		n.decide("I-85")
	}
	for _, a := range t.Alternatives {
		n.decide(a.Decisions...)
	}
	return sorted(n.decisions), sorted(n.sections)
}

// traffic is the history of a stream.
type traffic struct {
	reads, atomics                  bool
	requests, commits               int  // on queue 1; of the extension commit
	inSend, inWrite, inReadResponse bool // an incomplete Send, RDMA Write, Read Response
}

// received evaluates the peer's segments.
func (n *notes) received(t *suite.Test, out *replay.Outcome) {
	streams := map[uint32]*traffic{}
	verdict := 0
	for i := range t.Input {
		in := &t.Input[i]
		if w := in.Work; w != nil && spec.Opcode(w.Opcode).Is(spec.Write) && w.Length > 0 && uint64(w.Remote.TO) > -uint64(w.Length) {
			n.decide("I-88")
		}
		if in.Shut != nil {
			n.section(rdmapTeardown)
			delete(streams, *in.Shut)
		}
		if in.Open != nil {
			delete(streams, in.Open.Stream)
		}
		if in.Port != suite.PortRx {
			continue
		}
		s, _ := wire.ClassifyWith(n.extensions, in.Hex)
		h, kind := &s.Header, out.Verdicts[verdict]
		verdict++
		of := streams[*in.Stream]
		if of == nil {
			of = &traffic{}
			streams[*in.Stream] = of
		}
		switch kind {
		case spec.None:
			n.decide(decidedBy[n.classOf(h.Opcode)]...)
			n.decide(decidedByReceived[n.classOf(h.Opcode)]...)
			n.commit(&s)
			n.message(&s)
			n.valid(&s, of)
		case spec.StreamNotOpen:
			n.decide("I-32")
		default:
			if h.Tagged {
				n.section(ddpTagged)
			} else {
				n.section(ddpUntagged)
			}
			if kind != spec.ShortHeader && h.Opcode.Is(spec.AtomicResponse) {
				n.decide(decidedBy[h.Opcode.Class()]...)
				n.decide(decidedByReceived[h.Opcode.Class()]...)
			}
			for _, other := range out.Arrivals[i].Faults {
				if other != kind && kind != spec.ShortHeader {
					n.decide(orderOf(kind, other, n.extensions.Is(h.Opcode, spec.Committing)))
				}
			}
			n.refused(&s, kind)
			if h.Opcode.Is(spec.Terminate) {
				n.decide("I-83")
			}
		}
	}
}

// message names the sections of a valid segment.
func (n *notes) message(s *wire.Segment) {
	n.section(rdmapControl)
	row, _ := n.extensions.Operation(s.Header.Opcode)
	if n.draft00 && contradicted(row) {
		n.decide("I-13")
	}
	n.section(row.Sections...)
	if s.Header.Tagged {
		n.section(ddpTagged)
	} else {
		n.section(ddpUntagged)
	}
}

// valid evaluates a valid received segment.
func (n *notes) valid(s *wire.Segment, of *traffic) {
	h := &s.Header
	isSend := h.Opcode.Is(spec.Sends)
	if h.Opcode.Is(spec.Write) && (of.inSend || of.inReadResponse) || h.Opcode.Is(spec.Terminate) && (of.inSend || of.inWrite || of.inReadResponse) {
		n.decide("I-78")
	}
	if !h.Last || h.MO != 0 {
		n.section(ddpSegments, ddpDelivery)
		if isSend {
			n.decide("I-84")
		}
	}
	if isSend || h.Opcode.Is(spec.Immediate) {
		of.inSend = !h.Last
	}
	switch h.Opcode.Class() {
	case spec.Write:
		of.inWrite = !h.Last
	case spec.ReadResponse:
		of.inReadResponse = !h.Last
	}
	switch h.Opcode.Class() {
	case spec.Write, spec.ReadResponse:
		if len(s.Payload) == 0 {
			n.decide("I-42")
		}
	case spec.ReadRequest:
		var r wire.ReadRequest
		if r.Decode(s.Payload) == nil && r.ReadMessageSize == 0 {
			n.decide("I-42")
		}
		of.reads = true
	case spec.AtomicRequest:
		var a wire.AtomicRequest
		if a.Decode(s.Payload) == nil && a.RemoteTO%8 != 0 {
			n.decide("I-05") // its address is aligned
		}
		if a.AOpCode == wire.Swap {
			n.decide("I-03")
		}
		of.atomics = true
	}
	if of.reads && of.atomics {
		n.decide("I-11")
		n.section(newOrder)
	}
	n.ofQueue(h.Opcode, of)
}

// ofQueue counts a request on queue 1: those of the extension commit share it with all others.
func (n *notes) ofQueue(op wire.Opcode, of *traffic) {
	if !n.extensions.Is(op, spec.Requests) {
		return
	}
	of.requests++
	if n.extensions.Is(op, spec.Committing) {
		of.commits++
	}
	if of.requests > 1 && of.commits > 0 {
		n.decide("I-11")
	}
}

// refused evaluates a received segment in error.
func (n *notes) refused(s *wire.Segment, kind spec.Rule) {
	var a wire.AtomicRequest
	switch {
	case s.Header.Opcode.Is(spec.AtomicRequest) && a.Decode(s.Payload) == nil && a.AOpCode == wire.Swap && kind == spec.Misaligned:
		n.decide("I-14")
	case s.Header.Opcode.Is(spec.ReadResponse) && slices.Contains(ofRegion, kind):
		n.decide("I-41")
	case slices.Contains(ofRegion, kind) && n.namesNothing(s):
		n.decide("I-20")
	case kind == spec.IRDExceeded:
		n.decide("I-11")
		n.section("RFC 5040 5.2", "RFC 7306 5.2.2")
	}
}

// leftOver finds failed requests: those with a failed completion, and receive requests without a completion on a stream
// that has ended or was not open.
func (n *notes) unsuccessful(t *suite.Test) {
	posted, ended := map[uint32]int{}, map[uint32]bool{}
	for i := range t.Input {
		switch in := &t.Input[i]; {
		case in.Receive != nil:
			posted[in.Receive.Stream]++
		case in.Shut != nil:
			ended[*in.Shut] = true
		}
	}
	for i := range t.Expect {
		e := &t.Expect[i]
		if c := e.Completion; c != nil && c.Fails() {
			n.decide("I-86")
		} else if c != nil && c.Recv {
			posted[e.Stream]--
		}
		if e.Event != nil && (e.Event.Kind == suite.TerminateSent || e.Event.Kind == suite.TerminateReceived) {
			ended[e.Stream] = true
		}
	}
	for stream := range ended {
		if posted[stream] > 0 {
			n.decide("I-86")
		}
	}
}

// sent evaluates the outcomes.
func (n *notes) sent(t *suite.Test, out *replay.Outcome) {
	responses, requests := map[uint32]int{}, map[uint32]*traffic{}
	for i := range t.Expect {
		e := &t.Expect[i]
		if c := e.Completion; c != nil && c.Recv && c.Status == suite.Statuses[0] {
			n.section(ddpDelivery, rdmapOrder)
		}
		if e.Event != nil && e.Event.Kind == suite.TerminateReceived {
			n.section(rdmapTeardown)
		}
		if len(e.Memory) > 0 {
			n.section(rdmapOrder, newOrder)
		}
		if e.Flush != nil {
			n.decide("I-98")
		}
		if e.Port != suite.PortTx {
			continue
		}
		s, _ := wire.ClassifyWith(n.extensions, e.Hex)
		op := s.Header.Opcode
		n.message(&s)
		n.decide(decidedBy[n.classOf(op)]...)
		n.decide(decidedBySent[n.classOf(op)]...)
		n.commit(&s)
		if e.Allowed != nil {
			n.decide(e.Allowed.Decisions...)
		}
		if requests[e.Stream] == nil {
			requests[e.Stream] = &traffic{}
		}
		of := requests[e.Stream]
		of.reads, of.atomics = of.reads || op.Is(spec.ReadRequest), of.atomics || op.Is(spec.AtomicRequest)
		if of.reads && of.atomics {
			n.decide("I-11")
		}
		n.ofQueue(op, of)
		switch {
		case n.extensions.Is(op, spec.Responses):
			responses[e.Stream]++
		case op.Is(spec.Terminate):
			n.terminate(t, e, out.Causes[i], responses[e.Stream])
		}
	}
}

// terminate evaluates a Terminate that is sent after some responses.
func (n *notes) terminate(t *suite.Test, e *suite.Expect, cause replay.Cause, responses int) {
	n.section(rdmapTeardown)
	n.decide("I-40")
	var s wire.Segment
	if cause.Input >= 0 {
		s, _ = wire.ClassifyWith(n.extensions, t.Input[cause.Input].Hex)
	}
	if r, known := RulingOn(cause.Kind, s.Header.Opcode|cause.Request, s.Header.Tagged, cause.Later); known {
		n.decide(r.Decisions...)
		n.section(r.Text...)
	}
	if e.Hex[headersOctet]>>6 == 0 { // no M, no D
		n.decide("I-09")
		n.section(newErrors)
	} else if cause.Later {
		n.decide("I-55")
	} else {
		n.decide("I-31")
	}
	if responses > 0 {
		n.decide("I-39")
		n.section(newErrors)
	}
}

// sorted sorts ids or sections by their numbers and removes duplicates.
func sorted(list []string) []string {
	slices.Sort(list)
	list = slices.Compact(list)
	slices.SortFunc(list, func(a, b string) int { return slices.Compare(numbers(a), numbers(b)) })
	return append([]string{}, list...)
}

// numbers returns the numbers in an id or section: for "RFC 7306 5.2.1", 7306, 5, 2, 1.
func numbers(s string) (list []int) {
	for _, digits := range strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' }) {
		v, _ := strconv.Atoi(digits)
		list = append(list, v)
	}
	return list
}
