package system

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

var testEngine = Engine{BusBytes: 64, AtomicDepth: 512, EngineConfig: rdmap.EngineConfig{Streams: 64, STags: 16, IRD: 8, ORD: 8, ReceiveDepth: 16, SendDepth: 16, MaxPayload: 1024}}

func readWorkload(t *testing.T, text string) Workload {
	w, err := ReadWorkload(strings.NewReader(text))
	require.NoError(t, err)
	return w
}

// optionsFor are those that a workload needs.
func optionsFor(w *Workload) Options {
	o := Options{Config: testEngine, Timing: TimingOf(64, 0)}
	if w.Commits() {
		o.Config.Extensions, o.Timing = spec.Commit, TimingOf(64, spec.Commit)
		o.Config.Commit = rdmap.CommitConfig{Platform: memory.PlatformConfig{Coherent: true}}
	}
	return o
}

// runOn runs a workload, which must end well.
func runOn(t *testing.T, w Workload, parallel bool) (*System, *Report) {
	o := optionsFor(&w)
	o.Parallel = parallel
	s, err := New(w, o)
	require.NoError(t, err)
	r, err := s.Run()
	require.NoError(t, err)
	return s, r
}

// Every workload that comes with the program runs, and gives the same report on the serial and on the parallel engine.
func TestShipped(t *testing.T) {
	for _, name := range Shipped() {
		t.Run(name, func(t *testing.T) {
			text, err := OpenShipped(name)
			require.NoError(t, err)
			w, err := ReadWorkload(bytes.NewReader(text))
			require.NoError(t, err)
			_, serial := runOn(t, w, false)
			_, parallel := runOn(t, w, true)
			require.NotEmpty(t, serial.Rows)
			assert.Equal(t, serial, parallel)
			transactions := uint64(0)
			for _, n := range serial.Nodes {
				transactions += n.Transactions
			}
			counted := uint64(0)
			for _, r := range serial.Rows {
				if !r.Operation {
					counted += r.Count
				}
			}
			assert.Equal(t, transactions, counted)
		})
	}
}

// Networks whose links are faster than RNICs take segments, so that links pause, some with no latency or one of a cycle, which is all that
// the parallel engine has to run nodes apart: the same on both engines.
func TestNetworksThatPause(t *testing.T) {
	for _, c := range []struct{ nodes, latency string }{{"2", "0s"}, {"2", "4ns"}, {"4", "0s"}, {"4", "4ns"}, {"4", "100ns"}} {
		w := readWorkload(t, `
nodes: `+c.nodes+`
network: {link_latency: `+c.latency+`, link_gbps: 400, switch_latency: 8ns, buffer_octets: 20000}
flows:
  - {name: in, from: 1-, to: 0, streams: 2, transactions: 30, outstanding: 8, objects: {count: 64, octets: 8192, pick: own}, mix: [{steps: [{operation: write, octets: 8192}]}]}
  - {name: all, from: all, to: all, transactions: 30, outstanding: 2, objects: {base: 8388608, count: 64, octets: 4096, pick: own}, mix: [{steps: [{operation: read, octets: 100}, {operation: write, octets: 30}]}]}
`)
		_, serial := runOn(t, w, false)
		_, parallel := runOn(t, w, true)
		assert.Equal(t, serial, parallel)
		if c.nodes == "2" {
			continue // an RNIC does not send faster than another takes
		}
		assert.Greater(t, serial.Nodes[0].Pausing, 0.1, "%v", c)
		assert.Greater(t, serial.Nodes[1].Paused, 0.1, "%v", c)
		assert.Less(t, serial.Nodes[0].Pausing, 1.0, "%v", c)
	}
}

// All kinds of operations together, at random moments, behind slow memory and a slow network that is full: the same on both engines and
// with the same seed, and not with another.
func TestSeedDecides(t *testing.T) {
	for kind, nodes := range map[string]string{"ideal": "4", "dram": "3"} {
		if kind == "dram" && testing.Short() {
			continue // akita's controller takes its time
		}
		w := readWorkload(t, `
nodes: `+nodes+`
network: {link_gbps: 10, buffer_octets: 3000}
memory: {kind: `+kind+`, latency: 1us}
flows:
  - name: some
    from: all
    to: all
    streams: 2
    transactions: 4
    outstanding: 4
    rate: 0.5
    objects: {count: 5, octets: 6000, pick: hot, share: 0.3}
    mix:
      - {steps: [{operation: write, octets: 3000, at: 11}, {operation: read, octets: 5000}]}
      - {steps: [{operation: send, octets: 2000, reply: true}]}
      - {weight: 2, back_to_back: true, steps: [{operation: fetch_add, at: 5000, add: 7}, {operation: read, octets: 1}]}
  - name: more
    from: 1-
    to: 0
    transactions: 4
    objects: {base: 65536, count: 2, octets: 64, pick: uniform}
    mix: [{steps: [{operation: cmp_swap, compare: 0, swap: mine, until: swapped}, {operation: flush, octets: 64}, {operation: verify, octets: 64}, {operation: atomic_write, at: 8}, {operation: cmp_swap, compare: mine, swap: 0}]}]
`)
		_, first := runOn(t, w, false)
		_, parallel := runOn(t, w, true)
		assert.Equal(t, first, parallel)
		_, again := runOn(t, w, false)
		assert.Equal(t, first, again)
		w.Seed = 2
		_, other := runOn(t, w, false)
		assert.NotEqual(t, first.Cycles, other.Cycles)
		most := 0
		for _, n := range first.Nodes {
			most = max(most, n.QueueOctets)
		}
		assert.Greater(t, most, 2000, "the switch was full")
	}
}

// Without outstanding transactions in the way, transactions begin at the rate, and latency counts from when they should have begun.
func TestRate(t *testing.T) {
	text := `
flows:
  - {from: 0, to: 1, streams: 4, for: 500us, outstanding: OUT, rate: 0.5, mix: [{steps: [{operation: fetch_add}]}]}
`
	_, free := runOn(t, readWorkload(t, strings.Replace(text, "OUT", "16", 1)), false)
	assert.InDelta(t, 2, free.Rows[0].PerMicrosecond, 0.1)
	assert.Less(t, free.Rows[0].Latency.P50, 2000.0)
	assert.Equal(t, free.Rows[1].Latency, free.Rows[0].Latency, "a transaction begins when its operation is posted")
	_, held := runOn(t, readWorkload(t, strings.Replace(text, "OUT", "1", 1)), false)
	assert.Greater(t, held.Rows[0].Latency.P50, 1.5*free.Rows[0].Latency.P50, "waiting for the one before counts")
	assert.Less(t, held.Rows[1].Latency.P50, 1.1*free.Rows[1].Latency.P50, "that of operations does not")
}

// A canceled run begins nothing more, and reports what has ended.
func TestInterrupted(t *testing.T) {
	w := readWorkload(t, "flows: [{from: 0, to: 1, transactions: 1000000, mix: [{steps: [{operation: write}]}]}]")
	o := optionsFor(&w)
	ctx, cancel := context.WithCancel(context.Background())
	o.Context, o.Prepared = ctx, func(sim.Engine, []Part) { cancel() }
	s, err := New(w, o)
	require.NoError(t, err)
	r, err := s.Run()
	require.NoError(t, err)
	assert.Less(t, r.Cycles, uint64(100_000_000))
}

// mute is an RNIC that accepts everything and does nothing.
type mute struct{ *rnic }

func TestTransactionsThatDoNotEnd(t *testing.T) {
	w := readWorkload(t, "rtl: 1\nflows: [{name: a, from: 0, to: 1, transactions: 3, mix: [{steps: [{operation: read}]}]}]")
	o := optionsFor(&w)
	o.RTL = func(site Site) (NIC, error) {
		n, err := NewRNIC(site)
		if err != nil {
			return nil, err
		}
		m := mute{n.(*rnic)}
		m.rnic.Clocked.act = func(now Cycle) Cycle {
			for m.net.Retrieve(at(m.Freq, now)) != nil {
			}
			return never
		}
		return m, nil
	}
	s, err := New(w, o)
	require.NoError(t, err)
	_, err = s.Run()
	assert.EqualError(t, err, "Node[0].Host: 3 of 3 transactions of a with node 1 have not ended, and nothing happens any more")
}

// The checks at the end find a word that is not the sum, numbers that were not drawn once each, and memory that is not the model's.
func TestChecksAtTheEnd(t *testing.T) {
	w := readWorkload(t, "flows: [{from: 0, to: 1, transactions: 5, mix: [{steps: [{operation: fetch_add, add: 3}]}]}]")
	s, _ := runOn(t, w, false)
	require.NoError(t, s.sums())
	s.nodes[0].record.adds[word64{1, 0}].found++
	assert.EqualError(t, s.sums(), "node 1: 5 FetchAdds on the word at 0x0 found values with the sum 31")
	require.NoError(t, s.nodes[1].storage.Write(targetAddress, []byte{14}))
	assert.EqualError(t, s.sums(), "node 1: the word at 0x0 is 14 after FetchAdds of 15 in all")
	assert.EqualError(t, s.copies(), "node 1: memory at 0x100000000 differs from the model's")
}

func TestFairness(t *testing.T) {
	assert.InDelta(t, 1, jain([]float64{2, 2, 2}), 1e-9)
	assert.InDelta(t, 0.25, jain([]float64{1, 0, 0, 0}), 1e-9)
	assert.Zero(t, jain(nil))
}

// DRAM takes accesses of every length that an RNIC makes, at every place.
func TestLongAccessesOfDRAM(t *testing.T) {
	w := readWorkload(t, `
memory: {kind: dram}
flows: [{from: 0, to: 1, transactions: 2, objects: {octets: 65536}, mix: [{steps: [{operation: write, octets: 9000, at: 3}, {operation: read, octets: 9000, at: 4095}]}]}]
`)
	o := optionsFor(&w)
	o.Config.MaxPayload = 4096
	s, err := New(w, o)
	require.NoError(t, err)
	_, err = s.Run()
	require.NoError(t, err)
}

// A canceled run ends also with transactions that are late, and with a lock that nobody frees.
func TestInterruptedEnds(t *testing.T) {
	for _, flow := range []string{
		"transactions: 2000, rate: 1000, mix: [{steps: [{operation: read}]}]",
		"transactions: 5, mix: [{steps: [{operation: cmp_swap, compare: 5, swap: 6, until: swapped}, {operation: write, at: 8}]}]",
	} {
		w := readWorkload(t, "flows: [{from: 0, to: 1, objects: {octets: 64}, "+flow+"}]")
		s, err := New(w, optionsFor(&w))
		require.NoError(t, err)
		NewClocked("Stop", s.nodes[0].engine, s.freq, func(Cycle) Cycle { s.stopped.Store(true); return never }).Wake(2500)
		r, err := s.Run()
		require.NoError(t, err)
		assert.Less(t, r.Cycles, uint64(4000))
	}
}

// A flush is answered when a line of every page has been read, 17 of them at a time.
func TestFlushOfManyPages(t *testing.T) {
	flush := func(octets string) float64 {
		w := readWorkload(t, "flows: [{from: 0, to: 1, transactions: 3, objects: {octets: 2097152}, mix: [{steps: [{operation: flush, octets: "+octets+"}]}]}]")
		_, r := runOn(t, w, false)
		return r.Rows[0].Latency.P50
	}
	one := flush("64")
	assert.Equal(t, one, flush("4096"))
	rounds := 256/17*(50+2) + 256%17 // cycles, with a memory latency of 50
	want := one + 4*float64(rounds)
	assert.InDelta(t, want, flush("1048577"), 0.03*want)
}
