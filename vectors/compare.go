package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/rnicgen/rnicgen/vectors/replay"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// same compares two outcomes of one port. An expected answer without a word is any answer.
func same(want, is suite.Expect) bool {
	if want.Port == suite.PortAnswer && len(want.Hex) == 0 {
		return is.Port == suite.PortAnswer
	}
	return want.Port == is.Port && want.Stream == is.Stream && bytes.Equal(want.Hex, is.Hex) &&
		sameRecord(want.Record, is.Record) && reflect.DeepEqual(want.Retire, is.Retire)
}

func sameRecord(a, b *suite.Record) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a, *b
	x.Header, y.Header = nil, nil
	return reflect.DeepEqual(x, y) && bytes.Equal(a.Header, b.Header)
}

// compareModel compares a test with what the model says; nil when they agree.
func compareModel(t *suite.Test, out replay.Outcome) *Failure {
	fail := func(place string, want, is any) *Failure {
		return &Failure{TcID: t.TcID, Comment: t.Comment, Problem: "the golden model disagrees with the file", Place: place, Expected: show(want), Actual: show(is)}
	}
	for i := range max(len(t.Expect), len(out.Expect)) {
		place := fmt.Sprintf("expect/%d", i)
		switch {
		case i >= len(t.Expect):
			return fail(place, nil, out.Expect[i])
		case i >= len(out.Expect):
			return fail(place, t.Expect[i], nil)
		case t.Expect[i].Input != out.Expect[i].Input, !same(out.Expect[i], t.Expect[i]), len(t.Expect[i].Hex) != len(out.Expect[i].Hex):
			return fail(place, t.Expect[i], out.Expect[i])
		}
	}
	for i, w := range t.Memory {
		if w != out.Memory[i] {
			return fail(fmt.Sprintf("memory/%d", i), w, out.Memory[i])
		}
	}
	return nil
}

// owned is an expected outcome, the test that it belongs to, and its place there.
type owned struct {
	test  *suite.Test
	place int
}

// ComparePorts compares what came out of hardware with the tests that went in, in their order; nil when it fits.
func ComparePorts(tests []*suite.Test, ports *replay.Ports) (found *Failure) {
	fail := func(t *suite.Test, place string, want, is any) {
		if found == nil {
			found = &Failure{TcID: t.TcID, Comment: t.Comment, Problem: "the hardware disagrees with the file", Place: place, Expected: show(want), Actual: show(is)}
		}
	}
	ports.Each(func(port string, is []suite.Expect) {
		var want []owned
		for _, t := range tests {
			for i, e := range t.Expect {
				if e.Port == port {
					want = append(want, owned{t, i})
				}
			}
		}
		for i := range max(len(want), len(is)) {
			switch {
			case i >= len(want):
				fail(tests[len(tests)-1], port+", behind the last outcome", nil, is[i])
			case i >= len(is):
				fail(want[i].test, want[i].String(), want[i].outcome(), nil)
			case !same(want[i].outcome(), is[i]):
				e := is[i]
				e.Input = want[i].outcome().Input // hardware does not say
				fail(want[i].test, want[i].String(), want[i].outcome(), e)
			}
		}
	})
	i := 0
	for _, t := range tests {
		for j, w := range t.Memory {
			if w != ports.Memory[i] {
				fail(t, fmt.Sprintf("memory/%d", j), w, ports.Memory[i])
			}
			i++
		}
	}
	return found
}

func (o owned) outcome() suite.Expect { return o.test.Expect[o.place] }

func (o owned) String() string { return fmt.Sprintf("expect/%d", o.place) }

// show writes an outcome as the file does.
func show(v any) string {
	if v == nil {
		return "nothing"
	}
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
