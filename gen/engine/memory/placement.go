package memory

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// PlacementPorts write the payload of segments to memory. Placed counts the placements in memory, modulo 2^PlacementBits.
type PlacementPorts struct {
	Command hdl.Sink[engine.Placement]
	Payload hdl.Sink[block.Beat]
	Memory  block.AXIWriter `hdl:"m_axi"`
	Placed  hdl.Out         `doc:"placements in memory, modulo 2^9"`
	Failed  hdl.Source[engine.Failure]
	Retire  *PlacementRetire
	Far     *PlacementFar // nil if no memory is far
}

// PlacementFar are the placements in far memory, which Placed does not count.
type PlacementFar struct {
	Ended   hdl.Out `doc:"the oldest placement in far memory is finished"`
	Stream  hdl.Out `doc:"number of its stream"`
	Placing *PlacementBegins
}

// PlacementBegins reports each placement that is accepted, in order, in a cycle in which Valid is 1.
type PlacementBegins struct {
	Valid  hdl.Out `doc:"a placement begins"`
	Stream hdl.Out `doc:"number of the stream"`
	Far    hdl.Out `doc:"1: in far memory"`
}

func PlacementBeginsOf(streams int) *PlacementBegins {
	return &PlacementBegins{Valid: hdl.NewOut(1), Stream: hdl.NewOut(block.IndexWidth(streams)), Far: hdl.NewOut(1)}
}

// PlacementRetire reports each finished placement, in order, in a cycle in which Valid is 1.
type PlacementRetire struct {
	Valid  hdl.Out `doc:"a placement is in memory, or memory has refused it"`
	Stream hdl.Out `doc:"number of the stream"`
}

func PlacementRetireOf(streams int) *PlacementRetire {
	return &PlacementRetire{Valid: hdl.NewOut(1), Stream: hdl.NewOut(block.IndexWidth(streams))}
}

const placementDoc = `placement writes to memory what each command says, in order: the next packet of the payload stream, 1 to 65535
octets, or the 8 octets of an inline command, at any address. A discard consumes its packet and writes nothing;
with inline there is no packet.

Octets are rotated to their place on the bus, one beat of memory per cycle, also across packets: an aligned packet
takes as many cycles as it has beats, an unaligned one a cycle more if it touches one more beat of memory. The
first beat leaves six cycles after command and payload arrive, with its address if that has no other ahead of it.
Octets that are not written are 0 and masked. Bursts have beats of full bus width and stay inside a block of 4 KiB,
or of 2 KiB on a bus of 8 octets, where 256 beats end.

A placement is complete, and counted, when memory has answered the last of its bursts. If memory reports an error
for a burst, the placement makes one failure, which is accepted before the placement counts as complete. Up to 511
placements and 512 bursts can be in progress; the next one waits. Reset forgets them, and the count is 0.`

const piecesDoc = `

A placement may be a piece of a packet's payload. A piece that begins inside a beat of payload ends in that beat. Only the last
piece of a packet counts: when all of them are complete.`

const farPlacementDoc = `

A placement whose first octet is in far memory is written with m_axi_awid 2, others with 0: memory answers those of either kind in
order. Far ones are reported on far_ended, others are counted by placed. Up to 511 placements and 512 bursts of each can be in
progress. A placement that crosses from one memory to the other is written alone: after the responses to all bursts before it, and
before those after it.`

// PlacementWriter is for buses of 8 to 128 octets.
func PlacementWriter(c engine.Config) hdl.Block[PlacementPorts] {
	ports := PlacementPorts{Command: hdl.NewSink(engine.PlacementOf(c.Streams)), Payload: hdl.NewSink(block.BeatOf(c.BusBytes, c.Streams)),
		Memory: block.AXIWriterOf(c.BusBytes), Placed: hdl.NewOut(engine.PlacementBits), Failed: hdl.NewSource(engine.FailureOf(c))}
	if c.RetirePort {
		ports.Retire = PlacementRetireOf(c.Streams)
	}
	params, doc := c.Params("bus_bytes", "streams"), placementDoc
	if c.HasFar() {
		ports.Memory = block.WideAXIWriterOf(c.BusBytes)
		ports.Far = &PlacementFar{Ended: hdl.NewOut(1), Stream: hdl.NewOut(block.IndexWidth(c.Streams))}
		if c.RetirePort {
			ports.Far.Placing = PlacementBeginsOf(c.Streams)
		}
		params, doc = append(params, c.Params("far_memory_bit")...), doc+farPlacementDoc
	}
	return hdl.Block[PlacementPorts]{
		Kind: "placement", Options: c.Retire(), Params: params,
		Doc: doc, Ports: ports,
		Build: func(m *hdl.Module, p PlacementPorts) { buildPlacement(m, p, c) },
	}
}

// PieceWriter is [PlacementWriter] for pieces of packets.
func PieceWriter(c engine.Config) hdl.Block[PlacementPorts] {
	b := PlacementWriter(c)
	b.Options = append(b.Options, "pieces")
	b.Doc += piecesDoc
	b.Ports.Command = hdl.NewSink(engine.PlacementPieceOf(c))
	return b
}

// burstUnderWay is a burst without a response. Last is set if it is the last of its placement.
type burstUnderWay struct{ Stream, Last hdl.Value }

func burstUnderWayOf(streamBits int) burstUnderWay {
	return burstUnderWay{Stream: hdl.Bits(streamBits), Last: hdl.Bits(1)}
}

func buildPlacement(m *hdl.Module, p PlacementPorts, c engine.Config) {
	sides := newPlacementSides(m, c)

	m.Section("Measure a command, unless too many placements are in progress")
	tasks := hdl.NewStream(m, "task", placementTaskOf(c, p.Command.Data.Piece))
	accepted, clear := newAccepted(m, tasks, c)
	ready := []hdl.Value{accepted.Room}
	for _, s := range sides {
		s.declare(m)
		ready = append(ready, s.crowded.Not())
	}
	free := m.Let("free", hdl.AllOf(ready...))
	take := m.Let("take", p.Command.Valid.And(free))
	counts := p.Command.Data.Discard.Not()
	if piece, is := p.Command.Data.Piece.(*engine.PlacementPiece); is {
		counts = counts.And(piece.More.Not())
	}
	begins := m.Let("begins", take.And(counts))
	for _, s := range sides {
		s.count(m, begins, p.Command.Data.Address, c)
	}
	p.Command.Accept(m, free)
	m.Note("Without octets on the payload stream there is nothing to discard.")
	nothing := m.Let("is_nothing", p.Command.Data.Discard.And(p.Command.Data.Inline))
	accepted.Drive(take.And(nothing.Not()), measurePlacement(m, p.Command.Data, c))

	s := newPlacementSteps(m, p, tasks.Sink(), c.BusBytes)
	s.send(p.Memory, sides, clear)
	s.advance(p.Payload)
	placementAnswers(m, p, c, sides)
	if p.Far != nil && p.Far.Placing != nil {
		m.Drive(p.Far.Placing.Valid, begins)
		m.Drive(p.Far.Placing.Stream, p.Command.Data.Stream)
		m.Drive(p.Far.Placing.Far, p.Command.Data.Address.Bit(c.FarBit))
	}
}
