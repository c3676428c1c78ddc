package coverage

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/ordering"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Message is a functional bin: a message that came, or the segment of it that was refused.
type Message struct {
	Opcode string `json:"opcode"` // as the segment says; none: its header is not whole
	Error  string `json:"error"`  // kind of error, none
	Align  string `json:"align"`  // of the address that the payload, the source or the target has in memory
	Length string `json:"length"` // octets of payload, of a Read those that it asks for
	Row    string `json:"row"`    // of the ordering tables: the operation before it on its stream
}

func (m Message) String() string {
	return fmt.Sprintf("%s, error %s, address %s, length %s, behind %s", m.Opcode, m.Error, m.Align, m.Length, m.Row)
}

// BinCount is a possible bin and how many messages fell into it.
type BinCount struct {
	Message
	Count int `json:"count"`
}

const (
	none     = "none"
	reserved = "reserved"
)

// The classes of each property.
var (
	Opcodes = func() (list []string) {
		for _, m := range wire.Messages {
			list = append(list, m.Name)
		}
		return append(list, reserved, none)
	}()
	Errors = func() (list []string) {
		for _, r := range wire.Errors {
			list = append(list, r.Name)
		}
		for _, r := range wire.StreamErrors {
			list = append(list, r.Name)
		}
		return list
	}()
	Aligns  = []string{none, "bus", "word", "octet"} // a multiple of the bus; of 8 octets, not of the bus; neither
	Lengths = []string{none, "0", "1-7", "8-bus", "beats", "segments", "fixed"}
	Rows    = func() (list []string) {
		list = []string{none, "nothing"}
		for o := ordering.Send; o <= ordering.Immediate; o++ {
			list = append(list, o.String())
		}
		return list
	}()
)

// operations are the messages that the ordering tables speak of.
var operations = map[string]ordering.Operation{
	"rdma_write": ordering.Write, "read_request": ordering.Read, "send": ordering.Send, "send_inv": ordering.Send, "send_se": ordering.Send,
	"send_se_inv": ordering.Send, "immediate": ordering.Immediate, "immediate_se": ordering.Immediate, "atomic_request": ordering.Atomic,
}

// errorsOf are the kinds of errors that are found behind the header, by opcode, beside none and stream_terminated. Those of
// the header come before.
var errorsOf = map[string][]string{
	"rdma_write":      {"stag", "association", "access", "to_wrap", "bounds", "local"},
	"read_request":    {"msn", "ird", "stag", "association", "access", "to_wrap", "bounds"},
	"read_response":   {"response", "interleaved", "read_too_long", "read_last", "sink_stag", "sink_to", "stag", "association", "access", "bounds", "local"},
	"send":            {"msn", "no_buffer", "send_offset", "send_opcode", "interleaved", "message_too_long", "local"},
	"send_inv":        {"msn", "no_buffer", "send_offset", "send_opcode", "interleaved", "message_too_long", "local", "invalidate"},
	"send_se":         {"msn", "no_buffer", "send_offset", "send_opcode", "interleaved", "message_too_long", "local"},
	"send_se_inv":     {"msn", "no_buffer", "send_offset", "send_opcode", "interleaved", "message_too_long", "local", "invalidate"},
	"terminate":       {"msn"},
	"immediate":       {"msn", "no_buffer", "send_offset", "send_opcode", "interleaved"},
	"immediate_se":    {"msn", "no_buffer", "send_offset", "send_opcode", "interleaved"},
	"atomic_request":  {"msn", "ird", "atomic_opcode", "stag", "association", "access", "to_wrap", "bounds", "alignment"},
	"atomic_response": {"msn", "no_request", "response", "interleaved", "identifier", "local"},
}

// headerErrors are the kinds that Classify finds, in the order of its checks.
var headerErrors = []string{"ddp_version", "queue_number", "rdmap_version", "opcode", "tagged_flag", "queue_mismatch", "message_offset", "length"}

// isFixed tells whether the message is of one length, so that its length is no property of it.
func isFixed(op string) bool {
	switch op {
	case "terminate", "immediate", "immediate_se", "atomic_request", "atomic_response":
		return true
	}
	return false
}

func message(op string) *wire.Message {
	for i := range wire.Messages {
		if wire.Messages[i].Name == op {
			return &wire.Messages[i]
		}
	}
	return nil
}

// Rule excludes combinations that no message can have.
type Rule struct {
	Why      string
	Excludes func(m Message, bus int) bool
}

// Rules are all of them; a combination that none of them excludes is a bin.
var Rules = []Rule{
	{"A segment whose header is not whole has no opcode, and nothing else has none; on a stream that has ended it is discarded.", func(m Message, _ int) bool {
		return m.Opcode == none && m.Error != "short_header" && m.Error != "stream_terminated" || m.Error == "short_header" && m.Opcode != none
	}},
	{"Nothing of a segment without a whole header, or of one that comes behind the end of its stream, is looked at.", func(m Message, _ int) bool {
		return (m.Error == "short_header" || m.Error == "stream_terminated") && (m.Align != none || m.Length != none || m.Row != none)
	}},
	{"The opcodes 0xC to 0xF are refused as such at the latest; versions and the queue number are looked at before.", func(m Message, _ int) bool {
		return m.Opcode == reserved && !slices.Contains([]string{"ddp_version", "queue_number", "rdmap_version", "opcode", "stream_terminated"}, m.Error) ||
			m.Error == "opcode" && m.Opcode != reserved
	}},
	{"Only untagged messages have a queue.", func(m Message, _ int) bool {
		return m.Error == "queue_mismatch" && (message(m.Opcode) == nil || message(m.Opcode).Tagged)
	}},
	{"Only messages whose Message Offset must be 0 are refused for it by DDP (ZeroMO of the message table).", func(m Message, _ int) bool {
		return m.Error == "message_offset" && (message(m.Opcode) == nil || !message(m.Opcode).ZeroMO)
	}},
	{"Only messages of one segment have a length that is wrong (SingleSegment of the message table).", func(m Message, _ int) bool {
		return m.Error == "length" && (message(m.Opcode) == nil || !message(m.Opcode).SingleSegment)
	}},
	{"Behind the header, each message has checks of its own (errorsOf).", func(m Message, _ int) bool {
		return m.Opcode != none && m.Error != none && m.Error != "stream_terminated" && !slices.Contains(headerErrors, m.Error) && !slices.Contains(errorsOf[m.Opcode], m.Error)
	}},
	{"The ordering tables speak of Sends, Writes, Reads, Atomics and Immediate Data, not of responses, Terminates, and what is none of these.", func(m Message, _ int) bool {
		_, is := operations[m.Opcode]
		return m.Error != "stream_terminated" && is != (m.Row != none)
	}},
	{"What is wrong with a header is found in a segment by itself, before it has an address; its length is that of the octets behind the DDP header.", func(m Message, _ int) bool {
		return slices.Contains(headerErrors, m.Error) && (m.Align != none || m.Length == none || m.Length == "segments" || m.Length == "fixed")
	}},
	{"Immediate Data, Atomics, their responses and Terminates have one length; what has passed the header's checks has it.", func(m Message, _ int) bool {
		return !slices.Contains(headerErrors, m.Error) && m.Error != "stream_terminated" && m.Error != "short_header" && isFixed(m.Opcode) != (m.Length == "fixed")
	}},
	{"Every message has a length.", func(m Message, _ int) bool {
		return m.Length == none && m.Error != "short_header" && m.Error != "stream_terminated"
	}},
	{"Only a message that is accepted, one whose memory fails, and an Atomic that is not aligned have an address.", func(m Message, _ int) bool {
		return m.Align != none && m.Error != none && m.Error != "local" && m.Error != "alignment"
	}},
	{"Immediate Data and Terminates have no address, nor has anything of no octets; all else that is accepted has one.", func(m Message, _ int) bool {
		without := m.Length == "0" || m.Opcode == "terminate" || m.Opcode == "immediate" || m.Opcode == "immediate_se"
		return m.Error == none && without != (m.Align == none)
	}},
	{"An Atomic whose address is no multiple of 8 is refused for it, and only that one.", func(m Message, _ int) bool {
		return m.Opcode == "atomic_request" && (m.Error == none && m.Align == "octet") || m.Error == "alignment" && m.Align != none
	}},
	{"A Write's target and a Read's sink have passed their checks before memory fails; a Send's buffer, and that of an Atomic Response, may fail them too, which the peer has no part in.", func(m Message, _ int) bool {
		return m.Error == "local" && m.Align == none && (m.Opcode == "rdma_write" || m.Opcode == "read_response")
	}},
	{"A bus of 8 octets leaves no address that is a multiple of 8 and not of the bus.", func(m Message, bus int) bool {
		return bus == 8 && m.Align == "word"
	}},
	{"An access of no octets is not checked, is in no sink, is never too long, and no memory fails for it.", func(m Message, _ int) bool {
		return m.Length == "0" && slices.Contains([]string{"stag", "association", "access", "to_wrap", "bounds", "local", "sink_stag", "sink_to", "read_too_long", "message_too_long"}, m.Error)
	}},
	{"A request is one too many behind others only.", func(m Message, _ int) bool {
		return m.Error == "ird" && m.Row == "nothing"
	}},
	{"The opcode of a Send changes behind its first segment; a Send of no octets before is what lets Immediate Data come to that check.", func(m Message, _ int) bool {
		return m.Error == "send_opcode" && m.Length != "segments" && m.Length != "fixed"
	}},
	{"A message that begins inside another one is refused at its first segment (I-78).", func(m Message, _ int) bool {
		return m.Error == "interleaved" && m.Length == "segments"
	}},
	{"A receive request that a Send has begun to fill remains until its last segment; a Read Response that has begun has its Read.", func(m Message, _ int) bool {
		return m.Length == "segments" && (m.Error == "no_buffer" || m.Error == "response")
	}},
}

// Bins lists the possible combinations for a configuration, and counts the others by the first rule that excludes them.
func Bins(c gen.Config) (possible []Message, excluded []int) {
	excluded = make([]int, len(Rules))
	for _, op := range Opcodes {
		for _, kind := range Errors {
			for _, align := range Aligns {
				for _, length := range Lengths {
					for _, row := range Rows {
						m := Message{op, kind, align, length, row}
						if i := slices.IndexFunc(Rules, func(r Rule) bool { return r.Excludes(m, c.BusBytes) }); i >= 0 {
							excluded[i]++
						} else {
							possible = append(possible, m)
						}
					}
				}
			}
		}
	}
	return possible, excluded
}

// Counter counts the messages that come to a node. It is a rnic.Observer.
type Counter struct {
	config  gen.Config
	count   map[Message]int
	streams []binStream
}

// binStream is what is known of the messages of a stream.
type binStream struct {
	before    string    // operation of the message that began last
	sending   bool      // within a Send
	writing   bool      // within a Write
	answering bool      // within a Read Response
	row       [2]string // of the Send and of the Write
}

// NewCounter makes a counter for a configuration.
func NewCounter(c gen.Config) *Counter {
	return &Counter{config: c, count: map[Message]int{}, streams: make([]binStream, c.Streams)}
}

// Reached lists the bins that messages fell into.
func (b *Counter) Reached() (list []Message) {
	for m := range b.count {
		list = append(list, m)
	}
	return list
}

// Opened forgets what came on a stream.
func (b *Counter) Opened(stream uint32) { b.streams[stream] = binStream{before: "nothing"} }

// Took counts a message that is complete, or refused.
func (b *Counter) Took(t rnic.Taken) {
	s := &b.streams[t.Stream]
	view, found := wire.Classify(t.Segment)
	m := Message{Opcode: view.Header.Opcode.Name(), Error: t.Error.String(), Align: none, Length: none, Row: none}
	if t.Failing {
		m.Error = "local"
	}
	switch {
	case found == wire.ErrShortHeader:
		m.Opcode = none
	case view.Header.Opcode > wire.OpAtomicResponse:
		m.Opcode = reserved
	}
	if m.Error == "short_header" || m.Error == "stream_terminated" {
		b.count[m]++
		return
	}
	op, isOperation := operations[m.Opcode]
	later := false // not the first segment of its message
	if found != wire.ErrNone {
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
	case view.Header.Opcode == wire.OpReadResponse:
		later, s.answering = s.answering, !last
	}
	if m.Error == none && !last {
		return
	}
	octets := len(view.Payload)
	if view.Header.Opcode == wire.OpReadRequest {
		var r wire.ReadRequest
		_ = r.Decode(view.Payload) // its length is right
		octets = int(r.ReadMessageSize)
		later = octets > b.config.MaxPayload
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
