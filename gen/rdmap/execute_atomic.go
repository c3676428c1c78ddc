package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/atomic"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// atomicExecutor executes Atomic Operations in the atomic unit (RFC 7306 section 5).
type atomicExecutor struct{}

var _ = executes("atomic", atomicExecutor{})

// atomicTag is forwarded into the Atomic Operation Response.
type atomicTag struct {
	AtomicMsn  hdl.Value `doc:"MSN of the response on queue 3"`
	Identifier hdl.Value `doc:"Request Identifier"`
	Write      any       // *writeTag; nil without Atomic Writes
}

// writeTag tells Atomic Writes from Atomics.
type writeTag struct {
	Is hdl.Value `hdl:"is_write" doc:"1: an Atomic Write"`
}

func (atomicExecutor) block(c engine.Config) engine.Executor {
	return engine.Executor{Request: engine.AtomicRequestOf(c), Words: true,
		Build: func(m *hdl.Module, c engine.Config, s engine.ExecutorSite) {
			if guest, has := s.Guests["atomic_write"]; has {
				buildAtomicWrites(m, c, s, guest)
				return
			}
			buildAtomics(m, "", c, s)
		}}
}

// buildAtomics is an atomic unit and the responder that makes messages of its results; prefix is that of their names.
func buildAtomics(m *hdl.Module, prefix string, c engine.Config, s engine.ExecutorSite) {
	responses := hdl.NewStream(m, prefix+"atomic_response", atomic.AtomicResponseOf(c))
	buildAtomicUnit(m, prefix+"atomic_unit", c, s, responses.Source())
	hdl.Instance(m, prefix+"atomic_responder", AtomicResponder(c), AtomicResponderPorts{Response: responses.Sink(), Message: s.Message})
}

// buildAtomicUnit is the atomic unit of an executor.
func buildAtomicUnit(m *hdl.Module, name string, c engine.Config, s engine.ExecutorSite, responses hdl.Source[atomic.AtomicResponse]) {
	hdl.Instance(m, name, atomic.AtomicUnit(c), atomic.AtomicUnitPorts{Req: hdl.SinkOf[engine.AtomicRequest](s.Start), Response: responses,
		Failed: s.Failed, Over: s.Over, Ready: s.Ready, Read: s.Read, Write: s.Write, Retire: s.Retire})
}

func (atomicExecutor) start(m *hdl.Module, c engine.Config, r engine.InboundRequest, body header) any {
	return atomicRequest(m, c, "set_of_word", r, body)
}

// atomicRequest is an Atomic; set is the name of the set of its word.
func atomicRequest(m *hdl.Module, c engine.Config, set string, r engine.InboundRequest, body header) engine.AtomicRequest {
	field := func(name string) hdl.Value { return body.field(0, wire.AtomicRequestTable, name) }
	proto := engine.AtomicRequestOf(c)
	operands := engine.AtomicOperands{Opcode: field("aopcode"), Data: field("add_or_swap_data"), Mask: field("add_or_swap_mask"),
		Compare: field("compare_data"), CompareMask: field("compare_mask")}
	return engine.AtomicRequest{Stream: r.Stream, Number: r.Number, Address: r.Address, Set: m.Let(set, engine.SetOfWord(c, r.Address)), Operands: operands,
		Tag: &atomicTag{AtomicMsn: r.Tag.(*requestTag).ResponseMsn, Identifier: field("request_identifier"), Write: engine.ZeroOf(proto.Tag.(*atomicTag).Write)}, Late: engine.ZeroOf(proto.Late)}
}

func (atomicExecutor) reaches(header) hdl.Value { return hdl.Ones(1) }

// fields that an operation does not use are zero, masks ones (RFC 7306 section 5.2.1).
func (atomicExecutor) fields(m *hdl.Module, w engine.HeldWork) map[string]hdl.Value {
	m.Note("Fields that an operation does not use are sent as zeros, masks as ones (RFC 7306 section 5.2.1).")
	swaps := m.Let("swaps", w.Operands.Opcode.Eq(m.Constant("SWAP", 4, uint64(wire.Swap))))
	compares := m.Let("compares", w.Operands.Opcode.Eq(m.Constant("CMP_SWAP", 4, uint64(wire.CmpSwap))))
	return map[string]hdl.Value{
		"aopcode": w.Operands.Opcode, "request_identifier": w.Number, "remote_stag": w.Remote.STag, "remote_to": w.Remote.TO,
		"add_or_swap_data": w.Operands.Data, "add_or_swap_mask": w.Operands.Mask.Or(swaps.Replicate(64)),
		"compare_data": w.Operands.Compare.And(compares.Replicate(64)),
		"compare_mask": w.Operands.CompareMask.Or(compares.Not().Replicate(64)),
	}
}

func (atomicExecutor) region(h header) regionRequest {
	field := func(name string) hdl.Value { return h.field(untagged, wire.AtomicRequestTable, name) }
	return regionRequest{STag: field("remote_stag"), TO: field("remote_to"), Length: hdl.Const(32, 8)}
}

func (atomicExecutor) rules(m *hdl.Module, c engine.Config, s rxSegment, region rxRegion, b rxRules) {
	names := engine.NameAtomics(m, c.Profile.(Profile).aopcodes())
	opcode := s.head.field(untagged, wire.AtomicRequestTable, "aopcode")
	var known []hdl.Value
	for _, op := range []engine.AtomicOperation{engine.FetchAdd, engine.Swap, engine.CmpSwap} {
		if code, has := names[op]; has {
			known = append(known, opcode.Eq(code))
		}
	}
	isAtomic := s.is("atomic")
	b.Add(spec.AOpCodeNotSupported, isAtomic, s.Signal("is_unknown_atomic", taken, hdl.AnyOf(known...).Not()))
	at := region.Address.Stage()
	b.Add(spec.Misaligned, isAtomic, s.Signal("is_unaligned", at, region.Address.At(at).Slice(2, 0).Any()))
}

func (atomicExecutor) identifier(h header) (hdl.Value, bool) {
	return h.field(untagged, wire.AtomicResponseTable, "original_request_identifier"), true
}

func (atomicExecutor) word(h header) (hdl.Value, bool) {
	return h.field(untagged, wire.AtomicResponseTable, "original_remote_data_value"), true
}
