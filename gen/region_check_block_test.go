package gen_test

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/hdl"
)

// regionPorts are the query of a region check and its result in the next cycle. AnyOf8 is the result of a second check, of 8 octets,
// whose address is not used.
type regionPorts struct {
	Entry, Named, TO, Length, Right, Stream, Domain hdl.In
	Any, AnyOf8, Address                            hdl.Out
}

// regionBlock contains two checks with different names in one module.
func regionBlock(streams int) hdl.Block[regionPorts] {
	return hdl.Block[regionPorts]{Kind: "region_check", Doc: "region_check is for tests.", Ports: regionPorts{
		Entry: hdl.NewIn(hdl.PackedWidth(engine.STagEntryOf(streamsOf(streams)))), Named: hdl.NewIn(32), TO: hdl.NewIn(64), Length: hdl.NewIn(32), Right: hdl.NewIn(1),
		Stream: hdl.NewIn(block.IndexWidth(streams)), Domain: hdl.NewIn(engine.DomainBits),
		Any: hdl.NewOut(1), AnyOf8: hdl.NewOut(1), Address: hdl.NewOut(64),
	}, Build: func(m *hdl.Module, p regionPorts) {
		m.Unused("of no use here", p.Named.Slice(31, 8))
		m.Unused("of no use here", p.Entry.Value)
		pipe := block.NewPipeline(m, hdl.Ones(1), 0)
		q := memory.RegionQuery{Entry: memory.UnpackEntry(streamsOf(streams), p.Entry), STag: p.Named.Value, TO: p.TO.Value, Length: p.Length.Value,
			Right: p.Right.Value, Stream: p.Stream.Value, Domain: p.Domain.Value}
		f := memory.RegionCheck(m, pipe, "source", 0, q)
		m.Drive(p.Any, f.Any.At(1))
		m.Drive(p.Address, f.Address.At(1))
		q.Length = hdl.Const(32, 8)
		other := memory.RegionCheck(m, pipe, "target", 0, q)
		m.Drive(p.AnyOf8, other.Any.At(1))
		m.Unused("of no use here", other.Address.At(1))
		pipe.Close()
	}}
}
