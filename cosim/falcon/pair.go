package falcon

import (
	"encoding/binary"
	"fmt"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// pair is a QP of each end, connected to each other.
type pair struct {
	*world
	index    int
	qp, cid  [2]uint32
	target   [2]uint32 // QP that receives: qp, but of XRC
	service  service
	queue    [2]int // of RC: index of the shared queue
	ordering spec.Ordering
	mode     spec.ErrorMode
	side     [2]*side
	mayFail  bool // something invalid has been posted, in Verbs compatible mode
	failed   bool
	rests    int // steps without anything in progress
	lingers  int // steps with requests in progress after all work requests have completed
}

// side is the state of the QP of an end since it was opened.
type side struct {
	work     []*operation // not complete, in posting order
	targeted []*operation // the same of the XRC target, which sends none
	free     []int        // slots
	messages []*operation // of the peer, that take a receive, from the first receive on that is not complete
	receives []receive    // posted and not complete, in posting order
	posted   int          // receives
	listed   []int        // of each of them: elements of its list
	numbered int          // messages that take a receive, posted by the peer
	memory   *memory.Space
	ended    bool            // its QP is in Error
	added    uint64          // to the word that only FetchAdd changes
	sums     map[uint64]bool // its values that have been returned
	victim   victim          // the region of this side that Sends of the peer invalidate
	next     uint64          // what the word of CmpSwap has in the end

	begun map[uint32]bool   // RMSNs of messages of the peer that have taken a receive of a shared queue
	taken [sharedQueues]int // of each queue: by messages that are not complete
}

// victim is the state of a region that Sends invalidate.
type victim int

const (
	victimValid  victim = iota
	victimAimed         // a Send that invalidates it is on its way
	victimGone          // it is invalid, and a Send that invalidates it fails
	victimProbed        // such a Send is on its way
)

type receive struct {
	id     uint64
	number int // of the receives of the QP
	local  []falcon.Element
	beats  uint64 // of receive requests of the end, up to it
}

// operation is a work request and its expected results.
type operation struct {
	Work
	row      *spec.Operation
	slot     int
	payload  []byte
	status   falcon.Status
	receiver falcon.Status // of its receive
	result   uint64        // of a CmpSwap
	lost     bool          // a datagram that its target drops
}

func (p *pair) String() string {
	return fmt.Sprintf("QPs %d and %d, %v, %v, %v: %d and %d work requests, %d and %d receives, failed %t", p.qp[0], p.qp[1], p.service, p.ordering, p.mode, len(p.side[0].work), len(p.side[1].work),
		len(p.side[0].messages), len(p.side[1].messages), p.failed)
}

// quiet reports whether nothing more is expected.
func (p *pair) quiet() bool {
	for _, s := range p.side {
		if len(s.work)+len(s.targeted) > 0 || !p.failed && len(s.messages) > 0 {
			return false
		}
	}
	return true
}

// at is an address of an area of the pair, va its VA.
func (p *pair) at(area, slot int) uint64 {
	return uint64(p.index*pairOctets + area + slot*slotOctets)
}

func (p *pair) victimRow() int { return rowVictim + p.index }

// prepare opens both QPs. Areas that are not written begin with the same octets on both ends.
func (p *pair) prepare() error {
	r := p.rand
	rsn := [2]uint32{r.Uint32(), r.Uint32()}
	before := []uint32{0, -r.Uint32N(200), 1<<24 - r.Uint32N(200), r.Uint32()}[r.IntN(4)] // near wraps of 24 and 32 bits, too
	few := func() int { return 4 + r.IntN(60) }
	buffers := spec.Cost(spec.PushRequest, p.plan.Config.MaxPayload+64, p.plan.Config.BufferOctets).RequestTxBuffers
	credits := spec.Credits{RequestTxPackets: few(), RequestTxBuffers: few() + buffers, RequestRxPackets: few(), RequestRxBuffers: few() + buffers,
		DataTxPackets: 1 + r.IntN(12), DataTxBuffers: r.IntN(60) + buffers}
	if p.service == datagrams {
		before, credits = 0, spec.Credits{}
	}
	var own, ord [2]int // half of the QPs have one of their own
	for end := range ord {
		if ord[end] = p.plan.Config.ORD; r.IntN(2) == 0 {
			own[end] = 1 + r.IntN(ord[end])
			ord[end] = own[end]
		}
	}
	p.fabric.Connect(Connection{ORD: ord, CID: p.cid, Ordered: p.ordering == spec.Strong && p.service != datagrams, Counted: p.service != datagrams, RSN: rsn, Credits: credits})
	p.failed, p.mayFail, p.lingers = false, false, 0
	var numbers, targets [2]uint32
	for end := range 2 {
		numbers[end], targets[end] = p.ends[end].Next(p.qp[end]), p.ends[end].Next(p.target[end])
	}
	for end := range 2 {
		s := &side{free: p.octets.Perm(slots), memory: memory.NewSpace(), sums: map[uint64]bool{}, begun: map[uint32]bool{}}
		p.side[end] = s
		for _, area := range []int{areaTarget, areaReadable, areaWords} {
			octets := make([]byte, slots*slotOctets)
			if area == areaReadable {
				for i := 0; i < len(octets); i += 8 {
					binary.LittleEndian.PutUint64(octets[i:], p.octets.Uint64())
				}
			}
			if err := p.ends[end].WriteMemory(regionAddress+p.at(area, 0), octets); err != nil {
				return err
			}
			s.memory.Write(p.at(area, 0), octets)
		}
		if err := p.ends[end].SetRegion(p.victimRow(), p.region(memory.Invalidate)); err != nil {
			return err
		}
		q := QP{Number: p.qp[end], Type: spec.QPRC, Ordering: p.ordering, Errors: p.mode, Domain: domain, CID: p.cid[end], Remote: targets[1-end],
			RNRTimeout: uint8(r.IntN(31)), RSN: rsn[end], Before: before, Credits: credits, ORD: own[end], Shares: p.service == sharedReceives, Queue: p.queues[end][p.queue[end]].number}
		if p.service == xrcReceives {
			to := q
			to.Number, to.Type, to.Remote, to.XRCDomain = p.target[end], spec.QPXRCTarget, numbers[1-end], xrcDomain
			if err := p.ends[end].Connect(to); err != nil {
				return err
			}
			q.Type = spec.QPXRCInitiator
		} else if p.service == datagrams {
			q.Type, q.Remote, q.QKey = spec.QPUD, 0, queueKey+p.qp[end]
		}
		if err := p.ends[end].Connect(q); err != nil {
			return err
		}
	}
	return nil
}

func (p *pair) mayPost(end int) bool {
	if p.service == datagrams && p.ready(1-end) <= len(p.side[1-end].messages) {
		return false // it would be lost
	}
	return !p.failed && len(p.side[end].work)+len(p.side[end].targeted) < slots-1 && p.room(end) > 0 && len(p.side[1-end].messages) < spec.MessageWindow/2
}

// postReceives posts receives of the other end's messages; lazily, unless all is set.
func (p *pair) postReceives(end int, all bool) {
	s := p.side[end]
	for !p.service.shares() && s.posted < s.numbered+8 && s.held() < min(p.plan.Config.ReceiveDepth, slots) && !p.failed {
		if !all {
			return
		}
		p.id++
		r := receive{id: p.id, number: s.posted, local: p.receiveElements(p.at(areaReceive, s.posted%slots), p.plan.Config.ReceiveDepth-s.elements())}
		s.receives = append(s.receives, r)
		s.listed = append(s.listed, listed(r.local))
		s.posted++
		p.ends[end].PostReceive(p.qp[end], r.id, r.local...)
		s.receives[len(s.receives)-1].beats, _ = p.ends[end].Receives()
	}
}

// held is how many receives the ring has: those from the first one on that is not complete.
func (s *side) held() int {
	if len(s.receives) == 0 {
		return 0
	}
	return s.posted - s.receives[0].number
}

// elements is how many elements of lists these have.
func (s *side) elements() (n int) {
	for _, each := range s.listed[s.posted-s.held():] {
		n += each
	}
	return n
}

// mostOctets is the length of a receive, and of the longest message.
func (w *world) mostOctets() uint32 { return uint32(min(8*w.plan.Config.MaxPayload, slotOctets-64)) }

// compare compares the memory that the peer may write, unless an operation has failed.
func (p *pair) compare() error {
	for end, s := range p.side {
		if p.failed {
			continue
		}
		for _, area := range []int{areaTarget, areaReadable, areaWords} {
			want := s.memory.Append(nil, p.at(area, 0), slots*slotOctets)
			if area == areaWords {
				binary.LittleEndian.PutUint64(want, s.added)
				binary.LittleEndian.PutUint64(want[8:], s.next)
			}
			got := make([]byte, len(want))
			if err := p.ends[end].ReadMemory(regionAddress+p.at(area, 0), got); err != nil {
				return err
			}
			for i := range want {
				if want[i] != got[i] {
					return differs("falcon: end %d, %s: octet %x of area %x is %x; allowed: %x", end, p, i, area, got[i], want[i])
				}
			}
		}
	}
	return nil
}
