package hdltest

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
)

// Lint fails the test unless Verilator, Icarus and Yosys accept the files without warnings.
func Lint(t testing.TB, files []hdl.File, top string) {
	t.Helper()
	found, err := warnings(t.TempDir(), files, top)
	require.NoError(t, err)
	for _, tool := range []string{"verilator", "iverilog", "yosys"} {
		require.Empty(t, found[tool], "%s has something to say about %s", tool, top)
	}
}

// waiverFile is read by Verilator only.
const waiverFile = "waivers.vlt"

// warnings returns the output of the tools, including errors in the files. The error reports a missing tool.
func warnings(dir string, files []hdl.File, top string) (map[string]string, error) {
	names, err := write(dir, files)
	if err != nil {
		return nil, err
	}
	verilator := []string{"verilator", "--lint-only", "-Wall", "--top-module", top}
	if slices.ContainsFunc(files, func(f hdl.File) bool { return f.Name == waiverFile }) {
		verilator = append(verilator, waiverFile)
	}
	out := map[string]string{}
	for _, args := range [][]string{
		verilator,
		{"iverilog", "-Wall", "-g2005", "-t", "null", "-s", top},
		{"yosys", "-q", "-p", "hierarchy -check -top " + top + "; proc; check -assert"},
	} {
		said, err := Run(dir, args[0], append(args[1:], names...)...)
		var failed *exec.ExitError
		switch {
		case errors.As(err, &failed):
			out[args[0]] = err.Error()
		case err != nil:
			return nil, err
		case said != "":
			out[args[0]] = said
		}
	}
	return out, nil
}

// LintDesigns is [Lint] for many designs in one run of each tool, except for waived Verilator warnings.
func LintDesigns(t testing.TB, waived []string, designs ...*hdl.Design) {
	t.Helper()
	files, err := sources(designs)
	require.NoError(t, err)
	body, ins, outs := &strings.Builder{}, 0, 0
	for i, d := range designs {
		var pins []string
		if d.Clocked() {
			pins = append(pins, ".clk(clk)", ".rst(rst)")
		}
		for _, p := range d.Ports() {
			bus, from := "ins", &ins
			if p.Out {
				bus, from = "outs", &outs
			}
			pins = append(pins, fmt.Sprintf(".%s(%s[%d:%d])", p.Name, bus, *from+p.Width-1, *from))
			*from += p.Width
		}
		fmt.Fprintf(body, "    %s part_%d(%s);\n", d.Top(), i, strings.Join(pins, ", "))
	}
	top := fmt.Sprintf("module lint_all(input wire clk, input wire rst, input wire [%d:0] ins, output wire [%d:0] outs);\n%sendmodule\n",
		ins-1, outs-1, body)
	waivers := "`verilator_config\n"
	for _, rule := range waived {
		waivers += "lint_off -rule " + rule + "\n"
	}
	Lint(t, append(files, hdl.File{Name: "lint_all.v", Text: top}, hdl.File{Name: waiverFile, Text: waivers}), "lint_all")
}

// sources lists the files of many designs, each once.
func sources(designs []*hdl.Design) ([]hdl.File, error) {
	var out []hdl.File
	known := map[string]string{}
	for _, d := range designs {
		for _, f := range d.Files() {
			before, twice := known[f.Name]
			switch {
			case !twice:
				known[f.Name] = f.Text
				out = append(out, f)
			case before != f.Text:
				return nil, fmt.Errorf("two designs have different modules %s", f.Name)
			}
		}
	}
	return out, nil
}
