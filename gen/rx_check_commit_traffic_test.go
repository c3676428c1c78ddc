package gen_test

import (
	"encoding/binary"

	model "github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// invalidate returns an STag that the stream may invalidate, if it finds one.
func (w rxTraffic) invalidate(stream int) (stag uint32) {
	stag = w.Uint32()
	for i := range uint32(w.c.STags) {
		if named := i<<8 | uint32(w.rows[i].Key); w.IntN(4) > 0 && w.table.MayInvalidate(w.peer(stream), named) {
			stag = named
		}
	}
	return stag
}

// anyRow returns the STag of any row, with the wrong key at times.
func (w rxTraffic) anyRow() uint32 {
	i := w.Uint32N(uint32(w.c.STags))
	return i<<8 | uint32(w.rows[i].Key) ^ w.Uint32N(16)/15
}

// commitRequest returns a valid Flush, Verify or Atomic Write.
func (w rxTraffic) commitRequest(stream, executor int) []byte {
	st := &w.streams[stream]
	revokes := uint32(0)
	if w.IntN(3) == 0 {
		revokes = w.invalidate(stream)
	}
	q := rxTarget{length: []uint32{0, 1, 64, w.Uint32N(600)}[w.IntN(4)], named: true}
	sink := func() wire.Sink {
		stag, to := w.inside(stream, q, executor == executorAtomicWrite)
		return wire.Sink{STag: stag, Length: q.length, TO: to}
	}
	switch executor {
	case executorFlush:
		flags := wire.Disposition(1 + w.IntN(3))
		q.right = flushRights(flags)
		return wire.AppendFlushRequest(nil, st.requestMsn, revokes, wire.FlushRequest{Sink: sink(), Flags: flags})
	case executorVerify:
		q.right = model.Verifiable
		r := wire.VerifyRequest{Sink: sink()}
		if region, _ := w.table.Named(r.STag); w.IntN(2) == 0 {
			r.Hash = noise(w.Rand, region.Attributes.Hash.Octets())
		}
		return wire.AppendVerifyRequest(nil, st.requestMsn, revokes, r)
	}
	q.length, q.right = model.WordOctets, model.RemoteWrite
	return wire.AppendAtomicWriteRequest(nil, st.requestMsn, revokes, wire.AtomicWriteRequest{Sink: sink(), Data: w.Uint64()})
}

// late returns a request that names an STag which the segment before has invalidated.
func (w rxTraffic) late(stream int) []byte {
	index := w.invalidates[len(w.invalidates)-1]
	stag := index<<8 | uint32(w.rows[index].Key)
	b := w.commitRequest(stream, executorFlush+w.IntN(3))
	if w.IntN(2) == 0 {
		binary.BigEndian.PutUint32(b[2:], stag)
	} else {
		binary.BigEndian.PutUint32(b[18:], stag)
	}
	return b
}

// reply returns a response on queue 3.
func (w rxTraffic) reply(stream, executor int) []byte {
	st := &w.streams[stream]
	asked := st.asked[0]
	switch executor {
	case executorAtomic:
		return wire.AppendAtomicResponse(nil, st.responseMsn, wire.AtomicResponse{OriginalRequestIdentifier: asked.Identifier, OriginalRemoteDataValue: w.Uint64()})
	case executorFlush:
		return wire.AppendFlushResponse(nil, st.responseMsn)
	case executorAtomicWrite:
		return wire.AppendAtomicWriteResponse(nil, st.responseMsn)
	}
	digest := asked.Hash
	octets := min(int(asked.Length), len(digest)) // the response to another request may be longer
	if w.IntN(2) == 0 {
		last := max(octets, 1) - 1
		digest[[]int{last, w.IntN(last + 1)}[w.IntN(2)]] ^= 1 << w.IntN(8)
	}
	return wire.AppendVerifyResponse(nil, st.responseMsn, digest[:octets])
}

// awaited returns a response that the requester waits for.
func (w rxTraffic) awaited(stream int) (e rxExpecting) {
	e.Stream, e.Executor, e.Identifier, e.Length = stream, w.executor(), w.Uint32(), w.Uint32N(150)
	octets := e.Length
	switch e.Executor {
	case executorAtomic:
		e.Length, octets = model.WordOctets, model.WordOctets
	case executorVerify:
		kind := w.IntN(3)
		e.Length = []uint32{4, 8, 32}[kind]
		octets = e.Length
		copy(e.Hash[:], noise(w.Rand, len(e.Hash)))
		if w.IntN(4) > 0 {
			e.Compares = []int{1, 3, 7}[kind]
		}
	case executorFlush, executorAtomicWrite: // nothing is placed
		octets = 0
	}
	e.STag, e.TO = w.somewhere(stream, octets, model.LocalWrite)
	return e
}

// unpermitted returns memory of the stream that does not have the right of a request, if it finds some.
func (w rxTraffic) unpermitted(stream int, q rxTarget) (stag uint32, to uint64) {
	without := q
	without.right = 0
	for range 20 {
		q.stag, q.to = w.inside(stream, without, true)
		if _, _, _, rule := w.target(stream, q); rule == spec.RequestAccess {
			break
		}
	}
	return q.stag, q.to
}

// interest is how much more often than others a segment is broken.
func (w rxTraffic) interest(segment []byte) int {
	if s, kind := wire.ClassifyWith(w.x, segment); w.x != 0 && kind == spec.None && w.x.Is(s.Header.Opcode, spec.Committing|spec.Replies) {
		return 3
	}
	return 1
}

// brokenCommit changes a field of a request of the extension, or a response on queue 3, such that it usually breaks a rule; nil for others.
func (w rxTraffic) brokenCommit(stream int, b []byte) []byte {
	s, kind := wire.ClassifyWith(w.x, b)
	if w.x == 0 || kind != spec.None || w.IntN(4) == 0 {
		return nil
	}
	resized := func(head, digest int) []byte { // the digest or hash gets another length
		octets := 18 + head + []int{0, 4, 8, 32, w.IntN(50), digest + 1<<w.IntN(14), digest + 1<<w.IntN(14)}[w.IntN(7)]
		return append(b, make([]byte, octets)...)[:octets]
	}
	switch payload := s.Payload; {
	case w.x.Is(s.Header.Opcode, spec.Committing):
		switch w.IntN(9) {
		case 0:
			binary.BigEndian.PutUint32(payload, w.anyRow())
		case 4, 5:
			q, _ := w.named(s.Header.Opcode, payload)
			stag, to := w.unpermitted(stream, q)
			binary.BigEndian.PutUint32(payload, stag)
			binary.BigEndian.PutUint64(payload[8:], to)
		case 1: // over the end, or before the start
			to := binary.BigEndian.Uint64(payload[8:])
			binary.BigEndian.PutUint64(payload[8:], []uint64{to + 8, to - 8, to + 1, -uint64(1 + w.IntN(8)), operand(w.Rand)}[w.IntN(5)])
		case 2:
			length := binary.BigEndian.Uint32(payload[4:])
			binary.BigEndian.PutUint32(payload[4:], []uint32{length + 1, length ^ 1<<w.IntN(32), 1<<32 - 1, 0}[w.IntN(4)])
		case 3: // the Invalidate STag
			binary.BigEndian.PutUint32(b[2:], []uint32{w.anyRow(), w.Uint32N(256), w.Uint32()}[w.IntN(3)])
		default:
			switch s.Header.Opcode {
			case wire.OpFlushRequest: // the flags
				flags := binary.BigEndian.Uint32(payload[16:])
				binary.BigEndian.PutUint32(payload[16:], []uint32{0, flags ^ 1<<w.IntN(32), flags ^ 3}[w.IntN(3)])
			case wire.OpVerifyRequest: // the hash
				region, _ := w.table.Named(binary.BigEndian.Uint32(payload))
				return resized(16, region.Attributes.Hash.Octets())
			default: // the length, or the alignment
				payload[[]int{4 + w.IntN(4), 15}[w.IntN(2)]] ^= 1 << w.IntN(8)
			}
		}
		return b
	case w.x.Is(s.Header.Opcode, spec.Replies):
		for stream := range w.streams {
			if st := w.streams[stream]; st.responseMsn == s.Header.MSN && len(st.asked) > 0 && w.IntN(2) == 0 {
				return w.reply(stream, executorAtomic+w.IntN(4)) // one of another kind, or of another stream
			}
		}
		if s.Header.Opcode == wire.OpVerifyResponse {
			return resized(0, len(s.Payload))
		}
	}
	return nil
}
