package order

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// RequestOrderPorts are those of the scoreboard of the responder, which decides when a request may start.
type RequestOrderPorts struct {
	Request hdl.Sink[engine.InboundRequest]
	Opening hdl.Sink[engine.Opening]
	Recheck engine.STagLookup

	Start  []hdl.Named[hdl.Source[any]] `hdl:"-"`
	End    hdl.Source[engine.InboundRequest]
	Failed hdl.Source[engine.Failure]

	Done []hdl.Named[hdl.In] `hdl:"-"`
}

const requestOrderDoc = `request_order starts the requests of the peer in order of arrival (RFC 7306 section 7, RFC 5040 section 5.5): a
Read when the earlier Atomics of its stream are in memory and their responses have been handed to the transmit
side, an Atomic when the earlier Reads are answered. Reads among themselves, and Atomics, follow each other without
waiting. The end of a stream leaves when all its requests are answered.

If the STag of a request has been invalidated since the request was accepted, the stream fails with an invalid
STag, and none of its requests starts any more. Each stream has one word: the numbers of its latest Atomic and
Read.`

// RequestOrder accepts one request per cycle and has one cycle of latency.
func RequestOrder(c engine.Config) hdl.Block[RequestOrderPorts] {
	executors := c.Profile.Executors(c)
	ports := RequestOrderPorts{Request: hdl.NewSink(engine.InboundRequestOf(c)), Opening: hdl.NewSink(engine.OpeningOf(c.Streams)), Recheck: engine.STagLookupOf(),
		End: hdl.NewSource(engine.InboundRequestOf(c)), Failed: hdl.NewSource(engine.FailureOf(c.Streams)), Done: engine.DoneIns(executors)}
	for _, x := range executors {
		ports.Start = append(ports.Start, hdl.Name(x.Name, hdl.NewSource(x.Request)))
	}
	return hdl.Block[RequestOrderPorts]{
		Kind: "request_order", Params: c.Params("streams", "atomic_depth"),
		Doc: requestOrderDoc, Ports: ports,
		Build: func(m *hdl.Module, p RequestOrderPorts) { buildRequestOrder(m, p, c) },
	}
}

// orderState is the state of a stream; all 0 when it is opened.
type orderState struct {
	Failed hdl.Value              // nothing starts any more except its end
	Latest []hdl.Named[hdl.Value] `hdl:"-"` // by executor: number of the stream's latest request
}

func orderStateOf(executors []engine.Executor) orderState {
	s := orderState{Failed: hdl.Bits(1)}
	for _, x := range executors {
		s.Latest = append(s.Latest, hdl.Name(x.Name, hdl.Bits(x.Number)))
	}
	return s
}

func buildRequestOrder(m *hdl.Module, p RequestOrderPorts, c engine.Config) {
	executors := c.Profile.Executors(c)
	proto := orderStateOf(executors)
	leave := m.Wire("leave", 1)

	m.Section("Fetch: the stream's word and the row of the STag")
	held := hdl.NewRegOf(m, "held", engine.InboundRequestOf(c), hdl.NoReset)
	valid := m.Reg("held_valid_q", 1, hdl.ResetTo(0))
	opens := m.Reg("held_is_opening_q", 1, hdl.NoReset)
	sweep := block.NewSweep(m, block.IndexWidth(c.Streams))
	advance := m.Let("advance", sweep.Done.And(valid.Not().Or(leave.Value)))
	take := m.Let("take", advance.And(p.Opening.Valid.Or(p.Request.Valid)))
	p.Opening.Accept(m, advance)
	p.Request.Accept(m, advance.And(p.Opening.Valid.Not()))
	m.Unused("an opening resets the stream, whether it opens or closes it", p.Opening.Data.Open, p.Opening.Data.Domain)
	fetched := p.Request.Data
	fetched.Stream = m.Let("fetched_stream", hdl.Mux(p.Opening.Valid, p.Opening.Data.Stream, p.Request.Data.Stream))
	m.OnClock(hdl.If(advance, valid.Set(take)), hdl.If(take, held.Set(fetched), opens.Set(p.Opening.Valid)))
	m.Note("The row is looked up again in every cycle in which the request waits.")
	waits := m.Wire("waits", 1)
	m.Drive(p.Recheck.Enable, take.Or(waits.Value))
	m.Drive(p.Recheck.Index, hdl.Mux(take, p.Request.Data.STag, held.Q.STag).Slice(31, 8))

	state := block.NewContext(m, "stream_state", hdl.Zero(hdl.PackedWidth(proto)), sweep).Loop(take, fetched.Stream, held.Q.Stream)
	now := hdl.LetOf(m, "now", hdl.Unpack(proto, state.Now))

	m.Section("Requests in progress")
	under := countUnderWay(m, p, executors, now)

	m.Section("Start")
	r := held.Q
	row := hdl.LetOf(m, "row", hdl.Unpack(engine.STagEntryOf(), p.Recheck.Entry.Value))
	m.Unused("checked when the request was accepted", hdl.Pack(row.Rights), row.ByDomain, row.Owner, row.Base, row.Length, row.Address)
	m.Unused("only the key is compared again", r.STag)
	asked := c.Profile.Starts(m, c, r)
	kinds := c.Kinds()
	named := kinds.NameRequests(m)
	is := make([]hdl.Value, len(executors))
	var reach []hdl.Value
	for i, x := range executors {
		is[i] = m.Let("is_"+x.Name, r.Kind.Eq(named[i]))
		if !asked[i].Never {
			reach = append(reach, hdl.AllOf(append([]hdl.Value{is[i]}, asked[i].Reaches...)...))
		}
	}
	isEnd := m.Let("is_end", r.Kind.Eq(named[kinds.End]).Or(r.Kind.Eq(named[kinds.Close])))
	gone := m.Let("stag_is_gone", row.Valid.Not().Or(row.Key.Ne(r.STag.Truncate(8))))
	reaches := m.Let("reaches_memory", hdl.AnyOf(reach...))
	request := m.Let("is_request", valid.And(opens.Not()))
	m.Drive(waits.Out(), request.And(under.wait(is, executors)))
	turn := m.Let("has_its_turn", request.And(waits.Not()))
	starts := m.Let("starts", hdl.AllOf(turn, now.Failed.Not(), reaches.And(gone).Not()))
	end := m.Let("ends", turn.And(isEnd))
	fail := m.Let("fails", hdl.AllOf(turn, now.Failed.Not(), reaches, gone))
	dropped := m.Let("dropped", hdl.AllOf(request, now.Failed, isEnd.Not()))
	leaves := []hdl.Value{opens.Value}
	after := orderState{Failed: now.Failed.Or(fail)}
	begins := make([]hdl.Value, len(executors))
	for i, x := range executors {
		begins[i] = m.Let("start_"+x.Name, starts.And(is[i]))
		leaves = append(leaves, begins[i].And(p.Start[i].Of.Ready))
		p.Start[i].Of.Drive(m, begins[i], asked[i].Request)
		after.Latest = append(after.Latest, hdl.Name(x.Name, hdl.Mux(begins[i], under[i].issued.Plus(1), now.Latest[i].Of)))
	}
	m.Drive(leave.Out(), valid.And(hdl.AnyOf(append(leaves, end.And(p.End.Ready), fail.And(p.Failed.Ready), dropped)...)))
	p.End.Drive(m, end, r)
	p.Failed.Drive(m, fail, engine.Failure{Stream: r.Stream, Fault: engine.FaultOf(engine.FaultSTag)})

	m.Section("New state of the stream")
	for i := range executors {
		under[i].count = append(under[i].count, hdl.If(leave.And(begins[i]), under[i].issued.Set(under[i].issued.Plus(1))))
		m.OnClock(under[i].count)
	}
	m.OnClock(hdl.If(leave.Value, state.Decide(r.Stream, hdl.Pack(after).And(opens.Not().Replicate(hdl.PackedWidth(proto))))))
}

// underWay counts the requests in progress, by executor.
type underWay []struct {
	issued hdl.Reg   // number of the latest request of any stream
	after  hdl.Value // the stream in question has requests in progress
	count  hdl.Stmts // updates of the counts
	number hdl.Value // a number is free for another request
}

// countUnderWay counts requests issued and reported.
func countUnderWay(m *hdl.Module, p RequestOrderPorts, executors []engine.Executor, now orderState) underWay {
	under := make(underWay, len(executors))
	port := 0
	for i, x := range executors {
		under[i].issued = m.Reg(x.Name+"s_issued_q", x.Number, hdl.ResetTo(0))
		next := under[i].issued.Plus(1)
		var pending, room []hdl.Value
		for _, d := range x.Done {
			done := p.Done[port].Of.Value
			port++
			if d.By != engine.ByNumber {
				count := m.Reg(x.Name+"s_"+d.Name+"_q", x.Number, hdl.ResetTo(0))
				under[i].count = append(under[i].count, hdl.If(done, count.Set(count.Plus(1))))
				done = count.Value
			}
			pending, room = append(pending, engine.Pending(now.Latest[i].Of, under[i].issued.Value, done)), append(room, next.Ne(done))
		}
		under[i].after = m.Let("after_"+x.Name, hdl.AnyOf(pending...))
		under[i].number = hdl.Ones(1)
		if !x.Bounded {
			under[i].number = m.Let(x.Name+"_has_number", hdl.AllOf(room...))
		}
	}
	return under
}

// wait is 1 while a request has to wait for requests of another kind on its stream; the end of the stream waits for all.
func (u underWay) wait(is []hdl.Value, executors []engine.Executor) hdl.Value {
	var all []hdl.Value
	var rows []hdl.When
	for i, x := range executors {
		all = append(all, u[i].after)
		var these []hdl.Value
		for j := range executors {
			if j != i {
				these = append(these, u[j].after)
			}
		}
		if !x.Bounded {
			these = append(these, u[i].number.Not())
		}
		if these != nil {
			rows = append(rows, hdl.When{Cond: is[i], Then: hdl.AnyOf(these...)})
			continue
		}
		rows = append(rows, hdl.When{Cond: is[i], Then: hdl.Zero(1)})
	}
	return hdl.Select(hdl.AnyOf(all...), rows...)
}
