package verilator

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/tool"
)

const install = "apt-get install verilator g++"

// tools are the programs that build a library.
type tools struct {
	verilator, cxx string
	include        string // Verilator's run-time sources
	identity       string // versions, and the processor that -march=native stands for
}

var known struct {
	sync.Mutex
	tools map[[2]string]tools // by the paths of the two programs
}

// findTools looks the programs up on each call, since PATH can change, and queries the version of each only once.
func findTools(ctx context.Context) (tools, error) {
	var t tools
	var err error
	if t.verilator, err = exec.LookPath("verilator"); err != nil {
		return tools{}, &simulator.MissingToolError{Tool: "verilator", Install: install}
	}
	if t.cxx, err = exec.LookPath("g++"); err != nil {
		return tools{}, &simulator.MissingToolError{Tool: "g++", Install: install}
	}
	known.Lock()
	defer known.Unlock()
	key := [2]string{t.verilator, t.cxx}
	if t, ok := known.tools[key]; ok {
		return t, nil
	}
	version, err := tool.Command(ctx, "", t.verilator, "--version")
	if err != nil {
		return tools{}, err
	}
	root, err := tool.Command(ctx, "", t.verilator, "--getenv", "VERILATOR_ROOT")
	if err != nil {
		return tools{}, err
	}
	macros, err := tool.Command(ctx, "", t.cxx, "-march=native", "-dM", "-E", "-x", "c++", os.DevNull)
	if err != nil {
		return tools{}, err
	}
	t.include = filepath.Join(strings.TrimSpace(root), "include")
	t.identity = version + macros
	if known.tools == nil {
		known.tools = map[[2]string]tools{}
	}
	known.tools[key] = t
	return t, nil
}
