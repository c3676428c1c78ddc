package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/falcon"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	region "github.com/rnicgen/rnicgen/model/memory"
)

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
		Verbs: qp%2 == 0, Atomic: kind&spec.Atomic != 0, Adds: kind == spec.FetchAdd, Length: length, Data: p.Data, Compare: p.Compare, SinkVA: p.SinkVA, LKey: p.SinkKey}}
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
		if qp%2 == 1 { // it completes in error, and goes on
			assert.Zero(b.t, gone[qp])
			continue
		}
		assert.Equal(b.t, min(1, b.gone[qp]), gone[qp], "reported once")
	}
	assert.Empty(b.t, received[falconFailure](b.rig, "unread"))
	assert.Empty(b.t, received[failureBeat](b.rig, "word"))
	b.gone = map[int]int{}
}
