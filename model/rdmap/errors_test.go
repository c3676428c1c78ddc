package rdmap

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Parts of segments, in the format of the figures.
const (
	toNoOne   = "41 47 00000000 00000002 00000001 00000000" // header of a Terminate
	writeTo   = "C1 40 "
	readData  = "C1 42 "
	sendFirst = "41 43 00000000 00000000 00000001 00000000 "
	request1  = "00000000 00000001 00000001 00000000 "
	sink      = "11111111 0000000000000000 "
	operands  = " 0000000000000001 0000000000000000 0000000000000000 FFFFFFFFFFFFFFFF"
)

func read(size uint32, stag uint32, to uint64) string {
	return fmt.Sprintf("41 41 %s %s %08X %08X %016X", request1, sink, size, stag, to)
}

func fetch(opcode, stag uint32, to uint64) string {
	return fmt.Sprintf("41 4A %s %08X 00000009 %08X %016X %s", request1, opcode, stag, to, operands)
}

// Preparations for the rows: the state of the stream.
func receives(t testing.TB, e *Engine) {
	require.False(t, e.PostReceive(receiveAt(1, 0x1010, 8)))
	require.False(t, e.PostReceive(receiveAt(2, 0x1020, 8)))
}

func started(requests ...WorkRequest) func(testing.TB, *Engine) {
	return func(t testing.TB, e *Engine) {
		post(t, e, requests...)
		for range requests {
			transmit(t, e, Transmitted)
		}
	}
}

func after(f func(testing.TB, *Engine), segments ...string) func(testing.TB, *Engine) {
	return func(t testing.TB, e *Engine) {
		if f != nil {
			f(t, e)
		}
		take(t, e, segments...)
	}
}

// Every error of a segment: its rule and Terminate, encoded by hand. term is the control word; if D is set in it, the
// length and DDP header of the segment follow; if R is set, 28 more octets follow.
func TestErrors(t *testing.T) {
	reading := started(WorkRequest{ID: 1, Opcode: wire.OpReadRequest, Local: Buffer{0x1A1, 0x1040}, Length: 4})
	fetching := started(WorkRequest{ID: 1, Opcode: wire.OpAtomicRequest, Local: Buffer{0x1A1, 0x1040}})
	revoked := func(f func(testing.TB, *Engine), index int) func(testing.TB, *Engine) {
		return func(t testing.TB, e *Engine) {
			f(t, e)
			require.NoError(t, e.SetRegion(index, memory.Region{}))
		}
	}
	buffer := func(stag uint32, to uint64) func(testing.TB, *Engine) {
		return func(t testing.TB, e *Engine) {
			require.False(t, e.PostReceive(ReceiveRequest{Stream: 1, ID: 1, Buffer: Buffer{stag, to}, Length: 100}))
		}
	}
	send := func(op string, invalidate uint32) string {
		return fmt.Sprintf("41 %s %08X 00000000 00000001 00000000 01", op, invalidate)
	}
	answer := func(msn, id uint32) string {
		return fmt.Sprintf("41 4B 00000000 00000003 %08X 00000000 %08X 0102030405060708", msn, id)
	}

	for _, tt := range []struct {
		name    string
		before  func(testing.TB, *Engine)
		segment string
		kind    spec.Rule
		term    string
	}{
		// Of the segment alone.
		{"empty", nil, "", spec.ShortHeader, "1000 0000"},
		{"ends inside its header", nil, "C1 40 000001A1 00000000000010", spec.ShortHeader, "1000 0000"},
		{"DDP version, tagged", nil, "C2 40 000001A1 0000000000001000 01", spec.TaggedDDPVersion, "1104 C000"},
		{"DDP version, untagged", nil, "42 43 00000000 00000000 00000001 00000000 01", spec.UntaggedDDPVersion, "1206 C000"},
		{"QN", nil, "41 43 00000000 00000004 00000001 00000000 01", spec.NoSuchQueue, "1201 C000"},
		{"RDMAP version", nil, "C1 80 000001A1 0000000000001000 01", spec.BadRDMAPVersion, "0205 C000"},
		{"opcode", nil, "C1 4F 000001A1 0000000000001000 01", spec.ReservedOpcode, "0206 C000"},
		{"T", nil, "C1 43 000001A1 0000000000001000 01", spec.WrongTBit, "0206 C000"},
		{"queue of the opcode", nil, "41 43 00000000 00000001 00000001 00000000 01", spec.WrongQueue, "0206 C000"},
		{"a Read Request on another queue", nil, "41 41 00000000 00000000 00000001 00000000" + strings.Repeat("00", 28), spec.WrongQueue, "0206 E000"},
		{"the RDMAP version of a Read Request", nil, "41 81 00000000 00000001 00000001 00000000" + strings.Repeat("55", 28), spec.BadRDMAPVersion, "0205 E000"},
		{"a tagged segment of that length is no Read Request", nil, "C1 41 00000000 0000000000000000" + strings.Repeat("55", 28), spec.WrongTBit, "0206 C000"},
		{"MO of a Read Request", nil, "41 41 00000000 00000001 00000001 00000001" + strings.Repeat("00", 28), spec.MONotZero, "1204 C000"},
		{"a Read Request in two segments", nil, "01 41 00000000 00000001 00000001 00000000" + strings.Repeat("55", 28), spec.WrongLength, "0207 E000"},
		{"a Read Request of 27 octets", nil, "41 41 00000000 00000001 00000001 00000000" + strings.Repeat("55", 27), spec.WrongLength, "0207 C000"},
		{"an Atomic Request of 53 octets", nil, fetch(0, 0x1A1, 0x1000) + "00", spec.WrongLength, "0207 C000"},
		{"reserved bits of the terminated header are as received", nil, "FE 70 000001A1 0000000000001000 01", spec.TaggedDDPVersion, "1104 C000"},

		// Tagged segments: DDP's codes.
		{"Write: index", nil, writeTo + "000010A1 0000000000001000 01", spec.TaggedSTag, "1100 C000"},
		{"Write: key", nil, writeTo + "000001A2 0000000000001000 01", spec.TaggedSTag, "1100 C000"},
		{"Write: not valid", nil, writeTo + "000007A7 0000000000000000 01", spec.TaggedSTag, "1100 C000"},
		{"Write: association", nil, writeTo + "000004A4 0000000000000000 01", spec.TaggedAssociation, "1102 C000"},
		{"Write: access", nil, writeTo + "000003A3 0000000000000000 01", spec.TaggedAccess, "0102 C000"},
		{"Write: wrap", nil, writeTo + "000005A5 FFFFFFFFFFFFFFFF 0102", spec.TaggedTOWrap, "1103 C000"},
		{"Write: bounds", nil, writeTo + "000001A1 00000000000010FF 0102", spec.TaggedBounds, "1101 C000"},

		// QN 0.
		{"Send: MSN too high", receives, "41 43 00000000 00000000 00000002 00000000 01", spec.MSNOutOfRange, "1203 C000"},
		{"Send: MSN of the message before", after(receives, sendFirst), sendFirst, spec.MSNOutOfRange, "1203 C000"},
		{"Send: MSN before the buffer", nil, "41 43 00000000 00000000 00000000 00000000 01", spec.MSNOutOfRange, "1203 C000"},
		{"Send: no buffer", nil, sendFirst, spec.NoReceiveBuffer, "1202 C000"},
		{"Immediate Data: no buffer", nil, "41 48 00000000 00000000 00000001 00000000 0102030405060708", spec.NoReceiveBuffer, "1202 C000"},
		{"Send: MO of the first segment", receives, "41 43 00000000 00000000 00000001 00000001 01", spec.WrongMO, "1204 C000"},
		{"Send: MO again", after(receives, "01 43 00000000 00000000 00000001 00000000 0102"), sendFirst, spec.WrongMO, "1204 C000"},
		{"Send: another opcode", after(receives, "01 43 00000000 00000000 00000001 00000000 0102"),
			"41 45 00000000 00000000 00000001 00000002 01", spec.OpcodeChanges, "0206 C000"},
		{"Send: another opcode after an empty segment", after(receives, "01 43 00000000 00000000 00000001 00000000"),
			"41 48 00000000 00000000 00000001 00000000 0102030405060708", spec.OpcodeChanges, "0206 C000"},
		{"Immediate Data in a Send", after(receives, "01 43 00000000 00000000 00000001 00000000 01"),
			"41 48 00000000 00000000 00000001 00000000 0102030405060708", spec.WrongMO, "1204 C000"},
		{"Send: too long", receives, sendFirst + "010203040506070809", spec.MessageTooLong, "1205 C000"},
		{"Send: too long at last", after(receives, "01 43 00000000 00000000 00000001 00000000 01020304050607"),
			"41 43 00000000 00000000 00000001 00000007 0809", spec.MessageTooLong, "1205 C000"},
		{"Send: the buffer's STag is not valid", buffer(0x7A7, 0), sendFirst + "01", spec.Local, "0000 0000"},
		{"Send: the buffer is another stream's", buffer(0x4A4, 0), sendFirst + "01", spec.Local, "0000 0000"},
		{"Send: the buffer may not be written", buffer(0x3A3, 0), sendFirst + "01", spec.Local, "0000 0000"},
		{"Send: the buffer ends before the segment", buffer(0x1A1, 0x10FF), sendFirst + "0102", spec.Local, "0000 0000"},
		{"Send: the buffer before the Invalidate STag", buffer(0x7A7, 0), send("44", 0x7A7), spec.Local, "0000 0000"},
		{"Send with Invalidate: not valid", receives, send("44", 0x7A7), spec.CannotInvalidate, "0109 C000"},
		{"Send with Invalidate: key", receives, send("44", 0x1A2), spec.CannotInvalidate, "0109 C000"},
		{"Send with Invalidate: association", receives, send("46", 0x4A4), spec.CannotInvalidate, "0109 C000"},
		{"Send with Invalidate: right", receives, send("46", 0x3A3), spec.CannotInvalidate, "0109 C000"},

		// QN 1: RDMAP's codes.
		{"Read: MSN", nil, "41 41 00000000 00000001 00000002 00000000" + sink + "00000001 000001A1 0000000000001000", spec.MSNOutOfRange, "1203 C000"},
		{"Read: IRD", after(nil, read(0, 0, 0), "41 41 00000000 00000001 00000002 00000000"+sink+"00000000 00000000 0000000000000000"),
			"41 41 00000000 00000001 00000003 00000000" + sink + "00000001 000001A1 0000000000001000", spec.IRDExceeded, "1202 C000"},
		{"Atomic: IRD before the AOpCode", after(nil, read(0, 0, 0), "41 41 00000000 00000001 00000002 00000000"+sink+"00000000 00000000 0000000000000000"),
			"41 4A 00000000 00000001 00000003 00000000 0000000F 00000009 00000000 0000000000000000" + operands, spec.IRDExceeded, "1202 C000"},
		{"Read: STag", nil, read(1, 0x7A7, 0), spec.RequestSTag, "0100 E000"},
		{"Read: association", nil, read(1, 0x4A4, 0), spec.RequestAssociation, "0103 E000"},
		{"Read: access", nil, read(1, 0x3A3, 0), spec.RequestAccess, "0102 E000"},
		{"Read: wrap", nil, read(17, 0x5A5, 1<<64-16), spec.RequestTOWrap, "0104 E000"},
		{"Read: bounds", nil, read(0xFFFFFFFF, 0x1A1, 0x1000), spec.RequestBounds, "0101 E000"},
		{"Atomic: MSN", nil, "41 4A 00000000 00000001 00000000 00000000 00000000 00000009 000001A1 0000000000001000" + operands, spec.MSNOutOfRange, "1203 C000"},
		{"Atomic: AOpCode before the STag", nil, fetch(1, 0x7A7, 0), spec.AOpCodeNotSupported, "0206 C000"},
		{"Atomic: STag", nil, fetch(0, 0x7A7, 0), spec.RequestSTag, "0100 C000"},
		{"Atomic: association", nil, fetch(0, 0x4A4, 0), spec.RequestAssociation, "0103 C000"},
		{"Atomic: access", nil, fetch(2, 0x3A3, 0), spec.RequestAccess, "0102 C000"},
		{"Atomic: wrap", nil, fetch(2, 0x5A5, 1<<64-7), spec.RequestTOWrap, "0104 C000"},
		{"Atomic: bounds", nil, fetch(2, 0x1A1, 0x10F9), spec.RequestBounds, "0101 C000"},
		{"Atomic: bounds before alignment", nil, fetch(2, 0x1A1, 0x1101), spec.RequestBounds, "0101 C000"},
		{"Atomic: alignment", nil, fetch(2, 0x1A1, 0x1004), spec.Misaligned, "0207 C000"},
		{"Atomic: an unaligned TO that stands for an aligned address", nil, fetch(0, 0x6A6, 0x13), spec.None, ""},
		{"Atomic: an aligned TO that does not", nil, fetch(0, 0x6A6, 0x10), spec.Misaligned, "0207 C000"},

		// QN 2.
		{"Terminate: MSN", nil, "41 47 00000000 00000002 00000002 00000000 0000 0000", spec.MSNOutOfRange, "1203 C000"},
		{"Terminate: three octets", nil, "41 47 00000000 00000002 00000001 00000000 0000 00", spec.WrongLength, "0207 C000"},

		// QN 3.
		{"Atomic Response: MSN", fetching, answer(2, 1), spec.MSNOutOfRange, "1203 C000"},
		{"Atomic Response: MSN first", nil, answer(2, 1), spec.MSNOutOfRange, "1203 C000"},
		{"Atomic Response: no request", nil, answer(1, 1), spec.NoAtomicOutstanding, "1202 C000"},
		{"Atomic Response: not transmitted yet", func(t testing.TB, e *Engine) {
			post(t, e, WorkRequest{Opcode: wire.OpAtomicRequest})
		}, answer(1, 1), spec.NoAtomicOutstanding, "1202 C000"},
		{"Atomic Response: second response", after(fetching, answer(1, 1)), answer(2, 1), spec.NoAtomicOutstanding, "1202 C000"},
		{"Atomic Response to a Read", reading, answer(1, 1), spec.UnexpectedResponse, "0206 C000"},
		{"Atomic Response: identifier", fetching, answer(1, 2), spec.WrongIdentifier, "0207 C000"},
		{"Atomic Response: the buffer is gone", revoked(fetching, 1), answer(1, 1), spec.Local, "0000 0000"},

		// Read Responses.
		{"Read Response: no request", nil, readData + "000001A1 0000000000001040 01", spec.UnexpectedResponse, "0206 C000"},
		{"Read Response of nothing: no request", nil, readData + "00000000 0000000000000000", spec.UnexpectedResponse, "0206 C000"},
		{"Read Response to an Atomic", fetching, readData + "000001A1 0000000000001040 0102030405060708", spec.UnexpectedResponse, "0206 C000"},
		{"Read Response: too long", reading, readData + "000001A1 0000000000001040 0102030405", spec.ReadTooLong, "1101 C000"},
		{"Read Response: too long at last", after(reading, "81 42 000001A1 0000000000001040 010203"),
			readData + "000001A1 0000000000001043 0405", spec.ReadTooLong, "1101 C000"},
		{"Read Response: L too early", reading, readData + "000001A1 0000000000001040 010203", spec.WrongReadLast, "0207 C000"},
		{"Read Response of nothing: L too early", reading, readData + "000001A1 0000000000001040", spec.WrongReadLast, "0207 C000"},
		{"Read Response: no L", reading, "81 42 000001A1 0000000000001040 01020304", spec.WrongReadLast, "0207 C000"},
		{"Read Response: STag", reading, readData + "000002A2 0000000000001040 01020304", spec.WrongSinkSTag, "1100 C000"},
		{"Read Response: TO", reading, readData + "000001A1 0000000000001041 01020304", spec.WrongSinkTO, "1101 C000"},
		{"Read Response: TO again", after(reading, "81 42 000001A1 0000000000001040 0102"),
			readData + "000001A1 0000000000001040 0304", spec.WrongSinkTO, "1101 C000"},
		{"Read Response: the sink is gone", revoked(reading, 1), readData + "000001A1 0000000000001040 01020304", spec.TaggedSTag, "1100 C000"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := node(t)
			if tt.before != nil {
				tt.before(t, e)
			}
			segment := octets(t, tt.segment)
			before := e.Counters()
			v := e.Receive(1, segment)
			assert.Equal(t, tt.kind, v.Error)
			if tt.kind == spec.None {
				return
			}
			assert.Equal(t, before.OctetsPlaced, e.Counters().OctetsPlaced)
			assert.Equal(t, before.Invalidations, e.Counters().Invalidations)
			assert.Equal(t, before.SegmentsInError+1, e.Counters().SegmentsInError)
			assert.Equal(t, spec.StreamNotOpen, e.Receive(1, segment).Error)

			want := octets(t, toNoOne+tt.term)
			control := want[len(want)-2]
			if control&0x40 != 0 {
				header := 18
				if segment[0]&0x80 != 0 {
					header = 14
				}
				want = append(want, byte(len(segment)>>8), byte(len(segment)))
				want = append(want, segment[:header]...)
			}
			if control&0x20 != 0 {
				want = append(want, segment[18:46]...)
			}
			segments, x := execute(t, e)
			for x.Is(spec.ReadRequest) {
				segments, x = execute(t, e)
			}
			assert.Equal(t, ExecutedTerminate, x.Kind)
			assert.Equal(t, []string{fmt.Sprintf("%X", want)}, segments)
			assert.Equal(t, want[18:20], []byte{byte(v.Term.Layer)<<4 | v.Term.EType, v.Term.Code})
			idle(t, e)
			assert.Equal(t, uint64(1), e.Counters().TerminatesSent)
		})
	}
}

// Complete Terminates, one per form: no header, a tagged header, an untagged header, a Read Request.
func TestTerminateSegments(t *testing.T) {
	for segment, want := range map[string]string{
		"C1": "41 47 00000000 00000002 00000001 00000000 1000 0000",
		"C1 40 000007A7 0000000000000001 02": "41 47 00000000 00000002 00000001 00000000 1100 C000 000F" +
			"C1 40 000007A7 0000000000000001",
		"41 43 00000000 00000000 00000001 00000000": "41 47 00000000 00000002 00000001 00000000 1202 C000 0012" +
			"41 43 00000000 00000000 00000001 00000000",
		read(1, 0x7A7, 2): "41 47 00000000 00000002 00000001 00000000 0100 E000 002E" +
			"41 41 00000000 00000001 00000001 00000000" +
			"11111111 0000000000000000 00000001 000007A7 0000000000000002",
	} {
		e := node(t)
		e.Receive(1, octets(t, segment))
		segments, _ := execute(t, e)
		assert.Equal(t, hexes(t, want), segments)
	}
}

// The Terminate follows the responses to earlier requests, and ends only its own stream.
func TestTerminateBehindAnswers(t *testing.T) {
	e := node(t)
	e.Open(2, 7)
	take(t, e, read(2, 0x1A1, 0x1000), "41 4A 00000000 00000001 00000002 00000000 00000000 00000009 000001A1 0000000000001008"+operands)
	assert.Equal(t, spec.NoReceiveBuffer, e.Receive(1, octets(t, sendFirst)).Error)
	_, x := execute(t, e)
	assert.True(t, x.Is(spec.ReadRequest))
	_, x = execute(t, e)
	assert.True(t, x.Is(spec.AtomicRequest))
	assert.Equal(t, uint64(1), e.Memory().Word(0x20008))
	_, x = execute(t, e)
	assert.Equal(t, Executed{Stream: 1, Kind: ExecutedTerminate}, x)
	idle(t, e)
	assert.Equal(t, spec.None, e.Receive(2, octets(t, writeTo+"000002A2 0000000000000000 05")).Error)
	assert.True(t, e.IsOpen(2))
}

// Invalidation takes effect immediately for segments, work requests and queued requests.
func TestInvalidation(t *testing.T) {
	const (
		invalidate = "41 44 000006A6 00000000 00000001 00000000"
		terminate  = "41 47 00000000 00000002 00000001 00000000 0100 0000"
	)
	fetch2 := "41 4A 00000000 00000001 00000002 00000000 00000000 00000009 000006A6 000000000000000B" + operands
	ready := func(t *testing.T) *Engine {
		e := node(t)
		receives(t, e)
		return e
	}

	e := ready(t)
	take(t, e, invalidate)
	assert.Equal(t, spec.TaggedSTag, e.Receive(1, octets(t, writeTo+"000006A6 0000000000000003 05")).Error)

	e = ready(t)
	take(t, e, invalidate)
	post(t, e, WorkRequest{Opcode: wire.OpWrite, Local: Buffer{0x6A6, 3}, Length: 1})
	transmit(t, e, Failed)

	e = ready(t)
	take(t, e, invalidate)
	assert.Equal(t, spec.CannotInvalidate, e.Receive(1, octets(t, "41 44 000006A6 00000000 00000002 00000000")).Error, "twice")

	// Requests before the failing one are answered, later ones are not.
	e = ready(t)
	require.False(t, e.PostSend(WorkRequest{Stream: 1, ID: 4, Opcode: wire.OpSend}))
	take(t, e, read(1, 0x1A1, 0x1000), fetch2, invalidate)
	_, x := execute(t, e)
	assert.True(t, x.Is(spec.ReadRequest))
	take(t, e, "41 41 00000000 00000001 00000003 00000000"+sink+"00000001 000001A1 0000000000001000")
	assert.True(t, e.IsOpen(1))
	segments, x := execute(t, e)
	assert.Equal(t, hexes(t, terminate), segments)
	assert.Equal(t, Executed{Stream: 1, Kind: ExecutedTerminate, Request: wire.OpAtomicRequest, RequestMSN: 2, Error: spec.RequestSTag}, x)
	assert.Zero(t, e.Memory().Word(0x50008))
	idle(t, e)
	assert.False(t, e.IsOpen(1))
	assert.Len(t, sent(e, 1), 1)
	assert.Len(t, received(e, 1), 2)
	assert.Equal(t, uint64(1), e.Counters().TerminatesSent)

	// The same for a Read; a Read of 0 octets needs no STag.
	e = ready(t)
	take(t, e, read(0, 0x6A6, 3), "41 41 00000000 00000001 00000002 00000000"+sink+"00000001 000006A6 0000000000000003", invalidate)
	_, x = execute(t, e)
	assert.True(t, x.Is(spec.ReadRequest))
	segments, _ = execute(t, e)
	assert.Equal(t, hexes(t, terminate), segments)

	// A segment ended the stream first: its Terminate is sent; the other is acceptable too.
	e = ready(t)
	take(t, e, fetch(0, 0x6A6, 0x0B), read2(0), invalidate)
	e.Receive(1, nil)
	segments, x = execute(t, e)
	assert.Equal(t, hexes(t, toNoOne+"1000 0000"), segments)
	assert.Equal(t, ExecutedTerminate, x.Kind)
	assert.Equal(t, octets(t, terminate), x.Instead)
	idle(t, e)

	// The same with a Terminate of the peer.
	e = ready(t)
	take(t, e, fetch(0, 0x6A6, 0x0B), invalidate, toNoOne+"1000 0000")
	segments, x = execute(t, e)
	assert.Empty(t, segments)
	assert.Equal(t, ExecutedShut, x.Kind)
	assert.Equal(t, octets(t, terminate), x.Instead)
	idle(t, e)

	// The caller determines when the stream ends.
	e = ready(t)
	take(t, e, read(1, 0x1A1, 0x1000), fetch2)
	take(t, e, invalidate)
	assert.True(t, e.Fail(1, spec.RequestSTag))
	assert.Equal(t, spec.StreamNotOpen, e.Receive(1, octets(t, read2(0))).Error)
	_, x = execute(t, e)
	assert.True(t, x.Is(spec.ReadRequest))
	segments, x = execute(t, e)
	assert.Equal(t, hexes(t, terminate), segments)
	assert.Equal(t, spec.RequestSTag, x.Error)
	idle(t, e)

	// The model knows no cause.
	e = ready(t)
	take(t, e, read(1, 0x1A1, 0x1000))
	assert.False(t, e.Fail(1, spec.RequestSTag))
	e = ready(t)
	assert.False(t, e.Fail(1, spec.Local))
	segments, _ = execute(t, e)
	assert.Equal(t, hexes(t, toNoOne+"0000 0000"), segments)
}

func read2(size uint32) string {
	return fmt.Sprintf("41 41 00000000 00000001 00000002 00000000 %s %08X 000001A1 0000000000001000", sink, size)
}

// Each access needs its own right and no other.
func TestRights(t *testing.T) {
	local := func(op wire.Opcode) func(testing.TB, *Engine) bool {
		return func(t testing.TB, e *Engine) bool {
			post(t, e, WorkRequest{Opcode: op, Local: Buffer{0x6A6, 3}, Length: 1})
			_, progress := e.Transmit(1)
			return progress == Transmitted
		}
	}
	segment := func(text string) func(testing.TB, *Engine) bool {
		return func(t testing.TB, e *Engine) bool {
			require.False(t, e.PostReceive(ReceiveRequest{Stream: 1, Buffer: Buffer{0x6A6, 3}, Length: 8}))
			return e.Receive(1, octets(t, text)).Error == spec.None
		}
	}
	// A response needs the same right as its request, and the right is checked again.
	response := func(op wire.Opcode, text string) func(testing.TB, *Engine) bool {
		return func(t testing.TB, e *Engine) bool {
			now, _ := e.Region(6)
			all := now
			all.Rights = everything
			require.NoError(t, e.SetRegion(6, all))
			started(WorkRequest{Opcode: op, Local: Buffer{0x6A6, 3}, Length: 1})(t, e)
			require.NoError(t, e.SetRegion(6, now))
			return e.Receive(1, octets(t, text)).Error == spec.None
		}
	}
	for name, tt := range map[string]struct {
		right memory.Rights
		does  func(testing.TB, *Engine) bool
	}{
		"Write":           {memory.RemoteWrite, segment(writeTo + "000006A6 0000000000000003 01")},
		"Send":            {memory.LocalWrite, segment(sendFirst + "01")},
		"invalidation":    {memory.Invalidate, segment("41 44 000006A6 00000000 00000001 00000000")},
		"Read":            {memory.RemoteRead, segment(read(1, 0x6A6, 3))},
		"Atomic":          {memory.RemoteAtomic, segment(fetch(0, 0x6A6, 3))},
		"Read Response":   {memory.LocalWrite, response(wire.OpReadRequest, readData+"000006A6 0000000000000003 01")},
		"Atomic Response": {memory.LocalWrite, response(wire.OpAtomicRequest, "41 4B 00000000 00000003 00000001 00000000 00000001 0000000000000000")},
		"a Write's data":  {memory.LocalRead, local(wire.OpWrite)},
		"a Send's data":   {memory.LocalRead, local(wire.OpSendSE)},
		"a Read's sink":   {memory.LocalWrite, local(wire.OpReadRequest)},
		"an Atomic's":     {memory.LocalWrite, local(wire.OpAtomicRequest)},
	} {
		for _, rights := range []memory.Rights{tt.right, everything &^ tt.right} {
			e := node(t)
			r, _ := e.Region(6)
			r.Rights = rights
			require.NoError(t, e.SetRegion(6, r))
			assert.Equal(t, rights == tt.right, tt.does(t, e), "%s, rights %06b", name, rights)
		}
	}
}

// A memory error at one address.
func TestMemoryErrors(t *testing.T) {
	const local = toNoOne + "0000 0000"
	bad := func(at uint64) func(uint32, uint64, int) bool {
		return func(stream uint32, address uint64, octets int) bool {
			assert.Equal(t, uint32(1), stream)
			return address <= at && at < address+uint64(octets)
		}
	}

	t.Run("placing", func(t *testing.T) {
		for _, segment := range []string{
			writeTo + "000001A1 0000000000001010 0102",
			sendFirst + "0102",
			readData + "000001A1 0000000000001010 01020304",
		} {
			e := node(t)
			receives(t, e)
			started(WorkRequest{Opcode: wire.OpReadRequest, Local: Buffer{0x1A1, 0x1010}, Length: 4})(t, e)
			e.WriteError = bad(0x20011)
			assert.Equal(t, spec.Local, e.Receive(1, octets(t, segment)).Error)
			assert.Zero(t, e.Memory().Word(0x20010))
			segments, _ := execute(t, e)
			assert.Equal(t, hexes(t, local), segments)
			for _, c := range append(received(e, 1), sent(e, 1)...) {
				assert.Equal(t, StatusFlushed, c.Status)
			}
		}
		e := node(t)
		started(WorkRequest{Opcode: wire.OpAtomicRequest, Local: Buffer{0x1A1, 0x1010}})(t, e)
		e.WriteError = bad(0x20017)
		assert.Equal(t, spec.Local, e.Receive(1, octets(t, "41 4B 00000000 00000003 00000001 00000000 00000001 0102030405060708")).Error)
	})

	t.Run("a Read Response is sent up to the failure", func(t *testing.T) {
		e := node(t)
		e.ReadError = bad(0x20010)
		take(t, e, read(33, 0x1A1, 0x1000), read2(1))
		segments, x := execute(t, e)
		assert.Equal(t, hexes(t, "81 42 11111111 0000000000000000 00000000000000000000000000000000", local), segments)
		assert.Equal(t, Executed{Stream: 1, Kind: ExecutedTerminate, Request: wire.OpReadRequest, RequestMSN: 1, Error: spec.Local}, x)
		idle(t, e)
		assert.Zero(t, e.Counters().ReadsExecuted)
	})

	t.Run("an Atomic is not executed", func(t *testing.T) {
		for _, write := range []bool{false, true} {
			e := node(t)
			if write {
				e.WriteError = bad(0x20007)
			} else {
				e.ReadError = bad(0x20007)
			}
			take(t, e, fetch(0, 0x1A1, 0x1000))
			segments, x := execute(t, e)
			assert.Equal(t, hexes(t, local), segments)
			assert.Equal(t, Executed{Stream: 1, Kind: ExecutedTerminate, Request: wire.OpAtomicRequest, RequestMSN: 1, Error: spec.Local}, x)
			assert.Zero(t, e.Memory().Word(0x20000))
			assert.Zero(t, e.Counters().AtomicsExecuted)
		}
	})

	t.Run("an access of 0 octets does not fail", func(t *testing.T) {
		e := node(t)
		always := func(uint32, uint64, int) bool { return true }
		e.ReadError, e.WriteError = always, always
		receives(t, e)
		take(t, e, writeTo+"00000000 0000000000000000", sendFirst, read(0, 0, 0))
		segments, _ := execute(t, e)
		assert.Equal(t, hexes(t, "C1 42 11111111 0000000000000000"), segments)
		post(t, e, WorkRequest{Opcode: wire.OpWrite})
		transmit(t, e, Transmitted)
	})

	t.Run("a Write is sent up to the failure", func(t *testing.T) {
		e := node(t)
		e.ReadError = bad(0x20010)
		post(t, e, WorkRequest{Opcode: wire.OpWrite, Local: Buffer{0x1A1, 0x1000}, Length: 33}, WorkRequest{Opcode: wire.OpWrite})
		assert.Equal(t, hexes(t, "81 40 00000000 0000000000000000 00000000000000000000000000000000"), transmit(t, e, Failed))
		transmit(t, e, Idle)
		assert.Empty(t, sent(e, 1))
		assert.True(t, e.Fail(1, spec.Local))
		segments, _ := execute(t, e)
		assert.Equal(t, hexes(t, local), segments)
		all := sent(e, 1)
		require.Len(t, all, 2)
		assert.Equal(t, []Status{StatusFlushed, StatusFlushed}, []Status{all[0].Status, all[1].Status})
	})
}

// The MSNs of all queues wrap at 2^32.
func TestMSNsWrap(t *testing.T) {
	e := node(t)
	s := &e.streams[1]
	for q := range s.expected {
		s.expected[q], s.sent[q] = 1<<32-1, 1<<32-1
	}
	receives(t, e)
	take(t, e, "41 43 00000000 00000000 FFFFFFFF 00000000", "41 43 00000000 00000000 00000000 00000000",
		"41 41 00000000 00000001 FFFFFFFF 00000000"+sink+"00000000 000001A1 0000000000001000",
		"41 4A 00000000 00000001 00000000 00000000 00000000 00000009 000001A1 0000000000001000"+operands)
	execute(t, e)
	segments, _ := execute(t, e)
	assert.Equal(t, hexes(t, "41 4B 00000000 00000003 FFFFFFFF 00000000 00000009 0000000000000000"), segments)
	take(t, e, "41 4A 00000000 00000001 00000001 00000000 00000000 00000009 000001A1 0000000000001000"+operands)
	segments, _ = execute(t, e)
	assert.Equal(t, hexes(t, "41 4B 00000000 00000003 00000000 00000000 00000009 0000000000000001"), segments)

	started(WorkRequest{Opcode: wire.OpAtomicRequest, Local: Buffer{0x1A1, 0x1000}}, WorkRequest{Opcode: wire.OpAtomicRequest, Local: Buffer{0x1A1, 0x1000}})(t, e)
	take(t, e, "41 4B 00000000 00000003 FFFFFFFF 00000000 FFFFFFFF 0000000000000000", "41 4B 00000000 00000003 00000000 00000000 00000000 0000000000000000")
	assert.Len(t, sent(e, 1), 2)
}
