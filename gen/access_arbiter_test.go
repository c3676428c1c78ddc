package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/wire"
)

type hostAccess struct {
	Write bool
	Index int
	Data  uint64
}

// arbiterTraffic numbers the beats of each side, so that each is unlike all others.
func arbiterTraffic(n int) (atomics []windowAccess, hosts []hostAccess) {
	r := random(5)
	for i := range n {
		atomics = append(atomics, windowAccess{Stream: r.Uint32N(4), Msn: r.Uint32(), Identifier: uint32(i), Index: r.IntN(8),
			Opcode: wire.AOpCode(r.IntN(3)), Data: r.Uint64(), Mask: r.Uint64(), Compare: r.Uint64(), CompareMask: r.Uint64()})
		hosts = append(hosts, hostAccess{Write: r.IntN(2) == 0, Index: r.IntN(8), Data: uint64(i)})
	}
	return atomics, hosts
}

// split sorts what left by its side. What a host access does not have is 0.
func split(t *testing.T, out []windowAccess) (atomics []windowAccess, hosts []hostAccess, order string) {
	for _, a := range out {
		if !a.Host {
			atomics, order = append(atomics, a), order+"a"
			continue
		}
		h := hostAccess{a.Opcode == gen.HostWrite, a.Index, a.Data}
		assert.Equal(t, windowAccess{Host: true, Index: h.Index, Opcode: hostOpcode(h.Write), Data: h.Data}, a)
		hosts, order = append(hosts, h), order+"h"
	}
	return atomics, hosts, order
}

func hostOpcode(write bool) wire.AOpCode {
	if write {
		return gen.HostWrite
	}
	return gen.HostRead
}

// Nothing is lost, doubled or changed, each side keeps its order, and a side that waits is passed over at most once.
func TestAccessArbiterUnderStalls(t *testing.T) {
	wantAtomics, wantHosts := arbiterTraffic(1000)
	everyStall(t, func(t *testing.T, idle, pressure engine.Stall) {
		b := open(t, gen.AccessArbiter(4, 8))
		b.stall(idle, pressure)
		worst := passedOver(b, "atomic", "host")
		push(b, "atomic", wantAtomics...)
		push(b, "host", wantHosts...)
		b.run()
		atomics, hosts, _ := split(t, take[windowAccess](b, "access"))
		same(t, wantAtomics, atomics)
		same(t, wantHosts, hosts)
		assert.Equal(t, 1, worst(), "how often a waiting side was passed over")
	})
}

// passedOver counts for the side that has waited longest, how often the other one went before it.
func passedOver(b *bench, sides ...string) (worst func() int) {
	passed, most := make([]int, len(sides)), 0
	b.watch.also = func(pin func(string) uint64) {
		for i, name := range sides {
			side, other := b.lanes[name].stream, b.lanes[sides[1-i]].stream
			switch {
			case pin(side.Valid)&pin(side.Ready) == 1:
				passed[i] = 0
			case pin(side.Valid)&pin(other.Valid)&pin(other.Ready) == 1:
				passed[i]++
				most = max(most, passed[i])
			}
		}
	}
	return func() int { return most }
}

// One access a clock: both sides in turn when both wait, and whoever is alone all the time.
func TestAccessArbiterTurns(t *testing.T) {
	atomics, hosts := arbiterTraffic(4)
	for _, row := range []struct {
		says          string
		atomics, host int
		order         string
	}{
		{"both wait: in turn, a stream first after reset", 4, 4, "ahahahah"},
		{"the host is idle", 4, 0, "aaaa"},
		{"the streams are idle", 0, 4, "hhhh"},
		{"the host has less to do", 4, 1, "ahaaa"},
		{"the streams have less to do", 2, 4, "ahahhh"},
	} {
		t.Run(row.says, func(t *testing.T) {
			b := open(t, gen.AccessArbiter(4, 8))
			push(b, "atomic", atomics[:row.atomics]...)
			push(b, "host", hosts[:row.host]...)
			b.run()
			_, _, order := split(t, take[windowAccess](b, "access"))
			assert.Equal(t, row.order, order)
			gapless(t, b.cycles("access"))
		})
	}
}

// Both sides wait: a1 goes, then b1. Then b2 is offered and not taken; it stays on offer when a2 comes, although the
// streams would be next. That is the one time that a2 is passed over.
func TestAccessArbiterPicture(t *testing.T) {
	assert.Equal(t, `
                  ┌───┐       ┌───────────┐
atomic_valid      │   │       │           │
              ────┘   └───────┘           └───
              ────────┐               ┌───────
atomic_ready          │               │
                      └───────────────┘
              ┌───┬───────────┬───────────────
atomic_data   │0  │a1         │a2
              └───┴───────────┴───────────────
                  ┌───────────────────┐
host_valid        │                   │
              ────┘                   └───────
                      ┌───┐       ┌───┐
host_ready            │   │       │   │
              ────────┘   └───────┘   └───────
              ┌───┬───────┬───────────────────
host_data     │0  │b1     │b2
              └───┴───────┴───────────────────
                  ┌───────────────────────┐
access_valid      │                       │
              ────┘                       └───
              ────────────┐       ┌───────────
access_ready              │       │
                          └───────┘
                      ┌───────────────┐
access_host           │               │
              ────────┘               └───────
              ┌───┬───┬───┬───────────┬───────
access_data   │0  │a1 │b1 │b2         │a2
              └───┴───┴───┴───────────┴───────
`, picture(t, gen.AccessArbiter(4, 8), 8, pins{
		"atomic_valid": {0, 1, 0, 0, 1, 1, 1, 0},
		"atomic_data":  {0, 0xa1, 0xa1, 0xa1, 0xa2},
		"host_valid":   {0, 1, 1, 1, 1, 1, 0},
		"host_data":    {0, 0xb1, 0xb1, 0xb2},
		"access_ready": {1, 1, 1, 0, 0, 1},
	}, "atomic_valid", "atomic_ready", "atomic_data", "host_valid", "host_ready", "host_data",
		"access_valid", "access_ready", "access_host", "access_data"))
}
