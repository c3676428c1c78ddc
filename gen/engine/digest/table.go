package digest

import (
	"fmt"
	"math/big"

	"github.com/rnicgen/rnicgen/hdl"
)

// table is a constant memory without a register: the row of an index, of width bits. It has 2^n rows for an index of n bits. Each bit of
// the result, NAME_N, is selected from a constant by a shift: synthesis makes one LUT of 64 rows, but many of a choice between rows.
func table(m *hdl.Module, name string, index hdl.Value, width int, rows []uint64) hdl.Value {
	var bits []hdl.Value // most significant first
	for bit := width - 1; bit >= 0; bit-- {
		column := new(big.Int)
		for i, row := range rows {
			column.SetBit(column, i, uint(row>>bit&1))
		}
		bits = append(bits, m.Let(fmt.Sprintf("%s_%d", name, bit), hdl.ConstBig(len(rows), column).ShiftRight(index).Truncate(1)))
	}
	return m.Let(name, hdl.Cat(bits...))
}
