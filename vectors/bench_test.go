package vectors

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// rtlOf is the Verilog of a configuration.
func rtlOf(t *testing.T, c gen.Config) []outdir.File {
	t.Helper()
	list, err := gen.Generate(c)
	require.NoError(t, err)
	var rtl []outdir.File
	for _, f := range list {
		if strings.HasSuffix(f.Name, ".v") {
			rtl = append(rtl, f)
		}
	}
	require.NotEmpty(t, rtl)
	return rtl
}

// compile compiles the bench of a vector directory with Icarus, as the README says, and gives the program.
func compile(t *testing.T, dir string, rtl []outdir.File, options ...string) string {
	t.Helper()
	return compileTop(t, "rnic_atomics_tb", dir, rtl, options...)
}

func compileTop(t *testing.T, top, dir string, rtl []outdir.File, options ...string) string {
	t.Helper()
	work := t.TempDir()
	program := filepath.Join(work, "tb")
	bench, err := filepath.Glob(filepath.Join(dir, "bench", "*.v"))
	require.NoError(t, err)
	require.NotEmpty(t, bench)
	args := append([]string{"-g2005", "-Wall", "-s", top, "-o", program}, options...)
	args = append(args, bench...)
	for _, f := range rtl {
		path := filepath.Join(work, filepath.Base(f.Name))
		require.NoError(t, os.WriteFile(path, f.Data, 0o644))
		args = append(args, path)
	}
	assert.Empty(t, tool(t, dir, "iverilog", args...), "warnings of iverilog")
	return program
}

// play runs the program where the memory images are.
func play(t *testing.T, dir, program string, plusargs ...string) string {
	t.Helper()
	return tool(t, dir, "vvp", append([]string{"-n", program}, plusargs...)...)
}

func tool(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	require.NoError(t, err, "%s is not installed; install it with: apt-get install iverilog", name)
	command := exec.Command(path, args...)
	command.Dir = dir
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s %v\n%s", name, args, out)
	return string(out)
}

// verdict is the one line that the bench ends with.
func verdict(t *testing.T, out string) string {
	t.Helper()
	var found []string
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "PASS") || strings.HasPrefix(line, "FAIL") {
			found = append(found, strings.TrimSpace(line))
		}
	}
	require.Len(t, found, 1, "lines with a verdict in %s", out)
	assert.True(t, strings.HasSuffix(strings.TrimSpace(out), found[0]), "the verdict is not the last line of %s", out)
	return found[0]
}

// TestBench: the generated hardware passes, with and without stalls, and every test is run.
func TestBench(t *testing.T) {
	for _, c := range []struct {
		name     string
		config   gen.Config
		plusargs []string
	}{
		{"small", small, []string{"+stall=100", "+seed=3"}},
		{"the least there can be", least, []string{"+stall=60", "+burst=20", "+seed=4"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSuite(t, c.config)
			dir := directory(t, s)
			out := play(t, dir, compile(t, dir, rtlOf(t, c.config)), c.plusargs...)
			assert.Regexp(t, fmt.Sprintf(`^PASS: %d tests, [1-9][0-9]+ comparisons\n$`, s.NumberOfTests), out)
		})
	}
}

// TestBenchHasThePorts: the bench connects every port of the top, by its name.
func TestBenchHasThePorts(t *testing.T) {
	for _, c := range []gen.Config{small, least} {
		d, err := hdl.Compile(gen.RNICAtomics(c))
		require.NoError(t, err)
		list, _, err := Generate(c, 1)
		require.NoError(t, err)
		bench := ""
		for _, f := range list {
			if f.Name == "bench/rnic_atomics_tb.v" {
				bench = string(f.Data)
			}
		}
		instance := bench[strings.Index(bench, "`DUT dut ("):]
		instance = instance[:strings.Index(instance, ");")]
		want := []string{"clk", "rst"}
		for _, p := range d.Ports() {
			want = append(want, p.Name)
		}
		var is []string
		for _, m := range regexp.MustCompile(`\.(\w+)\((\w+)\)`).FindAllStringSubmatch(instance, -1) {
			assert.Equal(t, m[1], m[2])
			is = append(is, m[1])
		}
		assert.ElementsMatch(t, want, is)
	}
}

// few keeps three groups, in which all ports of the bench have something to compare.
func few(t *testing.T) *suite.Suite {
	t.Helper()
	s := newSuite(t, small)
	var groups []suite.Group
	tests := 0
	for _, key := range []string{"host/read_after_add", "payload/send/7", "msn/per_stream"} {
		g, _ := find(t, s, key)
		groups = append(groups, *g)
		tests += len(g.Tests)
	}
	s.Groups, s.NumberOfTests = groups, tests
	return s
}

// TestBenchFindsWrongImages: one digit of any image, or one line less, is a failure.
func TestBenchFindsWrongImages(t *testing.T) {
	s := few(t)
	rtl := rtlOf(t, small)
	good, err := files(s)
	require.NoError(t, err)
	program := compile(t, directory(t, s), rtl)
	images := 0
	for _, f := range good {
		if !strings.HasSuffix(f.Name, ".hex") {
			continue
		}
		images++
		t.Run(filepath.Base(f.Name), func(t *testing.T) {
			lines := strings.SplitAfter(strings.TrimSpace(string(f.Data)), "\n")
			wrong := append([]string{}, lines...)
			at := len(lines) - 2 // the line before the last, which only says that the image is whole
			if strings.HasSuffix(f.Name, "script.hex") {
				at = slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "06_") }) // the first segment
			}
			wrong[at] = otherDigit(wrong[at])
			broken := outdir.File{Name: f.Name, Data: []byte(strings.Join(wrong, ""))}
			out := play(t, directory(t, s, broken), program)
			assert.Contains(t, verdict(t, out), "FAIL: ")
			assert.NotContains(t, out, "PASS")

			cut := outdir.File{Name: f.Name, Data: []byte(strings.Join(lines[:len(lines)-1], ""))}
			out = play(t, directory(t, s, cut), program)
			assert.Contains(t, verdict(t, out), "FAIL: ")
			assert.Contains(t, out, "is not whole")
		})
	}
	assert.Equal(t, 9, images)
}

// otherDigit changes the last digit of a line.
func otherDigit(line string) string {
	line = strings.TrimSpace(line)
	last := line[len(line)-1]
	other := byte('0')
	if last == '0' {
		other = '1'
	}
	return line[:len(line)-1] + string(other) + "\n"
}

// TestBenchCannotPassOnNothing: no tests, no such test, no images.
func TestBenchCannotPassOnNothing(t *testing.T) {
	s := few(t)
	dir := directory(t, s)
	program := compile(t, dir, rtlOf(t, small))
	assert.Regexp(t, `^PASS: 1 tests`, verdict(t, play(t, dir, program, fmt.Sprintf("+tcid=%d", s.Groups[0].Tests[0].TcID))))
	assert.Equal(t, "FAIL: no test was run", verdict(t, play(t, dir, program, "+tcid=999999")))
	assert.Contains(t, verdict(t, play(t, t.TempDir(), program)), "FAIL: script.hex or rx_octets.hex is missing")

	// A script that ends early.
	script, err := os.ReadFile(filepath.Join(dir, "bench/script.hex"))
	require.NoError(t, err)
	lines := strings.SplitAfter(string(script), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "04_") {
			lines[i] = lines[len(lines)-3] // END, before the line of ones and what is behind it
			break
		}
	}
	out := play(t, directory(t, s, outdir.File{Name: "bench/script.hex", Data: []byte(strings.Join(lines, ""))}), program)
	assert.Contains(t, verdict(t, out), "FAIL: not every test was run")
}

// faults are changes of the RTL, and a test that has to find each.
var faults = []struct{ module, old, changed, key string }{
	{"atomic_alu", " + ", " - ", "fetch_add/none/high"},
	{"ddp_classify", "16'd52", "16'd51", "message/atomic_request/plain"},
	{"ddp_classify", "16'd4", "16'd3", "length/terminate/3"},
	{"atomic_response_builder", "32'd3", "32'd1", "msn/from_1"},
}

// broken is RTL with the first occurrence of a text replaced in one module.
func broken(t *testing.T, rtl []outdir.File, module, old, changed string) []outdir.File {
	t.Helper()
	out := append([]outdir.File(nil), rtl...)
	for i, f := range out {
		if strings.HasPrefix(filepath.Base(f.Name), module) {
			require.Contains(t, string(f.Data), old, "%s.v no longer has %q to break; choose another fault", module, old)
			out[i].Data = []byte(strings.Replace(string(f.Data), old, changed, 1))
			return out
		}
	}
	require.Fail(t, "no module "+module)
	return nil
}

func TestBenchFindsBrokenRTL(t *testing.T) {
	t.Parallel()
	s := newSuite(t, small)
	dir := directory(t, s)
	for _, f := range faults {
		t.Run(f.module+f.old+f.changed, func(t *testing.T) {
			_, one := find(t, s, f.key)
			out := play(t, dir, compile(t, dir, broken(t, rtlOf(t, small), f.module, f.old, f.changed)), fmt.Sprintf("+tcid=%d", one.TcID))
			assert.Regexp(t, `^FAIL: `, verdict(t, out))
		})
	}
}

// TestBenchFindsAnyFlippedBit puts a wrapper around the hardware that inverts one bit of one port. Only the octets
// that tkeep leaves out may be anything.
func TestBenchFindsAnyFlippedBit(t *testing.T) {
	t.Parallel()
	d, err := hdl.Compile(gen.RNICAtomics(small))
	require.NoError(t, err)
	s := few(t)
	dir := directory(t, s)
	program := compile(t, dir, append(rtlOf(t, small), flipper("rnic_atomics", d)), "-DDUT=flipped")
	assert.Regexp(t, `^PASS: `, verdict(t, play(t, dir, program)), "no port")
	for i, p := range d.Ports() {
		t.Run(p.Name, func(t *testing.T) {
			assert.Regexp(t, `^FAIL: `, verdict(t, play(t, dir, program, fmt.Sprintf("+flip=%d", i))))
		})
	}
}

// TestBenchFindsOneTooMany: an outcome that nobody expects is found also where the next test expects the same.
func TestBenchFindsOneTooMany(t *testing.T) {
	s := newSuite(t, small)
	g, one := only(t, s, "message/send/plain")
	next := *one
	next.TcID = 999
	g.Tests = []suite.Test{*one, next}
	g.Tests[0].Input = append(g.Tests[0].Input, g.Tests[0].Input[0])
	s.NumberOfTests = 2
	dir := directory(t, s)
	out := play(t, dir, compile(t, dir, rtlOf(t, small)))
	assert.Contains(t, out, fmt.Sprintf("mismatch: tcId %d: port 1 (0 tx, 1 record, 2 payload, 3 answer, 4 retire) had 2 outcomes, expected 1", one.TcID))
	assert.Equal(t, fmt.Sprintf("FAIL: 1 of 2 tests failed, 2 errors; run the first again with +tcid=%d", one.TcID), verdict(t, out))
}

// flipper is a module flipped: the top, with bit 0 of port N inverted when the simulation is run with +flip=N.
func flipper(top string, d *hdl.Design) outdir.File {
	ports, pins := []string{"input wire clk", "input wire rst"}, []string{".clk(clk)", ".rst(rst)"}
	var body strings.Builder
	body.WriteString("    integer flip;\n    initial if (!$value$plusargs(\"flip=%d\", flip)) flip = -1;\n")
	for i, p := range d.Ports() {
		inner := "inner_" + p.Name
		dir, from, to := "input", p.Name, inner
		if p.Out {
			dir, from, to = "output", inner, p.Name
		}
		fmt.Fprintf(&body, "    wire [%d:0] %s;\n    assign %s = flip == %d ? %s ^ %d'd1 : %s;\n", p.Width-1, inner, to, i, from, p.Width, from)
		ports = append(ports, fmt.Sprintf("%s wire [%d:0] %s", dir, p.Width-1, p.Name))
		pins = append(pins, fmt.Sprintf(".%s(%s)", p.Name, inner))
	}
	return verilog("flipped", ports, body.String()+"    "+top+" dut (\n        "+strings.Join(pins, ",\n        ")+"\n    );\n")
}

// TestBenchFindsSilence: hardware that never says anything, or nothing that is known.
func TestBenchFindsSilence(t *testing.T) {
	d, err := hdl.Compile(gen.RNICAtomics(small))
	require.NoError(t, err)
	s := few(t)
	dir := directory(t, s)
	for _, level := range []string{"0", "1", "x", "z"} {
		var ports []string
		var body strings.Builder
		for _, p := range d.Ports() {
			dir := "input"
			if p.Out {
				dir = "output"
				fmt.Fprintf(&body, "    assign %s = {%d{1'b%s}};\n", p.Name, p.Width, level)
			}
			ports = append(ports, fmt.Sprintf("%s wire [%d:0] %s", dir, p.Width-1, p.Name))
		}
		stub := verilog("stub", append(ports, "input wire clk", "input wire rst"), body.String())
		out := play(t, dir, compile(t, dir, []outdir.File{stub}, "-DDUT=stub"))
		assert.Regexp(t, `^FAIL: `, verdict(t, out), "outputs of %s", level)
	}
}

// verilog is a module in a file of its name.
func verilog(name string, ports []string, body string) outdir.File {
	text := fmt.Sprintf("module %s (\n    %s\n);\n%sendmodule\n", name, strings.Join(ports, ",\n    "), body)
	return outdir.File{Name: name + ".v", Data: []byte(text)}
}
