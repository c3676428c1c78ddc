package gen

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/wire"
)

// StreamSetup opens a stream: its error, if it had one, is forgotten, and its next Atomic Response has the
// Message Sequence Number Msn, 1 on a new stream (RFC 5041 section 4.3).
type StreamSetup struct {
	Stream hdl.Value `doc:"number of the RDMAP Stream to open"`
	Msn    hdl.Value `doc:"MSN of its next Atomic Response; 1 on a new stream"`
}

func streamSetup(streams int) StreamSetup {
	return StreamSetup{Stream: hdl.Bits(indexWidth(streams)), Msn: hdl.Bits(32)}
}

// AtomicCheckPorts sorts records: atomics that may be executed, and everything else.
type AtomicCheckPorts struct {
	Record     hdl.Sink[Record]
	Setup      hdl.Sink[StreamSetup]
	WindowSTag hdl.In `hdl:"window_stag"`
	WindowBase hdl.In
	Access     hdl.Source[AtomicAccess]
	Other      hdl.Source[Record]
}

const atomicCheckDoc = `atomic_check decides what becomes of each record, in order, one a clock. An Atomic Request that names the
window rightly leaves as an access with the MSN of its response; everything else leaves as a record. The first
error of a stream ends it: its later records have the error stream_terminated, and nothing of it is executed.

Order of the checks (RFC 7306 sections 5.2.1 and 8.2): AOpCode, STag, TO wrap, bounds, alignment of the address.
After reset the state of every stream is set up, one stream a clock, before the first record is taken.`

// checkState is what atomic_check does.
type checkState int

const (
	clearing checkState = iota // giving every stream its state after reset
	running
)

func (s checkState) String() string { return [...]string{"clearing", "running"}[s] }

// AtomicCheck has the per-stream state of the atomic unit in a memory of one word a stream.
func AtomicCheck(c Config) hdl.Block[AtomicCheckPorts] {
	name := fmt.Sprintf("atomic_check_%d_%d", c.WindowWords, c.Streams)
	if c.Draft00() {
		name += "_draft00"
	}
	return hdl.Block[AtomicCheckPorts]{
		Name: name,
		Doc:  atomicCheckDoc,
		Ports: AtomicCheckPorts{
			Record: hdl.NewSink(record(c.Streams)), Setup: hdl.NewSink(streamSetup(c.Streams)),
			WindowSTag: hdl.NewIn(32), WindowBase: hdl.NewIn(64),
			Access: hdl.NewSource(atomicAccess(c.Streams, c.WindowWords)), Other: hdl.NewSource(record(c.Streams)),
		},
		Build: func(m *hdl.Module, p AtomicCheckPorts) { buildAtomicCheck(m, p, c) },
	}
}

// streamState is the word that a stream has in the state memory.
type streamState struct {
	terminated hdl.Value
	msn        hdl.Value // of the next Atomic Response
}

func (s streamState) pack() hdl.Value { return hdl.Cat(s.terminated, s.msn) }

func unpackState(v hdl.Value) streamState { return streamState{v.Bit(32), v.Slice(31, 0)} }

func buildAtomicCheck(m *hdl.Module, p AtomicCheckPorts, c Config) {
	sw := indexWidth(c.Streams)
	decide := m.Wire("decide", 1)

	m.Section("Fetch: a stream's state is read while its record, or its set-up, moves on")
	state := hdl.NewFSM(m, "state", clearing, running)
	sweep := m.Reg("sweep_q", sw, hdl.ResetTo(0))
	lookup := hdl.NewRegOf(m, "lookup", record(c.Streams), hdl.NoReset)
	lookupValid := m.Reg("lookup_valid_q", 1, hdl.ResetTo(0))
	isSetup := m.Reg("lookup_is_setup_q", 1, hdl.NoReset)
	setupMsn := m.Reg("lookup_setup_msn_q", 32, hdl.NoReset)
	isRunning := m.Let("is_running", state.Is(running))
	advance := m.Let("advance", isRunning.And(lookupValid.Not().Or(decide.Value)))
	take := m.Let("take", advance.And(p.Setup.Valid.Or(p.Record.Valid)))
	p.Setup.Accept(m, advance)
	p.Record.Accept(m, advance.And(p.Setup.Valid.Not()))
	fetched := p.Record.Data
	fetched.Stream = m.Let("fetched_stream", hdl.Mux(p.Setup.Valid, p.Setup.Data.Stream, p.Record.Data.Stream))
	m.OnClock(
		state.Switch(
			state.In(clearing, sweep.Set(sweep.Plus(1)), hdl.If(sweep.All(), state.Go(running))),
			state.In(running)),
		hdl.If(advance, lookupValid.Set(take)),
		hdl.If(take, lookup.Set(fetched), isSetup.Set(p.Setup.Valid), setupMsn.Set(p.Setup.Data.Msn)),
	)

	m.Section("State memory: {terminated, MSN of the next response}")
	m.Note("The last decision stays in the update registers. Writing it again changes nothing, and the record behind it sees it there.")
	updateValid := m.Reg("update_valid_q", 1, hdl.ResetTo(0))
	updateStream := m.Reg("update_stream_q", sw, hdl.NoReset)
	updateState := m.Reg("update_state_q", 33, hdl.NoReset)
	memory := m.Memory("stream_state", 33, c.Streams)
	fresh := streamState{hdl.Zero(1), hdl.Const(32, 1)}
	write := m.Let("write_state", isRunning.Not().Or(updateValid.Value))
	memory.Write(write, m.Let("written_stream", hdl.Mux(isRunning, updateStream.Value, sweep.Value)),
		m.Let("written_state", hdl.Mux(isRunning, updateState.Value, fresh.pack())))
	stored := memory.Read("stored_state_q", take, fetched.Stream, hdl.ReadNew)
	forward := m.Let("forward", updateValid.And(updateStream.Eq(lookup.Q.Stream)))
	now := unpackState(m.Let("stream_now", hdl.Mux(forward, updateState.Value, stored)))

	m.Section("Decide")
	request := m.Let("header", lookup.Q.Header.ReverseOctets())
	isAtomic, faults, index := checkRequest(m, p, lookup.Q, header{request}, now.terminated, c)
	verdict := lookup.Q
	verdict.Error, verdict.Term = firstFault(m, faults)
	execute := m.Let("execute", isAtomic.And(verdict.Error.IsZero()))
	next := streamState{
		terminated: now.terminated.Or(verdict.Error.Any()),
		msn:        now.msn.Add(execute.ZeroExtend(32)),
	}
	setup := streamState{terminated: hdl.Zero(1), msn: setupMsn.Value}
	m.OnClock(hdl.If(decide.Value,
		updateValid.Set(hdl.Ones(1)),
		updateStream.Set(lookup.Q.Stream),
		updateState.Set(hdl.Mux(isSetup.Value, setup.pack(), next.pack())),
	))

	m.Section("Outcome")
	out := hdl.NewRegOf(m, "out", record(c.Streams), hdl.NoReset)
	outValid := m.Reg("out_valid_q", 1, hdl.ResetTo(0))
	outExecute := m.Reg("out_execute_q", 1, hdl.NoReset)
	outIndex := m.Reg("out_index_q", indexWidth(c.WindowWords), hdl.NoReset)
	outMsn := m.Reg("out_msn_q", 32, hdl.NoReset)
	free := m.Let("out_free", outValid.Not().Or(hdl.Mux(outExecute.Value, p.Access.Ready, p.Other.Ready)))
	m.Drive(decide.Out(), lookupValid.And(isSetup.Or(free)))
	m.OnClock(
		hdl.If(free, outValid.Set(decide.And(isSetup.Not()))),
		hdl.If(decide.And(isSetup.Not()),
			out.Set(verdict), outExecute.Set(execute), outIndex.Set(index), outMsn.Set(now.msn)),
	)
	p.Other.Drive(m, outValid.And(outExecute.Not()), out.Q)
	atomic := header{m.Let("out_header", out.Q.Header.ReverseOctets())}
	operand := func(name string) hdl.Value { return atomic.field(18, wire.AtomicRequestTable, name) }
	m.Unused(atomic.bits.Slice(8*HeaderOctets-1, 8*(HeaderOctets-18)))
	for _, name := range []string{"reserved", "remote_stag", "remote_to"} {
		m.Unused(operand(name))
	}
	p.Access.Drive(m, outValid.And(outExecute.Value), AtomicAccess{
		Tag: AccessTag{Host: hdl.Zero(1), Stream: out.Q.Stream, Msn: outMsn.Value,
			Identifier: operand("request_identifier"), Index: outIndex.Value},
		Operands: AtomicOperands{Opcode: operand("aopcode"), Data: operand("add_or_swap_data"), Mask: operand("add_or_swap_mask"),
			Compare: operand("compare_data"), CompareMask: operand("compare_mask")},
	})
}

// checkRequest lists what can be wrong with a record, in the order of the checks, and where in the window an
// Atomic Request points. The faults that the parser found come with their own error and Terminate code.
func checkRequest(m *hdl.Module, p AtomicCheckPorts, r Record, h header, terminated hdl.Value, c Config) (isAtomic hdl.Value, faults []fault, index hdl.Value) {
	request := func(name string) hdl.Value { return h.field(18, wire.AtomicRequestTable, name) }
	m.Unused(h.bits)
	opcode := h.field(0, wire.DDPUntaggedTable, "opcode")
	isAtomic = m.Let("is_atomic", opcode.Eq(m.Constant("ATOMIC_REQUEST", 4, uint64(wire.OpAtomicRequest))))
	names := nameAtomics(m, c.Draft00())
	var known []hdl.Value
	for _, op := range []wire.AOpCode{wire.FetchAdd, wire.Swap, wire.CmpSwap} {
		if code, has := names[op]; has {
			known = append(known, request("aopcode").Eq(code))
		}
	}
	badOpcode := m.Let("bad_aopcode", hdl.AnyOf(known...).Not())
	badSTag := m.Let("bad_stag", request("remote_stag").Ne(p.WindowSTag.Value))
	to := m.Let("remote_to", request("remote_to"))
	wraps := m.Let("to_wraps", to.Slice(63, 3).All().And(to.Slice(2, 0).Any()))
	offset := m.Let("window_offset", to.Sub(p.WindowBase.Value))
	outside := m.Let("out_of_bounds", hdl.Const(64, uint64(8*c.WindowWords-8)).Lt(offset))
	unaligned := m.Let("unaligned", offset.Slice(2, 0).Any())
	iw := indexWidth(c.WindowWords)
	return isAtomic, []fault{
		{kind: wire.ErrStreamTerminated, cond: terminated},
		{given: &r, cond: r.Error.Any()},
		{kind: wire.ErrAtomicOpcode, cond: isAtomic.And(badOpcode), layer: 0, etype: 2, code: 0x06},
		{kind: wire.ErrSTag, cond: isAtomic.And(badSTag), layer: 0, etype: 1, code: 0x00},
		{kind: wire.ErrTOWrap, cond: isAtomic.And(wraps), layer: 0, etype: 1, code: 0x04},
		{kind: wire.ErrBounds, cond: isAtomic.And(outside), layer: 0, etype: 1, code: 0x01},
		{kind: wire.ErrAlignment, cond: isAtomic.And(unaligned), layer: 0, etype: 2, code: 0x07},
	}, offset.Slice(iw+2, 3)
}
