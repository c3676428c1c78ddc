package gen_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/synth"
)

// clockEstimate is what a block costs on UltraScale+, and the digest of the Verilog of which that was measured. Measuring all takes half an
// hour, so it is done when the Verilog changes, and kept in testdata/clock.json.
type clockEstimate struct {
	Verilog string  `json:"verilog"`
	LUT     int     `json:"lut"`
	FF      int     `json:"ff"`
	Delay   float64 `json:"delay_ns"`
}

// clockEstimates are by block. Parts of many sizes, none of which is slow, have none.
type clockEstimates map[string]clockEstimate

// usualDelay is the limit, in ns, for blocks that have none of their own.
const usualDelay = 3.6

// executorDelay is what request_order may take for the choice among executors, for each beyond two.
const executorDelay = 0.1

// clockedEngines are configurations, with limits of the slowest path. If a change makes a block faster, lower its limit. Versions of yosys
// differ by some percent.
var clockedEngines = []struct {
	name   string
	set    func(*gen.Config)
	limits map[string]float64
	most   int      // LUTs of the whole engine, 0 if only its blocks are measured
	again  []string // measured in each run
}{
	{"default", func(*gen.Config) {}, map[string]float64{"rnic": 4.0}, 26_500, []string{"tx_arbiter"}},
	{"commit", func(c *gen.Config) { c.Extensions = []string{"commit"} }, map[string]float64{"digest_sha256": 3.8}, 0, nil},
	{"falcon", func(c *gen.Config) { *c = gen.DefaultOf(gen.ProfileFalcon) }, map[string]float64{"falcon_initiator": 3.9, "request_order": 3.8, "request_turns": 3.7, "csr": 3.7, "tx_engine": 3.9}, 0, []string{"falcon_refusal_responder"}},
}

// TestClock: no change of a block makes the engine slow or large unseen.
func TestClock(t *testing.T) {
	t.Parallel()
	require.NoError(t, synth.CheckTools())
	path := filepath.Join("testdata", "clock.json")
	kept := map[string]clockEstimates{}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &kept))
	seen := map[string]bool{} // digests
	for _, e := range clockedEngines {
		config := gen.Default()
		e.set(&config)
		d, err := gen.Compile(config)
		require.NoError(t, err)
		executors := len(config.Engine().Profile.Executors(config.Engine()))
		have, now := kept[e.name], clockEstimates{}
		if have == nil {
			have = clockEstimates{}
			kept[e.name] = have
		}
		for _, m := range d.Modules() {
			digest, name := verilogDigest(m), m.Top()
			if seen[digest] || slices.Contains([]string{"fifo", "merge", "queue"}, name) || e.most == 0 && name == gen.Top {
				continue
			}
			seen[digest] = true
			one, is := have[name]
			if *update && (!is || one.Verilog != digest) {
				one = measureClock(t, m, digest)
				t.Logf("%s, %s: %+v", e.name, name, one)
				have[name] = one
				saveClock(t, path, kept)
			}
			now[name] = one
			if !assert.Equal(t, digest, one.Verilog, "%s: no estimate of the Verilog of %s; measure it: go test ./gen -run Clock -update -timeout 2h", e.name, name) {
				continue
			}
			most, own := e.limits[name]
			switch {
			case own:
			case name == "request_order":
				most = usualDelay + executorDelay*float64(executors-2)
			default:
				most = usualDelay
			}
			assert.LessOrEqual(t, one.Delay, most, "%s, %s", e.name, name)
			if own {
				assert.Greater(t, one.Delay, 0.9*most, "%s, %s: lower the limit", e.name, name)
			}
		}
		assert.LessOrEqual(t, now[gen.Top].LUT, e.most, e.name)
		if *update {
			kept[e.name] = now
			saveClock(t, path, kept)
		}
		assert.Len(t, have, len(now), "%s: estimates of blocks that are not there", e.name)
		measured := 0
		for _, m := range d.Modules() {
			if name := m.Top(); slices.Contains(e.again, name) {
				measured++
				assert.InEpsilon(t, now[name].Delay, measureClock(t, m, "").Delay, 0.1, "%s, %s: what is kept is not what these tools measure", e.name, name)
			}
		}
		assert.Len(t, e.again, measured, e.name)
	}
}

func measureClock(t *testing.T, d *hdl.Design, digest string) clockEstimate {
	target, err := synth.TargetNamed("xcup")
	require.NoError(t, err)
	r, err := synth.Run(d, target, synth.Options{Paths: 1})
	require.NoError(t, err)
	return clockEstimate{digest, r.LUT, r.FF, r.Delay}
}

func saveClock(t *testing.T, path string, kept map[string]clockEstimates) {
	text, err := json.MarshalIndent(kept, "", "  ")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(text, '\n'), 0o644))
}

var verilogLayout = regexp.MustCompile(`//.*|\s+`)

// verilogDigest is of the Verilog of a module and all in it, without comments and spaces.
func verilogDigest(d *hdl.Design) string {
	h := sha256.New()
	for _, f := range d.Files() {
		fmt.Fprintf(h, "%s\n%s\n", f.Name, verilogLayout.ReplaceAllString(f.Text, ""))
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}
