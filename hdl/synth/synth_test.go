package synth

import (
	"math/bits"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
)

// chain is a register, two LUTs of which the first has a fanout of three, a carry chain of two stages, and a register; a RAM with
// asynchronous read; and a loop.
const chain = `{"modules": {"top": {
 "ports": {"in": {"direction": "input", "bits": [30]}, "out": {"direction": "output", "bits": [31]}},
 "cells": {
  "first":  {"type": "FDRE", "port_directions": {"C": "input", "D": "input", "Q": "output"}, "connections": {"C": [2], "D": [30], "Q": [3]}},
  "a":      {"type": "LUT2", "port_directions": {"I0": "input", "I1": "input", "O": "output"}, "connections": {"I0": [3], "I1": ["1"], "O": [4]}},
  "b":      {"type": "LUT1", "port_directions": {"I0": "input", "O": "output"}, "connections": {"I0": [4], "O": [5]}},
  "c":      {"type": "CARRY4", "port_directions": {"S": "input", "DI": "input", "CI": "input", "O": "output", "CO": "output"},
             "connections": {"S": [5, 4], "DI": ["0", "0"], "CI": ["0"], "O": [10, 11], "CO": [12, 13]}},
  "d":      {"type": "CARRY4", "port_directions": {"S": "input", "CI": "input", "O": "output"}, "connections": {"S": [4], "CI": [13], "O": [14]}},
  "last":   {"type": "FDRE", "port_directions": {"C": "input", "D": "input", "Q": "output"}, "connections": {"C": [2], "D": [14], "Q": [15]}},
  "m.0.0":  {"type": "RAM32M", "port_directions": {"ADDRA": "input", "DIA": "input", "WCLK": "input", "DOA": "output"},
             "connections": {"ADDRA": [15], "DIA": [30], "WCLK": [2], "DOA": [31]}},
  "m.0.1":  {"type": "RAM32M", "port_directions": {}, "connections": {}},
  "odd":    {"type": "WIRE_CELL", "port_directions": {"I": "input", "O": "output"}, "connections": {"I": [20], "O": [20]}}
 },
 "netnames": {"first_q": {"hide_name": 0, "bits": [3]}, "last_q": {"hide_name": 0, "bits": [15]}, "sum": {"hide_name": 0, "bits": [10, 11, 14]},
  "other_name": {"hide_name": 0, "bits": [15]}, "$hidden": {"hide_name": 1, "bits": [4]}}
}}}`

func small(t *testing.T) *hdl.Design {
	d, err := hdl.Compile(counter())
	require.NoError(t, err)
	return d
}

// The delay of the chain, by hand: clock to output 0.08; net of fanout one 0.25 and LUT 0.10; net of fanout three 0.32 and LUT 0.10;
// net 0.25 and carry 0.20; next chain 0.03 without a net; net 0.25 and setup 0.05: 1.63. The RAM: 0.08, 0.25, 0.15, and the port 0.25 and 0.05.
func TestDelays(t *testing.T) {
	n, err := readNetlist([]byte(chain), "top")
	require.NoError(t, err)
	target, err := TargetNamed("xcup")
	require.NoError(t, err)
	r := report(small(t), &target, n, 10)
	assert.Equal(t, []int{2, 2, 2, 2, 0}, []int{r.LUT, r.FF, r.Carry, r.LUTRAM, r.BlockRAM})
	assert.Equal(t, []string{"WIRE_CELL"}, r.Unmodeled)
	assert.Equal(t, []Memory{{Name: "m", Cell: "RAM32M", Cells: 2}}, r.Memories)
	require.NotEmpty(t, r.Paths)
	first := r.Paths[0]
	assert.Equal(t, []any{1.63, 3, "first_q", "last_q"}, []any{first.Delay, first.Levels, first.Start, first.End})
	assert.Equal(t, []any{1.63, 1.63, 3}, []any{r.Delay, r.Inner, r.Levels})
	var out Path
	for _, p := range r.Paths {
		if p.End == "out" {
			out = p
		}
	}
	assert.Equal(t, []any{0.78, "last_q"}, []any{out.Delay, out.Start})

	_, err = readNetlist([]byte(chain), "other")
	assert.ErrorContains(t, err, "no module other")
	_, err = readNetlist([]byte("{"), "top")
	assert.Error(t, err)
}

type counterPorts struct {
	Step hdl.In
	Sum  hdl.Out
}

func counter() hdl.Block[counterPorts] {
	return hdl.Block[counterPorts]{Kind: "counter", Doc: "counter counts and keeps what it had.", Ports: counterPorts{hdl.NewIn(8), hdl.NewOut(8)},
		Build: func(m *hdl.Module, p counterPorts) {
			count := m.Reg("count_q", 8, hdl.ResetTo(0))
			m.OnClock(count.Set(count.Add(p.Step.Value)))
			kept := m.Memory("kept", 8, 1<<10)
			kept.Write(p.Step.Any(), hdl.Cat(hdl.Zero(2), count.Value), p.Step.Value)
			m.Drive(p.Sum, kept.Read("kept_q", hdl.Ones(1), hdl.Cat(hdl.Zero(2), p.Step.Value), hdl.ReadOld))
		}}
}

// A design is synthesised for every family; its path names the register and its source line, its memory the kind of cell.
func TestFamilies(t *testing.T) {
	require.NoError(t, CheckTools())
	for _, target := range Targets {
		t.Run(target.Name, func(t *testing.T) {
			t.Parallel()
			r, err := Run(small(t), target, Options{Paths: 4})
			require.NoError(t, err)
			assert.GreaterOrEqual(t, r.FF, 8)
			assert.Positive(t, r.LUT+r.Carry)
			assert.Positive(t, r.BlockRAM)
			require.Len(t, r.Memories, 1)
			assert.Equal(t, "kept", r.Memories[0].Name)
			assert.Contains(t, r.Memories[0].Made, "hdl/synth/synth_test.go:")
			assert.Empty(t, r.Unmodeled)
			require.NotEmpty(t, r.Paths)
			assert.Equal(t, r.Delay, r.Paths[0].Delay)
			assert.LessOrEqual(t, r.Inner, r.Delay)
			made := ""
			for _, p := range r.Paths {
				made += strings.Join(p.Made[:], " ")
			}
			assert.Contains(t, made, "hdl/synth/synth_test.go:")
			assert.Contains(t, Table([]*Report{r}), "counter")
		})
	}
}

type shelfPorts struct {
	In  hdl.In
	Out hdl.Out
}

// shelf has a memory, whose address and word are parts of in.
func shelf(width, depth int) hdl.Block[shelfPorts] {
	index := bits.Len(uint(depth - 1))
	return hdl.Block[shelfPorts]{Kind: "shelf", Doc: "shelf keeps words.", Ports: shelfPorts{hdl.NewIn(2*index + width), hdl.NewOut(width)},
		Build: func(m *hdl.Module, p shelfPorts) {
			kept := m.Memory("kept", width, depth)
			kept.Write(p.In.Any(), p.In.Truncate(index), p.In.Slice(2*index+width-1, 2*index))
			m.Drive(p.Out, kept.Read("kept_q", hdl.Ones(1), p.In.Slice(2*index-1, index), hdl.ReadOld))
		}}
}

// On ECP5 a memory that would fill no more than a quarter of its block RAMs takes none.
func TestShallow(t *testing.T) {
	target, err := TargetNamed("ecp5")
	require.NoError(t, err)
	for _, c := range []struct {
		width, depth int
		cell         string
	}{{72, 128, "TRELLIS_DPR16X4"}, {72, 256, "DP16KD"}, {9, 512, "TRELLIS_DPR16X4"}, {18, 512, "DP16KD"}, {4, 1024, "TRELLIS_DPR16X4"}, {9, 1024, "DP16KD"}, {4, 2048, "DP16KD"}} {
		d, err := hdl.Compile(shelf(c.width, c.depth))
		require.NoError(t, err)
		r, err := Run(d, target, Options{})
		require.NoError(t, err)
		require.Len(t, r.Memories, 1)
		assert.Equal(t, c.cell, r.Memories[0].Cell, "%d words of %d bits", c.depth, c.width)
	}
}

func TestMistakes(t *testing.T) {
	_, err := TargetNamed("virtex")
	assert.EqualError(t, err, `there is no target "virtex"; allowed: xcup, xc7, ecp5, ice40`)
	bad := Targets[0]
	bad.script = "no_such_command"
	_, err = Run(small(t), bad, Options{})
	assert.ErrorContains(t, err, "counter for xcup: yosys: ")
	t.Setenv("PATH", filepath.Join(t.TempDir(), "empty"))
	assert.ErrorContains(t, CheckTools(), "apt-get install yosys")
}
