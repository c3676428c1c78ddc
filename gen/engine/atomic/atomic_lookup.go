package atomic

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// lookup is the word of a request, and its set in the table.
type lookup struct{ Set, Word hdl.Value }

// lookupStages are the requests in the stages of the lookup.
type lookupStages struct{ reading, comparing, deciding, decided lookup }

// accept takes requests while there is room, numbers them, and stores what later stages need of them, by number.
func (u *atomicUnit) accept() (fresh lookup) {
	m, p := u.Module, u.p
	m.Section("Accept: as many atomics are in progress as the unit holds, from acceptance until they are over")
	state := hdl.NewFSM(m, "state", clearing, running)
	sweep := m.Reg("sweep_q", u.index, hdl.ResetTo(0))
	m.OnClock(state.Switch(
		state.In(clearing, sweep.Set(sweep.Plus(1)), hdl.If(sweep.All(), state.Go(running))),
		state.In(running)))
	u.sweep, u.running = sweep.Value, m.Let("is_running", state.Is(running))
	m.Drive(p.Ready, u.running)

	inProgress := m.Reg("in_progress_q", u.index+1, hdl.ResetTo(0))
	u.accepted = m.Reg("accepted_q", u.number, hdl.ResetTo(0))
	room := m.Let("room", u.running.And(inProgress.Bit(u.index).Not()))
	p.Req.Accept(m, room)
	u.take = m.Let("take", p.Req.Valid.And(room))
	m.OnClock(
		hdl.If(u.take, u.accepted.Set(u.accepted.Plus(1))),
		inProgress.Set(inProgress.Add(u.take.ZeroExtend(u.index+1)).Sub(u.leaves.ZeroExtend(u.index+1))))

	task := atomicTask{Stream: p.Req.Data.Stream, Number: p.Req.Data.Number, Tag: p.Req.Data.Tag, Operands: p.Req.Data.Operands}
	m.Unused("a word is aligned", p.Req.Data.Address.Slice(2, 0))
	word := m.Let("req_word", p.Req.Data.Address.Slice(63, 3))
	u.freshWord = word
	slot := u.accepted.Truncate(u.index)
	u.taskOf = task
	u.tasks = m.Memory("tasks", hdl.PackedWidth(task), u.c.AtomicDepth)
	u.tasks.Write(u.take, slot, hdl.Pack(task))
	u.owner = atomicOwner{Stream: task.Stream, Late: p.Req.Data.Late}
	u.streams = m.Memory("streams", hdl.PackedWidth(u.owner), u.c.AtomicDepth)
	u.streams.Write(u.take, slot, hdl.Pack(u.owner))
	return lookup{Set: p.Req.Data.Set, Word: word}
}

// lookUp determines for each request, one per cycle, whether an atomic in progress uses its word, and issues it: assigns it a row, and
// reads the word from memory if it is not in use.
//
// The lookup never waits: a request that cannot be issued in the third stage is looked up again, with all those that follow it.
func (u *atomicUnit) lookUp(fresh lookup, written atomicWrite) {
	m, p := u.Module, u.p
	m.Section("Look up: a request as it is accepted, or one that could not be issued again")
	next := m.Reg("lookup_q", u.number, hdl.ResetTo(0))
	before := m.Reg("accepted_before_q", u.number, hdl.ResetTo(0))
	missed := m.Reg("missed_q", 1, hdl.ResetTo(0))
	u.issued = m.Reg("issued_q", u.number, hdl.ResetTo(0))
	latest := m.Reg("looks_up_latest_q", 1, hdl.ResetTo(1))
	looks := m.Let("looks_up", hdl.Mux(latest.Value, u.take, next.Ne(before.Value)))
	requests := m.Memory("requests", hdl.PackedWidth(fresh), u.c.AtomicDepth)
	requests.Write(u.take, u.accepted.Truncate(u.index), hdl.Pack(fresh))
	none := m.Let("has_looked_up_all", next.Eq(u.accepted.Value).And(u.take.Not()))
	m.Note("A request that is looked up again is read ahead.")
	waiting := m.Let("looks_up_waiting", latest.Not().And(next.Ne(before.Value)))
	ahead := m.Let("next_waiting", hdl.Mux(missed.Value, u.issued.Truncate(u.index), next.Truncate(u.index).Add(waiting.ZeroExtend(u.index))))
	request := requests.Read("request_q", hdl.Ones(1), ahead, hdl.ReadOld)
	comparing, deciding := hdl.NewRegOf(m, "comparing", fresh, hdl.NoReset), hdl.NewRegOf(m, "deciding", fresh, hdl.NoReset)
	decided := hdl.NewRegOf(m, "decided", fresh, hdl.NoReset)
	reading := hdl.LetOf(m, "reading", hdl.Unpack(fresh, hdl.Mux(latest.Value, hdl.Pack(fresh), request)))
	isComparing, isDeciding := m.Reg("is_comparing_q", 1, hdl.ResetTo(0)), m.Reg("is_deciding_q", 1, hdl.ResetTo(0))
	m.OnClock(
		before.Set(u.accepted.Value),
		hdl.If(missed.Value, next.Set(u.issued.Value)).ElseIf(looks, next.Set(next.Plus(1))),
		latest.Set(missed.Not().And(latest.Or(none))),
		isComparing.Set(looks.And(missed.Not())), isDeciding.Set(isComparing.And(missed.Not())),
		comparing.Set(reading), deciding.Set(comparing.Q), decided.Set(deciding.Q))

	type address struct{ Beat hdl.Value }
	lanes := u.lane + 3 // octets of a beat, as a power of two
	reads, ar := hdl.NewStream(m, "last_read", address{hdl.Bits(64 - lanes)}), hdl.NewStream(m, "ar", address{hdl.Bits(64 - lanes)})
	count := m.Reg("reads_q", max(u.index, readBits+2), hdl.ResetTo(0))
	room := roomFor(m, "read", readBits, count.Value, ar.Sink().Valid.And(p.Read.AR.Ready))
	decides := m.Let("decides", isDeciding.And(missed.Not()))
	t := u.rows(lookupStages{reading, comparing.Q, deciding.Q, decided.Q}, written)
	c := u.choose(t, decides, room, deciding.Q.Word.Slice(60, u.index))

	m.Section("Issue: the word is in the unit or on its way; otherwise it is read into an unused row")
	can := m.Let("can_issue", c.hit.Or(c.full.Not().And(room)))
	issue := m.Let("issue", decides.And(can))
	m.OnClock(
		missed.Set(decides.And(can.Not())),
		hdl.If(issue, u.issued.Set(u.issued.Plus(1))))
	u.issue, u.decides, u.word, u.period = issue, decides, deciding.Q.Word, c.period
	u.fetch = m.Let("fetch", c.hit.Not())
	u.rowNumber = m.Let("row", hdl.Cat(deciding.Q.Set, c.way))
	read := m.Let("reads", issue.And(u.fetch))
	valid, beat := m.Reg("read_valid_q", 1, hdl.ResetTo(0)), m.Reg("read_beat_q", 64-lanes, hdl.NoReset)
	m.OnClock(hdl.If(read, count.Set(count.Plus(1))), valid.Set(read), beat.Set(deciding.Q.Word.Slice(60, u.lane)))
	u.reads = count.Value
	reads.Source().Drive(m, valid.Value, address{beat.Value})
	m.Unused("it has room", reads.Source().Ready)
	block.Bypass(m, "addresses_to_read", 1<<readBits, reads.Sink(), ar.Source())
	ar.Sink().Accept(m, p.Read.AR.Ready)
	p.Read.AR.Drive(m, ar.Sink().Valid, block.ARBeat{ID: hdl.Const(block.AXIIDBits, block.AXIAtomic), Addr: hdl.Cat(ar.Sink().Data.Beat, hdl.Zero(lanes)),
		Len: hdl.Zero(8), Size: hdl.Const(3, uint64(lanes)), Burst: hdl.Const(2, 1)})
}

// readBits is the logarithm of how many reads wait for memory before a request that needs one is looked up again.
const readBits = 3
