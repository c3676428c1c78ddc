package roce

import "net/netip"

// Traffic is the RoCE v2 part of a capture.
type Traffic struct {
	Packets   []Arrival
	Atomics   []AtomicExchange // in the order of their first requests
	Malformed []Malformed

	requesters []*requester
}

// Arrival is a decoded packet with its place in the capture.
type Arrival struct {
	Number   int // packet number in the file
	From, To netip.Addr
	Packet
}

// Malformed is a packet that cannot be decoded.
type Malformed struct {
	Number int
	Err    error
}

// AtomicExchange is one atomic request and its outcome.
type AtomicExchange struct {
	Opcode    Opcode // FetchAdd or CmpSwap
	Requester netip.Addr
	Responder netip.Addr
	QP        uint32 // the responder's queue pair
	PSN       uint32
	VA        uint64
	RKey      uint32
	SwapOrAdd uint64
	Compare   uint64

	Answered bool   // there is an Atomic Acknowledge
	Original uint64 // its original remote data: the word before the operation
	Refused  bool   // there is a NAK for it
	NAK      uint8  // its code: 1 invalid request, 2 remote access error, 3 remote operational error

	RequestPacket  int // number of the first request
	ResponsePacket int // number of the first response, 0: none
	Duplicates     int // retransmitted requests; a responder executes only the first
}

// requester is the sending side of one queue pair: the packets that one address sends to a queue pair of another.
type requester struct {
	from, to netip.Addr
	qp       uint32
	latest   uint32         // newest PSN
	newest   map[uint32]int // PSN: index of its newest exchange
	peer     uint32         // destination queue pair of the responses
	paired   bool           // peer is known
}

// Add takes the next datagram of the capture.
func (t *Traffic) Add(number int, from, to netip.Addr, payload []byte) {
	p, err := Decode(payload)
	if err != nil {
		t.Malformed = append(t.Malformed, Malformed{number, err})
		return
	}
	t.Packets = append(t.Packets, Arrival{number, from, to, p})
	_, has, known := p.Opcode.layout()
	switch {
	case !known || p.Opcode>>5 != serviceRC:
	case has&isResponse != 0:
		t.respond(number, from, to, p)
	default:
		t.request(number, from, to, p)
	}
}

const psnMask = 1<<24 - 1

// behind reports whether PSN a is b or one of the 2^23 - 1 before it.
func behind(a, b uint32) bool { return (b-a)&psnMask < 1<<23 }

func (t *Traffic) request(number int, from, to netip.Addr, p Packet) {
	r := t.requester(from, to, p)
	again := behind(p.PSN, r.latest)
	if !again {
		r.latest = p.PSN
	}
	if p.Atomic == nil {
		return
	}
	if i, ok := r.newest[p.PSN]; ok && again {
		t.Atomics[i].Duplicates++
		return
	}
	r.newest[p.PSN] = len(t.Atomics)
	t.Atomics = append(t.Atomics, AtomicExchange{
		Opcode: p.Opcode, Requester: from, Responder: to, QP: p.DestQP, PSN: p.PSN,
		VA: p.Atomic.VA, RKey: p.Atomic.RKey, SwapOrAdd: p.Atomic.SwapOrAdd, Compare: p.Atomic.Compare,
		RequestPacket: number,
	})
}

func (t *Traffic) requester(from, to netip.Addr, p Packet) *requester {
	for _, r := range t.requesters {
		if r.from == from && r.to == to && r.qp == p.DestQP {
			return r
		}
	}
	r := &requester{from: from, to: to, qp: p.DestQP, latest: p.PSN, newest: map[uint32]int{}}
	t.requesters = append(t.requesters, r)
	return r
}

// respond finds the request of a response. Neither packet names both queue pairs; the first response with a
// PSN that only one requester can be waiting for shows which two belong together.
func (t *Traffic) respond(number int, from, to netip.Addr, p Packet) {
	refuses := p.AETH != nil && p.AETH.Kind == KindNAK && p.AETH.Value != NAKPSNSequence
	if p.AtomicAck == nil && !refuses {
		return
	}
	var found *requester
	for _, r := range t.requesters {
		i, ok := r.newest[p.PSN]
		if !ok || r.from != to || r.to != from {
			continue
		}
		if r.paired && r.peer == p.DestQP {
			found = r
			break
		}
		if !r.paired && found == nil && t.Atomics[i].ResponsePacket == 0 {
			found = r
		}
	}
	if found == nil {
		return
	}
	found.peer, found.paired = p.DestQP, true
	x := &t.Atomics[found.newest[p.PSN]]
	if x.ResponsePacket != 0 {
		return // the response to a duplicate repeats the first one
	}
	x.ResponsePacket = number
	if refuses {
		x.Refused, x.NAK = true, p.AETH.Value
		return
	}
	x.Answered, x.Original = true, *p.AtomicAck
}
