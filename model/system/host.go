package system

import (
	"fmt"
	"sync/atomic"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// host runs the transactions of its connections, and answers Sends.
type host struct {
	*Clocked
	port, nic  sim.Port
	initiators []*initiator
	targets    map[uint32]*connection // those that answer Sends, by stream
	senders    map[uint32]*initiator  // those that expect answers, by stream

	agenda   agenda
	works    []rdmap.WorkRequest
	receives []rdmap.ReceiveRequest
	running  map[uint64]*operation // by ID of the work request
	ids      uint64
	record   *record
	stopped  *atomic.Bool // no transaction begins any more
	err      error
}

// answers is set in the ID of a work or receive request that belongs to no operation.
const answers = 1 << 63

func newHost(name string, engine sim.Engine, f sim.Freq, r *record, stopped *atomic.Bool) *host {
	h := &host{stopped: stopped, targets: map[uint32]*connection{}, senders: map[uint32]*initiator{}, running: map[uint64]*operation{}, record: r}
	h.Clocked = NewClocked(name, engine, f, h.act)
	h.port = sim.NewLimitNumMsgPort(h, portDepth, name+".NIC")
	h.AddPort("NIC", h.port)
	return h
}

// initiate adds a connection that this host begins transactions on.
func (h *host) initiate(c *connection, seed uint64) {
	i := newInitiator(c, seed)
	h.initiators = append(h.initiators, i)
	if c.flow.sends() {
		h.senders[c.from.stream] = i
		h.expect(c, c.from)
	}
}

// serve adds a connection that this host is the target of.
func (h *host) serve(c *connection) {
	if c.flow.sends() {
		h.targets[c.to.stream] = c
		h.expect(c, c.to)
	}
}

// expect posts receive requests for the Sends that may be on their way to one end of a connection.
func (h *host) expect(c *connection, e end) {
	for slot := range c.flow.Outstanding {
		h.receive(c, e, slot)
	}
}

func (h *host) receive(c *connection, e end, slot int) {
	h.receives = append(h.receives, rdmap.ReceiveRequest{Stream: e.stream, ID: answers | uint64(slot), Length: uint32(c.octets),
		Buffer: rdmap.Buffer{STag: localSTag, TO: e.local + uint64(slot)*c.octets}})
}

// start lets transactions begin, at a cycle or at random moments after it.
func (h *host) start(when Cycle) {
	for _, i := range h.initiators {
		if i.flow.Rate > 0 {
			h.arrivals(i, float64(when), when)
			continue
		}
		for range i.flow.Outstanding {
			h.enter(i, when, when)
		}
	}
	h.Wake(0)
}

// arrivals enters the next moment at which a transaction of a flow with a rate begins.
func (h *host) arrivals(i *initiator, moment float64, start Cycle) {
	if i.flow.Transactions > 0 && i.begun+len(i.late) >= i.flow.Transactions {
		return
	}
	moment += i.pause(h.Freq)
	when := upTo(moment)
	if h.past(i, when, start) {
		return
	}
	h.agenda.enter(when, func(now Cycle) {
		i.late = append(i.late, now)
		h.catchUp(i, now)
		h.arrivals(i, moment, start)
	})
}

// catchUp begins transactions that should have begun.
func (h *host) catchUp(i *initiator, now Cycle) {
	for len(i.late) > 0 && len(i.free) > 0 && !h.stopped.Load() {
		moment := i.late[0]
		i.late = i.late[1:]
		h.begin(i, moment, now)
	}
}

// enter begins a transaction at a cycle, unless the flow is over.
func (h *host) enter(i *initiator, when, start Cycle) {
	h.agenda.enter(when, func(now Cycle) {
		if i.flow.Transactions > 0 && i.begun >= i.flow.Transactions || h.past(i, now, start) {
			return
		}
		h.begin(i, now, now)
	})
}

// begin begins a transaction whose latency counts from a moment.
func (h *host) begin(i *initiator, moment, now Cycle) {
	t := i.begin(moment)
	h.traceBegin(t)
	h.proceed(t, now)
}

// past reports whether no transaction of a connection begins any more.
func (h *host) past(i *initiator, now, start Cycle) bool {
	return h.stopped.Load() || i.flow.Transactions == 0 && now >= start+i.flow.For.cycles(h.Freq)
}

// proceed posts the next step of a transaction, or all of them.
func (h *host) proceed(t *transaction, now Cycle) {
	for t.step < len(t.mix.Steps) {
		h.post(&operation{transaction: t, step: &t.mix.Steps[t.step], number: t.step}, now)
		t.step++
		if !t.mix.BackToBack {
			return
		}
	}
}

func (h *host) post(o *operation, now Cycle) {
	h.ids++
	o.posted = now
	o.pending++
	h.running[h.ids] = o
	h.traceOperation(o, h.ids)
	h.works = append(h.works, o.work(h.ids))
	if o.step.Operation == Send {
		o.replies = append(o.replies, o)
	}
}

// act is a cycle.
func (h *host) act(now Cycle) (next Cycle) {
	for m := h.port.Retrieve(at(h.Freq, now)); m != nil; m = h.port.Retrieve(at(h.Freq, now)) {
		switch m := m.(type) {
		case *Done:
			h.done(m.Completion, now)
		case *Ended:
			h.fail("stream %d has ended", m.Stream)
		}
	}
	if h.err != nil {
		return never
	}
	h.agenda.run(now)
	return min(h.send(now), h.agenda.next())
}

// send posts a work request and a receive request.
func (h *host) send(now Cycle) (next Cycle) {
	if len(h.receives) > 0 && h.port.CanSend() {
		m := &Receive{Request: h.receives[0]}
		h.receives = h.receives[1:]
		h.pass(m, now)
	}
	if len(h.works) > 0 && h.port.CanSend() {
		m := &Work{Request: h.works[0]}
		h.works = h.works[1:]
		h.pass(m, now)
	}
	if len(h.works)+len(h.receives) > 0 && h.port.CanSend() {
		return now + 1
	}
	return never // the connection wakes the host
}

func (h *host) pass(m sim.Msg, now Cycle) {
	meta := m.Meta()
	meta.Src, meta.Dst, meta.SendTime = h.port, h.nic, at(h.Freq, now)
	h.port.Send(m)
}

func (h *host) fail(format string, args ...any) {
	if h.err == nil {
		h.err = fmt.Errorf("%s: %s", h.Name(), fmt.Sprintf(format, args...))
	}
}

// done takes a completion.
func (h *host) done(c rdmap.Completion, now Cycle) {
	if c.Status != rdmap.StatusSuccess {
		h.fail("stream %d: a request completes with status %v", c.Stream, c.Status)
		return
	}
	if c.Recv {
		h.received(c, now)
		return
	}
	if c.ID&answers != 0 {
		return
	}
	o, known := h.running[c.ID]
	if !known {
		h.fail("stream %d: a completion of %#x, which is not in progress", c.Stream, c.ID)
		return
	}
	delete(h.running, c.ID)
	o.complete = true
	if o.step.Operation != Send || o.replied {
		h.ended(o, c.Data, now)
	}
}

// received answers a Send, or ends the operation that it answers once that is complete: over Falcon an answer may come first.
func (h *host) received(c rdmap.Completion, now Cycle) {
	slot := int(c.ID &^ answers)
	if t, serves := h.targets[c.Stream]; serves {
		h.receive(t, t.to, slot)
		h.works = append(h.works, rdmap.WorkRequest{Stream: c.Stream, ID: answers, Signaled: true, Opcode: spec.Send.Opcode(), Length: c.Length,
			Local: rdmap.Buffer{STag: localSTag, TO: t.to.local + uint64(slot)*t.octets}})
		return
	}
	i := h.senders[c.Stream]
	if i == nil || len(i.replies) == 0 {
		h.fail("stream %d: a message that nobody expects", c.Stream)
		return
	}
	h.receive(i.connection, i.from, slot)
	o := i.replies[0]
	i.replies = i.replies[1:]
	if o.replied = true; o.complete {
		h.ended(o, 0, now)
	}
}

// ended ends an operation, and with the last one its transaction.
func (h *host) ended(o *operation, original uint64, now Cycle) {
	t := o.transaction
	h.record.operation(o, original, now)
	h.traceDone(o)
	t.pending--
	if o.again(original) && h.stopped.Load() {
		t.initiator.begun-- // it might never end
		return
	}
	if o.again(original) {
		h.record.retry(o)
		h.post(&operation{transaction: t, step: o.step, number: o.number}, now)
		return
	}
	if t.step < len(t.mix.Steps) {
		h.proceed(t, now)
		return
	}
	if t.pending > 0 {
		return
	}
	h.record.transaction(t, now)
	h.traceEnd(t)
	i := t.initiator
	i.ended, i.last = i.ended+1, now
	i.free = append(i.free, t.slot)
	if i.flow.Rate > 0 {
		h.catchUp(i, now)
		return
	}
	h.again(i, now)
}

// again begins another transaction after the host has thought.
func (h *host) again(i *initiator, now Cycle) {
	h.enter(i, now+max(1, i.flow.Think.cycles(h.Freq)), h.record.start)
}
