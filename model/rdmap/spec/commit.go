package spec

// The opcodes of draft-talpey-rdma-commit-01 section 3.1: 5 bits.
const (
	OpFlushRequest        Opcode = 0x0C // RDMA Flush Request
	OpFlushResponse       Opcode = 0x0D // RDMA Flush Response
	OpVerifyRequest       Opcode = 0x0E // RDMA Verify Request
	OpVerifyResponse      Opcode = 0x0F // RDMA Verify Response
	OpAtomicWriteRequest  Opcode = 0x10 // Atomic Write Request
	OpAtomicWriteResponse Opcode = 0x11 // Atomic Write Response
)

// CommitOperations follow Operations if the extension Commit is on: draft-talpey-rdma-commit-01 section 3.1. A request
// has an Invalidate STag unless its ULP word is 0. A Verify Request ends with the expected hash, if any (I-17).
var CommitOperations = [...]Operation{
	{Opcode: OpFlushRequest, Name: "flush_request", Title: "RDMA Flush Request", Sections: []string{"COMMIT 01 3.1.1", "COMMIT 01 3.1.1.1"}, Extension: Commit,
		Class: FlushRequest, Queue: QueueRequest, Header: "flush_request", FixedLength: 20, MinLength: 20, Length: "exactly 20 octets",
		ZeroMO: true, SingleSegment: true, InvalidateSTag: true, Response: OpFlushResponse, Executor: "flush", Right: RemoteFlush, Order: OrderFlush},
	{Opcode: OpFlushResponse, Name: "flush_response", Title: "RDMA Flush Response", Sections: []string{"COMMIT 01 3.1.1.2"}, Extension: Commit,
		Class: FlushResponse, Queue: QueueAtomicResponse, Empty: true, Length: "none", ZeroMO: true, SingleSegment: true},
	{Opcode: OpVerifyRequest, Name: "verify_request", Title: "RDMA Verify Request", Sections: []string{"COMMIT 01 3.1.2", "COMMIT 01 3.1.2.1"}, Extension: Commit,
		Class: VerifyRequest, Queue: QueueRequest, Header: "verify_request", MinLength: 16, Length: "at least 16 octets",
		ZeroMO: true, SingleSegment: true, InvalidateSTag: true, Response: OpVerifyResponse, Executor: "verify", Right: RemoteVerify, Order: OrderVerify},
	{Opcode: OpVerifyResponse, Name: "verify_response", Title: "RDMA Verify Response", Sections: []string{"COMMIT 01 3.1.2.2"}, Extension: Commit,
		Class: VerifyResponse, Queue: QueueAtomicResponse, Length: "that of the digest", CarriesPayload: true, ZeroMO: true, SingleSegment: true, Right: LocalWrite},
	{Opcode: OpAtomicWriteRequest, Name: "atomic_write_request", Title: "Atomic Write Request", Sections: []string{"COMMIT 01 3.1.3", "COMMIT 01 3.1.3.1"}, Extension: Commit,
		Class: AtomicWriteRequest, Queue: QueueRequest, Header: "atomic_write_request", FixedLength: 24, MinLength: 24, Length: "exactly 24 octets",
		ZeroMO: true, SingleSegment: true, InvalidateSTag: true, Response: OpAtomicWriteResponse, Executor: "atomic_write", Right: RemoteWrite, Order: OrderAtomicWrite},
	{Opcode: OpAtomicWriteResponse, Name: "atomic_write_response", Title: "Atomic Write Response", Sections: []string{"COMMIT 01 3.1.3.2"}, Extension: Commit,
		Class: AtomicWriteResponse, Queue: QueueAtomicResponse, Empty: true, Length: "none", ZeroMO: true, SingleSegment: true},
}

// Rules of the extension Commit. Their numbers follow those of Rules; their place in the order of checks is that of
// I-53, not of the number.
const (
	FlushFlags        Rule = 40
	AtomicWriteLength Rule = 41
	HashLength        Rule = 42
	HashMismatch      Rule = 43
	ExecutionFailed   Rule = 44
	ResponseLength    Rule = 45
)

// CommitRules follow Rules if the extension Commit is on.
var CommitRules = [...]RuleRow{
	{FlushFlags, "flush_flags", "COMMIT 01 3.1.1.1", FlushRequest, false, TermCatastrophicStream, "the flags of a Flush are 0 or other than 1 and 2 (I-20)"},
	{AtomicWriteLength, "atomic_write_length", "COMMIT 01 3.1.3.1", AtomicWriteRequest, false, TermCatastrophicStream, "the Data Sink Length of an Atomic Write is not 8"},
	{HashLength, "hash_length", "COMMIT 01 3.1.2.1", VerifyRequest, false, TermCatastrophicStream, "the hash in a Verify Request is not as long as the region's digest (I-17)"},
	{HashMismatch, "hash_mismatch", "COMMIT 01 3.1.2", VerifyRequest, false, TermOperation, "the hash in a Verify Request is not the digest (I-18)"},
	{ExecutionFailed, "execution_failed", "COMMIT 01 5.2", Committing, false, TermCatastrophicStream,
		"the platform or memory fails while a Flush, Verify or Atomic Write is executed (I-18)"},
	{ResponseLength, "response_length", "COMMIT 01 3.1.2.2", VerifyResponse, false, TermCatastrophicStream, "a Verify Response is not as long as the digest asked for (I-57)"},
}

// commitChecks places the rules that a segment can break among Rules: each is checked before another (I-53).
var commitChecks = [...]struct{ rule, before Rule }{
	{FlushFlags, RequestSTag}, {AtomicWriteLength, RequestSTag}, {HashLength, TaggedSTag}, {ResponseLength, Local},
}
