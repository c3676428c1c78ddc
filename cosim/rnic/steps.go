package rnic

import (
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/ordering"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// tracer groups the steps of a device into messages and checks them against the ordering tables. A Read Response is generated
// over some time: early uses its start, so that nothing may start too soon; late uses its last segment, so that whatever must wait
// for it waits to the end. A device does not report when a Flush, Verify or Atomic Write takes effect. Its response is the latest time; the
// earliest is its beginning, which only an Atomic Write shows.
type tracer struct {
	early, late *ordering.Checker
	streams     []tracedStream
	kinds       sentKinds
}

// tracedStream tracks the messages received on a stream.
type tracedStream struct {
	next     uint64 // number of the next message
	sending  uint64 // number of the Send whose last segment is missing, 0 none
	writing  uint64 // likewise for an RDMA Write
	messages []tracedMessage
	placing  []tracedPlacement // in flight
}

type tracedPlacement struct {
	message  uint64 // 0 none
	reported bool   // it is known whether it is in far memory
	far      bool
}

type tracedMessage struct {
	number    uint64
	operation ordering.Operation
	arrived   bool // its last segment has arrived
	placing   int  // placements in flight
	done      [ordering.Responded + 1]bool
}

func newTracer(c gen.Config) *tracer {
	return &tracer{early: ordering.NewChecker(), late: ordering.NewChecker(), streams: make([]tracedStream, c.Streams), kinds: sentKindsOf(c)}
}

// open resets the state of a reopened stream. Placements that are known to be in progress finish in its new life, for no message.
func (t *tracer) open(stream uint32) {
	var old []tracedPlacement
	for _, p := range t.streams[stream].placing {
		if p.reported {
			old = append(old, tracedPlacement{reported: true, far: p.far})
		}
	}
	t.streams[stream] = tracedStream{placing: old}
	t.early.Open(stream)
	t.late.Open(stream)
}

// operationOf maps messages to the operations of the tables.
func operationOf(op wire.Opcode) (ordering.Operation, bool) {
	row, _ := spec.AllExtensions.Operation(op)
	o, is := orders[row.Order]
	return o, is
}

var orders = map[spec.Order]ordering.Operation{spec.OrderSend: ordering.Send, spec.OrderWrite: ordering.Write, spec.OrderRead: ordering.Read,
	spec.OrderAtomic: ordering.Atomic, spec.OrderImmediate: ordering.Immediate, spec.OrderFlush: ordering.Flush, spec.OrderVerify: ordering.Verify,
	spec.OrderAtomicWrite: ordering.AtomicWrite}

// add processes the steps of a run.
func (t *tracer) add(steps []step) (found []ordering.Violation) {
	for _, s := range steps {
		f := &t.streams[s.stream]
		tell := func(r ordering.Record, checkers ...*ordering.Checker) {
			for _, c := range checkers {
				found = append(found, c.Add(r)...)
			}
		}
		record := func(m *tracedMessage, at ordering.Step) {
			if m.done[at] {
				return
			}
			m.done[at] = true
			r := ordering.Record{Time: s.clock, Stream: s.stream, Message: m.number, Operation: m.operation, Step: at}
			switch {
			case at == ordering.ReadGenerated:
				tell(r, t.early)
				return
			case at == ordering.ResponseLeft && m.operation == ordering.Read:
				generated := r
				generated.Step = ordering.ReadGenerated
				tell(generated, t.late)
			}
			tell(r, t.early, t.late)
		}
		oldest := func(at ordering.Step, operations ...ordering.Operation) {
			for i := range f.messages {
				if m := &f.messages[i]; slices.Contains(operations, m.operation) && !m.done[at] {
					record(m, at)
					return
				}
			}
		}
		switch s.kind {
		case retireArrived:
			t.arrive(f, s, record)
		case retirePlacing:
			if i := slices.IndexFunc(f.placing, func(p tracedPlacement) bool { return !p.reported }); i >= 0 {
				f.placing[i].reported, f.placing[i].far = true, s.far
			}
		case retirePlaced, retireFarPlaced:
			if m := f.message(f.placed(s.far)); m != nil {
				if m.placing--; m.placing == 0 && m.arrived {
					record(m, ordering.Placed)
				}
			}
		case retireDelivered:
			if s.what == engine.DeliverReceive {
				oldest(ordering.Completed, ordering.Send, ordering.Immediate)
			}
		case retireRead:
			oldest(ordering.ReadGenerated, ordering.Read)
		case retireAtomic, retireFarAtomic:
			if s.what == writeCode {
				oldest(ordering.Begun, ordering.AtomicWrite)
				break
			}
			oldest(ordering.AtomicExecuted, ordering.Atomic)
			oldest(ordering.AtomicResponded, ordering.Atomic)
		case retireSent:
			answers, is := t.kinds.answered(s.what)
			switch {
			case s.dropped:
			case is && s.final && t.kinds.requests[s.what].Class&spec.Committing != 0:
				if answers != ordering.AtomicWrite {
					oldest(ordering.Begun, answers)
				}
				for _, at := range []ordering.Step{ordering.Executed, ordering.Responded, ordering.ResponseLeft} {
					oldest(at, answers)
				}
			case is && s.final:
				oldest(ordering.ResponseLeft, answers)
			case s.what == engine.KindEnd:
				tell(ordering.Record{Time: s.clock, Stream: s.stream, Step: ordering.Terminated}, t.early, t.late)
			}
		}
		f.forget()
	}
	return found
}

// arrive notes a segment. Placements follow in the order of the segments; an invalid segment is the last of its stream that
// could be placed, so that later ones do not matter.
func (t *tracer) arrive(f *tracedStream, s step, record func(*tracedMessage, ordering.Step)) {
	operation, is := operationOf(s.opcode)
	if !is {
		if s.payload && isOf(s.opcode, spec.Responses) {
			f.placing = append(f.placing, tracedPlacement{})
		}
		return
	}
	var single uint64
	within := &single
	switch operation {
	case ordering.Send:
		within = &f.sending
	case ordering.Write:
		within = &f.writing
	}
	if *within == 0 {
		f.next++
		*within = f.next
		f.messages = append(f.messages, tracedMessage{number: f.next, operation: operation})
		record(&f.messages[len(f.messages)-1], ordering.Arrived)
	}
	m := f.message(*within)
	if m.arrived = s.last; s.last {
		*within = 0
	}
	if s.payload {
		m.placing++
		f.placing = append(f.placing, tracedPlacement{message: m.number})
	} else if s.last && m.placing == 0 {
		record(m, ordering.Placed)
	}
}

// placed removes the oldest placement in near or in far memory, and returns the number of its message.
func (f *tracedStream) placed(far bool) (message uint64) {
	i := slices.IndexFunc(f.placing, func(p tracedPlacement) bool { return p.far == far })
	if i < 0 {
		return 0
	}
	message = f.placing[i].message
	f.placing = slices.Delete(f.placing, i, i+1)
	return message
}

func (f *tracedStream) message(number uint64) *tracedMessage {
	for i := range f.messages {
		if f.messages[i].number == number {
			return &f.messages[i]
		}
	}
	return nil
}

// forget drops the oldest messages that are complete.
func (f *tracedStream) forget() {
	last := [...]ordering.Step{ordering.Send: ordering.Completed, ordering.Write: ordering.Placed, ordering.Read: ordering.ResponseLeft,
		ordering.Atomic: ordering.ResponseLeft, ordering.Immediate: ordering.Completed, ordering.Flush: ordering.ResponseLeft, ordering.Verify: ordering.ResponseLeft,
		ordering.AtomicWrite: ordering.ResponseLeft}
	for len(f.messages) > 0 && f.messages[0].done[last[f.messages[0].operation]] {
		f.messages = f.messages[1:]
	}
}
