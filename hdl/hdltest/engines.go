package hdltest

import (
	"github.com/rnicgen/rnicgen/hdl"
	"path/filepath"
)

func (e Engine) String() string { return [...]string{"icarus", "verilator"}[e] }

const icarusMain = `module icarus;
    reg clk = 0;
    bench b(clk);
    always #1 clk = !clk;
endmodule
`

const verilatorMain = `#include "Vbench.h"
#include "verilated.h"

int main() {
    Vbench bench;
    bench.clk = 0;
    bench.eval();
    while (!Verilated::gotFinish()) {
        bench.clk = !bench.clk;
        bench.eval();
    }
}
`

// run builds and runs the bench in a directory and returns its output.
func (e Engine) run(dir string, sources []hdl.File) (string, error) {
	if e == Icarus {
		sources = append(sources, hdl.File{Name: "icarus.v", Text: icarusMain})
	} else {
		sources = append(sources, hdl.File{Name: "main.cpp", Text: verilatorMain})
	}
	names, err := write(dir, sources)
	if err != nil {
		return "", err
	}
	if e == Icarus {
		if _, err := Run(dir, "iverilog", append([]string{"-g2005", "-o", "bench.vvp", "-s", "icarus"}, names...)...); err != nil {
			return "", err
		}
		return Run(dir, "vvp", "-n", "bench.vvp")
	}
	args := []string{"--cc", "--exe", "--build", "-j", "2", "-Wno-lint", "-CFLAGS", "-O0", "--top-module", "bench", "main.cpp"}
	if _, err := Run(dir, "verilator", append(args, names...)...); err != nil {
		return "", err
	}
	return Run(dir, filepath.Join(dir, "obj_dir", "Vbench"))
}
