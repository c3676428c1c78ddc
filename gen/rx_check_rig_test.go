package gen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/wire"
)

// rxBench compares rx_check with the reference, which processes beats in the order of acceptance, at the time at which they are
// counted. Placements finish in order, after random delays.
type rxBench struct {
	*rig
	ref      *rxReference
	segments []rxSegment   // not accepted yet
	counted  []rxCounted   // accepted, not counted yet
	expected []rxExpecting // accepted in this cycle: segments see them from the next but one on
	slow     int           // out of 256: no placement finishes in a cycle
	placed   int
	begun    int   // the pin issued, unwrapped
	far      []int // streams of placements in far memory

	invalidates                               []uint32
	came, discarded, errors, invalidated, put int
}

type rxCounted struct {
	at int // cycle
	by func(ref *rxReference)
}

type rxSegment struct {
	stream int
	octets []byte
}

func rxConfig() engine.Config {
	c := gen.Default().Engine()
	c.Streams, c.STags, c.IRD, c.ORD, c.ReceiveDepth = 4, 16, 2, 2, 4
	return c
}

func openRx(t testing.TB, c engine.Config, seed uint64) *rxBench {
	b := &rxBench{rig: openRig(t, rxCheckWithTables(c), seed)}
	b.restart(c)
	b.rig.look = b.look
	return b
}

// reset resets the block and the reference.
func (b *rxBench) reset() {
	b.rig.look = nil
	b.rig.reset()
	b.rig.look = b.look
	b.restart(b.ref.c)
}

func (b *rxBench) restart(c engine.Config) {
	*b = rxBench{rig: b.rig, ref: newRxReference(c), slow: b.slow}
	b.inputs["placed"].Set(0)
}

// now returns the number of beats of a stream accepted so far.
func (b *rxBench) now(stream string) int { return len(b.rig.stream(stream).at) }

func (b *rxBench) took(stream string) bool {
	at := b.rig.stream(stream).at
	return len(at) > 0 && at[len(at)-1] == b.cycle
}

// fieldsOf reads the beat that a sink accepts in this cycle.
func fieldsOf[T any](b *rxBench, stream string) (beat T) {
	peek(b.rig, stream, &beat)
	return beat
}

// count applies an input of this cycle to the reference in the cycle in which the pipeline counts it.
func (b *rxBench) count(by func(ref *rxReference)) {
	b.counted = append(b.counted, rxCounted{b.cycle + 2, by})
}

func (b *rxBench) look() {
	if b.took("row") {
		index, row := b.takenRow()
		b.ref.row(index, row)
	}
	if b.took("post") {
		p := fieldsOf[postBeat](b, "post")
		b.ref.streams[p.Stream].posted = append(b.ref.streams[p.Stream].posted, p)
	}
	if b.took("ring_opening") {
		b.ref.streams[fieldsOf[openingBeat](b, "ring_opening").Stream].posted = nil
	}
	for len(b.counted) > 0 && b.counted[0].at <= b.cycle {
		b.counted[0].by(b.ref)
		b.counted = b.counted[1:]
	}
	for _, e := range b.expected {
		b.ref.streams[e.Stream].asked = append(b.ref.streams[e.Stream].asked, e)
	}
	b.expected = nil
	if b.took("expecting") {
		e := rxExpecting{}
		if b.ref.x == 0 {
			e.expectingBeat = fieldsOf[expectingBeat](b, "expecting")
		} else {
			e = fieldsOf[rxExpecting](b, "expecting")
		}
		b.expected = append(b.expected, e)
	}
	if b.took("credit") {
		c := fieldsOf[creditBeat](b, "credit")
		st := &b.ref.streams[c.Stream]
		st.responded = st.requestMsn - 1 - (st.requestMsn-1-c.Number)&b.ref.numbers()
	}
	if b.took("opening") { // accepted in the cycle in which it is counted
		b.ref.opening(fieldsOf[openingBeat](b, "opening"))
	}
	switch {
	case b.took("failure"):
		f := rxFailure{}
		if b.ref.x == 0 {
			f.failureBeat = fieldsOf[failureBeat](b, "failure")
		} else {
			f = fieldsOf[rxFailure](b, "failure")
		}
		b.count(func(ref *rxReference) { ref.failure(f) })
	case b.took("record"):
		s := b.segments[0]
		b.segments = b.segments[1:]
		b.count(func(ref *rxReference) { ref.segment(s.stream, s.octets) })
	}
	for pin, n := range map[string]*int{"count_segments": &b.came, "count_discarded": &b.discarded, "count_errors": &b.errors, "count_invalidated": &b.invalidated} {
		*n += int(b.signal(pin).Get())
	}
	if b.signal("invalidate").Get() == 1 {
		b.invalidates = append(b.invalidates, uint32(b.signal("invalidate_index").Get()))
	}
	b.begun += (int(b.signal("issued").Get()) - b.begun) & 511
	require.Less(b.t, b.begun-b.placed, 512, "numbers in use")
	if b.ref.c.FarBit > 0 && b.signal("far_begun").Get() == 1 {
		b.far = append(b.far, int(b.signal("far_stream").Get()))
	}
	if b.took("place") && b.signal("place_discard").Get() == 0 && !b.ref.isFar(b.signal("place_address").Get()) {
		b.put++
	}
	require.LessOrEqual(b.t, b.put, b.begun, "a placement without a number")
	if b.placed < b.put && (b.slow == 0 || b.rand.IntN(256) >= b.slow) {
		b.placed++
	}
}

// clock runs one cycle, then updates the count of finished placements.
func (b *rxBench) clock() {
	b.step()
	b.inputs["placed"].Set(uint64(b.placed % 512))
	if b.ref.c.FarBit > 0 {
		b.inputs["far_crowded"].Set(uint64(b.rand.IntN(8)) / 7)
	}
}

// settle runs until everything is accepted and the block is idle.
func (b *rxBench) settle() {
	b.t.Helper()
	for b.quiet = 0; b.quiet < 24 || b.pending() != "" || b.placed < b.put; {
		b.clock()
		require.Less(b.t, b.quiet, 4000, "%s waits", b.pending())
		require.False(b.t, b.t.Failed())
	}
}

// segment sends a segment.
func (b *rxBench) segment(stream int, octets []byte) {
	b.segments = append(b.segments, rxSegment{stream, octets})
	send(b.rig, "record", recordBeatWith(b.ref.x, stream, octets))
}

func (b *rxBench) row(index uint32, row stagRow) {
	if b.ref.x == 0 {
		send(b.rig, "row", row.beat(index))
		return
	}
	send(b.rig, "row", row.commitBeat(index))
}

// expect announces an awaited response no earlier than a cycle.
func (b *rxBench) expect(due int, e rxExpecting) {
	if b.ref.x == 0 {
		sendAt(b.rig, "expecting", due, e.expectingBeat)
		return
	}
	sendAt(b.rig, "expecting", due, e)
}

// fail reports a failure no earlier than a cycle.
func (b *rxBench) fail(due int, f rxFailure) {
	if b.ref.x == 0 {
		sendAt(b.rig, "failure", due, f.failureBeat)
		return
	}
	sendAt(b.rig, "failure", due, f)
}

// takenRow is the row written in this cycle.
func (b *rxBench) takenRow() (index uint32, row stagRow) {
	if b.ref.x == 0 {
		beat := fieldsOf[rowBeat](b, "row")
		return beat.Index, rowOf(beat)
	}
	beat := fieldsOf[commitRowBeat](b, "row")
	row = rowOf(beat.rowBeat)
	row.Tag = beat.Entry.Tag
	return beat.Index, row
}

// delivered returns the deliveries since the last call.
func (b *rxBench) delivered() (list []rxDelivery) {
	if b.ref.c.FarBit > 0 {
		for _, d := range received[farItem](b.rig, "deliver") {
			list = append(list, d.wide().meaning(0))
			awaits := oneHot(engine.DeliverReceive) == d.Kind && (d.Opcode == wire.OpSendInv || d.Opcode == wire.OpSendSEInv)
			require.Equal(b.t, awaits, d.AwaitsFar, "opcode %d", d.Opcode)
		}
		return list
	}
	if b.ref.x == 0 {
		for _, d := range received[deliveryBeat](b.rig, "deliver") {
			list = append(list, d.wide().meaning(0))
		}
		return list
	}
	for _, d := range received[rxDelivery](b.rig, "deliver") {
		list = append(list, d.meaning(b.ref.x))
	}
	return list
}

// opened opens a stream with an empty ring. Updates of the stream before the opening is accepted are lost.
func (b *rxBench) opened(stream, domain int) {
	send(b.rig, "ring_opening", openingBeat{stream, true, domain})
	send(b.rig, "opening", openingBeat{stream, true, domain})
	for b.pending() != "" {
		b.clock()
	}
}

// check settles and compares all output since the last check.
func (b *rxBench) check() (places []placementBeat, deliveries []rxDelivery) {
	b.t.Helper()
	b.settle()
	for _, p := range received[placementBeat](b.rig, "place") {
		places = append(places, p.meaning())
	}
	deliveries = b.delivered()
	same(b.t, b.ref.places, places)
	same(b.t, b.ref.deliveries, deliveries)
	same(b.t, b.ref.invalidates, b.invalidates)
	require.Equal(b.t, []int{b.ref.segments, b.ref.discarded, b.ref.errors, b.ref.invalidated}, []int{b.came, b.discarded, b.errors, b.invalidated}, "counters")
	require.Equal(b.t, b.ref.number, b.begun, "placements begun")
	require.Equal(b.t, b.ref.far, b.far, "in far memory")
	require.Empty(b.t, received[struct {
		Stream, Kind int
		Term         struct{ Layer, Etype, Code int }
	}](b.rig, "refused"))
	b.ref.places, b.ref.deliveries = nil, nil
	return places, deliveries
}
