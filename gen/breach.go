package gen

import "github.com/rnicgen/rnicgen/hdl"

// breach is a rule that a segment can break: when Cond holds and no breach before it does, the stream ends with
// this Terminate. One that is local to this node gives nothing of the segment back.
type breach struct {
	cond               hdl.Value
	layer, etype, code uint64
	local              bool
	given              *Term // found before, with its own code
}

// verdict is the first breach: Term is 0 when there is none, which Any tells.
type verdict struct {
	Any   hdl.Value
	Local hdl.Value
	Term  Term
}

func firstBreach(m *hdl.Module, breaches []breach) verdict {
	var rows []hdl.When
	for _, b := range breaches {
		local := hdl.Zero(1)
		if b.local {
			local = hdl.Ones(1)
		}
		row := hdl.Cat(hdl.Ones(1), local, hdl.Const(4, b.layer), hdl.Const(4, b.etype), hdl.Hex(8, b.code))
		if b.given != nil {
			row = hdl.Cat(hdl.Ones(1), local, b.given.Layer, b.given.Etype, b.given.Code)
		}
		rows = append(rows, hdl.When{Cond: b.cond, Then: row})
	}
	m.Note("{broken, local, layer, error type, error code}")
	first := m.Let("breach", hdl.Select(hdl.Zero(18), rows...))
	return verdict{Any: first.Bit(17), Local: first.Bit(16), Term: Term{Layer: first.Slice(15, 12), Etype: first.Slice(11, 8), Code: first.Slice(7, 0)}}
}
