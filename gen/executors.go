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
	over     []hdl.Named[hdl.Sink[engine.Over]]   // reports of requests that are over
	sent     []hdl.Named[hdl.Source[engine.Over]] // those that the transmit side makes

	// Connections of the executor with Words.
	failed hdl.Stream[engine.Failure]
	reader block.AXIReaderPort
	writer block.AXIWriterPort
	ready  hdl.Wire

	ranges    *block.AXIReaderPort                     // of the executor with Reads
	withdraws []hdl.Named[hdl.Sink[engine.Withdrawal]] // of those with Revokes
}

// reportDepth is how many reports of the transmit side about responses of one executor wait: these follow each other, while the order
// block takes turns among executors.
const reportDepth = 16

// buildExecutors adds the executors of the profile.
func buildExecutors(m *hdl.Module, c engine.Config, retire *engine.AtomicRetire, platform map[string]any) executors {
	x := executors{streams: map[string]hdl.Stream[any]{}}
	type host struct {
		engine.Executor
		site engine.ExecutorSite
	}
	var hosts []host // of guests
	guests := map[string]map[string]engine.ExecutorSite{}
	list := c.Profile.Executors(c)
	for _, e := range list {
		requests, responses := hdl.NewStream(m, e.Name, e.Request), messageStream(m, c, e.Name)
		x.streams[e.Name] = requests
		x.starts, x.messages = append(x.starts, hdl.Name(e.Name, requests.Source())), append(x.messages, hdl.Name(e.Name, responses.Sink()))
		over := hdl.NewStream(m, e.Name+"_over", engine.OverOf(c.Streams))
		x.over = append(x.over, hdl.Name(e.Name+"_over", over.Sink()))
		site := engine.ExecutorSite{Start: requests.Sink(), Message: responses.Source(), Platform: platform[e.Name]}
		if e.Sent {
			reported := hdl.NewStream(m, e.Name+"_reported", engine.OverOf(c.Streams))
			x.sent = append(x.sent, hdl.Name(e.Name+"_over", reported.Source()))
			block.Fifo(m, e.Name+"_overs", reportDepth, reported.Sink(), over.Source())
		} else {
			ended := hdl.NewStream(m, e.Name+"_ended", engine.OverOf(c.Streams))
			site.Over = ended.Source()
			block.Between(m, e.Name+"_ended_kept", ended.Sink(), over.Source())
		}
		if e.Words {
			x.failed = hdl.NewStream(m, e.Name+"_failed", engine.FailureOf(c))
			x.ready = m.Wire(e.Name+"_table_ready", 1)
			site.Failed, site.Ready, site.Retire = x.failed.Source(), x.ready.Out(), retire
			site.Write, x.writer = writerWires(m, e.Name, c.BusBytes)
			site.Read, x.reader = readerWires(m, e.Name, c.BusBytes)
		}
		if e.Reads {
			read, port := readerWires(m, e.Name, c.BusBytes)
			site.Read, x.ranges = read, &port
		}
		if e.Revokes {
			withdraw := hdl.NewStream(m, e.Name+"_withdraw", engine.WithdrawalOf())
			site.Withdraw = withdraw.Source()
			x.withdraws = append(x.withdraws, hdl.Name(e.Name, withdraw.Sink()))
		}
		switch {
		case e.Guest != "":
			if guests[e.Guest] == nil {
				guests[e.Guest] = map[string]engine.ExecutorSite{}
			}
			guests[e.Guest][e.Name] = site
		case slices.ContainsFunc(list, func(x engine.Executor) bool { return x.Guest == e.Name }):
			hosts = append(hosts, host{e, site})
		default:
			e.Build(m, c, site)
		}
	}
	for _, h := range hosts {
		h.site.Guests = guests[h.Name]
		h.Build(m, c, h.site)
	}
	return x
}

// messageStream is a stream of messages to send.
func messageStream(m *hdl.Module, c engine.Config, name string) hdl.Stream[engine.TxMessage] {
	return hdl.NewStream(m, name+"_message", engine.TxMessageOf(c))
}
