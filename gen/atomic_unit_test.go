package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/atomic"
	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
	model "github.com/rnicgen/rnicgen/model/atomic"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

func atomicUnitConfig(bus, depth int) engine.Config {
	c := gen.Default().Engine()
	c.BusBytes, c.AtomicDepth, c.Profile = bus, depth, rdmap.Profile{Draft00: true}
	return c
}

// fixed is a memory of constant latency in an environment that is always ready.
func fixed(latency int) pace {
	return pace{read: [2]int{latency, latency}, write: [2]int{latency, latency}}
}

// randomAtomics returns n atomics on the given words.
func randomAtomics(seed uint64, n int, words []uint64) (list []atomicRequest) {
	r := random(seed)
	for i := range n {
		a := atomicRequest{stream: r.Uint64N(64), number: uint64(r.Uint32N(requestNumbers)), atomicMsn: uint64(r.Uint32()), identifier: uint64(i),
			word: words[r.IntN(len(words))], opcode: wire.AOpCode(r.IntN(3)), data: operand(r), mask: operand(r), compare: operand(r), compareMask: operand(r)}
		if r.IntN(4) == 0 {
			a.compareMask = 0
		}
		list = append(list, a)
	}
	return list
}

// apart returns n equidistant words.
func apart(first uint64, n int, distance uint64) (words []uint64) {
	for i := range uint64(n) {
		words = append(words, first+distance*i)
	}
	return words
}

// inTurn returns n atomics on the words in turn; atomic i is on stream i mod 64.
func inTurn(n int, words []uint64) (list []atomicRequest) {
	for i := range n {
		list = append(list, atomicRequest{stream: uint64(i % 64), identifier: uint64(i), word: words[i%len(words)], opcode: wire.FetchAdd, data: 1})
	}
	return list
}

// setMates are words that share a set if 512 atomics can be in flight: multiples of x^9 + x^4 + 1 over GF(2).
var setMates = []uint64{0, 0x211, 0x422, 0x211 ^ 0x422, 0x844, 0x844 ^ 0x211}

// The unit accepts one atomic and offers one response per cycle throughout, with every bus width and every pattern of words.
func TestAtomicUnitRate(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 1000
	}
	check := func(t *testing.T, c engine.Config, p pace, list []atomicRequest) {
		b := openAtomicUnit(t, c, p)
		b.shared = list[1].word-list[0].word == 1
		b.run(list...)
		gapless(t, b.requestAt)
		gapless(t, b.responseAt)
		assert.Len(t, b.responseAt, len(list))
	}
	for _, bus := range block.BusWidths {
		c := atomicUnitConfig(bus, 512)
		for name, list := range map[string][]atomicRequest{
			"one word":                         inTurn(n, []uint64{0x1234567}),
			"64 consecutive words, 64 streams": inTurn(n, apart(0x40000, 64, 1)),
			"64 words, 4 KiB apart, at random": randomAtomics(1, n, apart(0x777, 64, 512)),
			"two words of a set":               inTurn(n, setMates[:2]),
		} {
			t.Run(fmt.Sprintf("%d octets, %s", bus, name), func(t *testing.T) { check(t, c, fixed(100), list) })
		}
		for _, latency := range []int{1, 2, 3, 7, 200} {
			t.Run(fmt.Sprintf("%d octets, one word, latency %d", bus, latency), func(t *testing.T) { check(t, c, fixed(latency), inTurn(n, []uint64{0x1234567})) })
		}
	}
}

// Write data accepted some cycles after or before its address costs no throughput.
func TestAtomicUnitRateWithSkewedWrites(t *testing.T) {
	for _, late := range []string{"m_axi_awready", "m_axi_wready"} {
		b := openAtomicUnit(t, atomicUnitConfig(64, 512), fixed(20))
		b.todo = inTurn(1000, []uint64{5})
		for len(b.responseAt) == 0 {
			b.hold = map[string]bool{late: true}
			b.clock()
		}
		b.clock()
		b.clock()
		b.hold = nil
		b.run()
		gapless(t, b.requestAt)
		gapless(t, b.responseAt)
	}
}

// Clearing the table takes one cycle per set. Then a read is on the bus three cycles after its request is accepted, and the
// response two cycles after the word; an atomic whose word is cached has its response after six cycles.
func TestAtomicUnitLatency(t *testing.T) {
	for _, latency := range []int{1, 2, 3, 50} {
		b := openAtomicUnit(t, atomicUnitConfig(64, 16), pace{read: [2]int{latency, latency}, write: [2]int{90, 90}})
		b.run(inTurn(1, []uint64{5})...)
		assert.EqualValues(t, 16, b.requestAt[0])
		assert.EqualValues(t, 19, b.readOffered[0])
		assert.EqualValues(t, 19+latency, b.arrivedAt[0])
		assert.EqualValues(t, 21+latency, b.responseOffered[0])

		b.todo = inTurn(1, []uint64{6})
		for range 60 {
			b.clock()
		}
		b.run(inTurn(1, []uint64{6})...)
		assert.EqualValues(t, b.requestAt[1]+60, b.requestAt[2])
		assert.EqualValues(t, b.requestAt[2]+6, b.responseOffered[2])
		assert.Len(t, b.readOffered, 2)
	}
}

// checkPlain compares the responses and the final memory with a map to which the requests are applied in order. A failed
// atomic has no effect.
func checkPlain(t *testing.T, b *atomicBench) {
	t.Helper()
	plain := &atomicBench{memory: map[uint64]uint64{}}
	for i, r := range b.requests {
		now := plain.load(r.word)
		if b.outcomes[i].failed {
			continue
		}
		require.Equal(t, now, b.outcomes[i].original, "original of request %d, %+v", i, r)
		plain.memory[r.word] = model.Execute(r.opcode, now, r.data, r.mask, r.compare, r.compareMask)
	}
	for word := range b.of {
		require.Equal(t, plain.load(word), b.load(word), "word %x at the end", word)
	}
}

// paces mixes idle times, back-pressure and latency.
func paces() map[string]pace {
	out := map[string]pace{}
	for _, idle := range []int{0, 128, 245} {
		for _, pressure := range []int{0, 128} {
			for name, latency := range map[string][2]int{"1": {1, 1}, "1 to 8": {1, 8}, "1 to 200": {1, 200}} {
				out[fmt.Sprintf("idle %d, back-pressure %d, latency %s", idle, pressure, name)] = pace{read: latency, write: latency,
					idle: idle, respond: pressure, failed: pressure, over: pressure, ar: pressure, aw: pressure, w: pressure}
			}
		}
	}
	return out
}

func TestAtomicUnitUnderStalls(t *testing.T) {
	seed := uint64(10)
	for name, p := range paces() {
		t.Run(name, func(t *testing.T) {
			for i, words := range [][]uint64{{9}, apart(40, 2, 1), apart(3, 12, 1), apart(1<<61-60, 60, 1), apart(100, 300, 3), setMates} {
				seed++
				b := openAtomicUnit(t, atomicUnitConfig(block.BusWidths[(int(seed)+i)%5], 4<<(i%6)), p)
				b.shared = true
				b.run(randomAtomics(seed, 250, words)...)
				checkPlain(t, b)
			}
		})
	}
}

// Memory errors, and another agent that changes words not in use by atomics. Each word is in a separate beat.
func TestAtomicUnitWithErrorsUnderStalls(t *testing.T) {
	seed := uint64(50)
	for name, p := range paces() {
		t.Run(name, func(t *testing.T) {
			for i, words := range [][]uint64{{9}, apart(40, 2, 17), apart(1<<61-12*0x201, 12, 0x201), setMates} {
				seed++
				q := p
				q.readError, q.writeError = 60, 60
				b := openAtomicUnit(t, atomicUnitConfig(block.BusWidths[(int(seed)+i)%5], 4<<(i%4)), q)
				b.run(randomAtomics(seed, 250, words)...)
				checkPlain(t, b)

				q.outsider = 128
				b.pace = q
				b.run(randomAtomics(seed+1000, 250, words)...)
			}
		})
	}
}

// Enough atomics for all numbers to wrap often; words long unused are read again each time.
func TestAtomicUnitNumbersWrap(t *testing.T) {
	b := openAtomicUnit(t, atomicUnitConfig(8, 16), pace{read: [2]int{1, 3}, write: [2]int{1, 3}, outsider: 200})
	b.run(inTurn(5, apart(0, 5, 16))...)
	for i := range 200 {
		b.run(inTurn(i%40, []uint64{1000})...)
		b.run(inTurn(1+i%7, apart(0, 5, 16))...)
	}
}

// A failed read also fails the other atomics that wait for the word, and nothing is written; the next atomic after that reads the
// word again.
func TestAtomicUnitReadError(t *testing.T) {
	b := openAtomicUnit(t, atomicUnitConfig(32, 16), fixed(30))
	b.memory[7] = 70
	b.pace.readError = 256
	list := inTurn(3, []uint64{7})
	b.run(list...)
	b.pace.readError = 0
	assert.Equal(t, []atomicOutcome{{failed: true}, {failed: true}, {failed: true}}, b.outcomes)
	assert.Equal(t, 3, b.over)
	assert.EqualValues(t, 70, b.memory[7])
	b.run(list...)
	assert.Equal(t, []atomicOutcome{{original: 70, result: 71}, {original: 71, result: 72}, {original: 72, result: 73}}, b.outcomes[3:])
	assert.EqualValues(t, 73, b.memory[7])
	assert.Len(t, b.arrivedAt, 2)
}

// SLVERR and DECERR are errors, of a read and of a write, each separately.
func TestAtomicUnitEveryError(t *testing.T) {
	for _, response := range []uint64{2, 3} {
		b := openAtomicUnit(t, atomicUnitConfig(32, 16), fixed(30))
		b.pace.readError, b.pace.response = 256, response
		b.run(inTurn(3, []uint64{7})...)
		assert.Equal(t, []atomicOutcome{{failed: true}, {failed: true}, {failed: true}}, b.outcomes)
		b.pace.readError, b.pace.writeError = 0, 256
		b.run(inTurn(3, []uint64{7})...) // the bench expects a report of each
		b.pace.writeError = 0
		b.run(inTurn(1, []uint64{9})...)
		checkPlain(t, b)
	}
}

// A failed write is reported, in order. Atomics continue while reports are not accepted, until there is no room for another.
func TestAtomicUnitWriteErrors(t *testing.T) {
	b := openAtomicUnit(t, atomicUnitConfig(32, 16), fixed(3))
	b.pace.writeError, b.pace.failed = 256, 256
	b.todo = inTurn(60, apart(0, 3, 16))
	for range 1000 {
		b.clock()
	}
	assert.Equal(t, 16+3+1, b.responses, "as many as can be in progress, as reports fit, and one retired")
	b.pace.failed = 0
	b.run()
	assert.Equal(t, 60, b.over)
}

// Whether memory has refused a write is known for as long as an atomic that it covers waits, though more writes follow than atomics can be in
// progress.
func TestAtomicUnitRefusalIsKept(t *testing.T) {
	const depth, ahead, between = 16, 6, 2
	b := openAtomicUnit(t, atomicUnitConfig(8, depth), fixed(1))
	until := func(done func() bool) {
		for !done() {
			b.clock()
		}
	}
	wait := func() {
		for range 100 {
			b.clock()
		}
	}
	b.hold = map[string]bool{"m_axi_awready": true, "m_axi_wready": true}
	b.todo = append(inTurn(ahead, apart(10, ahead, 1)), inTurn(1+between+1, []uint64{0, 1, 2, 0})...) // no more than those ahead are posted
	wait()
	require.Equal(t, ahead+1+between+1, b.responses)
	b.hold = nil
	until(func() bool { return b.posted == ahead })
	b.pace.writeError = 256
	until(func() bool { return b.posted == ahead+1 })
	b.pace.writeError = 0
	until(func() bool { return b.over == ahead+between }) // one more is about to be
	b.hold = map[string]bool{"over_ready": true}
	b.todo = inTurn(depth-1, apart(20, depth-1, 1))
	wait()
	require.Equal(t, ahead+between, b.over)
	require.Equal(t, ahead+1+between+depth-1, b.posted, "the last one has no write of its own")
	b.hold = nil
	b.run()
	assert.Equal(t, 2, b.failures)
}

// Atomic Writes are reported with their fate, in their order, among atomics that are not, whatever waits.
func TestAtomicUnitOfCommitUnderStalls(t *testing.T) {
	seed := 90
	words := [][]uint64{{9}, apart(40, 2, 17), apart(3, 12, 0x201)}
	for name, p := range paces() {
		for _, written := range []int{0, 200} {
			t.Run(fmt.Sprintf("%s, %d", name, written), func(t *testing.T) {
				seed++
				i := seed % len(words)
				c := atomicUnitConfig(block.BusWidths[seed%5], 4<<i)
				c.Profile = rdmap.Profile{Draft00: true, Extensions: spec.Commit}
				p.written, p.writeError, p.readError = written, 60*(seed/3%2), 60*(seed/6%2)
				b := openAtomicUnit(t, c, p)
				list := randomAtomics(uint64(seed), 200, words[i])
				for n := range list {
					if b.rand.IntN(2) == 0 {
						list[n].late, list[n].opcode = true, storeCode
					}
				}
				b.run(list...)
			})
		}
	}
}

// The unit holds as many atomics as configured, and a write response makes room for another.
func TestAtomicUnitFull(t *testing.T) {
	b := openAtomicUnit(t, atomicUnitConfig(64, 16), pace{read: [2]int{2, 2}, write: [2]int{200, 200}})
	b.todo = inTurn(40, []uint64{3})
	before := 0
	for b.over == 0 {
		before = len(b.requests)
		b.clock()
	}
	assert.Equal(t, 16, before)
	assert.Equal(t, 16, b.responses)
	b.run()
}

// Atomics on one word combine their writes: there is one response per cycle while memory accepts a write every eight cycles, and all
// have retired soon after the last one. The same holds for two alternating words.
func TestAtomicUnitCombinesWrites(t *testing.T) {
	for name, words := range map[string][]uint64{"one word": {5}, "two words": apart(5, 2, 64), "two words of a set": setMates[:2]} {
		t.Run(name, func(t *testing.T) {
			const n = 3000
			b := openAtomicUnit(t, atomicUnitConfig(64, 512), fixed(20))
			b.todo = inTurn(n, words)
			for b.over < n {
				b.hold = map[string]bool{"m_axi_awready": b.cycle%8 != 0}
				b.clock()
				require.Less(t, b.cycle, uint64(2*n))
			}
			gapless(t, b.requestAt)
			gapless(t, b.responseAt)
			assert.Less(t, b.cycle, b.responseAt[n-1]+150)
			assert.Less(t, b.posted, n/8+30)
			checkPlain(t, b)
		})
	}
}

// A delayed write carries the newest value of its word: it covers all atomics executed in the meantime, for which no other write
// follows.
func TestAtomicUnitWritesNewestValue(t *testing.T) {
	b := openAtomicUnit(t, atomicUnitConfig(64, 64), fixed(5))
	b.todo = inTurn(40, []uint64{5})
	for range 200 {
		b.hold = map[string]bool{"m_axi_awready": true, "m_axi_wready": true}
		b.clock()
	}
	assert.Equal(t, 40, b.responses)
	assert.Zero(t, b.over)
	b.hold = nil
	b.run()
	assert.LessOrEqual(t, b.posted, 8, "those waiting when memory stops, and one for the rest")
	checkPlain(t, b)
}

// A failed write fails each atomic that it covers, on the atomic's stream, but none that the next write covers.
func TestAtomicUnitFailedWriteCoversMany(t *testing.T) {
	b := openAtomicUnit(t, atomicUnitConfig(64, 64), fixed(5))
	b.todo = inTurn(40, []uint64{5})
	b.pace.writeError = 256
	for range 200 {
		b.hold = map[string]bool{"m_axi_awready": true}
		b.clock()
	}
	b.hold = nil
	b.run()
	assert.Equal(t, 40, b.failures)
	b.pace.writeError = 0
	b.run(inTurn(40, []uint64{5})...)
	assert.Equal(t, 40, b.failures)
}

// Five words of one set: the fifth is not read until the first is written. Later atomics on the first, which stays in use, still
// use the cached word.
func TestAtomicUnitSetIsFull(t *testing.T) {
	b := openAtomicUnit(t, atomicUnitConfig(8, 512), pace{read: [2]int{10, 10}, write: [2]int{150, 150}})
	b.run(inTurn(5, setMates[:5])...)
	require.Len(t, b.readOffered, 5)
	assert.Equal(t, b.readOffered[0]+3, b.readOffered[3])
	assert.Greater(t, b.readOffered[4], b.responseAt[0]+150)
	assert.Less(t, b.readOffered[4], b.responseAt[0]+150+14)

	b = openAtomicUnit(t, atomicUnitConfig(8, 512), pace{read: [2]int{10, 10}, write: [2]int{150, 150}})
	b.run(inTurn(400, setMates[:4])...)
	gapless(t, b.responseAt)
	assert.Len(t, b.readOffered, 4)
}

// Words from memory are accepted even while responses are not, so that they block nothing; no atomic retires.
func TestAtomicUnitAcceptsWordsWhileResponsesWait(t *testing.T) {
	b := openAtomicUnit(t, atomicUnitConfig(64, 16), fixed(5))
	b.pace.respond = 256
	b.todo = inTurn(40, apart(0, 40, 8))
	for range 300 {
		b.clock()
	}
	assert.Len(t, b.arrivedAt, 16, "as many as can be in progress")
	assert.Zero(t, b.over)
	b.pace.respond = 0
	b.run()
	checkPlain(t, b)
}

// While writes are blocked, as many responses leave as atomics can be in progress.
func TestAtomicUnitRespondsWhileWritesWait(t *testing.T) {
	b := openAtomicUnit(t, atomicUnitConfig(64, 16), fixed(5))
	b.pace.aw, b.pace.w = 256, 256
	b.todo = inTurn(40, apart(0, 40, 8))
	for range 300 {
		b.clock()
	}
	assert.Equal(t, 16, b.responses)
	b.pace.aw, b.pace.w = 0, 0
	b.run()
	checkPlain(t, b)
}

// A reset drops all atomics in flight; memory contains exactly the writes that had their response.
func TestAtomicUnitReset(t *testing.T) {
	p := pace{read: [2]int{1, 60}, write: [2]int{1, 60}, idle: 30, respond: 30, ar: 30, aw: 30, w: 30, readError: 20, writeError: 20, failed: 200}
	b := openAtomicUnit(t, atomicUnitConfig(16, 32), p)
	words := apart(5, 20, 32)
	for i := range 30 {
		b.todo = randomAtomics(uint64(100+i), 400, words)
		for range 37 * (i + 1) {
			b.clock()
		}
		b.reset()
	}
	b.run(randomAtomics(99, 400, words)...)
}

// Without the options the responses are the same; the AOpCode of Swap leaves the word unchanged.
func TestAtomicUnitWithoutOptions(t *testing.T) {
	c := atomicUnitConfig(64, 16)
	c.RetirePort, c.Profile = false, rdmap.Profile{}
	d, err := hdl.Compile(atomic.AtomicUnit(c))
	require.NoError(t, err)
	for _, p := range d.Ports() {
		assert.NotContains(t, p.Name, "retire")
	}
	b := openAtomicUnit(t, c, fixed(4))
	b.memory[3] = 5
	b.run(atomicRequest{word: 3, opcode: wire.FetchAdd, data: 2}, atomicRequest{word: 3, opcode: wire.CmpSwap, data: 9, mask: ones},
		atomicRequest{word: 3, opcode: 15, data: 8}, atomicRequest{word: 3, opcode: wire.FetchAdd, data: 1})
	assert.EqualValues(t, 10, b.memory[3])
}

// No tool has a warning for any bus width, depth or option.
func TestAtomicUnitVerilogIsClean(t *testing.T) {
	t.Parallel()
	for i, bus := range block.BusWidths {
		c := atomicUnitConfig(bus, 16<<(2*i))
		c.Streams, c.RetirePort = 2<<(3*i), i%2 == 0
		if i%3 == 0 {
			c.Profile = rdmap.Profile{}
		}
		d, err := hdl.Compile(atomic.AtomicUnit(c))
		require.NoError(t, err)
		hdltest.Lint(t, d.Files(), d.Top())
	}
}
