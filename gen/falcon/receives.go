package falcon

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// ReceiveRequest is a receive request of a QP, or of a shared receive queue.
type ReceiveRequest struct {
	Request engine.ReceiveRequest `hdl:"-"`
	Shared  hdl.Value             `doc:"1: for the shared receive queue whose number is the stream"`
}

// ReceiveRequestOf is the prototype. There are as many shared receive queues as QPs.
func ReceiveRequestOf(c engine.Config) ReceiveRequest {
	return ReceiveRequest{Request: engine.ListedRequestOf(c.Streams), Shared: hdl.Bits(1)}
}

// ForkReceives hands receive requests to the rings of QPs and to those of shared receive queues.
func ForkReceives(m *hdl.Module, from hdl.Sink[ReceiveRequest], own, shared hdl.Source[engine.ReceiveRequest]) {
	is := from.Data.Shared
	own.Drive(m, from.Valid.And(is.Not()), from.Data.Request)
	shared.Drive(m, from.Valid.And(is), from.Data.Request)
	from.Accept(m, m.Let("receive_goes", hdl.Mux(is, shared.Ready, own.Ready)))
}

// SharedEvents are events whose stream is the number of a shared receive queue.
func SharedEvents(m *hdl.Module, from hdl.Sink[engine.Event], to hdl.Source[engine.Event]) {
	v := from.Data
	v.Detail = &eventDetail{Rule: from.Data.Detail.(*eventDetail).Rule, Shared: hdl.Ones(1)}
	m.Unused("that of a shared queue", from.Data.Detail.(*eventDetail).Shared)
	to.Drive(m, from.Valid, v)
	from.Accept(m, to.Ready)
}

// EmptyRing is the opening of the ring of a shared receive queue.
func EmptyRing(m *hdl.Module, from hdl.Sink[SharedQueue], to hdl.Source[engine.Opening]) {
	m.Unused("falcon_check has it", from.Data.Domain)
	to.Drive(m, from.Valid, engine.Opening{Stream: from.Data.Number, Open: hdl.Ones(1), Domain: hdl.Zero(engine.DomainBits)})
	from.Accept(m, to.Ready)
}
