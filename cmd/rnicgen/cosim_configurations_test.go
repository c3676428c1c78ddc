package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/rnic/scenario"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
)

// The report lists the drawn configurations; a seed determines them.
func TestCosimConfigurations(t *testing.T) {
	code, out, errs := call("cosim", "--engine", "go", "--configurations", "2", "--seed", "5", "--messages", "20", "--json", "-")
	require.Equal(t, exitAgreement, code, errs)
	var report cosimReport
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	require.Len(t, report.Configurations, 2)
	assert.Equal(t, uint64(40), report.Messages)
	for i, p := range rnic.Configurations(2, 5) {
		assert.Equal(t, p.Config, report.Configurations[i].Config)
		assert.Equal(t, p.Seed, report.Configurations[i].Seed)
	}
}

// A mismatch is reported with its configuration and the command that reproduces it.
func TestMismatchOfAConfiguration(t *testing.T) {
	c := gen.Default()
	c.Streams, c.STags, c.RetirePort = 4, 64, false
	d, err := gen.Compile(c)
	require.NoError(t, err)
	hdltest.Force(t, d, "tx_realign_64_1024", "joins", 1)
	a := &app{engine: "go", ctx: t.Context()}
	r, err := a.runConfiguration(rnic.Plan{Config: c, Engine: "go", Peer: "rtl", Messages: 200, Seed: 3, Active: 3, Design: rnic.DesignOf(c, d)}, nil)
	require.NoError(t, err)
	assert.Contains(t, r.Mismatch, "a segment")
	assert.Regexp(t, `^rnicgen cosim --engine go --config mismatch.yaml --messages \d --seed \d+ --peer rtl --active-streams [123] --error-rate 0 --trace mismatch.vcd$`, r.Command)
	again, err := gen.ReadConfig(strings.NewReader(yamlOf(c)))
	require.NoError(t, err)
	assert.Equal(t, c, again)

	// So is one found only by a directed run.
	d, err = gen.Compile(c)
	require.NoError(t, err)
	hdltest.Force(t, d, "receive_ring_4_"+fmt.Sprint(c.ReceiveDepth), "full", 0)
	chosen, err := scenario.Select("registers,refused-receives")
	require.NoError(t, err)
	r, err = a.runConfiguration(rnic.Plan{Config: c, Engine: "go", Peer: "rtl", Messages: 20, Seed: 3, Active: 3, Design: rnic.DesignOf(c, d)}, chosen)
	require.NoError(t, err)
	assert.Equal(t, uint64(20), r.Messages)
	assert.Equal(t, 2, r.Scenarios)
	assert.Contains(t, r.Mismatch, "scenario refused-receives, seed 3: ")
	assert.Equal(t, "rnicgen cosim --engine go --config mismatch.yaml --scenario refused-receives --seed 3 --trace mismatch.vcd", r.Command)

	broken := c
	broken.Streams = 3
	_, err = a.runConfiguration(rnic.Plan{Config: broken, Engine: "go", Peer: "model", Messages: 1}, nil)
	assert.ErrorContains(t, err, "\nconfiguration:\ntop: rnic\n")
	assert.False(t, errors.Is(err, errMismatch))
}
