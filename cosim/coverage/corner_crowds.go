package coverage

import (
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// held stalls a stream in every cycle.
var held = simulator.Stall{Mode: simulator.StallRandom, Chance: 256}

// each is a number of messages of any kind that a stream may have in progress.
func (k *corners) each() int {
	return min(k.config.IRD, k.config.ORD, k.config.ReceiveDepth, k.config.SendDepth)
}

// crowds fills the engine from most streams while one of its ports is held: with Atomics of different words, as many again once they are
// answered; with Immediate Data; with Reads and with Writes of some segments. The other streams are opened as all that is released.
func (k *corners) crowds() error {
	n := k.node
	opened := max(1, k.streams/4)
	for _, port := range []string{"m_axi_ar", "m_axi_b", "cqe", "m_axis_tx"} {
		all, buffers, err := k.all()
		for range k.each() {
			for _, s := range all {
				err = firstOf(err, n.PostReceive(rdmap.ReceiveRequest{Stream: s, ID: uint64(s)}))
			}
		}
		few := all[:opened]
		if err := firstOf(err, k.rest(), k.end(few...), n.Device.Stall(port, held)); err != nil {
			return err
		}
		for batch := range 2 {
			for i := range uint32(k.each()) {
				for _, s := range all[opened:] {
					if err := k.join(port, batch, i, s, buffers[s]); err != nil {
						return err
					}
				}
			}
			if _, err := n.Run(6000, 1500); err != nil {
				return err
			}
		}
		err = n.Device.Stall(port, simulator.Stall{})
		for _, s := range few {
			err = firstOf(err, n.Open(s, 0))
		}
		if err := firstOf(err, k.rest(), k.end(all...)); err != nil {
			return err
		}
	}
	return nil
}

// join adds a message to a crowd.
func (k *corners) join(port string, batch int, i, s uint32, b rdmap.Buffer) error {
	n := k.node
	msn := uint32(batch*k.each()) + i + 1
	b.TO += 8 * k.rand.Uint64N(1<<20)
	switch {
	case port == "cqe":
		if batch == 0 {
			n.Send(s, wire.AppendImmediate(nil, false, msn, uint64(s)))
		}
	case port == "m_axi_ar" && batch > 0: // the first ones are not answered
	case port != "m_axis_tx":
		n.Send(s, wire.AppendAtomicRequest(nil, msn, wire.AtomicRequest{RequestIdentifier: msn, RemoteSTag: b.STag, RemoteTO: b.TO, Data: 1}))
	case batch == 0:
		n.Send(s, wire.AppendReadRequest(nil, msn, wire.ReadRequest{ReadMessageSize: 1, DataSourceSTag: b.STag, DataSourceTO: b.TO}))
	default:
		work := rdmap.WorkRequest{Stream: s, ID: uint64(i), Opcode: spec.Write.Opcode(), Local: b, Length: 1 + k.rand.Uint32N(3000), Remote: b}
		if i%2 == 0 {
			work.Opcode = spec.ReadRequest.Opcode()
		}
		return n.PostWork(work)
	}
	return nil
}

// all opens all streams with their large regions.
func (k *corners) all() (streams []uint32, buffers []rdmap.Buffer, err error) {
	for s := range uint32(k.streams) {
		b, wrong := k.large(s)
		streams, buffers, err = append(streams, s), append(buffers, b), firstOf(err, wrong)
	}
	return streams, buffers, err
}

// openings opens some streams while the others send Reads.
func (k *corners) openings() error {
	n := k.node
	opened := max(1, k.streams/4)
	for range 4 {
		all, buffers, err := k.all()
		err = firstOf(err, k.end(all[:opened]...))
		for range k.config.ORD {
			for _, s := range all[opened:] {
				err = firstOf(err, n.PostWork(rdmap.WorkRequest{Stream: s, Opcode: spec.ReadRequest.Opcode(), Local: buffers[s], Length: 8, Remote: buffers[s]}))
			}
		}
		if err != nil {
			return err
		}
		_, err = n.Run(100, 100)
		for _, s := range all[:opened] {
			err = firstOf(err, n.Open(s, 0))
		}
		if err := firstOf(err, k.rest(), k.end(all...)); err != nil {
			return err
		}
	}
	return nil
}

// overspent gives streams that have overspent their credit turns of one short segment, which follow each other, while others get
// something to send.
func (k *corners) overspent() error {
	n := k.node
	few := max(1, k.streams/4)
	lengths := [...]int{k.config.MaxPayload / 3, k.config.MaxPayload, 1}
	for range 3 {
		all, buffers, err := k.all()
		if err := firstOf(err, n.Device.Stall("s_axis_rx", simulator.Stall{Mode: simulator.StallRandom, Chance: 253})); err != nil {
			return err
		}
		for i := range k.config.SendDepth {
			for _, s := range all[few:] {
				err = firstOf(err, n.PostWork(rdmap.WorkRequest{Stream: s, Opcode: spec.Write.Opcode(), Local: buffers[s], Length: uint32(lengths[i%len(lengths)]), Remote: buffers[s]}))
			}
		}
		for i := range uint32(k.config.IRD) {
			for _, at := range k.rand.Perm(few) {
				b := buffers[at]
				n.Send(uint32(at), wire.AppendReadRequest(nil, i+1, wire.ReadRequest{ReadMessageSize: 1, DataSourceSTag: b.STag, DataSourceTO: b.TO}))
			}
		}
		if err := firstOf(err, k.rest(), n.Device.Stall("s_axis_rx", simulator.Stall{}), k.end(all...)); err != nil {
			return err
		}
	}
	return nil
}
