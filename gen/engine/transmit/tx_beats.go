package transmit

import (
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// beatSequence is the current beat of the current segment.
type beatSequence struct {
	data, keep hdl.Value
	last       hdl.Value
	payload    hdl.Value                                  // it consumes a beat of payload
	header     hdl.Value                                  // octets of the header that are not sent
	load       func(idle, comes, step hdl.Value) hdl.Stmt // of the registers of a segment, which is there if valid
}

// sequenceBeats assembles each beat of a segment from header and payload. carries is 1 if the segment has payload; it is loaded with the
// segment, and so is what more sets, if it is not nil.
func sequenceBeats(m *hdl.Module, s TxSegment, octetsOfPayload TxOctets, carries hdl.Reg, more func() hdl.Stmts, c engine.Config) beatSequence {
	octets, place, most := c.BusBytes, block.IndexWidth(c.BusBytes), c.Profile.HeaderOctets()
	header := m.Reg("header_q", 8*most, hdl.NoReset)
	left := m.Reg("beats_left_q", s.Beats.Width(), hdl.NoReset)
	ends := hdl.NewRegOf(m, "ends", block.OctetCountOf(octets), hdl.NoReset)
	last, full := m.Reg("last_q", 1, hdl.NoReset), m.Reg("full_q", 1, hdl.NoReset)
	behind := hdl.Zero(8 * most)
	if octets < most {
		behind = hdl.Cat(hdl.Zero(8*octets), header.Slice(8*most-1, 8*octets))
	}
	var flags hdl.Stmts
	if more != nil {
		flags = more()
	}
	ending := m.Let("last_is_next", left.Is(2))
	load := hdl.Stmts{
		flags, carries.Set(s.Carries), left.Set(s.Beats),
		last.Set(s.Short), full.Set(s.Short.Not()), ends.Set(block.DecodeEnd(s.Ends))}
	next := hdl.Stmts{left.Set(left.Minus(1)), last.Set(ending), full.Set(ending.Not())}

	payload, pays := carries, carries.Value
	whole := most / octets // beats of the longest header without payload
	m.Unused("whole beats of header count", s.HeaderLength.Truncate(min(place, s.HeaderLength.Width())))
	if whole > 0 {
		before := m.Reg("beats_before_payload_q", bits.Len(uint(whole)), hdl.NoReset)
		headerBeats := s.HeaderLength.Slice(s.HeaderLength.Width()-1, place).Truncate(before.Width())
		payload = m.Reg("takes_payload_q", 1, hdl.NoReset)
		pays = m.Let("has_payload", carries.And(before.IsZero()))
		load = append(load, before.Set(headerBeats), payload.Set(s.Carries.And(headerBeats.IsZero())))
		next = append(next, hdl.If(before.Any(), before.Set(before.Minus(1)), payload.Set(carries.And(before.Is(1)))))
	}
	head := header.ZeroExtend(8 * max(octets, most)).Truncate(8 * octets)
	return beatSequence{
		data: m.Let("data", head.Or(octetsOfPayload.Data.And(pays.Replicate(8*octets)))),
		keep: m.Let("keep", ends.Q.Below().Or(full.Replicate(octets))),
		last: last.Value, payload: payload.Value, header: header.Value,
		load: func(idle, comes, step hdl.Value) hdl.Stmt {
			m.Note("Nothing is inside, or the last beat: known a cycle before, for all uses.")
			loads := m.Reg("loads_q", 1, hdl.ResetTo(1))
			load := append(load, loads.Set(comes.Not().Or(s.Short)))
			next := append(next, loads.Set(ending))
			m.Note("AND and OR, not a choice: a synchronous reset of the octets after the header would take the clock enable.")
			header := header.Set(s.Header.And(loads.Replicate(8 * most)).Or(behind.And(loads.Not().Replicate(8 * most))))
			return hdl.If(idle.Or(step), header, hdl.If(loads.Value, load...).Else(next...))
		},
	}
}
