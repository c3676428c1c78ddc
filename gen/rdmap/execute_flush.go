package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/flush"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// flushExecutor executes RDMA Flushes: draft-talpey-rdma-commit-01 section 3.1.1.
type flushExecutor struct{}

var _ = executes("flush", flushExecutor{})

// FlushPlatform are the ports of the platform.
type FlushPlatform struct {
	Flush hdl.Source[flush.FlushBeat]
	Done  hdl.Sink[flush.FlushedBeat]
}

func (flushExecutor) block(c engine.Config) engine.Executor {
	return engine.Executor{Request: flush.FlushRequestOf(c, nil), Sent: true, Stops: true, Revokes: true,
		Build: func(m *hdl.Module, c engine.Config, s engine.ExecutorSite) {
			platform := s.Platform.(FlushPlatform)
			responses := hdl.NewStream(m, "flushed", flush.FlushResponseOf(c, nil))
			hdl.Instance(m, "flush_unit", flush.FlushUnit(c, nil), flush.FlushUnitPorts{Req: hdl.SinkOf[flush.FlushRequest](s.Start),
				Response: responses.Source(), Flush: platform.Flush, Done: platform.Done})
			results, next := hdl.NewStream(m, "flush_result", commitResultOf(c)), hdl.NewStream(m, "flush_kept", commitResultOf(c))
			r := responses.Sink()
			results.Source().Drive(m, r.Valid, commitResult{Stream: r.Data.Stream, Number: r.Data.Number, Fails: r.Data.Failed})
			r.Accept(m, results.Source().Ready)
			block.Between(m, "flush_results", results.Sink(), next.Source())
			messages := hdl.NewStream(m, "commit_message", engine.TxMessageOf(c))
			p := CommitResponderPorts{Begun: s.Begun, Flush: next.Sink(), Withdraw: s.Withdraw, Message: messages.Source()}
			for _, of := range s.Joined {
				switch of.Name {
				case "atomic_write":
					p.AtomicWrite = hdl.SinkOf[commitResult](of.Of)
				case "verify":
					p.Verify = hdl.SinkOf[commitResult](of.Of)
				}
			}
			hdl.Instance(m, "commit_responder", CommitResponder(c), p)
			kept := hdl.NewStream(m, "kept_commit", engine.TxMessageOf(c))
			block.Buffer(m, "commit_messages", 2, messages.Sink(), kept.Source())
			s.Message.Drive(m, kept.Sink().Valid, withoutConstants(m, kept.Sink().Data))
			kept.Sink().Accept(m, s.Message.Ready)
		}}
}

func (flushExecutor) start(m *hdl.Module, c engine.Config, r engine.InboundRequest, body header) any {
	field := func(name string) hdl.Value { return body.field(0, wire.FlushRequestTable, name) }
	flags := field("disposition_flags")
	m.Unused("checked on arrival", flags.Slice(31, 2))
	tag := r.Tag.(*requestTag)
	return flush.FlushRequest{Stream: r.Stream, Number: r.Number, Address: r.Address, Length: field("data_sink_length"),
		Type: tag.More.(*requestMore).Type, Persistent: flags.Bit(0), Visible: flags.Bit(1)}
}

func (flushExecutor) reaches(header) hdl.Value { return hdl.Ones(1) }

func (flushExecutor) fields(_ *hdl.Module, w engine.HeldWork) map[string]hdl.Value {
	fields := sinkFields(w, w.Named)
	fields["disposition_flags"] = w.Operands.Opcode.ZeroExtend(32)
	return fields
}

func (flushExecutor) region(h header) regionRequest { return sinkRegion(h, wire.FlushRequestTable) }

// rules rejects flags that ask for nothing, or for something that is not defined (I-20).
func (flushExecutor) rules(_ *hdl.Module, _ engine.Config, s rxSegment, _ rxRegion, b rxRules) {
	flags := s.head.field(untagged, wire.FlushRequestTable, "disposition_flags")
	b.Add(spec.FlushFlags, s.is("flush"), s.Signal("has_wrong_flags", taken, flags.Truncate(2).IsZero().Or(flags.Slice(31, 2).Any())))
}

func (flushExecutor) identifier(header) (hdl.Value, bool) { return hdl.Value{}, false }
func (flushExecutor) word(header) (hdl.Value, bool)       { return hdl.Value{}, false }
