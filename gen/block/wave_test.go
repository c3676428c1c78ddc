package block_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/sim"
)

// shows runs a block with lists of input values, in hexadecimal and separated by spaces, until the longest list ends, and compares
// the waveforms of its signals with want. A list that ends early repeats its last value.
func shows[P any](t *testing.T, b hdl.Block[P], inputs map[string]string, signals, want string) {
	t.Helper()
	d, err := hdl.Compile(b)
	require.NoError(t, err)
	s, err := sim.New(d)
	require.NoError(t, err)
	cycles, words := 0, map[string][]uint64{}
	for name, list := range inputs {
		for _, w := range strings.Fields(list) {
			words[name] = append(words[name], parse(t, w))
		}
		cycles = max(cycles, len(words[name]))
	}
	s.Reset(1)
	w, err := sim.NewWave(s, strings.Fields(signals)...)
	require.NoError(t, err)
	for cycle := range cycles {
		for name, list := range words {
			in, err := s.Input(name)
			require.NoError(t, err)
			in.Set(list[min(cycle, len(list)-1)])
		}
		s.Step()
	}
	assert.Equal(t, strings.Trim(want, "\n"), strings.TrimRight(w.String(), "\n"), "the waveforms are:\n%s", w)
}

func parse(t *testing.T, word string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(word, 16, 64)
	require.NoError(t, err)
	return n
}

// A beat leaves an empty buffer one cycle later. Without ready at the output, DEPTH + 1 beats wait and the next one is not accepted.
// Full and empty refer to the memory.
func TestFifoWave(t *testing.T) {
	shows(t, block.FifoOf(hdl.Fixed(8), hdl.Fixed(2)), map[string]string{
		"in_valid":  "1 0 1 1 1 1 1 0",
		"in_data":   "a 0 b c d e e 0",
		"out_ready": "0 1 1 0 0 0 1 1 1 1 1",
	}, "in_valid in_ready in_data out_valid out_ready out_data full_q empty_q", `
           ────┐   ┌───────────────────┐
in_valid       │   │                   │
               └───┘                   └───────────────
           ────────────────────┐       ┌───────────────
in_ready                       │       │
                               └───────┘
           ┌───┬───┬───┬───┬───┬───────┬───────────────
in_data    │a  │0  │b  │c  │d  │e      │0
           └───┴───┴───┴───┴───┴───────┴───────────────
               ┌───┐   ┌───────────────────────┐
out_valid      │   │   │                       │
           ────┘   └───┘                       └───────
               ┌───────┐           ┌───────────────────
out_ready      │       │           │
           ────┘       └───────────┘
           ┌───┬───┬───┬───────────────┬───┬───┬───────
out_data   │0  │a  │0  │b              │c  │d  │0
           └───┴───┴───┴───────────────┴───┴───┴───────
                               ┌───────┐
full_q                         │       │
           ────────────────────┘       └───────────────
           ────────────────┐               ┌───────────
empty_q                    │               │
                           └───────────────┘
`)
}

// A beat passes an empty buffer in the same cycle.
func TestBypassWave(t *testing.T) {
	shows(t, block.BypassOf(8, 2), map[string]string{
		"in_valid":  "1 0 1 1 0",
		"in_data":   "a 0 b c 0",
		"out_ready": "1 1 0 1 1",
	}, "in_valid in_ready in_data out_valid out_ready out_data", `
           ────┐   ┌───────┐
in_valid       │   │       │
               └───┘       └───
           ────────────────────
in_ready

           ┌───┬───┬───┬───┬───
in_data    │a  │0  │b  │c  │0
           └───┴───┴───┴───┴───
           ────┐   ┌───────────
out_valid      │   │
               └───┘
           ────────┐   ┌───────
out_ready          │   │
                   └───┘
           ┌───┬───┬───────┬───
out_data   │a  │0  │b      │c
           └───┴───┴───────┴───
`)
}

// Both sides offer beats: they alternate.
func TestMergeWave(t *testing.T) {
	shows(t, block.MergeOf(hdl.Fixed(8)), map[string]string{
		"a_valid":   "1 1 1 0",
		"a_data":    "a1 a2 a2 0",
		"b_valid":   "1 1 0",
		"b_data":    "b1 b1 0",
		"out_ready": "1",
	}, "a_valid a_ready a_data b_valid b_ready b_data out_valid out_data", `
           ────────────┐
a_valid                │
                       └───
           ────┐   ┌───────
a_ready        │   │
               └───┘
           ┌───┬───────┬───
a_data     │a1 │a2     │0
           └───┴───────┴───
           ────────┐
b_valid            │
                   └───────
               ┌───┐
b_ready        │   │
           ────┘   └───────
           ┌───────┬───────
b_data     │b1     │0
           └───────┴───────
               ┌───────────
out_valid      │
           ────┘
           ┌───┬───┬───┬───
out_data   │0  │a1 │b1 │a2
           └───┴───┴───┴───
`)
}

type countPorts struct {
	Open, Add, Look hdl.In
	Stream          hdl.In
	Counted         hdl.Out
}

// counts has a word per stream, for four streams: an opening writes the initial word, an addition the number of the cycle.
func counts() hdl.Block[countPorts] {
	return hdl.Block[countPorts]{
		Kind: "counts", Doc: "counts is for tests.",
		Ports: countPorts{hdl.NewIn(1), hdl.NewIn(1), hdl.NewIn(1), hdl.NewIn(2), hdl.NewOut(8)},
		Build: func(m *hdl.Module, p countPorts) {
			sweep := block.NewSweep(m, 2)
			c := block.NewContext(m, "count", hdl.Const(8, 0x80), sweep)
			next := m.Reg("next_q", 8, hdl.ResetTo(0))
			m.OnClock(next.Set(next.Plus(1)))
			c.Write(block.Change{When: p.Open.Value, Stream: p.Stream.Value}, block.Change{When: p.Add.Value, Stream: p.Stream.Value, Word: next.Value})
			m.Drive(p.Counted, c.Read("counted", p.Look.Value, p.Stream.Value))
		},
	}
}

// Four cycles of sweep; a write, visible to a read in the same cycle; an opening takes priority and writes the initial word.
func TestContextWave(t *testing.T) {
	shows(t, counts(), map[string]string{
		"open":   "0 0 0 0 0 0 0 1 0",
		"add":    "1 0 0 0 0 1 0 1 0",
		"look":   "0 0 0 0 1 1 1 0 1",
		"stream": "2 2 2 2 2 2 1 2 2",
	}, "swept_q sweep_q next_q open add look stream counted write_count count_row count_word", `
                             ┌───────────────────
swept_q                      │
             ────────────────┘
             ┌───┬───┬───┬───┬───────────────────
sweep_q      │0  │1  │2  │3  │0
             └───┴───┴───┴───┴───────────────────
             ┌───┬───┬───┬───┬───┬───┬───┬───┬───
next_q       │0  │1  │2  │3  │4  │5  │6  │7  │8
             └───┴───┴───┴───┴───┴───┴───┴───┴───
                                         ┌───┐
open                                     │   │
             ────────────────────────────┘   └───
             ────┐               ┌───┐   ┌───┐
add              │               │   │   │   │
                 └───────────────┘   └───┘   └───
                             ┌───────────┐   ┌───
look                         │           │   │
             ────────────────┘           └───┘
             ┌───────────────────────┬───┬───────
stream       │2                      │1  │2
             └───────────────────────┴───┴───────
             ┌───────────────────┬───┬───┬───────
counted      │0                  │80 │5  │80
             └───────────────────┴───┴───┴───────
             ────────────────┐   ┌───┐   ┌───┐
write_count                  │   │   │   │   │
                             └───┘   └───┘   └───
             ┌───┬───┬───┬───┬───────┬───┬───────
count_row    │0  │1  │2  │3  │2      │1  │2
             └───┴───┴───┴───┴───────┴───┴───────
             ┌───────────────┬───┬───┬───┬───┬───
count_word   │80             │4  │5  │6  │80 │8
             └───────────────┴───┴───┴───┴───┴───
`)
}

type loopPorts struct {
	Take, Stream, Look hdl.In
	Count, Looked      hdl.Out
}

// loop counts how often each of four streams was taken; another port reads stream 3.
func loop() hdl.Block[loopPorts] {
	return hdl.Block[loopPorts]{
		Kind: "loop", Doc: "loop is for tests.",
		Ports: loopPorts{hdl.NewIn(1), hdl.NewIn(2), hdl.NewIn(1), hdl.NewOut(8), hdl.NewOut(8)},
		Build: func(m *hdl.Module, p loopPorts) {
			sweep := block.NewSweep(m, 2)
			valid, stream := m.Reg("valid_q", 1, hdl.ResetTo(0)), m.Reg("stream_q", 2, hdl.NoReset)
			take := m.Let("takes", sweep.Done.And(p.Take.Value))
			state := block.NewContext(m, "taken", hdl.Zero(8), sweep).Loop(block.LoopUser{Read: take, Stream: p.Stream.Value, Deciding: valid.Value, Decided: stream.Value})
			m.OnClock(valid.Set(take), stream.Set(p.Stream.Value))
			state.Decide(state.Now.Plus(1))
			m.Drive(p.Count, state.Now)
			m.Drive(p.Looked, state.Latest("looked", p.Look.Value, hdl.Const(2, 3)))
		},
	}
}

// The same stream in consecutive cycles, and others in between: every count is the previous one plus 1. The other port shows the
// count of stream 3 after all decisions up to the cycle of the read.
func TestLoopWave(t *testing.T) {
	shows(t, loop(), map[string]string{
		"take":   "0 0 0 0 1 1 1 1 0 1 1 0",
		"stream": "0 0 0 0 3 3 1 3 0 3 1 0",
		"look":   "0 0 0 0 1 1 1 1 1 1 1 1",
	}, "take stream valid_q stream_q count taken_is_decided_q look looked", `
                                    ┌───────────────┐   ┌───────┐
take                                │               │   │       │
                    ────────────────┘               └───┘       └───
                    ┌───────────────┬───────┬───┬───┬───┬───┬───┬───
stream              │0              │3      │1  │3  │0  │3  │1  │0
                    └───────────────┴───────┴───┴───┴───┴───┴───┴───
                                        ┌───────────────┐   ┌───────
valid_q                                 │               │   │
                    ────────────────────┘               └───┘
                    ┌───────────────────┬───────┬───┬───┬───┬───┬───
stream_q            │0                  │3      │1  │3  │0  │3  │1
                    └───────────────────┴───────┴───┴───┴───┴───┴───
                    ┌───────────────────────┬───┬───┬───┬───┬───┬───
count               │0                      │1  │0  │2  │1  │3  │1
                    └───────────────────────┴───┴───┴───┴───┴───┴───
                                            ┌───┐
taken_is_decided_q                          │   │
                    ────────────────────────┘   └───────────────────
                                    ┌───────────────────────────────
look                                │
                    ────────────────┘
                    ┌───────────────────────┬───┬───────┬───────┬───
looked              │0                      │1  │2      │3      │4
                    └───────────────────────┴───┴───────┴───────┴───
`)
}

type rotatePorts struct {
	Asks          hdl.In
	Turn, Granted hdl.Out
}

// rotate arbitrates among three requesters.
func rotate() hdl.Block[rotatePorts] {
	return hdl.Block[rotatePorts]{
		Kind: "rotate", Doc: "rotate is for tests.",
		Ports: rotatePorts{hdl.NewIn(3), hdl.NewOut(3), hdl.NewOut(3)},
		Build: func(m *hdl.Module, p rotatePorts) {
			asks := p.Asks.Value
			turn, granted := block.Rotate(m, "one", []hdl.Value{asks.Bit(0), asks.Bit(1), asks.Bit(2)})
			m.Drive(p.Turn, turn)
			m.Drive(p.Granted, granted)
		},
	}
}

// rotateToward arbitrates among three requesters, one of which is expected.
func rotateToward() hdl.Block[rotateTowardPorts] {
	return hdl.Block[rotateTowardPorts]{
		Kind: "rotate_toward", Doc: "rotate_toward is for tests.",
		Ports: rotateTowardPorts{hdl.NewIn(3), hdl.NewIn(3), hdl.NewOut(3)},
		Build: func(m *hdl.Module, p rotateTowardPorts) {
			asks := p.Asks.Value
			turn, granted := block.RotateToward(m, "one", []hdl.Value{asks.Bit(0), asks.Bit(1), asks.Bit(2)}, p.Expected.Value)
			m.Unused("seen in what is granted", turn)
			m.Drive(p.Granted, granted)
		},
	}
}

type rotateTowardPorts struct {
	Asks, Expected hdl.In
	Granted        hdl.Out
}

// One that is expected asks and has the turn at once; what is expected while another one asks, or if it does not ask after all, changes
// nothing but that a cycle passes.
func TestRotateTowardWave(t *testing.T) {
	shows(t, rotateToward(), map[string]string{
		"asks":     "0 4 0 2 3 3 0 0 1 1 0 0 4 0",
		"expected": "4 0 2 0 4 4 4 0 0 0 2 0 0 0",
	}, "asks expected granted", `
          ┌───┬───┬───┬───┬───────┬───────┬───────┬───────┬───┬───
asks      │0  │4  │0  │2  │3      │0      │1      │0      │4  │0
          └───┴───┴───┴───┴───────┴───────┴───────┴───────┴───┴───
          ┌───┬───┬───┬───┬───────────┬───────────┬───┬───────────
expected  │4  │0  │2  │0  │4          │0          │2  │0
          └───┴───┴───┴───┴───────────┴───────────┴───┴───────────
          ┌───┬───┬───┬───────┬───┬───────────┬───┬───────────────
granted   │0  │4  │0  │2      │1  │0          │1  │0
          └───┴───┴───┴───────┴───┴───────────┴───┴───────────────
`)
}

// All request: they alternate. A single one waits one cycle for its turn, and then has every cycle. The turn stays while none requests;
// a turn that is not used costs a cycle.
func TestRotateWave(t *testing.T) {
	shows(t, rotate(), map[string]string{
		"asks": "7 7 7 7 4 4 4 0 0 5 5 1 1 2 2 0",
	}, "asks turn granted", `
         ┌───────────────┬───────────┬───────┬───────┬───────┬───────┬───
asks     │7              │4          │0      │5      │1      │2      │0
         └───────────────┴───────────┴───────┴───────┴───────┴───────┴───
         ┌───┬───┬───┬───┬───┬───────────────────┬───┬───┬───────┬───────
turn     │1  │2  │4  │1  │2  │4                  │1  │4  │1      │2
         └───┴───┴───┴───┴───┴───────────────────┴───┴───┴───────┴───────
         ┌───┬───┬───┬───┬───┬───────┬───────┬───┬───┬───┬───┬───┬───┬───
granted  │1  │2  │4  │1  │0  │4      │0      │4  │1  │0  │1  │0  │2  │0
         └───┴───┴───┴───┴───┴───────┴───────┴───┴───┴───┴───┴───┴───┴───
`)
}

type reservedPorts struct {
	Reserve, Spare, Enter hdl.In
	Out                   hdl.Source[block.Word]
	Room                  hdl.Out
}

// reserved is a buffer of 2 + 1 beats that numbers what enters.
func reserved() hdl.Block[reservedPorts] {
	return hdl.Block[reservedPorts]{
		Kind: "reserved", Doc: "reserved is for tests.",
		Ports: reservedPorts{hdl.NewIn(1), hdl.NewIn(1), hdl.NewIn(1), hdl.NewSource(block.Word{Data: hdl.Bits(4)}), hdl.NewOut(1)},
		Build: func(m *hdl.Module, p reservedPorts) {
			next := m.Reg("next_q", 4, hdl.ResetTo(1))
			m.OnClock(hdl.If(p.Enter.Value, next.Set(next.Plus(1))))
			r := block.NewReserved(m, "beats", 2, block.Word{Data: hdl.Bits(4)}, p.Out)
			m.Drive(p.Room, r.Room)
			r.Drive(p.Reserve.Value, p.Spare.Value, p.Enter.Value, block.Word{Data: next.Value})
		},
	}
}

// Two places are reserved, and there is room for no more. One is given back and a beat leaves another; each counts two cycles later.
func TestReservedWave(t *testing.T) {
	shows(t, reserved(), map[string]string{
		"reserve":   "1 1 0 0 0 0 1 0 0 0 0",
		"spare":     "0 0 0 1 0 0 0 0 0 0 0",
		"enter":     "0 0 1 0 0 0 0 0 1 0 0",
		"out_ready": "0 0 0 0 0 0 0 1 1 1 1",
	}, "room reserve spare enter beats_reserved_q out_valid out_ready out_data", `
                  ────────┐           ┌───────┐       ┌───────
room                      │           │       │       │
                          └───────────┘       └───────┘
                  ────────┐               ┌───┐
reserve                   │               │   │
                          └───────────────┘   └───────────────
                              ┌───┐
spare                         │   │
                  ────────────┘   └───────────────────────────
                          ┌───┐                   ┌───┐
enter                     │   │                   │   │
                  ────────┘   └───────────────────┘   └───────
                  ┌───┬───┬───────────┬───────┬───────┬───────
beats_reserved_q  │0  │1  │2          │1      │2      │1
                  └───┴───┴───────────┴───────┴───────┴───────
                              ┌───────────────────┐   ┌───┐
out_valid                     │                   │   │   │
                  ────────────┘                   └───┘   └───
                                              ┌───────────────
out_ready                                     │
                  ────────────────────────────┘
                  ┌───┬───────────────────────────┬───────┬───
out_data          │0  │1                          │2      │3
                  └───┴───────────────────────────┴───────┴───
`)
}

type pipePorts struct {
	Take, Stream hdl.In
	Count, Later hdl.Out
}

// pipe counts how often each of four streams was taken, and outputs the count again three stages later.
func pipe() hdl.Block[pipePorts] {
	return hdl.Block[pipePorts]{
		Kind: "pipe", Doc: "pipe is for tests.",
		Ports: pipePorts{hdl.NewIn(1), hdl.NewIn(2), hdl.NewOut(8), hdl.NewOut(8)},
		Build: func(m *hdl.Module, p pipePorts) {
			sweep := block.NewSweep(m, 2)
			pipe := block.NewPipeline(m, m.Let("takes", sweep.Done.And(p.Take.Value)), 5)
			stream := pipe.Holds("stream", 0, p.Stream.Value)
			state := block.NewContext(m, "taken", hdl.Zero(8), sweep).Stage(pipe, 0, stream)
			count := pipe.Signal("count_then", 2, state.Now)
			state.Decide(m, state.Now.Plus(1))
			m.Drive(p.Count, state.Now)
			m.Drive(p.Later, count.Later(5).At(5).And(pipe.Valid(5).Replicate(8)))
			pipe.Close()
		},
	}
}

// The same stream in consecutive cycles, and others in between: two stages after the entry every count is the previous one plus 1.
func TestPipelineWave(t *testing.T) {
	shows(t, pipe(), map[string]string{
		"take":   "0 0 0 0 1 1 1 1 0 1 1 0 0 0 0 0",
		"stream": "0 0 0 0 3 3 1 3 0 3 1 0 0 0 0 0",
	}, "take stream valid_2_q stream_2_q count taken_ahead_1_q taken_ahead_2_q taken_ahead_3_q valid_5_q later", `
                                 ┌───────────────┐   ┌───────┐
take                             │               │   │       │
                 ────────────────┘               └───┘       └───────────────────
                 ┌───────────────┬───────┬───┬───┬───┬───┬───┬───────────────────
stream           │0              │3      │1  │3  │0  │3  │1  │0
                 └───────────────┴───────┴───┴───┴───┴───┴───┴───────────────────
                                         ┌───────────────┐   ┌───────┐
valid_2_q                                │               │   │       │
                 ────────────────────────┘               └───┘       └───────────
                 ┌───────────────────────┬───────┬───┬───┬───┬───┬───┬───────────
stream_2_q       │0                      │3      │1  │3  │0  │3  │1  │0
                 └───────────────────────┴───────┴───┴───┴───┴───┴───┴───────────
                 ┌───────────────────────────┬───┬───┬───┬───┬───┬───────────────
count            │0                          │1  │0  │2  │0  │3  │1
                 └───────────────────────────┴───┴───┴───┴───┴───┴───────────────
                                         ┌───┐
taken_ahead_1_q                          │   │
                 ────────────────────────┘   └───────────────────────────────────
                                                 ┌───┐   ┌───┐
taken_ahead_2_q                                  │   │   │   │
                 ────────────────────────────────┘   └───┘   └───────────────────
                                                 ┌───┐
taken_ahead_3_q                                  │   │
                 ────────────────────────────────┘   └───────────────────────────
                                                     ┌───────────────┐   ┌───────
valid_5_q                                            │               │   │
                 ────────────────────────────────────┘               └───┘
                 ┌───────────────────────────────────────┬───┬───┬───┬───┬───┬───
later            │0                                      │1  │0  │2  │0  │3  │1
                 └───────────────────────────────────────┴───┴───┴───┴───┴───┴───
`)
}

// Both sides read: they alternate, and an offer that is not accepted stays. Data goes to the side that its ID names.
func TestAXIReadArbiterWave(t *testing.T) {
	shows(t, block.AXIReadArbiter(8), map[string]string{
		"payload_arvalid": "1 1 1 1 0",
		"payload_araddr":  "10 20 20 30 0",
		"atomic_arvalid":  "0 1 1 1 1 0",
		"atomic_araddr":   "0 80 80 88 88 0",
		"m_axi_arready":   "1 1 0 1 1",
		"m_axi_rvalid":    "0 0 1 1 0",
		"m_axi_rid":       "0 0 1 0 0",
		"payload_rready":  "1",
		"atomic_rready":   "1",
	}, "payload_arvalid payload_arready atomic_arvalid atomic_arready m_axi_arvalid m_axi_arready m_axi_arid m_axi_araddr m_axi_rvalid m_axi_rid payload_rvalid atomic_rvalid", `
                 ────────────────┐
payload_arvalid                  │
                                 └───────
                 ────┐       ┌───┐   ┌───
payload_arready      │       │   │   │
                     └───────┘   └───┘
                     ┌───────────────┐
atomic_arvalid       │               │
                 ────┘               └───
                     ┌───┐       ┌───────
atomic_arready       │   │       │
                 ────┘   └───────┘
                 ────────────────────┐
m_axi_arvalid                        │
                                     └───
                 ────────┐   ┌───────────
m_axi_arready            │   │
                         └───┘
                     ┌───┐       ┌───┐
m_axi_arid           │   │       │   │
                 ────┘   └───────┘   └───
                 ┌───┬───┬───┬───┬───┬───
m_axi_araddr     │10 │80 │20 │30 │88 │0
                 └───┴───┴───┴───┴───┴───
                         ┌───────┐
m_axi_rvalid             │       │
                 ────────┘       └───────
                         ┌───┐
m_axi_rid                │   │
                 ────────┘   └───────────
                             ┌───┐
payload_rvalid               │   │
                 ────────────┘   └───────
                         ┌───┐
atomic_rvalid            │   │
                 ────────┘   └───────────
`)
}

// A burst of two beats, then one of the other side, whose data waits until all data of the first has left.
func TestAXIWriteArbiterWave(t *testing.T) {
	shows(t, block.AXIWriteArbiter(8), map[string]string{
		"payload_awvalid": "1 0",
		"payload_awaddr":  "10 0",
		"payload_wvalid":  "1 1 0 1 0",
		"payload_wdata":   "a1 a1 0 a2 0",
		"payload_wlast":   "0 0 0 1 0",
		"atomic_awvalid":  "1 1 0",
		"atomic_awaddr":   "80 80 0",
		"atomic_wvalid":   "1 1 1 1 1 0",
		"atomic_wdata":    "b1 b1 b1 b1 b1 0",
		"atomic_wlast":    "1 1 1 1 1 0",
		"m_axi_awready":   "1",
		"m_axi_wready":    "1",
	}, "payload_awvalid payload_awready payload_wvalid payload_wready atomic_awvalid atomic_awready atomic_wvalid atomic_wready m_axi_awvalid m_axi_awaddr m_axi_wvalid m_axi_wdata m_axi_wlast", `
                 ────┐
payload_awvalid      │
                     └───────────────────
                 ────┐           ┌───────
payload_awready      │           │
                     └───────────┘
                 ────────┐   ┌───┐
payload_wvalid           │   │   │
                         └───┘   └───────
                     ┌───────────┐
payload_wready       │           │
                 ────┘           └───────
                 ────────┐
atomic_awvalid           │
                         └───────────────
                     ┌───┐
atomic_awready       │   │
                 ────┘   └───────────────
                 ────────────────────┐
atomic_wvalid                        │
                                     └───
                                 ┌───┐
atomic_wready                    │   │
                 ────────────────┘   └───
                     ┌───────┐
m_axi_awvalid        │       │
                 ────┘       └───────────
                 ┌───┬───┬───────────────
m_axi_awaddr     │0  │10 │80
                 └───┴───┴───────────────
                         ┌───┐   ┌───────
m_axi_wvalid             │   │   │
                 ────────┘   └───┘
                 ┌───────┬───────┬───┬───
m_axi_wdata      │0      │a1     │a2 │b1
                 └───────┴───────┴───┴───
                                 ┌───────
m_axi_wlast                      │
                 ────────────────┘
`)
}
