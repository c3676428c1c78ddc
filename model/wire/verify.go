package wire

import "github.com/rnicgen/rnicgen/model/rdmap/spec"

// VerifyRequest is the RDMAP header of an RDMA Verify Request, draft-talpey-rdma-commit-01 section 3.1.2.1.
type VerifyRequest struct {
	Sink
	Hash []byte // expected hash, to the end of the message; empty: none (I-17). Shares memory with the segment
}

// Decode reads the payload of a Verify Request segment: at least 16 octets, else spec.WrongLength.
func (r *VerifyRequest) Decode(b []byte) error {
	if err := VerifyRequestTable.atLeast(spec.WrongLength, 0, b); err != nil {
		return err
	}
	r.decode(b)
	r.Hash = b[VerifyRequestTable.Octets:]
	return nil
}

// AppendEncode appends the 16 octets and the hash.
func (r *VerifyRequest) AppendEncode(dst []byte) []byte {
	dst, b := VerifyRequestTable.grow(dst)
	r.put(b)
	return append(dst, r.Hash...)
}

// AppendVerifyRequest appends an RDMA Verify Request; invalidate is its Invalidate STag, 0: none.
func AppendVerifyRequest(dst []byte, msn, invalidate uint32, r VerifyRequest) []byte {
	h := commitHeader(OpVerifyRequest, msn, invalidate)
	return r.AppendEncode(h.AppendEncode(dst))
}

// AppendVerifyResponse appends an RDMA Verify Response: a DDP header and the digest.
func AppendVerifyResponse(dst []byte, msn uint32, digest []byte) []byte {
	return AppendSegment(dst, commitHeader(OpVerifyResponse, msn, 0), digest)
}
