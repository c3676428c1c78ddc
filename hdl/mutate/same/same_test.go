package same_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/mutate"
	"github.com/rnicgen/rnicgen/hdl/mutate/same"
	"github.com/rnicgen/rnicgen/hdl/mutate/sequence"
)

type word struct{ Octet, Spare hdl.Value }

type ports struct {
	In  hdl.Sink[word]
	Out hdl.Source[word]
}

// passOn holds one beat. Its data is loaded when a beat is taken; it might as well be when none comes. What is spare goes through
// it, and nobody reads it.
func passOn() hdl.Block[ports] {
	proto := func() word { return word{hdl.Bits(8), hdl.Bits(2)} }
	inner := hdl.Block[ports]{
		Name: "pass_on", Doc: "pass_on holds one beat.",
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
		Name: "around", Doc: "around does not read what is spare.",
		Ports: ports{In: hdl.NewSink(proto()), Out: hdl.NewSource(proto())},
		Build: func(m *hdl.Module, p ports) {
			s := hdl.NewStream(m, "held", proto())
			hdl.Instance(m, "inner", inner, ports{In: p.In, Out: s.Source()})
			m.Unused(s.Sink().Data.Spare)
			p.Out.Drive(m, s.Sink().Valid, word{s.Sink().Data.Octet, hdl.Zero(2)})
			s.Sink().Accept(m, p.Out.Ready)
		},
	}
}

// Every mutant of a block that does the same is shown to, and no other: of each other there are inputs that tell it apart.
func TestShows(t *testing.T) {
	d, err := hdl.Compile(passOn())
	require.NoError(t, err)
	s, err := mutate.New(d, mutate.Options{Block: func(module string) string { return module }, Wants: func(b string) bool { return b == "pass_on" }, Seed: 1})
	require.NoError(t, err)
	p, err := same.New(s, s.Mutants)
	require.NoError(t, err)
	alone, err := s.Alone("pass_on", s.Mutants)
	require.NoError(t, err)
	player, err := sequence.New(alone)
	require.NoError(t, err)
	var found []string
	for _, m := range s.Mutants {
		how, err := p.Shows(m, same.Thorough)
		require.NoError(t, err)
		for _, first := range []same.Start{{}, {Ones: true}, {Clocks: 5}, {Clocks: 5, Pressed: true}} {
			if first != (same.Start{}) && m.Number%4 != 0 {
				continue
			}
			inputs, err := p.Apart(m, first, 10, 10*time.Second)
			require.NoError(t, err)
			require.Equal(t, how == "", inputs != nil, m.Change)
			if inputs == nil {
				continue
			}
			written, err := player.Record(*inputs)
			require.NoError(t, err)
			clock, port, err := player.Differs(written, mutate.SelectOf(m))
			require.NoError(t, err)
			assert.NotEmpty(t, port)
			if first.Clocks == 0 {
				assert.Equal(t, len(written)-1, clock, "inputs end where they tell it apart")
			}
		}
		if how != "" {
			found = append(found, m.Place+" "+m.Change+": "+how)
		}
	}
	assert.Equal(t, []string{
		"out_spare bit 0 stuck at 0: gate by gate",
		"spare_q bit 0 inverted: gate by gate",
		"taken in_valid became ready: in every state that can be reached, with 10 registers of its own",
		"taken right of & lost: in every state that can be reached, with 10 registers of its own",
	}, found)
}
