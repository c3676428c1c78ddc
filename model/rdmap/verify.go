package rdmap

import (
	"bytes"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// verifies implements RDMA Verify: draft-talpey-rdma-commit-01 section 3.1.2.
type verifies struct{}

var _ = executes("verify", verifies{})

func verifyOf(payload []byte) (r wire.VerifyRequest) {
	_ = r.Decode(payload) // the length has been checked
	return r
}

func (verifies) names(payload []byte) target {
	return sinkOf(verifyOf(payload).Sink, memory.Verifiable)
}

func (verifies) checkRequest(*Engine, []byte) spec.Rule { return spec.None }

// checkTarget rejects a hash that is not as long as the region's digest (I-17).
func (verifies) checkTarget(payload []byte, _ uint64, region memory.Region) spec.Rule {
	if n := len(verifyOf(payload).Hash); n != 0 && n != region.Attributes.Hash.Octets() {
		return spec.HashLength
	}
	return spec.None
}

// execute hashes what is in storage, or what all observers see if the region cannot be flushed to storage (I-54), and
// returns the digest if it is the expected hash or if none is expected. On a mismatch no later request is executed.
func (verifies) execute(e *Engine, s *endpoint, r *request) spec.Rule {
	if !e.readable(s, r.address, int(r.octets)) {
		return spec.ExecutionFailed
	}
	from := e.platform.At(memory.Visible)
	if r.region.Rights&memory.FlushPersistent != 0 {
		from = e.platform.At(memory.Stored)
	}
	v := verifyOf(r.payload())
	digest := from.Digest(nil, r.region.Attributes.Hash, r.address, r.octets)
	if len(v.Hash) > 0 && !bytes.Equal(v.Hash, digest) {
		s.events.push(Event{Stream: s.peer.Stream, Kind: EventMismatch, Named: v.Sink})
		return spec.HashMismatch
	}
	e.counters.VerifiesExecuted++
	e.respond(s, r, func(tx []byte, msn uint32) []byte { return wire.AppendVerifyResponse(tx, msn, digest) })
	return spec.None
}

func (verifies) appendRequest(tx []byte, w *work) []byte {
	return wire.AppendVerifyRequest(tx, w.msn, w.Commit.Invalidate, wire.VerifyRequest{Sink: w.sink(w.Length), Hash: w.Commit.hash()})
}

func (verifies) lengths(w *WorkRequest) (buffer, reported uint32) {
	n := uint32(w.Commit.Algorithm.Octets())
	return n, n
}

// reply accepts a digest of the algorithm's length (I-91). One that differs from the hash that the peer should have
// compared is reported as a mismatch (I-57).
func (verifies) reply(w *work, payload []byte) (reply, spec.Rule) {
	answer := reply{octets: len(payload)}
	if len(payload) != w.Commit.Algorithm.Octets() {
		return reply{}, spec.ResponseLength
	}
	copy(answer.buffer[:], payload)
	if w.Commit.Compare && !bytes.Equal(payload, w.Commit.hash()) {
		answer.status = StatusMismatch
	}
	return answer, spec.None
}
