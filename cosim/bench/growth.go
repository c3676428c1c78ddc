package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/internal/process"
)

// growthLimit is far more time than yosys takes.
const growthLimit = 30 * time.Minute

// growth synthesises the engine for 16 and for 16,384 streams and compares the LUTs. Memories are not mapped, so that only logic
// is counted, and not how a device combines block RAMs.
func growth(ctx context.Context) ([]Figure, error) {
	var luts [2]float64
	for i, streams := range []int{16, 16384} {
		c := gen.Default()
		c.Streams, c.RetirePort = streams, false
		d, err := gen.Compile(c)
		if err != nil {
			return nil, err
		}
		if luts[i], err = countLUTs(ctx, d); err != nil {
			return nil, err
		}
	}
	return []Figure{
		AtMost("LUTs with 16,384 streams against 16, 64-byte bus, RAM aside (yosys synth_xilinx)", "times", luts[1]/luts[0], 1.15),
	}, nil
}

// countLUTs maps a design, except its memories, to a Xilinx FPGA.
func countLUTs(ctx context.Context, d *hdl.Design) (float64, error) {
	dir, err := os.MkdirTemp("", "rnicgen")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	for _, f := range d.Files() {
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o644); err != nil {
			return 0, err
		}
	}
	script := fmt.Sprintf("read_verilog *.v; synth_xilinx -top %[1]s -noiopad -run begin:map_memory; synth_xilinx -top %[1]s -noiopad -run fine:check; "+
		"tee -o stat.txt stat -tech xilinx -top %[1]s", d.Top())
	ctx, cancel := context.WithTimeout(ctx, growthLimit)
	defer cancel()
	run := process.Command(ctx, dir, "yosys", "-q", "-p", script)
	if out, err := run.CombinedOutput(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return 0, errors.New("yosys is missing: apt-get install yosys")
		}
		return 0, fmt.Errorf("yosys: %w: %s", err, out[max(0, len(out)-500):])
	}
	text, err := os.ReadFile(filepath.Join(dir, "stat.txt"))
	if err != nil {
		return 0, err
	}
	return sumLUTs(string(text))
}

var lutRow = regexp.MustCompile(`(?m)^\s+LUT[1-6]\s+(\d+)$`)

// sumLUTs adds the LUTs of the whole design, which stat prints last.
func sumLUTs(stat string) (float64, error) {
	whole := stat[strings.LastIndex(stat, "design hierarchy")+1:]
	sum := 0
	for _, row := range lutRow.FindAllStringSubmatch(whole, -1) {
		n, err := strconv.Atoi(row[1])
		if err != nil {
			return 0, err
		}
		sum += n
	}
	if sum == 0 {
		return 0, errors.New("yosys counts no LUTs")
	}
	return float64(sum), nil
}
