package gen_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
)

type txComingBeat struct {
	Behind, Turn, Lead, Ends int
	Late, Spill              bool
}

type txPayloadBeat struct {
	Data         []byte
	Last, Failed bool
}

// txPiece is payload that begins offset octets into a beat of memory, and lead octets into a beat of the segment.
type txPiece struct{ offset, lead, octets int }

// run returns the beats of memory and the expected output. One response in errors is an error.
func (p txPiece) run(r *rand.Rand, bus, errors int) (coming txComingBeat, reads []readBeat, want []txPayloadBeat) {
	memory := noise(r, (p.offset+p.octets+bus-1)/bus*bus)
	segment := make([]byte, (p.lead+p.octets+bus-1)/bus*bus)
	copy(segment[p.lead:], memory[p.offset:p.offset+p.octets])
	failed := false
	for at := 0; at < len(memory); at += bus {
		resp := 0
		if r.IntN(errors) == 0 {
			resp = r.IntN(4)
		}
		failed = failed || resp >= 2
		reads = append(reads, readBeat{RID: r.IntN(2), RData: memory[at : at+bus], RResp: resp, RLast: r.IntN(2) == 0})
	}
	for at := 0; at < len(segment); at += bus {
		want = append(want, txPayloadBeat{Data: segment[at : at+bus], Last: at+bus == len(segment)})
	}
	want[len(want)-1].Failed = failed
	coming = txComingBeat{Behind: len(reads) - 1, Turn: (p.lead - p.offset + bus) % bus, Lead: p.lead, Ends: (p.lead + p.octets) % bus,
		Late: p.lead < p.offset}
	// Each beat of memory completes a beat of the segment, except possibly the first; a rest may remain.
	completed := len(reads)
	if coming.Late {
		completed--
	}
	coming.Spill = completed < len(want)
	return coming, reads, want
}

func randomPieces(r *rand.Rand, bus, n int) (list []txPiece) {
	for range n {
		list = append(list, txPiece{r.IntN(bus), r.IntN(bus), 1 + r.IntN(min(256, []int{2, bus, 4 * bus, 256}[r.IntN(4)]))})
	}
	return list
}

// txRealignBench takes the payload, which is never stalled.
type txRealignBench struct {
	*rig
	payload []txPayloadBeat
	at      []int // cycles
}

func openTxRealign(t *testing.T, bus int) *txRealignBench {
	b := &txRealignBench{rig: openRig(t, transmit.TxRealign(txConfig(bus, 256)), 1)}
	valid, data := b.signal("payload_valid"), b.signal("payload_data")
	last, failed := b.signal("payload_last"), b.signal("payload_failed")
	words := make([]uint64, (8*bus+63)/64)
	b.look = func() {
		if valid.Get() == 0 {
			return
		}
		data.GetWords(words)
		var octets []byte
		for i := range bus {
			octets = append(octets, byte(words[i/8]>>(i%8*8)))
		}
		b.payload = append(b.payload, txPayloadBeat{octets, last.Get() == 1, last.Get() == 1 && failed.Get() == 1})
		b.at = append(b.at, b.cycle)
	}
	return b
}

func TestTxRealignUnderStalls(t *testing.T) {
	for _, bus := range block.BusWidths {
		t.Run(fmt.Sprint(bus), func(t *testing.T) {
			everyChance(t, func(t *testing.T, idle, pressure int) {
				b := openTxRealign(t, bus)
				b.stall(idle, pressure)
				var want []txPayloadBeat
				for _, p := range randomPieces(b.rand, bus, 150) {
					coming, reads, beats := p.run(b.rand, bus, 20)
					send(b.rig, "coming", coming)
					send(b.rig, "m_axi_r", reads...)
					want = append(want, beats...)
				}
				b.rest(50)
				same(t, want, b.payload)
			})
		})
	}
}

// Every offset in memory and in the segment, and every length up to three beats, on the narrowest bus.
func TestTxRealignEveryOffset(t *testing.T) {
	b := openTxRealign(t, 8)
	var want []txPayloadBeat
	for offset := range 8 {
		for lead := range 8 {
			for octets := 1; octets <= 24; octets++ {
				coming, reads, beats := txPiece{offset, lead, octets}.run(b.rand, 8, 1000)
				send(b.rig, "coming", coming)
				send(b.rig, "m_axi_r", reads...)
				want = append(want, beats...)
			}
		}
	}
	b.rest(50)
	same(t, want, b.payload)
}

// Memory stalls only if a piece has more output beats than memory beats, and not before the buffer of one beat is full: the
// cycles are those of the longer side, plus a fixed latency.
func TestTxRealignRate(t *testing.T) {
	for _, bus := range block.BusWidths {
		b := openTxRealign(t, bus)
		cycles := 0
		for _, p := range randomPieces(b.rand, bus, 500) {
			coming, reads, beats := p.run(b.rand, bus, 1000)
			send(b.rig, "coming", coming)
			send(b.rig, "m_axi_r", reads...)
			cycles += max(len(reads), len(beats))
		}
		b.rest(50)
		assert.LessOrEqual(t, b.at[len(b.at)-1], cycles+3, "%d octets", bus)
	}
}
