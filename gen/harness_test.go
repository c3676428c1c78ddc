package gen_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/gosim"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// bench runs one block on the go engine, from random state. Beats are Go structs: a field maps to the port of the same
// name, so Term.EType of a beat of m_record is m_record_term_etype, and Addr of m_axi_aw is m_axi_awaddr.
type bench struct {
	t      testing.TB
	engine simulator.Engine
	lanes  map[string]*lane
	sinks  []*lane
	watch  *watch
}

// lane is one stream: its beats that wait for room in the engine, or that the engine output.
type lane struct {
	index  int
	stream simulator.Stream
	words  int
	fields map[string]simulator.Field
	beats  []uint64
	cycles []uint64 // handshakes since the reset

	beat  reflect.Type // of the beat that was last moved
	moves []place      // of its fields

	stamped uint64 // handshakes whose cycle was fetched, including those before the reset
}

// quick is a test whose helpers are not looked up: what is compared in every cycle compares often. A failure shows its stack all the same.
type quick struct{ testing.TB }

// Helper implements [testing.TB].
func (quick) Helper() {}

// benchBeats is the engine's buffer of each stream: as many beats can pass without a gap.
const benchBeats = 1 << 14

// quietCycles exceeds the cycles that any block waits without a handshake.
const quietCycles = 256

// open compiles a block and resets it. Outputs named PREFIX_* of a monitor are a stream that is always ready.
func open[P any](t testing.TB, block hdl.Block[P], monitors ...string) *bench {
	t.Helper()
	d, err := hdl.Compile(block)
	require.NoError(t, err)
	return openDesign(t, d, monitors...)
}

func openDesign(t testing.TB, d *hdl.Design, monitors ...string) *bench {
	t.Helper()
	design := cosim.Design(d, monitors...)
	q := quick{t}
	b := &bench{t: q, lanes: map[string]*lane{}, watch: &watch{t: q, design: design, held: map[string][]uint64{}}}
	design.Simulate = func(o simulator.Options) (simulator.Model, error) {
		m, err := gosim.Simulate(d, o)
		b.watch.Model = m
		return b.watch, err
	}
	var err error
	b.engine, err = gosim.Open(design, simulator.Options{Seed: 1, Buffer: benchBeats, Stamps: true, RandomInit: true})
	require.NoError(t, err)
	for i, s := range design.Streams {
		layout, err := design.Layout(i)
		require.NoError(t, err)
		l := &lane{index: i, stream: s, words: layout.Words, fields: map[string]simulator.Field{}}
		for j, f := range s.Fields {
			l.fields[squash(strings.TrimPrefix(f, s.Name))] = layout.Fields[j]
		}
		b.lanes[s.Name] = l
		if s.Dir == simulator.Sink {
			b.sinks = append(b.sinks, l)
		}
	}
	return b
}

func (b *bench) lane(stream string) *lane {
	l, is := b.lanes[stream]
	if !is {
		require.Contains(b.t, b.lanes, stream)
	}
	return l
}

// push queues beats for a sink.
func push[T any](b *bench, stream string, beats ...T) {
	b.t.Helper()
	l := b.lane(stream)
	for i := range beats {
		l.beats = append(l.beats, make([]uint64, l.words)...)
		l.move(b.t, l.beats[len(l.beats)-l.words:], reflect.ValueOf(&beats[i]).Elem(), pack)
	}
}

// take returns the beats that a source has output.
func take[T any](b *bench, stream string) []T {
	b.t.Helper()
	l := b.lane(stream)
	out := make([]T, len(l.beats)/l.words)
	for i := range out {
		l.move(b.t, l.beats[i*l.words:(i+1)*l.words], reflect.ValueOf(&out[i]).Elem(), unpack)
	}
	l.beats = nil
	return out
}

// run runs until the block is idle, and checks that nothing is left pending.
func (b *bench) run() {
	b.t.Helper()
	for start := b.engine.Cycle(); ; {
		waiting := b.feed()
		r, err := b.engine.Run(1<<16, quietCycles)
		require.NoError(b.t, err)
		b.collect()
		if r.Why == simulator.Quiet && !waiting {
			return
		}
		require.Less(b.t, b.engine.Cycle()-start, uint64(1<<18), "the block does not become idle")
	}
}

// step runs some cycles.
func (b *bench) step(cycles int) {
	b.t.Helper()
	require.False(b.t, b.feed(), "more beats than the engine holds")
	_, err := b.engine.Run(uint64(cycles), 0)
	require.NoError(b.t, err)
	b.collect()
}

// reset resets the block in any state, and discards waiting and output beats.
func (b *bench) reset() {
	b.t.Helper()
	require.NoError(b.t, b.engine.Reset(1))
	b.collect()
	for _, l := range b.lanes {
		l.beats, l.cycles = nil, nil
	}
}

// feed moves beats into the engine, and reports whether some have no room yet.
func (b *bench) feed() (waiting bool) {
	for _, l := range b.sinks {
		n, err := b.engine.Push(l.index, l.beats)
		if err != nil {
			require.NoError(b.t, err)
		}
		l.beats = l.beats[n*l.words:]
		waiting = waiting || len(l.beats) > 0
	}
	return waiting
}

func (b *bench) collect() {
	for _, l := range b.lanes {
		if l.stream.Dir == simulator.Sink {
			at := make([]uint64, b.stats(l.stream.Name).Beats-l.stamped)
			n, err := b.engine.Accepted(l.index, at)
			if err != nil {
				require.NoError(b.t, err)
			}
			l.cycles, l.stamped = append(l.cycles, at[:n]...), l.stamped+uint64(n)
			continue
		}
		queued := int(b.engine.Stats(l.index).Queued)
		beats, at := make([]uint64, queued*l.words), make([]uint64, queued)
		if _, err := b.engine.Pop(l.index, beats, at); err != nil {
			require.NoError(b.t, err)
		}
		l.beats, l.cycles = append(l.beats, beats...), append(l.cycles, at...)
	}
}

// cycles returns the cycles of a stream's handshakes since the reset.
func (b *bench) cycles(stream string) []uint64 { return b.lane(stream).cycles }

func (b *bench) stats(stream string) simulator.Stats { return b.engine.Stats(b.lane(stream).index) }

// stall slows the environment down: idle delays beats of the sinks, pressure stalls the sources.
func (b *bench) stall(idle, pressure simulator.Stall) {
	for _, l := range b.lanes {
		s := idle
		if l.stream.Dir == simulator.Source {
			s = pressure
		}
		if l.stream.Ready != "" {
			require.NoError(b.t, b.engine.SetStall(l.index, s))
		}
	}
}

// everyStall runs a test for each mix of idle cycles on the sinks and back-pressure on the sources.
func everyStall(t *testing.T, test func(t *testing.T, idle, pressure simulator.Stall)) {
	stalls := []simulator.Stall{{}, {Mode: simulator.StallRandom, Chance: 128}, {Mode: simulator.StallBursts, Chance: 128}}
	for _, idle := range stalls {
		for _, pressure := range stalls {
			t.Run(fmt.Sprintf("idle %s, back-pressure %s", idle.Mode, pressure.Mode), func(t *testing.T) { test(t, idle, pressure) })
		}
	}
}

// streamsOf returns the default configuration with n streams.
func streamsOf(n int) engine.Config {
	c := gen.Default().Engine()
	c.Streams = n
	return c
}

// draft00 reports whether a configuration executes Swap.
// stagConfig is a configuration with an STag table of so many rows.
func stagConfig(rows int) engine.Config {
	c := streamsOf(2)
	c.STags = rows
	return c
}

func draft00(c engine.Config) bool { return c.Profile.Features()&1 == 1 }
