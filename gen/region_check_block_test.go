package gen_test

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/hdl"
)

// regionPorts are what a region check asks and answers. Any of a length of 8 comes from a second one, which has no use
// for the rest.
type regionPorts struct {
	Entry, Named, TO, Length, Right, Stream, Domain               hdl.In
	STag, Association, Access, Wrap, Bounds, Any, AnyOf8, Address hdl.Out
}

// regionBlock is two checks with names of their own in one module.
func regionBlock(streams int) hdl.Block[regionPorts] {
	return hdl.Block[regionPorts]{Kind: "region_check", Doc: "region_check is for tests.", Ports: regionPorts{
		Entry: hdl.NewIn(hdl.PackedWidth(engine.STagEntryOf())), Named: hdl.NewIn(32), TO: hdl.NewIn(64), Length: hdl.NewIn(32), Right: hdl.NewIn(1),
		Stream: hdl.NewIn(block.IndexWidth(streams)), Domain: hdl.NewIn(engine.DomainBits),
		STag: hdl.NewOut(1), Association: hdl.NewOut(1), Access: hdl.NewOut(1), Wrap: hdl.NewOut(1), Bounds: hdl.NewOut(1), Any: hdl.NewOut(1), AnyOf8: hdl.NewOut(1), Address: hdl.NewOut(64),
	}, Build: func(m *hdl.Module, p regionPorts) {
		m.Unused("of no use here", p.Named.Slice(31, 8))
		m.Unused("of no use here", p.Entry.Value)
		q := memory.RegionQuery{Entry: memory.UnpackEntry(p.Entry), STag: p.Named.Value, TO: p.TO.Value, Length: p.Length.Value,
			Right: p.Right.Value, Stream: p.Stream.Value, Domain: p.Domain.Value}
		f := memory.RegionCheck(m, "source", q)
		m.Drive(p.STag, f.STag)
		m.Drive(p.Association, f.Association)
		m.Drive(p.Access, f.Access)
		m.Drive(p.Wrap, f.Wrap)
		m.Drive(p.Bounds, f.Bounds)
		m.Drive(p.Any, f.Any)
		m.Drive(p.Address, f.Address)
		q.Length = hdl.Const(32, 8)
		m.Drive(p.AnyOf8, memory.RegionCheck(m, "target", q).Any)
	}}
}
