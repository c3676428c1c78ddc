package rdmap

import (
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Cut advances the TO of a tagged message, the MO of an untagged one, and sets L in the last segment only (RFC 5041 section 5.2).
func (p Profile) Cut(m *hdl.Module, octets, before, last hdl.Value) hdl.Value {
	to, mo := wire.DDPTaggedTable.MustField("to"), wire.DDPUntaggedTable.MustField("mo")
	first := func(f wire.Field) hdl.Value {
		return m.Let("first_"+f.Name, octets.Slice(f.Offset+f.Width-1, f.Offset).ReverseOctets())
	}
	isTagged := m.Let("is_tagged", octets.Bit(flagBit("t")))
	taggedOffset := m.Let("tagged_offset", first(to).Add(before.ZeroExtend(to.Width)))
	messageOffset := m.Let("message_offset", first(mo).Add(before.Truncate(mo.Width)))
	with := func(f wire.Field, n hdl.Value) hdl.Value {
		after, ahead := octets.Slice(octets.Width()-1, f.Offset+f.Width), octets.Truncate(f.Offset)
		return hdl.Cat(m.Let("octets_after_"+f.Name, after), n.ReverseOctets(), m.Let("octets_before_"+f.Name, ahead))
	}
	return withL(m, "segment", m.Let("advanced_header", hdl.Mux(isTagged, with(to, taggedOffset), with(mo, messageOffset))), last)
}

// Opens clears L in the first of several segments.
func (Profile) Opens(m *hdl.Module, octets, last hdl.Value) hdl.Value {
	return withL(m, "message", octets, last)
}

// withL clears L of a header unless last is 1. The fields of octet 0 have names.
func withL(m *hdl.Module, name string, octets, last hdl.Value) hdl.Value {
	t, l := flagBit("t"), flagBit("l")
	return hdl.Cat(m.Let(name+"_other_octets", octets.Slice(octets.Width()-1, t+1)), m.Let(name+"_t", octets.Bit(t)),
		m.Let(name+"_l", octets.Bit(l)).And(last), m.Let(name+"_rsvd_dv", octets.Truncate(l)))
}

// flagBit is the place of a flag of the first octet of a DDP header in octets.
func flagBit(name string) int { return 7 - wire.DDPTaggedTable.MustField(name).Offset }
