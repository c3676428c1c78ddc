package atomic

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// fetched accepts words from memory at once and buffers them until their atomics are executed. If the buffer is empty, a word is
// available in the cycle in which memory delivers it.
func (u *atomicUnit) fetched() hdl.Sink[atomicWord] {
	m, r := u.Module, u.p.Read.R
	m.Section("Words arrive from memory in the order of the reads")
	arrived := hdl.NewStream(m, "arrived", newAtomicWord())
	kept := hdl.NewStream(m, "kept", newAtomicWord())
	next := hdl.NewStream(m, "fetched", newAtomicWord())
	r.Accept(m, arrived.Source().Ready)
	m.Unused("used by the arbiter", r.Data.ID)
	m.Unused("every burst has one beat", r.Data.Last)
	word := r.Data.Data
	if u.lane > 0 {
		arrive := m.Let("arrive", r.Valid.And(arrived.Source().Ready))
		reads, arrivals := m.Reg("reads_q", u.index, hdl.ResetTo(0)), m.Reg("arrivals_q", u.index, hdl.ResetTo(0))
		m.OnClock(hdl.If(u.read, reads.Set(reads.Plus(1))), hdl.If(arrive, arrivals.Set(arrivals.Plus(1))))
		m.Note("The lane of the next beat is read ahead.")
		lanes := m.Memory("lanes", u.lane, u.c.AtomicDepth)
		lanes.Write(u.read, reads.Value, u.task.Word.Truncate(u.lane))
		lane := lanes.Read("lane_q", hdl.Ones(1), m.Let("next_arrival", arrivals.Add(arrive.ZeroExtend(u.index))), hdl.ReadOld)
		word = word.ShiftRight(hdl.Cat(lane, hdl.Zero(6))).Truncate(64)
	}
	fresh := atomicWord{Failed: r.Data.Resp.Any(), Word: m.Let("arrived_octets", word)}
	direct := m.Let("direct", next.Source().Ready.And(kept.Sink().Valid.Not()))
	arrived.Source().Drive(m, r.Valid.And(direct.Not()), fresh)
	block.Fifo(m, "words", u.c.AtomicDepth, arrived.Sink(), kept.Source())
	held := kept.Sink()
	held.Accept(m, next.Source().Ready)
	pick := func(kept, fresh hdl.Value) hdl.Value { return hdl.Mux(held.Valid, kept, fresh) }
	next.Source().Drive(m, held.Valid.Or(r.Valid), atomicWord{
		Failed: pick(held.Data.Failed, fresh.Failed), Word: pick(held.Data.Word, fresh.Word)})
	return next.Sink()
}

// execute executes the atomics in order: it selects the word of each, computes the result, responds, and writes the word back.
func (u *atomicUnit) execute(fetched hdl.Sink[atomicWord]) {
	m, p := u.Module, u.p
	type step struct{ Fetch, Row hdl.Value }
	proto := step{hdl.Bits(1), hdl.Bits(u.row.Width())}

	m.Section("Wait: issued atomics without a word yet")
	tasks := m.Memory("tasks", hdl.PackedWidth(u.task), u.c.AtomicDepth)
	steps := m.Memory("steps", hdl.PackedWidth(proto), u.c.AtomicDepth)
	slot := u.issued.Truncate(u.index)
	tasks.Write(u.issue.Value, slot, hdl.Pack(u.task))
	steps.Write(u.issue.Value, slot, hdl.Pack(step{u.fetch, u.row}))
	m.Note("The row of the next atomic is read ahead, so that its stored word is read while the atomic advances.")
	started := m.Reg("started_q", u.number, hdl.ResetTo(0))
	startable := m.Wire("execute_free", 1)
	start := m.Let("start", u.issued.Ne(started.Value).And(startable.Value))
	m.OnClock(hdl.If(start, started.Set(started.Plus(1))))
	first := started.Truncate(u.index)
	next := hdl.Unpack(proto, steps.Read("next_step_q", hdl.Ones(1), m.Let("next_slot", first.Add(start.ZeroExtend(u.index))), hdl.ReadNew))
	task := hdl.Unpack(u.task, tasks.Read("execute_task_q", start, first, hdl.ReadOld))

	m.Section("Execute: the word comes from memory, from the previous atomic, or from an earlier one")
	executeValid := m.Reg("execute_valid_q", 1, hdl.ResetTo(0))
	now := hdl.NewRegOf(m, "execute", proto, hdl.NoReset)
	done := hdl.NewRegOf(m, "done", atomicDone(u.c, u.row.Width()), hdl.NoReset)
	doneValid := m.Reg("done_valid_q", 1, hdl.ResetTo(0))
	doneFresh := m.Reg("done_is_fresh_q", 1, hdl.ResetTo(0))
	doneFree := m.Wire("done_free", 1)
	values := m.Memory("words_in_use", hdl.PackedWidth(newAtomicWord()), u.c.AtomicDepth*atomicWays)
	m.Note("The done registers keep an atomic after it has left; its result is stored only once.")
	values.Write(doneFresh.Value, done.Q.Row, hdl.Pack(done.Q.Result))
	stored := hdl.Unpack(newAtomicWord(), values.Read("stored_q", start, next.Row, hdl.ReadNew))
	forward := m.Let("forward", done.Q.Row.Eq(now.Q.Row))
	pick := func(fetched, ahead, stored hdl.Value) hdl.Value {
		return hdl.Select(stored, hdl.When{Cond: now.Q.Fetch, Then: fetched}, hdl.When{Cond: forward, Then: ahead})
	}
	failed := m.Let("failed_now", pick(fetched.Data.Failed, done.Q.Result.Failed, stored.Failed))
	original := m.Let("original", pick(fetched.Data.Word, done.Q.Result.Word, stored.Word))
	fetched.Accept(m, hdl.AllOf(executeValid.Value, now.Q.Fetch, doneFree.Value))
	executed := m.Let("executed", hdl.AllOf(executeValid.Value, doneFree.Value, now.Q.Fetch.Not().Or(fetched.Valid)))
	m.Drive(startable.Out(), executeValid.Not().Or(executed))
	op := AtomicOp{Original: original, Opcode: m.Let("op_code", task.Operands.Opcode), Data: m.Let("op_data", task.Operands.Data),
		Mask: m.Let("op_mask", task.Operands.Mask), Compare: m.Let("op_compare", task.Operands.Compare),
		CompareMask: m.Let("op_compare_mask", task.Operands.CompareMask)}
	result := atomicResultOf(m, op, u.c.Profile.Atomics())
	m.OnClock(
		hdl.If(startable.Value, executeValid.Set(start)),
		hdl.If(start, now.Set(next)),
		hdl.If(doneFree.Value, doneValid.Set(executed)),
		hdl.If(executed, done.Set(atomicOutcome{Stream: task.Stream, Number: task.Number, Tag: task.Tag, Word: task.Word, Opcode: op.Opcode, Row: now.Q.Row,
			Original: original.And(failed.Not().Replicate(64)), Result: atomicWord{Failed: failed, Word: result}})))

	m.Section("Done: the response and the write leave independently")
	d := done.Q
	answered, posted := m.Reg("answered_q", 1, hdl.ResetTo(0)), m.Reg("posted_q", 1, hdl.ResetTo(0))
	respond := m.Let("response_offered", doneValid.And(answered.Not()))
	p.Response.Drive(m, respond, AtomicResponse{Stream: d.Stream, Number: d.Number, Tag: d.Tag,
		Original: d.Original, Failed: d.Result.Failed})
	post := m.Wire("post", 1)
	canPost := u.post(post.Value, d)
	m.Drive(post.Out(), hdl.AllOf(doneValid.Value, posted.Not(), canPost))
	m.Drive(doneFree.Out(), doneValid.Not().Or(answered.Or(p.Response.Ready).And(posted.Or(canPost))))
	m.OnClock(
		doneFresh.Set(executed),
		answered.Set(doneFree.Not().And(answered.Or(respond.And(p.Response.Ready)))),
		posted.Set(doneFree.Not().And(posted.Or(post.Value))))
	if p.Retire == nil {
		m.Unused("only the retire port reports it", d.Opcode)
		return
	}
	intact := d.Result.Failed.Not().Replicate(64)
	m.Drive(p.Retire.Valid, doneFresh.Value)
	m.Drive(p.Retire.Stream, d.Stream)
	m.Drive(p.Retire.Opcode, d.Opcode)
	m.Drive(p.Retire.Address, hdl.Cat(d.Word, hdl.Zero(3)))
	m.Drive(p.Retire.Original, d.Original)
	m.Drive(p.Retire.Result, d.Result.Word.And(intact))
	m.Drive(p.Retire.Failed, d.Result.Failed)
}

// atomicOutcome is an executed atomic.
type atomicOutcome struct {
	Stream   hdl.Value
	Number   hdl.Value
	Tag      any       `hdl:"-"`
	Word     hdl.Value // address / 8
	Opcode   hdl.Value
	Row      hdl.Value
	Original hdl.Value
	Result   atomicWord
}

func atomicDone(c engine.Config, row int) atomicOutcome {
	return atomicOutcome{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Number: hdl.Bits(32), Tag: c.Profile.AtomicTag(),
		Word: hdl.Bits(61), Opcode: hdl.Bits(4), Row: hdl.Bits(row), Original: hdl.Bits(64), Result: newAtomicWord()}
}

// postDepth is how far, in writes, data may lag behind addresses or run ahead of them.
const postDepth = 4

// post offers the write of an outcome to memory and returns whether there is room for it.
func (u *atomicUnit) post(post hdl.Value, d atomicOutcome) (room hdl.Value) {
	type address struct{ Beat hdl.Value }
	type data struct{ Lane, Strobe, Word hdl.Value }
	m, w := u.Module, u.p.Write
	lanes := u.lane + 3
	laneBits := max(u.lane, 1)
	addressType, dataType := address{hdl.Bits(64 - lanes)}, data{hdl.Bits(laneBits), hdl.Bits(1), hdl.Bits(64)}
	addressIn, addressOut := hdl.NewStream(m, "address", addressType), hdl.NewStream(m, "aw", addressType)
	dataIn, dataOut := hdl.NewStream(m, "data", dataType), hdl.NewStream(m, "w", dataType)
	room = m.Let("can_post", addressIn.Source().Ready.And(dataIn.Source().Ready))
	addressIn.Source().Drive(m, post, address{d.Word.Slice(60, u.lane)})
	dataIn.Source().Drive(m, post, data{Lane: d.Word.Truncate(laneBits), Strobe: d.Result.Failed.Not(), Word: d.Result.Word})
	block.Fifo(m, "addresses", postDepth, addressIn.Sink(), addressOut.Source())
	block.Fifo(m, "results", postDepth, dataIn.Sink(), dataOut.Source())

	a, b := addressOut.Sink(), dataOut.Sink()
	a.Accept(m, w.AW.Ready)
	w.AW.Drive(m, a.Valid, block.AWBeat{ID: hdl.Const(block.AXIIDBits, block.AXIAtomic), Addr: hdl.Cat(a.Data.Beat, hdl.Zero(lanes)),
		Len: hdl.Zero(8), Size: hdl.Const(3, uint64(lanes)), Burst: hdl.Const(2, 1)})
	b.Accept(m, w.W.Ready)
	var words, strobes []hdl.Value // most significant first
	for lane := u.c.BusBytes/8 - 1; lane >= 0; lane-- {
		here := b.Data.Strobe
		if u.lane > 0 {
			here = here.And(b.Data.Lane.Is(uint64(lane)))
		}
		words, strobes = append(words, b.Data.Word), append(strobes, here.Replicate(8))
	}
	if u.lane == 0 {
		m.Unused("a beat has one word", b.Data.Lane)
	}
	w.W.Drive(m, b.Valid, block.WBeat{Data: hdl.Cat(words...), Strb: hdl.Cat(strobes...), Last: hdl.Ones(1)})
	return room
}
