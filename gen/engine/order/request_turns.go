package order

import (
	"slices"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// Arrival is an item of request_order without its request.
type Arrival struct {
	Stream   hdl.Value `doc:"number of the stream"`
	Kind     hdl.Value `doc:"0 the end of the stream, 1 its silent end; then the executors, from 2 on"`
	Waits    hdl.Value `doc:"1: the request stays until a later item of its stream releases it"`
	First    hdl.Value `doc:"1: no other waits that may still be released"`
	Releases hdl.Value `doc:"1: no request, all waiting requests of the stream may go on"`
}

// ArrivalOf is the prototype.
func ArrivalOf(c engine.Config) Arrival {
	return Arrival{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Kind: hdl.Bits(c.Kinds().RequestBits()), Waits: hdl.Bits(1), First: hdl.Bits(1), Releases: hdl.Bits(1)}
}

// Turn allows requests of a stream to start: that in Slot, and as many after it as More says.
type Turn struct {
	Stream hdl.Value `doc:"number of the stream"`
	Slot   hdl.Value `doc:"of the first request"`
	Only   hdl.Value `doc:"1: there is no other"`
	More   hdl.Value `doc:"requests after the first one"`
}

// TurnOf is the prototype.
func TurnOf(c engine.Config) Turn {
	return Turn{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Slot: hdl.Bits(engine.QueueSlotBits(c)), Only: hdl.Bits(1), More: hdl.Bits(engine.QueueSlotBits(c))}
}

// RequestTurnsPorts decides which requests may start.
type RequestTurnsPorts struct {
	Arrive hdl.Sink[Arrival]
	Store  hdl.Out `doc:"the item that arrived in the previous cycle is a request, or the end of its stream"`
	Slot   hdl.Out `doc:"its slot"`
	Over   hdl.Sink[engine.Over]
	Turns  []hdl.Named[hdl.Source[Turn]] `hdl:"-"`
}

const requestTurnsDoc = `request_turns decides which requests of the peer may start (RFC 7306 section 7, RFC 5040 section 5.5). Requests of one
stream start in order of arrival. A request of another kind than the one before it starts when all earlier requests
of its stream are over; so does the end of the stream, and a request that drops others that were never released.
Requests of one kind follow each other without waiting. Streams do not wait for each other.

A stream has requests that wait for their turn in its own slots. As long as it has any, it has one token, which is in
one of these places: a list of streams that may have a turn, the pipeline that grants turns, or parked until the last
request of the stream in progress is over. A turn covers one request, or all requests that wait if they are of
one kind. A request that need not wait, of a stream without a token, gets its turn at once.

Items arrive, turns are granted, and requests end at one per cycle each. After reset every stream is cleared, one per
cycle; nothing is accepted meanwhile.`

// RequestTurns moves stream numbers and counts; it sees no request.
func RequestTurns(c engine.Config) hdl.Block[RequestTurnsPorts] {
	ports := RequestTurnsPorts{Arrive: hdl.NewSink(ArrivalOf(c)), Store: hdl.NewOut(1), Slot: hdl.NewOut(engine.QueueSlotBits(c)),
		Over: hdl.NewSink(engine.OverOf(c.Streams))}
	for _, name := range turnNames(c) {
		ports.Turns = append(ports.Turns, hdl.Name(name, hdl.NewSource(TurnOf(c))))
	}
	return hdl.Block[RequestTurnsPorts]{
		Kind: "request_turns", Params: c.Params("streams", "ird", "atomic_depth"), Doc: requestTurnsDoc, Ports: ports,
		Build: func(m *hdl.Module, p RequestTurnsPorts) { buildRequestTurns(m, p, c) },
	}
}

// turnNames are the executors, and the end of the stream, in the order of the bits of a turn.
func turnNames(c engine.Config) (names []string) {
	for _, x := range c.Profile.Executors(c) {
		names = append(names, x.Name)
	}
	return append(names, "end")
}

// arrivals is what is counted of a stream as its items arrive. Counts are modulo a power of two that no stream can reach.
type arrivals struct {
	Came    hdl.Value // requests that may have their turn
	Direct  hdl.Value // of these, those that had it on arrival, when no token was there
	Waiting hdl.Value // requests that have not been released
	Kind    hdl.Value // of the latest request
	Run     hdl.Value // requests before the latest one that differs in kind from the one before it
	Begins  hdl.Value // that one has not been released
	Created hdl.Value // parity of the tokens created
}

func arrivalsOf(c engine.Config) arrivals {
	count := hdl.Bits(engine.RequestCountBits(c))
	return arrivals{Came: count, Direct: count, Waiting: count, Kind: hdl.Bits(c.Kinds().RequestBits()), Run: count, Begins: hdl.Bits(1), Created: hdl.Bits(1)}
}

// granted is what is counted of a stream as turns are granted.
type granted struct {
	Gone    hdl.Value // requests that had their turn while a token was there
	Retired hdl.Value // parity of the tokens retired
}

// parking is the word of a stream as its token is parked.
type parking struct {
	Before hdl.Value // requests that are over when one more has to end: all that had their turn, less 1
	Parity hdl.Value // of the times it was parked
}

// ending is what is counted of a stream as requests end.
type ending struct {
	Over  hdl.Value // requests that are over
	Woken hdl.Value // parity of the times its token was woken
}

// parked is a token that waits until all that was issued is over.
type parked struct{ Stream, Issued hdl.Value }

func grantedOf(c engine.Config) granted {
	return granted{Gone: hdl.Bits(engine.RequestCountBits(c)), Retired: hdl.Bits(1)}
}

func parkingOf(c engine.Config) parking {
	return parking{Before: hdl.Bits(engine.RequestCountBits(c)), Parity: hdl.Bits(1)}
}

func endingOf(c engine.Config) ending {
	return ending{Over: hdl.Bits(engine.RequestCountBits(c)), Woken: hdl.Bits(1)}
}

func parkedOf(c engine.Config) parked {
	return parked{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Issued: hdl.Bits(engine.RequestCountBits(c))}
}

// token names the stream that it belongs to.
type token struct{ Stream hdl.Value }

// turns is what the parts of the block share.
type turns struct {
	*hdl.Module
	c     engine.Config
	p     RequestTurnsPorts
	names engine.RequestKinds

	arrived, granted, parking, ended block.Context
	kinds                            *hdl.Memory // of the request in each slot: {kind, it differs from the one before}

	looks    hdl.Value                      // at a token, in this cycle
	lists    []hdl.Stream[token]            // of streams that may have a turn: new ones, again, woken, not parked after all
	parks    []hdl.Stream[parked]           // tokens to be parked: new ones, and after a turn
	grants   []hdl.Stream[Turn]             // by kind of turn
	granting hdl.Value                      // a turn of a token is stored in this cycle, 1 bit per kind of turn
	takes    struct{ stream, is hdl.Value } // effect, in this cycle
}

// Lists of tokens.
const (
	listNew = iota
	listAgain
	listWoken
	listPassed
)

var listNames = []string{"new", "again", "woken", "passed"}

func buildRequestTurns(m *hdl.Module, p RequestTurnsPorts, c engine.Config) {
	sweep := block.NewSweep(m, block.IndexWidth(c.Streams))
	u := &turns{Module: m, c: c, p: p, names: c.Kinds().NameRequests(m)}
	context := func(name string, width int) block.Context { return block.NewContext(m, name, hdl.Zero(width), sweep) }
	u.arrived, u.granted = context("arrived", hdl.PackedWidth(arrivalsOf(c))), context("granted", hdl.PackedWidth(grantedOf(c)))
	u.parking, u.ended = context("parking", hdl.PackedWidth(parkingOf(c))), context("ended", hdl.PackedWidth(endingOf(c)))
	u.kinds = m.Memory("kinds", c.Kinds().RequestBits()+1, c.Streams*engine.QueueSlots(c))
	stream := hdl.Bits(block.IndexWidth(c.Streams))
	for _, name := range listNames {
		u.lists = append(u.lists, hdl.NewStream(m, name, token{stream}))
	}
	for _, name := range parkNames {
		u.parks = append(u.parks, hdl.NewStream(m, name+"_park", parkedOf(c)))
	}
	for _, name := range turnNames(c) {
		u.grants = append(u.grants, hdl.NewStream(m, name+"_grant", TurnOf(c)))
	}
	granting := m.Reg("granting_q", len(turnNames(c)), hdl.ResetTo(0))
	u.granting = granting.Value
	p.Arrive.Accept(m, sweep.Done)
	p.Over.Accept(m, sweep.Done)

	direct := u.arrive(m.Let("arrives", p.Arrive.Valid.And(sweep.Done)))
	next := u.next()
	turn := u.decide(next.Stream, granting)
	u.parkAndEnd(m.Let("ends", p.Over.Valid.And(sweep.Done)))
	u.grant(direct, turn)
}

// chosen is a turn, in 1 bit per kind of turn; all are 0 when there is none.
type chosen struct {
	is   hdl.Value
	turn Turn
}

// turnOf decodes the kind of a request, in 1 bit per kind of turn.
func turnOf(names engine.RequestKinds, kind hdl.Value) hdl.Value {
	bits := []hdl.Value{kind.Eq(names.End).Or(kind.Eq(names.Close))} // most significant first
	for _, name := range slices.Backward(names.Executors) {
		bits = append(bits, kind.Eq(name))
	}
	return hdl.Cat(bits...)
}

// arrive counts an item in the cycle after it arrives, and gives it its turn, or its stream a token.
func (u *turns) arrive(arrives hdl.Value) chosen {
	m, in := u.Module, u.p.Arrive.Data
	m.Section("Arrive: count the item; it has its turn, or its stream a token")
	valid := m.Reg("item_valid_q", 1, hdl.ResetTo(0))
	item := hdl.NewRegOf(m, "item", ArrivalOf(u.c), hdl.NoReset)
	m.Note("What is read does not wait for whether an item arrives.")
	always := hdl.Ones(1)
	m.OnClock(valid.Set(arrives), item.Set(in))
	i := item.Q
	loop := u.arrived.Loop(block.LoopUser{Read: always, Stream: in.Stream, Deciding: valid.Value, Decided: i.Stream}).ForTests()
	now := hdl.LetOf(m, "had", hdl.Unpack(arrivalsOf(u.c), loop.Now))
	before := hdl.Unpack(grantedOf(u.c), u.granted.Read("had_granted", always, in.Stream))
	ended := hdl.Unpack(endingOf(u.c), u.ended.ReadBefore("had_ended", always, in.Stream))
	m.Unused("a stream without a token has had all its turns", before.Gone)
	m.Unused("only the number of requests that are over matters", ended.Woken)
	m.Unused("what it drops is known", i.First)
	u.takes.stream = i.Stream

	store := m.Let("stores", i.Releases.Not())
	m.Note("What the item wants is known as it arrives. Requests that were never released are dropped by the first item that does not")
	m.Note("wait with them.")
	wants, drops, mayStart := m.Reg("wants_turn_q", len(turnNames(u.c)), hdl.NoReset), m.Reg("drops_waiting_q", 1, hdl.NoReset), m.Reg("may_start_q", 1, hdl.NoReset)
	m.OnClock(wants.Set(turnOf(u.names, in.Kind)), drops.Set(in.Releases.Not().And(in.Waits.Not().Or(in.First))), mayStart.Set(in.Releases.Not().And(in.Waits.Not())))
	isAlone := wants.Bit(wants.Width() - 1)
	if engine.Stops(u.c) {
		m.Note("Nothing is beside the end of a stream, and beside requests that stop it if they fail.")
		kinds, alone := turnOf(u.names, in.Kind), m.Reg("is_alone_q", 1, hdl.NoReset)
		stops := []hdl.Value{kinds.Bit(kinds.Width() - 1)}
		for i, x := range u.c.Profile.Executors(u.c) {
			if x.Stops {
				stops = append(stops, kinds.Bit(i))
			}
		}
		m.OnClock(alone.Set(hdl.AnyOf(stops...)))
		isAlone = alone.Value
	}
	waiting := m.Let("waiting", now.Waiting.And(drops.Not().Replicate(u.width())))
	m.Note("What decides is tested on both words between which the choice is.")
	test := func(name string, condition func(arrivals) hdl.Value) hdl.Value {
		return m.Let(name, loop.Test(func(word hdl.Value) hdl.Value { return condition(hdl.Unpack(arrivalsOf(u.c), word)) }))
	}
	hasToken := test("has_token", func(a arrivals) hdl.Value { return a.Created.Xor(before.Retired) })
	m.Note("Without a token, all that came had its turn. What ends just now may count late, and what came just now is not over.")
	word, isLatest := loop.Stored("settled", always, in.Stream)
	settled := hdl.Unpack(arrivalsOf(u.c), word)
	m.Unused("compared without the choice of the latest word", settled.Direct, settled.Waiting, settled.Kind, settled.Run, settled.Begins, settled.Created)
	idle := m.Let("is_idle", isLatest.And(ended.Over.Eq(settled.Came)))
	m.Note("The latest request may be among those dropped: what drops any waits for all before it, and begins a run.")
	follows := test("follows_another", func(a arrivals) hdl.Value { return i.Kind.Ne(a.Kind).Or(drops.And(a.Waiting.Any())) })
	differs := m.Let("differs", isAlone.Or(follows))
	m.Note("One turn of a kind is stored per cycle; that of a token goes first.")
	taken := m.Let("turn_is_taken", wants.And(u.granting).Any())
	starts := m.Let("starts_at_once", hdl.AllOf(mayStart.Value, hasToken.Not(), taken.Not(), differs.Not().Or(idle)))
	wanting := valid.And(hasToken.Not())
	var creates, parks hdl.Value
	if engine.Stops(u.c) {
		m.Note("Whether it differs is known last. What may start needs a token only while another turn of its kind is stored.")
		parks = m.Let("parks_new", hdl.AllOf(wanting, mayStart.Value, idle.Not(), differs))
		queues := m.Let("queues", hdl.Mux(mayStart.Value, taken, store.Not().And(now.Waiting.Any())))
		creates = m.Let("creates_token", parks.Or(wanting.And(queues)))
	} else {
		queues := m.Let("queues", hdl.Mux(store, hdl.AllOf(i.Waits.Not(), starts.Not()), now.Waiting.Any()))
		creates = m.Let("creates_token", hdl.AllOf(valid.Value, queues, hasToken.Not()))
		parks = m.Let("parks_new", hdl.AllOf(creates, store, differs, idle.Not()))
	}
	sb := engine.QueueSlotBits(u.c)
	slot := test("item_slot", func(a arrivals) hdl.Value {
		return a.Came.Truncate(sb).Add(a.Waiting.Truncate(sb).And(drops.Not().Replicate(sb)))
	})
	count := func(v, is hdl.Value) hdl.Value { return v.Add(is.ZeroExtend(u.width())) }
	m.Note("A run begins where the kind changes, or with what finds nothing before it.")
	begins := m.Let("begins_run", store.And(differs.Or(hasToken.Or(now.Waiting.Any()).Not())))
	comes := mayStart.Value
	loop.Decide(hdl.Pack(arrivals{
		Came: now.Came.Add(hdl.Mux(store, comes.ZeroExtend(u.width()), now.Waiting)), Direct: count(now.Direct, starts),
		Waiting: hdl.Mux(store, count(waiting, i.Waits), hdl.Zero(u.width())),
		Kind:    hdl.Mux(store, i.Kind, now.Kind),
		Run:     hdl.Mux(begins, m.Let("stored_before", now.Came.Add(waiting)), now.Run),
		Begins:  store.And(hdl.Mux(begins, i.Waits, now.Begins)),
		Created: now.Created.Xor(creates)}))
	u.takes.is = valid.Value
	stores := m.Let("stores_item", valid.And(store))
	u.kinds.Write(stores, hdl.Cat(i.Stream, slot), hdl.Cat(i.Kind, differs))
	m.Drive(u.p.Store, stores)
	m.Drive(u.p.Slot, slot)
	u.push(listNew, creates.And(parks.Not()), i.Stream)
	u.toPark(0, parks, parked{i.Stream, now.Came})
	return chosen{wants.And(valid.And(starts).Replicate(wants.Width())), Turn{Stream: i.Stream, Slot: slot, Only: hdl.Ones(1), More: hdl.Zero(sb)}}
}

// width is that of a count.
func (u *turns) width() int { return engine.RequestCountBits(u.c) }

// push puts the token of a stream in a list, through a register.
func (u *turns) push(list int, when, stream hdl.Value) {
	valid, held := u.Reg(listNames[list]+"_push_q", 1, hdl.ResetTo(0)), u.Reg(listNames[list]+"_stream_q", stream.Width(), hdl.NoReset)
	u.OnClock(valid.Set(when), held.Set(stream))
	u.lists[list].Source().Drive(u.Module, valid.Value, token{held.Value})
	u.Unused("there is room for all tokens", u.lists[list].Source().Ready)
}

// parkNames are the sources of tokens to be parked: on arrival, and after a turn.
var parkNames = []string{"new", "granted"}

// toPark hands over a token to be parked, through a register.
func (u *turns) toPark(source int, when hdl.Value, p parked) {
	valid, held := u.Reg(parkNames[source]+"_parks_q", 1, hdl.ResetTo(0)), hdl.NewRegOf(u.Module, parkNames[source]+"_parked", parkedOf(u.c), hdl.NoReset)
	u.OnClock(valid.Set(when), held.Set(p))
	u.parks[source].Source().Drive(u.Module, valid.Value, held.Q)
	u.Unused("there is room for all tokens", u.parks[source].Source().Ready)
}

// next takes a token from the lists in turn; each list has room for all tokens.
func (u *turns) next() token {
	m := u.Module
	m.Section("Whose turn is next: streams with a new token, again, woken, not parked after all")
	var first []hdl.Sink[token]
	var valid []hdl.Value
	for i, name := range listNames {
		out := hdl.NewStream(m, name+"_first", token{hdl.Bits(block.IndexWidth(u.c.Streams))})
		block.Fifo(m, name+"_list", max(2, u.c.Streams), u.lists[i].Sink(), out.Source())
		first, valid = append(first, out.Sink()), append(valid, out.Sink().Valid)
	}
	turn, taken := block.Rotate(m, "list", valid)
	next := hdl.Zero(block.IndexWidth(u.c.Streams))
	for i, f := range first {
		f.Accept(m, turn.Bit(i))
		next = next.Or(f.Data.Stream.And(turn.Bit(i).Replicate(next.Width())))
	}
	has, stream := m.Reg("next_valid_q", 1, hdl.ResetTo(0)), m.Reg("next_stream_q", next.Width(), hdl.NoReset)
	m.OnClock(has.Set(taken.Any()), stream.Set(next))
	u.looks = has.Value
	return token{stream.Value}
}

// decide looks at one token per cycle, in five stages: its words, what waits, the kinds of the next two requests, their registers, the
// decision.
func (u *turns) decide(next hdl.Value, granting hdl.Reg) chosen {
	m, c, w, sb := u.Module, u.c, u.width(), engine.QueueSlotBits(u.c)
	bit, count := hdl.Bits(1), hdl.Bits(w)
	m.Section("Grant: what the stream has had, and what waits")
	looking, counting := m.Reg("looking_q", 1, hdl.ResetTo(0)), m.Reg("counting_q", 1, hdl.ResetTo(0))
	reading, deciding := m.Reg("reading_q", 1, hdl.ResetTo(0)), m.Reg("deciding_q", 1, hdl.ResetTo(0))
	stream := m.Reg("looked_stream_q", next.Width(), hdl.NoReset)
	m.OnClock(looking.Set(u.looks), counting.Set(looking.Value), reading.Set(counting.Value), deciding.Set(reading.Value), stream.Set(next))
	has := hdl.Unpack(arrivalsOf(c), u.arrived.Read("has", u.looks, next))
	m.Unused("the slots have the kinds", has.Waiting, has.Kind, has.Created)
	m.Note("As long as the latest run has only requests that wait, what may have its turn is of earlier ones.")
	run := m.Let("run_now", hdl.Mux(has.Begins, has.Came, has.Run))
	was := hdl.Unpack(grantedOf(c), u.granted.Read("was_granted", u.looks, next))
	ended := hdl.Unpack(endingOf(c), u.ended.ReadBefore("has_ended", u.looks, next))
	m.Unused("only the number of requests that are over matters", ended.Woken)
	m.Note("What arrives meanwhile may be missing in what was read: the token is kept.")
	here := func(stream hdl.Value) hdl.Value { return u.takes.is.And(u.takes.stream.Eq(stream)) }
	type counted struct{ Stream, Came, Issued, Over, Run, Gone, Retired, Arrived hdl.Value }
	had := hdl.NewRegOf(m, "counted", counted{hdl.Bits(next.Width()), count, count, count, count, count, bit, bit}, hdl.NoReset)
	arrived := m.Reg("arrived_meanwhile_q", 1, hdl.NoReset)
	n := had.Q
	slot := n.Issued.Truncate(sb)
	first := u.kinds.Read("first_kind_q", counting.Value, hdl.Cat(n.Stream, slot), hdl.ReadOld)
	second := u.kinds.Read("second_kind_q", counting.Value, hdl.Cat(n.Stream, m.Let("second_slot", slot.Plus(1))), hdl.ReadOld)
	waits := m.Let("queued_now", n.Came.Sub(n.Issued))
	type looked struct{ Stream, Issued, Gone, Retired, Waits, Since, Idle, Arrived hdl.Value }
	at := hdl.NewRegOf(m, "at", looked{hdl.Bits(next.Width()), count, count, bit, count, count, bit, bit}, hdl.NoReset)
	l := at.Q
	type known struct{ Stream, Issued, Gone, Retired, Waits, OneRun, Some, One, Idle, Arrived, Kind, Differs, NextDiffers hdl.Value }
	decision := hdl.NewRegOf(m, "token", known{hdl.Bits(next.Width()), count, count, bit, count, bit, bit, bit, bit, bit, hdl.Bits(first.Width() - 1), bit, bit}, hdl.NoReset)
	m.Unused("the next turn has it", second.Slice(second.Width()-1, 1))
	m.OnClock(
		arrived.Set(here(next)),
		had.Set(counted{Stream: stream.Value, Came: has.Came, Issued: has.Direct.Add(was.Gone), Over: ended.Over, Run: run, Gone: was.Gone, Retired: was.Retired,
			Arrived: arrived.Or(here(stream.Value))}),
		at.Set(looked{Stream: n.Stream, Issued: n.Issued, Gone: n.Gone, Retired: n.Retired, Waits: waits, Since: n.Came.Sub(n.Run), Idle: n.Over.Eq(n.Issued),
			Arrived: n.Arrived.Or(here(n.Stream))}),
		decision.Set(known{Stream: l.Stream, Issued: l.Issued, Gone: l.Gone, Retired: l.Retired, Waits: l.Waits, OneRun: l.Waits.Le(l.Since), Some: l.Waits.Any(), One: l.Waits.Is(1),
			Idle: l.Idle, Arrived: l.Arrived.Or(here(l.Stream)), Kind: first.Slice(first.Width()-1, 1), Differs: first.Bit(0), NextDiffers: second.Bit(0)}))

	m.Section("Decide: one request, or all of the run if no other waits; then again, to be parked, or no token any more")
	q := decision.Q
	kind, oneRun := q.Kind, q.OneRun
	may := m.Let("may_start", q.Some.And(q.Differs.Not().Or(q.Idle)))
	several := m.Let("leaves_some", q.Some.And(may.And(oneRun.Or(q.One)).Not()))
	parks := m.Let("parks", several.And(may.Not().Or(q.NextDiffers)))
	again := m.Let("goes_again", parks.Not().And(hdl.AnyOf(several, q.Arrived, m.Let("arrives_last", here(q.Stream)))))
	given := m.Let("given", hdl.Mux(oneRun, q.Waits, hdl.Const(w, 1)).And(may.Replicate(w)))
	retires := hdl.AnyOf(parks, again).Not()
	u.granted.Write(block.Change{When: deciding.Value, Stream: q.Stream, Word: hdl.Pack(granted{Gone: q.Gone.Add(given), Retired: q.Retired.Xor(retires)})})
	u.push(listAgain, deciding.And(again), q.Stream)
	u.toPark(1, deciding.And(parks), parked{q.Stream, q.Issued.Add(given)})
	turn := hdl.NewRegOf(m, "granted", TurnOf(c), hdl.NoReset)
	m.OnClock(granting.Set(turnOf(u.names, kind).And(deciding.And(may).Replicate(granting.Width()))),
		turn.Set(Turn{Stream: q.Stream, Slot: q.Issued.Truncate(sb), Only: given.Is(1), More: m.Let("more_given", given.Truncate(sb).Minus(1))}))
	return chosen{granting.Value, turn.Q}
}

// parkAndEnd keeps a token until all requests that its stream was issued are over.
func (u *turns) parkAndEnd(ends hdl.Value) {
	m, depth := u.Module, max(2, u.c.Streams)
	m.Section("Park a token, unless all is over by now")
	var outs []hdl.Stream[parked]
	for i, name := range parkNames {
		out := hdl.NewStream(m, name+"_to_park", parkedOf(u.c))
		block.Fifo(m, name+"_parks", depth, u.parks[i].Sink(), out.Source())
		outs = append(outs, out)
	}
	turn, taken := block.Rotate(m, "park", []hdl.Value{outs[0].Sink().Valid, outs[1].Sink().Valid})
	for i, o := range outs {
		o.Sink().Accept(m, turn.Bit(i))
	}
	pick := func(a, b hdl.Value) hdl.Value { return hdl.Mux(turn.Bit(0), a, b) }
	one, other := outs[0].Sink().Data, outs[1].Sink().Data
	in := parked{m.Let("parked_stream", pick(one.Stream, other.Stream)), pick(one.Issued, other.Issued)}
	parks := m.Let("parks_now", taken.Any())
	valid := m.Reg("park_valid_q", 1, hdl.ResetTo(0))
	held := hdl.NewRegOf(m, "park", parkedOf(u.c), hdl.NoReset)
	last := m.Reg("park_before_last_q", u.width(), hdl.NoReset)
	m.OnClock(valid.Set(parks), held.Set(in), last.Set(in.Issued.Minus(1)))
	before := hdl.Unpack(parkingOf(u.c), u.parking.Read("park_before", parks, in.Stream))
	m.Unused("it is replaced", before.Before)

	m.Section("End: a request is over, perhaps the last that a parked token waits for")
	endsNow := m.Reg("over_valid_q", 1, hdl.ResetTo(0))
	stream := m.Reg("over_stream_q", in.Stream.Width(), hdl.NoReset)
	over := u.p.Over.Data.Stream
	m.OnClock(endsNow.Set(ends), hdl.If(ends, stream.Set(over)))
	loop := u.ended.Loop(block.LoopUser{Read: ends, Stream: over, Deciding: endsNow.Value, Decided: stream.Value})
	now := hdl.LetOf(m, "ended", hdl.Unpack(endingOf(u.c), loop.Now))
	word := hdl.Unpack(parkingOf(u.c), u.parking.Read("parked_word", ends, over))
	isParked := m.Let("is_parked", word.Parity.Xor(now.Woken))
	wakes := m.Let("wakes", hdl.AllOf(endsNow.Value, isParked, now.Over.Eq(word.Before)))
	loop.Decide(hdl.Pack(ending{Over: now.Over.Plus(1), Woken: now.Woken.Xor(wakes)}))
	u.push(listWoken, wakes, stream.Value)

	m.Note("What ends in this very cycle counts for the token that is parked.")
	q := held.Q
	sofar := hdl.Unpack(endingOf(u.c), loop.Latest("park_ended", parks, in.Stream))
	m.Unused("only the number of requests that are over matters", sofar.Woken)
	endsHere := m.Let("ends_here", endsNow.And(stream.Eq(q.Stream)))
	isOver := m.Let("is_over", sofar.Over.Eq(q.Issued).Or(endsHere.And(sofar.Over.Eq(last.Value))))
	u.parking.Write(block.Change{When: valid.And(isOver.Not()), Stream: q.Stream, Word: hdl.Pack(parking{Before: last.Value, Parity: before.Parity.Not()})})
	u.push(listPassed, valid.And(isOver), q.Stream)
}

// grant stores the turns of each kind.
func (u *turns) grant(direct, later chosen) {
	m := u.Module
	m.Section("Turns that were granted")
	for i, to := range u.grants {
		depth := 2 * u.c.IRD * u.c.Streams
		if i == len(u.grants)-1 {
			depth = max(2, u.c.Streams)
		}
		if i < len(u.grants)-1 && u.c.Profile.Executors(u.c)[i].Stops {
			depth = max(2, u.c.Streams) // it is alone
		}
		either := func(direct, later hdl.Value) hdl.Value { return hdl.Mux(u.granting.Bit(i), later, direct) }
		given, turn := direct.is.Bit(i).Or(later.is.Bit(i)), Turn{Stream: either(direct.turn.Stream, later.turn.Stream), Slot: either(direct.turn.Slot, later.turn.Slot),
			Only: either(direct.turn.Only, later.turn.Only), More: either(direct.turn.More, later.turn.More)}
		if engine.Stops(u.c) {
			name := u.p.Turns[i].Name
			is, held := m.Reg(name+"_given_q", 1, hdl.ResetTo(0)), hdl.NewRegOf(m, name+"_given", turn, hdl.NoReset)
			m.OnClock(is.Set(given), held.Set(turn))
			given, turn = is.Value, held.Q
		}
		to.Source().Drive(m, given, turn)
		m.Unused("there is room for all requests", to.Source().Ready)
		block.Fifo(m, u.p.Turns[i].Name+"_turns", depth, to.Sink(), u.p.Turns[i].Of)
	}
}
