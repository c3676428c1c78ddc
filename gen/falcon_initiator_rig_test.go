package gen_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/falcon"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

type (
	creditCountBeat struct{ TxPackets, TxBuffers, RxPackets, RxBuffers int }

	sentMessageBeat struct {
		Stream, Kind  int
		Number        uint32
		HeaderLength  int
		Header        [60]byte
		Address       uint64
		Length        uint32
		Type          spec.PacketType
		CID, RSN      uint32
		RequestLength int
		Fence, Unfit  bool
		RefusedWork   bool
		More, First   bool
		List          bool
		Element       int
	}
	connectBeat struct {
		Stream, Type int
		CID, Remote  uint32
		Before       uint32
		RSN          uint32
		Errors       spec.ErrorMode
		Single       bool
		Credits      creditCountBeat
		ORD          int
	}
	returnedBeat struct {
		CID   uint32
		Count creditCountBeat
	}
	completedBeat struct {
		CID, RSN uint32
		Code     spec.Completion
		ULP      spec.ULPCode
	}
	placedBeat struct {
		CID, RSN uint32
		Status   model.Status
		Data     uint64
	}
	endedStreamBeat struct{ Stream int }
	leftBeat        struct {
		Stream, Kind   int
		Final, Dropped bool
	}
	workReportBeat struct {
		Stream, Kind   int
		Final, Dropped bool
		Outcome        model.Status
		SourceQP       uint32
		Answers        bool
		Data           uint64
	}
	failedBeat struct{ Stream, Fault int }
	listedBeat struct {
		Stream, Place   int
		Address, Length uint64
	}
)

const (
	initiatorDomain = 3
	sourceBase      = 0x1_0000_0000 - 0x4000    // payload crosses 2^32
	sinkBase        = 0x7000_0000_0000 - 0x4000 // so do sinks
	areaOctets      = 0x8000
)

var sourceKey, sinkKey, spoiledKey = memory.STag(1, 0x11), memory.STag(2, 0x22), memory.STag(1, 0x12)

// initiatorConfig is the configuration of a test.
type initiatorConfig struct {
	streams, window, ord, depth, mtu int
	order                            spec.BitOrder
	ordering                         spec.Ordering
	errors                           spec.ErrorMode
	kind                             spec.QPType
	unit                             int
	credits                          spec.Credits
	rsn                              uint32
	before                           uint32 // number before the first SN and RMSN
	limited                          bool   // QPs have an ORD of their own, up to ord, or more, which counts as ord
}

func (c initiatorConfig) engine() engine.Config {
	e := streamsOf(c.streams)
	e.ORD, e.SendDepth, e.MaxPayload = c.ord, c.depth, c.mtu
	e.Profile = falcon.Profile{Order: c.order, Connections: c.streams, Window: c.window, BufferOctets: c.unit}
	return e
}

var manyCredits = spec.Credits{RequestTxPackets: 20000, RequestTxBuffers: 20000, RequestRxPackets: 20000, RequestRxBuffers: 20000}

func newInitiatorConfig() initiatorConfig {
	return initiatorConfig{streams: 4, window: 16, ord: 4, depth: 8, mtu: 64, unit: 64, credits: manyCredits, rsn: 1}
}

// initiatorQP is what the test knows of a QP.
type initiatorQP struct {
	number   uint32 // of the model's QP and connection: those of another life differ
	open     map[uint32]openRequest
	reports  []workReportBeat // expected
	places   int              // of these, that the model has completed
	elements map[int]model.Element
	at       gatherAt          // where the next packet of a list begins
	sent     []sentMessageBeat // by hardware
	failures int
	posted   []*initiatorWork
	credits  spec.Credits // used and not returned
	done     bool         // all is flushed, reopened before the next use
	ends     bool         // it ends with a work request, in its turn
}

// gatherAt is an octet of an element.
type gatherAt struct{ place, offset int }

// initiatorWork is a work request; of an unordered QP those ahead complete later.
type initiatorWork struct {
	id     uint64
	pulls  bool
	atomic bool
	places int
	done   bool
	c      model.Completion
}

type openRequest struct {
	pull   bool
	packet packet.Packet
	cost   spec.Credits
}

// initiatorRig runs falcon_initiator beside the golden model.
type initiatorRig struct {
	*bench
	t    testing.TB
	r    *rand.Rand
	c    initiatorConfig
	m    *model.Engine
	qps  []*initiatorQP
	life uint32
	id   uint64
	xoff bool

	firstRSN []uint32 // of each QP

	waiting [][]sentMessageBeat // packets that are completed later, by the time that they left

	packets, errors, dropped, gathered, refused int
}

func newInitiatorRig(t testing.TB, c initiatorConfig, seed uint64) *initiatorRig {
	m, err := model.New(model.Config{BitOrder: c.order, Regions: 8, BufferOctets: c.unit})
	require.NoError(t, err)
	rig := &initiatorRig{bench: open(t, falcon.Initiator(c.engine()), "listed"), t: t, r: random(seed), c: c, m: m}
	for i, region := range map[int]memory.Region{
		1: {Valid: true, Key: 0x11, Rights: memory.LocalRead, ByDomain: true, Owner: initiatorDomain, Base: sourceBase, Length: areaOctets, Address: sourceBase},
		2: {Valid: true, Key: 0x22, Rights: memory.LocalWrite, ByDomain: true, Owner: initiatorDomain, Base: sinkBase, Length: areaOctets, Address: sinkBase},
	} {
		require.NoError(t, m.SetRegion(i, region))
	}
	octets := make([]byte, areaOctets)
	for i := range octets {
		octets[i] = byte(rig.r.Uint32())
	}
	m.Memory().Write(sourceBase, octets)
	rig.firstRSN = make([]uint32, c.streams)
	for s := range c.streams {
		rig.qps = append(rig.qps, nil)
		rig.connect(s)
	}
	return rig
}

func creditsOf(c spec.Credits) creditCountBeat {
	return creditCountBeat{c.RequestTxPackets, c.RequestTxBuffers, c.RequestRxPackets, c.RequestRxBuffers}
}

// connect opens a QP, in a life of its own.
func (g *initiatorRig) connect(s int) {
	g.t.Helper()
	rsn := g.c.rsn + uint32(g.r.IntN(3))
	q := &initiatorQP{number: g.life<<8 | uint32(s), open: map[uint32]openRequest{}, elements: map[int]model.Element{}}
	g.life++
	credits := g.c.credits
	if g.datagrams() { // which need none, and get none back
		credits = spec.Credits{}
	}
	require.NoError(g.t, g.m.CreateConnection(model.ConnectionConfig{CID: q.number, Ordered: g.c.ordering == spec.Strong, RSN: rsn, Window: g.c.window, Credits: credits}))
	remote := g.r.Uint32N(1 << 24)
	if g.datagrams() { // each has its own
		remote = 0
	}
	ord, own := g.c.ord, 0
	if g.c.limited {
		if own = g.r.IntN(2*g.c.ord + 2); own > 0 {
			ord = min(own, ord)
		}
	}
	require.NoError(g.t, g.m.CreateQP(model.QPConfig{Number: q.number, Type: g.c.kind, Ordering: g.c.ordering, Errors: g.c.errors, Domain: initiatorDomain, MTU: g.c.mtu,
		CID: q.number, Remote: remote, IRRQ: 1, ORD: ord, SendDepth: g.c.depth}))
	before := g.c.before
	if before > 0 && !g.datagrams() { // near the wrap of 2^32 in each life
		before += g.r.Uint32N(20)
		g.m.SetNumber(q.number, before+1)
	} else {
		before = 0
	}
	g.qps[s], g.firstRSN[s] = q, rsn
	push(g.bench, "setup", connectBeat{Stream: s, CID: g.cid(s), Remote: remote, RSN: rsn, Before: before, Errors: g.c.errors, Type: int(g.c.kind), Single: g.datagrams() || g.c.ordering == spec.Unordered, Credits: creditsOf(credits), ORD: own})
	for before := g.stats("setup").Beats; g.stats("setup").Beats == before; { // the table is emptied without a handshake
		g.step(16)
	}
	g.run()
}

// cid is the local number of a QP's connection in hardware.
func (g *initiatorRig) cid(s int) uint32 { return uint32(g.c.streams - 1 - s) }

// datagrams reports whether the QPs are of type UD. Of these each has a connection of its own too.
func (g *initiatorRig) datagrams() bool { return g.c.kind == spec.QPUD }
