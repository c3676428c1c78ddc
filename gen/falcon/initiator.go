package falcon

import (
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// InitiatorPorts are work requests in, packets out, and what Falcon says of them.
type InitiatorPorts struct {
	Message hdl.Sink[engine.TxMessage] `doc:"a work request of the requester, not cut, of at most send_depth per QP that are not reported; of its tag only the type, the fence, unfit and refused count, and its Destination QP is 0 unless it is a datagram"`
	Setup   hdl.Sink[Connect]
	Credits hdl.Sink[Credits]
	Xoff    hdl.In `doc:"1: no requests are sent (I-76)"`
	Packet  hdl.Source[engine.TxMessage]
	Listed  ListedElement

	Completed hdl.Sink[Completed]
	Placed    hdl.Sink[Placed]
	Ended     hdl.Sink[engine.Ended]    `doc:"a QP went to Error"`
	Left      hdl.Sink[engine.TxReport] `doc:"a packet has left, or was dropped"`
	Lookup    Lookup
	Report    hdl.Source[engine.TxReport]
	Failed    hdl.Source[engine.Failure]
}

const initiatorDoc = `falcon_initiator sends the messages of work requests as transactions of Falcon and follows them until they complete. It
combines falcon_requests and falcon_transactions.`

// Initiator combines Requests and Transactions.
func Initiator(c engine.Config) hdl.Block[InitiatorPorts] {
	return hdl.Block[InitiatorPorts]{
		Kind: "falcon_initiator", Params: initiatorParams(c), Options: orderOptions(profileOf(c).Order), Doc: initiatorDoc,
		Ports: InitiatorPorts{
			Message: hdl.NewSink(engine.TxMessageOf(c)), Setup: hdl.NewSink(ConnectOf(c)), Credits: hdl.NewSink(CreditsOf(c)), Xoff: hdl.NewIn(1),
			Packet: hdl.NewSource(engine.TxMessageOf(c)), Listed: listedElementOf(c),
			Completed: hdl.NewSink(CompletedOf(c)), Placed: hdl.NewSink(PlacedOf(c)), Ended: hdl.NewSink(engine.EndedOf(c.Streams)),
			Left: hdl.NewSink(engine.TxReportOf(c)), Lookup: lookupOf(c),
			Report: hdl.NewSource(engine.WorkReportOf(c)), Failed: hdl.NewSource(engine.FailureOf(c)),
		},
		Build: func(m *hdl.Module, p InitiatorPorts) {
			look, take, open, end, post := m.Wire("look", 1), m.Wire("take", 1), m.Wire("open", 1), m.Wire("over", 1), m.Wire("post", 1)
			lookFor, known := m.Wire("look_for", hdl.PackedWidth(lookForOf(c))), m.Wire("known", hdl.PackedWidth(knownOf(c)))
			taken, opened := m.Wire("taken", hdl.PackedWidth(takenOf(c))), m.Wire("opened", hdl.PackedWidth(openedOf(c)))
			ended, posted := m.Wire("ended_message", hdl.PackedWidth(endedOf(c))), m.Wire("posted", hdl.PackedWidth(postedOf(c)))
			nudge, prepare, wake := hdl.NewStream(m, "nudge", nudgeOf(c)), hdl.NewStream(m, "prepare", prepareOf(c)), hdl.NewStream(m, "wake", tokenOf(c))
			hdl.Instance(m, "requests", Requests(c), RequestsPorts{
				Message: p.Message, Setup: p.Setup, Credits: p.Credits, Xoff: p.Xoff, Packet: p.Packet, Listed: p.Listed,
				Wake: wake.Sink(), Nudge: nudge.Source(), Prepare: prepare.Source(),
				Look: look.Out(), LookFor: lookFor.Out(), Known: known.In(), Take: take.Out(), Taken: taken.Out(), Open: open.Out(), Opened: opened.Out(),
				Over: end.Out(), EndedMessage: ended.Out(), Post: post.Out(), Posted: posted.Out(),
			})
			hdl.Instance(m, "transactions", Transactions(c), TransactionsPorts{
				Completed: p.Completed, Placed: p.Placed, Ended: p.Ended, Left: p.Left, Lookup: p.Lookup, Report: p.Report, Failed: p.Failed,
				Wake: wake.Source(), Nudge: nudge.Sink(), Prepare: prepare.Sink(),
				Look: look.In(), LookFor: lookFor.In(), Known: known.Out(), Take: take.In(), Taken: taken.In(), Open: open.In(), Opened: opened.In(),
				Over: end.In(), EndedMessage: ended.In(), Post: post.In(), Posted: posted.In(),
			})
		},
	}
}

func initiatorParams(c engine.Config) []hdl.Param {
	p := profileOf(c)
	return append(c.Params("streams", "ord", "send_depth", "max_payload"), hdl.Param{Name: "connections", Value: p.Connections},
		hdl.Param{Name: "window", Value: p.Window}, hdl.Param{Name: "buffer_octets", Value: p.BufferOctets})
}

// Connect gives a QP its connection while nothing of it is in progress.
type Connect struct {
	Stream  hdl.Value   `doc:"number of the QP"`
	Type    hdl.Value   `doc:"QP type: 0 RC, 1 UD, 2 XRC initiator, 3 XRC target, which has no requests"`
	CID     hdl.Value   `hdl:"cid" doc:"local number of the connection, of no other initiator"`
	Remote  hdl.Value   `doc:"number of the QP at the peer; 0 of a UD QP"`
	RSN     hdl.Value   `hdl:"rsn" doc:"Request Sequence Number of the first request"`
	Before  hdl.Value   `doc:"number before the first SN and RMSN"`
	Errors  hdl.Value   `doc:"error mode: 0 Verbs compatible, 1 complete in error (RoF 6.3)"`
	Single  hdl.Value   `doc:"1: a message that takes a receive has one packet"`
	Credits CreditCount // of the connection
	ORD     hdl.Value   `hdl:"ord" doc:"pulls under way (I-115); 0, or that of the configuration and more: the latter"`
}

// ConnectOf is the prototype.
func ConnectOf(c engine.Config) Connect {
	return Connect{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Type: hdl.Bits(typeOfQPBits), CID: profileOf(c).cid(), Remote: hdl.Bits(24), RSN: hdl.Bits(rsnBits), Before: hdl.Bits(sequenceBits), Errors: hdl.Bits(1), Single: hdl.Bits(1), Credits: creditCount(), ORD: hdl.Bits(ordBits)}
}

// ordBits is the width of an ORD: at most 256.
const ordBits = 9

// typeOfQPBits is the width of a QP type.
const typeOfQPBits = 2

// is is 1 for a QP of a type.
func (s Connect) is(t spec.QPType) hdl.Value { return s.Type.Is(uint64(t)) }

// Credits are those for requests that Falcon returns to a connection (FTP 8.2.3).
type Credits struct {
	CID   hdl.Value `hdl:"cid" doc:"local number of the connection"`
	Count CreditCount
}

// CreditsOf is the prototype.
func CreditsOf(c engine.Config) Credits {
	return Credits{CID: profileOf(c).cid(), Count: creditCount()}
}

// Returned is what Falcon returns to a connection, for requests and for responses.
type Returned struct {
	CID   hdl.Value `hdl:"cid" doc:"local number of the connection"`
	Count CreditCount
	Data  DataCount
}

// ReturnedOf is the prototype.
func ReturnedOf(c engine.Config) Returned {
	return Returned{CID: profileOf(c).cid(), Count: creditCount(), Data: dataCount()}
}

// CreditCount counts the resources of Falcon that requests need. A connection has fewer than 2^15 of each.
type CreditCount struct {
	TxPackets hdl.Value `doc:"Request Tx packets"`
	TxBuffers hdl.Value `doc:"Request Tx buffers"`
	RxPackets hdl.Value `doc:"Request Rx packets"`
	RxBuffers hdl.Value `doc:"Request Rx buffers"`
}

const creditBits = 16

func creditCount() CreditCount {
	n := hdl.Bits(creditBits)
	return CreditCount{n, n, n, n}
}

// plus and minus are the sums and differences by counter, modulo 2^16.
func (a CreditCount) plus(b CreditCount) CreditCount {
	return CreditCount{a.TxPackets.Add(b.TxPackets), a.TxBuffers.Add(b.TxBuffers), a.RxPackets.Add(b.RxPackets), a.RxBuffers.Add(b.RxBuffers)}
}

func (a CreditCount) minus(b CreditCount) CreditCount {
	return CreditCount{a.TxPackets.Sub(b.TxPackets), a.TxBuffers.Sub(b.TxBuffers), a.RxPackets.Sub(b.RxPackets), a.RxBuffers.Sub(b.RxBuffers)}
}

// negative is 1 if a counter is below zero.
func (a CreditCount) negative() hdl.Value {
	top := creditBits - 1
	return hdl.AnyOf(a.TxPackets.Bit(top), a.TxBuffers.Bit(top), a.RxPackets.Bit(top), a.RxBuffers.Bit(top))
}

// What falcon_requests and falcon_transactions tell each other. Messages of a QP are numbered modulo twice the ring, SendDepth.

// token names a QP.
type token struct {
	Stream hdl.Value `doc:"number of the QP"`
}

func tokenOf(c engine.Config) token { return token{hdl.Bits(block.IndexWidth(c.Streams))} }

// nudge is a message that may be complete though nothing of it has completed just now.
type nudge struct {
	Stream  hdl.Value `doc:"number of the QP"`
	Number  hdl.Value `doc:"of the message"`
	Unfit   hdl.Value `doc:"1: it fails: nothing of it is sent"`
	Refused hdl.Value `doc:"then: its QP goes on"`
}

func nudgeOf(c engine.Config) nudge {
	return nudge{hdl.Bits(block.IndexWidth(c.Streams)), hdl.Bits(numberBits(c)), hdl.Bits(1), hdl.Bits(1)}
}

// prepare empties the table for a QP in Error, or ends that state.
type prepare struct {
	Stream   hdl.Value `doc:"number of the QP"`
	CID      hdl.Value `hdl:"cid" doc:"local number of its connection"`
	Errors   hdl.Value `doc:"error mode"`
	Datagram hdl.Value `doc:"1: a UD QP"`
	Owns     hdl.Value `doc:"1: the connection is its own; 0: it has no requests"`
	First    hdl.Value `doc:"low bits of the first RMSN of its pulls"`
	Opens    hdl.Value `doc:"1: the QP is ready to send"`
}

func prepareOf(c engine.Config) prepare {
	return prepare{hdl.Bits(block.IndexWidth(c.Streams)), profileOf(c).cid(), hdl.Bits(1), hdl.Bits(1), hdl.Bits(1), hdl.Bits(pullBits(c) + 1), hdl.Bits(1)}
}

// lookFor asks what is known of a QP, a message, and the places of the next transaction.
type lookFor struct {
	Stream hdl.Value
	Slot   hdl.Value // of the message
	CID    hdl.Value `hdl:"cid"`
	Place  hdl.Value // RSN modulo the window
	Pull   hdl.Value // RMSN modulo ORD
	Oldest hdl.Value // the same of the pull that must be over
}

func lookForOf(c engine.Config) lookFor {
	return lookFor{hdl.Bits(block.IndexWidth(c.Streams)), hdl.Bits(block.IndexWidth(c.SendDepth)), profileOf(c).cid(), hdl.Bits(placeBits(c)), hdl.Bits(pullBits(c)), hdl.Bits(pullBits(c))}
}

// known is the answer.
type known struct {
	Failed     hdl.Value // the QP is in Error
	InError    hdl.Value // the message is
	Open       hdl.Value // the place has an open transaction
	Parity     hdl.Value // of the places' use
	PullOpen   hdl.Value // the oldest pull is open
	PullParity hdl.Value
	Pulls      hdl.Value // RMSN that the next pull would have if all were over that are not, modulo twice ORD
}

func knownOf(c engine.Config) known {
	bit := hdl.Bits(1)
	return known{bit, bit, bit, bit, bit, bit, hdl.Bits(pullBits(c) + 1)}
}

// taken is a place that gets a transaction.
type taken struct {
	Stream, CID, Place, Parity hdl.Value
	IsPull, Pull, PullParity   hdl.Value
}

func takenOf(c engine.Config) taken {
	l, bit := lookForOf(c), hdl.Bits(1)
	return taken{l.Stream, l.CID, l.Place, bit, bit, l.Pull, bit}
}

// opened is the transaction.
type opened struct {
	CID    hdl.Value `hdl:"cid"`
	RSN    hdl.Value `hdl:"rsn"`
	Owner  owner
	Expect expect
}

func openedOf(c engine.Config) opened {
	return opened{profileOf(c).cid(), hdl.Bits(rsnBits), ownerOf(c), expectOf()}
}

// endedMessage is a message of which no more is sent.
type endedMessage struct {
	Stream, Number hdl.Value
	Packets        hdl.Value // low bits of the number of its packets
	IsPull         hdl.Value
}

func endedOf(c engine.Config) endedMessage {
	n := nudgeOf(c)
	return endedMessage{n.Stream, n.Number, hdl.Bits(openBits(c)), hdl.Bits(1)}
}

// posted is how many messages a QP has posted.
type posted struct{ Stream, Count hdl.Value }

func postedOf(c engine.Config) posted {
	n := nudgeOf(c)
	return posted{n.Stream, n.Number}
}

// Widths: of the number of a message, of a place in the window, of the number of open transactions, of a place among pulls, of the number of
// a packet in its message, of its payload.
func numberBits(c engine.Config) int  { return block.IndexWidth(c.SendDepth) + 1 }
func placeBits(c engine.Config) int   { return block.IndexWidth(profileOf(c).Window) }
func openBits(c engine.Config) int    { return placeBits(c) + 1 }
func pullBits(c engine.Config) int    { return block.IndexWidth(c.ORD) }
func indexBits(c engine.Config) int   { return 32 - block.IndexWidth(c.MaxPayload) }
func payloadBits(c engine.Config) int { return bits.Len(uint(c.MaxPayload)) }
