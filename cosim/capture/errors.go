package capture

import (
	"errors"
	"fmt"
)

// ErrInput is what every error of Open and Read is (errors.Is): the input is unusable, the program is not.
var ErrInput = errors.New("capture: unusable input")

// InputError says what is wrong with a capture file.
type InputError struct {
	File    string
	Offset  int64 // octet of the file where the trouble starts
	Problem string
	Allowed string
	Err     error // cause, or nil
}

// Error names the file, the offset, the problem and what is allowed.
func (e *InputError) Error() string {
	text := fmt.Sprintf("capture: %s: octet %d: %s", e.File, e.Offset, e.Problem)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text + "; allowed: " + e.Allowed
}

// Is makes every InputError ErrInput.
func (e *InputError) Is(target error) bool { return target == ErrInput }

// Unwrap is the cause, such as fs.ErrNotExist.
func (e *InputError) Unwrap() error { return e.Err }
