package replay

import (
	"net/netip"
	"strings"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/cosim/capture/roce"
	"github.com/rnicgen/rnicgen/model/wire"
)

// translated converts the atomics answered by captured RoCE responders, and the RDMA Writes on the same queue pairs, to iWARP
// connections. InfiniBand's atomics are RFC 7306's with masks that select everything, an R_Key is an STag, a virtual address a
// TO.
func translated(t *roce.Traffic) (streams []*capture.Stream, atomics int) {
	answered := map[int]roce.AtomicExchange{}
	pairs := map[pair]*queuePair{}
	for _, x := range t.Atomics {
		if x.Answered {
			answered[x.RequestPacket] = x
			atomics++
			to := pair{x.Requester, x.Responder, x.QP}
			if pairs[to] == nil {
				pairs[to] = &queuePair{}
				stream := &pairs[to].Stream
				stream.Client, stream.Server = netip.AddrPortFrom(x.Requester, roce.Port), netip.AddrPortFrom(x.Responder, roce.Port)
				streams = append(streams, stream)
			}
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
	}
	return streams, atomics
}

// pair identifies the sending side of a queue pair.
type pair struct {
	from, to netip.Addr
	qp       uint32
}

// queuePair is a queue pair being converted to a connection.
type queuePair struct {
	capture.Stream
	msn  uint32 // of the last atomic
	rkey uint32 // of the RDMA Write in progress
	va   uint64
}

func (q *queuePair) atomic(x roce.AtomicExchange) {
	q.msn++
	request := wire.NewFetchAdd(q.msn, x.RKey, x.VA, x.SwapOrAdd, 0)
	if x.Opcode == roce.CmpSwap {
		request = wire.NewCmpSwap(q.msn, x.RKey, x.VA, x.SwapOrAdd, ^uint64(0), x.Compare, ^uint64(0))
	}
	answer := wire.AtomicResponse{OriginalRequestIdentifier: q.msn, OriginalRemoteDataValue: x.Original}
	q.ToServer.FPDUs = append(q.ToServer.FPDUs, capture.FPDU{ULPDU: wire.AppendAtomicRequest(nil, q.msn, request), CRCOK: true, Packet: x.RequestPacket})
	q.ToClient.FPDUs = append(q.ToClient.FPDUs, capture.FPDU{ULPDU: wire.AppendAtomicResponse(nil, q.msn, answer), CRCOK: true, Packet: x.ResponsePacket})
}

func (q *queuePair) write(p roce.Arrival, last bool) {
	if p.RETH != nil {
		q.rkey, q.va = p.RETH.RKey, p.RETH.VA
	}
	segment := wire.AppendWrite(nil, q.rkey, q.va, last, p.Payload)
	q.va += uint64(len(p.Payload))
	q.ToServer.FPDUs = append(q.ToServer.FPDUs, capture.FPDU{ULPDU: segment, CRCOK: true, Packet: p.Number})
}
