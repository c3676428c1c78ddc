package coverage

import (
	"fmt"
	"maps"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/ordering"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Counter counts the messages received by a node. A request that was accepted and fails when it is executed counts as both. It is a
// rnic.Observer.
type Counter struct {
	config  gen.Config
	count   map[Message]int
	streams []binStream
}

// binStream is the message state of a stream.
type binStream struct {
	before    string             // operation of the most recently started message
	sending   bool               // within a Send
	writing   bool               // within a Write
	answering bool               // within a Read Response
	row       [2]string          // of the Send and of the Write
	accepted  map[uint32]Message // requests of the extension commit, by MSN
}

// NewCounter makes a counter for a configuration.
func NewCounter(c gen.Config) *Counter {
	return &Counter{config: c, count: map[Message]int{}, streams: make([]binStream, c.Streams)}
}

// Reached lists the bins that have messages.
func (b *Counter) Reached() (list []Message) {
	for m := range b.count {
		list = append(list, m)
	}
	return list
}

// Opened resets the state of a stream.
func (b *Counter) Opened(stream uint32) {
	b.streams[stream] = binStream{before: nothing, accepted: map[uint32]Message{}}
}

// Failed counts a request whose execution has failed. One whose STags are gone in its turn is in no bin of its own.
func (b *Counter) Failed(stream, msn uint32, rule spec.Rule) {
	if m, is := b.streams[stream].accepted[msn]; is && isExecuted(rule) {
		m.Error = rule
		b.count[m]++
	}
}

// Took counts a message when it is complete or refused.
func (b *Counter) Took(t rnic.Taken) {
	s := &b.streams[t.Stream]
	x := b.config.Protocol()
	view, found := wire.ClassifyWith(x, t.Segment)
	row, known := x.Operation(view.Header.Opcode)
	m := Message{Opcode: row.Name, Error: t.Error, Align: none, Length: none, Row: none}
	if t.Failing {
		m.Error = spec.Local
	}
	switch {
	case found == spec.ShortHeader:
		m.Opcode = none
	case !known:
		m.Opcode = reserved
	}
	if m.Error == spec.ShortHeader || m.Error == spec.StreamNotOpen {
		b.count[m]++
		return
	}
	op, isOperation := operationOf(m.Opcode)
	later := false // not the first segment of its message
	if found != spec.None {
		if isOperation {
			m.Row = s.before
		}
		m.Length = b.length(len(view.Payload))
		b.count[m]++
		return
	}
	last := view.Header.Last
	switch {
	case op == ordering.Send && isOperation || op == ordering.Immediate && isOperation:
		later = s.sending
		if !later {
			s.row[0] = s.before
			s.before = op.String()
		}
		m.Row, s.sending = s.row[0], !last
	case op == ordering.Write && isOperation:
		later = s.writing
		if !later {
			s.row[1] = s.before
			s.before = op.String()
		}
		m.Row, s.writing = s.row[1], !last
	case isOperation:
		m.Row = s.before
		s.before = op.String()
	case row.Class == spec.ReadResponse:
		later, s.answering = s.answering, !last
	}
	if m.Error == spec.None && !last {
		return
	}
	octets := len(view.Payload)
	if row.Class&spec.Requests != 0 {
		_, _, named := rdmap.Names(row.Opcode, view.Payload) // its length is valid
		octets = int(named)
		later = row.Class == spec.ReadRequest && octets > b.config.MaxPayload
	}
	switch {
	case isFixed(m.Opcode):
		m.Length = "fixed"
	case later:
		m.Length = "segments"
	default:
		m.Length = b.length(octets)
	}
	if t.Placed {
		m.Align = b.align(t.Address)
	}
	b.count[m]++
	if m.Error == spec.None && row.Class&spec.Committing != 0 {
		s.accepted[view.Header.MSN] = m
	}
}

func (b *Counter) length(octets int) string {
	switch {
	case octets == 0:
		return "0"
	case octets < 8:
		return "1-7"
	case octets <= b.config.BusBytes:
		return "8-bus"
	}
	return "beats"
}

func (b *Counter) align(address uint64) string {
	switch {
	case address%uint64(b.config.BusBytes) == 0:
		return "bus"
	case address%8 == 0:
		return "word"
	}
	return "octet"
}

// counted lists the bins. A message in an excluded bin disproves a rule.
func (b *Counter) counted() (*Counted, error) {
	possible, excluded := Bins(b.config)
	left, out := maps.Clone(b.count), &Counted{}
	for _, m := range possible {
		n := left[m]
		delete(left, m)
		out.List = append(out.List, BinCount{m, n})
		out.Items = append(out.Items, Item{Bin, m.Opcode, "message", m.String(), "bins", n > 0})
	}
	for m, n := range left {
		if n > 0 {
			return nil, fmt.Errorf("coverage: %d messages in bin %v, which the rules exclude", n, m)
		}
	}
	for i, n := range excluded {
		out.Excluded = append(out.Excluded, Exclusion{RulesOf(b.config)[i].Why, n})
	}
	return out, nil
}
