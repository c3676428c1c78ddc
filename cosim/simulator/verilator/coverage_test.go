package verilator

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/testdesign"
)

// Three beats through a FIFO of 16 cover some lines and port bits, but not others.
func TestCoverage(t *testing.T) {
	d := testdesign.FIFO()
	d.Instances = []simulator.Instance{{Path: d.Top, Module: d.Top, Ports: d.Ports[2:]}}
	c := &simulator.Coverage{}
	run := func(beats ...uint64) {
		e, err := Open(d, simulator.Options{Coverage: c})
		require.NoError(t, err)
		_, err = e.Push(0, beats)
		require.NoError(t, err)
		_, err = e.Run(100, 10)
		require.NoError(t, err)
		assert.NotEmpty(t, c.Counts)
		require.NoError(t, e.Close())
		assert.Nil(t, c.Counts)
	}
	pin := func(name string) simulator.Pin {
		for _, p := range c.Pins {
			if p.Port == name {
				return p
			}
		}
		t.Fatalf("no port %s", name)
		return simulator.Pin{}
	}
	run(1, 0, 5, 0, 1, 0) // words of data and last
	assert.Equal(t, []uint64{5}, pin("m_data").Rose)
	assert.Equal(t, []uint64{5}, pin("m_data").Fell, "5 to 1, then 1 to 0, which an empty slot shows")
	assert.Equal(t, []uint64{0}, pin("m_last").Rose)
	assert.Equal(t, []uint64{0}, pin("s_ready").Fell, "the FIFO was never full")
	counts := map[int]uint64{}
	for _, p := range c.Points {
		if p.Arm == "if" {
			counts[p.Line] = p.Count
		}
	}
	assert.Equal(t, map[int]uint64{32: 3, 36: 3, 37: 4}, counts, "beats in, beats out, cycles of reset")
	run(2, 1)
	assert.Equal(t, []uint64{7}, pin("m_data").Rose, "runs accumulate")
	assert.Equal(t, []uint64{1}, pin("m_last").Rose)
}

func TestCoverageData(t *testing.T) {
	points, err := readPoints("# SystemC::Coverage-3\nC '\x01f\x02rtl/a.v\x01l\x027\x01n\x029\x01page\x02v_branch/a\x01o\x02if\x01S\x027-8,10\x01h\x02TOP.a' 12\n")
	require.NoError(t, err)
	assert.Equal(t, []simulator.Point{{File: "a.v", Module: "a", Line: 7, Column: 9, Arm: "if", Lines: []int{7, 8, 10}, Count: 12}}, points)
	for _, tt := range []struct{ text, says string }{
		{"", "coverage.dat is empty; allowed: a file that begins with # SystemC::Coverage-3"},
		{"C\n", `coverage.dat:1: unknown header in "C"; allowed: # SystemC::Coverage-3`},
		{dataHead + "\nD\n", `coverage.dat:2: no point in "D"; allowed: C 'KEYS' COUNT`},
		{dataHead + "\nC 'x' y\n", `coverage.dat:2: count y in "C 'x' y"; allowed: a number`},
		{dataHead + "\nC '\x01page\x02v_toggle/a' 1\n", "page v_toggle/a"},
		{dataHead + "\nC '\x01page\x02v_line/a\x01l\x02x\x01n\x021' 1\n", "bad position"},
	} {
		_, err := readPoints(tt.text)
		assert.ErrorContains(t, err, tt.says)
	}
}

// Any text yields points or an error.
func FuzzCoverageData(f *testing.F) {
	f.Add(dataHead + "\nC '\x01f\x02rtl/a.v\x01l\x027\x01n\x029\x01page\x02v_branch/a\x01o\x02if\x01S\x027-8,10\x01h\x02TOP.a' 12\n")
	f.Add(dataHead)
	f.Fuzz(func(t *testing.T, text string) {
		points, err := readPoints(text)
		for _, p := range points {
			require.True(t, err != nil || len(p.Lines) > 0)
		}
	})
}
