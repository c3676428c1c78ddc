package coverage

import (
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

const longest = wire.MaxSegment - 18 // octets of payload

// lengths sends the longest segments, messages of many segments both ways, and Reads too long to complete.
func (k *corners) lengths() error {
	n := k.node
	b, err := k.large(0)
	if err != nil {
		return err
	}
	octets := payload(longest)
	for i, segments := range []int{1, 9, 2, 3, 5, 9} {
		if err := n.PostReceive(rdmap.ReceiveRequest{ID: 1, Buffer: b, Length: 1 << 20}); err != nil {
			return err
		}
		if err := k.rest(); err != nil {
			return err
		}
		for j := range segments {
			n.Send(0, wire.AppendSend(nil, spec.Send.Opcode(), 0, uint32(i+1), uint32(j*longest), j == segments-1, octets))
		}
	}
	for i := range 24 {
		n.Send(0, wire.AppendWrite(nil, b.STag, b.TO+1<<24, true, octets[i%2*k.rand.IntN(longest):]))
	}
	if err := k.rest(); err != nil {
		return err
	}
	for i, length := range []uint32{1 << 19, 0x0003_FFFF, 0x0005_5555} {
		if err := n.PostWork(rdmap.WorkRequest{ID: uint64(i), Signaled: true, Opcode: spec.Write.Opcode(), Local: b, Length: length}); err != nil {
			return err
		}
	}
	if err := firstOf(k.rest(), k.end(0)); err != nil {
		return err
	}
	for i, less := range []int{0, 1 << 10, 0x5555, 0x2AAA} { // refused
		s := uint32(1 + i%(k.streams-1))
		if err := n.Open(s, 0); err != nil {
			return err
		}
		n.Send(s, wire.AppendWrite(nil, ^uint32(0), 0, true, octets[less:]))
		if err := k.rest(); err != nil {
			return err
		}
	}
	for _, length := range []uint32{^uint32(0), 0x5555_5555, 0xAAAA_AAAA} {
		if b, err = k.large(0); err != nil {
			return err
		}
		work := rdmap.WorkRequest{Signaled: true, Opcode: spec.ReadRequest.Opcode(), Local: b, Length: length}
		if err := firstOf(n.PostWork(work), k.rest(), k.end(0)); err != nil {
			return err
		}
	}
	return nil
}

// many is the number of messages received and sent on one stream, manyWords that of Atomics received: with it the MSN of their responses has
// most of its bits set as the stream ends.
const (
	many      = 2200
	manyWords = 1<<11 - 8
)

// numbers sends many messages of each kind on one stream, so that their MSNs grow.
func (k *corners) numbers() error {
	n := k.node
	var buffers [4]rdmap.Buffer
	for s := range buffers {
		b, err := k.large(uint32(s % k.streams))
		if err != nil {
			return err
		}
		buffers[s] = b
	}
	if k.streams < len(buffers) {
		return nil
	}
	if err := n.Device.Stall("m_axis_tx", often); err != nil {
		return err
	}
	some := k.each()
	for msn := uint32(1); msn <= many; msn += uint32(some) {
		for i := range uint32(some) {
			if err := firstOf(
				n.PostReceive(rdmap.ReceiveRequest{Stream: 0, ID: uint64(msn)}),
				n.PostWork(rdmap.WorkRequest{Stream: 2, ID: uint64(msn + i), Signaled: true, Opcode: spec.AtomicRequest.Opcode(), Local: buffers[2], Remote: buffers[2]}),
				n.PostWork(rdmap.WorkRequest{Stream: 3, ID: uint64(msn + i), Signaled: true, Opcode: spec.Immediate.Opcode()})); err != nil {
				return err
			}
		}
		if err := k.rest(); err != nil {
			return err
		}
		busy := (msn-1)/uint32(some)%50 == 49
		if busy {
			if err := k.congest(4); err != nil {
				return err
			}
		}
		for i := range uint32(some) {
			n.Send(0, wire.AppendImmediate(nil, false, msn+i, uint64(msn)))
			if msn+i <= manyWords {
				n.Send(1, wire.AppendAtomicRequest(nil, msn+i, wire.AtomicRequest{RequestIdentifier: msn, RemoteSTag: buffers[1].STag, RemoteTO: buffers[1].TO, Data: 1}))
			}
			n.Send(2, wire.AppendAtomicResponse(nil, msn+i, wire.AtomicResponse{OriginalRequestIdentifier: msn + i}))
		}
		if busy {
			if _, err := n.Run(10_000, 512); err != nil {
				return err
			}
			if err := n.Device.Stall("m_axis_tx", often); err != nil {
				return err
			}
		}
		if err := k.rest(); err != nil {
			return err
		}
	}
	return k.end(0, 1, 2, 3)
}

// congest issues Reads on all streams from a given one on, and ends them, while transmission is stalled, so that later segments wait.
func (k *corners) congest(from int) error {
	if err := k.node.Device.Stall("m_axis_tx", simulator.Stall{Mode: simulator.StallRandom, Chance: 256}); err != nil {
		return err
	}
	for s := from; s < k.streams; s++ {
		b, err := k.large(uint32(s))
		if err != nil {
			return err
		}
		for i := range uint32(k.config.IRD) {
			k.node.Send(uint32(s), wire.AppendReadRequest(nil, i+1, wire.ReadRequest{ReadMessageSize: 1, DataSourceSTag: b.STag, DataSourceTO: b.TO}))
		}
		octets := 1
		if s%16 == 0 {
			octets = k.rand.IntN(longest)
		}
		k.node.Send(uint32(s), wire.AppendWrite(nil, ^uint32(0), 0, true, payload(octets)))
	}
	return nil
}
