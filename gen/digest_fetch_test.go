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

// While beats leave or do not, parts of any length follow one another, and those for the CRCs never have more than 512 beats in the buffer, but
// nearly as many.
func TestDigestFetchHasRoom(t *testing.T) {
	everyBus(t, func(t *testing.T, busBytes int) {
		f := digest.FetcherOf(busBytes, 6)
		r := openRig(t, f.Block(), 1)
		freed := r.inputs["freed"]
		for range 12 {
			r.reset()
			held, most := 0, 0
			onBeat(r, "m_axi_ar", func(b readBurst) {
				if b.ArID == 0 {
					held += b.ArLen + 1
				}
				most = max(most, held)
			})
			onBeat(r, "job", func(digestJobBeat) {})
			for range 400 {
				p := digestPartBeat{Hashed: r.rand.IntN(8) == 0, Begins: true, Ends: true, Address: r.rand.Uint64()}
				p.Length = r.rand.IntN(8*busBytes - int(p.Address)&(8*busBytes-1) + 1)
				send(r, "range", p)
			}
			for range 5000 {
				frees := held > 400 && r.cycle > 3000 && r.rand.IntN(3) == 0
				freed.Set(0)
				if frees {
					held--
					freed.Set(1)
				}
				r.step()
			}
			freed.Set(0)
			assert.LessOrEqual(t, most, 512)
			assert.Greater(t, most, 504)
		}
	})
}
