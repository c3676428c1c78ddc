package gen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/falcon"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// setupBeat gives a QP its set-up.
type setupBeat struct {
	Stream int
	Before uint32
	QP     struct {
		Type     spec.QPType
		Ordering spec.Ordering
		Errors   spec.ErrorMode
		CID      uint32
		Remote   uint32
		QKey     uint32

		RNRTimeout uint8
		Shares     bool
		Queue      int
		XRCDomain  uint16
	}
}

type partBeat struct {
	Send, Write, Starts, Ends, Receives, Provided, Refused bool
	Status                                                 int
	RMSN, Offset                                           uint32
	Octets                                                 uint32
	ID                                                     uint64
	Use                                                    listUseBeat
	Revokes, Pull                                          bool
}

// listUseBeat is a falcon.ListUse.
type listUseBeat struct {
	Is           bool
	Queue, First int
}

// listPostBeat is a beat of a receive request that may have several elements.
type listPostBeat struct {
	Stream int
	ID     uint64
	STag   uint32
	TO     uint64
	Length uint32
	More   bool
}

type pullBeat struct {
	Stream, Kind, Number int
	STag                 uint32
	Address              uint64
	CID, RSN, SN, Remote uint32
	XRC, Verbs, Atomic   bool
	Adds                 bool
	Length               uint32
	Data, Compare        uint64
	SinkVA               uint64
	LKey                 uint32
}

// checkArrival is what falcon_check says of a packet.
type checkArrival struct {
	Opens, Weak, Counts, Shares, Takes bool
	SN                                 uint32
	Part                               partBeat
	Waits, Verbs                       bool
	Kind, Opcode, Rule, Place          int
	ID                                 uint64
	Queue                              struct{ Waits, First, Releases bool }
	Length                             uint32
	Request                            pullBeat
	Answer                             struct {
		CID, RSN      uint32
		Reply         spec.Reply
		Code, Timeout int
	}
	Push     bool
	Received struct {
		Status    int
		SourceQP  uint32
		Word      uint32
		Solicited bool
	}
}

// checkPacket is a packet from Falcon.
type checkPacket struct {
	falconTransaction
	octets []byte
}

// checkDecided is a packet that has been decided on, by the golden model in the place of falcon_check.
type checkDecided struct {
	checkPacket
	rule   spec.Rule
	answer model.Answer // of a request
	ends   bool         // its QP goes to Error
	stream int          // its number
	over   bool         // of a response: the pull is over
	closed bool         // of a response: because its QP is in Error
}

// checkBench compares falcon_check with the golden model, which decides on packets in the order of acceptance, at the time at which they
// are counted.
type checkBench struct {
	*rig
	c     engine.Config
	model *model.Engine

	packets   []checkPacket // not accepted yet
	accepted  []checkAt
	posts     []checkAt
	decided   []checkDecided   // their arrivals are pending
	ends      []checkDecided   // so is the end of their QP
	payloads  []checkPayload   // their placements are pending
	places    []checkPlaceBeat // that are not carried out: their parts are pending
	parts     []payloadPartBeat
	uses      map[uint64]listUseBeat     // of lists of shared queues, by ID of the receive
	refused   int                        // receives
	listed    bool                       // every receive that may be a list is one
	lists     map[[2]int][]model.Element // elements of receives that are being posted, to QPs and shared queues
	shadow    *memory.Space              // what the placements make of memory
	arrivals  []checkArrival
	slow      int // out of 256: no placement finishes in a cycle
	placed    int
	put       int
	asked     map[[2]uint32]askedPull // by CID and RSN
	closed    map[[2]uint32]bool      // pulls that were open when their QP went to Error
	found     askedPull               // by the lookup of the cycle before
	isAsked   bool                    // it is one
	lost      map[int]bool            // QPs of which nothing more is compared
	seen      map[spec.Rule]int
	partsSeen int
	opened    map[uint32]bool
	lives     map[int]int // numbers of pulls, by QP
	life      map[int]int // number of its opening, by QP
	reports   []overReport
	held      bool // falcon_order is slow: no report arrives
	qps       map[int]model.QPConfig
	cids      map[uint32]bool    // connections
	over      []model.Completion // of receives
	messages  []*checkMessages   // by QP
	taken     int                // receives of shared queues
	ahead     uint32             // SNs and RMSNs of falcon_check are so far ahead of the model's
	first     uint32             // see before
}

type checkAt struct {
	at int // cycle
	by func()
}

type checkPayload struct {
	octets []byte // nil: a word, of which the placement has the octets
	any    bool   // its length means nothing
}

// askedPull is an open pull of this node.
type askedPull struct {
	stream int
	sn     uint32
	atomic bool
	sink   model.Element
}

func checkConfig() engine.Config {
	c := gen.Default().Engine()
	c.Streams, c.STags, c.IRD, c.ORD, c.ReceiveDepth, c.MaxPayload = 4, 16, 2, 4, 4, 64
	c.Profile = falcon.Profile{Order: spec.Mirrored, Connections: 8, Window: 8}
	return c
}

// checkExtreme has the least of everything, and the other bit order.
func checkExtreme() engine.Config {
	c := checkConfig()
	c.Streams, c.IRD, c.ORD, c.ReceiveDepth, c.MaxPayload = 2, 1, 2, 2, 256
	c.Profile = falcon.Profile{Order: spec.Drawn, Connections: 8, Window: 2}
	return c
}

func openCheck(t testing.TB, c engine.Config, seed uint64) *checkBench {
	b := &checkBench{seen: map[spec.Rule]int{}, rig: openRig(t, falconCheckWithTables(c), seed), c: c}
	b.rig.look, b.first = b.look, b.rand.Uint32()
	for _, refusal := range []string{"refused", "no_room"} {
		onBeat(b.rig, refusal, func(refusedReceiveBeat) { b.refused++ })
	}
	return b
}

// begin forgets all QPs and begins with a new node, whose regions are given.
func (b *checkBench) begin(regions map[int]memory.Region) {
	var err error
	b.model, err = model.New(model.Config{BitOrder: b.c.Profile.(falcon.Profile).Order, Regions: b.c.STags, BufferOctets: 64})
	require.NoError(b.t, err)
	b.shadow, b.asked, b.lost = memory.NewSpace(), map[[2]uint32]askedPull{}, map[int]bool{}
	b.closed, b.lists, b.uses = map[[2]uint32]bool{}, map[[2]int][]model.Element{}, map[uint64]listUseBeat{}
	b.arrivals, b.opened, b.lives, b.life, b.reports = nil, map[uint32]bool{}, map[int]int{}, map[int]int{}, nil
	b.messages, b.over = nil, nil
	b.qps, b.cids = map[int]model.QPConfig{}, map[uint32]bool{}
	for i := range b.c.STags {
		r := regions[i]
		require.NoError(b.t, b.model.SetRegion(i, r))
		send(b.rig, "row", stagRow{Valid: r.Valid, Key: r.Key, Rights: rightsOf(r.Rights), ByDomain: r.ByDomain, Owner: uint16(r.Owner), Base: r.Base,
			Length: r.Length, Address: r.Address}.beat(uint32(i)))
	}
}

// rightsOf are the bits of a stagRow.
func rightsOf(r memory.Rights) (bits uint8) {
	for i, right := range []memory.Rights{memory.Invalidate, memory.RemoteAtomic, memory.RemoteWrite, memory.RemoteRead, memory.LocalWrite, memory.LocalRead} {
		if r&right != 0 {
			bits |= 1 << i
		}
	}
	return bits
}

// qp opens a QP in both.
func (b *checkBench) qp(q model.QPConfig, domain uint16) {
	b.open(q, domain, func() {})
	b.know(q)
	b.shift(int(q.Number))
}

// know opens a QP of the model.
func (b *checkBench) know(q model.QPConfig) {
	if q.Type.Connected() {
		s, _ := spec.SupportOf(q.Ordering, q.Type)
		b.cids[q.CID] = true
		require.NoError(b.t, b.model.CreateConnection(model.ConnectionConfig{CID: q.CID, Ordered: s.Ordered, Window: b.c.Profile.(falcon.Profile).Window,
			Credits: spec.Credits{RequestTxPackets: 1000, RequestTxBuffers: 1000, RequestRxPackets: 1000, RequestRxBuffers: 1000, DataTxPackets: 0}}))
	}
	require.NoError(b.t, b.model.CreateQP(q))
	b.opened[q.Number], b.qps[int(q.Number)] = true, q
}

// open opens a QP of falcon_check; early has what happens meanwhile.
func (b *checkBench) open(q model.QPConfig, domain uint16, early func()) {
	beat := setupBeat{Stream: int(q.Number), Before: b.before(int(q.Number))}
	beat.QP.Type, beat.QP.Ordering, beat.QP.Errors, beat.QP.CID, beat.QP.Remote = q.Type, q.Ordering, q.Errors, q.CID, q.Remote
	beat.QP.QKey, beat.QP.RNRTimeout, beat.QP.Shares, beat.QP.Queue, beat.QP.XRCDomain = q.QKey, q.RNRTimeout, q.SharedReceive, int(q.SRQ), q.XRCDomain
	send(b.rig, "setup", beat)
	b.settle()
	send(b.rig, "opening", openingBeat{Stream: int(q.Number), Open: true, Domain: int(domain)})
	send(b.rig, "ring_opening", openingBeat{Stream: int(q.Number), Open: true, Domain: int(domain)})
	b.clock()
	early()
	b.settle()
}

// before is the number before the first ones of a QP in packets; those of the model begin with 1.
func (b *checkBench) before(n int) uint32 { return b.first + uint32(n)<<29 }

// close closes a QP of falcon_check.
func (b *checkBench) close(n int) {
	send(b.rig, "opening", openingBeat{Stream: n})
	b.settle()
}

// record is what the parser says of a packet: RBTH also if there is more to say against it, and anything in what means nothing.
func (b *checkBench) record(p checkPacket) (r falconRecord, payload []byte) {
	r, payload = falconRecordOf(p.falconTransaction, p.octets, b.order())
	var base packet.Packet
	if base.DecodeBase(p.octets, b.order()) != spec.None {
		return r, payload
	}
	h := &r.Header
	h.CE, h.SE, h.Opcode, h.DestinationQP, h.SN = base.CE, base.SE, base.Opcode, base.DestinationQP, base.SN
	if row, known := base.Opcode.Operation(); known && !r.Checks.BadOpcode && !r.Checks.ShortHeaders {
		b.fill(h, row, p.octets)
	}
	if r.Checks.BadOpcode || r.Checks.ShortHeaders {
		h.VA, h.RKey, h.RMSN, h.Offset, h.Length, h.LKey = b.rand.Uint64(), b.rand.Uint32(), b.rand.Uint32(), b.rand.Uint32(), b.rand.Uint32(), b.rand.Uint32()
		row, known := base.Opcode.Operation()
		r.HasPayload = r.Checks.BadOpcode && known && row.Carries() && len(p.octets) > row.HeaderOctets()
	}
	if p.Type != spec.PullData {
		by := b.ahead + b.before(int(h.DestinationQP)%b.c.Streams)
		h.SN, h.RMSN = h.SN+by, h.RMSN+by
	}
	return r, payload
}

// packet sends a packet.
func (b *checkBench) packet(p checkPacket) {
	r, payload := b.record(p)
	if r.HasPayload {
		b.payloads = append(b.payloads, checkPayload{octets: payload, any: payload == nil})
	}
	b.packets = append(b.packets, p)
	send(b.rig, "record", r)
}

// settle runs until everything is accepted and the block is idle.
func (b *checkBench) settle() {
	b.t.Helper()
	for b.quiet = 0; b.quiet < 40 || b.pending() != "" || b.placed < b.put; {
		b.clock()
		require.Less(b.t, b.quiet, 4000, "%s waits", b.pending())
		require.False(b.t, b.t.Failed())
	}
	require.Empty(b.t, b.decided, "no arrival")
	require.Empty(b.t, b.payloads, "no placement")
	require.Empty(b.t, b.places, "no parts")
	require.Empty(b.t, b.parts, "parts of no placement")
	require.Empty(b.t, b.ends, "no end")
}

// clock runs one cycle, then updates the count of finished placements.
func (b *checkBench) clock() {
	for n, o := range b.messages {
		if o.told != o.over && (o.q.SharedReceive || o.q.Type == spec.QPXRCTarget) {
			o.told = o.over
			b.tellOver(n, o.over)
		}
	}
	b.inputs["over_valid"].Set(0)
	if len(b.reports) > 0 && !b.held {
		r := b.reports[0]
		b.reports = b.reports[1:]
		b.inputs["over_valid"].Set(1)
		b.inputs["over_stream"].Set(uint64(r.stream))
		b.inputs["over_life"].Set(uint64(r.life))
		b.inputs["over_count"].Set(uint64(r.count) % uint64(max(1024, 4*b.c.ReceiveDepth)))
	}
	b.step()
	b.inputs["placed"].Set(uint64(b.placed % 512))
}

// overReport says how many messages of a life of a QP are over.
type overReport struct {
	stream, life int
	count        uint32
}

// tellOver says how many messages of a QP are over, as falcon_order does.
func (b *checkBench) tellOver(n int, over uint32) {
	b.reports = append(b.reports, overReport{n, b.life[n], over + b.ahead})
}

func (b *checkBench) took(stream string) bool {
	at := b.rig.stream(stream).at
	return len(at) > 0 && at[len(at)-1] == b.cycle
}

// refusedReceiveBeat is the event of a receive that is refused.
type refusedReceiveBeat struct {
	Stream, Kind int
	Shared       bool
	Rule         int
}
