package synth

import (
	"fmt"
	"strings"
)

// Target is an FPGA family.
type Target struct {
	Name   string
	Doc    string
	script string // of yosys, for a module TOP
	cells  []cell // the first one whose prefix matches a cell's type
	nets   []net  // by fan-out, ascending
	router router // unset if there is no free program
}

// kind is the category of a cell.
type kind int

const (
	other kind = iota
	lut
	mux // after LUTs: not counted as a level
	carry
	flipFlop
	blockRAM
	lutRAM // synchronous write, asynchronous read
	dsp
)

// cell is the model of a type of cell. Delays are in ns.
type cell struct {
	prefix   string
	kind     kind
	delay    float64 // through the cell; for a block RAM or flip-flop, clock to output
	setup    float64
	clock    string // clock port; paths end at the other inputs
	direct   string // inputs without net delay: carry chains, and muxes after LUTs
	address  string // of a lutRAM: prefixes of the inputs that its output depends on
	perBit   bool   // output i depends on the inputs up to i: CARRY4 and CARRY8
	perStage float64
}

// net is the delay of a net with at most this many readers.
type net struct {
	readers int
	delay   float64
}

const flat = "hierarchy -check -top TOP; "

// shallow makes distributed memories of those that would fill no more than a quarter of their block RAMs. yosys compares areas alone: a buffer of
// 128 wide words takes a block RAM per 36 bits, and then a whole engine does not fit.
const shallow = `select -set wide t:$mem_v2 r:SIZE<=128 %i; select -set half t:$mem_v2 r:SIZE<=512 %i r:WIDTH<=9 %i; ` +
	`select -set narrow t:$mem_v2 r:SIZE<=1024 %i r:WIDTH<=4 %i; setattr -set ram_style "distributed" @wide @half @narrow; `

// sums maps sums of several operands, which yosys 0.52 otherwise leaves as they are.
const sums = "maccmap; "

// Targets are the supported families. The delays of xcup approximate a middle speed grade of UltraScale+ from public numbers; those of
// the others are scaled by published delays of a LUT and a typical net.
var Targets = []Target{
	{Name: "xcup", Doc: "AMD UltraScale+", script: flat + "synth_xilinx -family xcup -flatten -noiopad -noclkbuf -abc9 -top TOP", cells: xilinx(1), nets: nets(1)},
	{Name: "xc7", Doc: "AMD 7 series", script: flat + "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -abc9 -top TOP", cells: xilinx(1.5), nets: nets(1.5)},
	{Name: "ecp5", Doc: "Lattice ECP5", script: flat + "synth_ecp5 -top TOP -run begin:map_ram; " + shallow + sums + "synth_ecp5 -abc9 -top TOP -run map_ram:", nets: nets(2), router: router{program: "nextpnr-ecp5",
		install: "Debian 13 and later: apt-get install nextpnr-ecp5", args: []string{"--85k", "--speed", "8", "--package", "CABGA756", "--lpf-allow-unconstrained"}}, cells: []cell{
		{prefix: "LUT4", kind: lut, delay: 0.24}, {prefix: "PFUMX", kind: mux, delay: 0.2, direct: "ALUT BLUT"}, {prefix: "L6MUX21", kind: mux, delay: 0.2, direct: "D0 D1"},
		{prefix: "CCU2C", kind: carry, delay: 0.3, direct: "CIN"}, {prefix: "TRELLIS_FF", kind: flipFlop, delay: 0.5, setup: 0.1, clock: "CLK"},
		{prefix: "TRELLIS_DPR16X4", kind: lutRAM, delay: 0.3, setup: 0.2, clock: "WCK", address: "RAD"},
		{prefix: "DP16KD", kind: blockRAM, delay: 4, setup: 0.3, clock: "CLK"}, {prefix: "PDPW16KD", kind: blockRAM, delay: 4, setup: 0.3, clock: "CLK"},
		{prefix: "MULT18X18D", kind: dsp, delay: 2}}},
	{Name: "ice40", Doc: "Lattice iCE40 HX", script: flat + "synth_ice40 -abc9 -device hx -top TOP", nets: nets(2.4), router: router{program: "nextpnr-ice40",
		install: "install it with: apt-get install nextpnr-ice40", args: []string{"--hx8k", "--package", "ct256", "--pcf-allow-unconstrained"}}, cells: []cell{
		{prefix: "SB_LUT4", kind: lut, delay: 0.4}, {prefix: "SB_CARRY", kind: carry, delay: 0.13, direct: "CI"},
		{prefix: "SB_DFF", kind: flipFlop, delay: 0.54, setup: 0.2, clock: "C"}, {prefix: "SB_RAM40_4K", kind: blockRAM, delay: 2.1, setup: 0.3, clock: "CLK"},
		{prefix: "SB_MAC16", kind: dsp, delay: 3}}},
}

func xilinx(slower float64) []cell {
	list := []cell{
		{prefix: "FD", kind: flipFlop, delay: 0.08, setup: 0.05, clock: "C"},
		{prefix: "LUT", kind: lut, delay: 0.10}, {prefix: "INV", kind: lut, delay: 0.10},
		{prefix: "MUXF", kind: mux, delay: 0.08, direct: "I0 I1"},
		{prefix: "CARRY", kind: carry, delay: 0.20, direct: "CI", perBit: true, perStage: 0.03},
		{prefix: "RAMB", kind: blockRAM, delay: 0.95, setup: 0.35, clock: "CLK"}, {prefix: "URAM", kind: blockRAM, delay: 1.3, setup: 0.35, clock: "CLK"},
		{prefix: "RAM", kind: lutRAM, delay: 0.15, setup: 0.10, clock: "WCLK", address: "A DPRA"},
		{prefix: "SRL", kind: flipFlop, delay: 0.50, setup: 0.10, clock: "C"}, {prefix: "DSP", kind: dsp, delay: 0.95},
	}
	for i := range list {
		c := &list[i]
		c.delay, c.setup, c.perStage = c.delay*slower, c.setup*slower, c.perStage*slower
	}
	return list
}

func nets(slower float64) []net {
	list := []net{{2, 0.25}, {4, 0.32}, {16, 0.42}, {64, 0.60}, {1 << 30, 0.90}}
	for i := range list {
		list[i].delay *= slower
	}
	return list
}

// TargetNamed returns one of Targets.
func TargetNamed(name string) (Target, error) {
	var names []string
	for _, t := range Targets {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return Target{}, fmt.Errorf("there is no target %q; allowed: %s", name, strings.Join(names, ", "))
}

// cellOf returns the model of a type of cell.
func (t *Target) cellOf(name string) cell {
	for _, c := range t.cells {
		if strings.HasPrefix(name, c.prefix) {
			return c
		}
	}
	return cell{}
}

// netDelay is the delay of a net with a number of readers.
func (t *Target) netDelay(readers int) float64 {
	for _, n := range t.nets {
		if readers <= n.readers {
			return n.delay
		}
	}
	return 0
}
