package system

import (
	"github.com/HdrHistogram/hdrhistogram-go"
)

// record is what a host notes.
type record struct {
	start Cycle // when the first transactions may begin
	last  Cycle // when the last one has ended
	rows  map[rowKey]*row
	adds  map[word64]*sum // by word of a target
}

// rowKey names a row of the report.
type rowKey struct {
	flow, name string
	operation  bool
}

// row counts transactions or operations of a kind.
type row struct {
	count, octets, retries uint64
	cycles                 *hdrhistogram.Histogram // latency of each
	sum                    float64                 // of latencies
	most                   Cycle
}

// word64 is a word in the memory of a node.
type word64 struct {
	node int
	to   uint64
}

// sum is of FetchAdds on a word: what they added, how many there were, and what they found.
type sum struct{ added, count, found uint64 }

// Latencies are kept to within 1 %, up to mostCycles.
const (
	mostCycles = 1 << 36
	digits     = 2
)

func (r *record) row(k rowKey) *row {
	if r.rows[k] == nil {
		r.rows[k] = &row{cycles: hdrhistogram.New(1, mostCycles, digits)}
	}
	return r.rows[k]
}

// took records a latency.
func (w *row) took(c Cycle) {
	_ = w.cycles.RecordValue(min(int64(c), mostCycles))
	w.sum, w.most = w.sum+float64(c), max(w.most, c)
}

func (r *record) operation(o *operation, original uint64, now Cycle) {
	w := r.row(rowKey{o.flow.Name, string(o.step.Operation), true})
	w.count++
	w.octets += uint64(o.step.Octets)
	w.took(now - o.posted)
	if o.step.Operation == FetchAdd {
		k := word64{o.to.node, o.object + o.step.At}
		if r.adds[k] == nil {
			r.adds[k] = &sum{}
		}
		s := r.adds[k]
		s.added, s.count, s.found = s.added+o.step.Add, s.count+1, s.found+original
	}
}

func (r *record) retry(o *operation) {
	r.row(rowKey{o.flow.Name, string(o.step.Operation), true}).retries++
}

func (r *record) transaction(t *transaction, now Cycle) {
	w := r.row(rowKey{t.flow.Name, t.mix.Name, false})
	w.count++
	for _, s := range t.mix.Steps {
		w.octets += uint64(s.Octets)
	}
	w.took(now - t.began)
	r.last = max(r.last, now)
}
