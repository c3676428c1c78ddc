package coverage

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/ordering"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// Message is a functional bin: a received message, or its refused segment.
type Message struct {
	Opcode string    `json:"opcode"` // of the segment; none: incomplete header
	Error  spec.Rule `json:"error"`  // rule that it breaks
	Align  string    `json:"align"`  // of the memory address of the payload, source or target
	Length string    `json:"length"` // octets of payload; of a Read, octets requested
	Row    string    `json:"row"`    // of the ordering tables: the preceding operation on its stream
}

func (m Message) String() string {
	return fmt.Sprintf("%s, error %s, address %s, length %s, after %s", m.Opcode, m.Error, m.Align, m.Length, m.Row)
}

// BinCount is a possible bin and the number of messages in it.
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
		for _, m := range spec.Operations {
			list = append(list, m.Name)
		}
		return append(list, reserved, none)
	}()
	Errors = func() (list []spec.Rule) {
		for _, r := range spec.Rules {
			list = append(list, r.Rule)
		}
		return list
	}()
	Aligns  = []string{none, "bus", "word", "octet"} // a multiple of the bus width; of 8 octets, but not of the bus width; neither
	Lengths = []string{none, "0", "1-7", "8-bus", "beats", "segments", "fixed"}
	Rows    = func() (list []string) {
		list = []string{none, "nothing"}
		for o := ordering.Send; o <= ordering.Immediate; o++ {
			list = append(list, o.String())
		}
		return list
	}()
)

// operationOf maps a message to its operation in the ordering tables; false if there is none.
func operationOf(op string) (ordering.Operation, bool) {
	row := message(op)
	if row == nil || row.Order == spec.Unordered {
		return 0, false
	}
	return map[spec.Order]ordering.Operation{spec.OrderSend: ordering.Send, spec.OrderWrite: ordering.Write, spec.OrderRead: ordering.Read,
		spec.OrderAtomic: ordering.Atomic, spec.OrderImmediate: ordering.Immediate}[row.Order], true
}

// isHeader reports whether the error is detected in the header, which must therefore be complete.
func isHeader(r spec.Rule) bool { return r.Row().Header && r != spec.ShortHeader }

// canBreak reports whether an operation can break a rule.
func canBreak(op string, r spec.Rule) bool {
	return message(op) != nil && message(op).Class&r.Row().On != 0
}

// isFixed reports whether the message has a fixed length, which is then not a property. A Read Request can request any length.
func isFixed(op string) bool {
	row := message(op)
	return row != nil && row.SingleSegment && row.Class != spec.ReadRequest
}

// withoutAddress reports whether a message has no memory address.
func withoutAddress(op string) bool {
	row := message(op)
	return row != nil && row.Class&(spec.Terminate|spec.Immediate|spec.Requests&^spec.Naming) != 0
}

func message(op string) *spec.Operation {
	for i := range spec.Operations {
		if spec.Operations[i].Name == op {
			return &spec.Operations[i]
		}
	}
	return nil
}

// ofOctets lists the rules that only a nonempty access can break.
var ofOctets = []spec.Rule{spec.TaggedSTag, spec.TaggedAssociation, spec.TaggedAccess, spec.TaggedTOWrap, spec.TaggedBounds, spec.RequestSTag,
	spec.RequestAssociation, spec.RequestAccess, spec.RequestTOWrap, spec.RequestBounds, spec.Local, spec.WrongSinkSTag, spec.WrongSinkTO,
	spec.ReadTooLong, spec.MessageTooLong}

// Rule excludes impossible combinations.
type Rule struct {
	Why      string
	Excludes func(m Message, bus int) bool
}

// Rules lists all rules; a combination not excluded by any of them is a bin.
var Rules = []Rule{
	{"Only a segment with an incomplete header has no opcode; on an ended stream it is discarded.", func(m Message, _ int) bool {
		return m.Opcode == none && m.Error != spec.ShortHeader && m.Error != spec.StreamNotOpen || m.Error == spec.ShortHeader && m.Opcode != none
	}},
	{"A segment with an incomplete header, or received after the end of its stream, is not examined further.", func(m Message, _ int) bool {
		return (m.Error == spec.ShortHeader || m.Error == spec.StreamNotOpen) && (m.Align != none || m.Length != none || m.Row != none)
	}},
	{"A segment with a reserved opcode is rejected by the check of the opcode at the latest; only the version and queue checks precede it.", func(m Message, _ int) bool {
		return m.Opcode == reserved && m.Error != spec.StreamNotOpen && (!m.Error.Row().Header || m.Error > spec.ReservedOpcode) ||
			m.Error == spec.ReservedOpcode && m.Opcode != reserved
	}},
	{"Each rule can be broken only by some messages (On in the table of rules).", func(m Message, _ int) bool {
		return m.Opcode != none && m.Opcode != reserved && m.Error != spec.None && m.Error != spec.ReservedOpcode && !canBreak(m.Opcode, m.Error)
	}},
	{"The sink of a Read is checked when the Read is posted, so its TO does not wrap.", func(m Message, _ int) bool {
		return m.Opcode == spec.ReadResponse.Opcode().Name() && m.Error == spec.TaggedTOWrap
	}},
	{"The ordering tables cover Sends, Writes, Reads, Atomics and Immediate Data, but not responses, Terminates and others.", func(m Message, _ int) bool {
		_, is := operationOf(m.Opcode)
		return m.Error != spec.StreamNotOpen && is != (m.Row != none)
	}},
	{"A header error is detected in a single segment, before it has an address; its length counts the octets after the DDP header.", func(m Message, _ int) bool {
		return isHeader(m.Error) && (m.Align != none || m.Length == none || m.Length == "segments" || m.Length == "fixed")
	}},
	{"Immediate Data, Atomics, their responses and Terminates have a fixed length, which is ensured by the header checks.", func(m Message, _ int) bool {
		return !m.Error.Row().Header && m.Error != spec.StreamNotOpen && isFixed(m.Opcode) != (m.Length == "fixed")
	}},
	{"Every message has a length.", func(m Message, _ int) bool {
		return m.Length == none && m.Error != spec.ShortHeader && m.Error != spec.StreamNotOpen
	}},
	{"Only an accepted message, one whose memory fails, and a misaligned Atomic have an address.", func(m Message, _ int) bool {
		return m.Align != none && m.Error != spec.None && m.Error != spec.Local && m.Error != spec.Misaligned
	}},
	{"Immediate Data, Terminates and empty messages have no address; all other accepted messages have one.", func(m Message, _ int) bool {
		without := m.Length == "0" || withoutAddress(m.Opcode)
		return m.Error == spec.None && without != (m.Align == none)
	}},
	{"Exactly the Atomics whose address is not a multiple of 8 are refused as misaligned.", func(m Message, _ int) bool {
		return m.Opcode == spec.AtomicRequest.Opcode().Name() && m.Error == spec.None && m.Align == "octet" || m.Error == spec.Misaligned && m.Align != none
	}},
	{"A Write's target and a Read's sink are checked before memory can fail; the local buffer of a Send or an Atomic Response may also fail its check.", func(m Message, _ int) bool {
		return m.Error == spec.Local && m.Align == none && message(m.Opcode) != nil && message(m.Opcode).Tagged
	}},
	{"A bus of 8 octets has no address that is a multiple of 8 but not of the bus width.", func(m Message, bus int) bool {
		return bus == 8 && m.Align == "word"
	}},
	{"An empty access is not checked against a region or sink, is never too long, and cannot fail in memory.", func(m Message, _ int) bool {
		return m.Length == "0" && slices.Contains(ofOctets, m.Error)
	}},
	{"A request can exceed IRD only after other requests.", func(m Message, _ int) bool {
		return m.Error == spec.IRDExceeded && m.Row == "nothing"
	}},
	{"The opcode of a Send can change only after its first segment; Immediate Data reaches that check only after an empty first segment of a Send.", func(m Message, _ int) bool {
		return m.Error == spec.OpcodeChanges && m.Length != "segments" && m.Length != "fixed"
	}},
	{"A message that starts inside another one is refused at its first segment (I-78).", func(m Message, _ int) bool {
		return m.Error == spec.Interleaved && m.Length == "segments"
	}},
	{"A receive request remains until the last segment of the Send that fills it; a Read Response in progress has its Read.", func(m Message, _ int) bool {
		return m.Length == "segments" && (m.Error == spec.NoReceiveBuffer || m.Error == spec.UnexpectedResponse)
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
