package hdl_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
)

// tally is a bundle with as many counts as there are names.
type tally struct {
	Any    hdl.Value
	Counts []hdl.Named[hdl.Value]
}

func tallyOf(names ...string) tally {
	t := tally{Any: hdl.Bits(1)}
	for i, name := range names {
		t.Counts = append(t.Counts, hdl.Name(name, hdl.Bits(2+i)))
	}
	return t
}

type tellerPorts struct {
	In    []hdl.Named[hdl.Sink[any]] `hdl:"-" doc:"a stream of each kind"`
	Count []hdl.Named[hdl.In]
	Out   hdl.Source[tally]
}

// A slice of named ports or fields has one per name, each with its own width; two copies of a prototype do not share it.
func TestNamed(t *testing.T) {
	proto := tallyOf("apples", "pears")
	assert.Equal(t, 6, hdl.PackedWidth(proto))
	teller := func(names ...string) hdl.Block[tellerPorts] {
		proto := tallyOf(names...)
		ports := tellerPorts{Out: hdl.NewSource(proto)}
		for i, name := range names {
			ports.In = append(ports.In, hdl.Name(name, hdl.NewSink[any](gift{Weight: hdl.Bits(3), Size: hdl.Bits(4)})))
			ports.Count = append(ports.Count, hdl.Name(name, hdl.NewIn(2+i)))
		}
		return hdl.Block[tellerPorts]{Kind: "teller", Doc: "teller holds what it hears.", Ports: ports,
			Build: func(m *hdl.Module, p tellerPorts) {
				held := hdl.NewRegOf(m, "held", proto, hdl.NoReset)
				other := hdl.NewRegOf(m, "other", proto, hdl.NoReset)
				valid := m.Reg("valid_q", 1, hdl.ResetTo(0))
				next := tallyOf(names...)
				next.Any = hdl.Ones(1)
				for i := range names {
					in := p.In[i].Of
					in.Accept(m, hdl.Ones(1))
					next.Counts[i].Of = hdl.Mux(in.Valid, p.Count[i].Of.Value, held.Q.Counts[i].Of)
					m.Unused("only that it comes matters", in.Data.(*gift).Weight, in.Data.(*gift).Size)
				}
				m.OnClock(valid.Set(hdl.Ones(1)), held.Set(next), other.Set(held.Q))
				m.Unused("nobody waits", p.Out.Ready)
				p.Out.Drive(m, valid.Value, other.Q)
			}}
	}
	d, err := hdl.Compile(teller("apples", "pears"))
	require.NoError(t, err)
	text := d.Files()[0].Text
	for _, line := range []string{"apples_valid", "pears_size", "count_pears", "[2:0] out_counts_pears", "held_counts_apples_q  <= apples_valid ? count_apples : held_counts_apples_q;",
		"assign out_counts_apples = other_counts_apples_q;"} {
		assert.Contains(t, text, line)
	}
	_, err = hdl.Compile(teller("plums"))
	require.NoError(t, err)
}
