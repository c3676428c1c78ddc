package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/hdl"
)

type racePorts struct {
	Host            hdl.Sink[memory.STagWrite]
	Withdraw        hdl.Sink[engine.Withdrawal]
	Invalidate      hdl.In
	InvalidateIndex hdl.In
	Gone, Ready     hdl.Out
	Main            engine.STagPort
}

func raceBlock(c engine.Config) hdl.Block[racePorts] {
	return hdl.Block[racePorts]{Kind: "race", Doc: "race is for tests.", Ports: racePorts{Host: hdl.NewSink(memory.STagWriteOf(c)), Withdraw: hdl.NewSink(engine.WithdrawalOf()),
		Invalidate: hdl.NewIn(1), InvalidateIndex: hdl.NewIn(24), Gone: hdl.NewOut(1), Ready: hdl.NewOut(1), Main: engine.STagPortOf(c)},
		Build: func(m *hdl.Module, p racePorts) {
			wires := func(name string) (engine.STagLookup, engine.STagPort) {
				e, i, o := m.Wire(name+"_enable", 1), m.Wire(name+"_index", 24), m.Wire(name+"_entry", hdl.PackedWidth(engine.STagEntryOf(c)))
				return engine.STagLookup{Enable: e.Out(), Index: i.Out(), Entry: o.In()}, engine.STagPort{Enable: e.In(), Index: i.In(), Entry: o.Out()}
			}
			idle := func(name string) engine.STagPort {
				l, t := wires(name)
				m.Drive(l.Enable, hdl.Zero(1))
				m.Drive(l.Index, hdl.Zero(24))
				m.Unused("test", l.Entry.Value)
				return t
			}
			look, withdrawTable := wires("withdraw_look")
			changes := hdl.NewStream(m, "changes", memory.STagWriteOf(c))
			hdl.Instance(m, "withdraw_block", memory.STagWithdraw(c), memory.STagWithdrawPorts{Host: p.Host, Withdraw: p.Withdraw, Lookup: look, Write: changes.Source(), Others: p.Invalidate, Gone: p.Gone})
			revoke := idle("revoke")
			hdl.Instance(m, "stag_rows", memory.STagTable(c), memory.STagTablePorts{Main: p.Main, Invalidated: idle("inv"), Local: idle("local"), Recheck: idle("recheck"),
				Revoke: &revoke, Withdraw: &withdrawTable, Invalidate: p.Invalidate, InvalidateIndex: p.InvalidateIndex, Write: changes.Sink(), Ready: p.Ready})
		}}
}

// A row that the host sets in the cycle in which a withdrawal begins stays valid, also if the table delays it until after an invalidation.
func TestSTagWithdrawBehindHost(t *testing.T) {
	for inv := 96; inv < 106; inv++ {
		b := openRig(t, raceBlock(commitEngine(2, 16)), 1)
		gone := 0
		g := b.signal("gone")
		top := b.signal("main_entry")
		b.look = func() {
			b.inputs["main_enable"].Set(1)
			b.inputs["main_index"].Set(3)
			b.inputs["invalidate"].Set(0)
			if b.cycle == inv {
				b.inputs["invalidate"].Set(1)
			}
			b.inputs["invalidate_index"].Set(7)
			gone += int(g.Get())
		}
		old := rowWrite{Index: 3}
		old.Entry.Valid, old.Entry.Key = 1, 5
		fresh := old
		fresh.Entry.Key = 6 // the host registers the row again, under another key
		sendAt(b, "host", 50, old)
		sendAt(b, "host", 100, fresh)
		sendAt(b, "withdraw", 100, struct{ STag uint32 }{3<<8 | 5}) // of the old STag
		b.rest(60)
		words := make([]uint64, (top.Width+63)/64)
		top.GetWords(words)
		bit := top.Width - 1
		assert.EqualValues(t, 1, words[bit/64]>>(bit%64)&1, "inv %d", inv)
		assert.Zero(t, gone)
	}
}
