package suite

import (
	"encoding/json"
	"fmt"
	"slices"
)

// sequence names the ordered list of outcomes that one belongs to. Within a step each is in the order of the list, and there
// is no order between them: requests of a connection; the reply; work requests, and receives, of a QP whose completions are
// in order; the event of a QP. Each pull response is a sequence of its own, and so is each completion of an unordered QP.
func (g *Group) sequence(e *Expect) string {
	switch {
	case e.Request != nil:
		return fmt.Sprintf("request of CID %d", e.Request.CID)
	case e.Response != nil:
		return fmt.Sprintf("response to CID %d, RSN %d", e.Response.CID, e.Response.RSN)
	case e.Completion != nil && g.unordered(e.Completion.QP):
		return fmt.Sprintf("completion of QP %d, recv %t, id %d", e.Completion.QP, e.Completion.Recv, e.Completion.ID)
	case e.Completion != nil:
		return fmt.Sprintf("completion of QP %d, recv %t", e.Completion.QP, e.Completion.Recv)
	case e.Event != nil:
		return fmt.Sprintf("event of QP %d", e.Event.QP)
	case e.Refused:
		return "refusal"
	}
	return "reply"
}

func (g *Group) unordered(number uint32) bool {
	return slices.ContainsFunc(g.QPs, func(q QP) bool { return q.QP == number && q.Ordering == "unordered" })
}

// Difference is the first difference between a test and what happened.
type Difference struct {
	Place            string
	Expected, Actual any
}

func (d *Difference) String() string {
	return fmt.Sprintf("%s: expected %s, actual %s", d.Place, Show(d.Expected), Show(d.Actual))
}

// Show formats a value as in the file.
func Show(v any) string {
	if v == nil {
		return "nothing"
	}
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Compare returns the first difference between a test and its run, which has the same inputs; nil if there is none.
func Compare(g *Group, want, got *Test) *Difference {
	for i := range want.Steps {
		at := fmt.Sprintf("step %d", i)
		if d := g.compareOutcomes(at, want.Steps[i].Expect, got.Steps[i].Expect); d != nil {
			return d
		}
		if w, g := want.Steps[i].Breaks, got.Steps[i].Breaks; w != g {
			return &Difference{at + ", breaks", w, g}
		}
	}
	for _, end := range []Difference{{"inError", want.InError, got.InError}, {"memory", want.Memory, got.Memory}, {"digest", want.Digest, got.Digest}} {
		if Show(end.Expected) != Show(end.Actual) {
			return &end
		}
	}
	return nil
}

func (g *Group) compareOutcomes(at string, want, got []Expect) *Difference {
	left := slices.Clone(got)
	for i := range want {
		w := &want[i]
		name := g.sequence(w)
		next := slices.IndexFunc(left, func(e Expect) bool { return g.sequence(&e) == name })
		if next < 0 {
			return &Difference{at + ", " + name, w, nil}
		}
		if Show(w) != Show(left[next]) {
			return &Difference{at + ", " + name, w, left[next]}
		}
		left = slices.Delete(left, next, next+1)
	}
	if len(left) > 0 {
		return &Difference{at + ", " + g.sequence(&left[0]), nil, left[0]}
	}
	return nil
}
