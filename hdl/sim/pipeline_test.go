package sim_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
)

type word struct {
	Data, Keep, Last hdl.Value
}

type pipelinePorts struct {
	In  hdl.Sink[word]
	Out hdl.Source[word]
}

// pipeline has the typical size of logic for a bus of 64 octets: registers, a shifter, masks and a memory.
func pipeline() hdl.Block[pipelinePorts] {
	beat := word{hdl.Bits(512), hdl.Bits(64), hdl.Bits(1)}
	return hdl.Block[pipelinePorts]{
		Kind: "pipeline", Doc: "pipeline is something to measure.",
		Ports: pipelinePorts{hdl.NewSink(beat), hdl.NewSource(beat)},
		Build: func(m *hdl.Module, p pipelinePorts) {
			valid := p.In.Valid
			data := p.In.Data
			mem := m.Memory("history", 512, 64)
			at := m.Reg("at_q", 6, hdl.ResetTo(0))
			mem.Write(valid, at.Value, data.Data)
			old := mem.Read("old_q", p.Out.Ready, at.Value, hdl.ReadNew)
			stmts := hdl.Stmts{hdl.If(valid, at.Set(at.Plus(1)))}
			for i := range 8 {
				stage := fmt.Sprintf("stage%d", i)
				v := m.Reg(stage+"_valid_q", 1, hdl.ResetTo(0))
				r := hdl.NewRegOf(m, stage, beat, hdl.NoReset)
				masked := m.Let(stage+"_masked", data.Data.And(data.Keep.Replicate(8)).Xor(old))
				shifted := m.Let(stage+"_shifted", masked.ShiftRight(hdl.Cat(data.Keep.Slice(5, 0), hdl.Zero(3))))
				stmts = append(stmts, hdl.If(p.Out.Ready, v.Set(valid), hdl.If(valid, r.Set(word{
					hdl.Mux(data.Last, masked, shifted.ReverseOctets()), data.Keep.Plus(1), data.Last.Xor(shifted.Parity())}))))
				valid, data = v.Value, r.Q
			}
			m.OnClock(stmts)
			p.In.Accept(m, p.Out.Ready)
			p.Out.Drive(m, valid, data)
		},
	}
}

func BenchmarkStep(b *testing.B) {
	s := run(b, pipeline())
	s.Reset(2)
	for _, name := range []string{"in_valid", "out_ready"} {
		s.set(name, 1)
	}
	in, err := s.Input("in_data")
	require.NoError(b, err)
	words := make([]uint64, 8)
	b.ReportAllocs()
	for i := uint64(0); b.Loop(); i++ {
		words[i%8] += 0x9e3779b97f4a7c15 * i
		in.SetWords(words)
		s.Step()
	}
}
