package coverage

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/ordering"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Messages of the extension commit.

// walkHash is the algorithm of the rows that can be verified.
const walkHash = memory.CRC32C

// attribute gives a row what Flushes and Verifies need.
func (w *walk) attribute(r *memory.Region, row int) {
	if w.protocol&spec.Commit != 0 && (row == rowGood || row == rowFailing) {
		r.Rights |= memory.FlushPersistent | memory.FlushVisible | memory.Verifiable
		r.Attributes = memory.Attributes{Type: memory.Flushable, Hash: walkHash, Read: memory.ReadNotNeeded}
	}
}

// beforeCommit sends the preceding message, one of the extension.
func (k *maker) beforeCommit(o ordering.Operation) {
	sink := wire.Sink{STag: k.stag(k.at, rowGood), Length: memory.WordOctets, TO: k.to(k.at, rowGood, atAtomic+256)}
	class := map[ordering.Operation]spec.Class{ordering.Flush: spec.FlushRequest, ordering.Verify: spec.VerifyRequest, ordering.AtomicWrite: spec.AtomicWriteRequest}[o]
	k.in(appendCommit(class, k.asks, 0, sink, wire.Persistence, nil))
	k.asks++
}

// appendCommit makes a request of a class.
func appendCommit(c spec.Class, msn, invalidate uint32, sink wire.Sink, flags wire.Disposition, hash []byte) []byte {
	switch c {
	case spec.FlushRequest:
		return wire.AppendFlushRequest(nil, msn, invalidate, wire.FlushRequest{Sink: sink, Flags: flags})
	case spec.VerifyRequest:
		return wire.AppendVerifyRequest(nil, msn, invalidate, wire.VerifyRequest{Sink: sink, Hash: hash})
	}
	return wire.AppendAtomicWriteRequest(nil, msn, invalidate, wire.AtomicWriteRequest{Sink: sink, Data: 0x0123456789ABCDEF})
}

// commitRequest is a Flush, Verify or Atomic Write.
func (k *maker) commitRequest(msn uint32) {
	row, _ := k.protocol.Operation(k.op)
	octets := k.octetsOf(k.m.Length)
	if k.m.Error == spec.RequestTOWrap {
		octets = max(octets, 2)
	}
	at, _ := k.place(atRead)
	b := k.ofPeer(at, octets)
	sink := wire.Sink{STag: b.STag, Length: uint32(octets), TO: b.TO}
	flags := wire.Disposition(1 + k.at%3)
	var invalidate uint32
	var hash []byte
	switch k.m.Error {
	case spec.FlushFlags:
		flags = 2 << (k.at % 31) &^ 3 // none, or one that has no meaning
	case spec.AtomicWriteLength:
		sink.Length ^= 1 << (k.at % 32)
	case spec.HashLength:
		hash = payload(walkHash.Octets() + 1 + k.at)
	case spec.HashMismatch:
		hash = payload(walkHash.Octets())
	case spec.Misaligned:
		sink.TO += 1 + uint64(k.at%7)
	case spec.CannotInvalidate:
		invalidate = k.stag(k.at, rowGood)
	case spec.ExecutionFailed:
		at, _ = k.place(2 * page) // in the first failing page the model alone has what Writes left
		b = k.buffer(k.at, rowFailing, at)
		sink.STag, sink.TO = b.STag, b.TO
	}
	k.in(appendCommit(row.Class, msn, invalidate, sink, flags, hash))
}

// algorithm is that of a Verify whose response the message is.
func (k *maker) algorithm() memory.Algorithm {
	switch {
	case k.m.Error == spec.ResponseLength:
		return memory.CRC32C
	case k.m.Length == "8-bus":
		return memory.CRC64NVMe
	case k.m.Length == "beats":
		return memory.SHA256
	}
	return memory.CRC32C
}

// answered is the number of octets in a response: those that its Verify asks for, or none.
func (k *maker) answered() int {
	switch {
	case !k.is(spec.VerifyResponse):
		return 0
	case k.m.Error == spec.None || k.m.Error == spec.Local:
		return k.algorithm().Octets()
	}
	return k.octetsOf(k.m.Length)
}
