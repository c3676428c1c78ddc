package rnic_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Streams that all have something to send share m_axis_tx by their weights, of which 0 counts as 1. A weight outlives the stream,
// and can change while it sends.
func TestWeights(t *testing.T) {
	c := few()
	n, err := rnic.OpenNode("first", c, rnic.Options{Engine: "go", Seed: 1, Buffer: 1 << 16})
	require.NoError(t, err)
	defer n.Close()
	const octets = 32 << 10
	require.NoError(t, n.SetRegion(3, memory.Region{Valid: true, Key: 7, Rights: memory.RemoteRead, Owner: 1, ByDomain: true, Length: octets}))
	for s := range uint32(c.Streams) {
		require.NoError(t, n.Open(s, 1))
		for m := range uint32(c.IRD) {
			n.Send(s, wire.AppendReadRequest(nil, m+1, wire.ReadRequest{DataSinkSTag: 0xFFFFFF00, ReadMessageSize: octets, DataSourceSTag: memory.STag(3, 7)}))
		}
	}
	for _, weights := range [][]uint8{{0, 1, 3, 15}, {15, 2, 1, 6}} {
		sum := 0
		for s, w := range weights {
			require.NoError(t, n.Weigh(uint32(s), w))
			sum += max(1, int(w))
		}
		_, err := n.Run(2000, 0) // what waited by the weights before
		require.NoError(t, err)
		out, err := n.Run(16_000, 0)
		require.NoError(t, err)
		sent, all := make([]int, c.Streams), 0
		for _, s := range out.Segments {
			sent[s.Stream] += len(s.Octets)
			all += len(s.Octets)
		}
		for s, w := range weights {
			assert.InEpsilon(t, float64(max(1, w))/float64(sum), float64(sent[s])/float64(all), 0.1, "weights %v: octets %v of %d", weights, sent, all)
		}
	}
}
