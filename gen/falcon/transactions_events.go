package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// happening is an event. Without a bit of its kind it is a look at a message.
type happening struct {
	Closes   hdl.Value // a transaction
	Responds hdl.Value // with its response
	Ends     hdl.Value // a QP
	Pokes    hdl.Value // a look at the oldest message of a QP
	Sets     hdl.Value // a step of a set-up
	Finishes hdl.Value // its last one
	Owns     hdl.Value // of a set-up: the connection is that of the QP
	Unfit    hdl.Value // the message that is looked at fails
	Refused  hdl.Value // then: its QP goes on
	CID      hdl.Value `hdl:"cid"`
	RSN      hdl.Value `hdl:"rsn"` // or number of the step
	Code     hdl.Value
	ULP      hdl.Value `hdl:"ulp"`
	Status   hdl.Value
	Data     hdl.Value // of a set-up: the first RMSN of pulls
	Stream   hdl.Value
	Number   hdl.Value // of the message
}

func happeningOf(c engine.Config) happening {
	bit, d, p, n := hdl.Bits(1), CompletedOf(c), PlacedOf(c), nudgeOf(c)
	return happening{Closes: bit, Responds: bit, Ends: bit, Pokes: bit, Sets: bit, Finishes: bit, Owns: bit, Unfit: bit, Refused: bit, CID: d.CID, RSN: d.RSN, Code: d.Code, ULP: d.ULP,
		Status: p.Status, Data: p.Data, Stream: n.Stream, Number: n.Number}
}

// noHappening has all bits 0.
func noHappening(c engine.Config) happening {
	proto := happeningOf(c)
	return hdl.Unpack(proto, hdl.Zero(hdl.PackedWidth(proto)))
}

// Stages of the pipeline of events, by what is known from there on.
const (
	eventTaken = 1
	ownerRead  = 2 // whose transaction it is, as read from the table
	ownerKnown = 3 // the same; whether it is open
	wordsRead  = 4 // what is known of its message
	decided    = 5 // what is known of its QP; it is decided
	eventOver  = 6
)

// events takes one event per cycle.
func (u *transactions) events(drained hdl.Sink[nudge]) happening {
	m, c, p := u.Module, u.c, u.p
	m.Section("Events")
	one := hdl.Ones(1)
	event := func(name string, valid hdl.Value, h happening) (s hdl.Stream[happening]) {
		s = hdl.NewStream(m, name, happeningOf(c))
		s.Source().Drive(m, valid, h)
		return s
	}
	merged := func(name string, a, b hdl.Sink[happening]) hdl.Sink[happening] {
		s := hdl.NewStream(m, name, happeningOf(c))
		block.Join(m, "next_"+name, a, b, s.Source())
		return s.Sink()
	}
	completed, placed, ended := hdl.NewStream(m, "completion", CompletedOf(c)), hdl.NewStream(m, "response", PlacedOf(c)), hdl.NewStream(m, "end", engine.EndedOf(c.Streams))
	nudged, look, looks := hdl.NewStream(m, "nudged", nudgeOf(c)), hdl.NewStream(m, "look", nudgeOf(c)), hdl.NewStream(m, "look_at", nudgeOf(c))
	block.Between(m, "next_completion", p.Completed, completed.Source())
	block.Between(m, "next_response", p.Placed, placed.Source())
	block.Between(m, "next_end", p.Ended, ended.Source())
	block.Between(m, "next_nudge", p.Nudge, nudged.Source())
	block.Merge(m, "looks", nudged.Sink(), drained, look.Source())
	block.Between(m, "next_look", look.Sink(), looks.Source())

	h := noHappening(c)
	d, r := completed.Sink(), placed.Sink()
	h.Closes, h.CID, h.RSN, h.Code, h.ULP = one, d.Data.CID, d.Data.RSN, d.Data.Code, d.Data.ULP
	ofCompletion := event("completion_event", d.Valid, h)
	d.Accept(m, ofCompletion.Source().Ready)
	h = noHappening(c)
	h.Closes, h.Responds, h.CID, h.RSN, h.Status, h.Data = one, one, r.Data.CID, r.Data.RSN, r.Data.Status, r.Data.Data
	ofResponse := event("response_event", r.Valid, h)
	r.Accept(m, ofResponse.Source().Ready)
	h = noHappening(c)
	h.Ends, h.Stream = one, ended.Sink().Data.Stream
	ofEnd := event("end_event", ended.Sink().Valid, h)
	ended.Sink().Accept(m, ofEnd.Source().Ready)
	h = noHappening(c)
	l := looks.Sink().Data
	h.Stream, h.Number, h.Unfit, h.Refused = l.Stream, l.Number, l.Unfit, l.Refused
	ofLook := event("look_event", looks.Sink().Valid, h)
	looks.Sink().Accept(m, ofLook.Source().Ready)
	next := merged("offered", merged("closing", ofCompletion.Sink(), ofResponse.Sink()), merged("other", ofEnd.Sink(), ofLook.Sink()))

	m.Section("The next one: looks that follow from others first, then set-up and others in turn")
	reports, wakes := block.NewReserved(m, "reported", 16, engine.WorkReportOf(c), p.Report), block.NewReserved(m, "wakes", 16, tokenOf(c), p.Wake)
	u.reports, u.wakes = reports, wakes
	m.Note("Room for two is room for one a cycle later.")
	hasRoom := m.Reg("has_room_q", 1, hdl.ResetTo(0))
	m.OnClock(hasRoom.Set(hdl.AllOf(u.sweep.Done, u.places.Done, reports.Spare, wakes.Spare)))
	room := hasRoom.Value
	most := max(profileOf(c).Window, c.SendDepth, c.ORD)
	step, turn := m.Reg("setup_step_q", block.IndexWidth(most), hdl.ResetTo(0)), m.Reg("setup_turn_q", 1, hdl.ResetTo(0))
	others := m.Let("may_take", room.And(u.poked.Valid.Not()))
	sets := m.Let("takes_step", hdl.AllOf(others, p.Prepare.Valid, turn.Or(next.Valid.Not())))
	last := m.Let("is_last_step", p.Prepare.Data.Opens.Or(step.Is(uint64(most-1))))
	u.poked.Accept(m, room)
	next.Accept(m, others.And(sets.Not()))
	m.OnClock(turn.Set(hdl.Mux(others, sets.Not(), turn.Value)), hdl.If(sets, step.Set(hdl.Mux(last, hdl.Zero(step.Width()), step.Plus(1)))))
	p.Prepare.Accept(m, sets.And(last))

	poke, set := noHappening(c), noHappening(c)
	poke.Pokes, poke.Stream = one, u.poked.Data.Stream
	set.Owns, set.Data = p.Prepare.Data.Owns, p.Prepare.Data.First.ZeroExtend(set.Data.Width())
	set.Sets, set.Finishes, set.CID, set.Stream, set.RSN, set.Number = one, p.Prepare.Data.Opens, p.Prepare.Data.CID, p.Prepare.Data.Stream, step.ZeroExtend(rsnBits), low(step.Value, numberBits(c))
	chosen := m.Let("next_event", hdl.Select(hdl.Pack(next.Data), hdl.When{Cond: u.poked.Valid, Then: hdl.Pack(poke)}, hdl.When{Cond: sets, Then: hdl.Pack(set)}))
	u.pipe = block.NewPipeline(m, m.Let("enters", room.And(hdl.AnyOf(u.poked.Valid, p.Prepare.Valid, next.Valid))), eventOver)
	u.modes.Write(block.Change{When: sets, Stream: p.Prepare.Data.Stream, Word: hdl.Pack(mode{Verbs: p.Prepare.Data.Errors.Not(), Datagram: p.Prepare.Data.Datagram})})
	return hdl.Unpack(happeningOf(c), chosen)
}

// found is an event whose QP and message are known.
type found struct {
	stream, number, open, pull, pullPlace *block.Signal
	slot                                  *block.Signal // of its message
	status, fatal                         *block.Signal
	poke, set, finish, end, look, data    *block.Signal
	responds, unfit, refused              *block.Signal
}

// find looks up the transaction of an event, or the oldest message of a QP.
func (u *transactions) find(h happening) (f found) {
	m, c, pipe := u.Module, u.c, u.pipe
	sig := func(name string, v hdl.Value) *block.Signal { return pipe.Holds(name, 0, v) }
	cid, rsn, code, ulp := sig("cid", h.CID), sig("rsn", h.RSN), sig("code", h.Code), sig("ulp", h.ULP)
	closes, status, stream, number := sig("closes", h.Closes), sig("status_of_response", h.Status), sig("named_stream", h.Stream), sig("named_number", h.Number)
	f.poke, f.set, f.finish, f.end, f.data, f.responds = sig("pokes", h.Pokes), sig("sets", h.Sets), sig("finishes", h.Finishes), sig("ends", h.Ends), sig("data", h.Data), sig("responds", h.Responds)
	f.unfit, f.refused = sig("unfit", h.Unfit), sig("refused", h.Refused)
	owns := sig("owns", h.Owns)

	m.Section("Its transaction")
	valid := pipe.Valid(eventTaken)
	place := pipe.Signal("event_place", eventTaken, hdl.Cat(cid.At(eventTaken), rsn.At(eventTaken).Truncate(placeBits(c))))
	o := hdl.LetOf(m, "owner", hdl.Unpack(ownerOf(c), u.owners.Read("owner_q", valid, place.At(eventTaken), hdl.ReadOld)))
	at := func(s *block.Signal) hdl.Value { return s.At(ownerRead) }
	m.Note("A push has no response.")
	fits := pipe.Signal("fits_owner", ownerRead, hdl.AllOf(at(closes), o.RSN.Eq(at(rsn)), o.Pull.Or(at(f.responds).Not())))
	f.stream = pipe.Signal("stream", ownerRead, hdl.Mux(at(closes), o.Stream, at(stream)))
	numbered := pipe.Signal("message_of_event", ownerRead, hdl.Mux(at(closes), o.Number, at(number)))
	f.pull = pipe.Signal("closes_a_pull", ownerRead, o.Pull.And(at(closes)))
	f.pullPlace = pipe.Signal("pull_place", ownerRead, hdl.Mux(at(f.set), low(at(rsn), pullBits(c)), o.Place))
	f.look = pipe.Signal("looks_only", ownerRead, hdl.AnyOf(at(closes), at(f.poke), at(f.set), at(f.end)).Not())
	valid = pipe.Valid(ownerRead)
	opened, closed := u.opens.Read("opened_q", valid, at(place), hdl.ReadNew), u.closes.Read("closed_q", valid, at(place), hdl.ReadNew)
	oldest := u.words(valid, f.stream)
	is := m.Let("is_open", hdl.AllOf(pipe.Valid(ownerKnown), fits.At(ownerKnown), opened.Xor(closed)))
	u.closes.Write(m.Let("closes_place", is.Or(hdl.AllOf(pipe.Valid(ownerKnown), f.set.At(ownerKnown), owns.At(ownerKnown)))), place.At(ownerKnown), opened)
	f.open = pipe.Signal("was_open", ownerKnown, is.Or(f.unfit.At(ownerKnown)))
	f.number = pipe.Signal("number", ownerKnown, hdl.Mux(f.poke.At(ownerKnown), oldest, numbered.At(ownerKnown)))
	f.slot = pipe.Holds("slot", ownerKnown, slot(f.stream.At(ownerKnown), f.number.At(ownerKnown)))
	u.outcomes = u.outcomeWords(f.slot)

	m.Section("The status that it means: I-64, I-105")
	ofPush, pushFatal := u.statusOf("push", code.At(eventTaken), ulp.At(eventTaken), func(r spec.CompletionRow) bool { return r.Push })
	ofPull, pullFatal := u.statusOf("pull", code.At(eventTaken), ulp.At(eventTaken), func(r spec.CompletionRow) bool { return r.Pull })
	push, pushEnds := pipe.Holds("push_status", eventTaken, ofPush), pipe.Holds("push_fatal", eventTaken, pushFatal)
	pull, pullEnds := pipe.Holds("pull_status", eventTaken, ofPull), pipe.Holds("pull_fatal", eventTaken, pullFatal)
	f.status = pipe.Signal("status", ownerRead, hdl.Select(at(push), hdl.When{Cond: at(f.unfit), Then: hdl.Const(statusBits, statusProtection)}, hdl.When{Cond: at(f.responds), Then: at(status)}, hdl.When{Cond: o.Pull, Then: at(pull)}))
	f.fatal = pipe.Signal("is_fatal", ownerRead, hdl.AllOf(hdl.Mux(o.Pull, at(pullEnds), at(pushEnds)), at(f.responds).Not()))
	return f
}

// statusOf is the status that a completion of a push, or of a pull, gives its work request, and whether it ends the QP in both error modes.
// One that such a transaction cannot have ends it.
func (u *transactions) statusOf(name string, code, ulp hdl.Value, may func(r spec.CompletionRow) bool) (status, fatal hdl.Value) {
	m := u.Module
	value := func(n uint64) hdl.Value { return hdl.Const(statusBits, n) }
	byULP := hdl.Select(value(statusRemote), hdl.When{Cond: ulp.Is(uint64(spec.InvalidRequest)), Then: value(statusInvalid)},
		hdl.When{Cond: ulp.Is(uint64(spec.AccessError)), Then: value(statusAccess)}, hdl.When{Cond: ulp.Is(uint64(spec.OperationError)), Then: value(statusOperation)})
	var list []hdl.When
	var mild []hdl.Value
	for _, r := range spec.Completions {
		if !may(r) {
			continue
		}
		is := code.Is(uint64(r.Code))
		if !r.Fatal {
			mild = append(mild, is)
		}
		switch r.Code {
		case spec.CompletedAck:
			list = append(list, hdl.When{Cond: is, Then: value(statusSuccess)})
		case spec.CompletedCIE:
			list = append(list, hdl.When{Cond: is, Then: byULP})
		case spec.CompletedNRE, spec.CompletedCID:
			list = append(list, hdl.When{Cond: is, Then: value(statusRemote)})
		}
	}
	fatal = hdl.Ones(1)
	if len(mild) > 0 {
		fatal = hdl.AnyOf(mild...).Not()
	}
	return m.Let(name+"_status_now", hdl.Select(value(statusTransport), list...)), m.Let(name+"_fatal_now", fatal)
}
