package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// TestCapture: the segments of both directions can be read back from the capture.
func TestCapture(t *testing.T) {
	s := newSuite(t, small)
	pcap, captured, err := captureOf(s)
	require.NoError(t, err)
	read, err := capture.Read(captureFile, bytes.NewReader(pcap))
	require.NoError(t, err)
	got := map[string][2]int{}
	for _, stream := range read.Streams {
		got[stream.Client.String()] = [2]int{len(stream.ToServer.FPDUs), len(stream.ToClient.FPDUs)}
	}
	want, tests := map[string][2]int{}, 0
	s.Each(func(_ *suite.Group, one *suite.Test) {
		if len(conversationsOf(one)) == 0 {
			return
		}
		tests++
		count := func(stream uint32, direction int) {
			client := fmt.Sprintf("10.0.%d.%d:%d", one.TcID>>8, one.TcID&255, 49152+stream)
			n := want[client]
			n[direction]++
			want[client] = n
		}
		for i := range one.Input {
			if one.Input[i].Port == suite.PortRx {
				count(*one.Input[i].Stream, 0)
			}
		}
		for i := range one.Expect {
			if one.Expect[i].Port == suite.PortTx {
				count(one.Expect[i].Stream, 1)
			}
		}
	})
	assert.Equal(t, want, got)
	assert.Equal(t, captured, tests)
	assert.Greater(t, tests, s.NumberOfTests*4/5)
}

func TestReadme(t *testing.T) {
	text, err := readmeOf(newSuite(t, swaps), 900)
	require.NoError(t, err)
	for _, want := range []string{"extensions [draft00], 128-octet bus, 1024 streams, 4096 STags, IRD 16, ORD 16", "1/2/0x03", "Invalidation", "The capture contains 900 of the tests"} {
		assert.Contains(t, string(text), want)
	}
	assert.NotContains(t, string(text), "<no value>")
}

// TestAnySeed: the largest seed is preserved by writing and reading, and is in the manifest like everything else that
// determines the files.
func TestAnySeed(t *testing.T) {
	s, err := New(least, 1<<64-1)
	require.NoError(t, err)
	only(t, s, "in/send/stream0")
	dir := directory(t, s)
	read, err := Read(dir)
	require.NoError(t, err)
	assert.Equal(t, uint64(1<<64-1), read.Config.Seed)
	m, err := outdir.Verify(dir)
	require.NoError(t, err)
	assert.Equal(t, "vectors", m.Kind)
	assert.Equal(t, "rnicgen "+engine.Version, m.Generator)
	text, err := json.Marshal(m.Config)
	require.NoError(t, err)
	want, err := json.Marshal(suite.Config{Config: least, Seed: 1<<64 - 1})
	require.NoError(t, err)
	assert.JSONEq(t, string(want), string(text))
}
