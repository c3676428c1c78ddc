package gen_test

import (
	"flag"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/mutate"
	"github.com/rnicgen/rnicgen/hdl/mutate/equivalence"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

var mutants = flag.Int("mutants", 50, "mutants of a block; 0: all")

// trial is a test that may fail.
type trial struct {
	testing.TB
	failed bool
}

func (t *trial) Errorf(string, ...any) { t.failed = true }
func (t *trial) FailNow()              { t.failed = true; runtime.Goexit() }
func (t *trial) Failed() bool          { return t.failed }

// fails reports whether a test fails.
func fails(t testing.TB, test func(testing.TB)) bool {
	x, done := &trial{TB: t}, make(chan bool)
	go func() {
		defer close(done)
		test(x)
	}()
	<-done
	return x.failed
}

// falconTraffic is packets, and the stalls of all streams.
type falconTraffic struct {
	run   *falconRun
	stall simulator.Stall
}

// falconTraffics are those of the tests, the most effective first.
func falconTraffics(bus int) (list []falconTraffic) {
	r, lengths := random(24), &falconRun{busBytes: bus}
	for n := range 2*bus + 1 {
		for i := range spec.Operations {
			row := &spec.Operations[i]
			lengths.add(falconTransaction{row.Packet, r.Uint32(), r.Uint32N(falconConnections)}, falconPacket(r, row, lengths.order, n))
		}
	}
	long, longest := &falconRun{busBytes: bus}, &falconRun{busBytes: bus}
	for i := range spec.Operations {
		row := &spec.Operations[i]
		long.add(falconTransaction{row.Packet, r.Uint32(), 0}, falconPacket(r, row, long.order, 40*bus))
	}
	row := &spec.Operations[0]
	longest.add(falconTransaction{row.Packet, 1, 2}, falconPacket(r, row, longest.order, (65535-row.HeaderOctets())&^3))
	random := simulator.Stall{Mode: simulator.StallRandom, Chance: 128}
	return []falconTraffic{{falconMix(spec.Drawn, bus, 300, 3*bus), random}, {lengths, simulator.Stall{}},
		{falconMix(spec.Drawn, bus, 3000, 3*bus), simulator.Stall{}}, {falconEmptyEnds(bus), random}, {long, random}, {longest, simulator.Stall{}}}
}

// mutantsPerModel is how many mutants share a model: each makes it slower.
const mutantsPerModel = 50

// The tests find faults: each mutant fails one of them, is equivalent, or differs only where the properties allow it.
func TestFalconParserMutants(t *testing.T) {
	const bus = 8
	d, err := hdl.Compile(falcon.Parser(spec.Drawn, bus, falconConnections))
	require.NoError(t, err)
	set, err := mutate.New(d, mutate.Options{Limit: *mutants, Seed: 1})
	require.NoError(t, err)
	traffics := falconTraffics(bus)
	var open []mutate.Mutant
	for group := range slices.Chunk(set.Mutants, mutantsPerModel) {
		d, err := set.With(group)
		require.NoError(t, err)
		b := openDesign(t, d)
		kills := func(number int) bool {
			return fails(t, func(t testing.TB) {
				b.t, b.watch.t = t, t
				for _, x := range traffics {
					require.NoError(t, b.engine.SetStatic(mutate.Select, uint64(number)))
					b.reset()
					b.stall(x.stall, x.stall)
					before := b.stats("s_axis_rx")
					x.run.check(t, b)
					if now := b.stats("s_axis_rx"); x.stall == (simulator.Stall{}) {
						require.Equal(t, now.Offered-before.Offered, now.Beats-before.Beats, "a beat was stalled")
					}
				}
				(&falconRun{busBytes: bus}).checkWithoutRecords(t, b)
			})
		}
		require.False(t, kills(0), "without a mutant")
		for _, m := range group {
			if !kills(m.Number) {
				open = append(open, m)
			}
		}
	}
	killed := len(set.Mutants) - len(open)
	if len(open) > 0 {
		prover, err := equivalence.New(t.Context(), set, open)
		require.NoError(t, err)
		open = slices.DeleteFunc(open, func(m mutate.Mutant) bool {
			how, err := prover.Shows(t.Context(), m, equivalence.Quick)
			require.NoError(t, err)
			return how != ""
		})
	}
	for _, m := range open {
		d := set.Difference(m)
		t.Logf("%d: %s %s\n- %s\n+ %s", m.Number, m.Place, m.Change, d.Before, d.After)
	}
	t.Logf("%d of %d mutants: %d killed, %d equivalent, %d open", len(set.Mutants), set.Available[d.Top()], killed, len(set.Mutants)-killed-len(open), len(open))
	assert.LessOrEqual(t, len(open), len(set.Mutants)/10)
}
