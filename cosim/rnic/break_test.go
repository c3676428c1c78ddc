package rnic_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Injects each of these faults into the hardware and expects the comparison to find it. A short run exposes most of them.
func TestEveryFaultIsCaught(t *testing.T) {
	lengths := make(chan int, 100)
	t.Cleanup(func() {
		close(lengths)
		all := slices.Sorted(func(yield func(int) bool) {
			for n := range lengths {
				if !yield(n) {
					return
				}
			}
		})
		t.Log("messages of the shortest runs:", all)
		assert.LessOrEqual(t, all[len(all)/2], 20)
	})
	blocks := map[string]bool{} // that have had a fault
	for _, tt := range []struct {
		name, module, value string
		is                  uint64
		errors              float64
		sees                string
	}{
		{"rx_check: segments in error do not end the stream", "rx_check_4_8_2_4", "fails", 0, 0.1, ""},
		{"rx_check: the receive queue is never empty", "rx_check_4_8_2_4", "ring_is_empty", 0, 0.05, ""},
		{"rx_check: every STag may be invalidated", "rx_check_4_8_2_4", "cannot_be_invalidated", 0, 0.2, ""},
		{"rx_check: messages are never too long", "rx_check_4_8_2_4", "message_end", 0, 0.05, ""},
		{"rx_check: nothing is invalidated", "rx_check_4_8_2_4", "invalidates", 0, 0.02, ""},
		{"rx_check: a failure ends no stream", "rx_check_4_8_2_4", "terminates", 0, 0.1, ""},
		{"delivery_gate: a failed placement is ignored", "delivery_gate_4_8", "is_lost", 0, 0.05, ""},
		{"delivery_gate: no event", "delivery_gate_4_8", "is_solicited", 0, 0, "an event that is missing"},
		{"request_turns: a request does not wait for those of another kind", "request_turns_4_8_512", "is_idle", 1, 0, ""},
		{"placement: octets before the first are written", "placement_64_4_retire", "below_first", 0, 0, "memory"},
		{"placement: errors are not reported", "placement_64_4_retire", "fails", 0, 0.1, ""},
		{"tx_builder: payload that memory failed to return is sent", "tx_builder_64_1024_4_8", "lost", 0, 0.2, ""},
		{"tx_builder: a stream continues after its Terminate", "tx_builder_64_1024_4_8", "passes", 1, 0.2, ""},
		{"tx_realign: payload is not shifted", "tx_realign_64_1024", "joins", 1, 0, "segment"},
		{"tx_turns: a message ends with its second waiting segment", "tx_turns_64_4_8_16_1024", "last_next", 1, 0, ""},
		{"tx_turns: messages after the oldest one are lost", "tx_turns_64_4_8_16_1024", "next_has_more", 0, 0, ""},
		{"tx_turns: segments have the header of the first", "tx_turns_64_4_8_16_1024", "octets_before", 0, 0, "a segment"},
		{"request_messages: every local buffer passes its check", "request_messages_4_16_8", "is_wrong", 0, 0.2, ""},
		{"work_ring: ORD is not enforced", "work_ring_4_16_2", "has_to_wait", 0, 0, ""},
		{"send_completion: flushed requests report success", "send_completion_4_16_2", "success", 1, 0.1, ""},
		{"atomic_unit: a word that is being written is read again", "atomic_unit_64_512_4_8_retire", "forward", 0, 0, "an atomic"},
		{"receive_ring: a slot is used twice", "receive_ring_4_4", "posted_next", 1, 0, ""},
		{"receive_ring: nothing is refused", "receive_ring_4_4", "full", 0, 0, "an event that is missing"},
		{"work_ring: a slot is used twice", "work_ring_4_2_2", "is_full", 0, 0, ""},
	} {
		block, _, _ := strings.Cut(tt.name, ":")
		another := blocks[block]
		blocks[block] = true
		t.Run(tt.name, func(t *testing.T) {
			if another {
				long.Test(t)
			}
			t.Parallel()
			c := gen.Default()
			c.Streams, c.STags, c.ORD, c.ReceiveDepth = 4, 64, 2, 4
			if tt.module == "work_ring_4_2_2" {
				c.SendDepth = 2
			}
			d, err := gen.Compile(c)
			require.NoError(t, err)
			hdltest.Force(t, d, tt.module, tt.value, tt.is)
			latency := simulator.Latency{Least: 1, Most: 40}
			var p rnic.Plan
			var r rnic.Result
			for seed := uint64(1); seed <= 12; seed++ {
				p = rnic.Plan{Config: c, Engine: "go", Peer: "model", Messages: 4000, Seed: seed, ErrorRate: tt.errors, Latency: latency, Design: rnic.DesignOf(c, d)}
				if r, err = rnic.Run(p); err != nil {
					break
				}
			}
			require.ErrorContains(t, err, tt.sees)
			require.True(t, rnic.IsMismatch(err), "%v", err)
			short, wrong := rnic.Shorten(t.Context(), p, r.Messages, err, 30)
			t.Logf("%d messages instead of %d, %d streams, errors %g: %v", short.Messages, r.Messages, short.Active, short.ErrorRate, wrong)
			require.True(t, rnic.IsMismatch(wrong), "%v", wrong)
			lengths <- int(short.Messages)
		})
	}
}

// A Read that waits for an Atomic while its STag is invalidated is not executed: a Terminate is sent instead. The node expects
// this, and detects hardware that executes the Read.
func TestInvalidationMeetsRequests(t *testing.T) {
	for _, broken := range []bool{false, true} {
		c := gen.Default()
		c.Streams, c.STags = 4, 64
		d, err := gen.Compile(c)
		require.NoError(t, err)
		if broken {
			hdltest.Force(t, d, "request_order_4_8_512", "stag_is_gone", 0)
		}
		device, err := rnic.OpenDesign(c, rnic.DesignOf(c, d), rnic.Options{Engine: "go", Seed: 1, Latency: simulator.Latency{Least: 500, Most: 500}})
		require.NoError(t, err)
		n, err := rnic.NewNode("first", c, device)
		require.NoError(t, err)
		defer n.Close()
		stag := memory.STag(3, 7)
		require.NoError(t, n.SetRegion(3, memory.Region{Valid: true, Key: 7, Rights: memory.RemoteRead | memory.RemoteAtomic | memory.Invalidate, Owner: 1, Length: 64, Address: 0x1000}))
		require.NoError(t, n.Open(1, 1))
		require.NoError(t, n.PostReceive(rdmap.ReceiveRequest{Stream: 1, ID: 5}))
		run := func(cycles int) (segments []rnic.Segment, err error) {
			for ; cycles > 0 && err == nil; cycles -= 20 {
				var out rnic.Output
				out, err = n.Run(20, 0)
				segments = append(segments, out.Segments...)
			}
			return segments, err
		}
		_, err = run(100)
		require.NoError(t, err)
		n.Send(1, wire.AppendAtomicRequest(nil, 1, wire.NewFetchAdd(1, stag, 8, 1, 0)))
		_, err = run(100) // the run has started
		require.NoError(t, err)
		n.Send(1, wire.AppendReadRequest(nil, 2, wire.ReadRequest{DataSourceSTag: stag, ReadMessageSize: 8}))
		n.Send(1, wire.AppendSend(nil, wire.OpSendInv, stag, 1, 0, true, nil))
		segments, err := run(3000)
		if broken {
			assert.True(t, rnic.IsMismatch(err), "%v", err)
			assert.ErrorContains(t, err, "RDMA Read Response")
			continue
		}
		require.NoError(t, err)
		require.Len(t, segments, 2)
		assert.Equal(t, wire.AppendTerminate(nil, wire.Terminate{Code: wire.TerminateCode{EType: 1}}), segments[1].Octets)
		require.NoError(t, n.Settle())
	}
}
