package icarus

import (
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// benchName and instance contain double underscores, which ports cannot.
const (
	benchName = "rnicgen__bench"
	instance  = "dut__"
)

// bench returns the top module, which instantiates the design, passes its ports to the VPI module, and can write a waveform.
func bench(d *simulator.Design) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("`timescale 1ps / 1ps")
	line("module %s;", benchName)
	connections, ports := []string{}, []string{"0"}
	for _, p := range d.Ports {
		kind := "wire"
		if p.Dir == simulator.In {
			kind = "reg"
		}
		line("    %s [%d:0] %s;", kind, p.Width-1, p.Name)
		connections = append(connections, fmt.Sprintf(".%s(%[1]s)", p.Name))
		if p.Name == d.Clock {
			ports[0] = p.Name
		} else {
			ports = append(ports, p.Name)
		}
	}
	line("    %s %s(%s);", d.Top, instance, strings.Join(connections, ", "))
	line("    reg [8*4096:1] trace__;")
	line("    initial begin")
	line("        if ($value$plusargs(\"trace=%%s\", trace__)) begin")
	line("            $dumpfile(trace__);")
	line("            $dumpvars(0, %s);", instance)
	line("        end")
	line("        $rnicgen_drive(%s);", strings.Join(ports, ", "))
	line("    end")
	line("endmodule")
	return b.String()
}
