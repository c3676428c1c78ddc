package mutate

import (
	"slices"

	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// Report is the result for all mutants.
type Report struct {
	Rows     []Row
	Outcomes []Result
}

// Row is the result for one block.
type Row struct {
	Block            string  `json:"block"`
	Available        int     `json:"available"` // mutants that could be made
	Mutants          int     `json:"mutants"`
	Score            float64 `json:"meaning_score"` // percentage killed of those not equivalent
	Killed           int     `json:"killed"`        // by tests of meaning
	KilledByVerdict  int     `json:"killed_by_verdict"`
	KilledByHang     int     `json:"killed_by_hang"`
	KilledByProperty int     `json:"killed_by_property"`
	Timing           int     `json:"other_timing"` // valid, in other cycles
	Alone            int     `json:"other_alone"`  // valid; the isolated block differs
	Equivalent       int     `json:"equivalent"`
	Open             int     `json:"open"`
	Seconds          float64 `json:"seconds"` // spent on its mutants, without building models
}

func (r *Report) add(s *subject, group []mutate.Mutant, outcomes []Result) {
	for _, m := range outcomes {
		i := slices.IndexFunc(r.Rows, func(row Row) bool { return row.Block == m.Block })
		if i < 0 {
			i = len(r.Rows)
			r.Rows = append(r.Rows, Row{Block: m.Block, Available: s.set.Available[m.Block]})
		}
		row := &r.Rows[i]
		row.Mutants++
		row.Seconds += m.took.Seconds()
		*map[Outcome]*int{ByVerdict: &row.KilledByVerdict, ByHang: &row.KilledByHang, ByProperty: &row.KilledByProperty, Timing: &row.Timing,
			Alone: &row.Alone, Equivalent: &row.Equivalent, Open: &row.Open}[m.Outcome]++
		row.sum()
	}
	r.Outcomes = append(r.Outcomes, outcomes...)
}

func (r *Row) sum() {
	r.Killed = r.KilledByVerdict + r.KilledByHang + r.KilledByProperty
	r.Score = 100
	if n := r.Mutants - r.Equivalent; n > 0 {
		r.Score = 100 * float64(r.Killed) / float64(n)
	}
}

// Total adds the rows up.
func (r *Report) Total() (t Row) {
	t.Block = "all"
	for _, row := range r.Rows {
		t.Available, t.Mutants, t.Seconds = t.Available+row.Available, t.Mutants+row.Mutants, t.Seconds+row.Seconds
		t.KilledByVerdict, t.KilledByHang, t.KilledByProperty = t.KilledByVerdict+row.KilledByVerdict, t.KilledByHang+row.KilledByHang, t.KilledByProperty+row.KilledByProperty
		t.Timing, t.Alone, t.Equivalent, t.Open = t.Timing+row.Timing, t.Alone+row.Alone, t.Equivalent+row.Equivalent, t.Open+row.Open
	}
	t.sum()
	return t
}

// Of lists the mutants with one of the given outcomes.
func (r *Report) Of(outcomes ...Outcome) (list []Result) {
	for _, m := range r.Outcomes {
		if slices.Contains(outcomes, m.Outcome) {
			list = append(list, m)
		}
	}
	return list
}
