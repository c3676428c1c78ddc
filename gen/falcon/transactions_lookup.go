package falcon

import (
	"github.com/rnicgen/rnicgen/hdl"
)

// lookup answers what the receive side and falcon_requests ask.
func (u *transactions) lookup() {
	m, c, p := u.Module, u.c, u.p
	m.Section("What the response to a transaction must fit")
	l := p.Lookup
	place := m.Let("lookup_place", hdl.Cat(l.CID.Value, l.RSN.Value.Truncate(placeBits(c))))
	rsn := m.Reg("lookup_rsn_q", rsnBits, hdl.NoReset)
	m.OnClock(hdl.If(l.Enable.Value, rsn.Set(l.RSN.Value)))
	o := hdl.LetOf(m, "expected_of", hdl.Unpack(ownerOf(c), u.owners.Read("lookup_owner_q", l.Enable.Value, place, hdl.ReadOld)))
	e := hdl.Unpack(expectOf(), u.expects.Read("lookup_q", l.Enable.Value, place, hdl.ReadOld))
	opened, closed := u.opens.Read("lookup_opened_q", l.Enable.Value, place, hdl.ReadNew), u.closes.Read("lookup_closed_q", l.Enable.Value, place, hdl.ReadNew)
	m.Unused("of no use there", o.Number, o.Place)
	m.Drive(l.Expected, hdl.Pack(Expected{Open: opened.Xor(closed).And(o.RSN.Eq(rsn.Value)), Pull: o.Pull, Stream: o.Stream, SN: e.SN, Atomic: e.Atomic, SinkVA: e.SinkVA, LKey: e.LKey, Length: e.Length}))

	m.Section("What is known of a QP, a message, and the places of its next transaction")
	q := hdl.LetOf(m, "asked", hdl.Unpack(lookForOf(c), p.LookFor.Value))
	asks, at, pull, oldest := p.Look.Value, hdl.Cat(q.CID, q.Place), hdl.Cat(q.Stream, q.Pull), hdl.Cat(q.Stream, q.Oldest)
	read := func(name string, memory *hdl.Memory, at hdl.Value) hdl.Value {
		return memory.Read(name, asks, at, hdl.ReadNew)
	}
	parity, pullParity := read("known_opened_q", u.opens, at), read("known_pull_opened_q", u.pullOpens, pull)
	is := hdl.Unpack(fateOf(c), u.fates.Latest("known_fate", asks, q.Stream))
	of := hdl.Unpack(messageOutcomeOf(c), u.outcomes.Latest("known_outcome", asks, hdl.Cat(q.Stream, q.Slot)))
	m.Unused("of no use there", of.Done, of.Closed)
	m.Drive(p.Known, hdl.Pack(known{Failed: is.Failed, InError: of.Status.Any(), Open: parity.Xor(read("known_closed_q", u.closes, at)), Parity: parity,
		PullOpen: read("oldest_pull_opened_q", u.pullOpens, oldest).Xor(read("oldest_pull_closed_q", u.pullClose, oldest)), PullParity: pullParity, Pulls: is.Pulls}))
}
