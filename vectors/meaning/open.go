package meaning

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/replay"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Octets of segments whose values or presence depend on a decision.
const (
	untaggedOctets = 18 // of a DDP header

	controlOctets    = 4  // of a Terminate: its code and HdrCt
	headersOctet     = 20 // M, D and R
	headerR          = 0x20
	headersMDR       = 0xE0
	terminatedOctets = untaggedOctets + controlOctets + 2 + untaggedOctets // up to and including the DDP header of an untagged segment
)

// MarkOpen marks in a test what the specifications leave open: the Request Identifier (I-81), the code of a Terminate
// and the headers that it returns, whether an invalid Terminate is answered (I-83), when a request no longer counts
// against IRD (I-82), the treatment of messages inside another one (I-77, I-78), and the memory contents of an
// undelivered message (I-85). The test must have the outcomes of the model. MarkOpen returns an error for a code
// without a ruling.
func MarkOpen(c gen.Config, g *suite.Group, t *suite.Test, out *replay.Outcome) error {
	x := c.Protocol()
	if err := markOutcomes(x, t, t.Expect, out); err != nil {
		return err
	}
	copyIdentifiers(x, t)
	answered(x, t, out)
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

// specify removes unspecified memory from the contents recorded with outcomes.
func specify(expect []suite.Expect, unspecified []suite.Range) {
	for i := range expect {
		if e := &expect[i]; len(e.Memory) > 0 && len(unspecified) > 0 {
			e.Memory = suite.Specified(e.Memory, unspecified)
		}
	}
}

// markOutcomes marks how segments of outcomes may differ.
func markOutcomes(x spec.Extensions, t *suite.Test, expect []suite.Expect, out *replay.Outcome) error {
	for i := range expect {
		e := &expect[i]
		switch {
		case e.Port != suite.PortTx:
		case e.IsTerminate():
			cause := out.Causes[i]
			r, err := rulingOf(x, t, cause, e)
			if err != nil {
				return err
			}
			e.Allowed = allowedOf(x, t, cause, out.Arrivals[cause.Input], r, e)
		default:
			if at, is := identifierOf(x, e.Hex); is {
				e.Allowed = &suite.Allowed{Decisions: ids("I-81"), Mask: maskOf(len(e.Hex))}
				clear(e.Allowed.Mask[at : at+suite.CopyOctets])
			}
		}
	}
	return nil
}

func maskOf(octets int) suite.HexOctets {
	mask := make(suite.HexOctets, octets)
	for i := range mask {
		mask[i] = 0xFF
	}
	return mask
}

// identifierOf returns the octet of a valid request at which its Request Identifier starts; false for a segment without one.
func identifierOf(x spec.Extensions, segment []byte) (at int, is bool) {
	s, kind := wire.ClassifyWith(x, segment)
	if kind != spec.None {
		return 0, false
	}
	return octetOf(x, s.Header.Opcode, "request_identifier")
}

// octetOf returns the octet of a segment with an opcode at which a field of the RDMAP header starts; false if the header
// does not have it.
func octetOf(x spec.Extensions, op wire.Opcode, field string) (at int, is bool) {
	o, _ := x.Operation(op)
	header := wire.HeaderOf(o)
	if header == nil {
		return 0, false
	}
	f, is := header.Field(field)
	return untaggedOctets + f.Octet(), is
}

// rulingOf returns the ruling on the code of a Terminate, and an error if the Terminate reports another code.
func rulingOf(x spec.Extensions, t *suite.Test, cause replay.Cause, e *suite.Expect) (Ruling, error) {
	var s wire.Segment
	if cause.Input >= 0 {
		s, _ = wire.ClassifyWith(x, t.Input[cause.Input].Hex)
	}
	r, known := RulingOn(cause.Kind, s.Header.Opcode|cause.Request, s.Header.Tagged, cause.Later)
	if !known {
		return r, fmt.Errorf("no ruling on rule %v for %v; allowed: a row of Rulings", cause.Kind, s.Header.Opcode)
	}
	var term wire.Terminate
	if _, err := term.Decode(e.Hex[untaggedOctets:]); err != nil || term.Code != r.Code {
		return r, fmt.Errorf("the Terminate for rule %[2]v has code %[1]v; allowed: %[3]v, the ruling", term.Code, cause.Kind, r.Code)
	}
	return r, nil
}

// allowedOf returns the permitted deviations of a Terminate; nil if the specifications determine it completely.
func allowedOf(x spec.Extensions, t *suite.Test, cause replay.Cause, arrival replay.Arrival, r Ruling, e *suite.Expect) *suite.Allowed {
	a := &suite.Allowed{Decisions: slices.Clone(r.Decisions)}
	others := slices.Clone(r.Others)
	newMessage := false // of RFC 7306, whose section 8.1 defines the headers to return, or of the extension commit, whose section 5.1 does
	if cause.Input >= 0 {
		segment := t.Input[cause.Input].Hex
		s, _ := wire.ClassifyWith(x, segment)
		newMessage = cause.Kind != spec.ShortHeader && (isNew(s.Header.Opcode) || x.Is(s.Header.Opcode, ofCommit))
		if cause.Kind == spec.WrongLength {
			others = append(others, ofWrongLength(x, &s)...)
		}
		for _, kind := range arrival.Faults {
			if !instead(cause.Kind, kind) {
				continue
			}
			if other, known := RulingOn(kind, s.Header.Opcode, s.Header.Tagged, false); known {
				others = append(others, other.Code)
				a.Decisions = append(a.Decisions, orderOf(cause.Kind, kind, x.Is(s.Header.Opcode, spec.Committing)))
			}
		}
		if cause.Kind == spec.Local && slices.Contains(arrival.Faults, spec.Local) && s.Header.QueueNumber == wire.QueueSend {
			others = append(others, noBuffer) // for DDP, an inaccessible buffer is no buffer
		}
	}
	for _, c := range others {
		if one := suite.CodeOf(c); c != r.Code && !slices.Contains(a.Codes, one) {
			a.Codes = append(a.Codes, one)
		}
	}
	free := len(e.Hex) // first octet not compared
	switch {
	case newMessage:
	case r.Open(), len(a.Codes) > 0 && slices.ContainsFunc(others, func(c wire.TerminateCode) bool { return c.Layer != r.Code.Layer || c.EType != r.Code.EType }):
		// The returned headers depend on the error type, which is open.
		free = untaggedOctets + controlOctets
		a.Decisions = append(a.Decisions, "I-40")
		a.Mask, a.Tail = maskOf(len(e.Hex)), true
		a.Mask[headersOctet] &^= headersMDR
	case e.Hex[headersOctet]&headerR != 0 || cause.Input >= 0 && isReadRequest(x, t.Input[cause.Input].Hex):
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

// ofWrongLength returns the DDP codes that also fit a message of invalid length: too long, or invalid MO.
func ofWrongLength(x spec.Extensions, s *wire.Segment) (list []wire.TerminateCode) {
	m, _ := x.Operation(s.Header.Opcode)
	if (m.FixedLength > 0 || m.Empty) && len(s.Payload)+int(s.Header.MO) > m.FixedLength {
		list = append(list, tooLong)
	}
	if s.Header.MO != 0 {
		list = append(list, badOffset)
	}
	return list
}

// stage is the stage of a layered design that performs a check.
type stage int

const (
	ofDDPHeader stage = iota
	ofDDP             // queue, buffer, tagged region
	ofRDMAPHeader
	ofMessage
)

var stages = map[spec.Rule]stage{
	spec.TaggedDDPVersion: ofDDPHeader, spec.UntaggedDDPVersion: ofDDPHeader, spec.NoSuchQueue: ofDDPHeader,
	spec.TaggedSTag: ofDDP, spec.TaggedAssociation: ofDDP, spec.TaggedTOWrap: ofDDP, spec.TaggedBounds: ofDDP,
	spec.MSNOutOfRange: ofDDP, spec.NoReceiveBuffer: ofDDP, spec.WrongMO: ofDDP, spec.MessageTooLong: ofDDP, spec.IRDExceeded: ofDDP, spec.NoAtomicOutstanding: ofDDP,
	spec.BadRDMAPVersion: ofRDMAPHeader, spec.ReservedOpcode: ofRDMAPHeader, spec.WrongTBit: ofRDMAPHeader, spec.WrongQueue: ofRDMAPHeader,
	spec.MONotZero: ofRDMAPHeader, spec.WrongLength: ofRDMAPHeader, spec.OpcodeChanges: ofRDMAPHeader, spec.Interleaved: ofRDMAPHeader,
}

// stageOf returns the stage of a check.
func stageOf(kind spec.Rule) stage {
	if s, is := stages[kind]; is {
		return s
	}
	return ofMessage
}

// instead reports whether a design may report another fault than this project's design does: one of the same stage, or
// one that DDP finds before RDMAP sees the segment. With an invalid RDMAP version, the rest of the RDMAP header has no
// meaning.
func instead(first, other spec.Rule) bool {
	a, b := stageOf(first), stageOf(other)
	switch {
	case first == other:
		return false
	case other == spec.MONotZero: // also a check of DDP
		return a != ofDDPHeader
	case first == spec.BadRDMAPVersion:
		return b == ofDDP
	}
	return a == b || a > ofDDP && b == ofDDP
}

// ofRegion lists the checks of a region.
var ofRegion = []spec.Rule{spec.TaggedSTag, spec.TaggedAssociation, spec.TaggedAccess, spec.TaggedTOWrap, spec.TaggedBounds,
	spec.RequestSTag, spec.RequestAssociation, spec.RequestAccess, spec.RequestTOWrap, spec.RequestBounds, spec.Misaligned}

// orderOf returns the decision about which of two faults of a message is reported; commits: a request of the extension.
func orderOf(first, second spec.Rule, commits bool) string {
	switch a, b := slices.Contains(ofRegion, first), slices.Contains(ofRegion, second); {
	case commits && stageOf(first) == ofMessage:
		return "I-53"
	case first == spec.CannotInvalidate:
		return "I-44"
	case a && b && (first == spec.Misaligned || second == spec.Misaligned):
		return "I-05"
	case a && b:
		return "I-41"
	}
	return "I-36"
}

// isReadRequest reports whether a segment has the header of a Read Request, which a Terminate may return.
func isReadRequest(x spec.Extensions, segment []byte) bool {
	s, kind := wire.ClassifyWith(x, segment)
	return kind != spec.ShortHeader && s.Header.Opcode.Is(spec.ReadRequest) && !s.Header.Tagged && len(s.Payload) == wire.ReadRequestTable.Octets
}

// copyIdentifiers links the identifier of each response on queue 3 to a request: the one with that identifier, otherwise
// the oldest without a response, with some bits inverted.
func copyIdentifiers(x spec.Extensions, t *suite.Test) {
	answered := map[uint32]int{}
	waited := 0 // outcomes of earlier inputs have been seen
	for i := range t.Input {
		in := &t.Input[i]
		if in.Wait {
			waited = i
		}
		s, kind := wire.ClassifyWith(x, in.Hex)
		if in.Port != suite.PortRx || kind == spec.ShortHeader || s.Header.Tagged || !s.Header.Opcode.Is(spec.Replies) {
			continue
		}
		at, _ := octetOf(x, s.Header.Opcode, "original_request_identifier")
		if len(in.Hex) < at+suite.CopyOctets {
			continue
		}
		identifier := numberAt(in.Hex, at)
		requests, named := []int{}, -1
		for n := range t.Expect {
			e := &t.Expect[n]
			if e.Port != suite.PortTx || e.Stream != *in.Stream || e.Input >= waited {
				continue
			}
			if from, is := identifierOf(x, e.Hex); is {
				requests = append(requests, n)
				if numberAt(e.Hex, from) == identifier {
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
		from, _ := identifierOf(x, t.Expect[named].Hex)
		in.Copy = &suite.Copy{At: at, Expect: named, From: from, Xor: identifier ^ numberAt(t.Expect[named].Hex, from)}
	}
}

func numberAt(b []byte, at int) suite.Hex32 {
	return suite.Hex32(b[at])<<24 | suite.Hex32(b[at+1])<<16 | suite.Hex32(b[at+2])<<8 | suite.Hex32(b[at+3])
}

// answered adds the alternatives for invalid Terminates: the stream ends silently, or the code of the peer's Terminate,
// if present, is reported to the host.
func answered(x spec.Extensions, t *suite.Test, out *replay.Outcome) {
	ends := map[uint32][]*wire.Segment{} // by stream, per Terminate sent: the invalid Terminate that it answers, or nil
	some := false
	for i := range t.Expect {
		if !t.Expect[i].IsTerminate() {
			continue
		}
		invalid := answeredBy(x, t, out.Causes[i])
		some = some || invalid != nil
		ends[t.Expect[i].Stream] = append(ends[t.Expect[i].Stream], invalid)
	}
	if !some {
		return
	}
	silent, reported := []suite.Expect{}, []suite.Expect{}
	sent, events := map[uint32]int{}, map[uint32]int{}
	for _, e := range t.Expect {
		var invalid *wire.Segment
		isEvent := e.Event != nil && e.Event.Kind == suite.TerminateSent
		switch {
		case e.IsTerminate():
			invalid = ends[e.Stream][sent[e.Stream]]
			sent[e.Stream]++
		case isEvent:
			invalid = ends[e.Stream][events[e.Stream]]
			events[e.Stream]++
		}
		if invalid == nil {
			silent, reported = append(silent, e), append(reported, e)
		} else if p := invalid.Payload; isEvent && len(p) >= 2 {
			e.Event = &suite.Event{Kind: suite.TerminateReceived, Layer: int(p[0] >> 4), EType: int(p[0] & 15), Code: int(p[1])}
			reported = append(reported, e)
		}
	}
	t.Alternatives = append(t.Alternatives, suite.Alternative{Decisions: ids("I-83"), Expect: silent, Memory: t.Memory})
	if len(reported) > len(silent) {
		t.Alternatives = append(t.Alternatives, suite.Alternative{Decisions: ids("I-83"), Expect: reported, Memory: t.Memory})
	}
}

// answeredBy returns the invalid Terminate that caused a Terminate; nil for another cause.
func answeredBy(x spec.Extensions, t *suite.Test, cause replay.Cause) *wire.Segment {
	if cause.Input < 0 {
		return nil
	}
	s, kind := wire.ClassifyWith(x, t.Input[cause.Input].Hex)
	if kind == spec.ShortHeader || !s.Header.Opcode.Is(spec.Terminate) {
		return nil
	}
	return &s
}

// choice is a permitted choice and the decision that it replaces.
type choice struct {
	decision string
	replay.Choice
}

// others returns the choices that change the outcome of a test.
func others(c gen.Config, t *suite.Test, out *replay.Outcome) (list []choice) {
	silent := map[string][]int{} // inputs that may have no effect, by decision
	add := func(decision string, other replay.Choice) {
		if !slices.ContainsFunc(list, func(c choice) bool { return c.decision == decision }) {
			list = append(list, choice{decision, other})
		}
	}
	for _, i := range slices.Sorted(maps.Keys(out.Causes)) {
		cause := out.Causes[i]
		if cause.Kind == spec.IRDExceeded {
			add("I-82", replay.Choice{IRD: 2 * c.IRD})
		}
		if cause.Input < 0 {
			continue
		}
		s, _ := wire.ClassifyWith(c.Protocol(), t.Input[cause.Input].Hex)
		arrival := out.Arrivals[cause.Input]
		switch {
		case !lastOf(t, cause.Input):
		case cause.Kind == spec.Interleaved:
			silent["I-78"] = append(silent["I-78"], cause.Input)
			add("I-78", replay.Choice{Choices: rdmap.Choices{DeliverInside: true}})
		case arrival.Ahead && (cause.Kind == spec.MSNOutOfRange || cause.Kind == spec.WrongMO):
			decision := map[spec.Rule]string{spec.MSNOutOfRange: "I-37", spec.WrongMO: "I-84"}[cause.Kind]
			silent[decision] = append(silent[decision], cause.Input)
		case isRDMAP(&t.Expect[i]) && cause.Kind != spec.Local && !s.Header.Opcode.Is(spec.Terminate) && (arrival.Inside || !s.Header.Last):
			silent["I-89"] = append(silent["I-89"], cause.Input)
		}
		if cause.Kind == spec.WrongIdentifier {
			add("I-08", replay.Choice{Choices: rdmap.Choices{AnyIdentifier: true}})
		}
	}
	if out.Waited {
		add("I-77", replay.Choice{Choices: rdmap.Choices{RefuseInside: true}})
	}
	if takesImmediate(c.Protocol(), t, out) {
		add("I-12", replay.Choice{Choices: rdmap.Choices{ImmediateInBuffer: true}})
	}
	for _, decision := range slices.Sorted(maps.Keys(silent)) {
		list = append(list, choice{decision, replay.Choice{Without: silent[decision]}})
	}
	return list
}

// isRDMAP reports whether a Terminate is from RDMAP, for an error of the peer.
func isRDMAP(e *suite.Expect) bool { return e.Hex[untaggedOctets]>>4 == byte(wire.LayerRDMAP) }

// takesImmediate reports whether the test has valid Immediate Data as input.
func takesImmediate(x spec.Extensions, t *suite.Test, out *replay.Outcome) bool {
	for i, arrival := range out.Arrivals {
		s, _ := wire.ClassifyWith(x, t.Input[i].Hex)
		if op := s.Header.Opcode; len(arrival.Faults) == 0 && (op.Is(spec.Immediate)) {
			return true
		}
	}
	return false
}

// lastOf reports whether a segment is the last received by its stream.
func lastOf(t *suite.Test, input int) bool {
	for i := input + 1; i < len(t.Input); i++ {
		if in := &t.Input[i]; in.Port == suite.PortRx && *in.Stream == *t.Input[input].Stream {
			return false
		}
	}
	return true
}

// alternative adds the outcome of a test with another choice.
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
			return err // itself open: cannot be expressed as an alternative
		}
	}
	expect := append([]suite.Expect{}, out.Expect...)
	if err := markOutcomes(c.Protocol(), t, expect, &out); err != nil {
		return err
	}
	undelivered := out.Undelivered
	for _, i := range other.Without { // a segment ahead of its turn may have been placed
		if arrival := out.Arrivals[i]; arrival.Ahead && arrival.Place.Octets > 0 {
			undelivered = append(undelivered, arrival.Place)
		}
	}
	unspecified := joined(undelivered)
	specify(expect, unspecified)
	t.Alternatives = append(t.Alternatives, suite.Alternative{Decisions: ids(other.decision), Expect: expect, Memory: out.Memory, Unspecified: unspecified})
	return nil
}

// joined returns ranges in ascending order, adjacent and overlapping ones joined.
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
