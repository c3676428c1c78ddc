package icarus

import (
	"context"
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/tool"
	"github.com/rnicgen/rnicgen/internal/process"
)

//go:embed vpi/drive.c
var driveSource string

const install = "apt-get install iverilog gcc"

// tools are the programs that build and run a simulation.
type tools struct {
	iverilog, vpi, vvp string
	identity           string // versions
}

var known struct {
	sync.Mutex
	identities map[string]string // by the path of iverilog
}

// findTools looks up the programs each time, since PATH can change, but queries the version only once.
func findTools(ctx context.Context) (t tools, err error) {
	for _, p := range []struct {
		name string
		path *string
	}{{"iverilog", &t.iverilog}, {"iverilog-vpi", &t.vpi}, {"vvp", &t.vvp}, {"cc", new(string)}} {
		if *p.path, err = exec.LookPath(p.name); err != nil {
			return tools{}, &simulator.MissingToolError{Tool: p.name, Install: install}
		}
	}
	known.Lock()
	defer known.Unlock()
	if known.identities == nil {
		known.identities = map[string]string{}
	}
	if known.identities[t.iverilog] == "" {
		version, err := tool.Command(ctx, "", t.iverilog, "-V")
		if err != nil {
			return tools{}, err
		}
		flags, err := tool.Command(ctx, "", t.vpi, "--cflags")
		if err != nil {
			return tools{}, err
		}
		known.identities[t.iverilog], _, _ = strings.Cut(version, "\n")
		known.identities[t.iverilog] += flags
	}
	t.identity = known.identities[t.iverilog]
	return t, nil
}

// moduleName is the name of the VPI module and its file.
const moduleName = "rnicgen"

// vpiModule returns the directory of the VPI module, which is built once for all designs.
func vpiModule(ctx context.Context, t tools) (string, error) {
	return tool.Cached(ctx, "vpi-"+tool.Hash(t.identity, driveSource), func(dir string) error {
		if err := os.WriteFile(filepath.Join(dir, "drive.c"), []byte(driveSource), 0o644); err != nil {
			return err
		}
		if _, err := tool.Command(ctx, dir, t.vpi, "--name="+moduleName, "drive.c"); err != nil {
			return err
		}
		return process.Made(t.vpi, filepath.Join(dir, moduleName+".vpi"))
	})
}

// compiled is the file name of a compiled design.
const compiled = "dut.vvp"

// compile returns the path of the compiled design, from the cache or newly built.
func compile(ctx context.Context, t tools, d *simulator.Design) (string, error) {
	files := append([]simulator.File{{Name: benchName + ".v", Text: bench(d)}}, d.Files...)
	key := []string{t.identity}
	args := []string{"-g2005", "-s", benchName, "-o", compiled}
	for _, f := range files {
		key = append(key, f.Name, f.Text)
		if strings.HasSuffix(f.Name, ".sv") {
			args[0] = "-g2012"
		}
		args = append(args, f.Name)
	}
	dir, err := tool.Cached(ctx, "icarus-"+tool.Hash(key...), func(dir string) error {
		for _, f := range files {
			if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o644); err != nil {
				return err
			}
		}
		if _, err := tool.Command(ctx, dir, t.iverilog, args...); err != nil {
			return err
		}
		return process.Made(t.iverilog, filepath.Join(dir, compiled))
	})
	return filepath.Join(dir, compiled), err
}
