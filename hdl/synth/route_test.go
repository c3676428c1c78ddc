package synth

import (
	"context"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A design is placed and routed once per seed; the clock is the median, and in the range of the device.
func TestRoute(t *testing.T) {
	t.Parallel()
	target, err := TargetNamed("ice40")
	require.NoError(t, err)
	require.NoError(t, CheckRouter(target))
	r, err := Route(context.Background(), small(t), target, 2)
	require.NoError(t, err)
	require.Len(t, r.Seeds, 2)
	assert.Equal(t, max(r.Seeds[0], r.Seeds[1]), r.MHz)
	assert.Greater(t, r.MHz, 20.0)
	assert.Less(t, r.MHz, 400.0)

	ended, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = Route(ended, small(t), target, 1)
	assert.ErrorIs(t, err, context.Canceled)
}

// Every bit of an input has a register of its own, every bit of an output is observed.
func TestWrap(t *testing.T) {
	text := wrap(small(t))
	assert.Contains(t, text, "counter dut (.clk(clk), .rst(in_q[0]), .step(in_q[8:1]), .sum(out[7:0]));")
	assert.Regexp(t, regexp.QuoteMeta("level_1_q[0] <= ^level_0_q[7:0];"), text)
	assert.Contains(t, text, "assign serial_out = level_1_q[0];")
}

func TestCheckRouter(t *testing.T) {
	for name, want := range map[string]string{
		"xcup":  "there is no place and route for xcup; allowed: ecp5, ice40",
		"ice40": "nextpnr-ice40 is not installed; install it with: apt-get install nextpnr-ice40",
		"ecp5":  "nextpnr-ecp5 is not installed; Debian 13 and later: apt-get install nextpnr-ecp5",
	} {
		t.Setenv("PATH", t.TempDir())
		target, err := TargetNamed(name)
		require.NoError(t, err)
		assert.EqualError(t, CheckRouter(target), want)
	}
}
