package falcon

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon"
)

// turn is the place of a work request among those of its QP. The model refuses one immediately; hardware, and so this end, completes it in its turn.
type turn struct {
	id      uint64
	refused bool
}

// over records a work request that the model has completed out of its turn.
func (m *ModelEnd) over(qp uint32, id uint64) {
	m.turns[qp] = slices.DeleteFunc(m.turns[qp], func(t turn) bool { return t.id == id })
}

// refuse completes the work requests that are refused and have none ahead.
func (m *ModelEnd) refuse() {
	for qp, list := range m.turns {
		for len(list) > 0 && list[0].refused {
			m.out.Completions = append(m.out.Completions, Completion{QP: qp, ID: list[0].id, Status: falcon.LocalProtection})
			list = list[1:]
		}
		m.turns[qp] = list
	}
}
