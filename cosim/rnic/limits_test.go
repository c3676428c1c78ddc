package rnic_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// A receive request counts once it is stored in its ring, not when it is accepted. An end that accepts requests is not idle,
// although it produces no output.
func TestReceivesStored(t *testing.T) {
	c := gen.Default()
	c.BusBytes, c.Streams, c.STags, c.ReceiveDepth = 8, 16, 64, 1024
	n, err := rnic.OpenNode("first", c, rnic.Options{Engine: "go", Seed: 1})
	require.NoError(t, err)
	defer n.Close()
	const requests = 5000
	for i := range uint64(requests) {
		if i < 16 {
			require.NoError(t, n.Open(uint32(i), 1))
		}
		require.NoError(t, n.PostReceive(rdmap.ReceiveRequest{Stream: uint32(i % 16), ID: i}))
	}
	stream, err := n.Device.Beats("rqe")
	require.NoError(t, err)
	for stream < requests {
		out, err := n.Run(1000, 64)
		require.NoError(t, err)
		assert.True(t, out.Busy)
		stream, err = n.Device.Beats("rqe")
		require.NoError(t, err)
		assert.Less(t, n.ReceivesStored(), stream)
	}
	out, err := n.Run(1000, 64)
	require.NoError(t, err)
	assert.False(t, out.Busy)
	assert.Equal(t, uint64(requests), n.ReceivesStored())
}

// Thousands of receive requests are in flight while messages arrive, some of which may find none.
func TestDeepRings(t *testing.T) {
	c := gen.Default()
	c.BusBytes, c.Streams, c.STags, c.ReceiveDepth = 8, 4, 64, 1024
	for seed := uint64(1); seed <= 3; seed++ {
		_, err := rnic.Run(rnic.Plan{Config: c, Engine: "go", Peer: "rtl", Messages: 150, Seed: seed, ErrorRate: 0.4,
			Stall: simulator.Stall{Mode: simulator.StallRandom, Chance: 208}})
		require.NoError(t, err)
	}
}

// Hosts post more than the rings can hold: receive requests are refused, work requests wait.
func TestBeyondTheLimits(t *testing.T) {
	c := gen.Default()
	c.Streams, c.STags, c.ReceiveDepth, c.SendDepth = 4, 64, 4, 2
	for _, peer := range []string{"model", "rtl"} {
		script := &rnic.Script{}
		r, err := rnic.Run(rnic.Plan{Config: c, Engine: "go", Peer: peer, Messages: 800, Seed: 1, Script: script, Latency: simulator.Latency{Least: 1, Most: 40}})
		require.NoError(t, err)
		assert.Greater(t, r.Checked.Refused, uint64(0))
		long, most, inRound := 0, 0, map[uint32]int{}
		for _, g := range script.Steps {
			switch {
			case g.Receive != nil && g.Receive.Length > 4096:
				long++
			case g.Work != nil:
				inRound[g.Work.Stream]++
				most = max(most, inRound[g.Work.Stream])
			case g.Ran:
				clear(inRound)
			}
		}
		assert.Greater(t, long, 5, "receive buffers longer than their regions")
		assert.Greater(t, most, c.SendDepth, "work requests of one stream in progress")
	}
}

// A receive buffer may be longer than its region. A message that fits is received; one that exceeds the region ends its stream,
// for a reason local to the receiver.
func TestReceiveBeyondItsRegion(t *testing.T) {
	c := few()
	n, err := rnic.OpenNode("first", c, rnic.Options{Engine: "go", Seed: 1})
	require.NoError(t, err)
	defer n.Close()
	require.NoError(t, n.SetRegion(3, memory.Region{Valid: true, Key: 7, Rights: memory.LocalWrite, Owner: 1, Base: 1<<32 - 50, Length: 100, Address: 1<<40 - 30}))
	require.NoError(t, n.Open(1, 1))
	for id := range uint64(3) {
		require.NoError(t, n.PostReceive(rdmap.ReceiveRequest{Stream: 1, ID: id, Length: 1 << 31, Buffer: rdmap.Buffer{STag: memory.STag(3, 7), TO: 1<<32 - 50}}))
	}
	_, err = n.Run(100, 0)
	require.NoError(t, err)
	n.Send(1, wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, make([]byte, 100)))
	n.Send(1, wire.AppendSend(nil, wire.OpSend, 0, 2, 0, true, make([]byte, 101)))
	out, err := n.Run(2000, 64)
	require.NoError(t, err)
	require.Len(t, out.Completions, 1)
	assert.Equal(t, uint32(100), out.Completions[0].Length)
	require.Len(t, out.Segments, 1)
	assert.Equal(t, wire.AppendTerminate(nil, wire.Terminate{}), out.Segments[0].Octets, "local catastrophic error")
	require.NoError(t, n.Settle())
}

// Without the retire port, both the hardware and the node that follows it differ: faults must still be found.
func TestWithoutTheRetirePort(t *testing.T) {
	c := gen.Default()
	c.Streams, c.STags, c.RetirePort = 4, 64, false
	plan := rnic.Plan{Config: c, Engine: "go", Peer: "rtl", Messages: 600, Seed: 1, ErrorRate: 0.1, Latency: simulator.Latency{Least: 1, Most: 40}}
	r, err := rnic.Run(plan)
	require.NoError(t, err)
	assert.Greater(t, r.Checked.Atomics, uint64(10))
	for _, tt := range []struct {
		module, value string
		is            uint64
	}{
		{"atomic_unit_64_512_4_8", "forward", 0},
		{"request_turns_4_8_512", "is_idle", 1},
	} {
		d, err := gen.Compile(c)
		require.NoError(t, err)
		hdltest.Force(t, d, tt.module, tt.value, tt.is)
		plan := plan
		plan.Design, plan.Messages = rnic.DesignOf(c, d), 4000
		_, err = rnic.Run(plan)
		assert.True(t, rnic.IsMismatch(err), "%s %s: %v", tt.module, tt.value, err)
	}
	plan.Ordering, plan.ErrorRate = true, 0
	_, err = rnic.Run(plan)
	assert.EqualError(t, err, "ordering: the steps are not reported; allowed: with retire_port: true")
}
