package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// What the executors of draft-talpey-rdma-commit-01 share.

// commits reports whether the profile has RDMA Flush, RDMA Verify and Atomic Write.
func (p Profile) commits() bool { return p.Extensions&spec.Commit != 0 }

// workTag is what a work request of the extension has beside its operands: in these, a Flush has its flags and a Verify its algorithm in
// Opcode, whose bit 2 says that the peer compares its digest with the octets of Data, Mask, Compare and CompareMask.
type workTag struct {
	Invalidate hdl.Value `hdl:"invalidate_stag" doc:"STag of the peer that a Flush, Verify or Atomic Write invalidates after success; 0: none"`
}

// compareBit is the bit of the Opcode of a Verify's operands that says that there is a hash.
const compareBit = 2

// digestOctets is the length of the longest digest, SHA-256.
const digestOctets = 32

// regionTag is what a region has beside its rights: draft-talpey-rdma-commit-01 section 3.2.1.
type regionTag struct {
	Persistent hdl.Value `doc:"the peer may flush it to persistence"`
	Visible    hdl.Value `doc:"the peer may flush it to global visibility"`
	Verifiable hdl.Value `doc:"the peer may verify it"`
	NeedsRead  hdl.Value `doc:"a Verify also needs Remote Read"`
	Type       hdl.Value `doc:"type of the memory: 0 plain, 1 flushable, 2 peer to peer"`
	Algorithm  hdl.Value `doc:"of a Verify: 1 CRC32C, 2 CRC-64/NVME, 3 SHA-256"`
}

func regionTagOf() *regionTag {
	bit := hdl.Bits(1)
	return &regionTag{Persistent: bit, Visible: bit, Verifiable: bit, NeedsRead: bit, Type: hdl.Bits(2), Algorithm: hdl.Bits(2)}
}

// comparedTag is what the response to a Verify is compared with.
type comparedTag struct {
	Compares hdl.Value `doc:"octets of the response that must be those of the hash: [0] 0 to 3, [1] 4 to 7, [2] 8 to 31"`
	Hash     hdl.Value `doc:"octet i in [8i+7:8i]"`
}

func comparedTagOf() *comparedTag {
	return &comparedTag{Compares: hdl.Bits(3), Hash: hdl.Bits(8 * digestOctets)}
}

// differs compares the octets of a response in stage at; the result is known two stages later.
func (c comparedTag) differs(s rxSegment, at int, octets hdl.Value) *block.Signal {
	difference := s.m.Let("digest_difference", octets.Xor(c.Hash))
	compares := s.Holds("compares", at, c.Compares)
	var parts []hdl.Value
	for i, part := range [][2]int{{0, 32}, {32, 64}, {64, 8 * digestOctets}} {
		const group = 18 // bits
		var any []hdl.Value
		for low := part[0]; low < part[1]; low += group {
			any = append(any, difference.Slice(min(low+group, part[1])-1, low).Any())
		}
		differs := s.Signal(fmt.Sprintf("digest_part_%d", i), at, hdl.Cat(any...))
		parts = append(parts, differs.At(at+1).Any().And(compares.At(at+1).Bit(i)))
	}
	return s.Signal("digest_differs", at+1, hdl.AnyOf(parts...))
}

// returnedTag is what a Terminate returns of a request that failed as it was executed (I-55): all that is not known of its DDP header, and
// its length.
type returnedTag struct {
	Control    hdl.Value `doc:"octets 0 and 1 of the request, octet 0 in [7:0]"`
	Invalidate hdl.Value `hdl:"invalidate_stag" doc:"Invalidate STag of the request"`
	Msn        hdl.Value `doc:"MSN of the request"`
	Length     hdl.Value `doc:"octets of its segment; 0: no request"`
}

func returnedTagOf() *returnedTag {
	return &returnedTag{Control: hdl.Bits(16), Invalidate: hdl.Bits(32), Msn: hdl.Bits(32), Length: hdl.Bits(16)}
}

// header is the DDP header of the request, octet 0 in the low bits.
func (r *returnedTag) header() hdl.Value {
	return hdl.Cat(hdl.Zero(32), r.Msn.ReverseOctets(), hdl.Const(32, uint64(spec.QueueRequest)).ReverseOctets(), r.Invalidate.ReverseOctets(), r.Control)
}

// begunTag is what the response to a request needs beside its result, and what a Terminate returns of it. A stream has one such request in
// progress, so that it is kept once, by stream.
type begunTag struct {
	Commits     hdl.Value `doc:"1: a Flush, Verify or Atomic Write; others have no such response, and nothing is returned of them (I-93)"`
	ResponseMsn hdl.Value `doc:"MSN of the response on queue 3"`
	Returned    returnedTag
}

func begunTagOf() *begunTag {
	return &begunTag{Commits: hdl.Bits(1), ResponseMsn: hdl.Bits(32), Returned: *returnedTagOf()}
}

// BegunTag is kept of every request.
func (p Profile) BegunTag() any {
	if !p.commits() {
		return nil
	}
	return begunTagOf()
}

// Begins reads it from a request.
func (p Profile) Begins(m *hdl.Module, r engine.InboundRequest) any {
	tag := r.Tag.(*requestTag)
	more := tag.More.(*requestMore)
	kinds := engine.Config{Profile: p}.Kinds()
	var committing []hdl.Value
	for _, of := range p.requests() {
		if of.Class&spec.Committing != 0 {
			committing = append(committing, r.Kind.Is(kinds.Request(of.Executor)))
		}
	}
	return &begunTag{Commits: m.Let("is_committing", hdl.AnyOf(committing...)), ResponseMsn: tag.ResponseMsn,
		Returned: returnedTag{Control: more.Control, Invalidate: more.Invalidate, Msn: more.Msn, Length: tag.SegmentLength}}
}

// Failed returns the request unless the failure has another cause.
func (p Profile) Failed(m *hdl.Module, fault hdl.Value, begun any) any {
	tag := begun.(*begunTag)
	m.Unused("there is no response", tag.ResponseMsn)
	is := tag.Commits.And(fault.Ne(hdl.Const(p.FaultBits(), engine.FaultLocal)))
	packed := hdl.Pack(tag.Returned)
	returned := hdl.Unpack(tag.Returned, packed.And(is.Replicate(packed.Width())))
	return &returned
}

// requestMore is what the extension adds to the tag of a request.
type requestMore struct {
	Control    hdl.Value `doc:"octets 0 and 1 of the request, octet 0 in [7:0]"`
	Invalidate hdl.Value `hdl:"invalidate_stag" doc:"Invalidate STag of the request; 0: none"`
	Msn        hdl.Value `doc:"MSN of the request"`
	Type       hdl.Value `doc:"type of the region's memory"`
	Algorithm  hdl.Value `doc:"of the region's digest"`
	Differs    hdl.Value `doc:"of a response: it is not what it was compared with"`
}

func (p Profile) requestMore() any {
	if !p.commits() {
		return nil
	}
	return &requestMore{Control: hdl.Bits(16), Invalidate: hdl.Bits(32), Msn: hdl.Bits(32), Type: hdl.Bits(2), Algorithm: hdl.Bits(2), Differs: hdl.Bits(1)}
}

// FaultBits has room for the faults of requests as they are executed.
func (p Profile) FaultBits() int {
	if p.commits() {
		return 3
	}
	return 1
}

// FailureTag is the request that failed.
func (p Profile) FailureTag() any {
	if !p.commits() {
		return nil
	}
	return returnedTagOf()
}

// WorkTag is the Invalidate STag.
func (p Profile) WorkTag() any {
	if !p.commits() {
		return nil
	}
	return &workTag{hdl.Bits(32)}
}

// RegionTag is what section 3.2.1 of the draft adds.
func (p Profile) RegionTag() any {
	if !p.commits() {
		return nil
	}
	return regionTagOf()
}

// Region takes the fields of stag_commit.
func (p Profile) Region(field func(register, name string) hdl.Value) any {
	if !p.commits() {
		return nil
	}
	in := func(name string) hdl.Value { return field("stag_commit", name) }
	return &regionTag{Persistent: in("flush_persistent"), Visible: in("flush_visible"), Verifiable: in("verifiable"), NeedsRead: in("verify_needs_read"),
		Type: in("type"), Algorithm: in("algorithm")}
}

// ComparedTag is the hash of a Verify.
func (p Profile) ComparedTag() any {
	if !p.commits() {
		return nil
	}
	return comparedTagOf()
}

// Compared is the hash that a Verify sends (I-57).
func (p Profile) Compared(_ *hdl.Module, w engine.HeldWork) any {
	if !p.commits() {
		return nil
	}
	o := w.Operands
	is, long, most := p.kindOf(w.Kind, "verify").And(o.Opcode.Bit(compareBit)), o.Opcode.Truncate(2).Is(3), o.Opcode.Bit(1)
	return &comparedTag{Compares: hdl.Cat(is.And(long), is.And(most), is), Hash: hdl.Cat(o.Data, o.Mask, o.Compare, o.CompareMask).ReverseOctets()}
}

// hashOf is the hash of a Verify in its operands, octet 0 in the low bits: the first octet is the most significant of Data. Octets after
// its end are 0, and all of them if there is none.
func hashOf(o engine.AtomicOperands) hdl.Value {
	has := o.Opcode.Bit(compareBit)
	long, most := o.Opcode.Truncate(2).Is(3), o.Opcode.Bit(1)
	part := func(v, is hdl.Value) hdl.Value { return v.And(has.And(is).Replicate(v.Width())) }
	high, low := part(o.Data.Slice(63, 32), hdl.Ones(1)), part(o.Data.Truncate(32), most)
	return hdl.Cat(high, low, part(hdl.Cat(o.Mask, o.Compare, o.CompareMask), long)).ReverseOctets()
}

// kindOf is 1 for work requests of an executor.
func (p Profile) kindOf(k engine.WorkKind, executor string) hdl.Value {
	for i, r := range p.requests() {
		if r.Executor == executor {
			return k.Requests[i].Of
		}
	}
	return hdl.Value{}
}

// Octets of a Verify are those of its digest; its response and that of an Atomic or a Read are placed.
func (p Profile) Octets(m *hdl.Module, k engine.WorkKind, length hdl.Value, o engine.AtomicOperands) (octets hdl.Value, fills, lacks *hdl.Value) {
	octets = hdl.Mux(p.Word(k), hdl.Const(32, 8), length)
	if !p.commits() {
		return octets, nil, nil
	}
	verifies := p.kindOf(k, "verify")
	octets = hdl.Select(octets, hdl.When{Cond: verifies, Then: m.Let("digest_octets", digestLength(o.Opcode.Truncate(2))).ZeroExtend(32)})
	fill := m.Let("fills", hdl.AnyOf(p.kindOf(k, "read"), p.kindOf(k, "atomic"), verifies))
	none := m.Let("lacks_algorithm", verifies.And(o.Opcode.Truncate(2).IsZero()))
	return octets, &fill, &none
}

// digestLength is the length of a digest in octets, 0 for no algorithm.
func digestLength(algorithm hdl.Value) hdl.Value {
	octets := func(n uint64) hdl.Value { return hdl.Const(6, n) }
	return hdl.Select(octets(0), hdl.When{Cond: algorithm.Is(1), Then: octets(4)}, hdl.When{Cond: algorithm.Is(2), Then: octets(8)}, hdl.When{Cond: algorithm.Is(3), Then: octets(digestOctets)})
}

// Revokes is the Invalidate STag (I-92).
func (p Profile) Revokes(r engine.InboundRequest) (stag hdl.Value, may bool) {
	more, may := r.Tag.(*requestTag).More.(*requestMore)
	if !may {
		return hdl.Value{}, false
	}
	return more.Invalidate, true
}

// Hollow reads the fault in the header of a response without octets; 0 is that of an Atomic.
func (p Profile) Hollow(header hdl.Value) (fault hdl.Value) { return header.Truncate(p.FaultBits()) }

// sinkRegion is the memory that a request names with its first 16 octets, even if it is of 0 octets (I-20).
func sinkRegion(h header, t *wire.Table) regionRequest {
	field := func(name string) hdl.Value { return h.field(untagged, t, name) }
	return regionRequest{STag: field("data_sink_stag"), TO: field("data_sink_to"), Length: field("data_sink_length"), named: true}
}

// sinkFields are the first 16 octets of an outgoing request.
func sinkFields(w engine.HeldWork, length hdl.Value) map[string]hdl.Value {
	return map[string]hdl.Value{"data_sink_stag": w.Remote.STag, "data_sink_length": length, "data_sink_to": w.Remote.TO}
}
