package replay

import (
	"bytes"
	"fmt"
	"net/netip"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/cosim/capture/roce"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/wire"
)

const captures = "../../capture/testdata/siw/"

var (
	options = Options{Config: gen.Default(), Engine: "go"}
	onGo    = New(options)
)

func open(t *testing.T, name string) *capture.Capture {
	t.Helper()
	c, err := capture.Open(captures + "siw612_" + name + ".pcap")
	require.NoError(t, err)
	return c
}

// Traffic of the kernel's driver in hardware and model: there is no difference, and only connections refused by MPA are omitted.
func TestCaptures(t *testing.T) {
	files, err := filepath.Glob(captures + "*.pcap")
	require.NoError(t, err)
	require.Len(t, files, 21)
	var sum Report
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			c, err := capture.Open(f)
			require.NoError(t, err)
			r, err := onGo.Replay(c)
			require.NoError(t, err)
			require.Zero(t, r.Mismatches, "%v", r.First)
			assert.Equal(t, c.Summary().FPDUs, r.Segments+r.SegmentsLeftOut)
			assert.Equal(t, c.Summary().CRCBad, r.SegmentsLeftOut)
			sum.Connections += r.Connections
			sum.Segments += r.Segments
			sum.Messages += r.Messages
			sum.Completions += r.Completions
			sum.Terminates += r.Terminates
			sum.TerminateCodes += r.TerminateCodes
			sum.MemoryOctets += r.MemoryOctets
			sum.ReadOctets += r.ReadOctets
			sum.ReadOctetsKnown += r.ReadOctetsKnown
			sum.HostStores += r.HostStores
		})
	}
	// Of the four Terminates, the one for an Atomic Request was sent because the driver does not support that opcode.
	assert.Equal(t, Report{Connections: 24, Segments: 968, Messages: 674, Completions: 967, Terminates: 4, TerminateCodes: 3,
		MemoryOctets: 372024, ReadOctets: 173578, ReadOctetsKnown: 59874, HostStores: 31}, sum)
}

// An rnic responds to atomics as the kernel's RoCE driver did. The previous value of the word is known from the capture for
// 7 of them.
func TestRoCEAtomics(t *testing.T) {
	files, err := filepath.Glob(captures + "../rxe/*.pcap")
	require.NoError(t, err)
	require.Len(t, files, 6)
	atomics, known, stores := 0, 0, 0
	for _, f := range files {
		c, err := capture.Open(f)
		require.NoError(t, err)
		r, err := onGo.Replay(c)
		require.NoError(t, err)
		require.Zero(t, r.Mismatches, "%s: %v", f, r.First)
		assert.Equal(t, c.Summary().AtomicsAnswered, r.RoCEAtomics)
		atomics, known, stores = atomics+r.RoCEAtomics, known+r.ReadOctetsKnown, stores+r.HostStores
	}
	assert.Equal(t, []int{48, 8 * 7, 0}, []int{atomics, known, stores})
}

// The same on Verilator, for a capture with all operations.
func TestCapturesOnVerilator(t *testing.T) {
	o := options
	o.Engine = "verilator"
	onVerilator := New(o)
	for _, name := range []string{"crc_rtest_ops", "crc_nvmeof", "crc_term05_rbadkey_64"} {
		want, err := onGo.Replay(open(t, name))
		require.NoError(t, err)
		have, err := onVerilator.Replay(open(t, name))
		require.NoError(t, err)
		require.Zero(t, have.Mismatches, "%v", have.First)
		assert.Equal(t, want, have, "both engines take the same number of cycles")
	}
}

// A configuration with the smallest queues and segments, stalled everywhere.
func TestSmallestConfiguration(t *testing.T) {
	o := options
	o.Config.BusBytes, o.Config.Streams, o.Config.STags, o.Config.IRD, o.Config.ORD = 8, 4, 16, 1, 2
	o.Config.ReceiveDepth, o.Config.SendDepth, o.Config.MaxPayload, o.Config.AtomicDepth = 2, 2, 256, 16
	o.Stall = simulator.Stall{Mode: simulator.StallRandom, Chance: 100}
	small := New(o)
	for _, name := range []string{"crc_rtest_ops", "crc_nvmeof", "ib_write_bw_bidir_2qp", "crc_term20_send_too_long"} {
		r, err := small.Replay(open(t, name))
		require.NoError(t, err)
		assert.Zero(t, r.Mismatches, "%v", r.First)
	}
}

func TestRefusesWhatDoesNotFit(t *testing.T) {
	o := options
	o.Config.Streams = 2
	_, err := New(o).Replay(open(t, "ib_write_bw_bidir_2qp"))
	o.Grow = true
	r, growing := New(o).Replay(open(t, "ib_write_bw_bidir_2qp"))
	require.NoError(t, growing)
	assert.Equal(t, 3, r.Connections)
	o.Grow = false
	assert.EqualError(t, err, "config: streams is 2; the capture needs more")
	var many []capture.Segment
	for i := range uint32(17) {
		many = append(many, capture.Segment{ToServer: true, ULPDU: wire.AppendWrite(nil, 0xABC000+i<<8, 0, true, []byte{1})})
	}
	o.Config.STags = 16
	_, err = New(o).Replay(written(t, conversation(many...)))
	assert.EqualError(t, err, "config: stags is 16; the capture needs more")
}

// conversation is a connection with these segments.
func conversation(segments ...capture.Segment) capture.Conversation {
	return capture.Conversation{Client: netip.MustParseAddrPort("192.0.2.1:1000"), Server: netip.MustParseAddrPort("192.0.2.2:2000"), Segments: segments}
}

// written is a capture of conversations.
func written(t *testing.T, list ...capture.Conversation) *capture.Capture {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, capture.WriteIWARP(&file, list))
	c, err := capture.Read("written", &file)
	require.NoError(t, err)
	return c
}

func up(ulpdu []byte) capture.Segment   { return capture.Segment{ToServer: true, ULPDU: ulpdu} }
func down(ulpdu []byte) capture.Segment { return capture.Segment{ULPDU: ulpdu} }

// replayed replays segments and requires that there is no mismatch.
func replayed(t *testing.T, segments ...capture.Segment) Report {
	t.Helper()
	r, err := onGo.Replay(written(t, conversation(segments...)))
	require.NoError(t, err)
	require.Zero(t, r.Mismatches, "%v", r.First)
	return r
}

func answer(msn, id uint32, original uint64) []byte {
	return wire.AppendAtomicResponse(nil, msn, wire.AtomicResponse{OriginalRequestIdentifier: id, OriginalRemoteDataValue: original})
}

// Atomics on a word filled by a Write, with identifiers that the requester here would not choose, and a Read of the result.
func TestAtomics(t *testing.T) {
	const stag, sink, to = 0x01020304, 0x77000001, 0x7f0000000010
	read := wire.ReadRequest{DataSinkSTag: sink, DataSinkTO: 5, ReadMessageSize: 8, DataSourceSTag: stag, DataSourceTO: to}
	segments := []capture.Segment{
		up(wire.AppendWrite(nil, stag, to, true, []byte{0xFF, 0, 0, 0, 0, 0, 0, 0x80})),
		up(wire.AppendAtomicRequest(nil, 1, wire.NewFetchAdd(900, stag, to, 2, 0))),
		down(answer(1, 900, 0x80000000000000FF)),
		up(wire.AppendAtomicRequest(nil, 2, wire.NewCmpSwap(901, stag, to, 0x1234, 0xFFFF, 0x0101, 0xFF))),
		up(wire.AppendReadRequest(nil, 3, read)),
		down(answer(2, 901, 0x8000000000000101)),
		down(wire.AppendReadResponse(nil, sink, 5, true, []byte{0x34, 0x12, 0, 0, 0, 0, 0, 0x80})),
		up(wire.AppendAtomicRequest(nil, 4, wire.NewFetchAdd(902, stag, to+8, 1, 0))), // the capture ends before the response
	}
	r := replayed(t, segments...)
	assert.Equal(t, 24, r.ReadOctetsKnown)
	assert.Zero(t, r.HostStores)
	assert.Equal(t, 8, r.Messages, "5 of the client, 3 responses")

	segments[6] = down(wire.AppendReadResponse(nil, sink, 5, true, []byte{0x34, 0x12, 0, 1, 0, 0, 0, 0x80}))
	r = replayed(t, segments...)
	assert.Equal(t, 1, r.HostStores, "a response that earlier messages do not explain")
	assert.Equal(t, 23, r.ReadOctetsKnown)
}

// Immediate Data, all Sends, an STag that is invalidated and returns with another key, and one that returns unchanged.
func TestSendsOfAllKinds(t *testing.T) {
	const stag = 0x00012305
	send := func(op wire.Opcode, invalidate, msn uint32, data string) capture.Segment {
		return down(wire.AppendSend(nil, op, invalidate, msn, 0, true, []byte(data)))
	}
	r := replayed(t,
		send(wire.OpSend, 0, 1, "one"),
		down(wire.AppendImmediate(nil, false, 2, 0x0102030405060708)),
		down(wire.AppendImmediate(nil, true, 3, 9)),
		down(wire.AppendWrite(nil, stag, 0xFFFFFFFFFFFFFFF0, true, []byte("the last octets."))),
		send(wire.OpSendInv, stag, 4, "four"),
		down(wire.AppendWrite(nil, stag+1, 0x10, true, []byte("another key"))),
		send(wire.OpSendSEInv, stag+1, 5, ""),
		down(wire.AppendWrite(nil, stag+1, 0x2000, true, []byte("the same key"))),
		send(wire.OpSendSE, 0, 6, "six"),
		down(wire.AppendSend(nil, wire.OpSend, 0, 7, 0, false, []byte("a Send that the capture "))),
		down(wire.AppendSend(nil, wire.OpSend, 0, 7, 24, false, []byte("has not to its end"))),
	)
	assert.Equal(t, 9, r.Messages, "all but the last Send, which is not posted")
	assert.Equal(t, 15, r.Completions)
	assert.Equal(t, 16+11+12+3+4+3+42, r.MemoryOctets)
}

// Segments of maximum length, both ways at once, and a Read of them.
func TestLongestSegments(t *testing.T) {
	long := make([]byte, wire.MaxSegment-18)
	for i := range long {
		long[i] = byte(i * i >> 3)
	}
	read := wire.ReadRequest{DataSinkSTag: 0x100, DataSinkTO: 77, ReadMessageSize: uint32(len(long)), DataSourceSTag: 0x200, DataSourceTO: 3}
	r := replayed(t,
		up(wire.AppendWrite(nil, 0x200, 3, true, long)),
		down(wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, long)),
		up(wire.AppendReadRequest(nil, 1, read)),
		down(wire.AppendReadResponse(nil, 0x100, 77, true, long)),
	)
	assert.Equal(t, 3*len(long), r.MemoryOctets)
	assert.Equal(t, len(long), r.ReadOctetsKnown)
}

// Two hosts that both connect to each other, one that connects to itself, and a third: STags belong to the host.
func TestHosts(t *testing.T) {
	var list []capture.Conversation
	for i, ends := range [][2]string{{"192.0.2.1:1000", "192.0.2.2:2000"}, {"192.0.2.2:1001", "192.0.2.1:2000"}, {"192.0.2.1:1002", "192.0.2.1:2000"}, {"192.0.2.3:9", "192.0.2.1:2000"}} {
		c := conversation(
			up(wire.AppendWrite(nil, 0x500, 0, true, fmt.Appendf(nil, "to the server, connection %d", i))),
			down(wire.AppendWrite(nil, 0x500, 100, true, fmt.Appendf(nil, "to the client, connection %d", i))),
		)
		c.Client, c.Server = netip.MustParseAddrPort(ends[0]), netip.MustParseAddrPort(ends[1])
		list = append(list, c)
	}
	r, err := onGo.Replay(written(t, list...))
	require.NoError(t, err)
	require.Zero(t, r.Mismatches, "%v", r.First)
	assert.Equal(t, 4, r.Connections)
	assert.Equal(t, 5*27, r.MemoryOctets, "three hosts, of which one is only a client")
	assert.Equal(t, 1, r.STagsMapped, "two of the hosts are on one node")
}

// terminate builds a Terminate for a segment, in the layout of RFC 5040 or of the kernel's driver.
func terminate(code wire.TerminateCode, segment []byte, kernel bool) []byte {
	parts, _ := wire.Classify(segment)
	b := wire.AppendTerminate(nil, wire.Terminate{Code: code, LengthValid: true, HasDDP: true, DDPSegmentLength: uint16(len(segment)), DDP: parts.Header})
	if kernel {
		at := wire.DDPUntaggedTable.Octets
		b[at] = b[at]<<4 | b[at]>>4
		b[at+2] = 3
	}
	return b
}

// For every reason a peer can have to refuse a segment, an engine set up according to the Terminate refuses it for the same reason.
func TestRefusals(t *testing.T) {
	write := wire.AppendWrite(nil, 0x1234AB, 0x1000, true, []byte("refused"))
	single := wire.AppendWrite(nil, 0x1234AB, 0x1000, true, []byte("!"))
	read := wire.AppendReadRequest(nil, 1, wire.ReadRequest{DataSinkSTag: 1 << 8, ReadMessageSize: 9, DataSourceSTag: 0x1234AB, DataSourceTO: 8})
	atomic := wire.AppendAtomicRequest(nil, 1, wire.NewFetchAdd(1, 0x1234AB, 8, 1, 0))
	send := func(op wire.Opcode, data string) []byte {
		return wire.AppendSend(nil, op, 0x1234AB, 2, 0, true, []byte(data))
	}
	for _, tt := range []struct {
		layer, etype, code uint8
		segments           [][]byte
	}{
		{1, 1, 0x00, [][]byte{write, single}},
		{1, 1, 0x01, [][]byte{write, single}},
		{1, 1, 0x02, [][]byte{write}},
		{0, 1, 0x02, [][]byte{write, read, atomic}},
		{0, 1, 0x00, [][]byte{read, atomic}},
		{0, 1, 0x01, [][]byte{read, atomic}},
		{0, 1, 0x03, [][]byte{read, atomic}},
		{1, 1, 0x03, [][]byte{wire.AppendWrite(nil, 0x1234AB, ^uint64(0), true, []byte("wraps"))}},
		{0, 1, 0x04, [][]byte{wire.AppendReadRequest(nil, 1, wire.ReadRequest{ReadMessageSize: 2, DataSourceSTag: 0x1234AB, DataSourceTO: ^uint64(0)})}},
		{1, 2, 0x02, [][]byte{send(wire.OpSend, "no buffer"), send(wire.OpSendSEInv, ""), wire.AppendImmediate(nil, true, 2, 5)}},
		{1, 2, 0x03, [][]byte{wire.AppendSend(nil, wire.OpSend, 0, 3, 0, true, nil)}},
		{1, 2, 0x05, [][]byte{send(wire.OpSend, "too long"), send(wire.OpSendInv, "!")}},
		{1, 2, 0x04, [][]byte{wire.AppendSend(nil, wire.OpSend, 0, 2, 9, true, nil)}},
		{0, 2, 0x06, [][]byte{wire.AppendReadResponse(nil, 0x1234AB, 0, true, nil)}},
		{0, 2, 0x05, [][]byte{{0x41, 0x03, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0}}},
	} {
		code := wire.TerminateCode{Layer: wire.Layer(tt.layer), EType: tt.etype, Code: tt.code}
		var list []capture.Conversation
		for _, segment := range tt.segments {
			for _, kernel := range []bool{false, true} {
				c := conversation(
					up(wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, []byte("first"))),
					up(segment),
					up(wire.AppendWrite(nil, 0x999900, 1, true, []byte("in flight when the Terminate is sent"))),
					down(terminate(code, segment, kernel)),
				)
				c.Server = netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(10 + len(list))}), 2000) // separate STags
				list = append(list, c)
			}
		}
		r, err := onGo.Replay(written(t, list...))
		require.NoError(t, err)
		assert.Zero(t, r.Mismatches, "%v: %v", code, r.First)
		assert.Equal(t, []int{len(list), len(list)}, []int{r.Terminates, r.TerminateCodes}, "%v", code)
	}
}

// A Send of two segments, the second of which does not fit.
func TestRefusesTheSecondSegment(t *testing.T) {
	second := wire.AppendSend(nil, wire.OpSend, 0, 1, 6, true, []byte("second"))
	r := replayed(t,
		up(wire.AppendSend(nil, wire.OpSend, 0, 1, 0, false, []byte("first,"))),
		up(second),
		down(terminate(wire.TerminateCode{Layer: 1, EType: 2, Code: 5}, second, false)),
	)
	assert.Equal(t, 1, r.TerminateCodes)
	assert.Equal(t, 6, r.MemoryOctets)
}

// A Terminate not caused by a segment ends no stream at the other side, but later segments are left out.
func TestTerminateOfTheNodesOwn(t *testing.T) {
	r := replayed(t,
		up(wire.AppendWrite(nil, 0x999900, 1, true, []byte("taken"))),
		down(wire.AppendTerminate(nil, wire.Terminate{})),
		up(wire.AppendWrite(nil, 0x999900, 1, true, []byte("left out"))),
	)
	assert.Equal(t, 1, r.SegmentsLeftOut)
	assert.Zero(t, r.Terminates)
	assert.Equal(t, 5, r.MemoryOctets)
}

// A peer that accepts an invalid segment, and one that refuses a valid one.
func TestDisagreement(t *testing.T) {
	for name, segments := range map[string][]capture.Segment{
		"an unsolicited response": {down(wire.AppendReadResponse(nil, 0x100, 0, true, []byte("?"))), up(wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, nil))},
		"a short response": {
			up(wire.AppendReadRequest(nil, 1, wire.ReadRequest{DataSinkSTag: 0x100, ReadMessageSize: 9, DataSourceSTag: 0x200})),
			down(wire.AppendReadResponse(nil, 0x100, 0, true, []byte("short"))),
		},
		"a valid Write refused": {
			up(wire.AppendWrite(nil, 0x200, 0, true, []byte("taken"))),
			up(wire.AppendWrite(nil, 0x200, 0, true, []byte("taken"))),
			down(terminate(wire.TerminateCode{Layer: 1, EType: 1}, wire.AppendWrite(nil, 0x200, 0, true, nil), false)),
		},
	} {
		r, err := onGo.Replay(written(t, conversation(segments...)))
		require.NoError(t, err)
		assert.NotZero(t, r.Mismatches, name)
		t.Log(r.First)
	}
}

// With the extension commit, an rnic also answers FLUSHes, ATOMIC WRITEs and Reads as the kernel's RoCE driver did.
func TestRoCECommits(t *testing.T) {
	o := options
	o.Config.Extensions = []string{"commit"}
	c, err := capture.Open(captures + "../rxe/rxe612_flush_atomicwrite.pcap")
	require.NoError(t, err)
	r, err := New(o).Replay(c)
	require.NoError(t, err)
	require.Zero(t, r.Mismatches, "%v", r.First)
	assert.Equal(t, []int{4, 2, 1}, []int{r.RoCEFlushes, r.RoCEAtomicWrites, r.RoCEAtomics})
	assert.Equal(t, []int{17, 9, 72, 36}, []int{r.Messages, r.Completions, r.ReadOctets, r.ReadOctetsKnown})

	// What is read is what was written before: another value in the capture shows as a store of the host.
	for _, p := range c.RoCE.Packets {
		if p.Opcode == roce.AtomicWrite {
			p.Payload[0]++
		}
	}
	r, err = New(o).Replay(c)
	require.NoError(t, err)
	assert.Equal(t, []int{0, 1}, []int{r.Mismatches, r.HostStores})

	without, err := onGo.Replay(c)
	require.NoError(t, err)
	assert.Equal(t, []int{0, 0, 1, 0}, []int{without.RoCEFlushes, without.RoCEAtomicWrites, without.RoCEAtomics, without.Mismatches})
}

// A response to a FLUSH that never arrived, with another PSN, means that the FLUSH is not translated; a second copy of a request neither.
func TestRoCECommitsAnsweredOnce(t *testing.T) {
	o := options
	o.Config.Extensions = []string{"commit"}
	c, err := capture.Open(captures + "../rxe/rxe612_flush_atomicwrite.pcap")
	require.NoError(t, err)
	var list []roce.Arrival
	for _, p := range c.RoCE.Packets {
		if p.Number == 9 {
			continue
		}
		if list = append(list, p); p.Number == 14 {
			p.Number = 1000
			list = append(list, p)
		}
	}
	c.RoCE.Packets = list
	r, err := New(o).Replay(c)
	require.NoError(t, err)
	require.Zero(t, r.Mismatches, "%v", r.First)
	assert.Equal(t, []int{3, 2, 1}, []int{r.RoCEFlushes, r.RoCEAtomicWrites, r.RoCEAtomics})
}

// withCommit replays a conversation with the extension commit.
func withCommit(t *testing.T, segments ...capture.Segment) Report {
	t.Helper()
	o := options
	o.Config.Extensions = []string{"commit"}
	r, err := New(o).Replay(written(t, conversation(segments...)))
	require.NoError(t, err)
	return r
}

// A FLUSH and an ATOMIC WRITE that invalidate an STag: it is registered again, and what it named then is other memory.
func TestCommitsInvalidate(t *testing.T) {
	const stag, other = 0x00012305, 0x00045607
	flush := func(msn, invalidate uint32) capture.Segment {
		return up(wire.AppendFlushRequest(nil, msn, invalidate, wire.FlushRequest{Sink: wire.Sink{STag: stag, TO: 0x100, Length: 5}, Flags: wire.Persistence}))
	}
	store := func(msn, invalidate uint32, data uint64) capture.Segment {
		return up(wire.AppendAtomicWriteRequest(nil, msn, invalidate, wire.AtomicWriteRequest{Sink: wire.Sink{STag: stag, TO: 0x108, Length: 8}, Data: data}))
	}
	read := wire.ReadRequest{DataSinkSTag: 0x99000001, ReadMessageSize: 8, DataSourceSTag: stag, DataSourceTO: 0x108}
	r := withCommit(t,
		up(wire.AppendWrite(nil, stag, 0x100, true, []byte("first"))),
		up(wire.AppendWrite(nil, other, 0, true, []byte("gone with the Flush"))),
		flush(1, other),
		down(wire.AppendFlushResponse(nil, 1)),
		store(2, stag, 0x0102030405060708),
		down(wire.AppendAtomicWriteResponse(nil, 2)),
		up(wire.AppendWrite(nil, stag, 0x100, true, []byte("anew!"))),
		store(3, 0, 0x1112131415161718),
		down(wire.AppendAtomicWriteResponse(nil, 3)),
		up(wire.AppendReadRequest(nil, 4, read)),
		down(wire.AppendReadResponse(nil, read.DataSinkSTag, 0, true, []byte{0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18})),
		flush(5, stag),
		down(wire.AppendFlushResponse(nil, 4)),
	)
	require.Zero(t, r.Mismatches, "%v", r.First)
	assert.Equal(t, []int{13, 8}, []int{r.Messages, r.Completions})
	assert.Equal(t, []int{8, 8, 0}, []int{r.ReadOctets, r.ReadOctetsKnown, r.HostStores})
	assert.Equal(t, 5+19+8+5+8+8, r.MemoryOctets)

	c := options.Config
	c.Extensions = []string{"commit"}
	said := listen(c.Protocol(), [][]byte{flush(1, other).ULPDU, store(2, stag, 0).ULPDU, store(3, 0, 0).ULPDU})
	for i, want := range []uint32{other, stag, 0} {
		assert.Equal(t, want, said.of[i].stag, "the engine in the place of its sender is told to invalidate it")
	}
}

// What memory holds cannot be inferred from a VERIFY, which is refused.
func TestRefusesVerify(t *testing.T) {
	o := options
	o.Config.Extensions = []string{"commit"}
	_, err := New(o).Replay(written(t, conversation(
		up(wire.AppendWrite(nil, 0x200, 0, true, []byte("octets"))),
		up(wire.AppendVerifyRequest(nil, 1, 0, wire.VerifyRequest{Sink: wire.Sink{STag: 0x200, Length: 6}})),
	)))
	require.ErrorContains(t, err, "an RDMA Verify: replay cannot infer from it what memory holds")
}
