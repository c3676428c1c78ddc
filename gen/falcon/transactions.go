package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// Completed is the completion of a push, or of a pull that Falcon has given up (FTP 11).
type Completed struct {
	CID  hdl.Value `hdl:"cid" doc:"local number of the connection"`
	RSN  hdl.Value `hdl:"rsn" doc:"Request Sequence Number"`
	Code hdl.Value `doc:"completion code"`
	ULP  hdl.Value `hdl:"ulp" doc:"ULP NACK code of code 1, complete in error"`
}

// CompletedOf is the prototype.
func CompletedOf(c engine.Config) Completed {
	return Completed{CID: profileOf(c).cid(), RSN: hdl.Bits(rsnBits), Code: hdl.Bits(completionBits), ULP: hdl.Bits(codeBits)}
}

// completionBits is the width of a completion code: FTP 11.
const completionBits = 4

// Placed is a response of which all payload is in memory, or one that does not fit or is in error (I-106).
type Placed struct {
	CID    hdl.Value `hdl:"cid" doc:"local number of the connection"`
	RSN    hdl.Value `hdl:"rsn" doc:"Request Sequence Number"`
	Status hdl.Value `doc:"of the work request: 0 success"`
	Data   hdl.Value `doc:"Original Data of an Atomic, 0 for a Read"`
}

// PlacedOf is the prototype.
func PlacedOf(c engine.Config) Placed {
	return Placed{CID: profileOf(c).cid(), RSN: hdl.Bits(rsnBits), Status: hdl.Bits(statusBits), Data: hdl.Bits(64)}
}

// Lookup is a read port of the table: what the response to a transaction must fit.
type Lookup struct {
	Enable   hdl.In
	CID      hdl.In  `hdl:"cid" doc:"local number of the connection"`
	RSN      hdl.In  `hdl:"rsn" doc:"Request Sequence Number"`
	Expected hdl.Out `doc:"packed, in the next cycle, until the next lookup"`
}

func lookupOf(c engine.Config) Lookup {
	return Lookup{hdl.NewIn(1), hdl.NewIn(profileOf(c).cid().Width()), hdl.NewIn(rsnBits), hdl.NewOut(hdl.PackedWidth(ExpectedOf(c)))}
}

// Expected is the answer of a lookup. Of an open transaction and one that is not a pull only the first two count.
type Expected struct {
	Open   hdl.Value // there is an open transaction
	Pull   hdl.Value // it is a pull
	Stream hdl.Value // its QP
	SN     hdl.Value `hdl:"sn"`
	Atomic hdl.Value // of a pull: an Atomic, else a Read
	SinkVA hdl.Value `hdl:"sink_va"`
	LKey   hdl.Value `hdl:"l_key"`
	Length hdl.Value // octets of payload of the response: 0 of an Atomic
}

// ExpectedOf is the prototype.
func ExpectedOf(c engine.Config) Expected {
	e := expectOf()
	return Expected{Open: hdl.Bits(1), Pull: hdl.Bits(1), Stream: hdl.Bits(block.IndexWidth(c.Streams)), SN: e.SN, Atomic: e.Atomic, SinkVA: e.SinkVA, LKey: e.LKey, Length: e.Length}
}

// owner is whose transaction it is.
type owner struct {
	RSN    hdl.Value `hdl:"rsn"`
	Stream hdl.Value
	Number hdl.Value // of the message
	Pull   hdl.Value
	Place  hdl.Value // of a pull: RMSN modulo ORD
}

func ownerOf(c engine.Config) owner {
	n := nudgeOf(c)
	return owner{hdl.Bits(rsnBits), n.Stream, n.Number, hdl.Bits(1), hdl.Bits(pullBits(c))}
}

// expect is what its response must fit.
type expect struct {
	SN     hdl.Value `hdl:"sn"`
	Atomic hdl.Value
	SinkVA hdl.Value `hdl:"sink_va"`
	LKey   hdl.Value `hdl:"l_key"`
	Length hdl.Value
}

func expectOf() expect {
	return expect{hdl.Bits(32), hdl.Bits(1), hdl.Bits(64), hdl.Bits(32), hdl.Bits(lengthBits)}
}

// TransactionsPorts follow transactions to their end.
type TransactionsPorts struct {
	Completed hdl.Sink[Completed]
	Placed    hdl.Sink[Placed]
	Ended     hdl.Sink[engine.Ended]    `doc:"a QP went to Error"`
	Left      hdl.Sink[engine.TxReport] `doc:"a packet has left, or was dropped"`
	Nudge     hdl.Sink[nudge]
	Prepare   hdl.Sink[prepare]
	Lookup    Lookup
	Report    hdl.Source[engine.TxReport]
	Failed    hdl.Source[engine.Failure]
	Wake      hdl.Source[token]

	Look         hdl.In  `doc:"fetch what is known"`
	LookFor      hdl.In  `doc:"packed lookFor"`
	Known        hdl.Out `doc:"packed known, in the next cycle"`
	Take         hdl.In  `doc:"a place gets a transaction"`
	Taken        hdl.In  `doc:"packed taken"`
	Open         hdl.In  `doc:"the transaction; its packet follows"`
	Opened       hdl.In  `doc:"packed opened"`
	Over         hdl.In  `doc:"no more of a message is sent"`
	EndedMessage hdl.In  `doc:"packed endedMessage"`
	Post         hdl.In  `doc:"a message is there"`
	Posted       hdl.In  `doc:"packed posted"`
}

const transactionsDoc = `falcon_transactions holds the open transactions of this node in a table of %[1]d places per connection: a transaction is in
that of its RSN modulo %[1]d. The completion of Falcon, or the response, closes it, in any order; a completion or response
of another RSN, or of a QP in Error, has no effect.

The work requests of a QP are reported in posting order: one is complete when no more of its message is sent and all its
transactions are closed. Its status is its first error in time (I-64). An error of the completion code, or of any kind with
Verbs compatible errors, ends the QP (I-65), but not a UD QP (I-105), unless the message is unfit, which counts as a transaction
that fails with the look at it: a failure is reported to the receive side. One that is refused ends no QP. When a QP is in Error, its work requests are reported as dropped, those that have an error with it, once all its packets have left.

One event per cycle is taken: a completion, a response, the end of a QP, or a look at the oldest message of a QP, which
follows when the message ahead of it is reported and others were complete before. A set-up closes all places of its
connection and takes a cycle for each.`

// Transactions keeps the table, a word per message in progress, and words per QP.
func Transactions(c engine.Config) hdl.Block[TransactionsPorts] {
	return hdl.Block[TransactionsPorts]{
		Kind: "falcon_transactions", Params: initiatorParams(c), Doc: fmt.Sprintf(transactionsDoc, profileOf(c).Window),
		Ports: TransactionsPorts{
			Completed: hdl.NewSink(CompletedOf(c)), Placed: hdl.NewSink(PlacedOf(c)), Ended: hdl.NewSink(engine.EndedOf(c.Streams)), Left: hdl.NewSink(engine.TxReportOf(c)),
			Nudge: hdl.NewSink(nudgeOf(c)), Prepare: hdl.NewSink(prepareOf(c)), Lookup: lookupOf(c),
			Report: hdl.NewSource(engine.WorkReportOf(c)), Failed: hdl.NewSource(engine.FailureOf(c)), Wake: hdl.NewSource(tokenOf(c)),
			Look: hdl.NewIn(1), LookFor: hdl.NewIn(hdl.PackedWidth(lookForOf(c))), Known: hdl.NewOut(hdl.PackedWidth(knownOf(c))),
			Take: hdl.NewIn(1), Taken: hdl.NewIn(hdl.PackedWidth(takenOf(c))), Open: hdl.NewIn(1), Opened: hdl.NewIn(hdl.PackedWidth(openedOf(c))),
			Over: hdl.NewIn(1), EndedMessage: hdl.NewIn(hdl.PackedWidth(endedOf(c))), Post: hdl.NewIn(1), Posted: hdl.NewIn(hdl.PackedWidth(postedOf(c))),
		},
		Build: func(m *hdl.Module, p TransactionsPorts) { buildTransactions(m, p, c) },
	}
}

// transactions is what the parts of the block share.
type transactions struct {
	*hdl.Module
	c      engine.Config
	p      TransactionsPorts
	sweep  block.Sweep
	places block.Sweep // of transactions: no set-up is taken before it
	pipe   *block.Pipeline

	owners, expects      *hdl.Memory // by place
	opens, closes        *hdl.Memory // a place is open if they differ
	pullOpens, pullClose *hdl.Memory // the same of pulls
	packets, originals   *hdl.Memory // by message

	fates, progress, outcomes block.Stage
	sent, left                block.Loop
	ended, posted, modes      block.Context

	reports block.Reserved[engine.TxReport]
	wakes   block.Reserved[token]

	leaves struct { // a packet has left
		is, stream hdl.Value
		failed     hdl.Wire // in the next cycle: its QP is in Error
	}
	drained hdl.Source[nudge] // QPs in Error of which a packet has left

	pokes hdl.Source[token] // QPs whose oldest message is looked at
	poked hdl.Sink[token]
}

func buildTransactions(m *hdl.Module, p TransactionsPorts, c engine.Config) {
	u := &transactions{Module: m, c: c, p: p, sweep: block.NewSweep(m, block.IndexWidth(c.Streams))}
	places, pulls := profileOf(c).Connections*profileOf(c).Window, c.Streams*c.ORD
	u.places = block.NewNamedSweep(m, "place_", block.IndexWidth(max(places, pulls)))
	u.owners, u.expects = m.Memory("owners", hdl.PackedWidth(ownerOf(c)), places), m.Memory("expected", hdl.PackedWidth(expectOf()), places)
	u.opens, u.closes = m.Memory("opens", 1, places), m.Memory("closes", 1, places)
	u.pullOpens, u.pullClose = m.Memory("pull_opens", 1, pulls), m.Memory("pull_closes", 1, pulls)
	u.packets, u.originals = m.Memory("packets", hdl.PackedWidth(messageEndOf(c)), c.Streams*c.SendDepth), m.Memory("originals", 64, c.Streams*c.SendDepth)
	u.ended, u.posted = block.NewContext(m, "ended_counts", hdl.Zero(numberBits(c)), u.sweep), block.NewContext(m, "posted_counts", hdl.Zero(numberBits(c)), u.sweep)
	u.modes = block.NewContext(m, "modes", hdl.Zero(hdl.PackedWidth(modeOf())), unswept(block.IndexWidth(c.Streams)))
	poke, poked := hdl.NewStream(m, "poke", tokenOf(c)), hdl.NewStream(m, "poked", tokenOf(c))
	block.Fifo(m, "pokes", 16, poke.Sink(), poked.Source())
	u.pokes, u.poked = poke.Source(), poked.Sink()
	drained := hdl.NewStream(m, "drained_nudge", nudgeOf(c))
	u.drained = drained.Source()
	u.store()
	e := u.events(drained.Sink())
	f := u.find(e)
	u.decide(f, u.weigh(f))
	u.pipe.Close()
	u.lookup()
}

// messageEnd is what a message has sent.
type messageEnd struct {
	Packets hdl.Value // low bits of their number
	Fewer   hdl.Value // one less
	Pull    hdl.Value
}

func messageEndOf(c engine.Config) messageEnd {
	return messageEnd{hdl.Bits(openBits(c)), hdl.Bits(openBits(c)), hdl.Bits(1)}
}

// store keeps what falcon_requests tells.
func (u *transactions) store() {
	m, c, p := u.Module, u.c, u.p
	m.Section("What is sent: transactions, ends of messages, messages")
	t := hdl.LetOf(m, "taken", hdl.Unpack(takenOf(c), p.Taken.Value))
	u.set(u.opens, "opens", p.Take.Value, hdl.Cat(t.CID, t.Place), t.Parity)
	u.set(u.pullOpens, "pull_opens", p.Take.Value.And(t.IsPull), hdl.Cat(t.Stream, t.Pull), t.PullParity)
	o := hdl.LetOf(m, "opened", hdl.Unpack(openedOf(c), p.Opened.Value))
	place := m.Let("opened_place", hdl.Cat(o.CID, o.RSN.Truncate(placeBits(c))))
	m.Unused("it is in the owner", o.RSN)
	u.owners.Write(p.Open.Value, place, hdl.Pack(o.Owner))
	u.expects.Write(p.Open.Value, place, hdl.Pack(o.Expect))
	e := hdl.LetOf(m, "ended_message", hdl.Unpack(endedOf(c), p.EndedMessage.Value))
	u.packets.Write(p.Over.Value, slot(e.Stream, e.Number), hdl.Pack(messageEnd{e.Packets, e.Packets.Minus(1), e.IsPull}))
	u.ended.Write(block.Change{When: p.Over.Value, Stream: e.Stream, Word: e.Number.Plus(1)})
	posted := hdl.LetOf(m, "posted", hdl.Unpack(postedOf(c), p.Posted.Value))
	u.posted.Write(block.Change{When: p.Post.Value, Stream: posted.Stream, Word: posted.Count})

	m.Section("Packets of each QP: sent, and left")
	count := func(name string, in hdl.Value, stream hdl.Value) block.Loop {
		deciding, decided := m.Reg(name+"_counts_q", 1, hdl.ResetTo(0)), m.Reg(name+"_counted_q", stream.Width(), hdl.NoReset)
		m.OnClock(deciding.Set(in), decided.Set(stream))
		l := block.NewContext(m, name+"_packets", hdl.Zero(packetBits), u.sweep).Loop(block.LoopUser{Read: in, Stream: stream, Deciding: deciding.Value, Decided: decided.Value})
		l.Decide(l.Now.Plus(1))
		return l
	}
	u.sent = count("sent", p.Take.Value, t.Stream)
	u.left = u.countLeft(count)
}

// set writes a bit of a memory by place, which is cleared after reset.
func (u *transactions) set(to *hdl.Memory, name string, is, place, v hdl.Value) {
	m, clears := u.Module, u.places.Done.Not()
	to.Write(m.Let("write_"+name, is.Or(clears)), m.Let(name+"_row", hdl.Mux(clears, u.places.Row.Truncate(place.Width()), place)), v.And(clears.Not()))
}

// packetBits is the width of a count of packets of a QP: fewer have not left.
const packetBits = 16

// countLeft counts the packets that have left. With the last one of a QP in Error its messages may be dropped.
func (u *transactions) countLeft(count func(name string, in, stream hdl.Value) block.Loop) block.Loop {
	m, c, p := u.Module, u.c, u.p
	in := hdl.NewStream(m, "left_report", engine.TxReportOf(c))
	block.Between(m, "next_left", p.Left, in.Source())
	r := in.Sink().Data
	m.Unused("any packet counts", r.Final, r.Dropped)
	queue := block.NewReserved(m, "drained", 4, nudgeOf(c), u.drained)
	ready := m.Let("takes_left", u.sweep.Done.And(queue.Room))
	in.Sink().Accept(m, ready)
	takes := m.Let("takes_report", in.Sink().Valid.And(ready))
	is := m.Let("left_message", takes.And(r.Kind.Eq(c.Kinds().NameSend(m, engine.KindMessage))))
	l := count("left", is, r.Stream)
	asks, counted, stream := m.Reg("left_q", 1, hdl.ResetTo(0)), m.Reg("left_is_message_q", 1, hdl.NoReset), m.Reg("left_stream_q", r.Stream.Width(), hdl.NoReset)
	m.OnClock(asks.Set(takes), counted.Set(is), stream.Set(r.Stream))
	u.leaves.is, u.leaves.stream, u.leaves.failed = takes, r.Stream, m.Wire("left_of_failed", 1)
	tells := m.Let("left_tells", hdl.AllOf(asks.Value, counted.Value, u.leaves.failed.Value))
	queue.Drive(takes, asks.And(tells.Not()), tells, nudge{stream.Value, hdl.Zero(numberBits(c)), hdl.Zero(1), hdl.Zero(1)})
	return l
}
