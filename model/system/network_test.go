package system

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/wire"
)

// endpoint sends segments as soon as its port takes them, and notes when others arrive. From some cycle on it takes what arrives.
type endpoint struct {
	*Clocked
	port    sim.Port
	to      sim.Port
	sending []*Segment
	takes   Cycle
	times   []Cycle
	octets  []int
}

func newEndpoint(name string, engine sim.Engine, f sim.Freq, depth int) *endpoint {
	e := &endpoint{}
	e.Clocked = NewClocked(name, engine, f, e.act)
	e.port = sim.NewLimitNumMsgPort(e, depth, name+".Network")
	return e
}

func (e *endpoint) act(now Cycle) (next Cycle) {
	for len(e.sending) > 0 && e.port.CanSend() {
		s := e.sending[0]
		e.sending = e.sending[1:]
		s.Src, s.Dst, s.SendTime = e.port, e.to, at(e.Freq, now)
		e.port.Send(s)
	}
	if now < e.takes {
		return e.takes
	}
	for m := e.port.Retrieve(at(e.Freq, now)); m != nil; m = e.port.Retrieve(at(e.Freq, now)) {
		e.times = append(e.times, e.Freq.Cycle(m.Meta().RecvTime))
		e.octets = append(e.octets, len(m.(*Segment).Octets))
	}
	return never
}

const testFreq = 250 * sim.MHz

func testNetwork(gbps float64, latency time.Duration, buffer int) Network {
	return Network{LinkLatency: Duration(latency), LinkGbps: gbps, BufferOctets: buffer}
}

// A segment arrives when its octets, those of its frame included, have been sent one after the other, and the latency has passed.
func TestLinkRate(t *testing.T) {
	engine := sim.NewSerialEngine()
	a, b := newEndpoint("A", engine, testFreq, 4), newEndpoint("B", engine, testFreq, 4)
	newLink("Link", testFreq, testNetwork(2, 100*time.Nanosecond, 0), plug{engine, a.port, 1 << 20}, plug{engine, b.port, 1 << 20}) // an octet in a cycle; 25 cycles
	a.to, b.to = b.port, a.port
	for _, n := range []int{100, 1, 50} {
		a.sending = append(a.sending, &Segment{Octets: make([]byte, n)})
	}
	a.Wake(10)
	require.NoError(t, engine.Run())
	frames := []int{wire.FPDUOctets(100) + framingOctets, wire.FPDUOctets(1) + framingOctets, wire.FPDUOctets(50) + framingOctets}
	want, sent := []Cycle(nil), 10
	for _, n := range frames {
		sent += n
		want = append(want, Cycle(sent+25))
	}
	assert.Equal(t, want, b.times)
	assert.Equal(t, []int{100, 1, 50}, b.octets)
	assert.Empty(t, a.times)
}

// Frames that take a part of a cycle lose nothing of the rate: the wire is never idle while segments wait.
func TestLinkRateWithinCycles(t *testing.T) {
	for _, gbps := range []float64{100, 130, 400} {
		engine := sim.NewSerialEngine()
		a, b := newEndpoint("A", engine, testFreq, 4), newEndpoint("B", engine, testFreq, 64)
		n := testNetwork(gbps, 40*time.Nanosecond, 0)
		newLink("Link", testFreq, n, plug{engine, a.port, 1 << 20}, plug{engine, b.port, 1 << 20})
		a.to = b.port
		const segments = 1000
		for range segments {
			a.sending = append(a.sending, &Segment{Octets: make([]byte, 33)})
		}
		a.Wake(0)
		require.NoError(t, engine.Run())
		require.Len(t, b.times, segments)
		octets := float64((&Segment{Octets: make([]byte, 33)}).linkOctets())
		assert.Equal(t, upTo(segments*octets/n.rate(testFreq))+10, b.times[segments-1], "%v Gb/s", gbps)
	}
}

// A receiver that takes nothing stops the sender when the buffer of the link is full; later nothing is lost or out of order.
func TestLinkHoldsBack(t *testing.T) {
	engine := sim.NewSerialEngine()
	a, b := newEndpoint("A", engine, testFreq, 4), newEndpoint("B", engine, testFreq, 2)
	l := newLink("Link", testFreq, testNetwork(100, 0, 0), plug{engine, a.port, 600}, plug{engine, b.port, 1 << 20})
	a.to = b.port
	b.takes = 5000
	var want []int
	for n := range 40 {
		a.sending = append(a.sending, &Segment{Octets: make([]byte, 100+n)})
		want = append(want, 100+n)
	}
	a.Wake(0)
	require.NoError(t, engine.Run())
	assert.Equal(t, want, b.octets)
	assert.Zero(t, l.lanes[0].sender.octets)
	assert.Less(t, l.lanes[0].sender.most, 600+300)
	assert.Greater(t, l.lanes[0].sender.most, 500)
}

// A receiver that takes nothing stops the wire once word of it has come back; what has left until then waits, however long, and then all
// arrives in order, without a gap on the wire.
func TestLinkPauses(t *testing.T) {
	engine := sim.NewSerialEngine()
	a, b := newEndpoint("A", engine, testFreq, 4), newEndpoint("B", engine, testFreq, 2)
	l := newLink("Link", testFreq, testNetwork(2, 400*time.Nanosecond, 0), plug{engine, a.port, 600}, plug{engine, b.port, 600}) // an octet in a cycle; 100 cycles
	a.to = b.port
	b.takes = 20000
	const frames, octets = 40, 100
	for range frames {
		a.sending = append(a.sending, &Segment{Octets: make([]byte, octets)})
	}
	frame := Cycle((&Segment{Octets: make([]byte, octets)}).linkOctets())
	// Two are in the port, the third is refused. Those that leave before word of it has come back wait behind it.
	waiting := int((3*frame+100+100+frame-1)/frame) - 2
	check := NewClocked("Check", engine, testFreq, func(Cycle) Cycle {
		assert.Len(t, l.lanes[0].flights.items, waiting)
		assert.True(t, l.lanes[0].sender.paused)
		return never
	})
	check.Wake(19999)
	a.Wake(0)
	require.NoError(t, engine.Run())
	require.Len(t, b.times, frames)
	assert.False(t, l.lanes[0].sender.paused)
	taken := b.takes + Cycle(waiting-1)/2 // two in a cycle
	assert.Equal(t, taken, b.times[1+waiting])
	assert.Equal(t, taken+100+frame+100, b.times[2+waiting])
	for i := 3 + waiting; i < frames; i++ {
		assert.Equal(t, b.times[i-1]+frame, b.times[i], "segment %d", i)
	}
}

// threeAtASwitch are endpoints with links that carry an octet in a cycle.
func threeAtASwitch(engine sim.Engine, buffer int, latency Cycle) (ends []*endpoint) {
	n := testNetwork(2, 0, buffer)
	n.SwitchLatency = Duration(latency * 4 * Cycle(time.Nanosecond))
	sw := newSwitch(engine, testFreq, 3, n)
	for i, name := range []string{"A", "B", "C"} {
		e := newEndpoint(name, engine, testFreq, 8)
		newLink("Link", testFreq, n, plug{engine, e.port, 1 << 20}, plug{engine, sw.ports[i], n.BufferOctets})
		e.to = sw.ports[i]
		sw.peers = append(sw.peers, e.port)
		ends = append(ends, e)
	}
	return ends
}

// A segment for a busy link holds up those behind it at its input, not those of other inputs.
func TestSwitch(t *testing.T) {
	engine := sim.NewSerialEngine()
	ends := threeAtASwitch(engine, 300, 7)
	frame := Cycle(wire.FPDUOctets(100) + framingOctets)
	for range 5 {
		ends[0].sending = append(ends[0].sending, &Segment{To: 2, Octets: make([]byte, 100)})
		ends[1].sending = append(ends[1].sending, &Segment{To: 2, Octets: make([]byte, 100)})
	}
	ends[1].sending = append(ends[1].sending, &Segment{To: 0, Octets: make([]byte, 100)})
	for _, e := range ends {
		e.Wake(0)
	}
	require.NoError(t, engine.Run())
	require.Len(t, ends[2].times, 10)
	// The receive path of C is busy from the first to the last: in at 1 frame, through the switch, out a frame later.
	assert.Equal(t, frame+1+7+frame-1, ends[2].times[0])
	assert.Equal(t, ends[2].times[0]+9*frame, ends[2].times[9])
	require.Len(t, ends[0].times, 1)
	assert.Less(t, ends[0].times[0], ends[2].times[9], "the segment for A was behind those for C at one input only")
	assert.Greater(t, ends[0].times[0], 6*frame, "it left B after five others")
}

// Nodes that write to one all the time have equal shares, also with no room in the switch.
func TestSharesAreEqual(t *testing.T) {
	for _, c := range []string{"nodes: 5\nnetwork: {buffer_octets: 100000}", "nodes: 9\nnetwork: {buffer_octets: 10000}", "nodes: 9\nnetwork: {buffer_octets: 1}"} {
		_, r := runOn(t, readWorkload(t, c+"\nflows: [{from: 1-, to: 0, for: 200us, outstanding: 4, objects: {octets: 1024}, mix: [{steps: [{operation: write, octets: 1024}]}]}]"), true)
		least, most := r.Nodes[1].Transactions, r.Nodes[1].Transactions
		for _, n := range r.Nodes[1:] {
			least, most = min(least, n.Transactions), max(most, n.Transactions)
		}
		assert.LessOrEqual(t, float64(most)/float64(least), 1.1, "%s: %d to %d", c, least, most)
	}
}

// A set names its numbers in order.
func TestSet(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		n := 1 + random.IntN(256)
		s, has := newSet(n), make([]bool, n)
		for range random.IntN(12) {
			i := random.IntN(n)
			if has[i] = random.IntN(3) > 0; has[i] {
				s.add(i)
			} else {
				s.remove(i)
			}
		}
		next := -1
		for i := n - 1; i >= 0; i-- {
			if has[i] {
				next = i
			}
			require.Equal(t, has[i], s.has(i))
			require.Equal(t, next, s.next(i))
		}
	}
}

// The latency of a switch takes nothing of its rate.
func TestSwitchLatencyTakesNoRate(t *testing.T) {
	engine := sim.NewSerialEngine()
	ends := threeAtASwitch(engine, 1<<20, 50000)
	const segments = 400
	for range segments {
		ends[0].sending = append(ends[0].sending, &Segment{To: 2, Octets: make([]byte, 1)})
	}
	ends[0].Wake(0)
	require.NoError(t, engine.Run())
	require.Len(t, ends[2].times, segments)
	frame := Cycle((&Segment{Octets: make([]byte, 1)}).linkOctets())
	assert.Equal(t, ends[2].times[0]+(segments-1)*frame, ends[2].times[segments-1])
}

// Inputs that want one link all the time have it in turn.
func TestSwitchIsFair(t *testing.T) {
	engine := sim.NewSerialEngine()
	ends := threeAtASwitch(engine, 0, 0)
	for range 40 {
		for i := range 2 {
			ends[i].sending = append(ends[i].sending, &Segment{To: 2, Octets: make([]byte, 100+i)})
		}
	}
	for _, e := range ends {
		e.Wake(0)
	}
	require.NoError(t, engine.Run())
	first := 0
	for _, octets := range ends[2].octets[:40] {
		if octets == 100 {
			first++
		}
	}
	assert.InDelta(t, 20, first, 6)
}

// Acts are at most one in a cycle, at the earliest cycle asked for, and none is lost.
func TestClocked(t *testing.T) {
	for _, engine := range []sim.Engine{sim.NewSerialEngine(), newParallelEngine(testFreq, 1).process()} {
		var acts []Cycle
		c := NewClocked("C", engine, testFreq, func(now Cycle) Cycle {
			acts = append(acts, now)
			if now == 3 {
				return 1000000
			}
			return never
		})
		c.Wake(20)
		c.Wake(3)
		c.Wake(3)
		c.Wake(30)
		require.NoError(t, engine.Run())
		assert.Equal(t, []Cycle{3, 20, 1000000}, acts, "the wish for 30 is that for 20: a component says again what it wants")
	}
}
