package ordering

import "fmt"

// Record is one step of one message.
type Record struct {
	Time      uint64
	Stream    uint32
	Message   uint64 // place among the messages of the stream, in the order in which they were issued
	Operation Operation
	Step      Step
}

// String reads, for example, "time 7: stream 2, message 3, Send: completed".
func (r Record) String() string {
	return fmt.Sprintf("time %d: stream %d, message %d, %v: %v", r.Time, r.Stream, r.Message, r.Operation, r.Step)
}

// Violation is a step that was too early.
type Violation struct {
	Row    *Row   // nil: a step behind the stream's Terminate
	Column Column // of the row
	First  Record // the step that should have been there: Time means nothing
	Second Record // the step that was too early
}

// String names the row and what was wrong.
func (v Violation) String() string {
	if v.Row == nil {
		return fmt.Sprintf("RFC 5040 section 5.4: nothing leaves behind a Terminate: %v", v.Second)
	}
	return fmt.Sprintf("%v, %v (%s): message %d had not %v: %v", v.Row, v.Column, v.Row.Guarantees[v.Column].Text,
		v.First.Message, v.First.Step, v.Second)
}

// Checker follows a trace. Records come in the order of time; those of one time happened at once, so that none of them is
// early for another.
//
// A message counts from its Arrived step on, in the order in which messages were issued. A step that is never taken, say
// since the stream ended, leaves those that had to wait for it waiting.
type Checker struct {
	now     uint64
	pending []Record // of this time
	streams map[uint32]*stream
}

// stream is what a checker knows of a stream.
type stream struct {
	terminated bool
	after      uint64                       // Time of the Terminate
	waiting    [len(operationNames)]waiting // messages that have steps to take
}

// waiting has, for each step, the messages of one operation that have arrived and not taken it, in their order.
type waiting [len(stepNames)][]uint64

// NewChecker makes a checker of traces that have no record yet.
func NewChecker() *Checker { return &Checker{streams: map[uint32]*stream{}} }

// rules are the rows by second operation and its step.
var rules = func() (all [len(operationNames)][len(stepNames)][]rule) {
	for i := range Rows {
		r := &Rows[i]
		for c, g := range r.Guarantees {
			if g.Rule != nil {
				to := &all[r.Second][g.Rule.Second]
				*to = append(*to, rule{r, Column(c), g.Rule.First})
			}
		}
	}
	return all
}()

// rule says that the step must be taken by all earlier messages of the row's first operation.
type rule struct {
	row    *Row
	column Column
	step   Step
}

// awaited are the steps for which some rule makes others wait, by operation.
var awaited = func() (all [len(operationNames)][len(stepNames)]bool) {
	for i := range Rows {
		for _, g := range Rows[i].Guarantees {
			if g.Rule != nil {
				all[Rows[i].First][g.Rule.First] = true
			}
		}
	}
	return all
}()

// Open forgets what came of a stream: it starts anew, with message numbers of its own.
func (c *Checker) Open(stream uint32) []Violation {
	found := c.Flush()
	delete(c.streams, stream)
	return found
}

// Add takes the next record and gives the violations that are certain by now: those of earlier times.
func (c *Checker) Add(r Record) []Violation {
	var found []Violation
	if len(c.pending) > 0 && r.Time != c.now {
		found = c.Flush()
	}
	c.now = r.Time
	c.pending = append(c.pending, r)
	return found
}

// Flush ends the present time and gives its violations. It must be called at the end of a trace.
func (c *Checker) Flush() (found []Violation) {
	for _, r := range c.pending {
		c.stream(r.Stream).take(r)
	}
	for _, r := range c.pending {
		found = c.stream(r.Stream).check(r, found)
	}
	c.pending = c.pending[:0]
	return found
}

// Check gives the violations of a whole trace.
func Check(trace []Record) (found []Violation) {
	c := NewChecker()
	for _, r := range trace {
		found = append(found, c.Add(r)...)
	}
	return append(found, c.Flush()...)
}

func (c *Checker) stream(number uint32) *stream {
	s := c.streams[number]
	if s == nil {
		s = &stream{}
		c.streams[number] = s
	}
	return s
}

// take notes the step of a record.
func (s *stream) take(r Record) {
	w := &s.waiting[r.Operation]
	switch r.Step {
	case Terminated:
		if !s.terminated {
			s.terminated, s.after = true, r.Time
		}
	case Arrived:
		for step, needed := range awaited[r.Operation] {
			if needed {
				w[step] = append(w[step], r.Message)
			}
		}
	default:
		for i, message := range w[r.Step] {
			if message == r.Message {
				w[r.Step] = append(w[r.Step][:i], w[r.Step][i+1:]...)
				break
			}
		}
	}
}

// check looks for what the record should have waited for.
func (s *stream) check(r Record, found []Violation) []Violation {
	if s.terminated && r.Time > s.after && leaves(r.Step) {
		found = append(found, Violation{Second: r})
	}
	for _, rule := range rules[r.Operation][r.Step] {
		waiting := s.waiting[rule.row.First][rule.step]
		if len(waiting) > 0 && waiting[0] < r.Message {
			first := Record{Stream: r.Stream, Message: waiting[0], Operation: rule.row.First, Step: rule.step}
			found = append(found, Violation{rule.row, rule.column, first, r})
		}
	}
	return found
}

// leaves reports whether the step sends something, which ends with the Terminate.
func leaves(s Step) bool { return s == ResponseLeft || s == Terminated }
