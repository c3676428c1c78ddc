package gen_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
)

var stagPorts = [...]string{"main", "invalidated", "local", "recheck"}

// stagCycle is the stimulus of one cycle. An index of -1 does nothing.
type stagCycle struct {
	Lookups    [len(stagPorts)]int
	Invalidate int
	Write      int
	Row        stagRow
}

func idleCycle() stagCycle {
	return stagCycle{Lookups: [len(stagPorts)]int{-1, -1, -1, -1}, Invalidate: -1, Write: -1}
}

func lookUp(port, index int) stagCycle {
	c := idleCycle()
	c.Lookups[port] = index
	return c
}

func (c stagCycle) invalidate(index int) stagCycle {
	c.Invalidate = index
	return c
}

func (c stagCycle) write(index int, row stagRow) stagCycle {
	c.Write, c.Row = index, row
	return c
}

// stagBench compares a table with the reference: the valid rows, and the last lookup of each port.
type stagBench struct {
	*clocked
	rows         int
	cycles       int // since the reset
	valid        map[int]stagRow
	written      *stagCycle               // accepted, and does not affect lookups yet
	invalidating bool                     // a row was invalidated in the previous cycle
	entries      [len(stagPorts)]*stagRow // by port: the row looked up last, nil if not valid
}

func openSTags(t testing.TB, rows int) *stagBench {
	b := &stagBench{clocked: openClocked(t, memory.STagTable(stagConfig(rows))), rows: rows}
	b.wasReset()
	return b
}

// wasReset resets the reference: no row is valid, and no port has looked up anything.
func (b *stagBench) wasReset() {
	b.cycles, b.valid, b.written, b.invalidating = 0, map[int]stagRow{}, nil, false
	b.entries = [len(stagPorts)]*stagRow{}
	b.look()
}

func (b *stagBench) swept() bool { return b.cycles >= b.rows }

// sweep runs until the table is ready.
func (b *stagBench) sweep() {
	for !b.swept() {
		b.clock(idleCycle())
	}
}

// clock runs one cycle, compares everything, and reports whether the write was accepted.
func (b *stagBench) clock(c stagCycle) (taken bool) {
	b.t.Helper()
	for i, name := range stagPorts {
		b.set(name+"_enable", bitOf(c.Lookups[i] >= 0))
		b.set(name+"_index", uint64(c.Lookups[i]))
	}
	b.set("invalidate", bitOf(c.Invalidate >= 0))
	b.set("invalidate_index", uint64(c.Invalidate))
	b.set("write_valid", bitOf(c.Write >= 0))
	b.set("write_index", uint64(c.Write))
	for name, n := range map[string]uint64{"valid": bitOf(c.Row.Valid), "key": uint64(c.Row.Key), "by_domain": bitOf(c.Row.ByDomain),
		"owner": uint64(c.Row.Owner), "base": c.Row.Base, "length": c.Row.Length, "address": c.Row.Address} {
		b.set("write_entry_"+name, n)
	}
	for i, name := range []string{"invalidate", "remote_atomic", "remote_write", "remote_read", "local_write", "local_read"} {
		b.set("write_entry_rights_"+name, uint64(c.Row.Rights>>i&1))
	}
	require.Equal(b.t, b.swept(), b.get("ready") == 1, "ready")
	waits := b.written != nil && b.invalidating
	taken = b.swept() && !waits
	require.Equal(b.t, taken, b.get("write_ready") == 1, "ready for a write")
	invalidates := c.Invalidate >= 0 && c.Invalidate < b.rows
	if invalidates {
		delete(b.valid, c.Invalidate)
	}
	for i, index := range c.Lookups {
		if index < 0 {
			continue
		}
		b.entries[i] = nil
		if row, is := b.valid[index]; is {
			b.entries[i] = &row
		}
	}
	if w := b.written; w != nil && !waits {
		b.written = nil
		if w.Write < b.rows && !(invalidates && w.Write == c.Invalidate) {
			b.valid[w.Write] = w.Row
			if !w.Row.Valid {
				delete(b.valid, w.Write)
			}
		}
	}
	b.invalidating = invalidates
	if taken = taken && c.Write >= 0; taken {
		b.written = &c
	}
	b.sim.Step()
	b.cycles++
	b.look()
	return taken
}

// look compares the entries. The other fields of an invalid row may have any value.
func (b *stagBench) look() {
	b.t.Helper()
	for i, name := range stagPorts {
		entry := b.getBig(name + "_entry")
		if b.entries[i] != nil {
			require.Equal(b.t, fmt.Sprintf("%056x", b.entries[i].packed()), fmt.Sprintf("%056x", entry), "%s, cycle %d", name, b.cycles)
		} else {
			require.Zero(b.t, entry.Bit(223), "%s, cycle %d: %x is valid", name, b.cycles, entry)
		}
	}
}

func randomRow(r *rand.Rand) stagRow {
	return stagRow{Valid: r.IntN(8) > 0, Key: uint8(r.Uint32()), Rights: uint8(r.UintN(64)), ByDomain: r.IntN(2) == 0, Owner: uint16(r.Uint32()),
		Base: r.Uint64(), Length: r.Uint64(), Address: r.Uint64()}
}

// Every mix of rates of writes, invalidations and lookups; few rows, so that they often meet on one.
func TestSTagTableUnderEveryMix(t *testing.T) {
	for _, rows := range []int{16, 64} {
		indexes := []int{0, 1, rows - 1, rows, 2*rows + 1, 1<<24 - 1, 1<<23 + 1}
		for _, writes := range []int{20, 128, 256} {
			for _, invalidates := range []int{0, 20, 128, 200} {
				for _, lookups := range []int{30, 128, 256} {
					t.Run(fmt.Sprintf("%d rows, of 256 cycles %d write, %d invalidate, %d look up", rows, writes, invalidates, lookups), func(t *testing.T) {
						b, r := openSTags(t, rows), random(uint64(writes+invalidates+lookups))
						some := func(chance int) int {
							if r.IntN(256) >= chance {
								return -1
							}
							if r.IntN(4) > 0 {
								return r.IntN(2)
							}
							return indexes[r.IntN(len(indexes))]
						}
						found, offered, row := 0, -1, stagRow{}
						for range 1000 {
							c := idleCycle()
							for i := range c.Lookups {
								c.Lookups[i] = some(lookups)
							}
							if offered < 0 {
								offered, row = some(writes), randomRow(r)
							}
							if b.clock(c.invalidate(some(invalidates)).write(offered, row)) {
								offered = -1
							}
							if b.entries[0] != nil {
								found++
							}
							if r.IntN(500) == 0 {
								b.sim.Reset(1)
								b.wasReset()
							}
						}
						assert.NotZero(t, found)
					})
				}
			}
		}
	}
}

var aRow, otherRow = stagRow{Valid: true, Key: 0x5A, Rights: 0b101011, Owner: 0xBEEF, Base: 1 << 63, Length: 3, Address: 0xFEDCBA9876543210},
	stagRow{Valid: true, Key: 0xA5, Rights: 0b010100, ByDomain: true, Owner: 0x1234, Base: 5, Length: ^uint64(0), Address: 7}

// put writes a row, which affects lookups from the next cycle on.
func (b *stagBench) put(index int, row stagRow) {
	b.t.Helper()
	require.True(b.t, b.clock(idleCycle().write(index, row)))
	b.clock(idleCycle())
}

// An invalidation affects the lookups of its own cycle, on every port; a write affects those from the second cycle after it.
func TestSTagTableSameCycle(t *testing.T) {
	for port := range stagPorts {
		b := openSTags(t, 16)
		b.sweep()
		require.True(t, b.clock(lookUp(port, 3).write(3, aRow)))
		b.clock(lookUp(port, 3))
		assert.Nil(t, b.entries[port])
		require.True(t, b.clock(lookUp(port, 3).write(3, otherRow)))
		assert.Equal(t, aRow, *b.entries[port])
		b.clock(lookUp(port, 3))
		assert.Equal(t, aRow, *b.entries[port])
		b.clock(lookUp(port, 3))
		assert.Equal(t, otherRow, *b.entries[port])
		for range 4 {
			b.clock(lookUp(port, 3).invalidate(3))
			assert.Nil(t, b.entries[port])
		}
		b.clock(lookUp(port, 3))
		assert.Nil(t, b.entries[port])
	}
}

// The entry at a port stays until the next lookup of the port, even if the row changes.
func TestSTagTableHolds(t *testing.T) {
	b := openSTags(t, 16)
	b.sweep()
	b.put(3, aRow)
	b.clock(lookUp(0, 3))
	b.put(3, otherRow)
	b.clock(idleCycle().invalidate(3))
	b.clock(lookUp(1, 3))
	assert.Equal(t, aRow, *b.entries[0])
	assert.Nil(t, b.entries[1])
	b.clock(lookUp(0, 3))
	assert.Nil(t, b.entries[0])
}

// A write waits while there was an invalidation in the previous cycle, and is not visible until then; it overrides an earlier
// invalidation, but not one of the same cycle.
func TestSTagTableWriteWaitsForKills(t *testing.T) {
	b := openSTags(t, 16)
	b.sweep()
	b.put(3, aRow)
	require.True(t, b.clock(lookUp(0, 4).invalidate(9).write(4, otherRow)))
	require.False(t, b.clock(lookUp(0, 4).invalidate(3).write(3, otherRow)))
	require.False(t, b.clock(lookUp(0, 4).write(3, otherRow)))
	require.Nil(t, b.entries[0])
	require.True(t, b.clock(lookUp(0, 4).write(3, otherRow)))
	require.Nil(t, b.entries[0])
	b.clock(lookUp(0, 4))
	require.Equal(t, otherRow, *b.entries[0])
	b.clock(lookUp(0, 3))
	require.Equal(t, otherRow, *b.entries[0])
	require.True(t, b.clock(idleCycle().write(3, aRow)))
	b.clock(lookUp(0, 3).invalidate(3))
	require.Nil(t, b.entries[0])
	b.clock(lookUp(0, 3))
	require.Nil(t, b.entries[0])
}

// An index beyond the table touches no row, whichever of its upper bits is set.
func TestSTagTableIndexBeyond(t *testing.T) {
	b := openSTags(t, 16)
	b.sweep()
	b.put(5, aRow)
	for bit := 4; bit < 24; bit++ {
		beyond := 1<<bit | 5
		for port := range stagPorts {
			b.clock(lookUp(port, beyond))
			require.Nil(t, b.entries[port])
		}
		b.clock(idleCycle().invalidate(beyond))
		b.put(beyond, otherRow)
		b.clock(lookUp(0, 5))
		require.Equal(t, aRow, *b.entries[0])
	}
}

// All 24 bits of an index are decoded, including those beyond the table: an access to one row does not affect another.
func TestSTagTableEveryIndexBit(t *testing.T) {
	b := openSTags(t, 1024)
	b.sweep()
	for _, index := range []int{0x2A5, 0x15A} {
		b.put(index, aRow)
		for bit := range 24 {
			other := index ^ 1<<bit
			for port := range stagPorts {
				b.clock(lookUp(port, other))
				b.clock(lookUp(port, index))
				require.Equal(t, aRow, *b.entries[port])
			}
			b.put(other, otherRow)
			b.clock(lookUp(bit%4, index))
			b.clock(lookUp(bit%4, other))
			b.clock(idleCycle().invalidate(other))
			b.clock(lookUp(bit%4, index))
			require.Equal(t, aRow, *b.entries[bit%4])
		}
	}
}

// After a reset at any time no row is valid, and invalidations do not disturb the sweep.
func TestSTagTableReset(t *testing.T) {
	for _, at := range []int{0, 1, 7, 15} {
		b := openSTags(t, 16)
		b.sweep()
		for i := range 16 {
			b.put(i, aRow)
		}
		for port := range stagPorts {
			b.clock(lookUp(port, 2))
		}
		b.sim.Reset(1)
		b.wasReset()
		for range at {
			b.clock(lookUp(0, 2))
		}
		b.sim.Reset(1)
		b.wasReset()
		for i := 0; !b.swept(); i++ {
			require.False(t, b.clock(lookUp(i%4, i).invalidate(15-i).write(3, otherRow)))
		}
		for i := range 16 {
			b.clock(lookUp(i%4, i))
			require.Nil(t, b.entries[i%4], "row %d", i)
		}
	}
}

// One write and four lookups per cycle.
func TestSTagTableRate(t *testing.T) {
	b, r := openSTags(t, 1024), random(1)
	b.sweep()
	for i := range 5000 {
		c := idleCycle().write(i%1024, randomRow(r))
		for port := range c.Lookups {
			c.Lookups[port] = (i + port - 2 + 1024) % 1024
		}
		require.True(t, b.clock(c))
	}
}

func TestSTagTableIsClean(t *testing.T) {
	for _, rows := range []int{16, 1024, 65536} {
		d, err := hdl.Compile(memory.STagTable(stagConfig(rows)))
		require.NoError(t, err)
		hdltest.Lint(t, d.Files(), d.Top())
	}
}
