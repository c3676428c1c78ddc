package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/sim"
)

// bench is a running block with its ports by name.
type bench struct {
	*sim.Sim
	t testing.TB
}

func run[P any](t testing.TB, b hdl.Block[P], opts ...sim.Option) bench {
	d, err := hdl.Compile(b)
	require.NoError(t, err)
	s, err := sim.New(d, opts...)
	require.NoError(t, err)
	return bench{s, t}
}

func (b bench) set(name string, words ...uint64) {
	in, err := b.Input(name)
	require.NoError(b.t, err)
	in.SetWords(words)
}

func (b bench) get(name string) uint64 {
	sig, err := b.Signal(name)
	require.NoError(b.t, err)
	b.Eval()
	return sig.Get()
}

func (b bench) words(name string) []uint64 {
	sig, err := b.Signal(name)
	require.NoError(b.t, err)
	b.Eval()
	out := make([]uint64, (sig.Width+63)/64)
	sig.GetWords(out)
	return out
}

type counterPorts struct {
	Up    hdl.In
	Count hdl.Out
}

func counter(width int) hdl.Block[counterPorts] {
	return hdl.Block[counterPorts]{
		Kind: "counter", Doc: "counter counts the clocks in which up is 1.",
		Ports: counterPorts{hdl.NewIn(1), hdl.NewOut(width)},
		Build: func(m *hdl.Module, p counterPorts) {
			count := m.Reg("count_q", width, hdl.ResetTo(3))
			m.OnClock(hdl.If(p.Up.Value, count.Set(count.Plus(1))))
			m.Drive(p.Count, count.Value)
		},
	}
}

type pairPorts struct {
	Swap hdl.In
	A, B hdl.Out
}

// pair contains two counters and two registers that swap values.
func pair() hdl.Block[pairPorts] {
	return hdl.Block[pairPorts]{
		Kind: "pair", Doc: "pair swaps.",
		Ports: pairPorts{hdl.NewIn(1), hdl.NewOut(8), hdl.NewOut(8)},
		Build: func(m *hdl.Module, p pairPorts) {
			left, right := m.Wire("left", 8), m.Wire("right", 8)
			hdl.Instance(m, "first", counter(8), counterPorts{p.Swap.Value.In(), left.Out()})
			hdl.Instance(m, "second", counter(8), counterPorts{left.Bit(0).In(), right.Out()})
			a, b := m.Reg("a_q", 8, hdl.ResetTo(1)), m.Reg("b_q", 8, hdl.ResetTo(2))
			m.OnClock(hdl.If(p.Swap.Value, a.Set(b.Value), b.Set(a.Value)))
			spare := m.Let("spare", left.Xor(right.Value))
			m.Unused("of no use here", spare)
			m.Drive(p.A, a.Value)
			m.Drive(p.B, b.Value)
		},
	}
}

type memoryPorts struct {
	Write, Read hdl.In
	To, From    hdl.In
	Data        hdl.In
	Old, Fresh  hdl.Out
}

func memory(width int) hdl.Block[memoryPorts] {
	return hdl.Block[memoryPorts]{
		Kind: "store", Doc: "store has both collision modes.",
		Ports: memoryPorts{hdl.NewIn(1), hdl.NewIn(1), hdl.NewIn(3), hdl.NewIn(3), hdl.NewIn(width), hdl.NewOut(width), hdl.NewOut(width)},
		Build: func(m *hdl.Module, p memoryPorts) {
			words := m.Memory("words", width, 8)
			words.Write(p.Write.Value, p.To.Value, p.Data.Value)
			m.Drive(p.Old, words.Read("old_q", p.Read.Value, p.From.Value, hdl.ReadOld))
			m.Drive(p.Fresh, words.Read("fresh_q", p.Read.Value, p.From.Value, hdl.ReadNew))
		},
	}
}
