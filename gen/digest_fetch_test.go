package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen/engine/digest"
)

type digestPartBeat struct {
	Hashed                              bool
	Stream                              int
	Mark                                uint32
	Begins, Resumes, Soon, Leaves, Ends bool
	Address                             uint64
	Length                              int
}

type digestJobBeat struct {
	Hashed                              bool
	Stream                              int
	Mark                                uint32
	Begins, Resumes, Soon, Leaves, Ends bool
	Empty                               bool
	Offset, End, Length, Behind         int
}

// The beats of the longest parts at any place, and that no burst for a CRC is offered without room for it.
func TestDigestFetch(t *testing.T) {
	everyBus(t, func(t *testing.T, busBytes int) {
		f := digest.FetcherOf(busBytes, 6)
		r := openRig(t, f.Block(), 1)
		bus, longest := uint64(busBytes), 1<<(f.LengthBits-1)
		for _, offset := range []uint64{0, 1, bus - 1} {
			for _, length := range []int{longest, longest - 1, longest/2 + 1, 1, 0} {
				for _, hashed := range []bool{false, true} {
					r.reset()
					p := digestPartBeat{Hashed: hashed, Stream: 5, Mark: 77, Leaves: true, Soon: true, Address: 1<<33 - bus + offset, Length: length}
					j := digestJobBeat{Hashed: hashed, Stream: 5, Mark: 77, Leaves: true, Soon: true, Empty: length == 0, Length: length, Offset: 1, End: 1}
					past, beats := int(offset)+length, 0
					if length > 0 {
						j.Offset, j.End, j.Behind = int(offset), past%busBytes, (past-1)/busBytes
						beats = j.Behind + 1
					}
					var want []digestJobBeat
					for range 512/max(beats, 1) + 2 {
						send(r, "range", p)
						want = append(want, j)
					}
					for range 1 << 13 {
						r.step()
					}
					got, address, left := 0, p.Address-offset, beats
					for _, b := range received[readBurst](r, "m_axi_ar") {
						assert.Equal(t, address, b.ArAddr)
						assert.Equal(t, hashed, b.ArID == 1)
						got, address, left = got+b.ArLen+1, address+uint64(b.ArLen+1)*bus, left-b.ArLen-1
						if left == 0 {
							address, left = p.Address-offset, beats
						}
					}
					if hashed || length == 0 {
						assert.Equal(t, len(want)*beats, got)
						same(t, want, received[digestJobBeat](r, "job"))
						continue
					}
					most := min(8, 4096/busBytes)
					assert.LessOrEqual(t, got, 512)
					assert.Greater(t, got, 512-most)
					jobs := received[digestJobBeat](r, "job")
					same(t, want[:len(jobs)], jobs)
				}
			}
		}
	})
}
