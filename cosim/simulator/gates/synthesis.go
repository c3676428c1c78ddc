package gates

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/tool"
	"github.com/rnicgen/rnicgen/internal/process"
)

// Files in the directory of a netlist.
const (
	netlistFile = "netlist.json"
	VerilogFile = "netlist.v" // the netlist as Verilog, with the modules of the design
)

// script performs the steps of synth except memory_map, which would turn every memory into flip-flops. Each module is
// synthesised separately; for simulation, all of them are then flattened into one.
const script = `synth -top %s -run begin:fine
opt -fast -full
opt -undriven -fine
techmap
opt -fast
abc -fast
opt -fast
synth -run check:
check -assert
write_verilog -noattr %s
flatten
opt_clean -purge
attrmap -remove src
write_json %s
`

// Synthesise returns the directory of the design's netlist, from the cache or newly built.
func Synthesise(ctx context.Context, d *simulator.Design) (string, error) {
	yosys, err := exec.LookPath("yosys")
	if err != nil {
		return "", &simulator.MissingToolError{Tool: "yosys", Install: "apt-get install yosys"}
	}
	version, err := tool.Command(ctx, "", yosys, "-V")
	if err != nil {
		return "", err
	}
	var text strings.Builder
	key := []string{version}
	for _, f := range d.Files {
		key = append(key, f.Name, f.Text)
		system := ""
		if strings.HasSuffix(f.Name, ".sv") {
			system = "-sv "
		}
		fmt.Fprintf(&text, "read_verilog %s%s\n", system, f.Name)
	}
	fmt.Fprintf(&text, script, d.Top, VerilogFile, netlistFile)
	return tool.Cached(ctx, "gates-"+tool.Hash(append(key, text.String())...), func(dir string) error {
		for _, f := range append([]simulator.File{{Name: "synth.ys", Text: text.String()}}, d.Files...) {
			if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o644); err != nil {
				return err
			}
		}
		if _, err := tool.Command(ctx, dir, yosys, "-q", "synth.ys"); err != nil {
			return err
		}
		return process.Made(yosys, filepath.Join(dir, netlistFile))
	})
}
