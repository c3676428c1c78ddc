package rnic

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/rnic/replay"
	"github.com/rnicgen/rnicgen/vectors/rnic/suite"
	hex "github.com/rnicgen/rnicgen/vectors/suite"
)

// Octets of segments whose values, or whose presence, are a decision.
const (
	untaggedOctets = 18 // of a DDP header

	requestIdentifier  = untaggedOctets + 4 // of an Atomic Request
	responseIdentifier = untaggedOctets     // of an Atomic Response

	controlOctets    = 4  // of a Terminate: its code, and which headers follow
	headersOctet     = 20 // M, D and R
	headerR          = 0x20
	headersMDR       = 0xE0
	terminatedOctets = untaggedOctets + controlOctets + 2 + untaggedOctets // up to the DDP header of an untagged segment
)

// MarkOpen says in a test what the specifications leave open of its outcomes: the Request Identifier (I-81), the code of a
// Terminate and the headers that it gives back, whether a Terminate in error is answered (I-83), when a request no longer
// counts against IRD (I-82), what becomes of messages inside another one (I-77, I-78), and what is in the memory of a message that is
// not delivered (I-85). It wants the outcomes of the model, and fails for a code that has no ruling.
func MarkOpen(c gen.Config, g *suite.Group, t *suite.Test, out *replay.Outcome) error {
	if err := markOutcomes(t, t.Expect, out); err != nil {
		return err
	}
	copyIdentifiers(t)
	answered(t, out)
	t.Unspecified = joined(out.Undelivered)
	specify(t.Expect, t.Unspecified)
	for i := range t.Alternatives {
		t.Alternatives[i].Unspecified = t.Unspecified
	}
	for _, other := range others(c, t, out) {
		if err := alternative(c, g, t, other); err != nil {
			return err
		}
	}
	return nil
}

// specify leaves out of what is in memory when outcomes come what may have any value.
func specify(expect []suite.Expect, unspecified []suite.Range) {
	for i := range expect {
		if e := &expect[i]; len(e.Memory) > 0 && len(unspecified) > 0 {
			e.Memory = suite.Specified(e.Memory, unspecified)
		}
	}
}

// markOutcomes says in outcomes of a test how segments may differ.
func markOutcomes(t *suite.Test, expect []suite.Expect, out *replay.Outcome) error {
	for i := range expect {
		e := &expect[i]
		switch {
		case e.Port != suite.PortTx:
		case e.IsTerminate():
			cause := out.Causes[i]
			r, err := rulingOf(t, cause, e)
			if err != nil {
				return err
			}
			e.Allowed = allowedOf(t, cause, r, e)
		case isAtomicRequest(e.Hex):
			e.Allowed = &suite.Allowed{Decisions: ids("I-81"), Mask: maskOf(len(e.Hex))}
			clear(e.Allowed.Mask[requestIdentifier : requestIdentifier+suite.CopyOctets])
		}
	}
	return nil
}

func maskOf(octets int) hex.Octets {
	mask := make(hex.Octets, octets)
	for i := range mask {
		mask[i] = 0xFF
	}
	return mask
}

func isAtomicRequest(segment []byte) bool {
	s, kind := wire.Classify(segment)
	return kind == wire.ErrNone && s.Header.Opcode == wire.OpAtomicRequest
}

// rulingOf is the ruling on the code of a Terminate. One that reports something else than the ruling says is an error.
func rulingOf(t *suite.Test, cause replay.Cause, e *suite.Expect) (Ruling, error) {
	var s wire.Segment
	if cause.Input >= 0 {
		s, _ = wire.Classify(t.Input[cause.Input].Hex)
	}
	r, known := RulingOn(cause.Kind, s.Header.Opcode, s.Header.Tagged, cause.Later)
	if !known {
		return r, fmt.Errorf("no ruling on %v in %v", cause.Kind, s.Header.Opcode)
	}
	var term wire.Terminate
	if _, err := term.Decode(e.Hex[untaggedOctets:]); err != nil || term.Code != r.Code {
		return r, fmt.Errorf("the Terminate reports %v, and the ruling on %v is %v", term.Code, cause.Kind, r.Code)
	}
	return r, nil
}

// allowedOf is what else a Terminate may be: nil, when the text gives all of it.
func allowedOf(t *suite.Test, cause replay.Cause, r Ruling, e *suite.Expect) *suite.Allowed {
	a := &suite.Allowed{Decisions: slices.Clone(r.Decisions)}
	others := slices.Clone(r.Others)
	if cause.Input >= 0 {
		segment := t.Input[cause.Input].Hex
		s, _ := wire.Classify(segment)
		for _, kind := range faults(segment) {
			if kind == cause.Kind {
				continue
			}
			if other, known := RulingOn(kind, s.Header.Opcode, s.Header.Tagged, false); known {
				others = append(append(others, other.Code), other.Others...)
				a.Decisions = append(a.Decisions, "I-36")
			}
		}
	}
	for _, c := range others {
		if one := suite.CodeOf(c); c != r.Code && !slices.Contains(a.Codes, one) {
			a.Codes = append(a.Codes, one)
		}
	}
	free := len(e.Hex) // first octet that is free
	switch {
	case r.Open(), len(a.Codes) > 0 && slices.ContainsFunc(others, func(c wire.TerminateCode) bool { return c.Layer != r.Code.Layer || c.EType != r.Code.EType }):
		// The error type decides which headers are given back, and it is not given.
		free = untaggedOctets + controlOctets
		a.Decisions = append(a.Decisions, "I-40")
		a.Mask, a.Tail = maskOf(len(e.Hex)), true
		a.Mask[headersOctet] &^= headersMDR
	case e.Hex[headersOctet]&headerR != 0 || cause.Input >= 0 && isReadRequest(t.Input[cause.Input].Hex):
		free = terminatedOctets
		a.Decisions = append(a.Decisions, "I-40")
		a.Mask, a.Tail = maskOf(len(e.Hex)), true
		a.Mask[headersOctet] &^= headerR
	}
	if a.Tail && free < len(e.Hex) {
		clear(a.Mask[free:])
	}
	if len(a.Codes) == 0 && !a.Tail {
		return nil
	}
	slices.Sort(a.Decisions)
	a.Decisions = slices.Compact(a.Decisions)
	return a
}

// isReadRequest tells whether a segment has the header of a Read Request, which a Terminate may give back.
func isReadRequest(segment []byte) bool {
	s, kind := wire.Classify(segment)
	return kind != wire.ErrShortHeader && s.Header.Opcode == wire.OpReadRequest && !s.Header.Tagged && len(s.Payload) == wire.ReadRequestTable.Octets
}

// copyIdentifiers finds of which Atomic Request each Atomic Response has the identifier: of the one that is named, or else of the
// oldest that has none so far, with some bits inverted.
func copyIdentifiers(t *suite.Test) {
	answered := map[uint32]int{}
	waited := 0 // outcomes of inputs before this one have come
	for i := range t.Input {
		in := &t.Input[i]
		if in.Wait {
			waited = i
		}
		s, kind := wire.Classify(in.Hex)
		if in.Port != suite.PortRx || kind == wire.ErrShortHeader || s.Header.Tagged || s.Header.Opcode != wire.OpAtomicResponse || len(s.Payload) < suite.CopyOctets {
			continue
		}
		identifier := numberAt(in.Hex, responseIdentifier)
		requests, named := []int{}, -1
		for n := range t.Expect {
			e := &t.Expect[n]
			if e.Port == suite.PortTx && e.Stream == *in.Stream && e.Input < waited && isAtomicRequest(e.Hex) {
				requests = append(requests, n)
				if numberAt(e.Hex, requestIdentifier) == identifier {
					named = n
				}
			}
		}
		n := answered[*in.Stream]
		answered[*in.Stream]++
		switch {
		case len(requests) == 0:
			continue
		case named < 0:
			named = requests[min(n, len(requests)-1)]
		}
		in.Copy = &suite.Copy{At: responseIdentifier, Expect: named, From: requestIdentifier, Xor: identifier ^ numberAt(t.Expect[named].Hex, requestIdentifier)}
	}
}

func numberAt(b []byte, at int) hex.Hex32 {
	return hex.Hex32(b[at])<<24 | hex.Hex32(b[at+1])<<16 | hex.Hex32(b[at+2])<<8 | hex.Hex32(b[at+3])
}

// answered adds what else may come of a Terminate in error: the stream ends without a word, or the host is told what the peer's
// Terminate says, in so far as it says it.
func answered(t *suite.Test, out *replay.Outcome) {
	for i := range t.Expect {
		cause := out.Causes[i]
		if !t.Expect[i].IsTerminate() || cause.Input < 0 {
			continue
		}
		s, kind := wire.Classify(t.Input[cause.Input].Hex)
		if kind == wire.ErrShortHeader || s.Header.Opcode != wire.OpTerminate {
			continue
		}
		silent, told := []suite.Expect{}, []suite.Expect{}
		for n, e := range t.Expect {
			isEvent := e.Event != nil && e.Event.Kind == suite.TerminateSent && e.Stream == t.Expect[i].Stream
			if n == i {
				continue
			}
			if !isEvent {
				silent = append(silent, e)
				told = append(told, e)
				continue
			}
			if len(s.Payload) >= 2 {
				e.Event = &suite.Event{Kind: suite.TerminateReceived, Layer: int(s.Payload[0] >> 4), EType: int(s.Payload[0] & 15), Code: int(s.Payload[1])}
				told = append(told, e)
			}
		}
		t.Alternatives = append(t.Alternatives, suite.Alternative{Decisions: ids("I-83"), Expect: silent, Memory: t.Memory})
		if len(told) > len(silent) {
			t.Alternatives = append(t.Alternatives, suite.Alternative{Decisions: ids("I-83"), Expect: told, Memory: t.Memory})
		}
		return
	}
}

// choice is one that a design may make, and the decision that leaves it open.
type choice struct {
	decision string
	replay.Choice
}

// others are the choices that make a difference in a test: requests beyond IRD of which some count no more; a request inside an incomplete message
// that is refused; a message inside one that waits for it, and for ever when that is not complete.
func others(c gen.Config, t *suite.Test, out *replay.Outcome) (list []choice) {
	exceeded, inside := false, []int{}
	for _, cause := range out.Causes {
		exceeded = exceeded || cause.Kind == wire.ErrIRD
		if cause.Kind == wire.ErrInterleaved && lastOf(t, cause.Input) {
			inside = append(inside, cause.Input)
		}
	}
	if exceeded {
		list = append(list, choice{"I-82", replay.Choice{IRD: 2 * c.IRD}})
	}
	if out.Waited {
		list = append(list, choice{"I-77", replay.Choice{RefuseInside: true}})
	}
	if len(inside) > 0 {
		list = append(list, choice{"I-78", replay.Choice{Without: inside}})
	}
	return list
}

// lastOf tells whether a segment is the last that its stream receives.
func lastOf(t *suite.Test, input int) bool {
	for i := input + 1; i < len(t.Input); i++ {
		if in := &t.Input[i]; in.Port == suite.PortRx && *in.Stream == *t.Input[input].Stream {
			return false
		}
	}
	return true
}

// alternative adds what comes of a test with another choice.
func alternative(c gen.Config, g *suite.Group, t *suite.Test, other choice) error {
	ordered := slices.ContainsFunc(t.Expect, func(e suite.Expect) bool { return len(e.Memory) > 0 })
	out, err := replay.ModelOf(other.Choice, c, g, t, replay.Eager, ordered)
	if err != nil {
		return err
	}
	as := suite.Test{Input: t.Input, Expect: out.Expect, Memory: out.Memory}
	for _, schedule := range replay.Schedules[1:] {
		again, err := replay.ModelOf(other.Choice, c, g, t, schedule, false)
		if err != nil || replay.Compare(&as, again.Expect, again.Memory, false) != nil {
			return err // open in itself: no alternative that could be written down
		}
	}
	expect := append([]suite.Expect{}, out.Expect...)
	if err := markOutcomes(t, expect, &out); err != nil {
		return err
	}
	unspecified := joined(out.Undelivered)
	specify(expect, unspecified)
	t.Alternatives = append(t.Alternatives, suite.Alternative{Decisions: ids(other.decision), Expect: expect, Memory: out.Memory, Unspecified: unspecified})
	return nil
}

// joined are ranges in the order of their addresses, those together that meet.
func joined(list []suite.Range) (out []suite.Range) {
	slices.SortFunc(list, func(a, b suite.Range) int { return cmp.Compare(a.Address, b.Address) })
	for _, r := range list {
		if n := len(out); n > 0 && uint64(r.Address-out[n-1].Address) <= uint64(out[n-1].Octets) {
			out[n-1].Octets = max(out[n-1].Octets, int(r.Address-out[n-1].Address)+r.Octets)
			continue
		}
		out = append(out, r)
	}
	return out
}
