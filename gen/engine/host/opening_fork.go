package host

import (
	"fmt"
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// OpeningForkPorts have one source for each block that keeps state per stream.
type OpeningForkPorts struct {
	In       hdl.Sink[engine.Opening]
	Check    hdl.Source[engine.Opening]
	Delivery hdl.Source[engine.Opening]
	Order    hdl.Source[engine.Opening]
	Tx       hdl.Source[engine.Opening]
	Work     hdl.Source[engine.Opening]
	Ring     hdl.Source[engine.Opening]
	Failures hdl.Source[engine.Opening]
}

// openingPause is the number of cycles after an opening in which there is no other. An opening takes a cycle of the receive side that a
// segment could have had, so a host that opens and closes streams without a pause leaves 31 of 32 cycles to segments.
const openingPause = 31

const openingForkDoc = `opening_fork_%d distributes each opening of a stream to every block, and accepts the next one when all have taken it.
Openings are at least %d cycles apart, so that segments have the other cycles.`

// OpeningFork distributes each opening to every block, and accepts the next one some time after all have taken it.
func OpeningFork(streams int) hdl.Block[OpeningForkPorts] {
	source := func() hdl.Source[engine.Opening] { return hdl.NewSource(engine.OpeningOf(streams)) }
	return hdl.Block[OpeningForkPorts]{
		Kind: "opening_fork", Params: []hdl.Param{{Name: "streams", Value: streams}},
		Doc: fmt.Sprintf(openingForkDoc, streams, openingPause+1),
		Ports: OpeningForkPorts{In: hdl.NewSink(engine.OpeningOf(streams)), Check: source(), Delivery: source(), Order: source(), Tx: source(),
			Work: source(), Ring: source(), Failures: source()},
		Build: func(m *hdl.Module, p OpeningForkPorts) {
			outs := []struct {
				name string
				to   hdl.Source[engine.Opening]
			}{{"check", p.Check}, {"delivery", p.Delivery}, {"order", p.Order}, {"tx", p.Tx}, {"work", p.Work}, {"ring", p.Ring}, {"failures", p.Failures}}
			all := m.Wire("all_taken", 1)
			m.Section("Pause after an opening")
			pause := m.Reg("pause_q", bits.Len(openingPause), hdl.ResetTo(0))
			rests := m.Reg("rests_q", 1, hdl.ResetTo(0))
			offers := m.Let("offers", p.In.Valid.And(rests.Not()))
			passes := m.Let("passes", offers.And(all.Value))
			m.OnClock(rests.Set(passes.Or(rests.And(pause.Is(1).Not()))), hdl.If(passes, pause.Set(hdl.Const(pause.Width(), openingPause))).ElseIf(pause.Any(), pause.Set(pause.Minus(1))))

			m.Section("Offer an opening to each block until that has taken it")
			var taken []hdl.Value
			for _, o := range outs {
				done := m.Reg("taken_"+o.name+"_q", 1, hdl.ResetTo(0))
				o.to.Drive(m, offers.And(done.Not()), p.In.Data)
				taken = append(taken, done.Value)
				m.OnClock(hdl.If(offers, done.Set(done.Or(o.to.Ready).And(all.Not()))))
			}
			m.Note("Who has taken it comes from registers: the next opening is far away.")
			m.Drive(all.Out(), hdl.AllOf(taken...))
			p.In.Accept(m, rests.Not().And(all.Value))
		},
	}
}
