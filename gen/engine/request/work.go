package request

import (
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// WorkMessage is a work request that is sent: its stream, and its number on the stream.
type WorkMessage struct {
	Stream hdl.Value `doc:"number of the stream"`
	Number hdl.Value `doc:"of the work request on its stream, modulo twice the ring"`
}

// WorkMessageOf is the prototype.
func WorkMessageOf(c engine.Config) WorkMessage {
	return WorkMessage{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Number: hdl.Bits(numberBits(c))}
}

// Reopened is a stream that is opened or closed: nothing of it is in progress. Its work requests are numbered from Oldest on, its Reads
// and Atomics from Finished on.
type Reopened struct {
	Stream   hdl.Value `doc:"number of the stream"`
	Oldest   hdl.Value `doc:"number of the next work request to complete"`
	Finished hdl.Value `doc:"number of the next Read or Atomic to complete"`
	Domain   hdl.Value `doc:"protection domain"`
	Places   any       `hdl:"-"` // *placeCount: number of the next place; nil if it is that of the work request
}

// ReopenedOf is the prototype.
func ReopenedOf(c engine.Config) Reopened {
	return Reopened{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Oldest: hdl.Bits(numberBits(c)), Finished: hdl.Bits(requestBits(c)), Domain: hdl.Bits(engine.DomainBits),
		Places: placesOf(c)}
}

// Progress is how far the work requests of a stream are complete. Work requests are counted modulo twice the limit of those in
// progress, Reads and Atomics modulo twice the limit of those without a response.
type Progress struct {
	Oldest   hdl.Value // completed work requests, which is the number of the oldest one in progress
	Finished hdl.Value // completed Reads and Atomics
	Places   any       `hdl:"-"` // *placeCount: those of completed work requests; nil if each has one
}

// ProgressOf is the prototype.
func ProgressOf(c engine.Config) Progress {
	return Progress{Oldest: hdl.Bits(numberBits(c)), Finished: hdl.Bits(requestBits(c)), Places: placesOf(c)}
}

// numberBits is the width of the number of a work request, requestBits of that of a Read or Atomic.
func numberBits(c engine.Config) int  { return block.IndexWidth(c.SendDepth) + 1 }
func requestBits(c engine.Config) int { return block.IndexWidth(c.ORD) + 1 }

// UnderWay is an issued work request that is not complete.
type UnderWay struct {
	ID       hdl.Value `hdl:"id"`
	Opcode   hdl.Value
	Signaled hdl.Value
	Length   hdl.Value
	Asks     hdl.Value // it has a response
	Returns  hdl.Value // with data for its completion
	Failed   hdl.Value // its local buffer failed the check
	Compared any       // *comparedWork; nil if no response is compared
	Behind   any       `hdl:"-"` // *placeCount: number of the place after its last one; nil if each work request has one
}

// comparedWork says whether the response is compared: its data is 1 if it differs.
type comparedWork struct{ Compares hdl.Value }

func comparedOf(c engine.Config) any {
	if c.Profile.ComparedTag() == nil {
		return nil
	}
	return &comparedWork{hdl.Bits(1)}
}

// UnderWayOf is the prototype.
func UnderWayOf(c engine.Config) UnderWay {
	bit := hdl.Bits(1)
	return UnderWay{ID: hdl.Bits(64), Opcode: hdl.Bits(c.Profile.OpcodeBits()), Signaled: bit, Length: hdl.Bits(32), Asks: bit, Returns: bit, Failed: bit, Compared: comparedOf(c), Behind: placesOf(c)}
}

// waitingWork is a work request in the ring of its stream.
type waitingWork struct {
	ID       hdl.Value `hdl:"id"`
	Signaled hdl.Value
	Opcode   hdl.Value
	Local    engine.Buffer
	Length   hdl.Value
	Remote   engine.Buffer
	Operands engine.AtomicOperands `hdl:"atomic"`
	Tag      any
	TooLong  any `hdl:"-"` // *tooLong; nil if each work request has one place
}

func waitingWorkOf(c engine.Config) waitingWork {
	w := engine.WorkRequestOf(c)
	return waitingWork{ID: w.ID, Signaled: w.Signaled, Opcode: w.Opcode, Local: w.Local, Length: w.Length, Remote: w.Remote, Operands: w.Operands, Tag: w.Tag, TooLong: tooLongOf(c)}
}

// token names the stream that it belongs to.
type token struct{ Stream hdl.Value }

func tokenOf(c engine.Config) token { return token{hdl.Bits(block.IndexWidth(c.Streams))} }

// tokenLists are lists of tokens, by name, each with room for those of all streams. The result is what is first in one of them.
func tokenLists(m *hdl.Module, c engine.Config, names ...string) (lists map[string]hdl.Source[token], next hdl.Sink[token]) {
	lists = map[string]hdl.Source[token]{}
	var outs []hdl.Sink[token]
	for _, name := range names {
		in, out := hdl.NewStream(m, name, tokenOf(c)), hdl.NewStream(m, name+"_first", tokenOf(c))
		block.Fifo(m, name+"_list", max(2, c.Streams), in.Sink(), out.Source())
		lists[name], outs = in.Source(), append(outs, out.Sink())
	}
	for n := 0; len(outs) > 1; n++ {
		both := hdl.NewStream(m, names[n]+"_merged", tokenOf(c))
		block.Merge(m, names[n]+"_merge", outs[0], outs[1], both.Source())
		outs = append(outs[2:], both.Sink())
	}
	return lists, outs[0]
}

// exceeds is 1 if v is more than limit.
func exceeds(v hdl.Value, limit uint64) hdl.Value {
	if v.Width() < bits.Len64(limit) {
		return hdl.Zero(1)
	}
	return hdl.Const(v.Width(), limit).Lt(v)
}

// least is the smaller of v and most, in the width of most.
func least(v hdl.Value, most uint64) hdl.Value {
	width := bits.Len64(most)
	if v.Width() < width {
		return v.ZeroExtend(width)
	}
	limit := hdl.Const(width, most)
	if v.Width() == width {
		return hdl.Mux(v.Lt(limit), v, limit)
	}
	return hdl.Mux(v.Lt(hdl.Const(v.Width(), most)), v.Truncate(width), limit)
}

// walk goes through consecutive numbers of work requests of a stream, one per cycle.
type walk[T any] struct {
	data        T // what the walk is for
	valid       hdl.Value
	number      hdl.Value
	goes        hdl.Value // it is passed in this cycle
	first, last hdl.Value
	exists      hdl.Value // 0: there is none, and the walk ends
}

// newWalk is a walk for each beat of in: through count numbers from from on, or none if count is 0. It goes on while may
// is 1, and ends early when stops is.
func newWalk[T any](m *hdl.Module, name string, in hdl.Sink[T], from, count, may, stops hdl.Value) walk[T] {
	width := count.Width()
	data := hdl.NewRegOf(m, name+"_of", in.Data, hdl.NoReset)
	number, left := m.Reg(name+"_number_q", from.Width(), hdl.NoReset), m.Reg(name+"_left_q", width, hdl.NoReset)
	valid, first := m.Reg(name+"_valid_q", 1, hdl.ResetTo(0)), m.Reg(name+"_first_q", 1, hdl.NoReset)
	last, exists := m.Reg(name+"_last_q", 1, hdl.NoReset), m.Reg(name+"_exists_q", 1, hdl.NoReset)
	ends := m.Let(name+"_ends", last.Or(stops))
	goes := m.Let(name+"_goes", valid.And(may))
	m.Note("The next walk does not wait for the decision to stop this one.")
	free := m.Let(name+"_free", valid.Not().Or(may.And(last.Value)))
	in.Accept(m, free)
	m.OnClock(
		hdl.If(free, valid.Set(in.Valid), data.Set(in.Data), number.Set(from), left.Set(count), first.Set(hdl.Ones(1)), last.Set(count.Slice(width-1, 1).IsZero()), exists.Set(count.Any())).
			ElseIf(goes, valid.Set(stops.Not()), number.Set(number.Plus(1)), left.Set(left.Minus(1)), first.Set(hdl.Zero(1)), last.Set(left.Is(2))))
	return walk[T]{data: data.Q, valid: valid.Value, number: number.Value, goes: goes, first: first.Value, last: ends, exists: exists.Value}
}
