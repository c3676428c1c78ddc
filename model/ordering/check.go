package ordering

import "fmt"

// Record is one step of one message.
type Record struct {
	Time      uint64
	Stream    uint32
	Message   uint64 // number of the message in its stream, in the order of issue
	Operation Operation
	Step      Step
}

// String reads, for example, "time 7: stream 2, message 3, Send: completed".
func (r Record) String() string {
	return fmt.Sprintf("time %d: stream %d, message %d, %v: %v", r.Time, r.Stream, r.Message, r.Operation, r.Step)
}

// Violation is a step taken too early.
type Violation struct {
	Row    *Row   // nil: a step after the stream's Terminate
	Column Column // of the row
	First  Record // the step that is missing; Time is meaningless
	Second Record // the step taken too early
}

// String names the row and the fault.
func (v Violation) String() string {
	if v.Row == nil {
		return fmt.Sprintf("RFC 5040 section 5.4: nothing may be sent after a Terminate: %v", v.Second)
	}
	return fmt.Sprintf("%v, %v (%s): message %d has not %v before %v", v.Row, v.Column, v.Row.Guarantees[v.Column].Text,
		v.First.Message, v.First.Step, v.Second)
}

// Checker checks a trace. Records must be in order of time; records with equal time are simultaneous, so none of them
// is early with respect to another.
//
// A message is considered once it has taken its Arrived step. If a step is never taken, for instance because the stream
// ended, later steps that depend on it remain forbidden.
type Checker struct {
	now     uint64
	pending []Record // records of the current time
	streams map[uint32]*stream
}

// stream is the state of one stream in a checker.
type stream struct {
	terminated bool
	after      uint64                       // Time of the Terminate
	waiting    [len(operationNames)]waiting // messages with steps still to take
}

// waiting lists, per step, the messages of one operation that have arrived but not taken the step, in order.
type waiting [len(stepNames)][]uint64

// NewChecker returns a checker for a new trace.
func NewChecker() *Checker { return &Checker{streams: map[uint32]*stream{}} }

// tables holds all rows. Those of the extension Commit concern its operations, which no other trace has.
var tables = [...][]Row{Rows, CommitRows}

// rules indexes the rows by the second operation and its step.
var rules = func() (all [len(operationNames)][len(stepNames)][]rule) {
	for _, table := range tables {
		for i := range table {
			r := &table[i]
			for c, g := range r.Guarantees {
				if g.Rule != nil {
					to := &all[r.Second][g.Rule.Second]
					*to = append(*to, rule{r, Column(c), g.Rule.First})
				}
			}
		}
	}
	return all
}()

// rule requires that all earlier messages of the row's first operation have taken the step.
type rule struct {
	row    *Row
	column Column
	step   Step
}

// awaited marks the steps on which some rule depends, by operation.
var awaited = func() (all [len(operationNames)][len(stepNames)]bool) {
	for _, table := range tables {
		for i := range table {
			for _, g := range table[i].Guarantees {
				if g.Rule != nil {
					all[table[i].First][g.Rule.First] = true
				}
			}
		}
	}
	return all
}()

// Open resets a stream, which restarts with its own message numbers. It returns the violations found so far.
func (c *Checker) Open(stream uint32) []Violation {
	found := c.Flush()
	delete(c.streams, stream)
	return found
}

// Add takes the next record and returns the violations known by now: those at earlier times.
func (c *Checker) Add(r Record) []Violation {
	var found []Violation
	if len(c.pending) > 0 && r.Time != c.now {
		found = c.Flush()
	}
	c.now = r.Time
	c.pending = append(c.pending, r)
	return found
}

// Flush returns the violations at the current time. It must be called at the end of a trace.
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

// Check returns the violations of a complete trace.
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

// take records a step.
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

// check appends the violations of a record.
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

// leaves reports whether the step transmits; no such step may follow the Terminate.
func leaves(s Step) bool { return s == ResponseLeft || s == Terminated }
