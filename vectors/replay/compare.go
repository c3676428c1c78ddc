package replay

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Difference is the first difference between actual and expected outcomes.
type Difference struct {
	Place    string // in the test
	Expected any    // nil: nothing
	Actual   any
}

// Compare compares actual outcomes with those of a test, each sequence separately, and memory. It ignores Expect.Input
// and, unless withMemory is set, Expect.Memory. It returns nil if they agree.
func Compare(t *suite.Test, is []suite.Expect, changes []suite.Octets, withMemory bool) *Difference {
	return compare(t, suite.Outcome{Expect: t.Expect, Memory: t.Memory, Unspecified: t.Unspecified}, is, changes, withMemory, false)
}

// ComparePermissive accepts all outcomes that the specifications permit, for third-party designs. If none matches, it
// returns the difference from the test's own outcome.
func ComparePermissive(t *suite.Test, is []suite.Expect, changes []suite.Octets, withMemory bool) *Difference {
	got := withoutFailedReceives(is)
	for _, o := range t.Outcomes() {
		o.Expect, o.Memory = withoutFailedReceives(o.Expect), suite.Specified(o.Memory, o.Unspecified)
		if compare(t, o, got, suite.Specified(changes, o.Unspecified), withMemory, true) == nil {
			return nil
		}
	}
	return Compare(t, is, changes, withMemory)
}

// withoutFailedReceives removes the completions of failed receives: whether these exist is a decision.
func withoutFailedReceives(list []suite.Expect) []suite.Expect {
	return slices.DeleteFunc(slices.Clone(list), func(e suite.Expect) bool { return e.Completion != nil && e.Completion.Recv && e.Completion.Fails() })
}

func compare(t *suite.Test, o suite.Outcome, is []suite.Expect, changes []suite.Octets, withMemory, permissive bool) *Difference {
	want, got := sequences(o.Expect), sequences(is)
	for i := range o.Expect { // in the order of the file
		e := &o.Expect[i]
		q := e.Sequence()
		n := slices.Index(want[q], i)
		place := fmt.Sprintf("expect/%d", i)
		if n >= len(got[q]) {
			return &Difference{place, *e, nil}
		}
		actual := is[got[q][n]]
		actual.Input, actual.Allowed = e.Input, e.Allowed
		if permissive && e.Port == suite.PortTx && e.Permits(actual.Hex) {
			actual.Hex = e.Hex
		}
		if permissive && e.Register != nil && e.Register.Name == suite.LogRegister && actual.Register != nil {
			actual.Register = e.Register // holds the code of the Terminate
		}
		if c := actual.Completion; permissive && c != nil && c.Fails() && e.Completion != nil && e.Completion.Fails() {
			other := *c
			other.Status = e.Completion.Status
			actual.Completion = &other
		}
		if !withMemory {
			actual.Memory = e.Memory
		} else if len(o.Unspecified) > 0 {
			actual.Memory = suite.Specified(actual.Memory, o.Unspecified)
		}
		if !same(e, &actual) {
			return &Difference{place, *e, actual}
		}
	}
	again, ended := map[uint32]bool{}, map[uint32]bool{} // streams that the test reopens, and that have ended
	for i := range t.Input {
		if t.Input[i].Open != nil {
			again[t.Input[i].Open.Stream] = true
		}
	}
	for i := range is {
		e := &is[i]
		q := e.Sequence()
		if n := slices.Index(got[q], i); n >= len(want[q]) {
			return &Difference{e.Port + ", after the last outcome", nil, *e}
		}
		if e.Port == suite.PortTx {
			if ended[e.Stream] {
				return &Difference{e.Port + ", after the Terminate", nil, *e}
			}
			ended[e.Stream] = e.IsTerminate() && !again[e.Stream]
		}
	}
	for i := range max(len(o.Memory), len(changes)) {
		place := fmt.Sprintf("memory/%d", i)
		switch {
		case i >= len(o.Memory):
			return &Difference{"memory, outside the changes", nil, changes[i]}
		case i >= len(changes):
			return &Difference{place, o.Memory[i], nil}
		case o.Memory[i].Address != changes[i].Address || !bytes.Equal(o.Memory[i].Hex, changes[i].Hex):
			return &Difference{place, o.Memory[i], changes[i]}
		}
	}
	return nil
}

// sequences groups the indices of outcomes by their sequence.
func sequences(list []suite.Expect) map[suite.Sequence][]int {
	m := map[suite.Sequence][]int{}
	for i := range list {
		q := list[i].Sequence()
		m[q] = append(m[q], i)
	}
	return m
}

func same(a, b *suite.Expect) bool {
	return a.Port == b.Port && a.Stream == b.Stream && bytes.Equal(a.Hex, b.Hex) && reflect.DeepEqual(a.Completion, b.Completion) &&
		reflect.DeepEqual(a.Event, b.Event) && reflect.DeepEqual(a.Register, b.Register) && slices.EqualFunc(a.Memory, b.Memory, func(x, y suite.Octets) bool {
		return x.Address == y.Address && bytes.Equal(x.Hex, y.Hex)
	})
}
