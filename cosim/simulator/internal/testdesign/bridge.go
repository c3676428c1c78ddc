package testdesign

import (
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/hdl"
)

type (
	readMaster struct {
		AR hdl.Source[arBeat] `hdl:"-"`
		R  hdl.Sink[rBeat]    `hdl:"-"`
	}
	writeMaster struct {
		AW hdl.Source[awBeat] `hdl:"-"`
		W  hdl.Source[wBeat]  `hdl:"-"`
		B  hdl.Sink[bBeat]    `hdl:"-"`
	}
	bridgePorts struct {
		Line hdl.Sink[bridgeLine] `hdl:"s"`
		From readMaster           `hdl:"m_from"`
		To   writeMaster          `hdl:"m_to"`
	}
	bridgeLine struct{ Address hdl.Value }
)

// Bridge copies lines of 64 bytes from the memory "from", which it only reads, 8 bytes per cycle, to the memory "to", which it
// only writes, 64 bytes per cycle.
func Bridge() *simulator.Design {
	const ids = 2
	d := compiled(64, hdl.Block[bridgePorts]{
		Kind: "bridge", Doc: "bridge copies lines from one memory to another.",
		Ports: bridgePorts{Line: hdl.NewSink(bridgeLine{hdl.Bits(64)}),
			From: readMaster{hdl.NewSource(arProto(ids)), hdl.NewSink(rProto(ids, 8))},
			To:   writeMaster{hdl.NewSource(awProto(ids)), hdl.NewSource(wProto(64)), hdl.NewSink(bProto(ids))}},
		Build: buildBridge,
	})
	d.Memories = []simulator.MemoryPort{{Name: "to", Prefix: "m_to", Bytes: 64}, {Name: "from", Prefix: "m_from", Bytes: 8}}
	return d
}

// buildBridge offers both addresses of a line in the same cycle; neither waits for the other.
func buildBridge(m *hdl.Module, p bridgePorts) {
	arValid := m.Reg("ar_valid_q", 1, hdl.ResetTo(0))
	awValid := m.Reg("aw_valid_q", 1, hdl.ResetTo(0))
	address := m.Reg("address_q", 64, hdl.NoReset)
	line := m.Reg("line_q", 512, hdl.NoReset)
	full := m.Reg("full_q", 1, hdl.ResetTo(0))
	ready := m.Let("ready", hdl.AllOf(arValid.Not().Or(p.From.AR.Ready), awValid.Not().Or(p.To.AW.Ready)))
	p.Line.Accept(m, ready)
	take := m.Let("take", ready.And(p.Line.Valid))
	p.From.AR.Drive(m, arValid.Value, arBeat{ID: hdl.Const(2, 1), Addr: address.Value, Len: hdl.Const(8, 7), Size: hdl.Const(3, 3), Burst: hdl.Const(2, 1)})
	p.To.AW.Drive(m, awValid.Value, awBeat{ID: hdl.Const(2, 2), Addr: address.Value, Len: hdl.Zero(8), Size: hdl.Const(3, 6), Burst: hdl.Const(2, 1)})

	free := m.Let("free", full.Not().Or(p.To.W.Ready))
	beat := m.Let("beat", free.And(p.From.R.Valid))
	p.From.R.Accept(m, free)
	p.To.W.Drive(m, full.Value, wBeat{Data: line.Value, Strb: hdl.Ones(64), Last: hdl.Ones(1)})
	p.To.B.Accept(m, hdl.Ones(1))
	m.Unused("there is a single ID", p.From.R.Data.ID)
	m.Unused("errors are ignored", p.From.R.Data.Resp)
	m.Unused("responses are ignored", p.To.B.Valid)
	m.Unused("there is a single ID", p.To.B.Data.ID)
	m.Unused("errors are ignored", p.To.B.Data.Resp)
	m.OnClock(
		hdl.If(p.From.AR.Ready, arValid.Set(hdl.Zero(1))), hdl.If(p.To.AW.Ready, awValid.Set(hdl.Zero(1))),
		hdl.If(take, arValid.Set(hdl.Ones(1)), awValid.Set(hdl.Ones(1)), address.Set(p.Line.Data.Address)),
		hdl.If(p.To.W.Ready, full.Set(hdl.Zero(1))),
		hdl.If(beat, line.Set(hdl.Cat(p.From.R.Data.Data, line.Slice(511, 64))), full.Set(p.From.R.Data.Last)))
}
