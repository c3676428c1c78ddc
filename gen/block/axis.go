package block

import (
	"math/big"
	"math/bits"

	"github.com/rnicgen/rnicgen/hdl"
)

// BusWidths are the allowed widths of a segment stream in octets.
var BusWidths = []int{8, 16, 32, 64, 128}

// Octets is one AXI4-Stream transfer of a packet. Octet 0 is tdata[7:0]; tkeep marks the valid octets, contiguous from octet 0, all of them
// in every beat except the last, which may be empty: tkeep 0.
type Octets struct {
	Data hdl.Value `hdl:"tdata" doc:"octets; octet 0 in [7:0]"`
	Keep hdl.Value `hdl:"tkeep" doc:"valid octets, contiguous from octet 0; all of them except in the last beat"`
	Last hdl.Value `hdl:"tlast" doc:"last beat of the packet"`
}

// StreamNames are those of AXI4-Stream.
func (Octets) StreamNames() (valid, ready string) { return "tvalid", "tready" }

// framed is a beat in which [Octets] is embedded, next to any sideband.
type framed interface{ frame() Octets }

func (o Octets) frame() Octets { return o }

// OctetsOf is for a bus of so many octets.
func OctetsOf(busBytes int) Octets {
	return Octets{Data: hdl.Bits(8 * busBytes), Keep: hdl.Bits(busBytes), Last: hdl.Bits(1)}
}

// Beat is a transfer of a packet that is one segment; tuser is the number of the stream, the same in all beats of a packet.
type Beat struct {
	Octets `hdl:"-"`
	User   hdl.Value `hdl:"tuser" doc:"number of the stream, the same in all beats of a packet"`

	Beside any `hdl:"-"` // what the profile has beside them; nil for none
}

func BeatOf(busBytes, streams int) Beat {
	return Beat{Octets: OctetsOf(busBytes), User: hdl.Bits(IndexWidth(streams))}
}

// IndexWidth is the width of an index of n things, at least 1.
func IndexWidth(n int) int { return max(1, bits.Len(uint(n-1))) }

// KeptOctets counts the octets of a beat, 0 to bus bytes. As tkeep is contiguous, its top set bit determines the count.
func KeptOctets(m *hdl.Module, keep hdl.Value) hdl.Value {
	n := keep.Width()
	m.Note("The last valid octet, one-hot, and its number.")
	last := m.Let("last_octet", keep.And(hdl.Cat(hdl.Zero(1), keep.Slice(n-1, 1)).Not()))
	var index []hdl.Value // most significant bit first
	for b := IndexWidth(n) - 1; b >= 0; b-- {
		index = append(index, last.And(numbersWithBit(n, b)).Any())
	}
	number := m.Let("last_number", hdl.Cat(index...))
	return m.Let("kept", number.ZeroExtend(number.Width()+1).Add(keep.Bit(0).ZeroExtend(number.Width()+1)))
}

// OctetCount is a number of octets, decoded for [OctetCount.Below]. The octets of a beat are seen as rows of equal length.
type OctetCount struct {
	Rows   hdl.Value // full rows, contiguous from row 0
	Row    hdl.Value // the row after them, one-hot
	Octets hdl.Value // octets of that row, contiguous from octet 0
}

// DecodeOctets decodes n, the index of an octet of a beat.
func DecodeOctets(n hdl.Value) OctetCount {
	low := n.Width() / 2
	upper, lower := n.Slice(n.Width()-1, low), n.Truncate(low)
	return OctetCount{Rows: marked(upper, above), Row: marked(upper, hdl.Value.Is), Octets: marked(lower, above)}
}

// DecodeEnd is DecodeOctets of the octets of a last beat, of which 0 means all.
func DecodeEnd(n hdl.Value) OctetCount {
	c := DecodeOctets(n)
	c.Rows = c.Rows.Or(n.IsZero().Replicate(c.Rows.Width()))
	return c
}

// marked has bit i set if n and i are so. It is a comparison for each bit: of a shift, synthesis makes resets of the registers in which
// it is stored.
func marked(n hdl.Value, so func(n hdl.Value, i uint64) hdl.Value) hdl.Value {
	var bits []hdl.Value // most significant first
	for i := 1<<n.Width() - 1; i >= 0; i-- {
		bits = append(bits, so(n, uint64(i)))
	}
	return hdl.Cat(bits...)
}

// above is 1 if n is more than i.
func above(n hdl.Value, i uint64) hdl.Value {
	more := hdl.Zero(1)
	for j := i + 1; j < 1<<n.Width(); j++ {
		more = more.Or(n.Is(j))
	}
	return more
}

// OctetCountOf is for a beat of so many octets.
func OctetCountOf(busBytes int) OctetCount {
	low := IndexWidth(busBytes) / 2
	return OctetCount{Rows: hdl.Bits(busBytes >> low), Row: hdl.Bits(busBytes >> low), Octets: hdl.Bits(1 << low)}
}

// Below marks the octets of a beat with an index below the number.
func (c OctetCount) Below() hdl.Value {
	rows, row := c.Rows.Width(), c.Octets.Width()
	var octets []hdl.Value // most significant first
	for i := rows - 1; i >= 0; i-- {
		octets = append(octets, c.Rows.Bit(i).Replicate(row).Or(c.Row.Bit(i).Replicate(row).And(c.Octets)))
	}
	return hdl.Cat(octets...)
}

// numbersWithBit marks the numbers from 0 to n-1 that have bit b set.
func numbersWithBit(n, b int) hdl.Value {
	marks := new(big.Int)
	for i := range n {
		marks.SetBit(marks, i, uint(i>>b&1))
	}
	return hdl.ConstBig(n, marks)
}
