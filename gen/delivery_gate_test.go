package gen_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/order"
	"github.com/rnicgen/rnicgen/model/wire"
)

type eventBeat struct {
	Stream, Kind int
	Term         struct{ Layer, Etype, Code int }
}

// gateItem is a delivery with the unwrapped number of its placement.
type gateItem struct {
	deliveryBeat
	number   int
	status   int  // of its completion, or gateDropped
	either   bool // an earlier failure of another item may or may not drop it
	released bool // it released requests
}

const gateDropped = -1

// gateBench compares a delivery_gate with the reference. Placements start and finish in order.
type gateBench struct {
	*rig
	items         []gateItem // all items sent
	left          int        // number of items that left
	begun, placed int
	begins        int         // cycle in which the latest placement is issued
	lastOf        map[int]int // latest placement of a stream
	failed        map[int]int // first failed placement of a stream since its opening
	fails         map[int]int // stream, by number of a placement that will fail
}

const gateStreams = 4

func gateConfig() engine.Config {
	c := gen.Default().Engine()
	c.Streams, c.IRD = gateStreams, 4
	return c
}

// queuedBeat is a gen.QueuedRequest.
type queuedBeat struct {
	Queue queuePlaceBeat
	inboundRequestBeat
}

func openGate(t testing.TB, seed uint64) *gateBench {
	b := &gateBench{rig: openRig(t, order.DeliveryGate(gateConfig()), seed)}
	b.rig.look = b.look
	b.restart()
	return b
}

// restart resets the reference after a reset of the block.
func (b *gateBench) restart() {
	*b = gateBench{rig: b.rig, lastOf: map[int]int{}, failed: map[int]int{}, fails: map[int]int{}}
	b.pins()
}

func (b *gateBench) pins() {
	b.inputs["issued"].Set(uint64(b.begun % 512))
	b.inputs["placed"].Set(uint64(b.placed % 512))
}

// place starts a placement of a stream.
func (b *gateBench) place(stream int) {
	b.begun++
	b.lastOf[stream], b.begins = b.begun, b.cycle
	b.pins()
}

// finish completes n placements successfully.
func (b *gateBench) finish(n int) {
	b.placed += n
	b.pins()
}

// randomItem returns any item that a segment can cause.
func randomItem(r *rand.Rand, kind oneHot, stream int) deliveryBeat {
	d := deliveryBeat{Kind: kind, ID: r.Uint64(), Length: r.Uint32(), Request: randomTerminate(r, 18)}
	d.Request.Stream, d.Request.Kind, d.Opcode = stream, (int(kind)-engine.DeliverEnd+kindEnd)&3, wire.OpWrite
	switch kind {
	case engine.DeliverReceive:
		d.Opcode = []wire.Opcode{wire.OpSend, wire.OpSendInv, wire.OpSendSE, wire.OpSendSEInv, wire.OpImmediate, wire.OpImmediateSE}[r.IntN(6)]
	case engine.DeliverResponse:
		d.Opcode = []wire.Opcode{wire.OpReadResponse, wire.OpAtomicResponse}[r.IntN(2)]
	case engine.DeliverRequest:
		if d.Request.Kind, d.Opcode = kindRead, wire.OpReadRequest; r.IntN(2) == 0 {
			d.Request.Kind, d.Opcode = kindAtomic, wire.OpAtomicRequest
		}
		d.Queue.Waits = r.IntN(3) == 0
	}
	if d.Kind == engine.DeliverRelease || (kind == engine.DeliverReceive || kind == engine.DeliverResponse) && r.IntN(3) == 0 {
		d.Queue.Releases = true
	}
	return d
}

// deliver sends an item that follows the latest placement of its stream.
func (b *gateBench) deliver(d deliveryBeat) {
	if b.begins == b.cycle {
		b.step()
	}
	number := b.lastOf[d.Request.Stream]
	d.Place = number % 512
	b.items = append(b.items, gateItem{deliveryBeat: d, number: number})
	send(b.rig, "deliver", d)
}

func (b *gateBench) took(stream string) bool {
	at := b.rig.stream(stream).at
	return len(at) > 0 && at[len(at)-1] == b.cycle
}

func (b *gateBench) look() {
	if b.took("failed") {
		var f failureBeat
		peek(b.rig, "failed", &f)
		if _, is := b.failed[f.Stream]; !is {
			b.failed[f.Stream] = b.placed + 1
		}
	}
	if b.took("opening") {
		var o openingBeat
		peek(b.rig, "opening", &o)
		delete(b.failed, o.Stream)
	}
	offered := b.rig.stream("request").valid.Get() == 1
	if offered {
		require.LessOrEqual(b.t, b.items[b.left].number, b.placed, "request %d left before its placement", b.left)
		require.True(b.t, b.items[b.left].Kind >= engine.DeliverRequest || b.items[b.left].Queue.Releases)
	}
	if !b.took("deliver") {
		require.False(b.t, b.took("request"))
		return
	}
	i := &b.items[b.left]
	b.left++
	require.LessOrEqual(b.t, i.number, b.placed, "item %d left before its placement", b.left-1)
	number, is := b.failed[i.Request.Stream]
	lost := is && i.number >= number
	i.either = is && !lost
	if i.Queue.Releases {
		require.Equal(b.t, offered, b.took("request"))
		if !i.either {
			require.Equal(b.t, !lost, offered, "number %d", b.left-1)
		}
		i.released = offered
	}
	switch i.Kind {
	case engine.DeliverRelease:
	case engine.DeliverReceive, engine.DeliverResponse:
		if lost {
			i.status = map[oneHot]int{engine.DeliverReceive: engine.StatusMemory, engine.DeliverResponse: gateDropped}[i.Kind]
		}
	case engine.DeliverRequest:
		require.Equal(b.t, offered, b.took("request"))
		if !i.either {
			require.Equal(b.t, !lost, offered, "number %d", b.left-1)
		}
		if !offered {
			i.status = gateDropped
		}
	default:
		require.True(b.t, b.took("request"))
	}
}

// check compares all outputs since the last check.
func (b *gateBench) check() {
	b.t.Helper()
	completions, responses := received[completionBeat](b.rig, "completion"), received[answeredBeat](b.rig, "answered")
	var wantCompletions []completionBeat
	var wantEvents []eventBeat
	var wantResponses []answeredBeat
	var wantEnds []endedBeat
	var wantRequests []queuedBeat
	for _, i := range b.items[:b.left] {
		s := i.Request.Stream
		switch i.Kind {
		case engine.DeliverReceive:
			c := completionBeat{Stream: s, ID: i.ID, Status: i.status, Opcode: i.Opcode, Recv: true, Length: i.Length, STag: i.Request.STag}
			if i.Opcode == wire.OpImmediate || i.Opcode == wire.OpImmediateSE {
				c.Data, c.STag = binary.BigEndian.Uint64(i.Request.Body), 0
			}
			if n := len(wantCompletions); i.either && n < len(completions) && completions[n].Status == engine.StatusMemory {
				c.Status = engine.StatusMemory
			}
			wantCompletions = append(wantCompletions, c)
			if c.Status == engine.StatusSuccess && (i.Opcode == wire.OpSendSE || i.Opcode == wire.OpSendSEInv || i.Opcode == wire.OpImmediateSE) {
				wantEvents = append(wantEvents, eventBeat{Stream: s, Kind: engine.EventSolicited})
			}
		case engine.DeliverResponse:
			a := answeredBeat{Stream: s}
			if i.Opcode == wire.OpAtomicResponse {
				a.Data = binary.BigEndian.Uint64(i.Request.Body[4:])
			}
			if n := len(wantResponses); i.status == gateDropped || i.either && (n == len(responses) || responses[n] != a) {
				break
			}
			wantResponses = append(wantResponses, a)
		case engine.DeliverRequest:
			if i.status != gateDropped {
				wantRequests = append(wantRequests, queuedBeat{i.Queue, i.Request})
			}
		case engine.DeliverRelease:
			// Checked below, with the other items that release requests.
		case engine.DeliverEnd:
			wantEvents = append(wantEvents, eventBeat{s, engine.EventEnded, i.Request.Term})
			wantEnds = append(wantEnds, endedBeat{s})
			wantRequests = append(wantRequests, queuedBeat{i.Queue, i.Request})
		case engine.DeliverClose:
			wantEvents = append(wantEvents, eventBeat{s, engine.EventClosed, i.Request.Term})
			wantEnds = append(wantEnds, endedBeat{s})
			wantRequests = append(wantRequests, queuedBeat{i.Queue, i.Request})
		}
		if i.released {
			wantRequests = append(wantRequests, queuedBeat{i.Queue, i.Request})
		}
	}
	same(b.t, wantCompletions, completions)
	same(b.t, wantEvents, received[eventBeat](b.rig, "event"))
	same(b.t, wantResponses, responses)
	same(b.t, wantEnds, received[endedBeat](b.rig, "ended"))
	same(b.t, wantRequests, received[queuedBeat](b.rig, "request"))
	b.items, b.left = b.items[b.left:], 0
}

// fail completes the oldest placement with a failure.
func (b *gateBench) fail(stream int) {
	n := b.now("failed")
	send(b.rig, "failed", failed(stream, 0))
	for b.now("failed") == n {
		b.step()
	}
	b.finish(1)
}

func (b *gateBench) now(stream string) int { return len(b.rig.stream(stream).at) }

func (b *gateBench) steps(n int) {
	for range n {
		b.step()
	}
}

// Random placements and items, some after placements that finished long before; one in "failing" placements fails. Failed streams are
// sometimes reopened.
func TestDeliveryGateUnderStalls(t *testing.T) {
	for _, failing := range []int{0, 300} {
		everyChance(t, func(t *testing.T, idle, pressure int) {
			b := openGate(t, uint64(idle+2*pressure+failing))
			b.stall(idle, pressure)
			r := b.rand
			for round := range 4 {
				under := []int{1, 20, 200, 511}[round]
				for range 1500 {
					b.step()
					if b.begun-b.placed < under && r.IntN(2) == 0 {
						b.place(r.IntN(gateStreams))
					}
					if len(b.items)-b.left < 4 {
						b.deliver(randomItem(r, oneHot(r.IntN(6)), r.IntN(gateStreams)))
					}
					if b.begun == b.placed || r.IntN(under+2) == 0 {
						continue
					}
					if b.rig.stream("failed").chance = 0; failing > 0 && r.IntN(failing) == 0 {
						for s, n := range b.lastOf {
							if n == b.placed+1 {
								b.fail(s)
								break
							}
						}
					} else {
						b.finish(1)
					}
				}
				b.finish(b.begun - b.placed)
				b.rest(30)
				b.check()
				for s := range b.failed {
					send(b.rig, "opening", openingBeat{s, r.IntN(2) == 0, 5})
				}
				b.rest(30)
			}
			assert.Greater(t, b.begun, 1024)
		})
	}
}

// Each kind of item waits for its own placement and no later one, for any number of placements in flight and any wrap of the numbers.
func TestDeliveryGateWaits(t *testing.T) {
	for _, under := range []int{1, 2, 256, 510} {
		b := openGate(t, 1)
		b.steps(gateStreams)
		for round := range 20 {
			first := b.begun
			for range under - 1 {
				b.place(0)
			}
			b.place(1)
			d := randomItem(b.rand, oneHot(round%6), 1)
			b.deliver(d)
			if under < 511 {
				b.place(2)
			}
			for b.placed < first+under-1 {
				b.step()
				b.finish(1)
			}
			b.steps(5)
			require.Zero(t, b.left)
			b.finish(1)
			b.step()
			require.Zero(t, b.left)
			b.step()
			require.Equal(t, 1, b.left, "%d in flight, round %d", under, round)
			b.rest(5)
			b.check()
			b.finish(b.begun - b.placed)
		}
	}
}

// Items leave at one per cycle: a request in the cycle in which it arrives, all others in the next.
func TestDeliveryGateIsFast(t *testing.T) {
	for _, kinds := range [][]oneHot{{engine.DeliverRequest}, {engine.DeliverReceive}, {engine.DeliverResponse}, {engine.DeliverEnd}, {engine.DeliverReceive, engine.DeliverRequest, engine.DeliverResponse}} {
		b := openGate(t, 2)
		b.steps(gateStreams)
		for i := range 60 {
			d := randomItem(b.rand, kinds[i%len(kinds)], 1)
			if len(kinds) == 1 { // items that release also go to the queue
				d.Queue.Releases = false
			}
			b.deliver(d)
		}
		b.rest(5)
		at := b.rig.stream("deliver").at
		gapless(t, at)
		out := map[oneHot]string{engine.DeliverReceive: "completion", engine.DeliverResponse: "answered", engine.DeliverEnd: "ended"}[kinds[0]]
		for i, c := range b.rig.stream("request").at {
			if len(kinds) == 1 {
				require.Equal(t, at[i], c)
			}
		}
		if out != "" && len(kinds) == 1 {
			for i, c := range b.rig.stream(out).at {
				require.Equal(t, at[i]+1, c)
			}
		}
		b.check()
	}
}

// Items of streams without failure leave at one per cycle while the list has room for all failed streams, and every other cycle once
// it has overflowed. Opening a stream frees its place in the list.
func TestDeliveryGateBesideFailures(t *testing.T) {
	for _, tt := range []struct {
		failed, opened []int
		step           int
	}{{nil, nil, 1}, {[]int{0}, nil, 1}, {[]int{0, 2}, nil, 1}, {[]int{0, 2, 0, 2}, nil, 1}, {[]int{0, 2, 3}, nil, 2}, {[]int{0, 2, 3}, []int{0}, 1}} {
		b := openGate(t, 2)
		b.steps(gateStreams)
		for i, s := range tt.failed {
			b.place(s)
			b.fail(s)
			b.rest(2)
			if i < len(tt.opened) {
				send(b.rig, "opening", openingBeat{tt.opened[i], true, 0})
				b.rest(2)
			}
		}
		for range 60 {
			b.deliver(randomItem(b.rand, engine.DeliverReceive, 1))
		}
		b.rest(5)
		at := b.rig.stream("deliver").at
		for i := 1; i < len(at); i++ {
			require.Equal(t, at[i-1]+tt.step, at[i], "%v", tt)
		}
		b.check()
	}
}

// A blocked item whose placement has finished does not wait again when the placement numbers wrap.
func TestDeliveryGateBlocked(t *testing.T) {
	for _, kind := range []oneHot{engine.DeliverReceive, engine.DeliverResponse, engine.DeliverRequest, engine.DeliverEnd} {
		for _, trouble := range []bool{false, true} {
			b := openGate(t, 3)
			b.steps(gateStreams)
			if trouble {
				b.place(3)
				b.fail(3)
			}
			b.place(1)
			b.finish(1)
			b.stall(0, 256)
			b.deliver(randomItem(b.rand, kind, 1))
			b.deliver(randomItem(b.rand, kind, 1)) // is queued after the first, or cannot leave either
			b.steps(5)
			for range 300 {
				b.place(2)
			}
			for range 600 {
				b.place(2)
				b.finish(1)
				b.step()
			}
			held := b.left
			require.LessOrEqual(t, held, 1)
			// 300 placements are in flight, and one of them has the number of the first item.
			require.Greater(t, (b.begun-b.items[0].number)%512, 0)
			b.placed = b.begun - 300
			for (b.begun-b.items[held].number)%512 >= 300 {
				b.place(2)
				b.finish(1)
				b.step()
			}
			b.stall(0, 0)
			b.steps(2)
			require.Greater(t, b.left, held, "kind %d", kind)
			b.finish(b.begun - b.placed)
			b.rest(5)
			b.check()
		}
	}
}

// A failed placement fails all later items of its stream, and no others; an opening clears the failure.
func TestDeliveryGateFailure(t *testing.T) {
	b := openGate(t, 4)
	b.steps(gateStreams)
	each := func(lost bool) {
		t.Helper()
		for kind := range oneHot(engine.DeliverRelease) {
			for _, s := range []int{0, 1, 2} {
				b.deliver(randomItem(b.rand, kind, s))
			}
		}
		b.rest(5)
		dropped := 0
		for _, i := range b.items {
			require.False(t, i.either)
			if i.status != engine.StatusSuccess {
				require.Equal(t, 1, i.Request.Stream)
				dropped++
			}
		}
		require.Equal(t, map[bool]int{false: 0, true: 3}[lost], dropped)
		b.check()
	}
	each(false)
	b.place(1)
	b.deliver(randomItem(b.rand, engine.DeliverReceive, 1))
	b.steps(5)
	b.fail(1)
	b.rest(5)
	require.Equal(t, engine.StatusMemory, b.items[0].status)
	b.check()
	each(true)
	send(b.rig, "opening", openingBeat{0, true, 0}, openingBeat{2, true, 0})
	b.rest(5)
	each(true)
	send(b.rig, "opening", openingBeat{1, true, 0})
	b.rest(5)
	each(false)
}

// An opening waits for a failure of the same cycle; both take effect.
func TestDeliveryGateOpeningAndFailure(t *testing.T) {
	b := openGate(t, 8)
	b.steps(gateStreams)
	b.place(1)
	b.place(2)
	b.fail(1)
	send(b.rig, "opening", openingBeat{1, true, 0})
	b.fail(2)
	b.rest(5)
	require.Equal(t, b.rig.stream("failed").at[1]+1, b.rig.stream("opening").at[0])
	b.deliver(randomItem(b.rand, engine.DeliverReceive, 1))
	b.deliver(randomItem(b.rand, engine.DeliverReceive, 2))
	b.rest(5)
	require.Equal(t, []int{engine.StatusSuccess, engine.StatusMemory}, []int{b.items[0].status, b.items[1].status})
	b.check()
}

// An offered item stays offered while a placement of its own or another stream fails.
func TestDeliveryGateKeepsOfferedItem(t *testing.T) {
	for stream := range 3 {
		for cycles := range 4 {
			b := openGate(t, 5)
			b.steps(gateStreams)
			b.place(1)
			b.finish(1)
			b.place(stream)
			b.stall(0, 256)
			d := randomItem(b.rand, engine.DeliverRequest, 1)
			d.Place = 1
			b.items = append(b.items, gateItem{deliveryBeat: d, number: 1})
			send(b.rig, "deliver", d)
			b.steps(cycles)
			b.fail(stream)
			b.steps(5)
			require.Equal(t, uint64(1), b.rig.stream("request").valid.Get())
			b.stall(0, 0)
			b.rest(5)
			require.Equal(t, engine.StatusSuccess, b.items[0].status)
			b.check()
		}
	}
}

// An event leaves together with its completion; a Terminate waits until both its event and its end have room.
func TestDeliveryGateTogether(t *testing.T) {
	for _, full := range []string{"completion", "event", "ended"} {
		b := openGate(t, 6)
		b.steps(gateStreams)
		solicited := randomItem(b.rand, engine.DeliverReceive, 1)
		solicited.Opcode, solicited.Queue.Releases = wire.OpSendSE, false
		b.rig.stream(full).chance = 256
		b.deliver(solicited)
		b.deliver(randomItem(b.rand, engine.DeliverEnd, 2))
		b.deliver(solicited)
		b.deliver(randomItem(b.rand, engine.DeliverClose, 3))
		b.deliver(randomItem(b.rand, engine.DeliverRequest, 0))
		b.steps(30)
		assert.Equal(t, map[string]int{"completion": 2, "event": 1, "ended": 3}[full], b.left)
		assert.Equal(t, map[string]int{"completion": 1, "event": 0, "ended": 1}[full], b.now("request"))
		b.rig.stream(full).chance = 0
		b.rest(5)
		b.check()
	}
}

// Whether an item can leave depends on what is on offer, not on whether it is accepted: with all outputs but that of requests blocked
// from the reset on, or since they were all taken, the first item leaves, and is on offer. The second waits for it.
func TestDeliveryGateOffersWithoutReady(t *testing.T) {
	for _, kind := range []oneHot{engine.DeliverReceive, engine.DeliverResponse, engine.DeliverEnd, engine.DeliverClose} {
		b := openGate(t, 9)
		for range 3 {
			b.stall(0, 256)
			b.rig.stream("request").chance = 0
			b.steps(gateStreams)
			b.deliver(randomItem(b.rand, kind, 1))
			b.deliver(randomItem(b.rand, kind, 2))
			b.steps(20)
			require.Equal(t, 1, b.left)
			out := map[oneHot]string{engine.DeliverReceive: "completion", engine.DeliverResponse: "answered"}[kind]
			if out == "" {
				out = "ended"
				require.Equal(t, uint64(1), b.rig.stream("event").valid.Get())
			}
			require.Equal(t, uint64(1), b.rig.stream(out).valid.Get())
			b.stall(0, 0)
			b.rest(5)
			b.check()
		}
	}
}

// After a reset nothing is accepted for one cycle per stream, nothing is in flight, and no stream has a failure.
func TestDeliveryGateReset(t *testing.T) {
	b := openGate(t, 7)
	for cycles := range 12 {
		b.steps(gateStreams)
		for s := range gateStreams {
			b.place(s)
			b.fail(s)
		}
		b.stall(0, 256)
		for i := range 10 {
			b.deliver(randomItem(b.rand, oneHot(i%6), i%gateStreams))
		}
		b.steps(cycles)
		b.reset()
		b.steps(cycles % 6)
		b.reset()
		b.stall(0, 0)
		b.restart()
		for i := range 20 {
			b.deliver(randomItem(b.rand, oneHot(i%6), i%gateStreams))
		}
		send(b.rig, "opening", openingBeat{1, true, 0})
		b.rest(10)
		require.Equal(t, gateStreams, b.rig.stream("deliver").at[0])
		require.Equal(t, gateStreams, b.rig.stream("opening").at[0])
		for _, i := range b.items {
			require.Equal(t, engine.StatusSuccess, i.status)
		}
		b.check()
		gapless(t, b.rig.stream("deliver").at)
	}
}
