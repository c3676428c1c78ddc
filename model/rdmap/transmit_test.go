package rdmap

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func post(t testing.TB, e *Engine, requests ...WorkRequest) {
	t.Helper()
	for i, r := range requests {
		r.Stream, r.Signaled = 1, true
		if r.ID == 0 {
			r.ID = uint64(i + 1)
		}
		require.False(t, e.PostSend(r), "request %d", i)
	}
}

func transmit(t testing.TB, e *Engine, want Progress) []string {
	t.Helper()
	segments, progress := e.Transmit(1)
	require.Equal(t, want, progress)
	return join(segments)
}

// ids returns the ids of successful completions, in order.
func ids(t testing.TB, all []Completion) (ids []uint64) {
	for _, c := range all {
		require.Equal(t, StatusSuccess, c.Status)
		ids = append(ids, c.ID)
	}
	return ids
}

// Transmission of each message kind, octets by hand.
func TestTransmit(t *testing.T) {
	text := []byte("0123456789abcdefXYZ")
	local, remote := Buffer{0x1A1, 0x1000}, Buffer{0x11223344, 0x5566778899AABBCC}
	for _, tt := range []struct {
		name string
		w    WorkRequest
		want []string
	}{
		{"Write, cut", WorkRequest{Opcode: wire.OpWrite, Local: local, Remote: remote, Length: 19},
			[]string{"81 40 11223344 5566778899AABBCC 30313233343536373839616263646566", "C1 40 11223344 5566778899AABBDC 58595A"}},
		{"Write of one full segment", WorkRequest{Opcode: wire.OpWrite, Local: local, Remote: remote, Length: 16},
			[]string{"C1 40 11223344 5566778899AABBCC 30313233343536373839616263646566"}},
		{"Write of nothing", WorkRequest{Opcode: wire.OpWrite, Remote: remote}, []string{"C1 40 11223344 5566778899AABBCC"}},
		{"Write up to the last TO", WorkRequest{Opcode: wire.OpWrite, Local: local, Remote: Buffer{1, 1<<64 - 17}, Length: 17},
			[]string{"81 40 00000001 FFFFFFFFFFFFFFEF 30313233343536373839616263646566", "C1 40 00000001 FFFFFFFFFFFFFFFF 58"}},
		{"Send, cut", WorkRequest{Opcode: wire.OpSend, Local: local, Remote: remote, Length: 17},
			[]string{"01 43 00000000 00000000 00000001 00000000 30313233343536373839616263646566", "41 43 00000000 00000000 00000001 00000010 58"}},
		{"Send of nothing", WorkRequest{Opcode: wire.OpSend}, []string{"41 43 00000000 00000000 00000001 00000000"}},
		{"Send with Invalidate, cut", WorkRequest{Opcode: wire.OpSendInv, Local: local, Remote: remote, Length: 17},
			[]string{"01 44 11223344 00000000 00000001 00000000 30313233343536373839616263646566", "41 44 11223344 00000000 00000001 00000010 58"}},
		{"Send with Solicited Event", WorkRequest{Opcode: wire.OpSendSE, Local: local, Remote: remote, Length: 1},
			[]string{"41 45 00000000 00000000 00000001 00000000 30"}},
		{"Send with Solicited Event and Invalidate", WorkRequest{Opcode: wire.OpSendSEInv, Local: local, Remote: remote, Length: 1},
			[]string{"41 46 11223344 00000000 00000001 00000000 30"}},
		{"Immediate Data", WorkRequest{Opcode: wire.OpImmediate, Operands: Operands{Data: 0x0102030405060708}},
			[]string{"41 48 00000000 00000000 00000001 00000000 0102030405060708"}},
		{"Immediate Data with Solicited Event", WorkRequest{Opcode: wire.OpImmediateSE, Operands: Operands{Data: 0xFF}},
			[]string{"41 49 00000000 00000000 00000001 00000000 00000000000000FF"}},
		{"Read", WorkRequest{Opcode: wire.OpReadRequest, Local: local, Remote: remote, Length: 256},
			[]string{"41 41 00000000 00000001 00000001 00000000  000001A1 0000000000001000 00000100 11223344 5566778899AABBCC"}},
		{"Read of nothing", WorkRequest{Opcode: wire.OpReadRequest, Local: Buffer{7, 8}, Remote: remote},
			[]string{"41 41 00000000 00000001 00000001 00000000  00000007 0000000000000008 00000000 11223344 5566778899AABBCC"}},
		{"FetchAdd: Compare Data is zero, Compare Mask all ones",
			WorkRequest{Opcode: wire.OpAtomicRequest, Local: local, Remote: remote, Operands: Operands{wire.FetchAdd, 1, 2, 3, 4}},
			[]string{"41 4A 00000000 00000001 00000001 00000000  00000000 00000001 11223344 5566778899AABBCC" +
				"0000000000000001 0000000000000002 0000000000000000 FFFFFFFFFFFFFFFF"}},
		{"CmpSwap", WorkRequest{Opcode: wire.OpAtomicRequest, Local: local, Remote: remote, Operands: Operands{wire.CmpSwap, 1, 2, 3, 4}},
			[]string{"41 4A 00000000 00000001 00000001 00000000  00000002 00000001 11223344 5566778899AABBCC" +
				"0000000000000001 0000000000000002 0000000000000003 0000000000000004"}},
		{"Swap: masks all ones, Compare Data zero", WorkRequest{Opcode: wire.OpAtomicRequest, Local: local, Remote: remote, Operands: Operands{wire.Swap, 1, 2, 3, 4}},
			[]string{"41 4A 00000000 00000001 00000001 00000000  00000001 00000001 11223344 5566778899AABBCC" +
				"0000000000000001 FFFFFFFFFFFFFFFF 0000000000000000 FFFFFFFFFFFFFFFF"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := node(t)
			e.Memory().Write(0x20000, text)
			post(t, e, tt.w)
			assert.Equal(t, hexes(t, tt.want...), transmit(t, e, Transmitted))
			assert.Equal(t, uint64(len(tt.want)), e.Counters().SegmentsSent)
			assert.Empty(t, transmit(t, e, Idle))
		})
	}
}

// Each queue counts by itself; Reads and Atomics share QN 1, Sends and Immediate Data QN 0. The Request Identifier is
// the MSN.
func TestMSNsOfRequests(t *testing.T) {
	e := node(t, func(c *EngineConfig) { c.ORD = 4 })
	atomic := WorkRequest{Opcode: wire.OpAtomicRequest, Local: Buffer{0x1A1, 0x1000}}
	post(t, e, WorkRequest{Opcode: wire.OpSend}, WorkRequest{Opcode: wire.OpReadRequest}, WorkRequest{Opcode: wire.OpImmediate},
		WorkRequest{Opcode: wire.OpWrite}, atomic, WorkRequest{Opcode: wire.OpSendSE})
	type count struct{ queue, msn uint32 }
	var got []count
	for range 6 {
		segments, _ := e.Transmit(1)
		s, kind := wire.Classify(segments[0])
		require.Equal(t, spec.None, kind)
		got = append(got, count{s.Header.QueueNumber, s.Header.MSN})
		if s.Header.Opcode == wire.OpAtomicRequest {
			var r wire.AtomicRequest
			require.NoError(t, r.Decode(s.Payload))
			assert.Equal(t, uint32(2), r.RequestIdentifier)
		}
	}
	assert.Equal(t, []count{{0, 1}, {1, 1}, {0, 2}, {0, 0}, {1, 2}, {0, 3}}, got)
}

func TestORD(t *testing.T) {
	e := node(t)
	read := WorkRequest{Opcode: wire.OpReadRequest, Local: Buffer{0x1A1, 0x1000}, Length: 2}
	atomic := WorkRequest{Opcode: wire.OpAtomicRequest, Local: Buffer{0x1A1, 0x1008}}
	post(t, e, read, atomic, WorkRequest{Opcode: wire.OpWrite}, read, WorkRequest{Opcode: wire.OpWrite}, read)
	require.True(t, e.PostSend(WorkRequest{Stream: 1, Opcode: wire.OpWrite}), "the limit is six")
	transmit(t, e, Transmitted)
	transmit(t, e, Transmitted)
	transmit(t, e, Transmitted)
	transmit(t, e, Idle) // two are outstanding: the third waits, and so does the Write after it

	take(t, e, "81 42 000001A1 0000000000001000 55")
	transmit(t, e, Idle)
	take(t, e, "C1 42 000001A1 0000000000001001 66")
	assert.Equal(t, []uint64{1}, ids(t, sent(e, 1)))
	transmit(t, e, Transmitted)
	transmit(t, e, Transmitted)
	transmit(t, e, Idle)
	require.False(t, e.PostSend(WorkRequest{Stream: 1, ID: 7, Opcode: wire.OpWrite}), "one is complete")

	take(t, e, "41 4B 00000000 00000003 00000001 00000000  00000002 0102030405060708")
	assert.True(t, e.Memory().Equal(0x20000, []byte{0x55, 0x66, 0, 0, 0, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1}))
	assert.Equal(t, []Completion{{Stream: 1, ID: 2, Opcode: wire.OpAtomicRequest, Length: 8, Data: 0x0102030405060708}}, sent(e, 1))
	transmit(t, e, Transmitted)
}

// Completions are in the order of posting, whichever request finishes first.
func TestCompletionsInOrder(t *testing.T) {
	e := node(t)
	silent := WorkRequest{Stream: 1, ID: 9, Opcode: wire.OpWrite}
	post(t, e, WorkRequest{ID: 1, Opcode: wire.OpSend, Local: Buffer{0x1A1, 0x1000}, Length: 3})
	require.False(t, e.PostSend(silent))
	post(t, e, WorkRequest{ID: 2, Opcode: wire.OpReadRequest}, WorkRequest{ID: 3, Opcode: wire.OpImmediate})
	require.False(t, e.PostSend(silent))
	post(t, e, WorkRequest{ID: 4, Opcode: wire.OpWrite})
	for range 6 {
		transmit(t, e, Transmitted)
	}
	assert.Empty(t, sent(e, 1), "none has left")
	assert.True(t, e.Left(1))
	assert.Equal(t, []Completion{{Stream: 1, ID: 1, Opcode: wire.OpSend, Length: 3}}, sent(e, 1))
	for range 4 {
		assert.True(t, e.Left(1))
	}
	assert.False(t, e.Left(1))
	assert.Empty(t, sent(e, 1), "they wait for the Read")
	take(t, e, "C1 42 00000000 0000000000000000")
	assert.Equal(t, []Completion{
		{Stream: 1, ID: 2, Opcode: wire.OpReadRequest},
		{Stream: 1, ID: 3, Opcode: wire.OpImmediate, Length: 8},
		{Stream: 1, ID: 4, Opcode: wire.OpWrite},
	}, sent(e, 1), "unsignaled requests are not reported")
	assert.Equal(t, uint64(6), e.Counters().RequestsCompleted)
}

// An invalid local buffer ends the stream: earlier requests continue, later ones are flushed.
func TestLocalProtection(t *testing.T) {
	const terminate = "41 47 00000000 00000002 00000001 00000000 0000 0000"
	write := func(stag uint32, to uint64, length uint32) WorkRequest {
		return WorkRequest{ID: 7, Opcode: wire.OpWrite, Local: Buffer{stag, to}, Length: length}
	}
	read := WorkRequest{ID: 7, Opcode: wire.OpReadRequest, Local: Buffer{0x1A1, 0x10F0}, Length: 17}
	atomic := WorkRequest{ID: 7, Opcode: wire.OpAtomicRequest, Local: Buffer{0x1A1, 0x10F9}}
	send := write(0x3A3, 0, 1)
	send.Opcode = wire.OpSend
	for _, tt := range []struct {
		name string
		w    WorkRequest
	}{
		{"no STag", write(0x1A0, 0x1000, 1)},
		{"another stream's", write(0x4A4, 0, 1)},
		{"no right", send},
		{"wrap", write(0x5A5, 1<<64-1, 2)},
		{"bounds in the second segment", write(0x1A1, 0x10F0, 17)},
		{"sink of a Read, whole length", read},
		{"sink of an Atomic", atomic},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := node(t)
			post(t, e, WorkRequest{ID: 5, Opcode: wire.OpReadRequest}, WorkRequest{ID: 6, Opcode: wire.OpSend}, tt.w, WorkRequest{ID: 8, Opcode: wire.OpSend})
			require.False(t, e.PostReceive(receiveAt(3, 0x1000, 1)))
			transmit(t, e, Transmitted)
			transmit(t, e, Transmitted)
			assert.Empty(t, transmit(t, e, Failed))
			transmit(t, e, Idle)
			assert.True(t, e.Left(1))
			assert.Empty(t, sent(e, 1))
			take(t, e, "C1 42 00000000 0000000000000000", "41 41 00000000 00000001 00000001 00000000  11111111 0000000000000000 00000000 00000000 0000000000000000")
			want := tt.w.Length
			if tt.w.Opcode == wire.OpAtomicRequest {
				want = 8
			}
			assert.Equal(t, []Completion{
				{Stream: 1, ID: 5, Opcode: wire.OpReadRequest},
				{Stream: 1, ID: 6, Opcode: wire.OpSend},
				{Stream: 1, ID: 7, Status: StatusProtection, Opcode: tt.w.Opcode, Length: want},
			}, sent(e, 1))

			assert.True(t, e.Fail(1, spec.Local))
			assert.False(t, e.Fail(1, spec.Local), "once")
			assert.Equal(t, spec.StreamNotOpen, e.Receive(1, nil).Error)
			assert.Equal(t, []Completion{{Stream: 1, ID: 3, Recv: true, Status: StatusFlushed}}, received(e, 1))
			_, x := execute(t, e)
			assert.True(t, x.Is(spec.ReadRequest))
			segments, x := execute(t, e)
			assert.Equal(t, hexes(t, terminate), segments)
			assert.Equal(t, ExecutedTerminate, x.Kind)
			assert.Equal(t, []Completion{{Stream: 1, ID: 8, Status: StatusFlushed, Opcode: wire.OpSend}}, sent(e, 1))
			idle(t, e)
			assert.Equal(t, uint64(1), e.Counters().ProtectionErrors)
			assert.Equal(t, uint64(1), e.Counters().TerminatesSent)
		})
	}
}

// A stream that ends with many requests in flight: all are flushed in the order of posting, and the failed one reports
// its cause.
func TestFlushInOrder(t *testing.T) {
	e := node(t)
	post(t, e, WorkRequest{Opcode: wire.OpImmediate}, WorkRequest{Opcode: wire.OpReadRequest}, WorkRequest{Opcode: wire.OpWrite},
		WorkRequest{Opcode: wire.OpWrite, Length: 1}, WorkRequest{Opcode: wire.OpWrite})
	require.False(t, e.PostSend(WorkRequest{Stream: 1, ID: 6, Opcode: wire.OpSend}))
	for range 3 {
		transmit(t, e, Transmitted)
	}
	transmit(t, e, Failed)
	e.Left(1)
	e.Left(1)
	assert.Equal(t, []uint64{1}, ids(t, sent(e, 1)))
	assert.Equal(t, spec.ShortHeader, e.Receive(1, nil).Error)
	assert.Empty(t, sent(e, 1))
	segments, _ := execute(t, e)
	assert.Equal(t, hexes(t, "41 47 00000000 00000002 00000001 00000000 1000 0000"), segments)
	all := sent(e, 1)
	require.Len(t, all, 5)
	for i, want := range []Status{StatusFlushed, StatusFlushed, StatusProtection, StatusFlushed, StatusFlushed} {
		assert.Equal(t, uint64(i+2), all[i].ID)
		assert.Equal(t, want, all[i].Status, "request %d", all[i].ID)
	}
	assert.False(t, e.Left(1))
	assert.Equal(t, uint64(4), e.Counters().RequestsFlushed)
}

// A work request may still be sent before the Terminate, but not after it.
func TestTransmitUntilTheEnd(t *testing.T) {
	e := node(t)
	post(t, e, WorkRequest{Opcode: wire.OpWrite}, WorkRequest{Opcode: wire.OpWrite})
	e.Receive(1, nil)
	transmit(t, e, Transmitted)
	assert.True(t, e.Left(1))
	execute(t, e)
	transmit(t, e, Idle)
	all := sent(e, 1)
	require.Len(t, all, 2)
	assert.Equal(t, StatusSuccess, all[0].Status)
	assert.Equal(t, StatusFlushed, all[1].Status)
}

func TestPostSendRefusesOtherOpcodes(t *testing.T) {
	e := node(t)
	for op := wire.Opcode(0); op < 20; op++ {
		m, known := op.Operation()
		want := !known || op.Is(spec.Responses|spec.Terminate)
		assert.Equal(t, want, e.PostSend(WorkRequest{Stream: uint32(op) % 4, Opcode: op}), m.Title)
	}
}
