package system_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	hardware "github.com/rnicgen/rnicgen/cosim/system"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/system"
	"github.com/rnicgen/rnicgen/model/wire"
)

// exchange is traffic in both directions, and what it must leave in memory.
type exchange struct {
	r           *rig
	random      *rand.Rand
	here, there []byte
	next        int // octet of the regions not yet used by a message
	id          uint64
	cycle       system.Cycle
	lengths     map[uint64]int    // of the message of a request, by ID
	results     map[uint64][]byte // where the results of Atomics go, by ID
}

// wordAt is the offset of the word of Atomics in the region of each end.
const wordAt = 0

func newExchange(r *rig, seed uint64) *exchange {
	e := &exchange{r: r, random: rand.New(rand.NewPCG(seed, 8)), next: 64, lengths: map[uint64]int{}, results: map[uint64][]byte{}}
	e.here, e.there = r.fill(e.random)
	return e
}

// part takes octets that no other message uses.
func (e *exchange) part(length int) (at int) {
	at = e.next + e.random.IntN(67)
	e.next = at + length
	require.LessOrEqual(e.r.t, e.next, octets)
	return at
}

// message adds a message of a random kind in a random direction on a stream.
func (e *exchange) message(length int) {
	e.id++
	stream := uint32(e.random.IntN(int(e.r.peer.streams)))
	out := e.random.IntN(2) == 0 // the hardware has the work request
	source, sink := e.part(length), e.part(length)
	from, to := e.there, e.here
	if out {
		from, to = e.here, e.there
	}
	local := rdmap.Buffer{STag: stag, TO: uint64(source)}
	remote := rdmap.Buffer{STag: stag, TO: uint64(sink)}
	w := rdmap.WorkRequest{Stream: stream, ID: e.id, Signaled: true, Length: uint32(length), Local: local, Remote: remote}
	e.lengths[e.id] = length
	switch e.random.IntN(4) {
	case 0:
		w.Opcode = wire.OpWrite
		copy(to[sink:sink+length], from[source:])
	case 1:
		w.Opcode = wire.OpReadRequest
		copy(from[source:source+length], to[sink:])
	case 2:
		w.Opcode = wire.OpSend
		w.Remote = rdmap.Buffer{}
		copy(to[sink:sink+length], from[source:])
		q := rdmap.ReceiveRequest{Stream: stream, ID: e.id, Buffer: rdmap.Buffer{STag: stag, TO: uint64(sink)}, Length: uint32(length)}
		if out {
			q.Stream = e.r.peer.streams - 1 - stream
			require.NoError(e.r.t, e.r.peer.model.PostReceive(q))
		} else {
			e.r.host.receive(0, q)
		}
	case 3:
		w.Opcode, w.Remote.TO = wire.OpAtomicRequest, wordAt
		w.Operands = rdmap.Operands{AOpCode: wire.FetchAdd, Data: uint64(e.random.Uint32())}
		w.Local.TO = uint64(e.part(8))
		e.lengths[e.id], e.results[e.id] = 8, from[w.Local.TO:][:8]
		// The order of Atomics does not change the sum.
		binary.LittleEndian.PutUint64(to[wordAt:], binary.LittleEndian.Uint64(to[wordAt:])+w.Operands.Data)
	}
	e.cycle += system.Cycle(e.random.IntN(40))
	if out {
		e.r.host.work(e.cycle, w)
		return
	}
	w.Stream = e.r.peer.streams - 1 - stream
	e.r.peer.do(e.cycle+2000, func() { require.NoError(e.r.t, e.r.peer.model.PostWork(w)) })
}

// check runs the exchange and compares memory and completions.
func (e *exchange) check() {
	e.r.run()
	seen := map[string]int{}
	complete := func(id uint64, recv bool, status rdmap.Status, length uint32, data uint64) {
		assert.Equal(e.r.t, rdmap.StatusSuccess, status)
		assert.EqualValues(e.r.t, e.lengths[id], length)
		seen[fmt.Sprint(id, recv)]++
		if to := e.results[id]; to != nil {
			binary.LittleEndian.PutUint64(to, data)
		}
	}
	for _, c := range e.r.host.done {
		complete(c.ID, c.Recv, c.Status, c.Length, c.Data)
	}
	for _, c := range e.r.peer.done {
		complete(c.ID, c.Recv, rdmap.Status(c.Status), c.Length, c.Data)
	}
	e.r.compare(e.here, e.there)
	for id := uint64(1); id <= e.id; id++ {
		assert.Equal(e.r.t, 1, seen[fmt.Sprint(id, false)], "request %d", id)
	}
	assert.Empty(e.r.t, e.r.host.ended)
	traffic := e.r.nic.Traffic()
	e.r.t.Log(traffic, "cycles", uint64(float64(e.r.engine.CurrentTime())*float64(freq)))
}

func lengths(random *rand.Rand, n int) (list []int) {
	for range n {
		switch random.IntN(3) {
		case 0:
			list = append(list, random.IntN(9))
		case 1:
			list = append(list, random.IntN(200))
		default:
			list = append(list, random.IntN(1700))
		}
	}
	return list
}

// Messages of all kinds in both directions change memory as the golden model at the other end says, and everything is completed.
func TestRTLExchangesMessages(t *testing.T) {
	for _, bus := range []int{8, 32, 128} {
		for _, dram := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d octets, DRAM %v", bus, dram), func(t *testing.T) {
				r := newRig(t, setting{config: small(bus), seed: uint64(bus), latency: 20, dram: dram})
				e := newExchange(r, uint64(bus))
				for _, n := range lengths(e.random, 60) {
					e.message(n)
				}
				e.check()
			})
		}
	}
}

// Small buffers, a slow host and a slow peer lose nothing.
func TestRTLHoldsBackWhatPortsDoNotTake(t *testing.T) {
	for _, s := range []setting{{depth: 1, slow: 1, latency: 3}, {depth: 2, slow: 90, latency: 20}, {depth: 1, slow: 30, dram: true}, {depth: 3, slow: 3, latency: 200}} {
		t.Run(fmt.Sprintf("%d messages, %d cycles", s.depth, s.slow), func(t *testing.T) {
			s.config, s.seed = small(16), 5
			r := newRig(t, s)
			e := newExchange(r, uint64(s.slow))
			for _, n := range lengths(e.random, 60) {
				e.message(n)
			}
			e.check()
		})
	}
}

// Whatever does not get on, the component takes no more from the hardware than that, and from its ports what the hardware takes.
func TestRTLStopsWithTheHardware(t *testing.T) {
	const messages, until = 300, 12_000
	for name, s := range map[string]setting{
		"memory": {mute: true, depth: 1}, "peer": {latency: 5, depth: 1, from: 2 * until}, "host": {latency: 5, depth: 1, from: 2 * until},
	} {
		t.Run(name, func(t *testing.T) {
			s.config, s.deaf = small(16), name
			r := newRig(t, s)
			for i := range messages {
				at := uint64(i % 64 * 512)
				w := rdmap.WorkRequest{Stream: uint32(i % 4), Opcode: wire.OpWrite, Signaled: true, Length: 500, Local: rdmap.Buffer{STag: stag, TO: at}, Remote: rdmap.Buffer{STag: stag, TO: at}}
				r.host.work(0, w)
				r.peer.do(0, func() { require.NoError(t, r.peer.model.PostWork(w)) })
			}
			most := make([]int, 5)
			for cycle := range system.Cycle(until) {
				r.peer.do(cycle, func() {
					for i, n := range hardware.Queued(r.nic) {
						most[i] = max(most[i], n)
					}
				})
			}
			traffic := system.Traffic{}
			r.peer.do(until, func() {
				traffic = r.nic.Traffic()
				assert.Greater(t, len(r.host.todo), messages/4)
				if s.mute {
					assert.Greater(t, len(r.peer.out), messages/2)
					require.NoError(t, r.nic.Close())
				}
			})
			r.host.Wake(0)
			r.peer.Wake(0)
			require.NoError(t, r.engine.Run())
			assert.LessOrEqual(t, most[0], 1)
			assert.LessOrEqual(t, most[1], 1)
			assert.LessOrEqual(t, most[3], 1024+256, "lines of reads: as many as wait before bursts do, and those of one")
			assert.LessOrEqual(t, most[4], 1)
			t.Log(most, traffic)
			if !s.mute {
				assert.Len(t, r.host.done, messages)
				assert.EqualValues(t, messages, r.nic.Traffic().SegmentsIn)
			}
		})
	}
}

// Between messages that are far apart, the clock of the hardware stops, and nothing is lost.
func TestRTLSleeps(t *testing.T) {
	r := newRig(t, setting{config: small(32), seed: 5, latency: 20})
	e := newExchange(r, 9)
	began := hardware.Cycles(r.nic)
	const messages, gap = 20, 100_000
	for range messages {
		e.message(100)
		e.cycle += gap
	}
	e.check()
	cycles := hardware.Cycles(r.nic) - began
	assert.Less(t, cycles, uint64(messages*2500))
	assert.Greater(t, cycles, uint64(messages*1024))
}

// The clock of the hardware does not stop while memory or a port holds something back.
func TestRTLWaitsForSlowMemory(t *testing.T) {
	r := newRig(t, setting{config: small(32), seed: 5, latency: 5000, slow: 4000})
	e := newExchange(r, 9)
	for range 12 {
		e.message(200)
	}
	e.check()
}

// The same seeds give the same messages in the same cycles.
func TestRTLIsRepeatable(t *testing.T) {
	type times struct {
		done, arrived []system.Cycle
		completions   []rdmap.Completion
	}
	run := func(dram bool) times {
		r := newRig(t, setting{config: small(32), seed: 5, latency: 20, slow: 2, dram: dram})
		e := newExchange(r, 9)
		for _, n := range lengths(e.random, 40) {
			e.message(n)
		}
		e.check()
		return times{r.host.times, r.peer.log, r.host.done}
	}
	for _, dram := range []bool{false, true} {
		assert.Equal(t, run(dram), run(dram))
	}
}

// Verilator's hardware does the same as that of the go engine, in the same cycles.
func TestRTLOnVerilator(t *testing.T) {
	run := func(engine string) []system.Cycle {
		r := newRig(t, setting{config: small(64), engine: engine, seed: 5, latency: 20})
		e := newExchange(r, 9)
		for _, n := range lengths(e.random, 30) {
			e.message(n)
		}
		e.check()
		return append(r.host.times, r.peer.log...)
	}
	assert.Equal(t, run("go"), run("verilator"))
}

// An error ends the component's work, and names it.
func TestRTLReportsErrors(t *testing.T) {
	run := func(change func(r *rig)) error {
		r := newRig(t, setting{config: small(32), latency: 20})
		change(r)
		r.host.Wake(0)
		require.NoError(t, r.engine.Run())
		return r.nic.Err()
	}
	receive := rdmap.ReceiveRequest{Stream: 1, Buffer: rdmap.Buffer{STag: stag}, Length: 8}
	assert.ErrorContains(t, run(func(r *rig) {
		for range 17 {
			r.host.receive(0, receive)
		}
	}), "RNIC: cycle ")
	assert.ErrorContains(t, run(func(r *rig) { r.host.todo = append(r.host.todo, post{0, &system.Ended{}}) }), "a *system.Ended arrives from the host")
	write := rdmap.WorkRequest{Stream: 1, Opcode: wire.OpWrite, Length: 8, Local: rdmap.Buffer{STag: stag}, Remote: rdmap.Buffer{STag: stag}}
	assert.NoError(t, run(func(r *rig) { r.host.work(0, write) }))
	assert.ErrorContains(t, run(func(r *rig) {
		stray := &mem.WriteDoneRsp{RespondTo: "nothing"}
		require.Nil(t, r.nic.GetPortByName("Memory").Recv(stray))
	}), "memory answers a write that was not asked for: nothing")
}

// A stream that ends is reported.
func TestRTLReportsTheEndOfAStream(t *testing.T) {
	r := newRig(t, setting{config: small(32), latency: 20})
	w := rdmap.WorkRequest{Stream: 2, ID: 5, Opcode: wire.OpWrite, Length: 8, Local: rdmap.Buffer{STag: stag + 1}, Remote: rdmap.Buffer{STag: stag}}
	r.host.work(0, w)
	r.run()
	assert.Equal(t, []uint32{2}, r.host.ended)
	require.Len(t, r.host.done, 1)
	assert.Equal(t, rdmap.StatusProtection, r.host.done[0].Status)
}
