package system

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sarchlab/akita/v3/sim"
)

// parallelEngine is an engine of akita that runs logical processes on all cores. Components of one process act on each other at any
// time; what crosses from one process to another takes effect at least a number of cycles later, the lookahead. So for that many cycles
// from the earliest event on, a window, processes need not know of each other.
//
// The events of a process run in the same order as on a serial engine, and results are the same.
type parallelEngine struct {
	sim.HookableBase
	freq      sim.Freq
	lookahead Cycle
	processes []*process
	now       atomic.Uint64 // bits of the time of the end of the window

	lock    sync.Mutex // held while a window runs, and while the engine is paused
	paused  bool
	pausing sync.Mutex

	end []sim.SimulationEndHandler
}

// process is the engine of the components of a logical process.
type process struct {
	*parallelEngine
	first, second sim.EventQueue // primary and secondary events
	time          sim.VTimeInSec // of the event that runs, or ran last
	ran           int            // events of its latest window

	lock    sync.Mutex
	crossed []sim.Event // from other processes, for a later window
}

// newParallelEngine returns an engine without processes.
func newParallelEngine(f sim.Freq, lookahead Cycle) *parallelEngine {
	return &parallelEngine{freq: f, lookahead: lookahead}
}

// process adds a process.
func (e *parallelEngine) process() *process {
	p := &process{parallelEngine: e, first: sim.NewEventQueue(), second: sim.NewEventQueue()}
	e.processes = append(e.processes, p)
	return p
}

// cross schedules an event of a component that may be in another process than its caller, at least the lookahead later.
func cross(to sim.Engine, e sim.Event) {
	p, is := to.(*process)
	if !is {
		to.Schedule(e)
		return
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	p.crossed = append(p.crossed, e)
}

// Schedule adds an event of the process itself.
func (p *process) Schedule(e sim.Event) {
	if e.Time() < p.time {
		panic("an event is scheduled in the past")
	}
	if e.IsSecondary() {
		p.second.Push(e)
		return
	}
	p.first.Push(e)
}

// CurrentTime is that of the event that runs.
func (p *process) CurrentTime() sim.VTimeInSec { return p.time }

// admit takes what has crossed from other processes, and returns the time of the next event.
func (p *process) admit() (next sim.VTimeInSec) {
	for _, e := range p.crossed {
		p.Schedule(e)
	}
	p.crossed = p.crossed[:0]
	return min(earliest(p.first), earliest(p.second))
}

func earliest(q sim.EventQueue) sim.VTimeInSec {
	if q.Len() == 0 {
		return sim.VTimeInSec(math.Inf(1))
	}
	return q.Peek().Time()
}

// run runs the events before a time.
func (p *process) run(end sim.VTimeInSec) {
	p.ran = 0
	for {
		first, second := earliest(p.first), earliest(p.second)
		queue := p.first
		if second < first {
			queue = p.second
		}
		if min(first, second) >= end {
			return
		}
		e := queue.Pop()
		p.time = e.Time()
		p.ran++
		context := sim.HookCtx{Domain: p, Pos: sim.HookPosBeforeEvent, Item: e}
		p.InvokeHook(context)
		_ = e.Handler().Handle(e) // as akita's engines do
		context.Pos = sim.HookPosAfterEvent
		p.InvokeHook(context)
	}
}

// Run runs until there is no event.
func (e *parallelEngine) Run() error {
	workers := newWorkers(min(runtime.GOMAXPROCS(0), len(e.processes)))
	defer workers.stop()
	var ready []*process
	for {
		e.lock.Lock()
		next := make([]sim.VTimeInSec, len(e.processes))
		start := sim.VTimeInSec(math.Inf(1))
		for i, p := range e.processes {
			next[i] = p.admit()
			start = min(start, next[i])
		}
		if math.IsInf(float64(start), 1) {
			e.setNow(e.last())
			e.lock.Unlock()
			return nil
		}
		first := e.freq.Cycle(start)
		if at(e.freq, first) > start {
			first-- // an event between two edges
		}
		end := at(e.freq, first+e.lookahead)
		e.setNow(end)
		ready = ready[:0]
		for i, p := range e.processes {
			if next[i] < end {
				ready = append(ready, p)
			}
		}
		// Those that had most to do begin first, so that the cores end together.
		slices.SortStableFunc(ready, func(a, b *process) int { return cmp.Compare(b.ran, a.ran) })
		workers.each(len(ready), func(i int) { ready[i].run(end) })
		e.lock.Unlock()
	}
}

// Schedule is not used: events are those of processes.
func (e *parallelEngine) Schedule(sim.Event) { panic("an event without a process") }

func (e *parallelEngine) setNow(t sim.VTimeInSec) { e.now.Store(math.Float64bits(float64(t))) }

// last returns the time of the last event that ran.
func (e *parallelEngine) last() (t sim.VTimeInSec) {
	for _, p := range e.processes {
		t = max(t, p.time)
	}
	return t
}

// CurrentTime is that of the end of the window, which no process has passed, and after the run that of the last event.
func (e *parallelEngine) CurrentTime() sim.VTimeInSec {
	return sim.VTimeInSec(math.Float64frombits(e.now.Load()))
}

// Pause stops the engine after the window that runs.
func (e *parallelEngine) Pause() {
	e.pausing.Lock()
	defer e.pausing.Unlock()
	if !e.paused {
		e.lock.Lock()
		e.paused = true
	}
}

// Continue ends a pause.
func (e *parallelEngine) Continue() {
	e.pausing.Lock()
	defer e.pausing.Unlock()
	if e.paused {
		e.lock.Unlock()
		e.paused = false
	}
}

// RegisterSimulationEndHandler adds a handler that Finished calls.
func (e *parallelEngine) RegisterSimulationEndHandler(h sim.SimulationEndHandler) {
	e.end = append(e.end, h)
}

// Finished calls the handlers of the end, with the time of the last event.
func (e *parallelEngine) Finished() {
	for _, h := range e.end {
		h.Handle(e.CurrentTime())
	}
}
