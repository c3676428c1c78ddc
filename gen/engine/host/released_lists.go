package host

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

const releasedListsDoc = `

Requests leave the ring before their buffers have been used. The places of a list are free again once it has been released, and all
lists that the stream has posted before it. A release takes 2 cycles, and 2 more for each list whose places become free; meanwhile no
request is accepted.`

// Steps of a release: a bit each.
const (
	releaseIdle  = iota // none; else what the stream has released is read
	releaseRead         // the list in its oldest place is read
	releaseMoves        // its places become free if it is released

	releaseSteps = iota
)

// release marks a list as released, and frees the places of those from the oldest one on that are. A mark is a bit of the first place of a list.
func (l *receiveLists) release(p ReceiveRingPorts, store hdl.Value, empty block.Change) {
	m, n := l.m, l.c.ReceiveDepth
	rw := block.IndexWidth(n)
	from := *p.Release
	m.Section("Places of lists that are released become free in the order of posting")
	step := m.Reg("release_q", releaseSteps, hdl.ResetTo(1<<releaseIdle))
	to := func(n int) hdl.Stmt { return step.Set(hdl.Const(releaseSteps, 1<<n)) }
	idle, reads, moves := m.Let("release_is_idle", step.Bit(releaseIdle)), m.Let("reads_oldest", step.Bit(releaseRead)), m.Let("moves_on", step.Bit(releaseMoves))
	ready := m.Let("may_release", idle.And(l.sweep.Done))
	takes := m.Let("takes_release", ready.And(from.Valid))
	from.Accept(m, ready)
	of := hdl.NewRegOf(m, "releases", engine.ReleasedListOf(l.c), hdl.NoReset)
	marks, freed := m.Reg("marks_q", n, hdl.NoReset), m.Reg("free_up_to_q", rw+1, hdl.NoReset)
	first := m.Reg("release_begins_q", 1, hdl.NoReset)
	released := block.NewContext(m, "released", hdl.Zero(n), l.sweep)
	before := released.Read("released_before", takes, from.Data.Stream)
	oldest := m.Let("oldest_place", hdl.Mux(first.Value, l.used.Read("freed_before", takes, from.Data.Stream), freed.Value))
	behind := m.Memory("places_behind_lists", rw+1, l.c.Streams*n)
	behind.Write(store.And(l.list.Is), hdl.Cat(l.held.Stream, l.list.First), l.stored)
	next := behind.Read("place_behind_oldest_q", reads, hdl.Cat(of.Q.Stream, oldest.Truncate(rw)), hdl.ReadOld)
	bit := func(name string, place hdl.Value) hdl.Value { return m.Let(name, hdl.Const(n, 1).ShiftLeft(place)) }
	marked := m.Let("marked", hdl.Mux(first.Value, before.Or(bit("mark", of.Q.First)), marks.Value))
	over := bit("mark_of_oldest", freed.Truncate(rw))
	frees := m.Let("frees_list", marks.And(over).Any())
	ends := m.Let("release_ends", moves.And(frees.Not()))
	m.OnClock(
		hdl.If(takes, to(releaseRead), of.Set(from.Data), first.Set(hdl.Ones(1))),
		hdl.If(reads, to(releaseMoves), marks.Set(marked), freed.Set(oldest), first.Set(hdl.Zero(1))),
		hdl.If(moves, hdl.If(frees, to(releaseRead), marks.Set(marks.And(over.Not())), freed.Set(next)).Else(to(releaseIdle))))
	change := func(word hdl.Value) block.Change { return block.Change{When: ends, Stream: of.Q.Stream, Word: word} }
	released.Write(empty, change(marks.Value))
	l.used.Write(empty, change(freed.Value))
	l.busy = idle.Not().Or(from.Valid)
}
