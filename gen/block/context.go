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

// NewNumbered declares 2^bits words that are neither cleared after reset nor of a stream each. Their user writes each before it reads it.
func NewNumbered(m *hdl.Module, name string, initial hdl.Value, bits int) Context {
	return Context{m: m, name: name, initial: initial, memory: m.Memory(name, initial.Width(), 1<<bits)}
}

// Change sets the word of a stream, to the initial one if Word is unset.
type Change struct {
	When         hdl.Value // 1 bit
	Stream, Word hdl.Value
}

// Write applies one of the changes per cycle, the first with When set, and returns it. The others are lost: their owners have to wait.
func (c Context) Write(changes ...Change) (written Change) {
	any, rows, words := []hdl.Value{}, []hdl.When{}, []hdl.When{}
	if c.sweep.Done.Width() > 0 {
		changes = append([]Change{{When: c.sweep.Done.Not(), Stream: c.sweep.Row}}, changes...)
	}
	for _, ch := range changes {
		if ch.Word.Width() == 0 {
			ch.Word = c.initial
		}
		any = append(any, ch.When)
		rows = append(rows, hdl.When{Cond: ch.When, Then: ch.Stream})
		words = append(words, hdl.When{Cond: ch.When, Then: ch.Word})
	}
	written = Change{When: c.m.Let("write_"+c.name, hdl.AnyOf(any...)), Stream: c.m.Let(c.name+"_row", first(rows)), Word: c.m.Let(c.name+"_word", first(words))}
	c.memory.Write(written.When, written.Stream, written.Word)
	return written
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

// ReadBefore is [Context.Read] without what the cycle of enable writes.
func (c Context) ReadBefore(name string, enable, stream hdl.Value) hdl.Value {
	return c.ReadAlone(name, enable, stream)
}

// Loop is a read-modify-write of one word per cycle: a stream is read in one cycle and decided in the next, also when the
// cycle before has decided the same stream. Whether that is so is compared while the word is read.
type Loop struct {
	Now  hdl.Value // the word of the stream that is being decided
	c    Context
	user LoopUser
	word hdl.Reg // decided last
	last Change  // the word that was decided last, as it is written

	written Change  // in this cycle
	kept    hdl.Reg // written in the cycle before
	now     latest  // between which Now is the choice
	tests   latest  // the same for tests, of which the choice has few loads
}

// latest are the words between which the latest one is the choice: that decided last, that written last, that in memory.
type latest struct{ isDecided, isWritten, stored hdl.Value }

// LoopUser says what a [Loop] works on.
type LoopUser struct {
	Read     hdl.Value // 1: the word of Stream is read; it is decided in the next cycle
	Stream   hdl.Value
	Deciding hdl.Value // 1: Decided gets a new word in this cycle
	Decided  hdl.Value
}

// Loop has one decision per cycle, made with [Loop.Decide].
func (c Context) Loop(u LoopUser) Loop {
	width := c.initial.Width()
	l := Loop{c: c, user: u, word: c.m.Reg(c.name+"_update_q", width, hdl.NoReset), kept: c.m.Reg(c.name+"_written_q", width, hdl.NoReset)}
	valid, stream := c.m.Reg(c.name+"_update_valid_q", 1, hdl.ResetTo(0)), c.m.Reg(c.name+"_update_stream_q", u.Stream.Width(), hdl.NoReset)
	l.last = Change{When: valid.Value, Stream: stream.Value, Word: l.word.Value}
	l.written = c.Write(l.last)
	c.m.OnClock(valid.Set(u.Deciding), stream.Set(u.Decided), l.kept.Set(l.written.Word))
	l.now = l.latest(c.name, u.Read, u.Stream)
	l.tests = l.now
	l.Now = l.choose(c.name, l.now)
	return l
}

// ForTests gives [Loop.Test] registers of its own for the choice. They hold the inverse: synthesis would merge equal ones.
func (l Loop) ForTests() Loop {
	other, older := l.c.m.Reg(l.c.name+"_is_not_decided_q", 1, hdl.NoReset), l.c.m.Reg(l.c.name+"_is_not_written_q", 1, hdl.NoReset)
	decided, written := l.changes(l.user.Stream)
	l.c.m.OnClock(other.Set(decided.Not()), older.Set(written.Not()))
	l.tests = latest{other.Not(), older.Not(), l.now.stored}
	return l
}

// Test is a condition of Now, tested on all words between which Now is the choice.
func (l Loop) Test(condition func(word hdl.Value) hdl.Value) hdl.Value {
	return hdl.Select(condition(l.tests.stored), hdl.When{Cond: l.tests.isDecided, Then: condition(l.word.Value)},
		hdl.When{Cond: l.tests.isWritten, Then: condition(l.kept.Value)})
}

// Latest is another read port: the word of a stream in the cycle after enable, with the decisions of all earlier cycles.
func (l Loop) Latest(name string, enable, stream hdl.Value) hdl.Value {
	return l.choose(name, l.latest(name, enable, stream))
}

func (l Loop) latest(name string, enable, stream hdl.Value) latest {
	decided, written := l.c.m.Reg(name+"_is_decided_q", 1, hdl.NoReset), l.c.m.Reg(name+"_is_written_q", 1, hdl.NoReset)
	isDecided, isWritten := l.changes(stream)
	l.c.m.OnClock(decided.Set(isDecided), written.Set(isWritten))
	return latest{decided.Value, written.Value, l.c.ReadBefore(name+"_stored", enable, stream)}
}

// changes reports whether a stream is decided, or written, in this cycle.
func (l Loop) changes(stream hdl.Value) (isDecided, isWritten hdl.Value) {
	return l.user.Deciding.And(l.user.Decided.Eq(stream)), l.written.When.And(l.written.Stream.Eq(stream))
}

func (l Loop) choose(name string, of latest) hdl.Value {
	return l.c.m.Let(name+"_now", hdl.Select(of.stored, hdl.When{Cond: of.isDecided, Then: l.word.Value}, hdl.When{Cond: of.isWritten, Then: l.kept.Value}))
}

// Stored is a read port without a forwarding multiplexer: the word of a stream in the cycle after enable as memory has it, and whether it is
// the latest one. It is not if the stream was decided in the cycle of enable or in the one before.
func (l Loop) Stored(name string, enable, stream hdl.Value) (word, isLatest hdl.Value) {
	m := l.c.m
	changed := m.Reg(name+"_has_changed_q", 1, hdl.NoReset)
	m.OnClock(changed.Set(l.user.Deciding.And(l.user.Decided.Eq(stream)).Or(l.last.When.And(l.last.Stream.Eq(stream)))))
	return l.c.ReadBefore(name, enable, stream), changed.Not()
}

// Decide makes word that of the stream that is being decided.
func (l Loop) Decide(word hdl.Value) { l.c.m.OnClock(l.word.Set(word)) }

// Stage is a read-modify-write of one word per cycle in a [Pipeline]: a stream is named in one stage, its word is there two stages later,
// and what it becomes is decided in that stage. The choice between what memory has and what the streams ahead decide is made a
// cycle before.
type Stage struct {
	Now  hdl.Value // the word of the stream in the stage of the decision
	next hdl.Wire

	m                     *hdl.Module
	c                     Context
	pipe                  *Pipeline
	stage                 int
	stream                *Signal
	ahead                 [4]hdl.Value // the same stream is 1 to 3 stages ahead
	stored, decided, kept hdl.Value
}

// Stage reads the words of the streams in a pipeline, starting in stage.
func (c Context) Stage(p *Pipeline, stage int, stream *Signal) Stage {
	m, width := c.m, c.initial.Width()
	l := Stage{m: m, c: c, pipe: p, stage: stage, stream: stream, next: m.Wire(c.name+"_next", width)}
	ahead := &l.ahead
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
	l.Now, l.stored, l.decided, l.kept = now.Value, stored, decided.Value, kept.Value
	return l
}

// Early is a condition of Now that is tested a stage before, on each word between which Now is the choice. ahead is the condition of the word that
// the stage of the decision decides in the same cycle.
func (l Stage) Early(name string, ahead hdl.Value, of func(word hdl.Value) hdl.Value) hdl.Value {
	early := l.m.Reg(name+"_q", 1, hdl.NoReset)
	l.m.OnClock(early.Set(hdl.Select(of(l.stored), hdl.When{Cond: l.ahead[1], Then: ahead}, hdl.When{Cond: l.ahead[2], Then: of(l.decided)},
		hdl.When{Cond: l.ahead[3], Then: of(l.kept)})))
	return early.Value
}

// Decide sets the new word.
func (l Stage) Decide(m *hdl.Module, word hdl.Value) { m.Drive(l.next.Out(), word) }

// Latest is another read port: the word of a stream in the cycle after enable, with the decisions of all earlier cycles.
func (l Stage) Latest(name string, enable, stream hdl.Value) hdl.Value {
	isDecided, isWritten := l.m.Reg(name+"_is_decided_q", 1, hdl.NoReset), l.m.Reg(name+"_is_written_q", 1, hdl.NoReset)
	in := func(stage int) hdl.Value { return l.pipe.Valid(stage).And(l.stream.At(stage).Eq(stream)) }
	l.m.OnClock(isDecided.Set(in(l.stage+2)), isWritten.Set(in(l.stage+3)))
	stored := l.c.ReadBefore(name+"_stored", enable, stream)
	return l.m.Let(name+"_now", hdl.Select(stored, hdl.When{Cond: isDecided.Value, Then: l.decided}, hdl.When{Cond: isWritten.Value, Then: l.kept}))
}
