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
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// rtlOf returns the Verilog of a configuration.
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

// compile compiles the bench of a vector directory with Icarus, as the README describes, and returns the program.
func compile(t *testing.T, dir string, rtl []outdir.File, options ...string) string {
	t.Helper()
	work := t.TempDir()
	program := filepath.Join(work, "tb")
	bench, err := filepath.Glob(filepath.Join(dir, "bench", "*.v"))
	require.NoError(t, err)
	require.NotEmpty(t, bench)
	args := append([]string{"-g2005", "-Wall", "-s", "rnic_tb", "-o", program}, options...)
	args = append(args, bench...)
	for _, f := range rtl {
		path := filepath.Join(work, filepath.Base(f.Name))
		require.NoError(t, os.WriteFile(path, f.Data, 0o644))
		args = append(args, path)
	}
	assert.Empty(t, tool(t, dir, "iverilog", args...), "warnings of iverilog")
	return program
}

// play runs the program in the directory of the memory images.
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

// verdict returns the final line of the bench.
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

// broken returns RTL with the first occurrence of a text replaced in one module.
func broken(t *testing.T, rtl []outdir.File, module, old, changed string) []outdir.File {
	t.Helper()
	out := append([]outdir.File(nil), rtl...)
	for i, f := range out {
		if strings.HasPrefix(filepath.Base(f.Name), module) {
			require.Contains(t, string(f.Data), old, "%s.v does not contain %q; choose another fault", module, old)
			out[i].Data = []byte(strings.Replace(string(f.Data), old, changed, 1))
			return out
		}
	}
	require.Fail(t, "no module "+module)
	return nil
}

// flipper returns a module flipped: the top, with bit 0 of port N inverted if the simulation runs with +flip=N.
func flipper(d *hdl.Design) outdir.File {
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
	return verilog("flipped", ports, body.String()+"    rnic dut (\n        "+strings.Join(pins, ",\n        ")+"\n    );\n")
}

// verilog returns a module as a file.
func verilog(name string, ports []string, body string) outdir.File {
	text := fmt.Sprintf("module %s (\n    %s\n);\n%sendmodule\n", name, strings.Join(ports, ",\n    "), body)
	return outdir.File{Name: name + ".v", Data: []byte(text)}
}

// few keeps some tests that together use every command of the bench and every image.
func few(t *testing.T, keys ...string) *suite.Suite {
	t.Helper()
	return fewOf(t, small, keys...)
}

func fewOf(t *testing.T, c gen.Config, keys ...string) *suite.Suite {
	t.Helper()
	s := newSuite(t, c)
	ids, err := readIDs()
	require.NoError(t, err)
	var keep []int
	for key, id := range ids {
		if slices.ContainsFunc(keys, func(k string) bool { return strings.HasPrefix(key, "rnic/"+k) }) {
			keep = append(keep, id)
		}
	}
	var groups []suite.Group
	s.NumberOfTests = 0
	for _, g := range s.Groups {
		g.Tests = slices.DeleteFunc(slices.Clone(g.Tests), func(one suite.Test) bool { return !slices.Contains(keep, one.TcID) })
		if s.NumberOfTests += len(g.Tests); len(g.Tests) > 0 {
			groups = append(groups, g)
		}
	}
	s.Groups = groups
	return s
}

// usual lists the keys of tests of all sorts.
var usual = []string{"in/", "out/order", "order/write", "memory_error", "limit", "invalidate/send_inv", "flush/shut", "set_up",
	"register/errors", "register/in", "cross/2_32/both/rdma_write", "cross/2_64/memory/read_response", "twin/33", "crack/decode_writes/send/last",
	"crack/reads/out/rdma_write/middle", "beside/store", "full/work"}

// TestBench: the generated hardware passes, with and without stalls.
func TestBench(t *testing.T) {
	long.Test(t)
	t.Parallel()
	s := few(t, usual...)
	dir := directory(t, s)
	program := compile(t, dir, rtlOf(t, small))
	for _, plusargs := range [][]string{{"+quiet=50"}, {"+stall=100", "+burst=8", "+seed=3", "+quiet=50"}} {
		out := play(t, dir, program, plusargs...)
		assert.Regexp(t, fmt.Sprintf(`^PASS: %d tests, [1-9][0-9]+ comparisons\n$`, s.NumberOfTests), out)
	}
	one := s.Groups[0].Tests[3]
	assert.Regexp(t, `^PASS: 1 tests`, verdict(t, play(t, dir, program, fmt.Sprintf("+tcid=%d", one.TcID))))
	assert.Equal(t, "FAIL: no test was run", verdict(t, play(t, dir, program, "+tcid=999999")))
	assert.Contains(t, verdict(t, play(t, t.TempDir(), program)), "FAIL: an image is missing")
}

// TestBenchOfOthers: the bench of other configurations compiles, and a few tests pass.
func TestBenchOfOthers(t *testing.T) {
	t.Parallel()
	s := newSuite(t, gen.Default())
	only(t, s, "order/many_writes_then_immediate")
	dir := directory(t, s)
	out := play(t, dir, compile(t, dir, rtlOf(t, gen.Default())))
	assert.Regexp(t, `^PASS: 1 tests, [1-9][0-9]* comparisons\n$`, out)
}

// TestBenchHasThePorts: the bench connects every port of the top but the retire port, by its name.
func TestBenchHasThePorts(t *testing.T) {
	d, err := gen.Compile(small)
	require.NoError(t, err)
	list, _, err := Generate(small, 1)
	require.NoError(t, err)
	bench := ""
	for _, f := range list {
		if f.Name == "bench/rnic_wrapper.v" {
			bench = string(f.Data)
		}
	}
	instance := bench[strings.Index(bench, "`DUT dut ("):]
	instance = instance[:strings.Index(instance, ");")]
	want := []string{"clk", "rst"}
	for _, p := range d.Ports() {
		if !strings.HasPrefix(p.Name, "retire_") {
			want = append(want, p.Name)
		}
	}
	var is []string
	for _, m := range regexp.MustCompile(`\.(\w+)\(`).FindAllStringSubmatch(instance, -1) {
		is = append(is, m[1])
	}
	assert.ElementsMatch(t, want, is)
}

// TestBenchFindsWrongImages: a changed digit in any image, or a missing line, is a failure.
func TestBenchFindsWrongImages(t *testing.T) {
	long.Test(t)
	t.Parallel()
	s := few(t, "in/send_se/stream0", "in/read_response/stream0", "order/write_in_parts_then_send", "out/cmp_swap")
	good, err := files(s)
	require.NoError(t, err)
	program := compile(t, directory(t, s), rtlOf(t, small))
	images := 0
	for _, f := range good {
		if !strings.HasSuffix(f.Name, ".hex") {
			continue
		}
		images++
		t.Run(filepath.Base(f.Name), func(t *testing.T) {
			lines := strings.SplitAfter(strings.TrimSpace(string(f.Data)), "\n")
			wrong := append([]string{}, lines...)
			at := len(lines) - 2 // the line before the last, which only marks the end
			switch filepath.Base(f.Name) {
			case "script.hex":
				at = slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "11_") }) // the first change
			case "regions.hex":
				at = 1 // the sink
			case "rx_octets.hex":
				at = 22 + 20 // after the Terminate that ends tests: an octet of the first segment
			}
			wrong[at] = otherDigit(wrong[at])
			end := map[string]int{"receives.hex": 21, "tx_packets.hex": 15}[filepath.Base(f.Name)] // of the id, of the length
			if end > 0 {
				wrong[at] = strings.Replace(otherDigit(lines[at][:end]), "\n", "", 1) + lines[at][end:]
			}
			if filepath.Base(f.Name) != "tx_masks.hex" { // covered by the test of permissive designs
				out := play(t, directory(t, s, outdir.File{Name: f.Name, Data: []byte(strings.Join(wrong, ""))}), program)
				assert.Contains(t, verdict(t, out), "FAIL: ")
			}

			cut := outdir.File{Name: f.Name, Data: []byte(strings.Join(lines[:len(lines)-1], ""))}
			out := play(t, directory(t, s, cut), program)
			assert.Contains(t, verdict(t, out), "FAIL: ")
			assert.Contains(t, out, "missing or incomplete")
		})
	}
	assert.Equal(t, 12, images)
}

// TestBenchFindsFlippedBits puts a wrapper around the hardware that inverts one bit of one port.
func TestBenchFindsFlippedBits(t *testing.T) {
	long.Test(t)
	t.Parallel()
	d, err := gen.Compile(small)
	require.NoError(t, err)
	s := few(t, "in/immediate_se/stream0", "in/read_response/stream0", "in/rdma_write", "out/rdma_write")
	dir := directory(t, s)
	program := compile(t, dir, append(rtlOf(t, small), flipper(d)), "-DDUT=flipped")
	assert.Regexp(t, `^PASS: `, verdict(t, play(t, dir, program)), "no port")
	for _, port := range []string{"m_axis_tx_tkeep", "cqe_data", "event_kind", "wqe_local_to", "m_axi_wstrb"} {
		i := slices.IndexFunc(d.Ports(), func(p hdl.Port) bool { return p.Name == port })
		require.GreaterOrEqual(t, i, 0, port)
		assert.Regexp(t, `^FAIL: `, verdict(t, play(t, dir, program, fmt.Sprintf("+flip=%d", i))), port)
	}
}

// TestBenchFindsSilence: hardware with constant or unknown outputs.
func TestBenchFindsSilence(t *testing.T) {
	t.Parallel()
	d, err := gen.Compile(small)
	require.NoError(t, err)
	dir := directory(t, few(t, "in/send_se/stream0"))
	for _, level := range []string{"0", "x"} {
		out := play(t, dir, compile(t, dir, []outdir.File{stub(d, level)}, "-DDUT=stub"))
		assert.Regexp(t, `^FAIL: `, verdict(t, out), level)
	}
}

func stub(d *hdl.Design, level string) outdir.File {
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
	return verilog("stub", append(ports, "input wire clk", "input wire rst"), body.String())
}

// TestBenchFindsBrokenOrder: completions that do not wait for memory.
func TestBenchFindsBrokenOrder(t *testing.T) {
	t.Parallel()
	s := few(t, "order/many_writes", "order/write/immediate")
	dir := directory(t, s)
	rtl := broken(t, rtlOf(t, small), "delivery_gate", "cleared_q | ~is_pending", "1'b1 | ~is_pending")
	out := play(t, dir, compile(t, dir, rtl))
	assert.Contains(t, out, "precedes its octets in memory")
	assert.Regexp(t, `^FAIL: `, verdict(t, out))
}

// faults lists changes of the RTL, and a test that must find each.
var faults = []struct{ module, old, changed, key string }{
	{"atomic_unit", "& keep) + (original", "& keep) - (original", "fetch_add/none/high"},
	{"ddp_classify", "7'd70 &", "7'd69 &", "fetch_add/none/carry"},
	{"ddp_classify", "7'd22 &", "7'd21 &", "segment/terminate/length_short"},
}

// TestBenchFindsBrokenRTL: one test is enough for each fault.
func TestBenchFindsBrokenRTL(t *testing.T) {
	t.Parallel()
	for _, f := range faults {
		t.Run(f.module+f.old+f.changed, func(t *testing.T) {
			s := newSuite(t, small)
			only(t, s, f.key)
			dir := directory(t, s)
			out := play(t, dir, compile(t, dir, broken(t, rtlOf(t, small), f.module, f.old, f.changed)))
			assert.Regexp(t, `^FAIL: `, verdict(t, out))
		})
	}
}

// TestBenchFindsOneTooMany: an unexpected outcome is found even if the next test expects the same one.
func TestBenchFindsOneTooMany(t *testing.T) {
	t.Parallel()
	s := newSuite(t, small)
	g, one := only(t, s, "fetch_add/none/carry")
	next := *one
	next.TcID = 9999
	g.Tests = []suite.Test{*one, next}
	again := one.Input[0]
	g.Tests[0].Input = append(slices.Clone(one.Input), again)
	s.NumberOfTests = 2
	dir := directory(t, s)
	out := play(t, dir, compile(t, dir, rtlOf(t, small)))
	assert.Contains(t, out, fmt.Sprintf("mismatch: tcId %d", one.TcID))
	assert.Contains(t, verdict(t, out), "FAIL: 1 of 2 tests failed")
}
