package gen

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/wire"
)

// AtomicWindowPorts executes accesses in the order in which they come.
type AtomicWindowPorts struct {
	Req    hdl.Sink[AtomicAccess]
	Reply  hdl.Source[AtomicReply]
	Host   hdl.Source[HostAnswer]
	Retire *Retire
}

const atomicWindowDoc = `atomic_window is a memory of 64-bit words on which one access a clock is read, computed and written back
(RFC 7306 section 5.1), also when consecutive accesses hit one word: the result that is being written is
forwarded to the access behind it. Nothing comes between the read and the write of an access (section 5.3).`

// AtomicWindow has words words, a power of two. Accesses of the host are atomic with all others.
func AtomicWindow(c Config) hdl.Block[AtomicWindowPorts] {
	name := fmt.Sprintf("atomic_window_%d_%d", c.WindowWords, c.Streams)
	if c.Draft00() {
		name += "_draft00"
	}
	ports := AtomicWindowPorts{
		Req:   hdl.NewSink(atomicAccess(c.Streams, c.WindowWords)),
		Reply: hdl.NewSource(atomicReply(c.Streams)),
		Host:  hdl.NewSource(hostAnswer()),
	}
	if c.RetirePort {
		ports.Retire = retire(c.Streams, c.WindowWords)
		name += "_retire"
	}
	return hdl.Block[AtomicWindowPorts]{
		Name: name, Doc: atomicWindowDoc, Ports: ports,
		Build: func(m *hdl.Module, p AtomicWindowPorts) { buildAtomicWindow(m, p, c) },
	}
}

func buildAtomicWindow(m *hdl.Module, p AtomicWindowPorts, c Config) {
	access := atomicAccess(c.Streams, c.WindowWords)
	ops := hdl.NewStream(m, "op", atomicOp())
	done := hdl.NewStream(m, "done", atomicResult())

	m.Section("Read: the word is fetched while the access moves to the execute stage")
	execute := hdl.NewRegOf(m, "execute", access, hdl.NoReset)
	executeValid := m.Reg("execute_valid_q", 1, hdl.ResetTo(0))
	advance := m.Let("advance", executeValid.Not().Or(ops.Source().Ready))
	take := m.Let("take", p.Req.Valid.And(advance))
	p.Req.Accept(m, advance)
	m.OnClock(hdl.If(advance, executeValid.Set(p.Req.Valid)), hdl.If(take, execute.Set(p.Req.Data)))

	memory := m.Memory("words", 64, c.WindowWords)
	write := hdl.NewRegOf(m, "write", access, hdl.NoReset)
	memory.Write(done.Sink().Valid, write.Q.Index, done.Sink().Data.Result)
	m.Note("A word that is written in this clock is read as the new one.")
	stored := memory.Read("stored_q", take, p.Req.Data.Index, hdl.ReadNew)

	m.Section("Execute: the access ahead may still be writing the same word")
	e := execute.Q
	forward := m.Let("forward", done.Sink().Valid.And(write.Q.Index.Eq(e.Index)))
	original := m.Let("original", hdl.Mux(forward, done.Sink().Data.Result, stored))
	m.Note("A host write replaces the whole word; a host read adds nothing to it.")
	write1 := m.Let("host_write", e.Host.And(e.Operands.Opcode.Is(HostWrite)))
	hostRead := m.Let("host_read", e.Host.And(e.Operands.Opcode.Is(HostRead)))
	opcode := hdl.Select(e.Operands.Opcode,
		hdl.When{Cond: write1, Then: hdl.Const(4, uint64(wire.CmpSwap))},
		hdl.When{Cond: hostRead, Then: hdl.Const(4, uint64(wire.FetchAdd))})
	ops.Source().Drive(m, executeValid.Value, AtomicOp{
		Opcode: opcode, Original: original, Data: e.Operands.Data.And(hostRead.Not().Spread(64)),
		Mask:    e.Operands.Mask.Or(write1.Spread(64)),
		Compare: e.Operands.Compare, CompareMask: e.Operands.CompareMask.And(write1.Not().Spread(64)),
	})
	hdl.Instance(m, "alu", AtomicALU(c.Draft00()), AtomicALUPorts{Req: ops.Sink(), Resp: done.Source()})
	m.OnClock(hdl.If(executeValid.And(ops.Source().Ready), write.Set(e)))
	w := write.Q
	m.Unused(hdl.Cat(w.Operands.Data, w.Operands.Mask, w.Operands.Compare, w.Operands.CompareMask))

	m.Section("Write back, and answer whoever asked")
	p.Reply.Drive(m, done.Sink().Valid.And(w.Host.Not()),
		AtomicReply{Stream: w.Stream, Msn: w.Msn, Identifier: w.Identifier, Original: done.Sink().Data.Original})
	p.Host.Drive(m, done.Sink().Valid.And(w.Host), HostAnswer{Data: done.Sink().Data.Original})
	answered := m.Let("answered", hdl.Mux(w.Host, p.Host.Ready, p.Reply.Ready))
	done.Sink().Accept(m, answered)
	if p.Retire == nil {
		m.Unused(w.Operands.Opcode)
		return
	}
	m.Drive(p.Retire.Valid, done.Sink().Valid.And(answered))
	m.Drive(p.Retire.Host, w.Host)
	m.Drive(p.Retire.Stream, w.Stream)
	m.Drive(p.Retire.Opcode, w.Operands.Opcode)
	m.Drive(p.Retire.Index, w.Index)
	m.Drive(p.Retire.Original, done.Sink().Data.Original)
	m.Drive(p.Retire.Result, done.Sink().Data.Result)
}
