package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
)

// stagingRig is tx_staging with its memories; it reads the payload of each segment that leaves, as tx_engine does.
type stagingRig struct {
	*rig
	c         engine.Config
	near, far *readMemory
	waiting   []farCommandBeat // far segments to be sent, as soon as there is room
	inside    int              // far segments with a place
	came      []farCommandBeat // by segment that has left: as it arrived
	left      []farCommandBeat
	order     map[bool][]farCommandBeat // sent and not left yet, by far
	reads     []uint64                  // beats that are read: the address in memory
	got       int                       // of them that have been returned
}

func openStaging(t testing.TB, busBytes, maxPayload int, near, far [2]int) *stagingRig {
	c := gen.Config{BusBytes: busBytes, Streams: 8, IRD: 4, MaxPayload: maxPayload}.Engine()
	c.FarBit = farBit
	memory := func(latency [2]int) *readMemory {
		return &readMemory{busBytes: busBytes, latency: latency, bad: map[uint64]int{}}
	}
	b := &stagingRig{rig: openRig(t, transmit.TxStaging(c), 1), c: c, near: memory(near), far: memory(far), order: map[bool][]farCommandBeat{}}
	attachMemoryAt(b.rig, "near", b.near)
	attachMemoryAt(b.rig, "far", b.far)
	b.streams(3, 1)
	onBeat(b.rig, "segment", b.leaves)
	onBeat(b.rig, "reader_r", func(r readBeat) {
		a := b.reads[b.got]
		m := b.memory(a)
		assert.Equal(b.t, m.octets(a, busBytes), r.RData)
		assert.Equal(b.t, m.bad[a/uint64(busBytes)]&2, r.RResp&2)
		b.got++
	})
	return b
}

func (b *stagingRig) memory(address uint64) *readMemory {
	if address>>farBit&1 == 1 {
		return b.far
	}
	return b.near
}

// streams says how many streams wait.
func (b *stagingRig) streams(near, far uint64) {
	b.inputs["near_streams"].Set(near)
	b.inputs["far_streams"].Set(far)
}

// post sends a segment with payload somewhere.
func (b *stagingRig) post(far bool, address uint64, length int) {
	s := txCommandBeat{Stream: b.rand.IntN(8), Kind: b.rand.IntN(4), Final: b.rand.IntN(2) == 0, Number: b.rand.Uint32N(4), HeaderLength: 18,
		Header: padded(noise(b.rand, 18)), Address: address, PayloadLength: length}.measured(b.c.BusBytes)
	if far {
		s.Address |= 1 << farBit
	}
	f := farCommandBeat{s.Stream, s.Kind, s.Final, s.Number, s.HeaderLength, s.Header, s.Address, s.PayloadLength, s.Beats, s.Ends, far}
	b.order[far] = append(b.order[far], f)
	b.waiting = append(b.waiting, f)
}

// leaves compares a segment with the oldest of its kind, and reads its payload, burst by burst.
func (b *stagingRig) leaves(got farCommandBeat) {
	want := b.order[got.Far][0]
	b.order[got.Far] = b.order[got.Far][1:]
	b.left = append(b.left, got)
	moved := want
	if got.Far {
		moved.Address = got.Address
		assert.Zero(b.t, (got.Address-want.Address)%uint64(b.c.BusBytes))
	}
	assert.Equal(b.t, moved, got)
	bus := uint64(b.c.BusBytes)
	from, real := got.Address/bus*bus, want.Address/bus*bus
	for left := (got.Address%bus + uint64(got.PayloadLength) + bus - 1) / bus; got.PayloadLength > 0 && left > 0; {
		n := min(left, (4096-from%4096)/bus)
		send(b.rig, "reader_ar", readBurst{ArID: int(asBit(got.Far)), ArAddr: from, ArLen: int(n) - 1, ArSize: block.IndexWidth(b.c.BusBytes), ArBurst: 1})
		for range n {
			b.reads, from, real = append(b.reads, real), from+bus, real+bus
		}
		left -= n
	}
}

// turn runs one cycle. A segment is sent when all earlier ones were, and if it is far, when there is room.
func (b *stagingRig) turn() {
	if len(b.waiting) > 0 && (!b.waiting[0].Far || b.inside < transmit.TxStagingSlots) {
		b.inside += int(asBit(b.waiting[0].Far))
		send(b.rig, "command", b.waiting[0])
		b.waiting = b.waiting[1:]
	}
	b.step()
	b.inside -= int(b.signal("freed").Get())
}

// finish runs until all has left and was read.
func (b *stagingRig) finish() {
	for n := 0; len(b.waiting)+len(b.order[false])+len(b.order[true]) > 0 || b.got < len(b.reads); n++ {
		b.turn()
		require.Less(b.t, n, 500_000)
	}
	for range 5 {
		b.turn()
	}
	assert.Zero(b.t, b.inside)
}

// Payload is that of memory, near and far, errors too, whatever the alignment; segments of each kind leave in order.
func TestTxStagingUnderStalls(t *testing.T) {
	for _, c := range []struct{ bus, most int }{{8, 256}, {64, 1024}, {128, 16384}} {
		everyChance(t, func(t *testing.T, idle, pressure int) {
			b := openStaging(t, c.bus, c.most, [2]int{1, 30}, [2]int{1, 200})
			b.stall(idle, pressure)
			b.stream("far_r").chance = 0 // it is always ready
			b.streams(uint64(b.rand.IntN(9)), uint64(b.rand.IntN(3)))
			for i := range uint64(150) {
				address := (i+1)<<20 + b.rand.Uint64N(4096)
				length := []int{1, c.bus, c.most - 1, c.most, 1 + b.rand.IntN(c.most)}[b.rand.IntN(5)]
				far := b.rand.IntN(2) == 0
				if b.rand.IntN(8) == 0 {
					at := address + b.rand.Uint64N(uint64(length))
					if far {
						at |= 1 << farBit
					}
					b.memory(at).bad[at/uint64(c.bus)] = 2 + b.rand.IntN(2)
				}
				if !far && b.rand.IntN(4) == 0 {
					length = 0
				}
				b.post(far, address, length)
			}
			b.finish()
		})
	}
}

// After a far segment each stream that waits has as many beats; when none waits, far segments follow each other.
func TestTxStagingIsFair(t *testing.T) {
	for _, row := range []struct{ near, far, between int }{{0, 1, 0}, {3, 1, 27}, {8, 1, 72}, {8, 4, 18}, {8, 0, 72}} {
		b := openStaging(t, 128, 1024, [2]int{1, 1}, [2]int{1, 1})
		b.streams(uint64(row.near), uint64(row.far))
		for i := range uint64(4) {
			b.post(true, (i+1)<<20, 1024) // 9 beats with its header
		}
		for i := range uint64(300) {
			b.post(false, (i+9)<<20, 0) // one beat
		}
		b.stream("segment").chance = 256
		for range 100 { // until all payload is there
			b.turn()
		}
		b.stream("segment").chance = 0
		b.finish()
		var at []int
		for i, s := range b.left {
			if s.Far {
				at = append(at, i)
			}
		}
		for i := range at[2:] {
			assert.InDelta(t, row.between, at[i+2]-at[i+1]-1, 2, "%+v: %v", row, at)
		}
	}
}

// An error in any one beat is reported in that beat, and in no other, whatever the alignment.
func TestTxStagingReportsEachError(t *testing.T) {
	for _, c := range []struct{ bus, most int }{{8, 256}, {64, 1024}} {
		for _, offset := range []int{0, 1, c.bus - 1} {
			b := openStaging(t, c.bus, c.most, [2]int{1, 1}, [2]int{1, 40})
			address := uint64(1)<<20 + uint64(offset)
			for beat := range uint64((offset + c.most + c.bus - 1) / c.bus) {
				from := address + beat<<20
				b.far.bad[(from|1<<farBit)/uint64(c.bus)+beat] = 2 + int(beat%2)
				b.post(true, from, c.most)
			}
			b.finish()
		}
	}
}

// All places may be complete before the first far segment can leave.
func TestTxStagingAllComplete(t *testing.T) {
	b := openStaging(t, 64, 1024, [2]int{1, 1}, [2]int{1, 1})
	for round := range uint64(3) {
		b.stream("segment").chance = 256
		b.post(false, (round+1)<<20, 64) // it is on offer: one more would keep the far ones out
		for range 10 {
			b.turn()
		}
		for i := range uint64(transmit.TxStagingSlots) {
			b.post(true, (64*round+i+1)<<24, 1024)
		}
		for n := 0; len(b.waiting) > 0 || n < 600; n++ {
			b.turn()
			require.Less(t, n, 2000)
		}
		b.stream("segment").chance = 0
		b.finish()
	}
}
