package engine

import (
	"math/bits"
	"strings"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// Executor executes the peer's requests of one kind; the kind is its index in the profile's list. request_order starts requests in
// order of arrival; a request waits until earlier ones of another kind on its stream are retired, so responses leave in request order.
type Executor struct {
	Name    string // in snake case; prefix of its ports and counters
	Request any    // prototype of the request bundle
	Done    []Done // a request is retired when all of these have been reported, in request order
	Number  int    // width of the numbers of requests in progress
	Bounded bool   // it never has 2^Number requests in progress, so request_order need not check
	Split   bool   // a response may have several segments
	Words   bool   // it reads and writes words of memory; one executor at most

	// Build adds its blocks to the top module.
	Build func(m *hdl.Module, c Config, s ExecutorSite)
}

// Done is a progress report of an executor, or of the transmit side on its behalf.
type Done struct {
	Name string
	Doc  string
	By   DoneBy
}

// DoneBy is the form of a report.
type DoneBy int

const (
	ByNumber DoneBy = iota // the number of the latest request that has got this far
	ByPulse                // 1 for one cycle per request
	BySent                 // the same, when the last segment of its response has been sent or dropped
)

// ExecutorSite is where an executor is instantiated. Read to Retire are set for one with Words.
type ExecutorSite struct {
	Start   hdl.Sink[any]
	Command hdl.Source[TxCommand]
	Done    map[string]hdl.Out // by name of the report, without those of the transmit side

	Read   block.AXIReader
	Write  block.AXIWriter
	Failed hdl.Source[Failure] // memory errors
	Ready  hdl.Out             // 1 when requests are accepted
	Retire *AtomicRetire       // nil without the retire port
}

// port is the name of the port of a report.
func (x Executor) port(d Done) string { return x.Name + "_" + d.Name }

// DoneIns are the input ports of the reports of all executors.
func DoneIns(list []Executor) (ports []hdl.Named[hdl.In]) {
	for _, x := range list {
		for _, d := range x.Done {
			width := 1
			if d.By == ByNumber {
				width = x.Number
			}
			ports = append(ports, hdl.Named[hdl.In]{Name: x.port(d), Doc: d.Doc, Of: hdl.NewIn(width)})
		}
	}
	return ports
}

// SentExecutors are the executors that the transmit side reports for; SentOuts are its report ports.
func SentExecutors(c Config) (list []Executor) {
	for _, x := range c.Profile.Executors(c) {
		if x.sent() != nil {
			list = append(list, x)
		}
	}
	return list
}

func SentOuts(c Config) (ports []hdl.Named[hdl.Out]) {
	for _, x := range SentExecutors(c) {
		d := x.sent()
		ports = append(ports, hdl.Named[hdl.Out]{Name: x.port(*d), Doc: d.Doc, Of: hdl.NewOut(1)})
	}
	return ports
}

func (x Executor) sent() *Done {
	for i := range x.Done {
		if x.Done[i].By == BySent {
			return &x.Done[i]
		}
	}
	return nil
}

// Kinds are the numbers of inbound requests and of transmit commands: the executors, then these.
type Kinds struct {
	End     uint64 // this node ends the stream with a message to the peer
	Close   uint64 // this node ends the stream silently: the peer has ended it
	Message uint64 // a message of the requester, of commands only
	names   []string
}

// Kinds of a configuration.
func (c Config) Kinds() Kinds {
	list := c.Profile.Executors(c)
	k := Kinds{End: uint64(len(list)), Close: uint64(len(list)) + 1, Message: uint64(len(list)) + 2}
	for _, x := range list {
		k.names = append(k.names, x.Name)
	}
	return k
}

// RequestBits is the width of the kind of an inbound request, SendBits of that of a command.
func (k Kinds) RequestBits() int { return bits.Len64(k.Close) }
func (k Kinds) SendBits() int    { return bits.Len64(k.Message) }

// ExecutorBits is the width of the number of an executor.
func (k Kinds) ExecutorBits() int { return block.IndexWidth(len(k.names)) }

// Of is the kind of an executor.
func (k Kinds) Of(name string) uint64 {
	for i, is := range k.names {
		if is == name {
			return uint64(i)
		}
	}
	panic("no executor " + name)
}

// name declares a constant for a kind.
func (k Kinds) name(m *hdl.Module, prefix string, width int, kind uint64) hdl.Value {
	names := append(append([]string{}, k.names...), "end", "close", "message")
	return m.Constant(strings.ToUpper(prefix+names[kind]), width, kind)
}

// NameRequests declares the kinds of inbound requests, by number.
func (k Kinds) NameRequests(m *hdl.Module) (list []hdl.Value) {
	for kind := range k.Message {
		list = append(list, k.name(m, "request_", k.RequestBits(), kind))
	}
	return list
}

// NameSend declares the kind of a command.
func (k Kinds) NameSend(m *hdl.Module, kind uint64) hdl.Value {
	return k.name(m, "send_", k.SendBits(), kind)
}
