package fuzz

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/vectors"
	"github.com/rnicgen/rnicgen/vectors/replay"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// A short search of the unmodified hardware finds nothing, and is reproducible.
func TestSearch(t *testing.T) {
	long.Test(t)
	var results [2]Result
	for i := range results {
		var err error
		results[i], err = Run(Options{Hardware: sound(t, Config()), Cycles: 60_000, Seed: 1})
		require.NoError(t, err)
		results[i].Elapsed = 0
	}
	assert.Equal(t, results[0], results[1])
	assert.Empty(t, results[0].Findings)
	assert.GreaterOrEqual(t, results[0].Cycles, uint64(60_000))
	assert.Greater(t, results[0].Kept, 2)
	assert.Greater(t, results[0].Reached, 10_000)
	t.Logf("%+v", results[0])
}

// The search finds a fault injected into the hardware and minimizes the program; the program written as a test vector also shows
// the fault.
func TestFindsFault(t *testing.T) {
	long.Test(t)
	c := Config()
	d := broken(t, c, "delivery_gate_4_2", "is_solicited", 0)
	for _, f := range finds(t, c, d) {
		s, err := Suite(f.Program, d)
		require.NoError(t, err)
		assert.NotNil(t, differs(t, s, d[0].Design), "the vector shows the fault")
		assert.Nil(t, differs(t, s, sound(t, c)[0].Design))
		_, err = vectors.FoundFiles(s)
		require.NoError(t, err)
	}
}

// finds searches for the fault of a broken design, and returns the findings, each of which that fault causes.
func finds(t *testing.T, c gen.Config, d []Hardware) []Finding {
	r, err := Run(Options{Hardware: d, Cycles: 300_000, Seed: 5, Smaller: 12})
	require.NoError(t, err)
	require.NotEmpty(t, r.Findings)
	for _, f := range r.Findings {
		t.Logf("%d programs, %d cycles; %d of %d octets, %v: %v", r.Programs, r.Cycles, len(f.Program), f.Found, f.Program, f.Err)
		assert.LessOrEqual(t, len(f.Program), f.Found)
		require.Error(t, Check(t.Context(), f.Program, d))
		require.NoError(t, Check(t.Context(), f.Program, sound(t, c)), "caused by the fault")
	}
	return r.Findings
}

// differs runs the test of a suite on a design.
func differs(t *testing.T, s *suite.Suite, d *simulator.Design) *replay.Difference {
	device, err := rnic.OpenDesign(s.Config.Config, d, rnic.Options{Engine: "go", Seed: 1})
	require.NoError(t, err)
	defer device.Close()
	g := &s.Groups[0]
	out, changes, err := replay.NewHardware(device, simulator.Stall{}).Run(g, &g.Tests[0])
	require.NoError(t, err)
	return replay.Compare(&g.Tests[0], out, changes, true)
}

func broken(t *testing.T, c gen.Config, module, name string, value uint64) []Hardware {
	c.RetirePort = true
	d, err := gen.Compile(c)
	require.NoError(t, err)
	hdltest.Force(t, d, module, name, value)
	return []Hardware{{c, rnic.DesignOf(c, d)}}
}

func sound(t *testing.T, c ...gen.Config) []Hardware {
	list, err := Open(c...)
	require.NoError(t, err)
	return list
}

// Any octets form a program, and a program always produces the same run.
func TestProgramsAreRuns(t *testing.T) {
	for _, c := range []gen.Config{falconConfigs()[0], Config()} {
		t.Run(c.Profile, func(t *testing.T) {
			if c.Profile != gen.ProfileFalcon { // whose model TestFalconSearch builds
				long.Test(t)
			}
			d, r := sound(t, c), rand.New(rand.NewPCG(1, 1))
			for _, p := range []Program{nil, {0}, {3, 200, 1, 255}, mutate(Program{9, 1, 2, 3}, Program("another one"), r)} {
				first, one, err := Reach(t.Context(), p, d)
				require.NoError(t, err)
				second, two, err := Reach(t.Context(), p, d)
				require.NoError(t, err)
				assert.True(t, maps.Equal(first, second), "two runs reach the same of %d features", len(first))
				assert.Equal(t, one.Cycles, two.Cycles)
				assert.Equal(t, 1+p.head(0)%mostMessages, int(one.Messages))
			}
		})
	}
}

// One octet of a program selects its hardware and the seed of its memory. Every configuration can be selected, and all are valid
// and distinct.
func TestProgramsChooseHardware(t *testing.T) {
	hardware := sound(t, Configs()...)
	chosen := map[string]bool{}
	for octet := range 256 {
		plan := Program{0, 0, 0, 0, byte(octet)}.plan(hardware)
		require.NoError(t, plan.Config.Check())
		assert.NotNil(t, plan.Design)
		chosen[fmt.Sprint(plan.Config, plan.Seed)] = true
	}
	assert.Len(t, chosen, len(hardware)*mostSeeds)
}

func TestMinimise(t *testing.T) {
	fails := func(p Program) bool { return p.head(0)%mostMessages >= 5 && bytes.Contains(p, []byte("xyz")) }
	p := Program("?abcdefghijklmnopqrstuvwxyz and all that follows")
	require.True(t, fails(p))
	small := minimise(p, 1000, fails)
	assert.True(t, fails(small))
	assert.LessOrEqual(t, len(small), 4)
	assert.Equal(t, p, minimise(p, 0, fails), "unchanged without runs")
}

// The choices are the octets after the header, followed by those of a fixed seed.
func TestChoices(t *testing.T) {
	c := Program{1, 2, 3, 4, 5, 0xAB, 0}.choices()
	assert.Equal(t, uint64(0xABABABABABABABAB), c.Uint64())
	assert.Zero(t, c.Uint64())
	rest := c.Uint64()
	assert.Equal(t, rest, Program{}.choices().Uint64())
}

// FuzzModelAgainstRTL is the same search for go test -fuzz, without hardware coverage: a program on which hardware and model
// differ fails.
func FuzzModelAgainstRTL(f *testing.F) {
	long.Test(f)
	for _, text := range []string{"", "2000000000", "3f02010005", "3f0602ff140102030405060708090a0b0c0d0e0f", "1f6401a00affeeddccbbaa99887766554433221100", "3f0201a001", "1f03014006"} {
		p, err := hex.DecodeString(text)
		require.NoError(f, err)
		f.Add(p)
	}
	hardware, err := Open(Configs()...)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, octets []byte) {
		require.NoError(t, Check(t.Context(), octets[:min(len(octets), mostOctets)], hardware))
	})
}

// A program with the extension commit is a test like any other.
func TestCommitProgramIsATest(t *testing.T) {
	long.Test(t)
	c := Config()
	c.Extensions = []string{"commit"}
	hardware := sound(t, c)
	commits, r := 0, rand.New(rand.NewPCG(4, 4))
	for seed := range byte(4) {
		p := Program{40, 1, 0, 0, seed}
		for range 200 {
			p = append(p, byte(r.Uint32()))
		}
		plan, script := p.plan(hardware), &rnic.Script{}
		plan.Script, plan.Engine = script, "go"
		_, err := rnic.Run(plan)
		require.NoError(t, err)
		g, input, err := testOf(c.Protocol(), script)
		require.NoError(t, err)
		for i := range input {
			input[i].Wait = true
		}
		s, err := vectors.Found(c, plan.Seed, "a program", g, input)
		require.NoError(t, err)
		assert.Nil(t, differs(t, s, hardware[0].Design))
		for _, in := range input {
			if in.Work != nil && in.Work.Commit != nil {
				commits++
			}
		}
	}
	assert.Greater(t, commits, 10)
}
