package hdl

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// Error is one mistake in a description, with the place in the generator that made it.
type Error struct {
	Message string
	pcs     []uintptr
}

// Error returns file:line: message, where the line is the first frame outside package hdl.
func (e *Error) Error() string {
	if frames := ir.Outside(e.pcs); len(frames) > 0 {
		return fmt.Sprintf("%s:%d: %s", filepath.Base(frames[0].File), frames[0].Line, e.Message)
	}
	return e.Message
}

// Frames returns up to three calls outside package hdl that led to the mistake, innermost first.
func (e *Error) Frames() []runtime.Frame {
	frames := ir.Outside(e.pcs)
	return frames[:min(3, len(frames))]
}

func errorf(pcs []uintptr, format string, args ...any) *Error {
	return &Error{Message: fmt.Sprintf(format, args...), pcs: pcs}
}

// callers keeps raw program counters; they are resolved only when a message is printed.
func callers() []uintptr {
	var pcs [24]uintptr
	n := runtime.Callers(3, pcs[:])
	return pcs[:n:n]
}

// Errors splits an error of [Compile] into single mistakes.
func Errors(err error) []error {
	var many interface{ Unwrap() []error }
	if errors.As(err, &many) {
		return many.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}
