package wire

// Disposition is what a Flush asks for: the flags of its request, draft-talpey-rdma-commit-01 section 3.1.1.1.
type Disposition uint32

const (
	Persistence      Disposition = 1 << iota // P, the last bit on the wire
	GlobalVisibility                         // G, the bit before it
)

// Valid reports whether the flags ask for something that is defined (I-20).
func (d Disposition) Valid() bool { return d != 0 && d&^(Persistence|GlobalVisibility) == 0 }

// FlushRequest is the RDMAP header of an RDMA Flush Request, draft-talpey-rdma-commit-01 section 3.1.1.1.
type FlushRequest struct {
	Sink
	Flags Disposition
}

var flushFlags = FlushRequestTable.at32("disposition_flags")

// Decode reads the payload of a Flush Request segment: exactly 20 octets, else spec.WrongLength.
func (r *FlushRequest) Decode(b []byte) error {
	if err := FlushRequestTable.exact(b); err != nil {
		return err
	}
	r.decode(b)
	r.Flags = Disposition(flushFlags.value(b))
	return nil
}

// AppendEncode appends the 20 octets.
func (r *FlushRequest) AppendEncode(dst []byte) []byte {
	dst, b := FlushRequestTable.grow(dst)
	r.put(b)
	flushFlags.put(b, uint32(r.Flags))
	return dst
}

// AppendFlushRequest appends an RDMA Flush Request; invalidate is its Invalidate STag, 0: none.
func AppendFlushRequest(dst []byte, msn, invalidate uint32, r FlushRequest) []byte {
	h := commitHeader(OpFlushRequest, msn, invalidate)
	return r.AppendEncode(h.AppendEncode(dst))
}

// AppendFlushResponse appends an RDMA Flush Response, which is only a DDP header.
func AppendFlushResponse(dst []byte, msn uint32) []byte {
	h := commitHeader(OpFlushResponse, msn, 0)
	return h.AppendEncode(dst)
}
