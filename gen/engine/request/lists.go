package request

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// A work request has a place of the ring for each element of its local buffer. Places are counted apart from work requests, since it is work
// requests that complete.

// lists reports whether work requests may have several elements.
func lists(c engine.Config) bool { return engine.Lists(c) }

// more is 1 if another element of the work request follows.
func more(c engine.Config, w waitingWork) hdl.Value {
	is, _ := c.Profile.More(w.Tag)
	return is
}

const workRingListsDoc = `

A work request has a place for each element of its local buffer, which all are in one beat each, but for the address, the
length and whether another one follows. It has at most %d elements: others have no place, and the last one says so.`

func workRingLists(c engine.Config) string {
	if !lists(c) {
		return ""
	}
	return fmt.Sprintf(workRingListsDoc, c.SendDepth)
}

// placeCount is a number of places, modulo twice the ring.
type placeCount struct{ Places hdl.Value }

// placesOf is a [placeCount], nil if each work request has one place.
func placesOf(c engine.Config) any {
	if !lists(c) {
		return nil
	}
	return &placeCount{hdl.Bits(numberBits(c))}
}

// place is the number of the oldest place in progress.
func (p Progress) place() hdl.Value { return placeOr(p.Places, p.Oldest) }

// place is the number of the next place of the ring.
func (r Reopened) place() hdl.Value { return placeOr(r.Places, r.Oldest) }

func placeOr(count any, other hdl.Value) hdl.Value {
	if p, is := count.(*placeCount); is {
		return p.Places
	}
	return other
}

// listLength is what is counted of a work request as its elements are posted.
type listLength struct {
	Elements hdl.Value // places that it has so far
	TooLong  hdl.Value // an element has none
}

// tooLong marks a work request of which an element has no place.
type tooLong struct{ Is hdl.Value }

func listLengthOf(c engine.Config) any {
	if !lists(c) {
		return nil
	}
	return &listLength{hdl.Bits(block.IndexWidth(c.SendDepth)), hdl.Bits(1)}
}

func tooLongOf(c engine.Config) any {
	if !lists(c) {
		return nil
	}
	return &tooLong{hdl.Bits(1)}
}

// tooLong marks the last element of a work request of which one had no place.
func (u *workRing) tooLong(now posted) any {
	if l, is := now.List.(*listLength); is {
		return &tooLong{l.TooLong}
	}
	return nil
}

// hasNoPlace is 1 if the work request has all places but one, and this element is not its last one: the last one needs a place.
func (l *listLength) hasNoPlace(more hdl.Value) hdl.Value {
	return l.Elements.All().And(more)
}

// after is the count with an element that has a place, or none.
func (l *listLength) after(stores, drops, more hdl.Value) *listLength {
	goes := stores.Or(drops)
	keeps := goes.Not().Or(more)
	return &listLength{Elements: l.Elements.Add(stores.And(more).ZeroExtend(l.Elements.Width())).And(keeps.Replicate(l.Elements.Width())),
		TooLong: l.TooLong.Or(drops).And(keeps)}
}

// issueList is what is known of a work request of which elements are issued.
type issueList struct {
	Inside hdl.Value // its first element was issued, and its last one was not
	Octets hdl.Value // of its elements so far
	Wrong  hdl.Value // one of these is
	Refuse hdl.Value // because of one of these it is refused
	Slot   hdl.Value // of the next work request among those in progress
}

func issueListOf(c engine.Config) any {
	if !lists(c) {
		return nil
	}
	return &issueList{hdl.Bits(1), hdl.Bits(32), hdl.Bits(1), hdl.Bits(1), hdl.Bits(block.IndexWidth(c.SendDepth))}
}

// OpenedSlot is the slot of the first work request of a stream that is opened, among those in progress.
type OpenedSlot struct {
	Slot hdl.In `doc:"of its next work request"`
}

// OpensSlot is an [OpenedSlot] where it is known.
type OpensSlot struct {
	Slot hdl.Out `doc:"of its next work request"`
}

// elements is what the stages of request_messages know of the element of a work request.
type elements struct {
	last   *block.Signal // it is the last one
	oldest *block.Signal // of an opening
	after  *block.Signal // number of the place after it
	to     *block.Signal // in stage decided: where the work request begins at the peer
	first  *block.Signal // in stage built: it is the first one
	remote *block.Signal // in stage built: where its octets are at the peer
	total  *block.Signal // in stage built: octets up to its end
	slot   *block.Signal // in stage built: of the work request among those in progress
}

// misfit is 1 for an element that its work request may not have, whatever its region allows.
func (s *messages) misfit(work waitingWork, kind engine.WorkKind) *block.Signal {
	goesOn := more(s.c, work)
	s.elements.last, s.elements.to = s.Signal("is_last_element", workRead, goesOn.Not()), s.Holds("remote_to", workRead, work.Remote.TO).Later(decided)
	m := s.Module
	m.Note("The word of an Atomic is one element.")
	return s.Signal("is_misfit", workRead, work.TooLong.(*tooLong).Is.Or(goesOn.And(s.c.Profile.Word(kind))))
}

// gather counts the octets of a work request's elements, and whether one of them is wrong: each makes all later ones wrong. The results are the
// counts after this one, and those of a stream that is opened.
func (s *messages) gather(now *issueList) (next, fresh *issueList) {
	m, e := s.Module, s.elements
	m.Note("The elements of a work request before this one.")
	inside := now.Inside.Replicate(32)
	before := m.Let("octets_before", now.Octets.And(inside))
	sum := m.Let("octets_with_it", before.ZeroExtend(33).Add(s.length.At(decided).ZeroExtend(33)))
	refuse := m.Let("list_is_refused", hdl.AnyOf(s.refused.At(decided), now.Inside.And(now.Refuse), sum.Bit(32)))
	wrong := m.Let("list_is_wrong", hdl.AnyOf(s.unfit.At(decided), now.Inside.And(now.Wrong), refuse))
	e.first, e.total = s.Signal("is_first_element", decided, now.Inside.Not()), s.Signal("octets_so_far", decided, sum.Truncate(32))
	e.slot = s.Signal("work_slot", decided, now.Slot)
	m.Note("A Read of each element has an address of its own at the peer.")
	e.remote = s.Signal("element_at_peer", decided, e.to.At(decided).Add(before.And(s.asks.At(decided).Replicate(32)).ZeroExtend(64)))
	s.unfit, s.refused = s.Holds("list_is_unfit", decided, wrong), s.Holds("list_is_not_taken", decided, refuse)
	last := e.last.At(decided)
	next = &issueList{Inside: last.Not(), Octets: sum.Truncate(32), Wrong: wrong, Refuse: refuse, Slot: now.Slot.Add(last.ZeroExtend(now.Slot.Width()))}
	return next, &issueList{hdl.Zero(1), hdl.Zero(32), hdl.Zero(1), hdl.Zero(1), e.oldest.At(decided)}
}
