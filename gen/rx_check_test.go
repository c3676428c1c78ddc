package gen_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/wire"
)

const rxDomain = 0x77AA

// rxRow is a region of 1 KiB for the domain of stream 1, with all rights.
func rxRow(index uint32) stagRow {
	return stagRow{Valid: true, Key: uint8(0x90 + index), Rights: 63, ByDomain: true, Owner: rxDomain, Base: 0x1_0000_0003 + uint64(index)<<36, Length: 1024, Address: 0x5000_0003 + uint64(index)<<16}
}

func rxSTag(index uint32) uint32 { return index<<8 | uint32(rxRow(index).Key) }

// rxTry is one segment and the state that it meets. It is valid; an rxRule breaks it.
type rxTry struct {
	closed        bool
	row           stagRow // row 1: the region accessed
	stag          uint32
	to            uint64
	length        uint32
	posted        bool   // there is a receive request
	buffer        uint32 // its length
	first         wire.Opcode
	begun         bool // a first segment with opcode first and 4 octets has arrived
	msn, mo       uint32
	last          bool
	invalidated   stagRow // row 2
	invalidate    uint32
	outstanding   int // earlier requests without a response
	aopcode       wire.AOpCode
	asked         bool // a response is expected
	askedFrom     int  // executor
	askedLength   uint32
	askedSTag     uint32
	askedTO       uint64
	askedID, id   uint32
	wrongVersions bool
}

func newTry(c engine.Config, opcode wire.Opcode) rxTry {
	row := rxRow(1)
	y := rxTry{row: row, stag: rxSTag(1), to: row.Base + 5, length: 8, posted: true, buffer: 100, first: opcode, msn: 1, last: true,
		invalidated: rxRow(2), invalidate: rxSTag(2), outstanding: c.IRD - 1, asked: true, askedLength: 8, askedSTag: rxSTag(1), askedTO: row.Base + 5,
		askedID: 7, id: 7}
	if slices.Contains([]wire.Opcode{wire.OpSend, wire.OpSendInv, wire.OpSendSE, wire.OpSendSEInv}, opcode) {
		y.begun, y.mo = true, 4
	}
	switch opcode {
	case wire.OpReadRequest:
		y.msn = uint32(c.IRD)
	case wire.OpAtomicRequest:
		y.msn = uint32(c.IRD)
		y.aopcode = wire.CmpSwap
	case wire.OpAtomicResponse:
		y.askedFrom = executorAtomic
	}
	return y
}

// run prepares the state, sends the segment on stream 1, and returns the output for it.
func (y rxTry) run(b *rxBench, opcode wire.Opcode) (places []placementBeat, deliveries []rxDelivery) {
	const s = 1
	b.opened(s, rxDomain)
	b.row(1, rxRow(1)) // until the segment
	b.row(2, y.invalidated)
	b.row(3, rxRow(3))
	if y.posted {
		send(b.rig, "post", postBeat{Stream: s, ID: 0xABCD, STag: y.stag, TO: y.to, Length: y.buffer})
	}
	if y.asked {
		send(b.rig, "expecting", expectingBeat{s, y.askedFrom, y.askedID, y.askedSTag, y.askedTO, y.askedLength})
	}
	b.settle()
	for i := range y.outstanding {
		b.segment(s, wire.AppendReadRequest(nil, uint32(i)+1, wire.ReadRequest{ReadMessageSize: 1, DataSourceSTag: rxSTag(3), DataSourceTO: rxRow(3).Base}))
	}
	if y.begun && y.posted {
		b.segment(s, wire.AppendSend(nil, y.first, 0, 1, 0, false, make([]byte, 4)))
	}
	b.check()
	require.True(b.t, b.ref.streams[s].open)
	b.row(1, y.row)
	if y.closed {
		send(b.rig, "opening", openingBeat{s, false, 0})
	}
	b.settle()
	b.segment(s, y.segment(opcode))
	return b.check()
}

func (y rxTry) segment(opcode wire.Opcode) []byte {
	data := make([]byte, y.length)
	var h wire.DDPHeader
	switch opcode {
	case wire.OpWrite, wire.OpReadResponse:
		h = wire.TaggedHeader(opcode, y.stag, y.to, y.last)
	default:
		h = wire.UntaggedHeader(opcode, y.msn, y.mo)
		h.Last = y.last
	}
	switch opcode {
	case wire.OpSendInv, wire.OpSendSEInv:
		h.InvalidateSTag = y.invalidate
	case wire.OpReadRequest:
		q := wire.ReadRequest{DataSinkSTag: 0x1234, ReadMessageSize: y.length, DataSourceSTag: y.stag, DataSourceTO: y.to}
		data = q.AppendEncode(nil)
	case wire.OpAtomicRequest:
		q := wire.AtomicRequest{AOpCode: y.aopcode, RemoteSTag: y.stag, RemoteTO: y.to}
		data = q.AppendEncode(nil)
	case wire.OpAtomicResponse:
		q := wire.AtomicResponse{OriginalRequestIdentifier: y.id, OriginalRemoteDataValue: 0x0102030405060708}
		data = q.AppendEncode(nil)
	case wire.OpTerminate:
		q := wire.Terminate{Code: wire.TerminateCode{Layer: 2, EType: 1, Code: 0x55}}
		data = q.AppendEncode(nil)
	}
	if y.wrongVersions {
		h.RV, h.DV = 2, 3
	}
	return wire.AppendSegment(nil, h, data)
}

// rxRule breaks a try. The rules of a kind of message are in the order in which they are checked.
type rxRule struct {
	says   string
	code   wire.TerminateCode
	header int // octets of the segment in the Terminate
	breaks func(y *rxTry)
}

// regionRules break the access to a region; the codes depend on the layer that reports it.
func regionRules(header int, right uint8, codes ...wire.TerminateCode) []rxRule {
	return []rxRule{
		{"STag", codes[0], header, func(y *rxTry) { y.row.Valid = false }},
		{"association", codes[1], header, func(y *rxTry) { y.row.Owner++ }},
		{"access right", codes[2], header, func(y *rxTry) { y.row.Rights &^= right }},
		{"TO wrap", codes[3], header, func(y *rxTry) { y.to = ^uint64(0) - 6; y.askedTO = y.to }},
		{"bounds", codes[4], header, func(y *rxTry) { y.row.Length = 12 }},
	}
}

func term(layer wire.Layer, etype, code uint8) wire.TerminateCode {
	return wire.TerminateCode{Layer: layer, EType: etype, Code: code}
}

// rxRules returns the rules of a kind of message, in the order of the specification's list of errors.
func rxRules(opcode wire.Opcode) []rxRule {
	taggedCodes := []wire.TerminateCode{term(1, 1, 0), term(1, 1, 2), term(0, 1, 2), term(1, 1, 3), term(1, 1, 1)}
	requestCodes := []wire.TerminateCode{term(0, 1, 0), term(0, 1, 3), term(0, 1, 2), term(0, 1, 4), term(0, 1, 1)}
	local := make([]wire.TerminateCode, 5)
	version := func(header int, code wire.TerminateCode) []rxRule {
		return []rxRule{{"DDP version", code, header, func(y *rxTry) { y.wrongVersions = true }}}
	}
	msn := rxRule{"MSN", term(1, 2, 3), 18, func(y *rxTry) { y.msn++ }}
	untagged := version(18, term(1, 2, 6))
	// The buffer of a Send already holds earlier octets: only its row can change.
	buffer := regionRules(0, mayLocalWrite, local...)
	switch opcode {
	case wire.OpWrite:
		return append(version(14, term(1, 1, 4)), regionRules(14, mayRemoteWrite, taggedCodes...)...)
	case wire.OpSend, wire.OpSendSE, wire.OpSendInv, wire.OpSendSEInv:
		rules := append(untagged, msn,
			rxRule{"no receive request", term(1, 2, 2), 18, func(y *rxTry) { y.posted = false }},
			rxRule{"MO", term(1, 2, 4), 18, func(y *rxTry) { y.mo++ }},
			rxRule{"opcode within a message", term(0, 2, 6), 18, func(y *rxTry) { y.first = otherSend(opcode) }},
			rxRule{"message too long", term(1, 2, 5), 18, func(y *rxTry) { y.buffer = 11 }},
			buffer[0], buffer[1], buffer[2], rxRule{"bounds of the buffer", term(0, 0, 0), 0, func(y *rxTry) { y.row.Length = 16 }})
		if opcode == wire.OpSendInv || opcode == wire.OpSendSEInv {
			cannot := func(says string, breaks func(y *rxTry)) {
				rules = append(rules, rxRule{"cannot be invalidated: " + says, term(0, 1, 9), 18, breaks})
			}
			cannot("no such row", func(y *rxTry) { y.invalidate += uint32(rxConfig().STags) << 8 })
			cannot("not valid", func(y *rxTry) { y.invalidated.Valid = false })
			cannot("key", func(y *rxTry) { y.invalidate ^= 1 })
			cannot("association", func(y *rxTry) { y.invalidated.Owner++ })
			cannot("another stream's", func(y *rxTry) { y.invalidated.ByDomain, y.invalidated.Owner = false, 2 })
			cannot("right", func(y *rxTry) { y.invalidated.Rights &^= mayInvalidate })
		}
		return rules
	case wire.OpImmediate, wire.OpImmediateSE:
		return append(untagged, msn, rxRule{"no receive request", term(1, 2, 2), 18, func(y *rxTry) { y.posted = false }})
	case wire.OpReadRequest:
		return slices.Concat(untagged, []rxRule{msn, {"IRD", term(1, 2, 2), 18, func(y *rxTry) { y.outstanding++; y.msn++ }}}, regionRules(46, mayRemoteRead, requestCodes...))
	case wire.OpAtomicRequest:
		return slices.Concat(untagged, []rxRule{msn, {"IRD", term(1, 2, 2), 18, func(y *rxTry) { y.outstanding++; y.msn++ }},
			{"AOpCode", term(0, 2, 6), 18, func(y *rxTry) { y.aopcode = 3 }}}, regionRules(18, mayRemoteAtomic, requestCodes...),
			[]rxRule{{"alignment", term(0, 2, 7), 18, func(y *rxTry) { y.row.Address++ }}})
	case wire.OpTerminate:
		return append(untagged, msn)
	case wire.OpAtomicResponse:
		return slices.Concat(untagged, []rxRule{msn,
			{"nothing outstanding", term(1, 2, 2), 18, func(y *rxTry) { y.asked = false }},
			{"a Read is the oldest", term(0, 2, 6), 18, func(y *rxTry) { y.askedFrom = executorRead }},
			{"identifier", term(0, 2, 7), 18, func(y *rxTry) { y.id ^= 1 << 31 }}},
			buffer[:3], []rxRule{{"TO wrap of the buffer", term(0, 0, 0), 0, func(y *rxTry) { y.askedTO = ^uint64(0) - 6 }}}, buffer[4:])
	case wire.OpReadResponse:
		return slices.Concat(version(14, term(1, 1, 4)), []rxRule{
			{"nothing outstanding", term(0, 2, 6), 14, func(y *rxTry) { y.asked = false }},
			{"an Atomic is the oldest", term(0, 2, 6), 14, func(y *rxTry) { y.askedFrom = executorAtomic }},
			{"too long", term(1, 1, 1), 14, func(y *rxTry) { y.askedLength = 7 }},
			{"L is missing", term(0, 2, 7), 14, func(y *rxTry) { y.last = false }},
			{"STag of the sink", term(1, 1, 0), 14, func(y *rxTry) { y.askedSTag = rxSTag(3) }},
			{"TO of the sink", term(1, 1, 1), 14, func(y *rxTry) { y.askedTO++ }}}, regionRules(14, mayLocalWrite, taggedCodes...))
	}
	return nil
}

func otherSend(o wire.Opcode) wire.Opcode {
	if o == wire.OpSend {
		return wire.OpSendSE
	}
	return wire.OpSend
}

// Each kind of message: valid, with each rule broken, and with each pair of rules broken. The first broken rule is reported, with
// the header as received, and neither the segment nor later ones take effect.
func TestRxCheckRules(t *testing.T) {
	c := rxConfig()
	b := openRx(t, c, 1)
	for opcode := range wire.Opcode(12) {
		m, _ := opcode.Operation()
		t.Run(m.Name, func(t *testing.T) {
			b.t = t
			y := newTry(c, opcode)
			_, deliveries := y.run(b, opcode)
			require.Equal(t, opcode != wire.OpTerminate, b.ref.streams[1].open)
			if opcode == wire.OpWrite {
				require.Empty(t, deliveries)
			} else {
				require.Len(t, deliveries, 1)
			}
			y.closed = true
			_, deliveries = y.run(b, opcode)
			require.Empty(t, deliveries)
			rules := rxRules(opcode)
			for i, first := range rules {
				for j := i; j < len(rules); j++ {
					y := newTry(c, opcode)
					rules[j].breaks(&y)
					says := rules[j].says
					if i != j {
						first.breaks(&y)
						says = first.says + " before " + says
					}
					errors := b.errors
					places, deliveries := y.run(b, opcode)
					require.Equal(t, errors+1, b.errors, says)
					require.Len(t, deliveries, 1, says)
					d := deliveries[0]
					require.Equal(t, oneHot(engine.DeliverEnd), d.Kind, says)
					require.Equal(t, first.code, term(wire.Layer(d.Request.Term.Layer), uint8(d.Request.Term.Etype), uint8(d.Request.Term.Code)), says)
					require.Equal(t, first.header, d.Request.HeaderLength, says)
					segment := y.segment(opcode)
					if first.header > 0 {
						require.Equal(t, segment[:first.header], d.Request.Body, says)
						require.Equal(t, len(segment), d.Request.SegmentLength, says)
					}
					for _, p := range places {
						require.True(t, p.Discard, says)
					}
					discarded := b.discarded
					b.segment(1, segment)
					_, deliveries = b.check()
					require.Empty(t, deliveries, says)
					require.Equal(t, discarded+1, b.discarded, says)
				}
			}
		})
	}
}

// An error in a segment's own octets is reported with as much of the header as is present.
func TestRxCheckOwnOctets(t *testing.T) {
	c := rxConfig()
	b := openRx(t, c, 2)
	b.row(1, rxRow(1))
	read := wire.AppendReadRequest(nil, 1, wire.ReadRequest{ReadMessageSize: 1, DataSourceSTag: rxSTag(1), DataSourceTO: rxRow(1).Base})
	with := func(segment []byte, at int, bits byte) []byte {
		s := slices.Clone(segment)
		s[at] ^= bits
		return s
	}
	write, send := wire.AppendWrite(nil, rxSTag(1), rxRow(1).Base, true, make([]byte, 40)), wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, make([]byte, 40))
	for _, row := range []struct {
		says    string
		segment []byte
		code    wire.TerminateCode
		header  int
	}{
		{"nothing", nil, term(1, 0, 0), 0},
		{"13 octets, tagged", write[:13], term(1, 0, 0), 0},
		{"17 octets, untagged", read[:17], term(1, 0, 0), 0},
		{"QN", with(send, 9, 4), term(1, 2, 1), 18},
		{"RDMAP version, tagged", with(write, 1, 0x80), term(0, 2, 5), 14},
		{"RDMAP version of a Read Request", with(read, 1, 0x80), term(0, 2, 5), 46},
		{"opcode 12", with(write, 1, 12), term(0, 2, 6), 14},
		{"T of a Write", with(wire.AppendWrite(nil, 0, 0, true, make([]byte, 9)), 0, 0x80), term(0, 2, 6), 18},
		{"T of a Read Request", with(read, 0, 0x80), term(0, 2, 6), 14},
		{"queue of a Read Request", with(read, 9, 1), term(0, 2, 6), 46},
		{"queue of a Read Request of 45 octets", with(read, 9, 1)[:45], term(0, 2, 6), 18},
		{"queue of a Read Request of 47 octets", append(with(read, 9, 1), 0), term(0, 2, 6), 18},
		{"DDP version of a Read Request", with(read, 0, 1), term(1, 2, 6), 18},
		{"MO of a Read Request", with(read, 17, 1), term(1, 2, 4), 18},
		{"L of a Read Request", with(read, 0, 0x40), term(0, 2, 7), 46},
		{"a Read Request of 45 octets", read[:45], term(0, 2, 7), 18},
		{"a Terminate of 3 octets", wire.AppendTerminate(nil, wire.Terminate{})[:21], term(0, 2, 7), 18},
		{"Immediate Data of 9 octets", append(wire.AppendImmediate(nil, false, 1, 5), 0), term(0, 2, 7), 18},
	} {
		b.opened(1, rxDomain)
		b.settle()
		b.segment(1, row.segment)
		_, deliveries := b.check()
		require.Len(t, deliveries, 1, row.says)
		q := deliveries[0].Request
		require.Equal(t, row.code, term(wire.Layer(q.Term.Layer), uint8(q.Term.Etype), uint8(q.Term.Code)), row.says)
		require.Equal(t, row.header, q.HeaderLength, row.says)
	}
}

// A Read Response in several segments, some of them empty; L must be correct.
func TestRxCheckReadResponses(t *testing.T) {
	sink := rxRow(1).Base + 100
	for _, row := range []struct {
		says   string
		length uint32
		pieces []int // octets of the segments, the last with L
		code   wire.TerminateCode
	}{
		{"a Read of no octets", 0, []int{0}, term(0, 0, 0)},
		{"one octet", 1, []int{1}, term(0, 0, 0)},
		{"empty segments", 5, []int{0, 3, 0, 2}, term(0, 0, 0)},
		{"an empty last segment", 5, []int{5, 0}, term(0, 2, 7)},
		{"L too early", 5, []int{4}, term(0, 2, 7)},
		{"L on an empty segment, too early", 5, []int{0}, term(0, 2, 7)},
		{"too long in all", 5, []int{3, 3}, term(1, 1, 1)},
		{"one octet for a Read of none", 0, []int{1}, term(1, 1, 1)},
	} {
		b := openRx(t, rxConfig(), 3)
		b.row(1, rxRow(1))
		b.opened(1, rxDomain)
		send(b.rig, "expecting", expectingBeat{Stream: 1, STag: rxSTag(1), TO: sink, Length: row.length}, expectingBeat{Stream: 1, STag: rxSTag(1), TO: sink, Length: 2})
		b.settle()
		at := 0
		for i, n := range row.pieces {
			stag, to := rxSTag(1), sink+uint64(at)
			if n == 0 { // ignored
				stag, to = 0, 7
			}
			b.segment(1, wire.AppendReadResponse(nil, stag, to, i == len(row.pieces)-1, make([]byte, n)))
			at += n
		}
		_, deliveries := b.check()
		require.Len(t, deliveries, 1, row.says)
		if row.code == term(0, 0, 0) {
			require.Equal(t, oneHot(engine.DeliverResponse), deliveries[0].Kind, row.says)
			b.segment(1, wire.AppendReadResponse(nil, rxSTag(1), sink, true, make([]byte, 2)))
			_, deliveries = b.check()
			require.Equal(t, oneHot(engine.DeliverResponse), deliveries[0].Kind, row.says)
			continue
		}
		q := deliveries[0].Request
		require.Equal(t, row.code, term(wire.Layer(q.Term.Layer), uint8(q.Term.Etype), uint8(q.Term.Code)), row.says)
	}
}

// A message of several Sends fills its buffer in order; Immediate Data must not interrupt it, and needs no memory.
func TestRxCheckMessages(t *testing.T) {
	b := openRx(t, rxConfig(), 4)
	b.row(1, rxRow(1))
	post := func(length uint32) {
		send(b.rig, "post", postBeat{Stream: 1, ID: uint64(length), STag: rxSTag(1), TO: rxRow(1).Base, Length: length})
		b.settle()
	}
	code := func(segments ...[]byte) wire.TerminateCode {
		for _, s := range segments {
			b.segment(1, s)
		}
		_, deliveries := b.check()
		q := deliveries[len(deliveries)-1].Request
		return term(wire.Layer(q.Term.Layer), uint8(q.Term.Etype), uint8(q.Term.Code))
	}
	again := func(lengths ...uint32) {
		b.opened(1, rxDomain)
		b.settle()
		for _, n := range lengths {
			post(n)
		}
	}
	piece := func(msn, mo uint32, last bool, n int) []byte {
		return wire.AppendSend(nil, wire.OpSend, 0, msn, mo, last, make([]byte, n))
	}
	again(10, 0)
	b.segment(1, piece(1, 0, false, 0))
	b.segment(1, piece(1, 0, false, 4))
	b.segment(1, piece(1, 4, false, 0))
	b.segment(1, piece(1, 4, false, 6))
	b.segment(1, piece(1, 10, true, 0))
	b.segment(1, wire.AppendImmediate(nil, true, 2, 0x0123456789ABCDEF))
	_, deliveries := b.check()
	require.Len(t, deliveries, 2)
	assert.Equal(t, []uint32{10, 8}, []uint32{deliveries[0].Length, deliveries[1].Length})
	assert.Equal(t, []byte{1, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF}, deliveries[1].Request.Body)
	assert.Equal(t, term(1, 2, 2), code(piece(3, 0, true, 0)), "all receive requests are used")

	again(10, 0)
	assert.Equal(t, term(0, 2, 6), code(piece(1, 0, false, 0), wire.AppendImmediate(nil, false, 1, 1)), "inside a message without octets so far")
	again(10, 0)
	assert.Equal(t, term(1, 2, 4), code(piece(1, 0, false, 1), wire.AppendImmediate(nil, false, 1, 1)), "inside a message")
	again(10)
	assert.Equal(t, term(1, 2, 3), code(piece(1, 0, false, 1), piece(2, 1, true, 1)), "MSN within a message")
}
