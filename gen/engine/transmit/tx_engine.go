package transmit

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// TxEnginePorts send segments.
type TxEnginePorts struct {
	Command hdl.Sink[engine.TxCommand]
	Opening *hdl.Sink[engine.Opening] // nil for numbered segments
	Memory  block.AXIReader           `hdl:"m_axi"`
	Tx      hdl.Source[block.Beat]    `hdl:"m_axis_tx"`
	Report  hdl.Source[engine.TxReport]
	Credit  hdl.Source[engine.Credit] `doc:"a request of the peer that has been answered"`
	Failed  hdl.Source[engine.Failure]
}

const txEngineDoc = `tx_engine sends segments in command order, each as one packet: header, then payload from memory. Payload is fetched
ahead, for %d beats of segments, to hide the latency of memory: m_axis_tx has a beat in every cycle as long as
memory delivers one per cycle and the segments have as many beats as their payload has in memory. Once that many
beats wait, no more commands are accepted from the second cycle on, so that later ones need not wait longer;
a command whose fetch is on offer is still accepted. A segment starts when all its payload is present; one without
payload starts one cycle after its command if nothing is ahead or sent. The first command that finds a segment being
sent waits for two cycles more.

`

const txStreamsDoc = `Not sent are: segments of a stream that is not open; a segment whose payload memory reported an error for, which is
reported as a failure, and from then on everything of its stream except the end, sent or silent; everything after
that end. Each command is reported in order when its last beat is accepted or when it is dropped. A command with
header_length 0 sends nothing and is only reported; as an Atomic Response it stands for a word that memory did not
deliver, and also fails its stream.

After reset all streams are closed, and nothing is accepted for one cycle per stream.`

const txAllDoc = `Every segment is sent. One whose payload memory reported an error for says so in all its beats, and is reported as a
failure; what follows its header means nothing. Each command is reported in order when its last beat is accepted.`

// txAhead is the number of beats of waiting segments from which on no more commands are accepted, two cycles later: a latency of 160
// cycles to hide, that of the blocks, and two segments, one that arrives and one that is sent.
func txAhead(c engine.Config) int { return 176 + 2*(c.MaxPayload/c.BusBytes+1) }

// txCommandDepth is the number of waiting commands.
func txCommandDepth(c engine.Config) int { return 1 << block.IndexWidth(txAhead(c)) }

// txPayloadDepth is the size of the payload buffer in beats. Besides a latency of 200 cycles it covers a segment being sent, one
// arriving, and one waiting for room.
func txPayloadDepth(c engine.Config) int {
	return 1 << block.IndexWidth(224+3*(c.MaxPayload/c.BusBytes+1))
}

// readDepth is the number of beats from memory that wait to be aligned: memory sees registers.
const readDepth = 4

// TxEngine reads memory with the AXI identifier AXIPayload, the buffer of tx_staging with AXIStaged.
func TxEngine(c engine.Config) hdl.Block[TxEnginePorts] {
	ports := TxEnginePorts{Command: hdl.NewSink(PieceCommandOf(c)),
		Memory: block.AXIReaderOf(c.BusBytes), Tx: hdl.NewSource(TxBeatOf(c)),
		Report: hdl.NewSource(engine.TxReportOf(c)), Credit: hdl.NewSource(engine.CreditOf(c)), Failed: hdl.NewSource(TxFailureOf(c))}
	doc := txEngineDoc + txAllDoc
	if !numbered(c) {
		opening := hdl.NewSink(engine.OpeningOf(c.Streams))
		ports.Opening, doc = &opening, txEngineDoc+txStreamsDoc
	}
	return hdl.Block[TxEnginePorts]{
		Kind: "tx_engine", Params: c.Params("bus_bytes", "max_payload", "streams", "ird", "far_memory_bit"),
		Doc: fmt.Sprintf(doc, txAhead(c)), Ports: ports,
		Build: func(m *hdl.Module, p TxEnginePorts) { buildTxEngine(m, p, c) },
	}
}

func buildTxEngine(m *hdl.Module, p TxEnginePorts, c engine.Config) {
	command := p.Command.Data
	running, streams := hdl.Ones(1), hdl.Wire{}
	if p.Opening != nil {
		streams = m.Wire("running", 1)
		running = streams.Value
	}

	m.Section("A command goes to the fetcher, if it has payload, and to the builder: directly if none is waiting and none is sent")
	fetch := hdl.NewStream(m, "fetch", txFetch(c))
	stored := hdl.NewStream(m, "stored", txSegment(c))
	waiting := hdl.NewStream(m, "waiting", txSegment(c))
	straight := hdl.NewStream(m, "straight", txSegment(c))
	accepts := m.Reg("accepts_q", 1, hdl.ResetTo(0))
	hasRoom := m.Let("has_room", stored.Source().Ready.And(accepts.Value))
	ready := m.Let("ready", hasRoom.And(fetch.Source().Ready))
	taken := m.Let("taken", p.Command.Valid.And(ready))
	p.Command.Accept(m, ready)
	arriving := segmentOf(command, m.Let("carries", command.PayloadLength.Any()), m.Let("is_short", command.Beats.Slice(command.Beats.Width()-1, 1).IsZero()))
	payload, begins := TxFetch{Address: command.Address, Length: command.PayloadLength, Lead: Lead(command.HeaderLength, block.IndexWidth(c.BusBytes))}, taken
	if piece, is := command.Piece.(*Piece); is {
		payload.Length, payload.Lead, payload.More = piece.Octets, piece.Lead, &morePieces{piece.More}
		begins = m.Let("segment_begins", taken.And(piece.Further.Not()))
	}
	payload.Far = command.Far
	fetch.Source().Drive(m, hdl.AllOf(p.Command.Valid, hasRoom, arriving.Carries), payload)
	ahead := waiting.Sink()
	holds := block.Buffer(m, "segments", txCommandDepth(c), stored.Sink(), waiting.Source())
	passes := m.Let("passes", straight.Source().Ready.And(holds.Not()))
	straight.Source().Drive(m, begins.And(passes), arriving)
	stored.Source().Drive(m, begins.And(passes.Not()), arriving)
	m.Note("Beats of the segments that waited a cycle ago.")
	beats := m.Reg("beats_q", block.IndexWidth(txAhead(c))+2, hdl.ResetTo(0))
	width := beats.Width()
	sum := func(when, beats hdl.Value) hdl.Value {
		return beats.And(when.Replicate(beats.Width())).ZeroExtend(width)
	}
	comes := m.Let("segment_comes", begins.And(passes.Not()))
	leaves := m.Let("segment_leaves", ahead.Valid.And(waiting.Source().Ready))
	few := m.Let("few_wait", beats.Lt(hdl.Const(width, uint64(txAhead(c)))))
	m.Note("A fetch on offer stays.")
	held := m.Let("fetch_is_held", fetch.Sink().Valid.And(fetch.Source().Ready.Not()))
	added, removed := m.Reg("beats_added_q", width, hdl.ResetTo(0)), m.Reg("beats_removed_q", width, hdl.ResetTo(0))
	m.OnClock(added.Set(sum(comes, arriving.Beats)), removed.Set(sum(leaves, ahead.Data.Beats)),
		beats.Set(beats.Add(added.Value).Sub(removed.Value)), accepts.Set(running.And(few.Or(held))))

	m.Section("Payload")
	freed := m.Wire("freed", 1)
	announced := hdl.NewStream(m, "announced", txComing(c))
	coming := hdl.NewStream(m, "coming", txComing(c))
	depth := txPayloadDepth(c)
	bursts := hdl.NewStream(m, "burst", block.ARBeatOf())
	block.Between(m, "read", bursts.Sink(), p.Memory.AR)
	hdl.Instance(m, "fetcher", TxFetcher(c, depth), TxFetchPorts{
		Fetch: fetch.Sink(), AR: bursts.Source(), Coming: announced.Source(), Freed: freed.In()})
	listed := hdl.NewStream(m, "listed", txComing(c))
	block.Buffer(m, "outstanding", txCommandDepth(c), announced.Sink(), listed.Source())
	block.Between(m, "next", listed.Sink(), coming.Source())
	data := hdl.NewStream(m, "data", p.Memory.R.Data)
	block.Buffer(m, "read_data", readDepth, p.Memory.R, data.Source())
	came := txPayloadWires{m.Wire("came_valid", 1), m.Wire("came_data", 8*c.BusBytes), m.Wire("came_last", 1), m.Wire("came_failed", 1)}
	aligned := TxPayload{Valid: came.valid.Out(), Data: came.data.Out(), Last: came.last.Out(), Failed: came.failed.Out()}
	end := txEndWires{}
	if engine.Lists(c) {
		end = newTxEndWires(m)
		aligned.End = &TxPayloadEnd{end.more.Out(), end.shares.Out()}
	}
	hdl.Instance(m, "realign", TxRealign(c), TxRealignPorts{Coming: coming.Sink(), R: data.Sink(), Payload: aligned})
	whole := joinedPayload{came.valid.Value, came.data.Value, came.last.Value, came.failed.Value}
	if engine.Lists(c) {
		whole = came.join(m, end)
	}

	m.Section("Arrived payload, and the segments that it completes")
	octets := hdl.NewStream(m, "payload", txOctets(c.BusBytes))
	arrived := hdl.NewStream(m, "arrived", txArrived())
	m.Note("The fetcher has reserved the room; there is a place for each command that waits or is sent.")
	block.Roomy(m, "payloads", depth, whole.valid, TxOctets{Data: whole.data}, octets.Source())
	block.Roomy(m, "arrivals", 2*txCommandDepth(c), whole.valid.And(whole.last), TxArrived{Failed: whole.failed}, arrived.Source())
	m.Drive(freed.Out(), octets.Sink().Valid.And(octets.Source().Ready))

	m.Section("Segments")
	if p.Opening == nil {
		hdl.Instance(m, "builder", TxNumbered(c), TxNumberedPorts{
			Segment: ahead, Straight: straight.Sink(), Payload: octets.Sink(), Arrived: arrived.Sink(),
			Tx: p.Tx, Report: p.Report, Credit: p.Credit, Failed: p.Failed})
		return
	}
	hdl.Instance(m, "builder", TxBuilder(c), TxBuilderPorts{
		Segment: ahead, Straight: straight.Sink(), Opening: *p.Opening, Payload: octets.Sink(), Arrived: arrived.Sink(),
		Tx: p.Tx, Report: p.Report, Credit: p.Credit, Failed: p.Failed, Running: streams.Out()})
}

// Lead is a length of headers modulo 1<<width octets.
func Lead(length hdl.Value, width int) hdl.Value {
	return length.ZeroExtend(max(width, length.Width())).Truncate(width)
}

// txPayloadWires carry a [TxPayload].
type txPayloadWires struct{ valid, data, last, failed hdl.Wire }
