package order

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/atomic"
	"github.com/rnicgen/rnicgen/hdl"
)

// RequestOrderPorts is the scoreboard of the responder: which request may start.
type RequestOrderPorts struct {
	Request hdl.Sink[engine.InboundRequest]
	Opening hdl.Sink[engine.Opening]
	Recheck engine.STagLookup

	Atomic hdl.Source[engine.AtomicRequest]
	Read   hdl.Source[engine.ReadRequest]
	End    hdl.Source[engine.InboundRequest]
	Failed hdl.Source[engine.Failure]

	Written  hdl.In `doc:"number of the latest atomic that is in memory"`
	Answered hdl.In `doc:"an atomic's response is on its way out, in the order of the atomics"`
	ReadDone hdl.In `doc:"a Read's last segment is sent or dropped, in the order of the Reads"`
}

const requestOrderDoc = `request_order starts the requests of the peer in order of arrival (RFC 7306 section 7, RFC 5040 section 5.5): a
Read when the earlier Atomics of its stream are in memory and their responses have been handed to the transmit
side, an Atomic when the earlier Reads are answered. Reads among themselves, and Atomics, follow each other without
waiting. The end of a stream leaves when all its requests are answered.

If the STag of a request has been invalidated since the request was accepted, the stream fails with an invalid
STag, and none of its requests starts any more. Each stream has one word: the numbers of its latest Atomic and
Read.`

// readBits is the width of the numbers of Reads that are under way.
const readBits = 9

// RequestOrder takes one request a clock and has one clock of latency.
func RequestOrder(c engine.Config) hdl.Block[RequestOrderPorts] {
	return hdl.Block[RequestOrderPorts]{
		Kind: "request_order", Params: c.Params("streams", "atomic_depth"),
		Doc: requestOrderDoc,
		Ports: RequestOrderPorts{Request: hdl.NewSink(engine.InboundRequestOf(c)), Opening: hdl.NewSink(engine.OpeningOf(c.Streams)), Recheck: engine.STagLookupOf(),
			Atomic: hdl.NewSource(engine.AtomicRequestOf(c)), Read: hdl.NewSource(engine.ReadRequestOf(c)),
			End: hdl.NewSource(engine.InboundRequestOf(c)), Failed: hdl.NewSource(engine.FailureOf(c.Streams)),
			Written: hdl.NewIn(atomic.AtomicNumberWidth(c)), Answered: hdl.NewIn(1), ReadDone: hdl.NewIn(1)},
		Build: func(m *hdl.Module, p RequestOrderPorts) { buildRequestOrder(m, p, c) },
	}
}

// orderState is what request_order keeps of a stream; all 0 when it is opened.
type orderState struct {
	Failed hdl.Value // nothing starts any more but its end
	Atomic hdl.Value // number of its latest Atomic
	Read   hdl.Value // number of its latest Read
}

func buildRequestOrder(m *hdl.Module, p RequestOrderPorts, c engine.Config) {
	ab, sw := atomic.AtomicNumberWidth(c), engine.IndexWidth(c.Streams)
	proto := orderState{Failed: hdl.Bits(1), Atomic: hdl.Bits(ab), Read: hdl.Bits(readBits)}
	leave := m.Wire("leave", 1)

	m.Section("Fetch: the stream's word and the row of the STag")
	held := hdl.NewRegOf(m, "held", engine.InboundRequestOf(c), hdl.NoReset)
	valid := m.Reg("held_valid_q", 1, hdl.ResetTo(0))
	opens := m.Reg("held_is_opening_q", 1, hdl.NoReset)
	sweep := block.NewSweep(m, sw)
	advance := m.Let("advance", sweep.Done.And(valid.Not().Or(leave.Value)))
	take := m.Let("take", advance.And(p.Opening.Valid.Or(p.Request.Valid)))
	p.Opening.Accept(m, advance)
	p.Request.Accept(m, advance.And(p.Opening.Valid.Not()))
	m.Unused("opened or closed, the stream begins anew", p.Opening.Data.Open, p.Opening.Data.Domain)
	fetched := p.Request.Data
	fetched.Stream = m.Let("fetched_stream", hdl.Mux(p.Opening.Valid, p.Opening.Data.Stream, p.Request.Data.Stream))
	m.OnClock(hdl.If(advance, valid.Set(take)), hdl.If(take, held.Set(fetched), opens.Set(p.Opening.Valid)))
	m.Note("The row is looked up again in every clock in which the request has to wait.")
	waits := m.Wire("waits", 1)
	m.Drive(p.Recheck.Enable, take.Or(waits.Value))
	m.Drive(p.Recheck.Index, hdl.Mux(take, p.Request.Data.STag, held.Q.STag).Slice(31, 8))

	state := block.NewContext(m, "stream_state", hdl.Zero(hdl.PackedWidth(proto)), sweep).Loop(take, fetched.Stream, held.Q.Stream)
	now := hdl.LetOf(m, "now", hdl.Unpack(proto, state.Now))

	m.Section("What is under way")
	atomics := m.Reg("atomics_begun_q", ab, hdl.ResetTo(0))
	answered := m.Reg("atomics_answered_q", ab, hdl.ResetTo(0))
	reads := m.Reg("reads_begun_q", readBits, hdl.ResetTo(0))
	readsDone := m.Reg("reads_done_q", readBits, hdl.ResetTo(0))
	afterAtomic := m.Let("after_atomic", engine.Pending(now.Atomic, atomics.Value, p.Written.Value).Or(engine.Pending(now.Atomic, atomics.Value, answered.Value)))
	afterRead := m.Let("after_read", engine.Pending(now.Read, reads.Value, readsDone.Value))

	m.Section("Start")
	r := held.Q
	row := hdl.LetOf(m, "row", hdl.Unpack(engine.STagEntryOf(), p.Recheck.Entry.Value))
	m.Unused("checked when the request was accepted", hdl.Pack(row.Rights), row.ByDomain, row.Owner, row.Base, row.Length, row.Address)
	m.Unused("only the key is compared again", r.STag)
	asked := c.Profile.Request(m, r.Tag)
	kinds := engine.NameRequests(m)
	isAtomic := m.Let("is_atomic", r.Kind.Eq(kinds[engine.RequestAtomic]))
	isRead := m.Let("is_read", r.Kind.Eq(kinds[engine.RequestRead]))
	isEnd := m.Let("is_end", r.Kind.Eq(kinds[engine.RequestEnd]).Or(r.Kind.Eq(kinds[engine.RequestShut])))
	gone := m.Let("stag_is_gone", row.Valid.Not().Or(row.Key.Ne(r.STag.Truncate(8))))
	reaches := m.Let("reaches_memory", isAtomic.Or(isRead.And(asked.Length.Any())))
	request := m.Let("is_request", valid.And(opens.Not()))
	moreReads := m.Let("has_number", reads.Plus(1).Ne(readsDone.Value))
	m.Drive(waits.Out(), request.And(hdl.Select(afterAtomic.Or(afterRead), hdl.When{Cond: isAtomic, Then: afterRead},
		hdl.When{Cond: isRead, Then: afterAtomic.Or(moreReads.Not())})))
	turn := m.Let("has_its_turn", request.And(waits.Not()))
	starts := m.Let("starts", hdl.AllOf(turn, now.Failed.Not(), reaches.And(gone).Not()))
	startAtomic := m.Let("start_atomic", starts.And(isAtomic))
	startRead := m.Let("start_read", starts.And(isRead))
	end := m.Let("ends", turn.And(isEnd))
	fail := m.Let("fails", hdl.AllOf(turn, now.Failed.Not(), reaches, gone))
	dropped := m.Let("dropped", hdl.AllOf(request, now.Failed, isEnd.Not()))
	m.Drive(leave.Out(), valid.And(hdl.AnyOf(opens.Value, startAtomic.And(p.Atomic.Ready), startRead.And(p.Read.Ready),
		end.And(p.End.Ready), fail.And(p.Failed.Ready), dropped)))
	p.Atomic.Drive(m, startAtomic, engine.AtomicRequest{Stream: r.Stream, Number: r.Number, Tag: asked.Atomic, Address: r.Address, Operands: asked.Operands})
	p.Read.Drive(m, startRead, engine.ReadRequest{Stream: r.Stream, Number: r.Number, Address: r.Address, Length: asked.Length, Tag: asked.Read})
	p.End.Drive(m, end, r)
	p.Failed.Drive(m, fail, engine.Failure{Stream: r.Stream, Fault: engine.FaultOf(engine.FaultSTag)})

	m.Section("The stream from now on")
	after := orderState{
		Failed: now.Failed.Or(fail),
		Atomic: hdl.Mux(startAtomic, atomics.Plus(1), now.Atomic),
		Read:   hdl.Mux(startRead, reads.Plus(1), now.Read),
	}
	begin := func(r hdl.Reg, when hdl.Value) hdl.Stmt { return hdl.If(when, r.Set(r.Plus(1))) }
	m.OnClock(
		begin(atomics, leave.And(startAtomic)), begin(answered, p.Answered.Value),
		begin(reads, leave.And(startRead)), begin(readsDone, p.ReadDone.Value),
		hdl.If(leave.Value, state.Decide(r.Stream, hdl.Pack(after).And(opens.Not().Spread(hdl.PackedWidth(proto))))))
}
