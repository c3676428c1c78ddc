package tool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/rnicgen/rnicgen/internal/process"
)

// Error is a tool that failed, with what it said.
type Error struct {
	Command string
	Stderr  string
	Err     error
}

func (e *Error) Error() string {
	said := strings.TrimSpace(e.Stderr)
	name, _, _ := strings.Cut(e.Command, " ")
	switch status, is := status(e.Err); {
	case is && status.Signaled():
		return fmt.Sprintf("%s was ended by signal %d (%v) before it was done; run the command again, with more memory if the system ran out of it",
			name, status.Signal(), status.Signal())
	case said == "":
		return fmt.Sprintf("%s failed (%v) and said nothing; see whether `%s --version` works, and install it again if not", name, e.Err, name)
	}
	return fmt.Sprintf("%s: %v\n%s", e.Command, e.Err, said)
}

func (e *Error) Unwrap() error { return e.Err }

// status is how a process ended.
func status(err error) (syscall.WaitStatus, bool) {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0, false
	}
	s, is := exit.Sys().(syscall.WaitStatus)
	return s, is
}

// Command runs a program in a directory and returns its standard output. It ends with the context.
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

// Made checks that a program that says it went well has made a file.
func Made(program, file string) error {
	info, err := os.Stat(file)
	if err != nil || info.Size() == 0 {
		return fmt.Errorf("%s ended well and made no %s; see whether %s is what it should be, and install it again if not",
			filepath.Base(program), filepath.Base(file), program)
	}
	return nil
}
