package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// flushes implements RDMA Flush: draft-talpey-rdma-commit-01 section 3.1.1.
type flushes struct{}

var _ = executes("flush", flushes{})

func flushOf(payload []byte) (r wire.FlushRequest) {
	_ = r.Decode(payload) // the length has been checked
	return r
}

// names returns the octets with every right that the flags ask for (I-06).
func (flushes) names(payload []byte) target {
	r, rights := flushOf(payload), memory.Rights(0)
	if r.Flags&wire.Persistence != 0 {
		rights |= memory.FlushPersistent
	}
	if r.Flags&wire.GlobalVisibility != 0 {
		rights |= memory.FlushVisible
	}
	return sinkOf(r.Sink, rights)
}

// checkRequest rejects flags that ask for nothing, or for something that is not defined (I-20).
func (flushes) checkRequest(_ *Engine, payload []byte) spec.Rule {
	if !flushOf(payload).Flags.Valid() {
		return spec.FlushFlags
	}
	return spec.None
}

func (flushes) checkTarget([]byte, uint64, memory.Region) spec.Rule { return spec.None }

// execute responds once every octet is where the flags ask for.
func (flushes) execute(e *Engine, s *endpoint, r *request) spec.Rule {
	flags := flushOf(r.payload()).Flags
	if r.octets > 0 && e.FlushError != nil && e.FlushError(s.peer.Stream, r.address, r.octets, flags) {
		return spec.ExecutionFailed
	}
	if flags&wire.Persistence != 0 {
		e.platform.Flush(memory.Stored, r.address, r.octets)
	}
	if flags&wire.GlobalVisibility != 0 {
		e.platform.Flush(memory.Visible, r.address, r.octets)
	}
	e.counters.FlushesExecuted++
	e.respond(s, r, wire.AppendFlushResponse)
	return spec.None
}

func (flushes) appendRequest(tx []byte, w *work) []byte {
	return wire.AppendFlushRequest(tx, w.msn, w.Commit.Invalidate, wire.FlushRequest{Sink: w.sink(w.Length), Flags: w.Commit.Flags})
}

func (flushes) lengths(w *WorkRequest) (buffer, reported uint32) { return 0, w.Length }

func (flushes) reply(*work, []byte) (reply, spec.Rule) { return noPayload() }
