package order

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// revokes looks up the STag that a request invalidates when it is done: 1 in stage settled if it may not any more. found is the request
// in stage stored, checked in the next one.
func revokes(m *hdl.Module, p RequestOrderPorts, c engine.Config, pipe *block.Pipeline, found, checked engine.InboundRequest) hdl.Value {
	m.Section("Look up the row of the STag that it invalidates, if any")
	named, _ := c.Profile.Revokes(found)
	stag, _ := c.Profile.Revokes(checked)
	m.Drive(p.Revoke.Enable, pipe.Valid(stored))
	m.Drive(p.Revoke.Index, named.Slice(31, 8))
	row := hdl.LetOf(m, "revoked_row", hdl.Unpack(engine.STagEntryOf(c), p.Revoke.Entry.Value))
	rights := row.Rights
	m.Unused("only whether it may be invalidated matters", rights.LocalRead, rights.LocalWrite, rights.RemoteRead, rights.RemoteWrite, rights.RemoteAtomic,
		row.ByDomain, row.Owner, row.Base, row.Length, row.Address)
	engine.UnusedTag(m, "it accesses no memory", row.Tag)
	gone := m.Let("revoked_is_gone", hdl.AnyOf(row.Valid.Not(), row.Key.Ne(stag.Truncate(8)), rights.Invalidate.Not()))
	return pipe.Signal("cannot_revoke", rowRead, stag.Any().And(gone)).At(settled)
}
