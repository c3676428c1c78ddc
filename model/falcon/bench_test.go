package falcon_test

import (
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/link"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"

	"github.com/stretchr/testify/require"
)

// The memory of both nodes of a bench. Regions overlap nowhere.
const (
	sourceAt  = 0x10_0000 // never written
	sinkAt    = 0x20_0000 // places used once: sinks of Reads and Atomics
	remoteAt  = 0x30_0000 // what the peer reads and writes
	receiveAt = 0x40_0000 // receive buffers, used once
	areaSize  = 0x10_0000

	sourceOctets = 0x1800
	domain       = 7
	mtu          = 64
)

// Rows of the tables of regions.
var (
	sourceKey  = memory.STag(1, 0x11)
	sinkKey    = memory.STag(2, 0x22)
	remoteKey  = memory.STag(3, 0x33) // remote rights
	receiveKey = memory.STag(4, 0x44)
	readOnly   = memory.STag(5, 0x55) // of the peer: read only
	foreign    = memory.STag(6, 0x66) // of another domain
	spareKey   = memory.STag(7, 0x77) // may be invalidated
	noKey      = memory.STag(9, 0x99)
)

// remoteVA is the virtual address of remoteAt, which differs from the address.
const remoteVA = 0xFFFF_0000_0000_0000

var regions = map[int]memory.Region{
	1: {Valid: true, Key: 0x11, Rights: memory.LocalRead, ByDomain: true, Owner: domain, Base: sourceAt, Length: areaSize, Address: sourceAt},
	2: {Valid: true, Key: 0x22, Rights: memory.LocalWrite, ByDomain: true, Owner: domain, Base: sinkAt, Length: areaSize, Address: sinkAt},
	3: {Valid: true, Key: 0x33, Rights: memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic, ByDomain: true, Owner: domain, Base: remoteVA, Length: areaSize, Address: remoteAt},
	4: {Valid: true, Key: 0x44, Rights: memory.LocalWrite, ByDomain: true, Owner: domain, Base: receiveAt, Length: areaSize, Address: receiveAt},
	5: {Valid: true, Key: 0x55, Rights: memory.RemoteRead, ByDomain: true, Owner: domain, Base: 0, Length: 0x1000, Address: remoteAt},
	6: {Valid: true, Key: 0x66, Rights: memory.RemoteRead | memory.RemoteWrite, ByDomain: true, Owner: domain + 1, Base: 0, Length: 0x1000, Address: remoteAt},
	7: {Valid: true, Key: 0x77, Rights: memory.RemoteWrite | memory.Invalidate, ByDomain: true, Owner: domain, Base: 0, Length: 0x1000, Address: remoteAt},
}

// setup describes a bench: two QPs that send to each other. XRC has an initiator and a target at each end.
type setup struct {
	kind     spec.QPType
	ordering spec.Ordering
	errors   spec.ErrorMode
	bits     spec.BitOrder
	shared   bool
	irrq     int
	ord      int
	window   int
	credits  spec.Credits
	reorder  int
}

func newSetup(kind spec.QPType, o spec.Ordering, m spec.ErrorMode) setup {
	return setup{kind: kind, ordering: o, errors: m, irrq: 8, ord: 8, window: 64, reorder: 64,
		credits: spec.Credits{RequestTxPackets: 1000, RequestTxBuffers: 1000, RequestRxPackets: 1000, RequestRxBuffers: 1000, DataTxPackets: 1000, DataTxBuffers: 1000}}
}

// Numbers of QPs, connections and queues: the same on both nodes but for the node's number in the last digit.
const (
	qpSend    = 0x100 // RC and UD: also the target
	qpReceive = 0x200 // XRC
	cidBase   = 0x30
	srqNumber = 0x500
	bufferLen = 32
	qKey      = 0x1234_5678
)

type bench struct {
	setup
	node [2]*falcon.Engine
	link *link.Link
	qp   [2]uint32 // that sends
	to   [2]uint32 // that receives, at this node
	cid  [2]uint32
	rand *rand.Rand

	apart [2]struct { // of other QPs than those of the bench, at each node
		completions []falcon.Completion
		events      []falcon.Event
	}
}

func newBench(t require.TestingT, s setup, seed uint64) *bench {
	b := &bench{setup: s, rand: rand.New(rand.NewPCG(seed, 1))}
	for n := range 2 {
		e, err := falcon.New(falcon.Config{BitOrder: s.bits, Regions: 16, BufferOctets: bufferLen})
		require.NoError(t, err)
		for index, r := range regions {
			require.NoError(t, e.SetRegion(index, r))
		}
		source := make([]byte, sourceOctets)
		for i := range source {
			source[i] = byte(b.rand.Uint32())
		}
		e.Memory().Write(sourceAt, source)
		b.node[n], b.cid[n] = e, uint32(cidBase+n)
		b.qp[n] = uint32(qpSend + n)
		b.to[n] = b.qp[n]
		if s.kind == spec.QPXRCInitiator {
			b.to[n] = uint32(qpReceive + n)
		}
	}
	counted := s.kind != spec.QPUD
	b.link = link.New(link.Config{Reorder: s.reorder, BufferOctets: bufferLen, Choose: b.rand.IntN}, b.node[0], b.node[1])
	b.link.Connect(link.Connection{CID: b.cid, Ordered: s.ordering == spec.Strong, RSN: [2]uint32{1, 0xFFFF_FFF0}}, counted)
	for n, e := range b.node {
		require.NoError(t, e.CreateConnection(falcon.ConnectionConfig{CID: b.cid[n], Ordered: s.ordering == spec.Strong,
			RSN: [2]uint32{1, 0xFFFF_FFF0}[n], Window: s.window, Credits: s.credits}))
		require.NoError(t, e.CreateSRQ(srqNumber))
		c := falcon.QPConfig{Number: b.qp[n], Type: s.kind, Ordering: s.ordering, Errors: s.errors, Domain: domain, MTU: mtu,
			CID: b.cid[n], Remote: b.to[1-n], QKey: qKey, IRRQ: s.irrq, ORD: s.ord, SendDepth: 1000, RNRTimeout: 9,
			SharedReceive: s.shared && s.kind != spec.QPXRCInitiator, SRQ: srqNumber}
		require.NoError(t, e.CreateQP(c))
		if s.kind == spec.QPXRCInitiator {
			c.Number, c.Type, c.Remote = b.to[n], spec.QPXRCTarget, b.qp[1-n]
			require.NoError(t, e.CreateQP(c))
		}
		b.link.Attach(n, b.qp[n])
	}
	return b
}

// post posts a work request of a node with the addresses of the bench filled in.
func (b *bench) post(t require.TestingT, n int, r falcon.WorkRequest) {
	r.QP, r.SRQ = b.qp[n], srqNumber
	r.Address = falcon.AddressHandle{CID: b.cid[n], QP: b.to[1-n], QKey: qKey}
	require.NoError(t, b.node[n].Post(r))
}

// receive posts a receive request of a node, on the queue that the bench uses.
func (b *bench) receive(n int, r falcon.ReceiveRequest) {
	if b.shared || b.kind == spec.QPXRCInitiator {
		b.node[n].PostShared(srqNumber, r)
	} else {
		b.node[n].PostReceive(b.to[n], r)
	}
}

// run lets the link work until nothing is on its way.
func (b *bench) run(t require.TestingT) {
	require.True(t, b.link.Run(1_000_000, func() bool { return false }), "transactions are stuck")
	require.NoError(t, b.link.Err())
}

// completions takes all completions of a node, those of receives apart.
func (b *bench) completions(n int) (sent, received []falcon.Completion) {
	for c, some := b.node[n].NextCompletion(); some; c, some = b.node[n].NextCompletion() {
		if !b.owns(n, c.QP) {
			b.apart[n].completions = append(b.apart[n].completions, c)
		} else if c.Receive {
			received = append(received, c)
		} else {
			sent = append(sent, c)
		}
	}
	return sent, received
}

func (b *bench) events(n int) (list []falcon.Event) {
	for v, some := b.node[n].NextEvent(); some; v, some = b.node[n].NextEvent() {
		if b.owns(n, v.QP) {
			list = append(list, v)
		} else {
			b.apart[n].events = append(b.apart[n].events, v)
		}
	}
	return list
}

func (b *bench) owns(n int, qp uint32) bool { return qp == b.qp[n] || qp == b.to[n] }

func source(at, octets uint32) []falcon.Element {
	return []falcon.Element{{Key: sourceKey, VA: sourceAt + uint64(at), Length: octets}}
}

func sink(at, octets uint32) []falcon.Element {
	return []falcon.Element{{Key: sinkKey, VA: sinkAt + uint64(at), Length: octets}}
}

func buffer(at, octets uint32) []falcon.Element {
	return []falcon.Element{{Key: receiveKey, VA: receiveAt + uint64(at), Length: octets}}
}

func (b *bench) octets(n int, address uint64, count int) []byte {
	return b.node[n].Memory().Append(nil, address, count)
}
