package gen

import (
	"slices"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// executors are those of the profile, with their connections to the other blocks.
type executors struct {
	streams  map[string]hdl.Stream[any] // requests, by executor name
	starts   []hdl.Named[hdl.Source[any]]
	messages []hdl.Named[hdl.Sink[engine.TxMessage]]
	over     []hdl.Named[hdl.Sink[engine.Over]] // reports of requests that are over
	sent     hdl.Source[engine.Over]            // those that the transmit side makes

	words, farWords wordAccess

	ranges   *block.AXIReaderPort        // of the executor with Reads
	withdraw hdl.Sink[engine.Withdrawal] // of those with Revokes
	begun    *hdl.Source[engine.Begun]   // for the executor that others join
}

// wordAccess are the connections of an executor with Words.
type wordAccess struct {
	failed hdl.Stream[engine.Failure]
	reader block.AXIReaderPort
	writer block.AXIWriterPort
	ready  hdl.Wire
}

// newWordAccess connects the executor at its site.
func newWordAccess(m *hdl.Module, c engine.Config, name string, site *engine.ExecutorSite) (w wordAccess) {
	w.failed = hdl.NewStream(m, name+"_failed", engine.FailureOf(c))
	w.ready = m.Wire(name+"_table_ready", 1)
	site.Failed, site.Ready = w.failed.Source(), w.ready.Out()
	site.Write, w.writer = writerWires(m, name, c.BusBytes)
	site.Read, w.reader = readerWires(m, name, c.BusBytes)
	return w
}

// reportDepth is how many reports of the transmit side about responses wait: these follow each other, while the order block takes turns
// between them and others.
const reportDepth = 16

// buildExecutors adds the executors of the profile.
func buildExecutors(m *hdl.Module, c engine.Config, retire RNICRetire, platform map[string]any) executors {
	x := executors{streams: map[string]hdl.Stream[any]{}}
	list := c.Profile.Executors(c)
	enders := engine.Enders(c)
	sites, joined := map[string]engine.ExecutorSite{}, map[string][]hdl.Named[hdl.Sink[any]]{}
	for _, e := range list {
		site := engine.ExecutorSite{Platform: platform[e.Name]}
		if e.Guest == "" {
			requests := hdl.NewStream(m, e.Name, e.Request)
			x.streams[e.Name], site.Start = requests, requests.Sink()
			x.starts = append(x.starts, hdl.Name(e.Name, requests.Source()))
		}
		if e.Joins == "" {
			responses := messageStream(m, c, e.Name)
			site.Message = responses.Source()
			x.messages = append(x.messages, hdl.Name(e.Name, responses.Sink()))
		} else {
			results := hdl.NewStream(m, e.Name+"_result", e.Result)
			site.Result = results.Source()
			joined[e.Joins] = append(joined[e.Joins], hdl.Name(e.Name, results.Sink()))
		}
		if slices.ContainsFunc(enders, func(y engine.Executor) bool { return y.Name == e.Name }) {
			site.Over = x.reports(m, c, e)
		}
		if e.Words {
			access := newWordAccess(m, c, e.Name, &site)
			if site.Retire = retire.Atomic; e.Far {
				x.farWords, site.Retire = access, retire.FarAtomic
			} else {
				x.words = access
			}
		}
		if e.Reads {
			read, port := readerWires(m, e.Name, c.BusBytes)
			site.Read, x.ranges = read, &port
		}
		sites[e.Name] = site
		if !slices.ContainsFunc(list, func(y engine.Executor) bool { return e.Guest != "" || y.Guest == e.Name || y.Joins == e.Name }) {
			e.Build(m, c, site)
		}
	}
	for _, e := range list {
		site := sites[e.Name]
		site.Guests, site.Joined = map[string]engine.ExecutorSite{}, joined[e.Name]
		for _, guest := range list {
			if guest.Guest == e.Name {
				site.Guests[guest.Name] = sites[guest.Name]
			}
		}
		if site.Joined != nil && engine.Stops(c) {
			begun, withdraw := hdl.NewStream(m, "begun", engine.BegunOf(c)), hdl.NewStream(m, "withdraw", engine.WithdrawalOf())
			begin := begun.Source()
			x.begun, x.withdraw = &begin, withdraw.Sink()
			site.Begun, site.Withdraw = begun.Sink(), withdraw.Source()
		}
		if len(site.Guests) > 0 || site.Joined != nil {
			e.Build(m, c, site)
		}
	}
	return x
}

// reports adds the reports of requests that are over, from an executor or from the transmit side. It returns where the executor makes them,
// which is unset for one that is Sent.
func (x *executors) reports(m *hdl.Module, c engine.Config, e engine.Executor) (made hdl.Source[engine.Over]) {
	over := hdl.NewStream(m, e.Name+"_over", engine.OverOf(c.Streams))
	x.over = append(x.over, hdl.Name(e.Name+"_over", over.Sink()))
	if e.Sent {
		reported := hdl.NewStream(m, e.Name+"_reported", engine.OverOf(c.Streams))
		x.sent = reported.Source()
		block.Fifo(m, e.Name+"_overs", reportDepth, reported.Sink(), over.Source())
		return made
	}
	ended := hdl.NewStream(m, e.Name+"_ended", engine.OverOf(c.Streams))
	block.Between(m, e.Name+"_ended_kept", ended.Sink(), over.Source())
	return ended.Source()
}

// messageStream is a stream of messages to send.
func messageStream(m *hdl.Module, c engine.Config, name string) hdl.Stream[engine.TxMessage] {
	return hdl.NewStream(m, name+"_message", engine.TxMessageOf(c))
}
