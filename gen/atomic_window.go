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
	write := hdl.NewRegOf(m, "write", access.Tag, hdl.NoReset)
	memory.Write(done.Sink().Valid, write.Q.Index, done.Sink().Data.Result)
	m.Note("A word that is written in this clock is read as the new one.")
	stored := memory.Read("stored_q", take, p.Req.Data.Tag.Index, hdl.ReadNew)

	m.Section("Execute: the access ahead may still be writing the same word")
	tag, operands := execute.Q.Tag, execute.Q.Operands
	forward := m.Let("forward", done.Sink().Valid.And(write.Q.Index.Eq(tag.Index)))
	original := m.Let("original", hdl.Mux(forward, done.Sink().Data.Result, stored))
	m.Note("The host writes by an unconditional swap of the whole word, and reads by adding nothing to it.")
	isWrite := m.Let("host_write", tag.Host.And(operands.Opcode.Eq(m.Constant("HOST_WRITE", 4, HostWrite))))
	isRead := m.Let("host_read", tag.Host.And(operands.Opcode.Eq(m.Constant("HOST_READ", 4, HostRead))))
	ops.Source().Drive(m, executeValid.Value, AtomicOp{
		Opcode: hdl.Select(operands.Opcode,
			hdl.When{Cond: isWrite, Then: m.Constant("CMP_SWAP", 4, uint64(wire.CmpSwap))},
			hdl.When{Cond: isRead, Then: m.Constant("FETCH_ADD", 4, uint64(wire.FetchAdd))}),
		Original: original,
		Data:     operands.Data.And(isRead.Not().Spread(64)),
		Mask:     operands.Mask.Or(isWrite.Spread(64)),
		Compare:  operands.Compare, CompareMask: operands.CompareMask.And(isWrite.Not().Spread(64)),
	})
	hdl.Instance(m, "alu", AtomicALU(c.Draft00()), AtomicALUPorts{Req: ops.Sink(), Resp: done.Source()})
	executed := m.Let("executed", executeValid.And(ops.Source().Ready))
	m.OnClock(hdl.If(executed, write.Set(tag)))

	m.Section("Write back, and answer whoever asked")
	w := write.Q
	p.Reply.Drive(m, done.Sink().Valid.And(w.Host.Not()),
		AtomicReply{Stream: w.Stream, Msn: w.Msn, Identifier: w.Identifier, Original: done.Sink().Data.Original})
	p.Host.Drive(m, done.Sink().Valid.And(w.Host), HostAnswer{Data: done.Sink().Data.Original})
	answered := m.Let("answered", hdl.Mux(w.Host, p.Host.Ready, p.Reply.Ready))
	done.Sink().Accept(m, answered)
	if p.Retire == nil {
		return
	}
	opcode := m.Reg("write_opcode_q", 4, hdl.NoReset)
	m.OnClock(hdl.If(executed, opcode.Set(operands.Opcode)))
	m.Drive(p.Retire.Valid, done.Sink().Valid.And(answered))
	m.Drive(p.Retire.Host, w.Host)
	m.Drive(p.Retire.Stream, w.Stream)
	m.Drive(p.Retire.Opcode, opcode.Value)
	m.Drive(p.Retire.Index, w.Index)
	m.Drive(p.Retire.Original, done.Sink().Data.Original)
	m.Drive(p.Retire.Result, done.Sink().Data.Result)
}
