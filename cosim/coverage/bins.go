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
	nothing  = "nothing"
)

// Opcodes lists the messages with some extensions, and the segments that are none of them.
func Opcodes(x spec.Extensions) (list []string) {
	for _, o := range x.Operations() {
		list = append(list, o.Name)
	}
	return append(list, reserved, none)
}

// Errors lists the rules, and that none is broken.
func Errors(x spec.Extensions) (list []spec.Rule) {
	for _, r := range x.NumberedRules() {
		list = append(list, r.Rule)
	}
	return list
}

// Rows lists what may precede a message.
func Rows(x spec.Extensions) []string {
	list := []string{none, nothing}
	for o := ordering.Send; o <= ordering.AtomicWrite; o++ {
		if slices.ContainsFunc(x.Operations(), func(row *spec.Operation) bool { is, has := orders[row.Order]; return has && is == o }) {
			list = append(list, o.String())
		}
	}
	return list
}

// The classes of the other properties.
var (
	Aligns  = []string{none, "bus", "word", "octet"} // a multiple of the bus width; of 8 octets, but not of the bus width; neither
	Lengths = []string{none, "0", "1-7", "8-bus", "beats", "segments", "fixed"}
)

// orders maps the rows of operations to those of the ordering tables.
var orders = map[spec.Order]ordering.Operation{spec.OrderSend: ordering.Send, spec.OrderWrite: ordering.Write, spec.OrderRead: ordering.Read,
	spec.OrderAtomic: ordering.Atomic, spec.OrderImmediate: ordering.Immediate, spec.OrderFlush: ordering.Flush, spec.OrderVerify: ordering.Verify,
	spec.OrderAtomicWrite: ordering.AtomicWrite}

// operationOf maps a message to its operation in the ordering tables; false if there is none.
func operationOf(op string) (o ordering.Operation, is bool) {
	if row := message(op); row != nil {
		o, is = orders[row.Order]
	}
	return o, is
}

// isHeader reports whether the error is detected in the header, which must therefore be complete.
func isHeader(r spec.Rule) bool { return r.Row().Header && r != spec.ShortHeader }

// isExecuted reports whether the error is that of a request which was accepted and fails when it is executed.
func isExecuted(r spec.Rule) bool { return r == spec.ExecutionFailed || r == spec.HashMismatch }

// isOf reports whether a message is in one of the classes.
func isOf(op string, c spec.Class) bool {
	row := message(op)
	return row != nil && row.Class&c != 0
}

// canBreak reports whether an operation can break a rule.
func canBreak(op string, r spec.Rule) bool { return isOf(op, r.Row().On) }

// isFixed reports whether the message has a fixed length, which is then not a property. A Read Request, a Flush and a Verify can name any
// length, and a digest has one of several.
func isFixed(op string) bool {
	row := message(op)
	return row != nil && row.SingleSegment && row.Class&(spec.ReadRequest|spec.FlushRequest|spec.VerifyRequest|spec.VerifyResponse) == 0
}

// withoutAddress reports whether a message has no memory address.
func withoutAddress(op string) bool {
	return isOf(op, spec.Terminate|spec.Immediate|spec.Requests&^spec.Naming|withoutOctets)
}

// message returns the row of a message by its name; nil for none and reserved.
func message(op string) *spec.Operation { return messages[op] }

var messages = func() map[string]*spec.Operation {
	all := map[string]*spec.Operation{}
	for _, o := range spec.AllExtensions.Operations() {
		all[o.Name] = o
	}
	return all
}()

// ofOctets lists the rules that only a nonempty access can break.
var ofOctets = []spec.Rule{spec.TaggedSTag, spec.TaggedAssociation, spec.TaggedAccess, spec.TaggedTOWrap, spec.TaggedBounds, spec.RequestSTag,
	spec.RequestAssociation, spec.RequestAccess, spec.RequestTOWrap, spec.RequestBounds, spec.Local, spec.WrongSinkSTag, spec.WrongSinkTO,
	spec.ReadTooLong, spec.MessageTooLong, spec.ExecutionFailed}

// Rule excludes impossible combinations.
type Rule struct {
	Why      string
	Excludes func(m Message, bus int) bool
}

// Rules lists the rules for every configuration; a combination not excluded by any rule is a bin.
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
	{"The ordering tables cover Sends, Writes, Immediate Data and requests, but not responses, Terminates and others.", func(m Message, _ int) bool {
		_, is := operationOf(m.Opcode)
		return m.Error != spec.StreamNotOpen && is != (m.Row != none)
	}},
	{"A header error is detected in a single segment, before it has an address; its length counts the octets after the DDP header.", func(m Message, _ int) bool {
		return isHeader(m.Error) && (m.Align != none || m.Length == none || m.Length == "segments" || m.Length == "fixed")
	}},
	{"Immediate Data, Atomics and Atomic Writes, their responses, that to a Flush, and Terminates have a fixed length, which is ensured by the header checks.", func(m Message, _ int) bool {
		return !m.Error.Row().Header && m.Error != spec.StreamNotOpen && isFixed(m.Opcode) != (m.Length == "fixed")
	}},
	{"Every message has a length.", func(m Message, _ int) bool {
		return m.Length == none && m.Error != spec.ShortHeader && m.Error != spec.StreamNotOpen
	}},
	{"Only an accepted message and one whose memory fails have an address.", func(m Message, _ int) bool {
		return m.Align != none && m.Error != spec.None && m.Error != spec.Local && m.Error != spec.Misaligned && !isExecuted(m.Error)
	}},
	{"Immediate Data, Terminates, responses without payload and empty messages have no address; all other accepted messages have one.", func(m Message, _ int) bool {
		without := m.Length == "0" || withoutAddress(m.Opcode)
		return (m.Error == spec.None || isExecuted(m.Error)) && without != (m.Align == none)
	}},
	{"Exactly the Atomics and Atomic Writes whose address is not a multiple of 8 are refused as misaligned.", func(m Message, _ int) bool {
		return isOf(m.Opcode, spec.AtomicRequest|spec.AtomicWriteRequest) && m.Align == "octet" || m.Error == spec.Misaligned && m.Align != none
	}},
	{"A Write's target and a Read's sink are checked before memory can fail; the local buffer of a Send, an Atomic Response or a Verify Response may also fail its check.", func(m Message, _ int) bool {
		return m.Error == spec.Local && m.Align == none && message(m.Opcode) != nil && message(m.Opcode).Tagged
	}},
	{"A bus of 8 octets has no address that is a multiple of 8 but not of the bus width.", func(m Message, bus int) bool {
		return bus == 8 && m.Align == "word"
	}},
	{"An empty access is not checked against a region or sink, is never too long, and cannot fail in memory; a Flush or Verify names its region all the same (I-20).", func(m Message, _ int) bool {
		return m.Length == "0" && slices.Contains(ofOctets, m.Error) && !(isOf(m.Opcode, spec.FlushRequest|spec.VerifyRequest) && slices.Contains(ofEmpty, m.Error))
	}},
	{"A request can exceed IRD only after other requests.", func(m Message, _ int) bool {
		return m.Error == spec.IRDExceeded && m.Row == nothing
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

// RulesOf lists the rules for a configuration.
func RulesOf(c gen.Config) []Rule {
	if c.Protocol()&spec.Commit != 0 {
		return slices.Concat(Rules, CommitRules)
	}
	return Rules
}

// Bins lists the possible combinations for a configuration, and counts the others by the first rule that excludes them.
func Bins(c gen.Config) (possible []Message, excluded []int) {
	x, rules := c.Protocol(), RulesOf(c)
	excluded = make([]int, len(rules))
	for _, op := range Opcodes(x) {
		for _, kind := range Errors(x) {
			for _, align := range Aligns {
				for _, length := range Lengths {
					for _, row := range Rows(x) {
						m := Message{op, kind, align, length, row}
						if i := slices.IndexFunc(rules, func(r Rule) bool { return r.Excludes(m, c.BusBytes) }); i >= 0 {
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
