package wire

// AtomicWriteRequest is the RDMAP header of an Atomic Write Request, draft-talpey-rdma-commit-01 section 3.1.3.1.
type AtomicWriteRequest struct {
	Sink        // Length is 8
	Data uint64 // the first octet on the wire is the most significant
}

var atomicWriteData = AtomicWriteRequestTable.at64("data")

// Decode reads the payload of an Atomic Write Request segment: exactly 24 octets, else spec.WrongLength.
func (r *AtomicWriteRequest) Decode(b []byte) error {
	if err := AtomicWriteRequestTable.exact(b); err != nil {
		return err
	}
	r.decode(b)
	r.Data = atomicWriteData.value(b)
	return nil
}

// AppendEncode appends the 24 octets.
func (r *AtomicWriteRequest) AppendEncode(dst []byte) []byte {
	dst, b := AtomicWriteRequestTable.grow(dst)
	r.put(b)
	atomicWriteData.put(b, r.Data)
	return dst
}

// AppendAtomicWriteRequest appends an Atomic Write Request; invalidate is its Invalidate STag, 0: none.
func AppendAtomicWriteRequest(dst []byte, msn, invalidate uint32, r AtomicWriteRequest) []byte {
	h := commitHeader(OpAtomicWriteRequest, msn, invalidate)
	return r.AppendEncode(h.AppendEncode(dst))
}

// AppendAtomicWriteResponse appends an Atomic Write Response, which is only a DDP header.
func AppendAtomicWriteResponse(dst []byte, msn uint32) []byte {
	h := commitHeader(OpAtomicWriteResponse, msn, 0)
	return h.AppendEncode(dst)
}
