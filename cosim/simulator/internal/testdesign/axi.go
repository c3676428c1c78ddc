package testdesign

import (
	"fmt"
	"math/bits"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/gosim"
	"github.com/rnicgen/rnicgen/hdl"
)

// The channels of AXI4.
type (
	awBeat struct {
		ID    hdl.Value `hdl:"awid"`
		Addr  hdl.Value `hdl:"awaddr"`
		Len   hdl.Value `hdl:"awlen"`
		Size  hdl.Value `hdl:"awsize"`
		Burst hdl.Value `hdl:"awburst"`
	}
	arBeat struct {
		ID    hdl.Value `hdl:"arid"`
		Addr  hdl.Value `hdl:"araddr"`
		Len   hdl.Value `hdl:"arlen"`
		Size  hdl.Value `hdl:"arsize"`
		Burst hdl.Value `hdl:"arburst"`
	}
	wBeat struct {
		Data hdl.Value `hdl:"wdata"`
		Strb hdl.Value `hdl:"wstrb"`
		Last hdl.Value `hdl:"wlast"`
	}
	bBeat struct {
		ID   hdl.Value `hdl:"bid"`
		Resp hdl.Value `hdl:"bresp"`
	}
	rBeat struct {
		ID   hdl.Value `hdl:"rid"`
		Data hdl.Value `hdl:"rdata"`
		Resp hdl.Value `hdl:"rresp"`
		Last hdl.Value `hdl:"rlast"`
	}
)

func (awBeat) StreamNames() (valid, ready string) { return "awvalid", "awready" }
func (arBeat) StreamNames() (valid, ready string) { return "arvalid", "arready" }
func (wBeat) StreamNames() (valid, ready string)  { return "wvalid", "wready" }
func (bBeat) StreamNames() (valid, ready string)  { return "bvalid", "bready" }
func (rBeat) StreamNames() (valid, ready string)  { return "rvalid", "rready" }

type axiMaster struct {
	AW hdl.Source[awBeat] `hdl:"-"`
	W  hdl.Source[wBeat]  `hdl:"-"`
	B  hdl.Sink[bBeat]    `hdl:"-"`
	AR hdl.Source[arBeat] `hdl:"-"`
	R  hdl.Sink[rBeat]    `hdl:"-"`
}

// axiSlave is the other end of an axiMaster.
type axiSlave struct {
	AW hdl.Sink[awBeat]  `hdl:"-"`
	W  hdl.Sink[wBeat]   `hdl:"-"`
	B  hdl.Source[bBeat] `hdl:"-"`
	AR hdl.Sink[arBeat]  `hdl:"-"`
	R  hdl.Source[rBeat] `hdl:"-"`
}

func awProto(ids int) awBeat {
	return awBeat{ID: hdl.Bits(ids), Addr: hdl.Bits(64), Len: hdl.Bits(8), Size: hdl.Bits(3), Burst: hdl.Bits(2)}
}
func arProto(ids int) arBeat { return arBeat(awProto(ids)) }
func wProto(bytes int) wBeat {
	return wBeat{Data: hdl.Bits(8 * bytes), Strb: hdl.Bits(bytes), Last: hdl.Bits(1)}
}
func bProto(ids int) bBeat { return bBeat{ID: hdl.Bits(ids), Resp: hdl.Bits(2)} }
func rProto(ids, bytes int) rBeat {
	return rBeat{ID: hdl.Bits(ids), Data: hdl.Bits(8 * bytes), Resp: hdl.Bits(2), Last: hdl.Bits(1)}
}

func newMaster(ids, bytes int) axiMaster {
	return axiMaster{hdl.NewSource(awProto(ids)), hdl.NewSource(wProto(bytes)), hdl.NewSink(bProto(ids)),
		hdl.NewSource(arProto(ids)), hdl.NewSink(rProto(ids, bytes))}
}

type passPorts struct {
	In     axiSlave  `hdl:"s"`
	Out    axiMaster `hdl:"m_axi"`
	Clocks hdl.Out
}

// Pass hands the channels of an AXI4 port through: what a test pushes into its streams s_aw, s_w and s_ar goes to the
// memory m_axi in the same cycle, and the responses come out of s_b and s_r. IDs have 3 bits. It
// counts clocks, which makes it a clocked module.
func Pass(bytes int) *simulator.Design {
	const ids = 3
	return compiled(bytes, hdl.Block[passPorts]{
		Kind: fmt.Sprintf("pass_%d", bytes), Doc: "pass hands the channels of AXI4 through.",
		Ports: passPorts{Clocks: hdl.NewOut(8), Out: newMaster(ids, bytes), In: axiSlave{hdl.NewSink(awProto(ids)), hdl.NewSink(wProto(bytes)),
			hdl.NewSource(bProto(ids)), hdl.NewSink(arProto(ids)), hdl.NewSource(rProto(ids, bytes))}},
		Build: func(m *hdl.Module, p passPorts) {
			clocks := m.Reg("clocks_q", 8, hdl.ResetTo(0))
			m.OnClock(clocks.Set(clocks.Plus(1)))
			m.Drive(p.Clocks, clocks.Value)
			p.Out.AW.Drive(m, p.In.AW.Valid, p.In.AW.Data)
			p.In.AW.Accept(m, p.Out.AW.Ready)
			p.Out.W.Drive(m, p.In.W.Valid, p.In.W.Data)
			p.In.W.Accept(m, p.Out.W.Ready)
			p.Out.AR.Drive(m, p.In.AR.Valid, p.In.AR.Data)
			p.In.AR.Accept(m, p.Out.AR.Ready)
			p.In.B.Drive(m, p.Out.B.Valid, p.Out.B.Data)
			p.Out.B.Accept(m, p.In.B.Ready)
			p.In.R.Drive(m, p.Out.R.Valid, p.Out.R.Data)
			p.Out.R.Accept(m, p.In.R.Ready)
		},
	})
}

// Fault is a way in which a Mover breaks the rules of AXI4, set by its static input fault.
type Fault int

// The faults of a Mover. Those of an address channel are on both.
const (
	NoFault            Fault = iota
	AddressFalls             // valid of an address falls after a cycle without ready
	AddressChanges           // an address changes after a cycle without ready
	AddressUnaligned         // addresses have bit 2 set
	AddressNarrow            // bursts of half the width
	AddressFixed             // fixed bursts
	AddressCrosses           // bursts are not cut at 4 KiB
	DataFalls                // valid of data falls after a cycle without ready
	DataChanges              // data changes after a cycle without ready
	DataEndsEarly            // every beat of data is a last one
	DataDoesNotEnd           // no beat of data is a last one
	ReadAddressFalls         // as AddressFalls, on AR only
	ReadAddressChanges       // as AddressChanges, on AR only
	ReadAddressCrosses       // as AddressCrosses, on AR only
)

type moveCommand struct {
	From  hdl.Value
	To    hdl.Value
	Beats hdl.Value `doc:"at least 1"`
	Len   hdl.Value `doc:"beats of a burst - 1, at most"`
	ID    hdl.Value
}

type moveResult struct {
	Failed hdl.Value `doc:"a response was an error"`
}

type moverPorts struct {
	Command hdl.Sink[moveCommand]  `hdl:"s"`
	Done    hdl.Source[moveResult] `hdl:"m"`
	Fault   hdl.In
	AXI     axiMaster `hdl:"m_axi"`
}

// Mover copies ranges of memory, as many beats a clock as the memory hands over, one command after the other: reads are
// asked for as soon as the memory takes them, data goes from R to W in the same clock, and goes ahead of its address when W is
// faster than AW.
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

	// An address channel walks over a range in bursts.
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
		m.Unused("of no use here", count.Slice(15, 8))
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
	m.Unused("of no use here", p.AXI.R.Data.ID)
	m.Unused("of no use here", p.AXI.R.Data.Last)
	changed := fault(DataChanges).And(waited.Value).ZeroExtend(8 * bytes)
	p.AXI.W.Drive(m, valid, wBeat{Data: p.AXI.R.Data.Data.Xor(changed), Strb: hdl.Ones(bytes), Last: last})
	p.AXI.R.Accept(m, p.AXI.W.Ready.And(fault(DataFalls).And(waited.Value).Not()))
	m.OnClock(
		waited.Set(valid.And(p.AXI.W.Ready.Not())),
		hdl.If(start, line.Set(c.To.Slice(11, shift)), left.Set(c.Beats), count.Set(hdl.Zero(8))).
			ElseIf(moved, line.Set(line.Plus(1)), left.Set(left.Sub(one)), count.Set(hdl.Mux(ends, hdl.Zero(8), count.Plus(1)))))

	m.Section("Responses")
	open := m.Reg("open_q", 16, hdl.ResetTo(0))
	asked, answered := m.Let("asked", w.valid.And(p.AXI.AW.Ready)), p.AXI.B.Valid
	m.Unused("of no use here", p.AXI.B.Data.ID)
	p.AXI.B.Accept(m, hdl.Ones(1))
	idle := m.Let("idle", hdl.AllOf(r.left.IsZero(), w.left.IsZero(), left.IsZero(), open.IsZero()))
	wrong := hdl.AnyOf(answered.And(p.AXI.B.Data.Resp.Any()), moved.And(p.AXI.R.Data.Resp.Any()))
	m.OnClock(
		hdl.If(asked.And(answered.Not()), open.Set(open.Plus(1))).ElseIf(answered.And(asked.Not()), open.Set(open.Sub(one))),
		hdl.If(start, busy.Set(hdl.Ones(1)), id.Set(c.ID), length.Set(c.Len), failed.Set(hdl.Zero(1))).
			ElseIf(wrong, failed.Set(hdl.Ones(1))),
		hdl.If(busy.And(idle), done.Set(hdl.Ones(1))),
		hdl.If(done.And(p.Done.Ready), done.Set(hdl.Zero(1)), busy.Set(hdl.Zero(1))))
	p.Done.Drive(m, done.Value, moveResult{failed.Value})
}

// compiled makes a design of a block, with a memory behind its port m_axi. Channels of AXI4 are named after their valid.
func compiled[P any](bytes int, block hdl.Block[P]) *simulator.Design {
	d, err := hdl.Compile(block)
	if err != nil {
		panic(err) // the block is part of this program
	}
	e := &simulator.Design{Top: d.Top(), Clock: "clk", Reset: "rst", Ports: []simulator.Port{in("clk", 1), in("rst", 1)},
		Memories: []simulator.MemoryPort{{Name: "memory", Prefix: "m_axi", Bytes: bytes}},
		Simulate: func(o simulator.Options) (simulator.Model, error) { return gosim.Simulate(d, o) }}
	for _, f := range d.Files() {
		e.Files = append(e.Files, simulator.File{Name: f.Name, Text: f.Text})
	}
	inStream := map[string]bool{}
	for _, s := range d.Streams() {
		stream := simulator.Stream{Name: s.Name, Dir: simulator.Source, Valid: s.Valid, Ready: s.Ready, Fields: s.Fields}
		if s.Sink {
			stream.Dir = simulator.Sink
		}
		if s.Valid != s.Name+"_valid" {
			stream.Name = s.Valid[:len(s.Valid)-len("valid")]
		}
		e.Streams = append(e.Streams, stream)
		for _, name := range append([]string{s.Valid, s.Ready}, s.Fields...) {
			inStream[name] = true
		}
	}
	for _, p := range d.Ports() {
		port := in(p.Name, p.Width)
		if p.Out {
			port.Dir = simulator.Out
		} else if !inStream[p.Name] {
			e.Statics = append(e.Statics, p.Name)
		}
		e.Ports = append(e.Ports, port)
	}
	return e
}

type (
	readMaster struct {
		AR hdl.Source[arBeat] `hdl:"-"`
		R  hdl.Sink[rBeat]    `hdl:"-"`
	}
	writeMaster struct {
		AW hdl.Source[awBeat] `hdl:"-"`
		W  hdl.Source[wBeat]  `hdl:"-"`
		B  hdl.Sink[bBeat]    `hdl:"-"`
	}
	bridgePorts struct {
		Line hdl.Sink[bridgeLine] `hdl:"s"`
		From readMaster           `hdl:"m_from"`
		To   writeMaster          `hdl:"m_to"`
	}
	bridgeLine struct{ Address hdl.Value }
)

// Bridge copies lines of 64 bytes from the memory "from", which it only reads, 8 bytes a clock, to the memory "to", which it
// only writes, 64 bytes a clock.
func Bridge() *simulator.Design {
	const ids = 2
	d := compiled(64, hdl.Block[bridgePorts]{
		Kind: "bridge", Doc: "bridge copies lines from one memory to another.",
		Ports: bridgePorts{Line: hdl.NewSink(bridgeLine{hdl.Bits(64)}),
			From: readMaster{hdl.NewSource(arProto(ids)), hdl.NewSink(rProto(ids, 8))},
			To:   writeMaster{hdl.NewSource(awProto(ids)), hdl.NewSource(wProto(64)), hdl.NewSink(bProto(ids))}},
		Build: buildBridge,
	})
	d.Memories = []simulator.MemoryPort{{Name: "to", Prefix: "m_to", Bytes: 64}, {Name: "from", Prefix: "m_from", Bytes: 8}}
	return d
}

// buildBridge sends a line's two addresses at once when both channels are free, so that one waits for neither.
func buildBridge(m *hdl.Module, p bridgePorts) {
	asks := m.Reg("asks_q", 1, hdl.ResetTo(0))
	tells := m.Reg("tells_q", 1, hdl.ResetTo(0))
	address := m.Reg("address_q", 64, hdl.NoReset)
	line := m.Reg("line_q", 512, hdl.NoReset)
	full := m.Reg("full_q", 1, hdl.ResetTo(0))
	ready := m.Let("ready", hdl.AllOf(asks.Not().Or(p.From.AR.Ready), tells.Not().Or(p.To.AW.Ready)))
	p.Line.Accept(m, ready)
	take := m.Let("take", ready.And(p.Line.Valid))
	p.From.AR.Drive(m, asks.Value, arBeat{ID: hdl.Const(2, 1), Addr: address.Value, Len: hdl.Const(8, 7), Size: hdl.Const(3, 3), Burst: hdl.Const(2, 1)})
	p.To.AW.Drive(m, tells.Value, awBeat{ID: hdl.Const(2, 2), Addr: address.Value, Len: hdl.Zero(8), Size: hdl.Const(3, 6), Burst: hdl.Const(2, 1)})

	free := m.Let("free", full.Not().Or(p.To.W.Ready))
	beat := m.Let("beat", free.And(p.From.R.Valid))
	p.From.R.Accept(m, free)
	p.To.W.Drive(m, full.Value, wBeat{Data: line.Value, Strb: hdl.Ones(64), Last: hdl.Ones(1)})
	p.To.B.Accept(m, hdl.Ones(1))
	m.Unused("of no use here", p.From.R.Data.ID)
	m.Unused("of no use here", p.From.R.Data.Resp)
	m.Unused("of no use here", p.To.B.Valid)
	m.Unused("of no use here", p.To.B.Data.ID)
	m.Unused("of no use here", p.To.B.Data.Resp)
	m.OnClock(
		hdl.If(p.From.AR.Ready, asks.Set(hdl.Zero(1))), hdl.If(p.To.AW.Ready, tells.Set(hdl.Zero(1))),
		hdl.If(take, asks.Set(hdl.Ones(1)), tells.Set(hdl.Ones(1)), address.Set(p.Line.Data.Address)),
		hdl.If(p.To.W.Ready, full.Set(hdl.Zero(1))),
		hdl.If(beat, line.Set(hdl.Cat(p.From.R.Data.Data, line.Slice(511, 64))), full.Set(p.From.R.Data.Last)))
}
