package suite

import (
	"bytes"
	"slices"

	"github.com/rnicgen/rnicgen/model/wire"
)

// Outcome is all that may come of a test.
type Outcome struct {
	Expect      []Expect
	Memory      []Octets
	Unspecified []Range
}

// Outcomes are all that the specifications permit: the test's own first, with each code that its Terminates may have, and then
// its alternatives in the same way. In each of them only masks and tails are left open.
func (t *Test) Outcomes() []Outcome {
	list := withCodes(Outcome{t.Expect, t.Memory, t.Unspecified}, 0)
	for _, a := range t.Alternatives {
		list = append(list, withCodes(Outcome{a.Expect, a.Memory, a.Unspecified}, 0)...)
	}
	return list
}

// withCodes lists an outcome with all combinations of the codes of its Terminates, from one of its outcomes on. Terminates of one
// outcome that report the same and may have the same codes have one code: a design is taken to call an error by one name.
func withCodes(o Outcome, from int) []Outcome {
	at := slices.IndexFunc(o.Expect[from:], func(e Expect) bool { return e.Allowed != nil && len(e.Allowed.Codes) > 0 })
	if at < 0 {
		return []Outcome{o}
	}
	at += from
	first := &o.Expect[at]
	for i := range o.Expect[:at] {
		if alike(&o.Expect[i], first) {
			return withCodes(o, at+1)
		}
	}
	list := withCodes(o, at+1)
	for _, c := range first.Allowed.Codes {
		expect := o.Expect
		for i := len(expect) - 1; i >= at; i-- {
			if alike(&o.Expect[i], first) {
				expect = withCode(expect, i, c)
			}
		}
		list = append(list, withCodes(Outcome{expect, o.Memory, o.Unspecified}, at+1)...)
	}
	return list
}

// alike reports whether two Terminates report the same, or one of the same codes.
func alike(a, b *Expect) bool {
	return a.Allowed != nil && b.Allowed != nil && len(a.Allowed.Codes) > 0 && slices.Equal(a.Allowed.Codes, b.Allowed.Codes) &&
		bytes.Equal(a.Hex[terminateType:terminateCode+1], b.Hex[terminateType:terminateCode+1])
}

// Octets of a Terminate: layer and error type in one, and the code.
const (
	terminateType = 18
	terminateCode = 19
)

// withCode gives a Terminate another code, and the event that tells of it.
func withCode(expect []Expect, at int, c Code) []Expect {
	out := slices.Clone(expect)
	e := &out[at]
	e.Hex = bytes.Clone(e.Hex)
	e.Hex[terminateType], e.Hex[terminateCode] = byte(c.Layer<<4|c.EType), byte(c.Code)
	before := 0 // Terminates of the stream
	for i := range out[:at] {
		if out[i].IsTerminate() && out[i].Stream == e.Stream {
			before++
		}
	}
	for i := range out {
		v := out[i].Event
		if v == nil || v.Kind != TerminateSent || out[i].Stream != e.Stream {
			continue
		}
		if before == 0 {
			out[i].Event = &Event{v.Kind, c.Layer, c.EType, c.Code}
			break
		}
		before--
	}
	return out
}

// Least is how many octets a segment has to have: all of Hex, unless it may end before.
func (e *Expect) Least() int {
	if e.Allowed == nil || !e.Allowed.Tail {
		return len(e.Hex)
	}
	n := len(e.Hex)
	for n > 0 && n <= len(e.Allowed.Mask) && e.Allowed.Mask[n-1] == 0 {
		n--
	}
	return n
}

// Permits reports whether a segment is one that the outcome permits, whose codes are those of Hex.
func (e *Expect) Permits(segment []byte) bool {
	least := e.Least()
	if len(segment) < least || len(segment) != len(e.Hex) && (e.Allowed == nil || !e.Allowed.Tail) {
		return false
	}
	for i := range least {
		counts := byte(0xFF)
		if e.Allowed != nil && len(e.Allowed.Mask) > 0 {
			counts = e.Allowed.Mask[i]
		}
		if (segment[i]^e.Hex[i])&counts != 0 {
			return false
		}
	}
	return true
}

// InError reports whether an outcome of the test is an error.
func (t *Test) InError() bool {
	return slices.ContainsFunc(t.Expect, func(e Expect) bool { return e.InError() })
}

// Open reports whether the specifications permit more than one outcome of the test.
func (t *Test) Open() bool {
	return len(t.Alternatives) > 0 || len(t.Unspecified) > 0 || slices.Contains(t.Decisions, Unsuccessful) ||
		slices.ContainsFunc(t.Expect, func(e Expect) bool { return e.Allowed != nil })
}

// Unsuccessful is the decision on how requests without success complete. A design that decides otherwise gives those of work
// another status that is no success, and completes those of receives or does not.
const Unsuccessful = "I-86"

// Fails reports whether it is of a request without success.
func (c *Completion) Fails() bool { return c.Status != Statuses[0] }

// Specified leaves out the octets that may have any value.
func Specified(list []Octets, unspecified []Range) []Octets {
	out := []Octets{}
	for _, o := range list {
		from := 0 // of the octets that are kept together
		for i := 0; i <= len(o.Hex); i++ {
			address := o.Address + Hex64(i)
			free := i < len(o.Hex) && slices.ContainsFunc(unspecified, func(r Range) bool { return r.has(address) })
			if i < len(o.Hex) && !free {
				continue
			}
			if i > from {
				out = append(out, Octets{o.Address + Hex64(from), o.Hex[from:i]})
			}
			from = i + 1
		}
	}
	return out
}

// ResultOf is the result of a test with its outcomes.
func ResultOf(t *Test) string {
	switch {
	case t.Open():
		return Acceptable
	case t.InError():
		return Error
	}
	return Valid
}

// CodeOf writes a code as a file does.
func CodeOf(c wire.TerminateCode) Code { return Code{int(c.Layer), int(c.EType), int(c.Code)} }

// Replace puts the octets of a Copy into a segment, from the segment that came out.
func (c *Copy) Replace(segment, came []byte) []byte {
	if c.At+CopyOctets > len(segment) || c.From+CopyOctets > len(came) {
		return segment
	}
	segment = bytes.Clone(segment)
	for i := range CopyOctets {
		segment[c.At+i] = came[c.From+i] ^ byte(c.Xor>>(8*(CopyOctets-1-i)))
	}
	return segment
}
