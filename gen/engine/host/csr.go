package host

import (
	"strings"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/hdl"
)

// CSRPorts are the host registers: commands out, events and counts in.
type CSRPorts struct {
	AXI     block.AXILite                `hdl:"s_axil"`
	STag    hdl.Source[memory.STagWrite] `hdl:"stag"`
	Opening hdl.Source[engine.Opening]
	Weight  hdl.Source[engine.TxWeight]
	Setup   *hdl.Source[any]            `doc:"set-up of a stream that is closed"`
	Fail    *hdl.Source[engine.Failure] `doc:"ends a stream; of a profile with set-up"`
	Event   hdl.Sink[engine.Event]
	Ready   hdl.In `doc:"all tables are initialized"`
	Count   Counts
}

// Counts are the inputs of the counters, one per register of the same name, incremented in each cycle with a 1.
type Counts struct {
	SegmentsReceived  hdl.In `doc:"counts one"`
	SegmentsDiscarded hdl.In `doc:"counts one"`
	SegmentsInError   hdl.In `doc:"counts one"`
	MessagesSent      hdl.In `doc:"counts one"`
	SegmentsSent      hdl.In `doc:"counts one"`
	SegmentsDropped   hdl.In `doc:"counts one"`
	Completions       hdl.In `doc:"counts one"`
	Ended             hdl.In `doc:"this node has ended a stream"`
	Closed            hdl.In `doc:"the peer has ended a stream"`
	MemoryErrors      hdl.In `doc:"counts one"`
	ReceivesRefused   hdl.In `doc:"counts one"`
	Invalidations     hdl.In `doc:"counts one"`
}

func counts() Counts {
	one := hdl.NewIn(1)
	return Counts{one, one, one, one, one, one, one, one, one, one, one, one}
}

// byName maps register names to inputs.
func (c Counts) byName(in engine.RegisterMap) map[string]hdl.Value {
	return map[string]hdl.Value{
		"segments_received": c.SegmentsReceived.Value, "segments_discarded": c.SegmentsDiscarded.Value, "segments_in_error": c.SegmentsInError.Value,
		"messages_sent": c.MessagesSent.Value, "segments_sent": c.SegmentsSent.Value, "segments_dropped": c.SegmentsDropped.Value,
		"completions": c.Completions.Value, in.Ended: c.Ended.Value, in.Closed: c.Closed.Value,
		"memory_errors": c.MemoryErrors.Value, "receives_refused": c.ReceivesRefused.Value, "invalidations": c.Invalidations.Value,
	}
}

// Encoding of the commands in the registers.
const (
	commandStore      = 1 // stag_command
	commandInvalidate = 2
	commandOpen       = 1 // stream_command
	commandClose      = 2
	commandWeigh      = 3
	commandSetUp      = 4 // if streams have a set-up
	commandFail       = 5 // the same
)

const csrDoc = `csr holds the registers of the host behind AXI4-Lite. It accepts a write every other cycle and a read every third one as
long as the responses are accepted at once. An access is answered after two cycles, a write two cycles after the later of its
address and its data, which may arrive in either order. An access to no register gets SLVERR and has no effect.

A command stays on its stream, stag, opening or weight, until it is accepted. The registers that describe it do not change
meanwhile, because writes to them wait. Events are always accepted. The log holds the last 16 ends of streams; a
newer one replaces the oldest. Counters count modulo 2^32. After reset the log is empty and everything else is 0.`

// CSR has the registers of the profile.
func CSR(c engine.Config) hdl.Block[CSRPorts] {
	ports := CSRPorts{AXI: block.AXILiteOf(engine.RegisterAddressBits), STag: hdl.NewSource(memory.STagWriteOf(c)), Opening: hdl.NewSource(engine.OpeningOf(c.Streams)), Weight: hdl.NewSource(engine.TxWeightOf(c.Streams)),
		Event: hdl.NewSink(engine.EventOf(c)), Ready: hdl.NewIn(1), Count: counts()}
	if setup := c.Profile.SetupTag(c); setup != nil {
		source := hdl.NewSource(setup)
		fail := hdl.NewSource(engine.FailureOf(c))
		ports.Setup, ports.Fail = &source, &fail
	}
	return hdl.Block[CSRPorts]{
		Kind: "csr", Options: c.Profile.Options(), Params: c.Params("bus_bytes", "streams", "stags", "ird", "ord", "receive_depth", "send_depth", "max_payload"),
		Doc: csrDoc, Ports: ports,
		Build: func(m *hdl.Module, p CSRPorts) { buildCSR(m, p, c) },
	}
}

// csr is the state of the build. Maps are by register name.
type csr struct {
	m       *hdl.Module
	p       CSRPorts
	in      engine.RegisterMap
	address map[string]hdl.Value
	written map[string]hdl.Reg   // registers that the host writes
	holds   map[string]hdl.Value // results of reads
	write   csrWrite
}

// csrWrite is the current write. It takes effect in the cycle with starts.
type csrWrite struct {
	starts  hdl.Value
	address hdl.Value
	mask    hdl.Value // bits selected by the strobes
	data    hdl.Value // 0 in other bits
}

func buildCSR(m *hdl.Module, p CSRPorts, c engine.Config) {
	b := &csr{m: m, p: p, in: c.Profile.Registers(), address: map[string]hdl.Value{}, written: map[string]hdl.Reg{}, holds: map[string]hdl.Value{}}
	for _, r := range b.in.Registers {
		b.address[r.Name] = m.Constant(strings.ToUpper(r.Name), engine.RegisterAddressBits, uint64(r.Offset))
	}
	stagBusy, streamBusy := m.Reg("stag_busy_q", 1, hdl.ResetTo(0)), m.Reg("stream_busy_q", 1, hdl.ResetTo(0))
	refused := m.Wire("write_refused", 1)
	b.takeWrites(stagBusy.Value, streamBusy.Value, refused.Value)
	b.storeWrites()
	refusedSTag := b.commandSTags(stagBusy, c)
	refusedStream := b.commandStreams(streamBusy, c)
	m.Drive(refused.Out(), hdl.AnyOf(b.isOneOf("writable", b.write.address, func(r engine.Register) bool {
		return r.Access == engine.ReadWrite || r.Access == engine.WriteOnly
	}).Not(), refusedSTag, refusedStream))

	for name, n := range capabilities(c, b.in) {
		b.holds[name] = hdl.Const(b.in.Register(name).Width, n)
	}
	b.holds["status"] = hdl.Cat(p.Ready.Value, streamBusy.Value, stagBusy.Value)
	b.buildCounters()
	b.buildReads()
}

// isOneOf is 1 if address is that of a register that satisfies pick.
func (b *csr) isOneOf(name string, address hdl.Value, pick func(r engine.Register) bool) hdl.Value {
	var hits []hdl.Value
	for _, r := range b.in.Registers {
		if pick(r) {
			hits = append(hits, address.Eq(b.address[r.Name]))
		}
	}
	return b.m.Let(name, hdl.AnyOf(hits...))
}

// takeWrites starts one write after another and responds to it.
func (b *csr) takeWrites(stagBusy, streamBusy, refused hdl.Value) {
	m, axi := b.m, b.p.AXI
	m.Section("A write starts when its address and data have arrived, in either order")
	addressValid, word := m.Reg("write_address_valid_q", 1, hdl.ResetTo(0)), m.Reg("write_word_q", engine.RegisterAddressBits-2, hdl.NoReset)
	dataValid := m.Reg("write_data_valid_q", 1, hdl.ResetTo(0))
	data, strobes := m.Reg("write_data_q", 32, hdl.NoReset), m.Reg("write_strobes_q", 4, hdl.NoReset)
	responseValid, responseRefused := m.Reg("write_response_valid_q", 1, hdl.ResetTo(0)), m.Reg("write_response_refused_q", 1, hdl.NoReset)
	address := m.Let("write_address", hdl.Cat(word.Value, hdl.Zero(2)))
	mask := m.Let("write_mask", strobes.Replicate(8))
	incoming := m.Let("next_write_address", hdl.Cat(axi.AW.Data.Addr.Slice(engine.RegisterAddressBits-1, 2), hdl.Zero(2)))
	described := func(command string) (is hdl.Reg, set hdl.Stmt) {
		is = m.Reg("is_"+command+"_register_q", 1, hdl.NoReset)
		return is, is.Set(b.isOneOf("is_"+command+"_register", incoming, func(r engine.Register) bool { return strings.HasPrefix(r.Name, command+"_") }))
	}
	ofSTag, setOfSTag := described("stag")
	ofStream, setOfStream := described("stream")
	m.Note("The registers that describe a command are stable until it is accepted.")
	waits := m.Let("write_waits", stagBusy.And(ofSTag.Value).Or(streamBusy.And(ofStream.Value)))
	starts := m.Let("write_starts", hdl.AllOf(addressValid.Value, dataValid.Value, responseValid.Not(), waits.Not()))
	b.write = csrWrite{starts: starts, address: address, mask: mask, data: m.Let("written", data.And(mask))}

	m.Note("Whether there is room comes from registers: a write takes two cycles.")
	takeAddress, takeData := m.Let("write_address_free", addressValid.Not()), m.Let("write_data_free", dataValid.Not())
	axi.AW.Accept(m, takeAddress)
	axi.W.Accept(m, takeData)
	m.Unused("registers are words", axi.AW.Data.Addr.Truncate(2))
	m.Unused("every access is allowed", axi.AW.Data.Prot)
	m.OnClock(
		addressValid.Set(hdl.Mux(takeAddress, axi.AW.Valid, starts.Not())), dataValid.Set(hdl.Mux(takeData, axi.W.Valid, starts.Not())),
		hdl.If(takeAddress, word.Set(axi.AW.Data.Addr.Slice(engine.RegisterAddressBits-1, 2)), setOfSTag, setOfStream),
		hdl.If(takeData, data.Set(axi.W.Data.Data), strobes.Set(axi.W.Data.Strb)),
		hdl.If(starts, responseValid.Set(hdl.Ones(1)), responseRefused.Set(refused)).
			ElseIf(axi.B.Ready, responseValid.Set(hdl.Zero(1))),
	)
	axi.B.Drive(m, responseValid.Value, block.LiteBBeat{Resp: block.LiteResponse(responseRefused.Value)})
}

// storeWrites builds the writable registers.
func (b *csr) storeWrites() {
	b.m.Section("Writable registers")
	var stmts hdl.Stmts
	for _, r := range b.in.Registers {
		if r.Access == engine.ReadWrite {
			q := b.m.Reg(r.Name+"_q", r.Width, hdl.ResetTo(0))
			b.written[r.Name], b.holds[r.Name] = q, q.Value
			stmts = append(stmts, hdl.If(b.write.starts.And(b.write.address.Eq(b.address[r.Name])),
				q.Set(q.And(b.write.mask.Truncate(r.Width).Not()).Or(b.write.data.Truncate(r.Width)))))
		}
	}
	b.m.OnClock(stmts)
}

// field selects a field of a writable register, or all of it if name is empty.
func (b *csr) field(in, name string) hdl.Value {
	if name == "" {
		return b.written[in].Value
	}
	f := b.in.Register(in).Field(name)
	return b.written[in].Slice(f.Low+f.Width-1, f.Low)
}

// wide joins the two registers of a 64-bit value.
func (b *csr) wide(name string) hdl.Value {
	return hdl.Cat(b.written[name+"_high"].Value, b.written[name+"_low"].Value)
}

// command decodes writes of one of some commands: begins is 1 if one is written, isFirst if it is the first. A value other than these
// and 0 is refused, as is a command for something that does not exist.
func (b *csr) command(name, firstName string, first, exists hdl.Value, others ...hdl.Value) (begins, isFirst, refused hdl.Value) {
	m, data := b.m, b.write.data
	is := m.Let("is_"+name, b.write.address.Eq(b.address[name]))
	isFirst = m.Let(firstName, data.Eq(first))
	any := isFirst
	for _, other := range others {
		any = any.Or(data.Eq(other))
	}
	known := m.Let(name+"_is_known", exists.And(any))
	return m.Let(name+"_begins", hdl.AllOf(b.write.starts, is, known)), isFirst, m.Let(name+"_refused", hdl.AllOf(is, known.Not(), data.Any()))
}

// isBelow is 1 if v is less than n, a power of two.
func isBelow(v hdl.Value, n int) hdl.Value {
	return v.Slice(v.Width()-1, block.IndexWidth(n)).IsZero()
}

func (b *csr) commandSTags(busy hdl.Reg, c engine.Config) (refused hdl.Value) {
	m := b.m
	m.Section("Commands to the STag table")
	store := m.Reg("stag_store_q", 1, hdl.NoReset)
	begins, isStore, refused := b.command("stag_command", "is_store", m.Constant("STORE", 32, commandStore),
		isBelow(b.written["stag_index"].Value, c.STags), m.Constant("INVALIDATE", 32, commandInvalidate))
	m.OnClock(hdl.If(begins, busy.Set(hdl.Ones(1)), store.Set(isStore)).ElseIf(b.p.STag.Ready, busy.Set(hdl.Zero(1))))
	access := func(name string) hdl.Value { return b.field("stag_access", name) }
	b.p.STag.Drive(m, busy.Value, memory.STagWrite{Index: b.written["stag_index"].Value, Entry: engine.STagEntry{
		Valid: store.Value, Key: access("key"),
		Rights: engine.Rights{LocalRead: access("local_read"), LocalWrite: access("local_write"), RemoteRead: access("remote_read"),
			RemoteWrite: access("remote_write"), RemoteAtomic: access("remote_atomic"), Invalidate: access("invalidate")},
		ByDomain: b.field("stag_owner", "by_domain"), Owner: b.field("stag_owner", "owner"),
		Base: b.wide("stag_base"), Length: b.wide("stag_length"), Address: b.wide("stag_address"), Tag: c.Profile.Region(b.field)}})
	return refused
}

func (b *csr) commandStreams(busy hdl.Reg, c engine.Config) (refused hdl.Value) {
	m := b.m
	m.Section("Commands to the streams")
	open, weigh := m.Reg("stream_open_q", 1, hdl.NoReset), m.Reg("stream_weigh_q", 1, hdl.NoReset)
	number := b.written["stream_number"].Value
	weighs := m.Constant("WEIGH", 32, commandWeigh)
	opening := m.Constant("OPEN", 32, commandOpen)
	others := []hdl.Value{m.Constant("CLOSE", 32, commandClose), weighs}
	var setUp, fail hdl.Value
	if b.p.Setup != nil {
		setUp, fail = m.Constant("SET_UP", 32, commandSetUp), m.Constant("FAIL", 32, commandFail)
		others = append(others, setUp, fail)
	}
	begins, isOpen, refused := b.command("stream_command", "is_open", opening, isBelow(number, c.Streams), others...)
	done := hdl.Mux(weigh.Value, b.p.Weight.Ready, b.p.Opening.Ready)
	opens, starts := busy.And(weigh.Not()), hdl.Stmts{busy.Set(hdl.Ones(1)), open.Set(isOpen), weigh.Set(b.write.data.Eq(weighs))}
	stream := number.Truncate(block.IndexWidth(c.Streams))
	if b.p.Setup != nil {
		sets, fails := m.Reg("stream_set_up_q", 1, hdl.NoReset), m.Reg("stream_fail_q", 1, hdl.NoReset)
		starts = append(starts, sets.Set(b.write.data.Eq(setUp)), fails.Set(b.write.data.Eq(fail)))
		done, opens = hdl.Select(done, hdl.When{Cond: sets.Value, Then: b.p.Setup.Ready}, hdl.When{Cond: fails.Value, Then: b.p.Fail.Ready}), hdl.AllOf(opens, sets.Not(), fails.Not())
		b.p.Setup.Drive(m, busy.And(sets.Value), c.Profile.Setup(stream, b.field))
		b.p.Fail.Drive(m, busy.And(fails.Value), engine.LocalFailure(c, stream))
	}
	m.OnClock(hdl.If(begins, starts...).ElseIf(done, busy.Set(hdl.Zero(1))))
	b.p.Opening.Drive(m, opens, engine.Opening{Stream: stream, Open: open.Value, Domain: b.written["stream_domain"].Value})
	b.p.Weight.Drive(m, busy.And(weigh.Value), engine.TxWeight{Stream: stream, Weight: b.written["stream_weight"].Value})
	return refused
}
