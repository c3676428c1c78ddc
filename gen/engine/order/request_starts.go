package order

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// choice is the request that enters the pipeline of request_order.
type choice struct {
	any          hdl.Value
	which        hdl.Value // 1 bit per executor, the first in bit 0, then the end of the stream
	stream, slot hdl.Value
}

// is is 1 when the request is for an executor, or is the end of the stream.
func (c choice) is(i int) hdl.Value { return c.which.Bit(i) }

// chooseRequest takes the next request of the turns that have room, while may is 1, if it is set. Kinds take turns, request by request; latest is the kind of the
// latest item, which has the turn when nothing else waits: an item that starts at once does so in the next cycle.
func chooseRequest(m *hdl.Module, c engine.Config, turns []hdl.Sink[Turn], room []hdl.Value, latest hdl.Value, may *hdl.Value) choice {
	var able []hdl.Value
	var had []hdl.Reg // requests that were chosen of the first turn
	for i, name := range turnNames(c) {
		able = append(able, turns[i].Valid.And(room[i]))
		had = append(had, m.Reg(name+"_had_q", turns[i].Data.More.Width(), hdl.ResetTo(0)))
	}
	expected := turnOf(c.Kinds().NameRequests(m), latest)
	var turn, which hdl.Value
	if may == nil {
		turn, which = block.RotateToward(m, "kind", able, expected)
	} else {
		turn, which = block.RotateWhile(m, "kind", able, expected, *may)
	}
	m.Note("What is read is of the kind that has its turn, whether it has a request or not.")
	var streams, slots []hdl.When
	for i, name := range turnNames(c) {
		here, t := which.Bit(i), turns[i].Data
		next, ends := m.Let(name+"_next", had[i].Plus(1)), m.Reg(name+"_ends_q", 1, hdl.ResetTo(0))
		last := m.Let(name+"_turn_ends", t.Only.Or(ends.Value))
		turns[i].Accept(m, here.And(last))
		m.OnClock(hdl.If(here, had[i].Set(next.And(last.Not().Replicate(next.Width()))), ends.Set(next.Eq(t.More).And(last.Not()))))
		streams = append(streams, hdl.When{Cond: turn.Bit(i), Then: t.Stream})
		slots = append(slots, hdl.When{Cond: turn.Bit(i), Then: t.Slot.Add(had[i].Value)})
	}
	pick := func(list []hdl.When) hdl.Value { n := len(list) - 1; return hdl.Select(list[n].Then, list[:n]...) }
	return choice{any: m.Let("chooses", which.Any()), which: which, stream: m.Let("chosen_stream", pick(streams)), slot: m.Let("chosen_slot", pick(slots))}
}

// mergeOver joins the reports of the executors and of request_order itself.
func mergeOver(m *hdl.Module, c engine.Config, sources []hdl.Named[hdl.Sink[engine.Over]], to hdl.Source[engine.Over]) {
	first := sources[0].Of
	for i, s := range sources[1:] {
		out := to
		if i < len(sources)-2 {
			joined := hdl.NewStream(m, s.Name+"_joined", engine.OverOf(c.Streams))
			block.Merge(m, s.Name+"_merge", first, s.Of, joined.Source())
			first = joined.Sink()
			continue
		}
		block.Merge(m, s.Name+"_merge", first, s.Of, out)
	}
}
