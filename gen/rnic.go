package gen

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/flush"
	"github.com/rnicgen/rnicgen/gen/engine/host"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/gen/engine/order"
	"github.com/rnicgen/rnicgen/gen/engine/request"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// RNICPorts are the ports of the whole engine: requester and responder on external memory.
type RNICPorts struct {
	Rx         hdl.Sink[block.Beat]            `hdl:"s_axis_rx" doc:"DDP segments (ULPDUs) in, one per packet; an empty one is a last beat with tkeep 0"`
	Tx         hdl.Source[block.Beat]          `hdl:"m_axis_tx" doc:"DDP segments out, one per packet"`
	Work       hdl.Sink[engine.WorkRequest]    `hdl:"wqe" doc:"work requests; one beyond send_depth incomplete ones of its stream may stall all later ones"`
	Receive    hdl.Sink[engine.ReceiveRequest] `hdl:"rqe" doc:"receive requests"`
	Completion hdl.Source[engine.Completion]   `hdl:"cqe" doc:"completions of work and receive requests"`
	Event      hdl.Source[engine.Event]        `hdl:"event" doc:"events reported to the host besides completions"`
	Read       block.AXIReader                 `hdl:"m_axi"`
	Write      block.AXIWriter                 `hdl:"m_axi"`
	Registers  block.AXILite                   `hdl:"s_axil"`
	Retire     *RNICRetire                     `hdl:"retire" doc:"reports each effect; option retire_port"`

	Flush     *hdl.Source[flush.FlushBeat] `hdl:"m_axis_flush" doc:"flushes for the platform; option commit"`
	FlushDone *hdl.Sink[flush.FlushedBeat] `hdl:"s_axis_flush_done" doc:"flushes that the platform has done, in any order; option commit"`
}

const rnicDoc = `rnic is an RDMAP engine on external memory, requester and responder: RDMA Write and Read, the four Sends, Immediate
Data, masked Atomics, Terminate (RFC 5040, RFC 5041, RFC 7306).

DDP segments of many streams come in order on s_axis_rx and leave on m_axis_tx. The host posts work on wqe and
buffers on rqe, and takes completions and events. Memory is behind m_axi. Streams and STags are set up through
s_axil.`

// RNIC is the engine of a configuration.
func RNIC(config Config) hdl.Block[RNICPorts] {
	c := config.Engine()
	n := c.Streams
	ports := RNICPorts{
		Rx: hdl.NewSink(block.BeatOf(c.BusBytes, n)), Tx: hdl.NewSource(block.BeatOf(c.BusBytes, n)),
		Work: hdl.NewSink(engine.WorkRequestOf(c)), Receive: hdl.NewSink(engine.ReceiveRequestOf(n)),
		Completion: hdl.NewSource(engine.CompletionOf(c)), Event: hdl.NewSource(engine.EventOf(c)),
		Read: block.AXIReaderOf(c.BusBytes), Write: block.AXIWriterOf(c.BusBytes), Registers: block.AXILiteOf(engine.RegisterAddressBits),
	}
	if c.RetirePort {
		ports.Retire = rnicRetire(c)
	}
	ports.extend(c)
	return hdl.Block[RNICPorts]{Kind: Top, Params: c.Numbers(), Options: append(c.Profile.Options(), c.Retire()...), Doc: rnicDoc, Ports: ports,
		Build: func(m *hdl.Module, p RNICPorts) { buildRNIC(m, p, c) }}
}

// payloadOctets is the size of the payload buffer: the longest segment has 65,535 octets.
const payloadOctets = 1 << 16

func buildRNIC(m *hdl.Module, p RNICPorts, c engine.Config) {
	n, bus := c.Streams, c.BusBytes
	retire := RNICRetire{}
	if p.Retire != nil {
		retire = *p.Retire
	}

	m.Section("Set-up")
	opened := hdl.NewStream(m, "opened", engine.OpeningOf(n))
	rows := hdl.NewStream(m, "row", memory.STagWriteOf(c))
	changes := rows
	weighed := hdl.NewStream(m, "weighed", engine.TxWeightOf(n))
	openings := func(name string) hdl.Stream[engine.Opening] {
		return hdl.NewStream(m, "open_"+name, engine.OpeningOf(n))
	}
	openCheck, openGate, openOrder, openTx := openings("check"), openings("gate"), openings("order"), openings("tx")
	openWork, openRing, openFailures := openings("work"), openings("ring"), openings("failures")
	hdl.Instance(m, "opening", host.OpeningFork(n), host.OpeningForkPorts{In: opened.Sink(), Check: openCheck.Source(), Delivery: openGate.Source(),
		Order: openOrder.Source(), Tx: openTx.Source(), Work: openWork.Source(), Ring: openRing.Source(), Failures: openFailures.Source()})

	m.Section("STags")
	region, regionTable := stagWires(m, c, "region")
	invalidated, invalidatedTable := stagWires(m, c, "invalidated")
	local, localTable := stagWires(m, c, "local")
	recheck, recheckTable := stagWires(m, c, "recheck")
	invalidate, invalidateIndex, rowsReady := m.Wire("invalidate", 1), m.Wire("invalidate_index", 24), m.Wire("rows_ready", 1)
	var more withdrawals
	if c.Revokes() {
		more = newWithdrawals(m, c)
		changes = more.changes
	}
	hdl.Instance(m, "stags", memory.STagTable(c), memory.STagTablePorts{Main: regionTable, Invalidated: invalidatedTable, Local: localTable, Recheck: recheckTable,
		Invalidate: invalidate.In(), InvalidateIndex: invalidateIndex.In(), Write: changes.Sink(), Ready: rowsReady.Out(), Revoke: more.revokeTable, Withdraw: more.withdrawTable})

	m.Section("Receive: segments, buffers, placement")
	records := hdl.NewStream(m, "parsed", rdmap.RecordOf(n))
	parsed := hdl.NewStream(m, "parsed_payload", block.BeatOf(bus, n))
	payload := hdl.NewStream(m, "payload", block.BeatOf(bus, n))
	hdl.Instance(m, "parser", rdmap.DDPParser(c.Profile.(rdmap.Profile), bus, n), rdmap.DDPParserPorts{Rx: p.Rx, Record: records.Source(), Payload: parsed.Source()})
	block.Buffer(m, "payload_buffer", payloadOctets/bus, parsed.Sink(), payload.Source())

	slot, sw := block.IndexWidth(c.ReceiveDepth), block.IndexWidth(n)
	ringEnable, ringStream, ringSlot := m.Wire("ring_enable", 1), m.Wire("ring_stream", sw), m.Wire("ring_slot", slot)
	ringEntryWire, ringPosted := m.Wire("ring_entry", hdl.PackedWidth(engine.RingEntryOf())), m.Wire("ring_posted", slot+1)
	consumed, consumedStream, consumedCount := m.Wire("consumed", 1), m.Wire("consumed_stream", sw), m.Wire("consumed_count", slot+1)
	refused := hdl.NewStream(m, "refused", engine.EventOf(c))
	hdl.Instance(m, "receives", host.ReceiveRing(c), host.ReceiveRingPorts{Post: p.Receive, Opening: openRing.Sink(),
		Enable: ringEnable.In(), Stream: ringStream.In(), Slot: ringSlot.In(), Entry: ringEntryWire.Out(), Posted: ringPosted.Out(),
		Consumed: consumed.In(), ConsumedStream: consumedStream.In(), ConsumedCount: consumedCount.In(), Refused: refused.Source()})

	failures := hdl.NewStream(m, "failed", engine.TaggedFailureOf(c))
	expects := hdl.NewStream(m, "expecting", engine.ExpectingOf(c))
	credits := hdl.NewStream(m, "credit", engine.CreditOf(c))
	places := hdl.NewStream(m, "place", engine.PlacementOf(n))
	items := hdl.NewStream(m, "item", engine.CheckedDeliveryOf(c))
	issued, placed := m.Wire("issued", engine.PlacementBits), m.Wire("placed", engine.PlacementBits)
	segments, discarded := m.Wire("segment_received", 1), m.Wire("segment_discarded", 1)
	inError, invalidates := m.Wire("segment_in_error", 1), m.Wire("stag_invalidated", 1)
	farPlaces := newFarPlacements(m, c)
	hdl.Instance(m, "check", rdmap.RxCheck(c), rdmap.RxCheckPorts{Record: records.Sink(), Opening: openCheck.Sink(), Failure: failures.Sink(),
		Expecting: expects.Sink(), Credit: credits.Sink(), Region: region, Invalidated: invalidated, Invalidate: invalidate.Out(), InvalidateIndex: invalidateIndex.Out(),
		Ring:     engine.RingLookup{Enable: ringEnable.Out(), Stream: ringStream.Out(), Slot: ringSlot.Out(), Entry: ringEntryWire.In(), Posted: ringPosted.In()},
		Consumed: engine.RingConsumed{Valid: consumed.Out(), Stream: consumedStream.Out(), Count: consumedCount.Out()},
		Place:    places.Source(), Placed: placed.In(), Issued: issued.Out(), Far: farPlaces.checks(c), Deliver: items.Source(),
		Count: rdmap.RxCount{Segments: segments.Out(), Discarded: discarded.Out(), Errors: inError.Out(), Invalidated: invalidates.Out()}})
	placeFailed := hdl.NewStream(m, "place_failed", engine.FailureOf(c))
	placeFailedGate, placeFailedGather := hdl.NewStream(m, "place_failed_gate", engine.FailureOf(c)), hdl.NewStream(m, "place_failed_gather", engine.FailureOf(c))
	placeWrite, placeWriter := placeWires(m, c)
	hdl.Instance(m, "placement", memory.PlacementWriter(c), memory.PlacementPorts{Command: places.Sink(), Payload: payload.Sink(), Memory: placeWrite,
		Placed: placed.Out(), Failed: placeFailed.Source(), Retire: retire.Placed, Far: farPlaces.writes(c, retire.Placing)})
	both(m, "place_failure", placeFailed.Sink(), placeFailedGate.Source(), placeFailedGather.Source())

	m.Section("Deliver: effects of segments, once all earlier payload of the stream is in memory")
	received := hdl.NewStream(m, "received", engine.CompletionOf(c))
	delivered := hdl.NewStream(m, "delivered_event", engine.EventOf(c))
	responses := hdl.NewStream(m, "answered", engine.AnsweredOf(n))
	ends := hdl.NewStream(m, "stream_end", engine.EndedOf(n))
	inbound := hdl.NewStream(m, "inbound", order.QueuedRequestOf(c))
	if c.HasFar() {
		items = newFarGate(m, c, items.Sink(), farPlaces)
		farPlaces.report(m, retire.FarPlaced)
	}
	hdl.Instance(m, "gate", order.DeliveryGate(c), order.DeliveryGatePorts{Deliver: items.Sink(), Opening: openGate.Sink(), Issued: issued.In(), Placed: placed.In(),
		Failed: placeFailedGate.Sink(), Completion: received.Source(), Event: delivered.Source(), Answered: responses.Source(), Ended: ends.Source(), Request: inbound.Source()})

	m.Section("Respond")
	terminates := hdl.NewStream(m, "terminate", engine.InboundRequestOf(c))
	orderFailed := hdl.NewStream(m, "order_failed", engine.FailureOf(c))
	stop := newStops(m, c)
	respond := buildExecutors(m, c, retire, p.platform())
	begun := newBeginnings(m, c, respond)
	hdl.Instance(m, "order", order.RequestOrder(c), order.RequestOrderPorts{In: inbound.Sink(), Opening: openOrder.Sink(), Recheck: recheck,
		Revoke: more.revoke, Start: respond.starts, End: terminates.Source(), Failed: orderFailed.Source(), Over: respond.over, Stop: stop.sink(), Begins: begun.in()})
	terminateMessage, workMessage, next := messageStream(m, c, "terminate"), messageStream(m, c, "work"), messageStream(m, c, "next")
	hdl.Instance(m, "terminate_builder", rdmap.TerminateBuilder(c), rdmap.TerminateBuilderPorts{Req: terminates.Sink(), Message: terminateMessage.Source()})
	end := messageStream(m, c, "end")
	block.Buffer(m, "end_buffer", 2, terminateMessage.Sink(), end.Source())

	m.Section("Request")
	sent := hdl.NewStream(m, "sent", engine.TxReportOf(c))
	workFailed := hdl.NewStream(m, "work_failed", engine.FailureOf(c))
	done, answered := hdl.NewStream(m, "work_done", engine.CompletionOf(c)), responses.Sink()
	hdl.Instance(m, "requester", request.Requester(c), request.RequesterPorts{Work: p.Work, Opening: openWork.Sink(), Local: local, Message: workMessage.Source(),
		Expecting: expects.Source(), Sent: sent.Sink(), Answered: &answered, Ended: ends.Sink(), Failed: workFailed.Source(), Completion: done.Source()})

	m.Section("Transmit")
	hdl.Instance(m, "tx_arbiter", transmit.TxArbiter(c), transmit.TxArbiterPorts{Responses: respond.messages, End: end.Sink(),
		Requests: workMessage.Sink(), Message: next.Source()})
	commands := hdl.NewStream(m, "segment", engine.TxCommandOf(c))
	reports := hdl.NewStream(m, "report", engine.TxReportOf(c))
	turnsRunning := m.Wire("turns_running", 1)
	txFailed := hdl.NewStream(m, "tx_failed", engine.FailureOf(c))
	payloadRead, payloadReader := readerWires(m, "payload", bus)
	opensTx := openTx.Sink()
	sending, far := commands.Sink(), farMemory{}
	if c.HasFar() {
		far = newFarMemory(m, c, sending, payloadRead)
		sending, payloadRead = far.commands.Sink(), far.reader
	}
	hdl.Instance(m, "tx", transmit.TxEngine(c), transmit.TxEnginePorts{Command: keptCommands(m, c, sending), Opening: &opensTx, Memory: payloadRead, Tx: p.Tx, Report: reports.Source(), Credit: credits.Source(), Failed: txFailed.Source()})
	report := reports.Sink().Data
	hdl.Instance(m, "tx_turns", transmit.TxTurns(c), transmit.TxTurnsPorts{Message: next.Sink(), Weight: weighed.Sink(),
		Dropped: passes(reports).And(report.Dropped).In(), DroppedStream: report.Stream.In(),
		Opened: passes(openTx).In(), OpenedStream: opensTx.Data.Stream.In(), Command: commands.Source(), Running: turnsRunning.Out(), Far: far.ports})
	txCount := transmit.SplitReports(m, c, reports.Sink(), sent.Source(), respond.sent, stop.source())

	m.Section("Failures end streams")
	memoryError := m.Wire("memory_error", 1)
	hdl.Instance(m, "failure_gather", host.FailureGather(c), host.FailureGatherPorts{Opening: openFailures.Sink(), Placement: placeFailedGather.Sink(), Atomic: respond.failures(m, c),
		Order: orderFailed.Sink(), Tx: txFailed.Sink(), Work: workFailed.Sink(), Out: failures.Source(), Memory: memoryError.Out(), Begun: begun.failing()})

	m.Section("Memory")
	joinWriters(m, c, placeWriter, respond, p.Write)
	memoryRead := p.Read
	if respond.ranges != nil {
		memoryRead = joinRanges(m, p, bus, *respond.ranges)
	}
	if c.HasFar() {
		memoryRead = joinFar(m, p, bus, far.far, respond.farWords.reader)
	}
	hdl.Instance(m, "read_arbiter", block.AXIReadArbiter(bus), block.AXIReadArbiterPorts{Payload: payloadReader, Atomic: respond.words.reader, Memory: memoryRead})

	m.Section("Host")
	h := hostStreams{received: received, done: done, delivered: delivered, refused: refused}
	completed, logged := h.build(m, c, p.Completion, p.Event)
	if p.Retire != nil {
		m.Section("Retire port: handshakes between the blocks")
		arrived := records.Sink().Data
		opcode, last := arrived.Control(c.Profile.(rdmap.Profile).Extensions)
		retire.Arrived.drive(m, passes(records), arrived.Stream, opcode, last, arrived.PayloadLength.Any(), c)
		retire.Delivered.drive(m, passes(items), items.Sink().Data.Request.Stream, engine.DeliveryNumber(items.Sink().Data.Kind),
			items.Sink().Data.Rule.And(items.Sink().Data.Kind.Bit(engine.DeliverEnd).Replicate(spec.RuleBits)))
		if reads, is := respond.streams["read"]; is {
			retire.Read.drive(m, passes(reads), reads.Sink().Data.(*engine.ReadRequest).Stream)
		}
		r := reports.Sink().Data
		retire.Sent.drive(m, passes(reports), r.Stream, r.Kind, r.Final, r.Dropped)
	}
	invalidations := invalidates.Value
	if c.Revokes() {
		invalidations = more.count(m, c, rows.Sink(), respond.withdraw, invalidates.Value)
	}
	hdl.Instance(m, "csr", host.CSR(c), host.CSRPorts{AXI: p.Registers, STag: rows.Source(), Opening: opened.Source(), Weight: weighed.Source(), Event: logged.Sink(),
		Ready: hdl.AllOf(rowsReady.Value, respond.isReady(c), turnsRunning.Value).In(),
		Count: host.Counts{SegmentsReceived: segments.In(), SegmentsDiscarded: discarded.In(), SegmentsInError: inError.In(), MessagesSent: txCount.Messages.In(),
			SegmentsSent: txCount.Segments.In(), SegmentsDropped: txCount.Dropped.In(), Completions: completed.In(),
			Ended: eventPulse(logged, engine.EventEnded), Closed: eventPulse(logged, engine.EventClosed),
			MemoryErrors: memoryError.In(), ReceivesRefused: eventPulse(logged, engine.EventReceiveRefused), Invalidations: invalidations.In()}})
}

// stagWires connects a user of the STag table to the table.
func stagWires(m *hdl.Module, c engine.Config, name string) (engine.STagLookup, engine.STagPort) {
	enable, index, entry := m.Wire(name+"_enable", 1), m.Wire(name+"_index", 24), m.Wire(name+"_entry", hdl.PackedWidth(engine.STagEntryOf(c)))
	return engine.STagLookup{Enable: enable.Out(), Index: index.Out(), Entry: entry.In()}, engine.STagPort{Enable: enable.In(), Index: index.In(), Entry: entry.Out()}
}

// writerWires and readerWires connect a user of memory to its arbiter.
func writerWires(m *hdl.Module, name string, busBytes int) (block.AXIWriter, block.AXIWriterPort) {
	aw, w, b := hdl.NewStream(m, name+"_axi", block.AWBeatOf()), hdl.NewStream(m, name+"_axi", block.WBeatOf(busBytes)), hdl.NewStream(m, name+"_axi", block.BBeatOf())
	return block.AXIWriter{AW: aw.Source(), W: w.Source(), B: b.Sink()}, block.AXIWriterPort{AW: aw.Sink(), W: w.Sink(), B: b.Source()}
}

func readerWires(m *hdl.Module, name string, busBytes int) (block.AXIReader, block.AXIReaderPort) {
	ar, r := hdl.NewStream(m, name+"_axi", block.ARBeatOf()), hdl.NewStream(m, name+"_axi", block.RBeatOf(busBytes))
	return block.AXIReader{AR: ar.Source(), R: r.Sink()}, block.AXIReaderPort{AR: ar.Sink(), R: r.Source()}
}

// bufferedReader is [readerWires] for an arbiter behind an arbiter: addresses wait in a buffer between them.
func bufferedReader(m *hdl.Module, name, address string, busBytes int) (block.AXIReader, block.AXIReaderPort) {
	reader, port := readerWires(m, name, busBytes)
	addresses := hdl.NewStream(m, address, block.ARBeatOf())
	block.Buffer(m, address+"es", 2, port.AR, addresses.Source())
	port.AR = addresses.Sink()
	return reader, port
}
