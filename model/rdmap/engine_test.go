package rdmap

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const everything = memory.LocalRead | memory.LocalWrite | memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic | memory.Invalidate

// node is an engine with four streams and 16 octets of payload per segment. Stream 1 is open, in domain 7.
//
//	STag 01A1  stream 1, all rights, TO 1000..10FF at 20000
//	STag 02A2  domain 7, all rights, TO 0..FF at 30000
//	STag 03A3  stream 1, no rights, TO 0..FF
//	STag 04A4  stream 2, all rights, TO 0..FF
//	STag 05A5  stream 1, all rights, the last 16 TOs, at 40000
//	STag 06A6  stream 1, all rights, TO 3..FF at 50000
//	STag 07A7  not valid
func node(t testing.TB, change ...func(*EngineConfig)) *Engine {
	t.Helper()
	c := EngineConfig{Streams: 4, STags: 16, IRD: 2, ORD: 2, ReceiveDepth: 4, SendDepth: 6, MaxPayload: 16}
	for _, f := range change {
		f(&c)
	}
	e, err := NewEngine(c)
	require.NoError(t, err)
	for index, r := range []memory.Region{
		1: {Valid: true, Rights: everything, Owner: 1, Base: 0x1000, Length: 0x100, Address: 0x20000},
		2: {Valid: true, Rights: everything, Owner: 7, ByDomain: true, Length: 0x100, Address: 0x30000},
		3: {Valid: true, Owner: 1, Length: 0x100},
		4: {Valid: true, Rights: everything, Owner: 2, Length: 0x100},
		5: {Valid: true, Rights: everything, Owner: 1, Base: 1<<64 - 16, Length: 16, Address: 0x40000},
		6: {Valid: true, Rights: everything, Owner: 1, Base: 3, Length: 0xFD, Address: 0x50000},
		7: {Rights: everything, Owner: 1, Length: 0x100},
	} {
		r.Key = uint8(0xA0 + index)
		require.NoError(t, e.SetRegion(index, r))
	}
	e.Open(1, 7)
	return e
}

func join(segments [][]byte) (all []string) {
	for _, s := range segments {
		all = append(all, fmt.Sprintf("%X", s))
	}
	return all
}

func octets(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	require.NoError(t, err)
	return b
}

// Segments in the format of the figures, one string each.
func hexes(t testing.TB, texts ...string) (all []string) {
	for _, text := range texts {
		all = append(all, fmt.Sprintf("%X", octets(t, text)))
	}
	return all
}

func take(t testing.TB, e *Engine, segments ...string) {
	t.Helper()
	for _, s := range segments {
		require.Equal(t, spec.None, e.Receive(1, octets(t, s)).Error, s)
	}
}

func received(e *Engine, stream uint32) (all []Completion) {
	for c, ok := e.NextReceived(stream); ok; c, ok = e.NextReceived(stream) {
		all = append(all, c)
	}
	return all
}

func sent(e *Engine, stream uint32) (all []Completion) {
	for c, ok := e.NextSent(stream); ok; c, ok = e.NextSent(stream) {
		all = append(all, c)
	}
	return all
}

func events(e *Engine, stream uint32) (all []Event) {
	for c, ok := e.NextEvent(stream); ok; c, ok = e.NextEvent(stream) {
		all = append(all, c)
	}
	return all
}

func receiveAt(id uint64, to uint64, length uint32) ReceiveRequest {
	return ReceiveRequest{Stream: 1, ID: id, Buffer: Buffer{0x1A1, to}, Length: length}
}

// execute processes the next item of stream 1 and returns its segments.
func execute(t testing.TB, e *Engine) ([]string, Executed) {
	t.Helper()
	segments, x := e.Execute(1)
	require.NotNil(t, x)
	return join(segments), *x
}

func idle(t testing.TB, e *Engine) {
	t.Helper()
	segments, x := e.Execute(1)
	require.Nil(t, x)
	require.Empty(t, segments)
}

// Reception of each message kind, octets by hand.

func TestReceiveWrite(t *testing.T) {
	e := node(t)
	v := e.Receive(1, octets(t, "81 40 000001A1 0000000000001008 0102030405"))
	assert.Equal(t, Verdict{Opcode: wire.OpWrite, Address: 0x20008, Octets: 5}, v)
	v = e.Receive(1, octets(t, "C1 40 000001A1 000000000000100D 06"))
	assert.Equal(t, Verdict{Opcode: wire.OpWrite, Address: 0x2000D, Octets: 1, Last: true}, v)
	assert.True(t, e.Memory().Equal(0x20007, []byte{0, 1, 2, 3, 4, 5, 6, 0}))

	take(t, e, "C1 40 000002A2 00000000000000FF 09") // through the domain
	assert.True(t, e.Memory().Equal(0x300FF, []byte{9, 0}))
	take(t, e, "C1 40 000005A5 FFFFFFFFFFFFFFFF 08") // the last TO of all
	assert.True(t, e.Memory().Equal(0x4000F, []byte{8, 0}))
	take(t, e, "C1 40 FFFFFFFF FFFFFFFFFFFFFFFF")    // no octets: STag and TO are not checked
	take(t, e, "FD 70 000001A1 0000000000001000 55") // reserved bits are ignored

	idle(t, e)
	assert.Empty(t, received(e, 1))
	assert.Equal(t, Counters{SegmentsReceived: 6, OctetsPlaced: 9}, e.Counters())
}

func TestReceiveSends(t *testing.T) {
	e := node(t)
	for id := range uint64(4) {
		require.False(t, e.PostReceive(receiveAt(id, 0x1010+16*id, 16)))
	}
	require.True(t, e.PostReceive(receiveAt(9, 0x1000, 16)), "the limit is four")

	take(t, e, "01 43 DEADBEEF 00000000 00000001 00000000 0102") // the ULP word of a Send is ignored
	assert.Empty(t, received(e, 1))
	take(t, e, "01 43 00000000 00000000 00000001 00000002")
	v := e.Receive(1, octets(t, "41 43 00000000 00000000 00000001 00000002 030405"))
	assert.Equal(t, Verdict{Opcode: wire.OpSend, Address: 0x20012, Octets: 3, Last: true}, v)
	assert.Equal(t, []Completion{{Stream: 1, ID: 0, Recv: true, Opcode: wire.OpSend, Length: 5}}, received(e, 1))
	assert.True(t, e.Memory().Equal(0x20010, []byte{1, 2, 3, 4, 5, 0}))
	assert.Empty(t, events(e, 1))

	take(t, e, "41 44 000002A2 00000000 00000002 00000000 07")
	assert.Equal(t, []Completion{{Stream: 1, ID: 1, Recv: true, Opcode: wire.OpSendInv, Length: 1, STag: 0x2A2}}, received(e, 1))
	r, _ := e.Region(2)
	assert.False(t, r.Valid)
	assert.Empty(t, events(e, 1))

	take(t, e, "41 45 00000000 00000000 00000003 00000000")
	assert.Equal(t, []Completion{{Stream: 1, ID: 2, Recv: true, Opcode: wire.OpSendSE}}, received(e, 1), "no octets")
	assert.Equal(t, []Event{{Stream: 1, Kind: EventSolicited}}, events(e, 1))

	take(t, e, "01 46 000007A7 00000000 00000004 00000000 01", // the Invalidate STag applies in the last segment
		"41 46 000006A6 00000000 00000004 00000001 0203")
	assert.Equal(t, []Completion{{Stream: 1, ID: 3, Recv: true, Opcode: wire.OpSendSEInv, Length: 3, STag: 0x6A6}}, received(e, 1))
	assert.Len(t, events(e, 1), 1)
	assert.True(t, e.IsOpen(1))
	assert.Equal(t, Counters{SegmentsReceived: 7, OctetsPlaced: 9, Invalidations: 2, ReceivesCompleted: 4, SolicitedEvents: 2}, e.Counters())
}

func TestReceiveImmediate(t *testing.T) {
	e := node(t)
	require.False(t, e.PostReceive(ReceiveRequest{Stream: 1, ID: 5, Buffer: Buffer{STag: 0x7A7}})) // its memory is not used
	require.False(t, e.PostReceive(ReceiveRequest{Stream: 1, ID: 6}))
	take(t, e, "41 48 FFFFFFFF 00000000 00000001 00000000 0102030405060708",
		"41 49 00000000 00000000 00000002 00000000 FF02030405060708")
	assert.Equal(t, []Completion{
		{Stream: 1, ID: 5, Recv: true, Opcode: wire.OpImmediate, Length: 8, Data: 0x0102030405060708},
		{Stream: 1, ID: 6, Recv: true, Opcode: wire.OpImmediateSE, Length: 8, Data: 0xFF02030405060708},
	}, received(e, 1))
	assert.Equal(t, []Event{{Stream: 1, Kind: EventSolicited}}, events(e, 1))
}

func TestReadRequest(t *testing.T) {
	e := node(t)
	e.Memory().Write(0x20000, []byte("0123456789abcdefXYZ"))
	take(t, e, "41 41 00000000 00000001 00000001 00000000  11111111 FFFFFFFFFFFFFFF8 00000013 000001A1 0000000000001000")
	segments, x := execute(t, e)
	assert.Equal(t, hexes(t,
		"81 42 11111111 FFFFFFFFFFFFFFF8 30313233343536373839616263646566",
		"C1 42 11111111 0000000000000008 58595A"), segments, "the sink's TO is not checked")
	assert.Equal(t, Executed{Stream: 1, Request: wire.OpReadRequest, RequestMSN: 1}, x)

	take(t, e, "41 41 00000000 00000001 00000002 00000000  11111111 0000000000000007 00000000 FFFFFFFF FFFFFFFFFFFFFFFF")
	segments, x = execute(t, e)
	assert.Equal(t, hexes(t, "C1 42 11111111 0000000000000007"), segments, "no octets, no check")
	assert.Equal(t, uint32(2), x.RequestMSN)

	take(t, e, "41 41 00000000 00000001 00000003 00000000  11111111 0000000000000000 00000010 000001A1 0000000000001000")
	segments, _ = execute(t, e)
	assert.Equal(t, hexes(t, "C1 42 11111111 0000000000000000 30313233343536373839616263646566"), segments, "a full last segment")
	idle(t, e)
	assert.Equal(t, Counters{SegmentsReceived: 3, SegmentsSent: 4, ReadsExecuted: 3}, e.Counters())
}

func TestAtomicRequests(t *testing.T) {
	e := node(t, func(c *EngineConfig) { c.Draft00 = true })
	e.Memory().Write(0x20008, []byte{8, 7, 6, 5, 4, 3, 2, 1}) // 0102030405060708
	take(t, e, "41 4A 00000000 00000001 00000001 00000000  00000000 CAFEF00D 000001A1 0000000000001008"+
		"0000000000000010 0000000000000000 0000000000000000 FFFFFFFFFFFFFFFF",
		// the responder's queue holds two; Request Identifiers are not checked
		"41 4A 00000000 00000001 00000002 00000000  FFFFFFF2 CAFEF00D 000006A6 000000000000000B"+
			"AAAAAAAAAAAAAAAA 00000000000000FF 0000000000000000 00000000000000FF")
	segments, x := execute(t, e)
	assert.Equal(t, hexes(t, "41 4B 00000000 00000003 00000001 00000000  CAFEF00D 0102030405060708"), segments)
	assert.Equal(t, Executed{Stream: 1, Request: wire.OpAtomicRequest, RequestMSN: 1, Address: 0x20008, Opcode: wire.FetchAdd,
		Original: 0x0102030405060708, Result: 0x0102030405060718, ResponseMSN: 1}, x)
	assert.Equal(t, uint64(0x0102030405060718), e.Memory().Word(0x20008))

	segments, x = execute(t, e)
	assert.Equal(t, hexes(t, "41 4B 00000000 00000003 00000002 00000000  CAFEF00D 0000000000000000"), segments)
	assert.Equal(t, Executed{Stream: 1, Request: wire.OpAtomicRequest, RequestMSN: 2, Address: 0x50008, Opcode: wire.CmpSwap,
		Result: 0xAA, ResponseMSN: 2}, x, "an unaligned base, but an aligned address")

	take(t, e, "41 41 00000000 00000001 00000003 00000000  11111111 0000000000000007 00000000 00000000 0000000000000000",
		"41 4A 00000000 00000001 00000004 00000000  00000001 00000004 000001A1 0000000000001008"+
			"AAAAAAAAAAAAAAAA 0000000000000000 0000000000000000 0000000000000000")
	_, x = execute(t, e)
	assert.True(t, x.Is(spec.ReadRequest), "in the order of arrival")
	segments, x = execute(t, e)
	assert.Equal(t, hexes(t, "41 4B 00000000 00000003 00000003 00000000  00000004 0102030405060718"), segments,
		"QN 3 counts the Atomic Responses only")
	assert.Equal(t, uint64(0xAAAAAAAAAAAAAAAA), x.Result)
	assert.Equal(t, uint64(3), e.Counters().AtomicsExecuted)
}

// A whole exchange in octets, by hand from RFC 7306 Appendix A.
func TestFetchAddExchange(t *testing.T) {
	e := node(t)
	e.Memory().SetWord(0x20010, 0x00000001_FFFFFFFF)
	require.Equal(t, spec.None, e.Receive(1, octets(t, `
		41 4A  00000000  00000001  00000001  00000000
		00000000  DEADBEEF  000001A1  0000000000001010
		0000000100000002  0000000080000000  0000000000000000  FFFFFFFFFFFFFFFF`)).Error)
	segments, _ := e.Execute(1)
	require.Len(t, segments, 1)
	assert.Equal(t, octets(t, `
		41 4B  00000000  00000003  00000001  00000000
		DEADBEEF  00000001FFFFFFFF`), segments[0])
	// The low field of 32 bits wraps: FFFFFFFF + 2 = 1; the high one is 1 + 1 without its carry.
	assert.Equal(t, uint64(0x00000002_00000001), e.Memory().Word(0x20010))
}

func TestTerminateReceived(t *testing.T) {
	e := node(t)
	require.False(t, e.PostReceive(receiveAt(1, 0x1000, 16)))
	require.False(t, e.PostSend(WorkRequest{Stream: 1, ID: 2, Opcode: wire.OpImmediate}))
	take(t, e, "41 41 00000000 00000001 00000001 00000000  11111111 0000000000000000 00000001 000001A1 0000000000001000",
		"41 47 00000000 00000002 00000001 00000000 1204 0000")
	assert.False(t, e.IsOpen(1))
	assert.Equal(t, []Event{{Stream: 1, Kind: EventTerminated, Term: wire.TerminateCode{Layer: 1, EType: 2, Code: 4}}}, events(e, 1))
	assert.Equal(t, []Completion{{Stream: 1, ID: 1, Recv: true, Status: StatusFlushed}}, received(e, 1))

	v := e.Receive(1, octets(t, "C1 40 000001A1 0000000000001008 01"))
	assert.Equal(t, Verdict{Error: spec.StreamNotOpen}, v)
	assert.Zero(t, e.Memory().Word(0x20008))

	segments, x := execute(t, e)
	assert.Equal(t, hexes(t, "C1 42 11111111 0000000000000000 00"), segments, "earlier requests are answered")
	assert.True(t, x.Is(spec.ReadRequest))
	assert.Empty(t, sent(e, 1), "posted work may still be sent until the stream closes")
	segments, x = execute(t, e)
	assert.Empty(t, segments, "nothing answers a Terminate")
	assert.Equal(t, Executed{Stream: 1, Kind: ExecutedShut}, x)
	assert.Equal(t, []Completion{{Stream: 1, ID: 2, Status: StatusFlushed, Opcode: wire.OpImmediate, Length: 8}}, sent(e, 1))
	idle(t, e)
	assert.Equal(t, Counters{SegmentsReceived: 3, SegmentsDiscarded: 1, SegmentsSent: 1, ReadsExecuted: 1, TerminatesReceived: 1, RequestsFlushed: 2},
		e.Counters())
}

// A stream that was never opened, was shut, or has ended: posted requests are flushed, received segments are discarded.
func TestStreamsThatAreNotOpen(t *testing.T) {
	e := node(t)
	e.Open(2, 0)
	e.Open(3, 0)
	for _, stream := range []uint32{2, 3} {
		require.False(t, e.PostReceive(ReceiveRequest{Stream: stream, ID: 7}))
		require.False(t, e.PostSend(WorkRequest{Stream: stream, ID: 8, Opcode: wire.OpReadRequest}))
		_, progress := e.Transmit(stream)
		require.Equal(t, Transmitted, progress)
		require.Equal(t, spec.None, e.Receive(stream, wire.AppendReadRequest(nil, 1, wire.ReadRequest{})).Error)
	}
	e.Shut(2)
	require.Equal(t, spec.ShortHeader, e.Receive(3, nil).Error)
	e.Execute(3)
	e.Execute(3)
	for _, stream := range []uint32{0, 2, 3} {
		segments, x := e.Execute(stream)
		assert.Empty(t, segments)
		assert.Nil(t, x)
		if stream != 0 {
			assert.Equal(t, []Completion{{Stream: stream, ID: 7, Recv: true, Status: StatusFlushed}}, received(e, stream))
			assert.Equal(t, []Completion{{Stream: stream, ID: 8, Status: StatusFlushed, Opcode: wire.OpReadRequest}}, sent(e, stream))
		}
		assert.Equal(t, Verdict{Error: spec.StreamNotOpen}, e.Receive(stream, wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, nil)))
		for range 10 { // more than the queue depth
			assert.False(t, e.PostReceive(ReceiveRequest{Stream: stream, ID: 3}))
			assert.False(t, e.PostSend(WorkRequest{Stream: stream, ID: 4, Opcode: wire.OpSend, Length: 6}))
			assert.Equal(t, []Completion{{Stream: stream, ID: 3, Recv: true, Status: StatusFlushed}}, received(e, stream))
			assert.Equal(t, []Completion{{Stream: stream, ID: 4, Status: StatusFlushed, Opcode: wire.OpSend, Length: 6}}, sent(e, stream))
		}
		assert.False(t, e.Left(stream))
		assert.False(t, e.Fail(stream, spec.Local))
		_, progress := e.Transmit(stream)
		assert.Equal(t, Idle, progress)
		_, x = e.Execute(stream)
		assert.Nil(t, x)
	}
	e.Open(3, 0)
	require.False(t, e.PostReceive(ReceiveRequest{Stream: 3, ID: 9}))
	assert.Equal(t, spec.None, e.Receive(3, wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, nil)).Error, "MSN 1 again")
	assert.Len(t, received(e, 3), 1)
	require.False(t, e.PostSend(WorkRequest{Stream: 3, Opcode: wire.OpReadRequest}))
	segments, _ := e.Transmit(3)
	assert.Equal(t, join([][]byte{wire.AppendReadRequest(nil, 1, wire.ReadRequest{})}), join(segments))
}

// A stream that is shut sends nothing more, not even a pending Terminate.
func TestShutAfterAnError(t *testing.T) {
	e := node(t)
	take(t, e, "41 41 00000000 00000001 00000001 00000000  11111111 0000000000000000 00000000 00000000 0000000000000000")
	require.Equal(t, spec.ShortHeader, e.Receive(1, nil).Error)
	e.Shut(1)
	idle(t, e)
	assert.Zero(t, e.Counters().TerminatesSent)
}

// Open resets a stream in any state.
func TestOpenAnew(t *testing.T) {
	e := node(t)
	require.False(t, e.PostReceive(receiveAt(1, 0x1000, 16)))
	require.False(t, e.PostReceive(receiveAt(2, 0x1000, 16)))
	require.False(t, e.PostSend(WorkRequest{Stream: 1, ID: 2, Opcode: wire.OpReadRequest}))
	require.False(t, e.PostSend(WorkRequest{Stream: 1, ID: 3, Opcode: wire.OpWrite}))
	require.False(t, e.PostSend(WorkRequest{Stream: 1, ID: 4, Opcode: wire.OpWrite}))
	e.Transmit(1)
	e.Transmit(1)
	take(t, e, "01 43 00000000 00000000 00000001 00000000 0102",
		"41 41 00000000 00000001 00000001 00000000  11111111 0000000000000000 00000001 000001A1 0000000000001000")
	e.Open(1, 0)
	idle(t, e)
	assert.False(t, e.Left(1))
	_, progress := e.Transmit(1)
	assert.Equal(t, Idle, progress)
	assert.Empty(t, sent(e, 1))
	assert.Empty(t, received(e, 1))
	assert.Equal(t, spec.TaggedAssociation, e.Receive(1, octets(t, "C1 40 000002A2 0000000000000000 01")).Error, "another domain")
	e.Open(1, 7)
	assert.Equal(t, spec.NoReceiveBuffer, e.Receive(1, octets(t, "41 43 00000000 00000000 00000001 00000000")).Error)
}

func TestNewEngineRefuses(t *testing.T) {
	good := EngineConfig{Streams: 1, STags: 1, IRD: 1, ORD: 1, ReceiveDepth: 1, SendDepth: 1, MaxPayload: 1}
	_, err := NewEngine(good)
	require.NoError(t, err)
	for text, change := range map[string]func(*EngineConfig){
		"rdmap: Streams is 0; allowed: 1..16384":         func(c *EngineConfig) { c.Streams = 0 },
		"rdmap: Streams is 16385; allowed: 1..16384":     func(c *EngineConfig) { c.Streams = 16385 },
		"rdmap: STags is 16777217; allowed: 1..16777216": func(c *EngineConfig) { c.STags = 1<<24 + 1 },
		"rdmap: IRD is 0; allowed: 1..65536":             func(c *EngineConfig) { c.IRD = 0 },
		"rdmap: ORD is -1; allowed: 1..65536":            func(c *EngineConfig) { c.ORD = -1 },
		"rdmap: ReceiveDepth is 0; allowed: 1..65536":    func(c *EngineConfig) { c.ReceiveDepth = 0 },
		"rdmap: SendDepth is 0; allowed: 1..65536":       func(c *EngineConfig) { c.SendDepth = 0 },
		"rdmap: MaxPayload is 65518; allowed: 1..65517":  func(c *EngineConfig) { c.MaxPayload = 65518 },
	} {
		c := good
		change(&c)
		_, err := NewEngine(c)
		assert.EqualError(t, err, text)
	}
}

func TestStatusNames(t *testing.T) {
	assert.Equal(t, "[success protection flushed mismatch unknown]", fmt.Sprint([]Status{StatusSuccess, StatusProtection, StatusFlushed, StatusMismatch, 4}))
}
