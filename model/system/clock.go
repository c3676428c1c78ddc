package system

import (
	"github.com/sarchlab/akita/v3/sim"
)

// Cycle counts edges of the clock of all RNICs since the start.
type Cycle = uint64

// never is a cycle that does not come.
const never = ^Cycle(0)

// at returns the time of a cycle. Akita computes the times of ticks with the same division, so equal cycles have equal times.
func at(f sim.Freq, c Cycle) sim.VTimeInSec { return sim.VTimeInSec(float64(c) / float64(f)) }

// Clocked is a component that acts at cycles of its own choice, and one cycle after a message or room for one has arrived. It
// differs from akita's ticking component in that it can sleep until a cycle that it knows.
type Clocked struct {
	*sim.ComponentBase
	Engine sim.Engine
	Freq   sim.Freq
	act    func(now Cycle) (next Cycle)

	next  Cycle // of the earliest event
	acted Cycle // the last cycle in which it acted, plus 1
}

// NewClocked returns a component that calls act, which returns the cycle in which it must act again at the latest. An earlier
// act than asked for must do no harm.
func NewClocked(name string, engine sim.Engine, f sim.Freq, act func(now Cycle) (next Cycle)) *Clocked {
	return &Clocked{ComponentBase: sim.NewComponentBase(name), Engine: engine, Freq: f, act: act, next: never}
}

// Wake makes the component act at a cycle.
func (c *Clocked) Wake(when Cycle) {
	if when >= c.next {
		return
	}
	c.next = when
	c.Engine.Schedule(newEvent(at(c.Freq, when), c, false))
}

// NotifyRecv wakes the component one cycle after a message has arrived.
func (c *Clocked) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { c.Wake(c.after(now)) }

// NotifyPortFree wakes the component one cycle after a port can send again.
func (c *Clocked) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { c.Wake(c.after(now)) }

// after returns the first cycle after a time, which need not be an edge of this clock.
func (c *Clocked) after(now sim.VTimeInSec) Cycle { return c.Freq.Cycle(c.Freq.NextTick(now)) }

// Handle acts, once in a cycle.
func (c *Clocked) Handle(e sim.Event) error {
	now := c.Freq.Cycle(e.Time())
	again := c.acted == now+1
	c.acted = now + 1
	if c.next <= now {
		c.next = never
	}
	if again {
		return nil
	}
	if next := c.act(now); next != never {
		c.Wake(max(next, now+1))
	}
	return nil
}

// event calls a handler at a time. Akita runs secondary events after all primary ones of that time.
type event struct {
	time      sim.VTimeInSec
	handler   sim.Handler
	secondary bool
}

func newEvent(time sim.VTimeInSec, handler sim.Handler, secondary bool) event {
	return event{time, handler, secondary}
}

func (e event) Time() sim.VTimeInSec { return e.time }
func (e event) Handler() sim.Handler { return e.handler }
func (e event) IsSecondary() bool    { return e.secondary }
