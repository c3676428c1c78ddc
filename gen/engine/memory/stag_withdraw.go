package memory

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// STagWithdrawPorts are two sources of changes, and the table.
type STagWithdrawPorts struct {
	Host     hdl.Sink[STagWrite]         `doc:"rows that the host sets"`
	Withdraw hdl.Sink[engine.Withdrawal] `doc:"accepted when the STag is not valid any more"`
	Lookup   engine.STagLookup
	Write    hdl.Source[STagWrite]
	Others   hdl.In  `doc:"another STag is invalidated in this cycle"`
	Gone     hdl.Out `doc:"an STag that was valid is withdrawn; never beside another"`
}

const stagWithdrawDoc = `stag_withdraw makes STags invalid for requests that have been executed, between the changes of the host: it reads the
row, and writes it without its valid bit if it is valid and has the key of the STag. The host's changes wait meanwhile, so the
row that is invalidated is the one that was read. A withdrawal takes six cycles, or four if there is nothing to invalidate, and as
many more as the table delays a write, or others invalidate STags at its end.`

// STagWithdraw is in front of [STagTable], whose lookups see a change two cycles after it is accepted.
func STagWithdraw(c engine.Config) hdl.Block[STagWithdrawPorts] {
	return hdl.Block[STagWithdrawPorts]{
		Kind: "stag_withdraw", Params: c.Params("stags"), Doc: stagWithdrawDoc,
		Ports: STagWithdrawPorts{Host: hdl.NewSink(STagWriteOf(c)), Withdraw: hdl.NewSink(engine.WithdrawalOf()), Lookup: engine.STagLookupOf(c),
			Write: hdl.NewSource(STagWriteOf(c)), Others: hdl.NewIn(1), Gone: hdl.NewOut(1)},
		Build: func(m *hdl.Module, p STagWithdrawPorts) { buildSTagWithdraw(m, p, c) },
	}
}

// withdrawState is what a withdrawal waits for.
type withdrawState int

const (
	withdrawIdle    withdrawState = iota // for a withdrawal; the host's changes pass
	withdrawSettles                      // for the host's latest change to reach the lookups
	withdrawLooks                        // for the row
	withdrawDecides                      // for the decision
	withdrawWrites                       // for the table to accept the change
	withdrawEnds                         // for the change to reach the lookups
)

func (s withdrawState) String() string {
	return [...]string{"idle", "settles", "looks", "decides", "writes", "ends"}[s]
}

func buildSTagWithdraw(m *hdl.Module, p STagWithdrawPorts, c engine.Config) {
	state := hdl.NewFSM(m, "state", withdrawIdle, withdrawSettles, withdrawLooks, withdrawDecides, withdrawWrites, withdrawEnds)
	idle, writes := m.Let("is_idle", state.Is(withdrawIdle)), m.Let("is_writing", state.Is(withdrawWrites))
	stag := p.Withdraw.Data.STag
	row := hdl.LetOf(m, "row", hdl.Unpack(engine.STagEntryOf(c), p.Lookup.Entry.Value))
	m.Unused("only valid and key are compared", row.Rights.LocalRead, row.Rights.LocalWrite, row.Rights.RemoteRead, row.Rights.RemoteWrite,
		row.Rights.RemoteAtomic, row.Rights.Invalidate, row.ByDomain, row.Owner, row.Base, row.Length, row.Address)
	engine.UnusedTag(m, "only valid and key are compared", row.Tag)
	m.Drive(p.Lookup.Enable, state.Is(withdrawLooks))
	m.Drive(p.Lookup.Index, stag.Slice(31, 8))
	is := m.Let("is_valid", row.Valid.And(row.Key.Eq(stag.Truncate(8))))
	m.Note("The table takes another change once the one before has its effect in the next cycle.")
	ends := m.Let("ends", p.Write.Ready.And(p.Others.Not()))
	counts := m.Let("is_gone", state.Is(withdrawEnds).And(ends))
	done := m.Let("is_done", counts.Or(state.Is(withdrawDecides).And(is.Not())))
	m.OnClock(state.Switch(
		state.In(withdrawIdle, hdl.If(m.Let("begins", p.Withdraw.Valid.And(p.Host.Valid.Not().Or(p.Write.Ready))), state.Go(withdrawSettles))),
		state.In(withdrawSettles, hdl.If(p.Write.Ready, state.Go(withdrawLooks))),
		state.In(withdrawLooks, state.Go(withdrawDecides)),
		state.In(withdrawDecides, hdl.If(is, state.Go(withdrawWrites)).Else(state.Go(withdrawIdle))),
		state.In(withdrawWrites, hdl.If(p.Write.Ready, state.Go(withdrawEnds))),
		state.In(withdrawEnds, hdl.If(ends, state.Go(withdrawIdle))),
	))
	p.Withdraw.Accept(m, done)
	m.Drive(p.Gone, counts)
	p.Host.Accept(m, idle.And(p.Write.Ready))
	none := hdl.Unpack(STagWriteOf(c), hdl.Zero(hdl.PackedWidth(STagWriteOf(c))))
	none.Index = stag.Slice(31, 8)
	p.Write.Drive(m, hdl.Mux(idle, p.Host.Valid, writes), hdl.Unpack(none, hdl.Mux(idle, hdl.Pack(p.Host.Data), hdl.Pack(none))))
}
