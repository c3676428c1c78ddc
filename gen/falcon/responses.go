package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// DataCount counts the resources of Falcon that responses need. A connection has fewer than 2^15 of each.
type DataCount struct {
	Packets hdl.Value `doc:"Data Tx packets"`
	Buffers hdl.Value `doc:"Data Tx buffers"`
}

func dataCount() DataCount { return DataCount{hdl.Bits(creditBits), hdl.Bits(creditBits)} }

// plus and minus are the sums and differences by counter, modulo 2^16.
func (a DataCount) plus(b DataCount) DataCount {
	return DataCount{a.Packets.Add(b.Packets), a.Buffers.Add(b.Buffers)}
}

func (a DataCount) minus(b DataCount) DataCount {
	return DataCount{a.Packets.Sub(b.Packets), a.Buffers.Sub(b.Buffers)}
}

// negative is 1 if a counter is below zero.
func (a DataCount) negative() hdl.Value {
	return a.Packets.Bit(creditBits - 1).Or(a.Buffers.Bit(creditBits - 1))
}

// DataCredits are those of a connection for responses: what Falcon returns, or what a set-up gives.
type DataCredits struct {
	CID   hdl.Value `hdl:"cid" doc:"local number of the connection"`
	Count DataCount
}

// DataCreditsOf is the prototype.
func DataCreditsOf(c engine.Config) DataCredits { return DataCredits{profileOf(c).cid(), dataCount()} }

// ResponsesPorts are the responses of all executors in, those that have credits out.
type ResponsesPorts struct {
	Responses []hdl.Named[hdl.Sink[engine.TxMessage]] `hdl:"-"`
	Setup     hdl.Sink[DataCredits]                   `doc:"a connection is set up: its credits"`
	Credits   hdl.Sink[DataCredits]                   `doc:"credits returned"`
	Message   hdl.Source[engine.TxMessage]
}

const responsesDoc = `falcon_responses lets a response leave once its connection has the credits that it costs: a packet, and as many buffers of
%d octets as it takes (FTP 8.2.3). Until then it waits, and so do later ones of its connection, which leave in order;
those of other connections go on. One response per cycle enters and leaves.

The last %d responses of a connection have places in memory, as many as there may be pulls without a response. What waits when a
connection is set up is of the connection before: it leaves without credits. So does a response that finds no place,
which only those of earlier connections can cause.`

// Responses have places for IRD responses of each connection, rounded up to a power of two.
func Responses(c engine.Config) hdl.Block[ResponsesPorts] {
	ports := ResponsesPorts{Setup: hdl.NewSink(DataCreditsOf(c)), Credits: hdl.NewSink(DataCreditsOf(c)), Message: hdl.NewSource(engine.TxMessageOf(c))}
	for _, x := range engine.Speakers(c) {
		ports.Responses = append(ports.Responses, hdl.Name(x.Name, hdl.NewSink(engine.TxMessageOf(c))))
	}
	p := profileOf(c)
	return hdl.Block[ResponsesPorts]{
		Kind: "falcon_responses", Params: append(c.Params("streams", "ird", "max_payload"), hdl.Param{Name: "connections", Value: p.Connections}, hdl.Param{Name: "buffer_octets", Value: p.BufferOctets}),
		Doc: fmt.Sprintf(responsesDoc, p.BufferOctets, 1<<block.IndexWidth(c.IRD)), Ports: ports,
		Build: func(m *hdl.Module, p ResponsesPorts) { buildResponses(m, p, c) },
	}
}

// keptResponse is what differs between responses.
type keptResponse struct {
	Stream, Kind, Number, HeaderLength hdl.Value
	Header                             hdl.Value
	Address, Length                    hdl.Value
	CID, RSN, Packet                   hdl.Value
}

// responseOctets is the length of the longest headers of a response.
var responseOctets = func() (most int) {
	for i := range spec.Operations {
		if o := &spec.Operations[i]; o.Packet == spec.PullData {
			most = max(most, o.HeaderOctets())
		}
	}
	return most
}()

func keptResponseOf(c engine.Config) keptResponse {
	t := engine.TxMessageOf(c)
	return keptResponse{t.Stream, t.Kind, t.Number, t.HeaderLength, hdl.Bits(8 * responseOctets), t.Address, hdl.Bits(payloadBits(c)), profileOf(c).cid(), hdl.Bits(rsnBits), hdl.Bits(lengthBits)}
}

// keepResponse is what is kept of a message.
func keepResponse(m *hdl.Module, c engine.Config, t engine.TxMessage) keptResponse {
	s := t.Tag.(*Sent)
	m.Unused("all responses have the same, or 0", s.Type, s.Fence, s.Unfit, s.RefusedWork, s.More, s.First, s.List, s.Element, t.Length.Slice(31, payloadBits(c)),
		t.Header.Slice(8*HeaderOctets-1, 8*responseOctets))
	return keptResponse{t.Stream, t.Kind, t.Number, t.HeaderLength, t.Header.Truncate(8 * responseOctets), t.Address, t.Length.Truncate(payloadBits(c)), s.CID, s.RSN, s.Length}
}

// message is the message again.
func (r keptResponse) message(m *hdl.Module) engine.TxMessage {
	none := hdl.Zero(1)
	return engine.TxMessage{Stream: r.Stream, Kind: r.Kind, Number: r.Number, HeaderLength: r.HeaderLength, Header: r.Header.ZeroExtend(8 * HeaderOctets), Address: r.Address, Length: r.Length.ZeroExtend(32),
		Tag: &Sent{Type: typeConstant(m, spec.PullData), CID: r.CID, RSN: r.RSN, Length: r.Packet, Fence: none, Unfit: none, RefusedWork: none, First: none, More: none, List: none, Element: hdl.Zero(elementBits)}}
}

// What enters the pipeline of the block.
const (
	responseComes   = iota // from an executor
	responseRetries        // the first one that waits is tried again
	creditComes            // credits have been returned to a connection with responses that wait
	connectionOpens        // a connection is set up
	responseSteps   = iota
)

// Stages: in responsePriced the buffers that a response costs are known, in responseDecided what is done, in responseKept it is stored or read
// from memory, in responseLeaves it leaves.
const (
	responsePriced = 1 + iota
	responseAllowed
	responseDecided
	responseKept
	responseLeaves
)

// retry tries the first response that waits again.
type retry struct {
	CID     hdl.Value
	Buffers hdl.Value // that it costs
	Again   hdl.Value // 0: credits have been returned
}

// bufferBits is the width of the buffers of a response.
func bufferBits(c engine.Config) int {
	return block.IndexWidth(spec.Cost(spec.PullData, c.MaxPayload+responseOctets, profileOf(c).BufferOctets).DataTxBuffers + 1)
}

func retryOf(c engine.Config) retry {
	return retry{profileOf(c).cid(), hdl.Bits(bufferBits(c)), hdl.Bits(1)}
}

// responses is what the parts of the block share.
type responses struct {
	*hdl.Module
	c     engine.Config
	p     ResponsesPorts
	sweep block.Sweep
	pipe  *block.Pipeline

	granted block.Loop    // credits that a connection has been given, modulo 2^16
	waits   block.Context // 1: responses of a connection wait
	kept    block.Reserved[keptResponse]
	retries hdl.Stream[retry] // at most one of each connection, in any order
	wakes   hdl.Stream[retry]

	leave func(stays, leaves hdl.Value, r keptResponse) // says what becomes of the place at the output
}

func buildResponses(m *hdl.Module, p ResponsesPorts, c engine.Config) {
	bits := profileOf(c).cid().Width()
	u := &responses{Module: m, c: c, p: p, sweep: block.NewSweep(m, bits)}
	u.waits = block.NewContext(m, "waits", hdl.Zero(1), u.sweep)
	u.retries, u.wakes = hdl.NewStream(m, "retry", retryOf(c)), hdl.NewStream(m, "wake", retryOf(c))
	leaving := hdl.NewStream(m, "leaving", keptResponseOf(c))
	u.kept = block.NewWideReserved(m, "leaving", 16, keptResponseOf(c), leaving.Source())
	p.Message.Drive(m, leaving.Sink().Valid, leaving.Sink().Data.message(m))
	leaving.Sink().Accept(m, p.Message.Ready)
	u.credits()
	u.enter()
	u.pipe.Close()
}

// credits adds what Falcon returns, one connection per cycle. A connection with responses that wait is woken, once what had been decided before
// has been written.
func (u *responses) credits() {
	m, c := u.Module, u.c
	m.Section("Credits that Falcon returns")
	in := hdl.NewStream(m, "returned", DataCreditsOf(c))
	block.Between(m, "next_return", u.p.Credits, in.Source())
	wakes := block.NewReserved(m, "woken", 8, retryOf(c), u.wakes.Source())
	may := m.Let("may_return", wakes.Room.And(u.sweep.Done))
	in.Sink().Accept(m, may)
	takes := m.Let("takes_return", in.Sink().Valid.And(may))
	pipe := block.NewNamedPipeline(m, "return_", takes, 5)
	cid, count := pipe.Holds("return_cid", 0, in.Sink().Data.CID), pipe.Holds("return_count", 0, hdl.Pack(in.Sink().Data.Count))
	m.Note("What a connection has been given goes on from one set-up to the next.")
	granted := block.NewContext(m, "granted", hdl.Zero(hdl.PackedWidth(dataCount())), u.sweep)
	u.granted = granted.Loop(block.LoopUser{Read: takes, Stream: cid.At(0), Deciding: pipe.Valid(1), Decided: cid.At(1)})
	u.granted.Decide(hdl.Pack(hdl.Unpack(dataCount(), u.granted.Now).plus(hdl.Unpack(dataCount(), count.At(1)))))
	wait := u.waits.Read("waits_for_return", pipe.Valid(4), cid.At(4))
	wakes.Drive(takes, pipe.Valid(5).And(wait.Not()), pipe.Valid(5).And(wait), retry{cid.At(5), hdl.Zero(bufferBits(c)), hdl.Zero(1)})
	pipe.Close()
}
