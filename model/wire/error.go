package wire

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// Error describes a fault in received octets: where it is, and what is allowed. It is for readers; code that makes
// decisions uses the Rule.
type Error struct {
	Rule    spec.Rule
	Header  string // name of the table
	Field   string // name of the field; "length" if the number of octets is invalid
	Offset  int    // octet in which the field starts, counted from the start of the input
	Value   uint64
	Allowed string
}

// Error reads, for example,
// "queue_number: ddp_untagged.queue_number at octet 6 is 4 (0x4); allowed: 0..3".
func (e *Error) Error() string {
	return fmt.Sprintf("%v: %s.%s at octet %d is %d (0x%X); allowed: %s",
		e.Rule, e.Header, e.Field, e.Offset, e.Value, e.Value, e.Allowed)
}

// wrong returns an Error about a field of a table that starts at octet base.
func wrong(rule spec.Rule, t *Table, field string, base int, value uint64, allowed string) Error {
	return Error{rule, t.Name, field, base + t.MustField(field).Octet(), value, allowed}
}

// wrongLength returns an Error about the number of octets from octet base.
func wrongLength(rule spec.Rule, t *Table, base, octets int, allowed string) Error {
	return Error{rule, t.Name, "length", base, uint64(octets), allowed}
}

// wrongT returns an Error about a T bit that does not match the opcode.
func wrongT(t *Table, want bool) Error {
	if want {
		return wrong(spec.WrongTBit, t, "t", 0, 0, "1 for this opcode")
	}
	return wrong(spec.WrongTBit, t, "t", 0, 1, "0 for this opcode")
}

// queueName looks up the text instead of formatting it, because Classify must not allocate.
func queueName(queue uint32) string {
	return [...]string{"0 for this opcode", "1 for this opcode", "2 for this opcode", "3 for this opcode"}[queue&3]
}
