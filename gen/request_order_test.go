package gen_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
)

// Which requests wait for which: each row of the ordering tables, for one stream and for two.
func TestRequestOrderWaits(t *testing.T) {
	b := openOrder(t, 1)
	for range 40 { // past the wraps of all counts
		b.asks("a1", "a1", "r1", "z1", "a1")
		b.gives("atomic 1", "atomic 1") // Atomics continue, a Read waits for all of them
		b.over("atomic", 1)
		b.gives()
		b.asks("r2", "a3", "t0") // other streams do not wait
		b.gives("read 2", "atomic 3", "end 0")
		b.over("atomic", 1)
		b.gives("read 1", "read 1") // a Read of no octets waits, and is waited for
		b.over("read", 1)
		b.gives()
		b.over("read", 1)
		b.gives("atomic 1")

		b.asks("t1", "s2", "s3") // an end waits for the Reads and Atomics of its stream
		b.gives()
		b.over("atomic", 1, 3)
		b.over("read", 2)
		b.gives("end 1", "end 2", "end 3")

		b.asks("r1", "R1", "A1", "A1", "r2", "R3", "A3") // requests that wait for a release do not block other streams
		b.gives("read 1", "read 2")
		b.over("read", 1, 2)
		b.asks("f1", "s3")
		b.gives("read 1", "end 3") // an end drops what was never released
		b.over("read", 1)
		b.gives("atomic 1", "atomic 1")
		b.asks("f3")
		b.over("atomic", 1, 1)
		b.gives()
	}
}

// Requests that wait for nothing start at one per cycle, on one stream and on several, 5 cycles after they arrive.
func TestRequestOrderIsFast(t *testing.T) {
	for _, kind := range []string{"a", "r"} {
		for _, streams := range []int{1, 4} {
			b := openOrder(t, 2)
			b.lag = 0
			b.pass(10)
			for i := range 200 {
				b.asks(fmt.Sprint(kind, i%streams))
			}
			b.settle()
			in, out := b.rig.stream("in").at, b.rig.stream(map[string]string{"a": "atomic", "r": "read"}[kind]).at
			require.Len(t, out, 200)
			gapless(t, in)
			gapless(t, out)
			assert.Equal(t, in[0]+5, out[0], "the latest kind has the turn")
		}
	}
	b := openOrder(t, 2) // after a request that they wait for, and after a release
	for _, list := range [][]string{{"r1", "a1", "a1", "a1", "a1", "a1", "a1", "a1"}, {"A2", "A2", "A2", "A2", "A2", "A2", "A2"}} {
		b.asks(list...)
		b.settle()
		if list[0] == "r1" {
			b.over("read", 1)
		} else {
			b.asks("f2")
		}
		b.settle()
		at := b.rig.stream("atomic").at
		require.Len(t, at, 7)
		gapless(t, at)
		b.rig.stream("atomic").at = nil
	}
}

// An executor that accepts nothing blocks no other kind: its buffer holds 8 requests, and all others stay in their slots. The same
// holds for ends.
func TestRequestOrderBuffersFull(t *testing.T) {
	for full, others := range map[string][]string{"read": {"a3", "z0", "a3"}, "atomic": {"r3", "r3", "a0"}, "end": {"r3", "a3"}} {
		b := openOrder(t, 3)
		b.rig.stream(full).chance = 256
		var want []string
		for s := range 3 {
			for i := range 7 {
				if full != "end" || i == 0 {
					b.asks(fmt.Sprint(map[string]string{"read": "r", "atomic": "a", "end": "t"}[full], s))
					want = append(want, fmt.Sprint(full, " ", s))
				}
			}
		}
		b.gives()
		require.Len(t, b.due[full], min(8, len(want)))
		b.asks(others...)
		switch full {
		case "read":
			b.gives("atomic 3", "atomic 3")
			want = append(want, "read 0")
		case "atomic":
			b.gives("read 3", "read 3")
			want = append(want, "atomic 0")
		default:
			b.gives("read 3")
			b.over("read", 3)
			b.gives("atomic 3")
		}
		b.asks("s3")
		b.lag = 0
		if full == "end" {
			want = append(want, "end 3")
		} else {
			b.gives("end 3")
		}
		b.settle()
		b.rig.stream(full).chance = 0
		b.gives(want...)
	}
}

// A request whose STag is invalid when it starts fails its stream: of that stream only the end starts, until the stream is reopened.
func TestRequestOrderSTagIsInvalid(t *testing.T) {
	for _, kind := range []string{"a", "r"} {
		b := openOrder(t, 4)
		out := map[string]string{"a": "atomic", "r": "read"}[kind]
		b.lag = 0
		for range 10 {
			b.asks(kind + "1")
			b.gives(out + " 1")
			b.invalidate(1)
			b.asks("z1", "t2", kind+"1", "a1", "r1", "z1", "s1", "s2")
			b.gives("read 1", "end 2", "failed 1", "end 1", "end 2")
			b.asks(kind + "3")
			b.gives("failed 3")
			send(b.rig, "row", rxRow(1).beat(1))
			b.settle()
			b.asks("a1", "r3", "z3", "a0")
			b.gives("atomic 0")
			send(b.rig, "opening", openingBeat{1, true, 0}, openingBeat{3, false, 0})
			b.settle()
			b.asks(kind + "1")
			q := b.request(kindAtomic, 3, 1)
			q.STag ^= 0x80 // another key, in a valid row
			b.send(q)
			b.gives(out+" 1", "failed 3")
			send(b.rig, "opening", openingBeat{3, true, 0})
			b.settle()
		}
	}
}

// A request whose STag is invalidated while it waits fails when it starts. An invalidation in the cycle of the lookup still takes
// effect; one a cycle later does not, even if the executor has not accepted the request yet.
func TestRequestOrderSTagInvalidatedWhileWaiting(t *testing.T) {
	b := openOrder(t, 5)
	b.asks("a1", "r1")
	b.gives("atomic 1")
	b.invalidate(1)
	b.gives()
	b.over("atomic", 1)
	b.gives("failed 1")

	b.rig.stream("atomic").chance = 256
	outcomes := ""
	for late := range 12 {
		send(b.rig, "row", rxRow(1).beat(1))
		send(b.rig, "opening", openingBeat{1, true, 1})
		b.settle()
		b.asks("a1")
		b.pass(1 + late)
		b.invalidate(1)
		b.settle()
		outcomes += map[bool]string{true: "s", false: "f"}[len(b.due["atomic"]) > 0]
		if b.streams[1].failed {
			require.Equal(t, []string{"failed 1"}, b.started)
		}
		b.rig.stream("atomic").chance = 0
		b.settle()
		b.lag = 0
		b.settle()
		b.lag, b.started = 256, nil
		b.rig.stream("atomic").chance = 256
	}
	require.Regexp(t, "^f+s+$", outcomes)
}

// Dropped requests count as over, those after them are looked up in turn, and all streams can fail at once.
func TestRequestOrderDrops(t *testing.T) {
	b := openOrder(t, 6)
	b.invalidate(2)
	b.pass(1)
	b.asks("r1")
	for _, kind := range []int{kindRead, kindAtomic, kindAtomic, kindRead} {
		b.send(b.request(kind, 1, 2))
	}
	b.asks("r2")
	b.send(b.request(kindAtomic, 2, 1))
	b.send(b.request(kindAtomic, 3, 2))
	b.asks("s1")
	b.gives("read 1", "failed 1", "read 2", "failed 3")
	b.over("read", 1, 2)
	b.gives("end 1", "atomic 2")
	b.over("atomic", 2)

	b.rig.stream("failed").chance = 256
	for s := range 4 {
		send(b.rig, "opening", openingBeat{s, true, 1})
	}
	b.settle()
	for s := range 4 {
		b.send(b.request(kindAtomic, s, 2))
		b.asks(fmt.Sprint("r", s), fmt.Sprint("s", s))
	}
	b.gives("end 0", "end 1", "end 2", "end 3")
	b.rig.stream("failed").chance = 0
	b.gives("failed 0", "failed 1", "failed 2", "failed 3")
}

// Requests that do not start are over, one by one, also while an executor reports in every cycle: none is chosen whose report has no room.
func TestRequestOrderDropsBesideReports(t *testing.T) {
	for _, busy := range []string{"atomic", "read"} {
		b := openOrderOf(t, turnsConfig(4, 32, 128), 9)
		b.invalidate(2)
		b.pass(1)
		for range b.c.IRD {
			b.asks(busy[:1] + "0")
		}
		for s := 1; s < 4; s++ {
			b.asks(fmt.Sprint("r", s))
			for range b.c.IRD - 1 {
				b.send(b.request(kindAtomic, s, 2))
			}
		}
		b.gives(append(slices.Repeat([]string{busy + " 0"}, b.c.IRD), "read 1", "read 2", "read 3")...)
		b.over("read", 1, 2, 3)
		b.over(busy, slices.Repeat([]int{0}, b.c.IRD)...)
		b.gives("failed 1", "failed 2", "failed 3")
		b.asks("t0", "t1", "s2", "s3") // which wait for all before them
		b.gives("end 0", "end 1", "end 2", "end 3")
	}
}

// More streams end than the buffer of ends holds, while none or some are accepted: the others wait in their slots.
func TestRequestOrderManyEnds(t *testing.T) {
	for _, pressure := range []int{0, 128, 230, 256} {
		b := openOrderOf(t, turnsConfig(32, 4, 64), uint64(pressure))
		b.rig.stream("end").chance = pressure
		for s := range b.c.Streams {
			b.send(b.request([]int{kindEnd, kindClose}[s%2], s, 1))
		}
		b.settle()
		if pressure == 256 {
			require.Len(t, b.due["end"], 8)
			b.rig.stream("end").chance = 0
			b.settle()
		}
		require.Empty(t, b.due["end"])
		require.Len(t, b.started, b.c.Streams)
	}
}

// With all outputs blocked the block accepts IRD requests and the end of every stream, and forwards all of them later.
func TestRequestOrderHoldsEverything(t *testing.T) {
	far := turnsConfig(4, 8, 64)
	far.FarBit = 32
	for _, row := range []struct {
		c     engine.Config
		kinds string // of the requests of each stream
	}{{turnsConfig(4, 8, 64), "raRA"}, {far, "raRA"}, {far, "dddd"}, {far, "ddRA"}, {far, "aaaa"}} {
		t.Run(row.kinds, func(t *testing.T) {
			b := openOrderOf(t, row.c, 7)
			b.stall(0, 256)
			released := 0
			for i := range b.c.IRD {
				for s := range 4 {
					kind := row.kinds[s : s+1]
					b.asks(fmt.Sprint(kind, s))
					if i == b.c.IRD-1 && (kind == "R" || kind == "A") {
						b.asks(fmt.Sprint("f", s))
						released++
					}
				}
			}
			b.asks("t0", "s1", "t2", "s3")
			for range 200 {
				b.pass(1)
			}
			require.Len(t, b.rig.stream("in").at, 4*b.c.IRD+4+released)
			require.Empty(t, b.started)
			b.stall(0, 0)
			b.lag = 0
			b.settle()
			require.Len(t, b.started, 4*b.c.IRD+4)
		})
	}
}

// Random requests on random streams, some of which fail or end and are reopened, while rows are written and invalidated.
func TestRequestOrderUnderStalls(t *testing.T) {
	orderUnderStalls(t, turnsConfig(4, 8, 64))
}

// The same with Atomics in near and in far memory.
func TestRequestOrderFarUnderStalls(t *testing.T) {
	c := turnsConfig(4, 8, 64)
	c.FarBit = 32
	orderUnderStalls(t, c)
}

func orderUnderStalls(t *testing.T, c engine.Config) {
	left := map[string]int{}
	for _, lag := range []int{0, 160, 250} {
		everyChance(t, func(t *testing.T, idle, pressure int) {
			b := openOrderOf(t, c, uint64(lag+idle+3*pressure))
			b.stall(idle, pressure)
			b.lag = lag
			for range 1500 {
				for range 3 {
					b.random()
				}
				if row := b.rand.Uint32N(2); b.rand.IntN(100) == 0 {
					b.invalidate(row)
				} else if b.rand.IntN(50) == 0 {
					send(b.rig, "row", rxRow(row).beat(row))
				}
				b.pass(1)
			}
			b.stall(0, 0)
			b.lag = 0
			b.settle()
			for i := range b.streams {
				if len(b.streams[i].waiting) > 0 {
					b.asks(fmt.Sprint("f", i))
				}
			}
			b.settle()
			for out, due := range b.due {
				require.Empty(t, due, out)
			}
			for i, s := range b.streams {
				require.Zero(t, s.running+len(s.queued), "stream %d", i)
			}
			for _, s := range b.started {
				left[s[:len(s)-2]]++
			}
		})
	}
	for _, out := range append((&orderBench{c: c}).executors(), "end", "failed") {
		assert.NotZero(t, left[out], out)
	}
}

// After a reset nothing is accepted for one cycle per stream, no stream has requests, and none has failed.
func TestRequestOrderReset(t *testing.T) {
	b := openOrder(t, 8)
	for cycles := range 24 {
		q := b.request(kindAtomic, 2, 1)
		q.STag++
		b.send(q)
		b.asks("a1", "R0", "r3", "t3", "a2", "r1")
		b.pass(cycles)
		for range cycles % 3 {
			b.reset()
			b.restart()
			b.pass(cycles % 5)
		}
		b.reset()
		b.restart()
		sendAt(b.rig, "opening", 0, openingBeat{3, true, 1})
		b.asks("r0", "r1", "a2", "a3")
		b.gives("read 0", "read 1", "atomic 2", "atomic 3")
		b.asks("s1")
		b.gives()
	}
}
