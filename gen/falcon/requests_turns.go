package falcon

import (
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// sendTurn is a QP that has its turn.
type sendTurn struct {
	Stream hdl.Value
	CID    hdl.Value `hdl:"cid"`
	Verbs  hdl.Value // its errors are Verbs compatible
	Pulls  pullLimit
	Seen   hdl.Value   // times that it had been woken
	State  sendState   `hdl:"-"`
	Used   CreditCount `hdl:"used_credits"`
	Info   info        // of its next message
	Has    hdl.Value   // there is one
	Alone  hdl.Value   // there is none after it
	Final  hdl.Value   // the next packet is the last one of that, or of its element
}

func sendTurnOf(c engine.Config) sendTurn {
	return sendTurn{Stream: hdl.Bits(block.IndexWidth(c.Streams)), CID: profileOf(c).cid(), Verbs: hdl.Bits(1), Pulls: pullLimitProto(c), Seen: hdl.Bits(wakeBits), State: sendStateOf(c), Used: creditCount(), Info: infoOf(c), Has: hdl.Bits(1), Alone: hdl.Bits(1), Final: hdl.Bits(1)}
}

// Stages of the pipeline of candidates, by what is known from there on.
const (
	measured = 1 // octets of the packet
	priced   = 2 // what it costs
	summed   = 3 // what the connection has used with it
	lookedUp = 4 // whether it may leave
	admitted = 5 // whether it leaves

	wakingsRead = 6 // whether its QP has been woken since its turn began
	settledTurn = 7 // whether its turn is the last one for now
)

// tagBits is the width of the number of a turn in the pipeline.
const tagBits = 3

// candidate is a packet that may leave. Void: none; the turn ends here at the latest.
type candidate struct {
	stream, cid, seen, number, index    *block.Signal
	element, next, sent, elementEnds    *block.Signal // no packet of its element, or of its push, follows
	sn, place, sendRMSN, pullRMSN       *block.Signal
	oldest                              *block.Signal // place of the pull that must be over before this one leaves
	first, ends, void, idle             *block.Signal // first and last of its turn; the QP has nothing more
	skips, inError, messageEnds         *block.Signal // no packet, but no more of the message is sent; it has CE = 1
	unfit, refused                      *block.Signal // no packet; unless it skips, its QP ends
	unsent                              *block.Signal // that, or an element without a packet: it waits for its turn
	pull, numbered, fence, last, broken *block.Signal
	datagram                            *block.Signal
	begun, lastNext                     *block.Signal
	lastLength, headers, ahead          *block.Signal
	used                                *block.Signal // packed, at the beginning of the turn
}

// turns gives turns to QPs, and makes a candidate per cycle of what a QP sends next. Whether it leaves is decided later; until then it is
// assumed, and if it does not leave, nothing after it in the turn leaves either.
func (u *requests) turns() {
	m, c := u.Module, u.c
	given := u.load()
	packets := block.NewWideReserved(m, "packet", packetDepth, engine.TxMessageOf(c), u.p.Packet)
	nudges := block.NewReserved(m, "nudge", packetDepth, nudgeOf(c), u.p.Nudge)

	m.Section("The QP that has its turn, its next message, and the one after that")
	valid, turn := m.Reg("turn_valid_q", 1, hdl.ResetTo(0)), hdl.NewRegOf(m, "turn", given.Data, hdl.NoReset)
	state, message := hdl.NewRegOf(m, "now", sendStateOf(c), hdl.NoReset), hdl.NewRegOf(m, "info", infoOf(c), hdl.NoReset)
	m.Note("Whether there is a message, whether none is known after it, whether its next packet is the last one, or that of the element of a Read,")
	m.Note("and whether nothing of it is sent after that.")
	has, alone, last, elementEnds := m.Reg("has_message_q", 1, hdl.NoReset), m.Reg("is_alone_q", 1, hdl.NoReset), m.Reg("is_last_q", 1, hdl.NoReset), m.Reg("element_ends_q", 1, hdl.NoReset)
	first, tag := m.Reg("turn_begins_q", 1, hdl.NoReset), m.Reg("turn_tag_q", tagBits, hdl.ResetTo(0))
	free, passes := m.Wire("turn_free", 1), m.Wire("message_passes", 1)
	t, now, is := turn.Q, state.Q, message.Q
	m.Unused("in registers of its own", hdl.Pack(t.State), hdl.Pack(t.Info), t.Has, t.Alone, t.Final, now.Last, is.One, is.Next)
	given.Accept(m, m.Let("takes_turn", free.Value.And(u.holds.Not())))
	g := given.Data
	slotBits := numberBits(c) - 1
	slots := func(n hdl.Value) hdl.Value { return n.Truncate(slotBits) }
	after := m.Reg("place_after_q", numberBits(c), hdl.NoReset)
	nextPlace := m.Wire("following_slot", slotBits)
	readStream := m.Let("read_stream", hdl.Mux(free.Value, g.Stream, t.Stream))
	readSlot := m.Let("read_slot", hdl.Select(slots(after.Value), hdl.When{Cond: free.Value, Then: slots(g.Info.Next)}, hdl.When{Cond: passes.Value, Then: nextPlace.Value}))
	behind := hdl.LetOf(m, "following_info", hdl.Unpack(infoOf(c), u.infos.Read("following_info_q", hdl.Ones(1), hdl.Cat(readStream, readSlot), hdl.ReadOld)))
	m.Drive(nextPlace.Out(), slots(behind.Next))
	count := u.places.ReadBefore("posted_now", hdl.Ones(1), readStream)

	m.Section("Its next packet")
	m.Note("Room for two is room for one a cycle later.")
	room := u.laterBit("has_room_q", packets.Spare.And(nudges.Spare))
	emits := m.Let("emits", valid.And(room))
	dead, deadTag := m.Reg("dead_q", 1, hdl.ResetTo(0)), m.Reg("dead_tag_q", tagBits, hdl.NoReset)
	m.Note("That the turn is over is known a cycle late, which is never of the first packet of the next one.")
	killed := m.Let("is_killed", dead.And(deadTag.Eq(tag.Value)))
	lacks := m.Let("has_none", hdl.Mux(free.Value, g.Has.Not(), has.Not().Or(killed)))
	void := u.laterBit("is_void_q", lacks.Or(u.held))
	m.Note("What follows is in registers, so that no sum is compared.")
	indexAfter := m.Reg("index_after_q", indexBits(c), hdl.NoReset)
	lastNext := m.Let("is_last_next", indexAfter.Eq(is.Behind))
	m.Note("Nothing follows an unfit message if errors are Verbs compatible, unless it is refused.")
	skips := m.Let("skips", hdl.AnyOf(now.Broken.And(is.Pull), is.Unfit.And(t.Verbs.Not().Or(is.Refused)), is.Empty))
	isAll := m.Let("is_all", elementEnds.And(alone.Value))
	sends := m.Let("sends", void.Or(skips).Not())
	fewPulls := m.Let("few_pulls_follow", hdl.Mux(free.Value, g.Info.Pull.And(g.Pulls.Few), hdl.Mux(passes.Value, behind.Pull, is.Pull).And(t.Pulls.Few)))
	limit := u.limits(free.Value, emits, fewPulls, given.Valid, elementEnds.Or(first.Value).Not())
	ends := m.Let("turn_ends", hdl.AnyOf(void, isAll, limit))
	m.Drive(free.Out(), valid.Not().Or(emits.And(ends)))
	advances := m.Let("advances", emits.And(void.Not()))
	m.Drive(passes.Out(), emits.And(elementEnds.Value))
	plus := func(v, is hdl.Value) hdl.Value { return v.Add(is.ZeroExtend(v.Width())) }
	over, messageEnds := elementEnds.Value, m.Let("message_ends", elementEnds.And(is.More.Not()))
	m.Note("No more of a broken Read is asked for: its other elements are skipped.")
	breaksOn := m.Let("breaks_on", now.Broken.And(is.More))
	following := sendState{Number: plus(now.Number, messageEnds), Element: hdl.Mux(over, after.Value, now.Element), Index: indexAfter.And(over.Not().Replicate(indexBits(c))), Begun: messageEnds.Not(), Last: lastNext, Broken: breaksOn,
		Sent: plus(now.Sent, sends).And(messageEnds.Not().Replicate(openBits(c))),
		SN:   plus(now.SN, skips.Not()), Place: plus(now.Place, skips.Not()), SendRMSN: plus(now.SendRMSN, over.And(is.Numbered)), PullRMSN: plus(now.PullRMSN, sends.And(is.Pull))}
	lastAfter := m.Let("is_last_after", hdl.Mux(over, behind.One, lastNext))
	passesOn := m.Let("passes_on", advances.And(over))
	m.Note("A message that is posted in this cycle wakes its QP later.")
	aloneAfter := m.Let("is_alone_after", hdl.Mux(passesOn, behind.Next.Eq(count), after.Eq(count)))
	m.OnClock(
		alone.Set(hdl.Mux(free.Value, g.Alone, aloneAfter)),
		hdl.If(free.Value, valid.Set(given.Valid.And(u.holds.Not())), turn.Set(g), state.Set(g.State), message.Set(g.Info), first.Set(hdl.Ones(1)), tag.Set(tag.Plus(1)),
			has.Set(g.Has), after.Set(g.Info.Next), indexAfter.Set(g.State.Index.Plus(1)), last.Set(g.Final), elementEnds.Set(g.Final.Or(g.State.Broken))).
			ElseIf(advances, state.Set(following), indexAfter.Set(hdl.Mux(over, hdl.Const(indexBits(c), 1), indexAfter.Plus(1))), first.Set(hdl.Zero(1)), last.Set(lastAfter), elementEnds.Set(lastAfter.Or(breaksOn)), hdl.If(over, message.Set(behind), after.Set(behind.Next))))

	pipe := block.NewPipeline(m, emits, settledTurn)
	u.pipe = pipe
	sig := func(name string, v hdl.Value) *block.Signal { return pipe.Holds(name, 0, v) }
	k := candidate{
		stream: sig("stream", t.Stream), cid: sig("cid", t.CID), seen: sig("seen", t.Seen), number: sig("number", now.Number), index: sig("index", now.Index),
		sn: sig("sn", now.SN), place: sig("place", now.Place), sendRMSN: sig("send_rmsn", now.SendRMSN), pullRMSN: sig("pull_rmsn", now.PullRMSN),
		oldest: pipe.Signal("oldest_pull", 0, now.PullRMSN.Truncate(pullBits(c)).Sub(t.Pulls.Back)),
		first:  sig("first", first.Value), ends: sig("ends_turn", ends), void: sig("void", void), idle: pipe.Signal("idle", 0, hdl.Mux(void, has.Not(), isAll)),
		skips: sig("skips", skips), unfit: sig("is_unfit", is.Unfit), refused: sig("is_refused", is.Refused), unsent: pipe.Signal("is_unsent", 0, is.Unfit.Or(is.Empty)), inError: pipe.Signal("is_in_error", 0, now.Broken.And(is.Pull.Not())), messageEnds: sig("ends_message", messageEnds), elementEnds: sig("ends_element", over),
		element: sig("element", now.Element), next: sig("next_element", after.Value), sent: sig("sent_before", now.Sent),
		pull: sig("pull", is.Pull), datagram: sig("is_datagram", is.Free), numbered: sig("numbered", is.Numbered), fence: pipe.Signal("has_fence", 0, is.Fence.And(now.Begun.Not())), last: sig("last", last.Value), begun: sig("begun", now.Begun), lastNext: sig("last_next", lastAfter), broken: sig("broken", now.Broken),
		lastLength: sig("last_length", is.LastLength), headers: sig("headers", is.Headers), ahead: sig("ahead", is.Ahead), used: sig("turn_used", hdl.Pack(t.Used)),
	}
	var used []hdl.Value
	for stage := 1; stage <= settledTurn; stage++ {
		used = append(used, pipe.Valid(stage))
	}
	u.busy = valid.Or(m.Let("pipeline_is_used", hdl.AnyOf(used...)))
	tags := sig("tag", tag.Value)
	u.decide(k, tags, dead, deadTag, packets, nudges)
}

// limits is 1 for the last packet that a turn may have: while another QP waits, and, where the next one may depend on it, before what has
// been sent is looked up again. goesOn is 1 for packets, except the first one of the turn, that do not end their message: they have
// the maximum length. fewPulls is 1 in the cycle before a pull of a QP that may have few.
func (u *requests) limits(free, emits, fewPulls, waits, goesOn hdl.Value) hdl.Value {
	m := u.Module
	if profileOf(u.c).Window < turnPackets {
		m.Unused("a turn has one packet", fewPulls, waits, goesOn)
		return hdl.Ones(1)
	}
	width := bits.Len(uint(turnPackets))
	count, full := m.Reg("turn_packets_q", width, hdl.NoReset), m.Reg("turn_packets_full_q", 1, hdl.NoReset)
	last := m.Let("turn_packets_is_last", emits.And(count.Is(turnPackets-2)))
	next := m.Let("turn_packets_reached", free.Not().And(full.Or(last)))
	m.OnClock(full.Set(next), hdl.If(free, count.Set(hdl.Zero(width))).ElseIf(emits, count.Set(count.Plus(1))))
	others := m.Let("others_wait", waits.Or(u.next.Valid))
	return m.Let("turn_limit", u.laterBit("turn_is_long_q", next.And(others).Or(fewPulls)).Or(goesOn.And(u.laterBit("others_wait_q", others))))
}

// load reads the words of the QP whose turn is next.
func (u *requests) load() hdl.Sink[sendTurn] {
	m, c := u.Module, u.c
	m.Section("Turn: the state of the QP, and how often it has been woken")
	given := hdl.NewStream(m, "given", sendTurnOf(c))
	queue := block.NewWideReserved(m, "turn", 8, sendTurnOf(c), given.Source())
	u.next.Accept(m, queue.Room)
	takes := m.Let("takes_token", u.next.Valid.And(queue.Room))
	stream := u.next.Data.Stream
	pipe := block.NewNamedPipeline(m, "load_", takes, 2)
	of := pipe.Holds("loaded_stream", 0, stream)
	read := func(from block.Context, name string) *block.Signal {
		return pipe.Holds(name, 1, from.ReadAlone(name+"_1", takes, stream))
	}
	stateOf, used := read(u.states, "loaded_state"), read(u.used, "loaded_used")
	is := hdl.Unpack(settingOf(c), u.settings.ReadAlone("loaded_setting", takes, stream))
	seen := hdl.Unpack(wakingsOf(), u.wakes.Latest("seen", takes, stream))
	m.Unused("the token exists; the rest is read later", seen.Created, is.Remote, is.Ahead)
	pulls := pipe.Holds("loaded_pulls", 1, hdl.Pack(is.Pulls))
	cid, verbs, times := pipe.Holds("loaded_cid", 1, is.CID), pipe.Holds("loaded_verbs", 1, is.Verbs), pipe.Holds("loaded_times", 1, seen.Count)
	place := slot(of.At(1), hdl.Unpack(sendStateOf(c), stateOf.At(1)).Element)
	info := hdl.Unpack(infoOf(c), u.infos.Read("loaded_info_q", pipe.Valid(1), place, hdl.ReadOld))
	posted := u.places.ReadBefore("loaded_posted", pipe.Valid(1), of.At(1))
	state := hdl.Unpack(sendStateOf(c), stateOf.At(2))
	queue.Drive(takes, hdl.Value{}, pipe.Valid(2), sendTurn{Stream: of.At(2), CID: cid.At(2), Verbs: verbs.At(2), Pulls: hdl.Unpack(pullLimitProto(c), pulls.At(2)), Seen: times.At(2), State: state, Used: hdl.Unpack(creditCount(), used.At(2)),
		Info: info, Has: state.Element.Ne(posted), Alone: info.Next.Eq(posted), Final: hdl.Mux(state.Begun, state.Last, info.One)})
	pipe.Close()
	next := hdl.NewStream(m, "next_turn", sendTurnOf(c))
	block.Between(m, "upcoming", given.Sink(), next.Source())
	return next.Sink()
}
