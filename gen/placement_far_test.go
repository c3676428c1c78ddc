package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine/memory"
)

type (
	farAWBeat struct {
		AwID, AwLen, AwSize, AwBurst int
		AwAddr                       uint64
	}
	farWBeat struct {
		WData, WStrb []byte
		WLast        bool
	}
	farBBeat struct{ BID, BResp int }
)

// farPlacer is a placement with far memory, connected to a memory whose near and far side answer independently. A burst is in memory when it is
// answered, as late as AXI4 allows.
type farPlacer struct {
	*rig
	busBytes, bit int

	begun   []placementCommand // without discards, in order
	octets  map[uint64]byte    // that memory shall have
	memory  map[uint64]byte
	numbers int            // of placements
	written map[uint64]int // number of the placement that wrote an octet last
	address []farAWBeat
	data    []farWBeat
	waiting [2][]farBurst // by side, without an answer
	fails   int           // one of so many bursts is refused

	expected [2][]*farPlaced // placements that are not finished, by side
	answers  [2][]*farPlaced // those with a burst that is not answered
	placed   int
	told     []placementFailure
	failed   []placementFailure // those that are finished
}

type farBurst struct{ beats map[uint64]byte }

// farPlaced is a placement in progress.
type farPlaced struct {
	number int
	stream uint32
	bursts int
	failed bool
}

func openFarPlacer(t testing.TB, busBytes, bit int, seed uint64) *farPlacer {
	c := placementConfig(busBytes, placementStreams)
	c.FarBit, c.RetirePort = bit, true
	p := &farPlacer{rig: openRig(t, memory.PlacementWriter(c), seed), busBytes: busBytes, bit: bit, octets: map[uint64]byte{}, memory: map[uint64]byte{}, written: map[uint64]int{}}
	onBeat(p.rig, "m_axi_aw", func(a farAWBeat) { p.address = append(p.address, a); p.complete() })
	onBeat(p.rig, "m_axi_w", func(w farWBeat) { p.data = append(p.data, w); p.complete() })
	onBeat(p.rig, "failed", func(f placementFailure) { p.told = append(p.told, f) })
	p.rig.look = p.look
	return p
}

func (p *farPlacer) side(address uint64) int { return int(address >> p.bit & 1) }

// place sends a command.
func (p *farPlacer) place(c placementCommand, octets []byte) {
	c.Length = len(octets)
	if !c.Inline {
		send(p.rig, "payload", soiled(beatsOf(p.busBytes, c.Stream, octets))...)
	} else {
		c.Length, octets = 8, make([]byte, 8)
		for i := range octets {
			octets[i] = byte(c.Data >> (8 * i))
		}
	}
	send(p.rig, "command", c)
	if c.Discard {
		return
	}
	p.begun = append(p.begun, c)
	for i, o := range octets {
		p.octets[c.Address+uint64(i)] = o
	}
	limit := uint64(min(4096, 256*p.busBytes))
	bursts := int(c.Address%limit+uint64(c.Length)-1)/int(limit) + 1
	p.numbers++
	of, side := &farPlaced{number: p.numbers, stream: c.Stream, bursts: bursts}, p.side(c.Address)
	p.expected[side], p.answers[side] = append(p.expected[side], of), append(p.answers[side], of)
}

// complete takes the bursts that have all of their data.
func (p *farPlacer) complete() {
	for len(p.address) > 0 && len(p.data) > p.address[0].AwLen {
		a := p.address[0]
		require.Zero(p.t, a.AwID&1)
		b := farBurst{beats: map[uint64]byte{}}
		for i, w := range p.data[:a.AwLen+1] {
			require.Equal(p.t, i == a.AwLen, w.WLast)
			for j := range w.WData {
				if w.WStrb[j/8]>>(j%8)&1 == 1 {
					b.beats[a.AwAddr+uint64(i*p.busBytes+j)] = w.WData[j]
				}
			}
		}
		p.address, p.data = p.address[1:], p.data[a.AwLen+1:]
		p.waiting[a.AwID>>1] = append(p.waiting[a.AwID>>1], b)
	}
}

// answer answers the oldest burst of a side.
func (p *farPlacer) answer(side int) {
	b := p.waiting[side][0]
	p.waiting[side] = p.waiting[side][1:]
	for at, o := range b.beats {
		p.memory[at] = o
		require.GreaterOrEqual(p.t, p.answers[side][0].number, p.written[at], "octet 0x%X", at)
		p.written[at] = p.answers[side][0].number
	}
	response := 0
	if p.fails > 0 && p.rand.IntN(p.fails) == 0 {
		response = 2 + p.rand.IntN(2)
	}
	of := p.answers[side][0]
	of.failed = of.failed || response > 0
	if of.bursts--; of.bursts == 0 {
		p.answers[side] = p.answers[side][1:]
	}
	send(p.rig, "m_axi_b", farBBeat{side << 1, response})
}

// look follows responses, finished placements and reports, cycle by cycle.
func (p *farPlacer) look() {
	finished := [2]bool{}
	if now := int(p.signal("placed").Get()); now != p.placed%placementNumbers {
		require.Equal(p.t, (p.placed+1)%placementNumbers, now)
		p.placed++
	}
	finished[0] = p.signal("retire_valid").Get() == 1
	finished[1] = p.signal("far_ended").Get() == 1
	for side, name := range []string{"retire_stream", "far_stream"} {
		if finished[side] {
			require.NotEmpty(p.t, p.expected[side])
			of := p.expected[side][0]
			require.Equal(p.t, of.stream, uint32(p.signal(name).Get()), "side %d", side)
			require.Zero(p.t, of.bursts)
			if p.expected[side] = p.expected[side][1:]; of.failed {
				p.failed = append(p.failed, placementFailure{Stream: of.stream})
			}
		}
	}
	require.LessOrEqual(p.t, len(p.failed), len(p.told), "failures that are not told")
	require.Equal(p.t, p.failed, p.told[:len(p.failed)])
	if p.signal("far_placing_valid").Get() == 1 {
		c := p.begun[0]
		p.begun = p.begun[1:]
		require.Equal(p.t, [2]uint64{uint64(c.Stream), uint64(p.side(c.Address))},
			[2]uint64{p.signal("far_placing_stream").Get(), p.signal("far_placing_far").Get()})
	}
}

// random is a command of which many are close to the boundary of the memories.
func (p *farPlacer) random(longest int) {
	r := p.rand
	c := placementCommand{Stream: r.Uint32N(placementStreams), Discard: r.IntN(8) == 0, Inline: r.IntN(5) == 0, Data: r.Uint64()}
	c.Address = r.Uint64N(4)<<p.bit + r.Uint64N(256)
	if r.IntN(3) == 0 {
		c.Address = (1+r.Uint64N(3))<<p.bit - 1 - r.Uint64N(uint64(2*p.busBytes))
	}
	if r.IntN(6) == 0 {
		c.Address |= 0xFFFF_FFFF_FFFF_FFFF << (p.bit + 2)
	}
	p.place(c, noise(r, 1+r.IntN(longest)))
}

// Octets of overlapping placements are those of the later one, whichever memory answers first; each side finishes in its own order; failures are
// told before their placement is finished.
func TestPlacementFarUnderStalls(t *testing.T) {
	for _, row := range []struct{ bus, bit, longest int }{{8, 12, 5000}, {64, 12, 9000}, {64, 16, 300}, {128, 32, 600}, {16, 63, 100}} {
		t.Run(fmt.Sprint(row), func(t *testing.T) {
			p := openFarPlacer(t, row.bus, row.bit, uint64(row.bus+row.bit))
			for round := range 6 {
				p.fails = []int{0, 0, 0, 5, 5, 2}[round]
				p.stall([]int{0, 128, 230}[round%3], []int{128, 0, 230}[round%3])
				slow := round % 2 // the side that answers seldom
				for range 80 {
					p.random([]int{row.longest, 40}[p.rand.IntN(2)])
				}
				for n := 0; len(p.expected[0])+len(p.expected[1]) > 0; n++ {
					p.step()
					for side := range 2 {
						if len(p.waiting[side]) > 0 && (side != slow && p.rand.IntN(4) == 0 || p.rand.IntN(60) == 0) {
							p.answer(side)
						}
					}
					require.Less(t, n, 400_000)
				}
				p.rest(40)
				require.Equal(t, p.octets, p.memory)
				assert.Equal(t, p.fails > 0, len(p.failed) > 0)
			}
		})
	}
}

// A placement in near memory finishes while 500 in far memory have no answer, and the other way round.
func TestPlacementSidesDoNotWait(t *testing.T) {
	for slow := range 2 {
		p := openFarPlacer(t, 64, 32, 7)
		for i := range 500 {
			p.place(placementCommand{Stream: uint32(i % placementStreams), Inline: true, Address: uint64(slow)<<32 + uint64(i*64)}, nil)
		}
		for i := range 50 { // no address is near the boundary, though all but one bit of it may be
			p.place(placementCommand{Stream: uint32(i % placementStreams), Inline: true, Address: uint64(2-slow)<<32 - 1<<(16+i%16) - 4}, nil)
		}
		for n := 0; len(p.expected[1-slow]) > 0; n++ {
			p.step()
			for len(p.waiting[1-slow]) > 0 {
				p.answer(1 - slow)
			}
			require.Less(t, n, 1000)
		}
		assert.Len(t, p.expected[slow], 500)
		for n := 0; len(p.expected[slow]) > 0; n++ {
			p.step()
			for len(p.waiting[slow]) > 0 {
				p.answer(slow)
			}
			require.Less(t, n, 1000)
		}
	}
}

// 511 placements in far memory begin without an answer, and the next one when the oldest is finished.
func TestPlacementFarCrowded(t *testing.T) {
	p := openFarPlacer(t, 64, 32, 8)
	for i := range 520 {
		p.place(placementCommand{Stream: uint32(i % placementStreams), Inline: true, Address: 1<<32 + uint64(i*64)}, nil)
	}
	for range 1200 {
		p.step()
	}
	assert.Len(t, p.begun, 520-511)
	p.answer(1)
	for range 20 {
		p.step()
	}
	assert.Len(t, p.begun, 520-512)
}
