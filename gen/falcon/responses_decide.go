package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// responseState is that of a connection.
type responseState struct {
	Used    DataCount // credits, modulo 2^16
	First   hdl.Value // place of the first response that waits
	Waiting hdl.Value // how many wait
	Free    hdl.Value // how many of them, the first, need no credits
	Retries hdl.Value // 1: a retry of the connection exists
}

func responseStateOf(c engine.Config) responseState {
	places := block.IndexWidth(c.IRD)
	return responseState{dataCount(), hdl.Bits(places), hdl.Bits(places + 1), hdl.Bits(places + 1), hdl.Bits(1)}
}

// enter lets one thing in per cycle: a set-up first, else responses and retries by turns.
func (u *responses) enter() {
	m, c, p := u.Module, u.c, u.p
	m.Section("What enters")
	fresh := u.choose()
	merged, tries := hdl.NewStream(m, "try", retryOf(c)), hdl.NewStream(m, "next_try", retryOf(c))
	list := hdl.NewStream(m, "first_retry", retryOf(c))
	block.Fifo(m, "retries", max(2, 1<<profileOf(c).cid().Width()), u.retries.Sink(), list.Source())
	m.Unused("there is room for one of each connection", u.retries.Source().Ready)
	block.Merge(m, "tries", list.Sink(), u.wakes.Sink(), merged.Source())
	block.Between(m, "next_tries", merged.Sink(), tries.Source())

	opens := m.Let("opens", p.Setup.Valid.And(u.sweep.Done))
	p.Setup.Accept(m, u.sweep.Done)
	may := m.Let("may_enter", hdl.AllOf(u.sweep.Done, opens.Not(), u.kept.Room))
	turn := m.Reg("retry_turn_q", 1, hdl.ResetTo(0))
	tried := m.Let("retry_is_next", tries.Sink().Valid.And(turn.Or(fresh.Valid.Not())))
	tries.Sink().Accept(m, may.And(tried))
	fresh.Accept(m, may.And(tried.Not()))
	comes := m.Let("response_enters", hdl.AllOf(may, fresh.Valid, tried.Not()))
	again := m.Let("retry_enters", may.And(tried))
	m.OnClock(hdl.If(comes, turn.Set(hdl.Ones(1))).ElseIf(again, turn.Set(hdl.Zero(1))))

	u.pipe = block.NewPipeline(m, m.Let("enters", hdl.AnyOf(opens, comes, again)), responseLeaves)
	t := tries.Sink().Data
	is := make([]*block.Signal, responseSteps)
	for step, v := range []hdl.Value{comes, again.And(t.Again), again.And(t.Again.Not()), opens} {
		is[step] = u.pipe.Signal([]string{"is_response", "is_retry", "is_return", "is_setup"}[step], 0, v)
	}
	s := p.Setup.Data
	cid := u.pipe.Signal("cid", 0, hdl.Select(fresh.Data.CID, hdl.When{Cond: opens, Then: s.CID}, hdl.When{Cond: tried, Then: t.CID}))
	response, first := u.pipe.Holds("response", 0, hdl.Pack(fresh.Data)), u.pipe.Holds("first_costs", 0, t.Buffers)
	initial := u.pipe.Holds("initial", 0, hdl.Pack(s.Count))
	cost, amount := u.price(is, response, first, initial)
	u.leave = func(stays, leaves hdl.Value, r keptResponse) {
		u.kept.Drive(m.Let("takes_place", comes.Or(again)), stays, leaves, r)
	}
	u.decide(is, cid, response, cost, amount)
}

// choose takes the responses of the executors by turns.
func (u *responses) choose() hdl.Sink[keptResponse] {
	m, c := u.Module, u.c
	out := hdl.NewStream(m, "chosen", keptResponseOf(c))
	var valid, words []hdl.Value // of valid, the most significant bit first
	for _, r := range u.p.Responses {
		valid, words = append([]hdl.Value{r.Of.Valid}, valid...), append(words, hdl.Pack(keepResponse(m, c, r.Of.Data)))
	}
	able := m.Let("responses_wait", hdl.Cat(valid...))
	last := m.Reg("last_chosen_q", len(valid)-1, hdl.ResetTo(1)) // 0: the last one
	behind := m.Let("others_behind", able.And(block.Above(hdl.Cat(hdl.Zero(1), last.Value))))
	now := m.Let("choice", block.Lowest(m.Let("candidates", hdl.Mux(behind.Any(), behind, able))))
	taken := m.Let("choice_taken", able.Any().And(out.Source().Ready))
	m.OnClock(hdl.If(taken, last.Set(now.Truncate(len(valid)-1))))
	word := hdl.Zero(words[0].Width())
	for i, w := range words {
		u.p.Responses[i].Of.Accept(m, now.Bit(i).And(out.Source().Ready))
		word = word.Or(w.And(now.Bit(i).Replicate(w.Width())))
	}
	out.Source().Drive(m, able.Any(), hdl.Unpack(keptResponseOf(c), m.Let("chosen", word)))
	return out.Sink()
}

// price gives the buffers that a response costs, and what is taken from what the connection has been given: what a response costs, or
// its first credits.
func (u *responses) price(is []*block.Signal, response, first, initial *block.Signal) (cost, amount *block.Signal) {
	m, c := u.Module, u.c
	octets := profileOf(c).BufferOctets
	m.Section("What a response costs")
	length := hdl.Unpack(keptResponseOf(c), response.At(responsePriced)).Packet
	sum, unit := m.Let("octets_up_to_next", length.ZeroExtend(lengthBits+1).Plus(uint64(octets-1))), block.IndexWidth(octets)
	if octets == 1 {
		unit = 0
	}
	buffers := low(sum.Slice(lengthBits, unit), bufferBits(c))
	m.Unused("no response is as long, and buffers are whole", sum)
	cost = u.pipe.Signal("cost", responsePriced, hdl.Mux(is[responseRetries].At(responsePriced), first.At(responsePriced), buffers))
	one := DataCount{hdl.Const(creditBits, 1), low(cost.At(responsePriced), creditBits)}
	amount = u.pipe.Signal("amount", responsePriced, hdl.Mux(is[connectionOpens].At(responsePriced), initial.At(responsePriced), hdl.Pack(one)))
	return cost, amount
}

// decide says what becomes of a response: it leaves, or is queued after others of its connection.
func (u *responses) decide(is []*block.Signal, cid, response, cost, amount *block.Signal) {
	m, c := u.Module, u.c
	proto := responseStateOf(c)
	places := proto.First.Width()
	m.Section("Does it leave? A response if none waits and there are credits, the first that waits if there are")
	state := block.NewContext(m, "state", hdl.Zero(hdl.PackedWidth(proto)), u.sweep).Stage(u.pipe, responsePriced, cid)
	granted := hdl.Unpack(dataCount(), u.granted.Latest("granted_then", u.pipe.Valid(responsePriced), cid.At(responsePriced)))
	allowed := u.pipe.Signal("allowed", responseAllowed, hdl.Pack(granted.minus(hdl.Unpack(dataCount(), amount.At(responseAllowed)))))
	at := func(s *block.Signal) hdl.Value { return s.At(responseDecided) }
	now := hdl.LetOf(m, "now", hdl.Unpack(proto, state.Now))
	most := hdl.Unpack(dataCount(), at(allowed))
	left := hdl.LetOf(m, "left", most.minus(now.Used))
	m.Unused("only their signs matter", left.Packets.Truncate(creditBits-1), left.Buffers.Truncate(creditBits-1))
	fits := m.Let("fits", left.negative().Not())
	comes, tried := at(is[responseComes]), at(is[responseRetries])
	some, full, free := m.Let("some_wait", now.Waiting.Any()), now.Waiting.Bit(places), m.Let("first_is_free", now.Free.Any())
	passes := m.Let("passes", comes.And(full.Or(fits.And(some.Not()))))
	stores := m.Let("stores", comes.And(passes.Not()))
	pops := m.Let("pops", tried.And(fits.Or(free)))
	pays := m.Let("pays", hdl.Mux(tried, pops.And(free.Not()), passes.And(full.Not())))
	m.Note("A retry exists while responses wait that may have the credits.")
	more := m.Let("more_wait", now.Waiting.Truncate(places+1).Minus(1).Any())
	goesOn := m.Let("retries_next", pops.And(more))
	begins := m.Let("retry_begins", hdl.AllOf(at(is[creditComes]).Or(at(is[connectionOpens])), some, now.Retries.Not()))

	step := func(v, up, down hdl.Value) hdl.Value {
		return hdl.Select(v, hdl.When{Cond: up, Then: v.Plus(1)}, hdl.When{Cond: down, Then: v.Minus(1)})
	}
	opens := at(is[connectionOpens])
	paid := hdl.Pack(now.Used.plus(hdl.Unpack(dataCount(), at(amount))))
	next := responseState{Used: hdl.Unpack(dataCount(), hdl.Select(hdl.Pack(now.Used), hdl.When{Cond: opens, Then: at(allowed)}, hdl.When{Cond: pays, Then: paid})),
		First: now.First.Add(pops.ZeroExtend(places)), Waiting: m.Let("waiting_then", step(now.Waiting, stores, pops)),
		Free:    hdl.Mux(opens, now.Waiting, hdl.Mux(pops.And(free), now.Free.Minus(1), now.Free)),
		Retries: hdl.Mux(tried, goesOn, now.Retries.Or(begins))}
	state.Decide(m, hdl.Pack(next))

	m.Section("Responses that wait")
	decided := func(name string, v hdl.Value) *block.Signal { return u.pipe.Signal(name, responseDecided, v) }
	place := decided("place", hdl.Mux(stores, now.First.Add(now.Waiting.Truncate(places)), now.First))
	following, wait := decided("next_first", next.First), decided("still_wait", next.Waiting.Any())
	storing, popping, passing, trying := u.pipe.Holds("stores", responseDecided, stores), u.pipe.Holds("pops", responseDecided, pops), u.pipe.Holds("passes", responseDecided, passes), decided("tries_again", goesOn.Or(begins))
	at = func(s *block.Signal) hdl.Value { return s.At(responseKept) }
	u.waits.Write(block.Change{When: u.pipe.Valid(responseKept), Stream: at(cid), Word: at(wait)})
	rows := 1 << (cid.At(0).Width() + places)
	held, costs := m.Memory("held", hdl.PackedWidth(keptResponseOf(c)), rows), m.Memory("costs", bufferBits(c), rows)
	row := hdl.Cat(at(cid), at(place))
	written := m.Let("response_waits", u.pipe.Valid(responseKept).And(at(storing)))
	held.Write(written, row, at(response))
	costs.Write(written, row, at(cost))
	waited := held.Read("waited_q", u.pipe.Valid(responseKept), row, hdl.ReadOld)
	buffers := costs.Read("next_costs_q", u.pipe.Valid(responseKept), hdl.Cat(at(cid), at(following)), hdl.ReadOld)

	at = func(s *block.Signal) hdl.Value { return s.At(responseLeaves) }
	u.retries.Source().Drive(m, u.pipe.Valid(responseLeaves).And(at(trying)), retry{at(cid), buffers, hdl.Ones(1)})
	leaves := m.Let("leaves", u.pipe.Valid(responseLeaves).And(at(popping).Or(at(passing))))
	stays := m.Let("keeps_no_place", hdl.AllOf(u.pipe.Valid(responseLeaves), at(is[connectionOpens]).Not(), leaves.Not()))
	u.leave(stays, leaves, hdl.Unpack(keptResponseOf(c), hdl.Mux(at(popping), waited, at(response))))
}
