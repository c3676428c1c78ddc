package rdmap

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// lengthBits is the width of the octets that operations require of a segment.
const lengthBits = 7

// wantedLength is how many octets a message of a single segment requires, with the header, so that nothing need be subtracted from its
// length first; is compares its opcode.
func wantedLength(m *hdl.Module, x spec.Extensions, is func(func(*spec.Operation) bool) hdl.Value) hdl.Value {
	m.Note("Not a choice among constants: that becomes a reset, which is one step more.")
	var known []int
	var wanted []hdl.Value
	for _, o := range x.Operations() {
		n := wholeLength(x, o)
		if !o.SingleSegment || slices.Contains(known, n) {
			continue
		}
		known = append(known, n)
		has := m.Let(fmt.Sprintf("wants_%d", n), is(func(o *spec.Operation) bool { return o.SingleSegment && wholeLength(x, o) == n }))
		wanted = append(wanted, hdl.Const(lengthBits, uint64(n)).And(has.Replicate(lengthBits)))
	}
	return m.Let("wants_length", hdl.AnyOf(wanted...))
}

// wholeLength is the length that an operation requires of a segment, with its header.
func wholeLength(x spec.Extensions, o *spec.Operation) int {
	tagged, untagged := wire.DDPTables(x)
	if o.Tagged {
		return tagged.Octets + o.MinLength
	}
	return untagged.Octets + o.MinLength
}

// compare tells whether a segment has another length than its operation requires, and whether it has less.
func (s startChecks) compare(m *hdl.Module, length hdl.Value) (another, less hdl.Value) {
	long := m.Let("is_long", length.Slice(15, lengthBits).Any())
	few := length.Truncate(lengthBits)
	return long.Or(few.Ne(s.WantsLength)), long.Not().And(few.Lt(s.WantsLength))
}
