package crash

import (
	"fmt"
	"strings"
)

// Transaction is the life of a record, in cycles.
type Transaction struct {
	Stream uint32      `json:"stream"`
	Record uint64      `json:"record"`
	Octets int         `json:"octets"`
	Steps  [kinds]Step `json:"steps"`

	octets []byte // as sent
}

// Step has the cycles of a message; 0: there is none.
type Step struct {
	Message   string `json:"message"`
	Sent      uint64 `json:"sent,omitempty"`      // its first beat is offered
	Received  uint64 `json:"received,omitempty"`  // its last beat is taken
	Placed    uint64 `json:"placed,omitempty"`    // all its octets are in the caches
	Asked     uint64 `json:"asked,omitempty"`     // the platform has the flush
	Moved     uint64 `json:"moved,omitempty"`     // the octets are where the flush shall move them
	Answered  uint64 `json:"answered,omitempty"`  // the platform has responded
	Responded uint64 `json:"responded,omitempty"` // the last beat of the response is sent
}

var stepNames = [kinds]string{"RDMA Write of the record", "Flush of the record", "Verify of the record", "Atomic Write of the tail", "Flush of the tail"}

func newTransaction(stream uint32, record uint64, octets []byte) *Transaction {
	t := &Transaction{Stream: stream, Record: record, Octets: len(octets), octets: octets}
	for k := range t.Steps {
		t.Steps[k].Message = stepNames[k]
	}
	return t
}

// span is a part of a line of the timeline, from one cycle to another; without the start it is not drawn.
type span struct {
	from, to uint64
	mark     byte
}

const timelineColumns = 64

// Draw draws the transaction as a timeline.
func (t *Transaction) Draw() string {
	first, last := t.Steps[write].Sent, uint64(0)
	for _, s := range t.Steps {
		last = max(last, s.Received, s.Placed, s.Moved, s.Answered, s.Responded)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "stream %d, record 0x%X of %d octets, cycles %d to %d\n\n", t.Stream, t.Record, t.Octets, first, last)
	row := func(name string, spans ...span) {
		line := []byte(strings.Repeat(" ", timelineColumns+1))
		column := func(cycle uint64) int { return int((cycle - first) * timelineColumns / max(1, last-first)) }
		for _, s := range spans {
			if s.from == 0 {
				continue
			}
			if s.to == 0 {
				s.to = last
			}
			for i := column(s.from); i <= column(s.to); i++ {
				line[i] = s.mark
			}
		}
		fmt.Fprintf(&b, "%-26s|%s|\n", name, line)
	}
	state := func(placed, moved uint64) []span { return []span{{placed, moved, 'v'}, {moved, 0, 'P'}} }
	for k, s := range t.Steps {
		received := span{s.Sent, s.Received, '>'}
		switch kind(k) {
		case write:
			row(s.Message, received, span{s.Received, s.Placed, '.'})
			row("  the record is", state(s.Placed, t.Steps[flush].Moved)...)
		case flush, flushTail:
			row(s.Message, span{s.Received, s.Asked, '.'}, received, span{s.Asked, s.Answered, '~'}, span{s.Answered, s.Responded, '<'})
		case verify:
			row(s.Message, span{s.Received, s.Responded, '.'}, received, span{s.Responded, s.Responded, '<'})
		case atomicWrite:
			row(s.Message, span{s.Received, s.Placed, '.'}, received, span{s.Placed, s.Responded, '<'})
			row("  the tail is", state(s.Placed, t.Steps[flushTail].Moved)...)
		}
	}
	b.WriteString("\n> arrives  . waits or is executed  ~ the platform flushes  < is answered  v volatile: a crash may lose it  P persistent\n")
	return b.String()
}
