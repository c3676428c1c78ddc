package testdesign

import (
	"fmt"
	"math/bits"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/hdl"
)

// Fault is a violation of AXI4 rules by a Mover, selected by its static input fault.
type Fault int

// The faults of a Mover. Address faults apply to both address channels unless noted otherwise.
const (
	NoFault            Fault = iota
	AddressFalls             // valid of an address falls after a cycle without ready
	AddressChanges           // an address changes after a cycle without ready
	AddressUnaligned         // addresses have bit 2 set
	AddressNarrow            // beats have half the width
	AddressFixed             // bursts are fixed
	AddressCrosses           // bursts cross 4 KiB boundaries
	DataFalls                // valid of data falls after a cycle without ready
	DataChanges              // data changes after a cycle without ready
	DataEndsEarly            // every beat of data has last
	DataDoesNotEnd           // no beat of data has last
	ReadAddressFalls         // as AddressFalls, on AR only
	ReadAddressChanges       // as AddressChanges, on AR only
	ReadAddressCrosses       // as AddressCrosses, on AR only
)

type moveCommand struct {
	From  hdl.Value
	To    hdl.Value
	Beats hdl.Value `doc:"at least 1"`
	Len   hdl.Value `doc:"maximum beats per burst - 1"`
	ID    hdl.Value
}

type moveResult struct {
	Failed hdl.Value `doc:"a response reported an error"`
}

type moverPorts struct {
	Command hdl.Sink[moveCommand]  `hdl:"s"`
	Done    hdl.Source[moveResult] `hdl:"m"`
	Fault   hdl.In
	AXI     axiMaster `hdl:"m_axi"`
}

// Mover copies ranges of memory at up to one beat per cycle, one command after another. It issues reads as soon as the memory
// accepts them. Data passes from R to W in the same cycle, and precedes its address if W is faster than AW.
func Mover(bytes int) *simulator.Design {
	const ids = 1
	command := moveCommand{From: hdl.Bits(64), To: hdl.Bits(64), Beats: hdl.Bits(16), Len: hdl.Bits(8), ID: hdl.Bits(ids)}
	return compiled(bytes, hdl.Block[moverPorts]{
		Kind: fmt.Sprintf("mover_%d", bytes), Doc: "mover copies ranges of memory.",
		Ports: moverPorts{Command: hdl.NewSink(command), Done: hdl.NewSource(moveResult{hdl.Bits(1)}), Fault: hdl.NewIn(4),
			AXI: newMaster(ids, bytes)},
		Build: func(m *hdl.Module, p moverPorts) { buildMover(m, p, bytes, ids) },
	})
}

func buildMover(m *hdl.Module, p moverPorts, bytes, ids int) {
	shift := bits.TrailingZeros(uint(bytes))
	fault := func(f Fault) hdl.Value { return p.Fault.Is(uint64(f)) }
	one := hdl.Const(16, 1)
	busy := m.Reg("busy_q", 1, hdl.ResetTo(0))
	done := m.Reg("done_q", 1, hdl.ResetTo(0))
	failed := m.Reg("failed_q", 1, hdl.NoReset)
	id := m.Reg("id_q", ids, hdl.NoReset)
	length := m.Reg("len_q", 8, hdl.NoReset)
	c := p.Command.Data
	start := m.Let("start", p.Command.Valid.And(busy.Not()))
	p.Command.Accept(m, busy.Not())

	// A walk splits a range into the bursts of an address channel.
	type walk struct {
		valid, id, addr, len, size, burst hdl.Value
		left                              hdl.Reg
	}
	walker := func(name string, from, ready hdl.Value, falls, changes, crosses hdl.Value) walk {
		addr := m.Reg(name+"_addr_q", 64, hdl.NoReset)
		left := m.Reg(name+"_left_q", 16, hdl.ResetTo(0))
		waited := m.Reg(name+"_waited_q", 1, hdl.ResetTo(0))
		most := m.Let(name+"_most", length.ZeroExtend(16).Plus(1))
		page := m.Let(name+"_page", hdl.Const(13-shift, 1<<(12-shift)).Sub(addr.Slice(11, shift).ZeroExtend(13-shift)).ZeroExtend(16))
		paged := m.Let(name+"_paged", page.Lt(most).And(crosses.Not()))
		bound := m.Let(name+"_bound", hdl.Mux(paged, page, most))
		beats := m.Let(name+"_beats", hdl.Mux(left.Lt(bound), left.Value, bound))
		falling := m.Let(name+"_falling", falls.And(waited.Value))
		valid := m.Let(name+"_valid", left.Any().And(falling.Not()))
		taken := m.Let(name+"_taken", valid.And(ready))
		next := addr.Add(hdl.Cat(beats, hdl.Zero(shift)).ZeroExtend(64))
		m.OnClock(
			waited.Set(valid.And(ready.Not())),
			hdl.If(start, addr.Set(from), left.Set(c.Beats)).
				ElseIf(taken, addr.Set(next), left.Set(left.Sub(beats))))
		low := hdl.Cat(addr.Bit(2).Or(fault(AddressUnaligned)), addr.Slice(1, 0))
		count := m.Let(name+"_count", beats.Sub(one))
		m.Unused("a burst has at most 256 beats", count.Slice(15, 8))
		changing := m.Let(name+"_changing", changes.And(waited.Value))
		return walk{
			valid: valid, id: id.Value, addr: hdl.Cat(addr.Slice(63, 3), low),
			len:   count.Truncate(8).Xor(changing.ZeroExtend(8)),
			size:  hdl.Mux(fault(AddressNarrow), hdl.Const(3, uint64(shift-1)), hdl.Const(3, uint64(shift))),
			burst: hdl.Mux(fault(AddressFixed), hdl.Const(2, 0), hdl.Const(2, 1)),
			left:  left,
		}
	}
	m.Section("Addresses")
	r := walker("read", c.From, p.AXI.AR.Ready, fault(AddressFalls).Or(fault(ReadAddressFalls)),
		fault(AddressChanges).Or(fault(ReadAddressChanges)), fault(AddressCrosses).Or(fault(ReadAddressCrosses)))
	w := walker("write", c.To, p.AXI.AW.Ready, fault(AddressFalls), fault(AddressChanges), fault(AddressCrosses))
	p.AXI.AR.Drive(m, r.valid, arBeat{ID: r.id, Addr: r.addr, Len: r.len, Size: r.size, Burst: r.burst})
	p.AXI.AW.Drive(m, w.valid, awBeat{ID: w.id, Addr: w.addr, Len: w.len, Size: w.size, Burst: w.burst})

	m.Section("Data")
	line := m.Reg("data_line_q", 12-shift, hdl.NoReset)
	left := m.Reg("data_left_q", 16, hdl.ResetTo(0))
	count := m.Reg("data_count_q", 8, hdl.NoReset)
	waited := m.Reg("data_waited_q", 1, hdl.ResetTo(0))
	ends := m.Let("data_ends", hdl.AnyOf(left.Eq(one), line.All().And(fault(AddressCrosses).Not()), count.Eq(length.Value)))
	last := m.Let("data_last", ends.Or(fault(DataEndsEarly)).And(fault(DataDoesNotEnd).Not()))
	valid := m.Let("data_valid", p.AXI.R.Valid.And(fault(DataFalls).And(waited.Value).Not()))
	moved := m.Let("data_moved", valid.And(p.AXI.W.Ready))
	m.Unused("a command uses a single ID", p.AXI.R.Data.ID)
	m.Unused("the bursts of W are counted separately", p.AXI.R.Data.Last)
	changed := fault(DataChanges).And(waited.Value).ZeroExtend(8 * bytes)
	p.AXI.W.Drive(m, valid, wBeat{Data: p.AXI.R.Data.Data.Xor(changed), Strb: hdl.Ones(bytes), Last: last})
	p.AXI.R.Accept(m, p.AXI.W.Ready.And(fault(DataFalls).And(waited.Value).Not()))
	m.OnClock(
		waited.Set(valid.And(p.AXI.W.Ready.Not())),
		hdl.If(start, line.Set(c.To.Slice(11, shift)), left.Set(c.Beats), count.Set(hdl.Zero(8))).
			ElseIf(moved, line.Set(line.Plus(1)), left.Set(left.Sub(one)), count.Set(hdl.Mux(ends, hdl.Zero(8), count.Plus(1)))))

	m.Section("Responses")
	open := m.Reg("open_q", 16, hdl.ResetTo(0))
	asked, responded := m.Let("asked", w.valid.And(p.AXI.AW.Ready)), p.AXI.B.Valid
	m.Unused("a command uses a single ID", p.AXI.B.Data.ID)
	p.AXI.B.Accept(m, hdl.Ones(1))
	idle := m.Let("idle", hdl.AllOf(r.left.IsZero(), w.left.IsZero(), left.IsZero(), open.IsZero()))
	wrong := hdl.AnyOf(responded.And(p.AXI.B.Data.Resp.Any()), moved.And(p.AXI.R.Data.Resp.Any()))
	m.OnClock(
		hdl.If(asked.And(responded.Not()), open.Set(open.Plus(1))).ElseIf(responded.And(asked.Not()), open.Set(open.Sub(one))),
		hdl.If(start, busy.Set(hdl.Ones(1)), id.Set(c.ID), length.Set(c.Len), failed.Set(hdl.Zero(1))).
			ElseIf(wrong, failed.Set(hdl.Ones(1))),
		hdl.If(busy.And(idle), done.Set(hdl.Ones(1))),
		hdl.If(done.And(p.Done.Ready), done.Set(hdl.Zero(1)), busy.Set(hdl.Zero(1))))
	p.Done.Drive(m, done.Value, moveResult{failed.Value})
}
