package rnic

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Random Flushes, Verifies and Atomic Writes.

// commitRights are the rights that a use of a stream's areas adds with the extension: Flushes name what is written, Verifies what is
// never written or waits for later Writes, Atomic Writes what Atomics use.
func commitRights(c gen.Config, kind int) memory.Rights {
	if c.Protocol()&spec.Commit == 0 {
		return 0
	}
	switch kind {
	case areaTarget:
		return memory.FlushPersistent | memory.FlushVisible
	case areaMailbox:
		return memory.FlushPersistent | memory.Verifiable
	case areaSource:
		return memory.FlushVisible | memory.Verifiable
	case areaAtomic:
		return memory.RemoteWrite
	}
	return 0
}

// commitShareRights lets Atomic Writes use the words of all streams, and Flushes and Verifies memory that fails.
func commitShareRights(c gen.Config, kind int) memory.Rights {
	switch {
	case c.Protocol()&spec.Commit == 0:
		return 0
	case kind == sharedAtomic:
		return memory.RemoteWrite
	}
	return memory.FlushPersistent | memory.FlushVisible | memory.Verifiable
}

// commitAttributes are those of an area.
func commitAttributes(c gen.Config, kind int, stream uint32) (a memory.Attributes) {
	if c.Protocol()&spec.Commit == 0 {
		return a
	}
	a.Type, a.Mode = memory.Type(1+(stream+uint32(kind))%2), memory.Mode(stream/2%2)
	switch kind {
	case areaMailbox:
		a.Hash, a.Read = memory.Algorithm(1+stream%3), memory.ReadNeed(stream/3%3)
	case areaSource: // without Remote Read
		a.Hash, a.Read = memory.Algorithm(1+(stream+1)%3), memory.ReadNotNeeded
	}
	return a
}

// commitShareAttributes are those of memory that all streams share.
func commitShareAttributes(c gen.Config, kind int) memory.Attributes {
	if c.Protocol()&spec.Commit == 0 {
		return memory.Attributes{}
	}
	return memory.Attributes{Type: memory.Flushable, Hash: memory.Algorithm(1 + kind%3), Read: memory.ReadNotNeeded}
}

// mostVerified limits most Verifies: SHA-256 takes a cycle per octet.
const mostVerified = 1 << 10

// drawCommit draws a valid Flush, Verify or Atomic Write. A TO at the end of a region may not exist: a range of 0 octets begins before it.
func (h *host) drawCommit(d *draft) {
	r := h.rand
	mine, theirs := h.local.areas[d.Stream], h.remote.areas[d.Stream]
	c := &d.Commit
	switch r.IntN(3) {
	case 0:
		d.Opcode, d.Length = spec.AllExtensions.Opcode(spec.FlushRequest), length(r, h.remote.octets)
		switch r.IntN(4) {
		case 0:
			d.Remote, c.Flags = part(r, theirs[areaMailbox], max(1, d.Length)), wire.Persistence
		case 1:
			d.Remote, c.Flags = part(r, theirs[areaSource], max(1, d.Length)), wire.GlobalVisibility
		default:
			d.Remote, c.Flags = part(r, theirs[areaTarget], max(1, d.Length)), wire.Disposition(1+r.IntN(3))
		}
	case 1:
		most := min(h.remote.octets, mostVerified)
		if r.IntN(32) == 0 {
			most = h.remote.octets
		}
		d.Opcode, d.Length = spec.AllExtensions.Opcode(spec.VerifyRequest), length(r, most)
		from := theirs[areaSource]
		if r.IntN(2) == 0 {
			from, d.mailbox = theirs[areaMailbox], true
		}
		d.Remote = part(r, from, max(1, d.Length))
		c.Algorithm = from.region.Attributes.Hash
		d.Local = part(r, mine[areaSink], uint32(c.Algorithm.Octets()))
	default:
		d.Opcode, c.Data = spec.AllExtensions.Opcode(spec.AtomicWriteRequest), r.Uint64()
		target, words := theirs[areaAtomic], leastOctets/8
		if shared := h.remote.share(d.Stream, sharedAtomic); r.IntN(2) == 0 && shared.octets > 0 {
			target, words = shared, shared.octets/memory.WordOctets
		}
		d.Remote = word(r, target, words)
	}
	if victim := r.IntN(2); r.IntN(8) == 0 && h.mayUse(d.Stream, victim) && h.streams[d.Stream].victims == 0 {
		h.streams[d.Stream].spent[victim] = true
		c.Invalidate = theirs[areaVictim+victim].stag()
	}
}

// commitRight are the rights of which a request needs some.
var commitRight = map[spec.Class]memory.Rights{spec.FlushRequest: memory.FlushPersistent | memory.FlushVisible, spec.VerifyRequest: memory.Verifiable,
	spec.AtomicWriteRequest: memory.RemoteWrite}

// readdressSink changes the address of a Flush, Verify or Atomic Write Request.
func readdressSink(s wire.Segment, edit func(stag *uint32, to *uint64, octets uint64, right memory.Rights)) [][]byte {
	right := commitRight[classOf(s.Header.Opcode)]
	payload := bytes.Clone(s.Payload)
	be := binary.BigEndian
	stag, to := be.Uint32(payload), be.Uint64(payload[8:])
	edit(&stag, &to, uint64(be.Uint32(payload[4:])), right)
	be.PutUint32(payload, stag)
	be.PutUint64(payload[8:], to)
	return again(s.Header, payload)
}

// changesOf are the changes that a configuration has.
func changesOf(c gen.Config) []change {
	if c.Protocol()&spec.Commit == 0 {
		return changes
	}
	return allChanges
}

var allChanges = append(slices.Clone(changes), changeCommit)

// changeCommit breaks what only Flush, Verify and Atomic Write have: flags, lengths, hashes, the Invalidate STag, and empty responses.
func changeCommit(f *faults, stream uint32, s wire.Segment, _ []byte, _ bool) [][]byte {
	r, payload := f.rand, bytes.Clone(s.Payload)
	be := binary.BigEndian
	if isOf(s.Header.Opcode, spec.Committing) && r.IntN(4) == 0 {
		stag, _ := f.target.wrong(r, stream, f.target.areas[stream][areaVictim].stag(), 0, 0, memory.Invalidate)
		if s.Header.InvalidateSTag = stag; stag == 0 {
			return nil
		}
		return again(s.Header, payload)
	}
	switch classOf(s.Header.Opcode) {
	case spec.FlushRequest:
		flags := [...]uint32{0, 4, 1 << r.IntN(32), r.Uint32()}[r.IntN(4)]
		if flags >= 1 && flags <= 3 {
			return nil
		}
		be.PutUint32(payload[16:], flags)
	case spec.VerifyRequest:
		// A hash as long as the digest would be compared: it is one octet longer or shorter, or as long as that of another algorithm.
		has := len(payload) - wire.VerifyRequestTable.Octets
		octets := [...]int{1, 3, 5, 7, 9, 31, 33, 60, 64 + 4<<r.IntN(4), 128 + 4<<r.IntN(4)}[r.IntN(10)]
		payload = append(payload[:len(payload)-has], make([]byte, octets)...)
	case spec.AtomicWriteRequest:
		be.PutUint32(payload[4:], [...]uint32{0, 7, 16, 8 ^ 1<<r.IntN(32)}[r.IntN(4)])
	case spec.FlushResponse, spec.AtomicWriteResponse:
		payload = make([]byte, [...]int{1 + r.IntN(40), 1 << r.IntN(10)}[r.IntN(2)])
	case spec.VerifyResponse:
		payload = make([]byte, [...]int{0, 1, 3, 5, 7, 9, 16, 31, 33, 60, 4<<r.IntN(4) ^ 64<<r.IntN(4)}[r.IntN(11)])
	default:
		return nil
	}
	return again(s.Header, payload)
}

// spoilCommit makes a Flush, Verify or Atomic Write invalid.
func (h *host) spoilCommit(d *draft) {
	r := h.rand
	c := &d.Commit
	h.streams[d.Stream].faulty = true
	theirs := h.remote.areas[d.Stream]
	switch {
	case r.IntN(2) == 0:
		h.failCommit(d)
	case classOf(d.Opcode) == spec.VerifyRequest && r.IntN(2) == 0:
		c.Compare = true
		for i := range c.Algorithm.Octets() {
			c.Hash[i] = uint8(r.Uint32())
		}
	case classOf(d.Opcode) == spec.VerifyRequest && r.IntN(2) == 0: // the algorithm of another region, so the response has another length
		c.Algorithm = 1 + c.Algorithm%3
	case r.IntN(2) == 0:
		c.Invalidate = theirs[areaTarget].stag() // it may not be invalidated
		if theirs[areaTarget].region.Rights&memory.Invalidate != 0 {
			c.Invalidate = ^c.Invalidate
		}
	default:
		d.Length = max(1, d.Length)
		d.Remote.STag, d.Remote.TO = h.remote.wrong(r, d.Stream, d.Remote.STag, d.Remote.TO, int(min(d.Length, decoyOctets)), commitRight[classOf(d.Opcode)])
	}
}

// failCommit lets a Flush, Verify or Atomic Write name memory that fails.
func (h *host) failCommit(d *draft) {
	r := h.rand
	d.mailbox = false
	at := func(kinds ...int) area { return h.remote.share(d.Stream, kinds[r.IntN(len(kinds))]) }
	switch classOf(d.Opcode) {
	case spec.FlushRequest:
		d.Remote = part(r, at(sharedBroken, sharedBroken, sharedHalf, sharedRefusing), max(1, d.Length))
	case spec.VerifyRequest:
		if r.IntN(4) == 0 { // where the digest is placed
			d.Local = part(r, h.local.share(d.Stream, sharedBroken), uint32(d.Commit.Algorithm.Octets()))
			return
		}
		a := at(sharedBroken, sharedHalf)
		d.Remote, d.Commit.Algorithm = part(r, a, max(1, d.Length)), a.region.Attributes.Hash
	default:
		a := at(sharedBroken, sharedRefusing)
		d.Remote.STag, d.Remote.TO = a.stag(), a.to(8*r.IntN(4))
	}
}
