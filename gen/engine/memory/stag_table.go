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

func STagWriteOf(c engine.Config) STagWrite {
	return STagWrite{Index: hdl.Bits(stagIndexBits), Entry: engine.STagEntryOf(c)}
}

// stagIndexBits is the width of the index of an STag; the octet below it is the key.
const stagIndexBits = 24

// STagTablePorts are four lookup ports and two ports that change rows.
type STagTablePorts struct {
	Main            engine.STagPort
	Invalidated     engine.STagPort
	Local           engine.STagPort
	Recheck         engine.STagPort
	Revoke          *engine.STagPort `doc:"of requests that may invalidate an STag"`
	Withdraw        *engine.STagPort `doc:"of the block that does it"`
	Invalidate      hdl.In           `doc:"invalidates the row of invalidate_index in this cycle"`
	InvalidateIndex hdl.In           `doc:"upper 24 bits of the STag"`
	Write           hdl.Sink[STagWrite]
	Ready           hdl.Out `doc:"every row has been invalidated or written since reset"`
}

const stagTableDoc = `stag_table holds the regions of memory that STags name (RFC 5041 section 4.2). Its four ports look up rows
independently, each one per cycle: the entry appears in the next cycle and stays until the port's next lookup. The
entry of a row that does not exist is not valid.

An invalidation already affects the lookups of its own cycle. A write affects those from the second cycle after the
one in which it is accepted, all of the row at once; it waits for the invalidations of the cycles before. After reset
every row is invalidated, one per cycle: until ready, no write is accepted, invalidations have no effect, and every
lookup finds nothing.`

// STagTable has as many rows as there are STags, a power of two below 2^24.
func STagTable(c engine.Config) hdl.Block[STagTablePorts] {
	ports := STagTablePorts{
		Main: engine.STagPortOf(c), Invalidated: engine.STagPortOf(c), Local: engine.STagPortOf(c), Recheck: engine.STagPortOf(c),
		Invalidate: hdl.NewIn(1), InvalidateIndex: hdl.NewIn(stagIndexBits), Write: hdl.NewSink(STagWriteOf(c)), Ready: hdl.NewOut(1),
	}
	if c.Revokes() {
		revoke, withdraw := engine.STagPortOf(c), engine.STagPortOf(c)
		ports.Revoke, ports.Withdraw = &revoke, &withdraw
	}
	return hdl.Block[STagTablePorts]{
		Kind: "stag_table", Options: revokeOptions(c), Params: c.Params("stags"),
		Doc: stagTableDoc, Ports: ports,
		Build: func(m *hdl.Module, p STagTablePorts) { buildSTagTable(m, p, c) },
	}
}

// revokeOptions is the option of blocks that know of requests that invalidate STags.
func revokeOptions(c engine.Config) []string {
	if c.Revokes() {
		return []string{"revoke"}
	}
	return nil
}

func buildSTagTable(m *hdl.Module, p STagTablePorts, c engine.Config) {
	rows := c.STags
	rw := block.IndexWidth(rows)
	row := func(index hdl.Value) hdl.Value { return index.Truncate(rw) }
	exists := func(index hdl.Value) hdl.Value { return index.Slice(stagIndexBits-1, rw).IsZero() }

	m.Section("After reset every row is invalidated, one per cycle")
	sweep := block.NewSweep(m, rw)
	swept := sweep.Done
	m.Drive(p.Ready, swept)

	m.Section("Changes are kept for a cycle. The valid bits are in a separate memory: an invalidation has no other field of its row")
	killing := m.Reg("killing_q", 1, hdl.ResetTo(0))
	killed := m.Reg("killed_row_q", rw, hdl.NoReset)
	writing := m.Reg("writing_q", 1, hdl.ResetTo(0))
	written := hdl.NewRegOf(m, "written", STagWriteOf(c), hdl.NoReset)
	goes := m.Let("write_goes", writing.And(killing.Not()))
	ready := m.Let("write_taken", swept.And(writing.And(killing.Value).Not()))
	p.Write.Accept(m, ready)
	m.OnClock(
		killing.Set(p.Invalidate.And(exists(p.InvalidateIndex.Value))), killed.Set(row(p.InvalidateIndex.Value)),
		writing.Set(p.Write.Valid.And(ready).Or(writing.And(killing.Value))),
		hdl.If(ready, written.Set(p.Write.Data)))
	write := m.Let("write", goes.And(exists(written.Q.Index)))
	entry := m.Let("written_entry", hdl.Pack(written.Q.Entry))
	rest := entry.Width() - 1
	valid := block.NewContext(m, "valid_rows", hdl.Zero(1), sweep)
	valid.Write(block.Change{When: killing.Value, Stream: killed.Value}, block.Change{When: write, Stream: row(written.Q.Index), Word: entry.Bit(rest)})
	regions := m.Memory("regions", rest, rows)
	regions.Write(write, row(written.Q.Index), entry.Truncate(rest))

	m.Section("Lookups. An invalidation of the same cycle, and of the one before, is not in the memory that is read")
	type lookup struct {
		name string
		engine.STagPort
	}
	lookups := []lookup{{"main", p.Main}, {"invalidated", p.Invalidated}, {"local", p.Local}, {"recheck", p.Recheck}}
	if p.Revoke != nil {
		lookups = append(lookups, lookup{"revoke", *p.Revoke}, lookup{"withdraw", *p.Withdraw})
	}
	for _, l := range lookups {
		bit := func(name string, reset hdl.Resetting) hdl.Reg { return m.Reg(l.name+"_"+name+"_q", 1, reset) }
		there, fresh := bit("there", hdl.ResetTo(0)), bit("fresh", hdl.ResetTo(0))
		same, before, gone := bit("is_killed_row", hdl.NoReset), bit("was_killed", hdl.NoReset), bit("gone", hdl.NoReset)
		enable, at := l.Enable.Value, row(l.Index.Value)
		isGone := m.Let(l.name+"_is_gone", hdl.Mux(fresh.Value, before.Or(same.And(killing.Value)), gone.Value))
		m.OnClock(
			hdl.If(enable, there.Set(swept.And(exists(l.Index.Value)))), fresh.Set(enable), gone.Set(isGone),
			same.Set(at.Eq(row(p.InvalidateIndex.Value))), before.Set(killing.And(at.Eq(killed.Value))))
		isValid := hdl.AllOf(valid.ReadBefore(l.name+"_valid", enable, at), there.Value, isGone.Not())
		m.Drive(l.Entry, hdl.Cat(m.Let(l.name+"_grants", isValid), regions.Read(l.name+"_region_q", enable, at, hdl.ReadOld)))
	}
}

// UnpackEntry unpacks the result of a lookup.
func UnpackEntry(c engine.Config, in hdl.In) engine.STagEntry {
	return hdl.Unpack(engine.STagEntryOf(c), in.Value)
}
