package host

import (
	"fmt"
	"maps"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// capabilities are the registers that describe the generated hardware.
func capabilities(c engine.Config, in engine.RegisterMap) map[string]uint64 {
	var major, minor, patch uint64
	if n, err := fmt.Sscanf(engine.Version, "%d.%d.%d", &major, &minor, &patch); n != 3 {
		panic(err)
	}
	list := map[string]uint64{"id": engine.Identity, "version": major<<16 | minor<<8 | patch,
		"bus_bytes": uint64(c.BusBytes), "streams": uint64(c.Streams), "stags": uint64(c.STags), "ird": uint64(c.IRD), "ord": uint64(c.ORD),
		"receive_depth": uint64(c.ReceiveDepth), "send_depth": uint64(c.SendDepth), "max_payload": uint64(c.MaxPayload),
		"features": c.Profile.Features() | atomicScopeRNIC<<1}
	maps.Copy(list, in.Constants)
	return list
}

// atomicScopeRNIC: Atomics are atomic with respect to those of all streams of this RNIC and nothing else (RFC 7306 section 5.3).
const atomicScopeRNIC = 1

// buildCounters builds a counter for each register that has an input.
func (b *csr) buildCounters() {
	b.m.Section("Counters")
	inputs := b.p.Count.byName(b.in)
	var stmts hdl.Stmts
	for _, r := range b.in.Registers {
		if pulse, is := inputs[r.Name]; is {
			q := b.m.Reg(r.Name+"_q", r.Width, hdl.ResetTo(0))
			b.holds[r.Name] = q.Value
			stmts = append(stmts, hdl.If(pulse, q.Set(q.Plus(1))))
		}
	}
	b.m.OnClock(stmts)
}

// buildReads responds to reads two cycles after they are accepted; one of the log takes the oldest entry out.
func (b *csr) buildReads() {
	m, axi := b.m, b.p.AXI
	m.Section("Reads")
	responseValid, responseRefused := m.Reg("read_response_valid_q", 1, hdl.ResetTo(0)), m.Reg("read_response_refused_q", 1, hdl.NoReset)
	data, fromLog := m.Reg("read_data_q", 32, hdl.NoReset), m.Reg("read_from_log_q", 1, hdl.NoReset)
	asked := m.Reg("read_asked_q", 1, hdl.ResetTo(0))
	free := m.Let("read_is_free", hdl.AllOf(asked.Not(), responseValid.Not()))
	axi.AR.Accept(m, free)
	m.OnClock(asked.Set(axi.AR.Valid.And(free)))
	address, take := m.Let("read_address", hdl.Cat(axi.AR.Data.Addr.Slice(engine.RegisterAddressBits-1, 2), hdl.Zero(2))), asked.Value
	m.Unused("registers are words", axi.AR.Data.Addr.Truncate(2))
	m.Unused("every access is allowed", axi.AR.Data.Prot)
	m.Note("Which register it is, in one bit for each that can be read, is decoded as the address is accepted.")
	reads := map[string]hdl.Value{}
	var all []hdl.Value
	var decoded hdl.Stmts
	for _, r := range b.in.Registers {
		if r.Access != engine.WriteOnly {
			is := m.Reg("reads_"+r.Name+"_q", 1, hdl.NoReset)
			reads[r.Name], all, decoded = is.Value, append(all, is.Value), append(decoded, is.Set(address.Eq(b.address[r.Name])))
		}
	}
	m.OnClock(hdl.If(free, decoded...))
	entry, removed := b.buildLog(m.Let("reads_log", take.And(reads[b.in.Log])))

	m.Section("Read responses")
	readable := m.Let("readable", hdl.AnyOf(all...))
	found := hdl.Zero(32)
	for _, r := range b.in.Registers {
		if r.Access == engine.ReadOnly || r.Access == engine.ReadWrite {
			found = found.Or(reads[r.Name].Replicate(32).And(b.holds[r.Name].ZeroExtend(32)))
		}
	}
	m.OnClock(
		responseValid.Set(hdl.Mux(responseValid.Value, axi.R.Ready.Not(), take)),
		hdl.If(take, data.Set(m.Let("found", found)), fromLog.Set(removed), responseRefused.Set(readable.Not())),
	)
	axi.R.Drive(m, responseValid.Value, block.LiteRBeat{Data: hdl.Mux(fromLog.Value, entry, data.Value), Resp: block.LiteResponse(responseRefused.Value)})
}

// logDepth is the number of stream ends in the log.
const logDepth = 16

// buildLog keeps the latest ends of streams. removes removes the oldest, if any, which is entry from the next cycle on.
func (b *csr) buildLog(removes hdl.Value) (entry, removed hdl.Value) {
	m, in := b.m, b.p.Event
	m.Section("Log of the ends of streams")
	lw := block.IndexWidth(logDepth)
	m.Note("Counted modulo twice the depth: equal if the log is empty, one depth apart if it is full.")
	head, tail := m.Reg("log_head_q", lw+1, hdl.ResetTo(0)), m.Reg("log_tail_q", lw+1, hdl.ResetTo(0))
	held := m.Let("log_held", tail.Sub(head.Value))
	lost := m.Reg(b.in.Lost+"_q", 32, hdl.ResetTo(0))
	b.holds[b.in.Lost] = lost.Value
	isEnd := in.Data.Kind.Eq(m.Constant("EVENT_ENDED", 2, engine.EventEnded))
	closed := m.Let("is_closed", in.Data.Kind.Eq(m.Constant("EVENT_CLOSED", 2, engine.EventClosed)))
	add := m.Let("log_add", in.Valid.And(isEnd.Or(closed)))
	in.Accept(m, hdl.Ones(1))
	removed = m.Let("log_remove", removes.And(held.Any()))
	drop := m.Let("log_drop", hdl.AllOf(add, removed.Not(), held.Bit(lw)))

	sw, detail := in.Data.Stream.Width(), hdl.Pack(in.Data.Detail)
	dw := detail.Width()
	log := m.Memory("log", sw+dw+1, logDepth)
	log.Write(add, tail.Truncate(lw), hdl.Cat(closed, in.Data.Stream, detail))
	m.Note("The oldest entry of a full log is read before the newest replaces it.")
	oldest := log.Read("oldest_q", removed, head.Truncate(lw), hdl.ReadOld)
	m.OnClock(
		hdl.If(add, tail.Set(tail.Plus(1))),
		hdl.If(removed.Or(drop), head.Set(head.Plus(1))),
		hdl.If(drop, lost.Set(lost.Plus(1))),
	)
	f := b.in.Register(b.in.Log).Field("stream")
	return hdl.Cat(hdl.Ones(1), oldest.Bit(sw+dw), oldest.Slice(sw+dw-1, dw).ZeroExtend(f.Width), oldest.Truncate(dw)), removed
}
