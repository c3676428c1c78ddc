package aig

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/rnicgen/rnicgen/internal/process"
)

// Never reports whether an output is proven to be 0 in every cycle: by register correspondence, then by property-directed
// reachability, each within patience.
func Never(ctx context.Context, netlist []byte, patience time.Duration) (bool, error) {
	said, err := onNetlist(ctx, netlist, 2*patience, fmt.Sprintf("scorr; pdr -T %d", seconds(patience)))
	return strings.Contains(said, proved), err
}

const proved = "Property proved"

// First finds the first cycle in which an output is 1, within a number of cycles; -1 if it is 0 in all of them. known is false if
// patience runs out.
func First(ctx context.Context, netlist []byte, clocks int, patience time.Duration) (clock int, known bool, err error) {
	said, err := onNetlist(ctx, netlist, 2*patience, bounded(netlist, clocks, patience))
	if f := asserted.FindStringSubmatch(said); f != nil {
		clock, err = strconv.Atoi(f[1])
		return clock, true, err
	}
	f := silent.FindStringSubmatch(said)
	all := strings.Contains(said, proved) || strings.Contains(said, "Explored all reachable states")
	return -1, all || f != nil && f[1] == strconv.Itoa(clocks), err
}

// Witness finds the first cycle in which an output is 1, like First, and returns the inputs that lead to it: the numbers of those that
// are 1, by cycle. Irrelevant inputs are 0. The result is nil if there is no such cycle.
func Witness(ctx context.Context, netlist []byte, clocks int, patience time.Duration) (ones [][]int, err error) {
	var inputs int
	fmt.Sscanf(string(netlist[:min(len(netlist), 80)]), "aig %d %d", new(int), &inputs)
	named := bytes.NewBuffer(bytes.Clone(netlist))
	for i := range inputs {
		fmt.Fprintf(named, "i%d input%d\n", i, i)
	}
	said, err := onNetlist(ctx, named.Bytes(), 2*patience, bounded(netlist, clocks, patience)+"; write_cex -s -n -m /dev/stdout")
	f := asserted.FindStringSubmatch(said)
	if f == nil {
		return nil, err
	}
	last, _ := strconv.Atoi(f[1])
	ones = make([][]int, last+1)
	for _, f := range witnessed.FindAllStringSubmatch(said, -1) {
		input, _ := strconv.Atoi(f[1])
		clock, _ := strconv.Atoi(f[2])
		if clock > last || input >= inputs {
			return nil, fmt.Errorf("yosys-abc returned %q for %d inputs and %d cycles", f[0], inputs, last+1)
		}
		ones[clock] = append(ones[clock], input)
	}
	return ones, err
}

// bounded is the command for a search over a number of cycles; bmc3 refuses a netlist without registers.
func bounded(netlist []byte, clocks int, patience time.Duration) string {
	if registers(netlist) == 0 {
		return fmt.Sprintf("pdr -T %d", seconds(patience))
	}
	return fmt.Sprintf("bmc3 -F %d -T %d", clocks, seconds(patience))
}

// registers counts the registers of a netlist.
func registers(netlist []byte) (n int) {
	var variables, inputs int
	fmt.Sscanf(string(netlist[:min(len(netlist), 80)]), "aig %d %d %d", &variables, &inputs, &n)
	return n
}

var (
	witnessed = regexp.MustCompile(`(?m)^input(\d+)@(\d+)=1$`)
	asserted  = regexp.MustCompile(`was asserted in frame (\d+)`)
	silent    = regexp.MustCompile(`No output asserted in (\d+) frames`)
)

func seconds(d time.Duration) int { return max(1, int(d.Seconds())) }

// onNetlist runs commands on a netlist.
func onNetlist(ctx context.Context, netlist []byte, limit time.Duration, commands string) (said string, err error) {
	return abc(ctx, "netlist.aig", netlist, limit, "read_aiger netlist.aig; "+commands)
}

// abc runs commands on a file and returns the output of ABC, truncated if it runs out of time.
func abc(ctx context.Context, file string, data []byte, limit time.Duration, commands string) (said string, err error) {
	if said, err = run(ctx, file, data, limit, "yosys-abc", "-c", commands); errors.Is(err, errPatience) {
		err = nil
	}
	return said, err
}

// errPatience is the error of a program that ran out of time.
var errPatience = errors.New("out of time")

// run runs a program in a directory with one file and returns its output.
func run(ctx context.Context, file string, data []byte, limit time.Duration, program string, args ...string) (said string, err error) {
	dir, err := os.MkdirTemp("", "rnicgen-"+program+"-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, file), data, 0o644); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c := process.Command(ctx, dir, program, args...)
	out, err := c.CombinedOutput()
	switch {
	case ctx.Err() == context.DeadlineExceeded:
		return string(out), errPatience
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case process.Unexplained(program, err, string(out)) != nil:
		return "", process.Unexplained(program, err, string(out))
	case err != nil:
		return string(out), fmt.Errorf("%s: %w\n%s", program, err, strings.TrimSpace(string(out)))
	}
	return string(out), nil
}
