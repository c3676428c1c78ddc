package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// OverCount reports that messages of a QP are over that have an RMSN. It is late: a QP may have been opened again meanwhile.
type OverCount struct {
	Valid  hdl.In
	Stream hdl.In `doc:"number of the QP"`
	Life   hdl.In `doc:"of the QP, as of the arrival of its opening"`
	Count  hdl.In `doc:"messages since the opening, low bits"`
}

// FlushLookup says whether receives of a QP are being flushed.
type FlushLookup struct {
	Stream hdl.Out `doc:"number of the QP"`
	Goes   hdl.In  `doc:"1: more will follow; valid in the next cycle"`
}

// messagesOver is what was reported last.
type messagesOver struct{ Life, Count hdl.Value }

func messagesOverOf(c engine.Config) messagesOver {
	return messagesOver{hdl.Bits(engine.NumberBits(c)), hdl.Bits(overBits(c))}
}

// followMessages is 1 in stage checkSet+1 if a message is not too far ahead of those that are over for its receive to have a place, or for falcon_order to
// count it.
func (k *check) followMessages(rmsn *block.Signal) (inRoom hdl.Value) {
	m, c, in := k.m, k.c, k.p.Over
	m.Section("Messages that are over")
	reports := block.NewContext(m, "messages_over", hdl.Zero(hdl.PackedWidth(messagesOverOf(c))), k.sweep)
	reports.Write(block.Change{When: in.Valid.Value, Stream: in.Stream.Value, Word: hdl.Pack(messagesOver{in.Life.Value, in.Count.Value})})
	over := hdl.LetOf(m, "reported", hdl.Unpack(messagesOverOf(c), reports.Read("messages_over_read", k.pipe.Valid(checkSet), k.stream.At(checkSet))))
	number := rmsn.At(checkSet + 1).Truncate(overBits(c))
	bits := block.IndexWidth(min(c.ReceiveDepth, spec.MessageWindow))
	within := func(name string, ahead hdl.Value) hdl.Value {
		v := m.Let(name, ahead)
		m.Unused("any less is as good", v.Truncate(bits))
		return v.Slice(overBits(c)-1, bits).IsZero()
	}
	m.Note("What was reported of an earlier life of the QP says nothing: none is over.")
	return m.Let("is_in_room", hdl.Mux(over.Life.Eq(k.life), within("messages_ahead", number.Add(over.Count.Not())), within("messages_ahead_of_first", number.Minus(1))))
}

// useReceives reports receives that are used to the ring of the QP: those of its present life. An opening begins to count anew, in a cycle
// without a report, and has taken effect then; entered is 1 in the last stage of its last turn.
func (k *check) useReceives(entered hdl.Value) {
	m, in, c := k.m, k.p.Over, k.c
	m.Section("Receives that are used")
	now := hdl.Unpack(answeredPullsOf(c), k.lives.Latest("life_of_report", in.Valid.Value, in.Stream.Value))
	m.Unused("only the life matters", now.Count)
	valid := m.Reg("report_valid_q", 1, hdl.ResetTo(0))
	report := hdl.NewRegOf(m, "report", messagesOver{hdl.Bits(engine.NumberBits(c)), hdl.Bits(countBits(c))}, hdl.NoReset)
	stream := m.Reg("report_stream_q", in.Stream.Width(), hdl.NoReset)
	m.OnClock(valid.Set(in.Valid.Value), stream.Set(in.Stream.Value), report.Set(messagesOver{in.Life.Value, in.Count.Truncate(countBits(c))}))
	uses := m.Let("uses_receives", valid.And(report.Q.Life.Eq(now.Life)))
	waits := m.Reg("opening_is_entered_q", 1, hdl.ResetTo(0))
	begins := m.Let("opening_takes_effect", waits.And(uses.Not()))
	m.OnClock(waits.Set(entered.Or(waits.And(uses))))
	m.Drive(k.begins.Out(), begins)
	used, usedStream, usedCount := m.Reg("used_q", 1, hdl.ResetTo(0)), m.Reg("used_stream_q", stream.Width(), hdl.NoReset), m.Reg("used_count_q", countBits(c), hdl.NoReset)
	m.OnClock(used.Set(uses.Or(begins)), usedStream.Set(hdl.Mux(uses, stream.Value, k.p.Opening.Data.Stream)),
		usedCount.Set(report.Q.Count.And(uses.Replicate(countBits(c)))))
	m.Drive(k.p.Consumed.Valid, used.Value)
	m.Drive(k.p.Consumed.Stream, usedStream.Value)
	m.Drive(k.p.Consumed.Count, usedCount.Value)
}
