package engine

import (
	"slices"
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
	Words   bool   // it reads and writes words of memory; one executor at most, and one that is Far
	Revokes bool   // it may invalidate STags
	Stops   bool   // a request starts when all earlier ones are over, and stops later ones if its response is dropped; of a Sent one
	Refuses bool   // it also takes the requests of all others that cannot be executed, so that each is answered; of a Sent one, one at most
	Reads   bool   // it reads ranges of memory; one executor at most
	Guest   string // name of the executor that takes and executes its requests too, instead of Build; one of as wide requests
	Joins   string // name of the executor whose Build makes messages of its results too
	Result  any    // of one with Joins: prototype of its results
	Far     bool   // it takes those requests of the executor it joins whose memory is far, instead of that one

	// Fails, of one that refuses, is 1 if a request that cannot be executed ends its stream.
	Fails func(InboundRequest) hdl.Value

	// Build adds its blocks to the top module.
	Build func(m *hdl.Module, c Config, s ExecutorSite)
}

// ExecutorSite is where an executor is built in. Words to Retire are there for one with Words.
type ExecutorSite struct {
	Start   hdl.Sink[any]
	Message hdl.Source[TxMessage]
	Over    hdl.Source[Over] // of an executor that is not Sent: one per request, in order within each stream
	Result  hdl.Source[any]  // of an executor with Joins, instead of Message

	Read   block.AXIReader
	Write  block.AXIWriter
	Failed hdl.Source[Failure] // memory errors
	Ready  hdl.Out             // 1 when requests are accepted
	Retire *AtomicRetire       // nil without the retire port
	Guests map[string]ExecutorSite

	Joined   []hdl.Named[hdl.Sink[any]] // results of the executors that join it
	Begun    hdl.Sink[Begun]            // of an executor that others join: what request_order reports; unset if none Stops
	Withdraw hdl.Source[Withdrawal]     // of an executor that may invalidate STags, unless it joins another; unset if none Revokes
	Platform any                        // ports of the top for this executor
}

// Begun is a request of an executor with Stops that starts, or any that fails instead of starting. Of a stream, the tag of the latest one is
// that of the only request with Stops in progress.
type Begun struct {
	Stream hdl.Value `doc:"number of the stream"`
	Tag    any       `hdl:"-"` // what the profile needs of it when it is answered, or has failed
}

// BegunOf is the prototype.
func BegunOf(c Config) Begun {
	return Begun{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Tag: c.Profile.BegunTag()}
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

// Takers are the executors that take requests from request_order: their own, and those of their guests.
func Takers(c Config) []Executor {
	return slices.DeleteFunc(c.Profile.Executors(c), func(x Executor) bool { return x.Guest != "" })
}

// Speakers are the executors that send messages: their own, and those of the executors that join them.
func Speakers(c Config) []Executor {
	return slices.DeleteFunc(c.Profile.Executors(c), func(x Executor) bool { return x.Joins != "" })
}

// Enders are the executors that report to request_order which requests are over. The first Sent one does it for all of them: the transmit
// side knows the executor, request_order need not.
func Enders(c Config) (list []Executor) {
	sent := false
	for _, x := range c.Profile.Executors(c) {
		if !x.Sent || !sent {
			list = append(list, x)
		}
		sent = sent || x.Sent
	}
	return list
}

// Asked are the executors that a request can name: all but those that take requests of others because of where their memory is.
func Asked(c Config) []Executor {
	return slices.DeleteFunc(c.Profile.Executors(c), func(x Executor) bool { return x.Far })
}

// Stops reports whether an executor stops a stream.
func Stops(c Config) bool {
	return slices.ContainsFunc(c.Profile.Executors(c), func(x Executor) bool { return x.Stops })
}

// Refuser is the number of the executor with Refuses; false if there is none.
func Refuser(c Config) (n int, has bool) {
	n = slices.IndexFunc(c.Profile.Executors(c), func(x Executor) bool { return x.Refuses })
	return n, n >= 0
}

// Kinds number what the responder is asked and what is sent: first what every profile has, then the executors in the profile's order, so
// that another executor changes no number. Those with Far are last.
type Kinds struct {
	executors []string
	asked     int // executors without Far
}

// Kinds that every profile has.
const (
	KindEnd     uint64 = iota // this node ends the stream with a message to the peer
	KindClose                 // this node ends the stream silently: the peer has ended it
	KindMessage               // a message of the requester; of commands only
)

// Numbers of the first executor. Requests leave no gap for messages of the requester.
const (
	firstRequest = KindClose + 1
	firstSend    = KindMessage + 1
)

// Kinds of a configuration.
func (c Config) Kinds() (k Kinds) {
	for _, x := range c.Profile.Executors(c) {
		k.executors = append(k.executors, x.Name)
	}
	k.asked = len(Asked(c))
	return k
}

// RequestBits is the width of the kind of an inbound request, SendBits of that of a command.
func (k Kinds) RequestBits() int { return block.IndexWidth(int(firstRequest) + len(k.executors)) }
func (k Kinds) SendBits() int    { return block.IndexWidth(int(firstSend) + len(k.executors)) }

// ExecutorBits is the width of the number of an executor that a request can name.
func (k Kinds) ExecutorBits() int { return block.IndexWidth(k.asked) }

// Executor is the number of an executor.
func (k Kinds) Executor(name string) uint64 {
	i := slices.Index(k.executors, name)
	if i < 0 {
		panic("no executor " + name)
	}
	return uint64(i)
}

// Request is the kind of a request to an executor, Response that of a command of its response.
func (k Kinds) Request(name string) uint64  { return firstRequest + k.Executor(name) }
func (k Kinds) Response(name string) uint64 { return firstSend + k.Executor(name) }

// RequestKinds are the kinds of inbound requests.
type RequestKinds struct {
	End, Close hdl.Value
	Executors  []hdl.Value // by number of the executor
}

// NameRequests declares the kinds of inbound requests.
func (k Kinds) NameRequests(m *hdl.Module) (names RequestKinds) {
	name := func(what string, kind uint64) hdl.Value {
		return m.Constant("REQUEST_"+strings.ToUpper(what), k.RequestBits(), kind)
	}
	names.End, names.Close = name("end", KindEnd), name("close", KindClose)
	for _, x := range k.executors {
		names.Executors = append(names.Executors, name(x, k.Request(x)))
	}
	return names
}

// NameSend declares the kind of a command.
func (k Kinds) NameSend(m *hdl.Module, kind uint64) hdl.Value {
	names := append([]string{"end", "close", "message"}, k.executors...)
	return m.Constant("SEND_"+strings.ToUpper(names[kind]), k.SendBits(), kind)
}
