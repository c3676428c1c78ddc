package order

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// FarGatePorts let items pass those that wait for far memory.
type FarGatePorts struct {
	Deliver  hdl.Sink[engine.Delivery]
	Begun    FarPlacement `doc:"a placement in far memory is issued"`
	Finished FarPlacement `doc:"the oldest placement in far memory is finished"`
	Crowded  hdl.Out      `doc:"480 placements in far memory or more are not finished"`
	Passed   hdl.Source[engine.Delivery]
}

// FarPlacement is a step of a placement in far memory, in a cycle in which Valid is 1.
type FarPlacement struct {
	Valid  hdl.In `doc:"a placement in far memory is issued, or finished"`
	Stream hdl.In `doc:"number of its stream"`
}

const farGateDoc = `far_gate stands in front of delivery_gate and lets the items of a stream pass those of streams that wait for far memory. An
item of a stream with a placement in far memory that is not finished enters a queue; so do later items of the stream while one
of its items is in the queue, and an item that waits for the placements of all streams while any in far memory is not finished.
All others pass.

The queue holds up to 512 items. The oldest leaves when all placements in far memory that were issued before it entered are finished;
those finish in the order in which they were issued. It also waits for items that passed before it entered. Items of the queue
and others take turns. Each stream's items leave in order. When the queue is full, no item is accepted.

At most 511 placements in far memory may be in progress, each issued a cycle or more before an item of its stream that follows
it arrives. An item takes six cycles, in the queue eight. After reset the counts of all streams are cleared, one stream
per cycle; no item is accepted before that.`

// farItems is how many items are in the queue at most; one more is the oldest. farItemBits is the width of a count of those.
const (
	farItems    = 512
	farItemBits = 10
)

// farCrowd is log2 of how many more placements in far memory may be issued once they are crowded.
const farCrowd = 5

// FarGate is for configurations with far memory.
func FarGate(c engine.Config) hdl.Block[FarGatePorts] {
	step := FarPlacement{hdl.NewIn(1), hdl.NewIn(block.IndexWidth(c.Streams))}
	return hdl.Block[FarGatePorts]{
		Kind: "far_gate", Params: c.Params("streams", "ird"), Doc: farGateDoc,
		Ports: FarGatePorts{Deliver: hdl.NewSink(engine.CheckedDeliveryOf(c)), Begun: step, Finished: step, Crowded: hdl.NewOut(1),
			Passed: hdl.NewSource(engine.DeliveryOf(c))},
		Build: func(m *hdl.Module, p FarGatePorts) { buildFarGate(m, p, c) },
	}
}

// heldItem is an item of the queue, with what it found when it entered.
type heldItem struct {
	Item  engine.Delivery
	Place hdl.Value // number of the latest placement in far memory
	Pass  hdl.Value // number of the latest item that passes
}

// passItems is how many items that pass wait for their turn at most; passBits is the width of their number.
const (
	passItems = 8
	passBits  = 6
)

// Stages of far_gate: an item arrives, its counts are read, it is decided whether it waits, and it enters the queue or passes.
const (
	farNamed   = 0
	farRead    = 1
	farDecided = 2
	farEnters  = 3
)

func buildFarGate(m *hdl.Module, p FarGatePorts, c engine.Config) {
	sweep := block.NewSweep(m, block.IndexWidth(c.Streams))
	all := engine.DeliveryOf(c)
	held := heldItem{Item: all, Place: hdl.Bits(engine.PlacementBits), Pass: hdl.Bits(passBits)}
	queued, passing := hdl.NewStream(m, "queued", held), hdl.NewStream(m, "passing", all)
	queue := block.NewWideReserved(m, "queue", farItems, held, queued.Source())
	pass := block.NewWideReserved(m, "pass", passItems, all, passing.Source())

	m.Section("Placements in far memory: of all streams, and of each")
	placements := newFarSteps(m, "placement", engine.PlacementBits, p.Begun.Valid.Value, p.Finished.Valid.Value)
	crowded := m.Reg("crowded_q", 1, hdl.ResetTo(0))
	inProgress := m.Let("in_progress", placements.begun.Sub(placements.finished))
	some := m.Reg("some_in_progress_q", 1, hdl.ResetTo(0))
	m.OnClock(crowded.Set(inProgress.Slice(engine.PlacementBits-1, farCrowd).All()), some.Set(inProgress.Any()))
	m.Drive(p.Crowded, crowded.Value)
	begunBy := countEach(m, "stream_begun", engine.PlacementBits, sweep, p.Begun.Valid.Value, p.Begun.Stream.Value)
	finishedBy := countEach(m, "stream_finished", engine.PlacementBits, sweep, p.Finished.Valid.Value, p.Finished.Stream.Value)

	m.Section("Items: does a stream wait for far memory?")
	ready := m.Let("ready", hdl.AllOf(sweep.Done, queue.Room, pass.Room))
	p.Deliver.Accept(m, ready)
	take := m.Let("take", p.Deliver.Valid.And(ready))
	pipe := block.NewPipeline(m, take, farEnters)
	d := p.Deliver.Data
	awaitsAll := pipe.Holds("awaits_all", farNamed, d.Awaits.(*engine.AwaitsFar).Is)
	d.Awaits = nil
	item := pipe.Holds("item", farNamed, m.Let("arriving_item", hdl.Pack(d)))
	stream := pipe.Holds("stream", farNamed, d.Request.Stream)
	entered := block.NewContext(m, "stream_entered", hdl.Zero(farItemBits), sweep).Stage(pipe, farNamed, stream)
	goes, of := m.Wire("goes_on", 1), m.Wire("goes_on_stream", stream.At(farNamed).Width())
	left := countEach(m, "stream_left", farItemBits, sweep, goes.Value, of.Value)
	latest := func(name string, of block.Loop) hdl.Value {
		return of.Latest(name, pipe.Valid(farRead), stream.At(farRead))
	}
	unfinished := m.Let("has_unfinished", latest("item_begun", begunBy).Ne(latest("item_finished", finishedBy)))
	waiting := m.Let("has_waiting", entered.Now.Ne(latest("item_left", left)))
	waits := pipe.Signal("waits", farDecided, hdl.AnyOf(unfinished, waiting, awaitsAll.At(farDecided).And(some.Value)))
	entered.Decide(m, entered.Now.Add(waits.At(farDecided).ZeroExtend(farItemBits)))
	enters, passes := m.Let("enters_queue", pipe.Valid(farEnters).And(waits.At(farEnters))), m.Let("passes", pipe.Valid(farEnters).And(waits.At(farEnters).Not()))
	decided := hdl.Unpack(all, item.At(farEnters))
	passed := newFarSteps(m, "pass", passBits, passes, passing.Sink().Valid.And(passing.Source().Ready))
	queue.Drive(take, passes, enters, heldItem{Item: decided, Place: placements.begun, Pass: passed.begun})
	pass.Drive(take, enters, passes, decided)

	m.Section("The oldest item of the queue, and turns")
	m.Note("Whether it has to wait is known a cycle late: while an item waits, of itself, otherwise of the next.")
	next, oldest := queued.Sink(), hdl.NewRegOf(m, "oldest", held, hdl.NoReset)
	valid, may := m.Reg("oldest_valid_q", 1, hdl.ResetTo(0)), m.Reg("oldest_may_leave_q", 1, hdl.ResetTo(0))
	turn, others := m.Reg("queue_turn_q", 1, hdl.ResetTo(0)), m.Reg("pass_turn_q", 1, hdl.ResetTo(1))
	out := block.NewSkid(m, "passed", all, p.Passed)
	m.Note("Whose turn it is is known a cycle before: it passes on when the other waits, with an item or when there is none. The items, which are wide,")
	m.Note("have a register of their own for it.")
	can := m.Let("queue_may_leave", valid.And(may.Value))
	leaves := m.Let("leaves_queue", hdl.AllOf(turn.Value, can, out.Room))
	passing.Sink().Accept(m, out.Room.And(turn.Not()))
	mine, other := hdl.Mux(turn.Value, can, passing.Sink().Valid), hdl.Mux(turn.Value, passing.Sink().Valid, can)
	leaving := m.Let("leaves", out.Room.And(m.Let("some_leaves", mine)))
	out.Drive(leaving, hdl.Unpack(all, hdl.Mux(others.Value, hdl.Pack(passing.Sink().Data), hdl.Pack(oldest.Q.Item))))
	passesOn := m.Let("turn_passes", m.Let("other_waits", other).And(leaving.Or(mine.Not())))
	now := m.Let("next_turn", turn.Xor(passesOn))
	m.OnClock(turn.Set(now), others.Set(now.Not()))
	m.Drive(goes.Out(), leaves)
	m.Drive(of.Out(), oldest.Q.Item.Request.Stream)
	loads := m.Let("loads_oldest", valid.Not().Or(leaves))
	next.Accept(m, loads)
	mayLeave := func(name string, i heldItem) hdl.Value {
		waits := placements.pending(m, name+"_waits_for_place", i.Place)
		return m.Let(name+"_may_leave", waits.Or(passed.pending(m, name+"_waits_for_pass", i.Pass)).Not())
	}
	m.OnClock(may.Set(hdl.Mux(loads, mayLeave("next", next.Data), mayLeave("oldest", oldest.Q))),
		hdl.If(loads, valid.Set(next.Valid), oldest.Set(next.Data)))
	pipe.Close()
}
