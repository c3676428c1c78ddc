package bench

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/internal/long"
)

// quick makes short measurements of aggressors.
type quick isolationMeasurement

func newQuick() *quick {
	return &quick{seed: 1, cycles: 1500, silence: 2000, alone: map[aloneKey]aloneResult{}}
}

func (q *quick) row(t *testing.T, a aggressor) Isolation {
	t.Helper()
	m := isolationMeasurement(*q)
	row, err := m.row(t.Context(), m.contest(a))
	require.NoError(t, err)
	return row
}

func named(t *testing.T, name string) aggressor {
	t.Helper()
	for _, a := range aggressors() {
		if a.name == name {
			return a
		}
	}
	require.Fail(t, "the aggressor does not exist", name)
	return aggressor{}
}

// Streams keep their share beside an aggressor.
func TestIsolation(t *testing.T) {
	q := newQuick()
	for _, name := range []string{"alternating", "terminates-sent", "opens", "stags", "no-completions"} {
		row := q.row(t, named(t, name))
		assert.True(t, row.Met, "%+v", row)
		assert.Equal(t, name == "no-completions", row.margin() < 1, "%+v", row)
		assert.Equal(t, name == "no-completions", row.Acts == Activity{}, "the aggressor is active: %+v", row)
	}
}

// Nobody waits for far memory but who reads it.
func TestIsolationFromFarMemory(t *testing.T) {
	long.Test(t)
	q := newQuick()
	for _, name := range []string{"reads-slow", "posted-slow"} {
		row := q.row(t, named(t, name))
		assert.True(t, row.Met, "%+v", row)
		a := named(t, name)
		a.far = false
		assert.False(t, q.row(t, a).Met, "without the address bit")
	}
}

// The limits detect victims that are slowed down, delayed or stopped forever.
func TestIsolationNotices(t *testing.T) {
	stall := func(port string, chance int) func(*rnic.Device) error {
		return func(d *rnic.Device) error {
			return d.Stall(port, simulator.Stall{Mode: simulator.StallRandom, Chance: chance})
		}
	}
	q := newQuick()
	a := aggressor{victims: atomicsMix, behave: func() behavior { return silent{} }}
	a.prepare = stall("m_axis_tx", 64)
	row := q.row(t, a)
	assert.False(t, row.Met)
	assert.Empty(t, row.Stuck)
	assert.InDelta(t, 0.75, row.Rate.Ratio, 0.02)
	assert.Less(t, row.Latency.Ratio, 4.0)

	a.prepare = func(d *rnic.Device) error {
		slow := simulator.Latency{Least: 10 * memoryLatency, Most: 10 * memoryLatency}
		return d.Memory().SetSlow(slow, simulator.Range{Last: 4095, Reads: true})
	}
	assert.Greater(t, q.row(t, a).Latency.Ratio, 4.0)

	a.prepare = stall("m_axis_tx", 256)
	row = q.row(t, a)
	assert.Len(t, row.Stuck, isolationStreams-1)
	assert.False(t, row.Met)
	assert.Zero(t, row.margin())
}

// Rows are sorted by severity, the worst last: a deadlock is worst, then the row that exceeds a limit by most.
func TestSortIsolation(t *testing.T) {
	row := func(name string, throughput, latency float64, deadlock bool) Isolation {
		r := Isolation{Aggressor: name, Rate: Throughput{Ratio: throughput}, Latency: Latencies{Ratio: latency}}
		if deadlock {
			r.Stuck = []int{7}
		}
		return r
	}
	var got []string
	for _, r := range sortIsolation([]Isolation{row("stuck", 1, 1, true), row("late", 1, 40, false), row("good", 1, 1, false), row("slow", 0.5, 1, false)}) {
		got = append(got, r.Aggressor)
	}
	assert.Equal(t, []string{"good", "slow", "late", "stuck"}, got)
}

// The line gives an equal number of beats to all streams that always have something to send, whatever their segment lengths.
func TestLine(t *testing.T) {
	var l line
	var parties []*party
	for s := range uint32(isolationStreams) {
		parties = append(parties, &party{stream: s})
	}
	next := func() int {
		return l.next(len(parties), func(i int) int {
			if p := parties[i]; len(p.segments) > 0 {
				return beatsOf(p.segments[0])
			}
			return 0
		})
	}
	beats := map[uint32]int{}
	for range 4000 {
		for s, octets := range []int{1000, 70, 129} { // 8, 1 and 2 beats
			if p := parties[s]; len(p.segments) == 0 {
				p.segments = append(p.segments, make([]byte, octets))
			}
		}
		p := parties[next()]
		beats[p.stream] += beatsOf(p.segments[0])
		p.segments = nil
	}
	assert.Len(t, beats, 3)
	for s := range uint32(3) {
		assert.InDelta(t, beats[0], beats[s], 16)
	}
	for _, p := range parties {
		p.segments = nil
	}
	assert.Equal(t, -1, next())
}

// The same seed gives the same row, another seed other latencies.
func TestIsolationFollowsTheSeed(t *testing.T) {
	var rows []Isolation
	for _, seed := range []uint64{1, 1, 2} {
		q := newQuick()
		q.seed, q.cycles = seed, 300
		rows = append(rows, q.row(t, named(t, "alternating")))
	}
	assert.Equal(t, rows[0], rows[1])
	assert.NotEqual(t, rows[0].Latency, rows[2].Latency)
}

func TestPlotIsolation(t *testing.T) {
	rows := []Isolation{{Aggressor: "first", Rate: Throughput{Ratio: 1}, Latency: Latencies{Ratio: 1.5}},
		{Aggressor: "last", Rate: Throughput{Ratio: 0.25}, Latency: Latencies{Ratio: 300}}}
	files, err := PlotIsolation(rows)
	require.NoError(t, err)
	again, err := PlotIsolation(rows)
	require.NoError(t, err)
	assert.Equal(t, files, again)
	for i, labels := range [][]string{{"first  1.50", "last  300.00"}, {"first  1.00", "last  0.25"}} {
		for _, label := range labels {
			assert.Contains(t, string(files[i].Data), label, files[i].Name)
		}
	}
	_, err = PlotIsolation(nil)
	assert.EqualError(t, err, "there are no rows to plot")
}

// QPs keep their share beside an aggressor. In a short measurement a QP that ends and opens all the time costs more of it.
func TestFalconIsolation(t *testing.T) {
	long.Test(t)
	q := newQuick()
	for _, a := range falconAggressors() {
		if !slices.Contains([]string{"falcon-rnr-storm", "falcon-ends", "falcon-reordered"}, a.name) {
			continue
		}
		m := isolationMeasurement(*q)
		row, err := m.row(t.Context(), m.falconContest(a))
		require.NoError(t, err)
		assert.Empty(t, row.Stuck, "%+v", row)
		assert.Equal(t, a.name != "falcon-ends", row.Met, "%+v", row)
		assert.Greater(t, row.Rate.Ratio, 0.85, "%+v", row)
		assert.Greater(t, row.Acts.In, uint64(5), "%+v", row)
	}
}
