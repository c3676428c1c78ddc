package link

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// respond takes a pull response of an end.
func (l *Link) respond(end int) bool {
	r, some := l.end[end].Respond()
	if !some {
		return false
	}
	for _, w := range l.ways {
		if w.from == end || w.cid[1] != r.CID {
			continue
		}
		i := w.open[r.RSN]
		switch {
		case i == nil || !i.accepted:
			l.report("end %d responds to CID %d, RSN %d; allowed: to a pull that it has accepted, once", end, r.CID, r.RSN)
			return true
		case len(r.Octets) > i.Length && !i.spoiled:
			l.report("end %d responds to RSN %d with %d octets; allowed: at most %d", end, r.RSN, len(r.Octets), i.Length)
		case l.end[end].Credits(r.CID).Negative():
			l.report("end %d, CID %d has credits %+v; allowed: none below 0", end, r.CID, l.end[end].Credits(r.CID))
		}
		i.accepted = false
		if i.extra {
			delete(w.open, r.RSN)
			w.returns[1] = append(w.returns[1], spec.Cost(spec.PullData, len(r.Octets), l.config.BufferOctets))
			return true
		}
		w.results = append(w.results, result{falcon.Completed{CID: w.cid[0], RSN: r.RSN}, r.Octets})
		return true
	}
	l.report("end %d responds on CID %d; allowed: one that is connected", end, r.CID)
	return true
}

// finish delivers one to four results to the initiator: in the order of RSN on an ordered connection.
func (l *Link) finish(w *way) (some bool) {
	for range 1 + l.config.Choose(4) {
		at := -1
		switch {
		case w.ordered:
			at = slices.IndexFunc(w.results, func(r result) bool { return r.RSN == w.complete })
		case len(w.results) > 0:
			at = l.config.Choose(min(len(w.results), l.config.Reorder))
		}
		if at < 0 {
			return some
		}
		some = true
		r := w.results[at]
		w.results = slices.Delete(w.results, at, at+1)
		w.complete++
		l.release(w, r)
		if r.response != nil && w.hostile.Response != nil {
			r.response = w.hostile.Response(r.response)
		}
		if r.response != nil {
			l.end[w.from].Answered(falcon.Response{CID: r.CID, RSN: r.RSN, Octets: r.response})
		} else {
			l.end[w.from].Complete(r.Completed)
		}
	}
	return some
}

// release frees what a transaction has used; the credits return later.
func (l *Link) release(w *way, r result) {
	i := w.open[r.RSN]
	delete(w.open, r.RSN)
	if !w.counted {
		return
	}
	w.returns[0] = append(w.returns[0], spec.Cost(i.Type, i.Length, l.config.BufferOctets))
	if r.response != nil {
		w.returns[1] = append(w.returns[1], spec.Cost(spec.PullData, len(r.response), l.config.BufferOctets))
	}
}

// credit returns the credits of one transaction to a side.
func (l *Link) credit(w *way, side int) bool {
	if len(w.returns[side]) == 0 {
		return false
	}
	end := w.from
	if side == 1 {
		end = 1 - w.from
	}
	l.end[end].Return(w.cid[side], w.returns[side][0])
	w.returns[side] = w.returns[side][1:]
	return true
}
