package testdesign

import (
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/hdl"
)

type passPorts struct {
	In     axiSlave  `hdl:"s"`
	Out    axiMaster `hdl:"m_axi"`
	Clocks hdl.Out
}

// Pass connects the channels of two AXI4 ports: beats that a test pushes into s_aw, s_w and s_ar reach the memory m_axi in
// the same cycle, and the responses leave on s_b and s_r. IDs have 3 bits. A cycle counter makes it a clocked module.
func Pass(bytes int) *simulator.Design {
	const ids = 3
	return compiled(bytes, hdl.Block[passPorts]{
		Kind: fmt.Sprintf("pass_%d", bytes), Doc: "pass connects the channels of two AXI4 ports.",
		Ports: passPorts{Clocks: hdl.NewOut(8), Out: newMaster(ids, bytes), In: axiSlave{hdl.NewSink(awProto(ids)), hdl.NewSink(wProto(bytes)),
			hdl.NewSource(bProto(ids)), hdl.NewSink(arProto(ids)), hdl.NewSource(rProto(ids, bytes))}},
		Build: func(m *hdl.Module, p passPorts) {
			clocks := m.Reg("clocks_q", 8, hdl.ResetTo(0))
			m.OnClock(clocks.Set(clocks.Plus(1)))
			m.Drive(p.Clocks, clocks.Value)
			p.Out.AW.Drive(m, p.In.AW.Valid, p.In.AW.Data)
			p.In.AW.Accept(m, p.Out.AW.Ready)
			p.Out.W.Drive(m, p.In.W.Valid, p.In.W.Data)
			p.In.W.Accept(m, p.Out.W.Ready)
			p.Out.AR.Drive(m, p.In.AR.Valid, p.In.AR.Data)
			p.In.AR.Accept(m, p.Out.AR.Ready)
			p.In.B.Drive(m, p.Out.B.Valid, p.Out.B.Data)
			p.Out.B.Accept(m, p.In.B.Ready)
			p.In.R.Drive(m, p.Out.R.Valid, p.Out.R.Data)
			p.Out.R.Accept(m, p.In.R.Ready)
		},
	})
}
