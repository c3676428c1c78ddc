package suite

import (
	"bytes"
	"slices"

	"github.com/rnicgen/rnicgen/model/wire"
)

// Outcome is one complete outcome of a test.
type Outcome struct {
	Expect      []Expect
	Memory      []Octets
	Unspecified []Range
}

// Outcomes returns all outcomes that the specifications permit: first the test's own, once per permitted combination of
// Terminate codes, then its alternatives likewise. Within each, only masks and tails remain open.
func (t *Test) Outcomes() []Outcome {
	list := withCodes(Outcome{t.Expect, t.Memory, t.Unspecified}, 0)
	for _, a := range t.Alternatives {
		list = append(list, withCodes(Outcome{a.Expect, a.Memory, a.Unspecified}, 0)...)
	}
	return list
}

// withCodes returns an outcome with all combinations of codes of its Terminates, starting at index from. Terminates
// that report the same code and permit the same codes vary together: a design is assumed to use one code per error.
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

// alike reports whether two Terminates report the same code and permit the same codes.
func alike(a, b *Expect) bool {
	return a.Allowed != nil && b.Allowed != nil && len(a.Allowed.Codes) > 0 && slices.Equal(a.Allowed.Codes, b.Allowed.Codes) &&
		bytes.Equal(a.Hex[terminateType:terminateCode+1], b.Hex[terminateType:terminateCode+1])
}

// Octets of a Terminate: layer and error type, and code.
const (
	terminateType = 18
	terminateCode = 19
)

// withCode changes the code of a Terminate and of the event that reports it.
func withCode(expect []Expect, at int, c Code) []Expect {
	out := slices.Clone(expect)
	e := &out[at]
	e.Hex = bytes.Clone(e.Hex)
	e.Hex[terminateType], e.Hex[terminateCode] = byte(c.Layer<<4|c.EType), byte(c.Code)
	before := 0 // earlier Terminates of the stream
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

// Least returns the minimum number of octets of a segment: all of Hex, unless it may end earlier.
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

// Permits reports whether the outcome, with the codes of Hex, permits a segment.
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

// InError reports whether any outcome of the test is an error.
func (t *Test) InError() bool {
	return slices.ContainsFunc(t.Expect, func(e Expect) bool { return e.InError() })
}

// Open reports whether the specifications permit more than one outcome of the test.
func (t *Test) Open() bool {
	return len(t.Alternatives) > 0 || len(t.Unspecified) > 0 || slices.Contains(t.Decisions, Unsuccessful) ||
		slices.ContainsFunc(t.Expect, func(e Expect) bool { return e.Allowed != nil })
}

// Unsuccessful is the decision on how failed requests complete. A design with another decision may use other failure
// statuses for work requests, and may or may not complete receives.
const Unsuccessful = "I-86"

// Fails reports whether the request failed.
func (c *Completion) Fails() bool { return c.Status != Statuses[0] }

// Specified removes the octets that may have any value.
func Specified(list []Octets, unspecified []Range) []Octets {
	out := []Octets{}
	for _, o := range list {
		from := 0 // start of the current run of octets
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

// ResultOf returns the result that the outcomes of a test imply.
func ResultOf(t *Test) string {
	switch {
	case t.Open():
		return Acceptable
	case t.InError():
		return Error
	}
	return Valid
}

// CodeOf converts a code to the form of the file.
func CodeOf(c wire.TerminateCode) Code { return Code{int(c.Layer), int(c.EType), int(c.Code)} }

// Replace copies octets from an actual output segment into a segment.
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
