package gen_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen/engine/memory"
)

// withdrawalBeat is an STag to withdraw.
type withdrawalBeat struct{ STag uint32 }

// rowWrite is a change of the table.
type rowWrite struct {
	Index int
	Entry struct {
		Valid, Key, Owner, Base, Length, Address uint64
		ByDomain                                 bool
		Rights                                   struct{ LocalRead, LocalWrite, RemoteRead, RemoteWrite, RemoteAtomic, Invalidate bool }

		Tag struct {
			Persistent, Visible, Verifiable, NeedsRead bool
			Type, Algorithm                            int
		}
	}
}

// A withdrawal takes the row away that has the STag's key, and no other, whatever the host changes in between; each that takes one away
// is counted once. Lookups see a write from the second cycle on.
func TestSTagWithdraw(t *testing.T) {
	everyChance(t, func(t *testing.T, idle, pressure int) {
		const rows = 4
		b := openRig(t, memory.STagWithdraw(commitEngine(2, rows)), 1)
		b.stall(idle, 0)
		b.stream("write").chance = pressure
		var table, seen [rows]rowWrite // as written, as lookups see it
		settling := map[int][]rowWrite{}
		gone, counted, writes := b.signal("gone"), 0, 0
		withdrew := 0
		host, withdraw := b.stream("host"), b.stream("withdraw")
		enable, index := b.signal("lookup_enable"), b.signal("lookup_index")
		width := b.signal("lookup_entry").Width
		onBeat(b, "write", func(w rowWrite) {
			writes++
			if host.ready.Get() == 0 { // a withdrawal
				withdrew++
				var stag withdrawalBeat
				peek(b, "withdraw", &stag)
				was := table[w.Index].Entry
				assert.Equal(t, stag.STag>>8, uint32(w.Index))
				assert.True(t, was.Valid == 1 && was.Key == uint64(stag.STag&0xFF), "cycle %d: %X takes away %+v", b.cycle, stag.STag, was)
				assert.Zero(t, w.Entry.Valid)
			}
			table[w.Index] = w
			settling[b.cycle+2] = append(settling[b.cycle+2], w)
		})
		b.look = func() {
			for _, w := range settling[b.cycle] {
				seen[w.Index] = w
			}
			delete(settling, b.cycle)
			if enable.Get() == 1 {
				e := seen[index.Get()].Entry
				v := new(big.Int).SetUint64(e.Valid<<8 | e.Key)
				words := make([]uint64, (width+63)/64)
				v.Lsh(v, uint(width-9))
				for i := range words {
					words[i] = new(big.Int).Rsh(v, uint(64*i)).Uint64()
				}
				b.inputs["lookup_entry"].SetWords(words)
			}
			counted += int(gone.Get())
			if withdraw.valid.Get() == 1 && withdraw.ready.Get() == 1 {
				var stag withdrawalBeat
				peek(b, "withdraw", &stag)
				is := table[stag.STag>>8].Entry
				assert.False(t, is.Valid == 1 && is.Key == uint64(stag.STag&0xFF), "cycle %d: %X is valid still", b.cycle, stag.STag)
			}
		}
		n := 600
		for range n {
			w := rowWrite{Index: b.rand.IntN(rows)}
			w.Entry.Valid, w.Entry.Key = uint64(bitOf(b.rand.IntN(4) > 0)), b.rand.Uint64N(2)
			w.Entry.Address = b.rand.Uint64()
			send(b, "host", w)
			send(b, "withdraw", withdrawalBeat{uint32(b.rand.IntN(rows))<<8 | b.rand.Uint32N(2)})
		}
		b.rest(50)
		assert.Equal(t, n+counted, writes)
		assert.Equal(t, withdrew, counted)
		assert.NotZero(t, counted)
	})
}
