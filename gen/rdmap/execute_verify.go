package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/digest"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// verifyExecutor executes RDMA Verifies: draft-talpey-rdma-commit-01 section 3.1.2.
type verifyExecutor struct{}

var _ = executes("verify", verifyExecutor{})

func (verifyExecutor) block(c engine.Config) engine.Executor {
	return engine.Executor{Request: digest.DigestRequestOf(c, nil), Joins: "flush", Result: verifyResultOf(c), Sent: true, Stops: true, Revokes: true, Reads: true,
		Build: func(m *hdl.Module, c engine.Config, s engine.ExecutorSite) {
			responses := hdl.NewStream(m, "digested", digest.DigestResponseOf(c, nil))
			hdl.Instance(m, "digest_unit", digest.DigestUnit(c, nil), digest.DigestUnitPorts{Req: hdl.SinkOf[digest.DigestRequest](s.Start),
				Response: responses.Source(), Read: s.Read})
			results := hdl.SourceOf[commitResult](s.Result)
			r := responses.Sink()
			results.Drive(m, r.Valid, commitResult{Stream: r.Data.Stream, Number: r.Data.Number, Fails: r.Data.Failed.Or(r.Data.Differs),
				Digest: &commitDigest{Differs: r.Data.Differs, Octets: m.Let("digest_octets", digestLength(r.Data.Algorithm)), Digest: r.Data.Digest}})
			r.Accept(m, results.Ready)
		}}
}

func (verifyExecutor) start(m *hdl.Module, c engine.Config, r engine.InboundRequest, body header) any {
	field := func(name string) hdl.Value { return body.field(0, wire.VerifyRequestTable, name) }
	tag := r.Tag.(*requestTag)
	m.Note("A hash follows the header of a Verify if its segment is longer.")
	bare := hdl.Const(16, uint64(untagged+wire.VerifyRequestTable.Octets))
	at := 8 * wire.VerifyRequestTable.Octets
	return digest.DigestRequest{Stream: r.Stream, Number: r.Number, Address: r.Address, Length: field("data_sink_length"),
		Algorithm: tag.More.(*requestMore).Algorithm, Compares: m.Let("compares_digest", tag.SegmentLength.Ne(bare)), Expected: tag.Body.Slice(at+8*digestOctets-1, at)}
}

func (verifyExecutor) reaches(header) hdl.Value { return hdl.Ones(1) }

func (verifyExecutor) fields(_ *hdl.Module, w engine.HeldWork) map[string]hdl.Value {
	return sinkFields(w, w.Named)
}

// tail is the hash after the header, if the peer is to compare (I-17).
func (verifyExecutor) tail(m *hdl.Module, w engine.HeldWork) (octets, length hdl.Value) {
	length = m.Let("hash_octets", digestLength(w.Operands.Opcode.Truncate(2)).And(w.Operands.Opcode.Bit(compareBit).Replicate(6)))
	return m.Let("hash", hashOf(w.Operands)), length
}

func (verifyExecutor) region(h header) regionRequest { return sinkRegion(h, wire.VerifyRequestTable) }

// rules rejects a hash that is not as long as the region's digest (I-17).
func (verifyExecutor) rules(_ *hdl.Module, _ engine.Config, s rxSegment, region rxRegion, b rxRules) {
	bare := hdl.Const(16, uint64(untagged+wire.VerifyRequestTable.Octets))
	length := s.segmentLength
	some := s.Signal("has_hash", taken, length.At(taken).Ne(bare))
	octets := s.Signal("hash_octets", taken, length.At(taken).Sub(bare))
	wrong := s.Signal("wrong_hash_length", looked+1, octets.At(looked+1).Ne(digestLength(region.algorithm.At(looked+1)).ZeroExtend(16)))
	b.Add(spec.HashLength, s.is("verify"), some, wrong)
}

func (verifyExecutor) identifier(header) (hdl.Value, bool) { return hdl.Value{}, false }
func (verifyExecutor) word(header) (hdl.Value, bool)       { return hdl.Value{}, false }
