package gen_test

import (
	"math/bits"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen/engine"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// check lets hardware and model go on until neither does, and compares them.
func (g *initiatorRig) check() {
	g.t.Helper()
	for again := true; again; {
		g.run()
		again = false
		for _, b := range take[listedBeat](g.bench, "listed") {
			g.qps[b.Stream].elements[b.Place] = model.Element{VA: b.Address, Length: uint32(b.Length)}
		}
		for _, p := range take[sentMessageBeat](g.bench, "packet") {
			q := g.qps[p.Stream]
			q.sent = append(q.sent, p)
			push(g.bench, "left", leftBeat{Stream: p.Stream, Kind: p.Kind, Final: true})
			again = true
		}
	}
	for s, q := range g.qps {
		for {
			request, some := g.m.Transmit(q.number)
			if !some {
				break
			}
			g.packets++
			require.NotEmpty(g.t, q.sent, "packet %+v of QP %d is missing", request, s)
			g.compare(s, request, q.sent[0])
			q.sent = q.sent[1:]
		}
		require.Empty(g.t, q.sent, "QP %d sends more", s)
		g.settle(s)
	}
	reports, failures := g.reports(), take[failedBeat](g.bench, "failed")
	for s, q := range g.qps {
		mine := slices.DeleteFunc(slices.Clone(reports), func(b workReportBeat) bool { return b.Stream != s })
		require.Equal(g.t, append([]workReportBeat{}, q.reports...), append([]workReportBeat{}, mine...), "reports of QP %d", s)
		fails := slices.DeleteFunc(slices.Clone(failures), func(b failedBeat) bool { return b.Stream != s })
		require.Len(g.t, fails, q.failures, "failures of QP %d", s)
		q.reports, q.failures, q.places = nil, 0, 0
	}
}

// compare compares a packet octet by octet.
func (g *initiatorRig) compare(s int, want model.Request, got sentMessageBeat) {
	octets := append([]byte{}, got.Header[:got.HeaderLength]...)
	octets = append(octets, g.payload(s, got)...)
	octets = append(octets, make([]byte, -len(octets)&3)...)
	require.Equal(g.t, want.Octets, octets, "QP %d", s)
	require.Equal(g.t, []any{want.Type, g.cid(s), want.RSN, want.Length, int(engine.KindMessage), false, false, false, false}, []any{got.Type, got.CID, got.RSN, got.RequestLength, got.Kind, got.Fence, got.Unfit, got.RefusedWork, got.More})
	for _, octet := range got.Header[got.HeaderLength:] {
		require.Zero(g.t, octet)
	}
	o := openRequest{pull: want.Type == spec.PullRequest}
	if !g.datagrams() {
		o.cost = spec.Cost(want.Type, want.Length, g.c.unit)
	}
	require.Equal(g.t, spec.None, o.packet.Decode(want.Octets, g.c.order))
	g.qps[s].open[want.RSN] = o
	g.qps[s].credits = g.qps[s].credits.Add(o.cost)
}

// payload is that of a packet: of the elements of its message, from where the packet before has ended on, or from its address.
func (g *initiatorRig) payload(s int, p sentMessageBeat) (octets []byte) {
	q := g.qps[s]
	if !p.List {
		return g.m.Memory().Append(nil, p.Address, int(p.Length))
	}
	g.gathered++
	if p.First {
		q.at = gatherAt{place: p.Element}
	}
	for left := int(p.Length); left > 0; {
		el := q.elements[q.at.place]
		part := min(left, int(el.Length)-q.at.offset)
		octets = g.m.Memory().Append(octets, el.VA+uint64(q.at.offset), part)
		left -= part
		if q.at.offset += part; left > 0 {
			q.at = gatherAt{place: (q.at.place + 1) % g.c.depth}
		}
	}
	return octets
}

// lookUp compares what a lookup of an RSN returns.
func (g *initiatorRig) lookUp(s int, rsn uint32) {
	for name, v := range map[string]uint64{"enable": 1, "cid": uint64(g.cid(s)), "rsn": uint64(rsn)} {
		require.NoError(g.t, g.engine.SetStatic("lookup_"+name, v))
	}
	g.step(2)
	port, err := g.watch.design.Port("lookup_expected")
	require.NoError(g.t, err)
	words := make([]uint64, 3)
	g.watch.Get(port, words)
	at := 0
	field := func(width int) uint64 { // from the last one
		at += width
		return simulator.Bits(words, at-width, width)
	}
	length, key, va, atomic, sn := field(16), field(32), field(64), field(1), field(32)
	stream, pull, open := field(bits.Len(uint(g.c.streams-1))), field(1), field(1)
	o, is := g.qps[s].open[rsn]
	require.Equal(g.t, is, open == 1, "RSN %d of QP %d", rsn, s)
	if !is {
		return
	}
	require.Equal(g.t, []any{uint64(s), o.pull}, []any{stream, pull == 1})
	if o.pull {
		row, _ := o.packet.Opcode.Operation()
		want := uint64(o.packet.Length)
		require.Equal(g.t, []any{uint64(o.packet.SN), row.Kind != spec.Read, o.packet.SinkVA, uint64(o.packet.SinkKey), want}, []any{sn, atomic == 1, va, key, length})
	}
}

// opens returns the RSNs of a QP's open requests, oldest first.
func (q *initiatorQP) opens() (list []uint32) {
	for rsn := range q.open {
		list = append(list, rsn)
	}
	slices.SortFunc(list, func(a, b uint32) int { return int(int32(a - b)) })
	return list
}

// complete completes a request with success.
func (g *initiatorRig) complete(s int, rsn uint32) {
	q := g.qps[s]
	o := q.open[rsn]
	delete(q.open, rsn)
	if !o.pull {
		g.m.Complete(model.Completed{CID: q.number, RSN: rsn, Code: spec.CompletedAck})
		push(g.bench, "completed", completedBeat{CID: g.cid(s), RSN: rsn, ULP: spec.ULPCode(g.r.IntN(256))})
		g.settle(s)
		return
	}
	g.respond(s, rsn, o, model.Success)
}

// respond answers a pull, with a status as the receive side finds it.
func (g *initiatorRig) respond(s int, rsn uint32, o openRequest, status model.Status) {
	q := g.qps[s]
	delete(q.open, rsn)
	row, _ := o.packet.Opcode.Operation()
	answer := packet.New(spec.Find(g.c.kind.Service(), spec.PullData, row.Kind, spec.Only, spec.Plain))
	answer.DestinationQP, answer.SN, answer.SinkVA, answer.SinkKey = q.number, o.packet.SN, o.packet.SinkVA, o.packet.SinkKey
	placed := placedBeat{CID: g.cid(s), RSN: rsn, Status: status}
	switch {
	case row.Kind == spec.Read:
		answer.Payload = make([]byte, o.packet.Length)
	default:
		answer.Original = g.r.Uint64()
		placed.Data = answer.Original
	}
	switch status {
	case model.RemoteError:
		answer.CE = true
	case model.BadResponse:
		answer.SN++
	}
	g.m.Answered(model.Response{CID: q.number, RSN: rsn, Octets: answer.Encode(nil, g.c.order)})
	push(g.bench, "placed", placed)
	g.settle(s)
}

// fault completes a request with an error.
func (g *initiatorRig) fault(s int, rsn uint32) {
	q := g.qps[s]
	o := q.open[rsn]
	delete(q.open, rsn)
	if o.pull && g.r.IntN(3) > 0 {
		g.respond(s, rsn, o, []model.Status{model.RemoteError, model.BadResponse}[g.r.IntN(2)])
		return
	}
	c := model.Completed{CID: q.number, RSN: rsn, Code: spec.CompletedCIE, ULP: []spec.ULPCode{spec.InvalidRequest, spec.AccessError, spec.OperationError, 0, 0x64}[g.r.IntN(5)]}
	if o.pull || g.r.IntN(3) == 0 {
		c.Code = spec.Completion(g.r.IntN(16))
		if c.Code == spec.CompletedAck && !o.pull {
			c.Code = spec.CompletedNRE
		}
	}
	g.m.Complete(c)
	push(g.bench, "completed", completedBeat{CID: g.cid(s), RSN: rsn, Code: c.Code, ULP: c.ULP})
	g.settle(s)
}

// giveBack returns some of the credits that a QP has used.
func (g *initiatorRig) giveBack(s int, all bool) {
	q := g.qps[s]
	some := func(n *int) int {
		k := *n
		if !all {
			k = g.r.IntN(k + 1)
		}
		*n -= k
		return k
	}
	c := spec.Credits{RequestTxPackets: some(&q.credits.RequestTxPackets), RequestTxBuffers: some(&q.credits.RequestTxBuffers),
		RequestRxPackets: some(&q.credits.RequestRxPackets), RequestRxBuffers: some(&q.credits.RequestRxBuffers)}
	g.m.Return(q.number, c)
	push(g.bench, "credits", returnedBeat{g.cid(s), creditsOf(c)})
}

func (g *initiatorRig) setXoff(xoff bool) {
	g.xoff = xoff
	g.m.SetXoff(xoff)
	require.NoError(g.t, g.engine.SetStatic("xoff", bitOf(xoff)))
}

// end ends a QP as its receive side or host does.
func (g *initiatorRig) end(s int) {
	g.m.Fail(g.qps[s].number)
	push(g.bench, "ended", endedStreamBeat{s})
	g.settle(s)
}

// reports takes the reports; the data of one without a response mean nothing.
func (g *initiatorRig) reports() []workReportBeat {
	list := take[workReportBeat](g.bench, "report")
	for i := range list {
		if !list[i].Answers {
			list[i].Data = 0
		}
	}
	return list
}
