package system

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const testLookahead = 7

// fast is a clock with edges between those of the others, as that of a DRAM.
const fast = 4 * testFreq

// gossip is a component that notes when it acts and what it is sent, acts again after a while, and sends numbers to others: to those of
// its part at any time, to those of other parts for a later cycle. Some components have a faster clock than others; mail has its times.
type gossip struct {
	*Clocked
	random      *rand.Rand
	here, there []*gossip
	left        int // acts
	log         []string
	mail        mailbox
}

// mailbox takes what is sent to a component.
type mailbox struct {
	of   *gossip
	lock sync.Mutex
	sent []crosser[int]
}

func newGossip(name string, e sim.Engine, seed, stream uint64) *gossip {
	g := &gossip{random: rand.New(rand.NewPCG(seed, stream)), left: 50}
	g.Clocked = NewClocked(name, e, testFreq*sim.Freq(1+3*g.random.IntN(2)), g.act)
	g.mail.of = g
	return g
}

func (m *mailbox) put(when Cycle, number int) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.sent = append(m.sent, crosser[int]{when, number})
}

// Handle notes the sum of what has come for a cycle, since that of one cycle comes in any order.
func (m *mailbox) Handle(e sim.Event) error {
	m.lock.Lock()
	defer m.lock.Unlock()
	now, sum := fast.Cycle(e.Time()), 0
	var rest []crosser[int]
	for _, s := range m.sent {
		if s.when > now {
			rest = append(rest, s)
			continue
		}
		sum += s.item
	}
	m.sent = rest
	if sum > 0 {
		m.of.log = append(m.of.log, fmt.Sprintf("%d: sent %d", now, sum))
		m.of.NotifyRecv(e.Time(), nil)
	}
	return nil
}

func (g *gossip) act(now Cycle) (next Cycle) {
	g.log = append(g.log, fmt.Sprintf("%d: acts", now))
	if g.left--; g.left < 0 {
		return never
	}
	if g.random.IntN(2) == 0 {
		to, when := g.here[g.random.IntN(len(g.here))], fast.Cycle(at(g.Freq, now))+Cycle(g.random.IntN(9))
		to.mail.put(when, 1+g.random.IntN(1000))
		to.Engine.Schedule(newEvent(at(fast, when), &to.mail, true))
	}
	if len(g.there) > 0 && g.random.IntN(2) == 0 {
		to, when := g.there[g.random.IntN(len(g.there))], fast.Cycle(at(g.Freq, now))+4*testLookahead+Cycle(g.random.IntN(2)*g.random.IntN(80))
		to.mail.put(when, 1+g.random.IntN(1000))
		cross(to.Engine, newEvent(at(fast, when), &to.mail, true))
	}
	if g.random.IntN(8) == 0 {
		return now + 1 + Cycle(g.random.IntN(400))
	}
	return now + 1 + Cycle(g.random.IntN(4))
}

// gossips builds parts of components, runs them, and returns their logs.
func gossips(t require.TestingT, engine sim.Engine, parts, each int, seed uint64) (logs [][]string) {
	all := make([][]*gossip, parts)
	for p := range all {
		e := engine
		if parallel, is := engine.(*parallelEngine); is {
			e = parallel.process()
		}
		for i := range each {
			all[p] = append(all[p], newGossip(fmt.Sprintf("Part[%d].G[%d]", p, i), e, seed, uint64(p*each+i)))
		}
	}
	for p, list := range all {
		for _, g := range list {
			g.here = list
			for q := range all {
				if q != p {
					g.there = append(g.there, all[q]...)
				}
			}
			g.Wake(Cycle(g.random.IntN(10)))
		}
	}
	require.NoError(t, engine.Run())
	for _, list := range all {
		for _, g := range list {
			require.Empty(t, g.mail.sent)
			logs = append(logs, g.log)
		}
	}
	return logs
}

// Every component does the same, at the same times, on the serial engine of akita and on the parallel one, with any lookahead up to that
// of the components.
func TestParallelIsSerial(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts, each := rapid.IntRange(1, 6).Draw(t, "parts"), rapid.IntRange(1, 3).Draw(t, "each")
		seed := rapid.Uint64().Draw(t, "seed")
		lookahead := rapid.SampledFrom([]int{1, testLookahead / 2, testLookahead}).Draw(t, "lookahead")
		serial := gossips(t, sim.NewSerialEngine(), parts, each, seed)
		assert.Equal(t, serial, gossips(t, newParallelEngine(testFreq, Cycle(lookahead)), parts, each, seed))
	})
}

// Processes of a window run at the same time: two that wait for each other do not wait forever.
func TestParallelRunsAtOnce(t *testing.T) {
	e := newParallelEngine(testFreq, testLookahead)
	var both sync.WaitGroup
	both.Add(2)
	met := make([]bool, 2)
	for i := range met {
		NewClocked("C", e.process(), testFreq, func(Cycle) Cycle {
			both.Done()
			over := make(chan struct{})
			go func() { both.Wait(); close(over) }()
			select {
			case <-over:
				met[i] = true
			case <-time.After(10 * time.Second):
			}
			return never
		}).Wake(Cycle(i * (testLookahead - 1)))
	}
	require.NoError(t, e.Run())
	assert.Equal(t, []bool{true, true}, met)
}

// A window has only events before its end, those of the end's time are of the next.
func TestParallelWindow(t *testing.T) {
	e := newParallelEngine(testFreq, testLookahead)
	a, b := e.process(), e.process()
	var lock sync.Mutex
	var order []string
	note := func(name string) func(Cycle) Cycle {
		return func(Cycle) Cycle {
			lock.Lock()
			defer lock.Unlock()
			order = append(order, name)
			return never
		}
	}
	for i := range Cycle(50) {
		NewClocked("A", a, testFreq, note("a")).Wake(3 + i%testLookahead)
	}
	NewClocked("B", b, testFreq, note("b")).Wake(3 + testLookahead)
	require.NoError(t, e.Run())
	require.Len(t, order, 51)
	assert.Equal(t, "b", order[50])
	assert.Equal(t, at(testFreq, 3+testLookahead), e.CurrentTime())
}

// A pause holds the next window, and its end lets it run. Both may be asked for twice.
func TestParallelPause(t *testing.T) {
	e := newParallelEngine(testFreq, 1)
	p := e.process()
	reached, acts := make(chan struct{}), 0
	NewClocked("C", p, testFreq, func(now Cycle) Cycle {
		if acts++; acts == 100 {
			close(reached)
		}
		if acts < 1000000 {
			return now + 1
		}
		return never
	}).Wake(0)
	over := make(chan error)
	go func() { over <- e.Run() }()
	<-reached
	e.Pause()
	e.Pause()
	paused := acts
	time.Sleep(20 * time.Millisecond)
	assert.Equal(t, paused, acts)
	assert.Less(t, acts, 1000000)
	e.Continue()
	e.Continue()
	require.NoError(t, <-over)
	assert.Equal(t, 1000000, acts)
}

// counter is a hook, and a handler of the end.
type counter struct {
	lock     sync.Mutex
	pre, end int
	at       sim.VTimeInSec
}

func (c *counter) Func(ctx sim.HookCtx) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if ctx.Pos == sim.HookPosBeforeEvent {
		c.pre++
	}
}

func (c *counter) Handle(now sim.VTimeInSec) { c.end, c.at = c.end+1, now }

// Hooks see every event, and handlers of the end the time of the last one.
func TestParallelHooks(t *testing.T) {
	e, c := newParallelEngine(testFreq, 100), &counter{}
	e.AcceptHook(c)
	e.RegisterSimulationEndHandler(c)
	for i := range 3 {
		NewClocked("C", e.process(), testFreq, func(now Cycle) Cycle {
			if now < 50 {
				return now + 10
			}
			return never
		}).Wake(Cycle(i))
	}
	require.NoError(t, e.Run())
	e.Finished()
	assert.Equal(t, 6+6+6, c.pre)
	assert.Equal(t, 1, c.end)
	assert.Equal(t, at(testFreq, 52), c.at)
}

func TestParallelRefusesThePast(t *testing.T) {
	e := newParallelEngine(testFreq, 1)
	p := e.process()
	NewClocked("C", p, testFreq, func(now Cycle) Cycle {
		assert.Panics(t, func() { p.Schedule(newEvent(at(testFreq, now-1), nil, false)) })
		return never
	}).Wake(5)
	assert.Panics(t, func() { e.Schedule(newEvent(0, nil, false)) })
	require.NoError(t, e.Run())
}

// Every task is done once, by as many as there are.
func TestWorkers(t *testing.T) {
	for n := 1; n <= 4; n++ {
		w := newWorkers(n)
		for _, count := range []int{0, 1, 2, 100} {
			done := make([]int, count)
			w.each(count, func(i int) { done[i]++ })
			for i := range done {
				assert.Equal(t, 1, done[i])
			}
		}
		w.stop()
	}
}
