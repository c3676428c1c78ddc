package request

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// WorkRingPorts hold work requests until they are issued.
type WorkRingPorts struct {
	Post    hdl.Sink[engine.WorkRequest] `hdl:"wqe"`
	Opened  hdl.Sink[Reopened]
	Message hdl.Source[WorkMessage]

	Look        hdl.Out    `doc:"fetch the progress of look_stream"`
	LookStream  hdl.Out    `doc:"number of the stream"`
	Progress    hdl.In     `doc:"packed progress, in the next cycle"`
	Freed       hdl.In     `doc:"something of freed_stream is complete; its progress says so since the cycle before"`
	FreedStream hdl.In     `doc:"number of the stream"`
	Fetch       hdl.In     `doc:"fetch a work request that was issued"`
	FetchStream hdl.In     `doc:"number of the stream"`
	FetchNumber hdl.In     `doc:"its number"`
	Fetched     hdl.Out    `doc:"packed work request, 2 cycles later"`
	Opens       hdl.Out    `doc:"opens_stream is opened or closed"`
	OpensStream hdl.Out    `doc:"number of the stream"`
	OpensDomain hdl.Out    `doc:"protection domain"`
	OpensSlot   *OpensSlot // nil if each work request has one place
}

// turnMessages is how many work requests a stream may issue before the next stream has its turn.
const turnMessages = 16

const workRingDoc = `work_ring holds the work requests of each stream until they are sent, and decides which are issued. Those of a stream
are issued in posting order, and so are fetched. Number n of a stream is in slot n modulo %[1]d. A work request is issued
when fewer than %[1]d of its stream are in progress and, if it is a Read or Atomic, fewer than %[2]d of these are without
a response.

A stream with work has one token, which is in one of these places: a list of streams that may have a turn, the pipeline
that gives turns, or parked until something of the stream is complete. A turn issues up to %[3]d work requests; streams
take turns. A stream that has to wait holds up no other. While %[4]d turns wait to issue theirs, a turn that does not begin
with a Read or Atomic, which waits for responses anyway, issues one: a stream with many work requests then takes no more
than those that have one at a time.

A work request for a stream whose ring is full waits, together with all posted after it, for whatever stream, until
one of its stream is sent. A host that keeps at most %[1]d of a stream incomplete never sees this.

An opening forgets what is in the ring. It waits until its stream has no turn; meanwhile no post is accepted. Posts are
accepted, turns given, and streams freed at one per cycle each. After reset, for one cycle per stream, nothing is accepted.`

// WorkRing has a memory of work requests, and counts per stream.
func WorkRing(c engine.Config) hdl.Block[WorkRingPorts] {
	return hdl.Block[WorkRingPorts]{
		Kind: "work_ring", Params: c.Params("streams", "send_depth", "ord"),
		Doc:   fmt.Sprintf(workRingDoc, c.SendDepth, c.ORD, turnMessages, turnDepth-1) + workRingLists(c),
		Ports: workRingPorts(c),
		Build: func(m *hdl.Module, p WorkRingPorts) { buildWorkRing(m, p, c) },
	}
}

func workRingPorts(c engine.Config) WorkRingPorts {
	sw, number := block.IndexWidth(c.Streams), numberBits(c)
	p := WorkRingPorts{
		Post: hdl.NewSink(engine.WorkRequestOf(c)), Opened: hdl.NewSink(ReopenedOf(c)), Message: hdl.NewSource(WorkMessageOf(c)),
		Look: hdl.NewOut(1), LookStream: hdl.NewOut(sw), Progress: hdl.NewIn(hdl.PackedWidth(ProgressOf(c))),
		Freed: hdl.NewIn(1), FreedStream: hdl.NewIn(sw), Fetch: hdl.NewIn(1), FetchStream: hdl.NewIn(sw), FetchNumber: hdl.NewIn(number),
		Fetched: hdl.NewOut(hdl.PackedWidth(waitingWorkOf(c))),
		Opens:   hdl.NewOut(1), OpensStream: hdl.NewOut(sw), OpensDomain: hdl.NewOut(engine.DomainBits),
	}
	if lists(c) {
		p.OpensSlot = &OpensSlot{hdl.NewOut(number - 1)}
	}
	return p
}

// posted is what is counted of a stream as work requests are posted.
type posted struct {
	Posted  hdl.Value // work requests
	Created hdl.Value // parity of the tokens created
	List    any       // *listLength; nil if each work request has one place
}

// issued is what is counted of a stream as work requests are issued.
type issued struct {
	Issued   hdl.Value // work requests
	Requests hdl.Value // Reads and Atomics
}

// freed is what is counted of a stream as it is freed.
type freed struct {
	Freed hdl.Value // times
	Woken hdl.Value // parity of the times its token was woken
}

func postedOf(c engine.Config) posted {
	return posted{Posted: hdl.Bits(numberBits(c)), Created: hdl.Bits(1), List: listLengthOf(c)}
}

func issuedOf(c engine.Config) issued {
	return issued{Issued: hdl.Bits(numberBits(c)), Requests: hdl.Bits(requestBits(c))}
}

func freedOf(c engine.Config) freed {
	return freed{Freed: hdl.Bits(numberBits(c)), Woken: hdl.Bits(1)}
}

// workRing is what the parts of the block share.
type workRing struct {
	*hdl.Module
	c     engine.Config
	p     WorkRingPorts
	sweep block.Sweep

	issued, fetched, retired, parked, freed block.Context
	posts, frees                            block.Loop
	asks                                    *hdl.Memory // the work request in each slot has a response

	lists map[string]hdl.Source[token]
	next  hdl.Sink[token] // whose turn is next

	stores      struct{ is, stream hdl.Value } // a work request is stored in this cycle, or waits
	freesNow    struct{ is, stream hdl.Value } // a stream is freed in this cycle
	opensNow    hdl.Wire                       // an opening takes effect in this cycle
	freesLater  hdl.Value                      // a stream is freed in the next cycle
	writesIssue hdl.Wire                       // a turn ends in this cycle
}

// slot is the address of a work request in the memories of slots.
func (u *workRing) slot(stream, number hdl.Value) hdl.Value {
	return hdl.Cat(stream, number.Truncate(number.Width()-1))
}

// push puts the token of a stream in a list.
func (u *workRing) push(list string, when, stream hdl.Value) {
	u.lists[list].Drive(u.Module, when, token{stream})
	u.Unused("there is room for all tokens", u.lists[list].Ready)
}

func buildWorkRing(m *hdl.Module, p WorkRingPorts, c engine.Config) {
	sweep := block.NewSweep(m, block.IndexWidth(c.Streams))
	u := &workRing{Module: m, c: c, p: p, sweep: sweep}
	context := func(name string, width int) block.Context { return block.NewContext(m, name, hdl.Zero(width), sweep) }
	u.issued, u.fetched = context("issue_counts", hdl.PackedWidth(issuedOf(c))), context("fetch_counts", numberBits(c))
	u.retired, u.parked, u.freed = context("retired", 1), context("parked", 1), context("free_counts", hdl.PackedWidth(freedOf(c)))
	u.asks = m.Memory("asks", 1, c.Streams*c.SendDepth)
	u.opensNow, u.writesIssue = m.Wire("opens_now", 1), m.Wire("turn_ends", 1)
	m.Section("Whose turn is next: streams with a new token, again, woken, not parked after all")
	u.lists, u.next = tokenLists(m, c, "new", "again", "woken", "passed")
	u.free()
	u.post()
	u.turns()
}

// post stores work requests. It also carries out openings, in cycles without a post.
func (u *workRing) post() {
	m, c, p := u.Module, u.c, u.p
	m.Section("Post: the work request is held while the counts of its stream are read; it waits if the ring is full")
	held := hdl.NewRegOf(m, "held", p.Post.Data, hdl.NoReset)
	stream := m.Reg("posted_stream_q", held.Q.Stream.Width(), hdl.NoReset)
	deciding, waits := m.Reg("deciding_q", 1, hdl.ResetTo(0)), m.Reg("post_waits_q", 1, hdl.ResetTo(0))
	opening := m.Reg("opening_q", 1, hdl.ResetTo(0))
	full := m.Wire("is_full", 1)
	stays := m.Let("post_stays", waits.Or(deciding.And(full.Value)))
	ready := m.Let("ready", hdl.AllOf(u.sweep.Done, stays.Not(), p.Opened.Valid.Not()))
	p.Post.Accept(m, ready)
	take := m.Let("take", ready.And(p.Post.Valid))
	tries := m.Let("tries_opening", hdl.AllOf(u.sweep.Done, p.Opened.Valid, stays.Not(), opening.Not()))
	m.Note("The counts are read in every cycle, so that they do not wait for the decision to accept a post.")
	reads := hdl.Ones(1)
	named := m.Let("posted_stream", hdl.Mux(waits.Value, held.Q.Stream, hdl.Mux(p.Opened.Valid, p.Opened.Data.Stream, p.Post.Data.Stream)))
	loads, keeps := take, hdl.Wire{}
	if engine.Stops(c) {
		m.Note("It may be held before it is taken: what is not taken does not count.")
		keeps = m.Wire("held_stays", 1)
		loads = keeps.Not()
	}
	m.OnClock(
		deciding.Set(take.Or(waits.Value)), waits.Set(deciding.And(full.Value)), opening.Set(tries), stream.Set(named),
		hdl.If(loads, held.Set(p.Post.Data)))

	m.Section("Store it; a stream without a token gets one")
	counts := block.NewContext(m, "post_counts", hdl.Zero(hdl.PackedWidth(postedOf(c))), u.sweep)
	stores, drops := deciding.And(full.Not()), hdl.Wire{}
	if lists(c) {
		drops = m.Wire("drops", 1)
		stores = stores.And(drops.Not())
	}
	stores = m.Let("stores", stores)
	m.Note("A post that waits, or an opening, writes the same word again.")
	changes := m.Let("changes_posted", deciding.Or(opening.Value))
	u.posts = counts.Loop(block.LoopUser{Read: reads, Stream: named, Deciding: changes, Decided: stream.Value})
	now := hdl.LetOf(m, "had", hdl.Unpack(postedOf(c), u.posts.Now))
	retired := u.retired.Read("had_retired", reads, named)
	m.Note("A slot that is freed in this very cycle counts later.")
	fetched := u.fetched.ReadAlone("had_fetched", reads, named)
	m.Note("The ring is full if as many were posted as were fetched, and as it has slots.")
	top := now.Posted.Width() - 1
	w := held.Q
	after := posted{}
	goesOn := hdl.Zero(1)
	if lists(c) {
		goesOn = more(c, waitingWork{Tag: w.Tag})
		m.Note("An element for which there is no place in the whole ring is dropped: its work request fails.")
		m.Drive(drops.Out(), deciding.And(now.List.(*listLength).hasNoPlace(goesOn)))
	}
	isFull := func(word hdl.Value) hdl.Value {
		had := hdl.Unpack(postedOf(c), word)
		full := had.Posted.Bit(top).Ne(fetched.Bit(top)).And(had.Posted.Truncate(top).Eq(fetched.Truncate(top)))
		if lists(c) {
			return full.And(had.List.(*listLength).hasNoPlace(goesOn).Not())
		}
		return full
	}
	if engine.Stops(c) {
		m.Note("The wide register of the work request has a decision of its own.")
		m.Drive(keeps.Out(), waits.Or(deciding.And(m.Let("held_finds_full", u.posts.Test(isFull)))))
		m.Drive(full.Out(), u.posts.ForTests().Test(isFull))
	} else {
		m.Drive(full.Out(), u.posts.Test(isFull))
	}
	hasToken := m.Let("has_token", now.Created.Xor(retired))
	creates := m.Let("creates_token", stores.And(hasToken.Not()))
	after.Posted, after.Created = hdl.Mux(u.opensNow.Value, p.Opened.Data.place(), now.Posted.Add(stores.ZeroExtend(now.Posted.Width()))), now.Created.Xor(creates)
	if lists(c) {
		list := now.List.(*listLength).after(stores, drops.Value, goesOn)
		cleared := u.opensNow.Not()
		list.Elements, list.TooLong = list.Elements.And(cleared.Replicate(list.Elements.Width())), list.TooLong.And(cleared)
		after.List = list
	}
	u.posts.Decide(hdl.Pack(after))
	created := m.Reg("created_q", 1, hdl.ResetTo(0))
	m.OnClock(created.Set(creates))
	u.push("new", created.Value, u.later("created_stream_q", stream.Value))
	u.stores.is, u.stores.stream = deciding.Value, stream.Value
	ring := m.Memory("ring", hdl.PackedWidth(waitingWorkOf(c)), c.Streams*c.SendDepth)
	at := m.Let("stored_slot", u.slot(w.Stream, now.Posted))
	m.Note("It is in the ring a cycle later, long before it can be fetched.")
	work := hdl.Pack(waitingWork{ID: w.ID, Signaled: w.Signaled, Opcode: w.Opcode, Local: w.Local, Length: w.Length, Remote: w.Remote, Operands: w.Operands, Tag: w.Tag, TooLong: u.tooLong(now)})
	ring.Write(u.later("stores_q", stores), u.later("stored_slot_q", at), u.later("stored_work_q", work))
	kind := c.Profile.Work(m, "work", w.Opcode)
	m.Unused("of no use here", kind.Any, kind.Invalidate, kind.Immediate, kind.Write, kind.Send)
	engine.UnusedTag(m, "of no use here", kind.More)
	asks := kind.Request()
	if lists(c) {
		m.Note("A work request has one response, which counts with its last element.")
		asks = asks.And(goesOn.Not())
	}
	u.asks.Write(stores, at, asks)

	m.Section("Fetch: the slot of a work request is free when it has been fetched")
	m.Drive(p.Fetched, u.later("fetched_work_q", ring.Read("fetched_1_q", p.Fetch.Value, u.slot(p.FetchStream.Value, p.FetchNumber.Value), hdl.ReadOld)))
	leaves, left, leftNumber := m.Reg("leaves_q", 1, hdl.ResetTo(0)), u.later("left_stream_q", p.FetchStream.Value), u.later("left_number_q", p.FetchNumber.Value)
	m.OnClock(leaves.Set(p.Fetch.Value))
	u.fetched.Write(block.Change{When: leaves.Value, Stream: left, Word: leftNumber.Plus(1)},
		block.Change{When: u.opensNow.Value, Stream: stream.Value, Word: p.Opened.Data.place()})

	m.Section("Open: the stream has no token, or a parked one, which is woken")
	parked := u.parked.Read("opened_parked", reads, named)
	woken := hdl.Unpack(freedOf(c), u.frees.Latest("opened_freed", reads, named))
	m.Unused("only whether its token was woken matters", woken.Freed)
	isParked := m.Let("opened_is_parked", parked.Xor(woken.Woken))
	quiet := m.Let("opened_is_quiet", hdl.AnyOf(u.freesLater, u.freesNow.is.And(u.freesNow.stream.Eq(stream.Value)), leaves.Value, u.writesIssue.Value).Not())
	m.Drive(u.opensNow.Out(), hdl.AllOf(opening.Value, hasToken.Not().Or(isParked), quiet))
	p.Opened.Accept(m, u.opensNow.Value)
	opens := m.Reg("opens_q", 1, hdl.ResetTo(0))
	m.OnClock(opens.Set(u.opensNow.Value))
	m.Drive(p.Opens, opens.Value)
	m.Drive(p.OpensStream, u.later("opens_stream_q", stream.Value))
	m.Drive(p.OpensDomain, u.later("opens_domain_q", p.Opened.Data.Domain))
	if p.OpensSlot != nil {
		m.Unused("the slot matters", p.Opened.Data.Oldest.Bit(numberBits(c)-1))
		m.Drive(p.OpensSlot.Slot, u.later("opens_slot_q", p.Opened.Data.Oldest.Truncate(numberBits(c)-1)))
	}
}

// later is v in the next cycle.
func (u *workRing) later(name string, v hdl.Value) hdl.Value {
	r := u.Reg(name, v.Width(), hdl.NoReset)
	u.OnClock(r.Set(v))
	return r.Value
}

// free counts how often a stream is freed, and wakes its token if it is parked.
func (u *workRing) free() {
	m, c, p := u.Module, u.c, u.p
	m.Section("Free a stream: it may have to be woken; an opening frees it as well")
	valid, stream := m.Reg("freed_valid_q", 1, hdl.ResetTo(0)), m.Reg("freed_stream_q", block.IndexWidth(c.Streams), hdl.NoReset)
	deciding, decided := m.Reg("freeing_q", 1, hdl.ResetTo(0)), m.Reg("freeing_stream_q", block.IndexWidth(c.Streams), hdl.NoReset)
	frees := m.Let("frees", valid.Or(u.opensNow.Value))
	named := m.Let("read_free_stream", hdl.Mux(valid.Value, stream.Value, p.Opened.Data.Stream))
	m.OnClock(valid.Set(p.Freed.Value), stream.Set(p.FreedStream.Value), deciding.Set(frees), decided.Set(named))
	u.frees = u.freed.Loop(block.LoopUser{Read: frees, Stream: named, Deciding: deciding.Value, Decided: decided.Value})
	now := hdl.LetOf(m, "free", hdl.Unpack(freedOf(c), u.frees.Now))
	parked := u.parked.Read("freed_parked", frees, named)
	wakes := m.Let("wakes", deciding.And(parked.Xor(now.Woken)))
	u.frees.Decide(hdl.Pack(freed{Freed: now.Freed.Plus(1), Woken: now.Woken.Xor(wakes)}))
	u.push("woken", wakes, decided.Value)
	u.freesNow.is, u.freesNow.stream, u.freesLater = deciding.Value, decided.Value, valid.Value
}
