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
)

// The engine's steps follow the tables of RFC 5040 and RFC 7306, with slow memory and under stalls.
func TestOrder(t *testing.T) {
	for _, stall := range []simulator.Stall{{}, {Mode: simulator.StallRandom, Chance: 96}} {
		r, err := rnic.Run(rnic.Plan{Config: gen.Default(), Engine: "verilator", Peer: "rtl", Messages: 4000, Seed: 5,
			Latency: simulator.Latency{Least: 1, Most: 200}, Stall: stall, Ordering: true})
		require.NoError(t, err)
		assert.NotZero(t, r.Checked.Atomics)
		assert.NotZero(t, r.Checked.Steps)
	}
}

// Every fence is needed: without it the tables are violated, and the violated rows are reported.
func TestBrokenOrderIsFound(t *testing.T) {
	for _, tt := range []struct {
		name, module, value string
		is                  uint64
		extensions          []string
		rows                []string // one of the first seeds violates each
	}{
		{"nothing waits for placements", "delivery_gate_4_8", "has_arrived", 1, nil, []string{"RDMA Write then"}},
		{"a request does not wait for those of another kind", "request_turns_4_8_512", "is_idle", 1, nil, []string{"Atomic then RDMA Read", "RDMA Read then Atomic"}},
		{"nor one for a Flush, Verify or Atomic Write", "request_turns_4_8_512", "is_idle", 1, []string{"commit"}, []string{"Atomic Write then Atomic", "RDMA Verify then RDMA Read", "RDMA Flush then RDMA Read"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := gen.Default()
			c.Streams, c.STags, c.Extensions = 4, 128, tt.extensions
			d, err := gen.Compile(c)
			require.NoError(t, err)
			hdltest.Force(t, d, tt.module, tt.value, tt.is)
			missing := slices.Clone(tt.rows)
			for seed := uint64(1); seed <= 8 && len(missing) > 0; seed++ {
				_, err := rnic.Run(rnic.Plan{Config: c, Engine: "go", Peer: "model", Messages: 600, Seed: seed, Latency: simulator.Latency{Least: 1, Most: 20},
					Stall: simulator.Stall{Mode: simulator.StallBursts, Chance: 128}, Ordering: true, Design: rnic.DesignOf(c, d)})
				require.ErrorContains(t, err, "section")
				missing = slices.DeleteFunc(missing, func(row string) bool { return strings.Contains(err.Error(), row) })
			}
			assert.Empty(t, missing, "no seed violates these rows")
		})
	}
}
