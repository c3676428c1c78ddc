package bench

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/vectors/falcon/hardware"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// expect adds an outcome to its image.
func (s *script) expect(e *suite.Expect) {
	switch {
	case e.Request != nil:
		r := e.Request
		kind := spec.PushRequest
		if r.Type == spec.PullRequest.String() {
			kind = spec.PullRequest
		}
		s.packet(kind, r.CID, r.RSN, r.Length, r.Hex)
	case e.Response != nil:
		s.packet(spec.PullData, e.Response.CID, e.Response.RSN, 0, e.Response.Hex)
	case e.Reply != nil:
		s.answer(e.Reply)
	case e.Completion != nil:
		s.completion(e.Completion)
	case e.Event != nil:
		s.event(e.Event)
	case e.Refused:
		w := s.steps[0].Work
		s.completion(&suite.Completion{QP: w.QP, ID: w.ID, Status: hardware.Refusal})
	}
}

// packet writes {type, CID, RSN, Request Length, octets, first line of tx_octets.hex}; the Request Length of a response is not compared.
func (s *script) packet(kind spec.PacketType, cid, rsn uint32, length int, octets []byte) {
	octets = s.numbers.Sent(octets)
	s.longest = max(s.longest, len(octets))
	s.tx.Add("%x_%04x_%08x_%04x_%04x_%08x", uint8(kind), s.numbers.CID(cid), rsn, length, len(octets), s.octets.Octets(octets))
}

// answer writes {CID, RSN, reply, code, RNR timeout}.
func (s *script) answer(r *suite.Reply) {
	reply := spec.NoReply
	for x := spec.NoReply; x <= spec.CEResponse; x++ {
		if x.String() == r.Reply {
			reply = x
		}
	}
	if reply == spec.NoReply {
		return
	}
	timeout := uint8(0)
	if r.Timeout != nil {
		timeout = *r.Timeout
	}
	s.answers.Add("%04x_%08x_%x_%02x_%02x", s.numbers.CID(r.CID), r.RSN, uint8(reply), r.ULP, timeout)
}

// completion writes {QP, ID, receive, unordered, outcome, fields that are compared, kind and suffix, length, data, R-Key, source QP}. Receives that are left when
// a QP ends have no completion.
func (s *script) completion(c *suite.Completion) {
	if c.Recv && c.Status == falcon.Flushed.String() && !hardware.Shares(s.group, c.QP) {
		return
	}
	flags, class, length, data, key, source := 0, uint8(0), uint32(0), uint64(0), uint32(0), uint32(0)
	if c.Recv {
		flags |= 1
	}
	if s.unordered(c.QP) {
		flags |= 2
	}
	fields := 0
	if c.Status == falcon.Success.String() {
		fields |= 1 // with its length, which is 0 if it has none
		class = classOf(c.Kind, c.Suffix)
	}
	if c.Length != nil {
		length = *c.Length
	}
	switch {
	case c.Data != nil:
		fields, data = fields|2, uint64(*c.Data)
	case c.Immediate != nil:
		fields, data = fields|2, uint64(*c.Immediate)
	}
	if c.Invalidated != nil {
		fields, key = fields|4, uint32(*c.Invalidated)
	}
	if c.SourceQP != nil {
		fields, source = fields|8, *c.SourceQP
	}
	s.completions.Add("%04x_%016x_%x_%x_%x_%02x_%08x_%016x_%08x_%06x", s.numbers.QP(c.QP), uint64(c.ID), flags, statusOf(c.Status), fields, class, length, data, key, source)
	if c.Solicited {
		s.events.Add("%04x_%x_%x_%02x", s.numbers.QP(c.QP), 0, 0, 0)
	}
}

func (s *script) unordered(qp uint32) bool {
	return slices.ContainsFunc(s.group.QPs, func(q suite.QP) bool { return q.QP == qp && q.Ordering == spec.Unordered.String() })
}

func statusOf(name string) int {
	for n := falcon.Success; n <= falcon.Status(15); n++ {
		if n.String() == name {
			return int(n)
		}
	}
	return 15
}

// event writes {QP, kind, whether the rule is compared, rule}.
func (s *script) event(e *suite.Event) {
	rule, told := hardware.RuleOf(e.Cause), 0
	if hardware.Tells(e.Cause) {
		told = 1
	}
	s.events.Add("%04x_%x_%x_%02x", s.numbers.QP(e.QP), 1, told, uint8(rule))
}

// classOf is the kind and suffix of a message as a number.
func classOf(kind, suffix string) uint8 {
	k, _ := find(suite.Kinds, kind)
	x, _ := find(suite.Suffixes, suffix)
	return uint8(k)<<2 | uint8(x)
}

func find[K comparable](names map[K]string, name string) (k K, is bool) {
	for k, n := range names {
		if n == name {
			return k, true
		}
	}
	return k, false
}

// classes are those of the 256 opcodes, as a case of Verilog: of a work request that names no suffix, only the kind counts.
func classes() (lines []string) {
	for op := range 256 {
		if row, known := spec.Opcode(op).Operation(); known {
			lines = append(lines, fmt.Sprintf("8'h%02x: class_of = 8'h%02x;", op, uint8(row.Kind)<<2|uint8(row.Suffix)))
		}
	}
	return lines
}
