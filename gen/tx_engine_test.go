package gen_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/wire"
)

// States of a stream in the reference.
const (
	refClosed = iota
	refOpen
	refFailed
)

// txBench is tx_engine connected to a memory, and its expected output.
type txBench struct {
	*rig
	c        engine.Config
	memory   *readMemory
	streams  map[int]int
	beats    []axisBeat
	reports  []txReportBeat
	credits  []creditBeat
	failures []failureBeat
	fetched  int // beats of memory
}

func openTxEngine(t testing.TB, c engine.Config, latency ...int) *txBench {
	b := &txBench{rig: openRig(t, transmit.TxEngine(c), 1), c: c, streams: map[int]int{},
		memory: &readMemory{busBytes: c.BusBytes, latency: [2]int{latency[0], latency[len(latency)-1]}, bad: map[uint64]int{}}}
	attachMemory(b.rig, b.memory)
	return b
}

// opening opens or closes a stream.
func (b *txBench) opening(stream int, open bool) {
	b.streams[stream] = refClosed
	if open {
		b.streams[stream] = refOpen
	}
	send(b.rig, "opening", openingBeat{Stream: stream, Open: open, Domain: b.rand.IntN(1 << 16)})
	b.rest(300)
}

func (b *txBench) openAll() {
	for i := range b.c.Streams {
		b.opening(i, true)
	}
}

// command sends commands and records the expected output.
func (b *txBench) command(list ...txCommandBeat) {
	for _, c := range list {
		send(b.rig, "command", c.measured(b.c.BusBytes))
		lost := (c.Kind == sentAtomic || c.Kind == sentRead) && c.HeaderLength+c.PayloadLength == 0
		if n := c.PayloadLength; n > 0 {
			lost = b.memory.failed(c.Address, n)
			b.fetched += int((c.Address+uint64(n-1))/uint64(b.c.BusBytes)-c.Address/uint64(b.c.BusBytes)) + 1
		}
		state, ends := b.streams[c.Stream], endsStream(c.Kind)
		passes := state == refOpen || state == refFailed && ends
		b.reports = append(b.reports, c.report(!passes || lost))
		if c.Final && (c.Kind == sentAtomic || c.Kind == sentRead) {
			b.credits = append(b.credits, creditBeat{c.Stream, c.Number})
		}
		switch {
		case !passes:
		case lost:
			b.failures = append(b.failures, failed(c.Stream, 0))
			b.streams[c.Stream] = refFailed
		case ends:
			b.streams[c.Stream] = refClosed
		}
		if passes && !lost && c.HeaderLength > 0 {
			segment := append(c.Header[:c.HeaderLength:c.HeaderLength], b.memory.octets(c.Address, c.PayloadLength)...)
			b.beats = append(b.beats, beatsOf(b.c.BusBytes, uint32(c.Stream), segment)...)
		}
	}
}

// finish runs until the engine is idle and compares the output.
func (b *txBench) finish() {
	b.t.Helper()
	b.rest(600)
	same(b.t, b.beats, received[axisBeat](b.rig, "m_axis_tx"))
	same(b.t, b.reports, received[txReportBeat](b.rig, "report"))
	same(b.t, b.credits, received[creditBeat](b.rig, "credit"))
	same(b.t, b.failures, received[failureBeat](b.rig, "failed"))
	reads := 0
	for _, burst := range b.memory.bursts {
		reads += burst.ArLen + 1
	}
	assert.Equal(b.t, b.fetched, reads, "beats read from memory")
	b.beats, b.reports, b.credits, b.failures, b.memory.bursts, b.fetched = nil, nil, nil, nil, nil, 0
}

// txRandom returns a command of any kind, often with payload near a boundary of 4 KiB.
func (b *txBench) txRandom(r *rand.Rand) txCommandBeat {
	kinds := []int{sentAtomic, sentRead, sentRead, kindMessage, kindMessage}
	c := plainCommand(r, r.IntN(b.c.Streams), kinds[r.IntN(len(kinds))], 14+r.IntN(57))
	switch r.IntN(60) {
	case 0:
		c.Kind = kindEnd
	case 1:
		c.Kind, c.HeaderLength, c.Header = kindClose, 0, padded(nil)
	case 2:
		c.HeaderLength, c.Header = 0, padded(nil)
	default:
		most := []int{0, 1, 8, b.c.BusBytes, 3 * b.c.BusBytes, b.c.MaxPayload}[r.IntN(6)]
		c.PayloadLength = max(0, min(most, b.c.MaxPayload)-r.IntN(b.c.BusBytes+1))
		c.Address = uint64(r.IntN(1<<16))<<12 - uint64(r.IntN(c.PayloadLength+b.c.BusBytes))
		if r.IntN(30) == 0 {
			b.memory.bad[(c.Address+uint64(r.IntN(c.PayloadLength+1)))/uint64(b.c.BusBytes)] = 1 + r.IntN(3)
		}
	}
	return c
}

// Every bus, every mix of idle cycles and back-pressure, several latencies: segments, reports and failures equal those of
// the reference, with streams that fail, end and are reopened.
func TestTxEngineUnderStalls(t *testing.T) {
	for i, bus := range block.BusWidths {
		t.Run(fmt.Sprint(bus), func(t *testing.T) {
			everyChance(t, func(t *testing.T, idle, pressure int) {
				latency := [][]int{{0}, {3, 50}, {200}}[(i+idle)%3]
				b := openTxEngine(t, txConfig(bus, 256), latency...)
				b.stall(idle, pressure)
				r := random(uint64(bus))
				for range 3 {
					for s := range b.c.Streams {
						b.opening(s, r.IntN(8) > 0)
					}
					for range 80 {
						b.command(b.txRandom(r))
					}
					b.finish()
				}
			})
		})
	}
}

// The first beat leaves one cycle after its command.
func TestTxEngineLatency(t *testing.T) {
	for _, bus := range block.BusWidths {
		b := openTxEngine(t, txConfig(bus, 256), 0)
		b.openAll()
		b.command(plainCommand(b.rand, 3, sentAtomic, 30))
		b.finish()
		assert.Equal(t, b.stream("command").at[0]+1, b.stream("m_axis_tx").at[0])
	}
}

// responses returns n Atomic Responses.
func responses(r *rand.Rand, n int) (list []txCommandBeat) {
	for range n {
		segment := wire.AppendAtomicResponse(nil, r.Uint32(), wire.AtomicResponse{OriginalRemoteDataValue: r.Uint64()})
		list = append(list, txCommandBeat{Stream: r.IntN(8), Kind: sentAtomic, Final: true, HeaderLength: 30, Header: padded(segment)})
	}
	return list
}

// Atomic Responses leave without a gap, one per cycle if the bus is wide enough for one, except for up to two cycles after the first.
func TestTxEngineAtomicRate(t *testing.T) {
	for _, bus := range block.BusWidths {
		b := openTxEngine(t, txConfig(bus, 1024), 0)
		b.openAll()
		b.command(responses(b.rand, 1000)...)
		b.finish()
		at, beats := b.stream("m_axis_tx").at, (30+bus-1)/bus
		gapless(t, at[beats:])
		assert.LessOrEqual(t, at[beats]-at[beats-1], 3)
		assert.Len(t, at, 1000*beats)
	}
}

// reads returns segments of Read Responses from consecutive memory, of payload octets each.
func reads(r *rand.Rand, n int, address uint64, payload int) (list []txCommandBeat) {
	for i := range n {
		h := wire.TaggedHeader(wire.OpReadResponse, r.Uint32(), r.Uint64(), false)
		list = append(list, txCommandBeat{Stream: i % 8, Kind: sentRead, HeaderLength: 14, Header: padded(h.AppendEncode(nil)),
			Address: address + uint64(i*payload), PayloadLength: payload})
	}
	return list
}

// With a latency of 160 cycles there is a beat in every cycle from the first to the last: for long segments on every bus at
// any offset, and for segments of one beat. The first time that a one-beat segment needs two beats of memory costs one cycle.
func TestTxEngineHidesLatency(t *testing.T) {
	for _, row := range []struct{ bus, most, payload, segments int }{
		{8, 1024, 1024, 10}, {16, 1024, 1024, 20}, {32, 1024, 1024, 30}, {64, 1024, 1024, 60}, {128, 1024, 1024, 100},
		{64, 4096, 4096, 20}, {64, 16384, 16384, 6}, {64, 1024, 512, 100}, {64, 1024, 64, 600}, {64, 1024, 1, 1000}, {128, 256, 128, 600},
	} {
		for _, offset := range []uint64{0, 1, 14, 15, uint64(row.bus - 1)} {
			t.Run(fmt.Sprintf("%d octets per beat, %d octets per segment, offset %d", row.bus, row.payload, offset), func(t *testing.T) {
				b := openTxEngine(t, txConfig(row.bus, row.most), 160)
				b.openAll()
				b.command(reads(b.rand, row.segments, 1<<32+offset, row.payload)...)
				b.finish()
				at := b.stream("m_axis_tx").at
				if row.payload == 1 {
					assert.LessOrEqual(t, at[len(at)-1]-at[0], len(at))
					return
				}
				gapless(t, at)
			})
		}
	}
}

// The offset of payload in a beat of memory is alternately below and above its offset in a beat of the segment. The second kind
// needs two beats of memory for its first output beat, which costs one cycle the first time only.
func TestTxEngineAlternatingOffsets(t *testing.T) {
	for _, payload := range []int{100, 1000, 1024} {
		b := openTxEngine(t, txConfig(64, 1024), 160)
		b.openAll()
		for i := range 16384 / payload {
			b.command(reads(b.rand, 1, uint64(i<<12+[]int{1, 15, 14, 5, 20, 14}[i%6]), payload)...)
		}
		b.finish()
		at := b.stream("m_axis_tx").at
		assert.LessOrEqual(t, at[len(at)-1]-at[0], len(at))
	}
}

// Long segments with headers of every length, at offsets at which no more beats are read than sent: after the start there is no
// gap.
func TestTxEngineMixIsGapless(t *testing.T) {
	for _, bus := range block.BusWidths {
		b := openTxEngine(t, txConfig(bus, 1024), 160)
		b.openAll()
		for range 150 {
			c := plainCommand(b.rand, b.rand.IntN(8), kindMessage, 14+b.rand.IntN(57))
			c.PayloadLength = 800 + b.rand.IntN(225)
			slack := b.rand.IntN(bus)
			c.Address = uint64(b.rand.IntN(1<<20)*bus + min(c.HeaderLength%bus, slack))
			b.command(c)
		}
		b.finish()
		gapless(t, b.stream("m_axis_tx").at[len(b.stream("m_axis_tx").at)/3:])
	}
}

// One command per cycle is accepted until two cycles after the limit of waiting beats is reached, and then no more.
func TestTxEngineTakesAhead(t *testing.T) {
	b := openTxEngine(t, txConfig(64, 1024), 0)
	b.openAll()
	b.stream("m_axis_tx").chance = 256
	b.command(reads(b.rand, 400, 1<<20, 8)...)
	for range 1000 {
		b.step()
	}
	at := b.stream("command").at
	gapless(t, at)
	assert.Equal(t, 176+2*17+2+2, len(at), "waiting beats, two while they are counted, and two in the builder")
	b.stream("m_axis_tx").chance = 0
	b.finish()
}

// Bursts are as long as AXI4 allows, one per cycle.
func TestTxEngineBursts(t *testing.T) {
	for _, row := range []struct {
		bus, payload int
		address      uint64
		want         []readBurst
	}{
		{64, 4096, 0x10000, []readBurst{{ArAddr: 0x10000, ArLen: 63}}},
		{64, 4096, 0x10001, []readBurst{{ArAddr: 0x10000, ArLen: 63}, {ArAddr: 0x11000, ArLen: 0}}},
		{64, 1, 0x10FFF, []readBurst{{ArAddr: 0x10FC0, ArLen: 0}}},
		{64, 2, 0x10FFF, []readBurst{{ArAddr: 0x10FC0, ArLen: 0}, {ArAddr: 0x11000, ArLen: 0}}},
		{8, 4096, 0x10000, []readBurst{{ArAddr: 0x10000, ArLen: 255}, {ArAddr: 0x10800, ArLen: 255}}},
		{8, 4096, 0x10007, []readBurst{{ArAddr: 0x10000, ArLen: 255}, {ArAddr: 0x10800, ArLen: 255}, {ArAddr: 0x11000, ArLen: 0}}},
		{128, 4096, 0xFFFFFFFFFFFFF000, []readBurst{{ArAddr: 0xFFFFFFFFFFFFF000, ArLen: 31}}},
	} {
		b := openTxEngine(t, txConfig(row.bus, 4096), 0)
		b.openAll()
		c := reads(b.rand, 1, row.address, row.payload)[0]
		b.command(c)
		b.rest(600)
		size := map[int]int{8: 3, 64: 6, 128: 7}[row.bus]
		for i := range row.want {
			row.want[i].ArSize, row.want[i].ArBurst = size, 1
		}
		assert.Equal(t, row.want, b.memory.bursts)
		gapless(t, b.stream("m_axi_ar").at)
		assert.Equal(t, b.stream("command").at[0]+3, b.stream("m_axi_ar").at[0])
		b.finish()
	}
}

// After a reset every stream is closed: its commands are dropped, with their payload, and reported as dropped.
func TestTxEngineIsClosedAfterReset(t *testing.T) {
	b := openTxEngine(t, txConfig(32, 256), 5)
	for s := range 8 {
		c := plainCommand(b.rand, s, kindMessage, 18)
		c.PayloadLength, c.Address = 200, 0x1000
		b.command(c, plainCommand(b.rand, s, kindEnd, 22))
	}
	b.finish()
	assert.Equal(t, 9, b.stream("command").at[0], "one cycle per stream, and one")
	b.openAll()
	b.command(plainCommand(b.rand, 5, sentAtomic, 30))
	require.NotEmpty(t, b.beats)
	b.finish()
}

// A memory error, SLVERR or DECERR, in any beat of the payload: neither the segment nor later ones of its stream are sent, except
// the Terminate; other streams continue. OKAY and EXOKAY are not errors.
func TestTxEngineMemoryErrors(t *testing.T) {
	for resp := range 4 {
		for beat := range 5 {
			b := openTxEngine(t, txConfig(64, 256), 7)
			b.openAll()
			b.memory.bad[uint64(0x40+beat)] = resp
			list := []txCommandBeat{plainCommand(b.rand, 1, kindMessage, 18), plainCommand(b.rand, 1, sentRead, 14),
				plainCommand(b.rand, 2, sentRead, 14), plainCommand(b.rand, 1, sentAtomic, 30),
				plainCommand(b.rand, 1, kindEnd, 22), plainCommand(b.rand, 1, kindEnd, 22), plainCommand(b.rand, 1, kindMessage, 22)}
			list[0].Address, list[0].PayloadLength = 0x0F00, 256
			list[1].Address, list[1].PayloadLength = 0x1020, 256
			list[2].Address, list[2].PayloadLength = 0x2000, 100
			b.command(list...)
			assert.Len(t, b.failures, resp/2)
			b.finish()
		}
	}
}

// Further errors of a failed stream are not reported, nor errors of a stream that has ended.
func TestTxEngineFailsOnce(t *testing.T) {
	b := openTxEngine(t, txConfig(64, 256), 0)
	b.openAll()
	b.memory.bad[0x40] = 2
	bad := plainCommand(b.rand, 1, kindMessage, 18)
	bad.Address, bad.PayloadLength = 0x1000, 10
	closed := plainCommand(b.rand, 1, kindClose, 0)
	b.command(bad, bad, bad, closed, bad)
	require.Len(t, b.failures, 1)
	b.finish()
	b.opening(1, true)
	b.command(closed, bad, plainCommand(b.rand, 1, kindEnd, 22))
	require.Empty(t, b.failures)
	require.Empty(t, b.beats)
	b.finish()
	b.opening(1, true)
	b.opening(1, false)
	b.command(bad, plainCommand(b.rand, 1, kindEnd, 22))
	b.finish()
}

// An Atomic Response without octets means that its word could not be read: no later response of its stream leaves.
func TestTxEngineFailsForAnAtomic(t *testing.T) {
	b := openTxEngine(t, txConfig(64, 256), 0)
	b.openAll()
	hollow := txCommandBeat{Stream: 1, Kind: sentAtomic, Final: true, Header: padded(nil)}
	b.command(plainCommand(b.rand, 1, sentAtomic, 30), hollow, plainCommand(b.rand, 1, sentAtomic, 30),
		plainCommand(b.rand, 2, sentAtomic, 30), hollow, plainCommand(b.rand, 1, kindEnd, 22), hollow)
	require.Len(t, b.failures, 1)
	require.Len(t, b.beats, 3, "one before it, one of another stream, the Terminate")
	b.finish()
}

// Credit is returned one cycle after the last beat of a response, even while reports are not accepted.
func TestTxEngineReturnsCreditAtOnce(t *testing.T) {
	for _, kind := range []int{sentAtomic, sentRead} {
		b := openTxEngine(t, txConfig(64, 256), 0)
		b.openAll()
		b.stream("report").chance = 256
		response := plainCommand(b.rand, 1, kind, 30)
		response.Final = true
		for range 2 {
			b.command(response)
			for range 10 {
				b.step()
			}
			assert.Equal(t, b.stream("m_axis_tx").at[0]+1, b.stream("credit").at[0])
			received[axisBeat](b.rig, "m_axis_tx")
			same(t, b.credits, received[creditBeat](b.rig, "credit"))
			b.beats, b.credits = nil, nil
		}
		b.stream("report").chance = 0
		b.finish()
	}
}

// Credit that is not accepted blocks responses; nothing is lost.
func TestTxEngineCreditIsHeldUp(t *testing.T) {
	b := openTxEngine(t, txConfig(64, 256), 0)
	b.openAll()
	b.stream("credit").chance = 256
	for range 4 {
		response := plainCommand(b.rand, 1, sentAtomic, 30)
		response.Final = true
		b.command(response)
	}
	for range 30 {
		b.step()
	}
	assert.Len(t, b.stream("m_axis_tx").at, 2, "the credit of one waits, that of the other is offered")
	b.stream("credit").chance = 0
	b.finish()
}

// An opening that waits for the end of the sweep opens only its own stream.
func TestTxEngineOpensOne(t *testing.T) {
	b := openTxEngine(t, txConfig(64, 256), 0)
	b.opening(3, true)
	assert.Equal(t, b.c.Streams, b.stream("opening").at[0])
	for s := range b.c.Streams {
		b.command(plainCommand(b.rand, s, sentAtomic, 30))
	}
	require.Len(t, b.beats, 1)
	b.finish()
}

// Streams that end, one per cycle, and openings of others do not affect each other.
func TestTxEngineOpensWhileOthersEnd(t *testing.T) {
	c := txConfig(64, 256)
	c.Streams = 64
	b := openTxEngine(t, c, 0)
	for s := range 32 {
		b.opening(s, true)
	}
	for s := range 32 {
		b.command(plainCommand(b.rand, s, kindEnd, 22))
		send(b.rig, "opening", openingBeat{Stream: 32 + s, Open: true})
		b.streams[32+s] = refOpen
	}
	b.finish()
	gapless(t, b.stream("m_axis_tx").at[1:])
	for s := range 64 {
		b.command(plainCommand(b.rand, s, sentAtomic, 30))
	}
	require.Len(t, b.beats, 32)
	b.finish()
}

// A reset at any time, even while reads are in progress, discards everything.
func TestTxEngineReset(t *testing.T) {
	for at := 0; at < 400; at += 37 {
		b := openTxEngine(t, txConfig(64, 1024), 20)
		b.openAll()
		b.stall(0, 100)
		for range 100 {
			send(b.rig, "command", b.txRandom(b.rand).measured(b.c.BusBytes))
		}
		for range at {
			b.step()
		}
		b.reset()
		b.memory.bursts, b.memory.bad, b.streams = nil, map[uint64]int{}, map[int]int{}
		b.stall(0, 0)
		attachMemory(b.rig, b.memory)
		b.openAll()
		b.command(reads(b.rand, 20, 0x123, 1000)...)
		b.command(responses(b.rand, 20)...)
		b.finish()
	}
}

func TestTxBlocksAreCleanInEveryTool(t *testing.T) {
	long.Test(t)
	t.Parallel()
	for i, bus := range []int{8, 64, 128} {
		c := txConfig(bus, 256<<(3*i))
		c.Streams = 2 << (6 * i)
		clean(t, transmit.TxEngine(c))
	}
	for _, streams := range []int{2, 64} {
		clean(t, transmit.TxArbiter(streamsOf(streams)))
		clean(t, rdmap.AtomicResponder(streamsOf(streams)))
		clean(t, rdmap.TerminateBuilder(streamsOf(streams)))
		c := gen.Default().Engine()
		c.Streams, c.MaxPayload = streams, 256*streams
		clean(t, rdmap.ReadResponder(c))
	}
	clean(t, block.AXIReadArbiter(64))
}
