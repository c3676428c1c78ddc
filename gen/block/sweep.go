package block

import "github.com/rnicgen/rnicgen/hdl"

// Sweep enumerates the rows of memories after reset, one per cycle, so that each can be cleared.
type Sweep struct {
	Done hdl.Value // all rows have been swept
	Row  hdl.Value // the current row until then
}

// NewSweep is for memories of 1<<bits rows.
func NewSweep(m *hdl.Module, bits int) Sweep { return NewNamedSweep(m, "", bits) }

// NewNamedSweep is NewSweep where a module has several; prefix begins the names of its registers.
func NewNamedSweep(m *hdl.Module, prefix string, bits int) Sweep {
	row := m.Reg(prefix+"sweep_q", bits, hdl.ResetTo(0))
	done := m.Reg(prefix+"swept_q", 1, hdl.ResetTo(0))
	m.OnClock(hdl.If(done.Not(), row.Set(row.Plus(1)), hdl.If(row.All(), done.Set(hdl.Ones(1)))))
	return Sweep{done.Value, row.Value}
}
