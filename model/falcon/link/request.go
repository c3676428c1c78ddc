package link

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// transmit takes a request of a QP.
func (l *Link) transmit(end int, qp uint32) bool {
	r, some := l.end[end].Transmit(qp)
	if !some {
		return false
	}
	w := l.way(end, r.CID)
	switch {
	case w == nil:
		l.report("end %d, QP %d transmits on CID %d; allowed: one that is connected", end, qp, r.CID)
		return true
	case r.RSN != w.next:
		l.report("end %d, QP %d transmits RSN %d; allowed: %d", end, qp, r.RSN, w.next)
	case l.end[end].Credits(r.CID).Negative():
		l.report("end %d, CID %d has credits %+v; allowed: none below 0", end, r.CID, l.end[end].Credits(r.CID))
	}
	w.next++
	i := &item{Request: r}
	w.open[r.RSN] = i
	w.requests = append(w.requests, w.spoilRequest(i)...)
	return true
}

// deliver hands a request to the target and takes the answer.
func (l *Link) deliver(w *way) bool {
	at := w.pick(l.config)
	if at < 0 {
		return false
	}
	i := w.requests[at]
	in := i.Request
	if in.CID == w.cid[0] {
		in.CID = w.cid[1]
	}
	a := l.end[1-w.from].Receive(in)
	if a.CID != in.CID || a.RSN != i.RSN {
		l.report("answer to CID %d, RSN %d is for CID %d, RSN %d", in.CID, i.RSN, a.CID, a.RSN)
	}
	if a.Reply == spec.RNR {
		i.rnr = !w.ordered
		if w.ordered {
			w.cursor++
		}
		return true
	}
	if w.ordered && at > 0 && (a.Reply == spec.Ack || a.Reply == spec.CIE) {
		l.report("RSN %d is answered with %v while RSN %d waits after an RNR; allowed: rnr", i.RSN, a.Reply, w.requests[0].RSN)
	}
	w.requests = slices.Delete(w.requests, at, at+1)
	if a, drop := w.unheard(i, a); !drop {
		l.answered(w, i, a)
	}
	return true
}

// pick returns the index of the next request to deliver, -1 if there is none.
func (w *way) pick(c Config) int {
	if w.ordered {
		if w.cursor < len(w.requests) {
			return w.cursor
		}
		return -1
	}
	var ready []int
	for at := range min(len(w.requests), c.Reorder) {
		if !w.requests[at].rnr {
			ready = append(ready, at)
		}
	}
	if len(ready) == 0 {
		return -1
	}
	return ready[c.Choose(len(ready))]
}

// fire ends the wait after an RNR: on an ordered connection of the oldest request and all later ones (FTP 8.5.3.4), on others
// of one.
func (w *way) fire(choose func(n int) int) bool {
	if w.ordered {
		fired := w.cursor > 0
		w.cursor = 0
		return fired
	}
	var waiting []*item
	for _, i := range w.requests {
		if i.rnr {
			waiting = append(waiting, i)
		}
	}
	if len(waiting) == 0 {
		return false
	}
	waiting[choose(len(waiting))].rnr = false
	return true
}

// answered turns an answer into a completion.
func (l *Link) answered(w *way, i *item, a falcon.Answer) {
	if a.Reply == spec.Ack && i.Type == spec.PullRequest {
		i.accepted = true
		return
	}
	c, allowed := Completion(w.cid[0], i.RSN, i.Type, a)
	if !allowed {
		l.report("RSN %d, %v, is answered with %v; allowed: ack, rnr, cid, and for a push cie, nre", i.RSN, i.Type, a.Reply)
	}
	w.results = append(w.results, result{Completed: c})
}

// Completion is what the initiator is told of a request that got an answer for good; false if a target may not answer so. A pull with an
// invalid CID times out at the initiator (FTP 11).
func Completion(cid, rsn uint32, t spec.PacketType, a falcon.Answer) (c falcon.Completed, allowed bool) {
	c = falcon.Completed{CID: cid, RSN: rsn}
	pull := t == spec.PullRequest
	switch {
	case a.Reply == spec.Ack && !pull:
	case a.Reply == spec.CID && pull:
		c.Code = spec.CompletedLocalTO
	case a.Reply == spec.CID:
		c.Code = spec.CompletedCID
	case a.Reply == spec.CIE && !pull:
		c.Code, c.ULP = spec.CompletedCIE, a.Code
	case a.Reply == spec.NRE && !pull:
		c.Code = spec.CompletedNRE
	default:
		return c, false
	}
	return c, true
}
