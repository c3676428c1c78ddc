package same

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// synthesis makes and gates and registers of one bit, nothing else.
const synthesis = "read_verilog module.v; hierarchy -top %s; proc; opt; memory -nordff; opt -full; techmap; opt; dffunmap; aigmap; opt_clean; " +
	"write_aiger -ascii -symbols module.aag"

// netlist makes and gates of a module, with yosys.
func netlist(a mutate.Alone) (text []byte, err error) {
	err = inFolder(map[string][]byte{"module.v": []byte(a.Text)}, func(dir string) error {
		if _, err := run(context.Background(), dir, "yosys", "-q", "-p", fmt.Sprintf(synthesis, a.Top)); err != nil {
			return fmt.Errorf("%s: %w", a.Top, err)
		}
		text, err = os.ReadFile(filepath.Join(dir, "module.aag"))
		return err
	})
	return text, err
}

// never tells whether the two of a pair are shown never to differ. Registers that are free may have any value in any clock.
func (p *pair) never(free map[lit]bool, patience time.Duration) (holds bool, err error) {
	err = inFolder(map[string][]byte{"pair.aig": p.binary(p.differs, free)}, func(dir string) error {
		ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
		defer cancel()
		out, err := run(ctx, dir, "yosys-abc", "-c", fmt.Sprintf("read_aiger pair.aig; scorr; pdr -T %d", int(patience.Seconds())))
		if holds = strings.Contains(out, "Property proved"); ctx.Err() != nil {
			return nil
		}
		return err
	})
	return holds, err
}

// inFolder works in a folder with some files, which is there for as long.
func inFolder(files map[string][]byte, work func(dir string) error) error {
	dir, err := os.MkdirTemp("", "rnicgen-same-")
	if err != nil {
		return err
	}
	for name, text := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), text, 0o644))
	}
	if err == nil {
		err = work(dir)
	}
	return errors.Join(err, os.RemoveAll(dir))
}

func run(ctx context.Context, dir, tool string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, tool, args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", tool, err, strings.TrimSpace(string(out)))
	}
	return string(out), err
}
