package rdmap

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	stag = 0x01020304
	base = 0x1000
	ones = ^uint64(0)
)

// small is a responder of two streams and eight words, TO 0x1000 to 0x103F.
func small(t testing.TB, change func(*Config)) *Responder {
	t.Helper()
	c := Config{Streams: 2, WindowWords: 8, WindowSTag: stag, WindowBase: base}
	if change != nil {
		change(&c)
	}
	r, err := New(c)
	require.NoError(t, err)
	return r
}

func fetchAdd(to, add uint64) []byte {
	return wire.AppendAtomicRequest(nil, 1, wire.NewFetchAdd(0xCAFE, stag, to, add, 0))
}

func receive(t testing.TB, r *Responder, stream uint32, segment []byte) Outcome {
	t.Helper()
	out, err := r.Receive(stream, segment)
	require.NoError(t, err)
	return out
}

// refused wants a record with this error and nothing in memory changed by it.
func refused(t testing.TB, r *Responder, stream uint32, segment []byte, want wire.ErrorKind) Record {
	t.Helper()
	before := words(t, r)
	out := receive(t, r, stream, segment)
	assert.False(t, out.Executed)
	assert.Nil(t, out.Response, "no response to what was not done")
	assert.Equal(t, want, out.Record.Error)
	assert.Equal(t, before, words(t, r), "memory is unchanged")
	return out.Record
}

func words(t testing.TB, r *Responder) []uint64 {
	t.Helper()
	var all []uint64
	for i := range r.config.WindowWords {
		access, err := r.HostAccess(false, i, 0)
		require.NoError(t, err)
		all = append(all, access.Original)
	}
	return all
}

func set(t testing.TB, r *Responder, index int, word uint64) {
	t.Helper()
	_, err := r.HostAccess(true, index, word)
	require.NoError(t, err)
}

func octets(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	require.NoError(t, err)
	return b
}

// A whole exchange in octets, by hand from RFC 7306 Appendix A.
func TestFetchAddExchange(t *testing.T) {
	r := small(t, nil)
	set(t, r, 2, 0x00000001_FFFFFFFF)

	out := receive(t, r, 1, octets(t, `
		41 4A  00000000  00000001  00000001  00000000
		00000000  DEADBEEF  01020304  0000000000001010
		0000000100000002  0000000080000000  0000000000000000  FFFFFFFFFFFFFFFF`))
	require.True(t, out.Executed)
	assert.Equal(t, octets(t, `
		41 4B  00000000  00000003  00000001  00000000
		DEADBEEF  00000001FFFFFFFF`), out.Response)
	// The low field of 32 bits wraps: FFFFFFFF + 2 = 1; the high one is 1 + 1 without its carry.
	assert.Equal(t, Retired{Stream: 1, Opcode: 0, Index: 2, Original: 0x00000001_FFFFFFFF, Result: 0x00000002_00000001}, out.Retired)
	assert.Equal(t, []uint64{0, 0, 0x00000002_00000001, 0, 0, 0, 0, 0}, words(t, r))
}

func TestCmpSwapAnswersWithTheOriginalEitherWay(t *testing.T) {
	r := small(t, nil)
	set(t, r, 0, 5)
	cmpSwap := func(compare uint64) []byte {
		return wire.AppendAtomicRequest(nil, 1, wire.NewCmpSwap(7, stag, base, 9, ones, compare, ones))
	}
	for _, tt := range []struct{ compare, original, result uint64 }{{4, 5, 5}, {5, 5, 9}, {5, 9, 9}} {
		out := receive(t, r, 0, cmpSwap(tt.compare))
		require.True(t, out.Executed)
		assert.Equal(t, tt.original, out.Retired.Original)
		assert.Equal(t, tt.result, out.Retired.Result)
	}
}

// Every AOpCode, with draft-00 and without (I-03, I-04).
func TestEveryAOpCode(t *testing.T) {
	for _, draft00 := range []bool{false, true} {
		for op := wire.AOpCode(0); op < 16; op++ {
			t.Run(fmt.Sprintf("AOpCode %d, draft00 %v", op, draft00), func(t *testing.T) {
				r := small(t, func(c *Config) { c.Draft00 = draft00 })
				set(t, r, 0, 5)
				request := wire.AtomicRequest{AOpCode: op, RemoteSTag: stag, RemoteTO: base, Data: 9, Mask: ones, CompareData: 4, CompareMask: ones}
				segment := wire.AppendAtomicRequest(nil, 1, request)

				result, supported := map[wire.AOpCode]uint64{wire.FetchAdd: 5 ^ 9, wire.CmpSwap: 5}[op]
				if op == wire.Swap && draft00 {
					result, supported = 9, true
				}
				if !supported {
					record := refused(t, r, 0, segment, wire.ErrAtomicOpcode)
					assert.Equal(t, "0/2/0x06 (RDMAP, remote operation: unexpected opcode)", record.Term.String())
					return
				}
				out := receive(t, r, 0, segment)
				require.True(t, out.Executed)
				assert.Equal(t, Retired{Opcode: uint8(op), Original: 5, Result: result}, out.Retired)
			})
		}
	}
}

func TestAddresses(t *testing.T) {
	for _, tt := range []struct {
		name string
		base uint64
		to   uint64
		want wire.ErrorKind
		term string
	}{
		{"first word", base, base, wire.ErrNone, ""},
		{"last word", base, base + 56, wire.ErrNone, ""},
		{"unaligned TO on an unaligned base: an aligned address", 0x1005, 0x100D, wire.ErrNone, ""},
		{"one word too far", base, base + 64, wire.ErrBounds, "0/1/0x01"},
		{"the last octet too far", base, base + 57, wire.ErrBounds, "0/1/0x01"},
		{"before the window", base, base - 8, wire.ErrBounds, "0/1/0x01"},
		{"TO wrap", 1<<64 - 64, 1<<64 - 7, wire.ErrTOWrap, "0/1/0x04"},
		{"the last word below 2^64", 1<<64 - 64, 1<<64 - 8, wire.ErrNone, ""},
		{"misaligned", base, base + 4, wire.ErrAlignment, "0/2/0x07"},
		{"aligned TO on an unaligned base: a misaligned address", 0x1005, 0x1008, wire.ErrAlignment, "0/2/0x07"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := small(t, func(c *Config) { c.WindowBase = tt.base })
			if tt.want == wire.ErrNone {
				out := receive(t, r, 0, fetchAdd(tt.to, 1))
				require.True(t, out.Executed)
				assert.Equal(t, int((tt.to-tt.base)/8), out.Retired.Index)
				return
			}
			record := refused(t, r, 0, fetchAdd(tt.to, 1), tt.want)
			assert.True(t, strings.HasPrefix(record.Term.String(), tt.term), record.Term)
		})
	}

	r := small(t, nil)
	request := wire.NewFetchAdd(1, stag+1, base, 1, 0)
	record := refused(t, r, 0, wire.AppendAtomicRequest(nil, 1, request), wire.ErrSTag)
	assert.Equal(t, "0/1/0x00 (RDMAP, remote protection: invalid STag)", record.Term.String())
}

// The order of the checks: a request that is wrong in everything shows one error after the other as they
// are mended.
func TestOrderOfTheChecks(t *testing.T) {
	request := wire.AtomicRequest{AOpCode: 1, RemoteSTag: 0, RemoteTO: 1<<64 - 1}
	for _, step := range []struct {
		want wire.ErrorKind
		mend func()
	}{
		{wire.ErrAtomicOpcode, func() { request.AOpCode = wire.CmpSwap }},
		{wire.ErrSTag, func() { request.RemoteSTag = stag }},
		{wire.ErrTOWrap, func() { request.RemoteTO = base + 63 }},
		{wire.ErrBounds, func() { request.RemoteTO = base + 55 }},
		{wire.ErrAlignment, func() { request.RemoteTO = base + 56 }},
	} {
		refused(t, small(t, nil), 0, wire.AppendAtomicRequest(nil, 1, request), step.want)
		step.mend()
	}
	assert.True(t, receive(t, small(t, nil), 0, wire.AppendAtomicRequest(nil, 1, request)).Executed)
}

// After an error nothing happens on its stream, however good the traffic; the other stream goes on.
func TestAnErrorEndsItsStreamOnly(t *testing.T) {
	r := small(t, nil)
	require.True(t, receive(t, r, 0, fetchAdd(base, 1)).Executed)

	refused(t, r, 0, fetchAdd(base+1, 1), wire.ErrAlignment)
	assert.True(t, r.Terminated(0))
	assert.False(t, r.Terminated(1))

	for _, segment := range [][]byte{fetchAdd(base, 1), fetchAdd(base+1, 1), {0}} {
		record := refused(t, r, 0, segment, wire.ErrStreamTerminated)
		assert.Zero(t, record.Term, "one Terminate a stream")
		assert.Equal(t, len(segment), record.SegmentLength)
	}

	out := receive(t, r, 0, wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, []byte{1, 2, 3}))
	assert.Equal(t, wire.ErrStreamTerminated, out.Record.Error)
	assert.Equal(t, 3, out.Record.PayloadLength)
	assert.Equal(t, []byte{1, 2, 3}, out.Payload, "the record keeps what the parser found")

	out = receive(t, r, 1, fetchAdd(base, 1))
	require.True(t, out.Executed, "the other stream goes on")
	assert.Equal(t, uint64(1), out.Retired.Original)

	require.NoError(t, r.Setup(0, 9))
	out = receive(t, r, 0, fetchAdd(base, 1))
	require.True(t, out.Executed, "a stream that is set up anew")
	assert.Equal(t, uint64(2), out.Retired.Original)
	assert.Equal(t, uint32(9), msn(t, out.Response))
}

// A valid message of another kind is not an error, and the stream goes on.
func TestOtherMessagesAreRecords(t *testing.T) {
	for _, tt := range []struct {
		name    string
		segment []byte
		payload []byte
	}{
		{"RDMA Write", wire.AppendWrite(nil, 1, 2, true, []byte{7, 8}), []byte{7, 8}},
		{"RDMA Write of no octets: no payload", wire.AppendWrite(nil, 0, 0, true, nil), nil},
		{"Read Response", wire.AppendReadResponse(nil, 1, 2, true, []byte{7}), []byte{7}},
		{"Send with Invalidate", wire.AppendSend(nil, wire.OpSendInv, 5, 1, 0, true, []byte{7}), []byte{7}},
		{"Terminate", wire.AppendTerminate(nil, wire.Terminate{}), []byte{0, 0, 0, 0}},
		{"Read Request: all header", wire.AppendReadRequest(nil, 1, wire.ReadRequest{}), nil},
		{"Immediate Data: all header", wire.AppendImmediate(nil, false, 1, 5), nil},
		{"Immediate Data with SE: all header", wire.AppendImmediate(nil, true, 1, 5), nil},
		{"Atomic Response: all header", wire.AppendAtomicResponse(nil, 1, wire.AtomicResponse{}), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := small(t, nil)
			out := receive(t, r, 1, tt.segment)
			assert.False(t, out.Executed)
			assert.Equal(t, tt.payload, out.Payload)

			want := Record{Stream: 1, SegmentLength: len(tt.segment), PayloadLength: len(tt.payload)}
			copy(want.Header[:], tt.segment)
			assert.Equal(t, want, out.Record)

			parsed, payload := RecordOf(1, tt.segment)
			assert.Equal(t, want, parsed, "the parser alone says the same")
			assert.Equal(t, tt.payload, payload)
			assert.True(t, receive(t, r, 1, fetchAdd(base, 1)).Executed)
		})
	}
}

// Errors of the parser: which octets are payload, and what the Terminate says.
func TestParserErrors(t *testing.T) {
	send := wire.UntaggedHeader(wire.OpSend, 1, 0)
	version := send
	version.DV = 2
	queue := send
	queue.QueueNumber = 2
	write := wire.TaggedHeader(wire.OpWrite, 1, 2, true)
	write.DV = 0
	offset := wire.UntaggedHeader(wire.OpTerminate, 1, 4)
	short := wire.UntaggedHeader(wire.OpTerminate, 1, 0)
	octets := []byte{1, 2, 3}

	for _, tt := range []struct {
		name    string
		segment []byte
		want    wire.ErrorKind
		term    wire.TerminateCode
		payload []byte
	}{
		{"no octets", nil, wire.ErrShortHeader, wire.TerminateCode{Layer: 1}, nil},
		{"DDP version, untagged", wire.AppendSegment(nil, version, octets), wire.ErrDDPVersion, wire.TerminateCode{Layer: 1, EType: 2, Code: 6}, nil},
		{"DDP version, tagged", wire.AppendSegment(nil, write, octets), wire.ErrDDPVersion, wire.TerminateCode{Layer: 1, EType: 1, Code: 4}, nil},
		{"queue mismatch", wire.AppendSegment(nil, queue, octets), wire.ErrQueueMismatch, wire.TerminateCode{Layer: 0, EType: 2, Code: 6}, nil},
		{"message offset in a Terminate: its octets leave", wire.AppendSegment(nil, offset, octets), wire.ErrMessageOffset, wire.TerminateCode{Layer: 1, EType: 2, Code: 4}, octets},
		{"a short Terminate: its octets leave", wire.AppendSegment(nil, short, octets), wire.ErrLength, wire.TerminateCode{Layer: 0, EType: 2, Code: 7}, octets},
		{"an Atomic Request of 51 octets", fetchAdd(base, 1)[:69], wire.ErrLength, wire.TerminateCode{Layer: 0, EType: 2, Code: 7}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := small(t, nil)
			record := refused(t, r, 0, tt.segment, tt.want)
			want := Record{Error: tt.want, Term: tt.term, SegmentLength: len(tt.segment), PayloadLength: len(tt.payload)}
			copy(want.Header[:], tt.segment)
			assert.Equal(t, want, record)

			parsed, payload := RecordOf(0, tt.segment)
			assert.Equal(t, want, parsed)
			assert.Equal(t, tt.payload, payload)
			assert.True(t, r.Terminated(0))
		})
	}
}

func TestRecordOfAnAtomicRequest(t *testing.T) {
	segment := fetchAdd(base+1, 1)
	record, payload := RecordOf(3, segment)
	assert.Equal(t, Record{Stream: 3, SegmentLength: 70, Header: [70]byte(segment)}, record,
		"a misaligned address is none of the parser's business")
	assert.Nil(t, payload)
}

func msn(t testing.TB, response []byte) uint32 {
	t.Helper()
	s, kind := wire.Classify(response)
	require.Equal(t, wire.ErrNone, kind)
	require.Equal(t, wire.OpAtomicResponse, s.Header.Opcode)
	return s.Header.MSN
}

// The responses of each stream count from 1, and after 2^32 - 1 comes 0.
func TestResponseMSN(t *testing.T) {
	r := small(t, nil)
	for want := uint32(1); want < 4; want++ {
		assert.Equal(t, want, msn(t, receive(t, r, 0, fetchAdd(base, 1)).Response))
	}
	assert.Equal(t, uint32(1), msn(t, receive(t, r, 1, fetchAdd(base, 1)).Response), "each stream by itself")

	receive(t, r, 0, wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, nil))
	assert.Equal(t, uint32(4), msn(t, receive(t, r, 0, fetchAdd(base, 1)).Response), "other messages do not count")

	require.NoError(t, r.Setup(0, 1<<32-1))
	assert.Equal(t, uint32(1<<32-1), msn(t, receive(t, r, 0, fetchAdd(base, 1)).Response))
	assert.Equal(t, uint32(0), msn(t, receive(t, r, 0, fetchAdd(base, 1)).Response))
	assert.Equal(t, uint32(1), msn(t, receive(t, r, 0, fetchAdd(base, 1)).Response))
}

func TestTwoStreamsOnOneWord(t *testing.T) {
	r := small(t, nil)
	for i := range uint64(10) {
		out := receive(t, r, uint32(i%2), fetchAdd(base+8, 3))
		assert.Equal(t, 3*i, out.Retired.Original, "no addition is lost")
	}
	assert.Equal(t, uint64(30), words(t, r)[1])
}

func TestReservedBitsAreIgnored(t *testing.T) {
	r := small(t, nil)
	h := wire.UntaggedHeader(wire.OpAtomicRequest, 0, 0)
	h.DDPReserved, h.RDMAPReserved, h.InvalidateSTag = 0xF, 3, 0xFFFFFFFF
	request := wire.NewFetchAdd(1, stag, base, 5, 0)
	request.Reserved = 1<<28 - 1
	request.CompareData, request.CompareMask = 0x55, 0xAA // ignored by FetchAdd
	out := receive(t, r, 0, request.AppendEncode(h.AppendEncode(nil)))
	require.True(t, out.Executed)
	assert.Equal(t, uint64(5), out.Retired.Result)
	assert.Equal(t, octets(t, "41 4B 00000000"), out.Response[:6], "and zero on transmit")
}

func TestHostAccess(t *testing.T) {
	r := small(t, nil)
	access, err := r.HostAccess(true, 7, 0x0123456789ABCDEF)
	require.NoError(t, err)
	assert.Equal(t, Retired{Host: true, Opcode: 1, Index: 7, Original: 0, Result: 0x0123456789ABCDEF}, access)

	assert.Equal(t, uint64(0x0123456789ABCDEF), receive(t, r, 0, fetchAdd(base+56, 1)).Retired.Original)

	access, err = r.HostAccess(false, 7, 99)
	require.NoError(t, err)
	assert.Equal(t, Retired{Host: true, Index: 7, Original: 0x0123456789ABCDF0, Result: 0x0123456789ABCDF0}, access)

	for _, index := range []int{-1, 8} {
		_, err = r.HostAccess(true, index, 0)
		assert.EqualError(t, err, fmt.Sprintf("rdmap: word %d; allowed: 0..7", index))
	}
}

func TestErrorsOfTheCaller(t *testing.T) {
	for _, streams := range []int{0, -1, MaxStreams + 1} {
		_, err := New(Config{Streams: streams, WindowWords: 1})
		assert.EqualError(t, err, fmt.Sprintf("rdmap: Streams is %d; allowed: 1..16384", streams))
	}
	_, err := New(Config{Streams: 1})
	assert.EqualError(t, err, "rdmap: window: memory: Words is 0; allowed: 1..67108864")

	r := small(t, nil)
	_, err = r.Receive(2, nil)
	assert.EqualError(t, err, "rdmap: stream 2; allowed: 0..1")
	assert.EqualError(t, r.Setup(1<<32-1, 1), "rdmap: stream 4294967295; allowed: 0..1")
	assert.False(t, r.Terminated(5))
	_, err = r.Receive(0, make([]byte, 65536))
	assert.EqualError(t, err, "rdmap: segment has 65536 octets; allowed: 0..65535")
	assert.False(t, r.Terminated(0), "a caller's error is not the stream's")
}

func TestReceiveDoesNotAllocate(t *testing.T) {
	r := small(t, nil)
	good, bad := fetchAdd(base, 1), fetchAdd(base+1, 1)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		if out, err := r.Receive(0, good); err != nil || !out.Executed {
			panic("not executed")
		}
	}))
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		if out, err := r.Receive(1, bad); err != nil || out.Executed {
			panic("executed")
		}
		_ = r.Setup(1, 1)
	}), "errors neither")
}

func BenchmarkReceive(b *testing.B) {
	r := small(b, nil)
	segment := fetchAdd(base, 1)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Receive(0, segment); err != nil {
			b.Fatal(err)
		}
	}
}
