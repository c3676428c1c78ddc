package formal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/rnicgen/rnicgen/internal/process"
)

// packages tells which Debian package a tool is in.
var packages = map[string]string{"yosys": "yosys", "yosys-abc": "yosys", "yosys-smtbmc": "yosys", "z3": "z3", "cvc4": "cvc4"}

// Solvers lists the solvers that can be chosen; the first is the default.
func Solvers() []string { return []string{"z3", "cvc4"} }

// CheckTools tells which tool is missing for these options, and how to install it.
func (o Options) CheckTools() error {
	return CheckTools("yosys", "yosys-abc", "yosys-smtbmc", o.Solver)
}

// CheckTools tells which of some tools is missing, and how to install it.
func CheckTools(tools ...string) error {
	var errs []error
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			errs = append(errs, fmt.Errorf("%s is not installed; install it with: apt-get install %s", tool, packages[tool]))
		}
	}
	return errors.Join(errs...)
}

// errTimeout is what a tool gives that was ended because it took too long.
var errTimeout = errors.New("timeout")

// TimedOut tells whether an error is that a tool took too long.
func TimedOut(err error) bool { return errors.Is(err, errTimeout) }

// run runs a tool in a directory and gives what it said. When time is up the tool ends, with all that it has started.
func run(ctx context.Context, dir string, limit time.Duration, tool string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := process.Command(ctx, dir, tool, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if ctx.Err() == context.DeadlineExceeded {
		return out.String(), fmt.Errorf("%s: %w after %v", tool, errTimeout, limit)
	}
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if f := process.Unexplained(tool, err, out.String()); f != nil {
		return "", f
	}
	return out.String(), err
}
