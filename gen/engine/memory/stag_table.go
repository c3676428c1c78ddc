package memory

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// STagWrite sets one row of the STag table. A row that the table does not have is nowhere: nothing happens.
type STagWrite struct {
	Index hdl.Value        `doc:"upper 24 bits of the STag"`
	Entry engine.STagEntry // what the row holds from now on; with Valid 0 it holds nothing
}

func STagWriteOf() STagWrite {
	return STagWrite{Index: hdl.Bits(stagIndexBits), Entry: engine.STagEntryOf()}
}

// stagIndexBits is the width of an STag's index; the octet below it is the key.
const stagIndexBits = 24

// STagTablePorts is the STag table: who looks rows up, and who changes them.
type STagTablePorts struct {
	Main        engine.STagAnswer
	Invalidated engine.STagAnswer
	Local       engine.STagAnswer
	Recheck     engine.STagAnswer
	Kill        hdl.In `doc:"the row of kill_index becomes invalid in this clock"`
	KillIndex   hdl.In `doc:"upper 24 bits of the STag"`
	Write       hdl.Sink[STagWrite]
	Ready       hdl.Out `doc:"every row is invalid or written since the reset"`
}

const stagTableDoc = `stag_table holds the regions of memory that STags name (RFC 5041 section 4.2). Its four ports look up rows
independently, each one per cycle: the entry appears in the next cycle and stays until the port's next lookup. A
row that does not exist reads as zeros, which is not valid.

An invalidation (kill) already affects the lookups of its own cycle; so does a write. A write waits in a cycle with
a kill. After reset every row is made invalid, one per cycle: until ready, no write is accepted, kills have no
effect, and every lookup finds nothing.`

// STagTable has rows rows, a power of two below 2^24.
func STagTable(rows int) hdl.Block[STagTablePorts] {
	return hdl.Block[STagTablePorts]{
		Kind: "stag_table", Params: []hdl.Param{{Name: "stags", Value: rows}},
		Doc: stagTableDoc,
		Ports: STagTablePorts{
			Main: engine.STagAnswerOf(), Invalidated: engine.STagAnswerOf(), Local: engine.STagAnswerOf(), Recheck: engine.STagAnswerOf(),
			Kill: hdl.NewIn(1), KillIndex: hdl.NewIn(stagIndexBits), Write: hdl.NewSink(STagWriteOf()), Ready: hdl.NewOut(1),
		},
		Build: func(m *hdl.Module, p STagTablePorts) { buildSTagTable(m, p, rows) },
	}
}

func buildSTagTable(m *hdl.Module, p STagTablePorts, rows int) {
	rw := block.IndexWidth(rows)
	row := func(index hdl.Value) hdl.Value { return index.Truncate(rw) }
	exists := func(index hdl.Value) hdl.Value { return index.Slice(stagIndexBits-1, rw).IsZero() }

	m.Section("After reset every row becomes invalid, one a clock")
	sweep := block.NewSweep(m, rw)
	swept := sweep.Done
	m.Drive(p.Ready, swept)

	m.Section("Changes: which rows are valid is a memory of its own, since a kill knows nothing else of its row")
	p.Write.Accept(m, m.Let("write_taken", swept.And(p.Kill.Not())))
	write := m.Let("write", hdl.AllOf(p.Write.Valid, swept, p.Kill.Not(), exists(p.Write.Data.Index)))
	kill := m.Let("kill_row", p.Kill.And(exists(p.KillIndex.Value)))
	entry := m.Let("written_entry", hdl.Pack(p.Write.Data.Entry))
	rest := entry.Width() - 1
	valid := block.NewContext(m, "valid_rows", hdl.Zero(1), sweep)
	valid.Write(block.Change{When: kill, Stream: row(p.KillIndex.Value)}, block.Change{When: write, Stream: row(p.Write.Data.Index), Word: entry.Bit(rest)})
	regions := m.Memory("regions", rest, rows)
	regions.Write(write, row(p.Write.Data.Index), entry.Truncate(rest))

	m.Section("Lookups: a row that is not there, or not yet swept, reads as zeros")
	type lookup struct {
		name string
		engine.STagAnswer
		there hdl.Reg
	}
	ports := []lookup{{name: "main", STagAnswer: p.Main}, {name: "invalidated", STagAnswer: p.Invalidated},
		{name: "local", STagAnswer: p.Local}, {name: "recheck", STagAnswer: p.Recheck}}
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
		m.Drive(l.Entry, found.And(l.there.Spread(rest+1)))
	}
}

// UnpackEntry takes what a lookup gives apart.
func UnpackEntry(in hdl.In) engine.STagEntry { return hdl.Unpack(engine.STagEntryOf(), in.Value) }
