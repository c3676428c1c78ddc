package gen_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
)

// writers are the sides of the arbiter, by the ID of their bursts.
var writers = []string{"payload", "atomic"}

// randomBursts returns distinct bursts of up to longest beats.
func randomBursts(r *rand.Rand, id uint8, busBytes, n, longest int) (bursts []writtenBurst) {
	for range n {
		b := writtenBurst{writeAddress: writeAddress{ID: id, Addr: 4096 * r.Uint64N(1<<52), Len: r.IntN(longest), Size: uint8(bits.TrailingZeros(uint(busBytes))), Burst: 1}}
		for i := range b.Len + 1 {
			strobes := make([]byte, busBytes/8)
			for j := range strobes {
				strobes[j] = 0xff
			}
			b.data = append(b.data, writeData{noise(r, busBytes), strobes, i == b.Len})
		}
		bursts = append(bursts, b)
	}
	return bursts
}

// arbitration is the arbiter connected to a memory, with its traffic.
type arbitration struct {
	*bench
	memory    *writeMemory
	bursts    [2][]writtenBurst
	responses [2][]writeResponse // by memory
	r         *rand.Rand
	worst     func() int // times a waiting side was passed over
}

func openArbiter(t testing.TB, busBytes int) *arbitration {
	a := &arbitration{bench: open(t, block.AXIWriteArbiter(busBytes)), r: random(40)}
	a.restart(busBytes)
	return a
}

func (a *arbitration) restart(busBytes int) {
	a.memory, a.bursts, a.responses = newWriteMemory(a.bench, "m_axi", busBytes), [2][]writtenBurst{}, [2][]writeResponse{}
	a.worst = passedOver(a.bench, "payload_aw", "atomic_aw")
	fair, order := a.watch.also, a.memory.dataFollowAddresses()
	a.watch.also = func(pin func(string) uint64) {
		fair(pin)
		order(pin)
	}
}

func (a *arbitration) begin(id uint8, bursts []writtenBurst) {
	a.bursts[id] = append(a.bursts[id], bursts...)
	for _, b := range bursts {
		push(a.bench, writers[id]+"_aw", b.writeAddress)
		push(a.bench, writers[id]+"_w", b.data...)
	}
}

// serve responds to complete bursts, in order per ID, in any order across the two IDs.
func (a *arbitration) serve() {
	complete := a.memory.take()
	if a.r.IntN(2) == 0 {
		slices.SortStableFunc(complete, func(x, y writtenBurst) int { return int(y.ID) - int(x.ID) })
	}
	for _, b := range complete {
		response := writeResponse{b.ID, uint8(a.r.IntN(4))}
		a.responses[b.ID] = append(a.responses[b.ID], response)
		push(a.bench, "m_axi_b", response)
	}
}

func (a *arbitration) finish(cycles int) {
	a.t.Helper()
	all := len(a.bursts[0]) + len(a.bursts[1])
	for start := a.engine.Cycle(); len(a.memory.bursts) < all; {
		a.step(cycles)
		a.serve()
		require.Less(a.t, a.engine.Cycle()-start, uint64(1<<18), "%d of %d bursts have arrived", len(a.memory.bursts), all)
	}
	a.run()
	var got [2][]writtenBurst
	for _, b := range a.memory.bursts {
		got[b.ID] = append(got[b.ID], b)
	}
	for id, writer := range writers {
		same(a.t, a.bursts[id], got[id])
		same(a.t, a.responses[id], take[writeResponse](a.bench, writer+"_b"))
	}
}

// Nothing is lost, duplicated or changed, bursts stay whole, each side keeps its order and gets its own responses, and a waiting
// side is passed over at most once.
func TestAXIWriteArbiterUnderStalls(t *testing.T) {
	for _, bus := range []int{8, 128} {
		t.Run(fmt.Sprint(bus), func(t *testing.T) {
			everyStall(t, func(t *testing.T, idle, pressure simulator.Stall) {
				for _, longest := range []int{1, 6} {
					a := openArbiter(t, bus)
					a.stall(idle, pressure)
					for id := range writers {
						a.begin(uint8(id), randomBursts(a.r, uint8(id), bus, 250, longest))
					}
					a.finish(16)
					assert.Equal(t, 1, a.worst(), "times a waiting side was passed over")
				}
			})
		})
	}
}

// A side may offer data long before or long after their address.
func TestAXIWriteArbiterDataApartFromAddress(t *testing.T) {
	slow := simulator.Stall{Mode: simulator.StallRandom, Chance: 230}
	for _, late := range [][]string{{"payload_aw"}, {"payload_w"}, {"atomic_aw"}, {"atomic_w"}, {"payload_aw", "atomic_w"}, {"payload_w", "atomic_w"}, {"payload_aw", "atomic_aw"}} {
		a := openArbiter(t, 16)
		for _, stream := range late {
			require.NoError(t, a.engine.SetStall(a.lane(stream).index, slow))
		}
		for id := range writers {
			a.begin(uint8(id), randomBursts(a.r, uint8(id), 16, 200, 4))
		}
		a.finish(16)
	}
}

// The order of the bursts, p for payload and a for atomics, at one beat per cycle.
func TestAXIWriteArbiterTurns(t *testing.T) {
	for _, row := range []struct {
		says            string
		payload, atomic int
		longest         int
		order           string
	}{
		{"both wait: alternating, payload first after reset", 4, 4, 1, "papapapa"},
		{"payload alone", 5, 0, 1, "ppppp"},
		{"atomics alone", 0, 5, 1, "aaaaa"},
		{"fewer atomics", 4, 1, 1, "pappp"},
		{"fewer payload bursts", 2, 4, 1, "papaaa"},
		{"long bursts alternate too", 4, 4, 9, "papapapa"},
	} {
		t.Run(row.says, func(t *testing.T) {
			a := openArbiter(t, 8)
			a.begin(0, randomBursts(a.r, 0, 8, row.payload, row.longest))
			a.begin(1, randomBursts(a.r, 1, 8, row.atomic, row.longest))
			a.finish(16)
			order := ""
			for _, b := range a.memory.bursts {
				order += string("pa"[b.ID])
			}
			assert.Equal(t, row.order, order)
			gapless(t, a.cycles("m_axi_w"))
		})
	}
}

// One burst of one beat per cycle, and one beat per cycle for any mix of lengths; every channel has one cycle of latency.
func TestAXIWriteArbiterRate(t *testing.T) {
	for _, bus := range block.BusWidths {
		for _, row := range []struct {
			says            string
			payload, atomic int
			longest         int
		}{{"payload", 1000, 0, 1}, {"atomics", 0, 1000, 1}, {"both", 500, 500, 1}, {"long bursts", 30, 30, 200}, {"some beats", 300, 300, 3}} {
			t.Run(fmt.Sprintf("%d, %s", bus, row.says), func(t *testing.T) {
				a := openArbiter(t, bus)
				a.begin(0, randomBursts(a.r, 0, bus, row.payload, min(row.longest, 4096/bus)))
				a.begin(1, randomBursts(a.r, 1, bus, row.atomic, min(row.longest, 4096/bus)))
				a.finish(64)
				gapless(t, a.cycles("m_axi_w"))
				if row.longest == 1 {
					gapless(t, a.cycles("m_axi_aw"))
				}
				side := writers[0]
				if row.payload == 0 {
					side = writers[1]
				}
				assert.Equal(t, a.cycles(side + "_aw")[0]+1, a.cycles("m_axi_aw")[0])
				assert.Equal(t, a.cycles(side + "_w")[0]+1, a.cycles("m_axi_w")[0])
			})
		}
	}
}

// One response per cycle, to either side, one cycle later. A response that is not accepted blocks later ones.
func TestAXIWriteArbiterResponses(t *testing.T) {
	a := openArbiter(t, 8)
	var sent [2][]writeResponse
	for i := range 600 {
		response := writeResponse{1, uint8(a.r.IntN(4))}
		if i > 0 {
			response.ID = uint8(a.r.IntN(2) & i)
		}
		sent[response.ID] = append(sent[response.ID], response)
		push(a.bench, "m_axi_b", response)
	}
	payload := a.lane("payload_b").index
	require.NoError(t, a.engine.SetStall(payload, simulator.Stall{Mode: simulator.StallRandom, Chance: 256}))
	a.step(20)
	held := len(a.cycles("atomic_b"))
	assert.Equal(t, a.cycles("m_axi_b")[0]+1, a.cycles("atomic_b")[0])
	assert.Len(t, a.cycles("m_axi_b"), held+1)
	assert.Empty(t, a.cycles("payload_b"))
	require.NoError(t, a.engine.SetStall(payload, simulator.Stall{}))
	a.run()
	gapless(t, a.cycles("m_axi_b")[held+1:])
	gapless(t, slices.Sorted(slices.Values(slices.Concat(a.cycles("atomic_b")[held:], a.cycles("payload_b")))))
	for id, writer := range writers {
		same(t, sent[id], take[writeResponse](a.bench, writer+"_b"))
	}
}

// A burst without its data blocks the other side, except for the address of one more burst; a burst without its address blocks nothing.
func TestAXIWriteArbiterHeldUp(t *testing.T) {
	for _, row := range []struct {
		late      string
		addresses int // of atomics
	}{{"payload_w", 1}, {"payload_aw", 10}} {
		a := openArbiter(t, 8)
		lane := a.lane(row.late).index
		require.NoError(t, a.engine.SetStall(lane, simulator.Stall{Mode: simulator.StallRandom, Chance: 256}))
		a.begin(0, randomBursts(a.r, 0, 8, 3, 4))
		a.begin(1, randomBursts(a.r, 1, 8, 10, 4))
		a.step(200)
		assert.Len(t, a.cycles("atomic_aw"), row.addresses)
		require.NoError(t, a.engine.SetStall(lane, simulator.Stall{}))
		a.finish(1)
	}
}

func TestAXIWriteArbiterReset(t *testing.T) {
	a := openArbiter(t, 16)
	for _, pressure := range []simulator.Stall{{}, {Mode: simulator.StallRandom, Chance: 128}, {Mode: simulator.StallRandom, Chance: 256}} {
		for cycles := range 40 {
			a.stall(simulator.Stall{}, pressure)
			for id := range writers {
				a.begin(uint8(id), randomBursts(a.r, uint8(id), 16, 10, 4))
			}
			for range cycles {
				a.step(1)
				a.serve()
			}
			a.reset()
			a.restart(16)
			a.stall(simulator.Stall{}, simulator.Stall{})
			for id := range writers {
				a.begin(uint8(id), randomBursts(a.r, uint8(id), 16, 10, 4))
			}
			a.finish(1)
			assert.Zero(t, a.memory.bursts[0].ID, "payload goes first after reset")
		}
	}
}

func TestAXIWriteArbiterVerilogIsClean(t *testing.T) {
	for _, bus := range block.BusWidths {
		d, err := hdl.Compile(block.AXIWriteArbiter(bus))
		require.NoError(t, err)
		hdltest.Lint(t, d.Files(), d.Top())
	}
}

// passedOver counts how often the longest-waiting side was passed over by the other.
func passedOver(b *bench, sides ...string) (worst func() int) {
	passed, most := make([]int, len(sides)), 0
	b.watch.also = func(pin func(string) uint64) {
		for i, name := range sides {
			side, other := b.lanes[name].stream, b.lanes[sides[1-i]].stream
			switch {
			case pin(side.Valid)&pin(side.Ready) == 1:
				passed[i] = 0
			case pin(side.Valid)&pin(other.Valid)&pin(other.Ready) == 1:
				passed[i]++
				most = max(most, passed[i])
			}
		}
	}
	return func() int { return most }
}
