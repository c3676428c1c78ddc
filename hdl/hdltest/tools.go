// Package hdltest is what tests of hardware share: the tools that must accept what is printed without a
// single warning, and the comparison of the Go simulator with two Verilog simulators.
package hdltest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/rnicgen/rnicgen/hdl"
)

// install tells how a tool comes onto a machine.
var install = map[string]string{
	"verilator": "apt-get install verilator",
	"iverilog":  "apt-get install iverilog",
	"vvp":       "apt-get install iverilog",
	"yosys":     "apt-get install yosys",
}

// Run runs a tool in a directory and gives what it said. The error of a missing tool says how to install it.
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

// write puts files into a directory and gives the names of those that are Verilog.
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
