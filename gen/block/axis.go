package block

import (
	"math/big"
	"math/bits"

	"github.com/rnicgen/rnicgen/hdl"
)

// BusWidths are the allowed widths of a segment stream in octets.
var BusWidths = []int{8, 16, 32, 64, 128}

// Beat is one AXI4-Stream transfer. Octet 0 is tdata[7:0]; tkeep marks the valid octets, contiguous from octet 0, all of them in every
// beat except the last; tuser is the number of the stream, the same in all beats of a packet. A packet is one segment, which may be
// empty: one last beat with tkeep 0.
type Beat struct {
	Data hdl.Value `hdl:"tdata" doc:"octets; octet 0 in [7:0]"`
	Keep hdl.Value `hdl:"tkeep" doc:"valid octets, contiguous from octet 0; all of them except in the last beat"`
	Last hdl.Value `hdl:"tlast" doc:"last beat of the packet"`
	User hdl.Value `hdl:"tuser" doc:"number of the stream, the same in all beats of a packet"`
}

// StreamNames are those of AXI4-Stream.
func (Beat) StreamNames() (valid, ready string) { return "tvalid", "tready" }

func BeatOf(busBytes, streams int) Beat {
	return Beat{Data: hdl.Bits(8 * busBytes), Keep: hdl.Bits(busBytes), Last: hdl.Bits(1), User: hdl.Bits(IndexWidth(streams))}
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

// numbersWithBit marks the numbers from 0 to n-1 that have bit b set.
func numbersWithBit(n, b int) hdl.Value {
	marks := new(big.Int)
	for i := range n {
		marks.SetBit(marks, i, uint(i>>b&1))
	}
	return hdl.ConstBig(n, marks)
}
