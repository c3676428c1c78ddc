package gen_test

import (
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// random work request of a QP.
func (g *initiatorRig) work(s int) model.WorkRequest {
	r, g0 := g.r, g.qps[s]
	most := []int{1, g.c.mtu - 1, g.c.mtu, g.c.mtu + 1, 2 * g.c.mtu, 5 * g.c.mtu, 6*g.c.mtu - 3}
	length := []int{0, r.IntN(g.c.mtu) + 1, most[r.IntN(len(most))], most[r.IntN(len(most))]}[r.IntN(4)]
	w := model.WorkRequest{QP: g0.number, ID: g.id, Kind: []spec.Kind{spec.Send, spec.Write, spec.Read, spec.CmpSwap, spec.FetchAdd}[r.IntN(5)], VA: operand(r), RKey: r.Uint32(),
		Immediate: r.Uint32(), Invalidate: r.Uint32(), Solicited: r.IntN(2) == 0, Data: operand(r), Compare: operand(r), Fence: r.IntN(4) == 0, SRQ: r.Uint32N(1 << 24)}
	g.id++
	switch w.Kind {
	case spec.Send:
		w.Suffix = []spec.Suffix{spec.Plain, spec.Immediate, spec.Invalidate}[r.IntN(3)]
	case spec.Write:
		w.Suffix = []spec.Suffix{spec.Plain, spec.Immediate}[r.IntN(2)]
	case spec.CmpSwap, spec.FetchAdd:
		length = 8
	}
	if g.datagrams() {
		w.Kind, w.Suffix = spec.Send, []spec.Suffix{spec.Plain, spec.Immediate}[r.IntN(2)]
		w.Address = model.AddressHandle{CID: g0.number, QP: r.Uint32N(1 << 24), QKey: r.Uint32()}
		length = min(length, g.c.mtu)
	}
	if g.c.ordering == spec.Unordered && (w.Kind == spec.Send || w.Suffix == spec.Immediate) {
		length = min(length, g.c.mtu)
	}
	key, base := sourceKey, uint64(sourceBase)
	if w.Kind&(spec.Read|spec.Atomic) != 0 {
		key, base = sinkKey, sinkBase
	}
	w.Local = []model.Element{{Key: key, VA: base + uint64(r.IntN(areaOctets-length)), Length: uint32(length)}}
	if w.Kind&spec.Atomic == 0 && r.IntN(2) == 0 {
		w.Local = g.elements(key, base, length)
	}
	return w
}

// elements divides octets among elements, some of which have none.
func (g *initiatorRig) elements(key uint32, base uint64, length int) (list []model.Element) {
	for n := 1 + g.r.IntN(min(6, g.c.depth)); n > 0; n-- {
		part := []int{0, g.r.IntN(length + 1), min(length, g.c.mtu)}[g.r.IntN(3)]
		if n == 1 && g.r.IntN(3) > 0 {
			part = length
		}
		list = append(list, model.Element{Key: key, VA: base + uint64(g.r.IntN(areaOctets-part)), Length: uint32(part)})
		length -= part
	}
	return list
}

// spoil gives a work request a local buffer that does not allow its access, if it has one.
func (g *initiatorRig) spoil(s int, w *model.WorkRequest) {
	if i := g.r.IntN(len(w.Local)); w.Local[i].Length > 0 {
		w.Local[i].Key = spoiledKey
		g.qps[s].ends = g.c.errors == spec.Verbs
	}
}

// offer hands over what the requester makes of a work request: for each element the headers of a packet with all of it.
func (g *initiatorRig) offer(s int, w model.WorkRequest) { g.offerOf(g.c.kind.Service(), s, w, false) }

func (g *initiatorRig) offerOf(service spec.Service, s int, w model.WorkRequest, refused bool) {
	unfit := false
	for i, l := range w.Local {
		of := w
		of.Local = []model.Element{l}
		b := g.messageOf(service, s, of)
		if refused && i == len(w.Local)-1 { // which is known of the last one
			b.Unfit, b.RefusedWork = true, true
		}
		unfit = unfit || b.Unfit
		b.First, b.More, b.Unfit = i == 0, i < len(w.Local)-1, unfit
		push(g.bench, "message", b)
		if w.Kind == spec.Read {
			w.VA += uint64(l.Length)
		}
	}
}

// begin hands over elements of a work request whose last one does not follow: its QP has ended.
func (g *initiatorRig) begin(s int) {
	w := g.work(s)
	for i := range 1 + g.r.IntN(3) {
		of := w
		of.Local = w.Local[:1]
		b := g.message(s, of)
		b.First, b.More = i == 0, true
		push(g.bench, "message", b)
	}
	g.check()
}

// message is what the requester makes of a work request of one element. Fields that differ between packets hold anything.
func (g *initiatorRig) message(s int, w model.WorkRequest) sentMessageBeat {
	return g.messageOf(g.c.kind.Service(), s, w)
}

func (g *initiatorRig) messageOf(service spec.Service, s int, w model.WorkRequest) sentMessageBeat {
	kind := spec.PushRequest
	if w.Kind&(spec.Read|spec.Atomic) != 0 {
		kind = spec.PullRequest
	}
	row, l := spec.Find(service, kind, w.Kind, spec.Only, w.Suffix), w.Local[0]
	p := packet.New(row)
	p.CE, p.SN, p.RMSN, p.Offset = g.r.IntN(2) == 0, g.r.Uint32(), g.r.Uint32(), g.r.Uint32()
	p.SE, p.SRQ, p.VA, p.RKey, p.Length, p.Immediate, p.Invalidate = w.Solicited, w.SRQ, w.VA, w.RKey, l.Length, w.Immediate, w.Invalidate
	p.SinkVA, p.SinkKey, p.Data, p.Compare = l.VA, l.Key, w.Data, w.Compare
	if service == spec.UD {
		p.DestinationQP, p.QKey, p.SourceQP = w.Address.QP, w.Address.QKey, w.QP
	}
	b := sentMessageBeat{Stream: s, Kind: int(engine.KindMessage), Address: l.VA, Type: kind, CID: g.r.Uint32N(uint32(g.c.streams)), RSN: g.r.Uint32(), Fence: w.Fence, Unfit: w.Local[0].Key == spoiledKey, First: true}
	b.HeaderLength = copy(b.Header[:], p.Encode(nil, g.c.order))
	if kind == spec.PushRequest {
		b.Length = l.Length
	}
	return b
}

// post posts a work request, unless as many are in progress as may be: for hardware, which may still have to report some that the model
// has completed.
func (g *initiatorRig) post(s int, w model.WorkRequest) {
	q := g.qps[s]
	places := len(w.Local) + q.places
	for _, other := range q.posted {
		places += other.places
	}
	if places > g.c.depth {
		return
	}
	q.posted = append(q.posted, &initiatorWork{id: w.ID, pulls: w.Kind&(spec.Read|spec.Atomic) != 0, places: len(w.Local), atomic: w.Kind&spec.Atomic != 0})
	require.NoError(g.t, g.m.Post(w))
	g.offer(s, w)
	g.settle(s)
}

// settle turns what the model has completed into what hardware reports: in posting order.
func (g *initiatorRig) settle(s int) {
	q, failed := g.qps[s], g.m.InError(g.qps[s].number)
	for {
		c, some := g.m.NextCompletion()
		if !some {
			break
		}
		require.Equal(g.t, q.number, c.QP)
		for _, w := range q.posted {
			if w.id == c.ID {
				w.done, w.c = true, c
			}
		}
	}
	for {
		v, some := g.m.NextEvent()
		if !some {
			break
		}
		require.Equal(g.t, q.number, v.QP)
		q.failures++
	}
	for len(q.posted) > 0 && q.posted[0].done {
		w := q.posted[0]
		q.posted = q.posted[1:]
		q.places += w.places
		report := workReportBeat{Stream: s, Kind: int(engine.KindMessage), Final: true, Dropped: failed, Outcome: w.c.Status}
		if report.Outcome == model.Flushed {
			report.Outcome = model.Success
		}
		if report.Outcome != model.Success {
			g.errors++
		}
		if failed {
			g.dropped++
		}
		if report.Answers = !failed && w.pulls; report.Answers && w.c.Status == model.Success && w.atomic {
			report.Data = w.c.Original
		}
		q.reports = append(q.reports, report)
	}
	if failed {
		q.open = map[uint32]openRequest{}
	}
}
