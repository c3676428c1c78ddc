package mutate

import (
	"slices"

	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// Report is what became of the mutants.
type Report struct {
	Rows     []Row
	Outcomes []Outcome
}

// Row is one block's part.
type Row struct {
	Block            string  `json:"block"`
	Available        int     `json:"available"` // mutants that could be made
	Mutants          int     `json:"mutants"`
	Killed           int     `json:"killed"` // in all
	KilledByHang     int     `json:"killed_by_hang"`
	KilledByTiming   int     `json:"killed_by_timing"`
	KilledBySequence int     `json:"killed_by_sequence"`
	KilledByProperty int     `json:"killed_by_property"`
	Equivalent       int     `json:"equivalent"`
	Open             int     `json:"open"`
	Seconds          float64 `json:"seconds"` // of its mutants, without the building of models
}

func (r *Report) add(s *subject, group []mutate.Mutant, outcomes []Outcome) {
	for _, m := range outcomes {
		i := slices.IndexFunc(r.Rows, func(row Row) bool { return row.Block == m.Block })
		if i < 0 {
			i = len(r.Rows)
			r.Rows = append(r.Rows, Row{Block: m.Block, Available: s.set.Available[m.Block]})
		}
		row := &r.Rows[i]
		row.Mutants++
		row.Seconds += m.took.Seconds()
		switch m.Fate {
		case Open:
			row.Open++
		case Equivalent:
			row.Equivalent++
		case ByHang:
			row.KilledByHang++
		case ByTiming:
			row.KilledByTiming++
		case BySequence:
			row.KilledBySequence++
		case ByProperty:
			row.KilledByProperty++
		}
		row.Killed = row.Mutants - row.Open - row.Equivalent
	}
	r.Outcomes = append(r.Outcomes, outcomes...)
}

// KilledByVerdict counts those of a row that nothing else killed.
func (r Row) KilledByVerdict() int {
	return r.Killed - r.KilledByHang - r.KilledByTiming - r.KilledBySequence - r.KilledByProperty
}

// Total adds the rows up.
func (r *Report) Total() (t Row) {
	t.Block = "all"
	for _, row := range r.Rows {
		t.Available, t.Mutants, t.Killed = t.Available+row.Available, t.Mutants+row.Mutants, t.Killed+row.Killed
		t.KilledByHang, t.KilledByTiming = t.KilledByHang+row.KilledByHang, t.KilledByTiming+row.KilledByTiming
		t.KilledBySequence, t.KilledByProperty = t.KilledBySequence+row.KilledBySequence, t.KilledByProperty+row.KilledByProperty
		t.Equivalent, t.Open, t.Seconds = t.Equivalent+row.Equivalent, t.Open+row.Open, t.Seconds+row.Seconds
	}
	return t
}

// Of lists the mutants with one of some fates.
func (r *Report) Of(fates ...Fate) (list []Outcome) {
	for _, m := range r.Outcomes {
		if slices.Contains(fates, m.Fate) {
			list = append(list, m)
		}
	}
	return list
}
