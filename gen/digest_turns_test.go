package gen_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine/digest"
	"github.com/rnicgen/rnicgen/internal/long"
)

// answered returns when the digest of a stream was answered, in cycles from start on.
func (d *digestRig) answered(stream, start int) (cycles int) {
	for i, b := range d.got {
		if b.Stream == stream {
			cycles = d.stream("response").at[len(d.stream("response").at)-len(d.got)+i] - start
		}
	}
	return cycles
}

// Long ranges of several streams are read without a gap, whatever their turns are.
func TestDigestTurnsHaveNoGap(t *testing.T) {
	everyBus(t, func(t *testing.T, busBytes int) {
		for _, streams := range []int{2, 3, 9} {
			d := openDigest(t, busBytes, uint64(streams))
			d.memory.latency = [2]int{100, 100}
			for i := range streams {
				d.askAs(7*i, digestRequestBeat{Algorithm: 1 + i%2, Address: uint64(i)<<24 + uint64(61*i), Length: uint32(200*busBytes + 31*i)})
			}
			d.check()
			at := d.stream("m_axi_r").at
			rate := float64(len(at)) / float64(at[len(at)-1]-at[0]+1)
			t.Logf("%d streams: %.4f beats per cycle", streams, rate)
			assert.GreaterOrEqual(t, rate, 0.97)
		}
	})
}

// A short range waits for a turn of each other stream, not for its range.
func TestDigestTurnsAreShort(t *testing.T) {
	long.Test(t)
	everyBus(t, func(t *testing.T, busBytes int) {
		for _, long := range digestAlgorithms {
			for _, short := range digestAlgorithms {
				d := openDigest(t, busBytes, 1)
				for stream := range 3 {
					d.askAs(stream, digestRequestBeat{Algorithm: long, Address: uint64(stream)<<24 + 5, Length: 1 << 13})
				}
				for range 700 {
					d.step()
				}
				start := d.cycle
				d.askAs(9, digestRequestBeat{Algorithm: short, Address: 0x777, Length: 9})
				most := 512 + 100 // beats in the buffer, and digest_multiply
				if short == digest.AlgorithmSHA256 && long == short {
					most = 6 * (8*68 + 20) // parts of the others, two of which are under way
				}
				for i := 0; d.answeredBy(9) == 0 && i < 2*most; i++ {
					d.step()
				}
				require.NotZero(t, d.answeredBy(9), "%d behind %d", short, long)
				assert.Less(t, d.cycle-start, most, "%d behind %d", short, long)
			}
		}
	})
}

// answeredBy counts the responses that a stream has got.
func (d *digestRig) answeredBy(stream int) (n int) {
	for _, b := range d.got {
		if b.Stream == stream {
			n++
		}
	}
	return n
}

// SHA-256 takes no cycle of the CRCs, and they none of it.
func TestDigestCRCsBesideSHA256(t *testing.T) {
	everyBus(t, func(t *testing.T, busBytes int) {
		run := func(crc, hash bool) (atCRC, atHash int) {
			d := openDigest(t, busBytes, 1)
			if crc {
				d.askAs(1, digestRequestBeat{Algorithm: digest.AlgorithmCRC64, Address: 0x1003, Length: uint32(600 * busBytes)})
			}
			if hash {
				d.askAs(2, digestRequestBeat{Algorithm: digest.AlgorithmSHA256, Address: 0x2001, Length: 5000})
			}
			for start := d.cycle; len(d.got) < len(d.want); d.step() {
				require.Less(t, d.cycle, start+1<<16)
			}
			atCRC, atHash = d.answered(1, 0), d.answered(2, 0)
			d.check()
			return atCRC, atHash
		}
		crc, _ := run(true, false)
		_, hash := run(false, true)
		bothCRC, bothHash := run(true, true)
		t.Logf("CRC %d, SHA-256 %d cycles; together %d and %d", crc, hash, bothCRC, bothHash)
		assert.LessOrEqual(t, bothCRC, crc+crc/10+9*16)
		assert.LessOrEqual(t, bothHash, hash+64)
	})
}

// A beat that memory does not deliver fails its range in whichever turn it is, and no other range.
func TestDigestTurnsFail(t *testing.T) {
	long.Test(t)
	everyBus(t, func(t *testing.T, busBytes int) {
		for seed := range uint64(6) {
			d := openDigest(t, busBytes, seed)
			d.memory.latency = [2]int{0, 50}
			for stream := range 4 + d.rand.IntN(8) {
				q := digestRequestBeat{Algorithm: digestAlgorithms[d.rand.IntN(3)], Address: uint64(stream)<<24 + uint64(d.rand.IntN(4096)), Length: uint32(d.rand.IntN(4000))}
				if d.rand.IntN(2) == 0 {
					d.memory.bad[(q.Address+uint64(d.rand.IntN(4000)))/uint64(busBytes)] = 2
				}
				d.askAs(stream, q)
			}
			d.check()
		}
	})
}

// Ranges of some beats to many parts, aligned and not, begin at any time; a range may resume just after it has left.
func TestDigestTurnsRandom(t *testing.T) {
	long.Test(t)
	everyBus(t, func(t *testing.T, busBytes int) {
		for seed := range uint64(6) {
			d := openDigest(t, busBytes, seed)
			d.streams = []int{1, 2, 3, 5, 64}[seed%5]
			d.memory.latency = [][2]int{{0, 0}, {0, 30}, {150, 300}}[seed%3]
			for range 60 {
				q := d.randomDigest(d.rand, 40*busBytes)
				if d.rand.IntN(3) == 0 {
					q.Address = q.Address &^ uint64(16*busBytes-1)
				}
				if q.Algorithm == digest.AlgorithmSHA256 {
					q.Length %= 1800
				}
				d.ask(q)
				for range d.rand.IntN(60) {
					d.step()
				}
			}
			d.check()
		}
	})
}

// While short ranges arrive, a long one is read a few beats ahead only: the next short one finds them in front of it, and not the buffer full.
func TestDigestShortRangesFindFewBeats(t *testing.T) {
	everyBus(t, func(t *testing.T, busBytes int) {
		d := openDigest(t, busBytes, 1)
		d.memory.latency = [2]int{100, 100}
		d.askAs(0, digestRequestBeat{Algorithm: digest.AlgorithmCRC32C, Address: 0x10000, Length: uint32(4000 * busBytes)})
		for i := range 12 {
			start, before := d.cycle, d.answeredBy(1)
			d.askAs(1, digestRequestBeat{Algorithm: digest.AlgorithmCRC32C, Address: 0x777, Length: 9})
			for d.answeredBy(1) == before {
				d.step()
				require.Less(t, d.cycle, start+1000)
			}
			if took := d.cycle - start; i > 3 {
				assert.Less(t, took, 100+32+50, "number %d: the latency, the beats ahead, and the CRC", i)
			}
			for range 60 {
				d.step()
			}
		}
	})
}

// All streams of a configuration with many of them have a range at the same time, which wait for turns in one list.
func TestDigestTurnsOfManyStreams(t *testing.T) {
	for _, streams := range []int{128, 512} {
		c := digestConfig(16)
		c.Streams = streams
		d := openDigestOf(t, c, uint64(streams))
		d.memory.latency = [2]int{20, 60}
		for stream := range streams {
			q := d.randomDigest(d.rand, 600)
			if stream%8 > 0 { // SHA-256 is slow, so that its list fills
				q.Algorithm = digestAlgorithms[stream/8%3]
			}
			q.Compares = false
			d.askAs(stream, q)
		}
		d.check()
	}
}

// The longest ranges: what is left of them counts down across every power of two while streams take turns, and parts follow each other.
func TestDigestTurnsOfLongRanges(t *testing.T) {
	long.Test(t)
	for _, busBytes := range []int{8, 64} {
		for _, algorithm := range digestAlgorithms {
			for _, length := range []uint64{1<<24 + 600, 1<<30 + 5, 1<<31 + 3, 1<<31 + 700, 1<<32 - 1} {
				d := openDigest(t, busBytes, length)
				starts := []uint64{1<<40 - 5, 3<<40 + 9}
				for stream, address := range starts {
					send(d.rig, "req", digestRequestBeat{Stream: stream, Algorithm: algorithm, Address: address, Length: uint32(length)})
				}
				for range 1500 {
					d.step()
				}
				next, bursts := slices.Clone(starts), make([]int, len(starts))
				for _, b := range d.memory.bursts {
					of := int(b.ArAddr >> 41)
					from := next[of] &^ uint64(busBytes-1) // a part may begin in the last beat of the one before
					require.True(t, b.ArAddr == from || bursts[of] > 0 && b.ArAddr == from-uint64(busBytes), "%d octets: %#x behind %#x", length, b.ArAddr, from)
					next[of] = b.ArAddr + uint64((b.ArLen+1)*busBytes)
					bursts[of]++
				}
				assert.GreaterOrEqual(t, bursts[0], 2)
				assert.GreaterOrEqual(t, bursts[1], 2)
			}
		}
	}
}
