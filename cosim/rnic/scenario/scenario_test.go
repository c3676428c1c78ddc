package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic/scenario"
	"github.com/rnicgen/rnicgen/gen"
)

func TestScenarios(t *testing.T) {
	all, err := scenario.Select("all")
	require.NoError(t, err)
	results, err := scenario.Run(scenario.Plan{Config: gen.DefaultRNIC(), Engine: "verilator", Seed: 1, Scenarios: all})
	for _, r := range results {
		t.Logf("%-20s %8d cycles %8s %s", r.Name, r.Cycles, r.Elapsed.Round(1e6), r.Skipped)
	}
	require.NoError(t, err)
}
