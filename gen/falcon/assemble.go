package falcon

import (
	"fmt"
	"math/bits"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// values are the fields of a header by name. A field without a value is zero.
type values map[string]hdl.Value

// assemble returns the octets of a header, octet i in [8i+7:8i]. It panics for a value of no field, which is a programming error.
func assemble(order spec.BitOrder, h spec.Header, of values) hdl.Value {
	var parts []hdl.Value // most significant first, in network order
	given := 0
	for _, f := range h.Table(order).Fields {
		v, is := of[f.Name]
		switch {
		case !is:
			v = hdl.Zero(f.Width)
		case f.Reserved:
			panic(fmt.Sprintf("falcon: %v: value of the reserved field %s", h, f.Name))
		default:
			given++
		}
		parts = append(parts, v)
	}
	if given != len(of) {
		panic(fmt.Sprintf("falcon: %v: %d values for %d of its fields", h, len(of), given))
	}
	return hdl.Cat(parts...).ReverseOctets()
}

// padBits is the width of the number of octets of pad.
const padBits = 2

// padOf is the number of octets from the end of a payload to a multiple of 4.
func padOf(length hdl.Value) hdl.Value { return hdl.Zero(padBits).Sub(length.Truncate(padBits)) }

// headerBits is the width of the number of octets of headers.
func (p Profile) headerBits() int { return bits.Len(uint(p.HeaderOctets())) }
