package gen_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/flush"
)

// flushRequestBeat is a request; Identifier is its place in the list of all requests.
type flushRequestBeat struct {
	Stream                int
	Number                uint32
	AtomicMsn, Identifier uint32
	Address               uint64
	Length                uint32
	Type                  int
	Persistent, Visible   bool
}

type flushResponseBeat struct {
	Stream                int
	Number                uint32
	AtomicMsn, Identifier uint32
	Failed                bool
}

// platformBeat is a beat between the unit and the platform.
type platformBeat struct{ Tdata []byte }

// platformFlush is what a beat asks for.
type platformFlush struct {
	address             uint64
	length              uint32
	kind                int
	persistent, visible bool
	id                  int
}

func (b platformBeat) asks() platformFlush {
	return platformFlush{binary.LittleEndian.Uint64(b.Tdata), binary.LittleEndian.Uint32(b.Tdata[8:]), int(b.Tdata[12] & 3),
		b.Tdata[12]>>2&1 == 1, b.Tdata[12]>>3&1 == 1, int(binary.LittleEndian.Uint16(b.Tdata[14:]))}
}

func (f platformFlush) beat() platformBeat {
	b := platformBeat{make([]byte, 16)}
	binary.LittleEndian.PutUint64(b.Tdata, f.address)
	binary.LittleEndian.PutUint32(b.Tdata[8:], f.length)
	b.Tdata[12] = byte(f.kind)
	if f.persistent {
		b.Tdata[12] |= 4
	}
	if f.visible {
		b.Tdata[12] |= 8
	}
	binary.LittleEndian.PutUint16(b.Tdata[14:], uint16(f.id))
	return b
}

// doneBeat is an answer of the platform, with noise where nothing is defined.
func doneBeat(id int, failed bool, noise byte) platformBeat {
	b := platformBeat{[]byte{byte(id), byte(id >> 8), noise &^ 1}}
	if failed {
		b.Tdata[2] |= 1
	}
	return b
}

// flushRig is flush_unit with a platform, and a reference that checks contents and moment of each response.
type flushRig struct {
	*rig
	slots    int
	requests []flushRequestBeat
	fails    []bool             // by request: the platform fails
	answered map[uint32]int     // cycle of the answer, by request
	queued   []flushRequestBeat // not sent yet
	waiting  map[int]int        // the request without a response, by stream
	inUse    map[int]inUse      // what the platform works on, by ID
	owed     []owedAnswer       // not given yet
	latency  func(q int) int    // cycles from the flush to its answer
	asked    []int              // requests, in the order in which the platform was asked
	offered  map[uint32]int     // first cycle in which the response was on offer, by request
	got      []flushResponseBeat
	given    owedAnswer // on offer
	stray    func() (id int, is bool)
}

// inUse is a request that the platform accepted in a cycle.
type inUse struct{ request, at int }

// owedAnswer is one that the platform gives from cycle due on; request is -1 for one that it does not owe.
type owedAnswer struct{ request, id, due int }

func flushConfig(streams, ird int) engine.Config {
	c := gen.Default().Engine()
	c.Streams, c.IRD = streams, ird
	return c
}

func openFlush(t testing.TB, c engine.Config, seed uint64) *flushRig {
	b := &flushRig{rig: openRig(t, flush.FlushUnit(c, c.Profile.AtomicTag()), seed), slots: flush.Slots(c), answered: map[uint32]int{},
		waiting: map[int]int{}, inUse: map[int]inUse{}, latency: func(int) int { return 1 }, offered: map[uint32]int{}}
	onBeat(b.rig, "m_axis_flush", b.ask)
	onBeat(b.rig, "response", b.respond)
	valid := b.signal("response_valid")
	b.look = func() {
		if valid.Get() == 1 {
			var r flushResponseBeat
			peek(b.rig, "response", &r)
			if _, before := b.offered[r.Identifier]; !before {
				b.offered[r.Identifier] = b.cycle
			}
		}
		done := b.stream("s_axis_flush_done")
		if n := len(done.at); n > 0 && done.at[n-1] == b.cycle {
			b.take()
		}
	}
	return b
}

// request queues a request, and says whether the platform will fail. It is sent when its stream has none in progress.
func (b *flushRig) request(stream int, length uint32, fails bool) {
	n := len(b.requests)
	q := flushRequestBeat{Stream: stream, Number: uint32(n) % 4, AtomicMsn: b.rand.Uint32(), Identifier: uint32(n), Address: b.rand.Uint64(), Length: length,
		Type: b.rand.IntN(3), Persistent: n%2 == 0, Visible: n%3 == 0}
	b.requests, b.fails = append(b.requests, q), append(b.fails, fails)
	b.queued = append(b.queued, q)
}

// send sends the first request whose stream has none in progress.
func (b *flushRig) send() {
	for i, q := range b.queued {
		if _, is := b.waiting[q.Stream]; !is {
			b.waiting[q.Stream] = int(q.Identifier)
			send(b.rig, "req", q)
			b.queued = slices.Delete(b.queued, i, i+1)
			return
		}
	}
}

// ask is what the platform does when it accepts a flush.
func (b *flushRig) ask(beat platformBeat) {
	a := beat.asks()
	n := slices.IndexFunc(b.requests, func(q flushRequestBeat) bool { return q.Address == a.address })
	require.GreaterOrEqual(b.t, n, 0, "a flush that nobody requested: %+v", a)
	q := b.requests[n]
	assert.Equal(b.t, platformFlush{q.Address, q.Length, q.Type, q.Persistent, q.Visible, a.id}, a)
	assert.NotZero(b.t, a.length)
	assert.Less(b.t, a.id, b.slots)
	assert.NotContains(b.t, b.inUse, a.id, "the ID is in use")
	b.inUse[a.id] = inUse{n, b.cycle}
	b.asked = append(b.asked, n)
	b.owed = append(b.owed, owedAnswer{n, a.id, b.cycle + b.latency(n)})
}

// take records the answer that the unit has accepted. One that was not owed counts if its ID was in use before.
func (b *flushRig) take() {
	g := b.given
	of, is := b.inUse[g.id]
	if g.request < 0 && is && of.at < b.cycle {
		g.request, b.fails[of.request] = of.request, true
		b.owed = slices.DeleteFunc(b.owed, func(o owedAnswer) bool { return o.request == of.request })
	}
	if g.request >= 0 {
		b.answered[uint32(g.request)] = b.cycle
		delete(b.inUse, g.id)
	}
}

// respond checks a response.
func (b *flushRig) respond(r flushResponseBeat) {
	b.got = append(b.got, r)
	n, is := b.waiting[r.Stream]
	require.True(b.t, is, "a response that nobody waits for: %+v", r)
	q := b.requests[n]
	require.Equal(b.t, flushResponseBeat{q.Stream, q.Number, q.AtomicMsn, q.Identifier, q.Length > 0 && b.fails[n]}, r)
	if q.Length > 0 {
		require.Contains(b.t, b.answered, r.Identifier, "a response before the answer of the platform")
	}
	delete(b.waiting, r.Stream)
}

// step runs a cycle. Of the answers that are due, the platform gives the one that has been due for longest.
func (b *flushRig) step() {
	if len(b.stream("req").queue) < 2 {
		b.send()
	}
	if len(b.stream("s_axis_flush_done").queue) == 0 {
		first := -1
		for i, o := range b.owed {
			if o.due <= b.cycle && (first < 0 || o.due < b.owed[first].due) {
				first = i
			}
		}
		if b.stray != nil {
			if id, is := b.stray(); is {
				b.given = owedAnswer{request: -1, id: id}
				send(b.rig, "s_axis_flush_done", doneBeat(id, true, byte(b.rand.Uint32())))
				first = -1
			}
		}
		if first >= 0 {
			b.given = b.owed[first]
			b.owed = slices.Delete(b.owed, first, first+1)
			send(b.rig, "s_axis_flush_done", doneBeat(b.given.id, b.fails[b.given.request], byte(b.rand.Uint32())))
		}
	}
	b.rig.step()
}

// pass runs some cycles.
func (b *flushRig) pass(cycles int) {
	for range cycles {
		b.step()
	}
}

// finish runs until each request has its response.
func (b *flushRig) finish() {
	b.t.Helper()
	for last, n := b.cycle, 0; len(b.got) < len(b.requests); b.step() {
		if len(b.got) > n {
			last, n = b.cycle, len(b.got)
		}
		require.Less(b.t, b.cycle-last, 5000, "%d of %d have a response", n, len(b.requests))
		require.False(b.t, b.t.Failed())
	}
	b.pass(10)
	assert.Len(b.t, b.got, len(b.requests))
	assert.Empty(b.t, b.inUse)
	assert.Empty(b.t, b.owed)
}

// octets are those of the beat on offer.
func (s *rigStream) octets(n int) []byte {
	out := make([]byte, 8*len(s.held))
	for i, word := range s.held {
		binary.LittleEndian.PutUint64(out[8*i:], word)
	}
	return out[:n]
}
