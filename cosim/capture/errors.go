package capture

import (
	"errors"
	"fmt"
)

// ErrInput matches every error of Open and Read (errors.Is): the input is at fault, not the program.
var ErrInput = errors.New("capture: unusable input")

// InputError describes an error in a capture file.
type InputError struct {
	File    string
	Offset  int64 // octet of the file where the error starts
	Problem string
	Allowed string
	Err     error // cause, or nil
}

// Error returns the file, the offset, the problem and the allowed values.
func (e *InputError) Error() string {
	text := fmt.Sprintf("capture: %s: octet %d: %s", e.File, e.Offset, e.Problem)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text + "; allowed: " + e.Allowed
}

// Is makes every InputError match ErrInput.
func (e *InputError) Is(target error) bool { return target == ErrInput }

// Unwrap returns the cause, such as fs.ErrNotExist.
func (e *InputError) Unwrap() error { return e.Err }
