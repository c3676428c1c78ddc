package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// Failure is a program that failed without an explanation: it was ended by a signal, or wrote nothing. Its text is one line, with a
// remedy.
type Failure struct {
	Program string
	Err     error
}

func (f *Failure) Error() string {
	if s, is := signaled(f.Err); is {
		return fmt.Sprintf("%s was ended by signal %d (%v) before it was done; run the command again, with more memory if the system ran out of it", f.Program, s, s)
	}
	return fmt.Sprintf("%s failed (%v) and said nothing; see whether it works by itself, and install it again if not", f.Program, f.Err)
}

// Unexplained returns the *Failure of a program that ended with err and wrote said, or nil if said explains the failure.
func Unexplained(program string, err error, said string) error {
	if err == nil {
		return nil
	}
	if _, is := signaled(err); !is && strings.TrimSpace(said) != "" {
		return nil
	}
	return &Failure{filepath.Base(program), err}
}

// Made checks that a successful program has created a file.
func Made(program, file string) error {
	info, err := os.Stat(file)
	if err != nil || info.Size() == 0 {
		return fmt.Errorf("%s ended well and made no %s; see whether %s is what it should be, and install it again if not",
			filepath.Base(program), filepath.Base(file), program)
	}
	return nil
}

// signaled returns the signal that ended a program.
func signaled(err error) (syscall.Signal, bool) {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0, false
	}
	status, is := exit.Sys().(syscall.WaitStatus)
	return status.Signal(), is && status.Signaled()
}
