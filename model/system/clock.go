package system

import (
	"math"
	"time"

	"github.com/sarchlab/akita/v3/sim"
)

// The engine counts seconds in floating point. Here all times are whole nanoseconds since the start, converted to
// seconds only for scheduling, so that rounding errors do not accumulate.

func seconds(t time.Duration) sim.VTimeInSec {
	return sim.VTimeInSec(float64(t) / float64(time.Second))
}

func nanoseconds(t sim.VTimeInSec) time.Duration {
	return time.Duration(math.Round(float64(t) * float64(time.Second)))
}

// event wakes a handler, which finds its work in its own queues.
type event struct {
	at      sim.VTimeInSec
	handler sim.Handler
}

func (e event) Time() sim.VTimeInSec { return e.at }
func (e event) Handler() sim.Handler { return e.handler }
func (e event) IsSecondary() bool    { return false }

// schedule wakes a handler at time t.
func schedule(engine sim.Engine, t time.Duration, handler sim.Handler) {
	engine.Schedule(event{seconds(t), handler})
}

// packet carries one DDP segment over a link.
type packet struct {
	sim.MsgMeta
	segment []byte
}

// Meta returns the metadata of a packet for the engine.
func (p *packet) Meta() *sim.MsgMeta { return &p.MsgMeta }
