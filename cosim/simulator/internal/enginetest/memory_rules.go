package enginetest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/testdesign"
)

// protocolError runs until a protocol error, and returns it.
func (r *memoryRig) protocolError() *simulator.ProtocolError {
	r.t.Helper()
	result, err := r.Run(1000, 50)
	var broken *simulator.ProtocolError
	require.ErrorAs(r.t, err, &broken)
	assert.Equal(r.t, simulator.Failed, result.Why)
	assert.Equal(r.t, broken.Cycle+1, r.Cycle(), "the run ends with the cycle")
	_, again := r.Run(1, 0)
	assert.Equal(r.t, err, again, "the error persists")
	assert.Equal(r.t, err, r.Reset(1))
	r.read(0, 8)
	return broken
}

func (open Open) memoryRules(t *testing.T) {
	good := beat{"addr": 0x1FC0, "len": 7, "size": 3, "burst": 1}
	with := func(name string, value uint64) beat {
		b := beat{}
		for k, v := range good {
			b[k] = v
		}
		b[name] = value
		return b
	}
	for _, c := range []struct {
		name    string
		aw, ar  []beat
		w       []int // beats per burst
		cycle   uint64
		rule    simulator.Rule
		channel string
		address uint64
		beats   int
	}{
		{name: "unaligned write", aw: []beat{good, with("addr", 0x1004)}, cycle: 5, rule: simulator.RuleAligned, channel: "m_axi_aw", address: 0x1004, beats: 8},
		{name: "unaligned read", ar: []beat{good, with("addr", 0x1001)}, cycle: 5, rule: simulator.RuleAligned, channel: "m_axi_ar", address: 0x1001, beats: 8},
		{name: "narrow write", aw: []beat{with("size", 2)}, cycle: 4, rule: simulator.RuleSize, channel: "m_axi_aw", address: 0x1FC0, beats: 8},
		{name: "too wide a read", ar: []beat{with("size", 4)}, cycle: 4, rule: simulator.RuleSize, channel: "m_axi_ar", address: 0x1FC0, beats: 8},
		{name: "fixed write", aw: []beat{with("burst", 0)}, cycle: 4, rule: simulator.RuleBurst, channel: "m_axi_aw", address: 0x1FC0, beats: 8},
		{name: "wrapping read", ar: []beat{with("burst", 2)}, cycle: 4, rule: simulator.RuleBurst, channel: "m_axi_ar", address: 0x1FC0, beats: 8},
		{name: "write across a boundary", aw: []beat{with("len", 8)}, cycle: 4, rule: simulator.RuleBoundary, channel: "m_axi_aw", address: 0x1FC0, beats: 9},
		{name: "read across a boundary", ar: []beat{with("addr", 0x1FC8)}, cycle: 4, rule: simulator.RuleBoundary, channel: "m_axi_ar", address: 0x1FC8, beats: 8},
		{name: "read beyond the last address", ar: []beat{with("addr", 0xFFFF_FFFF_FFFF_FFC8)}, cycle: 4, rule: simulator.RuleBoundary, channel: "m_axi_ar", address: 0xFFFF_FFFF_FFFF_FFC8, beats: 8},
		{name: "data ends early", aw: []beat{good}, w: []int{7}, cycle: 10, rule: simulator.RuleLast, channel: "m_axi_w", address: 0x1FC0, beats: 7},
		{name: "data does not end", aw: []beat{good}, w: []int{9}, cycle: 11, rule: simulator.RuleLast, channel: "m_axi_w", address: 0x1FC0, beats: 8},
		{name: "no end of data", w: []int{300}, cycle: 4 + 255, rule: simulator.RuleLast, channel: "m_axi_w", beats: 256},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := open.startMemory(t, testdesign.Pass(8), simulator.Options{Buffer: 512})
			r.send("s_aw", c.aw...)
			r.send("s_ar", c.ar...)
			for _, n := range c.w {
				r.data(make([]byte, 8*n), nil)
			}
			got := r.protocolError()
			assert.Equal(t, &simulator.ProtocolError{Memory: "memory", Channel: c.channel, Cycle: c.cycle, Rule: c.rule, Address: c.address, Beats: c.beats}, got)
			assert.EqualError(t, got, fmt.Sprintf("memory memory: %s breaks a rule in cycle %d: %s (address 0x%x, %d beats)",
				c.channel, c.cycle, c.rule, c.address, c.beats))
		})
	}
	for _, n := range []int{1, 7, 9} { // the address arrives after the data
		r := open.startMemory(t, testdesign.Pass(8), simulator.Options{})
		r.data(make([]byte, 8*n), nil)
		r.run(20, 0)
		r.send("s_aw", good)
		assert.Equal(t, &simulator.ProtocolError{Memory: "memory", Channel: "m_axi_w", Cycle: 24, Rule: simulator.RuleLast, Address: 0x1FC0, Beats: n}, r.protocolError())
	}
	r := open.startMemory(t, testdesign.Pass(8), simulator.Options{}) // the address arrives after too many beats of data
	r.data(make([]byte, 8*20), nil)
	r.run(8, 0)
	r.send("s_aw", good)
	assert.Equal(t, &simulator.ProtocolError{Memory: "memory", Channel: "m_axi_w", Cycle: 12, Rule: simulator.RuleLast, Address: 0x1FC0, Beats: 8}, r.protocolError())

	r = open.startMemory(t, testdesign.Pass(8), simulator.Options{Buffer: 4}) // in the cycle that fills an output
	r.ask("s_ar", 0, 0, 4)
	r.run(4, 0)
	r.ask("s_ar", 0, 1, 4)
	assert.Equal(t, uint64(8), r.protocolError().Cycle)
	assert.Equal(t, uint64(4), r.Stats(4).Queued)

	r = open.startMemory(t, testdesign.Pass(128), simulator.Options{}) // longer than the buffer of a burst
	require.NoError(t, r.memory.SetBounds(simulator.Range{Last: 1, Writes: true}))
	r.data(make([]byte, 128), make([]bool, 128))
	r.send("s_aw", beat{"len": 255, "size": 7, "burst": 1})
	assert.Equal(t, &simulator.ProtocolError{Memory: "memory", Channel: "m_axi_aw", Cycle: 4, Rule: simulator.RuleBoundary, Beats: 256}, r.protocolError())

	r = open.startMemory(t, testdesign.Pass(128), simulator.Options{}) // no burst is longer than 4 KiB
	r.data(make([]byte, 128*40), nil)
	assert.Equal(t, &simulator.ProtocolError{Memory: "memory", Channel: "m_axi_w", Cycle: 4 + 31, Rule: simulator.RuleLast, Beats: 32}, r.protocolError())
}

// Adjacent bounds act as one. A write is valid if its bytes out of bounds have no strobe, a read if each beat has a byte in bounds.
func (open Open) memoryBounds(t *testing.T) {
	bounds := []simulator.Range{
		{First: 0x100, Last: 0x10B, Writes: true}, {First: 0x10C, Last: 0x12E, Writes: true, Reads: true}, {First: 0x300, Last: 0x300, Reads: true}}
	for _, c := range []struct {
		write   bool
		address uint64
		beats   int
		without int // byte without strobe
		wrong   int // beat at fault, 0: none
	}{
		{true, 0x100, 5, -1, 0}, {true, 0x108, 1, -1, 0}, {true, 0x100, 6, -1, 6}, {true, 0x100, 6, 47, 0}, {true, 0x128, 1, 6, 1},
		{true, 0x128, 1, 7, 0}, {true, 0xF8, 3, -1, 1}, {true, 0x300, 1, -1, 1},
		{false, 0x108, 5, 0, 0}, {false, 0x100, 1, 0, 1}, {false, 0x300, 1, 0, 0}, {false, 0x120, 5, 0, 3},
	} {
		r := open.startMemory(t, testdesign.Pass(8), simulator.Options{})
		require.NoError(t, r.memory.SetBounds(bounds...))
		channel := "m_axi_ar"
		if c.write {
			channel = "m_axi_w"
			strobes := make([]bool, 8*c.beats)
			for i := range strobes {
				strobes[i] = i != c.without
			}
			r.data(make([]byte, 8*c.beats), strobes)
			r.ask("s_aw", 0, c.address, c.beats)
		} else {
			r.ask("s_ar", 0, c.address, c.beats)
		}
		if c.wrong == 0 {
			require.Equal(t, simulator.Quiet, r.run(100, 10).Why, c)
			continue
		}
		got := r.protocolError()
		assert.Equal(t, &simulator.ProtocolError{Memory: "memory", Channel: channel, Cycle: got.Cycle, Rule: simulator.RuleBounds, Address: c.address, Beats: c.wrong}, got)
	}
	r := open.startMemory(t, testdesign.Mover(16), simulator.Options{})
	require.NoError(t, r.memory.SetBounds(bounds...))
	require.NoError(t, r.memory.SetBounds())
	require.False(t, r.move(0x40F0, 0x8000, 2, 16, 0), "no bounds: nothing is checked")
}

// Each fault of the Mover breaks a rule, under stalls; without a fault the Mover breaks none.
func (open Open) memoryFaults(t *testing.T) {
	for _, c := range []struct {
		fault   testdesign.Fault
		rule    simulator.Rule
		channel string // reported; AR and AW both have the fault
	}{
		{testdesign.AddressFalls, simulator.RuleValid, "m_axi_a"},
		{testdesign.AddressChanges, simulator.RuleStable, "m_axi_a"},
		{testdesign.AddressUnaligned, simulator.RuleAligned, "m_axi_a"},
		{testdesign.AddressNarrow, simulator.RuleSize, "m_axi_a"},
		{testdesign.AddressFixed, simulator.RuleBurst, "m_axi_a"},
		{testdesign.AddressCrosses, simulator.RuleBoundary, "m_axi_a"},
		{testdesign.DataFalls, simulator.RuleValid, "m_axi_w"},
		{testdesign.DataChanges, simulator.RuleStable, "m_axi_w"},
		{testdesign.DataEndsEarly, simulator.RuleLast, "m_axi_w"},
		{testdesign.DataDoesNotEnd, simulator.RuleLast, "m_axi_w"},
		{testdesign.ReadAddressFalls, simulator.RuleValid, "m_axi_ar"},
		{testdesign.ReadAddressChanges, simulator.RuleStable, "m_axi_ar"},
		{testdesign.ReadAddressCrosses, simulator.RuleBoundary, "m_axi_ar"},
	} {
		for seed := range uint64(5) {
			r := open.startMemory(t, testdesign.Mover(16), simulator.Options{Seed: seed})
			r.latency(1, 20)
			r.stallAll(simulator.Stall{Mode: simulator.StallRandom, Chance: 128})
			require.False(t, r.move(0x1F00, 0x2F80, 300, 64, 0))
			r.fault(c.fault)
			r.send("s", beat{"from": 0x1F00, "to": 0x2F80, "beats": 300, "len": 63})
			got := r.protocolError()
			assert.Equal(t, c.rule, got.Rule, c.fault)
			assert.Contains(t, got.Channel, c.channel, c.fault)
		}
	}
}
