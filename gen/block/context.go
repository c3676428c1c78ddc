package block

import "github.com/rnicgen/rnicgen/hdl"

// Context is the state of every stream: one word per stream in RAM. After reset the sweep writes the initial word to all;
// until it is done nothing else is written.
type Context struct {
	m       *hdl.Module
	name    string
	initial hdl.Value
	sweep   Sweep
	memory  *hdl.Memory
}

// NewContext declares the words in the memory name, as many as the sweep names. initial is the word of a stream that has
// not been opened.
func NewContext(m *hdl.Module, name string, initial hdl.Value, sweep Sweep) Context {
	return Context{m, name, initial, sweep, m.Memory(name, initial.Width(), 1<<sweep.Row.Width())}
}

// Change is a word that becomes a stream's. Without a Word it is the initial one.
type Change struct {
	When         hdl.Value // 1 bit
	Stream, Word hdl.Value
}

// Write lists the changes, that of the highest priority first; one is written per cycle. A change that loses is lost: its
// owner has to wait.
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

// first is the choice whose condition is 1 first; when none is, it is not looked at.
func first(choices []hdl.When) hdl.Value {
	last := len(choices) - 1
	return hdl.Select(choices[last].Then, choices[:last]...)
}

// Read is the word of a stream in the cycle after enable, with what the cycle of enable has written. Its register is
// name + "_q".
func (c Context) Read(name string, enable, stream hdl.Value) hdl.Value {
	return c.memory.Read(name+"_q", enable, stream, hdl.ReadNew)
}

// ReadAlone is [Context.Read] for a cycle in which nothing is written.
func (c Context) ReadAlone(name string, enable, stream hdl.Value) hdl.Value {
	return c.memory.Read(name+"_q", enable, stream, hdl.ReadOld)
}

// Loop is a read-modify-write of one word per cycle: a stream is read in one cycle and decided in the next, also when the
// cycle before has decided the same stream.
type Loop struct {
	Now    hdl.Value // the word of the stream that is being decided
	valid  hdl.Reg
	stream hdl.Reg
	word   hdl.Reg
}

// Loop reads the word of a stream when enable is 1. decided is that stream from the next cycle on, until it is decided. The
// last decision stays in registers: writing it again changes nothing, and the one that follows finds it there.
func (c Context) Loop(enable, stream, decided hdl.Value) Loop {
	l := Loop{valid: c.m.Reg("update_valid_q", 1, hdl.ResetTo(0)), stream: c.m.Reg("update_stream_q", stream.Width(), hdl.NoReset),
		word: c.m.Reg("update_q", c.initial.Width(), hdl.NoReset)}
	c.Write(Change{When: l.valid.Value, Stream: l.stream.Value, Word: l.word.Value})
	stored := c.Read("stored", enable, stream)
	forward := c.m.Let("forward", l.valid.And(l.stream.Eq(decided)))
	l.Now = c.m.Let(c.name+"_now", hdl.Mux(forward, l.word.Value, stored))
	return l
}

// Decide makes word that of the stream.
func (l Loop) Decide(stream, word hdl.Value) hdl.Stmt {
	return hdl.Stmts{l.valid.Set(hdl.Ones(1)), l.stream.Set(stream), l.word.Set(word)}
}
