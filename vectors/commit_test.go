package vectors

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// commitKeys lists the keys of tests of the extension commit of all sorts.
var commitKeys = []string{"commit/in/flush/both", "commit/in/verify/shared", "commit/in/verify_response", "commit/in/atomic_write", "commit/platform/late/", "commit/platform/fails/late",
	"commit/platform/fails/not_touched", "commit/memory/", "commit/out/flush/flags_3", "commit/out/verify/crc32c/true", "commit/out/verify/sha256/differs/word_6",
	"commit/mismatch/crc64/word_1", "commit/verify/sha256/length_255", "commit/invalidate/verify/gone_victim", "commit/error/atomic_write/misaligned_4", "commit/type/", "commit/count/mismatch",
	"commit/count/registers", "commit/flush/longest", "commit/inside/rdma_write/verify", "commit/gone/executing/", "commit/row_zero/verify/", "commit/moving/fetch_add/late", "commit/flaw/flushes/", "in/send/"}

// TestBenchOfCommit: the bench with the ports of the platform, under stalls.
func TestBenchOfCommit(t *testing.T) {
	long.Test(t)
	t.Parallel()
	s := fewOf(t, commits, commitKeys...)
	dir := directory(t, s)
	program := compile(t, dir, rtlOf(t, commits))
	out := play(t, dir, program, "+stall=100", "+burst=8", "+seed=3", "+quiet=100")
	assert.Regexp(t, fmt.Sprintf(`^PASS: %d tests, [1-9][0-9]+ comparisons\n$`, s.NumberOfTests), out)
}

// TestCheckOfCommit: every third test of the extension on Verilator, over slow memory; every twentieth under stalls.
func TestCheckOfCommit(t *testing.T) {
	long.Test(t)
	t.Parallel()
	s := fewOf(t, commits, "commit/", "segment/flush", "segment/verify", "segment/atomic_write", "pair/flush", "pair/verify", "pair/atomic_write")
	dir := directory(t, s)
	for _, o := range []CheckOptions{{TcIDs: every(t, s, 3)}, {Stall: simulator.Stall{Mode: simulator.StallBursts, Chance: 128}, TcIDs: every(t, s, 20)}} {
		o.Engine, o.Options.Seed = "verilator", 5
		r := check(t, dir, o)
		assert.True(t, r.OK(), "%v: %+v", o.Stall.Mode, r.Failures)
	}
}

// commitFaults lists changes of the RTL, and a test that must find each.
var commitFaults = []struct{ module, old, changed, key string }{
	{"flush_unit", "s_axis_flush_done_tdata[16] & ~none_q", "1'b0 & ~none_q", "commit/platform/fails/flags_1"},                  // every flush succeeds
	{"flush_unit", "offered_visible, offered_persistent", "offered_persistent, offered_visible", "commit/in/flush/persistence"}, // the flags are exchanged
	{"rx_check", "(|octets_disposition_flags[31:2])", "1'b0", "commit/error/flush/flags/80000001"},
	{"rx_check", "(row_tag_visible | ~", "(1'b1 | ~", "commit/error/flush/right/visibility"},
	{"digest_unit", "(differs_up_to_32 & is_sha256)", "(1'b0 & is_sha256)", "commit/mismatch/sha256/word_7"},
	{"digest_unit", "|difference[31:0]", "|difference[30:0]", "commit/mismatch/crc32c/each_bit"},
	{"rx_check", "is_request_2_q & (now_within", "1'b0 & (now_within", "commit/inside/send/flush"},                 // requests do not wait for a message
	{"rx_check", "(is_reply_2_q & inside_message)", "1'b0", "commit/inside/refused/verify_response_in_rdma_write"}, // responses are accepted inside
	{"work_ring", "work_is_atomic | work_is_flush |", "work_is_atomic |", "commit/ord/flush/read"},                 // a Flush does not count in ORD
	{"work_ring", "work_is_verify | work_is_atomic_write;", "work_is_verify;", "commit/ord/read/atomic_write"},     // an Atomic Write does not wait for ORD
	{"atomic_unit", "<= |m_axi_bresp", "<= &m_axi_bresp", "commit/flaw/writes/atomic_write"},                       // only DECERR is an error
	{"stag_withdraw", "row_valid & (row_key == withdraw_stag[7:0])", "row_valid", "commit/gone_victim/executing/key"},
}

// TestBenchFindsBrokenCommit: one test is enough for each fault.
func TestBenchFindsBrokenCommit(t *testing.T) {
	long.Test(t)
	t.Parallel()
	rtl := rtlOf(t, commits)
	for _, f := range commitFaults {
		t.Run(f.module+f.old, func(t *testing.T) {
			s := fewOf(t, commits, f.key)
			dir := directory(t, s)
			out := play(t, dir, compile(t, dir, broken(t, rtl, f.module, f.old, f.changed)))
			assert.Regexp(t, `^FAIL: `, verdict(t, out))
		})
	}
}

// TestCommitByHand: outcomes written by hand from the draft: control, Invalidate STag, queue, MSN and MO, then the rest.
func TestCommitByHand(t *testing.T) {
	const (
		flushed  = "414d 00000000 00000003 00000001 00000000"
		verified = "414f 00000000 00000003 00000001 00000000"
		written  = "4151 00000000 00000003 00000001 00000000"
	)
	for key, want := range map[string]string{
		"commit/in/flush/both/stream0":         flushed,
		"commit/flush/length_0":                flushed,
		"commit/in/atomic_write/stream0":       written,
		"commit/digest/crc32c/check":           verified + "e3069283",
		"commit/digest/crc32c/empty":           verified + "00000000",
		"commit/digest/crc64/check":            verified + "ae8b14860a799888",
		"commit/digest/sha256/abc":             verified + "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		"commit/error/flush/stag/row":          terminated("0100", 38, "414c 00000000 00000001 00000001 00000000"),
		"commit/error/flush/flags/0":           terminated("0207", 38, "414c 00000000 00000001 00000001 00000000"),
		"commit/error/verify/association":      terminated("0103", 34, "414e 00000000 00000001 00000001 00000000"),
		"commit/error/verify/right/verifiable": terminated("0102", 34, "414e 00000000 00000001 00000001 00000000"),
		"commit/mismatch/crc32c/word_0":        terminated("02ff", 38, "414e 00000000 00000001 00000001 00000000"),
		"commit/error/atomic_write/length_7":   terminated("0207", 42, "4150 00000000 00000001 00000001 00000000"),
		"commit/error/atomic_write/wrap":       terminated("0104", 42, "4150 00000000 00000001 00000001 00000000"),
		"commit/error/atomic_write/bounds/end": terminated("0101", 42, "4150 00000000 00000001 00000001 00000000"),
		"commit/platform/fails/flags_1":        terminated("0207", 38, "414c 00000000 00000001 00000001 00000000"),
		"commit/memory/atomic_write":           terminated("0207", 42, "4150 00000000 00000001 00000001 00000000"),
	} {
		_, one := find(t, newSuite(t, commits), key)
		i := slices.IndexFunc(one.Expect, func(e suite.Expect) bool { return e.Port == suite.PortTx })
		require.GreaterOrEqual(t, i, 0, key)
		assert.Equal(t, strings.ReplaceAll(want, " ", ""), hex.EncodeToString(one.Expect[i].Hex), key)
	}
}

// terminated is a Terminate on queue 2 with a code, and the length and DDP header of the request, but no RDMA header: M and
// D are set, R is not (RFC 5040 section 4.8).
func terminated(code string, octets int, header string) string {
	return fmt.Sprintf("4147 00000000 00000002 00000001 00000000 %s c000 %04x %s", code, octets, header)
}

// TestCommitHasEnough: each operation has at least 30 tests as request, response and work request together, half of them
// errors.
func TestCommitHasEnough(t *testing.T) {
	s := newSuite(t, commits)
	for _, flag := range []string{"RDMAFlush", "RDMAVerify", "AtomicWrite"} {
		tests, errors := 0, 0
		s.Each(func(_ *suite.Group, one *suite.Test) {
			if slices.Contains(one.Flags, flag) {
				tests++
				if one.InError() {
					errors++
				}
			}
		})
		t.Logf("%s: %d tests, %d errors", flag, tests, errors)
		assert.GreaterOrEqual(t, tests, 60, flag)
		assert.GreaterOrEqual(t, 2*errors, tests, flag)
	}
}
