package digest

import "github.com/rnicgen/rnicgen/hdl"

// answer gives each request its response, in order. It returns 1 in a cycle in which a response is taken.
func (u *digestUnit) answer() (taken hdl.Value) {
	m, t := u.Module, u.ticket.Data
	m.Section("The digest of the oldest request, from the algorithm that it asks for")
	digest, failed := m.Reg("digest_q", 8*MostOctets, hdl.NoReset), m.Reg("response_failed_q", 1, hdl.NoReset)
	compares, valid := m.Reg("compares_q", 1, hdl.ResetTo(0)), m.Reg("response_valid_q", 1, hdl.ResetTo(0))
	differs := m.Reg("differs_q", 1, hdl.NoReset)
	isHash := m.Let("asks_sha256", t.Algorithm.Is(AlgorithmSHA256))
	idle := m.Let("is_idle", hdl.AllOf(u.ticket.Valid, compares.Not(), valid.Not()))
	u.checks.Accept(m, m.Let("takes_check", idle.And(isHash.Not())))
	u.hashes.Accept(m, m.Let("takes_hash", idle.And(isHash)))
	here := m.Let("digest_is_here", idle.And(hdl.Mux(isHash, u.hashes.Valid, u.checks.Valid)))
	fails := m.Let("digest_fails", hdl.Mux(isHash, u.hashFailed, u.checks.Data.Failed))
	short := m.Let("shorter", hdl.Mux(isHash, u.hashes.Data.Octets.Truncate(64), u.checks.Data.Octets))

	m.Section("Compare the octets of the digest")
	difference := m.Let("difference", digest.Xor(t.Expected))
	part := func(name string, high, low int) hdl.Value { return m.Let(name, difference.Slice(high, low).Any()) }
	all := hdl.AnyOf(part("differs_up_to_4", 31, 0),
		part("differs_up_to_8", 63, 32).And(t.Algorithm.Bit(1)), part("differs_up_to_32", 255, 64).And(isHash))
	taken = m.Let("is_taken", valid.And(u.p.Response.Ready))
	m.OnClock(
		hdl.If(here,
			hdl.If(fails, digest.Set(hdl.Zero(8*MostOctets))).
				ElseIf(isHash, digest.Set(u.hashes.Data.Octets)).
				Else(digest.Set(short.ZeroExtend(8*MostOctets))),
			failed.Set(fails)),
		compares.Set(here), hdl.If(compares.Value, differs.Set(hdl.AllOf(t.Compares, failed.Not(), all))),
		valid.Set(compares.Or(valid.And(taken.Not()))))
	u.ticket.Accept(m, taken)
	u.p.Response.Drive(m, valid.Value, DigestResponse{Stream: t.Stream, Number: t.Number, Tag: t.Tag, Algorithm: t.Algorithm,
		Digest: digest.Value, Failed: failed.Value, Differs: differs.Value})
	return taken
}
