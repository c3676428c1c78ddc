package falcon

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// qp is a QP.
type qp struct {
	QPConfig
	support spec.Support
	peer    memory.Peer
	conn    *connection // nil: UD
	failed  bool        // in Error

	// The initiator.
	work     []*work // incomplete, in the order of posting
	sendRMSN uint32  // of the next message that takes a receive
	pullRMSN uint32  // of the next pull
	pulls    int     // outstanding

	// The target.
	receives    []*receive // own ones that no message has taken, in the order of posting
	nextReceive uint32     // RMSN of the message that takes the next one posted
	messages    map[uint32]*message
	over        window              // RMSNs of messages that are over
	pulled      window              // RMSNs of pulls
	unanswered  int                 // pulls whose response has not left: entries of the IRRQ
	inside      spec.Kind           // ordered: kind of the message between First and Last, in the order of SN; 0: none
	refused     bool                // a request since the latest Write began
	ahead       map[uint32]*request // weakly ordered: requests after a missing SN
	waiting     []*request          // weakly ordered: Atomics that wait for a missing SN
}

// receive is a posted receive request. Without a shared queue it belongs to the message with an RMSN.
type receive struct {
	ReceiveRequest
	rmsn uint32
}

type sharedQueue struct {
	domain   uint16 // XRC domain
	receives []*receive
}

// PostReceive posts a receive request on the QP's own queue. On a QP in Error it is flushed.
func (e *Engine) PostReceive(number uint32, r ReceiveRequest) {
	q := e.qps[number]
	q.receives = append(q.receives, &receive{r, q.nextReceive})
	q.nextReceive++
	if q.failed {
		e.flushReceives(q)
	}
}

// PostShared posts a receive request on a shared receive queue.
func (e *Engine) PostShared(srq uint32, r ReceiveRequest) {
	s := e.srqs[srq]
	s.receives = append(s.receives, &receive{ReceiveRequest: r})
}

// Fail moves a QP to Error, as its host or a tear-down does (I-69).
func (e *Engine) Fail(number uint32) { e.fail(e.qps[number], Event{QP: number}, false) }

// fail moves a QP to Error: all its work requests and receives complete, atomics that wait are answered with CE. Later
// completions and responses find no transaction.
func (e *Engine) fail(q *qp, v Event, tell bool) {
	if q.failed {
		return
	}
	q.failed = true
	if tell {
		v.QP = q.Number
		e.events = append(e.events, v)
	}
	for _, conn := range e.connections {
		for rsn, t := range conn.open {
			if t.q == q {
				delete(conn.open, rsn)
			}
		}
	}
	q.pulls = 0
	e.flushWork(q)
	for _, r := range q.waiting {
		e.answerCE(r)
	}
	q.waiting = nil
	e.flushReceives(q)
}

// flushWork completes all work requests in the order of posting. One that failed keeps its status; one that was done, but
// waited for an earlier one, is flushed too.
func (e *Engine) flushWork(q *qp) {
	for _, w := range q.work {
		if w.status == Success {
			w.status = Flushed
		}
		e.completeWork(q, w)
	}
	q.work = nil
}

// flushReceives completes the receives that messages have taken, in the order of RMSN, then those still posted. Those of a
// shared queue stay there.
func (e *Engine) flushReceives(q *qp) {
	var open []*message
	for _, m := range q.messages {
		if m.receive != nil {
			open = append(open, m)
		}
	}
	slices.SortFunc(open, func(a, b *message) int { return int(int32(a.rmsn - b.rmsn)) })
	for _, m := range open {
		if m.status == Success {
			m.status = Flushed
		}
		e.completeReceive(q, m)
	}
	clear(q.messages)
	for _, r := range q.receives {
		e.completions = append(e.completions, Completion{QP: q.Number, ID: r.ID, Receive: true, Status: Flushed})
	}
	q.receives = nil
}

func (e *Engine) completeWork(q *qp, w *work) {
	c := Completion{QP: q.Number, ID: w.ID, Status: w.status, Kind: w.Kind, Length: uint32(w.length)}
	if w.status == Success {
		c.Original = w.original
	}
	e.completions = append(e.completions, c)
}

// settle completes the work requests that are done: in the order of posting unless the QP is unordered.
func (e *Engine) settle(q *qp) {
	if q.failed {
		return
	}
	if q.Ordering.Completes() {
		for len(q.work) > 0 && q.work[0].done() {
			e.completeWork(q, q.work[0])
			q.work = q.work[1:]
		}
		return
	}
	q.work = slices.DeleteFunc(q.work, func(w *work) bool {
		if w.done() {
			e.completeWork(q, w)
		}
		return w.done()
	})
}
