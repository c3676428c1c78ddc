package gen_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/host"
	"github.com/rnicgen/rnicgen/gen/engine/order"
	"github.com/rnicgen/rnicgen/gen/engine/request"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// falconConfig is a small configuration of RDMA over Falcon.
func falconConfig(bits spec.BitOrder, bus int) engine.Config {
	c := gen.Default().Engine()
	c.Profile = falcon.Profile{Order: bits, Connections: falconConnections, Window: 64}
	c.BusBytes, c.Streams, c.MaxPayload, c.IRD, c.SendDepth, c.AtomicDepth, c.RetirePort = bus, 8, 256, 4, 4, 16, false
	return c
}

var bitOrders = []spec.BitOrder{spec.Drawn, spec.Mirrored}

// falconPathPorts are messages in, packets for Falcon out.
type falconPathPorts struct {
	Responses []hdl.Named[hdl.Sink[engine.TxMessage]] `hdl:"-"`
	Requests  hdl.Sink[engine.TxMessage]
	Element   hdl.Sink[falcon.Element]
	Memory    block.AXIReader           `hdl:"m_axi"`
	Tx        hdl.Source[falcon.TxBeat] `hdl:"m_axis_tx"`
	Report    hdl.Source[engine.TxReport]
	Credit    hdl.Source[engine.Credit]
	Failed    hdl.Source[engine.Failure]
}

// falconPath is the whole transmit side: tx_arbiter, tx_turns, tx_engine and falcon_tx.
func falconPath(c engine.Config) hdl.Block[falconPathPorts] {
	arbiter, tx := transmit.TxArbiter(c), transmit.TxEngine(c)
	return hdl.Block[falconPathPorts]{Kind: "falcon_path", Doc: "falcon_path is for tests.",
		Ports: falconPathPorts{Responses: arbiter.Ports.Responses, Requests: arbiter.Ports.Requests, Element: hdl.NewSink(falcon.ElementOf(c)), Memory: tx.Ports.Memory,
			Tx: falcon.Tx(c).Ports.Tx, Report: tx.Ports.Report, Credit: tx.Ports.Credit, Failed: tx.Ports.Failed},
		Build: func(m *hdl.Module, p falconPathPorts) { buildFalconPath(m, c, p) }}
}

func buildFalconPath(m *hdl.Module, c engine.Config, p falconPathPorts) {
	end, weight := hdl.NewStream(m, "end", engine.TxMessageOf(c)), hdl.NewStream(m, "weight", engine.TxWeightOf(c.Streams))
	zero := func(proto engine.TxMessage) engine.TxMessage {
		return hdl.Unpack(proto, hdl.Zero(hdl.PackedWidth(proto)))
	}
	end.Source().Drive(m, hdl.Zero(1), zero(engine.TxMessageOf(c)))
	weight.Source().Drive(m, hdl.Zero(1), hdl.Unpack(engine.TxWeightOf(c.Streams), hdl.Zero(hdl.PackedWidth(engine.TxWeightOf(c.Streams)))))
	running := m.Wire("running", 1)
	m.Unused("no QP ends on this side", end.Source().Ready)
	m.Unused("all weigh the same", weight.Source().Ready)
	m.Unused("messages wait for it anyway", running.Value)
	next, commands := hdl.NewStream(m, "next", engine.TxMessageOf(c)), hdl.NewStream(m, "command", engine.TxCommandOf(c))
	beats := hdl.NewStream(m, "packet", transmit.TxBeatOf(c))
	hdl.Instance(m, "arbiter", transmit.TxArbiter(c), transmit.TxArbiterPorts{Responses: p.Responses, End: end.Sink(), Requests: p.Requests, Message: next.Source()})
	none := hdl.Zero(1).In()
	stream := hdl.Zero(block.IndexWidth(c.Streams)).In()
	hdl.Instance(m, "turns", transmit.TxTurns(c), transmit.TxTurnsPorts{Message: next.Sink(), Weight: weight.Sink(), Dropped: none, DroppedStream: stream,
		Opened: none, OpenedStream: stream, Command: commands.Source(), Running: running.Out()})
	pieces := hdl.NewStream(m, "piece", transmit.PieceCommandOf(c))
	p.Element.Accept(m, hdl.Ones(1))
	e := p.Element.Data
	hdl.Instance(m, "gather", falcon.Gather(c), falcon.GatherPorts{Listed: falcon.ListElement{Valid: p.Element.Valid.In(), Stream: e.Stream.In(), Place: e.Place.In(), Address: e.Address.In(), Length: e.Length.In()}, Command: commands.Sink(), Piece: pieces.Source()})
	hdl.Instance(m, "engine", transmit.TxEngine(c), transmit.TxEnginePorts{Command: pieces.Sink(), Memory: p.Memory, Tx: beats.Source(),
		Report: p.Report, Credit: p.Credit, Failed: p.Failed})
	hdl.Instance(m, "tx", falcon.Tx(c), falcon.TxPorts{Packet: beats.Sink(), Tx: p.Tx})
}

// falconSent is a falcon.Sent.
type falconSent struct {
	Type          spec.PacketType
	CID           uint32
	RSN           uint32
	RequestLength uint32
	Fence, Unfit  bool
	RefusedWork   bool
	More, First   bool
	List          bool
	Element       uint32
}

// falconMessage is an engine.TxMessage with its tag.
type falconMessage struct {
	Stream       int
	Kind         int
	Number       uint32
	HeaderLength int
	Header       [60]byte
	Address      uint64
	Length       uint32
	falconSent
}

// falconFailure is the failure to read a payload.
type falconFailure struct {
	Stream int
	Fault  int
	falconSent
}

// falconTxBeat is one transfer of a packet for Falcon.
type falconTxBeat struct {
	Tdata, Tkeep []byte
	Tlast        bool
	Tuser        uint32
	Tid          uint32
	Tdest        uint32
}

// falconOut is a packet for Falcon.
type falconOut struct {
	falconSent
	octets []byte
}

// falconOutputs joins beats; octets outside tkeep must be zero, and tkeep contiguous.
func falconOutputs(t testing.TB, beats []falconTxBeat) (list []falconOut) {
	var now falconOut
	for _, b := range beats {
		side := falconSent{Type: spec.PacketType(b.Tuser & 7), CID: b.Tdest, RSN: b.Tid, RequestLength: b.Tuser >> 3}
		if now.octets != nil {
			require.Equal(t, now.falconSent, side, "the sideband changes inside a packet")
		}
		now.falconSent = side
		kept := 0
		for i, octet := range b.Tdata {
			if b.Tkeep[i/8]>>(i%8)&1 == 0 {
				require.Zero(t, octet, "octet %d is outside", i)
				continue
			}
			require.Equal(t, kept, i, "tkeep has a gap")
			kept++
			now.octets = append(now.octets, octet)
		}
		require.True(t, kept == len(b.Tdata) || b.Tlast && kept > 0 && kept%4 == 0, "%d octets, last is %v", kept, b.Tlast)
		if b.Tlast {
			list, now = append(list, now), falconOut{}
		}
	}
	require.Nil(t, now.octets)
	return list
}

// falconPathBench compares the packets of falconPath with those of the codec, in order for each QP.
type falconPathBench struct {
	*rig
	c        engine.Config
	bits     spec.BitOrder
	memory   *readMemory
	want     map[int][]falconOut // by QP, whose number is that of its connection
	failures map[int][]falconFailure
	credits  map[int][]creditBeat
	rsn      map[int]uint32
	sent     int
}

func openFalconPath(t testing.TB, c engine.Config, latency ...int) *falconPathBench {
	b := &falconPathBench{rig: openRig(t, falconPath(c), 1), c: c, bits: c.Profile.(falcon.Profile).Order, rsn: map[int]uint32{},
		memory: &readMemory{busBytes: c.BusBytes, latency: [2]int{latency[0], latency[len(latency)-1]}, bad: map[uint64]int{}}}
	attachMemory(b.rig, b.memory)
	b.restart()
	return b
}

func (b *falconPathBench) restart() {
	b.want, b.failures, b.credits = map[int][]falconOut{}, map[int][]falconFailure{}, map[int][]creditBeat{}
	b.sent = 0
}

// message is the message of a packet of a QP, with length octets of payload from an address on.
func (b *falconPathBench) message(qp int, row *spec.Operation, address uint64, length int) {
	r, kinds := b.rand, b.c.Kinds()
	p := falconFields(r, row)
	p.Payload = b.memory.octets(address, length)
	whole := p.Encode(nil, b.bits)
	q := falconMessage{Stream: qp, Kind: kindMessage, Number: r.Uint32N(requestNumbers), HeaderLength: row.HeaderOctets(), Address: address, Length: uint32(length),
		falconSent: falconSent{row.Packet, uint32(qp), b.rsn[qp], uint32(len(whole)), r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0, false, r.Uint32N(1 << 10)}}
	copy(q.Header[:], whole[:row.HeaderOctets()])
	name := "requests"
	if row.Packet == spec.PullData {
		name = []string{"read", "atomic", "refusal"}[qp/2%3]
		q.Kind = int(kinds.Response(name))
		b.credits[qp] = append(b.credits[qp], creditBeat{qp, q.Number})
	}
	if row.Packet == spec.PullRequest {
		q.RequestLength = r.Uint32N(1 << 16)
	}
	b.rsn[qp]++
	send(b.rig, name, q)
	b.sent++
	out := falconOut{q.falconSent, whole}
	if length > 0 && b.memory.failed(address, length) {
		p.CE, p.Payload = true, nil
		out.octets = p.Encode(nil, b.bits)
		b.failures[qp] = append(b.failures[qp], falconFailure{qp, 0, q.falconSent})
		out.RequestLength = uint32(len(out.octets))
	}
	out.falconSent = falconSent{Type: out.Type, CID: out.CID, RSN: out.RSN, RequestLength: out.RequestLength}
	b.want[qp] = append(b.want[qp], out)
}

// falconFields are random fields of a packet without payload.
func falconFields(r *rand.Rand, row *spec.Operation) packet.Packet {
	p := packet.New(row)
	p.CE, p.SE, p.DestinationQP, p.SN = r.IntN(2) == 0, r.IntN(2) == 0, r.Uint32()>>8, r.Uint32()
	p.VA, p.RKey, p.Length, p.RMSN, p.Offset = r.Uint64(), r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32()
	p.SinkVA, p.SinkKey, p.Immediate, p.Invalidate = r.Uint64(), r.Uint32(), r.Uint32(), r.Uint32()
	p.Data, p.Compare, p.Original, p.SRQ, p.QKey, p.SourceQP = r.Uint64(), r.Uint64(), r.Uint64(), r.Uint32()>>8, r.Uint32(), r.Uint32()>>8
	return p
}

// random sends a message of a QP, each of which has one sender, so that its order is known: even ones answer, odd ones ask.
func (b *falconPathBench) random(badOf int) {
	r := b.rand
	var rows []*spec.Operation
	qp := r.IntN(b.c.Streams)
	for i := range spec.Operations {
		if row := &spec.Operations[i]; (row.Packet == spec.PullData) == (qp%2 == 0) {
			rows = append(rows, row)
		}
	}
	row := rows[r.IntN(len(rows))]
	length := 0
	if row.Carries() {
		length = max(0, min([]int{0, 1, 4, 8, b.c.BusBytes, 3 * b.c.BusBytes, b.c.MaxPayload}[r.IntN(7)], b.c.MaxPayload)-r.IntN(5))
	}
	address := uint64(r.IntN(1<<16))<<12 - uint64(r.IntN(length+b.c.BusBytes))
	if badOf > 0 && length > 0 && r.IntN(badOf) == 0 {
		b.memory.bad[(address+uint64(r.IntN(length)))/uint64(b.c.BusBytes)] = 2 + r.IntN(2)
	}
	b.message(qp, row, address, length)
}

// finish runs until the path is idle and compares its output, by QP.
func (b *falconPathBench) finish() {
	b.t.Helper()
	b.rest(600)
	got := map[int][]falconOut{}
	for _, p := range falconOutputs(b.t, received[falconTxBeat](b.rig, "m_axis_tx")) {
		got[int(p.CID)] = append(got[int(p.CID)], p)
	}
	failures, credits := map[int][]falconFailure{}, map[int][]creditBeat{}
	for _, f := range received[falconFailure](b.rig, "failed") {
		failures[f.Stream] = append(failures[f.Stream], f)
	}
	for _, x := range received[creditBeat](b.rig, "credit") {
		credits[x.Stream] = append(credits[x.Stream], x)
	}
	for qp := range b.c.Streams {
		require.Len(b.t, got[qp], len(b.want[qp]), "QP %d", qp)
		for i := range got[qp] {
			require.Equal(b.t, b.want[qp][i], got[qp][i], "QP %d, packet %d", qp, i)
		}
		same(b.t, b.failures[qp], failures[qp])
		same(b.t, b.credits[qp], credits[qp])
	}
	reports := received[leftBeat](b.rig, "report")
	assert.Len(b.t, reports, b.sent)
	for _, r := range reports {
		assert.True(b.t, r.Final)
		assert.False(b.t, r.Dropped)
	}
	b.restart()
}

// Every bus in both bit orders, every mix of idle cycles and back-pressure: packets of several QPs leave as the codec encodes them, with
// their pad and sideband; one whose payload memory does not deliver leaves with CE = 1 and without payload.
func TestFalconPathUnderStalls(t *testing.T) {
	for i, bus := range block.BusWidths {
		t.Run(fmt.Sprint(bus), func(t *testing.T) {
			everyChance(t, func(t *testing.T, idle, pressure int) {
				b := openFalconPath(t, falconConfig(bitOrders[(i+idle)%2], bus), [][]int{{0}, {3, 50}, {200}}[(i+pressure)%3]...)
				b.stall(idle, pressure)
				for range 2 {
					for range 60 {
						b.random(10)
					}
					b.finish()
				}
			})
		})
	}
}

// Every packet type with payload, every place of its end in a word, an error in every beat of memory: headers alone leave, and the next
// packet of the QP and of another one are whole.
func TestFalconPathUnread(t *testing.T) {
	for _, bits := range bitOrders {
		for _, bus := range block.BusWidths {
			t.Run(fmt.Sprint(bits, bus), func(t *testing.T) {
				b := openFalconPath(t, falconConfig(bits, bus), 7)
				for i := range spec.Operations {
					row := &spec.Operations[i]
					if !row.Carries() {
						continue
					}
					length, at := 1+b.rand.IntN(3*bus), uint64(1+i)<<16+uint64(b.rand.IntN(bus))
					if length > b.c.MaxPayload {
						length = b.c.MaxPayload
					}
					for beat := at / uint64(bus); beat <= (at+uint64(length)-1)/uint64(bus); beat++ {
						b.memory.bad = map[uint64]int{beat: 2 + int(beat%2)}
						b.message(1, row, at, length)
						b.message(1, row, at+1<<12, length)
						b.message(2, row, at+1<<13, length)
						b.finish()
					}
				}
			})
		}
	}
}

// Packets leave without a gap, one per cycle if the bus is wide enough for one, of one QP or of several.
func TestFalconPathRate(t *testing.T) {
	for _, bus := range block.BusWidths {
		b := openFalconPath(t, falconConfig(spec.Drawn, bus), 20)
		row := spec.Find(spec.RC, spec.PullData, spec.Atomic, spec.Only, spec.Plain)
		for i := range 200 {
			b.message(i/100*i%8, row, 0, 0)
		}
		b.finish()
		at := b.stream("m_axis_tx").at
		gapless(t, at[40*len(at)/200:])
	}
}

// No tool has a warning.
func TestFalconBlocksInTools(t *testing.T) {
	long.Test(t)
	t.Parallel()
	for i, bus := range []int{8, 64} {
		c := falconConfig(bitOrders[i], bus)
		clean(t, falconPath(c))
		clean(t, falconTarget(c))
		clean(t, order.DeliveryGate(c))
		clean(t, request.RequestMessages(c))
		clean(t, request.WorkRing(c))
		clean(t, host.CSR(c))
	}
}
