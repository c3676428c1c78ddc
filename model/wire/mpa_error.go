package wire

import (
	"errors"
	"fmt"
)

// ErrMPAIncomplete matches (errors.Is) an MPAError if the octets so far are valid and more are needed: the normal state
// of a receiver in the middle of a stream.
var ErrMPAIncomplete = errors.New("mpa: incomplete")

// MPAError describes an invalid field of MPA framing.
type MPAError struct {
	Frame   string // "FPDU", "request", "reply"
	Field   string // name in the tables, or the part of the frame
	Offset  int    // octet offset of the field from the start of the input
	Value   uint64
	Allowed string
	Need    int // octets of input required for the next attempt; 0: more cannot help
}

// Error names field, offset, value and what is allowed.
func (e *MPAError) Error() string {
	return fmt.Sprintf("mpa: %s: %s at octet %d is %d (0x%X); allowed: %s", e.Frame, e.Field, e.Offset, e.Value, e.Value, e.Allowed)
}

// Is makes an error that more octets can resolve match ErrMPAIncomplete.
func (e *MPAError) Is(target error) bool { return target == ErrMPAIncomplete && e.Need > 0 }

func incomplete(frame string, have, need int) *MPAError {
	return &MPAError{Frame: frame, Field: "end of data", Offset: have, Value: uint64(have), Need: need,
		Allowed: fmt.Sprintf("at least %d octets", need)}
}
