package rdmap

import (
	"slices"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Widths of the octets that operations require: after the DDP header, and with it.
const (
	restBits   = 6
	lengthBits = 7
)

// wantedRest is how many octets must follow the DDP header.
type wantedRest struct {
	WantsRest hdl.Value
}

// wantedLength is how many octets a segment must have, so that nothing need be subtracted from its length first.
type wantedLength struct {
	WantsLength hdl.Value
}

// wantedOf is what the operation of a segment requires; is compares its opcode.
func wantedOf(m *hdl.Module, x spec.Extensions, is func(func(*spec.Operation) bool) hdl.Value) any {
	if x&spec.Commit == 0 {
		return &wantedRest{m.Let("wants_rest", hdl.Select(hdl.Zero(restBits), lengths(x, is)...))}
	}
	m.Note("A sum of conditions: a choice among constants becomes a reset, which is one step more.")
	var sum []hdl.Value // most significant first
	for bit := lengthBits - 1; bit >= 0; bit-- {
		has := func(o *spec.Operation) bool { return wholeLength(x, o)>>bit&1 == 1 }
		if len(x.Where(has)) == 0 {
			sum = append(sum, hdl.Zero(1))
			continue
		}
		sum = append(sum, is(has))
	}
	return &wantedLength{m.Let("wants_length", hdl.Cat(sum...))}
}

// wholeLength is the length that an operation requires of a segment, with its header.
func wholeLength(x spec.Extensions, o *spec.Operation) int {
	tagged, untagged := wire.DDPTables(x)
	if o.Tagged {
		return tagged.Octets + o.MinLength
	}
	return untagged.Octets + o.MinLength
}

// lengths are the octets that operations require after the DDP header, as a minimum or exactly.
func lengths(x spec.Extensions, is func(func(*spec.Operation) bool) hdl.Value) (rows []hdl.When) {
	var known []int
	for _, o := range x.Operations() {
		n := o.MinLength
		if n == 0 || slices.Contains(known, n) {
			continue
		}
		known = append(known, n)
		rows = append(rows, hdl.When{Cond: is(func(o *spec.Operation) bool { return o.MinLength == n }), Then: hdl.Const(restBits, uint64(n))})
	}
	return rows
}

// compare tells whether a segment has another length than its operation requires, and whether it has less. rest is what follows the header.
func (s startChecks) compare(m *hdl.Module, length, rest hdl.Value) (another, less hdl.Value) {
	octets, wanted := rest, hdl.Value{}
	switch w := s.Length.(type) {
	case *wantedRest:
		wanted = w.WantsRest
	case *wantedLength:
		octets, wanted = length, w.WantsLength
	}
	long := m.Let("is_long", octets.Slice(15, wanted.Width()).Any())
	few := octets.Truncate(wanted.Width())
	return long.Or(few.Ne(wanted)), long.Not().And(few.Lt(wanted))
}
