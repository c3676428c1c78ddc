package falcon

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// A walk is a test in which each QP gets a packet of a bin, after what makes its place valid. The golden model says in which bin it is, and what
// follows from it.

// Numbers of the set-up: those of the first QP, connection and shared queue, and of those that are of no QP.
const (
	firstQP  = 0xA001
	noQP     = 0xA000
	firstCID = 0xB001
	noCID    = 0xB000
	firstSRQ = 0x0051
	noSRQ    = 0x0050
)

// Rows of the table of regions: of the receiver, of the peer, of another domain, one that ends at 2^64, one that is not valid, and the first of those
// that may be invalidated, one for each QP.
const (
	rowLocal = 1 + iota
	rowRemote
	rowForeign
	rowEdge
	rowUnknown
	rowSpare = 16
)

// Octets of a region, and of the slots that QPs share.
const (
	walkMTUs = 16
	slotMTUs = 4
	slots    = walkMTUs / slotMTUs
)

// walk is a test under construction. Values that it need not choose are random, so that every bit of them changes.
type walk struct {
	*rand.Rand
	config suite.Config
	order  spec.BitOrder
	group  suite.Group
	test   suite.Test
	octet  uint32 // low octet of all keys
	va     uint64 // of the regions, but for that which ends at 2^64
	domain uint16
	qKey   uint32
}

// visit is the input of a QP of a walk.
type visit struct {
	*walk
	p           Packet
	row         *spec.Operation // nil: no operation
	at          int             // of the QP
	sn          uint32
	rmsn, pull  uint32
	rsn, first  uint32 // RSNs: the next one of the peer, and that of this side
	service     spec.Service
	ordering    string
	octetsSoFar uint32 // of the message
}

// kindOf is the service, ordering and error mode of the QPs on which a bin is visited.
func kindOf(p Packet) (service spec.Service, ordering, errors string) {
	ordering, errors = p.Ordering, p.Errors
	if ordering == none {
		ordering, errors = spec.Strong.String(), spec.CompleteInError.String()
	}
	if row := p.row(); row != nil {
		service = row.Opcode.Service()
	}
	return service, ordering, errors
}

// walkOf writes a walk of bins of one kind.
func walkOf(c suite.Config, r *rand.Rand, list []Packet) (*suite.Group, *suite.Test, error) {
	order, err := c.Order()
	if err != nil {
		return nil, nil, err
	}
	w := &walk{Rand: r, config: c, order: order, octet: r.Uint32N(256), va: min(r.Uint64(), -uint64(walkMTUs*c.MTU)), domain: uint16(r.Uint32()), qKey: r.Uint32()}
	service, ordering, errors := kindOf(list[0])
	w.setUp(service, ordering, errors, len(list))
	for i, p := range list {
		n, own := w.group.Number, w.group.Connections[0]
		if service != spec.UD {
			own = w.group.Connections[i+1]
		}
		v := &visit{walk: w, p: p, row: p.row(), at: i, sn: n, rmsn: n, pull: n, rsn: r.Uint32(), first: own.RSN, service: service, ordering: ordering}
		if p.isResponse() {
			v.response()
		} else {
			v.request()
		}
	}
	w.test.Comment = fmt.Sprintf("walk: %v", list)
	return &w.group, &w.test, nil
}

func (w *walk) setUp(service spec.Service, ordering, errors string, qps int) {
	c := w.config
	lots := suite.Credits{RequestTxPackets: 4096, RequestTxBuffers: 1 << 20, RequestRxPackets: 4096, RequestRxBuffers: 1 << 20, DataTxPackets: 4096, DataTxBuffers: 1 << 20}
	g := &w.group
	g.Number, g.Credits = []uint32{1, -w.Uint32N(4), w.Uint32()}[w.IntN(3)], []suite.Credits{}
	length := walkMTUs * c.MTU
	place := func() suite.Hex64 { return suite.Hex64(min(w.Uint64(), -uint64(length)) &^ 7) }
	localAt, remoteAt := place(), place()
	g.Memory = []suite.Memory{{Address: localAt, Octets: length, Seed: w.Uint32()}, {Address: remoteAt, Octets: length, Seed: w.Uint32()}}
	region := func(row int, domain uint16, base uint64, at suite.Hex64, rights ...string) {
		g.Regions = append(g.Regions, suite.Region{Key: suite.Hex32(w.key(row)), Rights: rights, Domain: &domain, Base: suite.Hex64(base), Length: suite.Hex64(length), Address: at})
	}
	remote := []string{"remote_read", "remote_write", "remote_atomic"}
	region(rowLocal, w.domain, w.va, localAt, "local_read", "local_write")
	region(rowRemote, w.domain, w.va, remoteAt, remote...)
	region(rowForeign, w.domain^1<<w.IntN(16), w.va, remoteAt, remote...)
	region(rowEdge, w.domain, -uint64(length), remoteAt, remote...)
	connection := func(cid uint32) {
		g.Connections = append(g.Connections, suite.Connection{CID: cid, Ordered: ordering == spec.Strong.String() && service != spec.UD, RSN: w.Uint32(), Window: c.Window, Credits: lots})
	}
	connection(noCID)
	for i := range uint32(qps) {
		region(rowSpare+int(i), w.domain, w.va, remoteAt, "remote_atomic", "invalidate")
		q := suite.QP{QP: firstQP + 2*i, Type: spec.QPRC.String(), Ordering: ordering, Errors: errors, Domain: w.domain, MTU: c.MTU, IRRQ: c.IRRQ, ORD: c.IRRQ, SendDepth: 16, RNRTimeout: uint8(w.IntN(31))}
		if service == spec.UD {
			q.Type, q.QKey = spec.QPUD.String(), new(suite.Hex32(w.qKey))
			g.QPs = append(g.QPs, q)
			continue
		}
		connection(firstCID + i)
		q.CID, q.Remote = new(firstCID+i), new(w.Uint32N(1<<24))
		if service == spec.XRC {
			g.SharedQueues = append(g.SharedQueues, firstSRQ+i)
			target := q
			target.Type = spec.QPXRCTarget.String()
			q.QP, q.Type = q.QP+1, spec.QPXRCInitiator.String()
			g.QPs = append(g.QPs, target)
		}
		g.QPs = append(g.QPs, q)
	}
}

func (w *walk) give(s suite.Step) {
	s.Expect = []suite.Expect{}
	w.test.Steps = append(w.test.Steps, s)
}

// key is that of a row of the table of regions.
func (w *walk) key(row int) uint32 { return uint32(row)<<8 | w.octet }

// spare is the row that belongs to the QP.
func (v *visit) spare() int { return rowSpare + v.at }

// slot is an address in the slot of the QP.
func (v *visit) slot(offset int) uint64 {
	return v.va + uint64(v.at%slots*slotMTUs*v.config.MTU+offset)
}

func (v *visit) element(row, offset, octets int) suite.Element {
	return suite.Element{Key: suite.Hex32(v.key(row)), VA: suite.Hex64(v.slot(offset)), Length: uint32(octets)}
}

// receive posts a receive to the queue of the QP.
func (v *visit) receive(local ...suite.Element) {
	r := &suite.Receive{ID: suite.Hex64(v.Uint64()), Local: local}
	if v.service == spec.XRC {
		r.SRQ = new(firstSRQ + uint32(v.at))
	} else {
		r.QP = new(v.qp())
	}
	v.give(suite.Step{Receive: r})
}

// deliver gives octets of a request to the hardware.
func (v *visit) deliver(t spec.PacketType, cid uint32, octets []byte) {
	length := len(octets)
	if t == spec.PullRequest {
		length = v.config.MTU
	}
	v.give(suite.Step{Request: &suite.Request{CID: cid, RSN: v.rsn, Type: t.String(), Length: length, Hex: octets}})
	v.rsn++
}

// qp is the QP that receives requests, initiator that which sends them.
func (v *visit) qp() uint32 { return firstQP + 2*uint32(v.at) }

func (v *visit) initiator() uint32 {
	if v.service == spec.XRC {
		return v.qp() + 1
	}
	return v.qp()
}

func (v *visit) cid() uint32 {
	if v.service == spec.UD {
		return noCID
	}
	return firstCID + uint32(v.at)
}

// find is an operation of the service of the QP.
func (v *visit) find(k spec.Kind, p spec.Position, s spec.Suffix) *spec.Operation {
	t := spec.PushRequest
	if k&(spec.Read|spec.Atomic) != 0 {
		t = spec.PullRequest
	}
	return spec.Find(v.service, t, k, p, s)
}

// next is a valid packet of an operation with the next numbers.
func (v *visit) next(row *spec.Operation, octets int) packet.Packet {
	x := packet.New(row)
	x.DestinationQP, x.SN, x.SRQ, x.QKey, x.SourceQP = v.qp(), v.sn, firstSRQ+uint32(v.at), v.qKey, v.Uint32N(1<<24)
	x.VA, x.RKey, x.Data, x.Compare, x.SinkVA, x.SinkKey = v.slot(0), v.key(rowRemote), v.Uint64(), v.Uint64(), v.Uint64(), v.Uint32()
	x.Invalidate, x.Immediate, x.Offset, x.RMSN, x.SE = v.key(v.spare()), v.Uint32(), v.octetsSoFar, v.rmsn, v.IntN(2) == 0
	if row.Packet == spec.PullRequest {
		x.RMSN = v.pull
	}
	if x.Length = uint32(octets); row.Carries() {
		x.Payload = v.octets(octets)
	}
	return x
}

// before delivers a valid packet ahead of that of the bin.
func (v *visit) before(row *spec.Operation, octets int, edit func(x *packet.Packet)) {
	x := v.next(row, octets)
	if edit != nil {
		edit(&x)
	}
	v.deliver(row.Packet, v.cid(), x.Encode(nil, v.order))
	v.sn++
	if v.octetsSoFar += uint32(octets); row.Position&spec.Ends != 0 {
		v.octetsSoFar = 0
		if row.Receives() {
			v.rmsn++
		}
	}
	if row.Packet == spec.PullRequest {
		v.pull++
	}
}

func (w *walk) octets(n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(w.Uint32())
	}
	return p
}

// octetsOf is a length of a class.
func (v *visit) octetsOf(class string) int {
	switch class {
	case empty:
		return 0
	case full:
		return v.config.MTU
	case above:
		return v.config.MTU + 4
	}
	return 8
}

// groups divides bins by the kind of QP on which they are visited, at most so many each.
func groups(list []Packet, most int) (out [][]Packet) {
	byKind := map[string][]Packet{}
	var kinds []string
	for _, p := range list {
		service, ordering, errors := kindOf(p)
		kind := fmt.Sprint(service, ordering, errors, isHeld(p))
		if byKind[kind] == nil {
			kinds = append(kinds, kind)
		}
		byKind[kind] = append(byKind[kind], p)
	}
	for _, kind := range kinds {
		out = slices.AppendSeq(out, slices.Chunk(byKind[kind], most))
	}
	return out
}
