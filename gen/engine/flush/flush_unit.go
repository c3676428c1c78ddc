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
that the platform sees. The platform answers in any order. The responses of a stream leave in the order of its
requests; those of different streams pass each other.

A stream has at most IRD requests in progress, and there are at least twice as many slots. So the slow flushes
of one stream leave half of the slots to others, and no request waits for a flush of its own stream: only while
all slots are in use, or the platform accepts no flush, does a request wait. The order within a stream does not
rest on that.

A request of 0 octets touches no memory: the platform is not asked, and the response leaves in its turn. A flush
that fails has a response that says so; those after it on its stream are answered like all others. A response
has the stream, number and tag of its request, whatever has become of the stream.

The platform may answer from the cycle after the one in which it accepts a flush. What it answers for an ID that
it has not been asked for, or a second time, is ignored. After a reset it must not answer for earlier flushes.

After reset one cycle per stream, or per slot if these are more, passes before the first flush. A flush is
offered three cycles after its request came, a response %[2]d cycles after the answer if all earlier ones of its
stream have left. If the answers completed the flushes of a stream in another order than that of its requests,
its responses follow each other; others pass after at most %[3]d of these. No path leads from an input to an
output.`

// FlushDepth is the number of flushes in progress, a power of two, unless streams cannot have so many requests in progress together,
// or one could use more than half of it.
const FlushDepth = 64

// Slots is the number of flushes in progress in a configuration.
func Slots(c engine.Config) int { return max(2*c.IRD, min(FlushDepth, c.Streams*c.IRD)) }

// FlushUnit is for requests with a tag like that of the profile.
func FlushUnit(c engine.Config, tag any) hdl.Block[FlushUnitPorts] {
	return hdl.Block[FlushUnitPorts]{
		Kind: "flush_unit", Params: c.Params("streams", "ird"), Doc: fmt.Sprintf(flushUnitDoc, Slots(c), responseLatency, 2*Slots(c)),
		Ports: FlushUnitPorts{Req: hdl.NewSink(FlushRequestOf(c, tag)), Response: hdl.NewSource(FlushResponseOf(c, tag)),
			Flush: hdl.NewSource(FlushBeatOf()), Done: hdl.NewSink(FlushedBeatOf())},
		Build: func(m *hdl.Module, p FlushUnitPorts) { buildFlushUnit(m, p, c, tag) },
	}
}

// responseLatency is how many cycles after the answer of the platform the response is offered.
const responseLatency = 5

// arrivals are what is known of the flushes of a stream.
type arrivals struct {
	Count hdl.Value // of those that have a position, modulo twice the slots
	Last  hdl.Value // slot of the newest one
}

// place is the place of a flush among those of its stream.
type place struct {
	Position position  `hdl:"-"`
	Before   hdl.Value // slot of the one before it
}

// position is the number of a flush of a stream.
type position struct {
	Stream hdl.Value
	Count  hdl.Value // of those before it, modulo twice the slots
}

// answer is what a response needs of its request.
type answer struct {
	Number hdl.Value
	Tag    any `hdl:"-"`
}

// oldest is a flush that is done, and the oldest one of its stream.
type oldest struct {
	Slot     hdl.Value
	Position position `hdl:"-"`
}

// flushUnit is shared by the parts of the block.
//
// The flushes of a stream are counted as they are accepted and as they are responded to. When the platform answers, a flush is the oldest
// one of its stream if its count is that of the responses: it has its response. Otherwise the flush before it is told that the one behind
// it is done; when that has its response, this one has its own in the next cycle. It is found through a link.
//
// Exactly one of the two sees that a flush is both done and the oldest one. Let the flush before it have its response in cycle f, and be
// told in cycle d, or not. It is told if f >= d, because what is decided in d knows the responses of the cycles before. And in f the flush
// knows what it was told until then, that is if f >= d.
//
// What is known of a slot is in pairs of memories, as each has one port for writing. Whoever sets a flag makes its bit differ from the one
// in the other memory, whoever clears it makes them equal.
type flushUnit struct {
	*hdl.Module
	p     FlushUnitPorts
	c     engine.Config
	tag   any
	index int // width of a slot
	count int // width of a count

	sweep    block.Sweep   // of the streams, done when that of the slots is
	running  hdl.Reg       // it is done
	arrived  block.Context // arrivals, by stream
	retired  block.Context // responses, by stream
	places   *hdl.Memory   // by slot
	links    *hdl.Memory   // next slot of the stream, by slot
	answers  *hdl.Memory   // by slot
	failures *hdl.Memory   // by slot

	asked, answered block.Context // by slot; they differ until the platform has answered
	begun, behind   block.Context // by slot; they differ once the flush behind this one is done

	none   struct{ is, slot hdl.Reg } // a request of 0 octets has its place
	offer  struct{ is, id hdl.Value } // a flush is offered to the platform
	frees  hdl.Wire                   // the slot of the latest response is free again
	over   over                       // the latest response
	passed hdl.Reg                    // responses that another stream has waited for
}

// over is the latest response: in the cycle after it is made, is is 1.
type over struct {
	is    hdl.Reg
	slot  hdl.Reg
	after hdl.RegOf[position] // of the flush behind it
}

func (u *flushUnit) arrivals() arrivals {
	return arrivals{Count: hdl.Bits(u.count), Last: hdl.Bits(u.index)}
}

func (u *flushUnit) place() place {
	return place{Position: u.position(), Before: hdl.Bits(u.index)}
}

func (u *flushUnit) position() position {
	return position{Stream: hdl.Bits(block.IndexWidth(u.c.Streams)), Count: hdl.Bits(u.count)}
}

func (u *flushUnit) answer() answer {
	return answer{Number: hdl.Bits(engine.NumberBits(u.c)), Tag: u.tag}
}

func (u *flushUnit) oldest() oldest {
	return oldest{Slot: hdl.Bits(u.index), Position: u.position()}
}

func buildFlushUnit(m *hdl.Module, p FlushUnitPorts, c engine.Config, tag any) {
	n := Slots(c)
	index := block.IndexWidth(n)
	streams := block.IndexWidth(c.Streams)
	sweep := block.NewSweep(m, max(streams, index))
	u := &flushUnit{Module: m, p: p, c: c, tag: tag, index: index, count: index + 1, sweep: block.Sweep{Done: sweep.Done, Row: sweep.Row.Truncate(streams)}}
	u.arrived = block.NewContext(m, "arrived", hdl.Zero(hdl.PackedWidth(u.arrivals())), u.sweep)
	u.retired = block.NewContext(m, "retired", hdl.Zero(u.count), u.sweep)
	flag := func(name string) block.Context {
		return block.NewContext(m, name, hdl.Zero(1), block.Sweep{Done: sweep.Done, Row: sweep.Row.Truncate(index)})
	}
	m.Note("asked and answered differ in the bit of a slot until the platform has answered; begun and behind, once the flush behind it is done.")
	u.asked, u.answered, u.begun, u.behind = flag("asked"), flag("answered"), flag("begun"), flag("behind")
	u.places = m.Memory("places", hdl.PackedWidth(u.place()), n)
	u.links = m.Memory("links", index, n)
	u.answers = m.Memory("answers", hdl.PackedWidth(u.answer()), n)
	u.failures = m.Memory("failures", 1, n)
	u.running = m.Reg("running_q", 1, hdl.ResetTo(0))
	m.OnClock(u.running.Set(sweep.Done))
	u.passed = m.Reg("passed_q", u.count, hdl.ResetTo(0))
	u.none.is, u.none.slot = m.Reg("none_q", 1, hdl.ResetTo(0)), m.Reg("none_slot_q", index, hdl.NoReset)
	u.frees = m.Wire("frees_slot", 1)
	u.over = over{m.Reg("over_q", 1, hdl.ResetTo(0)), m.Reg("over_slot_q", index, hdl.NoReset), hdl.NewRegOf(m, "after", u.position(), hdl.NoReset)}
	u.accept()
	u.respond(u.done())
}

// isHurried is 1 while nothing new is taken, so that another stream has its turn.
func (u *flushUnit) isHurried() hdl.Value { return u.passed.Bit(u.index) }
