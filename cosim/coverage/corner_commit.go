package coverage

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Corners of the extension commit: Flushes of any range, long Verifies on all streams, STags anywhere in the table that requests
// invalidate, many requests on one stream, a platform and a memory that are slow or fail.

// commits reports whether the configuration has the extension.
func (k *corners) commits() bool { return k.config.Protocol()&spec.Commit != 0 }

// attribute gives a region random attributes, and some of the rights that they support.
func (k *corners) attribute(r *memory.Region) {
	if !k.commits() {
		return
	}
	a := &r.Attributes
	a.Type, a.Mode, a.Hash, a.Read = memory.Type(k.rand.IntN(3)), memory.Mode(k.rand.IntN(2)), memory.Algorithm(k.rand.IntN(4)), memory.ReadNeed(k.rand.IntN(3))
	rights := memory.FlushVisible
	if a.Type != memory.Plain {
		rights |= memory.FlushPersistent
	}
	if a.Hash != memory.NoAlgorithm {
		rights |= memory.Verifiable
	}
	if k.rand.IntN(4) == 0 {
		rights &= memory.Rights(k.rand.Uint32())
	}
	r.Rights |= rights
}

// The requests of the extension.
const (
	cornerFlush = iota
	cornerVerify
	cornerAtomicWrite
	cornerCommits
)

// commitRequest is a request that arrives.
func (k *corners) commitRequest(kind int, msn, invalidate uint32, sink wire.Sink, hash []byte) []byte {
	switch kind {
	case cornerFlush:
		return wire.AppendFlushRequest(nil, msn, invalidate, wire.FlushRequest{Sink: sink, Flags: wire.Disposition(1 + k.rand.IntN(3))})
	case cornerVerify:
		return wire.AppendVerifyRequest(nil, msn, invalidate, wire.VerifyRequest{Sink: sink, Hash: hash})
	}
	sink.Length = memory.WordOctets
	return wire.AppendAtomicWriteRequest(nil, msn, invalidate, wire.AtomicWriteRequest{Sink: sink, Data: k.rand.Uint64()})
}

// commitWork makes a work request one of the extension.
func (k *corners) commitWork(kind int, w *rdmap.WorkRequest) {
	r, c := k.rand, &w.Commit
	if r.IntN(4) > 0 {
		c.Invalidate = r.Uint32()
	}
	switch kind {
	case cornerFlush:
		w.Opcode, c.Flags = spec.AllExtensions.Opcode(spec.FlushRequest), wire.Disposition(1+r.IntN(3))
	case cornerVerify:
		w.Opcode, c.Algorithm, c.Compare = spec.AllExtensions.Opcode(spec.VerifyRequest), memory.Algorithm(1+r.IntN(3)), r.IntN(2) == 0
		if c.Compare {
			copy(c.Hash[:c.Algorithm.Octets()], k.octets(memory.MostDigest))
		}
	default:
		w.Opcode, w.Length, c.Data = spec.AllExtensions.Opcode(spec.AtomicWriteRequest), memory.WordOctets, r.Uint64()
	}
}

func (k *corners) octets(n int) []byte {
	list := make([]byte, n)
	for i := range list {
		list[i] = byte(k.rand.Uint32())
	}
	return list
}

// useCommit sends a request that names a region, or posts one.
func (k *corners) useCommit(stag uint32, offset uint64, region memory.Region, work rdmap.WorkRequest) {
	r := k.rand
	kind := r.IntN(cornerCommits)
	if r.IntN(3) == 0 {
		work.Length = r.Uint32()
		k.commitWork(kind, &work)
		_ = k.node.PostWork(work)
		return
	}
	sink := wire.Sink{STag: stag, TO: region.Base + offset, Length: r.Uint32N(256)}
	var hash []byte
	invalidate := [...]uint32{0, 0, stag, r.Uint32()}[r.IntN(4)]
	switch kind {
	case cornerFlush:
		sink.Length = uint32(min(region.Length-offset, uint64(r.Uint32()>>r.IntN(32))))
	case cornerVerify:
		if r.IntN(2) == 0 {
			hash = k.octets(region.Attributes.Hash.Octets())
		}
	default:
		sink.TO = region.Base + offset&^7
	}
	k.node.Send(work.Stream, k.commitRequest(kind, 1, invalidate, sink, hash))
}

// commitNumbers sends many requests on one stream, and receives many responses on another. The last request fails.
func (k *corners) commitNumbers() error {
	const most = 1<<11 - 1
	n := k.node
	var buffers [2]rdmap.Buffer
	if k.streams < len(buffers) {
		return nil
	}
	for s := range buffers {
		b, err := k.large(uint32(s))
		if err != nil {
			return err
		}
		buffers[s] = b
	}
	sink := wire.Sink{STag: buffers[0].STag, TO: buffers[0].TO, Length: 8}
	batch := uint32(k.each())
	for msn := uint32(1); msn < most; msn += batch {
		end := min(msn+batch, most)
		var responses [][]byte
		for i := msn; i < end; i++ {
			kind := int(i) % cornerCommits
			work := rdmap.WorkRequest{Stream: 1, ID: uint64(i), Signaled: true, Local: buffers[1], Length: k.rand.Uint32(), Remote: buffers[1]}
			k.commitWork(kind, &work)
			if err := n.PostWork(work); err != nil {
				return err
			}
			n.Send(0, k.commitRequest(kind, i, 0, sink, nil))
			switch kind {
			case cornerFlush:
				responses = append(responses, wire.AppendFlushResponse(nil, i))
			case cornerVerify:
				digest := work.Commit.Hash[:work.Commit.Algorithm.Octets()]
				if !work.Commit.Compare {
					digest = k.octets(len(digest))
				}
				responses = append(responses, wire.AppendVerifyResponse(nil, i, digest))
			default:
				responses = append(responses, wire.AppendAtomicWriteResponse(nil, i))
			}
		}
		if err := k.rest(); err != nil {
			return err
		}
		for _, octets := range responses {
			n.Send(1, octets)
		}
		if err := k.rest(); err != nil {
			return err
		}
	}
	n.Send(0, k.commitRequest(cornerVerify, most, 0, sink, []byte{1, 2, 3, 4}))
	return firstOf(k.rest(), k.end(0, 1))
}

// withdrawals makes requests of all streams invalidate STags anywhere in the table at once, beside Sends that do so and rows that the
// host sets. Some of the requests fail.
func (k *corners) withdrawals() error {
	n, r := k.node, k.rand
	const rounds, hostRows = 12, 8
	room := (k.config.STags-hostRows)/k.streams - cornerRows
	requests, each := min(2, k.each(), room), min(2+min(4, k.each()), room)
	if requests < 1 {
		return nil
	}
	for range rounds {
		rows := r.Perm(k.config.STags - cornerRows*k.streams)
		free := func(owner uint32) (uint32, error) {
			row, key := rows[0]+cornerRows*k.streams, uint8(r.Uint32())
			rows = rows[1:]
			region := memory.Region{Valid: true, Key: key, Rights: memory.Invalidate, Owner: uint16(owner), Length: max(1, k.number())}
			region.Address = min(r.Uint64(), -region.Length)
			return memory.STag(row, key), n.SetRegion(row, region)
		}
		var all []uint32
		var first, second [][]byte
		for s := range uint32(k.streams) {
			b, err := k.large(s)
			if err != nil {
				return err
			}
			for i := range each {
				stag, err := free(s)
				if err != nil {
					return err
				}
				if i >= requests {
					if err := n.PostReceive(rdmap.ReceiveRequest{Stream: s, ID: uint64(s)}); err != nil {
						return err
					}
					second = append(second, wire.AppendSend(nil, spec.SendInvalidate.Opcode(), stag, uint32(i-requests+1), 0, true, nil))
					continue
				}
				var hash []byte
				if r.IntN(8) == 0 {
					hash = k.octets(k.algorithm(s).Octets())
				}
				first = append(first, k.commitRequest(1+r.IntN(2), uint32(i+1), stag, wire.Sink{STag: b.STag, TO: b.TO + 8*r.Uint64N(1<<16), Length: r.Uint32N(64)}, hash))
			}
			all = append(all, s)
		}
		if err := k.rest(); err != nil {
			return err
		}
		for i, list := range [][][]byte{first, second} {
			count := [...]int{requests, each - requests}[i]
			for at, octets := range list {
				n.Send(uint32(at/count), octets)
			}
		}
		if _, err := n.Run(150, 150); err != nil {
			return err
		}
		for range hostRows {
			if _, err := free(0); err != nil {
				return err
			}
		}
		if err := firstOf(k.rest(), k.end(all...)); err != nil {
			return err
		}
	}
	return nil
}
