package digest

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// ticket is what a response needs of its request.
type ticket struct {
	Number    hdl.Value
	Tag       any `hdl:"-"`
	Algorithm hdl.Value
	Compares  hdl.Value
	Expected  hdl.Value
}

func ticketOf(r DigestRequest) ticket {
	return ticket{Number: r.Number, Tag: r.Tag, Algorithm: r.Algorithm, Compares: r.Compares, Expected: r.Expected}
}

// completing is how many digests may be under way to their responses: of ranges after their last beat, one of which is in
// digest_multiply, or of SHA-256, which goes first.
const completing = 2

// answer gives each request its response, and says when the last beat of another range may go to its CRC.
func (u *digestUnit) answer() {
	m := u.Module
	m.Section("The next digest")
	digest, failed := m.Reg("digest_q", 8*MostOctets, hdl.NoReset), m.Reg("response_failed_q", 1, hdl.NoReset)
	compares, valid := m.Reg("compares_q", 1, hdl.ResetTo(0)), m.Reg("response_valid_q", 1, hdl.ResetTo(0))
	differs, stream := m.Reg("differs_q", 1, hdl.NoReset), m.Reg("response_stream_q", u.streamBits, hdl.NoReset)
	count := m.Reg("completing_q", block.IndexWidth(completing+1), hdl.ResetTo(0))
	idle, isHash := m.Reg("idle_to_answer_q", 1, hdl.ResetTo(1)), m.Reg("hash_is_next_q", 1, hdl.ResetTo(0))
	few := m.Let("few_complete", count.Lt(hdl.Const(count.Width(), completing)))
	takesHash := m.Let("takes_hash", idle.And(isHash.Value))
	u.hashes.Accept(m, takesHash)
	u.checks.Accept(m, m.Let("accepts_check", idle.And(isHash.Not())))
	here := m.Let("digest_is_here", idle.And(isHash.Or(u.checks.Valid)))
	fails := m.Let("digest_fails", hdl.Mux(isHash.Value, u.hashFailed, u.checks.Data.Failed))
	of := m.Let("digest_stream", hdl.Mux(isHash.Value, u.hashStream, u.checks.Data.Stream))
	t := hdl.Unpack(u.ticket, u.tickets.Read("ticket_q", here, of, hdl.ReadOld))

	m.Section("Compare the octets of the digest")
	is256 := m.Let("is_sha256", t.Algorithm.Is(AlgorithmSHA256))
	difference := m.Let("difference", digest.Xor(t.Expected))
	part := func(name string, high, low int) hdl.Value { return m.Let(name, difference.Slice(high, low).Any()) }
	differ := m.Let("any_differs", hdl.AnyOf(part("differs_up_to_4", 31, 0),
		part("differs_up_to_8", 63, 32).And(t.Algorithm.Bit(1)), part("differs_up_to_32", 255, 64).And(is256)))
	taken := m.Let("is_taken", valid.And(u.p.Response.Ready))
	m.OnClock(
		hdl.If(here,
			stream.Set(of),
			hdl.If(fails, digest.Set(hdl.Zero(8*MostOctets))).
				ElseIf(isHash.Value, digest.Set(u.hashes.Data.Octets)).
				Else(digest.Set(u.checks.Data.Octets.ZeroExtend(8*MostOctets))),
			failed.Set(fails)),
		compares.Set(here), hdl.If(compares.Value, differs.Set(hdl.AllOf(t.Compares, failed.Not(), differ))),
		valid.Set(compares.Or(valid.And(taken.Not()))),
		idle.Set(hdl.AllOf(here.Not(), compares.Not(), valid.Not().Or(taken))))
	u.p.Response.Drive(m, valid.Value, DigestResponse{Stream: stream.Value, Number: t.Number, Tag: t.Tag, Algorithm: t.Algorithm,
		Digest: digest.Value, Failed: failed.Value, Differs: differs.Value})

	m.Section("Room for digests: a range is completed when digest_multiply will be free, and its response the next but one")
	m.Note("The digest of a SHA-256 counts from its response on, and goes before the next CRC that completes: while it waits, none does.")
	pause := m.Reg("pause_q", 5, hdl.ResetTo(0))
	cycles := hdl.Mux(u.isWide, hdl.Const(5, multiplyCycles(crc64)-1), hdl.Const(5, multiplyCycles(crc32c)-1))
	width := count.Width()
	m.OnClock(
		hdl.If(u.completes, pause.Set(cycles)).ElseIf(pause.Any(), pause.Set(pause.Minus(1))),
		u.mayComplete.Set(hdl.AllOf(few, pause.Lt(hdl.Const(5, 2)), u.completes.Not(), u.hashes.Valid.Not())),
		isHash.Set(hdl.AllOf(u.hashes.Valid, few, u.mayComplete.Not(), takesHash.Not())),
		count.Set(count.Add(u.completes.Or(takesHash).ZeroExtend(width)).Sub(taken.ZeroExtend(width))))
}
