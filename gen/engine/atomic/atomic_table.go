package atomic

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl"
)

// tableState is the state of the table of words in use.
type tableState int

const (
	clearing tableState = iota // clearing every row after reset
	running
)

func (s tableState) String() string { return [...]string{"clearing", "running"}[s] }

// atomicWays is the associativity of the table. It has as many sets as atomics can be in progress.
const (
	atomicWayBits = 2
	atomicWays    = 1 << atomicWayBits
)

// atomicRow is a row of the table: the word that uses it, and the last atomic on that word. It is in use until that atomic is in memory.
type atomicRow struct {
	Tag    hdl.Value // the upper bits of the word's address; the lower ones follow from them and the set
	Last   hdl.Value // number of the last atomic issued on the word
	Period hdl.Value // flips whenever the row is claimed for a word
}

// atomicDone is what memory has of a row's word: all atomics before number Count, if the row is still in that Period.
type atomicDone struct{ Count, Period hdl.Value }

// tableWay is one way of the table, as the request that is being decided finds it.
type tableWay struct {
	busy, hit hdl.Reg // the row is in use; by the word of the request
	period    hdl.Reg
	take      hdl.Wire // the request takes this way
	write     hdl.Wire // the row as the request leaves it
}

// rows declares the memories of the table, and the second stage of a lookup. Row and done of each way are in separate memories with one
// writer each.
//
// The rows are read in the first stage of a lookup, compared in the second, and changed in the third. What the two requests ahead
// change in the meantime is forwarded in the second, so that the third is a short loop.
func (u *atomicUnit) rows(s lookupStages, written atomicWrite) (ways [atomicWays]tableWay) {
	m, proto := u.Module, u.rowOf()
	m.Section("Rows: the atomics that use them, and what memory has of them")
	clear := m.Let("clear", u.running.Not())
	writtenSet := m.Let("written_set", hdl.Mux(u.running, s.deciding.Set, u.sweep))
	doneSet := m.Let("done_set", hdl.Mux(u.running, written.Row.Slice(u.row-1, atomicWayBits), u.sweep))
	done := m.Let("done", hdl.Mux(u.running, hdl.Pack(written.Done), hdl.Zero(u.number+1)))
	tag := s.comparing.Word.Slice(60, u.index)
	m.Note("What the requests one and two cycles ahead take is newer than what was read.")
	nearSet, farSet := m.Let("near_set_is_same", s.comparing.Set.Eq(s.deciding.Set)), m.Let("far_set_is_same", s.comparing.Set.Eq(s.decided.Set))
	nearWord, farWord := m.Let("near_word_is_same", s.comparing.Word.Eq(s.deciding.Word)), m.Let("far_word_is_same", s.comparing.Word.Eq(s.decided.Word))
	for i := range ways {
		w, name := &ways[i], func(s string) string { return fmt.Sprintf(s, i) }
		w.take, w.write = m.Wire(name("take_%d"), 1), m.Wire(name("written_row_%d"), hdl.PackedWidth(proto))
		rows := m.Memory(name("rows_%d"), w.write.Width(), u.c.AtomicDepth)
		rows.Write(clear.Or(w.take.Value), writtenSet, w.write.Value)
		row := hdl.Unpack(proto, rows.Read(name("row_%d_q"), hdl.Ones(1), s.reading.Set, hdl.ReadOld))
		dones := m.Memory(name("dones_%d"), u.number+1, u.c.AtomicDepth)
		here := u.released.And(written.Row.Truncate(atomicWayBits).Is(uint64(i)))
		dones.Write(clear.Or(here), doneSet, done)
		has := hdl.Unpack(u.doneOf(), dones.Read(name("done_%d_q"), hdl.Ones(1), s.reading.Set, hdl.ReadOld))

		missing := m.Let(name("missing_%d"), row.Last.Sub(has.Count))
		m.Unused("only the sign matters", missing)
		busy := m.Let(name("is_busy_%d"), missing.Bit(u.number-1).Not().Or(row.Period.Ne(has.Period)))
		same := zero(m, name("tag_%d"), m.Let(name("tag_differs_%d"), row.Tag.Xor(tag)), 3)
		took, left := m.Reg(name("took_%d_q"), 1, hdl.ResetTo(0)), m.Reg(name("left_period_%d_q"), 1, hdl.NoReset)
		near, far := m.Let(name("near_%d"), w.take.And(nearSet)), m.Let(name("far_%d"), took.And(farSet))
		newest := func(ahead, before, read hdl.Value) hdl.Value {
			return hdl.Select(read, hdl.When{Cond: near, Then: ahead}, hdl.When{Cond: far, Then: before})
		}
		w.busy, w.hit = m.Reg(name("busy_%d_q"), 1, hdl.NoReset), m.Reg(name("hit_%d_q"), 1, hdl.NoReset)
		w.period = m.Reg(name("period_%d_q"), 1, hdl.NoReset)
		leaves := m.Let(name("new_period_%d"), w.write.Bit(0))
		m.OnClock(
			took.Set(w.take.Value), left.Set(leaves),
			w.busy.Set(hdl.AnyOf(near, far, busy)), w.hit.Set(newest(nearWord, farWord, busy.And(same))),
			w.period.Set(newest(leaves, left.Value, row.Period)))
	}
	return ways
}

// tableChoice is the way that a request takes: that of its word, or the first that is not in use.
type tableChoice struct {
	hit    hdl.Value
	full   hdl.Value // the word has no way, and all are in use
	way    hdl.Value
	period hdl.Value
}

// choose decides, in the third stage. A request that is being decided takes a way; one whose word has none needs room for its read.
func (u *atomicUnit) choose(ways [atomicWays]tableWay, decides, room, tag hdl.Value) (c tableChoice) {
	m := u.Module
	m.Section("Decide: the way of the word, or else the first that is not in use; a claim flips the period of the row")
	var hits, busy, chosen, periods []hdl.Value
	for _, w := range ways {
		hits, busy = append(hits, w.hit.Value), append(busy, w.busy.Value)
	}
	c.hit = m.Let("hit", hdl.AnyOf(hits...))
	c.full = m.Let("set_is_full", hdl.AllOf(busy...))
	for i, w := range ways {
		name := func(s string) string { return fmt.Sprintf(s, i) }
		claim := w.busy.Not()
		if i > 0 {
			claim = claim.And(hdl.AllOf(busy[:i]...))
		}
		claims := m.Let(name("claims_%d"), claim.And(c.hit.Not()))
		chosen = append(chosen, m.Let(name("chosen_%d"), w.hit.Or(claims)))
		m.Drive(w.take.Out(), decides.And(w.hit.Or(claims.And(room))))
		period := m.Let(name("leaves_period_%d"), w.period.Xor(w.hit.Not()))
		periods = append(periods, period.And(chosen[i]))
		row := atomicRow{Tag: tag, Last: u.issued.Value, Period: period}
		m.Note("A cleared row is in no use: its last atomic is the one before the first.")
		m.Drive(w.write.Out(), hdl.Mux(u.running, hdl.Pack(row), hdl.Pack(u.clearedRow(tag))))
	}
	c.way = m.Let("way", hdl.Cat(chosen[2].Or(chosen[3]), chosen[1].Or(chosen[3])))
	c.period = m.Let("period", hdl.AnyOf(periods...))
	return c
}

func (u *atomicUnit) rowOf() atomicRow {
	return atomicRow{Tag: hdl.Bits(61 - u.index), Last: hdl.Bits(u.number), Period: hdl.Bits(1)}
}

func (u *atomicUnit) doneOf() atomicDone { return atomicDone{hdl.Bits(u.number), hdl.Bits(1)} }

func (u *atomicUnit) clearedRow(tag hdl.Value) atomicRow {
	return atomicRow{Tag: tag, Last: hdl.Ones(u.number), Period: hdl.Zero(1)}
}
