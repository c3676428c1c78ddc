package flush

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// FlushUnitPorts are requests in, responses out, and the platform.
type FlushUnitPorts struct {
	Req      hdl.Sink[FlushRequest]
	Response hdl.Source[FlushResponse]
	Flush    hdl.Source[FlushBeat] `hdl:"m_axis_flush" doc:"flushes for the platform"`
	Done     hdl.Sink[FlushedBeat] `hdl:"s_axis_flush_done" doc:"flushes that the platform has done, in any order"`
}

const flushUnitDoc = `flush_unit has the platform make ranges of memory persistent or globally visible: one request, one flush for the
platform and one response per cycle. Up to %[1]d flushes are in progress, each in a slot, whose number is the ID
that the platform sees. The platform answers in any order, and responses leave in the order of its answers.

A stream has at most one request in progress, so the slow flushes of one stream take one slot. Only while all
slots are in use, or the platform accepts no flush, does a request wait.

A request of 0 octets touches no memory: the platform is not asked, and the response leaves at once. A flush that
fails has a response that says so. A response has the stream, number and tag of its request, whatever has become
of the stream.

The platform may answer from the cycle after the one in which it accepts a flush. What it answers for an ID that
it has not been asked for, or a second time, is ignored. After a reset it must not answer for earlier flushes.

After reset one cycle per slot passes before the first flush. A flush is offered three cycles after its request
came, a response %[2]d cycles after the answer. No path leads from an input to an output.`

// FlushDepth is the most flushes in progress, a power of two; fewer streams have one each.
const FlushDepth = 64

// Slots is the number of flushes in progress in a configuration.
func Slots(c engine.Config) int { return min(FlushDepth, c.Streams) }

// FlushUnit is for requests with a tag like that of the profile.
func FlushUnit(c engine.Config, tag any) hdl.Block[FlushUnitPorts] {
	return hdl.Block[FlushUnitPorts]{
		Kind: "flush_unit", Params: c.Params("streams", "ird"), Doc: fmt.Sprintf(flushUnitDoc, Slots(c), responseLatency),
		Ports: FlushUnitPorts{Req: hdl.NewSink(FlushRequestOf(c, tag)), Response: hdl.NewSource(FlushResponseOf(c, tag)),
			Flush: hdl.NewSource(FlushBeatOf()), Done: hdl.NewSink(FlushedBeatOf())},
		Build: func(m *hdl.Module, p FlushUnitPorts) { buildFlushUnit(m, p, c, tag) },
	}
}

// responseLatency is how many cycles after the answer of the platform the response is offered.
const responseLatency = 3

// answer is what a response needs of its request.
type answer struct {
	Stream hdl.Value
	Number hdl.Value
	Tag    any `hdl:"-"`
}

// slot is that of a flush.
type slot struct{ Slot hdl.Value }

// finished is a flush that is done.
type finished struct{ Slot, Failed hdl.Value }

// flushUnit is shared by the parts of the block.
type flushUnit struct {
	*hdl.Module
	p     FlushUnitPorts
	c     engine.Config
	tag   any
	index int // width of a slot

	running         hdl.Reg       // the memories are cleared
	asked, answered block.Context // a bit by slot; those of a slot differ until the platform has answered
	answers         *hdl.Memory   // by slot

	taken hdl.Reg                     // slot of the latest request
	none  hdl.Reg                     // it has 0 octets, and came in the cycle before
	offer struct{ is, id hdl.Value }  // a flush is offered to the platform
	freed struct{ is, slot hdl.Wire } // a slot is free again
}

func (u *flushUnit) answer() answer {
	return answer{Stream: hdl.Bits(block.IndexWidth(u.c.Streams)), Number: hdl.Bits(engine.NumberBits(u.c)), Tag: u.tag}
}

func buildFlushUnit(m *hdl.Module, p FlushUnitPorts, c engine.Config, tag any) {
	n := Slots(c)
	index := block.IndexWidth(n)
	sweep := block.NewSweep(m, index)
	u := &flushUnit{Module: m, p: p, c: c, tag: tag, index: index}
	m.Note("asked and answered differ in the bit of a slot until the platform has answered.")
	u.asked, u.answered = block.NewContext(m, "asked", hdl.Zero(1), sweep), block.NewContext(m, "answered", hdl.Zero(1), sweep)
	u.answers = m.Memory("answers", hdl.PackedWidth(u.answer()), n)
	u.running = m.Reg("running_q", 1, hdl.ResetTo(0))
	m.OnClock(u.running.Set(sweep.Done))
	u.taken, u.none = m.Reg("taken_slot_q", index, hdl.NoReset), m.Reg("none_q", 1, hdl.ResetTo(0))
	u.freed.is, u.freed.slot = m.Wire("frees_slot", 1), m.Wire("responding_slot", index)
	u.accept()
	u.respond(u.done())
}
