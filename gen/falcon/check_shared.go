package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// SharedQueue empties a shared receive queue that no QP uses, and gives it its XRC domain.
type SharedQueue struct {
	Number hdl.Value `doc:"number of the queue"`
	Domain hdl.Value `doc:"XRC domain"`
}

// SharedQueueOf is the prototype.
func SharedQueueOf(c engine.Config) SharedQueue {
	return SharedQueue{Number: hdl.Bits(block.IndexWidth(c.Streams)), Domain: hdl.Bits(xrcDomainBits)}
}

const xrcDomainBits = 16

// queueSetup is what the host sets of a shared receive queue.
type queueSetup struct {
	Exists hdl.Value
	Domain hdl.Value // XRC domain
}

// queueUse counts the receives of a shared queue, modulo twice its length.
type queueUse struct {
	Taken    hdl.Value // by messages
	Returned hdl.Value // reserved, but not taken
}

// sharedReceive is how a packet and a shared receive queue go together. A receive is reserved when the packet is counted, so that the next
// packet sees it, and taken two stages later, when all earlier rules have been evaluated; a QP that has gone to Error meanwhile is not,
// and the receive is flushed.
type sharedReceive struct {
	queue     *block.Signal // number, from stage checkSet on
	isQueue   *block.Signal // no packet, but a SharedQueue
	shares    *block.Signal // the QP takes its receives from the queue
	message   *block.Signal // it takes a receive if its message begins
	datagram  *block.Signal // it takes a receive
	unknown   *block.Signal // if its message begins: that has no such queue in the XRC domain of the QP
	noRoom    *block.Signal // if its message begins: that is not one of the next receive_depth ones that are not over
	ownNoRoom hdl.Value     // in stage checkSet+1: the message is not one of the window, though there is a receive for it
	limit     hdl.Value     // in stage checkSet+1: reservations that are possible since the queue was emptied
	reserved  block.Stage
	reserves  hdl.Wire // in stage checkCounted

	none     hdl.Value     // in stage checkCounted: the queue has no receive
	waits    *block.Signal // its message begins, and there is no receive or no room for it
	finds    *block.Signal // a datagram for which there is a receive
	noQueue  *block.Signal // the queue of its message is unknown
	mayTake  *block.Signal // a receive is reserved
	takes    *block.Signal // and is taken
	sequence block.Stage   // queueUse
	context  block.Context
}

// share finds the queue of a packet, in the stages before the QP's state is known.
func (k *check) share() {
	m, p, c, is, set := k.m, k.p, k.c, k.is, &k.set
	sh := &k.shared
	sw, count := block.IndexWidth(c.Streams), countBits(c)
	m.Section("Shared receive queues: that of the QP, or of an XRC target the one in XRCETH (I-112, I-119)")
	xrc := set.xrcTarget
	srq := k.holds("srq", checkTaken, k.record.Header.SRQ)
	named := srq.At(checkSet)
	sh.shares = k.signal("shares_receives", checkSet, set.Shares.Or(xrc.At(checkSet)))
	sh.queue = k.signal("shared_queue", checkSet, hdl.Select(set.Queue, hdl.When{Cond: k.isQueue.At(checkSet), Then: k.stream.At(checkSet)},
		hdl.When{Cond: xrc.At(checkSet), Then: named.Truncate(sw)}))
	queues := block.NewContext(m, "queue_setup", hdl.Zero(1+xrcDomainBits), k.sweep)
	domain := k.holds("domain_of_queue", 0, p.Queue.Data.Domain)
	queues.Write(block.Change{When: m.Let("sets_queue", k.pipe.Valid(checkSet).And(k.isQueue.At(checkSet))), Stream: sh.queue.At(checkSet),
		Word: hdl.Pack(queueSetup{hdl.Ones(1), domain.At(checkSet)})})
	early := func(v *block.Signal) hdl.Value { return v.At(checkSet + 1) }
	setup := hdl.LetOf(m, "set_queue", hdl.Unpack(queueSetup{hdl.Bits(1), hdl.Bits(xrcDomainBits)}, queues.Read("queue_setup_read", k.pipe.Valid(checkSet), sh.queue.At(checkSet))))
	beyond := k.signal("is_beyond_queues", checkSet, anyAbove(named, sw))
	other := m.Let("is_other_domain", setup.Domain.Ne(k.holds("xrc_domain", checkSet, set.XRCDomain).At(checkSet+1)))
	unknown := m.Let("is_unknown_queue", early(xrc).And(hdl.AnyOf(early(beyond), setup.Exists.Not(), other)))

	m.Note("What is posted, or given back, in the cycle of a lookup is visible from the next cycle on.")
	m.Drive(p.SharedCount.Enable, k.pipe.Valid(checkSet))
	m.Drive(p.SharedCount.Stream, sh.queue.At(checkSet))
	m.Unused("more are never waiting", p.SharedCount.Posted.Value.Slice(31, count))
	use := queueUse{hdl.Bits(count), hdl.Bits(count)}
	sh.context = block.NewContext(m, "queue_use", hdl.Zero(hdl.PackedWidth(use)), k.sweep)
	sh.sequence = sh.context.Stage(k.pipe, checkTakes-2, sh.queue)
	used := hdl.Unpack(use, sh.sequence.Latest("queue_use_of_packet", k.pipe.Valid(checkSet), sh.queue.At(checkSet)))
	m.Unused("it is what is reserved and not returned", used.Taken)
	sh.limit = m.Let("may_be_reserved", p.SharedCount.Posted.Value.Truncate(count).Add(used.Returned))
	sh.reserved = block.NewContext(m, "queue_reserved", hdl.Zero(count), k.sweep).Stage(k.pipe, checkSet, sh.queue)

	room := m.Let("has_room_for_message", k.followMessages(k.state.named).Or(early(set.strong)))
	sh.ownNoRoom = hdl.Zero(1)
	if c.ReceiveDepth > spec.MessageWindow {
		m.Note("falcon_order counts messages of a window of 256 (I-72).")
		sh.ownNoRoom = room.Not()
	}
	checks := k.checks(checkSet)
	readable := k.signal("is_whole_request", checkSet, hdl.AllOf(set.addressed.At(checkSet), is.push.At(checkSet), set.badOpcode.At(checkSet).Not(), checks.ShortHeaders.Not()))
	wants := m.Let("wants_shared_receive", hdl.AllOf(early(readable), early(is.receives), early(sh.shares)))
	message := m.Let("message_wants_shared", wants.And(early(set.ud).Not()))
	sh.message = k.signal("message_may_take", checkSet+1, message.And(unknown.Not()))
	sh.datagram = k.signal("datagram_may_take", checkSet+1, hdl.AllOf(wants, early(set.ud), early(set.dropped).Not()))
	sh.noRoom = k.signal("message_has_no_room", checkSet+1, message.And(room.Not()))
	sh.unknown = k.signal("message_has_unknown_queue", checkSet+1, hdl.AllOf(early(xrc), early(is.receives), unknown, room))
}

// findMessage finds the latest message in the place of a packet's RMSN, and in stage checkCounted whether it is the message of the packet, of which another one
// has arrived before. Whether that is so is tested a stage before.
func (k *check) findMessage() {
	m, c, s := k.m, k.c, &k.state
	r := block.IndexWidth(c.ReceiveDepth)
	m.Section("The message of a packet")
	of := hdl.Mux(k.isOpening.At(checkTaken), wide(k.number.At(checkTaken), r), s.named.At(checkTaken).Truncate(r))
	place := k.signal("message_slot_place", checkTaken, hdl.Cat(k.stream.At(checkTaken), of))
	proto := messageSlotOf(c)
	k.messages = block.NewNumbered(m, "message_slot", hdl.Bits(hdl.PackedWidth(proto)), k.stream.At(checkTaken).Width()+r).Stage(k.pipe, checkCounted-2, place)
	k.slot = hdl.LetOf(m, "slot", hdl.Unpack(proto, k.messages.Now))
	turn := s.named.At(checkCounted-1).Slice(31, r)
	joins := m.Wire("joins_message", 1)
	k.joins = joins
	k.begun = k.messages.Early("message_is_begun", hdl.Select(m.Let("is_turn_of_slot", turn.Eq(k.slot.Turn)), hdl.When{Cond: k.isOpening.At(checkCounted), Then: hdl.Zero(1)},
		hdl.When{Cond: joins.Value, Then: m.Let("is_turn_of_packet_ahead", turn.Eq(s.named.At(checkCounted).Slice(31, r)))}),
		func(word hdl.Value) hdl.Value { return turn.Eq(hdl.Unpack(proto, word).Turn) })
}

// reserve reserves a receive for a message that begins, in stage checkCounted. Of a QP that takes no requests none is needed.
func (k *check) reserve(open, behind hdl.Value) {
	m, sh, c := k.m, &k.shared, k.c
	at := func(v *block.Signal) hdl.Value { return v.At(checkCounted) }
	m.Section("A receive of a shared queue is reserved for a message that begins")
	count := countBits(c)
	isNone := func(word hdl.Value) hdl.Value { return word.Eq(sh.limit) }
	sh.reserves = m.Wire("reserves_receive", 1)
	now := sh.reserved.Now
	next := m.Let("reserved_behind", now.Plus(1))
	none := sh.reserved.Early("has_no_receive", hdl.Select(m.Let("has_none_before", isNone(now)), hdl.When{Cond: at(k.isQueue), Then: sh.limit.IsZero()},
		hdl.When{Cond: sh.reserves.Value, Then: m.Let("has_none_behind", isNone(next))}), isNone)
	sh.none = none
	begins := k.begun.Not()
	sh.noQueue = k.signal("has_no_shared_queue", checkCounted, hdl.Mux(begins, at(sh.unknown), hdl.AllOf(at(k.set.xrcTarget), at(k.is.receives), k.slot.Unknown)))
	sh.waits = k.signal("message_lacks_shared", checkCounted, begins.And(at(sh.noRoom).Or(at(sh.message).And(none))))
	sh.finds = k.signal("datagram_finds_shared", checkCounted, at(sh.datagram).And(none.Not()))
	mayTake := m.Let("may_take_now", hdl.AllOf(at(sh.message), begins, at(sh.noRoom).Not()).Or(at(sh.datagram)))
	m.Drive(sh.reserves.Out(), hdl.AllOf(mayTake, none.Not(), open, behind.Not()))
	sh.mayTake = k.holds("reserves_receive", checkCounted, sh.reserves.Value)
	sh.reserved.Decide(m, hdl.Select(now, hdl.When{Cond: at(k.isQueue), Then: hdl.Zero(count)}, hdl.When{Cond: sh.reserves.Value, Then: next}))
}

// heldReceive is a receive of a shared queue that a message has taken.
type heldReceive struct {
	Entry engine.RingEntry
	Queue hdl.Value // its number
}

// takeShared takes the receive that is reserved, unless an earlier rule is broken, and looks up what a message has taken. The
// result is the entry in stage checkTakes+1, and of a shared one the number of its queue.
func (k *check) takeShared(own hdl.Value) (entry, queue hdl.Value) {
	m, p, c, sh, s := k.m, k.p, k.c, &k.shared, k.state
	const taken = checkTakes + 1
	at := func(v *block.Signal) hdl.Value { return v.At(checkNumbered) }
	m.Section("The receive of a shared queue is taken; a message keeps it until it is over")
	sh.takes = k.signal("takes_shared_receive", checkNumbered, at(sh.mayTake).And(hdl.AnyOf(at(s.wrongSN), at(s.outOfPlace), at(s.wrongMessage)).Not()))
	now := hdl.LetOf(m, "queue_use_now", hdl.Unpack(queueUse{hdl.Bits(countBits(c)), hdl.Bits(countBits(c))}, sh.sequence.Now))
	takes := sh.takes.At(checkTakes)
	next := m.Let("taken_behind", now.Taken.Plus(1))
	returns := m.Let("returns_receive", sh.mayTake.At(checkTakes).And(takes.Not()))
	use := hdl.Pack(queueUse{hdl.Mux(takes, next, now.Taken), now.Returned.Add(returns.ZeroExtend(now.Returned.Width()))})
	sh.sequence.Decide(m, m.Let("use_behind", use.And(k.isQueue.At(checkTakes).Not().Replicate(use.Width()))))
	slot := block.IndexWidth(c.ReceiveDepth)
	m.Drive(p.SharedRing.Enable, k.pipe.Valid(checkTakes))
	m.Drive(p.SharedRing.Stream, sh.queue.At(checkTakes))
	m.Drive(p.SharedRing.Slot, now.Taken.Truncate(slot))
	m.Unused("read by itself before", p.SharedRing.Posted.Value)
	m.Drive(p.SharedConsumed.Valid, m.Let("consumes_shared", k.pipe.Valid(taken).And(sh.takes.At(taken))))
	m.Drive(p.SharedConsumed.Stream, sh.queue.At(taken))
	m.Drive(p.SharedConsumed.Count, k.holds("taken_behind", checkTakes, next).At(taken))

	proto := heldReceive{engine.ListedEntryOf(c), hdl.Bits(sh.queue.At(taken).Width())}
	shared := hdl.Pack(heldReceive{hdl.Unpack(proto.Entry, p.SharedRing.Entry.Value), sh.queue.At(taken)})
	place := func(stage int) hdl.Value { return hdl.Cat(k.stream.At(stage), s.rmsn.At(stage).Truncate(slot)) }
	kept := m.Memory("taken_receives", hdl.PackedWidth(proto), c.Streams*c.ReceiveDepth)
	kept.Write(m.Let("keeps_receive", k.pipe.Valid(taken).And(sh.takes.At(taken))), place(taken), shared)
	held := kept.Read("taken_receive_q", k.pipe.Valid(checkTakes), place(checkTakes), hdl.ReadNew)
	has := hdl.Unpack(proto, m.Let("shared_receive", hdl.Mux(sh.takes.At(taken), shared, held)))
	m.Note("Only a QP that takes its receives from a shared queue does.")
	return hdl.Mux(sh.shares.At(taken), hdl.Pack(has.Entry), own), has.Queue
}
