package wire

import (
	"errors"
	"fmt"
)

// ErrMPAIncomplete is what an MPAError is (errors.Is) when the octets are right as far as they go and more
// of them are needed: the normal state of a receiver in the middle of a stream.
var ErrMPAIncomplete = errors.New("mpa: incomplete")

// MPAError tells which field of MPA's framing cannot be.
type MPAError struct {
	Frame   string // "FPDU", "request", "reply"
	Field   string // name in the tables, or the part of the frame
	Offset  int    // octets from the start of the decoded bytes to the field
	Value   uint64
	Allowed string
	Need    int // octets from the start of the decoded bytes that the next attempt needs; 0: more cannot help
}

// Error names field, offset, value and what is allowed.
func (e *MPAError) Error() string {
	return fmt.Sprintf("mpa: %s: %s at octet %d is %d (0x%X); allowed: %s", e.Frame, e.Field, e.Offset, e.Value, e.Value, e.Allowed)
}

// Is reports that an error which more octets can cure is ErrMPAIncomplete.
func (e *MPAError) Is(target error) bool { return target == ErrMPAIncomplete && e.Need > 0 }

func incomplete(frame string, have, need int) *MPAError {
	return &MPAError{Frame: frame, Field: "end of data", Offset: have, Value: uint64(have), Need: need,
		Allowed: fmt.Sprintf("at least %d octets", need)}
}
