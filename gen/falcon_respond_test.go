package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/gen/engine/order"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/hdl"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	region "github.com/rnicgen/rnicgen/model/memory"
)

// falconTargetPorts are accepted pulls in, packets for Falcon out.
type falconTargetPorts struct {
	In      hdl.Sink[order.QueuedRequest]
	Opening hdl.Sink[engine.Opening]
	Row     hdl.Sink[memory.STagWrite]
	Read    block.AXIReader           `hdl:"m_axi"`
	Write   block.AXIWriter           `hdl:"m_axi"`
	Tx      hdl.Source[falcon.TxBeat] `hdl:"m_axis_tx"`
	Credit  hdl.Source[engine.Credit]
	Unread  hdl.Source[engine.Failure] `doc:"payload of a response"`
	Word    hdl.Source[engine.Failure] `doc:"word of an Atomic"`
	Gone    hdl.Source[engine.Failure] `doc:"region of a pull"`
}

// falconTarget is request_order with the executors of the profile, and the transmit side.
func falconTarget(c engine.Config) hdl.Block[falconTargetPorts] {
	o, tx, table := order.RequestOrder(c), transmit.TxEngine(c), memory.STagTable(c)
	return hdl.Block[falconTargetPorts]{Kind: "falcon_target", Doc: "falcon_target is for tests.",
		Ports: falconTargetPorts{In: o.Ports.In, Opening: o.Ports.Opening, Row: table.Ports.Write, Read: block.AXIReaderOf(c.BusBytes), Write: block.AXIWriterOf(c.BusBytes),
			Tx: falcon.Tx(c).Ports.Tx, Credit: tx.Ports.Credit, Unread: tx.Ports.Failed, Word: o.Ports.Failed, Gone: o.Ports.Failed},
		Build: func(m *hdl.Module, p falconTargetPorts) { buildFalconTarget(m, c, p) }}
}

func buildFalconTarget(m *hdl.Module, c engine.Config, p falconTargetPorts) {
	path := falconPathPorts{Tx: p.Tx, Credit: p.Credit, Failed: p.Unread}
	ordered := order.RequestOrderPorts{In: p.In, Opening: p.Opening, Failed: p.Gone}
	reports, overs := hdl.NewStream(m, "report", engine.TxReportOf(c)), map[string]hdl.Stream[engine.Over]{}
	path.Report = reports.Source()
	enders := map[string]bool{}
	for _, x := range engine.Enders(c) {
		enders[x.Name] = true
		overs[x.Name] = hdl.NewStream(m, x.Name+"_over", engine.OverOf(c.Streams))
		ordered.Over = append(ordered.Over, hdl.Name(x.Name+"_over", overs[x.Name].Sink()))
	}
	payload, words := axiReader(m, "payload", c.BusBytes), axiReader(m, "words", c.BusBytes)
	path.Memory = payload.user
	ready := m.Wire("atomics_ready", 1)
	m.Unused("requests wait for it anyway", ready.Value)
	for _, x := range c.Profile.Executors(c) {
		start, message := hdl.NewStream(m, x.Name, x.Request), hdl.NewStream(m, x.Name+"_message", engine.TxMessageOf(c))
		ordered.Start = append(ordered.Start, hdl.Name(x.Name, start.Source()))
		path.Responses = append(path.Responses, hdl.Name(x.Name, message.Sink()))
		site := engine.ExecutorSite{Start: start.Sink(), Message: message.Source()}
		if x.Words {
			site.Read, site.Write, site.Failed, site.Ready, site.Over = words.user, p.Write, p.Word, ready.Out(), overs[x.Name].Source()
		}
		x.Build(m, c, site)
	}
	requests, sent := hdl.NewStream(m, "work", engine.TxMessageOf(c)), hdl.NewStream(m, "sent", engine.TxReportOf(c))
	requests.Source().Drive(m, hdl.Zero(1), hdl.Unpack(engine.TxMessageOf(c), hdl.Zero(hdl.PackedWidth(engine.TxMessageOf(c)))))
	m.Unused("no requests are sent", requests.Source().Ready, sent.Sink().Valid, hdl.Pack(sent.Sink().Data))
	sent.Sink().Accept(m, hdl.Ones(1))
	path.Requests = requests.Sink()
	counts := transmit.SplitReports(m, c, reports.Sink(), sent.Source(), overs["read"].Source(), nil)
	m.Unused("of no use here", counts.Segments, counts.Messages, counts.Dropped)
	buildFalconPath(m, c, path)
	hdl.Instance(m, "read_arbiter", block.AXIReadArbiter(c.BusBytes), block.AXIReadArbiterPorts{Payload: payload.port, Atomic: words.port, Memory: p.Read})

	end := hdl.NewStream(m, "qp_end", engine.InboundRequestOf(c))
	m.Unused("no QP ends here", end.Sink().Valid, hdl.Pack(end.Sink().Data))
	end.Sink().Accept(m, hdl.Ones(1))
	ordered.End = end.Source()
	width := hdl.PackedWidth(engine.STagEntryOf(c))
	enable, index, entry, tableReady := m.Wire("enable", 1), m.Wire("index", 24), m.Wire("entry", width), m.Wire("table_ready", 1)
	ordered.Recheck = engine.STagLookup{Enable: enable.Out(), Index: index.Out(), Entry: entry.In()}
	m.Unused("rows are written when it is", tableReady.Value)
	idle := func(name string) engine.STagPort {
		w := m.Wire(name+"_entry", width)
		m.Unused("of no use here", w.Value)
		return engine.STagPort{Enable: hdl.Zero(1).In(), Index: hdl.Zero(24).In(), Entry: w.Out()}
	}
	hdl.Instance(m, "stags", memory.STagTable(c), memory.STagTablePorts{Main: idle("main"), Invalidated: idle("invalidated"), Local: idle("local"),
		Recheck:    engine.STagPort{Enable: enable.In(), Index: index.In(), Entry: entry.Out()},
		Invalidate: hdl.Zero(1).In(), InvalidateIndex: hdl.Zero(24).In(), Write: p.Row, Ready: tableReady.Out()})
	hdl.Instance(m, "order", order.RequestOrder(c), ordered)
}

type axiReaderEnds struct {
	user block.AXIReader
	port block.AXIReaderPort
}

func axiReader(m *hdl.Module, name string, bus int) axiReaderEnds {
	ar, r := hdl.NewStream(m, name+"_axi", block.ARBeatOf()), hdl.NewStream(m, name+"_axi", block.RBeatOf(bus))
	return axiReaderEnds{block.AXIReader{AR: ar.Source(), R: r.Sink()}, block.AXIReaderPort{AR: ar.Sink(), R: r.Source()}}
}

// falconPull is an order.QueuedRequest with a pull.
type falconPull struct {
	Queue struct{ Waits, First, Releases bool }
	falconInbound
}

// falconTargetBench is falconTarget beside the golden model, which answers the same pulls.
type falconTargetBench struct {
	*rig
	c        engine.Config
	order    spec.BitOrder
	golden   *model.Engine
	words    map[uint64]uint64         // of memory, by address / 8
	bad      map[uint64]int            // responses of memory, by address / bus octets
	want     map[int]map[uint32][]byte // by QP and RSN
	open     map[int]int               // pulls of a QP that are not answered
	requests map[int]uint32            // by QP
	gone     map[int]int               // refused pulls whose region is gone
	unread   map[int]int
}

// Regions of the bench: the n-th row, whose key is its number, is at n << 16 in memory and in VA.
const (
	falconReads  = 1 // never written
	falconWords  = 2
	falconGone   = 3 // valid in the model only once
	falconClosed = 4 // no rights
	falconRegion = 1 << 12
)

func openFalconTarget(t testing.TB, c engine.Config) *falconTargetBench {
	c.STags = 16
	b := &falconTargetBench{rig: openRig(t, falconTarget(c), 1), c: c, order: c.Profile.(falcon.Profile).Order, words: map[uint64]uint64{}, bad: map[uint64]int{},
		want: map[int]map[uint32][]byte{}, open: map[int]int{}, requests: map[int]uint32{}, gone: map[int]int{}}
	var err error
	b.golden, err = model.New(model.Config{BitOrder: b.order, Regions: 16, BufferOctets: 1 << 10})
	require.NoError(t, err)
	for n, rights := range []region.Rights{falconReads: region.RemoteRead, falconWords: region.RemoteRead | region.RemoteAtomic, falconGone: 0, falconClosed: 0} {
		if n == 0 {
			continue
		}
		at := uint64(n) << 16
		require.NoError(t, b.golden.SetRegion(n, region.Region{Valid: true, Key: uint8(n), Rights: rights, ByDomain: true, Base: at, Length: falconRegion, Address: at}))
		row := rowBeat{Index: uint32(n)}
		row.Entry.Valid, row.Entry.Key = n != falconGone, uint8(n)
		send(b.rig, "row", row)
		for word := at; word < at+falconRegion; word += 8 {
			value := operand(b.rand)
			b.words[word/8] = value
			b.golden.Memory().SetWord(word, value)
		}
	}
	lots := 1 << 20
	credits := spec.Credits{RequestTxPackets: lots, RequestTxBuffers: lots, RequestRxPackets: lots, RequestRxBuffers: lots, DataTxPackets: lots, DataTxBuffers: lots}
	for qp := range c.Streams {
		cid := uint32(qp)
		require.NoError(t, b.golden.CreateConnection(model.ConnectionConfig{CID: cid, Ordered: qp%2 == 0, Window: 1 << 16, Credits: credits}))
		q := model.QPConfig{Number: uint32(qp), Type: spec.QPRC, Ordering: []spec.Ordering{spec.Strong, spec.Unordered}[qp%2], Errors: spec.CompleteInError, MTU: c.MaxPayload,
			CID: cid, Remote: b.remote(qp), IRRQ: 256, ORD: 1, SendDepth: 1}
		if qp == 5 {
			q.Type = spec.QPXRCTarget
		}
		require.NoError(t, b.golden.CreateQP(q))
		send(b.rig, "opening", openingBeat{Stream: qp, Open: true})
	}
	b.attach()
	onBeat(b.rig, "credit", func(x creditBeat) { b.open[x.Stream]-- })
	for range 40 {
		b.step()
	}
	return b
}

func (b *falconTargetBench) remote(qp int) uint32 { return 0xABCD00 + uint32(qp) }

// attach connects a memory.
func (b *falconTargetBench) attach() {
	due, bus := 0, uint64(b.c.BusBytes)
	beat := func(at uint64) (octets []byte) {
		for word := at / 8; word < (at+bus)/8; word++ {
			for i := range 8 {
				octets = append(octets, byte(b.words[word]>>(8*i)))
			}
		}
		return octets
	}
	onBeat(b.rig, "m_axi_ar", func(q readBurst) {
		due = max(due, b.cycle+2+b.rand.IntN(9))
		for i := range q.ArLen + 1 {
			at := q.ArAddr/bus*bus + uint64(i)*bus
			sendAt(b.rig, "m_axi_r", due, readBeat{RID: q.ArID, RData: beat(at), RResp: b.bad[at/bus], RLast: i == q.ArLen})
			due++
		}
	})
	var addresses []uint64
	var datas []writeBeat
	pair := func() {
		for len(addresses) > 0 && len(datas) > 0 {
			at := addresses[0] / bus * bus
			for i := range bus {
				if datas[0].WStrb[i/8]>>(i%8)&1 == 1 {
					word, shift := (at+i)/8, 8*(i%8)
					b.words[word] = b.words[word]&^(0xFF<<shift) | uint64(datas[0].WData[i])<<shift
				}
			}
			addresses, datas = addresses[1:], datas[1:]
			sendAt(b.rig, "m_axi_b", b.cycle+3, struct{ BID, BResp int }{1, 0})
		}
	}
	onBeat(b.rig, "m_axi_aw", func(q struct {
		AwID                   int
		AwAddr                 uint64
		AwLen, AwSize, AwBurst int
	}) {
		addresses = append(addresses, q.AwAddr)
		pair()
	})
	onBeat(b.rig, "m_axi_w", func(q writeBeat) { datas = append(datas, q); pair() })
}

type writeBeat struct {
	WData, WStrb []byte
	WLast        bool
}

// pull sends a pull of a QP to both; how it is refused, if it is, follows from its region.
func (b *falconTargetBench) pull(qp int, kind spec.Kind, row int, offset uint64, length uint32) {
	r, service := b.rand, spec.RC
	if qp == 5 {
		service = spec.XRC
	}
	p := packet.New(spec.Find(service, spec.PullRequest, kind, spec.Only, spec.Plain))
	n := b.requests[qp]
	b.requests[qp]++
	p.DestinationQP, p.SN, p.RMSN = uint32(qp), n+1, n+1
	p.VA, p.RKey, p.Length, p.SinkVA, p.SinkKey = uint64(row)<<16+offset, region.STag(row, uint8(row)), length, operand(r), r.Uint32()
	p.Data, p.Compare = operand(r), operand(r)
	if r.IntN(2) == 0 {
		p.Compare = b.golden.Memory().Word(p.VA &^ 7)
	}
	request := model.Request{CID: uint32(qp), RSN: n, Type: spec.PullRequest, Length: 1 << 12, Octets: p.Encode(nil, b.order)}
	answer := b.golden.Receive(request)
	require.Contains(b.t, []spec.Reply{spec.Ack, spec.CEResponse}, answer.Reply)
	response, some := b.golden.Respond()
	require.True(b.t, some)

	kinds, touches := b.c.Kinds(), kind != spec.Read || length > 0
	q := falconPull{falconInbound: falconInbound{Stream: qp, Number: r.Uint32N(requestNumbers), STag: p.RKey, Address: p.VA, CID: uint32(qp), RSN: n, SN: p.SN, Remote: b.remote(qp), XRC: qp == 5,
		Atomic: kind&spec.Atomic != 0, Adds: kind == spec.FetchAdd, Length: length, Data: p.Data, Compare: p.Compare, SinkVA: p.SinkVA, LKey: p.SinkKey}}
	name := "read"
	if q.Atomic {
		name = "atomic"
	}
	if row == falconClosed && touches {
		name = "refusal"
	}
	if row == falconGone && touches {
		b.gone[qp]++
	}
	q.Kind = int(kinds.Request(name))
	for start := b.cycle; b.open[qp] == b.c.IRD; b.step() {
		require.Less(b.t, b.cycle-start, 20000, "QP %d is not answered", qp)
	}
	b.open[qp]++
	send(b.rig, "in", q)
	if b.want[qp] == nil {
		b.want[qp] = map[uint32][]byte{}
	}
	b.want[qp][n] = response.Octets
}

func (b *falconTargetBench) random() {
	r := b.rand
	qp := r.IntN(b.c.Streams)
	kind := []spec.Kind{spec.Read, spec.Read, spec.CmpSwap, spec.FetchAdd}[r.IntN(4)]
	row := falconReads
	if kind != spec.Read {
		row = falconWords
	}
	if r.IntN(6) == 0 {
		row = falconGone + r.IntN(2)
	}
	offset, length := uint64(r.IntN(falconRegion-b.c.MaxPayload)), uint32(r.IntN(b.c.MaxPayload+1))
	if r.IntN(4) == 0 {
		length = uint32([]int{0, 1, 2, 3, 4, 5, b.c.MaxPayload}[r.IntN(7)])
	}
	if kind != spec.Read {
		offset = uint64(8 * (8*r.IntN(4) + qp)) // few words of each QP
	}
	b.pull(qp, kind, row, offset, length)
}

// finish runs until the target is idle and compares its responses with those of the model.
func (b *falconTargetBench) finish() {
	b.t.Helper()
	b.rest(300)
	latest := map[int]uint32{}
	for _, p := range falconOutputs(b.t, received[falconTxBeat](b.rig, "m_axis_tx")) {
		qp := int(p.CID)
		require.Equal(b.t, falconSent{Type: spec.PullData, CID: uint32(qp), RSN: p.RSN, RequestLength: uint32(len(p.octets))}, p.falconSent)
		require.Equal(b.t, b.want[qp][p.RSN], p.octets, "QP %d, RSN %d", qp, p.RSN)
		delete(b.want[qp], p.RSN)
		if b.gone[qp] == 0 {
			require.GreaterOrEqual(b.t, p.RSN, latest[qp], "the responses of a QP leave in the order of its requests")
		}
		latest[qp] = p.RSN
	}
	for qp := range b.c.Streams {
		require.Empty(b.t, b.want[qp], "QP %d", qp)
	}
	gone := map[int]int{}
	for _, f := range received[failureBeat](b.rig, "gone") {
		gone[f.Stream]++
	}
	for qp := range b.c.Streams {
		assert.Equal(b.t, min(1, b.gone[qp]), gone[qp], "reported once")
	}
	assert.Empty(b.t, received[falconFailure](b.rig, "unread"))
	assert.Empty(b.t, received[failureBeat](b.rig, "word"))
	b.gone = map[int]int{}
}

// The responses of many QPs, to Reads, Atomics and pulls that are refused, are octet by octet those of the golden model, and in the order of the
// requests of a QP unless the region of one is gone; what the Atomics leave in memory is too.
func TestFalconTargetUnderStalls(t *testing.T) {
	for i, bus := range block.BusWidths {
		t.Run(fmt.Sprint(bus), func(t *testing.T) {
			everyChance(t, func(t *testing.T, idle, pressure int) {
				b := openFalconTarget(t, falconConfig(bitOrders[(i+idle)%2], bus))
				b.stall(idle, pressure)
				for range 60 {
					b.random()
				}
				b.finish()
				for at := uint64(falconWords << 16); at < falconWords<<16+falconRegion; at += 8 {
					require.Equal(t, b.golden.Memory().Word(at), b.words[at/8], "word at %x", at)
				}
			})
		})
	}
}

// A word that memory does not deliver: the Atomic is answered with CE and Original Data 0, leaves memory unchanged, and is reported; the next
// one on the word reads it again. A Read of it is answered by its headers with CE, and reported with its tag.
func TestFalconTargetMemoryErrors(t *testing.T) {
	for i, bus := range block.BusWidths {
		b := openFalconTarget(t, falconConfig(bitOrders[i%2], bus))
		at := uint64(falconWords<<16 + 64)
		before := b.words[at/8]
		b.bad[at/uint64(bus)] = 2
		for _, kind := range []spec.Kind{spec.FetchAdd, spec.CmpSwap, spec.Read} {
			b.pull(2, kind, falconWords, 64, 8)
			b.rest(300)
		}
		delete(b.bad, at/uint64(bus))
		sent := falconOutputs(t, received[falconTxBeat](b.rig, "m_axis_tx"))
		require.Len(t, sent, 3)
		for i, out := range sent {
			var p, want packet.Packet
			require.Equal(t, spec.None, p.Decode(out.octets, b.order))
			require.Equal(t, spec.None, want.Decode(b.want[2][uint32(i)], b.order))
			want.CE, want.Original, want.Payload, want.Pad = true, 0, want.Payload[:0], 0
			assert.Equal(t, want, p)
			assert.EqualValues(t, len(out.octets), out.RequestLength)
		}
		same(t, []failureBeat{failed(2, 0), failed(2, 0)}, received[failureBeat](b.rig, "word"))
		unread := received[falconFailure](b.rig, "unread")
		require.Len(t, unread, 1)
		assert.Equal(t, falconSent{Type: spec.PullData, CID: 2, RSN: 2, RequestLength: 32}, unread[0].falconSent)
		assert.Equal(t, before, b.words[at/8])
	}
}

// All pulls that the target may hold name a region that is gone, while Falcon takes nothing: each is refused in the end, and other pulls behind
// them are answered.
func TestFalconTargetRefusesMany(t *testing.T) {
	b := openFalconTarget(t, falconConfig(spec.Drawn, 64))
	for _, kinds := range [][]spec.Kind{{spec.Read}, {spec.FetchAdd}, {spec.Read, spec.CmpSwap}} {
		b.stream("m_axis_tx").chance = 256
		for i := range b.c.Streams * b.c.IRD {
			b.pull(i%b.c.Streams, kinds[i/b.c.Streams%len(kinds)], falconGone, uint64(8*i), 8)
		}
		for range 600 {
			b.step()
		}
		b.stream("m_axis_tx").chance = 0
		for i := range b.c.Streams {
			b.pull(i, spec.Read, falconReads, 8, 100)
		}
		b.rest(300)
		for qp := range b.c.Streams {
			require.Zero(t, b.open[qp])
		}
	}
	for _, p := range falconOutputs(t, received[falconTxBeat](b.rig, "m_axis_tx")) {
		require.Equal(t, b.want[int(p.CID)][p.RSN], p.octets)
		delete(b.want[int(p.CID)], p.RSN)
	}
	for qp := range b.c.Streams {
		require.Empty(t, b.want[qp])
	}
	assert.Len(t, received[failureBeat](b.rig, "gone"), b.c.Streams, "each QP reports it once")
}

// refusalBeat is a falcon.Refusal.
type refusalBeat struct {
	Stream               int
	Number               uint32
	Atomic               bool
	CID, RSN, SN, Remote uint32
	XRC                  bool
	SinkVA               uint64
	LKey                 uint32
}

// More pulls are refused than the executor's buffer holds, while it takes none: none is lost, and other kinds go on.
func TestFalconRefusalsWait(t *testing.T) {
	c := falconConfig(spec.Drawn, 64)
	c.STags = 16
	b := openRig(t, requestOrderWithTable(c), 1)
	for _, in := range b.inputs {
		in.Set(0)
	}
	for qp := range c.Streams {
		send(b, "opening", openingBeat{Stream: qp, Open: true})
	}
	b.rest(100)
	b.stream("refusal").chance = 256
	var want []refusalBeat
	for i := range uint32(c.Streams * c.IRD) {
		q := falconPull{falconInbound: falconInbound{Stream: int(i) % c.Streams, Kind: int(c.Kinds().Request("read")), STag: 0x301, RSN: i, Length: 8, LKey: b.rand.Uint32()}}
		send(b, "in", q)
		want = append(want, refusalBeat{Stream: q.Stream, RSN: i, LKey: q.LKey})
	}
	for range 400 {
		b.step()
	}
	b.stream("refusal").chance = 0
	b.rest(100)
	assert.ElementsMatch(t, want, received[refusalBeat](b, "refusal"))
	assert.Len(t, received[failureBeat](b, "failed"), c.Streams)
}
