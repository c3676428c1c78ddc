package rnic

import (
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
// Terminate and the headers that it gives back, whether a Terminate in error is answered (I-83), and when a request no longer
// counts against IRD (I-82). It wants the outcomes of the model, and fails for a code that has no ruling.
func MarkOpen(c gen.Config, g *suite.Group, t *suite.Test, out *replay.Outcome) error {
	for i := range t.Expect {
		e := &t.Expect[i]
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
	copyIdentifiers(t)
	answered(t, out)
	return moreRequests(c, g, t, out)
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

// moreRequests adds what comes of a test in which a stream has more requests than IRD when some of them count no more: the same
// model with more room.
func moreRequests(c gen.Config, g *suite.Group, t *suite.Test, out *replay.Outcome) error {
	exceeded := false
	for _, cause := range out.Causes {
		exceeded = exceeded || cause.Kind == wire.ErrIRD
	}
	if !exceeded {
		return nil
	}
	c.IRD *= 2
	other, err := replay.Model(c, g, t, replay.Eager, false)
	if err != nil {
		return err
	}
	room := suite.Test{Input: t.Input, Expect: other.Expect, Memory: other.Memory}
	for _, schedule := range replay.Schedules[1:] {
		again, err := replay.Model(c, g, t, schedule, false)
		if err != nil || replay.Compare(&room, again.Expect, again.Memory, false) != nil {
			return err // open in itself: no alternative that could be written down
		}
	}
	t.Alternatives = append(t.Alternatives, suite.Alternative{Decisions: ids("I-82"), Expect: append([]suite.Expect{}, other.Expect...), Memory: other.Memory})
	return nil
}
