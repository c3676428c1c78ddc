package evidence

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/rnicgen/rnicgen/internal/process"
)

// Tool is a program used by a check, and its version.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// programs are the tools that checks use, with the argument that prints their version.
var programs = []struct{ name, argument, Package string }{
	{"verilator", "--version", "verilator"},
	{"g++", "--version", "g++"},
	{"iverilog", "-V", "iverilog"},
	{"vvp", "-V", "iverilog"},
	{"yosys", "-V", "yosys"},
	{"z3", "--version", "z3"},
	{"cvc4", "--version", "cvc4"},
	{"cadical", "--version", "cadical"},
	{"tshark", "--version", "tshark"},
}

// speaking matches a line with a version number, or that of a solver of a SAT competition.
var speaking = regexp.MustCompile(`\d+\.\d+|^sc\d{4}`)

// Tools returns the versions of all programs; a missing program is an error.
func Tools(ctx context.Context) ([]Tool, error) {
	list := []Tool{{"go", runtime.Version()}, {"system", runtime.GOOS + "/" + runtime.GOARCH}}
	for _, p := range programs {
		path, err := exec.LookPath(p.name)
		if err != nil {
			return nil, fmt.Errorf("%s is not installed; install it with: apt-get install %s", p.name, p.Package)
		}
		said, err := process.Command(ctx, "", path, p.argument).CombinedOutput()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		version := ""
		for line := range strings.Lines(string(said)) {
			if speaking.MatchString(line) {
				version = strings.TrimSpace(line)
				break
			}
		}
		if version == "" {
			return nil, fmt.Errorf("%s %s printed no version number (%v)", p.name, p.argument, err)
		}
		list = append(list, Tool{p.name, version})
	}
	return list, nil
}

// Source returns the revision from which this program was built, as recorded by the Go command.
func Source() string {
	revision, changed := "unknown", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = ", with changes"
			}
		}
	}
	return revision + changed
}
