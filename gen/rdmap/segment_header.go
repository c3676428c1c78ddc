package rdmap

import (
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Cut advances the TO of a tagged message, the MO of an untagged one, and sets L in the last segment only (RFC 5041 section 5.2).
func (p Profile) Cut(m *hdl.Module, octets, before, last hdl.Value) hdl.Value {
	to, mo := wire.DDPTaggedTable.MustField("to"), wire.DDPUntaggedTable.MustField("mo")
	number := func(f wire.Field) hdl.Value { return octets.Slice(f.Offset+f.Width-1, f.Offset).ReverseOctets() }
	isTagged := m.Let("is_tagged", octets.Bit(flagBit("t")))
	taggedOffset := m.Let("tagged_offset", number(to).Add(before.ZeroExtend(to.Width)))
	messageOffset := m.Let("message_offset", number(mo).Add(before.Truncate(mo.Width)))
	with := func(f wire.Field, n hdl.Value) hdl.Value {
		return hdl.Cat(octets.Slice(octets.Width()-1, f.Offset+f.Width), n.ReverseOctets(), octets.Slice(f.Offset-1, 0))
	}
	return p.Opens(m, m.Let("advanced_header", hdl.Mux(isTagged, with(to, taggedOffset), with(mo, messageOffset))), last)
}

// Opens clears L in the first of several segments.
func (Profile) Opens(_ *hdl.Module, octets, last hdl.Value) hdl.Value {
	l := flagBit("l")
	return hdl.Cat(octets.Slice(octets.Width()-1, l+1), octets.Bit(l).And(last), octets.Truncate(l))
}

// flagBit is the place of a flag of the first octet of a DDP header in octets.
func flagBit(name string) int { return 7 - wire.DDPTaggedTable.MustField(name).Offset }
