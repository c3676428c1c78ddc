package engine

import (
	"math/bits"
	"strings"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// Executor executes the peer's requests of one kind, which is its place in the profile's list. Requests of a stream start in order of
// arrival; one of another kind starts when all earlier ones of its stream are over, so responses leave in the order of the requests.
type Executor struct {
	Name    string // in snake case: of its ports, and of what is counted of it
	Request any    // prototype of the bundle that it takes
	Sent    bool   // a request is over when the last segment of its response is sent or dropped; else Build drives Over
	Split   bool   // a response can have several segments
	Words   bool   // it reads and writes words of memory; one executor at most

	// Build adds its blocks to the top module.
	Build func(m *hdl.Module, c Config, s ExecutorSite)
}

// ExecutorSite is where an executor is built in. Words to Retire are there for one with Words.
type ExecutorSite struct {
	Start   hdl.Sink[any]
	Command hdl.Source[TxCommand]
	Over    hdl.Source[Over] // of an executor that is not Sent: one per request, in order within each stream

	Read   block.AXIReader
	Write  block.AXIWriter
	Failed hdl.Source[Failure] // memory errors
	Ready  hdl.Out             // 1 when requests are accepted
	Retire *AtomicRetire       // nil without the retire port
}

// SentExecutors are those that the transmit side reports for.
func SentExecutors(c Config) (list []Executor) {
	for _, x := range c.Profile.Executors(c) {
		if x.Sent {
			list = append(list, x)
		}
	}
	return list
}

// Kinds are the numbers of what is asked of the responder and of what is sent: the executors, then these.
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
