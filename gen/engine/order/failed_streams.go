package order

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// failedStreams is a list of streams that have failed.
type failedStreams struct {
	m         *hdl.Module
	valid     []hdl.Value
	streams   []hdl.Value
	overflows hdl.Value // a stream fails that finds no place
}

// newFailedStreams has places for n streams. A stream that fails takes one; one that is opened leaves it.
func newFailedStreams(m *hdl.Module, n int, fails, failed, opens, opened hdl.Value) failedStreams {
	l := failedStreams{m: m}
	var regs []hdl.Reg
	var names []hdl.Reg
	var free []hdl.Value // most significant bit first
	for i := range n {
		valid, stream := m.Reg(fmt.Sprintf("failed_%d_valid_q", i), 1, hdl.ResetTo(0)), m.Reg(fmt.Sprintf("failed_%d_stream_q", i), failed.Width(), hdl.NoReset)
		regs, names = append(regs, valid), append(names, stream)
		l.valid, l.streams = append(l.valid, valid.Value), append(l.streams, stream.Value)
		free = append([]hdl.Value{valid.Not()}, free...)
	}
	isNew := m.Let("fails_first", fails.And(l.has("failing", failed).Not()))
	places := m.Let("free_places", hdl.Cat(free...))
	takes := m.Let("place_taken", block.Lowest(places).And(isNew.Replicate(n)))
	l.overflows = m.Let("list_overflows", isNew.And(places.Any().Not()))
	var changes hdl.Stmts
	for i := range regs {
		leaves := opens.And(names[i].Eq(opened))
		changes = append(changes, hdl.If(takes.Bit(i), regs[i].Set(hdl.Ones(1)), names[i].Set(failed)).ElseIf(leaves, regs[i].Set(hdl.Zero(1))))
	}
	m.OnClock(changes)
	return l
}

// has is 1 if a stream is in the list; name is that of the stream's owner.
func (l failedStreams) has(name string, stream hdl.Value) hdl.Value {
	var any []hdl.Value
	for i, s := range l.streams {
		any = append(any, l.m.Let(fmt.Sprintf("%s_is_failed_%d", name, i), l.valid[i].And(s.Eq(stream))))
	}
	return hdl.AnyOf(any...)
}
