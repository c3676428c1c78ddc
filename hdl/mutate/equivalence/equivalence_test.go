package equivalence_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/mutate"
	"github.com/rnicgen/rnicgen/hdl/mutate/equivalence"
	"github.com/rnicgen/rnicgen/hdl/mutate/sequence"
	"github.com/rnicgen/rnicgen/internal/long"
)

type word struct{ Octet, Spare hdl.Value }

type ports struct {
	In  hdl.Sink[word]
	Out hdl.Source[word]
}

// passOn holds one beat. Its data is loaded when a beat is accepted, but could be loaded in any idle cycle. The spare bits pass
// through, and are not used.
func passOn() hdl.Block[ports] {
	proto := func() word { return word{hdl.Bits(8), hdl.Bits(2)} }
	inner := hdl.Block[ports]{
		Kind: "pass_on", Doc: "pass_on holds one beat.",
		Ports: ports{In: hdl.NewSink(proto()), Out: hdl.NewSource(proto())},
		Build: func(m *hdl.Module, p ports) {
			valid, data, spare := m.Reg("valid_q", 1, hdl.ResetTo(0)), m.Reg("data_q", 8, hdl.NoReset), m.Reg("spare_q", 2, hdl.NoReset)
			ready := m.Let("ready", valid.Not().Or(p.Out.Ready))
			taken := m.Let("taken", ready.And(p.In.Valid))
			m.OnClock(hdl.If(ready, valid.Set(p.In.Valid)), hdl.If(taken, data.Set(p.In.Data.Octet), spare.Set(p.In.Data.Spare)))
			p.In.Accept(m, ready)
			p.Out.Drive(m, valid.Value, word{data.Value, spare.Value})
		},
	}
	return hdl.Block[ports]{
		Kind: "around", Doc: "around does not read what is spare.",
		Ports: ports{In: hdl.NewSink(proto()), Out: hdl.NewSource(proto())},
		Build: func(m *hdl.Module, p ports) {
			s := hdl.NewStream(m, "held", proto())
			hdl.Instance(m, "inner", inner, ports{In: p.In, Out: s.Source()})
			m.Unused("of no use here", s.Sink().Data.Spare)
			p.Out.Drive(m, s.Sink().Valid, word{s.Sink().Data.Octet, hdl.Zero(2)})
			s.Sink().Accept(m, p.Out.Ready)
		},
	}
}

// mutants lists how the mutants of a block were proven equivalent, in alphabetical order. Each of the others is distinguished by inputs.
func mutants[P any](t *testing.T, block hdl.Block[P], name string) (found []string) {
	t.Helper()
	d, err := hdl.Compile(block)
	require.NoError(t, err)
	s, err := mutate.New(d, mutate.Options{Wants: func(b string) bool { return b == name }, Seed: 1})
	require.NoError(t, err)
	p, err := equivalence.New(t.Context(), s, s.Mutants)
	require.NoError(t, err)
	alone, err := s.Alone(name, s.Mutants)
	require.NoError(t, err)
	player, err := sequence.New(alone)
	require.NoError(t, err)
	for _, m := range s.Mutants {
		how, err := p.Shows(t.Context(), m, equivalence.Quick)
		if how == "" && err == nil {
			how, err = p.Shows(t.Context(), m, equivalence.Thorough)
		}
		require.NoError(t, err)
		for _, first := range []equivalence.Start{{}, {Ones: true}, {Clocks: 5}, {Clocks: 5, Pressed: true}} {
			if first != (equivalence.Start{}) && m.Number%4 != 0 {
				continue
			}
			inputs, err := p.Apart(t.Context(), m, first, 10, 10*time.Second)
			require.NoError(t, err)
			require.Equal(t, how == "", inputs != nil, m.Change)
			if inputs == nil {
				continue
			}
			written, err := player.Record(*inputs)
			require.NoError(t, err)
			clock, port := player.Differs(written, mutate.SelectOf(m))
			assert.NotEmpty(t, port)
			if first.Clocks == 0 {
				assert.Equal(t, written.Clocks()-1, clock, "inputs end where they distinguish the mutant")
			}
		}
		if how != "" {
			found = append(found, m.Place+" "+m.Change+": "+how)
		}
	}
	slices.Sort(found)
	return found
}

// Exactly the equivalent mutants of a block are proven equivalent.
func TestShows(t *testing.T) {
	long.Test(t)
	found := mutants(t, passOn(), "pass_on")
	assert.Equal(t, []string{
		"out_spare bit 0 stuck at 0: gate by gate",
		"spare_q bit 0 inverted: gate by gate",
		"taken in_valid became ready: in every state that can be reached, with 10 registers of its own",
		"taken right of & lost: in every state that can be reached, with 10 registers of its own",
	}, found)
}

// rows keeps four rows of two bits, and outputs a requested row one cycle later. The word read without a request, and a request before
// the reset, make no difference.
func rows() hdl.Block[rowPorts] {
	return hdl.Block[rowPorts]{
		Kind: "rows", Doc: "rows keeps four rows.",
		Ports: rowPorts{Write: hdl.NewIn(1), At: hdl.NewIn(2), Row: hdl.NewIn(2), Ask: hdl.NewIn(1), From: hdl.NewIn(2), Known: hdl.NewOut(1), Is: hdl.NewOut(2)},
		Build: func(m *hdl.Module, p rowPorts) {
			started, asked := m.Reg("started_q", 1, hdl.ResetTo(0)), m.Reg("asked_q", 1, hdl.ResetTo(0))
			memory := m.Memory("kept", 2, 4)
			memory.Write(p.Write.Value, p.At.Value, p.Row.Value)
			row := memory.Read("row_q", p.Ask.Value, p.From.Value, hdl.ReadOld)
			m.OnClock(started.Set(hdl.Ones(1)), asked.Set(p.Ask.Value))
			known := m.Let("is_known", asked.And(started.Value))
			m.Drive(p.Known, known)
			m.Drive(p.Is, row.And(known.Replicate(2)))
		},
	}
}

type rowPorts struct {
	Write, At, Row, Ask, From hdl.In
	Known, Is                 hdl.Out
}

// A memory is abstracted: writes must be equal, reads only where they are used.
func TestShowsWithMemory(t *testing.T) {
	long.Test(t)
	assert.Equal(t, []string{
		"asked_q reset to 0 became 1: in every state, one cycle after reset",
		"is_known right of & lost: in every state that can be reached, with 2 registers of its own, whatever is in memory",
		"is_known started_q became asked_q: in every state that can be reached, with 2 registers of its own, whatever is in memory",
		"row_q read enable stuck at 1: in every state that can be reached, with 2 registers of its own, whatever is in memory",
		"started_q reset to 0 became 1: in every state, one cycle after reset",
	}, mutants(t, rows(), "rows"))
}
