package transmit

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// txState is what is known of the stream of a token, but for what arrives in this cycle and arrived in the one before.
type txState struct {
	More    hdl.Value // a message waits after the oldest one
	Newest  hdl.Value // place of the newest message
	Stopped hdl.Value // nothing is sent until it is opened again
}

// follow is the state in the next cycle, of a stream of which a message arrived in the cycle before if came is 1.
func (t *txTurns) follow(name string, stream hdl.Value, is txState, came, place hdl.Value) txState {
	opens, drops := t.changes.opened.of(t.Module, name+"_is_opened", stream), t.changes.dropped.of(t.Module, name+"_is_dropped", stream)
	return txState{More: came.Or(is.More), Newest: t.Let(name+"_newest", hdl.Mux(came, place, is.Newest)), Stopped: opens.Not().And(drops.Or(is.Stopped))}
}

// txChange names a stream that changes in this cycle.
type txChange struct{ is, stream hdl.Reg }

func (t *txTurns) change(name string, is, stream hdl.In) txChange {
	c := txChange{t.Reg(name+"_q", 1, hdl.ResetTo(0)), t.Reg(name+"_stream_q", stream.Value.Width(), hdl.NoReset)}
	t.OnClock(c.is.Set(is.Value), c.stream.Set(stream.Value))
	return c
}

// of is 1 if that stream changes.
func (c txChange) of(m *hdl.Module, name string, stream hdl.Value) hdl.Value {
	return m.Let(name, c.is.And(c.stream.Eq(stream)))
}

// comes is 1 if a message of that stream arrives in the next cycle. If the stream has a message already, it is queued.
func (t *txTurns) comes(name string, stream hdl.Value) hdl.Value {
	return t.Let(name, t.taken.is.And(t.taken.stream.Eq(stream)))
}

// txFirst is the state of a stream whose turn begins in the next cycle, and whether a message of it arrives in this one and in the next.
type txFirst struct {
	is             txState
	arrives, comes hdl.Value
}

// prepare looks up the state of the stream whose turn is next, and follows it until the turn begins.
func (t *txTurns) prepare(next hdl.Sink[txToken], streamAfter, begins, arrivedPlace hdl.Value) txFirst {
	m, always := t.Module, hdl.Ones(1)
	m.Section("The stream whose turn is next")
	m.Note("A message that arrives while the list is read is not the oldest one: the token has been on its way for longer.")
	n, free := next.Data, m.Let("next_is_free", next.Valid.Not().Or(begins))
	found := m.Reg("is_found_q", 1, hdl.NoReset)
	list := hdl.LetOf(m, "next_list", hdl.Unpack(t.queue(), t.queues.Latest("next_list", always, streamAfter)))
	m.Unused("the stream has a token", list.Parity)
	stopped := block.NewContext(m, "stopped", hdl.Zero(1), t.sweep)
	stopped.Write(block.Change{When: t.changes.opened.is.Value, Stream: t.changes.opened.stream.Value},
		block.Change{When: t.changes.dropped.is.Value, Stream: t.changes.dropped.stream.Value, Word: hdl.Ones(1)})
	state, came := hdl.NewRegOf(m, "known", txState{hdl.Bits(1), n.Place, hdl.Bits(1)}, hdl.NoReset), m.Reg("next_came_q", 1, hdl.NoReset)
	read := txState{More: m.Let("next_has_more", list.Last.Ne(n.Place)), Newest: list.Last, Stopped: stopped.Read("next_stopped", always, streamAfter)}
	is := hdl.LetOf(m, "next_state", hdl.Unpack(read, hdl.Mux(found.Value, hdl.Pack(read), hdl.Pack(state.Q))))
	arrives := m.Reg("next_arrives_q", 1, hdl.NoReset)
	first := txFirst{t.follow("next", n.Stream, is, came.And(found.Not()), arrivedPlace), arrives.Value, t.comes("next_comes", n.Stream)}
	m.OnClock(found.Set(free), came.Set(first.arrives), state.Set(first.is),
		arrives.Set(hdl.Mux(free, t.comes("comes_after", streamAfter), first.comes)))
	return first
}
