package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// wakings counts how often a QP has been woken, and its tokens.
type wakings struct {
	Count   hdl.Value // times
	Created hdl.Value // parity of the tokens created
}

// wakeBits is the width of a count of times: a QP is woken less often in a turn.
const wakeBits = 20

func wakingsOf() wakings { return wakings{hdl.Bits(wakeBits), hdl.Bits(1)} }

// credits adds what Falcon returns, one connection per cycle. The QP of the connection is woken.
func (u *requests) credits() hdl.Sink[token] {
	m, c, p := u.Module, u.c, u.p
	m.Section("Credits that Falcon returns")
	in, out := hdl.NewStream(m, "returned", CreditsOf(c)), hdl.NewStream(m, "credited", tokenOf(c))
	block.Between(m, "next_return", p.Credits, in.Source())
	m.Note("Words of connections count from their set-up on.")
	sweep := unswept(profileOf(c).cid().Width())
	width := hdl.PackedWidth(creditCount())
	granted := block.NewContext(m, "granted_credits", hdl.Zero(width), sweep)
	u.owners = block.NewContext(m, "owners", hdl.Zero(block.IndexWidth(c.Streams)), sweep)
	queue := block.NewReserved(m, "credited", 8, tokenOf(c), out.Source())
	ready := m.Let("takes_credits", queue.Room.And(u.gate.Value.Not()))
	in.Sink().Accept(m, ready)
	takes := m.Let("takes_return", in.Sink().Valid.And(ready))
	r := hdl.NewRegOf(m, "return", in.Sink().Data, hdl.NoReset)
	setup := p.Setup.Data
	m.OnClock(r.Set(in.Sink().Data))
	deciding := u.laterBit("adds_q", takes)
	m.Note("The connection of an XRC target is that of another QP here.")
	connects := m.Let("sets_up_connection", u.sets.And(setup.is(spec.QPXRCTarget).Not()))
	u.granted = granted.Loop(block.LoopUser{Read: takes, Stream: in.Sink().Data.CID, Deciding: m.Let("grants", deciding.Or(connects)),
		Decided: m.Let("granted_cid", hdl.Mux(u.sets.Value, setup.CID, r.Q.CID))})
	now := hdl.Unpack(creditCount(), u.granted.Now)
	u.granted.Decide(hdl.Mux(u.sets.Value, hdl.Pack(setup.Credits), hdl.Pack(now.plus(r.Q.Count))))
	u.owners.Write(block.Change{When: connects, Stream: setup.CID, Word: setup.Stream})
	queue.Drive(takes, hdl.Value{}, deciding, token{u.owners.Read("owner", takes, in.Sink().Data.CID)})
	return out.Sink()
}

// coalesce forwards tokens; one that is of the same QP as the one that waits is not repeated.
func coalesce(m *hdl.Module, name string, in hdl.Sink[token], out hdl.Source[token]) {
	valid, stream := m.Reg(name+"_valid_q", 1, hdl.ResetTo(0)), m.Reg(name+"_stream_q", in.Data.Stream.Width(), hdl.NoReset)
	same, free := m.Let(name+"_is_same", stream.Eq(in.Data.Stream)), m.Let(name+"_free", valid.Not().Or(out.Ready))
	in.Accept(m, free.Or(same))
	m.OnClock(hdl.If(free, valid.Set(in.Valid), stream.Set(in.Data.Stream)))
	out.Drive(m, valid.Value, token{stream.Value})
}

// blocked forwards tokens of QPs that wait. A turn that finds that its QP has to wait says so, and another turn follows before the token
// is taken back: what is over before it says so is found by that turn.
func (u *requests) blocked(name string, in hdl.Sink[token]) hdl.Sink[token] {
	m, c := u.Module, u.c
	out := hdl.NewStream(m, name+"_blocked", tokenOf(c))
	queue := block.NewReserved(m, name+"_queue", 8, tokenOf(c), out.Source())
	in.Accept(m, queue.Room)
	takes := m.Let(name+"_takes", in.Valid.And(queue.Room))
	asks, stream := u.laterBit(name+"_asks_q", takes), u.later(name+"_asks_stream_q", in.Data.Stream)
	waits := u.waits.Read(name+"_waits", takes, in.Data.Stream)
	queue.Drive(takes, asks.And(waits.Not()), asks.And(waits), token{stream})
	return out.Sink()
}

// wake gives QPs a token that may have something to send and have none.
func (u *requests) wake(posts, credits hdl.Sink[token]) {
	m, c := u.Module, u.c
	m.Section("Wake a QP: it has a message, credits, or a transaction is over")
	one := func(name string, in hdl.Sink[token]) hdl.Sink[token] {
		out := hdl.NewStream(m, name+"_wakes", tokenOf(c))
		coalesce(m, name, in, out.Source())
		return out.Sink()
	}
	over := hdl.NewStream(m, "over", tokenOf(c))
	block.Between(m, "next_over", u.p.Wake, over.Source())
	freed := hdl.NewStream(m, "freed", tokenOf(c))
	block.Join(m, "next_freed", one("credit", u.blocked("credit", credits)), one("close", u.blocked("close", over.Sink())), freed.Source())
	woken := hdl.NewStream(m, "woken", tokenOf(c))
	block.Merge(m, "woken_merge", one("post", posts), freed.Sink(), woken.Source())
	next := woken.Sink()
	may := m.Let("may_wake", u.gate.Value.Not())
	next.Accept(m, may)
	reads := m.Let("reads_woken", next.Valid.And(may))
	stream := m.Let("read_token", hdl.Mux(u.gate.Value, u.p.Setup.Data.Stream, next.Data.Stream))
	deciding, decided := u.laterBit("wakes_q", reads), u.later("wakes_stream_q", next.Data.Stream)
	wakings := block.NewContext(m, "wakings", hdl.Zero(hdl.PackedWidth(wakingsOf())), u.sweep)
	m.Note("A set-up asks as well whether its QP has a token.")
	u.wakes = wakings.Loop(block.LoopUser{Read: hdl.Ones(1), Stream: stream, Deciding: deciding, Decided: decided})
	now := hdl.LetOf(m, "had", hdl.Unpack(wakingsOf(), u.wakes.Now))
	has := m.Let("has_token", now.Created.Xor(u.retired.Read("had_retired", hdl.Ones(1), stream)))
	creates := m.Let("creates_token", deciding.And(has.Not()))
	word := wakingsOf()
	word.Count, word.Created = now.Count.Plus(1), now.Created.Xor(creates)
	u.wakes.Decide(hdl.Pack(word))
	u.push(u.new, creates, decided)
	u.woken.is, u.woken.stream = deciding, decided
	u.setupHas = has
}

// setup carries out a set-up once falcon_transactions has emptied the table. Nothing of the QP is in progress, but its token may
// still be on its way: from time to time all that begins is held up until what has begun is over, and if the QP has no token then, its
// words are written.
func (u *requests) setup() {
	m, c, p := u.Module, u.c, u.p
	m.Section("Set-up: the table is emptied, the words are written, the QP may send")
	prepared, written, timer := m.Reg("prepared_q", 1, hdl.ResetTo(0)), m.Reg("written_q", 1, hdl.ResetTo(0)), m.Reg("setup_timer_q", setupBits, hdl.ResetTo(0))
	s := p.Setup.Data
	first := u.later("first_number_q", s.Before.Plus(1))
	p.Prepare.Drive(m, hdl.AllOf(p.Setup.Valid, prepared.Not().Or(written.Value), u.sweep.Done), prepare{Stream: s.Stream, CID: s.CID, Errors: s.Errors, Datagram: s.is(spec.QPUD), Owns: s.is(spec.QPXRCTarget).Not(), First: first.Truncate(pullBits(c) + 1), Opens: written.Value})
	m.Drive(u.gate.Out(), timer.Bit(setupBits-1))
	m.Note("Nothing begins while the timer is in its second half: what was so two cycles before its end is so.")
	idle := u.laterBit("is_idle_q", m.Let("is_idle", u.busy.Or(u.setupHas).Not()))
	sets := u.laterBit("setup_may_q", timer.Is(1<<setupBits-2).And(idle))
	m.Drive(u.sets.Out(), sets)
	opens := m.Let("setup_is_over", written.And(p.Prepare.Ready))
	p.Setup.Accept(m, opens)
	m.OnClock(
		hdl.If(opens, prepared.Set(hdl.Zero(1)), written.Set(hdl.Zero(1))).
			ElseIf(sets, written.Set(hdl.Ones(1))).
			ElseIf(hdl.AllOf(p.Prepare.Ready, p.Setup.Valid, u.sweep.Done), prepared.Set(hdl.Ones(1))),
		timer.Set(hdl.Mux(hdl.AllOf(prepared.Value, written.Not(), sets.Not()), timer.Plus(1), hdl.Zero(setupBits))))
	number, place := u.posted.ReadAlone("setup_posted", hdl.Ones(1), s.Stream), u.places.ReadAlone("setup_place", hdl.Ones(1), s.Stream)
	fresh := sendState{Number: number, Element: place, Sent: hdl.Zero(openBits(c)), Index: hdl.Zero(indexBits(c)), Begun: hdl.Zero(1), Last: hdl.Zero(1), Broken: hdl.Zero(1), SN: first, Place: s.RSN.Truncate(placeBits(c)), SendRMSN: first, PullRMSN: first}
	m.Note("What the QP had posted before is over.")
	u.tellOver(sets, endedMessage{Stream: s.Stream, Number: number.Minus(1), Packets: hdl.Zero(openBits(c)), IsPull: hdl.Zero(1)})
	u.settings.Write(block.Change{When: sets, Stream: s.Stream, Word: hdl.Pack(setting{s.CID, s.Remote, u.later("rsn_ahead_q", s.RSN.Sub(first)), s.Errors.Not(), pullLimitOf(m, c, s.ORD)})})
	u.rules.Write(block.Change{When: sets, Stream: s.Stream, Word: hdl.Pack(rulesFor(s))})
	u.writeState(block.Change{When: sets, Stream: s.Stream, Word: hdl.Pack(fresh)}, block.Change{When: sets, Stream: s.Stream})
}

// setupBits is the width of the time between attempts; half of it is enough for all that has begun to be over.
const setupBits = 6
