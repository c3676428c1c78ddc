package host

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// FailureGatherPorts are the failures of all blocks in, the first one per stream out.
type FailureGatherPorts struct {
	Opening   hdl.Sink[engine.Opening]
	Placement hdl.Sink[engine.Failure]
	Atomic    hdl.Sink[engine.Failure] `doc:"write errors of the atomic unit"`
	Order     hdl.Sink[engine.Failure]
	Tx        hdl.Sink[engine.Failure]
	Work      hdl.Sink[engine.Failure]
	Out       hdl.Source[engine.Failure]
	Memory    hdl.Out                 `doc:"a failure caused by memory was accepted"`
	Begun     *hdl.Sink[engine.Begun] `doc:"requests that a failure may be of; always accepted"`
}

// FailureGather forwards the first failure of each stream since its opening and drops the others. It has room for one failure per
// stream, so it never stalls indefinitely on Out: failing blocks cannot stall the blocks that end the stream.
func FailureGather(c engine.Config) hdl.Block[FailureGatherPorts] {
	streams := c.Streams
	sink := func() hdl.Sink[engine.Failure] { return hdl.NewSink(engine.FailureOf(c)) }
	ports := FailureGatherPorts{Opening: hdl.NewSink(engine.OpeningOf(streams)), Placement: sink(), Atomic: sink(),
		Order: sink(), Tx: sink(), Work: sink(), Out: hdl.NewSource(engine.TaggedFailureOf(c)), Memory: hdl.NewOut(1)}
	if engine.Stops(c) {
		begun := hdl.NewSink(engine.BegunOf(c))
		ports.Begun = &begun
	}
	return hdl.Block[FailureGatherPorts]{
		Kind: "failure_gather", Params: []hdl.Param{{Name: "streams", Value: streams}},
		Doc: fmt.Sprintf("failure_gather_%d forwards the first failure of each stream since its opening and drops the others. It has room for\n"+
			"one failure per stream, so that reporting a failure never stalls.", streams),
		Ports: ports,
		Build: func(m *hdl.Module, p FailureGatherPorts) { buildFailureGather(m, p, c) },
	}
}

func buildFailureGather(m *hdl.Module, p FailureGatherPorts, c engine.Config) {
	m.Section("Pick: an opening first, then failures in order of priority")
	streams := c.Streams
	sw := block.IndexWidth(streams)
	sweep := block.NewSweep(m, sw)
	swept := sweep.Done
	busy := m.Reg("picked_valid_q", 1, hdl.ResetTo(0))
	opens := m.Reg("picked_is_opening_q", 1, hdl.NoReset)
	picked := hdl.NewRegOf(m, "picked", engine.FailureOf(c), hdl.NoReset)
	free := m.Let("free", swept.And(busy.Not()))
	p.Opening.Accept(m, free)
	earlier := p.Opening.Valid
	choices := []hdl.When{{Cond: p.Opening.Valid, Then: hdl.Pack(engine.LocalFailure(c, p.Opening.Data.Stream))}}
	m.Unused("an opening resets the stream, whether it opens or closes it", p.Opening.Data.Open, p.Opening.Data.Domain)
	var memory []hdl.Value
	for i, s := range []hdl.Sink[engine.Failure]{p.Placement, p.Atomic, p.Tx, p.Order, p.Work} {
		if i < 3 {
			of := s.Valid
			if engine.Stops(c) {
				of = of.And(s.Data.Fault.Ne(engine.FaultOf(c, engine.FaultDiffers)))
			}
			memory = append(memory, hdl.AllOf(free, earlier.Not(), of))
		}
		s.Accept(m, free.And(earlier.Not()))
		choices = append(choices, hdl.When{Cond: s.Valid, Then: hdl.Pack(s.Data)})
		earlier = earlier.Or(s.Valid)
	}
	m.Drive(p.Memory, hdl.AnyOf(memory...))
	take := m.Let("take", free.And(earlier))
	last := len(choices) - 1
	first := hdl.Select(choices[last].Then, choices[:last]...)
	stream := m.Let("stream", first.Slice(first.Width()-1, first.Width()-sw))

	m.Section("Has the stream failed before?")
	failed := block.NewContext(m, "failed", hdl.Zero(1), sweep)
	before := failed.ReadAlone("failed_before", take, stream)
	settle := m.Wire("settle", 1)
	failed.Write(block.Change{When: settle.Value, Stream: picked.Q.Stream, Word: opens.Not()})
	room := hdl.NewStream(m, "gathered", engine.FailureOf(c))
	fresh := m.Let("fresh", hdl.AllOf(busy.Value, opens.Not(), before.Not()))
	m.Drive(settle.Out(), busy.And(fresh.Not().Or(room.Source().Ready)))
	m.OnClock(
		hdl.If(take, busy.Set(hdl.Ones(1)), opens.Set(p.Opening.Valid), picked.Set(hdl.Unpack(engine.FailureOf(c), first))).
			ElseIf(settle.Value, busy.Set(hdl.Zero(1))))
	room.Source().Drive(m, fresh, picked.Q)
	if p.Begun == nil {
		block.Fifo(m, "room", max(2, streams), room.Sink(), p.Out)
		return
	}
	known := hdl.NewStream(m, "known", engine.FailureOf(c))
	block.Fifo(m, "room", max(2, streams), room.Sink(), known.Source())
	tagFailures(m, p, c, known.Sink())
}

// tagFailures adds what is returned of the request that failed. Nothing of a stream starts after a failure, so that the request is the latest
// one.
func tagFailures(m *hdl.Module, p FailureGatherPorts, c engine.Config, known hdl.Sink[engine.Failure]) {
	m.Section("The latest request of each stream")
	begun := p.Begun.Data
	p.Begun.Accept(m, hdl.Ones(1))
	tags := m.Memory("tags", hdl.PackedWidth(begun.Tag), c.Streams)
	tags.Write(p.Begun.Valid, begun.Stream, hdl.Pack(begun.Tag))
	valid, failure := m.Reg("tagged_valid_q", 1, hdl.ResetTo(0)), hdl.NewRegOf(m, "tagged", known.Data, hdl.NoReset)
	free := m.Let("tagged_free", valid.Not().Or(p.Out.Ready))
	known.Accept(m, free)
	tag := tags.Read("tag_q", free, known.Data.Stream, hdl.ReadOld)
	m.OnClock(hdl.If(free, valid.Set(known.Valid), failure.Set(known.Data)))
	f := failure.Q
	f.Tag = c.Profile.Failed(m, f.Fault, hdl.Unpack(begun.Tag, tag))
	p.Out.Drive(m, valid.Value, f)
}
