package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Named scenarios replace random traffic; a skipped one is reported with the reason.
func TestCosimScenario(t *testing.T) {
	config := file(t, "c.yaml", "{streams: 2, stags: 16, ird: 1, receive_depth: 2}")
	code, out, errs := call("cosim", "--engine", "go", "--config", config, "--scenario", "refused-receives,held-answers")
	require.Equal(t, exitAgreement, code, errs)
	assert.Regexp(t, `^scenario held-answers skipped: streams is 2; needed: at least 4\n1 scenarios, \d+ cycles, 0 mismatches, seed 1, engine go, `, out)

	code, out, errs = call("cosim", "--engine", "go", "--config", config, "--scenario", "refused-receives", "--json", "-")
	require.Equal(t, exitAgreement, code, errs)
	var report cosimReport
	require.NoError(t, json.Unmarshal([]byte(out), &report), out)
	assert.NotZero(t, report.Cycles)

	code, out, errs = call("cosim", "--scenario", "list")
	require.Equal(t, exitAgreement, code, errs)
	assert.Contains(t, out, "held-ports ")

	code, _, errs = call("cosim", "--engine", "go", "--config", config, "--scenario", "held")
	assert.Equal(t, exitBadInput, code)
	assert.Contains(t, errs, `--scenario: there is no scenario "held"; allowed: all, none, held-ports, `)
}
