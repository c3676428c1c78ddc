package coverage

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/ordering"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// Message is a functional bin: a message that came, or the segment of it that was refused.
type Message struct {
	Opcode string    `json:"opcode"` // as the segment says; none: its header is not whole
	Error  spec.Rule `json:"error"`  // that it breaks
	Align  string    `json:"align"`  // of the address that the payload, the source or the target has in memory
	Length string    `json:"length"` // octets of payload, of a Read those that it asks for
	Row    string    `json:"row"`    // of the ordering tables: the operation before it on its stream
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

// operationOf is a message as the ordering tables name it; false: they do not.
func operationOf(op string) (ordering.Operation, bool) {
	row := message(op)
	if row == nil || row.Order == spec.Unordered {
		return 0, false
	}
	return map[spec.Order]ordering.Operation{spec.OrderSend: ordering.Send, spec.OrderWrite: ordering.Write, spec.OrderRead: ordering.Read,
		spec.OrderAtomic: ordering.Atomic, spec.OrderImmediate: ordering.Immediate}[row.Order], true
}

// isHeader reports whether the header shows the error, which has to be whole for that.
func isHeader(r spec.Rule) bool { return r.Row().Header && r != spec.ShortHeader }

// canBreak reports whether an operation can break a rule.
func canBreak(op string, r spec.Rule) bool {
	return message(op) != nil && message(op).Class&r.Row().On != 0
}

// isFixed reports whether the message is of one length, so that its length is no property of it. A Read Request asks for any.
func isFixed(op string) bool {
	row := message(op)
	return row != nil && row.SingleSegment && row.Class != spec.ReadRequest
}

// withoutAddress reports whether a message has no place in memory.
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

// ofOctets are the rules that only octets break.
var ofOctets = []spec.Rule{spec.TaggedSTag, spec.TaggedAssociation, spec.TaggedAccess, spec.TaggedTOWrap, spec.TaggedBounds, spec.RequestSTag,
	spec.RequestAssociation, spec.RequestAccess, spec.RequestTOWrap, spec.RequestBounds, spec.Local, spec.WrongSinkSTag, spec.WrongSinkTO,
	spec.ReadTooLong, spec.MessageTooLong}

// Rule excludes combinations that no message can have.
type Rule struct {
	Why      string
	Excludes func(m Message, bus int) bool
}

// Rules are all of them; a combination that none of them excludes is a bin.
var Rules = []Rule{
	{"A segment whose header is not whole has no opcode, and nothing else has none; on a stream that has ended it is discarded.", func(m Message, _ int) bool {
		return m.Opcode == none && m.Error != spec.ShortHeader && m.Error != spec.StreamNotOpen || m.Error == spec.ShortHeader && m.Opcode != none
	}},
	{"Nothing of a segment without a whole header, or of one that comes behind the end of its stream, is looked at.", func(m Message, _ int) bool {
		return (m.Error == spec.ShortHeader || m.Error == spec.StreamNotOpen) && (m.Align != none || m.Length != none || m.Row != none)
	}},
	{"Reserved opcodes are refused as such at the latest; versions and the queue number are looked at before.", func(m Message, _ int) bool {
		return m.Opcode == reserved && m.Error != spec.StreamNotOpen && (!m.Error.Row().Header || m.Error > spec.ReservedOpcode) ||
			m.Error == spec.ReservedOpcode && m.Opcode != reserved
	}},
	{"Each rule is one that some messages can break (On of the table of rules).", func(m Message, _ int) bool {
		return m.Opcode != none && m.Opcode != reserved && m.Error != spec.None && m.Error != spec.ReservedOpcode && !canBreak(m.Opcode, m.Error)
	}},
	{"The sink of a Read is checked when it is asked for, so that its TO does not wrap.", func(m Message, _ int) bool {
		return m.Opcode == spec.ReadResponse.Opcode().Name() && m.Error == spec.TaggedTOWrap
	}},
	{"The ordering tables speak of Sends, Writes, Reads, Atomics and Immediate Data, not of responses, Terminates, and what is none of these.", func(m Message, _ int) bool {
		_, is := operationOf(m.Opcode)
		return m.Error != spec.StreamNotOpen && is != (m.Row != none)
	}},
	{"What is wrong with a header is found in a segment by itself, before it has an address; its length is that of the octets behind the DDP header.", func(m Message, _ int) bool {
		return isHeader(m.Error) && (m.Align != none || m.Length == none || m.Length == "segments" || m.Length == "fixed")
	}},
	{"Immediate Data, Atomics, their responses and Terminates have one length; what has passed the header's checks has it.", func(m Message, _ int) bool {
		return !m.Error.Row().Header && m.Error != spec.StreamNotOpen && isFixed(m.Opcode) != (m.Length == "fixed")
	}},
	{"Every message has a length.", func(m Message, _ int) bool {
		return m.Length == none && m.Error != spec.ShortHeader && m.Error != spec.StreamNotOpen
	}},
	{"Only a message that is accepted, one whose memory fails, and an Atomic that is not aligned have an address.", func(m Message, _ int) bool {
		return m.Align != none && m.Error != spec.None && m.Error != spec.Local && m.Error != spec.Misaligned
	}},
	{"Immediate Data and Terminates have no address, nor has anything of no octets; all else that is accepted has one.", func(m Message, _ int) bool {
		without := m.Length == "0" || withoutAddress(m.Opcode)
		return m.Error == spec.None && without != (m.Align == none)
	}},
	{"An Atomic whose address is no multiple of 8 is refused for it, and only that one.", func(m Message, _ int) bool {
		return m.Opcode == spec.AtomicRequest.Opcode().Name() && m.Error == spec.None && m.Align == "octet" || m.Error == spec.Misaligned && m.Align != none
	}},
	{"A Write's target and a Read's sink have passed their checks before memory fails; a Send's buffer, and that of an Atomic Response, may fail them too, which the peer has no part in.", func(m Message, _ int) bool {
		return m.Error == spec.Local && m.Align == none && message(m.Opcode) != nil && message(m.Opcode).Tagged
	}},
	{"A bus of 8 octets leaves no address that is a multiple of 8 and not of the bus.", func(m Message, bus int) bool {
		return bus == 8 && m.Align == "word"
	}},
	{"An access of no octets is not checked, is in no sink, is never too long, and no memory fails for it.", func(m Message, _ int) bool {
		return m.Length == "0" && slices.Contains(ofOctets, m.Error)
	}},
	{"A request is one too many behind others only.", func(m Message, _ int) bool {
		return m.Error == spec.IRDExceeded && m.Row == "nothing"
	}},
	{"The opcode of a Send changes behind its first segment; a Send of no octets before is what lets Immediate Data come to that check.", func(m Message, _ int) bool {
		return m.Error == spec.OpcodeChanges && m.Length != "segments" && m.Length != "fixed"
	}},
	{"A message that begins inside another one is refused at its first segment (I-78).", func(m Message, _ int) bool {
		return m.Error == spec.Interleaved && m.Length == "segments"
	}},
	{"A receive request that a Send has begun to fill remains until its last segment; a Read Response that has begun has its Read.", func(m Message, _ int) bool {
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
