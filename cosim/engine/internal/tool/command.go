package tool

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Error is a tool which rejected what it was given, with what it said.
type Error struct {
	Command string
	Stderr  string
	Err     error
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %v\n%s", e.Command, e.Err, strings.TrimSpace(e.Stderr))
}

func (e *Error) Unwrap() error { return e.Err }

// Command runs a program in a directory and returns its standard output.
func Command(dir, program string, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	if err := cmd.Run(); err != nil {
		line := strings.Join(append([]string{filepath.Base(program)}, args...), " ")
		return "", &Error{Command: line, Stderr: stderr.String(), Err: err}
	}
	return stdout.String(), nil
}
