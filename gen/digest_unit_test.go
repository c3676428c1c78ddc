package gen_test

import (
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine/digest"
	"github.com/rnicgen/rnicgen/internal/long"
)

// everyBus runs a test for each width of the bus.
func everyBus(t *testing.T, test func(t *testing.T, busBytes int)) {
	for _, n := range block.BusWidths {
		t.Run(fmt.Sprint(n), func(t *testing.T) { test(t, n) })
	}
}

// The digests of "123456789" from every place in a beat.
func TestDigestCheckValues(t *testing.T) {
	values := map[int]string{digest.AlgorithmCRC32C: "e3069283", digest.AlgorithmCRC64: "ae8b14860a799888",
		digest.AlgorithmSHA256: "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225"}
	everyBus(t, func(t *testing.T, busBytes int) {
		d := openDigest(t, busBytes, 1)
		for place := range busBytes {
			address := uint64(0x10000 + 1024*place + place)
			for i := range 9 {
				d.octets[address+uint64(i)] = byte('1' + i)
			}
			for algorithm, want := range values {
				d.of(algorithm, address, 9)
				sum := d.want[len(d.want)-1].Digest
				require.Equal(t, want, hex.EncodeToString(sum[:len(want)/2]))
			}
		}
		d.check()
	})
}

// Lengths around the beat, and around the places at which the padding of SHA-256 takes another block.
func TestDigestLengths(t *testing.T) {
	everyBus(t, func(t *testing.T, busBytes int) {
		d := openDigest(t, busBytes, 2)
		lengths := []int{0, 1, 2, 3, 4, 5, 7, busBytes - 1, busBytes, busBytes + 1, 2 * busBytes, 55, 56, 57, 59, 60, 61, 63, 64, 65, 119, 120, 121}
		for _, place := range []int{0, 1, 2, 3, busBytes - 1} {
			for _, length := range lengths {
				for _, algorithm := range digestAlgorithms {
					d.of(algorithm, uint64(0x2000+place), length)
				}
			}
		}
		d.check()
	})
}

// A range may begin and end anywhere: at boundaries of 4 KiB, where an address carries far, and where addresses begin again at 0.
func TestDigestAddresses(t *testing.T) {
	everyBus(t, func(t *testing.T, busBytes int) {
		d := openDigest(t, busBytes, 3)
		for _, end := range []uint64{0x3000, 0x10000, 1 << 32, 1 << 48, 1 << 63, 0} {
			for _, before := range []int{1, busBytes, 100} {
				for i, behind := range []int{0, 1, 77, 4096 + 5} {
					d.of(digestAlgorithms[(before+i)%3], end-uint64(before), before+behind)
				}
			}
		}
		d.check()
	})
}

// Ranges of any kind at any latency, with idle cycles and back-pressure of all kinds.
func TestDigestRandom(t *testing.T) {
	long.Test(t)
	everyBus(t, func(t *testing.T, busBytes int) {
		everyChance(t, func(t *testing.T, idle, pressure int) {
			d := openDigest(t, busBytes, uint64(idle+pressure+busBytes))
			d.stall(idle, pressure)
			for _, latency := range [][2]int{{0, 0}, {5, 40}, {200, 300}} {
				d.memory.latency = latency
				for range 8 {
					d.ask(d.randomDigest(d.rand, 600))
				}
				d.check()
			}
		})
	})
}

// A long range takes as many bursts and beats as it has, without a gap.
func TestDigestLongRanges(t *testing.T) {
	everyBus(t, func(t *testing.T, busBytes int) {
		d, octets := openDigest(t, busBytes, 5), 64<<10
		if testing.Short() {
			octets = 24 << 10
		}
		for _, latency := range []int{0, 100, 420} {
			d.memory.latency = [2]int{latency, latency}
			for i, algorithm := range digestAlgorithms[:2] {
				length := octets + 13*i
				before := len(d.stream("m_axi_r").at)
				d.of(algorithm, uint64(0x12345+i), length)
				d.check()
				at := d.stream("m_axi_r").at[before:]
				rate := float64(len(at)) / float64(at[len(at)-1]-at[0]+1)
				t.Logf("latency %d: %.4f beats per cycle", latency, rate)
				assert.GreaterOrEqual(t, rate, 0.97)
			}
		}
		d.of(digest.AlgorithmSHA256, 0x4321, 5000)
		d.of(digest.AlgorithmCRC64, 0x4321, 5000)
		d.check()
	})
}

// SHA-256 takes 68 cycles per 64 octets.
func TestDigestRateOfSHA256(t *testing.T) {
	everyBus(t, func(t *testing.T, busBytes int) {
		d := openDigest(t, busBytes, 6)
		cycles := func(length int) int {
			start := d.cycle
			d.of(digest.AlgorithmSHA256, 0x1003, length)
			d.check()
			return d.stream("response").at[len(d.stream("response").at)-1] - start
		}
		short, long := cycles(64), cycles(64*65)
		assert.Equal(t, 64*68, long-short)
	})
}

// A beat that memory does not deliver fails its range, wherever it is, and no other.
func TestDigestErrors(t *testing.T) {
	everyBus(t, func(t *testing.T, busBytes int) {
		d := openDigest(t, busBytes, 7)
		d.memory.latency = [2]int{3, 20}
		base := uint64(0x40000)
		for resp := 1; resp <= 3; resp++ {
			for _, algorithm := range digestAlgorithms {
				for _, beat := range []int{-1, 0, 3, 7, 8} { // of 8, from the middle of the first to the middle of the last
					base += 1 << 16
					d.memory.bad[base/uint64(busBytes)+uint64(beat)] = resp
					d.of(algorithm, base+3, 8*busBytes-5)
					d.of(algorithm, base+1<<12, 9)
					d.of(algorithm, base+3, 0)
				}
			}
		}
		failed := 0
		for _, w := range d.want {
			if w.Failed {
				failed++
			}
		}
		assert.Equal(t, 27, failed)
		d.check()
	})
}

// A digest is compared in all its octets and in no other.
func TestDigestComparison(t *testing.T) {
	d := openDigest(t, 64, 8)
	for _, algorithm := range digestAlgorithms {
		q := digestRequestBeat{Address: 0x777, Length: 100, Algorithm: algorithm, Compares: true}
		sum := digestOf(algorithm, d.read(q.Address, 100))
		copy(q.Expected[:], sum)
		d.ask(q)
		for octet := range 32 {
			other := q
			other.Expected[octet] ^= 1 << d.rand.IntN(8)
			d.ask(other)
			assert.Equal(t, octet < len(sum), d.want[len(d.want)-1].Differs)
			other.Compares = false
			d.ask(other)
		}
	}
	d.check()
}

// gaps are the cycles between the responses to requests of the same kind, one after another.
func gaps(d *digestRig, algorithm int, address uint64, length int) (most int) {
	before := len(d.stream("response").at)
	for stream := range 30 {
		d.askAs(stream, digestRequestBeat{Algorithm: algorithm, Address: address, Length: uint32(length)})
	}
	d.check()
	at := d.stream("response").at[before:]
	for i := 10; i < len(at); i++ {
		most = max(most, at[i]-at[i-1])
	}
	return most
}

// A request for the CRC of a few octets takes the cycles of digest_multiply.
func TestDigestGaps(t *testing.T) {
	everyBus(t, func(t *testing.T, busBytes int) {
		d := openDigest(t, busBytes, 9)
		d.memory.latency = [2]int{40, 40}
		for algorithm, cycles := range map[int]int{digest.AlgorithmCRC32C: 10, digest.AlgorithmCRC64: 18} {
			assert.Equal(t, cycles, gaps(d, algorithm, 0x1005, 1), "one octet")
			assert.Equal(t, cycles, gaps(d, algorithm, 0x1005, 0), "none")
		}
		t.Log("SHA-256, one octet: ", gaps(d, digest.AlgorithmSHA256, 0x1005, 1))
	})
}

// A response that is not taken holds up those after it, but no data from memory.
func TestDigestWaits(t *testing.T) {
	d := openDigest(t, 64, 10)
	d.stream("response").chance = 256
	for i := range 60 {
		d.of(digestAlgorithms[i%3], uint64(1000*i), 50*i)
	}
	for range 3000 {
		d.step()
	}
	assert.Empty(t, d.stream("response").at)
	assert.Empty(t, d.stream("m_axi_r").queue)
	d.stream("response").chance = 0
	d.check()
}

// A reset in the midst of everything leaves nothing behind.
func TestDigestReset(t *testing.T) {
	d := openDigest(t, 16, 11)
	for i := range 12 {
		for range 5 {
			d.ask(d.randomDigest(d.rand, 300))
		}
		for range 50 * i {
			d.step()
		}
		d.reset()
	}
	d.ask(d.randomDigest(d.rand, 300))
	d.check()
}

func TestDigestUnitIsCleanInEveryTool(t *testing.T) {
	long.Test(t)
	t.Parallel()
	everyBus(t, func(t *testing.T, busBytes int) { clean(t, digest.DigestUnit(digestConfig(busBytes), nil)) })
}
