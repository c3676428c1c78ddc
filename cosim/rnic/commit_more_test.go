package rnic_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

const victimSTag = rowVictim << 8

func rangeOf(row int) simulator.Range {
	return simulator.Range{First: rowAddress(row), Last: rowAddress(row) + rowOctets - 1}
}

// invalidations is what the engine has counted.
func invalidations(t *testing.T, n *rnic.Node) uint32 {
	count, err := n.Device.ReadRegister("invalidations")
	require.NoError(t, err)
	return count
}

// unfollowed is [answers] without comparing the engine with the model: what a Read that waits does is not known there, nor a word that
// memory does not deliver.
func unfollowed(t *testing.T, n *rnic.Node, segments ...[]byte) (octets [][]byte) {
	for _, s := range segments {
		n.Device.Send(0, s)
	}
	for range 8 {
		_, err := n.Device.Run(20000, 500)
		require.NoError(t, err)
		for _, s := range n.Device.Take().Segments {
			octets = append(octets, s.Octets)
		}
	}
	return octets
}

// refused is the Terminate of a request that is wrong, or fails: without its header if it is bare (I-93).
func refused(layerAndType, code byte, request []byte, bare bool) []byte {
	octets := terminated(layerAndType, code, request)
	if bare {
		return append(octets[:20], 0, 0, 0, 0)[:22]
	}
	return octets
}

// A request that fails invalidates nothing (I-52).
func TestCommitFailsInvalidatesNothing(t *testing.T) {
	wrong := hashOf100()
	wrong[0] ^= 0x80
	for _, row := range []struct {
		says    string
		request []byte
		code    byte
	}{
		{"a Flush", flushOf(1, victimSTag, rowLog), 0x07},
		{"a Verify", wire.AppendVerifyRequest(nil, 1, victimSTag, wire.VerifyRequest{Sink: sinkIn(rowLog, 7, 100), Hash: wrong}), 0xFF},
		{"an Atomic Write", atomicWriteOf(1, victimSTag, rowRefuses), 0x07},
	} {
		t.Run(row.says, func(t *testing.T) {
			n := commitNode(t)
			n.Device.FailFlushes(rangeOf(rowLog))
			assert.Equal(t, [][]byte{terminated(0x02, row.code, row.request)}, answers(t, n, row.request))
			assert.Zero(t, invalidations(t, n))
			require.NoError(t, n.Settle())
		})
	}
}

// Each of several requests of one kind invalidates its own STag, once.
func TestCommitInvalidatesEach(t *testing.T) {
	n := commitNode(t)
	another := memory.Region{Valid: true, Key: 9, Rights: memory.RemoteRead | memory.Invalidate, Length: rowOctets, Address: rowAddress(5)}
	require.NoError(t, n.SetRegion(5, another))
	got := answers(t, n, flushOf(1, victimSTag, rowLog), flushOf(2, memory.STag(5, 9), rowLog), flushOf(3, 0, rowLog))
	assert.Equal(t, [][]byte{empty(wire.OpFlushResponse, 1), empty(wire.OpFlushResponse, 2), empty(wire.OpFlushResponse, 3)}, got)
	assert.EqualValues(t, 2, invalidations(t, n))
	read := wire.AppendReadRequest(nil, 4, wire.ReadRequest{DataSinkSTag: 1, ReadMessageSize: 4, DataSourceSTag: memory.STag(5, 9)})
	got = answers(t, n, read)
	require.Len(t, got, 1)
	assert.Equal(t, []byte{0x01, 0x00}, got[0][18:20], "it is invalid")
	require.NoError(t, n.Settle())
}

// What waits while its STags are invalidated fails in its turn: a Read or Atomic without its header (I-93), and its own STag
// before its Invalidate STag (I-53).
func TestCommitWaitsForInvalidation(t *testing.T) {
	for _, row := range []struct {
		says string
		wait []byte
		code byte
		bare bool
	}{
		{"a Read", wire.AppendReadRequest(nil, 2, wire.ReadRequest{DataSinkSTag: 1, ReadMessageSize: 4, DataSourceSTag: victimSTag}), 0x00, true},
		{"an Atomic Write", atomicWriteOf(2, 0, rowVictim), 0x00, false},
		{"an Atomic Write that also invalidates it", atomicWriteOf(2, victimSTag, rowVictim), 0x00, false},
		{"a Flush of no octets of it", wire.AppendFlushRequest(nil, 2, 0, wire.FlushRequest{Sink: sinkIn(rowVictim, 7, 0), Flags: 1}), 0x00, false},
		{"a Verify of no octets of it", wire.AppendVerifyRequest(nil, 2, 0, wire.VerifyRequest{Sink: sinkIn(rowVictim, 7, 0)}), 0x00, false},
		{"a Verify that also invalidates it", wire.AppendVerifyRequest(nil, 2, victimSTag, wire.VerifyRequest{Sink: sinkIn(rowLog, 0, 0)}), 0x09, false},
	} {
		t.Run(row.says, func(t *testing.T) {
			n := commitNode(t)
			got := unfollowed(t, n, flushOf(1, victimSTag, rowLog), row.wait)
			assert.Equal(t, [][]byte{empty(wire.OpFlushResponse, 1), refused(0x01, row.code, row.wait, row.bare)}, got)
			assert.EqualValues(t, 1, invalidations(t, n))
		})
	}
}

// A region that the host registers again while a request waits: its new STag is another one (I-92), or it may not be invalidated any more.
func TestCommitRegisteredAgain(t *testing.T) {
	for says, region := range map[string]memory.Region{
		"a new key": {Valid: true, Key: 7, Rights: memory.RemoteRead | memory.Invalidate},
		"no right":  {Valid: true, Rights: memory.RemoteRead},
	} {
		t.Run(says, func(t *testing.T) {
			n := commitNode(t)
			waits := atomicWriteOf(2, victimSTag, rowTail)
			n.Send(0, flushOf(1, 0, rowLog))
			n.Send(0, waits)
			var got [][]byte
			run := func(cycles uint64) {
				out, err := n.Run(cycles, 0)
				require.NoError(t, err)
				for _, s := range out.Segments {
					got = append(got, s.Octets)
				}
			}
			run(300) // the platform has been asked
			require.Empty(t, got)
			region.Length, region.Address = rowOctets, rowAddress(rowVictim)
			require.NoError(t, n.SetRegion(rowVictim, region))
			for range 6 {
				run(1000)
			}
			assert.Equal(t, [][]byte{empty(wire.OpFlushResponse, 1), terminated(0x01, 0x09, waits)}, got)
			assert.Zero(t, invalidations(t, n))
		})
	}
}

// An Atomic Write of a word that memory does not deliver fails.
func TestCommitUnreadableWord(t *testing.T) {
	n := commitNode(t)
	faulty := rangeOf(rowTail)
	faulty.Reads = true
	require.NoError(t, n.SetFaulty(faulty))
	request := atomicWriteOf(1, victimSTag, rowTail)
	assert.Equal(t, [][]byte{terminated(0x02, 0x07, request)}, unfollowed(t, n, request))
	assert.Equal(t, make([]byte, 8), tail(t, n, rowTail))
	assert.Zero(t, invalidations(t, n))
}

// A Send with Invalidate just ahead of a request that names its STag, also for no octets: the request breaks a rule on arrival, and counts as
// a segment in error.
func TestCommitBehindSendInvalidate(t *testing.T) {
	for _, row := range []struct {
		says    string
		request []byte
		code    byte
	}{
		{"invalidates it again", flushOf(1, victimSTag, rowLog), 0x09},
		{"a Flush", flushOf(1, 0, rowVictim), 0x00},
		{"a Flush of no octets", wire.AppendFlushRequest(nil, 1, 0, wire.FlushRequest{Sink: sinkIn(rowVictim, 7, 0), Flags: 1}), 0x00},
		{"a Verify of no octets", wire.AppendVerifyRequest(nil, 1, 0, wire.VerifyRequest{Sink: sinkIn(rowVictim, 7, 0)}), 0x00},
		{"an Atomic Write", atomicWriteOf(1, 0, rowVictim), 0x00},
	} {
		t.Run(row.says, func(t *testing.T) {
			n := commitNode(t)
			require.NoError(t, n.PostReceive(rdmap.ReceiveRequest{Stream: 0, ID: 5}))
			_, err := n.Run(1000, 200)
			require.NoError(t, err)
			got := answers(t, n, wire.AppendSend(nil, wire.OpSendInv, victimSTag, 1, 0, true, nil), row.request)
			assert.Equal(t, [][]byte{terminated(0x01, row.code, row.request)}, got)
			count, err := n.Device.ReadRegister("segments_in_error")
			require.NoError(t, err)
			assert.EqualValues(t, 1, count)
			require.NoError(t, n.Settle())
		})
	}
}

// The platform is asked for what the flags of the request say, and told the type of the region.
func TestCommitAsksPlatform(t *testing.T) {
	n := commitNode(t)
	const peer = 5
	require.NoError(t, n.SetRegion(peer, memory.Region{Valid: true, Rights: memory.RemoteWrite | memory.FlushPersistent | memory.FlushVisible, Base: 1 << 40, Length: rowOctets,
		Address: rowAddress(peer), Attributes: memory.Attributes{Type: memory.PeerToPeer}}))
	for i, flags := range []wire.Disposition{1, 2, 3} {
		msn := uint32(1 + i)
		request := wire.AppendFlushRequest(nil, msn, 0, wire.FlushRequest{Sink: sinkIn(peer, 1<<40+3, 1000+msn), Flags: flags})
		assert.Equal(t, [][]byte{empty(wire.OpFlushResponse, msn)}, answers(t, n, request))
		latest := n.Device.LatestFlush()
		assert.Equal(t, rnic.Flush{ID: latest.ID, Address: rowAddress(peer) + 3, Octets: 1000 + msn, Type: memory.PeerToPeer, Persistent: flags&1 != 0, Visible: flags&2 != 0}, latest)
	}
	require.NoError(t, n.Settle())
}

// Invalidations by a request and by a Send of another stream are all counted, also if both happen in one cycle.
func TestCommitCountsInvalidations(t *testing.T) {
	n := commitNode(t)
	require.NoError(t, n.Open(1, 0))
	for msn := uint32(1); msn <= 40; msn++ {
		for row, owner := range map[int]uint16{rowVictim: 0, 5: 1} {
			require.NoError(t, n.SetRegion(row, memory.Region{Valid: true, Rights: memory.Invalidate | memory.FlushPersistent, Owner: owner, Length: rowOctets, Address: rowAddress(row),
				Attributes: memory.Attributes{Type: memory.Flushable}}))
		}
		require.NoError(t, n.PostReceive(rdmap.ReceiveRequest{Stream: 1, ID: uint64(msn)}))
		_, err := n.Run(200, 0)
		require.NoError(t, err)
		n.Send(0, wire.AppendFlushRequest(nil, msn, victimSTag, wire.FlushRequest{Sink: sinkIn(rowVictim, 0, 0), Flags: 1}))
		_, err = n.Run(uint64(msn), 0)
		require.NoError(t, err)
		n.Send(1, wire.AppendSend(nil, wire.OpSendInv, memory.STag(5, 0), msn, 0, true, nil))
		_, err = n.Run(1000, 200)
		require.NoError(t, err)
		require.EqualValues(t, 2*msn, invalidations(t, n))
	}
	require.NoError(t, n.Settle())
}

// The digest of a Verify needs a buffer that may be written, and is as long as the algorithm says (I-90, I-91).
func TestCommitVerifyBuffer(t *testing.T) {
	for _, row := range []struct {
		says   string
		rights memory.Rights
		to     uint64
		status int // -1: it is sent
	}{
		{"the right to read it only", memory.LocalRead, 0, engine.StatusProtection},
		{"its end", memory.LocalWrite, rowOctets - 31, engine.StatusProtection},
		{"room", memory.LocalWrite, rowOctets - 32, -1},
	} {
		t.Run(row.says, func(t *testing.T) {
			n := commitNode(t)
			require.NoError(t, n.SetRegion(5, memory.Region{Valid: true, Rights: row.rights, Length: rowOctets, Address: rowAddress(5)}))
			require.NoError(t, n.PostWork(rdmap.WorkRequest{ID: 77, Opcode: wire.OpVerifyRequest, Signaled: true, Local: rdmap.Buffer{STag: memory.STag(5, 0), TO: row.to},
				Remote: rdmap.Buffer{STag: victimSTag}, Length: 1, Commit: rdmap.CommitOperands{Algorithm: memory.SHA256}}))
			out, err := n.Run(20000, 500)
			require.NoError(t, err)
			require.Len(t, out.Segments, 1)
			assert.Equal(t, row.status < 0, out.Segments[0].Octets[1] == 0x40|byte(wire.OpVerifyRequest))
			if row.status >= 0 {
				require.Len(t, out.Completions, 1)
				assert.EqualValues(t, row.status, out.Completions[0].Status)
			}
		})
	}
}

// After an Atomic Write of 1, a FetchAdd of 1 returns 1 in the order of the host, and 1 in the first octet in that of the wire (I-19).
func TestCommitAtomicWriteOrder(t *testing.T) {
	for order, want := range map[string]uint64{"": 1 << 56, "wire": 1 << 56, "host": 1} {
		c := commitConfig()
		c.AtomicWriteOrder = order
		d, err := rnic.Design(c)
		require.NoError(t, err)
		n := commitNodeWith(t, c, d)
		write := wire.AppendAtomicWriteRequest(nil, 1, 0, wire.AtomicWriteRequest{Sink: sinkIn(rowTail, 16, 8), Data: 1})
		got := answers(t, n, write, wire.AppendAtomicRequest(nil, 2, wire.NewFetchAdd(7, rowTail<<8, 16, 1, 0)))
		require.Len(t, got, 2)
		assert.Equal(t, wire.AppendAtomicResponse(nil, 2, wire.AtomicResponse{OriginalRequestIdentifier: 7, OriginalRemoteDataValue: want}), got[1], order)
		require.NoError(t, n.Settle())
	}
}

// A flush of no octets is found out, though its response is right.
func TestCommitFlushTooMany(t *testing.T) {
	d, err := gen.Compile(commitConfig())
	require.NoError(t, err)
	for _, m := range d.Modules() {
		if m.Top() == "flush_unit" {
			hdltest.Force(t, d, m.Name(), "has_no_octets", 0)
		}
	}
	n := commitNodeOf(t, rnic.DesignOf(commitConfig(), d))
	assert.Len(t, answers(t, n, wire.AppendFlushRequest(nil, 1, 0, wire.FlushRequest{Sink: sinkIn(rowLog, 5, 0), Flags: wire.Persistence})), 1)
	assert.ErrorContains(t, n.Settle(), "a flush differs")
}
