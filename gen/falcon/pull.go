package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/atomic"
	"github.com/rnicgen/rnicgen/hdl"
)

// Names of the executors that answer pulls: Reads, Atomics, and those that are refused with a response in error.
const (
	executorRead    = "read"
	executorAtomic  = "atomic"
	executorRefusal = "refusal"
)

// executorNames are in the order of their numbers.
var executorNames = []string{executorRead, executorAtomic, executorRefusal}

// Reply is what the headers of a response take from the pull request.
type Reply struct {
	CID    hdl.Value `hdl:"cid" doc:"local number of the connection"`
	RSN    hdl.Value `hdl:"rsn" doc:"Request Sequence Number"`
	SN     hdl.Value `hdl:"sn" doc:"Sequence Number"`
	Remote hdl.Value `doc:"number of the QP at the peer"`
	XRC    hdl.Value `hdl:"xrc" doc:"1: the service is XRC, 0: RC"`
	SinkVA hdl.Value `hdl:"sink_va" doc:"STETH: virtual address of the sink"`
	LKey   hdl.Value `hdl:"l_key" doc:"STETH: L-Key of the sink"`
}

func (p *Pull) reply() *Reply {
	return &Reply{CID: p.CID, RSN: p.RSN, SN: p.SN, Remote: p.Remote, XRC: p.XRC, SinkVA: p.SinkVA, LKey: p.LKey}
}

// Refusal is a pull request that gets a response with CE.
type Refusal struct {
	Stream hdl.Value `doc:"number of the QP"`
	Number hdl.Value `doc:"of the request, for its credit"`
	Atomic hdl.Value `doc:"1: an Atomic, 0: a Read, or no pull that is known"`
	Tag    any       `hdl:"-"` // what goes into the response
}

// RefusalOf is the prototype.
func RefusalOf(c engine.Config) Refusal {
	return Refusal{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Number: hdl.Bits(engine.NumberBits(c)), Atomic: hdl.Bits(1), Tag: c.Profile.AtomicTag()}
}

// Executors are the same for all configurations.
func (p Profile) Executors(c engine.Config) []engine.Executor {
	return []engine.Executor{
		{Name: executorRead, Request: engine.ReadRequestOf(c, p.AtomicTag()), Sent: true, Build: func(m *hdl.Module, c engine.Config, s engine.ExecutorSite) {
			hdl.Instance(m, "read_responder", ReadResponder(c), ReadResponderPorts{Req: hdl.SinkOf[engine.ReadRequest](s.Start), Message: s.Message})
		}},
		{Name: executorAtomic, Request: engine.AtomicRequestOf(c), Words: true, Build: buildAtomics},
		{Name: executorRefusal, Request: RefusalOf(c), Sent: true, Refuses: true, Fails: func(r engine.InboundRequest) hdl.Value { return r.Tag.(*Pull).Verbs }, Build: func(m *hdl.Module, c engine.Config, s engine.ExecutorSite) {
			hdl.Instance(m, "refusal_responder", RefusalResponder(c), RefusalResponderPorts{Req: hdl.SinkOf[Refusal](s.Start), Message: s.Message})
		}},
	}
}

// buildAtomics is the atomic unit with what answers for it. Memory fails in both: a word that cannot be read, and one that cannot be written.
func buildAtomics(m *hdl.Module, c engine.Config, s engine.ExecutorSite) {
	responses := hdl.NewStream(m, "atomic_response", atomic.AtomicResponseOf(c))
	unread, unwritten := hdl.NewStream(m, "word_unread", engine.FailureOf(c)), hdl.NewStream(m, "word_unwritten", engine.FailureOf(c))
	hdl.Instance(m, "atomic_unit", atomic.AtomicUnit(c), atomic.AtomicUnitPorts{Req: hdl.SinkOf[engine.AtomicRequest](s.Start), Response: responses.Source(),
		Failed: unwritten.Source(), Over: s.Over, Ready: s.Ready, Read: s.Read, Write: s.Write, Retire: s.Retire})
	hdl.Instance(m, "atomic_responder", AtomicResponder(c), AtomicResponderPorts{Response: responses.Sink(), Message: s.Message, Failed: unread.Source()})
	block.Merge(m, "atomic_failures", unread.Sink(), unwritten.Sink(), s.Failed)
}

// Atomics have codes of their own, as the wire has opcodes for them.
func (Profile) Atomics() []engine.AtomicCode {
	return []engine.AtomicCode{{Operation: engine.CmpSwap, Code: uint64(engine.CmpSwap)}, {Operation: engine.FetchAdd, Code: uint64(engine.FetchAdd)}}
}

// operands of an Atomic: FetchAdd adds 64 bits, CmpSwap compares and swaps all of them.
func (p Profile) operands(m *hdl.Module, pull *Pull) engine.AtomicOperands {
	names := engine.NameAtomics(m, p.Atomics())
	return engine.AtomicOperands{Opcode: hdl.Mux(pull.Adds, names[engine.FetchAdd], names[engine.CmpSwap]),
		Data: pull.Data, Mask: pull.Adds.Not().Replicate(64), Compare: pull.Compare, CompareMask: hdl.Ones(64)}
}

// Starts are the same request for each executor.
func (p Profile) Starts(m *hdl.Module, c engine.Config, r engine.InboundRequest) []any {
	pull := r.Tag.(*Pull)
	return []any{
		engine.ReadRequest{Stream: r.Stream, Number: r.Number, Address: r.Address, Length: pull.Length.ZeroExtend(32), Tag: pull.reply()},
		engine.AtomicRequest{Stream: r.Stream, Number: r.Number, Address: r.Address, Set: m.Let("set_of_word", engine.SetOfWord(c, r.Address)),
			Operands: p.operands(m, pull), Tag: pull.reply()},
		Refusal{Stream: r.Stream, Number: r.Number, Atomic: pull.Atomic, Tag: pull.reply()},
	}
}

// Reaches is 1 for an Atomic, and for a Read of some octets.
func (Profile) Reaches(_ *hdl.Module, _ engine.Config, r engine.InboundRequest) []hdl.Value {
	return []hdl.Value{r.Tag.(*Pull).Length.Any(), hdl.Ones(1), hdl.Zero(1)}
}

// No request revokes a region: only a push invalidates.
func (Profile) Revokes(engine.InboundRequest) (stag hdl.Value, may bool) { return stag, false }

// Begins, Failed and Hollow are for profiles that stop a stream when a response fails, or end it.
func (Profile) Begins(*hdl.Module, engine.InboundRequest) any    { return nil }
func (Profile) Failed(*hdl.Module, hdl.Value, any) any           { return nil }
func (Profile) Hollow(hdl.Value) (fault hdl.Value)               { return hdl.Zero(1) }
func (Profile) Region(func(register, name string) hdl.Value) any { return nil }
func (Profile) Compared(*hdl.Module, engine.HeldWork) any        { return nil }
