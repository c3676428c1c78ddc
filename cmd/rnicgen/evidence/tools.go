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

// Tool is a program that takes part, and what it says of its version.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// programs take part in some check, and the argument with which each tells its version.
var programs = []struct{ name, argument, Package string }{
	{"verilator", "--version", "verilator"},
	{"g++", "--version", "g++"},
	{"iverilog", "-V", "iverilog"},
	{"vvp", "-V", "iverilog"},
	{"yosys", "-V", "yosys"},
	{"z3", "--version", "z3"},
	{"cvc4", "--version", "cvc4"},
	{"tshark", "--version", "tshark"},
}

// speaking is a line that has a version in it.
var speaking = regexp.MustCompile(`\d+\.\d+`)

// Tools asks all programs for their versions; one that is missing is an error.
func Tools(ctx context.Context) ([]Tool, error) {
	list := []Tool{{"go", runtime.Version()}, {"system", runtime.GOOS + "/" + runtime.GOARCH}}
	for _, p := range programs {
		path, err := exec.LookPath(p.name)
		if err != nil {
			return nil, fmt.Errorf("%s is missing; apt-get install %s", p.name, p.Package)
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
			return nil, fmt.Errorf("%s %s tells no version: %v", p.name, p.argument, err)
		}
		list = append(list, Tool{p.name, version})
	}
	return list, nil
}

// Source is the revision that this program was built from, as the Go command recorded it.
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
