package flush

import (
	"fmt"
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// pageBits is the width of the index of an octet in the unit that belongs to one subordinate.
const pageBits = 12

// waitingFlush is a flush that waits for the writes before it.
type waitingFlush struct {
	ID      hdl.Value
	Address hdl.Value // of the first octet
	Length  hdl.Value
}

// writesBefore is the number of the latest write of an identifier that a flush waits for.
type writesBefore struct{ Number hdl.Value }

// flushRange is what a released flush reads: the last beat of each page that it touches, or of its own in the last page.
type flushRange struct {
	ID    hdl.Value
	First hdl.Value // page
	Pages hdl.Value // after the first one
	Line  hdl.Value // index of the last beat in the last page
}

// flushRead is a read of a flush.
type flushRead struct{ Addr hdl.Value }

// readFor is what a read is for.
type readFor struct {
	ID   hdl.Value
	Last hdl.Value // of the flush
}

// adapterBuffer is how many flushes wait.
const adapterBuffer = 4

// waiting takes flushes, each with the numbers of the writes that it waits for.
func (a *flushAdapter) waiting(counts [1 << block.AXIIDBits]writeCount) hdl.Sink[flushRange] {
	m, p := a.Module, a.p
	m.Section("Flushes wait for the writes before them")
	f := p.Flush.Data.fields()
	m.Unused("all memory is flushed alike", p.Flush.Data.Data.Slice(111, 96))
	proto := waitingFlush{hdl.Bits(IDBits), hdl.Bits(64), hdl.Bits(32)}
	in, out, next := hdl.NewStream(m, "flush", proto), hdl.NewStream(m, "waiting", proto), hdl.NewStream(m, "released", a.flushRange())
	in.Source().Drive(m, p.Flush.Valid, waitingFlush{f.ID, f.Address, f.Length})
	p.Flush.Accept(m, in.Source().Ready)
	block.Buffer(m, "flushes", adapterBuffer, in.Sink(), out.Source())
	w := out.Sink()
	enters, goes := m.Let("flush_enters", p.Flush.Valid.And(in.Source().Ready)), m.Wire("flush_goes", 1)
	var ready []hdl.Value
	for id, count := range counts {
		ready = append(ready, a.answered(id, count, enters, goes.Value))
	}
	released := m.Let("writes_are_answered", hdl.AllOf(ready...))
	offer := block.NewSkid(m, "released", a.flushRange(), next.Source())
	octets := m.Let("octets", w.Data.Length.Sub(w.Data.Length.Any().ZeroExtend(32)))
	span := m.Let("span", w.Data.Address.Truncate(pageBits).ZeroExtend(33).Add(octets.ZeroExtend(33)))
	m.Unused("reads are of whole beats", span.Truncate(a.place))
	m.Drive(goes.Out(), hdl.AllOf(w.Valid, released, offer.Room))
	offer.Drive(goes.Value, flushRange{ID: w.Data.ID, First: w.Data.Address.Slice(63, pageBits),
		Pages: span.Slice(32, pageBits), Line: span.Slice(pageBits-1, a.place)})
	w.Accept(m, released.And(offer.Room))
	return next.Sink()
}

// answered is 1 if memory has answered all writes of an identifier before the oldest flush. The number of a flush is compared as soon as those
// before it have been: however long the flush waits for something else, the writes that pass it meanwhile do not count.
func (a *flushAdapter) answered(id int, count writeCount, enters, goes hdl.Value) hdl.Value {
	m, name := a.Module, fmt.Sprintf("writes_before_%d", id)
	oldest := hdl.NewStream(m, name, writesBefore{hdl.Bits(writeBits)})
	block.Roomy(m, name+"_numbers", adapterBuffer, enters, writesBefore{count.Asked}, oldest.Source())
	n := oldest.Sink()
	ahead := m.Let(fmt.Sprintf("writes_ahead_%d", id), count.Answered.Sub(n.Data.Number))
	m.Unused("only the sign matters", ahead)
	is := m.Let(name+"_are_answered", n.Valid.And(ahead.Bit(writeBits-1).Not()))
	n.Accept(m, is)
	held := m.Reg(name+"_released_q", bits.Len(adapterBuffer+1), hdl.ResetTo(0))
	wide := func(is hdl.Value) hdl.Value { return is.ZeroExtend(held.Width()) }
	m.OnClock(held.Set(held.Add(wide(is)).Sub(wide(goes))))
	m.Note("It goes a cycle later, so that the comparison ends in a register.")
	return held.Any()
}

func (a *flushAdapter) flushRange() flushRange {
	return flushRange{ID: hdl.Bits(IDBits), First: hdl.Bits(64 - pageBits), Pages: hdl.Bits(33 - pageBits), Line: hdl.Bits(pageBits - a.place)}
}

// reads makes a read in each unit of the range of a flush, and answers once all are back.
func (a *flushAdapter) reads(flush hdl.Sink[flushRange]) {
	m, p := a.Module, a.p
	f := flush.Data
	asked, answers := hdl.NewStream(m, "read", flushRead{hdl.Bits(64)}), hdl.NewStream(m, "answer", PlatformFlushed{hdl.Bits(IDBits), hdl.Bits(1)})
	offer := block.NewSkid(m, "reading", flushRead{hdl.Bits(64)}, asked.Source())
	dones := block.NewReserved(m, "done", adapterReads, PlatformFlushed{hdl.Bits(IDBits), hdl.Bits(1)}, answers.Source())
	purpose := readFor{hdl.Bits(IDBits), hdl.Bits(1)}
	sent, back := hdl.NewStream(m, "sent", purpose), hdl.NewStream(m, "back", purpose)
	block.Fifo(m, "on_their_way", adapterReads, sent.Sink(), back.Source())

	m.Section("Reads: the last beat of the range in each 4 KiB")
	begun, behind := m.Reg("begun_q", 1, hdl.ResetTo(0)), m.Reg("page_q", 64-pageBits, hdl.NoReset)
	page := m.Let("page", hdl.Mux(begun.Value, behind.Value, f.First))
	left, hasMore := m.Reg("pages_left_q", f.Pages.Width(), hdl.NoReset), m.Reg("has_more_q", 1, hdl.NoReset)
	isLast := m.Let("is_last_page", hdl.Mux(begun.Value, hasMore.Value, f.Pages.Any()).Not())
	after := m.Let("pages_after", hdl.Mux(begun.Value, left.Value, f.Pages).Minus(1))
	line := f.Line.Or(isLast.Not().Replicate(pageBits - a.place))
	may := m.Let("may_read", hdl.AllOf(offer.Room, sent.Source().Ready, dones.Room))
	reads := m.Let("reads", flush.Valid.And(may))
	flush.Accept(m, may.And(isLast))
	offer.Drive(reads, flushRead{hdl.Cat(page, line, hdl.Zero(a.place))})
	sent.Source().Drive(m, reads, readFor{f.ID, isLast})
	m.OnClock(hdl.If(reads, begun.Set(isLast.Not()), behind.Set(page.Plus(1)), left.Set(after), hasMore.Set(after.Any())))

	isFlush := a.share(asked.Sink())
	m.Section("Data: those of flushes are discarded, and accepted at once")
	r, to := p.Memory.Read.R, p.Read.R
	data := r.Data
	data.ID = r.Data.ID.Truncate(readIDBits)
	to.Drive(m, r.Valid.And(isFlush.Not()), data)
	r.Accept(m, isFlush.Or(to.Ready))
	returns := m.Let("returns", r.Valid.And(isFlush))
	b := back.Sink()
	b.Accept(m, returns)
	m.Unused("what returns has been asked", b.Valid)
	failed := m.Reg("failed_q", 1, hdl.ResetTo(0))
	fails := m.Let("fails", failed.Or(r.Data.Resp.Bit(1)))
	m.OnClock(hdl.If(returns, failed.Set(fails.And(b.Data.Last.Not()))))
	dones.Drive(reads.And(isLast), hdl.Value{}, returns.And(b.Data.Last), PlatformFlushed{b.Data.ID, fails})
	out := answers.Sink()
	p.Done.Drive(m, out.Valid, out.Data.beat())
	out.Accept(m, p.Done.Ready)
}

// share lets the RNIC and flushes read by turns, and tells whose data arrive.
func (a *flushAdapter) share(flush hdl.Sink[flushRead]) (isFlush hdl.Value) {
	m, t, s := a.Module, a.p.Memory.Read, a.p.Read
	m.Section("Addresses of reads: by turns if both wait; what is on offer stays")
	turn, waiting, chosen := m.Reg("flush_turn_q", 1, hdl.ResetTo(0)), m.Reg("waiting_q", 1, hdl.ResetTo(0)), m.Reg("chosen_q", 1, hdl.NoReset)
	choice := m.Let("choice", flush.Valid.And(turn.Or(s.AR.Valid.Not())))
	picks := m.Let("picks_flush", hdl.Mux(waiting.Value, chosen.Value, choice))
	valid := m.Let("address_valid", s.AR.Valid.Or(flush.Valid))
	m.OnClock(waiting.Set(valid.And(t.AR.Ready.Not())), chosen.Set(picks), hdl.If(valid.And(t.AR.Ready), turn.Set(picks.Not())))
	m.Note("Whether a side is accepted does not depend on whether it is valid.")
	s.AR.Accept(m, t.AR.Ready.And(hdl.Mux(waiting.Value, chosen.Not(), flush.Valid.And(turn.Value).Not())))
	flush.Accept(m, t.AR.Ready.And(hdl.Mux(waiting.Value, chosen.Value, turn.Or(s.AR.Valid.Not()))))
	own := block.ARBeat{ID: m.Constant("ID_FLUSH", memoryIDBits, 1<<readIDBits), Addr: flush.Data.Addr, Len: hdl.Zero(8),
		Size: hdl.Const(3, uint64(a.place)), Burst: hdl.Const(2, 1)}
	rnic := s.AR.Data
	rnic.ID = rnic.ID.ZeroExtend(memoryIDBits)
	t.AR.Drive(m, valid, hdl.Unpack(own, m.Let("address", hdl.Mux(picks, hdl.Pack(own), hdl.Pack(rnic)))))
	return m.Let("is_of_flush", t.R.Data.ID.Bit(readIDBits))
}
