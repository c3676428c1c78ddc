package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// qpState is what is counted of a QP: one word of a memory. Numbers are the next ones; those with windows are kept elsewhere.
type qpState struct {
	Domain  hdl.Value // protection domain
	SN      hdl.Value `hdl:"sn"`   // strongly ordered
	RMSN    hdl.Value `hdl:"rmsn"` // of messages that take a receive, strongly ordered; of datagrams
	Pull    hdl.Value // RMSN of pulls, strongly ordered
	Pulls   hdl.Value // pulls that count, modulo the numbers of requests, as those that are answered
	Offset  hdl.Value // octets of the present Send if all its packets had one MTU, strongly ordered
	RNR     hdl.Value `hdl:"rnr"` // strongly ordered: the request with SN got RNR
	Sending hdl.Value // strongly ordered: inside a Send
	Writing hdl.Value // strongly ordered: inside a Write
	Forgets hdl.Value // numbers of windows are being forgotten: none counts
	Failed  hdl.Value // in Error, and nothing waits any more for the request with SN
	Open    hdl.Value // opened: it may take receives of a shared queue unless it has failed
}

func qpStateOf(c engine.Config) qpState {
	bit, word := hdl.Bits(1), hdl.Bits(32)
	return qpState{Domain: hdl.Bits(engine.DomainBits), SN: word, RMSN: word, Pull: word, Pulls: hdl.Bits(engine.NumberBits(c)), Offset: word, RNR: bit, Sending: bit, Writing: bit, Forgets: bit, Failed: bit, Open: bit}
}

func freshQPState(c engine.Config, domain, forgets, open hdl.Value) qpState {
	one, no := hdl.Const(32, 1), hdl.Zero(1)
	return qpState{Domain: domain, SN: one, RMSN: one, Pull: one, Pulls: hdl.Zero(engine.NumberBits(c)), Offset: hdl.Zero(32), RNR: no, Sending: no, Writing: no, Forgets: forgets, Failed: no, Open: open}
}

// checkState is the state of the QP in stage checkCounted, and what follows from it.
type checkState struct {
	qpState
	retries, counts                  *block.Signal // the request gets RNR; its numbers count
	noReceive, noIRRQ, behind        *block.Signal
	lacks                            *block.Signal // a receive: it gets RNR
	wrongSN, wrongPull, wrongMessage *block.Signal // the number is not allowed
	outOfPlace                       *block.Signal // strongly ordered: it does not continue what came before
	earlierSN                        *block.Signal // it has arrived before
	life                             *block.Signal // of the QP: the number of a pull for its credit
	forgets                          *block.Signal // the QP is being opened or closed
	rmsn                             *block.Signal // of the message; of a datagram its number
	slot                             *block.Signal // of the receive in the ring
	sn, named, isNext, asks          *block.Signal // SN; RMSN of the packet; the SN is the next one; a pull counts
}

// count looks up the state of the QP and advances it as if nothing but the cause of an RNR were wrong: what is fatal ends the QP, and other
// errors count.
func (k *check) count() {
	m, p, c, is, set := k.m, k.p, k.c, k.is, k.set
	at := func(v *block.Signal) hdl.Value { return v.At(checkCounted) }
	sn, rmsn := k.sn, k.state.named
	r := block.IndexWidth(c.ReceiveDepth)

	m.Section("State of the QPs")
	m.Note("The sweep writes zeros; they have no meaning before the QP is opened.")
	context := block.NewContext(m, "qp_state", hdl.Zero(hdl.PackedWidth(qpStateOf(c))), k.sweep).Stage(k.pipe, checkSet, k.stream)
	now := hdl.LetOf(m, "now", hdl.Unpack(qpStateOf(c), context.Now))

	m.Section("Receives that are posted, and pulls that are answered; a change in the cycle of a lookup is visible from the next cycle on")
	m.Drive(p.RingCount.Enable, k.pipe.Valid(checkSet))
	m.Drive(p.RingCount.Stream, k.stream.At(checkSet))
	m.Note("A datagram has no number: it takes the next receive, if there is one.")
	posted := k.signal("first_not_posted", checkSet+1, p.RingCount.Posted.Value.Truncate(r+1).Plus(1))
	early := func(v *block.Signal) hdl.Value { return v.At(checkSet + 1) }
	takes := m.Let("may_take_receive", early(is.push).And(early(is.receives)))
	pushing := k.signal("is_addressed_push", checkSet+1, early(set.addressed).And(early(is.push)))
	sending := k.signal("is_addressed_send", checkSet+1, hdl.AllOf(early(set.addressed), early(is.push), early(is.send)))
	staysInSend, staysInWrite := k.signal("stays_in_send", checkSet+1, early(is.send).And(early(is.ends).Not())), k.signal("stays_in_write", checkSet+1, early(is.write).And(early(is.ends).Not()))
	ending := k.signal("ends_received_message", checkSet+1, hdl.AllOf(early(set.addressed), takes, early(set.ud).Not(), early(is.ends)))
	datagram := k.signal("is_datagram", checkSet+1, takes.And(early(set.ud)))
	ownDatagram := k.signal("is_own_datagram", checkSet+1, hdl.AllOf(takes, early(set.ud), early(set.addressed), early(set.dropped).Not(), early(k.shared.shares).Not()))
	asks := k.signal("is_connected_pull", checkSet+1, hdl.AllOf(early(set.addressed), early(is.pull), early(set.ud).Not()))
	inOrder := k.signal("is_for_strong_qp", checkSet+1, early(set.addressed).And(early(set.strong)))
	lacks := k.signal("is_not_posted", checkSet+1, hdl.AllOf(takes, early(set.addressed), early(set.ud).Not(), early(k.shared.shares).Not(), p.RingCount.Posted.Value.Sub(early(rmsn)).Bit(31).Or(k.shared.ownNoRoom)))

	m.Section("Causes of an RNR")
	signal := func(name string, v hdl.Value) *block.Signal { return k.signal(name, checkCounted, v) }
	s := checkState{qpState: now}
	m.Note("Whether it is the next SN is tested on both that the packet ahead may leave.")
	ahead, counting, asking := early(sn), m.Wire("sn_counts", 1), m.Wire("pull_is_asked", 1)
	behindIt, same := m.Let("is_after_next", ahead.Eq(now.SN.Plus(1))), m.Let("is_same_as_next", ahead.Eq(now.SN))
	isNext := context.Early("is_next_sn", hdl.Select(same, hdl.When{Cond: at(k.isOpening), Then: ahead.Is(1)}, hdl.When{Cond: counting.Value, Then: behindIt}),
		func(word hdl.Value) hdl.Value { return ahead.Eq(hdl.Unpack(qpStateOf(c), word).SN) })
	s.behind = signal("is_behind_rnr", hdl.AllOf(at(inOrder), now.RNR, isNext.Not(), now.Failed.Not()))
	full := func(pulls hdl.Value) hdl.Value {
		return hdl.Const(engine.NumberBits(c), uint64(c.IRD)).Le(pulls.Sub(k.answered))
	}
	isFull := context.Early("irrq_is_full", hdl.Select(m.Let("is_full_before", full(now.Pulls)), hdl.When{Cond: at(k.isOpening), Then: hdl.Zero(1)},
		hdl.When{Cond: asking.Value, Then: m.Let("is_full_behind", full(now.Pulls.Plus(1)))}),
		func(word hdl.Value) hdl.Value { return full(hdl.Unpack(qpStateOf(c), word).Pulls) })
	s.noIRRQ = signal("finds_irrq_full", at(asks).And(isFull))
	k.reserve(m.Let("may_take_shared", now.Open.And(now.Failed.Not())), at(s.behind))
	waits := m.Let("waits_for_receive", at(lacks).Or(at(k.shared.waits)))
	s.lacks = signal("has_to_wait", waits.And(now.Failed.Not()))
	s.retries = signal("gets_rnr", hdl.AnyOf(at(s.behind), at(s.noIRRQ), at(s.lacks)))
	s.counts = signal("counts", at(set.addressed).And(at(s.retries).Not()))
	m.Drive(counting.Out(), at(inOrder).And(at(s.retries).Not()))
	m.Drive(asking.Out(), at(asks).And(at(s.retries).Not()))
	none := m.Let("no_datagram_fits", at(posted).Eq(now.RMSN.Truncate(r+1)))
	finds := m.Let("datagram_finds_receive", at(ownDatagram).And(none.Not()).Or(at(k.shared.finds)))
	s.noReceive = signal("finds_no_receive", waits.Or(at(datagram).And(hdl.Mux(at(k.shared.shares), k.shared.none, none))))
	inside := m.Let("is_inside", now.Sending.Or(now.Writing))
	continues := m.Let("continues", hdl.AllOf(at(is.push), at(is.starts).Not(), hdl.Mux(now.Sending, at(is.send), at(is.write))))
	s.outOfPlace = signal("is_out_of_place", at(set.strong).And(hdl.Mux(inside, continues.Not(), at(is.push).And(at(is.starts).Not()))))

	m.Section("The state after it")
	goes := m.Let("goes_on", at(s.retries).Not())
	counts := at(set.addressed).And(goes)
	add := func(name string, v, when hdl.Value) hdl.Value {
		return hdl.Mux(when, m.Let("next_"+name, v.Plus(1)), v)
	}
	pushes := m.Let("push_counts", goes.And(at(pushing)))
	ends := m.Let("message_ends", goes.And(at(ending)))
	mtu := hdl.Const(32, uint64(c.MaxPayload))
	sends := m.Let("send_counts", goes.And(at(sending)))
	offset := m.Let("next_offset", hdl.Mux(at(is.starts), mtu, now.Offset.Add(mtu)))
	message := m.Let("message_counts", finds.Or(ends))
	after := qpState{Domain: now.Domain, SN: add("sn_number", now.SN, counts), RMSN: add("rmsn_number", now.RMSN, message), Pull: add("pull_number", now.Pull, asking.Value), Pulls: add("pulls", now.Pulls, asking.Value),
		Offset: hdl.Mux(sends, offset, now.Offset),
		RNR:    hdl.Mux(at(set.addressed), at(s.retries), now.RNR), Sending: hdl.Mux(pushes, at(staysInSend), now.Sending), Writing: hdl.Mux(pushes, at(staysInWrite), now.Writing), Forgets: now.Forgets, Failed: now.Failed.Or(at(k.isFailure)), Open: now.Open}
	context.Decide(m, hdl.Mux(at(k.isOpening), hdl.Pack(freshQPState(c, at(k.domain), at(k.lastTurn).Not(), at(k.opens).And(at(k.lastTurn)))), hdl.Pack(after)))
	s.life, s.rmsn = k.signal("life", checkSet+1, k.life), signal("message_rmsn", hdl.Mux(at(set.ud), now.RMSN, at(rmsn)))
	s.slot = signal("slot_in_ring", at(s.rmsn).Truncate(r).Minus(1))
	s.sn, s.named, s.isNext = sn, rmsn, k.holds("is_next", checkCounted, isNext)
	s.asks, s.forgets = k.holds("pull_counts", checkCounted, asking.Value), k.holds("forgets", checkCounted, now.Forgets)
	k.state = s
}
