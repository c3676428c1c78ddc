package coverage

import (
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// algorithm is that of the large region of a stream.
func (k *corners) algorithm(s uint32) memory.Algorithm { return memory.Algorithm(1 + s%3) }

// verifies digests long ranges, short ones and empty ones on all streams at once, over memory that delivers at once, or late. Words are
// read and written beside them.
func (k *corners) verifies() error {
	n, r := k.node, k.rand
	fast := simulator.Latency{Least: 1, Most: 1}
	for round, latency := range []simulator.Latency{fast, slow, {Least: 1500, Most: 2000}, {Least: 1500, Most: 2000}} {
		if err := n.Device.Memory().SetLatency(latency, latency); err != nil {
			return err
		}
		var all []uint32
		for s := range uint32(k.streams) {
			b, err := k.large(s)
			if err != nil {
				return err
			}
			most := 1 << 9
			switch {
			case round == 0 && s < 2:
				most = 1 << 20
			case round < 2 && s%16 == 0 && k.algorithm(s) != memory.SHA256:
				most = 1 << 14
			}
			for i := range uint32(k.config.IRD) {
				sink := wire.Sink{STag: b.STag, TO: b.TO + r.Uint64N(1<<32), Length: uint32(r.IntN(most))}
				if r.IntN(4) == 0 || round == 3 {
					sink.Length = r.Uint32N(4)
				}
				if r.IntN(4) == 0 {
					n.Send(s, wire.AppendAtomicRequest(nil, i+1, wire.AtomicRequest{RemoteSTag: b.STag, RemoteTO: b.TO + 8*r.Uint64N(4), Data: 1}))
					continue
				}
				n.Send(s, k.commitRequest(cornerVerify, i+1, 0, sink, nil))
			}
			all = append(all, s)
		}
		if err := firstOf(k.rest(), k.end(all...)); err != nil {
			return err
		}
	}
	return n.Device.Memory().SetLatency(fast, fast)
}

// crossings digests a few octets across a boundary of parts on every stream, while memory delivers nothing: more parts wait than any other
// ranges have.
func (k *corners) crossings() error {
	n := k.node
	var all []uint32
	if err := n.Device.Stall("m_axi_r", held); err != nil {
		return err
	}
	for s := range uint32(k.streams) {
		b, err := k.largeOf(s, memory.CRC32C)
		if err != nil {
			return err
		}
		n.Send(s, k.commitRequest(cornerVerify, 1, 0, wire.Sink{STag: b.STag, TO: b.TO + 1<<12 - 2, Length: 4}, nil))
		all = append(all, s)
	}
	_, err := n.Run(20_000, 3000)
	return firstOf(err, n.Device.Stall("m_axi_r", simulator.Stall{}), k.rest(), k.end(all...))
}

// longReads sends a Read of each length.
func (k *corners) longReads() error {
	for _, octets := range []uint32{1<<20 - 1, 0x5_5555, 0xA_AAAA} {
		b, err := k.large(0)
		if err != nil {
			return err
		}
		k.node.Send(0, wire.AppendReadRequest(nil, 1, wire.ReadRequest{ReadMessageSize: octets, DataSourceSTag: b.STag, DataSourceTO: b.TO}))
		if err := firstOf(k.rest(), k.end(0)); err != nil {
			return err
		}
	}
	return nil
}

// unfinished starts Verifies of ranges that take longer than any run, of each length on a few streams. They are in progress at the end.
func (k *corners) unfinished() error {
	for i, octets := range []uint32{^uint32(0), 0x5555_5555, 0xAAAA_AAAA, 0} {
		for algorithm := range uint32(3) {
			s := uint32(3*i) + algorithm
			if s >= uint32(k.streams) {
				return nil
			}
			b, err := k.large(s)
			if err != nil {
				return err
			}
			k.node.Send(s, k.commitRequest(cornerVerify, 1, 0, wire.Sink{STag: b.STag, TO: b.TO + 7, Length: octets}, nil))
		}
	}
	_, err := k.node.Run(5000, 5000)
	return err
}
