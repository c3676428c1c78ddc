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

// packages are the Debian packages of tools.
var packages = map[string]string{
	"yosys": "yosys", "yosys-abc": "yosys", "yosys-smtbmc": "yosys", "z3": "z3", "cvc4": "cvc4",
	"cadical": "cadical"}

// Solvers lists the supported solvers; the first is the default.
func Solvers() []string { return []string{"z3", "cvc4"} }

// CheckTools reports missing tools for these options, and how to install them.
func (o Options) CheckTools() error {
	return CheckTools("yosys", "yosys-abc", "yosys-smtbmc", "cadical", o.Solver)
}

// CheckTools reports which of these tools are missing, and how to install them.
func CheckTools(tools ...string) error {
	var errs []error
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			errs = append(errs, fmt.Errorf("%s is not installed; install it with: apt-get install %s", tool, packages[tool]))
		}
	}
	return errors.Join(errs...)
}

// errTimeout is the error of a tool that was ended because it took too long.
var errTimeout = errors.New("timeout")

// TimedOut reports whether an error is a timeout of a tool.
func TimedOut(err error) bool { return errors.Is(err, errTimeout) }

// run runs a tool in a directory and returns its output. On a timeout the tool is ended together with its child processes.
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
