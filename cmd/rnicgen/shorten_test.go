package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
)

// A mismatch in random traffic is reduced to a few messages, and the command that is printed reproduces it.
func TestMismatchIsShortened(t *testing.T) {
	for _, tt := range []struct {
		profile, config, module, again string
		designOf                       func(gen.Config, *hdl.Design) *simulator.Design
	}{
		{gen.ProfileRDMAP, "streams: 4\nstags: 64\n", "tx_realign_64_1024",
			`--messages \d --seed \d+ --peer model( --active-streams [12])? --error-rate 0`, rnic.DesignOf},
		{gen.ProfileFalcon, "streams: 4\nstags: 16\nbus_bytes: 16\nmax_payload: 256\nird: 2\nord: 2\nreceive_depth: 8\n", "tx_realign_16_256",
			`--messages \d --seed \d+ --peer model --streams 4 --error-rate 0( --active-streams [12])?`, falcon.DesignOf},
	} {
		t.Run(tt.profile, func(t *testing.T) {
			text := "profile: " + tt.profile + "\n" + tt.config
			c, err := gen.ReadConfig(strings.NewReader(text))
			require.NoError(t, err)
			d, err := gen.Compile(c)
			require.NoError(t, err)
			hdltest.Force(t, d, tt.module, "joins", 1)
			t.Chdir(t.TempDir()) // of the waveform
			cosim := func(args ...string) string {
				var errs bytes.Buffer
				a := &app{out: &bytes.Buffer{}, errs: &errs, design: tt.designOf(c, d)}
				root := a.root()
				root.SetArgs(append(args, "--quiet"))
				require.ErrorIs(t, root.ExecuteContext(t.Context()), errMismatch)
				return errs.String()
			}
			config := file(t, "small.yaml", text)
			errs := cosim("cosim", "--engine", "go", "--config", config, "--messages", "500", "--seed", "9", "--memory-latency", "1..20")
			m := regexp.MustCompile(`(?s)^mismatch after (\d+) messages: .*seed 9; searching for a shorter run
(mismatch after (\d) messages: .*)reproduce it with:
  rnicgen (cosim --engine go --config ` + config + ` ` + tt.again + ` --trace mismatch.vcd)
$`).FindStringSubmatch(errs)
			require.NotNil(t, m, errs)
			assert.Greater(t, len(m[1]), 1, "a shorter run")
			again := cosim(strings.Fields(m[4])...)
			assert.True(t, strings.HasPrefix(again, m[2]), "%s\nthen\n%s", errs, again)
			assert.FileExists(t, "mismatch.vcd")
		})
	}
}

// The command that reproduces a mismatch of a drawn configuration runs that configuration, with as few regions.
func TestConfigurationsAreRepeated(t *testing.T) {
	for _, p := range falcon.Configurations(50, 1) {
		again, err := (&app{}).falconPlan(p.Config, traffic{Messages: 1}, wholeOptions{peer: p.Peer, streams: p.Config.Streams, active: p.Pairs, latency: "1..1"})
		require.NoError(t, err)
		assert.Equal(t, p.Config, again.Config)
	}
}
