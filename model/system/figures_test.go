package system

import (
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
)

// Rates count from the start to the end of the last transaction of a stream.
func TestRatesOfStreams(t *testing.T) {
	f := &Flow{Name: "f"}
	i := func(ended int, last Cycle) *initiator {
		return &initiator{connection: &connection{flow: f}, ended: ended, last: last}
	}
	s := &System{freq: testFreq, nodes: []*node{{host: &host{initiators: []*initiator{i(10, 1250), i(0, 0)}}}, {host: &host{initiators: []*initiator{i(3, 1750)}}}}}
	assert.Equal(t, map[string][]float64{"f": {2.5, 0, 0.5}}, s.rates(250))
}

// Percentiles, mean and rates of a row, by hand.
func TestRowOf(t *testing.T) {
	s := &System{freq: testFreq}
	w := &row{count: 10000, octets: 50000, cycles: hdrhistogram.New(1, mostCycles, digits)}
	for n := range 10000 {
		w.took(Cycle(n + 1))
	}
	r := s.rowOf(rowKey{"f", "n", true}, w, 2e-5)
	for want, got := range map[float64]float64{20000: r.Latency.P50, 36000: r.Latency.P90, 39600: r.Latency.P99, 39960: r.Latency.P999, 40000: r.Latency.Most, 20002: r.Latency.Mean} {
		assert.InEpsilon(t, want, got, 0.01)
	}
	assert.Equal(t, []float64{20002, 40000}, []float64{r.Latency.Mean, r.Latency.Most})
	assert.Greater(t, r.Latency.P999, r.Latency.P99)
	assert.InEpsilon(t, 500.0, r.PerMicrosecond, 1e-9)
	assert.InEpsilon(t, 20.0, r.Gbps, 1e-9)
}

// FetchAdds of several numbers on a word are not checked for what they found; transactions carry the octets of all their steps.
func TestAdditionsThatDiffer(t *testing.T) {
	_, r := runOn(t, readWorkload(t, `
nodes: 3
flows:
  - {name: a, from: 1, to: 0, transactions: 20, mix: [{steps: [{operation: fetch_add, add: 1}, {operation: read, octets: 1000}]}]}
  - {name: b, from: 2, to: 0, transactions: 20, mix: [{steps: [{operation: fetch_add, add: 3}]}]}
`), false)
	assert.InEpsilon(t, r.Rows[1].Gbps+r.Rows[2].Gbps, r.Rows[0].Gbps, 1e-9, "%v", r.Rows)
}

// The sum of FetchAdds may wrap.
func TestSumsWrap(t *testing.T) {
	runOn(t, readWorkload(t, "nodes: 3\nflows: [{from: 1-, to: 0, transactions: 5, mix: [{steps: [{operation: fetch_add, add: 9223372036854775809}]}]}]"), false)
}

// A link is busy for as long as the octets take that it carries, and what arrives is what was sent.
func TestLinkBusy(t *testing.T) {
	_, r := runOn(t, readWorkload(t, "flows: [{from: 0, to: 1, transactions: 200, outstanding: 4, mix: [{steps: [{operation: write, octets: 100}, {operation: read, octets: 33}]}]}]"), false)
	octets := float64(200 * ((&Segment{Octets: make([]byte, 14+100)}).linkOctets() + (&Segment{Octets: make([]byte, 18+28)}).linkOctets()))
	assert.InEpsilon(t, octets/50/float64(r.Cycles), r.Nodes[0].LinkBusy, 1e-6)
}

// Links are not busy for longer than there is time, also when the last that they carry is after the last completion.
func TestLinkBusyBeyondTheEnd(t *testing.T) {
	_, r := runOn(t, readWorkload(t, "network: {link_gbps: 1}\nflows: [{from: 0, to: 1, transactions: 20, outstanding: 16, mix: [{steps: [{operation: write, octets: 64}]}]}]"), false)
	assert.InDelta(t, 1, r.Nodes[0].LinkBusy, 0.05)
	assert.LessOrEqual(t, r.Nodes[0].LinkBusy, 1.0)
}

// Durations last until the edge that is not before their end.
func TestDurationsInCycles(t *testing.T) {
	for d, want := range map[Duration]Cycle{0: 0, 1: 1, 4: 1, 5: 2, 8: 2, 500: 125, 1e9: 250e6} {
		assert.Equal(t, want, d.cycles(testFreq), "%v", d)
	}
}
