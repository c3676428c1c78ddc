package vectors

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/internal/long"
	cases "github.com/rnicgen/rnicgen/vectors/cases/rdmap"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// foreignTests keeps one of 192 tests, and more of those in which the foreign design differs from this project's: it has
// its own Request Identifiers, reports segments that end inside their header differently, and has a single failure
// status.
func foreignTests(t *testing.T) *suite.Suite {
	t.Helper()
	s := newSuite(t, small)
	var groups []suite.Group
	s.NumberOfTests = 0
	atomics, failures := 0, 0
	for _, g := range s.Groups {
		g.Tests = slices.DeleteFunc(slices.Clone(g.Tests), func(one suite.Test) bool {
			copies := slices.ContainsFunc(one.Input, func(in suite.Input) bool { return in.Copy != nil })
			if copies {
				atomics++
			}
			fails := failsOtherwise(&one)
			if fails {
				failures++
			}
			return one.TcID%192 != 7 && !slices.Contains(one.Flags, cases.ShortHeader) && !(fails && failures%12 == 0) && !(copies && atomics%20 == 0 && !slices.Contains(one.Flags, cases.HighBit))
		})
		if s.NumberOfTests += len(g.Tests); len(g.Tests) > 0 {
			groups = append(groups, g)
		}
	}
	s.Groups = groups
	return s
}

// failsOtherwise reports whether a test has a request that fails and is not flushed, or a receive that completes
// without success.
func failsOtherwise(t *suite.Test) bool {
	return slices.ContainsFunc(t.Expect, func(e suite.Expect) bool {
		return e.Completion != nil && e.Completion.Fails() && (e.Completion.Recv || e.Completion.Status != "flushed")
	})
}

// foreignKeys lists the keys of a few of them.
var foreignKeys = []string{"segment/one_octet", "segment/send/short", "out/cmp_swap", "order/atomic_response_then", "error/rdma_write/stag/key", "error/out/rdma_write/invalid", "memory_error/send"}

// foreignProgram compiles the example of a directory after an edit of the design.
func foreignProgram(t *testing.T, dir, old, new string) string {
	t.Helper()
	return foreignProgramOf(t, small, dir, old, new)
}

func foreignProgramOf(t *testing.T, c gen.Config, dir, old, new string) string {
	t.Helper()
	rtl := rtlOf(t, c)
	for _, name := range []string{"example/foreign_nic.v", "example/foreign_wrapper.v"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		if name == "example/foreign_nic.v" {
			require.Contains(t, string(text), old)
			text = []byte(strings.Replace(string(text), old, new, 1))
		} else {
			assert.LessOrEqual(t, strings.Count(string(text), "\n"), 150, "lines of the wrapper")
			assert.NotContains(t, string(text), "s_axil", "registers of ours")
		}
		rtl = append(rtl, outdir.File{Name: name, Data: text})
	}
	return compile(t, dir, rtl, "-DWRAPPER=foreign_wrapper")
}

// TestForeign: a design with other ports, other streams and no registers passes if everything that the specifications
// permit is accepted, and only then, also with another quiet time.
func TestForeign(t *testing.T) {
	long.Test(t)
	t.Parallel()
	s := foreignTests(t)
	dir := directory(t, s)
	program := foreignProgram(t, dir, "", "")
	assert.Regexp(t, fmt.Sprintf(`^PASS: %d tests, [1-9][0-9]+ comparisons\n$`, s.NumberOfTests), play(t, dir, program, "+permissive", "+quiet=70"))

	// As strict as for this project's design.
	s = few(t, foreignKeys...)
	dir = directory(t, s)
	program = foreignProgram(t, dir, "", "")
	assert.Regexp(t, fmt.Sprintf(`^PASS: %d tests, `, s.NumberOfTests), play(t, dir, program, "+permissive"))
	assert.Regexp(t, `^FAIL: [1-9][0-9]* of `, verdict(t, play(t, dir, program)))

	// A design that needs more time than it is given.
	assert.Contains(t, verdict(t, play(t, dir, program, "+permissive", "+quiet=1")), "FAIL: ")

	// Images that leave nothing open.
	var closed bytes.Buffer
	for _, f := range must(files(s))(t) {
		if f.Name == "bench/tx_masks.hex" {
			closed.WriteString(strings.Repeat("ff\n", strings.Count(string(f.Data), "\n")))
		}
	}
	strict := directory(t, s, outdir.File{Name: "bench/tx_masks.hex", Data: closed.Bytes()})
	assert.Contains(t, verdict(t, play(t, strict, program, "+permissive")), "FAIL: ")
}

// TestForeignOfCommit: the same with Flush, Verify and Atomic Write; a platform port that is not connected, or an STag to invalidate that gets
// lost, fails.
func TestForeignOfCommit(t *testing.T) {
	long.Test(t)
	t.Parallel()
	s := fewOf(t, commits, "commit/in/flush/both", "commit/in/verify_response", "commit/in/atomic_write", "commit/out/flush/flags_3", "commit/out/verify/crc32c/true",
		"commit/mismatch/crc64/word_1", "commit/platform/fails/late", "commit/invalidate/verify/gone_victim", "in/send/stream0")
	dir := directory(t, s)
	program := foreignProgramOf(t, commits, dir, "", "")
	assert.Regexp(t, fmt.Sprintf(`^PASS: %d tests, [1-9][0-9]+ comparisons\n$`, s.NumberOfTests), play(t, dir, program, "+permissive", "+quiet=100"))

	for _, f := range []struct{ old, lost, key string }{
		{".m_axis_flush_tready(!sync_full)", ".m_axis_flush_tready(1'b0)", "commit/in/flush/both"},
		{"work[585:554]", "32'd0", "commit/out/flush/invalidate"},
	} {
		s := fewOf(t, commits, f.key)
		dir := directory(t, s)
		assert.Regexp(t, `^FAIL: `, verdict(t, play(t, dir, foreignProgramOf(t, commits, dir, f.old, f.lost), "+permissive", "+quiet=100", "+timeout=5000")), f.old)
	}
}

// TestBenchUnspecified: memory of a message that is not delivered may have any value when the bench is permissive, other memory not.
func TestBenchUnspecified(t *testing.T) {
	t.Parallel()
	s := few(t, "order/missing_segment", "in/rdma_write")
	dir := directory(t, s)
	program := compile(t, dir, rtlOf(t, small))
	for _, c := range []struct {
		key  string
		open bool
	}{{"order/missing_segment", true}, {"in/rdma_write/stream0", false}} {
		wrong := few(t, "order/missing_segment", "in/rdma_write")
		_, one := find(t, wrong, c.key)
		require.Equal(t, c.open, len(one.Unspecified) > 0)
		one.Memory[0].Hex = slices.Clone(one.Memory[0].Hex)
		one.Memory[0].Hex[0] ^= 0x80
		dir := directory(t, wrong)
		assert.Regexp(t, `^FAIL: 1 of `, verdict(t, play(t, dir, program)), c.key)
		if c.open {
			assert.Regexp(t, `^PASS: `, verdict(t, play(t, dir, program, "+permissive")))
		} else {
			assert.Regexp(t, `^FAIL: 1 of `, verdict(t, play(t, dir, program, "+permissive")))
		}
	}
}

func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T { t.Helper(); require.NoError(t, err); return v }
}

// TestForeignFaults: the permissive bench detects everything that no specification permits.
func TestForeignFaults(t *testing.T) {
	long.Test(t)
	t.Parallel()
	dir := directory(t, few(t, foreignKeys...))
	for _, f := range []struct{ what, old, new, finds string }{
		{"a code that is not permitted", "octet == 8'h10) octet = 8'h00", "octet == 8'h10) octet = 8'h02", "an octet differs"},
		{"an event that disagrees with the Terminate", "layer == 4'd1 && kind == 4'd0 ? 4'd0 : layer", "layer", "mismatch: "},
		{"a code defined by RFC 5041", "octet == 8'h10) octet = 8'h00", "octet == 8'h11) octet = 8'h12", "an octet differs"},
		{"success of a failed request", "status == 2'd0 ? 2'd0 : 2'd1", "2'd0", "a completion differs, with status"},
		{"no completion of a failed request", "wire       untold = done[198] &&", "wire       untold =", "a completion is missing"},
		{"an identifier that it does not recognise", "^ SALT[8*(21-rx_at-i) +: 8]", "^ 8'h00", "mismatch: "},
		{"another octet of a request", "tx_at + j >= 22 && tx_at + j < 26", "tx_at + j >= 22 && tx_at + j < 27", "an octet differs"},
	} {
		out := play(t, dir, foreignProgram(t, dir, f.old, f.new), "+permissive")
		assert.Contains(t, verdict(t, out), "FAIL: ", f.what)
		assert.Contains(t, out, f.finds, f.what)
	}
}
