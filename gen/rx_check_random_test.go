package gen_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	model "github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// rxRandomRow returns a random row, valid and usable for some stream in most cases.
func rxRandomRow(r *rand.Rand, streams int) stagRow {
	row := stagRow{Valid: r.IntN(8) > 0, Key: uint8(r.Uint32()), Rights: 63, Base: operand(r), Length: uint64(r.Uint32N(4096)), Address: operand(r)}
	if r.IntN(3) == 0 {
		row.Rights = uint8(r.UintN(64))
	}
	row.Owner = uint16(r.IntN(streams))
	if row.ByDomain = r.IntN(4) > 0; row.ByDomain {
		row.Owner = uint16(rxDomain + r.IntN(2))
	}
	if row.Base+row.Length < row.Base { // to the end of the address space
		row.Base = -row.Length
	}
	if row.Address+row.Length < row.Address { // likewise in memory
		row.Address = -row.Length &^ 7
	}
	return row
}

// rxRandomTag returns what the extension commit adds to a row.
func rxRandomTag(r *rand.Rand) (tag tagBeat) {
	is := func() bool { return r.IntN(6) > 0 }
	tag = tagBeat{Visible: is(), Verifiable: is(), NeedsRead: is(), Type: r.IntN(3), Algorithm: r.IntN(4)}
	tag.Persistent = tag.Type > 0 && is() // I-94
	tag.Verifiable = tag.Verifiable && tag.Algorithm > 0
	return tag
}

// setUp prepares a round: rows, openings, receive requests, expected responses, credit for sent responses.
func (b *rxBench) setUp(all bool) {
	w := rxTraffic{b.rand, b.ref}
	for i := range uint32(w.c.STags) {
		if all || w.IntN(24) == 0 || !w.rows[i].Valid {
			row := rxRandomRow(b.rand, w.c.Streams)
			if w.x != 0 {
				row.Tag = rxRandomTag(b.rand)
				if w.IntN(3) == 0 { // a Verify may need it
					row.Rights &^= mayRemoteRead
				}
			}
			b.row(i, row)
		}
	}
	b.settle()
	for s := range w.streams {
		if all || !w.streams[s].open && w.IntN(8) > 0 || w.IntN(32) == 0 {
			b.opened(s, rxDomain+s%2)
			b.settle()
			if w.IntN(16) == 0 {
				send(b.rig, "opening", openingBeat{s, false, 0})
			}
		}
	}
	b.settle()
	for s := range w.streams {
		for range w.c.ReceiveDepth - len(w.streams[s].posted) {
			if w.IntN(4) > 0 {
				p := postBeat{Stream: s, ID: w.Uint64(), Length: w.Uint32N(200)}
				p.STag, p.TO = w.somewhere(s, p.Length, model.LocalWrite)
				send(b.rig, "post", p)
			}
		}
		for range w.c.ORD - len(w.streams[s].asked) {
			if w.IntN(4) > 0 {
				b.expect(0, w.awaited(s))
			}
		}
		if w.IntN(2) == 0 {
			send(b.rig, "credit", creditBeat{s, w.streams[s].mayRespond()})
		}
	}
	b.settle()
}

// rxSeen is how often the traffic has caused what.
type rxSeen struct {
	kinds   map[oneHot]int      // deliveries
	opcodes map[wire.Opcode]int // delivered
	rules   map[spec.Rule]int   // broken
	faults  map[int]int         // reported
	differs int                 // digests
	full    map[string]int      // times that segments waited for the room of an output
}

func newRxSeen() rxSeen {
	return rxSeen{kinds: map[oneHot]int{}, opcodes: map[wire.Opcode]int{}, rules: map[spec.Rule]int{}, faults: map[int]int{}, full: map[string]int{}}
}

func (n *rxSeen) add(list []rxDelivery) {
	for _, d := range list {
		n.kinds[d.Kind]++
		switch d.Kind {
		case engine.DeliverEnd:
			n.rules[d.Rule]++
		case engine.DeliverReceive, engine.DeliverResponse, engine.DeliverRequest:
			n.opcodes[d.Opcode]++
		}
		if d.Request.Differs {
			n.differs++
		}
	}
}

// try returns the plan after a segment.
func (w rxTraffic) try(stream int, segment []byte) *rxReference {
	after := w.plan()
	after.segment(stream, segment)
	return after
}

// fill sends segments that end no stream and produce a beat of an output.
func (b *rxBench) fill(output string, tries int) {
	plan := rxTraffic{b.rand, b.ref.plan()}
	for range tries {
		stream := b.rand.IntN(b.ref.c.Streams)
		segment := plan.next(stream)
		after := plan.try(stream, segment)
		if after.streams[stream].open && map[string]int{"place": len(after.places), "deliver": len(after.deliveries)}[output] > 0 {
			plan.segment(stream, segment)
			b.segment(stream, segment)
		}
	}
}

// traffic sends random segments, bad in 256 of them broken, with credit, awaited responses, failures and closings at random times.
func (b *rxBench) traffic(segments, bad int, seen *rxSeen) {
	plan := rxTraffic{b.rand, b.ref.plan()}
	busy := b.rand.IntN(b.ref.c.Streams)
	for range segments {
		stream := busy
		if b.rand.IntN(3) == 0 {
			stream = b.rand.IntN(b.ref.c.Streams)
		}
		segment := plan.next(stream)
		for b.rand.IntN(8) > 0 && plan.try(stream, segment).errors > 0 { // less often than as generated
			segment = plan.next(stream)
		}
		if bad := bad * plan.interest(segment); b.rand.IntN(256) < bad {
			if segment = plan.broken(stream, segment); b.rand.IntN(4) == 0 {
				segment = plan.beyond(stream)
			}
		}
		was := len(plan.invalidates)
		plan.segment(stream, segment)
		b.segment(stream, segment)
		if b.ref.x != 0 && len(plan.invalidates) > was && b.rand.IntN(4) == 0 {
			segment = plan.late(stream)
			plan.segment(stream, segment)
			b.segment(stream, segment)
		}
	}
	if s := b.rand.IntN(b.ref.c.Streams); b.rand.IntN(2) == 0 && len(b.rig.stream("expecting").queue)+len(b.expected) == 0 && len(b.ref.streams[s].asked) < b.ref.c.ORD {
		b.expect(b.cycle+b.rand.IntN(20), plan.awaited(s))
	}
	if b.rand.IntN(2) == 0 {
		sendAt(b.rig, "credit", b.cycle+b.rand.IntN(20), creditBeat{busy, b.ref.streams[busy].mayRespond()})
	}
	if b.rand.IntN(16) == 0 {
		f := rxFailure{failureBeat: failed(b.rand.IntN(b.ref.c.Streams), b.rand.IntN(2))}
		if b.ref.x != 0 {
			f.Fault = b.rand.IntN(engine.FaultDiffers + 1)
			if st := &plan.streams[f.Stream]; st.requestMsn > 1 && f.Fault != engine.FaultLocal && b.rand.IntN(4) > 0 {
				segment := plan.commitRequest(f.Stream, executorFlush+b.rand.IntN(3))
				f = f.of(segment)
				require.Equal(b.t, segment[:18], f.header())
			}
			seen.faults[f.Fault]++
		}
		b.fail(b.cycle+b.rand.IntN(20), f)
	}
	if b.rand.IntN(32) == 0 {
		sendAt(b.rig, "opening", b.cycle+b.rand.IntN(20), openingBeat{b.rand.IntN(b.ref.c.Streams), false, 0})
	}
}

// finish runs until all segments have been decided on.
func (b *rxBench) finish() {
	for len(b.segments)+len(b.counted) > 0 {
		b.clock()
		require.Less(b.t, b.quiet, 2000)
	}
}

// rxRandom sends rounds of traffic. In some an output is blocked until no segment is taken any more.
func rxRandom(t *testing.T, c engine.Config, idle, pressure, rounds, bad int, seen *rxSeen) *rxBench {
	b := openRx(t, c, uint64(idle+3*pressure+c.Streams))
	b.slow = pressure
	b.setUp(true)
	for range rounds {
		b.stall(0, 0)
		b.setUp(false)
		b.stall(idle, pressure)
		if b.rand.IntN(16) > 0 {
			for range 2 {
				b.traffic(12, bad, seen)
				b.finish()
			}
		} else {
			blocked := []string{"place", "deliver"}[b.rand.IntN(2)]
			b.rig.stream(blocked).chance = 256
			b.rig.stream("record").chance = 0
			b.fill(blocked, 400)
			for range 250 {
				b.clock()
			}
			if len(b.segments) > 0 {
				seen.full[blocked]++
			}
			b.rig.stream(blocked).chance = pressure
			b.finish()
		}
		_, deliveries := b.check()
		seen.add(deliveries)
	}
	return b
}

func TestRxCheckRandomUnderStalls(t *testing.T) {
	everyChance(t, func(t *testing.T, idle, pressure int) {
		seen := newRxSeen()
		b := rxRandom(t, rxConfig(), idle, pressure, 60, 12, &seen)
		for kind := range oneHot(6) {
			assert.NotZero(t, seen.kinds[kind], "kind %d", kind)
		}
		assert.Greater(t, b.came-b.discarded, b.came/2)
	})
}

// Other depths and limits per stream, and Swap.
func TestRxCheckRandomSizes(t *testing.T) {
	for _, c := range []gen.Config{
		{Streams: 2, STags: 16, IRD: 1, ORD: 2, ReceiveDepth: 2},
		{Streams: 8, STags: 64, IRD: 8, ORD: 16, ReceiveDepth: 16, Extensions: []string{"draft00"}},
	} {
		seen := newRxSeen()
		b := rxRandom(t, c.Engine(), 60, 60, 30, 6, &seen)
		assert.Greater(t, b.came-b.discarded, b.came/2)
	}
}

// Placements in far memory have no numbers: they are told, and items say whether they wait for those of all streams.
func TestRxCheckRandomFar(t *testing.T) {
	for _, bit := range []int{12, 32, 63} {
		c, seen := rxConfig(), newRxSeen()
		c.FarBit = bit
		b := rxRandom(t, c, 60, 60, 30, 6, &seen)
		assert.Greater(t, len(b.far), 40)
		assert.Greater(t, b.begun, 40)
		assert.NotZero(t, seen.opcodes[wire.OpSendInv])
	}
}

// While far memory is crowded, no segment is accepted; at most 13 are on their way.
func TestRxCheckFarCrowded(t *testing.T) {
	c := rxConfig()
	c.FarBit = 32
	b := openRx(t, c, 1)
	row := rxRow(1)
	row.Address = 1 << 32
	b.row(1, row)
	b.opened(1, rxDomain)
	b.settle()
	for range 200 {
		b.segment(1, wire.AppendWrite(nil, rxSTag(1), row.Base, true, []byte{1}))
	}
	b.inputs["far_crowded"].Set(0)
	for n := 0; len(b.far) == 0; n++ {
		b.step()
		require.Less(t, n, 100)
	}
	b.inputs["far_crowded"].Set(1)
	began := len(b.far)
	for range 100 {
		b.step()
	}
	assert.LessOrEqual(t, len(b.far)-began, 13)
	assert.NotEmpty(t, b.segments)
	b.inputs["far_crowded"].Set(0)
	for range 300 {
		b.step()
	}
	assert.Len(t, b.far, 200)
}
