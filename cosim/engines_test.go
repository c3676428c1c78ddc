package cosim

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/cosim/engine/engines"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
)

// fewWords is hardware that is built and simulated soon.
var fewWords = gen.Config{Top: gen.TopAtomics, Profile: "rdmap", Extensions: []string{"draft00"}, BusBytes: 16, Streams: 8, WindowWords: 16, RetirePort: true}

// Every engine agrees with the model about the hardware as it is, in the same cycles, and finds the same first mismatch when
// something in it is forced.
func TestEveryEngineGivesTheSameVerdict(t *testing.T) {
	o := Options{Messages: 1000, Seed: 3, Stall: engine.Stall{Mode: engine.StallRandom, Chance: 60}, Hash: true}
	for _, forced := range []string{"", "forward"} {
		var reports []Report
		for _, name := range engines.Names() {
			d, err := hdl.Compile(gen.RNICAtomics(fewWords))
			require.NoError(t, err)
			if forced != "" {
				hdltest.Force(t, d, "atomic_window_16_8_draft00_retire", forced, 0)
			}
			r, err := RunDesign(fewWords, Design(d, "retire"), name, o)
			require.NoError(t, err)
			assert.Equal(t, forced != "", r.Mismatch != nil, "%s: %v", name, r.Mismatch)
			r.Elapsed = 0
			if forced != "" { // how far it ran on until the comparison ended it is a matter of time
				r.Cycles, r.Hash = 0, 0
			}
			reports = append(reports, r)
			assert.Equal(t, reports[0], r, "%s", name)
		}
	}
}

// withoutReset takes the reset of the register that says that the state of all streams is cleared.
func withoutReset(t *testing.T, d *engine.Design, file, reset string) *engine.Design {
	t.Helper()
	for i, f := range d.Files {
		if f.Name == file {
			require.Equal(t, 1, strings.Count(f.Text, reset), "%s: name the place anew", file)
			d.Files[i].Text = strings.Replace(f.Text, reset, "", 1)
			return d
		}
	}
	require.Fail(t, "there is no "+file)
	return nil
}

const clearing = "            state_q        <= STATE_CLEARING;\n"

// Whatever registers and memories start from, hardware and model agree. A register that has lost its reset does no harm when it
// starts from zero, and is found by some of the other starts.
func TestRandomStartOnVerilator(t *testing.T) {
	lost := 0
	for seed := range uint64(10) {
		o := Options{Messages: 2000, Seed: seed, Random: true}
		agrees(t, fewWords, "verilator", o)
		d, err := RNICAtomics(fewWords)
		require.NoError(t, err)
		d = withoutReset(t, d, "atomic_check_16_8_draft00.v", clearing)
		if r, err := RunDesign(fewWords, d, "verilator", o); err != nil || r.Mismatch != nil {
			lost++
		}
		o.Random = false
		r, err := RunDesign(fewWords, d, "verilator", o)
		require.NoError(t, err)
		assert.Nil(t, r.Mismatch)
	}
	assert.Greater(t, lost, 1)
}

// From unknown state nothing unknown comes out; the register that has lost its reset shows at once.
func TestUnknownStartOnIcarus(t *testing.T) {
	o := Options{Messages: 500, Seed: 2, Unknown: true, Stall: engine.Stall{Mode: engine.StallBursts, Chance: 100}}
	agrees(t, fewWords, "icarus", o)
	d, err := RNICAtomics(fewWords)
	require.NoError(t, err)
	_, err = RunDesign(fewWords, withoutReset(t, d, "atomic_check_16_8_draft00.v", clearing), "icarus", o)
	var shows *engine.UnknownError
	require.ErrorAs(t, err, &shows)
	assert.Equal(t, uint64(2), shows.Seed)
	assert.Equal(t, uint64(4), shows.Cycle, "the first cycle after reset")
	_, err = RunDesign(fewWords, d, "verilator", o)
	assert.EqualError(t, err, "the verilator engine has two states; unknown state takes four: allowed: the icarus engine")
}
