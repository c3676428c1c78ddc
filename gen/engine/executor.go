package engine

import (
	"math/bits"
	"strings"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// Executor executes the peer's requests of one kind, which is its place in the profile's list. request_order starts them in order of
// arrival, one of another kind when the earlier ones of its stream are over: responses leave in the order of the requests.
type Executor struct {
	Name    string // in snake case: of its ports, and of what is counted of it
	Request any    // prototype of the bundle that it takes
	Done    []Done // a request is over when all of these have been reported; in the order of the requests
	Number  int    // bits of the numbers of requests in progress
	Bounded bool   // it never has 2^Number of them in progress: request_order need not see to it
	Split   bool   // a response can have several segments
	Words   bool   // it reads and writes words of memory; one executor at most

	// Build adds its blocks to the top.
	Build func(m *hdl.Module, c Config, s ExecutorSite)
}

// Done is a way in which an executor, or the transmit side for it, reports progress.
type Done struct {
	Name string
	Doc  string
	By   DoneBy
}

// DoneBy is what a report looks like.
type DoneBy int

const (
	ByNumber DoneBy = iota // the number of the latest request that has come so far
	ByPulse                // 1 for one clock for each request
	BySent                 // the same, when the last segment of its response was sent or dropped
)

// ExecutorSite is where an executor is built in. Words to Retire are there for one with Words.
type ExecutorSite struct {
	Start   hdl.Sink[any]
	Command hdl.Source[TxCommand]
	Done    map[string]hdl.Out // by the name of what is reported; what the transmit side reports is not in it

	Read   block.AXIReader
	Write  block.AXIWriter
	Failed hdl.Source[Failure] // of memory
	Ready  hdl.Out             // 1 when requests are taken
	Retire *AtomicRetire       // nil without the retire port
}

// port is the name of the port on which a report comes.
func (x Executor) port(d Done) string { return x.Name + "_" + d.Name }

// DoneIns are the ports on which the reports of all executors come.
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

// SentExecutors are those that the transmit side reports for, and SentOuts its ports.
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

// Kinds are the numbers of what is asked of the responder and of what is sent: the executors, then these.
type Kinds struct {
	End     uint64 // this node ends the stream and says why
	Shut    uint64 // this node ends the stream and says nothing: the peer has ended it
	Message uint64 // a message of the requester; it is only sent
	names   []string
}

// Kinds of a configuration.
func (c Config) Kinds() Kinds {
	list := c.Profile.Executors(c)
	k := Kinds{End: uint64(len(list)), Shut: uint64(len(list)) + 1, Message: uint64(len(list)) + 2}
	for _, x := range list {
		k.names = append(k.names, x.Name)
	}
	return k
}

// RequestBits is the width of what is asked, SendBits of what is sent.
func (k Kinds) RequestBits() int { return bits.Len64(k.Shut) }
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

// Doc says what the numbers mean.
func (k Kinds) Doc() string { return strings.Join(k.names, ", ") }

// name names the number of a kind.
func (k Kinds) name(m *hdl.Module, prefix string, width int, kind uint64) hdl.Value {
	names := append(append([]string{}, k.names...), "end", "shut", "message")
	return m.Constant(strings.ToUpper(prefix+names[kind]), width, kind)
}

// NameRequests names what inbound requests ask for, by kind.
func (k Kinds) NameRequests(m *hdl.Module) (list []hdl.Value) {
	for kind := range k.Message {
		list = append(list, k.name(m, "request_", k.RequestBits(), kind))
	}
	return list
}

// NameSend names what a command sends.
func (k Kinds) NameSend(m *hdl.Module, kind uint64) hdl.Value {
	return k.name(m, "send_", k.SendBits(), kind)
}
