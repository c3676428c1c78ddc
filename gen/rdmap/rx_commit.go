package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// What rx_check does for RDMA Flush, RDMA Verify and Atomic Write, draft-talpey-rdma-commit-01.

// withFailure puts the DDP header of the request that failed in the place of that of a segment, so that a Terminate can return it.
func withFailure(m *hdl.Module, r Record, fails hdl.Value, f engine.Failure) Record {
	tag, has := f.Tag.(*returnedTag)
	if !has {
		return r
	}
	m.Note("A failure takes the DDP header of its request along; octets behind it have no meaning.")
	header := tag.header()
	r.Header = m.Let("taken_header", hdl.Cat(r.Header.Slice(8*HeaderOctets-1, header.Width()), hdl.Mux(fails, header, r.Header.Truncate(header.Width()))))
	r.SegmentLength = m.Let("taken_length", hdl.Mux(fails, tag.Length, r.SegmentLength))
	return r
}

// flushRight is 1 if the region permits everything that the flags of a Flush ask for, in stage looked.
func (s rxSegment) flushRight(tag *regionTag) hdl.Value {
	flags := s.Signal("flush_flags", taken, s.head.field(untagged, wire.FlushRequestTable, "disposition_flags").Truncate(2)).At(looked)
	return hdl.AllOf(tag.Persistent.Or(flags.Bit(0).Not()), tag.Visible.Or(flags.Bit(1).Not()))
}

// placesPayload are the segments whose payload is placed, in stage judged; access is that of tagged ones.
func (s rxSegment) placesPayload(access hdl.Value) []hdl.Value {
	list := []hdl.Value{access, s.isSend.At(judged)}
	if s.payloadReply != nil {
		list = append(list, s.payloadReply.At(judged))
	}
	return list
}

// returnsTagged is 1 if the header that a Terminate returns is tagged.
func (l *rxLeaving) returnsTagged() hdl.Value {
	is := l.s.isTagged.At(leaving)
	if l.s.revokes != nil {
		is = is.And(l.s.isFailure.At(leaving).Not())
	}
	return is
}

// termOfFault is the Terminate for a failure that another block reports.
func (l *rxLeaving) termOfFault(m *hdl.Module) Term {
	fault := l.s.fault.At(leaving)
	gone := m.Let("stag_is_gone", fault.Is(engine.FaultSTag))
	rows := []hdl.When{{Cond: gone, Then: hdl.Pack(termOf(spec.RequestSTag))}}
	if l.s.revokes != nil {
		for _, of := range []struct {
			fault uint64
			rule  spec.Rule
		}{{engine.FaultRevokes, spec.CannotInvalidate}, {engine.FaultFails, spec.ExecutionFailed}, {engine.FaultDiffers, spec.HashMismatch}} {
			rows = append(rows, hdl.When{Cond: fault.Is(of.fault), Then: hdl.Pack(termOf(of.rule))})
		}
		return hdl.Unpack(noTerm(), m.Let("term_of_fault", hdl.Select(hdl.Pack(noTerm()), rows...)))
	}
	return hdl.Unpack(noTerm(), m.Let("term_of_fault", hdl.Mux(gone, rows[0].Then, hdl.Pack(noTerm()))))
}

// more is what the extension adds to the tag of a request.
func (l *rxLeaving) more(m *hdl.Module, record, msn hdl.Value) any {
	s := l.s
	if s.revokes == nil {
		return nil
	}
	at := func(v *block.Signal) hdl.Value { return v.At(leaving) }
	return &requestMore{Control: record.Truncate(16), Invalidate: at(s.invalidate).And(at(s.revokes).Replicate(32)), Msn: msn,
		Type: at(l.known.region.kind), Algorithm: at(l.known.region.algorithm),
		Differs: at(l.known.differs)}
}
