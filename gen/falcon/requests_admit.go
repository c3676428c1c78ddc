package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// decide lets candidates leave, or not.
func (u *requests) decide(k candidate, tags *block.Signal, dead, deadTag hdl.Reg, packets block.Reserved[engine.TxMessage], nudges block.Reserved[nudge]) {
	m, c, p, pipe := u.Module, u.c, u.p, u.pipe
	length, used := u.price(k)
	judged := u.lookUp(k, used)

	m.Section("Does it leave? The first one that does not ends its turn")
	at := func(s *block.Signal) hdl.Value { return s.At(admitted) }
	valid := pipe.Valid(admitted)
	is := hdl.Unpack(judgementOf(), at(judged))
	may := m.Let("may_act", valid.And(dead.Not()))
	skips, goes := m.Let("skips_rest", may.And(is.Skips)), m.Let("goes", may.And(is.Goes))
	isDead := m.Let("is_dead", dead.Or(is.Stops))
	m.OnClock(hdl.If(valid, dead.Set(isDead.And(at(k.ends).Not())), deadTag.Set(at(tags))))

	m.Section("The state of the QP after it; falcon_transactions knows of it")
	plus := func(v, is hdl.Value) hdl.Value { return v.Add(is.ZeroExtend(v.Width())) }
	over, sent := at(k.messageEnds), at(k.skips).Not()
	m.Note("An unfit message counts as one packet, which its failure completes.")
	elementEnds := at(k.elementEnds)
	number, index := m.Let("number_behind", plus(at(k.number), over)), m.Let("index_behind", at(k.index).Plus(1).And(elementEnds.Not().Replicate(indexBits(c))))
	element, count := m.Let("element_behind", hdl.Mux(elementEnds, at(k.next), at(k.element))), m.Let("sent_behind", plus(at(k.sent), sent))
	m.Note("No more of a broken Read is asked for, of whichever element.")
	stays := m.Let("stays_broken", at(k.broken).And(over.Not()))
	state := sendState{Number: number, Element: element, Index: index, Begun: over.Not(), Last: at(k.lastNext), Sent: count.And(over.Not().Replicate(openBits(c))), Broken: stays, SN: plus(at(k.sn), sent), Place: plus(at(k.place), sent),
		SendRMSN: plus(at(k.sendRMSN), over.And(at(k.numbered))), PullRMSN: plus(at(k.pullRMSN), sent.And(at(k.pull)))}
	broken := sendState{Number: at(k.number), Element: at(k.element), Sent: at(k.sent), Index: at(k.index), Begun: at(k.begun), Last: at(k.last), Broken: hdl.Ones(1), SN: at(k.sn), Place: at(k.place), SendRMSN: at(k.sendRMSN), PullRMSN: at(k.pullRMSN)}
	word := m.Let("state_behind", hdl.Mux(is.Breaks, hdl.Pack(broken), hdl.Pack(state)))
	u.writeState = func(state, credits block.Change) {
		u.states.Write(state, block.Change{When: m.Let("changes_state", may.And(hdl.AnyOf(is.Breaks, is.Skips, is.Goes))), Stream: at(k.stream), Word: word})
		u.used.Write(credits, block.Change{When: goes, Stream: at(k.stream), Word: at(used)})
	}
	m.Drive(p.Take, goes)
	m.Drive(p.Taken, hdl.Pack(taken{Stream: at(k.stream), CID: at(k.cid), Place: at(k.place), Parity: is.Parity.Not(), IsPull: at(k.pull),
		Pull: at(k.pullRMSN).Truncate(pullBits(c)), PullParity: is.PullParity.Not()}))
	over = m.Let("message_is_over", skips.Or(goes).And(over))
	message := endedMessage{Stream: at(k.stream), Number: at(k.number), IsPull: at(k.pull), Packets: plus(at(k.sent), sent.Or(at(k.unfit)))}
	u.tellOver = func(when hdl.Value, other endedMessage) {
		m.Drive(p.Over, over.Or(when))
		m.Drive(p.EndedMessage, hdl.Mux(when, hdl.Pack(other), hdl.Pack(message)))
	}
	tells := m.Let("nudges", may.And(is.Tells))
	nudges.Drive(pipe.Valid(0), valid.And(tells.Not()), tells, nudge{at(k.stream), at(k.number), is.Unfit, at(k.refused)})
	u.settle(k, isDead, m.Let("retries_now", may.And(is.Retries)), m.Let("fails_now", may.And(is.Fails)))
	u.build(k, goes, length, packets)
}

// low is v in another width.
func low(v hdl.Value, width int) hdl.Value {
	if v.Width() < width {
		return v.ZeroExtend(width)
	}
	return v.Truncate(width)
}

// judgement is what becomes of a candidate, if nothing ahead of it has ended its turn.
type judgement struct {
	Breaks, Skips, Goes hdl.Value // its message turns out to be in error; no more of that is sent; it leaves
	Stops               hdl.Value // neither of the latter
	Retries             hdl.Value // another turn is needed in any case
	Tells               hdl.Value // falcon_transactions must look at its message
	Unfit               hdl.Value // which fails
	Fails               hdl.Value // its QP is in Error

	Parity, PullParity hdl.Value
}

func judgementOf() judgement {
	bit := hdl.Bits(1)
	return judgement{bit, bit, bit, bit, bit, bit, bit, bit, bit, bit}
}

// price measures a candidate, and adds what it costs to what its connection has used: FTP 8.2.3.
func (u *requests) price(k candidate) (length, used *block.Signal) {
	m, c, pipe := u.Module, u.c, u.pipe
	unit := block.IndexWidth(profileOf(c).BufferOctets)
	if profileOf(c).BufferOctets == 1 {
		unit = 0
	}
	m.Section("Octets and buffers of the packet; of a pull, those of its response")
	whole, width := hdl.Const(payloadBits(c), uint64(c.MaxPayload)), payloadBits(c)
	octets := m.Let("payload_octets", hdl.Mux(k.last.At(0), k.lastLength.At(0), whole).And(k.inError.At(0).Not().Replicate(width)))
	length = pipe.Holds("length", 0, octets)
	header := m.Let("header_octets", hdl.Mux(k.messageEnds.At(0), k.headers.At(0), k.ahead.At(0)))
	words := m.Let("payload_words", octets.ZeroExtend(lengthBits).Plus(3).Slice(lengthBits-1, 2))
	u.total = pipe.Signal("total_words", 0, words.Add(header.Slice(headerBits-1, 2).ZeroExtend(lengthBits-2)))
	m.Unused("headers are whole words", header.Truncate(2))
	all := hdl.Cat(u.total.At(measured), hdl.Zero(2))
	buffers := pipe.Signal("buffers", measured, all.Plus(uint64(profileOf(c).BufferOctets-1)).Slice(lengthBits-1, unit).ZeroExtend(creditBits))

	m.Section("Credits that the connection has used with it")
	reg := hdl.NewRegOf(m, "used_before", creditCount(), hdl.NoReset)
	one := hdl.Const(creditBits, 1)
	cost := CreditCount{TxPackets: one, TxBuffers: hdl.Mux(k.pull.At(priced), one, buffers.At(priced)), RxPackets: one,
		RxBuffers: buffers.At(priced).And(k.pull.At(priced).Replicate(creditBits))}
	before := hdl.Unpack(creditCount(), m.Let("used_now", hdl.Mux(k.first.At(priced), k.used.At(priced), hdl.Pack(reg.Q))))
	with := before.plus(cost)
	counts := hdl.AnyOf(k.void.At(priced), k.skips.At(priced), k.datagram.At(priced)).Not()
	sum := m.Let("used_with_it", hdl.Pack(with))
	m.OnClock(hdl.If(pipe.Valid(priced), reg.Set(hdl.Unpack(creditCount(), hdl.Mux(counts, sum, hdl.Pack(before))))))
	return length, pipe.Holds("used", priced, hdl.Mux(k.datagram.At(priced), hdl.Pack(before), sum))
}

// lookUp asks for all that a candidate waits for.
func (u *requests) lookUp(k candidate, used *block.Signal) *block.Signal {
	m, c, p, pipe := u.Module, u.c, u.p, u.pipe
	m.Section("What it waits for")
	at := func(s *block.Signal) hdl.Value { return s.At(summed) }
	m.Drive(p.Look, pipe.Valid(summed))
	m.Drive(p.LookFor, hdl.Pack(lookFor{Stream: at(k.stream), Slot: at(k.number).Truncate(numberBits(c) - 1), CID: at(k.cid), Place: at(k.place),
		Pull: at(k.pullRMSN).Truncate(pullBits(c)), Oldest: at(k.oldest)}))
	granted := hdl.Unpack(creditCount(), u.granted.Latest("granted_now", pipe.Valid(summed), at(k.cid)))
	at = func(s *block.Signal) hdl.Value { return s.At(lookedUp) }
	is := hdl.LetOf(m, "known", hdl.Unpack(knownOf(c), p.Known.Value))
	xoff := u.laterBit("xoff_q", p.Xoff.Value)
	left := hdl.LetOf(m, "left", granted.minus(hdl.Unpack(creditCount(), at(used))))
	m.Unused("only their signs matter", left.TxPackets.Truncate(creditBits-1), left.TxBuffers.Truncate(creditBits-1), left.RxPackets.Truncate(creditBits-1), left.RxBuffers.Truncate(creditBits-1))
	pulls := m.Let("has_open_pulls", is.Pulls.Ne(low(at(k.pullRMSN), pullBits(c)+1)))
	waits := m.Let("has_to_wait", hdl.AnyOf(xoff, is.Open, is.PullOpen.And(at(k.pull)), pulls.And(at(k.fence)), left.negative()))
	real := at(k.void).Not()
	alive := m.Let("qp_is_alive", real.And(is.Failed.Not()))
	wrong := is.InError.And(at(k.broken).Not())
	fine := m.Let("message_is_fine", alive.And(wrong.Not()))
	m.Note("An unfit message waits as its first packet would, but neither for a place nor for credits; so does an element without a packet.")
	inTurn := m.Let("unfit_in_turn", xoff.Or(pulls.And(at(k.fence))).Not())
	unfit := m.Let("unfit_fails", hdl.AllOf(fine, at(k.unfit), inTurn))
	skips := m.Let("may_skip", hdl.AllOf(fine, at(k.skips), at(k.unsent).Not().Or(inTurn)))
	goes := m.Let("may_leave", hdl.AllOf(fine, at(k.skips).Or(at(k.unfit)).Not(), waits.Not()))
	breaks := m.Let("finds_error", alive.And(wrong))
	m.Note("A message in error goes on, and so does what xoff has stopped.")
	return pipe.Holds("judgement", lookedUp, hdl.Pack(judgement{Breaks: breaks, Skips: skips, Goes: goes, Stops: m.Let("must_stop", hdl.AllOf(real, skips.Not(), goes.Not())),
		Retries: m.Let("must_retry", breaks.Or(hdl.AllOf(alive, xoff, skips.Not()))), Tells: m.Let("must_tell", hdl.AnyOf(skips.And(at(k.messageEnds)), unfit, real.And(is.Failed))), Unfit: unfit, Fails: real.And(is.Failed), Parity: is.Parity, PullParity: is.PullParity}))
}

// settle ends a turn: its token is taken back if the QP has nothing to send or has to wait, as in the turn before, and has not been woken
// since the turn began.
func (u *requests) settle(k candidate, isDead, retries, fails hdl.Value) {
	m, pipe := u.Module, u.pipe
	m.Section("End of a turn, two cycles later")
	isDead, retries = pipe.Holds("was_dead", admitted, isDead).At(settledTurn), pipe.Holds("retries_then", admitted, retries).At(settledTurn)
	at := func(s *block.Signal) hdl.Value { return s.At(settledTurn) }
	latest := hdl.Unpack(wakingsOf(), u.wakes.Latest("woken_since", pipe.Valid(admitted), k.stream.At(admitted)))
	m.Unused("the token exists", latest.Created)
	stream, reads := k.stream.At(wakingsRead), pipe.Valid(wakingsRead)
	retired, waited := u.retired.Read("retired_before", reads, stream), u.waits.Read("waited_before", reads, stream)
	ends := m.Let("ends_here", pipe.Valid(settledTurn).And(at(k.ends)))
	m.Note("A turn of no packet at all says nothing.")
	u.waits.Write(block.Change{When: ends.And(at(k.first).And(at(k.void)).Not()), Stream: at(k.stream), Word: isDead})
	now := func(name string, stage int) hdl.Value {
		return m.Let(name, u.woken.is.And(u.woken.stream.Eq(k.stream.At(stage))))
	}
	changed := pipe.Signal("has_changed", wakingsRead, latest.Count.Ne(k.seen.At(wakingsRead)).Or(now("is_woken_then", wakingsRead))).At(settledTurn)
	changed = m.Let("has_changed_since", changed.Or(now("is_woken_now", settledTurn)))
	ever := func(name string, now hdl.Value) hdl.Value { // in this turn
		before := m.Reg(name+"_q", 1, hdl.ResetTo(0))
		is := m.Let(name, before.Or(now))
		m.OnClock(hdl.If(pipe.Valid(settledTurn), before.Set(is.And(at(k.ends).Not()))))
		return is
	}
	again, failed := ever("retries", retries), ever("has_failed", pipe.Holds("fails_then", admitted, fails).At(settledTurn))
	rests := m.Let("rests", hdl.AllOf(hdl.Mux(isDead, waited.Or(failed), at(k.idle)), again.Not(), changed.Not()))
	u.retired.Write(block.Change{When: m.Let("retires", ends.And(rests)), Stream: at(k.stream), Word: retired.Not()})
	u.push(u.again, m.Let("goes_again", ends.And(rests.Not())), at(k.stream))
}
