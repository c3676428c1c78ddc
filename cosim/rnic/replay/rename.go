package replay

import (
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// rename replaces the STags in a segment by those assigned here.
func (p *plan) rename(s *step) {
	parts, kind := wire.ClassifyWith(p.config.Protocol(), s.segment)
	if kind != spec.None {
		return
	}
	set := func(e *end, t *wire.Table, field string, at int) {
		f := t.MustField(field)
		stag, _ := f.Get(s.segment[at:])
		f.Set(s.segment[at:], uint64(p.nodes[e.node].rename(e.host, uint32(stag))))
	}
	body := parts.Header.Length()
	h := &parts.Header
	switch {
	case h.Tagged:
		set(s.to, wire.DDPTaggedTable, "stag", 0)
	case is(h.Opcode, spec.ReadRequest):
		set(s.from, wire.ReadRequestTable, "data_sink_stag", body)
		set(s.to, wire.ReadRequestTable, "data_source_stag", body)
	case is(h.Opcode, spec.AtomicRequest):
		set(s.to, wire.AtomicRequestTable, "remote_stag", body)
	case is(h.Opcode, spec.FlushRequest|spec.AtomicWriteRequest):
		set(s.to, wire.FlushRequestTable, "data_sink_stag", body) // both begin with the octets that they name
	}
	if invalidates(h) {
		set(s.to, wire.DDPUntaggedTable, "invalidate_stag", 0)
	}
}
