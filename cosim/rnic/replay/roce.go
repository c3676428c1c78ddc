package replay

import (
	"encoding/binary"
	"net/netip"
	"strings"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/cosim/capture/roce"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// translated converts the atomics answered by captured RoCE responders, and the RDMA Writes on the same queue pairs, to iWARP
// connections. InfiniBand's atomics are RFC 7306's with masks that select everything, an R_Key is an STag, a virtual address a
// TO. With the extension commit, so are FLUSHes and ATOMIC WRITEs, and Reads of queue pairs that have any.
func translated(t *roce.Traffic, x spec.Extensions, report *Report) (streams []*capture.Stream) {
	pairs := map[pair]*queuePair{}
	use := func(to pair) *queuePair {
		if pairs[to] == nil {
			pairs[to] = &queuePair{}
			stream := &pairs[to].Stream
			stream.Client, stream.Server = netip.AddrPortFrom(to.from, roce.Port), netip.AddrPortFrom(to.to, roce.Port)
			streams = append(streams, stream)
		}
		return pairs[to]
	}
	answered := map[int]roce.AtomicExchange{}
	for _, x := range t.Atomics {
		if x.Answered {
			answered[x.RequestPacket] = x
			report.RoCEAtomics++
			use(pair{x.Requester, x.Responder, x.QP})
		}
	}
	var responses map[int][]roce.Arrival
	if x&spec.Commit != 0 {
		responses = responsesOf(t)
	}
	for _, p := range t.Packets {
		if (p.Opcode == roce.Flush || p.Opcode == roce.AtomicWrite) && len(responses[p.Number]) > 0 {
			use(pair{p.From, p.To, p.DestQP}).commits = true
		}
	}
	for _, p := range t.Packets {
		q := pairs[pair{p.From, p.To, p.DestQP}]
		if q == nil {
			continue
		}
		if x, is := answered[p.Number]; is {
			q.atomic(x)
		}
		if kind, is := strings.CutPrefix(p.Opcode.String(), "rc_write_"); is {
			q.write(p, strings.HasPrefix(kind, "last") || strings.HasPrefix(kind, "only"))
		}
		back := responses[p.Number]
		if !q.commits || len(back) == 0 {
			continue
		}
		switch p.Opcode {
		case roce.Flush:
			report.RoCEFlushes++
			low, high := reach(t, p)
			q.flush(p, back[0], low, high)
		case roce.AtomicWrite:
			report.RoCEAtomicWrites++
			q.atomicWrite(p, back[0])
		case roce.ReadRequest:
			q.read(p, back)
		}
	}
	return streams
}

// pair identifies the sending side of a queue pair.
type pair struct {
	from, to netip.Addr
	qp       uint32
}

// responsesOf finds the packets with which a responder answers a FLUSH, ATOMIC WRITE or READ: complete RDMA READ responses from its PSN on,
// by number of the request. What is sent again is not a request of its own.
func responsesOf(t *roce.Traffic) map[int][]roce.Arrival {
	type sent struct {
		pair
		psn uint32
	}
	list, seen := map[int][]roce.Arrival{}, map[sent]bool{}
	for i, p := range t.Packets {
		key := sent{pair{p.From, p.To, p.DestQP}, p.PSN}
		if p.Opcode != roce.Flush && p.Opcode != roce.AtomicWrite && p.Opcode != roce.ReadRequest || seen[key] {
			continue
		}
		seen[key] = true
		var back []roce.Arrival
		for _, r := range t.Packets[i+1:] {
			kind, is := strings.CutPrefix(r.Opcode.String(), "rc_read_response_")
			if !is || r.From != p.To || r.To != p.From || r.PSN != (p.PSN+uint32(len(back)))&(1<<24-1) {
				continue
			}
			if back = append(back, r); kind == "only" || kind == "last" {
				list[p.Number] = back
				break
			}
		}
	}
	return list
}

// reach is what packets name of the region of an R_Key: as much as is known of it.
func reach(t *roce.Traffic, of roce.Arrival) (low, high uint64) {
	cover := func(va, octets uint64) {
		if octets > 0 && high == 0 {
			low, high = va, va+octets
		}
		if octets > 0 {
			low, high = min(low, va), max(high, va+octets)
		}
	}
	for _, p := range t.Packets {
		switch {
		case p.To != of.To:
		case p.RETH != nil && p.RETH.RKey == of.RETH.RKey:
			cover(p.RETH.VA, uint64(p.RETH.Length))
		case p.Atomic != nil && p.Atomic.RKey == of.RETH.RKey:
			cover(p.Atomic.VA, memory.WordOctets)
		}
	}
	return low, high
}

// queuePair is a queue pair being converted to a connection.
type queuePair struct {
	capture.Stream
	msn     uint32 // of the last request
	answers uint32 // responses on queue 3
	rkey    uint32 // of the RDMA Write in progress
	va      uint64
	commits bool // it has FLUSHes or ATOMIC WRITEs that were answered
}

func (q *queuePair) ask(ulpdu []byte, packet int) {
	q.ToServer.FPDUs = append(q.ToServer.FPDUs, capture.FPDU{ULPDU: ulpdu, CRCOK: true, Packet: packet})
}

func (q *queuePair) answer(ulpdu []byte, packet int) {
	q.ToClient.FPDUs = append(q.ToClient.FPDUs, capture.FPDU{ULPDU: ulpdu, CRCOK: true, Packet: packet})
}

func (q *queuePair) atomic(x roce.AtomicExchange) {
	q.msn++
	q.answers++
	request := wire.NewFetchAdd(q.msn, x.RKey, x.VA, x.SwapOrAdd, 0)
	if x.Opcode == roce.CmpSwap {
		request = wire.NewCmpSwap(q.msn, x.RKey, x.VA, x.SwapOrAdd, ^uint64(0), x.Compare, ^uint64(0))
	}
	q.ask(wire.AppendAtomicRequest(nil, q.msn, request), x.RequestPacket)
	q.answer(wire.AppendAtomicResponse(nil, q.answers, wire.AtomicResponse{OriginalRequestIdentifier: q.msn, OriginalRemoteDataValue: x.Original}), x.ResponsePacket)
}

func (q *queuePair) write(p roce.Arrival, last bool) {
	if p.RETH != nil {
		q.rkey, q.va = p.RETH.RKey, p.RETH.VA
	}
	q.ask(wire.AppendWrite(nil, q.rkey, q.va, last, p.Payload), p.Number)
	q.va += uint64(len(p.Payload))
}

// flush maps the placement of a FLUSH, bit 0 global visibility and bit 1 persistence. One of a memory region flushes from low to high.
func (q *queuePair) flush(p, response roce.Arrival, low, high uint64) {
	q.msn++
	q.answers++
	r := wire.FlushRequest{Sink: wire.Sink{STag: p.RETH.RKey, TO: p.RETH.VA, Length: p.RETH.Length}}
	if p.FETH.Selectivity == 1 {
		r.TO, r.Length = low, uint32(high-low)
	}
	if p.FETH.Placement&1 != 0 {
		r.Flags |= wire.GlobalVisibility
	}
	if p.FETH.Placement&2 != 0 {
		r.Flags |= wire.Persistence
	}
	q.ask(wire.AppendFlushRequest(nil, q.msn, 0, r), p.Number)
	q.answer(wire.AppendFlushResponse(nil, q.answers), response.Number)
}

func (q *queuePair) atomicWrite(p, response roce.Arrival) {
	q.msn++
	q.answers++
	request := wire.AtomicWriteRequest{Sink: wire.Sink{STag: p.RETH.RKey, TO: p.RETH.VA, Length: p.RETH.Length}, Data: binary.BigEndian.Uint64(p.Payload)}
	q.ask(wire.AppendAtomicWriteRequest(nil, q.msn, 0, request), p.Number)
	q.answer(wire.AppendAtomicWriteResponse(nil, q.answers), response.Number)
}

// sinkSTag is where Reads place their octets: InfiniBand does not tell.
const sinkSTag = 0xFFFFFF00

func (q *queuePair) read(p roce.Arrival, responses []roce.Arrival) {
	q.msn++
	to := uint64(q.msn) << 32
	q.ask(wire.AppendReadRequest(nil, q.msn, wire.ReadRequest{DataSinkSTag: sinkSTag, DataSinkTO: to, ReadMessageSize: p.RETH.Length,
		DataSourceSTag: p.RETH.RKey, DataSourceTO: p.RETH.VA}), p.Number)
	for i, r := range responses {
		q.answer(wire.AppendReadResponse(nil, sinkSTag, to, i == len(responses)-1, r.Payload), r.Number)
		to += uint64(len(r.Payload))
	}
}
