package rnic_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/rnic/scenario"
	"github.com/rnicgen/rnicgen/internal/long"
)

// Eight configurations that differ in every field, each with its own traffic, and the scenarios distributed among them.
func TestConfigurations(t *testing.T) {
	all, err := scenario.Select("all")
	require.NoError(t, err)
	plans := rnic.Configurations(8, 1)
	for i, p := range plans {
		var hand []scenario.Scenario
		for n := i; n < len(all); n += len(plans) {
			hand = append(hand, all[n])
		}
		t.Run(fmt.Sprint(i+1), func(t *testing.T) {
			if slices.Contains([]int{1, 3, 6, 7}, i+1) { // the others have all extensions, peers and kinds of stalls, too
				long.Test(t)
			}
			t.Parallel()
			p.Engine, p.Messages = "verilator", min(p.Messages, 400)
			if slices.Contains(p.Config.Extensions, "commit") {
				p.Engine = "go" // it begins at once; this engine is large to compile
			}
			r, err := rnic.Run(p)
			require.NoError(t, err, "%+v", p)
			assert.Equal(t, p.Messages, r.Messages)
			_, err = scenario.Run(scenario.Plan{Config: p.Config, Engine: p.Engine, Quick: p.Quick, Seed: p.Seed, Scenarios: hand})
			require.NoError(t, err, "%+v", p)
		})
	}
}

// Randomly drawn configurations are valid and reproducible, and soon include both limits of every field.
func TestDrawnConfigurations(t *testing.T) {
	plans := rnic.Configurations(200, 1)
	assert.Equal(t, plans[:8], rnic.Configurations(8, 1))
	assert.NotEqual(t, plans[:8], rnic.Configurations(8, 2))
	seen := map[string]int{} // the first plan with this value
	for i, p := range plans {
		c := p.Config
		require.NoError(t, c.Check())
		assert.LessOrEqual(t, p.Active, c.Streams)
		for _, what := range []string{fmt.Sprint("bus ", c.BusBytes), fmt.Sprint("streams ", c.Streams), fmt.Sprint("stags ", c.STags), fmt.Sprint("ird ", c.IRD),
			fmt.Sprint("ord ", c.ORD), fmt.Sprint("receive ", c.ReceiveDepth), fmt.Sprint("send ", c.SendDepth), fmt.Sprint("payload ", c.MaxPayload),
			fmt.Sprint("atomics ", c.AtomicDepth), fmt.Sprint("retire port ", c.RetirePort), fmt.Sprint("extensions ", c.Extensions), "peer " + p.Peer} {
			if _, is := seen[what]; !is {
				seen[what] = i
			}
		}
	}
	for _, what := range []string{"bus 8", "bus 128", "streams 2", "stags 16", "stags 65536", "ird 1", "ord 2", "receive 2", "send 2", "payload 256", "payload 16384",
		"atomics 4", "atomics 4096", "retire port false", "retire port true", "extensions []", "extensions [draft00]", "extensions [commit]", "extensions [draft00 commit]", "peer rtl", "peer model"} {
		first, is := seen[what]
		assert.True(t, is && first < 8, what)
	}
	for _, what := range []string{"streams 4096", "streams 8192", "streams 16384", "ird 1024", "ord 1024", "receive 1024", "send 1024"} {
		assert.Contains(t, seen, what)
	}
}
