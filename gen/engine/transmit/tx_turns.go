package transmit

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// TxTurnsPorts are messages in, their segments out.
type TxTurnsPorts struct {
	Message       hdl.Sink[engine.TxMessage]
	Weight        hdl.Sink[engine.TxWeight]
	Dropped       hdl.In `doc:"a segment of dropped_stream was dropped"`
	DroppedStream hdl.In `doc:"number of the stream"`
	Opened        hdl.In `doc:"opened_stream is opened or closed"`
	OpenedStream  hdl.In `doc:"number of the stream"`
	Command       hdl.Source[engine.TxCommand]
	Running       hdl.Out     `doc:"every stream has its state after reset"`
	Far           *TxFarPorts `hdl:"-"`
}

const txTurnsDoc = `tx_turns cuts messages into segments, one per cycle, and lets streams take turns by octets. The messages of a stream
leave in the order in which they came, each complete before the next one begins (RFC 5041 section 5.2). What waits
for its stream waits in a list of that stream, so that a message holds up no other stream; the lists share %[1]d
places.

A turn brings a stream %[2]d octets of header and payload times its weight. It lasts until the stream has nothing to
send, or to the first segment that is sent with less than %[3]d octets left; what is then left or overspent, less
than a segment, counts in the next turn, and so does the rest of the message. Without another stream that waits
nothing is spent.
%[4]s
When nothing waits, the first segment of a message leaves one cycle after the message came, otherwise a message is
queued. The last message of a stream waits for two cycles while another one of the stream arrives.

Of a stream of which a segment was dropped nothing is sent until it is opened again, so each of its messages ends
with the next segment.`

const txCrowdDoc = `
While %[1]d streams or more have something to send, and one of the last %[1]d segments was all that its stream had, a
turn brings %[2]d octets. A stream that still owes passes its turn on. So streams that have one short message at a time
send several in the time of a segment, instead of one.
`

// txDoc describes the block.
func txDoc(c engine.Config) string {
	crowd := ""
	if txCrowds(c) {
		crowd = fmt.Sprintf(txCrowdDoc, txCrowd, c.MaxPayload/txShare+headerRoom/2)
	}
	if c.HasFar() {
		crowd += fmt.Sprintf(txFarDoc, TxStagingSlots, c.FarBit)
	}
	return fmt.Sprintf(txTurnsDoc, txPlaces(c), turnOctets(c), txEnough(c), crowd)
}

// turnOctets is the credit of a turn at weight 1: the largest segment, so that a stream sends something in each turn. headerRoom, a power
// of two, is for its header.
func turnOctets(c engine.Config) int { return c.MaxPayload + headerRoom }

const headerRoom = 128

// txCrowd is the number of streams that have something to send from which on turns can be short: 1/txShare of a segment. A turn that is
// passed on takes a cycle, no more than the beats that it brings.
const (
	txCrowd = 16
	txShare = 8
)

// txEnough is the credit, in octets, with less than which a segment is the last one of a turn.
func txEnough(c engine.Config) int {
	if txCrowds(c) {
		return c.MaxPayload / txShare
	}
	return c.MaxPayload
}

// txCrowds is whether turns can be short.
func txCrowds(c engine.Config) bool { return c.Streams > txCrowd && c.MaxPayload >= txShare*c.BusBytes }

// txPlaces is the number of messages that wait: all that streams can have in progress, if they are few.
func txPlaces(c engine.Config) int {
	places := 4
	for places < 512 && places < c.Streams*(c.IRD+c.SendDepth+1) {
		places *= 2
	}
	return places
}

// TxTurns keeps a list of messages per stream, and a list of the streams that have some.
func TxTurns(c engine.Config) hdl.Block[TxTurnsPorts] {
	sw := block.IndexWidth(c.Streams)
	return hdl.Block[TxTurnsPorts]{
		Kind: "tx_turns", Params: c.Params("bus_bytes", "streams", "ird", "send_depth", "max_payload", "far_memory_bit"),
		Doc: txDoc(c),
		Ports: TxTurnsPorts{Message: hdl.NewSink(engine.TxMessageOf(c)), Weight: hdl.NewSink(engine.TxWeightOf(c.Streams)),
			Dropped: hdl.NewIn(1), DroppedStream: hdl.NewIn(sw), Opened: hdl.NewIn(1), OpenedStream: hdl.NewIn(sw),
			Command: hdl.NewSource(engine.TxCommandOf(c)), Running: hdl.NewOut(1), Far: TxFarPortsOf(c)},
		Build: func(m *hdl.Module, p TxTurnsPorts) { buildTxTurns(m, p, c) },
	}
}

// txToken stands for a stream that has something to send. It is in the list, or the stream has its turn.
type txToken struct {
	Stream hdl.Value // number of the stream
	Place  hdl.Value // of its oldest message
	Index  hdl.Value // segments of that message that have left
	Last   hdl.Value // its next segment is the last one
	Credit hdl.Value // octets, signed
	Parity hdl.Value // of the tokens that the stream has had
	Far    any       `hdl:"-"` // *engine.Far: of its oldest message
}

// txSize is what a message that waits costs.
type txSize struct {
	Behind     hdl.Value // segments after the first one
	LastLength hdl.Value // octets of payload of the last segment
	LastOctets hdl.Value // of the last segment, with its header
	Header     hdl.Value // octets of the header
}

// txContents is what a message that waits sends.
type txContents struct {
	Kind, Number         hdl.Value // as in the message
	HeaderLength, Header hdl.Value
	Address              hdl.Value
	Tag                  any
}

// txLink leads from a message to the next one of its stream.
type txLink struct {
	Place hdl.Value
	Last  hdl.Value // it has one segment
	Far   any       `hdl:"-"` // *engine.Far
}

// txQueue is the state of the list of a stream.
type txQueue struct {
	Last   hdl.Value // place of the newest message
	Parity hdl.Value // of the tokens that the stream has had; there is one unless it is that of those taken back
}

// txTurns is what the parts of the block share.
type txTurns struct {
	*hdl.Module
	p     TxTurnsPorts
	c     engine.Config
	sweep block.Sweep

	sizes, contents, next *hdl.Memory // by place
	queues                block.Loop
	retired               block.Context // parity of the tokens taken back
	gone                  txGone        // a token that was taken back in the cycle before
	changes               struct{ opened, dropped txChange }

	taken    struct{ is, stream hdl.Value }        // a message that is accepted
	arriving struct{ is, stream, place hdl.Value } // a message that gets into the list of its stream
	fresh    hdl.Sink[txToken]                     // of streams that had nothing to send
	again    hdl.Source[txToken]
	freed    hdl.Source[txPlace]
	begins   hdl.Value // a stream that had nothing to send has something
	left     hdl.Wire  // the last segment of a message that waited leaves
	sent     hdl.Wire  // a segment of a message that waited goes
	far      txFar     // if some memory is far
}

// txGone is a token that was taken back.
type txGone struct{ is, stream, parity hdl.Reg }

// txPlace is the number of a place.
type txPlace struct{ Place hdl.Value }

// Widths. A payload of a segment has up to MaxPayload octets, a power of two.
func (t *txTurns) lengthBits() int { return block.IndexWidth(t.c.MaxPayload) + 1 }
func (t *txTurns) indexBits() int  { return 33 - t.lengthBits() }
func (t *txTurns) placeBits() int  { return block.IndexWidth(txPlaces(t.c)) }
func (t *txTurns) creditBits() int { return t.lengthBits() + engine.WeightBits + 1 }

func (t *txTurns) place() txPlace { return txPlace{hdl.Bits(t.placeBits())} }
func (t *txTurns) link() txLink {
	return txLink{hdl.Bits(t.placeBits()), hdl.Bits(1), engine.FarOf(t.c, hdl.Bits(1))}
}
func (t *txTurns) queue() txQueue { return txQueue{hdl.Bits(t.placeBits()), hdl.Bits(1)} }

func (t *txTurns) token() txToken {
	return txToken{hdl.Bits(block.IndexWidth(t.c.Streams)), hdl.Bits(t.placeBits()), hdl.Bits(t.indexBits()), hdl.Bits(1), hdl.Bits(t.creditBits()), hdl.Bits(1), engine.FarOf(t.c, hdl.Bits(1))}
}

func (t *txTurns) size() txSize {
	return txSize{hdl.Bits(t.indexBits()), hdl.Bits(t.lengthBits()), hdl.Bits(t.lengthBits() + 1), engine.TxMessageOf(t.c).HeaderLength}
}

func (t *txTurns) content() txContents {
	m := engine.TxMessageOf(t.c)
	return txContents{Kind: m.Kind, Number: m.Number, HeaderLength: m.HeaderLength, Header: m.Header, Address: m.Address, Tag: m.Tag}
}

func buildTxTurns(m *hdl.Module, p TxTurnsPorts, c engine.Config) {
	t := &txTurns{Module: m, p: p, c: c, sweep: block.NewSweep(m, block.IndexWidth(c.Streams)), left: m.Wire("message_left", 1)}
	m.Drive(p.Running, t.sweep.Done)
	t.sizes = m.Memory("sizes", hdl.PackedWidth(t.size()), txPlaces(c))
	t.contents = m.Memory("contents", hdl.PackedWidth(t.content()), txPlaces(c))
	t.next = m.Memory("next", hdl.PackedWidth(t.link()), txPlaces(c))
	t.retired = block.NewContext(m, "retired", hdl.Zero(1), t.sweep)
	t.gone = txGone{m.Reg("gone_q", 1, hdl.ResetTo(0)), m.Reg("gone_stream_q", t.token().Stream.Width(), hdl.NoReset), m.Reg("gone_parity_q", 1, hdl.NoReset)}
	if c.HasFar() {
		t.far = newTxFar(t)
	}
	commands := block.NewOffer(m, "command", engine.TxCommandOf(c), p.Command)
	first, opens := t.accept(commands.Free)
	pieces := hdl.NewStream(m, "cut_next", t.piece())
	next, after := t.list()
	t.turn(next, after, pieces.Source())
	segment, isCut := t.cut(pieces.Sink(), commands.Free)
	m.Drive(t.left.Out(), hdl.AllOf(isCut, commands.Free, segment.Final))
	m.Section("Command")
	command := hdl.Mux(isCut, hdl.Pack(segment), hdl.Pack(first))
	commands.Drive(m.Let("command_enters", opens.Or(isCut)), hdl.Unpack(engine.TxCommandOf(c), command))
}
