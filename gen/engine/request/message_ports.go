package request

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// RequestMessagesPorts send work requests that were issued.
type RequestMessagesPorts struct {
	Work      hdl.Sink[WorkMessage]
	Local     engine.STagLookup
	Message   hdl.Source[engine.TxMessage]
	Expecting hdl.Source[engine.Expecting]
	Failed    hdl.Source[engine.Failure]
	Abandoned hdl.Source[engine.Ended] `doc:"a work request was issued whose message is not sent"`

	Fetch        hdl.Out     `doc:"fetch a work request"`
	FetchStream  hdl.Out     `doc:"number of the stream"`
	FetchNumber  hdl.Out     `doc:"its number"`
	Fetched      hdl.In      `doc:"packed work request, 2 cycles later"`
	Ask          hdl.Out     `doc:"fetch whether ask_stream has ended"`
	AskStream    hdl.Out     `doc:"number of the stream"`
	Closed       hdl.In      `doc:"it has, in the next cycle"`
	Store        hdl.Out     `doc:"an entry of the work requests in progress changes"`
	StoreStream  hdl.Out     `doc:"number of the stream"`
	StoreSlot    hdl.Out     `doc:"its slot in the ring"`
	StoreEntry   hdl.Out     `doc:"packed underWay"`
	Count        hdl.In      `doc:"fetch the number of messages of count_stream"`
	CountStream  hdl.In      `doc:"number of the stream"`
	Made         hdl.Out     `doc:"messages, modulo 2^16, in the next cycle"`
	Opened       hdl.In      `doc:"opened_stream is opened or closed: nothing of it is in progress"`
	OpenedStream hdl.In      `doc:"number of the stream"`
	OpenedDomain hdl.In      `doc:"protection domain"`
	OpenedSlot   *OpenedSlot // nil if each work request has one element
}

func requestMessagesPorts(c engine.Config) RequestMessagesPorts {
	sw := block.IndexWidth(c.Streams)
	p := RequestMessagesPorts{
		Work: hdl.NewSink(WorkMessageOf(c)), Local: engine.STagLookupOf(c), Message: hdl.NewSource(engine.TxMessageOf(c)),
		Expecting: hdl.NewSource(engine.ExpectingOf(c)), Failed: hdl.NewSource(engine.FailureOf(c)), Abandoned: hdl.NewSource(engine.EndedOf(c.Streams)),
		Fetch: hdl.NewOut(1), FetchStream: hdl.NewOut(sw), FetchNumber: hdl.NewOut(numberBits(c)),
		Fetched: hdl.NewIn(hdl.PackedWidth(waitingWorkOf(c))),
		Ask:     hdl.NewOut(1), AskStream: hdl.NewOut(sw), Closed: hdl.NewIn(1),
		Store: hdl.NewOut(1), StoreStream: hdl.NewOut(sw), StoreSlot: hdl.NewOut(block.IndexWidth(c.SendDepth)), StoreEntry: hdl.NewOut(hdl.PackedWidth(UnderWayOf(c))),
		Count: hdl.NewIn(1), CountStream: hdl.NewIn(sw), Made: hdl.NewOut(messageCountBits),
		Opened: hdl.NewIn(1), OpenedStream: hdl.NewIn(sw), OpenedDomain: hdl.NewIn(engine.DomainBits),
	}
	if lists(c) {
		p.OpenedSlot = &OpenedSlot{hdl.NewIn(numberBits(c) - 1)}
	}
	return p
}
