package link

import (
	"bytes"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Hostile is what the peer's engine above an end has become. Request replaces a request by any number of others before the
// first is delivered: one with its RSN is delivered in its place, others besides it. Response replaces a response. The peer
// takes no notice of answers to what it has changed. CIDs are those of the peer's side; another one is reported as it is.
type Hostile struct {
	Request  func(falcon.Request) []falcon.Request
	Response func([]byte) []byte
}

// Spoil makes the peer at an end of a connection hostile.
func (l *Link) Spoil(end int, cid uint32, h Hostile) {
	for _, w := range l.ways {
		switch {
		case w.from == end && w.cid[0] == cid:
			w.hostile.Request = h.Request
		case w.from != end && w.cid[1] == cid:
			w.hostile.Response = h.Response
		}
	}
}

// spoilRequest returns what is delivered for a request. One that is left out is complete for the peer.
func (w *way) spoilRequest(i *item) (list []*item) {
	if w.hostile.Request == nil {
		return []*item{i}
	}
	for _, r := range w.hostile.Request(i.Request) {
		changed := &item{Request: r, spoiled: true}
		if r.RSN == i.RSN && w.open[r.RSN] == i {
			changed.spoiled = r.CID != i.CID || !bytes.Equal(r.Octets, i.Octets)
		} else {
			w.extra--
			changed.RSN, changed.extra = w.extra, true
		}
		w.open[changed.RSN] = changed
		list = append(list, changed)
	}
	if w.open[i.RSN] == i {
		w.results = append(w.results, result{Completed: falcon.Completed{CID: w.cid[0], RSN: i.RSN}})
	}
	return list
}

// unheard drops the answer to what the peer has not sent, and turns that to a push that it has changed into an acknowledgement.
func (w *way) unheard(i *item, a falcon.Answer) (falcon.Answer, bool) {
	push := i.Type == spec.PushRequest
	if i.extra && (push || a.Reply != spec.Ack) {
		delete(w.open, i.RSN)
		return a, true
	}
	if i.spoiled && push {
		a.Reply, a.Code = spec.Ack, spec.NoCode
	}
	return a, false
}
