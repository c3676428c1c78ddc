package block

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl"
)

// Context is the state of every stream: one word per stream in RAM. After reset the sweep writes the initial word to all;
// until it is done, nothing else is written.
type Context struct {
	m       *hdl.Module
	name    string
	initial hdl.Value
	sweep   Sweep
	memory  *hdl.Memory
}

// NewContext declares the words in the memory name, one per row of the sweep. initial is the word of a stream that has not been
// opened.
func NewContext(m *hdl.Module, name string, initial hdl.Value, sweep Sweep) Context {
	return Context{m, name, initial, sweep, m.Memory(name, initial.Width(), 1<<sweep.Row.Width())}
}

// Change sets the word of a stream, to the initial one if Word is unset.
type Change struct {
	When         hdl.Value // 1 bit
	Stream, Word hdl.Value
}

// Write applies one of the changes per cycle, the first with When set. The others are lost: their owners have to wait.
func (c Context) Write(changes ...Change) {
	any, rows, words := []hdl.Value{}, []hdl.When{}, []hdl.When{}
	for _, ch := range append([]Change{{When: c.sweep.Done.Not(), Stream: c.sweep.Row}}, changes...) {
		if ch.Word.Width() == 0 {
			ch.Word = c.initial
		}
		any = append(any, ch.When)
		rows = append(rows, hdl.When{Cond: ch.When, Then: ch.Stream})
		words = append(words, hdl.When{Cond: ch.When, Then: ch.Word})
	}
	c.memory.Write(c.m.Let("write_"+c.name, hdl.AnyOf(any...)), c.m.Let(c.name+"_row", first(rows)), c.m.Let(c.name+"_word", first(words)))
}

// first selects the first choice whose condition is 1; the result is not used if there is none.
func first(choices []hdl.When) hdl.Value {
	last := len(choices) - 1
	return hdl.Select(choices[last].Then, choices[:last]...)
}

// Read returns the word of a stream in the cycle after enable, including a write in the cycle of enable. Its register is name + "_q".
func (c Context) Read(name string, enable, stream hdl.Value) hdl.Value {
	return c.memory.Read(name+"_q", enable, stream, hdl.ReadNew)
}

// ReadAlone is [Context.Read] for a cycle in which nothing is written.
func (c Context) ReadAlone(name string, enable, stream hdl.Value) hdl.Value {
	return c.memory.Read(name+"_q", enable, stream, hdl.ReadOld)
}

// Loop is a read-modify-write of one word per cycle: a stream is read in one cycle and decided in the next, even if the previous cycle
// decided the same stream.
type Loop struct {
	Now    hdl.Value // the word of the stream that is being decided
	valid  hdl.Reg
	stream hdl.Reg
	word   hdl.Reg
}

// Loop reads the word of a stream when enable is 1. decided is that stream from the next cycle until its decision. The latest decision
// stays in registers, where the next one finds it; writing it again changes nothing.
func (c Context) Loop(enable, stream, decided hdl.Value) Loop {
	l := Loop{valid: c.m.Reg("update_valid_q", 1, hdl.ResetTo(0)), stream: c.m.Reg("update_stream_q", stream.Width(), hdl.NoReset),
		word: c.m.Reg("update_q", c.initial.Width(), hdl.NoReset)}
	c.Write(Change{When: l.valid.Value, Stream: l.stream.Value, Word: l.word.Value})
	stored := c.Read("stored", enable, stream)
	forward := c.m.Let("forward", l.valid.And(l.stream.Eq(decided)))
	l.Now = c.m.Let(c.name+"_now", hdl.Mux(forward, l.word.Value, stored))
	return l
}

// Decide sets the word of the stream.
func (l Loop) Decide(stream, word hdl.Value) hdl.Stmt {
	return hdl.Stmts{l.valid.Set(hdl.Ones(1)), l.stream.Set(stream), l.word.Set(word)}
}

// Stage is a read-modify-write of one word per cycle in a [Pipeline]: the stream is known in one stage; its word is available two stages
// later, where its new value is decided. The choice between the memory and the decisions of items ahead is made a cycle earlier.
type Stage struct {
	Now  hdl.Value // the word of the stream in the stage of the decision
	next hdl.Wire
}

// Stage reads the words of the streams in a pipeline, starting in stage.
func (c Context) Stage(p *Pipeline, stage int, stream *Signal) Stage {
	m, width := c.m, c.initial.Width()
	l := Stage{next: m.Wire(c.name+"_next", width)}
	var ahead [4]hdl.Value // the same stream is 1 to 3 stages ahead
	for n := 1; n < len(ahead); n++ {
		same := m.Reg(fmt.Sprintf("%s_ahead_%d_q", c.name, n), 1, hdl.NoReset)
		m.OnClock(same.Set(p.Valid(stage + n).And(stream.At(stage + n).Eq(stream.At(stage)))))
		ahead[n] = same.Value
	}
	decided := m.Reg(c.name+"_decided_q", width, hdl.NoReset)
	kept := m.Reg(c.name+"_kept_q", width, hdl.NoReset)
	c.Write(Change{When: p.Valid(stage + 3), Stream: stream.At(stage + 3), Word: decided.Value})
	stored := c.memory.Read(c.name+"_stored_q", p.Valid(stage), stream.At(stage), hdl.ReadOld)
	now := m.Reg(c.name+"_q", width, hdl.NoReset)
	m.OnClock(decided.Set(l.next.Value), kept.Set(decided.Value),
		now.Set(hdl.Select(stored, hdl.When{Cond: ahead[1], Then: l.next.Value}, hdl.When{Cond: ahead[2], Then: decided.Value},
			hdl.When{Cond: ahead[3], Then: kept.Value})))
	l.Now = now.Value
	return l
}

// Decide sets the new word.
func (l Stage) Decide(m *hdl.Module, word hdl.Value) { m.Drive(l.next.Out(), word) }
