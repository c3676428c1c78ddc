package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// rxRegion is the region that a segment accesses, and its faults: 1 bit each, 0 for a length of 0. Invalidations since the row was read
// are handled separately.
type rxRegion struct {
	stag, to *block.Signal // in stages found and found + 1
	next     *block.Signal // TO of the next octet of the buffer
	reaches  *block.Signal // the length is not 0
	memory.AccessFaults
	kind, algorithm *block.Signal // type of its memory, and algorithm of its digest; nil without the extension Commit
}

// lookRegion looks up the row of the STag in the header, or of the buffer found.
func lookRegion(m *hdl.Module, p RxCheckPorts, c engine.Config, s rxSegment, k rxKnown) rxRegion {
	m.Section("Region: that of the STag in the header, or of the buffer found")
	at := func(v *block.Signal) hdl.Value { return v.At(found) }
	r := rxRegion{}
	r.stag = s.Signal("region_stag", found, hdl.Select(at(s.stag), hdl.When{Cond: at(s.isSend), Then: k.request.Buffer.STag},
		hdl.When{Cond: at(s.isReply), Then: k.awaited.Local.STag}))
	key := s.Signal("region_key", found, at(r.stag).Truncate(8))
	m.Drive(p.Region.Enable, s.Valid(found))
	m.Drive(p.Region.Index, at(r.stag).Slice(31, 8))
	m.Drive(p.Invalidated.Enable, s.Valid(found))
	m.Drive(p.Invalidated.Index, at(s.invalidate).Slice(31, 8))
	m.Note("Next octet of the buffer, for a Send or the response to a Read.")
	so := s.Signal("octets_before", found-1, hdl.Mux(s.isSend.At(found-1), s.now.offset.At(found-1), s.now.received.At(found-1)))
	r.next = s.Signal("next_to", found, hdl.Mux(at(s.isSend), k.request.Buffer.TO, k.awaited.Local.TO).Add(at(so).ZeroExtend(64)))
	r.to = s.Signal("region_to", found+1, hdl.Mux(s.isSend.At(found+1).Or(s.isReply.At(found+1)), r.next.At(found+1), s.to.At(found+1)))
	end := s.Signal("region_end", found+1, r.to.At(found+1).ZeroExtend(65).Add(s.reach.At(found+1).ZeroExtend(65)))
	reaches := s.reach.At(counted).Any()
	if s.names != nil {
		reaches = reaches.Or(s.names.At(counted))
	}
	r.reaches = s.Signal("reaches_memory", counted, reaches)

	m.Note("Distance of the first octet from the start of the region, and its maximum; either is negative if out of bounds.")
	entry := hdl.LetOf(m, "row", hdl.Unpack(engine.STagEntryOf(c), s.Holds("region_entry", found+1, p.Region.Entry.Value).At(looked)))
	m.Unused("rights for other uses of the region", entry.Rights.LocalRead, entry.Rights.Invalidate)
	access := memory.NewRegionAccess(s.Pipeline, looked, entry, r.to, s.reach, r.reaches)
	check := memory.STagCheck(entry, key.At(looked), s.stream.At(looked), s.domainOf.At(looked))
	right := m.Let("has_right", hdl.Select(entry.Rights.LocalWrite, rights(s, entry)...))
	if tag, has := entry.Tag.(*regionTag); has {
		r.kind, r.algorithm = s.Holds("region_type", looked, tag.Type), s.Holds("region_algorithm", looked, tag.Algorithm)
	}
	r.AccessFaults = access.Faults(check, right, end)
	return r
}

// rights are the bits that the row must have set, for a Write or a request.
func rights(s rxSegment, entry engine.STagEntry) []hdl.When {
	of := map[spec.Right]hdl.Value{spec.NoRight: hdl.Ones(1), spec.LocalWrite: entry.Rights.LocalWrite, spec.RemoteRead: entry.Rights.RemoteRead,
		spec.RemoteWrite: entry.Rights.RemoteWrite, spec.RemoteAtomic: entry.Rights.RemoteAtomic}
	write, _ := s.x.Operation(spec.Write.Opcode())
	rows := []hdl.When{{Cond: s.isWrite.At(looked), Then: of[write.Right]}}
	if tag, has := entry.Tag.(*regionTag); has {
		of[spec.RemoteFlush], of[spec.RemoteVerify] = s.flushRight(tag), tag.Verifiable.And(entry.Rights.RemoteRead.Or(tag.NeedsRead.Not()))
	}
	for i, r := range requestsOf(s.x) {
		rows = append(rows, hdl.When{Cond: s.requests[i].At(looked), Then: of[r.Right]})
	}
	return rows
}
