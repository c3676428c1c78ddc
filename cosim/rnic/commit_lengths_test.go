package rnic_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Lengths of Flushes and Verifies count in all of their 32 bits: the bounds of the region, and what the platform is asked for.
func TestCommitLengthsOfRequests(t *testing.T) {
	n := commitNode(t)
	const large = 5
	require.NoError(t, n.SetRegion(large, memory.Region{Valid: true, Rights: memory.FlushPersistent, Base: 1 << 50, Length: 1 << 33, Address: 1 << 40,
		Attributes: memory.Attributes{Type: memory.Flushable}}))
	for bit := range 32 {
		octets := 16 ^ uint32(1)<<bit
		require.NoError(t, n.Open(0, 0))
		request := wire.AppendFlushRequest(nil, 1, 0, wire.FlushRequest{Sink: sinkIn(large, 1<<50+3, octets), Flags: wire.Persistence})
		assert.Equal(t, [][]byte{empty(wire.OpFlushResponse, 1)}, answers(t, n, request), "%d octets", octets)
		if octets > 0 {
			assert.Equal(t, octets, n.Device.LatestFlush().Octets)
		}
		if octets <= rowOctets {
			continue
		}
		for _, request := range [][]byte{
			wire.AppendFlushRequest(nil, 1, 0, wire.FlushRequest{Sink: sinkIn(rowLog, 0, octets), Flags: wire.Persistence}),
			wire.AppendVerifyRequest(nil, 1, 0, wire.VerifyRequest{Sink: sinkIn(rowLog, 0, octets)}),
		} {
			require.NoError(t, n.Open(0, 0))
			assert.Equal(t, [][]byte{terminated(0x01, 0x01, request)}, answers(t, n, request), "%d octets", octets)
		}
	}
	require.NoError(t, n.Settle())
}

// A Verify of more than 2^31 octets is not answered after a few of them.
func TestCommitLongVerifies(t *testing.T) {
	const large = 5
	for _, octets := range []uint32{1 << 31, 1<<31 | 16, 1<<24 | 16} {
		n := commitNode(t)
		require.NoError(t, n.SetRegion(large, memory.Region{Valid: true, Rights: memory.Verifiable, Base: 1 << 50, Length: 1 << 33, Address: 1 << 40,
			Attributes: memory.Attributes{Type: memory.Flushable, Hash: memory.CRC64NVMe, Read: memory.ReadNotNeeded}}))
		n.Send(0, wire.AppendVerifyRequest(nil, 1, 0, wire.VerifyRequest{Sink: sinkIn(large, 1<<50+3, octets)}))
		out, err := n.Run(5000, 5000)
		require.NoError(t, err)
		assert.Empty(t, out.Segments, "%d octets", octets)
	}
}
