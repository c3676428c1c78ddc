package rdmap

import (
	"encoding/binary"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// atomicWrites implements Atomic Write: draft-talpey-rdma-commit-01 section 3.1.3. Since queue 1 is executed in order, it
// is never executed before every earlier Flush and Verify has succeeded.
type atomicWrites struct{}

var _ = executes("atomic_write", atomicWrites{})

func atomicWriteOf(payload []byte) (r wire.AtomicWriteRequest) {
	_ = r.Decode(payload) // the length has been checked
	return r
}

func (atomicWrites) names(payload []byte) target {
	return sinkOf(atomicWriteOf(payload).Sink, memory.RemoteWrite)
}

// checkRequest rejects a length other than 8, section 3.1.3.1.
func (atomicWrites) checkRequest(_ *Engine, payload []byte) spec.Rule {
	if atomicWriteOf(payload).Length != memory.WordOctets {
		return spec.AtomicWriteLength
	}
	return spec.None
}

// checkTarget rejects a memory address that is not a multiple of 8, section 3.1.3.1.
func (atomicWrites) checkTarget(_ []byte, address uint64, _ memory.Region) spec.Rule {
	return checkAligned(address)
}

// execute places the 8 octets at once, in the order of the wire or, as an integer, in that of the memory (I-19).
func (atomicWrites) execute(e *Engine, s *endpoint, r *request) spec.Rule {
	var octets [memory.WordOctets]byte
	if data := atomicWriteOf(r.payload()).Data; e.config.Commit.HostOrder {
		binary.LittleEndian.PutUint64(octets[:], data)
	} else {
		binary.BigEndian.PutUint64(octets[:], data)
	}
	before := e.space.Word(r.address)
	if !e.place(s, r.address, octets[:]) {
		return spec.ExecutionFailed
	}
	e.executed.Original, e.executed.Result = before, e.space.Word(r.address)
	e.writeThrough(r.stag, r.address, memory.WordOctets)
	e.counters.AtomicWritesExecuted++
	e.respond(s, r, wire.AppendAtomicWriteResponse)
	return spec.None
}

func (atomicWrites) appendRequest(tx []byte, w *work) []byte {
	return wire.AppendAtomicWriteRequest(tx, w.msn, w.Commit.Invalidate, wire.AtomicWriteRequest{Sink: w.sink(memory.WordOctets), Data: w.Commit.Data})
}

func (atomicWrites) lengths(*WorkRequest) (buffer, reported uint32) { return 0, memory.WordOctets }

func (atomicWrites) reply(*work, []byte) (reply, spec.Rule) { return noPayload() }
