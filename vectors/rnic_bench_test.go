package vectors

import (
	"fmt"
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
	rnicsuite "github.com/rnicgen/rnicgen/vectors/rnic/suite"
)

// fewRNIC keeps some tests in which every command of the bench and every image has a part.
func fewRNIC(t *testing.T, keys ...string) *rnicsuite.Suite {
	t.Helper()
	s := newRNICSuite(t, smallRNIC)
	ids, err := readIDs()
	require.NoError(t, err)
	var keep []int
	for key, id := range ids {
		if slices.ContainsFunc(keys, func(k string) bool { return strings.HasPrefix(key, "rnic/"+k) }) {
			keep = append(keep, id)
		}
	}
	var groups []rnicsuite.Group
	s.NumberOfTests = 0
	for _, g := range s.Groups {
		g.Tests = slices.DeleteFunc(slices.Clone(g.Tests), func(one rnicsuite.Test) bool { return !slices.Contains(keep, one.TcID) })
		if s.NumberOfTests += len(g.Tests); len(g.Tests) > 0 {
			groups = append(groups, g)
		}
	}
	s.Groups = groups
	return s
}

// usualRNIC are the keys of tests of all sorts.
var usualRNIC = []string{"in/", "out/order", "order/write", "memory_error", "limit", "invalidate/send_inv", "flush/shut", "set_up",
	"register/errors", "register/in", "cross/2_32/both/rdma_write", "cross/2_64/memory/read_response", "twin/33", "crack/decode_writes/send/last",
	"crack/reads/out/rdma_write/middle", "beside/store", "full/work"}

// TestRNICBench: the generated hardware passes, with and without stalls.
func TestRNICBench(t *testing.T) {
	t.Parallel()
	s := fewRNIC(t, usualRNIC...)
	dir := rnicDirectory(t, s)
	program := compileTop(t, "rnic_tb", dir, rtlOf(t, smallRNIC))
	for _, plusargs := range [][]string{nil, {"+stall=100", "+burst=8", "+seed=3"}} {
		out := play(t, dir, program, plusargs...)
		assert.Regexp(t, fmt.Sprintf(`^PASS: %d tests, [1-9][0-9]+ comparisons\n$`, s.NumberOfTests), out)
	}
	one := s.Groups[0].Tests[3]
	assert.Regexp(t, `^PASS: 1 tests`, verdict(t, play(t, dir, program, fmt.Sprintf("+tcid=%d", one.TcID))))
	assert.Equal(t, "FAIL: no test was run", verdict(t, play(t, dir, program, "+tcid=999999")))
	assert.Contains(t, verdict(t, play(t, t.TempDir(), program)), "FAIL: an image is missing")
}

// TestRNICBenchOfOthers: the bench of other configurations compiles, and a few tests pass.
func TestRNICBenchOfOthers(t *testing.T) {
	t.Parallel()
	s := newRNICSuite(t, gen.DefaultRNIC())
	onlyRNIC(t, s, "order/many_writes_then_immediate")
	dir := rnicDirectory(t, s)
	out := play(t, dir, compileTop(t, "rnic_tb", dir, rtlOf(t, gen.DefaultRNIC())))
	assert.Regexp(t, `^PASS: 1 tests, [1-9][0-9]* comparisons\n$`, out)
}

// TestRNICBenchHasThePorts: the bench connects every port of the top but the retire port, by its name.
func TestRNICBenchHasThePorts(t *testing.T) {
	d, err := gen.Compile(smallRNIC)
	require.NoError(t, err)
	list, _, err := Generate(smallRNIC, 1)
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

// TestRNICBenchFindsWrongImages: one digit of any image, or one line less, is a failure.
func TestRNICBenchFindsWrongImages(t *testing.T) {
	t.Parallel()
	s := fewRNIC(t, "in/send_se/stream0", "in/read_response/stream0", "order/write_in_parts_then_send", "out/cmp_swap")
	good, err := rnicFiles(s)
	require.NoError(t, err)
	program := compileTop(t, "rnic_tb", rnicDirectory(t, s), rtlOf(t, smallRNIC))
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
			switch filepath.Base(f.Name) {
			case "script.hex":
				at = slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "11_") }) // the first change
			case "regions.hex":
				at = 1 // the sink
			case "rx_octets.hex":
				at = 22 + 20 // behind the Terminate that ends tests, an octet of the first segment
			}
			wrong[at] = otherDigit(wrong[at])
			end := map[string]int{"receives.hex": 21, "tx_packets.hex": 15}[filepath.Base(f.Name)] // of the id, of the length
			if end > 0 {
				wrong[at] = strings.Replace(otherDigit(lines[at][:end]), "\n", "", 1) + lines[at][end:]
			}
			if filepath.Base(f.Name) != "tx_masks.hex" { // which the test of permissive designs has
				out := play(t, rnicDirectory(t, s, outdir.File{Name: f.Name, Data: []byte(strings.Join(wrong, ""))}), program)
				assert.Contains(t, verdict(t, out), "FAIL: ")
			}

			cut := outdir.File{Name: f.Name, Data: []byte(strings.Join(lines[:len(lines)-1], ""))}
			out := play(t, rnicDirectory(t, s, cut), program)
			assert.Contains(t, verdict(t, out), "FAIL: ")
			assert.Contains(t, out, "is not whole")
		})
	}
	assert.Equal(t, 12, images)
}

// TestRNICBenchFindsFlippedBits puts a wrapper around the hardware that inverts one bit of one port.
func TestRNICBenchFindsFlippedBits(t *testing.T) {
	t.Parallel()
	d, err := gen.Compile(smallRNIC)
	require.NoError(t, err)
	s := fewRNIC(t, "in/immediate_se/stream0", "in/read_response/stream0", "in/rdma_write", "out/rdma_write")
	dir := rnicDirectory(t, s)
	program := compileTop(t, "rnic_tb", dir, append(rtlOf(t, smallRNIC), flipper("rnic", d)), "-DDUT=flipped")
	assert.Regexp(t, `^PASS: `, verdict(t, play(t, dir, program)), "no port")
	for _, port := range []string{"m_axis_tx_tkeep", "m_axis_cqe_data", "m_axis_event_kind", "s_axis_wqe_local_to", "m_axi_wstrb"} {
		i := slices.IndexFunc(d.Ports(), func(p hdl.Port) bool { return p.Name == port })
		assert.Regexp(t, `^FAIL: `, verdict(t, play(t, dir, program, fmt.Sprintf("+flip=%d", i))), port)
	}
}

// TestRNICBenchFindsSilence: hardware that never says anything, or nothing that is known.
func TestRNICBenchFindsSilence(t *testing.T) {
	t.Parallel()
	d, err := gen.Compile(smallRNIC)
	require.NoError(t, err)
	dir := rnicDirectory(t, fewRNIC(t, "in/send_se/stream0"))
	for _, level := range []string{"0", "x"} {
		out := play(t, dir, compileTop(t, "rnic_tb", dir, []outdir.File{rnicStub(d, level)}, "-DDUT=stub"))
		assert.Regexp(t, `^FAIL: `, verdict(t, out), level)
	}
}

func rnicStub(d *hdl.Design, level string) outdir.File {
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

// TestRNICBenchFindsBrokenOrder: completions that do not wait for memory.
func TestRNICBenchFindsBrokenOrder(t *testing.T) {
	t.Parallel()
	s := fewRNIC(t, "order/many_writes", "order/write/immediate")
	dir := rnicDirectory(t, s)
	rtl := broken(t, rtlOf(t, smallRNIC), "delivery_gate", "cleared_q | ~((begun", "1'b1 | ~((begun")
	out := play(t, dir, compileTop(t, "rnic_tb", dir, rtl))
	assert.Contains(t, out, "comes before memory has its octets")
	assert.Regexp(t, `^FAIL: `, verdict(t, out))
}
