package gen_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"

	model "github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// rxTraffic generates segments for a plan, most of them valid.
type rxTraffic struct {
	*rand.Rand
	*rxReference
}

// somewhere returns an STag and TO at which length octets may be accessed, if it finds one.
func (w rxTraffic) somewhere(stream int, length uint32, right model.Rights) (stag uint32, to uint64) {
	return w.inside(stream, rxTarget{length: length, right: right}, right == model.RemoteAtomic)
}

// inside is somewhere for a request; aligned requires an address that is a multiple of 8.
func (w rxTraffic) inside(stream int, q rxTarget, aligned bool) (stag uint32, to uint64) {
	length := q.length
	for range 40 {
		index := w.Uint32N(uint32(w.c.STags))
		row := w.rows[index]
		room := row.Length - min(row.Length, uint64(length))
		stag, to = index<<8|uint32(row.Key), row.Base+[]uint64{0, room, room / 2, w.Uint64N(room/8+1) * 8}[w.IntN(4)]
		if aligned {
			to += -(row.Address + to - row.Base) & 7
		}
		q.stag, q.to = stag, to
		if _, broken, _, _ := w.target(stream, q); !broken {
			break
		}
	}
	return stag, to
}

// executor returns the number of any executor.
func (w rxTraffic) executor() int { return w.IntN(len(w.c.Profile.Executors(w.c))) }

func (w rxTraffic) payload(most uint32) []byte {
	return noise(w.Rand, int(min(most, []uint32{0, 1, 8, most, w.Uint32N(most + 1)}[w.IntN(5)])))
}

// next returns a valid next segment of a stream.
func (w rxTraffic) next(stream int) (segment []byte) {
	st := &w.streams[stream]
	switch n := w.IntN(16); {
	case n < 3:
		data := w.payload(60)
		stag, to := w.somewhere(stream, uint32(len(data)), model.RemoteWrite)
		return wire.AppendWrite(nil, stag, to, w.IntN(4) > 0, data)
	case n < 8 && len(st.posted) > 0 && (st.within || !st.writing && !st.reading || w.IntN(16) == 0):
		if !st.within && w.IntN(4) == 0 {
			return wire.AppendImmediate(nil, w.IntN(2) == 0, st.receiveMsn, w.Uint64())
		}
		opcode := st.opcode
		if !st.within {
			opcode = []wire.Opcode{wire.OpSend, wire.OpSendInv, wire.OpSendSE, wire.OpSendSEInv}[w.IntN(4)]
		}
		return wire.AppendSend(nil, opcode, w.invalidate(stream), st.receiveMsn, st.octets, w.IntN(3) > 0, w.payload(st.posted[0].Length-min(st.octets, st.posted[0].Length)))
	case n < 13 && st.requestMsn-1-st.responded < uint32(w.c.IRD):
		if n := w.executor(); n > executorAtomic {
			return w.commitRequest(stream, n)
		} else if n == executorRead {
			q := wire.ReadRequest{DataSinkSTag: w.Uint32(), DataSinkTO: w.Uint64(), ReadMessageSize: []uint32{0, 1, 100, w.Uint32N(5000)}[w.IntN(4)]}
			q.DataSourceSTag, q.DataSourceTO = w.somewhere(stream, q.ReadMessageSize, model.RemoteRead)
			return w.ignored(stream, wire.AppendReadRequest(nil, st.requestMsn, q))
		}
		q := wire.AtomicRequest{Reserved: w.Uint32() >> 4, AOpCode: []wire.AOpCode{wire.FetchAdd, wire.CmpSwap}[w.IntN(2)], RequestIdentifier: w.Uint32(),
			Data: w.Uint64(), Mask: w.Uint64(), CompareData: w.Uint64(), CompareMask: w.Uint64()}
		if draft00(w.c) && w.IntN(3) == 0 {
			q.AOpCode = wire.Swap
		}
		q.RemoteSTag, q.RemoteTO = w.somewhere(stream, 8, model.RemoteAtomic)
		return w.ignored(stream, wire.AppendAtomicRequest(nil, st.requestMsn, q))
	case (st.within || st.writing) && !st.reading && w.IntN(16) > 0:
	case len(st.asked) > 0 && st.asked[0].Executor != executorRead:
		return w.ignored(stream, w.reply(stream, st.asked[0].Executor))
	case len(st.asked) > 0:
		read := st.asked[0]
		data := w.payload(min(60, read.Length-st.received))
		return wire.AppendReadResponse(nil, read.STag, read.TO+uint64(st.received), st.received+uint32(len(data)) == read.Length, data)
	case n == 15 && w.IntN(3) == 0:
		segment = wire.AppendTerminate(nil, wire.Terminate{Code: wire.TerminateCode{Layer: wire.Layer(w.IntN(3)), EType: uint8(w.IntN(16)), Code: uint8(w.Uint32())}})
		return append(segment, noise(w.Rand, w.IntN(40))...)
	}
	return w.next(stream)
}

// ignored puts an STag in the place of the Invalidate STag of a message that has none.
func (w rxTraffic) ignored(stream int, segment []byte) []byte {
	if w.IntN(2) == 0 {
		binary.BigEndian.PutUint32(segment[2:], w.invalidate(stream))
	}
	return segment
}

// beyond returns a next message whether it has a buffer, a credit, or a request that it answers, or not.
func (w rxTraffic) beyond(stream int) []byte {
	st := &w.streams[stream]
	switch w.IntN(3) {
	case 0:
		return wire.AppendImmediate(nil, false, st.receiveMsn, w.Uint64())
	case 1:
		return wire.AppendReadRequest(nil, st.requestMsn, wire.ReadRequest{})
	}
	if w.x != 0 && w.IntN(2) == 0 {
		return wire.AppendVerifyResponse(nil, st.responseMsn, make([]byte, 4))
	}
	return wire.AppendAtomicResponse(nil, st.responseMsn, wire.AtomicResponse{})
}

// broken changes a segment such that it usually breaks a rule.
func (w rxTraffic) broken(stream int, segment []byte) []byte {
	b := slices.Clone(segment)
	flip := func(first, octets int) {
		if at := first + w.IntN(octets); at < len(b) {
			b[at] ^= 1 << w.IntN(8)
		}
	}
	tagged := b[0]&0x80 != 0
	if changed := w.brokenCommit(stream, b); changed != nil {
		return changed
	}
	switch w.IntN(10) {
	case 0:
		flip(0, 2) // the control octets
	case 1:
		b[0] ^= 0x40 // L
	case 2: // STag, TO, or MSN and MO
		flip(2, 12)
	case 3:
		if !tagged && len(b) >= 18 {
			b[13] += 1 // MSN
		}
	case 4:
		if !tagged && len(b) >= 18 {
			b[17] += 1 // MO
		}
	case 5:
		flip(18, 52)
	case 6:
		b = b[:w.IntN(len(b)+1)]
	case 7:
		b = append(b, noise(w.Rand, 1+w.IntN(70))...)
	case 9: // AOpCode, or a TO that is not aligned
		if s, kind := wire.ClassifyWith(w.x, b); kind == spec.None && s.Header.Opcode == wire.OpAtomicRequest {
			s.Payload[[]int{3, 19}[w.IntN(2)]] ^= 1 << w.IntN(3)
		}
	case 8: // another message of the same form
		if len(b) > 1 {
			opcode := uint8(1)<<w.x.OpcodeBits() - 1
			b[1] = b[1]&^opcode | uint8(w.Uint32())&opcode
		}
	}
	return b
}
