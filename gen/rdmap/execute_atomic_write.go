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
	return engine.Executor{Request: engine.AtomicRequestOf(c), Sent: true, Stops: true, Guest: "atomic", Revokes: true}
}

// buildAtomicWrites builds the atomic unit with Atomics at site and Atomic Writes at guest.
func buildAtomicWrites(m *hdl.Module, c engine.Config, site, guest engine.ExecutorSite) {
	proto := engine.AtomicRequestOf(c)
	atomics, writes, requests := hdl.NewStream(m, "kept_atomic", proto), hdl.NewStream(m, "kept_write", proto), hdl.NewStream(m, "word_request", proto)
	block.Between(m, "atomics_kept", hdl.SinkOf[engine.AtomicRequest](site.Start), atomics.Source())
	block.Between(m, "writes_kept", hdl.SinkOf[engine.AtomicRequest](guest.Start), writes.Source())
	responses := hdl.NewStream(m, "word_response", atomic.AtomicResponseOf(c))
	block.Merge(m, "word_requests", atomics.Sink(), writes.Sink(), requests.Source())
	written := hdl.NewStream(m, "word_written", atomic.WrittenOf())
	toWritten := written.Source()
	hdl.Instance(m, "atomic_unit", atomic.AtomicUnit(c), atomic.AtomicUnitPorts{Req: requests.Sink(), Response: responses.Source(),
		Failed: site.Failed, Over: site.Over, Ready: site.Ready, Read: site.Read, Write: site.Write, Written: &toWritten, Retire: site.Retire})

	m.Note("An Atomic is answered at once, an Atomic Write when it is in memory: the unit reports them in the order in which it executed them.")
	all := responses.Sink()
	tag := all.Data.Tag.(*atomicTag)
	isWrite := m.Let("answers_write", tag.Write.(*returnedTag).Length.Any())
	early, late := hdl.NewStream(m, "atomic_response", atomic.AtomicResponseOf(c)), hdl.NewStream(m, "executed_write", commitResultOf(c, "atomic_write"))
	early.Source().Drive(m, all.Valid.And(isWrite.Not()), all.Data)
	late.Source().Drive(m, all.Valid.And(isWrite), commitResult{Stream: all.Data.Stream, Number: all.Data.Number,
		Tag: &commitTag{ResponseMsn: tag.AtomicMsn, Returned: *tag.Write.(*returnedTag)}, Fails: all.Data.Failed})
	all.Accept(m, hdl.Mux(isWrite, late.Source().Ready, early.Source().Ready))
	hdl.Instance(m, "atomic_responder", AtomicResponder(c), AtomicResponderPorts{Response: early.Sink(), Message: site.Message})

	waiting, results := hdl.NewStream(m, "waiting_write", late.Sink().Data), hdl.NewStream(m, "atomic_write_result", late.Sink().Data)
	block.Queue(m, "executed_writes", c.AtomicDepth, late.Sink(), waiting.Source())
	oldest, fate := waiting.Sink(), written.Sink()
	result := oldest.Data
	result.Fails = m.Let("write_fails", oldest.Data.Fails.Or(fate.Data.Refused))
	results.Source().Drive(m, oldest.Valid.And(fate.Valid), result)
	oldest.Accept(m, fate.Valid.And(results.Source().Ready))
	fate.Accept(m, oldest.Valid.And(results.Source().Ready))
	respondCommits(m, c, "atomic_write", AtomicWriteResponder(c), results.Sink(), guest)
}

// respondCommits adds the responder of an executor between registers.
func respondCommits(m *hdl.Module, c engine.Config, executor string, responder hdl.Block[CommitResponderPorts], results hdl.Sink[commitResult], site engine.ExecutorSite) {
	kept, messages := hdl.NewStream(m, executor+"_kept", results.Data), hdl.NewStream(m, executor+"_response", engine.TxMessageOf(c))
	block.Between(m, executor+"_results", results, kept.Source())
	hdl.Instance(m, executor+"_responder", responder, CommitResponderPorts{Result: kept.Sink(), Withdraw: site.Withdraw, Message: messages.Source()})
	block.Between(m, executor+"_responses", messages.Sink(), site.Message)
}

func (atomicWriteExecutor) start(m *hdl.Module, c engine.Config, r engine.InboundRequest, body header) any {
	m.Note("The octets are placed in the order of the wire (I-19).")
	data := body.field(0, wire.AtomicWriteRequestTable, "data").ReverseOctets()
	tag := r.Tag.(*requestTag).commit()
	zero := hdl.Zero(64)
	return engine.AtomicRequest{Stream: r.Stream, Number: r.Number, Address: r.Address, Set: m.Let("set_of_written_word", engine.SetOfWord(c, r.Address)),
		Operands: engine.AtomicOperands{Opcode: hdl.Const(4, storeCode), Data: data, Mask: zero, Compare: zero, CompareMask: zero},
		Tag:      &atomicTag{AtomicMsn: tag.ResponseMsn, Identifier: hdl.Zero(32), Write: &tag.Returned}, Late: &engine.Late{Is: hdl.Ones(1)}}
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
	b.add(spec.AtomicWriteLength, is, s.Signal("is_no_word", taken, length.Ne(hdl.Const(32, 8))))
	at := region.address.Stage()
	b.add(spec.Misaligned, is, s.Signal("is_unaligned_write", at, region.address.At(at).Slice(2, 0).Any()))
}

func (atomicWriteExecutor) identifier(header) (hdl.Value, bool) { return hdl.Value{}, false }
func (atomicWriteExecutor) word(header) (hdl.Value, bool)       { return hdl.Value{}, false }
