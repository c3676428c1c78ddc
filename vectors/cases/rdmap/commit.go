package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// The extension commit: RDMA Flush, RDMA Verify and Atomic Write, draft-talpey-rdma-commit-01.

// commitFamilies lists its topics in the order of the file, after those of all configurations.
var commitFamilies = []func(l *list){commitBasics, commitSizes, commitClassified, commitErrors, commitPairs, commitRights, commitDigests,
	commitHashes, commitWords, commitOrder, commitPipelines, commitPlatform, commitStreams, commitInvalidation, commitWork, commitAnswers, commitCounts,
	commitInside, commitLimits, commitFaulty, commitEnds, commitLong}

const bothReaches = memory.FlushPersistent | memory.FlushVisible

// commit gives the areas their attributes.
func (l *Layout) commit() {
	for name, of := range map[string]struct {
		rights memory.Rights
		memory.Attributes
	}{
		target:    {bothReaches | memory.Verifiable, memory.Attributes{Type: memory.Flushable, Hash: memory.CRC32C}},
		words:     {memory.FlushPersistent | memory.Verifiable, memory.Attributes{Type: memory.Flushable, Hash: memory.CRC64NVMe}},
		alias:     {memory.FlushVisible | memory.Verifiable, memory.Attributes{Hash: memory.SHA256}}, // of the same octets
		shared:    {bothReaches | memory.Verifiable, memory.Attributes{Type: memory.PeerToPeer, Mode: memory.WriteThrough, Hash: memory.SHA256}},
		top:       {bothReaches | memory.Verifiable, memory.Attributes{Type: memory.Flushable, Hash: memory.CRC32C}},
		bottom:    {bothReaches | memory.Verifiable, memory.Attributes{Type: memory.Flushable, Hash: memory.CRC64NVMe}},
		foreign:   {bothReaches | memory.Verifiable, memory.Attributes{Type: memory.Flushable, Hash: memory.CRC32C}},
		strange:   {bothReaches | memory.Verifiable, memory.Attributes{Type: memory.Flushable, Hash: memory.CRC32C}},
		removable: {bothReaches | memory.Verifiable, memory.Attributes{Type: memory.Flushable, Hash: memory.CRC32C}},
		common:    {bothReaches | memory.Verifiable, memory.Attributes{Type: memory.Flushable, Hash: memory.CRC64NVMe}},
		broken:    {bothReaches | memory.Verifiable, memory.Attributes{Type: memory.Flushable, Hash: memory.SHA256}},
	} {
		a := l.Areas[name]
		a.Region.Rights |= of.rights
		a.Region.Attributes = of.Attributes
		l.Areas[name] = a
	}
}

// commitOp is one of the three operations, with what a request needs to be valid.
type commitOp struct {
	name, what, flag string
	op, response     wire.Opcode
	right            memory.Rights
	section          string // of the catalogue
}

var (
	aFlush       = commitOp{"flush", "an RDMA Flush", RDMAFlush, wire.OpFlushRequest, wire.OpFlushResponse, bothReaches, "COMMIT01-3.1.1"}
	aVerify      = commitOp{"verify", "an RDMA Verify", RDMAVerify, wire.OpVerifyRequest, wire.OpVerifyResponse, memory.Verifiable, "COMMIT01-3.1.2"}
	anAtomicWord = commitOp{"atomic_write", "an Atomic Write", AtomicWrite, wire.OpAtomicWriteRequest, wire.OpAtomicWriteResponse, memory.RemoteWrite, "COMMIT01-3.1.3"}

	commitOps = []*commitOp{&aFlush, &aVerify, &anAtomicWord}
)

// bothFlags asks for both dispositions.
const bothFlags = wire.Persistence | wire.GlobalVisibility

// segment returns a request: a Flush with both flags, a Verify without a hash, an Atomic Write of data.
func (o *commitOp) segment(msn, invalidate uint32, k wire.Sink) []byte {
	switch o {
	case &aFlush:
		return wire.AppendFlushRequest(nil, msn, invalidate, wire.FlushRequest{Sink: k, Flags: bothFlags})
	case &aVerify:
		return wire.AppendVerifyRequest(nil, msn, invalidate, wire.VerifyRequest{Sink: k})
	}
	return wire.AppendAtomicWriteRequest(nil, msn, invalidate, wire.AtomicWriteRequest{Sink: k, Data: data})
}

// sinkAt names octets of an area.
func (t *T) sinkAt(name string, offset, octets int) wire.Sink {
	a := t.area(name)
	return wire.Sink{STag: a.stag(), TO: a.to(offset), Length: uint32(octets)}
}

// ask sends a request for 8 octets of an area.
func (t *T) ask(stream int, o *commitOp, name string, offset int) {
	t.askFor(stream, o, t.sinkAt(name, offset, 8), 0)
}

func (t *T) askFor(stream int, o *commitOp, k wire.Sink, invalidate uint32) {
	t.requests(stream, func(msn uint32) []byte { return o.segment(msn, invalidate, k) })
}

// requests sends the next message on queue 1.
func (t *T) requests(stream int, segment func(msn uint32) []byte) {
	t.in(stream, segment(t.msn(stream, wire.QueueRequest)))
	t.took(stream, wire.QueueRequest)
}

func (t *T) flush(stream int, name string, offset, octets int, flags wire.Disposition) {
	t.requests(stream, func(msn uint32) []byte {
		return wire.AppendFlushRequest(nil, msn, 0, wire.FlushRequest{Sink: t.sinkAt(name, offset, octets), Flags: flags})
	})
}

func (t *T) verify(stream int, name string, offset, octets int, hash []byte) {
	t.requests(stream, func(msn uint32) []byte {
		return wire.AppendVerifyRequest(nil, msn, 0, wire.VerifyRequest{Sink: t.sinkAt(name, offset, octets), Hash: hash})
	})
}

func (t *T) atomicWrite(stream int, name string, offset int, data uint64) {
	t.requests(stream, func(msn uint32) []byte {
		return wire.AppendAtomicWriteRequest(nil, msn, 0, wire.AtomicWriteRequest{Sink: t.sinkAt(name, offset, 8), Data: data})
	})
}

// digest returns the digest of octets of an area before the test, with the area's algorithm.
func (t *T) digest(name string, offset, octets int) []byte {
	a := t.area(name).Region
	return digestOf(a.Attributes.Hash, t.contents(a.Address+uint64(offset), octets))
}

// contents returns octets of memory before the test.
func (t *T) contents(address uint64, octets int) []byte {
	for _, m := range t.layout.Memory {
		if at := address - uint64(m.Address); address >= uint64(m.Address) && at+uint64(octets) <= uint64(len(m.Hex)) {
			return m.Hex[at : at+uint64(octets)]
		}
	}
	panic("cases: no such memory")
}

func digestOf(a memory.Algorithm, octets []byte) []byte {
	s := memory.NewSpace()
	s.Write(0, octets)
	return s.Digest(nil, a, 0, uint64(len(octets)))
}

// silence makes the platform hold its answers until answer.
func (t *T) silence() { t.platform(true) }
func (t *T) answer()  { t.platform(false) }

func (t *T) platform(holds bool) { t.add(suite.Input{Port: suite.PortFlushed, Hold: &holds}) }

// Work requests. The first three return the MSN.
func (t *T) postFlush(stream, octets int, flags wire.Disposition, change ...func(w *rdmap.WorkRequest)) uint32 {
	return t.post(rdmap.WorkRequest{Stream: uint32(stream), Opcode: wire.OpFlushRequest, Length: uint32(octets), Remote: remote, Commit: rdmap.CommitOperands{Flags: flags}}, change...)
}

func (t *T) postVerify(stream int, name string, offset, octets int, a memory.Algorithm, expected []byte, change ...func(w *rdmap.WorkRequest)) uint32 {
	w := rdmap.WorkRequest{Stream: uint32(stream), Opcode: wire.OpVerifyRequest, Local: t.at(name, offset), Length: uint32(octets), Remote: remote}
	w.Commit.Algorithm, w.Commit.Compare = a, expected != nil
	copy(w.Commit.Hash[:], expected)
	return t.post(w, change...)
}

func (t *T) postAtomicWrite(stream int, data uint64, change ...func(w *rdmap.WorkRequest)) uint32 {
	return t.post(rdmap.WorkRequest{Stream: uint32(stream), Opcode: wire.OpAtomicWriteRequest, Remote: remote, Commit: rdmap.CommitOperands{Data: data}}, change...)
}

// postOp posts one of the three for 8 octets; a Verify's digest goes to the sink.
func (t *T) postOp(stream int, o *commitOp, change ...func(w *rdmap.WorkRequest)) uint32 {
	switch o {
	case &aFlush:
		return t.postFlush(stream, 8, bothFlags, change...)
	case &aVerify:
		return t.postVerify(stream, resultsOf(stream), 16, 8, memory.CRC64NVMe, nil, change...)
	}
	return t.postAtomicWrite(stream, data, change...)
}

// resultsOf is the area in which a stream gets its results.
func resultsOf(stream int) string { return [...]string{sink, foreign}[stream] }

// replies sends the next message on queue 3.
func (t *T) replies(stream int, segment func(msn uint32) []byte) {
	t.in(stream, segment(t.msn(stream, wire.QueueAtomicResponse)))
	t.took(stream, wire.QueueAtomicResponse)
}

// someDigest is a response to postOp.
var someDigest = pattern(8)

// replyTo responds to postOp.
func (t *T) replyTo(stream int, o *commitOp) {
	t.replies(stream, func(msn uint32) []byte { return replyOf(o.response, msn) })
}

func replyOf(op wire.Opcode, msn uint32) []byte {
	switch op {
	case wire.OpFlushResponse:
		return wire.AppendFlushResponse(nil, msn)
	case wire.OpVerifyResponse:
		return wire.AppendVerifyResponse(nil, msn, someDigest)
	}
	return wire.AppendAtomicWriteResponse(nil, msn)
}

// hashed is the length of a Verify Request with a hash for the area of the examples.
const hashed = 16 + 32

func init() {
	for _, o := range commitOps {
		lengths := map[string][]int{aFlush.name: {16, 24}, aVerify.name: {8, 17, hashed}, anAtomicWord.name: {16, 20, 32}}[o.name]
		examples[o.op] = example{receiving, func(t *T) []byte { return o.segment(1, 0, t.sinkAt(shared, 0, 8)) }, lengths}
		examples[o.response] = example{func(t *T) { t.postOp(0, o) }, func(*T) []byte { return replyOf(o.response, 1) }, []int{1, 8}}
	}
	examples[wire.OpVerifyResponse] = example{examples[wire.OpVerifyResponse].ready, examples[wire.OpVerifyResponse].segment, []int{4, 32}}
}

// commitClassified tests every fault of a segment by itself, for the messages of the extension.
func commitClassified(l *list) {
	for _, m := range spec.CommitOperations {
		classify(l, &m)
	}
}
