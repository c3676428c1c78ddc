package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// RequestsPorts are messages in, their packets out.
type RequestsPorts struct {
	Message hdl.Sink[engine.TxMessage] `doc:"a work request of the requester, not cut, of at most send_depth per QP that are not reported; of its tag only the type, the fence, unfit and refused count, and its Destination QP is 0 unless it is a datagram"`
	Setup   hdl.Sink[Connect]
	Credits hdl.Sink[Credits]
	Wake    hdl.Sink[token] `doc:"a transaction of the QP is over"`
	Xoff    hdl.In          `doc:"1: no requests are sent (I-76)"`
	Packet  hdl.Source[engine.TxMessage]
	Listed  ListedElement
	Nudge   hdl.Source[nudge]
	Prepare hdl.Source[prepare]

	Look         hdl.Out `doc:"fetch what is known"`
	LookFor      hdl.Out `doc:"packed lookFor"`
	Known        hdl.In  `doc:"packed known, in the next cycle"`
	Take         hdl.Out `doc:"a place gets a transaction"`
	Taken        hdl.Out `doc:"packed taken"`
	Open         hdl.Out `doc:"the transaction; its packet follows"`
	Opened       hdl.Out `doc:"packed opened"`
	Over         hdl.Out `doc:"no more of a message is sent"`
	EndedMessage hdl.Out `doc:"packed endedMessage"`
	Post         hdl.Out `doc:"a message is there"`
	Posted       hdl.Out `doc:"packed posted"`
}

const requestsDoc = `falcon_requests cuts the messages of each QP into requests of at most %[1]d octets of payload, and numbers them (RDMA over
Falcon 6.7, 8): SN and RSN count the requests of the connection, RMSN those messages of the QP that take a receive and,
apart from them, its pulls. The messages of a QP are sent in order.

A request may leave if the places of its SN and, of a pull, of its RMSN are free, which is so when fewer than %[2]d
requests and fewer than %[3]d pulls have been sent since the oldest one that is not over (I-102, I-115), or than the ORD of the QP; if the connection
has the credits that it costs (FTP 8.2.3, buffers of %[4]d octets), of which a datagram needs none; if it is the first one of
a fenced message, when no pull of the QP is open; and not while xoff is 1. All of these are looked up beside the path of
the packet, in the cycle before it is decided.

A QP with messages has one token, which is in the list of QPs that may have a turn, or has a turn. A turn sends a packet
per cycle. It ends with the first packet that may not leave, when the QP has nothing to send, or after %[5]d packets if
another QP waits. A token is taken back when the QP has nothing to send, or has to wait in two turns; it returns with a
message, and if the QP waits, with credits or when a transaction is over. So a QP that has to wait holds up no other.

When a transaction of a message has failed, a push ends with a packet with CE = 1 and no payload, and no more pulls are
sent (I-74, I-111). Nothing is sent of a QP in Error. Nor is anything of an unfit message: in its turn, when xoff and fence allow,
falcon_transactions is told; if errors are Verbs compatible, which end the QP, the QP sends no more. A message that its QP cannot have (RoF 6.4)
is refused: it is unfit, but its QP goes on.

A message arrives as one beat for each element of its local buffer, the same but for what depends on the element, and counts with
the last one. A pull asks for octets of one element. An element without octets has none, unless no element has some (I-122); it
takes the turn of a packet.

The RETH Length of a work request is that of its message; a packet has its own, its VA, offset, and STETH VA.`

// turnPackets is how many packets a QP may send before the next QP has its turn; packetDepth is the buffer at the end of the pipeline.
const (
	turnPackets = 4
	packetDepth = 16
)

// Requests keeps a ring of messages per QP, and a word of state.
func Requests(c engine.Config) hdl.Block[RequestsPorts] {
	p := profileOf(c)
	return hdl.Block[RequestsPorts]{
		Kind: "falcon_requests", Params: initiatorParams(c), Options: orderOptions(profileOf(c).Order),
		Doc: fmt.Sprintf(requestsDoc, c.MaxPayload, p.Window, c.ORD, p.BufferOctets, turnPackets),
		Ports: RequestsPorts{
			Message: hdl.NewSink(engine.TxMessageOf(c)), Setup: hdl.NewSink(ConnectOf(c)), Credits: hdl.NewSink(CreditsOf(c)), Wake: hdl.NewSink(tokenOf(c)),
			Xoff: hdl.NewIn(1), Packet: hdl.NewSource(engine.TxMessageOf(c)), Listed: listedElementOf(c), Nudge: hdl.NewSource(nudgeOf(c)), Prepare: hdl.NewSource(prepareOf(c)),
			Look: hdl.NewOut(1), LookFor: hdl.NewOut(hdl.PackedWidth(lookForOf(c))), Known: hdl.NewIn(hdl.PackedWidth(knownOf(c))),
			Take: hdl.NewOut(1), Taken: hdl.NewOut(hdl.PackedWidth(takenOf(c))), Open: hdl.NewOut(1), Opened: hdl.NewOut(hdl.PackedWidth(openedOf(c))),
			Over: hdl.NewOut(1), EndedMessage: hdl.NewOut(hdl.PackedWidth(endedOf(c))), Post: hdl.NewOut(1), Posted: hdl.NewOut(hdl.PackedWidth(postedOf(c))),
		},
		Build: func(m *hdl.Module, p RequestsPorts) { buildRequests(m, p, c) },
	}
}

// sendState is how far a QP has sent its messages.
type sendState struct {
	Number   hdl.Value // of the message that is sent next
	Element  hdl.Value // its place; of a Read that of the element that is asked for next
	Index    hdl.Value // of the packet that is sent next, in the message, or in the element
	Begun    hdl.Value // it is not the first one of the message
	Last     hdl.Value // then: it is the last one, in the same
	Sent     hdl.Value // low bits of the number of packets of the message
	Broken   hdl.Value // a transaction of the message has failed
	SN       hdl.Value `hdl:"sn"`
	Place    hdl.Value // RSN modulo the window
	SendRMSN hdl.Value `hdl:"send_rmsn"`
	PullRMSN hdl.Value `hdl:"pull_rmsn"`
}

func sendStateOf(c engine.Config) sendState {
	word := hdl.Bits(32)
	return sendState{Number: hdl.Bits(numberBits(c)), Element: hdl.Bits(numberBits(c)), Index: hdl.Bits(indexBits(c)), Begun: hdl.Bits(1), Last: hdl.Bits(1),
		Sent: hdl.Bits(openBits(c)), Broken: hdl.Bits(1), SN: word, Place: hdl.Bits(placeBits(c)), SendRMSN: word, PullRMSN: word}
}

// setting is the set-up of a QP.
type setting struct {
	CID    hdl.Value `hdl:"cid"`
	Remote hdl.Value
	Ahead  hdl.Value // RSN - SN of each request
	Verbs  hdl.Value // its errors are Verbs compatible
	Pulls  pullLimit
}

func settingOf(c engine.Config) setting {
	return setting{profileOf(c).cid(), hdl.Bits(24), hdl.Bits(32), hdl.Bits(1), pullLimitProto(c)}
}

// pullLimit is the ORD of a QP.
type pullLimit struct {
	Back hdl.Value // modulo that of the configuration, from which it differs by 0 then
	Few  hdl.Value // a turn sends one pull: what has been sent is looked up too late for the next ones
}

func pullLimitProto(c engine.Config) pullLimit {
	return pullLimit{hdl.Bits(pullBits(c)), hdl.Bits(1)}
}

// pullLimitOf is the limit of a set-up.
func pullLimitOf(m *hdl.Module, c engine.Config, ord hdl.Value) pullLimit {
	high, low := ord.Slice(ordBits-1, pullBits(c)), ord.Truncate(pullBits(c))
	back := m.Let("set_pulls_back", low.And(high.IsZero().Replicate(pullBits(c))))
	few := hdl.Ones(1)
	if c.ORD >= turnPackets {
		few = back.Any()
	}
	if c.ORD > turnPackets {
		few = few.And(back.Lt(hdl.Const(pullBits(c), turnPackets)))
	}
	return pullLimit{back, few}
}

// requests is what the parts of the block share.
type requests struct {
	*hdl.Module
	c     engine.Config
	p     RequestsPorts
	sweep block.Sweep
	pipe  *block.Pipeline

	posted, settings, rules, states, used, retired, waits, owners, places block.Context

	posts, wakes, granted block.Loop
	messages, infos       *hdl.Memory // by place

	gate  hdl.Wire  // a set-up is carried out soon: nothing new begins
	holds hdl.Reg   // no turn begins or goes on
	held  hdl.Value // in the next cycle
	sets  hdl.Wire  // a set-up is carried out in this cycle

	new, again hdl.Source[token] // lists of tokens
	next       hdl.Sink[token]
	woken      struct{ is, stream hdl.Value } // a QP is woken in this cycle

	total      *block.Signal                  // words of a candidate with its headers
	writeState func(state, used block.Change) // writes the words of a QP, others before this one

	tellOver func(when hdl.Value, message endedMessage) // the same of messages that are over

	setupHas hdl.Value // of a set-up: its QP has a token
	busy     hdl.Value // a turn is given, or its packets are decided
}

func buildRequests(m *hdl.Module, p RequestsPorts, c engine.Config) {
	sweep := block.NewSweep(m, block.IndexWidth(c.Streams))
	u := &requests{Module: m, c: c, p: p, sweep: sweep, gate: m.Wire("gate", 1), sets: m.Wire("sets_up", 1)}
	context := func(name string, width int) block.Context { return block.NewContext(m, name, hdl.Zero(width), sweep) }
	u.posted, u.settings, u.states = context("posted_counts", numberBits(c)), context("settings", hdl.PackedWidth(settingOf(c))), context("send_state", hdl.PackedWidth(sendStateOf(c)))
	u.used, u.retired = context("used_credits", hdl.PackedWidth(creditCount())), context("retired", 1)
	u.rules = context("rules", hdl.PackedWidth(requestRulesOf()))
	u.waits, u.places = context("waits", 1), context("posted_places", numberBits(c))
	u.messages = m.Memory("messages", hdl.PackedWidth(heldMessageOf(c)), c.Streams*c.SendDepth)
	u.infos = m.Memory("infos", hdl.PackedWidth(infoOf(c)), c.Streams*c.SendDepth)
	u.holds = m.Reg("holds_q", 1, hdl.ResetTo(1))
	u.held = m.Let("is_held", u.gate.Value.Or(sweep.Done.Not()))
	m.OnClock(u.holds.Set(u.held))
	m.Section("Whose turn is next: QPs with a new token, again")
	u.lists()
	posts := u.accept()
	credits := u.credits()
	u.wake(posts, credits)
	u.turns()
	u.setup()
	u.pipe.Close()
}

// lists are the lists of tokens, with room for those of all QPs.
func (u *requests) lists() {
	m, c := u.Module, u.c
	list := func(name string) (hdl.Source[token], hdl.Sink[token]) {
		in, out := hdl.NewStream(m, name, tokenOf(c)), hdl.NewStream(m, name+"_first", tokenOf(c))
		block.Fifo(m, name+"_list", max(2, c.Streams), in.Sink(), out.Source())
		return in.Source(), out.Sink()
	}
	fresh, first := list("new")
	again, other := list("again")
	both := hdl.NewStream(m, "next_token", tokenOf(c))
	block.Merge(m, "tokens", first, other, both.Source())
	u.new, u.again, u.next = fresh, again, both.Sink()
}

// push puts a token in a list.
func (u *requests) push(list hdl.Source[token], when, stream hdl.Value) {
	list.Drive(u.Module, when, token{stream})
	u.Unused("there is room for all tokens", list.Ready)
}

// slot is the address of a message in the memories of slots.
func slot(stream, number hdl.Value) hdl.Value {
	return hdl.Cat(stream, number.Truncate(number.Width()-1))
}

// later is v in the next cycle.
func (u *requests) later(name string, v hdl.Value) hdl.Value {
	r := u.Reg(name, v.Width(), hdl.NoReset)
	u.OnClock(r.Set(v))
	return r.Value
}

// laterBit is a condition in the next cycle, 0 after reset.
func (u *requests) laterBit(name string, v hdl.Value) hdl.Value {
	r := u.Reg(name, 1, hdl.ResetTo(0))
	u.OnClock(r.Set(v))
	return r.Value
}

// unswept is for memories whose words have a meaning from their first write on.
func unswept(bits int) block.Sweep { return block.Sweep{Done: hdl.Ones(1), Row: hdl.Zero(bits)} }
