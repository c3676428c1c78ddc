package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Revocation is an R-Key that a message invalidates as it completes.
type Revocation struct {
	Index hdl.Value `doc:"upper 24 bits of the R-Key"`
}

// RevocationOf is the prototype.
func RevocationOf() Revocation { return Revocation{Index: hdl.Bits(24)} }

// ForkSetup gives the set-up of a QP to its target and then to its initiator, and that of a shared receive queue to the queues. An XRC target,
// which shares its connection with another QP, has an initiator that refuses all work requests.
func ForkSetup(m *hdl.Module, from hdl.Sink[any], target hdl.Source[Setup], initiator hdl.Source[Connect], queue hdl.Source[SharedQueue], credits hdl.Source[DataCredits]) {
	s := from.Data.(*HostSetup)
	m.Note("A datagram has the number of the peer's QP in its message.")
	connect := s.Connect(m)
	m.Note("What takes the credits is ready from one set-up to the next, and is asked before.")
	isQP := m.Let("is_of_qp", hdl.AllOf(from.Valid, s.IsQueue.Not(), credits.Ready))
	target.Drive(m, isQP.And(initiator.Ready), s.Target)
	initiator.Drive(m, isQP, connect)
	queue.Drive(m, from.Valid.And(s.IsQueue), SharedQueue{Number: s.Target.Stream, Domain: s.Target.QP.XRCDomain})
	both := m.Let("qp_is_set_up", hdl.AllOf(credits.Ready, target.Ready, initiator.Ready))
	m.Note("The connection of an XRC target is that of an XRC initiator, and datagrams have no responses.")
	owns := m.Let("connection_responds", connect.is(spec.QPRC).Or(connect.is(spec.QPXRCInitiator)))
	credits.Drive(m, hdl.AllOf(isQP, both, owns), DataCredits{s.Target.QP.CID, s.Data})
	from.Accept(m, m.Let("setup_is_over", hdl.Mux(s.IsQueue, queue.Ready, both)))
}

// RequestCredits and ResponseCredits take their part of the credits returned.
func RequestCredits(m *hdl.Module, from hdl.Sink[Returned], to hdl.Source[Credits]) {
	m.Unused("credits for responses", hdl.Pack(from.Data.Data))
	to.Drive(m, from.Valid, Credits{from.Data.CID, from.Data.Count})
	from.Accept(m, to.Ready)
}

func ResponseCredits(m *hdl.Module, from hdl.Sink[Returned], to hdl.Source[DataCredits]) {
	m.Unused("credits for requests", hdl.Pack(from.Data.Count))
	to.Drive(m, from.Valid, DataCredits{from.Data.CID, from.Data.Data})
	from.Accept(m, to.Ready)
}

// PlacedResponses are responses as the initiator takes them.
func PlacedResponses(m *hdl.Module, from hdl.Sink[engine.Answered], to hdl.Source[Placed]) {
	r := from.Data.Tag.(*Response)
	m.Unused("the transaction knows its QP", from.Data.Stream)
	to.Drive(m, from.Valid, Placed{CID: r.CID, RSN: r.RSN, Status: r.Status, Data: from.Data.Data})
	from.Accept(m, to.Ready)
}

// OverWires connect falcon_check to what falcon_order says of messages.
func OverWires(m *hdl.Module, c engine.Config) (OverCount, OverReport) {
	valid, stream, life, count := m.Wire("messages_over", 1), m.Wire("messages_over_stream", block.IndexWidth(c.Streams)), m.Wire("messages_over_life", engine.NumberBits(c)), m.Wire("messages_over_count", overBits(c))
	return OverCount{valid.In(), stream.In(), life.In(), count.In()}, OverReport{valid.Out(), stream.Out(), life.Out(), count.Out()}
}

// FlushWires let falcon_check ask falcon_order whether it flushes receives of a QP.
func FlushWires(m *hdl.Module, c engine.Config) (FlushLookup, FlushReport) {
	stream, goes := m.Wire("flush_stream", block.IndexWidth(c.Streams)), m.Wire("flush_goes", 1)
	return FlushLookup{stream.Out(), goes.In()}, FlushReport{stream.In(), goes.Out()}
}

// LookupWires connect falcon_check to the table of the initiator.
func LookupWires(m *hdl.Module, c engine.Config) (AskedLookup, Lookup) {
	enable, cid := m.Wire("asked_enable", 1), m.Wire("asked_cid", profileOf(c).cid().Width())
	rsn, entry := m.Wire("asked_rsn", rsnBits), m.Wire("asked_entry", hdl.PackedWidth(ExpectedOf(c)))
	return AskedLookup{Enable: enable.Out(), CID: cid.Out(), RSN: rsn.Out(), Entry: entry.In()},
		Lookup{Enable: enable.In(), CID: cid.In(), RSN: rsn.In(), Expected: entry.Out()}
}
