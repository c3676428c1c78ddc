package wire

// The functions of this file append one complete segment per message kind as a sender creates it: versions 01b,
// reserved bits and unused words zero, the queue of the opcode. For other segments, including invalid ones, fill in a
// DDPHeader and use AppendSegment.

// AppendSegment appends a header and its payload unchanged.
func AppendSegment(dst []byte, h DDPHeader, payload []byte) []byte {
	return append(h.AppendEncode(dst), payload...)
}

// AppendFixed appends a segment of an untagged operation with a header and no payload; value returns the value of each
// field.
func AppendFixed(dst []byte, op Opcode, msn uint32, value func(f Field) uint64) []byte {
	row, _ := op.Operation()
	h, t := UntaggedHeader(op, msn, 0), HeaderOf(row)
	dst, b := t.grow(h.AppendEncode(dst))
	for _, f := range t.Fields {
		if !f.Reserved {
			f.Set(b, value(f))
		}
	}
	return dst
}

// TaggedHeader returns the header that a sender uses for a segment of an RDMA Write or Read Response.
func TaggedHeader(op Opcode, stag uint32, to uint64, last bool) DDPHeader {
	return DDPHeader{Tagged: true, Last: last, DV: DDPVersion, RV: RDMAPVersion, Opcode: op, STag: stag, TO: to}
}

// UntaggedHeader returns the header that a sender uses for the only or last segment of an untagged message. The queue
// is that of the opcode; 0 for an opcode without one.
func UntaggedHeader(op Opcode, msn, mo uint32) DDPHeader {
	m, _ := op.Operation()
	return DDPHeader{Last: true, DV: DDPVersion, RV: RDMAPVersion, Opcode: op, QueueNumber: m.Queue, MSN: msn, MO: mo}
}

// AppendWrite appends a segment of an RDMA Write.
func AppendWrite(dst []byte, stag uint32, to uint64, last bool, data []byte) []byte {
	return AppendSegment(dst, TaggedHeader(OpWrite, stag, to, last), data)
}

// AppendReadResponse appends a segment of an RDMA Read Response.
func AppendReadResponse(dst []byte, stag uint32, to uint64, last bool, data []byte) []byte {
	return AppendSegment(dst, TaggedHeader(OpReadResponse, stag, to, last), data)
}

// AppendSend appends a segment of one of the four Sends. invalidate is the Invalidate STag, 0 for the two kinds without
// one.
func AppendSend(dst []byte, op Opcode, invalidate, msn, mo uint32, last bool, data []byte) []byte {
	h := UntaggedHeader(op, msn, mo)
	h.Last, h.InvalidateSTag = last, invalidate
	return AppendSegment(dst, h, data)
}

// AppendReadRequest appends an RDMA Read Request.
func AppendReadRequest(dst []byte, msn uint32, r ReadRequest) []byte {
	h := UntaggedHeader(OpReadRequest, msn, 0)
	return r.AppendEncode(h.AppendEncode(dst))
}

// AppendTerminate appends a Terminate. Its MSN is 1: a stream has at most one in each direction.
func AppendTerminate(dst []byte, t Terminate) []byte {
	h := UntaggedHeader(OpTerminate, 1, 0)
	return t.AppendEncode(h.AppendEncode(dst))
}

// AppendImmediate appends Immediate Data, with Solicited Event when se is set.
func AppendImmediate(dst []byte, se bool, msn uint32, data uint64) []byte {
	op := OpImmediate
	if se {
		op = OpImmediateSE
	}
	h := UntaggedHeader(op, msn, 0)
	i := Immediate{Data: data}
	return i.AppendEncode(h.AppendEncode(dst))
}

// AppendAtomicRequest appends an Atomic Operation Request.
func AppendAtomicRequest(dst []byte, msn uint32, r AtomicRequest) []byte {
	h := UntaggedHeader(OpAtomicRequest, msn, 0)
	return r.AppendEncode(h.AppendEncode(dst))
}

// AppendAtomicResponse appends an Atomic Operation Response.
func AppendAtomicResponse(dst []byte, msn uint32, r AtomicResponse) []byte {
	h := UntaggedHeader(OpAtomicResponse, msn, 0)
	return r.AppendEncode(h.AppendEncode(dst))
}
