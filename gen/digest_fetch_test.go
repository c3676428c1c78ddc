package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen/engine/digest"
)

type digestRangeBeat struct {
	Algorithm int
	Address   uint64
	Length    uint32
}

type digestJobBeat struct {
	Algorithm, Offset, End int
	Empty                  bool
	Length                 uint32
	Behind                 uint64
}

// The beats of the longest ranges, and that no burst is offered without room for it.
func TestDigestFetch(t *testing.T) {
	everyBus(t, func(t *testing.T, busBytes int) {
		r := openRig(t, digest.Fetch(busBytes), 1)
		bus := uint64(busBytes)
		for _, offset := range []uint64{0, 1, bus - 1} {
			for _, length := range []uint32{1<<32 - 1, -uint32(busBytes), 1 << 31} {
				r.reset()
				send(r, "range", digestRangeBeat{Algorithm: 1, Address: 1<<33 - bus + offset, Length: length})
				for range 400 {
					r.step()
				}
				past := offset + uint64(length)
				same(t, []digestJobBeat{{Algorithm: 1, Offset: int(offset), End: int(past % bus), Length: length, Behind: (past - 1) / bus}},
					received[digestJobBeat](r, "job"))
				beats, address := 0, 1<<33-bus
				for _, b := range received[readBurst](r, "m_axi_ar") {
					assert.Equal(t, address, b.ArAddr)
					beats, address = beats+b.ArLen+1, address+uint64(b.ArLen+1)*bus
				}
				most := min(16, 4096/busBytes)
				assert.Equal(t, 512-most+1, beats, "the first burst has one beat, the others %d", most)
			}
		}
	})
}
