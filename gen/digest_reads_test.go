package gen_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine/digest"
)

// mix lets memory deliver the beats of both identifiers interleaved, and those of a later burst before those of an earlier one with the other
// identifier.
func (d *digestRig) mix() {
	type delivery struct {
		due  int
		beat readBeat
	}
	var queues [2][]delivery
	onBeat(d.rig, "m_axi_ar", func(b readBurst) {
		due := d.cycle + 1 + d.memory.latency[0] + d.rand.IntN(d.memory.latency[1]-d.memory.latency[0]+1)
		for i := range b.ArLen + 1 {
			a := b.ArAddr + uint64(i*d.memory.busBytes)
			queues[b.ArID] = append(queues[b.ArID], delivery{due, readBeat{RID: b.ArID, RData: d.read(a, d.memory.busBytes),
				RResp: d.memory.bad[a/uint64(d.memory.busBytes)], RLast: i == b.ArLen}})
			d.beats++
		}
	})
	look := d.look
	d.look = func() {
		look()
		id := d.rand.IntN(2)
		if len(queues[id]) == 0 || queues[id][0].due > d.cycle {
			id = 1 - id
		}
		if len(d.stream("m_axi_r").queue) == 0 && len(queues[id]) > 0 && queues[id][0].due <= d.cycle {
			send(d.rig, "m_axi_r", queues[id][0].beat)
			queues[id] = queues[id][1:]
		}
	}
}

// Beats for the CRCs and for SHA-256 may arrive interleaved, also those that memory does not deliver.
func TestDigestMixedReads(t *testing.T) {
	everyBus(t, func(t *testing.T, busBytes int) {
		d := openDigest(t, busBytes, 1)
		d.mix()
		for _, latency := range [][2]int{{0, 0}, {0, 60}} {
			d.memory.latency = latency
			for stream := range 12 {
				q := digestRequestBeat{Algorithm: digestAlgorithms[stream%3], Address: uint64(stream+1)<<24 + uint64(d.rand.IntN(4096)), Length: uint32(500 + d.rand.IntN(900))}
				if d.rand.IntN(3) == 0 {
					d.memory.bad[(q.Address+uint64(d.rand.IntN(1000)))/uint64(busBytes)] = 2
				}
				d.askAs(stream, q)
			}
			d.check()
			clear(d.memory.bad)
		}
	})
}

// A range that failed, in a turn or as a whole, leaves nothing to the next ranges of its stream, of whichever kind they are, nor to streams
// whose numbers differ in one bit.
func TestDigestsAfterFailedTurns(t *testing.T) {
	everyBus(t, func(t *testing.T, busBytes int) {
		d := openDigest(t, busBytes, 1)
		d.memory.latency = [2]int{0, 50}
		address := uint64(0)
		for round := range 6 {
			for _, stream := range []int{0, 16, 32, 48, 63} {
				address += 1 << 24
				q := digestRequestBeat{Algorithm: digestAlgorithms[max(d.rand.IntN(3), 2*(round%2))], Address: address + uint64(d.rand.IntN(4096)), Length: uint32(d.rand.IntN(2000))}
				if d.rand.IntN(2) == 0 {
					d.memory.bad[(q.Address+uint64(d.rand.IntN(1000)))/uint64(busBytes)] = 2
				}
				d.askAs(stream, q)
			}
		}
		d.check()
	})
}

// Requests arrive in each of the cycles in which another one is executed: whatever two of their events may happen at once, again and again, also
// if responses have to wait. What runs ahead does so as far as at the beginning.
func TestDigestRequestsAtAnyDistance(t *testing.T) {
	d := openDigest(t, 8, 1)
	d.memory.latency = [2]int{200, 200}
	cycles := func() int {
		start := d.cycle
		d.of(digest.AlgorithmSHA256, 0x5000, 3000)
		d.check()
		return d.stream("response").at[len(d.stream("response").at)-1] - start
	}
	most := cycles()
	d.memory.latency = [2]int{}
	for i, length := range []uint32{7, 50} {
		d.stream("response").chance = 240 * i
		for _, first := range digestAlgorithms {
			for _, second := range digestAlgorithms {
				for distance := range 100 {
					d.askAs(distance%60, digestRequestBeat{Algorithm: first, Address: 0x1003, Length: length})
					for range distance {
						d.step()
					}
					for i := range 3 {
						d.askAs(distance%60+1+i, digestRequestBeat{Algorithm: second, Address: 0x2000, Length: 7})
					}
					for start := d.cycle; len(d.got) < len(d.want); d.step() {
						require.Less(t, d.cycle, start+1000, "%d and, %d cycles later, %d", first, distance, second)
					}
				}
				d.check()
			}
		}
	}
	d.stream("response").chance, d.memory.latency = 0, [2]int{200, 200}
	assert.Equal(t, most, cycles())
}

// There may be as few streams as two and more than the widest bus has octets; all of them ask at once.
func TestDigestStreams(t *testing.T) {
	for _, streams := range []int{2, 4, 256} {
		c := digestConfig(16)
		c.Streams = streams
		d := openDigestOf(t, c, uint64(streams))
		d.memory.latency = [2]int{0, 30}
		for range 2 {
			for stream := range streams {
				q := d.randomDigest(d.rand, 300)
				if stream%32 < 2 || stream == streams-1 {
					q = digestRequestBeat{Algorithm: digestAlgorithms[(1+stream/2+d.rand.IntN(2))%3], Address: uint64(stream) << 24, Length: 700}
				}
				d.askAs(stream, q)
			}
		}
		d.check()
	}
}

// A long range goes on after its first parts, also if only the top bit of its length makes it long.
func TestDigestLengthsFarBeyondATurn(t *testing.T) {
	everyBus(t, func(t *testing.T, busBytes int) {
		d := openDigest(t, busBytes, 1)
		for _, bit := range []int{20, 31} {
			d.memory.bursts = nil
			for stream, algorithm := range append(digestAlgorithms, digestAlgorithms...) {
				q := digestRequestBeat{Stream: stream, Algorithm: algorithm, Address: 1<<40 + uint64(stream), Length: 1<<bit + uint32(200*stream)}
				send(d.rig, "req", q)
			}
			for range 700 {
				d.step()
			}
			assert.Empty(t, d.stream("response").at, "a digest of 2^%d octets is too early", bit)
			beats := map[int]int{}
			for _, b := range d.memory.bursts {
				beats[b.ArID] += b.ArLen + 1
			}
			assert.Greater(t, beats[0], 500, "2^%d octets", bit)
			assert.Greater(t, beats[1], 2*512/busBytes, "2^%d octets", bit)
			d.reset()
		}
	})
}

// The number of bits in the padding is that of the message, up to 2^35 - 8, not that of its last part.
func TestDigestWordsEndWithTheLengthOfTheMessage(t *testing.T) {
	everyBus(t, func(t *testing.T, busBytes int) {
		r := openRig(t, digest.Words(busBytes, digest.FetcherOf(busBytes, 6).LengthBits), 1)
		type wordRangeBeat struct {
			Offset, Length int
			Leaves, Ends   bool
			Total          uint32
		}
		type wordBeat struct {
			Word       uint32
			Last, Ends bool
		}
		for bit := 9; bit <= 32; bit++ {
			for _, length := range []int{1, 55, 56, 63, 64, 119, 512} {
				p := wordRangeBeat{Offset: r.rand.IntN(busBytes), Length: length, Ends: true, Total: uint32(1<<bit - 512 + length)}
				octets := make([]byte, p.Length)
				for i := range octets {
					octets[i] = byte(r.rand.Uint32())
				}
				send(r, "range", p)
				memory := bytes.Join([][]byte{make([]byte, p.Offset), octets, make([]byte, busBytes)}, nil)
				for at := 0; at < p.Offset+p.Length; at += busBytes {
					send(r, "beat", struct{ Data []byte }{memory[at : at+busBytes]})
				}
				padded := append(octets, 0x80)
				for len(padded)%64 != 56 {
					padded = append(padded, 0)
				}
				padded = binary.BigEndian.AppendUint64(padded, 8*uint64(p.Total))
				r.rest(20)
				var got []byte
				words := received[wordBeat](r, "word")
				for i, w := range words {
					got = binary.BigEndian.AppendUint32(got, w.Word)
					require.Equal(t, i == len(words)-1, w.Last && w.Ends)
				}
				require.Equal(t, padded, got, fmt.Sprintf("%+v", p))
			}
		}
	})
}

// However many streams ask for SHA-256, a CRC goes on beside them.
func TestDigestCRCBesideManySHA256(t *testing.T) {
	run := func(hashes int) int {
		d := openDigest(t, 16, 1)
		for i := range hashes {
			d.askAs(2+i, digestRequestBeat{Algorithm: digest.AlgorithmSHA256, Address: 0x2001, Length: 40})
		}
		d.askAs(1, digestRequestBeat{Algorithm: digest.AlgorithmCRC64, Address: 0x1003, Length: 8000})
		for start := d.cycle; d.answeredBy(1) == 0; d.step() {
			require.Less(t, d.cycle, start+1<<14)
		}
		at := d.cycle
		d.check()
		return at
	}
	alone := run(0)
	assert.LessOrEqual(t, run(40), alone+alone/5+100)
}
