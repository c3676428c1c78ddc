package coverage

import (
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen/engine/flush"
	"github.com/rnicgen/rnicgen/model/wire"
)

// flushes asks a platform for Flushes of all streams: one that accepts them late and answers all at once, in another order, and some that
// fail. It also answers for flushes that it was never asked for. At last, Atomics wait for an earlier Flush on each stream.
func (k *corners) flushes() error {
	n, r, d := k.node, k.rand, k.node.Device
	ids := flush.Slots(k.config.Engine())
	const rounds = 8
	for round := range rounds {
		d.HoldFlushes(true)
		if err := d.Stall("m_axis_flush", [...]simulator.Stall{{}, held, often, bursts}[round%4]); err != nil {
			return err
		}
		var all []uint32
		var fails []simulator.Range
		for s := range uint32(k.streams) {
			b, err := k.large(s)
			if err != nil {
				return err
			}
			if r.IntN(8) == 0 {
				at := largeAddress(s)
				fails = append(fails, simulator.Range{First: at, Last: at + largeOctets - 1})
			}
			for i := range uint32(k.config.IRD) {
				if round == rounds-1 && i > 0 { // Atomics wait for a Flush, and have one turn
					n.Send(s, wire.AppendAtomicRequest(nil, i+1, wire.AtomicRequest{RequestIdentifier: i, RemoteSTag: b.STag, RemoteTO: b.TO, Data: 1}))
					continue
				}
				sink := wire.Sink{STag: b.STag, TO: b.TO + r.Uint64N(1<<32), Length: r.Uint32() >> r.IntN(32)}
				n.Send(s, k.commitRequest(cornerFlush, i+1, 0, sink, nil))
			}
			all = append(all, s)
		}
		d.FailFlushes(fails...)
		if _, err := n.Run(3000, 600); err != nil {
			return err
		}
		for range 16 {
			d.AnswerFlush(uint16(ids+r.IntN(1<<16-ids)), r.IntN(2) == 0)
		}
		d.HoldFlushes(false)
		if err := firstOf(d.Stall("m_axis_flush", simulator.Stall{}), k.rest(), k.end(all...)); err != nil {
			return err
		}
	}
	d.FailFlushes()
	return nil
}
