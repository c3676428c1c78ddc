package coverage

import (
	"errors"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// corners drives rnic with inputs beyond random traffic, to toggle every bit that can toggle: regions of any size anywhere in
// memory, for any domain; the longest segments, long messages, lengths beyond any buffer; many messages on one stream; all
// register values. The golden model defines the expected outcome.
type corners struct {
	config  gen.Config
	node    *rnic.Node
	rand    *rand.Rand
	streams int
}

// Rows per stream: a random one, and a fixed one.
const cornerRows = 2

func (c *collector) corners() error {
	node, err := rnic.OpenNode("corners", c.config, rnic.Options{Engine: engineName, Seed: 1, Coverage: &c.code, Context: c.context})
	if err != nil {
		return err
	}
	node.Observer = c.bins
	k := &corners{c.config, node, rand.New(rand.NewPCG(1, 3)), min(c.config.Streams, c.config.STags/cornerRows)}
	parts := []func() error{func() error { return CheckRegisters(k.config, k.node.Device) }, k.regions, k.lengths, k.numbers, k.inside, k.failures, k.crowds, k.openings, k.overspent}
	if k.commits() {
		parts = append(parts, k.commitNumbers, k.withdrawals, k.verifies, k.longReads, k.flushes, k.crossings, k.unfinished)
	}
	for _, part := range parts {
		if err = part(); err != nil {
			break
		}
	}
	if rnic.IsMismatch(err) {
		err = &MismatchError{"corners", err.Error()}
	}
	return errors.Join(err, node.Close())
}

// rest runs the device until it is idle or waits for its peer.
func (k *corners) rest() error {
	for {
		before := k.node.Device.Waiting()
		out, err := k.node.Run(20_000, 512)
		var waits *simulator.StuckError
		if err != nil && !errors.As(err, &waits) {
			return err
		}
		if !out.Busy && k.node.Device.Waiting() == before {
			return k.node.Settle()
		}
	}
}

// end ends streams unconditionally.
func (k *corners) end(streams ...uint32) error {
	for _, s := range streams {
		k.node.Send(s, nil)
	}
	return k.rest()
}

// number draws a number with a uniformly distributed bit length.
func (k *corners) number() uint64 { return k.rand.Uint64() >> k.rand.IntN(64) }

// regions accesses random regions in all ways.
func (k *corners) regions() error {
	r := k.rand
	for range 24 {
		var all []uint32
		for s := range uint32(k.streams) {
			row := int(s) * cornerRows
			domain := uint16(r.Uint32())
			region := memory.Region{Valid: r.IntN(8) > 0, Key: uint8(r.Uint32()), Rights: memory.Rights(r.Uint32N(64)), ByDomain: r.IntN(2) == 0, Owner: uint16(s),
				Length: 64 | k.number(), Address: r.Uint64() &^ 7, Base: r.Uint64()}
			if r.IntN(2) == 0 {
				region.Rights = 63
			}
			if region.ByDomain {
				region.Owner = domain
			}
			k.attribute(&region)
			region.Address = min(region.Address, -region.Length&^7)
			region.Base = min(region.Base, -region.Length)
			if err := firstOf(k.node.SetRegion(row, region), k.node.Open(s, domain)); err != nil {
				return err
			}
			k.use(s, memory.STag(row, region.Key), region)
			all = append(all, s)
		}
		if err := firstOf(k.rest(), k.end(all...)); err != nil {
			return err
		}
	}
	return nil
}

// use sends a message to a region, or posts a request that uses it, at a random offset.
func (k *corners) use(s, stag uint32, region memory.Region) {
	r, n := k.rand, k.node
	offset := k.number() % (region.Length - 63)
	to := region.Base + offset
	local := rdmap.Buffer{STag: stag, TO: to}
	work := rdmap.WorkRequest{Stream: s, ID: r.Uint64(), Signaled: true, Local: local, Length: 1 + r.Uint32N(63), Remote: rdmap.Buffer{STag: r.Uint32(), TO: r.Uint64()}}
	if r.IntN(3) == 0 {
		stag = r.Uint32()
	}
	if k.commits() && r.IntN(3) == 0 {
		k.useCommit(stag, offset, region, work)
		return
	}
	switch r.IntN(8) {
	case 0:
		n.Send(s, wire.AppendWrite(nil, stag, to, true, payload(1+r.IntN(64))))
	case 1:
		n.Send(s, wire.AppendReadRequest(nil, 1, wire.ReadRequest{DataSinkSTag: r.Uint32(), DataSinkTO: r.Uint64(), ReadMessageSize: 1 + r.Uint32N(64), DataSourceSTag: stag, DataSourceTO: to}))
	case 2:
		n.Send(s, wire.AppendAtomicRequest(nil, 1, wire.AtomicRequest{RequestIdentifier: r.Uint32(), RemoteSTag: stag, RemoteTO: region.Base + offset&^7, Data: r.Uint64()}))
	case 3:
		_ = n.PostReceive(rdmap.ReceiveRequest{Stream: s, ID: r.Uint64(), Length: r.Uint32()})
		n.Send(s, wire.AppendSend(nil, spec.SendInvalidate.Opcode(), stag, 1, 0, true, nil))
	case 4: // too long for the buffer from the first segment
		work.Opcode, work.Length, work.Local.TO = spec.Send.Opcode(), 64|r.Uint32(), region.Base+region.Length-16
		_ = n.PostWork(work)
	case 5:
		work.Opcode = spec.AtomicRequest.Opcode()
		work.Operands = rdmap.Operands{AOpCode: [...]wire.AOpCode{wire.FetchAdd, wire.CmpSwap}[r.IntN(2)], Data: r.Uint64(), Mask: r.Uint64(), CompareData: r.Uint64(), CompareMask: r.Uint64()}
		_ = n.PostWork(work)
	case 6:
		work.Opcode, work.Length = spec.ReadRequest.Opcode(), uint32(min(region.Length-offset, uint64(r.Uint32())))
		_ = n.PostWork(work)
	default:
		work.Opcode = spec.Write.Opcode()
		_ = n.PostWork(work)
	}
}

// largeOctets is the length of the large region of a stream, and largeAddress where it is.
const largeOctets = 1 << 33

func largeAddress(s uint32) uint64 { return 1<<40 + uint64(s)<<34 }

// large registers a large region of a stream with all rights, and opens the stream.
func (k *corners) large(s uint32) (rdmap.Buffer, error) { return k.largeOf(s, k.algorithm(s)) }

// largeOf is large with a given algorithm of Verifies.
func (k *corners) largeOf(s uint32, a memory.Algorithm) (rdmap.Buffer, error) {
	row := int(s)*cornerRows + 1
	region := memory.Region{Valid: true, Key: 1, Rights: 31, Owner: uint16(s), Length: largeOctets, Address: largeAddress(s), Base: 1 << 35}
	if k.commits() {
		region.Rights |= memory.FlushPersistent | memory.FlushVisible | memory.Verifiable
		region.Attributes = memory.Attributes{Type: memory.Flushable, Hash: a, Read: memory.ReadNotNeeded}
	}
	return rdmap.Buffer{STag: memory.STag(row, region.Key), TO: region.Base}, firstOf(k.node.SetRegion(row, region), k.node.Open(s, 0))
}

// inside sends from one request up to the maximum inside a Send, so that its last segment releases them all at once.
func (k *corners) inside() error {
	n := k.node
	for requests := range uint32(k.config.IRD) {
		b, err := k.large(0)
		if err != nil {
			return err
		}
		err = firstOf(n.PostReceive(rdmap.ReceiveRequest{Buffer: b, Length: 16}), k.rest())
		n.Send(0, wire.AppendSend(nil, spec.Send.Opcode(), 0, 1, 0, false, payload(8)))
		for i := range requests + 1 {
			n.Send(0, wire.AppendReadRequest(nil, i+1, wire.ReadRequest{ReadMessageSize: 8, DataSourceSTag: b.STag, DataSourceTO: b.TO + 8*uint64(i)}))
		}
		n.Send(0, wire.AppendSend(nil, spec.Send.Opcode(), 0, 1, 8, true, payload(8)))
		if err := firstOf(err, k.rest(), k.end(0)); err != nil {
			return err
		}
	}
	return nil
}

// failures makes memory fail for all streams at once, in all units that use it.
func (k *corners) failures() error {
	n, r := k.node, k.rand
	const octets = 1 << 16
	region := memory.Region{Valid: true, Key: 5, Rights: 31, Length: octets, Address: 1 << 50, Base: 1 << 20}
	if err := n.SetFaulty(simulator.Range{First: region.Address, Last: region.Address + octets - 1, Reads: true, Writes: true}); err != nil {
		return err
	}
	for range 40 {
		var all []uint32
		for s := range uint32(k.streams) {
			row := int(s) * cornerRows
			region.Owner = uint16(s)
			if err := firstOf(n.SetRegion(row, region), n.Open(s, 0)); err != nil {
				return err
			}
			all = append(all, s)
		}
		for _, s := range all {
			stag, to := memory.STag(int(s)*cornerRows, region.Key), region.Base+8*r.Uint64N(octets/8-8)
			switch r.IntN(3) {
			case 0:
				n.Send(s, wire.AppendWrite(nil, stag, to, true, payload(1+r.IntN(64))))
			case 1:
				n.Send(s, wire.AppendAtomicRequest(nil, 1, wire.AtomicRequest{RemoteSTag: stag, RemoteTO: to}))
			default:
				work := rdmap.WorkRequest{Stream: s, ID: uint64(s), Opcode: spec.Write.Opcode(), Local: rdmap.Buffer{STag: stag, TO: to}, Length: 1 + r.Uint32N(64)}
				if err := n.PostWork(work); err != nil {
					return err
				}
			}
		}
		if err := firstOf(k.rest(), k.end(all...)); err != nil {
			return err
		}
	}
	return n.SetFaulty()
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
