package order

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// QueuedRequest is an item of the responder: a request, the end of a stream, or the release of requests that wait.
type QueuedRequest struct {
	Queue   engine.QueuePlace
	Request engine.InboundRequest `hdl:"-"`
}

// QueuedRequestOf is the prototype.
func QueuedRequestOf(c engine.Config) QueuedRequest {
	return QueuedRequest{Queue: engine.QueuePlaceOf(), Request: engine.InboundRequestOf(c)}
}

// RequestOrderPorts is the scoreboard of the responder: it stores requests, and starts them.
type RequestOrderPorts struct {
	In      hdl.Sink[QueuedRequest]
	Opening hdl.Sink[engine.Opening]
	Recheck engine.STagLookup
	Revoke  *engine.STagLookup `doc:"row of the STag that a request invalidates when it is done"`

	Start  []hdl.Named[hdl.Source[any]] `hdl:"-"`
	End    hdl.Source[engine.InboundRequest]
	Failed hdl.Source[engine.Failure]

	Over   []hdl.Named[hdl.Sink[engine.Over]] `hdl:"-"`
	Stop   *hdl.Sink[engine.Over]             `doc:"a request has failed and is over: no later one starts"`
	Begins *hdl.Source[engine.Begun]          `doc:"a request starts, or fails instead; always accepted"`
}

const requestOrderDoc = `request_order stores the requests of every stream, and its end, until the executors take them: %d slots per stream, so a
peer that accepts no responses blocks no receive side. request_turns, inside it, decides when each may start (RFC 7306
section 7, RFC 5040 section 5.5). A request that arrived inside an incomplete message of its stream (RFC 7306 section 5.4)
waits in its slot for its release; one that is never released is dropped when its stream ends or is opened again.

If the STag of a request has been invalidated since the request was accepted, %s The lookup is made 2 cycles before the request reaches its executor, or the buffer in front of it.

An executor whose buffer of %d requests is full holds up no other. A request starts %d cycles after it arrives, if nothing
is ahead of it, %d if it is the turn of its kind; requests start at one per cycle.`

// What becomes of such a request, and of later ones.
const (
	failsDoc   = "the stream fails with an invalid STag, and\nnone of its requests starts any more."
	refusesDoc = "it is refused. If\nthat ends its stream, the failure is reported once for each life of the stream."
)

// startDepth is how many requests the buffer of an executor holds: as many as there are cycles between the choice of a request and the
// moment in which its place is free again.
const startDepth = 8

// startLatency is how many cycles after its arrival a request starts. With many executors turns and requests wait in registers and memories.
func startLatency(c engine.Config) int {
	if engine.Stops(c) {
		return 9
	}
	return 6
}

// RequestOrder has a memory of slots and a pipeline that reads one of them per cycle.
func RequestOrder(c engine.Config) hdl.Block[RequestOrderPorts] {
	ports := RequestOrderPorts{In: hdl.NewSink(QueuedRequestOf(c)), Opening: hdl.NewSink(engine.OpeningOf(c.Streams)), Recheck: engine.STagLookupOf(c),
		End: hdl.NewSource(engine.InboundRequestOf(c)), Failed: hdl.NewSource(engine.FailureOf(c))}
	if engine.Stops(c) {
		stop, begins := hdl.NewSink(engine.OverOf(c.Streams)), hdl.NewSource(engine.BegunOf(c))
		ports.Stop, ports.Begins = &stop, &begins
	}
	if c.Revokes() {
		lookup := engine.STagLookupOf(c)
		ports.Revoke = &lookup
	}
	for _, x := range engine.Takers(c) {
		ports.Start = append(ports.Start, hdl.Name(x.Name, hdl.NewSource(x.Request)))
	}
	for _, x := range engine.Enders(c) {
		ports.Over = append(ports.Over, hdl.Name(x.Name+"_over", hdl.NewSink(engine.OverOf(c.Streams))))
	}
	becomes := failsDoc
	if _, has := engine.Refuser(c); has {
		becomes = refusesDoc
	}
	return hdl.Block[RequestOrderPorts]{
		Kind: "request_order", Params: c.Params("streams", "ird", "atomic_depth"),
		Doc: fmt.Sprintf(requestOrderDoc, engine.QueueSlots(c), becomes, startDepth, startLatency(c), startLatency(c)-1), Ports: ports,
		Build: func(m *hdl.Module, p RequestOrderPorts) { buildRequestOrder(m, p, c) },
	}
}

// Stages of the pipeline, by what is known from there on.
const (
	stored  = 1 // the request
	rowRead = 2 // the row of its STag
	settled = 3 // whether the stream has failed, and so what becomes of the request
)

func buildRequestOrder(m *hdl.Module, p RequestOrderPorts, c engine.Config) {
	executors := c.Profile.Executors(c)
	sweep := block.NewSweep(m, block.IndexWidth(c.Streams))

	m.Section("Store each item in the slot that request_turns gives it, a cycle after it arrives")
	in := p.In.Data
	arrival := hdl.NewStream(m, "arrival", ArrivalOf(c))
	arrival.Source().Drive(m, p.In.Valid, Arrival{Stream: in.Request.Stream, Kind: in.Request.Kind, Waits: in.Queue.Waits, First: in.Queue.First, Releases: in.Queue.Releases})
	p.In.Accept(m, arrival.Source().Ready)
	item := hdl.NewRegOf(m, "item", in.Request, hdl.NoReset)
	m.OnClock(item.Set(in.Request))
	store, slot := m.Wire("store", 1), m.Wire("slot", engine.QueueSlotBits(c))
	slots := m.Memory("slots", hdl.PackedWidth(in.Request), c.Streams*engine.QueueSlots(c))
	slots.Write(store.Value, hdl.Cat(item.Q.Stream, slot.Value), hdl.Pack(item.Q))

	m.Section("Turns")
	over := hdl.NewStream(m, "over", engine.OverOf(c.Streams))
	turnPorts := RequestTurnsPorts{Arrive: arrival.Sink(), Store: store.Out(), Slot: slot.Out(), Over: over.Sink()}
	var turns []hdl.Sink[Turn]
	for _, name := range turnNames(c) {
		s := hdl.NewStream(m, name+"_turn", TurnOf(c))
		turnPorts.Turns, turns = append(turnPorts.Turns, hdl.Name(name, s.Source())), append(turns, s.Sink())
	}
	hdl.Instance(m, "turns", RequestTurns(c), turnPorts)

	m.Section("Choose a request whose buffer has room; kinds take turns. An opening goes first")
	streams := engine.OverOf(c.Streams)
	stopped := hdl.NewStream(m, "stopped", streams)
	stops := block.NewReserved(m, "stopped", startDepth, streams, stopped.Source())
	end := block.NewWideReserved(m, "end", startDepth, engine.InboundRequestOf(c), p.End)
	opens := m.Reg("opens_q", 1, hdl.ResetTo(0))
	opening := hdl.AllOf(sweep.Done, p.Opening.Valid, opens.Not())
	enters := opens.Value
	var halts hdl.Value
	if p.Stop != nil {
		m.Note("Then what stops a stream; it is over once its stream is stopped.")
		halt := m.Reg("halts_q", 1, hdl.ResetTo(0))
		opening = m.Let("opens_next", opening)
		halting := m.Let("halts_next", hdl.AllOf(sweep.Done, p.Stop.Valid, halt.Not(), opening.Not(), stops.Spare))
		first := m.Reg("enters_first_q", 1, hdl.ResetTo(0))
		m.OnClock(halt.Set(halting), first.Set(opening.Or(halting)))
		p.Stop.Accept(m, halt.Value)
		halts, enters = halt.Value, first.Value
	}
	m.OnClock(opens.Set(opening))
	may := m.Let("may_choose", enters.Not().And(stops.Room))
	takers := engine.Takers(c)
	var gate *hdl.Value
	now := func(room hdl.Value) hdl.Value { return may.And(room) }
	if p.Stop != nil {
		gate, now = &may, func(room hdl.Value) hdl.Value { return room }
	}
	var buffers []block.Reserved[any]
	for i, x := range takers {
		reserved := block.NewDirectReserved[any]
		if p.Stop != nil {
			reserved = block.NewWideReserved[any] // two cycles more, but no choice for each bit of so many requests
		}
		buffers = append(buffers, reserved(m, x.Name, startDepth, x.Request, p.Start[i].Of))
	}
	var room []hdl.Value
	for _, x := range executors {
		i := slices.IndexFunc(takers, func(taker engine.Executor) bool { return taker.Name == x.Name || taker.Name == x.Guest })
		roomy := now(buffers[i].Room)
		if n, has := engine.Refuser(c); has && n != i {
			roomy = roomy.And(buffers[n].Room)
		}
		room = append(room, roomy)
	}
	choice := chooseRequest(m, c, turns, append(room, now(end.Room)), item.Q.Kind, gate)
	p.Opening.Accept(m, opens.Value)
	m.Unused("opened or closed, the stream begins anew", p.Opening.Data.Open, p.Opening.Data.Domain)
	pipe := block.NewPipeline(m, m.Let("enters", enters.Or(choice.any)), settled+1)
	named := hdl.Mux(opens.Value, p.Opening.Data.Stream, choice.stream)
	reserves := choice.any
	if p.Stop != nil {
		named, reserves = hdl.Select(choice.stream, hdl.When{Cond: opens.Value, Then: p.Opening.Data.Stream}, hdl.When{Cond: halts, Then: p.Stop.Data.Stream}), m.Let("reserves_stop", choice.any.Or(halts))
	}
	stream := pipe.Signal("stream", 0, named)
	isOpening := pipe.Holds("opens", 0, opens.Value)
	which := pipe.Holds("chosen", 0, choice.which)
	request := pipe.Holds("request", stored, slots.Read("request_1_q", choice.any, hdl.Cat(choice.stream, choice.slot), hdl.ReadOld))

	m.Section("Look up the row of its STag again")
	found := hdl.Unpack(engine.InboundRequestOf(c), request.At(stored))
	m.Drive(p.Recheck.Enable, pipe.Valid(stored))
	m.Drive(p.Recheck.Index, found.STag.Slice(31, 8))
	row := hdl.LetOf(m, "row", hdl.Unpack(engine.STagEntryOf(c), p.Recheck.Entry.Value))
	m.Unused("checked when the request was accepted", hdl.Pack(row.Rights), row.ByDomain, row.Owner, row.Base, row.Length, row.Address)
	engine.UnusedTag(m, "checked when the request was accepted", row.Tag)
	checked := hdl.Unpack(engine.InboundRequestOf(c), request.At(rowRead))
	var reach []hdl.Value
	for i, reaches := range c.Profile.Reaches(m, c, checked) {
		reach = append(reach, which.At(rowRead).Bit(i).And(reaches))
	}
	reaches := m.Let("reaches_memory", hdl.AnyOf(reach...))
	gone := m.Let("stag_is_gone", row.Valid.Not().Or(row.Key.Ne(checked.STag.Truncate(8))))
	lost := pipe.Signal("stag_is_lost", rowRead, reaches.And(gone)).At(settled)
	fault, unable := engine.FaultOf(c, engine.FaultSTag), lost
	if p.Revoke != nil {
		revoked := revokes(m, p, c, pipe, found, checked)
		fault, unable = m.Let("fault", hdl.Mux(lost, fault, engine.FaultOf(c, engine.FaultRevokes))), m.Let("is_unable", lost.Or(revoked))
	}

	m.Section("Start it, unless its stream has failed or its STag is gone")
	state := block.NewContext(m, "stream_failed", hdl.Zero(1), sweep).Stage(pipe, settled-2, stream)
	failed := m.Let("has_failed", state.Now)
	r := hdl.LetOf(m, "request", hdl.Unpack(engine.InboundRequestOf(c), request.At(settled)))
	m.Unused("only the key was compared again", r.STag)
	asked := c.Profile.Starts(m, c, r)
	is := func(i int) hdl.Value { return which.At(settled).Bit(i) }
	special, overStream := isOpening.At(settled), r.Stream
	isHalt := hdl.Value{}
	var halting *block.Signal
	if p.Stop != nil {
		halting = pipe.Holds("halts", 0, halts)
		isHalt = halting.At(settled)
		special, overStream = special.Or(isHalt), stream.At(settled)
	}
	isRequest := pipe.Valid(settled).And(special.Not())
	var asks hdl.Value
	if p.Stop != nil {
		m.Note("What it is is known a stage before.")
		before := pipe.Valid(rowRead).And(isOpening.At(rowRead).Or(halting.At(rowRead)).Not())
		isRequest = pipe.Signal("is_request_next", rowRead, before).At(settled)
		asks = pipe.Signal("asks_next", rowRead, before.And(which.At(rowRead).Bit(len(executors)).Not())).At(settled)
	}
	isRequest = m.Let("is_request", isRequest)
	isEnd := m.Let("is_end", is(len(executors)))
	if p.Stop == nil {
		asks = isRequest.And(isEnd.Not())
	}
	refuser, refuses := engine.Refuser(c)
	able := failed.Not()
	if refuses {
		m.Note("What cannot be executed is refused; that a stream has failed only means that it has been reported.")
		able = hdl.Ones(1)
	}
	starts := m.Let("starts", hdl.AllOf(asks, able, unable.Not()))
	failing := hdl.AllOf(asks, failed.Not(), unable)
	if refuses {
		failing = failing.And(executors[refuser].Fails(r))
	}
	fails := m.Let("fails", failing)
	fresh, stopsNow := failed.Or(fails), isRequest.And(starts.Not())
	goesOn := starts
	if refuses {
		stopsNow, goesOn = isRequest.And(asks.Not()), asks
	}
	if p.Stop != nil {
		fresh, stopsNow = fresh.Or(isHalt), stopsNow.Or(pipe.Valid(settled).And(isHalt))
	}
	state.Decide(m, hdl.Mux(isOpening.At(settled), hdl.Zero(1), fresh))
	stopsNow = m.Let("stops", stopsNow)

	m.Section("Buffers")
	for i, taker := range takers {
		var reserved, chosen, began []hdl.Value
		var bundle any
		for n, x := range executors {
			mine := x.Name == taker.Name || x.Guest == taker.Name
			if !mine && !taker.Refuses {
				continue
			}
			reserved, chosen = append(reserved, choice.is(n)), append(chosen, isRequest.And(is(n)))
			if !mine {
				began = append(began, m.Let("refuse_"+x.Name, hdl.AllOf(asks, unable, is(n))))
				continue
			}
			began = append(began, m.Let("start_"+x.Name, starts.And(is(n))))
			if bundle == nil {
				bundle = asked[n]
			} else {
				bundle = hdl.Unpack(taker.Request, hdl.Mux(is(n), hdl.Pack(asked[n]), hdl.Pack(bundle)))
			}
		}
		begins := hdl.AnyOf(began...)
		buffers[i].Drive(hdl.AnyOf(reserved...), hdl.AnyOf(chosen...).And(begins.Not()), begins, bundle)
	}
	end.Drive(choice.is(len(executors)), hdl.Value{}, m.Let("ends", isRequest.And(isEnd)), r)
	stops.Drive(reserves, goesOn, stopsNow, engine.Over{Stream: overStream})
	pipe.Close()

	if p.Begins != nil {
		m.Unused("it is always accepted", p.Begins.Ready)
		p.Begins.Drive(m, asks.And(failed.Not()), engine.Begun{Stream: r.Stream, Tag: c.Profile.Begins(m, r)})
	}

	m.Section("Requests that are over: those of the executors, those that do not start, and ends of streams")
	mergeOver(m, c, append(p.Over[:len(p.Over):len(p.Over)], hdl.Name("stopped", stopped.Sink())), over.Source())

	m.Section("A stream fails once: there is room for all")
	failures := hdl.NewStream(m, "failure", engine.FailureOf(c))
	failures.Source().Drive(m, fails, engine.Failure{Stream: r.Stream, Fault: fault})
	m.Unused("there is room for all streams", failures.Source().Ready)
	block.Fifo(m, "failures", max(2, c.Streams), failures.Sink(), p.Failed)
}
