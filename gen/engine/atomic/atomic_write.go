package atomic

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// atomicEntry is what the write of an atomic needs.
type atomicEntry struct {
	Word   hdl.Value
	Row    hdl.Value
	Period hdl.Value
	First  hdl.Value // of its period
}

// atomicWrite is a write on its way to memory. It covers all atomics on the word of Row that had been executed before it was posted.
type atomicWrite struct {
	Row  hdl.Value
	Done atomicDone `hdl:"-"`
}

// covering is the last write of a row: it covers the atomics on its word before number Count.
type covering struct{ Count, Write hdl.Value }

// post visits the executed atomics in order, one per cycle: it writes the word of each as it is by then, unless the write of an earlier
// atomic already covers it. It returns, by atomic in order, the number of the write that covers it.
//
// The visits never wait: if there is no room for a write, that atomic is visited again, with all those that follow it.
func (u *atomicUnit) post() (covers hdl.Sink[coverOf]) {
	m := u.Module
	entryOf := atomicEntry{Word: hdl.Bits(61), Row: hdl.Bits(u.row), Period: hdl.Bits(1), First: hdl.Bits(1)}
	coveringOf := covering{hdl.Bits(u.number), hdl.Bits(u.number)}

	m.Section("Visit: the executed atomics in order, and the words in use as they are now")
	entries := m.Memory("entries", hdl.PackedWidth(entryOf), u.c.AtomicDepth)
	entries.Write(u.issue, u.issued.Truncate(u.index), hdl.Pack(atomicEntry{u.word, u.rowNumber, u.period, u.fetch}))
	visit, visited := m.Reg("visit_q", u.number, hdl.ResetTo(0)), m.Reg("visited_q", u.number, hdl.ResetTo(0))
	waits, isVisiting := m.Reg("write_waits_q", 1, hdl.ResetTo(0)), m.Reg("is_visiting_q", 1, hdl.ResetTo(0))
	visits := m.Let("visits", visit.Ne(u.executed.Value).And(waits.Not()))
	next := m.Let("next_visit", hdl.Mux(waits.Value, visited.Value, visit.Add(visits.ZeroExtend(u.number))))
	entry := hdl.Unpack(entryOf, entries.Read("entry_q", hdl.Ones(1), next.Truncate(u.index), hdl.ReadOld))
	comparing, now := hdl.NewRegOf(m, "comparing_entry", entryOf, hdl.NoReset), hdl.NewRegOf(m, "visiting", entryOf, hdl.NoReset)
	number, isComparing := m.Reg("comparing_number_q", u.number, hdl.NoReset), m.Reg("is_comparing_entry_q", 1, hdl.ResetTo(0))
	value := hdl.Unpack(newAtomicWord(), u.values.Read("value_q", hdl.Ones(1), comparing.Q.Row, hdl.ReadOld))
	count := m.Reg("visiting_count_q", u.number, hdl.NoReset)
	live := m.Let("visiting", isVisiting.And(waits.Not()))

	m.Section("Cover: the last write of the row, of one of the two visits ahead or of an earlier one")
	coverings := m.Memory("coverings", hdl.PackedWidth(coveringOf), u.c.AtomicDepth*atomicWays)
	stored := coverings.Read("covering_q", hdl.Ones(1), entry.Row, hdl.ReadOld)
	last := hdl.NewRegOf(m, "last_covering", coveringOf, hdl.NoReset)
	near, far := m.Reg("near_row_is_same_q", 1, hdl.NoReset), m.Reg("far_row_is_same_q", 1, hdl.NoReset)
	found, behindFound := hdl.NewRegOf(m, "found_covering", coveringOf, hdl.NoReset), m.Reg("behind_found_q", 1, hdl.NoReset)
	before := func(name string, number hdl.Value, c covering) hdl.Value {
		difference := m.Let(name, number.Sub(c.Count))
		m.Unused("only the sign matters", difference)
		return difference.Bit(u.number - 1)
	}
	older := hdl.LetOf(m, "older_covering", hdl.Unpack(coveringOf, hdl.Mux(far.Value, hdl.Pack(last.Q), stored)))
	isBehind := before("behind_older", number.Value, older)
	byLast := before("behind_last", visited.Value, last.Q)
	covered := m.Let("is_covered", now.Q.First.Not().And(hdl.Mux(near.Value, byLast, behindFound.Value)))
	by := m.Let("covered_by", hdl.Mux(near.Value, hdl.Pack(last.Q), hdl.Pack(found.Q)))
	posted := m.Reg("posted_q", u.number, hdl.ResetTo(0))
	room := m.Wire("write_room", 1)
	post := m.Let("post", hdl.AllOf(live, covered.Not(), room.Value))
	passes := m.Let("passes", live.And(covered.Or(room.Value)))
	m.Note("A write covers what had been executed when the word was read.")
	fresh := hdl.Cat(count.Value, posted.Value)
	latest := hdl.Unpack(coveringOf, m.Let("latest_covering", hdl.Mux(covered, by, fresh)))
	coverings.Write(post, now.Q.Row, fresh)

	m.Section("Post the write, and tell which write covers the atomic")
	write := hdl.NewRegOf(m, "posting", atomicPost{Word: hdl.Bits(61), Value: newAtomicWord()}, hdl.NoReset)
	passed, posting := m.Reg("has_passed_q", 1, hdl.ResetTo(0)), m.Reg("is_posting_q", 1, hdl.ResetTo(0))
	m.OnClock(
		visit.Set(next), number.Set(visit.Value), comparing.Set(entry), now.Set(comparing.Q), count.Set(u.executed.Value),
		isComparing.Set(visits), isVisiting.Set(isComparing.And(waits.Not())),
		far.Set(live.And(now.Q.Row.Eq(entry.Row))), near.Set(live.And(now.Q.Row.Eq(comparing.Q.Row))),
		found.Set(older), behindFound.Set(isBehind), last.Set(latest),
		waits.Set(hdl.AllOf(live, covered.Not(), room.Not())),
		hdl.If(passes, visited.Set(visited.Plus(1))),
		hdl.If(post, posted.Set(posted.Plus(1))),
		passed.Set(passes), posting.Set(post), write.Set(atomicPost{Word: now.Q.Word, Value: value}))
	u.writes = m.Memory("writes", u.row+u.number+1, u.c.AtomicDepth)
	u.writes.Write(post, posted.Truncate(u.index), hdl.Cat(now.Q.Row, count.Value, now.Q.Period))
	cover, out := hdl.NewStream(m, "cover", coverOf{hdl.Bits(u.number)}), hdl.NewStream(m, "covered", coverOf{hdl.Bits(u.number)})
	cover.Source().Drive(m, passed.Value, coverOf{last.Q.Write})
	m.Unused("there is a place for all atomics in progress", cover.Source().Ready)
	block.Fifo(m, "covers", u.c.AtomicDepth, cover.Sink(), out.Source())
	m.Drive(room.Out(), u.send(posting.Value, write.Q, posted.Value))
	return out.Sink()
}

// atomicPost is a word to write.
type atomicPost struct {
	Word  hdl.Value
	Value atomicWord
}

// coverOf is the number of the write that covers an atomic.
type coverOf struct{ Write hdl.Value }

// postDepth is how far, in writes, data may lag behind addresses or run ahead of them. No more writes wait, so that those that follow
// combine.
const (
	postBits  = 2
	postDepth = 1 << postBits
)

// send offers a write to memory and returns whether one more may be posted.
func (u *atomicUnit) send(posting hdl.Value, write atomicPost, posted hdl.Value) (room hdl.Value) {
	type address struct{ Beat hdl.Value }
	type data struct{ Lane, Strobe, Word hdl.Value }
	m, w := u.Module, u.p.Write
	lanes := u.lane + 3
	laneBits := max(u.lane, 1)
	addressType, dataType := address{hdl.Bits(64 - lanes)}, data{hdl.Bits(laneBits), hdl.Bits(1), hdl.Bits(64)}
	addressIn, addressOut := hdl.NewStream(m, "address", addressType), hdl.NewStream(m, "aw", addressType)
	dataIn, dataOut := hdl.NewStream(m, "data", dataType), hdl.NewStream(m, "w", dataType)
	addressIn.Source().Drive(m, posting, address{write.Word.Slice(60, u.lane)})
	dataIn.Source().Drive(m, posting, data{Lane: write.Word.Truncate(laneBits), Strobe: write.Value.Failed.Not(), Word: write.Value.Word})
	m.Unused("a write has room before it is posted", addressIn.Source().Ready, dataIn.Source().Ready)
	block.Fifo(m, "addresses", postDepth, addressIn.Sink(), addressOut.Source())
	block.Fifo(m, "results", postDepth, dataIn.Sink(), dataOut.Source())

	room = m.Let("may_post", roomFor(m, "addresses", postBits, posted, addressOut.Sink().Valid.And(w.AW.Ready)).
		And(roomFor(m, "data", postBits, posted, dataOut.Sink().Valid.And(w.W.Ready))))

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
