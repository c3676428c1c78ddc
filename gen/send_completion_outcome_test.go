package gen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/request"
	"github.com/rnicgen/rnicgen/hdl"
	model "github.com/rnicgen/rnicgen/model/falcon"
)

// outcomeBench is send_completion with streams in place of what request_messages tells it.
type outcomeBench struct {
	Sent       hdl.Sink[engine.TxReport]
	Ended      hdl.Sink[engine.Ended]
	Opening    hdl.Sink[engine.Opening]
	Abandoned  hdl.Sink[engine.Ended]
	Store      hdl.Sink[storedWork]
	Made       hdl.Sink[madeCount]
	Completion hdl.Source[engine.Completion]
}

type (
	storedWork struct {
		Stream, Slot hdl.Value
		Entry        request.UnderWay
	}
	madeCount struct{ Stream, Count hdl.Value }
)

func sendCompletionWithStore(c engine.Config) hdl.Block[outcomeBench] {
	b := request.SendCompletion(c)
	p := b.Ports
	sw := block.IndexWidth(c.Streams)
	entry := request.UnderWayOf(c)
	return hdl.Block[outcomeBench]{
		Kind: "outcome_bench", Doc: "outcome_bench is for tests.",
		Ports: outcomeBench{Sent: p.Sent, Ended: p.Ended, Opening: p.Opening, Abandoned: p.Abandoned, Completion: p.Completion,
			Store: hdl.NewSink(storedWork{hdl.Bits(sw), hdl.Bits(block.IndexWidth(c.SendDepth)), entry}), Made: hdl.NewSink(madeCount{hdl.Bits(sw), hdl.Bits(16)})},
		Build: func(m *hdl.Module, t outcomeBench) {
			made := block.NewContext(m, "made", hdl.Zero(16), block.NewSweep(m, sw))
			made.Write(block.Change{When: t.Made.Valid, Stream: t.Made.Data.Stream, Word: t.Made.Data.Count})
			count, countStream := m.Wire("count", 1), m.Wire("count_stream", sw)
			opened := hdl.NewStream(m, "opened", request.ReopenedOf(c))
			opened.Sink().Accept(m, hdl.Ones(1))
			m.Unused("of no use here", opened.Sink().Valid, hdl.Pack(opened.Sink().Data))
			out := func(name string, width int) hdl.Out {
				w := m.Wire(name, width)
				m.Unused("of no use here", w.Value)
				return w.Out()
			}
			t.Store.Accept(m, hdl.Ones(1))
			t.Made.Accept(m, hdl.Ones(1))
			s := t.Store.Data
			hdl.Instance(m, "completion", b, request.SendCompletionPorts{Sent: t.Sent, Ended: t.Ended, Opening: t.Opening, Abandoned: t.Abandoned, Completion: t.Completion,
				Opened: opened.Source(), Look: hdl.Zero(1).In(), LookStream: hdl.Zero(sw).In(), Progress: out("progress", hdl.PackedWidth(request.ProgressOf(c))),
				Freed: out("freed", 1), FreedStream: out("freed_stream", sw), Ask: hdl.Zero(1).In(), AskStream: hdl.Zero(sw).In(), Closed: out("closed", 1),
				Count: count.Out(), CountStream: countStream.Out(), Made: made.Read("counted", count.Value, countStream.Value).In(),
				Store: t.Store.Valid.In(), StoreStream: s.Stream.In(), StoreSlot: s.Slot.In(), StoreEntry: hdl.Pack(s.Entry).In()})
		},
	}
}

type (
	storedBeat struct {
		Stream, Slot int
		Entry        struct {
			ID                              uint64
			Opcode                          uint32
			Signaled, Asks, Returns, Failed bool
			Length                          uint32
			Places                          uint32
		}
	}
	madeBeat          struct{ Stream, Count int }
	outcomeCompletion struct {
		Stream   int
		ID       uint64
		Status   int
		Opcode   uint32
		Recv     bool
		Length   uint32
		Data     uint64
		STag     uint32
		Outcome  model.Status
		SourceQP uint32
	}
)

// A work request that fails alone completes with its outcome, also if it is not signaled, and those after it as if it had not; when the
// stream has ended, work requests that were dropped complete with their outcome, others as flushed, whatever was in their slot before.
func TestWorkRequestOutcomes(t *testing.T) {
	t.Parallel()
	c := newInitiatorConfig().engine()
	c.Streams = 2
	everyStall(t, func(t *testing.T, idle, pressure simulator.Stall) {
		b, r := open(t, sendCompletionWithStore(c)), random(3)
		b.stall(idle, pressure)
		b.step(8)
		numbers, made, opened := [2]int{}, [2]int{}, [2]bool{}
		failed, late := 0, 0
		for range 120 {
			s := r.IntN(2)
			if !opened[s] {
				push(b, "opening", struct {
					Stream int
					Open   bool
					Domain int
				}{s, true, 0})
				b.run()
				opened[s] = true
			}
			var want []outcomeCompletion
			drops := r.IntN(3) == 0
			from := 0 // the first work request that is dropped
			n := 1 + r.IntN(c.SendDepth)
			reported := n
			if drops {
				from, reported = r.IntN(n), r.IntN(n+1)
				from = min(from, reported)
			}
			asks := 0
			for i := range n {
				var e storedBeat
				e.Stream, e.Slot = s, numbers[s]%c.SendDepth
				e.Entry.ID, e.Entry.Opcode, e.Entry.Signaled, e.Entry.Length = r.Uint64(), r.Uint32N(256), r.IntN(2) == 0, r.Uint32()
				if asks < c.ORD && r.IntN(3) == 0 {
					e.Entry.Asks, e.Entry.Returns = true, r.IntN(2) == 0
					asks++
				}
				push(b, "store", e)
				b.run()
				numbers[s]++
				outcome := []model.Status{0, 0, model.RemoteAccess, model.TransportError}[r.IntN(4)]
				done := outcomeCompletion{Stream: s, ID: e.Entry.ID, Opcode: e.Entry.Opcode, Length: e.Entry.Length, Outcome: outcome}
				if outcome != 0 {
					done.Status = engine.StatusFailed
					failed++
				}
				if i >= from && drops && outcome == 0 {
					done.Status = engine.StatusFlushed
				}
				if i >= reported { // abandoned
					done.Status, done.Outcome = engine.StatusFlushed, 0
					push(b, "abandoned", endedStreamBeat{s})
					late++
				} else {
					made[s]++
					push(b, "made", madeBeat{s, made[s]})
					dropped := drops && i >= from
					report := workReportBeat{Stream: s, Kind: int(engine.KindMessage), Final: true, Dropped: dropped, Outcome: outcome, Answers: e.Entry.Asks && !dropped, Data: r.Uint64()}
					if report.Answers && e.Entry.Returns && outcome == 0 {
						done.Data = report.Data
					}
					push(b, "sent", report)
				}
				if e.Entry.Signaled || done.Status != 0 {
					want = append(want, done)
				}
			}
			if drops {
				b.run()
				push(b, "ended", endedStreamBeat{s})
				opened[s] = false
			}
			b.run()
			same(t, want, take[outcomeCompletion](b, "completion"))
		}
		require.Positive(t, failed)
		require.Positive(t, late)
	})
}
