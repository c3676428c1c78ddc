package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/atomic"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// atomicWriteExecutor executes Atomic Writes in the atomic unit, as the guest of the executor of Atomics: draft-talpey-rdma-commit-01
// section 3.1.3. A response leaves when memory has acknowledged the write (I-19).
type atomicWriteExecutor struct{}

var _ = executes("atomic_write", atomicWriteExecutor{})

func (atomicWriteExecutor) block(c engine.Config) engine.Executor {
	return engine.Executor{Sent: true, Stops: true, Guest: "atomic", Revokes: true, Joins: "flush", Result: commitResultOf(c)}
}

// buildAtomicWrites builds the atomic unit with Atomics at site and Atomic Writes at guest.
func buildAtomicWrites(m *hdl.Module, c engine.Config, site, guest engine.ExecutorSite) {
	responses := hdl.NewStream(m, "word_response", atomic.AtomicResponseOf(c))
	written := hdl.NewStream(m, "word_written", atomic.WrittenOf())
	toWritten := written.Source()
	hdl.Instance(m, "atomic_unit", atomic.AtomicUnit(c), atomic.AtomicUnitPorts{Req: hdl.SinkOf[engine.AtomicRequest](site.Start), Response: responses.Source(),
		Failed: site.Failed, Over: site.Over, Ready: site.Ready, Read: site.Read, Write: site.Write, Written: &toWritten, Retire: site.Retire})

	m.Note("An Atomic is answered at once, an Atomic Write when it is in memory: the unit reports them in the order in which it executed them.")
	all := responses.Sink()
	isWrite := all.Data.Tag.(*atomicTag).Write.(*writeTag).Is
	early, late := hdl.NewStream(m, "atomic_response", atomic.AtomicResponseOf(c)), hdl.NewStream(m, "executed_write", commitResultOf(c))
	early.Source().Drive(m, all.Valid.And(isWrite.Not()), all.Data)
	late.Source().Drive(m, all.Valid.And(isWrite), commitResult{Stream: all.Data.Stream, Number: all.Data.Number, Fails: all.Data.Failed})
	all.Accept(m, hdl.Mux(isWrite, late.Source().Ready, early.Source().Ready))
	hdl.Instance(m, "atomic_responder", AtomicResponder(c), AtomicResponderPorts{Response: early.Sink(), Message: site.Message})

	waiting, results := hdl.NewStream(m, "waiting_write", late.Sink().Data), hdl.NewStream(m, "decided_write", late.Sink().Data)
	m.Note("A stream has at most one Atomic Write in progress.")
	block.Queue(m, "executed_writes", min(c.AtomicDepth, c.Streams), late.Sink(), waiting.Source())
	oldest, fate := waiting.Sink(), written.Sink()
	result := oldest.Data
	result.Fails = m.Let("write_fails", oldest.Data.Fails.Or(fate.Data.Refused))
	results.Source().Drive(m, oldest.Valid.And(fate.Valid), result)
	oldest.Accept(m, fate.Valid.And(results.Source().Ready))
	fate.Accept(m, oldest.Valid.And(results.Source().Ready))
	block.Between(m, "atomic_write_results", results.Sink(), hdl.SourceOf[commitResult](guest.Result))
}

// start gives the atomic unit what an Atomic in the same octets would, as far as that does not matter.
func (atomicWriteExecutor) start(m *hdl.Module, c engine.Config, r engine.InboundRequest, body header) any {
	a := atomicRequest(m, c, "set_of_written_word", r, body)
	a.Operands.Opcode, a.Operands.Data = hdl.Const(4, storeCode), body.field(0, wire.AtomicWriteRequestTable, "data")
	if !c.Profile.(Profile).HostOrder {
		m.Note("The octets are placed in the order of the wire (I-19).")
		a.Operands.Data = a.Operands.Data.ReverseOctets()
	}
	tag := *a.Tag.(*atomicTag)
	tag.Write = &writeTag{hdl.Ones(1)}
	a.Tag, a.Late = &tag, &engine.Late{Is: hdl.Ones(1)}
	return a
}

func (atomicWriteExecutor) reaches(header) hdl.Value { return hdl.Ones(1) }

func (atomicWriteExecutor) fields(_ *hdl.Module, w engine.HeldWork) map[string]hdl.Value {
	fields := sinkFields(w, hdl.Const(32, 8))
	fields["data"] = w.Operands.Data
	return fields
}

func (atomicWriteExecutor) region(h header) regionRequest {
	return sinkRegion(h, wire.AtomicWriteRequestTable)
}

func (atomicWriteExecutor) rules(m *hdl.Module, _ engine.Config, s rxSegment, region rxRegion, b rxRules) {
	is := s.is("atomic_write")
	length := s.head.field(untagged, wire.AtomicWriteRequestTable, "data_sink_length")
	b.Add(spec.AtomicWriteLength, is, s.Signal("is_no_word", taken, length.Ne(hdl.Const(32, 8))))
	at := region.Address.Stage()
	b.Add(spec.Misaligned, is, s.Signal("is_unaligned_write", at, region.Address.At(at).Slice(2, 0).Any()))
}

func (atomicWriteExecutor) identifier(header) (hdl.Value, bool) { return hdl.Value{}, false }
func (atomicWriteExecutor) word(header) (hdl.Value, bool)       { return hdl.Value{}, false }
