package atomic

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// atomicStep is what the execution of an issued atomic begins with: it waits for a word from memory, or uses that of its row. Waits and
// Fetch are equal: one holds the atomic back, the other selects its word, which has many bits.
type atomicStep struct{ Waits, Fetch, Row hdl.Value }

// steps queues issued atomics until they are executed.
func (u *atomicUnit) steps() hdl.Sink[atomicStep] {
	m := u.Module
	m.Section("Wait: issued atomics that are not executed")
	proto := atomicStep{hdl.Bits(1), hdl.Bits(1), hdl.Bits(u.row)}
	valid, last := m.Reg("issued_valid_q", 1, hdl.ResetTo(0)), hdl.NewRegOf(m, "issued", proto, hdl.NoReset)
	m.OnClock(valid.Set(u.issue), last.Set(atomicStep{Waits: u.fetch, Fetch: u.fetch, Row: u.rowNumber}))
	issued, next := hdl.NewStream(m, "last_issued", proto), hdl.NewStream(m, "queued", proto)
	issued.Source().Drive(m, valid.Value, last.Q)
	m.Unused("there is a place for all atomics in progress", issued.Source().Ready)
	block.Bypass(m, "steps", u.c.AtomicDepth, issued.Sink(), next.Source())
	return relay(m, "next", next.Sink())
}

// fetched accepts words from memory at once and buffers them until their atomics are executed. If the buffer is empty, a word is
// available in the cycle in which memory delivers it.
func (u *atomicUnit) fetched() hdl.Sink[atomicWord] {
	m, r := u.Module, u.p.Read.R
	m.Section("Words arrive from memory in the order of the reads")
	missed, kept := hdl.NewStream(m, "last_arrived", newAtomicWord()), hdl.NewStream(m, "kept", newAtomicWord())
	next := hdl.NewStream(m, "fetched", newAtomicWord())
	r.Accept(m, hdl.Ones(1))
	m.Unused("there is a place for the words of all atomics in progress", missed.Source().Ready)
	m.Unused("used by the arbiter", r.Data.ID)
	m.Unused("every burst has one beat", r.Data.Last)
	word := r.Data.Data
	if u.lane > 0 {
		arrivals := m.Reg("arrivals_q", u.index, hdl.ResetTo(0))
		m.OnClock(hdl.If(r.Valid, arrivals.Set(arrivals.Plus(1))))
		m.Note("The lane of the next beat is read ahead. A lane of no read is overwritten by the next one.")
		lanes := m.Memory("lanes", u.lane, u.c.AtomicDepth)
		lanes.Write(u.decides, u.reads.Truncate(u.index), u.word.Truncate(u.lane))
		ahead := arrivals.Add(r.Valid.ZeroExtend(u.index))
		if engine.Stops(u.c) { // the beats of Verifies are taken out in front, so that it is known late
			ahead = hdl.Mux(r.Valid, arrivals.Plus(1), arrivals.Value)
		}
		lane := lanes.Read("lane_q", hdl.Ones(1), m.Let("next_arrival", ahead), hdl.ReadOld)
		word = word.ShiftRight(hdl.Cat(lane, hdl.Zero(6))).Truncate(64)
	}
	fresh := atomicWord{Failed: r.Data.Resp.Any(), Word: m.Let("arrived_octets", word)}
	direct := m.Let("direct", next.Source().Ready.And(kept.Sink().Valid.Not()))
	valid, last := m.Reg("arrived_valid_q", 1, hdl.ResetTo(0)), hdl.NewRegOf(m, "arrived", newAtomicWord(), hdl.NoReset)
	m.OnClock(valid.Set(r.Valid.And(direct.Not())), last.Set(fresh))
	missed.Source().Drive(m, valid.Value, last.Q)
	block.Bypass(m, "words", u.c.AtomicDepth, missed.Sink(), kept.Source())
	held := kept.Sink()
	held.Accept(m, next.Source().Ready)
	pick := func(kept, fresh hdl.Value) hdl.Value { return hdl.Mux(held.Valid, kept, fresh) }
	next.Source().Drive(m, held.Valid.Or(r.Valid), atomicWord{
		Failed: pick(held.Data.Failed, fresh.Failed), Word: pick(held.Data.Word, fresh.Word)})
	return next.Sink()
}

// execute executes the atomics in order: it selects the word of each, computes the result, and responds.
func (u *atomicUnit) execute(steps hdl.Sink[atomicStep], fetched hdl.Sink[atomicWord]) {
	m, p := u.Module, u.p
	done := hdl.NewRegOf(m, "done", atomicResult{Row: hdl.Bits(u.row), Word: newAtomicWord()}, hdl.NoReset)
	doneValid, executing := m.Reg("done_valid_q", 1, hdl.ResetTo(0)), m.Reg("executing_q", 1, hdl.ResetTo(0))
	row := m.Reg("execute_row_q", u.row, hdl.NoReset)

	m.Section("Start: the word of the next atomic is here, and its response has room")
	width := max(u.index, responseBits+2)
	started, answered := m.Reg("started_q", width, hdl.ResetTo(0)), m.Reg("responses_q", u.number, hdl.ResetTo(0))
	u.answered = answered.Value
	executed, response := hdl.NewStream(m, "executed", AtomicResponseOf(u.c)), hdl.NewStream(m, "answer", AtomicResponseOf(u.c))
	oldest := hdl.NewStream(m, "oldest_answer", AtomicResponseOf(u.c))
	answers := m.Let("answers", response.Sink().Valid.And(p.Response.Ready))
	roomy := roomFor(m, "responses", responseBits, started.Value, answers)
	step, stepValid := hdl.NewRegOf(m, "step", steps.Data, hdl.NoReset), m.Reg("step_valid_q", 1, hdl.ResetTo(0))
	can := m.Let("can_start", roomy.And(step.Q.Waits.Not().Or(fetched.Valid)))
	start := m.Let("start", stepValid.And(can))
	steps.Accept(m, m.Let("takes_step", stepValid.Not().Or(can)))
	fetched.Accept(m, m.Let("takes_word", hdl.AllOf(stepValid.Value, step.Q.Waits, roomy)))
	following := m.Reg("started_next_q", width, hdl.ResetTo(1))
	next := m.Let("next_start", hdl.Mux(start, following.Truncate(u.index), started.Truncate(u.index)))
	m.Note("The operands of the next atomic are read ahead.")
	task := hdl.Unpack(u.taskOf, u.tasks.Read("task_q", hdl.Ones(1), next, hdl.ReadOld))
	op := decodeAtomic(m, task.Operands, u.c.Profile.Atomics())
	now := hdl.NewRegOf(m, "execute", atomicExecution{Stream: task.Stream, Number: task.Number, Tag: task.Tag, Op: op}, hdl.NoReset)

	m.Section("The word comes from memory, from one of the atomics ahead, or from an earlier one")
	u.values = m.Memory("words_in_use", hdl.PackedWidth(newAtomicWord()), u.c.AtomicDepth*atomicWays)
	u.values.Write(doneValid.Value, done.Q.Row, hdl.Pack(done.Q.Word))
	m.Note("The word of the next atomic is read ahead, and again in each cycle in which it waits.")
	readRow := m.Let("read_row", hdl.Mux(stepValid.And(can.Not()), step.Q.Row, steps.Data.Row))
	stored := u.values.Read("stored_q", hdl.Ones(1), readRow, hdl.ReadOld)
	forward := m.Reg("forward_q", 1, hdl.NoReset)
	here := hdl.NewRegOf(m, "here", newAtomicWord(), hdl.NoReset)
	sameAsDone := m.Let("same_as_done", doneValid.And(done.Q.Row.Eq(step.Q.Row)))
	kept, keptValid := hdl.NewRegOf(m, "before_done", done.Q, hdl.NoReset), m.Reg("before_done_valid_q", 1, hdl.ResetTo(0))
	sameAsKept := m.Let("same_as_before_done", keptValid.And(kept.Q.Row.Eq(step.Q.Row)))
	word := hdl.Select(stored, hdl.When{Cond: step.Q.Fetch, Then: hdl.Pack(fetched.Data)}, hdl.When{Cond: sameAsDone, Then: hdl.Pack(done.Q.Word)},
		hdl.When{Cond: sameAsKept, Then: hdl.Pack(kept.Q.Word)})
	m.OnClock(
		hdl.If(stepValid.Not().Or(can), stepValid.Set(steps.Valid), step.Set(steps.Data)),
		hdl.If(start, started.Set(following.Value), following.Set(following.Plus(1))), executing.Set(start), row.Set(step.Q.Row), now.Set(atomicExecution{Stream: task.Stream, Number: task.Number, Tag: task.Tag, Op: op}),
		forward.Set(m.Let("forward", hdl.AllOf(executing.Value, row.Eq(step.Q.Row), step.Q.Fetch.Not()))),
		here.Set(hdl.Unpack(newAtomicWord(), word)), kept.Set(done.Q), keptValid.Set(doneValid.Value))

	m.Section("Execute")
	from := atomicWordSource{Forward: forward.Value, Ahead: done.Q.Word.Word, Here: here.Q.Word}
	original, result := atomicResultOf(m, now.Q.Op, from)
	failed := m.Let("failed_now", hdl.Mux(forward.Value, done.Q.Word.Failed, here.Q.Failed))
	u.executed = m.Reg("executed_q", u.number, hdl.ResetTo(0))
	m.OnClock(
		doneValid.Set(executing.Value),
		done.Set(atomicResult{Row: row.Value, Word: atomicWord{Failed: failed, Word: result}}),
		hdl.If(doneValid.Value, u.executed.Set(u.executed.Plus(1))))

	m.Section("Respond")
	intact := m.Let("intact_original", original.And(failed.Not().Replicate(64)))
	executed.Source().Drive(m, executing.Value, AtomicResponse{Stream: now.Q.Stream, Number: now.Q.Number, Tag: now.Q.Tag, Original: intact, Failed: failed})
	m.Unused("it has room", executed.Source().Ready)
	block.Bypass(m, "responses", 1<<responseBits, executed.Sink(), oldest.Source())
	block.Between(m, "response", oldest.Sink(), response.Source())
	p.Response.Drive(m, response.Sink().Valid, response.Sink().Data)
	response.Sink().Accept(m, p.Response.Ready)
	m.OnClock(hdl.If(answers, answered.Set(answered.Plus(1))))
	if p.Retire != nil {
		u.retire(atomicRetired{task: task, next: next, stream: now.Q.Stream, original: intact, doneValid: doneValid.Value, result: done.Q.Word})
	}
}

// responseBits is the logarithm of how many responses wait before no more atomics are executed.
const responseBits = 3

// atomicExecution is an atomic that is executed.
type atomicExecution struct {
	Stream hdl.Value
	Number hdl.Value
	Tag    any `hdl:"-"`
	Op     AtomicOp
}

// atomicRetired is an atomic from the cycle before it is executed to the cycle after.
type atomicRetired struct {
	next             hdl.Value // number of the atomic whose task is read
	task             atomicTask
	stream, original hdl.Value // of the one that is executed
	doneValid        hdl.Value
	result           atomicWord
}

// retire reports executed atomics.
func (u *atomicUnit) retire(a atomicRetired) {
	type report struct{ Stream, Opcode, Word, Original hdl.Value }
	m, retire := u.Module, u.p.Retire
	m.Section("Report the atomic that was executed in the cycle before")
	words := m.Memory("retiring_words", u.freshWord.Width(), u.c.AtomicDepth)
	words.Write(u.take, u.accepted.Truncate(u.index), u.freshWord)
	ahead := words.Read("task_word_q", hdl.Ones(1), a.next, hdl.ReadOld)
	word, opcode := m.Reg("execute_word_q", ahead.Width(), hdl.NoReset), m.Reg("execute_opcode_q", 4, hdl.NoReset)
	now := report{a.stream, opcode.Value, word.Value, a.original}
	q := hdl.NewRegOf(m, "retire", now, hdl.NoReset)
	m.OnClock(word.Set(ahead), opcode.Set(a.task.Operands.Opcode), q.Set(now))
	m.Drive(retire.Valid, a.doneValid)
	m.Drive(retire.Stream, q.Q.Stream)
	m.Drive(retire.Opcode, q.Q.Opcode)
	m.Drive(retire.Address, hdl.Cat(q.Q.Word, hdl.Zero(3)))
	m.Drive(retire.Original, q.Q.Original)
	m.Drive(retire.Result, a.result.Word.And(a.result.Failed.Not().Replicate(64)))
	m.Drive(retire.Failed, a.result.Failed)
}
