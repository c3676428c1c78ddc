package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
	"github.com/rnicgen/rnicgen/model/wire"
)

// aboveCarry returns values of the address bits above a carry: zero, and bits that the carry must not change.
func aboveCarry(bit int) []uint64 {
	if bit == 63 {
		return []uint64{0}
	}
	odd := uint64(0xA5A5_5A5A_C3C3_3C3C)
	return []uint64{0, odd >> (bit + 1) << (bit + 1)}
}

// everyCarry calls f with an address some octets before each power of two from 2^least to 2^64, with and without higher bits,
// so that the following octets need a carry through all lower bits.
func everyCarry(least int, before uint64, f func(address uint64)) {
	for bit := least; bit < 64; bit++ {
		for _, above := range aboveCarry(bit) {
			f(above + 1<<bit - before)
		}
	}
	f(-before)
}

// Placements across every power of two, up to the last octet of memory.
func TestPlacementCarries(t *testing.T) {
	for _, bus := range block.BusWidths {
		p, r, run := openPlacer(t, bus), random(31), newPlacementRun(bus)
		everyCarry(11, 200, func(address uint64) {
			length := 400
			if address > 1<<64-400 {
				length = 200
			}
			run.add(placementCommand{Stream: r.Uint32N(placementStreams), Address: address}, noise(r, length))
		})
		run.add(placementCommand{Address: 1<<64 - 65535}, noise(r, 65535))
		p.check(run)
	}
}

// An inline word across every power of two, at each offset.
func TestPlacementInlineCarries(t *testing.T) {
	p, r, run := openPlacer(t, 8), random(32), newPlacementRun(8)
	for before := uint64(1); before < 8; before++ {
		everyCarry(11, before, func(address uint64) {
			if address < 1<<64-8 {
				run.add(placementCommand{Inline: true, Address: address, Data: r.Uint64()}, nil)
			}
		})
	}
	p.check(run)
}

// Bursts of reads across every power of two.
func TestTxFetchCarries(t *testing.T) {
	for _, bus := range block.BusWidths {
		b := openRig(t, transmit.TxFetcher(txConfig(bus, 1024), 1<<15), 1)
		b.inputs["freed"].Set(0)
		block := uint64(min(4096, 256*bus))
		var want []readBurst
		size := 0
		for 1<<size < bus {
			size++
		}
		everyCarry(11, 300, func(address uint64) {
			length := uint64(300 + b.rand.IntN(700))
			if address > 1<<64-1000 {
				length = 300
			}
			send(b, "fetch", txFetchBeat{Address: address, Length: int(length), Lead: b.rand.IntN(bus)})
			last := (address + length - 1) &^ uint64(bus-1)
			for at := address &^ uint64(bus-1); ; at = at&^(block-1) + block {
				end := min(last, at|(block-1)&^uint64(bus-1))
				want = append(want, readBurst{ArAddr: at, ArLen: int(end-at) / bus, ArSize: size, ArBurst: 1})
				if end == last {
					return
				}
			}
		})
		b.rest(20)
		same(t, want, received[readBurst](b, "m_axi_ar"))
	}
}

// Messages of two segments whose source and sink cross powers of two, each separately.
func TestTxTurnsCarries(t *testing.T) {
	for _, most := range []int{256, 16384} {
		b := openTxTurns(t, txConfig(64, most))
		var want []txCommandBeat
		n := 0
		everyCarry(8, uint64(most)-1, func(address uint64) { // the second segment begins after it
			n++
			q := readRequestBeat{Stream: n % 8, Number: uint32(n) % requestNumbers, Address: address, Length: uint32(most) + 1}
			q.Sink.STag, q.Sink.TO = uint32(n), uint64(n)<<40
			other := q
			other.Address, other.Sink.TO = q.Sink.TO, q.Address
			for _, q := range []readRequestBeat{q, other} {
				send(b.rig, "message", q.message())
				want = append(want, q.segments(uint32(most))...)
				b.rest(20)
			}
		})
		same(t, want, b.sent)
	}
}

// Regions across every power of two in TO and in memory, each separately: the first and the last octet inside, and their neighbours
// outside.
func TestRegionCheckCarries(t *testing.T) {
	b := openRegion(t)
	check := func(base, address, length uint64) {
		q := regionQuery{Entry: stagRow{Valid: true, Key: 9, Base: base, Length: length, Address: address}, STag: 9, Right: true}
		for _, at := range []uint64{base - 1, base, base + length - 1, base + length} {
			q.TO, q.Length = at, 1
			b.check(q)
		}
		q.TO, q.Length = base, uint32(min(length, 1<<32-1))
		b.check(q)
		q.Length++
		b.check(q)
	}
	for _, length := range []uint64{1, 100, 1<<32 - 1, 1 << 40} {
		everyCarry(1, length/2+1, func(place uint64) {
			check(min(place, -length), 0x77, length)
			check(0x77, place, length)
		})
	}
}

// Every bit of a TO, a base and an address, as the only difference from the correct value.
func TestRegionCheckEveryBit(t *testing.T) {
	b := openRegion(t)
	good := regionQuery{Entry: stagRow{Valid: true, Key: 9, Base: 0x4321_8765_2109_6543, Length: 64, Address: 0x1234_5678_9ABC_DEF1},
		STag: 0xABCDEF09, TO: 0x4321_8765_2109_6543, Length: 64, Right: true, Stream: 0x1555, Domain: 0x2AAA}
	good.Entry.Owner = good.Stream
	require.Equal(t, regionVerdict{}, good.verdict())
	for bit := range 64 {
		for _, change := range []func(q *regionQuery){
			func(q *regionQuery) { q.TO ^= 1 << bit },
			func(q *regionQuery) { q.Entry.Base ^= 1 << bit },
			func(q *regionQuery) { q.Entry.Address ^= 1 << bit },
			func(q *regionQuery) { q.Entry.Length ^= 1 << bit },
			func(q *regionQuery) { q.Length ^= 1 << (bit % 32) },
			func(q *regionQuery) { q.STag ^= 1 << (bit % 32) },
			func(q *regionQuery) { q.Entry.Key ^= 1 << (bit % 8) },
			func(q *regionQuery) { q.Entry.Owner ^= 1 << (bit % 16) },
			func(q *regionQuery) { q.Stream ^= 1 << (bit % 14) },
			func(q *regionQuery) { q.Domain ^= 1 << (bit % 16) },
			func(q *regionQuery) { q.Entry.ByDomain, q.Entry.Owner = true, q.Domain^1<<(bit%16) },
		} {
			q := good
			change(&q)
			b.check(q)
		}
	}
}

// Messages whose local buffer, and whose remote buffer, cross powers of two.
func TestRequesterCarries(t *testing.T) {
	c := requesterConfig()
	b := openRequester(t, c, 0)
	msn := uint32(0)
	for _, local := range []bool{false, true} {
		everyCarry(9, 200, func(place uint64) { // the second segment begins after it
			row := requesterTable()[0]
			w := work(0, place, wire.OpSend, 300)
			if place == 1<<64-200 {
				w.Length = 200
			}
			msn++
			if local { // the region ends after the message: TO and address cross in turn
				row.Entry.Base, row.Entry.Length = place, uint64(w.Length)
				if msn%2 == 0 {
					row.Entry.Base, row.Entry.Address = 0x77, place
				}
				w.Local.TO = row.Entry.Base
			} else {
				w.Opcode, w.Remote.TO = wire.OpWrite, place
				msn--
			}
			push(b, "row", row)
			b.run()
			push(b, "wqe", w)
			b.run()
			want, fails := messagesOf(w, msn, map[uint32]rowBeat{0: row})
			require.False(t, fails)
			messages := take[messageBeat](b, "message")
			sameMessages(t, want, messages)
			for _, c := range messages {
				push(b, "sent", sent(c))
			}
			b.run()
			assert.Len(t, take[completionBeat](b, "completion"), 1, fmt.Sprintf("%#x", place))
		})
	}
}
