package memory

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// STagWrite sets one row of the STag table. A write to a row outside the table has no effect.
type STagWrite struct {
	Index hdl.Value        `doc:"upper 24 bits of the STag"`
	Entry engine.STagEntry // new content of the row; invalid if Valid is 0
}

func STagWriteOf() STagWrite {
	return STagWrite{Index: hdl.Bits(stagIndexBits), Entry: engine.STagEntryOf()}
}

// stagIndexBits is the width of the index of an STag; the octet below it is the key.
const stagIndexBits = 24

// STagTablePorts are four lookup ports and two ports that change rows.
type STagTablePorts struct {
	Main            engine.STagPort
	Invalidated     engine.STagPort
	Local           engine.STagPort
	Recheck         engine.STagPort
	Invalidate      hdl.In `doc:"invalidates the row of invalidate_index in this cycle"`
	InvalidateIndex hdl.In `doc:"upper 24 bits of the STag"`
	Write           hdl.Sink[STagWrite]
	Ready           hdl.Out `doc:"every row has been invalidated or written since reset"`
}

const stagTableDoc = `stag_table holds the regions of memory that STags name (RFC 5041 section 4.2). Its four ports look up rows
independently, each one per cycle: the entry appears in the next cycle and stays until the port's next lookup. A
row that does not exist reads as zeros, which is not valid.

An invalidation already affects the lookups of its own cycle; so does a write. A write waits in a cycle with an
invalidation. After reset every row is invalidated, one per cycle: until ready, no write is accepted, invalidations
have no effect, and every lookup finds nothing.`

// STagTable has rows rows, a power of two below 2^24.
func STagTable(rows int) hdl.Block[STagTablePorts] {
	return hdl.Block[STagTablePorts]{
		Kind: "stag_table", Params: []hdl.Param{{Name: "stags", Value: rows}},
		Doc: stagTableDoc,
		Ports: STagTablePorts{
			Main: engine.STagPortOf(), Invalidated: engine.STagPortOf(), Local: engine.STagPortOf(), Recheck: engine.STagPortOf(),
			Invalidate: hdl.NewIn(1), InvalidateIndex: hdl.NewIn(stagIndexBits), Write: hdl.NewSink(STagWriteOf()), Ready: hdl.NewOut(1),
		},
		Build: func(m *hdl.Module, p STagTablePorts) { buildSTagTable(m, p, rows) },
	}
}

func buildSTagTable(m *hdl.Module, p STagTablePorts, rows int) {
	rw := block.IndexWidth(rows)
	row := func(index hdl.Value) hdl.Value { return index.Truncate(rw) }
	exists := func(index hdl.Value) hdl.Value { return index.Slice(stagIndexBits-1, rw).IsZero() }

	m.Section("After reset every row is invalidated, one per cycle")
	sweep := block.NewSweep(m, rw)
	swept := sweep.Done
	m.Drive(p.Ready, swept)

	m.Section("Changes: the valid bits are in a separate memory, since an invalidation has no other field of its row")
	p.Write.Accept(m, m.Let("write_taken", swept.And(p.Invalidate.Not())))
	write := m.Let("write", hdl.AllOf(p.Write.Valid, swept, p.Invalidate.Not(), exists(p.Write.Data.Index)))
	invalidate := m.Let("invalidate_row", p.Invalidate.And(exists(p.InvalidateIndex.Value)))
	entry := m.Let("written_entry", hdl.Pack(p.Write.Data.Entry))
	rest := entry.Width() - 1
	valid := block.NewContext(m, "valid_rows", hdl.Zero(1), sweep)
	valid.Write(block.Change{When: invalidate, Stream: row(p.InvalidateIndex.Value)}, block.Change{When: write, Stream: row(p.Write.Data.Index), Word: entry.Bit(rest)})
	regions := m.Memory("regions", rest, rows)
	regions.Write(write, row(p.Write.Data.Index), entry.Truncate(rest))

	m.Section("Lookups: a row outside the table, or not yet swept, reads as zeros")
	type lookup struct {
		name string
		engine.STagPort
		there hdl.Reg
	}
	ports := []lookup{{name: "main", STagPort: p.Main}, {name: "invalidated", STagPort: p.Invalidated},
		{name: "local", STagPort: p.Local}, {name: "recheck", STagPort: p.Recheck}}
	var stmts hdl.Stmts
	for i := range ports {
		l := &ports[i]
		l.there = m.Reg(l.name+"_there_q", 1, hdl.ResetTo(0))
		stmts = append(stmts, hdl.If(l.Enable.Value, l.there.Set(swept.And(exists(l.Index.Value)))))
	}
	m.OnClock(stmts)
	for _, l := range ports {
		found := hdl.Cat(
			valid.Read(l.name+"_valid", l.Enable.Value, row(l.Index.Value)),
			regions.Read(l.name+"_region_q", l.Enable.Value, row(l.Index.Value), hdl.ReadNew))
		m.Drive(l.Entry, found.And(l.there.Replicate(rest+1)))
	}
}

// UnpackEntry unpacks the result of a lookup.
func UnpackEntry(in hdl.In) engine.STagEntry { return hdl.Unpack(engine.STagEntryOf(), in.Value) }
