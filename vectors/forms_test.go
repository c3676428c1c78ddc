package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

func TestFiles(t *testing.T) {
	list, _, err := Generate(small, 3)
	require.NoError(t, err)
	var names []string
	for _, f := range list {
		names = append(names, f.Name)
		assert.NotEmpty(t, f.Data, f.Name)
	}
	assert.ElementsMatch(t, []string{
		"README.txt", "vectors.json", "rnic_vectors_v1.schema.json", "inputs.pcap",
		"bench/rnic_atomics_tb.v", "bench/vector_monitors.v", "bench/retire_monitor.v", "bench/pace.v",
		"bench/script.hex", "bench/rx_octets.hex", "bench/tx_packets.hex", "bench/tx_octets.hex",
		"bench/payload_packets.hex", "bench/payload_octets.hex", "bench/records.hex", "bench/answers.hex", "bench/retired.hex",
	}, names)

	dir := filepath.Join(t.TempDir(), "v")
	require.NoError(t, outdir.Write(dir, Manifest(small, 3), list))
	m, err := outdir.Verify(dir)
	require.NoError(t, err)
	assert.Equal(t, "vectors", m.Kind)
	assert.Equal(t, "rnicgen "+gen.Version, m.Generator)
	text, err := json.Marshal(m.Config)
	require.NoError(t, err)
	assert.JSONEq(t, `{"top":"rnic_atomics","profile":"rdmap","extensions":[],"bus_bytes":16,"streams":8,"window_words":64,"retire_port":true,"seed":3}`, string(text))
}

// TestAnySeed: the largest seed survives writing and reading.
func TestAnySeed(t *testing.T) {
	s, err := New(least, 1<<64-1)
	require.NoError(t, err)
	only(t, s, "message/send/plain")
	read, err := Read(directory(t, s))
	require.NoError(t, err)
	assert.Equal(t, uint64(1<<64-1), read.Config.Seed)
}

// TestKeys: vectors.json has exactly the keys of its form, at each level.
func TestKeys(t *testing.T) {
	d := document(t, newSuite(t, small))
	keys := func(v any) (out []string) {
		for k := range v.(map[string]any) {
			out = append(out, k)
		}
		return out
	}
	first := func(v any, key string) any { return v.(map[string]any)[key].([]any)[0] }
	assert.ElementsMatch(t, []string{"schema", "version", "generator", "profile", "config", "notes", "numberOfTests", "groups"}, keys(d))
	assert.ElementsMatch(t, []string{"bugType", "description", "requirements"}, keys(d["notes"].(map[string]any)["Basic"]))
	group := first(d, "groups")
	assert.ElementsMatch(t, []string{"streams", "regions", "tests"}, keys(group))
	test := first(group, "tests")
	assert.ElementsMatch(t, []string{"tcId", "comment", "flags", "requirements", "result", "input", "expect", "memory"}, keys(test))
	assert.ElementsMatch(t, []string{"port", "stream", "hex"}, keys(first(test, "input")))
}

// TestCapture: the segments come back from the capture as they were sent, for each test and stream.
func TestCapture(t *testing.T) {
	s := newSuite(t, small)
	pcap, captured, err := captureOf(s)
	require.NoError(t, err)
	read, err := capture.Read(captureFile, bytes.NewReader(pcap))
	require.NoError(t, err)
	got := map[string][][]byte{}
	for _, stream := range read.Streams {
		require.True(t, stream.IsIWARP())
		for _, f := range stream.ToServer.FPDUs {
			require.True(t, f.CRCOK)
			got[stream.Client.String()] = append(got[stream.Client.String()], f.ULPDU)
		}
	}
	want, tests := map[string][][]byte{}, 0
	s.Each(func(_ *suite.Group, one *suite.Test) {
		if _, ok := conversationsOf(one); !ok {
			assert.Subset(t, []string{"HostAccess", "StreamSetup", "Reset", "MixedTraffic"}, one.Flags[:1], one.Comment)
			return
		}
		tests++
		for _, in := range one.Input {
			client := fmt.Sprintf("10.0.%d.%d:%d", one.TcID>>8, one.TcID&255, 49152+in.Stream)
			want[client] = append(want[client], in.Hex)
		}
	})
	assert.Equal(t, captured, tests)
	assert.Greater(t, tests, s.NumberOfTests-20)
	require.Len(t, got, len(want))
	for client, segments := range want {
		require.Len(t, got[client], len(segments), client)
		for i := range segments {
			require.True(t, bytes.Equal(segments[i], got[client][i]), "%s: segment %d", client, i)
		}
	}
}

// TestCaptureInAnalyser: another reader of the capture sees the atomics: tshark's RDMAP dissector.
func TestCaptureInAnalyser(t *testing.T) {
	tshark, err := exec.LookPath("tshark")
	require.NoError(t, err, "tshark is not installed; install it with: apt-get install tshark")
	s := newSuite(t, small)
	_, one := only(t, s, "aopcode/2/executed")
	out, err := exec.Command(tshark, "-n", "-r", filepath.Join(directory(t, s), captureFile),
		"-Y", fmt.Sprintf("ip.src == 10.0.%d.%d && iwarp_rdma.opcode", one.TcID>>8, one.TcID&255),
		"-T", "fields", "-e", "iwarp_rdma.opcode", "-e", "iwarp_ddp.msn", "-e", "iwarp_rdma.atomic.opcode",
		"-e", "iwarp_rdma.atomic.remote_stag", "-e", "iwarp_rdma.atomic.compare_data").Output()
	require.NoError(t, err)
	// Remote STag 0x1234ABCD and Compare Data 0x0123456789ABCDEF in decimal.
	assert.Equal(t, "0x0a 1 2 305441741 81985529216486895", strings.Join(strings.Fields(string(out)), " "))
}

func TestReadme(t *testing.T) {
	s := newSuite(t, swaps)
	text, err := readmeOf(s, 900)
	require.NoError(t, err)
	for _, want := range []string{
		fmt.Sprintf("%d tests of header parsing and atomics", s.NumberOfTests),
		"iverilog -g2005 -s rnic_atomics_tb -o tb bench/*.v RTL/*.v\n    vvp tb\n",
		"profile rdmap, extensions [draft00], 128 octets of bus, 32 streams, 256 words of window",
		"14 alignment          0/2/0x07 the resolved address is not a multiple of 8",
		"2 ddp_version        1/2/0x06 (T = 1: 1/1/0x04) DV is not 01b",
	} {
		assert.Contains(t, string(text), want)
	}
	assert.NotContains(t, string(text), "<no value>")
}

// TestTrace: the requirements of the slice have tests, and each test that a row names cites it.
func TestTrace(t *testing.T) {
	s := newSuite(t, swaps)
	trace, err := Trace(s)
	require.NoError(t, err)
	cites := map[int][]string{}
	s.Each(func(_ *suite.Group, one *suite.Test) { cites[one.TcID] = one.Requirements })
	covered := map[string]int{}
	for _, row := range trace {
		covered[row.ID] = len(row.TcIDs)
		for _, id := range row.TcIDs {
			assert.Contains(t, cites[id], row.ID)
		}
	}
	for _, id := range []string{
		"RFC7306-4-03", "RFC7306-4-04", "RFC7306-4.1-05", "RFC7306-4.1-06", "RFC7306-4.1-07", "RFC7306-4.1-09", "RFC7306-4.1-16", "RFC7306-4.1-17",
		"RFC7306-4.1-18", "RFC7306-4.1-19", "RFC7306-4.1-23", "RFC7306-5-05", "RFC7306-5-08", "RFC7306-5-09", "RFC7306-5-12", "RFC7306-5-14",
		"RFC7306-5.1.1-04", "RFC7306-5.1.1-06", "RFC7306-5.1.1-07", "RFC7306-5.1.1-10", "RFC7306-5.1.2-04", "RFC7306-5.1.2-12", "RFC7306-5.1.2-14",
		"RFC7306-5.1.2-15", "RFC7306-5.2-04", "RFC7306-5.2.1-05", "RFC7306-5.2.1-07", "RFC7306-5.2.1-14", "RFC7306-5.2.1-20", "RFC7306-5.2.1-23",
		"RFC7306-5.2.1-30", "RFC7306-5.2.1-31", "RFC7306-5.2.1-35", "RFC7306-5.2.1-36", "RFC7306-5.2.2-08", "RFC7306-5.2.2-09", "RFC7306-5.2.2-15",
		"RFC7306-5.3-01", "RFC7306-5.4-12", "RFC7306-6.3-09", "RFC7306-8.2-02", "RFC7306-8.2-03", "RFC7306-8.2-04", "RFC7306-8.2-06", "RFC7306-8.2-07",
		"RFC7306-10.1-08", "RFC7306-10.2-01", "RFC7306-10.2-09",
		"DRAFT00-5.1.2-01", "DRAFT00-5.1.2-06", "DRAFT00-5.1.2-07", "DRAFT00-5.2.1-08", "DRAFT00-5.2.1-10", "DRAFT00-5.2.1-12", "DRAFT00-5.2.1-13",
	} {
		assert.Positive(t, covered[id], id)
	}
}

func TestSummary(t *testing.T) {
	s := newSuite(t, small)
	sum := Summarize(s)
	assert.Equal(t, s.NumberOfTests, sum.Tests)
	assert.Len(t, sum.Flags, len(s.Notes))
	assert.Len(t, sum.Records, 16)
	assert.Zero(t, Summary{}.ErrorShare())
	for _, f := range sum.Flags {
		assert.LessOrEqual(t, f.Errors, f.Tests, f.Flag)
	}
}
