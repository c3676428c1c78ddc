package bench

import (
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// What isolation has for the extension commit: aggressors, victims, and the platform.

// commitRegion is the region that all use, with the rights of the extension.
func commitRegion() memory.Region {
	return memory.Region{Valid: true, Rights: isolationRights | memory.FlushPersistent | memory.FlushVisible | memory.Verifiable, ByDomain: true, Length: 1 << 20,
		Attributes: memory.Attributes{Type: memory.Flushable, Hash: memory.CRC32C, Read: memory.ReadNotNeeded}}
}

// flushes is a platform that takes some cycles to flush, and 20 times as many for the aggressor's region.
type flushes struct {
	device  *rnic.Device
	takes   uint64
	waiting []flushAsked
}

type flushAsked struct {
	id  uint16
	due uint64
}

func (f *flushes) ask(asked rnic.Flush) {
	takes := f.takes
	if asked.Address >= aggressorAddress {
		takes *= 20
	}
	f.waiting = append(f.waiting, flushAsked{asked.ID, f.device.Engine().Cycle() + takes})
}

// answer tells of the flushes that are done by now.
func (f *flushes) answer(now uint64) {
	rest := f.waiting[:0]
	for _, w := range f.waiting {
		if w.due <= now {
			f.device.AnswerFlush(w.id, false)
		} else {
			rest = append(rest, w)
		}
	}
	f.waiting = rest
}

// commitMix takes turns of the three operations; each stream has one of them.
var commitMix = mix{"Flush, Verify, Atomic Write of the peers", []kind{
	{"Flush", func(p *party, n uint64) { p.segments = append(p.segments, flushRequest(n, rnicSTag, p.word(), 64)) }, commitAnswer},
	{"Verify", func(p *party, n uint64) { p.segments = append(p.segments, verifyRequest(n, rnicSTag, p.word(), 64)) }, commitAnswer},
	{"Atomic Write", func(p *party, n uint64) { p.segments = append(p.segments, atomicWriteRequest(n, p.word())) }, commitAnswer},
}}

func atomicWriteRequest(n uint64, to uint64) []byte {
	return wire.AppendAtomicWriteRequest(nil, uint32(n+1), 0, wire.AtomicWriteRequest{Sink: wire.Sink{STag: rnicSTag, Length: 8, TO: to}, Data: n})
}

func flushRequest(n uint64, stag uint32, to uint64, octets uint32) []byte {
	return wire.AppendFlushRequest(nil, uint32(n+1), 0, wire.FlushRequest{Sink: wire.Sink{STag: stag, Length: octets, TO: to}, Flags: wire.Persistence})
}

func verifyRequest(n uint64, stag uint32, to uint64, octets uint32) []byte {
	return wire.AppendVerifyRequest(nil, uint32(n+1), 0, wire.VerifyRequest{Sink: wire.Sink{STag: stag, Length: octets, TO: to}})
}

// commitAnswer finds the number of a request in its response: the responses of a stream are numbered as its requests are.
func commitAnswer(_ *party, segment []byte) (uint64, bool) {
	s, rule := wire.ClassifyWith(spec.Commit, segment)
	return uint64(s.Header.MSN) - 1, rule == spec.None && s.Header.QueueNumber == 3
}

// commitAggressors do nothing but slow Flushes, or Verifies of 1 MiB; the victims verify with CRC32C.
func commitAggressors() []aggressor {
	requests := func(next func(n uint64) []byte) func() behavior {
		return func() behavior { return &requester{next: next} }
	}
	flush := func(n uint64) []byte { return flushRequest(n, aggressorSTag, n%16*64, 64) }
	verify := func(n uint64) []byte { return verifyRequest(n, aggressorSTag, 0, 1<<20) }
	return []aggressor{
		{name: "flushes-slow", resource: "flushes in progress", victims: inboundMix, shares: true, commit: true, behave: requests(flush)},
		{name: "flushes-slow-mixed", resource: "flushes in progress", victims: commitMix, shares: true, commit: true, behave: requests(flush)},
		{name: "verifies-1m", resource: "memory reads", victims: inboundMix, shares: true, commit: true, behave: requests(verify)},
		{name: "verifies-1m-mixed", resource: "digest_unit", victims: commitMix, shares: true, commit: true, behave: requests(verify)},
		{name: "verifies-1m-sha256", resource: "digest_unit", victims: commitMix, shares: true, commit: true, prepare: hashes, behave: requests(verify)},
	}
}

// hashes makes the aggressor's region one of SHA-256.
func hashes(d *rnic.Device) error {
	region := commitRegion()
	region.Address, region.Attributes.Hash = aggressorAddress, memory.SHA256
	return d.SetRegion(aggressorRow, region)
}
