package tool

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rnicgen/rnicgen/internal/process"
)

// Error is a failed run of a tool, with its standard error.
type Error struct {
	Command string
	Stderr  string
	Err     error
}

func (e *Error) Error() string {
	name, _, _ := strings.Cut(e.Command, " ")
	if f := process.Unexplained(name, e.Err, e.Stderr); f != nil {
		return f.Error()
	}
	return fmt.Sprintf("%s: %v\n%s", e.Command, e.Err, strings.TrimSpace(e.Stderr))
}

func (e *Error) Unwrap() error { return e.Err }

// Command runs a program in a directory and returns its standard output. The program ends with the context.
func Command(ctx context.Context, dir, program string, args ...string) (string, error) {
	cmd := process.Command(ctx, dir, program, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		line := strings.Join(append([]string{filepath.Base(program)}, args...), " ")
		return "", &Error{Command: line, Stderr: stderr.String(), Err: err}
	}
	return stdout.String(), nil
}
