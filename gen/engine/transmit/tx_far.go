package transmit

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// Payload in far memory is fetched into tx_staging before its segment is sent. Here is what tx_turns does for that.

// TxStagingSlots is the number of segments that tx_staging holds, a power of two.
const TxStagingSlots = 16

// TxFarPorts are reports of tx_staging, and what it needs to be fair.
type TxFarPorts struct {
	Left        hdl.In  `hdl:"staged_left" doc:"the oldest segment has left tx_staging"`
	Freed       hdl.In  `hdl:"staged_freed" doc:"tx_staging has room for one more"`
	NearStreams hdl.Out `hdl:"near_streams" doc:"streams whose oldest message that waits is not far; all while streams often send all that they have"`
	FarStreams  hdl.Out `hdl:"far_streams" doc:"streams whose oldest message that waits is far"`
}

// TxFarPortsOf is the prototype, nil if no memory is far.
func TxFarPortsOf(c engine.Config) *TxFarPorts {
	if !c.HasFar() {
		return nil
	}
	count := StreamCountBits(c)
	return &TxFarPorts{hdl.NewIn(1), hdl.NewIn(1), hdl.NewOut(count), hdl.NewOut(count)}
}

// StreamCountBits is the width of a number of streams.
func StreamCountBits(c engine.Config) int { return block.IndexWidth(c.Streams) + 1 }

const txFarDoc = `
A message is far if it has payload and bit %[2]d of its address is 1. Its segments go to tx_staging, which holds %[1]d, one in
each turn of their stream. While there is no room, and for a stream of which one is still there and whose next
message is not far, a turn passes: so segments of a stream stay in order, and what waits for far memory is in the way of nothing else.
A message that is not far waits for a place only if a segment is in tx_staging.
`

// txFar is what is known of segments in tx_staging.
type txFar struct {
	in      []stagedStream // by place, in the order in which they went
	none    hdl.Reg        // no segment is there
	hasRoom hdl.Reg        // one more may go
	used    hdl.Reg        // places that are in use or promised
	arrives hdl.Value      // the message that gets into its list is far
	emptied hdl.Value      // streams often send all that they have
}

// stagedStream is the stream of a segment in tx_staging.
type stagedStream struct{ valid, stream hdl.Reg }

func newTxFar(t *txTurns) (f txFar) {
	m, bits := t.Module, block.IndexWidth(TxStagingSlots)
	m.Section("Segments in tx_staging")
	f.none, f.hasRoom = m.Reg("none_is_staged_q", 1, hdl.ResetTo(1)), m.Reg("staging_has_room_q", 1, hdl.ResetTo(1))
	f.used = m.Reg("staging_used_q", bits+1, hdl.ResetTo(0))
	var valid []hdl.Value
	for i := range TxStagingSlots {
		s := stagedStream{m.Reg(fmt.Sprintf("staged_%d_q", i), 1, hdl.ResetTo(0)), m.Reg(fmt.Sprintf("staged_stream_%d_q", i), t.token().Stream.Width(), hdl.NoReset)}
		f.in, valid = append(f.in, s), append(valid, s.valid.Value)
	}
	m.OnClock(f.none.Set(hdl.AnyOf(valid...).Not()))
	return f
}

// isStaged is 1 if a segment of a stream is in tx_staging.
func (t *txTurns) isStaged(name string, stream hdl.Value) hdl.Value {
	var is []hdl.Value
	for _, s := range t.far.in {
		is = append(is, s.valid.And(s.stream.Eq(stream)))
	}
	return t.Let(name, hdl.AnyOf(is...))
}

// isFar is 1 for a far message.
func (t *txTurns) isFar(name string, q engine.TxMessage) hdl.Value {
	if !t.c.HasFar() {
		return hdl.Value{}
	}
	return t.Let(name, q.Address.Bit(t.c.FarBit).And(q.Length.Any()))
}

// mayOpen is what must be 1 for a message to leave before it is stored; one without payload may wait.
func (t *txTurns) mayOpen(q engine.TxMessage) []hdl.Value {
	if !t.c.HasFar() {
		return nil
	}
	return []hdl.Value{q.Address.Bit(t.c.FarBit).Not(), t.far.none.Value}
}

// txChecked is a token with its credit.
type txChecked struct {
	Token  txToken   `hdl:"-"`
	Staged hdl.Value // a segment of the stream was in tx_staging when its credit came
}

// listFar is the end of [txTurns.list] if some memory is far.
func (t *txTurns) listFar(other hdl.Sink[txToken], listed hdl.Stream[txToken], buffer block.Skid[txToken], turn hdl.Sink[txToken]) (next hdl.Sink[txToken], stream hdl.Value) {
	m := t.Module
	waiting := hdl.NewStream(m, "waiting", t.token())
	block.Fifo(m, "turns", max(2, t.c.Streams), waiting.Sink(), listed.Source())
	proto := txChecked{t.token(), hdl.Bits(1)}
	credited := hdl.NewStream(m, "credited", proto)
	kept := block.NewSkid(m, "credited", proto, credited.Source())
	crowded := hdl.Zero(1)
	if txCrowds(t.c) {
		crowded = t.crowded()
	} else {
		_, counts := t.emptied()
		m.OnClock(counts)
	}
	word := t.bring(listed.Sink(), crowded, func(valid hdl.Value) hdl.Value { return valid.Not().Or(kept.Room) })
	kept.Drive(word.valid.And(kept.Room), txChecked{word.token, t.isStaged("credited_is_staged", word.token.Stream)})
	in := credited.Sink()
	token, far := in.Data.Token, engine.IsFar(in.Data.Token.Far)
	m.Note("A stream passes its turn on while it owes; and, with what it has in credit lost, while there is no room for its far segment, or while one is")
	m.Note("on its way and the next one is not far.")
	owes := m.Let("owes", token.Credit.Bit(t.creditBits()-1))
	waits := m.Let("waits_for_memory", hdl.Mux(far, t.far.hasRoom.Not(), in.Data.Staged))
	begins := m.Let("may_begin", owes.Or(waits).Not())
	back := token
	back.Credit = t.owed("credit_passed_on", token.Credit, hdl.Ones(1))
	passed, returns := hdl.NewStream(m, "passed", token), hdl.NewStream(m, "returning", token)
	passed.Source().Drive(m, in.Valid.And(begins.Not()), back)
	block.Between(m, "passed_on", passed.Sink(), returns.Source())
	block.Merge(m, "to_wait", other, returns.Sink(), waiting.Source())
	in.Accept(m, hdl.Mux(begins, buffer.Room, passed.Source().Ready))
	enters := m.Let("turn_comes", hdl.AllOf(in.Valid, begins, buffer.Room))
	buffer.Drive(enters, token)

	m.Note("A far turn has a place in tx_staging from here on.")
	used, bits := t.far.used, t.far.used.Width()
	after := m.Let("staging_used", used.Add(enters.And(far).ZeroExtend(bits)).Sub(t.p.Far.Freed.Value.ZeroExtend(bits)))
	m.OnClock(used.Set(after), t.far.hasRoom.Set(after.Bit(bits-1).Not()))
	return turn, m.Let("stream_after", buffer.First(token).Stream)
}

// owed is a credit; what is not owed is lost if one of the conditions is 1.
func (t *txTurns) owed(name string, credit hdl.Value, conditions ...hdl.Value) hdl.Value {
	if len(conditions) == 0 {
		return credit
	}
	keeps := t.Let("keeps_"+name, credit.Bit(t.creditBits()-1).Or(hdl.AnyOf(conditions...).Not()))
	return t.Let(name, credit.And(keeps.Replicate(t.creditBits())))
}

// endsFar ends a turn: after each far segment, and before a far message.
func (t *txTurns) endsFar(now txTurn, last hdl.Value, following txLink) []hdl.Value {
	if !t.c.HasFar() {
		return nil
	}
	return []hdl.Value{engine.IsFar(now.Far), last.And(engine.IsFar(following.Far))}
}

// farNext is whether the next segment of the stream is far.
func (t *txTurns) farNext(now txTurn, last hdl.Value, following txLink) any {
	if !t.c.HasFar() {
		return nil
	}
	return &engine.Far{Is: t.Let("far_next", hdl.Mux(last, engine.IsFar(following.Far), engine.IsFar(now.Far)))}
}

// farGoes keeps account of segments that go to tx_staging, and of the streams that wait. comesBack is 1 if the token of the turn is returned, to the list
// of the next segment.
func (t *txTurns) farGoes(goes, comesBack hdl.Value, now txTurn, next any) {
	if !t.c.HasFar() {
		return
	}
	m, bits := t.Module, block.IndexWidth(TxStagingSlots)
	head, tail := m.Reg("staged_head_q", bits, hdl.ResetTo(0)), m.Reg("staged_tail_q", bits, hdl.ResetTo(0))
	isFar, left := engine.IsFar(now.Far), t.p.Far.Left.Value
	far := m.Let("far_segment_goes", goes.And(isFar))
	m.OnClock(hdl.If(far, tail.Set(tail.Plus(1))), hdl.If(left, head.Set(head.Plus(1))))
	for i, s := range t.far.in {
		enters := m.Let(fmt.Sprintf("enters_%d", i), far.And(tail.Is(uint64(i))))
		m.OnClock(hdl.If(enters, s.valid.Set(hdl.Ones(1)), s.stream.Set(now.Stream)).ElseIf(left.And(head.Is(uint64(i))), s.valid.Set(hdl.Zero(1))))
	}

	m.Note("Streams whose oldest message is far or not: as a token is present, taken back, or returned with a message of the other kind.")
	wasFar, becomesFar, becomesNear := m.Reg("gone_is_far_q", 1, hdl.NoReset), m.Reg("becomes_far_q", 1, hdl.ResetTo(0)), m.Reg("becomes_near_q", 1, hdl.ResetTo(0))
	m.OnClock(wasFar.Set(isFar), becomesFar.Set(hdl.AllOf(comesBack, isFar.Not(), engine.IsFar(next))),
		becomesNear.Set(hdl.AllOf(comesBack, isFar, engine.IsFar(next).Not())))
	comes, gone := t.far.arrives, t.gone.is
	count := func(name string, out hdl.Out, of func(hdl.Value) hdl.Value, more, less [2]hdl.Value) {
		streams := m.Reg(name+"_streams_q", StreamCountBits(t.c), hdl.ResetTo(0))
		sum := func(name string, of [2]hdl.Value) hdl.Value {
			return m.Let(name, of[0].ZeroExtend(2).Add(of[1].ZeroExtend(2))).ZeroExtend(streams.Width())
		}
		m.OnClock(streams.Set(streams.Add(sum("more_"+name, more)).Sub(sum("fewer_"+name, less))))
		m.Drive(out, of(streams.Value))
	}
	m.Note("While streams have one short message at a time, all count: each is served before far segments take what it needs.")
	all := func(streams hdl.Value) hdl.Value {
		return hdl.Mux(t.far.emptied, hdl.Const(streams.Width(), uint64(t.c.Streams)), streams)
	}
	count("near", t.p.Far.NearStreams, all, [2]hdl.Value{t.begins.And(comes.Not()), becomesNear.Value}, [2]hdl.Value{gone.And(wasFar.Not()), becomesFar.Value})
	count("far", t.p.Far.FarStreams, func(streams hdl.Value) hdl.Value { return streams }, [2]hdl.Value{t.begins.And(comes), becomesFar.Value}, [2]hdl.Value{gone.And(wasFar.Value), becomesNear.Value})
}
