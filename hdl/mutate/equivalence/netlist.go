package equivalence

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/mutate"
	"github.com/rnicgen/rnicgen/internal/process"
)

// synthesis reduces a module to and gates and 1-bit registers.
const synthesis = "read_verilog module.v; hierarchy -top %s; proc; opt; memory -nordff; opt -full; techmap; opt; setundef -zero; dffunmap; aigmap; opt_clean; " +
	"write_aiger -ascii -symbols module.aag"

// netlist synthesizes a module to and gates with yosys.
func netlist(ctx context.Context, a mutate.Alone) ([]byte, error) {
	dir, err := os.MkdirTemp("", "rnicgen-same-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "module.v"), []byte(a.Design.Specialised()[0].Text), 0o644); err != nil {
		return nil, err
	}
	c := process.Command(ctx, dir, "yosys", "-q", "-p", fmt.Sprintf(synthesis, a.Design.Name()))
	if out, err := c.CombinedOutput(); process.Unexplained("yosys", err, string(out)) != nil {
		return nil, process.Unexplained("yosys", err, string(out))
	} else if err != nil {
		return nil, fmt.Errorf("yosys: %s: %w\n%s", a.Design.Name(), err, strings.TrimSpace(string(out)))
	}
	return os.ReadFile(filepath.Join(dir, "module.aag"))
}
