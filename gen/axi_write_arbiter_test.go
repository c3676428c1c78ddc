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

// arbiter is a block that shares memory among writers.
type arbiter struct {
	name    string
	writers []string
	ids     []uint8 // of their bursts at memory
	open    func(t testing.TB, busBytes int) *bench
	design  func(busBytes int) (*hdl.Design, error)
}

var (
	twoWriters = arbiter{"near", []string{"payload", "atomic"}, []uint8{0, 1},
		func(t testing.TB, bus int) *bench { return open(t, block.AXIWriteArbiter(bus)) },
		func(bus int) (*hdl.Design, error) { return hdl.Compile(block.AXIWriteArbiter(bus)) }}
	threeWriters = arbiter{"far", []string{"payload", "atomic", "far"}, []uint8{0, 1, 3},
		func(t testing.TB, bus int) *bench { return open(t, block.AXIWriteFar(bus)) },
		func(bus int) (*hdl.Design, error) { return hdl.Compile(block.AXIWriteFar(bus)) }}
)

// eachArbiter runs a test on both.
func eachArbiter(t *testing.T, run func(*testing.T, arbiter)) {
	for _, of := range []arbiter{twoWriters, threeWriters} {
		t.Run(of.name, func(t *testing.T) { run(t, of) })
	}
}

// side is the number of the writer with an ID at memory.
func (a arbiter) side(id uint8) int { return slices.Index(a.ids, id) }

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
	arbiter
	memory    *writeMemory
	bursts    [][]writtenBurst  // by writer
	responses [][]writeResponse // by writer
	r         *rand.Rand
	worst     func() int // times a waiting side was passed over
}

func openArbiter(t testing.TB, of arbiter, busBytes int) *arbitration {
	a := &arbitration{bench: of.open(t, busBytes), arbiter: of, r: random(40)}
	a.restart(busBytes)
	return a
}

func (a *arbitration) restart(busBytes int) {
	a.memory, a.bursts, a.responses = newWriteMemory(a.bench, "m_axi", busBytes), make([][]writtenBurst, len(a.ids)), make([][]writeResponse, len(a.ids))
	var addresses []string
	for _, w := range a.writers {
		addresses = append(addresses, w+"_aw")
	}
	a.worst = passedOver(a.bench, addresses...)
	fair, order := a.watch.also, a.memory.dataFollowAddresses()
	a.watch.also = func(pin func(string) uint64) {
		fair(pin)
		order(pin)
	}
}

// begin lets a writer write random bursts.
func (a *arbitration) begin(side, busBytes, n, longest int) {
	bursts := randomBursts(a.r, a.ids[side], busBytes, n, longest)
	a.bursts[side] = append(a.bursts[side], bursts...)
	for _, b := range bursts {
		address := b.writeAddress
		address.ID %= 2
		push(a.bench, a.writers[side]+"_aw", address)
		push(a.bench, a.writers[side]+"_w", b.data...)
	}
}

// serve responds to complete bursts, in order per ID, in any order across IDs.
func (a *arbitration) serve() {
	complete := a.memory.take()
	if a.r.IntN(2) == 0 {
		slices.SortStableFunc(complete, func(x, y writtenBurst) int { return int(y.ID) - int(x.ID) })
	}
	for _, b := range complete {
		a.answer(writeResponse{b.ID, uint8(a.r.IntN(4))})
	}
}

// answer is a response of memory.
func (a *arbitration) answer(response writeResponse) {
	push(a.bench, "m_axi_b", response)
	side := a.side(response.ID)
	response.ID %= 2
	a.responses[side] = append(a.responses[side], response)
}

func (a *arbitration) finish(cycles int) {
	a.t.Helper()
	all := 0
	for _, b := range a.bursts {
		all += len(b)
	}
	for start := a.engine.Cycle(); len(a.memory.bursts) < all; {
		a.step(cycles)
		a.serve()
		require.Less(a.t, a.engine.Cycle()-start, uint64(1<<18), "%d of %d bursts have arrived", len(a.memory.bursts), all)
	}
	a.run()
	got := make([][]writtenBurst, len(a.ids))
	for _, b := range a.memory.bursts {
		side := a.side(b.ID)
		got[side] = append(got[side], b)
	}
	for side, writer := range a.writers {
		same(a.t, a.bursts[side], got[side])
		same(a.t, a.responses[side], take[writeResponse](a.bench, writer+"_b"))
	}
}

// Nothing is lost, duplicated or changed, bursts stay whole, each side keeps its order and gets its own responses, and a waiting
// side is passed over at most once by each other side.
func TestAXIWriteArbiterUnderStalls(t *testing.T) {
	eachArbiter(t, func(t *testing.T, of arbiter) {
		for _, bus := range []int{8, 128} {
			t.Run(fmt.Sprint(bus), func(t *testing.T) {
				everyStall(t, func(t *testing.T, idle, pressure simulator.Stall) {
					for _, longest := range []int{1, 6} {
						a := openArbiter(t, of, bus)
						a.stall(idle, pressure)
						for side := range of.ids {
							a.begin(side, bus, 250, longest)
						}
						a.finish(16)
						assert.Equal(t, len(of.ids)-1, a.worst(), "times a waiting side was passed over")
					}
				})
			})
		}
	})
}

// A side may offer data long before or long after their address.
func TestAXIWriteArbiterDataApartFromAddress(t *testing.T) {
	slow := simulator.Stall{Mode: simulator.StallRandom, Chance: 230}
	eachArbiter(t, func(t *testing.T, of arbiter) {
		last := of.writers[len(of.writers)-1]
		for _, late := range [][]string{{"payload_aw"}, {"payload_w"}, {"atomic_aw"}, {"atomic_w"}, {"payload_aw", "atomic_w"}, {"payload_w", last + "_w"}, {"payload_aw", last + "_aw"}, {last + "_w", "atomic_aw"}} {
			a := openArbiter(t, of, 16)
			for _, stream := range late {
				require.NoError(t, a.engine.SetStall(a.lane(stream).index, slow))
			}
			for side := range of.ids {
				a.begin(side, 16, 200, 4)
			}
			a.finish(16)
		}
	})
}

// The order of the bursts, p for payload, a for atomics and f for those in far memory, at one beat per cycle.
func TestAXIWriteArbiterTurns(t *testing.T) {
	for _, row := range []struct {
		says    string
		of      arbiter
		bursts  []int // by writer
		longest int
		order   string
	}{
		{"both wait: alternating, payload first after reset", twoWriters, []int{4, 4}, 1, "papapapa"},
		{"payload alone", twoWriters, []int{5, 0}, 1, "ppppp"},
		{"atomics alone", twoWriters, []int{0, 5}, 1, "aaaaa"},
		{"fewer atomics", twoWriters, []int{4, 1}, 1, "pappp"},
		{"fewer payload bursts", twoWriters, []int{2, 4}, 1, "papaaa"},
		{"long bursts alternate too", twoWriters, []int{4, 4}, 9, "papapapa"},
		{"all wait", threeWriters, []int{3, 3, 3}, 1, "pafpafpaf"},
		{"one alone", threeWriters, []int{0, 0, 4}, 1, "ffff"},
		{"two of three", threeWriters, []int{3, 0, 3}, 1, "pfpfpf"},
		{"the others", threeWriters, []int{0, 3, 3}, 5, "afafaf"},
		{"one ends early", threeWriters, []int{4, 1, 2}, 1, "pafpfpp"},
	} {
		t.Run(row.says, func(t *testing.T) {
			a := openArbiter(t, row.of, 8)
			for side, n := range row.bursts {
				a.begin(side, 8, n, row.longest)
			}
			a.finish(16)
			order := ""
			for _, b := range a.memory.bursts {
				order += string("paf"[a.side(b.ID)])
			}
			assert.Equal(t, row.order, order)
			gapless(t, a.cycles("m_axi_w"))
		})
	}
}

// One burst of one beat per cycle, and one beat per cycle for any mix of lengths; every channel has one cycle of latency.
func TestAXIWriteArbiterRate(t *testing.T) {
	eachArbiter(t, func(t *testing.T, of arbiter) {
		for _, bus := range block.BusWidths {
			for _, row := range []struct {
				says    string
				bursts  []int
				longest int
			}{{"first", []int{1000, 0, 0}, 1}, {"last", []int{0, 1000, 1000}, 1}, {"all", []int{300, 300, 300}, 1}, {"long bursts", []int{20, 20, 20}, 200}, {"some beats", []int{200, 200, 200}, 3}} {
				t.Run(fmt.Sprintf("%d, %s", bus, row.says), func(t *testing.T) {
					a := openArbiter(t, of, bus)
					side := -1
					for i := range of.ids {
						if a.begin(i, bus, row.bursts[i], min(row.longest, 4096/bus)); side < 0 && row.bursts[i] > 0 {
							side = i
						}
					}
					a.finish(64)
					gapless(t, a.cycles("m_axi_w"))
					if row.longest == 1 {
						gapless(t, a.cycles("m_axi_aw"))
					}
					first := of.writers[side]
					assert.Equal(t, a.cycles(first + "_aw")[0]+1, a.cycles("m_axi_aw")[0])
					assert.Equal(t, a.cycles(first + "_w")[0]+1, a.cycles("m_axi_w")[0])
				})
			}
		}
	})
}

// One response per cycle, to any side, one cycle later. A response that is not accepted blocks later ones.
func TestAXIWriteArbiterResponses(t *testing.T) {
	eachArbiter(t, func(t *testing.T, of arbiter) {
		a := openArbiter(t, of, 8)
		for i := range 600 {
			response := writeResponse{1, uint8(a.r.IntN(4))}
			if i > 0 && i%2 == 1 {
				response.ID = of.ids[a.r.IntN(len(of.ids))]
			}
			a.answer(response)
		}
		payload := a.lane("payload_b").index
		require.NoError(t, a.engine.SetStall(payload, simulator.Stall{Mode: simulator.StallRandom, Chance: 256}))
		a.step(20)
		others := func() (cycles []uint64) {
			for _, w := range of.writers[1:] {
				cycles = append(cycles, a.cycles(w+"_b")...)
			}
			return cycles
		}
		held := len(others())
		assert.Equal(t, a.cycles("m_axi_b")[0]+1, a.cycles("atomic_b")[0])
		assert.Len(t, a.cycles("m_axi_b"), held+1)
		assert.Empty(t, a.cycles("payload_b"))
		require.NoError(t, a.engine.SetStall(payload, simulator.Stall{}))
		a.run()
		gapless(t, a.cycles("m_axi_b")[held+1:])
		gapless(t, slices.Sorted(slices.Values(slices.Concat(others(), a.cycles("payload_b"))))[held:])
		for side, writer := range of.writers {
			same(t, a.responses[side], take[writeResponse](a.bench, writer+"_b"))
		}
	})
}

// A burst without its data blocks the other sides, except for the address of one more burst; a burst without its address blocks nothing.
func TestAXIWriteArbiterHeldUp(t *testing.T) {
	eachArbiter(t, func(t *testing.T, of arbiter) {
		for side, writer := range of.writers {
			for _, row := range []struct {
				late      string
				addresses int // of another one
			}{{"_w", 1}, {"_aw", 10}} {
				a := openArbiter(t, of, 8)
				lane := a.lane(writer + row.late).index
				require.NoError(t, a.engine.SetStall(lane, simulator.Stall{Mode: simulator.StallRandom, Chance: 256}))
				other := (side + 1) % len(of.ids)
				a.begin(side, 8, 1, 4)
				a.step(10)
				a.begin(side, 8, 2, 4)
				a.begin(other, 8, 10, 4)
				a.step(200)
				assert.Len(t, a.cycles(of.writers[other]+"_aw"), row.addresses)
				require.NoError(t, a.engine.SetStall(lane, simulator.Stall{}))
				a.finish(1)
			}
		}
	})
}

func TestAXIWriteArbiterReset(t *testing.T) {
	eachArbiter(t, func(t *testing.T, of arbiter) {
		a := openArbiter(t, of, 16)
		begin := func() {
			for side := range of.ids {
				a.begin(side, 16, 10, 4)
			}
		}
		for _, pressure := range []simulator.Stall{{}, {Mode: simulator.StallRandom, Chance: 128}, {Mode: simulator.StallRandom, Chance: 256}} {
			for cycles := range 40 {
				a.stall(simulator.Stall{}, pressure)
				begin()
				for range cycles {
					a.step(1)
					a.serve()
				}
				a.reset()
				a.restart(16)
				a.stall(simulator.Stall{}, simulator.Stall{})
				begin()
				a.finish(1)
				assert.Zero(t, a.memory.bursts[0].ID, "payload goes first after reset")
			}
		}
	})
}

func TestAXIWriteArbiterVerilogIsClean(t *testing.T) {
	eachArbiter(t, func(t *testing.T, of arbiter) {
		for _, bus := range block.BusWidths {
			d, err := of.design(bus)
			require.NoError(t, err)
			hdltest.Lint(t, d.Files(), d.Top())
		}
	})
}

// passedOver counts how often the longest-waiting side was passed over by the others.
func passedOver(b *bench, sides ...string) (worst func() int) {
	passed, most := make([]int, len(sides)), 0
	b.watch.also = func(pin func(string) uint64) {
		taken := slices.ContainsFunc(sides, func(name string) bool {
			s := b.lanes[name].stream
			return pin(s.Valid)&pin(s.Ready) == 1
		})
		for i, name := range sides {
			switch side := b.lanes[name].stream; {
			case pin(side.Valid)&pin(side.Ready) == 1:
				passed[i] = 0
			case pin(side.Valid) == 1 && taken:
				passed[i]++
				most = max(most, passed[i])
			}
		}
	}
	return func() int { return most }
}
