package falcon

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/link"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// answer processes the response of a target to a delivered request.
func (f *Fabric) answer(end int, a falcon.Answer) {
	w := f.byTarget(end, a.CID)
	if w == nil || w.open[a.RSN] == nil {
		f.report("end %d answers CID %d, RSN %d with %v; allowed: what it has been given", end, a.CID, a.RSN, a.Reply)
		return
	}
	i := w.open[a.RSN]
	if i.state == answered {
		if a.Reply != spec.Ack {
			f.report("end %d answers RSN %d with %v after its response; allowed: ack", end, a.RSN, a.Reply)
		}
		i.state = over
		f.remove(w, i)
		return
	}
	if i.state != delivered {
		f.report("end %d answers CID %d, RSN %d with %v; allowed: one answer each time that it is delivered", end, a.CID, a.RSN, a.Reply)
		return
	}
	if a.Reply == spec.RNR {
		i.state, i.due, w.halted = refused, f.later(), w.Ordered
		f.Retried++
		return
	}
	if f.Accepted != nil && i.Type == spec.PushRequest && (a.Reply == spec.Ack || a.Reply == spec.CIE) {
		f.Accepted(end, i.Octets)
	}
	if w.halted && i.Type == spec.PushRequest && (a.Reply == spec.Ack || a.Reply == spec.CIE) && w.items[0].state == refused {
		f.report("end %d answers CID %d, RSN %d with %v while RSN %d waits after an RNR; allowed: rnr", end, a.CID, i.RSN, a.Reply, w.items[0].RSN)
	}
	f.remove(w, i)
	f.conclude(w, i, a)
}

// conclude turns an answer into a completion.
func (f *Fabric) conclude(w *way, i *item, a falcon.Answer) {
	if a.Reply == spec.Ack && i.Type == spec.PullRequest {
		i.state = accepted
		return
	}
	c, allowed := link.Completion(w.CID[w.from], i.RSN, i.Type, a)
	if !allowed {
		f.report("RSN %d, %v, is answered with %v; allowed: ack, rnr, cid, and for a push cie, nre", i.RSN, i.Type, a.Reply)
	}
	w.results = append(w.results, result{Completed: c, due: f.later()})
}

func (f *Fabric) remove(w *way, i *item) {
	at := slices.Index(w.items, i)
	if at < 0 {
		return
	}
	w.items = slices.Delete(w.items, at, at+1)
	if w.Ordered && at < w.cursor {
		w.cursor--
	}
}

func (f *Fabric) byTarget(end int, cid uint32) *way {
	for _, w := range f.ways {
		if w.from == 1-end && w.CID[end] == cid {
			return w
		}
	}
	return nil
}

// respond takes a pull response of a target.
func (f *Fabric) respond(end int, p Packet) {
	w := f.byTarget(end, p.CID)
	if w == nil || w.open[p.RSN] == nil {
		f.report("end %d responds to CID %d, RSN %d; allowed: to a pull that it has been given", end, p.CID, p.RSN)
		return
	}
	i := w.open[p.RSN]
	switch i.state {
	case accepted:
		i.state = over
	case delivered:
		i.state = answered
	default:
		f.report("end %d responds to CID %d, RSN %d, again or before it is accepted; allowed: once", end, p.CID, p.RSN)
		return
	}
	var x packet.Packet
	x.DecodeBase(p.Octets, f.Order)
	if w.halted && len(w.items) > 0 && !x.CE && w.items[0].state == refused && int32(p.RSN-w.items[0].RSN) > 0 { // with CE: the QP is in Error (I-100)
		f.report("end %d responds to RSN %d while RSN %d waits after an RNR; allowed: with CE", end, p.RSN, w.items[0].RSN)
	}
	if len(p.Octets) > i.Length {
		f.report("end %d responds to RSN %d with %d octets; allowed: at most %d", end, p.RSN, len(p.Octets), i.Length)
	}
	if w.Counted { // the other Falcon acknowledges responses on arrival and reorders them: the credits do not wait for those ahead
		cost := spec.Cost(spec.PullData, len(p.Octets), f.BufferOctets)
		if w.data = w.data.Sub(cost); w.data.Negative() {
			f.report("end %d, CID %d responds to RSN %d: credits for responses are %+v; allowed: none below 0", end, p.CID, p.RSN, w.data)
		}
		w.returns = append(w.returns, returned{cost, end, f.later()})
	}
	w.results = append(w.results, result{Completed: falcon.Completed{CID: w.CID[w.from], RSN: p.RSN}, response: p.Octets, due: f.later()})
}
