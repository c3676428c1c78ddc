package digest

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// waitingRange is a range of memory that waits for a turn.
type waitingRange struct {
	Stream  hdl.Value `doc:"number of the stream"`
	Mark    hdl.Value `doc:"what the algorithm needs to know of the range"`
	Begun   hdl.Value `doc:"1: it had a turn"`
	Address hdl.Value `doc:"of the first octet"`
	Length  hdl.Value `doc:"octets, may be 0"`
}

// partOf says what a part is to its range.
type partOf struct {
	Stream  hdl.Value `doc:"number of the stream"`
	Mark    hdl.Value `doc:"that of the range"`
	Begins  hdl.Value `doc:"1: first part of the range"`
	Resumes hdl.Value `doc:"1: first part of a later turn: the state of the range comes from memory"`
	Soon    hdl.Value `doc:"1: it resumes, and the state that was saved last is its"`
	Leaves  hdl.Value `doc:"1: last part of a turn, but not of the range: its state goes to memory"`
	Ends    hdl.Value `doc:"1: last part of the range"`
}

// Opens is 1 for the first part of a turn.
func (p partOf) Opens() hdl.Value { return p.Begins.Or(p.Resumes) }

// part is a part of a range.
type part struct {
	Of      partOf    `hdl:"-"`
	Address hdl.Value `doc:"of the first octet"`
	Length  hdl.Value `doc:"octets; 0 only if the range has none"`
}

// cutter is how an algorithm wants its ranges cut.
type cutter struct {
	kind, doc  string // of the block
	streamBits int
	markBits   int
	octetBits  int  // the logarithm of the octets of a part
	aligned    bool // parts end at multiples of their octets
}

func (c cutter) octets() int { return 1 << c.octetBits }

func (c cutter) rangeOf() waitingRange {
	return waitingRange{Stream: hdl.Bits(c.streamBits), Mark: hdl.Bits(c.markBits), Begun: hdl.Bits(1), Address: hdl.Bits(64), Length: hdl.Bits(32)}
}

func (c cutter) partOf() partOf {
	bit := hdl.Bits(1)
	return partOf{Stream: hdl.Bits(c.streamBits), Mark: hdl.Bits(c.markBits), Begins: bit, Resumes: bit, Soon: bit, Leaves: bit, Ends: bit}
}

// TurnsPorts are ranges in, their parts out.
type TurnsPorts struct {
	Range hdl.Sink[waitingRange]
	Part  hdl.Source[part]
}

// turnsDoc is for what the parts are, and their octets.
const turnsDoc = `%s lets the ranges of all streams take turns. A range is cut into parts of at most %d octets%s.
A range keeps its turn while no other one waits; otherwise its turn ends with a part of that length, and it waits for
the others to have theirs. A stream has at most one range here, so that there is room for all. A part takes two cycles, the first one of
a turn four.`

// turns is for as many streams as numbers of streamBits.
func turns(c cutter) hdl.Block[TurnsPorts] {
	return hdl.Block[TurnsPorts]{
		Kind: c.kind, Doc: c.doc, Params: []hdl.Param{{Name: "stream_bits", Value: c.streamBits}, {Name: "octet_bits", Value: c.octetBits}},
		Ports: TurnsPorts{Range: hdl.NewSink(c.rangeOf()),
			Part: hdl.NewSource(part{Of: c.partOf(), Address: hdl.Bits(64), Length: hdl.Bits(c.octetBits + 1)})},
		Build: func(m *hdl.Module, p TurnsPorts) { buildTurns(m, p, c) },
	}
}

// turnState is what happens to the range whose turn it is.
type turnState int

const (
	choosing  turnState = iota // the range that has waited longest
	cutting                    // into its next part and what is left
	offering                   // the part
	returning                  // what is left waits
)

func (s turnState) String() string {
	return [...]string{"choosing", "cutting", "offering", "returning"}[s]
}

// turnRange is what does not change of a range.
type turnRange struct{ Mark, Address, Length hdl.Value }

// turnOf is what is left of a range that waits.
type turnOf struct {
	Stream hdl.Value
	Begun  hdl.Value
	Left   hdl.Value // octets
}

func buildTurns(m *hdl.Module, p TurnsPorts, c cutter) {
	k := c.octetBits
	m.Section("Ranges, by stream; what waits is how much is left of each")
	state := hdl.NewFSM(m, "state", choosing, cutting, offering, returning)
	turn := turnOf{Stream: hdl.Bits(c.streamBits), Begun: hdl.Bits(1), Left: hdl.Bits(32)}
	r := hdl.NewRegOf(m, "range", turn, hdl.NoReset)
	returns := m.Let("returns", state.Is(returning))
	p.Range.Accept(m, returns.Not())
	in := p.Range.Data
	fixed := turnRange{Mark: in.Mark, Address: in.Address, Length: in.Length}
	ranges := m.Memory("ranges", hdl.PackedWidth(fixed), 1<<c.streamBits)
	ranges.Write(p.Range.Valid.And(returns.Not()), in.Stream, hdl.Pack(fixed))
	left := r.Q
	left.Begun = hdl.Ones(1)
	waits := hdl.NewStream(m, "waiting", turn)
	enters := m.Let("enters", hdl.Mux(returns, hdl.Pack(left), hdl.Pack(turnOf{Stream: in.Stream, Begun: in.Begun, Left: in.Length})))
	block.Roomy(m, "waiting_ranges", max(2, 1<<c.streamBits), p.Range.Valid.Or(returns), hdl.Unpack(turn, enters), waits.Source())
	next := waits.Sink()
	next.Accept(m, m.Let("is_choosing", state.Is(choosing)))
	of := hdl.LetOf(m, "chosen", hdl.Unpack(fixed, ranges.Read("chosen_q", state.Is(choosing), next.Data.Stream, hdl.ReadOld)))

	m.Section("The next part; the range keeps its turn while no other one waits")
	most := m.Let("most", hdl.Const(k+1, uint64(c.octets())))
	whole := hdl.Ones(1)
	if c.aligned {
		m.Note("Only the first part of a range may begin between two boundaries.")
		behind := m.Let("behind_boundary", of.Address.Truncate(k).And(r.Q.Begun.Not().Replicate(k)))
		most = m.Let("to_boundary", most.Sub(behind.ZeroExtend(k+1)))
		whole = behind.IsZero()
	}
	fits := m.Let("fits", r.Q.Left.Le(most.ZeroExtend(32)))
	leaves := m.Let("leaves", hdl.AllOf(fits.Not(), whole, next.Valid))
	opens := m.Reg("opens_q", 1, hdl.NoReset)
	offered := hdl.NewRegOf(m, "part", c.partOf(), hdl.NoReset)
	address, length := m.Reg("address_q", 64, hdl.NoReset), m.Reg("length_q", k+1, hdl.NoReset)
	last := m.Reg("last_to_leave_q", c.streamBits, hdl.NoReset)
	resumes := m.Let("resumes", opens.And(r.Q.Begun))
	done := m.Let("octets_done", of.Length.Sub(r.Q.Left))
	m.OnClock(state.Switch(
		state.In(choosing, r.Set(next.Data), opens.Set(hdl.Ones(1)), hdl.If(next.Valid, state.Go(cutting))),
		state.In(cutting, address.Set(of.Address.Add(done.ZeroExtend(64))), length.Set(hdl.Mux(fits, r.Q.Left.Truncate(k+1), most)),
			offered.Set(partOf{Stream: r.Q.Stream, Mark: of.Mark, Begins: r.Q.Begun.Not(), Resumes: resumes, Soon: resumes.And(r.Q.Stream.Eq(last.Value)), Leaves: leaves, Ends: fits}),
			state.Go(offering)),
		state.In(offering, hdl.If(p.Part.Ready,
			r.Set(turnOf{Stream: r.Q.Stream, Begun: hdl.Ones(1), Left: r.Q.Left.Sub(length.ZeroExtend(32))}), opens.Set(hdl.Zero(1)), state.Go(cutting),
			hdl.If(offered.Q.Leaves, last.Set(r.Q.Stream), state.Go(returning)),
			hdl.If(offered.Q.Ends, state.Go(choosing)))),
		state.In(returning, state.Go(choosing))))
	p.Part.Drive(m, m.Let("is_offering", state.Is(offering)), part{Of: offered.Q, Address: address.Value, Length: length.Value})
}
