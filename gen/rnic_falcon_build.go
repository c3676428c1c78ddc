package gen

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/host"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/gen/engine/order"
	"github.com/rnicgen/rnicgen/gen/engine/request"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// itemsKept is how many effects of packets wait for payload ahead of them to be in memory: at a latency of 200 cycles a packet per cycle goes on.
const itemsKept = 256

func buildFalcon(m *hdl.Module, p FalconPorts, c engine.Config) {
	n, bus, profile := c.Streams, c.BusBytes, c.Profile.(falcon.Profile)
	failure := func(name string) hdl.Stream[engine.Failure] { return hdl.NewStream(m, name, engine.FailureOf(c)) }

	m.Section("Set-up")
	opened := hdl.NewStream(m, "opened", engine.OpeningOf(n))
	rows := hdl.NewStream(m, "row", memory.STagWriteOf(c))
	weighed := hdl.NewStream(m, "weighed", engine.TxWeightOf(n))
	openings := func(name string) hdl.Stream[engine.Opening] {
		return hdl.NewStream(m, "open_"+name, engine.OpeningOf(n))
	}
	openCheck, openGate, openOrder, openTx := openings("check"), openings("gate"), openings("order"), openings("tx")
	openWork, openRing, openFailures := openings("work"), openings("ring"), openings("failures")
	hdl.Instance(m, "opening", host.OpeningFork(n), host.OpeningForkPorts{In: opened.Sink(), Check: openCheck.Source(), Delivery: openGate.Source(),
		Order: openOrder.Source(), Tx: openTx.Source(), Work: openWork.Source(), Ring: openRing.Source(), Failures: openFailures.Source()})
	openTx.Sink().Accept(m, hdl.Ones(1))
	m.Unused("the transmit side has no state of a QP that an opening changes", openTx.Sink().Valid, hdl.Pack(openTx.Sink().Data))
	setup, targets, connects := hdl.NewStream(m, "setup", profile.SetupTag(c)), hdl.NewStream(m, "target", falcon.SetupOf(c)), hdl.NewStream(m, "connect", falcon.ConnectOf(c))
	queues := hdl.NewStream(m, "queue", falcon.SharedQueueOf(c))
	given, initial := hdl.NewStream(m, "given_data", falcon.DataCreditsOf(c)), hdl.NewStream(m, "initial_data", falcon.DataCreditsOf(c))
	falcon.ForkSetup(m, setup.Sink(), targets.Source(), connects.Source(), queues.Source(), given.Source())
	m.Note("Set-ups do not follow each other at once, and what takes the credits stays ready.")
	given.Sink().Accept(m, initial.Source().Ready)
	isGiven, first := m.Reg("initial_data_q", 1, hdl.ResetTo(0)), hdl.NewRegOf(m, "initial_data_of", given.Sink().Data, hdl.NoReset)
	m.OnClock(isGiven.Set(given.Sink().Valid), first.Set(given.Sink().Data))
	initial.Source().Drive(m, isGiven.Value, first.Q)

	m.Section("Keys of regions")
	region, regionTable := stagWires(m, c, "region")
	invalidated, invalidatedTable := stagWires(m, c, "invalidated")
	local, localTable := stagWires(m, c, "local")
	recheck, recheckTable := stagWires(m, c, "recheck")
	invalidate, invalidateIndex, rowsReady := m.Wire("invalidate", 1), m.Wire("invalidate_index", 24), m.Wire("rows_ready", 1)
	hdl.Instance(m, "stags", memory.STagTable(c), memory.STagTablePorts{Main: regionTable, Invalidated: invalidatedTable, Local: localTable, Recheck: recheckTable,
		Invalidate: invalidate.In(), InvalidateIndex: invalidateIndex.In(), Write: rows.Sink(), Ready: rowsReady.Out()})

	m.Section("Receive: packets, buffers, placement")
	records := hdl.NewStream(m, "parsed", falcon.RecordOf(profile.Connections))
	parsed := hdl.NewStream(m, "parsed_payload", block.OctetsOf(bus))
	kept, payload := hdl.NewStream(m, "kept_payload", block.OctetsOf(bus)), hdl.NewStream(m, "payload", block.BeatOf(bus, n))
	hdl.Instance(m, "parser", falcon.Parser(profile.Order, bus, profile.Connections), falcon.ParserPorts{Rx: p.Rx, Record: records.Source(), Payload: parsed.Source()})
	block.Buffer(m, "payload_buffer", payloadOctets/bus, parsed.Sink(), kept.Source())
	payload.Source().Drive(m, kept.Sink().Valid, block.Beat{Octets: kept.Sink().Data, User: hdl.Zero(block.IndexWidth(n))})
	kept.Sink().Accept(m, payload.Source().Ready)

	releasedLists := hdl.NewStream(m, "released_list", engine.ReleasedListOf(c))
	receives := buildReceives(m, c, p.Receive, openRing.Sink(), queues.Sink(), releasedLists.Sink())
	over, overReport := falcon.OverWires(m, c)
	flush, flushReport := falcon.FlushWires(m, c)
	failures, credits := failure("failed"), hdl.NewStream(m, "credited", engine.CreditOf(c))
	decided, parts := hdl.NewStream(m, "decided_place", falcon.PlacingOf(c)), hdl.NewStream(m, "payload_part", falcon.PayloadPartOf())
	places, placedBeats := hdl.NewStream(m, "place", engine.PlacementPieceOf(c)), hdl.NewStream(m, "piece_payload", block.BeatOf(bus, n))
	arrivals := hdl.NewStream(m, "arrival", falcon.ArrivalOf(c))
	issued, placed := m.Wire("issued", engine.PlacementBits), m.Wire("placed", engine.PlacementBits)
	packets, broken := m.Wire("packet_received", 1), m.Wire("packet_refused", 1)
	asked, askedTable := falcon.LookupWires(m, c)
	revokes, revoked := m.Wire("check_invalidates", 1), m.Wire("check_invalidates_index", 24)
	counted := m.Wire("check_counts_invalidation", 1)
	hdl.Instance(m, "check", falcon.Check(c), falcon.CheckPorts{Record: records.Sink(), Setup: targets.Sink(), Opening: openCheck.Sink(), Failure: failures.Sink(), Credit: credits.Sink(),
		Region: region, Invalidated: invalidated, Invalidate: revokes.Out(), InvalidateIndex: revoked.Out(),
		Queue: receives.queue, Ring: receives.own.lookup(), RingCount: receives.own.count(), Consumed: receives.own.consumer(), SharedRing: receives.shared.lookup(), SharedCount: receives.shared.count(),
		SharedConsumed: receives.shared.consumer(), Over: over, Flush: flush, Asked: asked,
		Elements: receives.own.elements(), SharedElements: receives.shared.elements(), Part: parts.Source(), Place: decided.Source(), Placed: placed.In(), Issued: issued.Out(), Arrival: arrivals.Source(),
		Count: falcon.CheckCount{Packets: packets.Out(), Refused: broken.Out(), Invalidated: counted.Out()}})
	m.Unused("it is counted with those that take effect later", counted.Value)
	hdl.Instance(m, "scatter", falcon.Scatter(c), falcon.ScatterPorts{Place: decided.Sink(), Part: parts.Sink(), Payload: payload.Sink(), Piece: places.Source(), Beats: placedBeats.Source()})
	placeFailed := failure("place_failed")
	placeFailedGate, placeFailedGather := failure("place_failed_gate"), failure("place_failed_gather")
	placeWrite, placeWriter := writerWires(m, "place", bus)
	hdl.Instance(m, "placement", memory.PieceWriter(c), memory.PlacementPorts{Command: places.Sink(), Payload: placedBeats.Sink(), Memory: placeWrite, Placed: placed.Out(), Failed: placeFailed.Source()})
	both(m, "place_failure", placeFailed.Sink(), placeFailedGate.Source(), placeFailedGather.Source())

	m.Section("Order of messages")
	ordered, stored := hdl.NewStream(m, "ordered", engine.DeliveryOf(c)), hdl.NewStream(m, "kept_item", engine.DeliveryOf(c))
	items := hdl.NewStream(m, "item", engine.DeliveryOf(c))
	misordered := failure("misordered")
	revoking := hdl.NewStream(m, "revoking", falcon.RevocationOf())
	hdl.Instance(m, "scoreboard", falcon.Order(c), falcon.OrderPorts{Arrival: arrivals.Sink(), Deliver: ordered.Source(), Failed: misordered.Source(),
		Over: overReport, Flush: flushReport, Revoke: revoking.Source(), Release: releasedLists.Source()})
	block.Buffer(m, "items_kept", itemsKept, ordered.Sink(), stored.Source())
	block.Between(m, "next_item", stored.Sink(), items.Source())
	m.Note("Keys that a message invalidates when it completes wait for those that packets invalidate.")
	revoking.Sink().Accept(m, revokes.Not())
	m.Drive(invalidate.Out(), revokes.Or(revoking.Sink().Valid))
	m.Drive(invalidateIndex.Out(), hdl.Mux(revokes.Value, revoked.Value, revoking.Sink().Data.Index))

	m.Section("Deliver: effects of packets, once all earlier payload of the QP is in memory")
	received := hdl.NewStream(m, "received", engine.CompletionOf(c))
	delivered := hdl.NewStream(m, "delivered_event", engine.EventOf(c))
	responses := hdl.NewStream(m, "response", engine.DeliveredResponseOf(c))
	ends := hdl.NewStream(m, "qp_end", engine.EndedOf(n))
	inbound, released := hdl.NewStream(m, "inbound", order.QueuedRequestOf(c)), hdl.NewStream(m, "released", order.QueuedRequestOf(c))
	hdl.Instance(m, "gate", order.DeliveryGate(c), order.DeliveryGatePorts{Deliver: items.Sink(), Opening: openGate.Sink(), Issued: issued.In(), Placed: placed.In(),
		Failed: placeFailedGate.Sink(), Completion: received.Source(), Event: delivered.Source(), Answered: responses.Source(), Ended: ends.Source(), Request: released.Source(),
		Answer: &p.Answer})
	block.Between(m, "next_inbound", released.Sink(), inbound.Source())

	m.Section("Target")
	none := hdl.NewStream(m, "end_request", engine.InboundRequestOf(c))
	none.Sink().Accept(m, hdl.Ones(1))
	m.Unused("the peer is not told of the end of a QP", none.Sink().Valid, hdl.Pack(none.Sink().Data))
	withdrawn := failure("key_withdrawn")
	respond := buildExecutors(m, c, RNICRetire{}, nil)
	hdl.Instance(m, "order", order.RequestOrder(c), order.RequestOrderPorts{In: inbound.Sink(), Opening: openOrder.Sink(), Recheck: recheck, Start: respond.starts, End: none.Source(),
		Failed: withdrawn.Source(), Over: respond.over})

	m.Section("Initiator")
	work, requests, next := messageStream(m, c, "work"), messageStream(m, c, "request"), messageStream(m, c, "next")
	left, done := hdl.NewStream(m, "left", engine.TxReportOf(c)), hdl.NewStream(m, "work_done", engine.CompletionOf(c))
	reported := hdl.NewStream(m, "work_reported", engine.WorkReportOf(c))
	expects := hdl.NewStream(m, "expecting", engine.ExpectingOf(c))
	expects.Sink().Accept(m, hdl.Ones(1))
	m.Unused("the initiator knows its transactions", expects.Sink().Valid, hdl.Pack(expects.Sink().Data))
	workFailed, unanswered := failure("work_failed"), failure("transaction_failed")
	endsWork, endsTransactions := hdl.NewStream(m, "end_of_work", engine.EndedOf(n)), hdl.NewStream(m, "end_of_transactions", engine.EndedOf(n))
	both(m, "qp_end", ends.Sink(), endsWork.Source(), endsTransactions.Source())
	hdl.Instance(m, "requester", request.Requester(c), request.RequesterPorts{Work: p.Work, Opening: openWork.Sink(), Local: local, Message: work.Source(), Expecting: expects.Source(),
		Sent: reported.Sink(), Ended: endsWork.Sink(), Failed: workFailed.Source(), Completion: done.Source()})
	placedResponses := hdl.NewStream(m, "placed_response", falcon.PlacedOf(c))
	falcon.PlacedResponses(m, responses.Sink(), placedResponses.Source())
	listed, list := falcon.ListWires(m, c)
	forRequests, forResponses := hdl.NewStream(m, "request_credit", falcon.CreditsOf(c)), hdl.NewStream(m, "data_credit", falcon.DataCreditsOf(c))
	ofRequests, ofResponses := hdl.NewStream(m, "request_return", falcon.ReturnedOf(c)), hdl.NewStream(m, "data_return", falcon.ReturnedOf(c))
	both(m, "return", p.Credits, ofRequests.Source(), ofResponses.Source())
	falcon.RequestCredits(m, ofRequests.Sink(), forRequests.Source())
	falcon.ResponseCredits(m, ofResponses.Sink(), forResponses.Source())
	hdl.Instance(m, "initiator", falcon.Initiator(c), falcon.InitiatorPorts{Message: work.Sink(), Setup: connects.Sink(), Credits: forRequests.Sink(), Xoff: p.Xoff, Packet: requests.Source(), Listed: listed,
		Completed: p.Completed, Placed: placedResponses.Sink(), Ended: endsTransactions.Sink(), Left: left.Sink(), Lookup: askedTable,
		Report: reported.Source(), Failed: unanswered.Source()})

	m.Section("Transmit")
	end, nothing := messageStream(m, c, "end"), hdl.Zero(hdl.PackedWidth(engine.TxMessageOf(c)))
	end.Source().Drive(m, hdl.Zero(1), hdl.Unpack(engine.TxMessageOf(c), nothing))
	m.Unused("the peer is not told of the end of a QP", end.Source().Ready)
	affordable := messageStream(m, c, "affordable")
	hdl.Instance(m, "responses", falcon.Responses(c), falcon.ResponsesPorts{Responses: respond.messages, Setup: initial.Sink(), Credits: forResponses.Sink(), Message: affordable.Source()})
	hdl.Instance(m, "tx_arbiter", transmit.TxJoined(c), transmit.TxArbiterPorts{Responses: []hdl.Named[hdl.Sink[engine.TxMessage]]{hdl.Name(transmit.Joined, affordable.Sink())},
		End: end.Sink(), Requests: requests.Sink(), Message: next.Source()})
	commands, reports := hdl.NewStream(m, "segment", engine.TxCommandOf(c)), hdl.NewStream(m, "report", engine.TxReportOf(c))
	turnsRunning := m.Wire("turns_running", 1)
	unread, txFailed := hdl.NewStream(m, "unread", transmit.TxFailureOf(c)), failure("tx_failed")
	payloadRead, payloadReader := readerWires(m, "payload", bus)
	beats := hdl.NewStream(m, "packet", transmit.TxBeatOf(c))
	never, nobody := hdl.Zero(1).In(), hdl.Zero(block.IndexWidth(n)).In()
	hdl.Instance(m, "tx_turns", transmit.TxTurns(c), transmit.TxTurnsPorts{Message: next.Sink(), Weight: weighed.Sink(), Dropped: never, DroppedStream: nobody,
		Opened: never, OpenedStream: nobody, Command: commands.Source(), Running: turnsRunning.Out()})
	cut, pieces := hdl.NewStream(m, "cut_segment", engine.TxCommandOf(c)), hdl.NewStream(m, "piece", transmit.PieceCommandOf(c))
	block.Between(m, "next_segment", commands.Sink(), cut.Source())
	hdl.Instance(m, "gather", falcon.Gather(c), falcon.GatherPorts{Listed: list, Command: cut.Sink(), Piece: pieces.Source()})
	hdl.Instance(m, "tx", transmit.TxEngine(c), transmit.TxEnginePorts{Command: pieces.Sink(), Memory: payloadRead, Tx: beats.Source(), Report: reports.Source(), Credit: credits.Source(), Failed: unread.Source()})
	sent := hdl.NewStream(m, "sent_packet", transmit.TxBeatOf(c))
	block.Between(m, "next_packet", beats.Sink(), sent.Source())
	hdl.Instance(m, "falcon_tx", falcon.Tx(c), falcon.TxPorts{Packet: sent.Sink(), Tx: p.Tx})
	txFailed.Source().Drive(m, unread.Sink().Valid, engine.LocalFailure(c, unread.Sink().Data.Stream))
	unread.Sink().Accept(m, txFailed.Source().Ready)
	engine.UnusedTag(m, "the QP fails, whichever packet it was", unread.Sink().Data.Tag)
	m.Unused("memory", unread.Sink().Data.Fault)
	count := transmit.SplitReports(m, c, reports.Sink(), left.Source(), respond.sent, nil)
	m.Unused("each packet is a message there", count.Messages)

	m.Section("Failures end QPs")
	memoryError := m.Wire("memory_error", 1)
	told := failure("host_failed")
	m.Note("Registers are between who finds a failure and who is told.")
	joined := func(name string, a, b hdl.Stream[engine.Failure]) hdl.Stream[engine.Failure] {
		merged, out := failure(name+"_merged"), failure(name)
		block.Merge(m, name+"_merge", a.Sink(), b.Sink(), merged.Source())
		block.Between(m, "next_"+name, merged.Sink(), out.Source())
		return out
	}
	ofTarget := joined("target_failed", withdrawn, misordered)
	workFailed.Sink().Accept(m, hdl.Ones(1))
	m.Unused("work requests fail alone", workFailed.Sink().Valid, hdl.Pack(workFailed.Sink().Data))
	ofWork := joined("other_failed", unanswered, told)
	hdl.Instance(m, "failure_gather", host.FailureGather(c), host.FailureGatherPorts{Opening: openFailures.Sink(), Placement: placeFailedGather.Sink(), Atomic: respond.words.failed.Sink(),
		Order: ofTarget.Sink(), Tx: txFailed.Sink(), Work: ofWork.Sink(), Out: failures.Source(), Memory: memoryError.Out()})

	m.Section("Memory")
	hdl.Instance(m, "write_arbiter", block.AXIWriteArbiter(bus), block.AXIWriteArbiterPorts{Payload: placeWriter, Atomic: respond.words.writer, Memory: p.Write})
	hdl.Instance(m, "read_arbiter", block.AXIReadArbiter(bus), block.AXIReadArbiterPorts{Payload: payloadReader, Atomic: respond.words.reader, Memory: p.Read})

	m.Section("Host")
	h := hostStreams{received: received, done: done, delivered: delivered, refused: receives.refused}
	completed, logged := h.build(m, c, p.Completion, p.Event)
	a := arrivals.Sink().Data.Delivery
	discarded := m.Let("packet_is_discarded", passes(arrivals).And(a.Rule.Is(uint64(spec.UnknownQP))).And(a.Kind.Bit(engine.DeliverEnd).Not()))
	setupSource, failSource := setup.Source(), told.Source()
	hdl.Instance(m, "csr", host.CSR(c), host.CSRPorts{AXI: p.Registers, STag: rows.Source(), Opening: opened.Source(), Weight: weighed.Source(), Setup: &setupSource, Fail: &failSource, Event: logged.Sink(),
		Ready: hdl.AllOf(rowsReady.Value, respond.words.ready.Value, turnsRunning.Value).In(),
		Count: host.Counts{SegmentsReceived: packets.In(), SegmentsDiscarded: discarded.In(), SegmentsInError: broken.In(), MessagesSent: passes(left).In(),
			SegmentsSent: count.Segments.In(), SegmentsDropped: count.Dropped.In(), Completions: completed.In(), Ended: eventPulse(logged, engine.EventEnded),
			Closed: eventPulse(logged, engine.EventClosed), MemoryErrors: memoryError.In(), ReceivesRefused: eventPulse(logged, engine.EventReceiveRefused), Invalidations: invalidate.In()}})
}
