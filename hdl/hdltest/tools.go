// Package hdltest is shared by tests of hardware: it lints printed Verilog with external tools, which must accept it without warnings,
// and compares the Go simulator with two Verilog simulators.
package hdltest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/rnicgen/rnicgen/hdl"
)

// install is the command that installs a tool.
var install = map[string]string{
	"verilator": "apt-get install verilator",
	"iverilog":  "apt-get install iverilog",
	"vvp":       "apt-get install iverilog",
	"yosys":     "apt-get install yosys",
}

// Run runs a tool in a directory and returns its output. The error for a missing tool names the command that installs it.
func Run(dir, tool string, args ...string) (string, error) {
	path, err := exec.LookPath(tool)
	if err != nil {
		return "", fmt.Errorf("%s is not installed; install it with: %s", tool, install[tool])
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s %q: %w\n%s", tool, args, err, out)
	}
	return string(out), nil
}

// write writes files to a directory and returns the names of the Verilog files.
func write(dir string, files []hdl.File) (verilog []string, err error) {
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o644); err != nil {
			return nil, err
		}
		if filepath.Ext(f.Name) == ".v" {
			verilog = append(verilog, f.Name)
		}
	}
	return verilog, nil
}
