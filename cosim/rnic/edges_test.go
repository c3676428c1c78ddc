package rnic_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// passes counts the accesses that cross a boundary.
type passes struct{ memory, to int }

// With the default configuration and seed, every kind of access crosses a multiple of 2^32 in memory and, independently, in
// TO. There are regions at both ends of memory, and regions that differ in one high address bit.
func TestEdges(t *testing.T) {
	long.Test(t)
	script := &rnic.Script{}
	_, err := rnic.Run(rnic.Plan{Config: gen.Default(), Engine: "verilator", Peer: "model", Messages: 20000, Seed: 1, Script: script})
	require.NoError(t, err)
	rows := map[int]memory.Region{}
	addresses := map[uint64]bool{}
	seen := map[string]*passes{}
	use := func(what string, stag uint32, to uint64, octets int) {
		r := rows[int(stag>>8)]
		address := r.Address + (to - r.Base)
		p := seen[what]
		if p == nil {
			p = &passes{}
			seen[what] = p
		}
		inner := uint64(max(octets, 1) - 1)
		if address>>32 != (address+inner)>>32 || what == "atomic target" && address&(1<<32-1) == 0 {
			p.memory++
		}
		if to>>32 != (to+inner)>>32 {
			p.to++
		}
	}
	top, low, rights := false, false, map[memory.Rights]bool{}
	for _, g := range script.Steps {
		switch {
		case g.Region != nil:
			r := g.Region.Region
			rows[g.Region.Index] = r
			addresses[r.Address] = true
			top, low = top || r.Address == -r.Length, low || r.Address>>32 == 0
			rights[r.Rights] = true
		case g.Receive != nil:
			use("receive", g.Receive.Buffer.STag, g.Receive.Buffer.TO, int(g.Receive.Length))
		case g.Work != nil:
			w := g.Work
			switch w.Opcode {
			case wire.OpImmediate, wire.OpImmediateSE:
			case wire.OpReadRequest:
				use("read sink", w.Local.STag, w.Local.TO, int(w.Length))
			case wire.OpAtomicRequest:
				use("atomic result", w.Local.STag, w.Local.TO, 8)
			default:
				use("source", w.Local.STag, w.Local.TO, int(w.Length))
			}
		case g.Segment != nil:
			view, _ := wire.Classify(g.Segment.Octets)
			var read wire.ReadRequest
			var atomic wire.AtomicRequest
			switch view.Header.Opcode {
			case wire.OpWrite:
				use("write target", view.Header.STag, view.Header.TO, len(view.Payload))
			case wire.OpReadRequest:
				require.NoError(t, read.Decode(view.Payload))
				use("read source", read.DataSourceSTag, read.DataSourceTO, int(read.ReadMessageSize))
			case wire.OpAtomicRequest:
				require.NoError(t, atomic.Decode(view.Payload))
				use("atomic target", atomic.RemoteSTag, atomic.RemoteTO, 8)
			}
		}
	}
	require.Len(t, seen, 7)
	for what, p := range seen {
		t.Logf("%-14s passes 2^32: %d in memory, %d in TO", what, p.memory, p.to)
		assert.Positive(t, p.memory, what)
		assert.Positive(t, p.to, what)
	}
	assert.True(t, top && low, "regions at both ends of memory")
	assert.Greater(t, len(rights), 24, "combinations of rights")
	alike := 0
	for a := range addresses {
		for bit := 32; bit < 64; bit++ {
			if addresses[a^1<<bit] {
				alike++
			}
		}
	}
	assert.Greater(t, alike, 100, "regions that differ in one high bit of their address")
}
