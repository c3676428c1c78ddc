package rnic_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/cosim/capture/roce"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// The region that the responder of the kernel has registered.
const (
	kernelRow    = 5
	kernelOctets = 8192
)

// placementOf maps the placement of a FLUSH of InfiniBand, bit 0 global visibility and bit 1 persistence, to the draft's flags.
func placementOf(p uint8) (flags wire.Disposition) {
	if p&1 != 0 {
		flags |= wire.GlobalVisibility
	}
	if p&2 != 0 {
		flags |= wire.Persistence
	}
	return flags
}

// The Linux kernel's RoCE driver has executed a Write, FLUSHes, ATOMIC WRITEs, a Read and an atomic: the engine answers the same requests
// with the same results, and asks its platform for the same ranges.
func TestCommitAsTheKernel(t *testing.T) {
	c, err := capture.Open("../capture/testdata/rxe/rxe612_flush_atomicwrite.pcap")
	require.NoError(t, err)
	n := commitNode(t)
	var base uint64
	for _, p := range c.RoCE.Packets {
		if p.RETH != nil && p.RETH.VA != 0 && (base == 0 || p.RETH.VA < base) {
			base = p.RETH.VA
		}
	}
	require.NoError(t, n.SetRegion(kernelRow, memory.Region{Valid: true, Base: base, Length: kernelOctets, Address: rowAddress(kernelRow),
		Rights:     memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic | memory.FlushPersistent | memory.FlushVisible,
		Attributes: memory.Attributes{Type: memory.Flushable}}))
	const stag = kernelRow << 8
	for _, x := range c.RoCE.Atomics { // the word before
		require.NoError(t, n.Write(rowAddress(kernelRow)+(x.VA-base), binary.LittleEndian.AppendUint64(nil, x.Original)))
	}
	var written, from uint64 // what is after the Write when it is read was there before
	for _, p := range c.RoCE.Packets {
		switch p.Opcode.String() {
		case "rc_write_only":
			written = p.RETH.VA + uint64(p.RETH.Length)
		case "rc_read_request":
			from = p.RETH.VA
		case "rc_read_response_only":
			if len(p.Payload) > 0 {
				require.NoError(t, n.Write(rowAddress(kernelRow)+written-base, p.Payload[written-from:]))
			}
		}
	}
	var msn, responses uint32
	run := func(segment []byte) (out rnic.Output) {
		n.Send(0, segment)
		for range 8 {
			o, err := n.Run(20000, 100)
			require.NoError(t, err)
			out.Segments, out.Flushes = append(out.Segments, o.Segments...), append(out.Flushes, o.Flushes...)
		}
		return out
	}
	responded := func(op wire.Opcode, out rnic.Output) {
		responses++
		require.Len(t, out.Segments, 1)
		assert.Equal(t, empty(op, responses), out.Segments[0].Octets)
	}
	kinds := map[roce.Opcode]int{}
	for i, p := range c.RoCE.Packets {
		kinds[p.Opcode]++
		switch p.Opcode.String() {
		case "rc_write_only":
			assert.Empty(t, run(wire.AppendWrite(nil, stag, p.RETH.VA, true, p.Payload)).Segments)
		case "rc_flush":
			msn++
			sink := wire.Sink{STag: stag, TO: p.RETH.VA, Length: p.RETH.Length}
			if p.FETH.Selectivity == 1 { // all of the region
				sink.TO, sink.Length = base, kernelOctets
			}
			flags := placementOf(p.FETH.Placement)
			out := run(wire.AppendFlushRequest(nil, msn, 0, wire.FlushRequest{Sink: sink, Flags: flags}))
			responded(wire.OpFlushResponse, out)
			require.Len(t, out.Flushes, 1)
			f := out.Flushes[0]
			f.ID = 0
			assert.Equal(t, rnic.Flush{Address: rowAddress(kernelRow) + sink.TO - base, Octets: sink.Length, Type: memory.Flushable, Visible: p.FETH.Placement&1 != 0, Persistent: p.FETH.Placement&2 != 0}, f)
		case "rc_atomic_write":
			msn++
			request := wire.AtomicWriteRequest{Sink: wire.Sink{STag: stag, TO: p.RETH.VA, Length: p.RETH.Length}, Data: binary.BigEndian.Uint64(p.Payload)}
			responded(wire.OpAtomicWriteResponse, run(wire.AppendAtomicWriteRequest(nil, msn, 0, request)))
		case "rc_read_request":
			msn++
			out := run(wire.AppendReadRequest(nil, msn, wire.ReadRequest{DataSinkSTag: 1, ReadMessageSize: p.RETH.Length, DataSourceSTag: stag, DataSourceTO: p.RETH.VA}))
			require.Len(t, out.Segments, 1)
			assert.Equal(t, c.RoCE.Packets[i+1].Payload, out.Segments[0].Octets[14:], "what the kernel has read")
		case "rc_fetch_add":
			msn++
			out := run(wire.AppendAtomicRequest(nil, msn, wire.NewFetchAdd(msn, stag, p.Atomic.VA, p.Atomic.SwapOrAdd, 0)))
			responses++
			require.Len(t, out.Segments, 1)
			var a wire.AtomicResponse
			require.NoError(t, a.Decode(out.Segments[0].Octets[18:]))
			assert.Equal(t, c.RoCE.Atomics[0].Original, a.OriginalRemoteDataValue)
		}
	}
	assert.Equal(t, 4, kinds[roce.Flush])
	require.NoError(t, n.Settle())
}
