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
		rest := func(o *spec.Operation) int { return o.MinLength }
		return &wantedRest{m.Let("wants_rest", hdl.Select(hdl.Zero(restBits), lengths(x, restBits, 0, rest, is)...))}
	}
	tagged, untagged := wire.DDPTables(x)
	whole := func(o *spec.Operation) int {
		if o.Tagged {
			return tagged.Octets + o.MinLength
		}
		return untagged.Octets + o.MinLength
	}
	header := untagged.Octets
	return &wantedLength{m.Let("wants_length", hdl.Select(hdl.Const(lengthBits, uint64(header)), lengths(x, lengthBits, header, whole, is)...))}
}

// lengths are the octets that operations require, as a minimum or exactly, except for those that require usual.
func lengths(x spec.Extensions, width, usual int, of func(*spec.Operation) int, is func(func(*spec.Operation) bool) hdl.Value) (rows []hdl.When) {
	known := []int{usual}
	for _, o := range x.Operations() {
		n := of(o)
		if slices.Contains(known, n) {
			continue
		}
		known = append(known, n)
		rows = append(rows, hdl.When{Cond: is(func(o *spec.Operation) bool { return of(o) == n }), Then: hdl.Const(width, uint64(n))})
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
