package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/rnic/scenario"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
	"github.com/rnicgen/rnicgen/internal/long"
)

// small is a configuration with few streams and short rings.
func small() gen.Config {
	c := gen.Default()
	c.Streams, c.STags, c.BusBytes, c.IRD, c.ORD, c.ReceiveDepth, c.SendDepth, c.MaxPayload, c.AtomicDepth = 4, 64, 32, 2, 4, 4, 2, 256, 16
	return c
}

func run(t *testing.T, p scenario.Plan, list string) error {
	chosen, err := scenario.Select(list)
	require.NoError(t, err)
	p.Scenarios, p.Seed = chosen, max(p.Seed, 1)
	results, err := scenario.Run(p)
	for _, r := range results {
		t.Logf("%-24s %8d cycles %8s %s", r.Name, r.Cycles, r.Elapsed.Round(1e6), r.Skipped)
	}
	return err
}

func TestScenarios(t *testing.T) {
	require.NoError(t, run(t, scenario.Plan{Config: gen.Default(), Engine: "verilator"}, "all"))
}

func TestScenariosOfFewStreams(t *testing.T) {
	require.NoError(t, run(t, scenario.Plan{Config: small(), Engine: "go"}, "held-answers,held-failures,held-placements,registers,terminate-log,refused-receives,"+
		"memory-errors,cut-messages,reuse-after-invalidation,reuse-after-end,reuse-after-command,send-offsets,no-octets,mixed-sends"))
	c := small()
	c.Streams, c.STags, c.BusBytes, c.IRD, c.ORD, c.ReceiveDepth, c.SendDepth, c.AtomicDepth = 2, 16, 8, 1, 2, 2, 2, 4
	c.Extensions = []string{"draft00"}
	require.NoError(t, run(t, scenario.Plan{Config: c, Engine: "go"}, "held-answers,held-commands,registers,memory-errors,cut-messages,open-again,no-octets"))
	c.RetirePort = false
	require.NoError(t, run(t, scenario.Plan{Config: c, Engine: "go"}, "memory-errors,cut-messages,refused-receives,withdrawn-rows"))
	c.Extensions = []string{"commit", "draft00"}
	require.NoError(t, run(t, scenario.Plan{Config: c, Engine: "go"}, "registers,withdrawn-rows"))
}

// With the extension commit other buffers hold what waits: they are filled, too.
func TestScenariosOfCommit(t *testing.T) {
	long.Test(t)
	c := small()
	c.Extensions = []string{"commit"}
	require.NoError(t, run(t, scenario.Plan{Config: c, Engine: "go"}, "held-answers,held-failures,held-placements,memory-errors,cut-messages,reuse-after-end,send-offsets,mixed-sends"))
	c.Streams, c.IRD, c.ORD, c.ReceiveDepth, c.SendDepth = 16, 16, 16, 16, 16
	require.NoError(t, run(t, scenario.Plan{Config: c, Engine: "go"}, "held-ports,held-answers,held-deliveries,held-placements,unanswered-placements,held-commands"))
}

// With far memory two units execute Atomics, and items pass those that wait for it.
func TestScenariosOfFarMemory(t *testing.T) {
	c := small()
	c.Streams, c.IRD, c.ORD, c.ReceiveDepth, c.SendDepth, c.FarMemoryBit = 16, 16, 16, 16, 16, 32
	require.NoError(t, run(t, scenario.Plan{Config: c, Engine: "go"}, "held-ports,held-answers,held-deliveries,held-failures,held-placements,unanswered-placements,withdrawn-rows,memory-errors"))
}

// On 64 streams with all ports stalled, the responses of both units and of Reads compete for the transmit side.
func TestScenariosOfFarMemoryOnManyStreams(t *testing.T) {
	long.Test(t)
	c := gen.Default()
	c.FarMemoryBit = 32
	for seed := range uint64(3) {
		require.NoError(t, run(t, scenario.Plan{Config: c, Engine: "verilator", Seed: 1 + seed}, "all"))
	}
}

// Each of these faults is found by the scenario intended for it.
func TestScenariosCanFail(t *testing.T) {
	for _, tt := range []struct {
		scenario, module, value string
		is                      uint64
		sees                    string
	}{
		{"registers", "csr_32_4_64_2_4_4_2_256", "write_refused", 0, "is not refused"},
		{"registers", "csr_32_4_64_2_4_4_2_256", "write_mask", 0xFFFFFFFF, "register"},
		{"refused-receives", "receive_ring_4_4", "full", 0, "differs"},
		{"memory-errors", "failure_gather_4", "memory", 0, "memory_errors"},
		{"terminate-log", "csr_32_4_64_2_4_4_2_256", "log_drop", 0, "terminate"},
		{"cut-messages", "request_messages_4_2_2", "is_wrong", 0, ""},
		{"reuse-after-invalidation", "rx_check_4_2_4_4", "awaited_place", 0, "written afterwards"},
		{"reuse-after-end", "delivery_gate_4_2", "has_arrived", 1, "written afterwards"},
		{"rows", "rx_check_4_2_4_4", "invalidate_index", 3, ""},
		{"send-offsets", "rx_check_4_2_4_4", "message_end", 0, ""},
		{"wrong-numbers", "rx_check_4_2_4_4", "mo", 0, ""},
	} {
		t.Run(tt.scenario+" "+tt.value, func(t *testing.T) {
			t.Parallel()
			d, err := gen.Compile(small())
			require.NoError(t, err)
			hdltest.Force(t, d, tt.module, tt.value, tt.is)
			err = run(t, scenario.Plan{Config: small(), Engine: "go", Design: rnic.DesignOf(small(), d)}, tt.scenario)
			require.ErrorContains(t, err, tt.sees)
			assert.True(t, scenario.IsMismatch(err), "%v", err)
			t.Log(err)
		})
	}
}

func TestSelect(t *testing.T) {
	none, err := scenario.Select("none")
	require.NoError(t, err)
	assert.Empty(t, none)
	one, err := scenario.Select("registers,long")
	require.NoError(t, err)
	assert.Len(t, one, 2)
	_, err = scenario.Select("register")
	assert.ErrorContains(t, err, `there is no scenario "register"; allowed: all, none, held-ports, `)
}
