package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// TestReadsBack: a written file can be read, and is unchanged when written again.
func TestReadsBack(t *testing.T) {
	t.Parallel()
	for _, c := range configs[1:3] {
		s := newSuite(t, c.config)
		read, err := Read(directory(t, s))
		require.NoError(t, err, c.name)
		want, err := encode(s)
		require.NoError(t, err)
		got, err := encode(read)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(want, got), c.name)
	}
}

// TestUnreadable: a fault in a file is reported with its place, value and what is allowed.
func TestUnreadable(t *testing.T) {
	whole := newSuite(t, small)
	only(t, whole, "in/read_request/stream0")
	text, err := encode(whole)
	require.NoError(t, err)
	for _, c := range []struct {
		what   string
		change func(d map[string]any, group, test map[string]any)
		want   string
	}{
		{"another schema", func(d, _, _ map[string]any) { d["schema"] = "v3" }, "vectors.json"},
		{"a key missing", func(d, _, _ map[string]any) { delete(d, "notes") }, `missing property 'notes'`},
		{"a key missing in a test", func(_, _, one map[string]any) { delete(one, "memory") }, `/groups/0/tests/0: missing property 'memory'`},
		{"no tcId", func(_, _, one map[string]any) { one["tcId"] = 0 }, `/groups/0/tests/0/tcId: minimum: got 0, want 1`},
		{"a tcId twice", func(d, g, one map[string]any) {
			g["tests"] = []any{one, one}
			d["numberOfTests"] = 2
		}, `groups/0/tests/1/tcId is`},
		{"half an octet", func(_, _, one map[string]any) { first(one, "input")["hex"] = "c14" }, `/groups/0/tests/0/input/0/hex: 'c14' does not match pattern`},
		{"upper case", func(_, _, one map[string]any) { first(one, "input")["hex"] = "C1" }, `/groups/0/tests/0/input/0/hex: 'C1' does not match pattern`},
		{"no comment", func(_, _, one map[string]any) { one["comment"] = "" }, `/groups/0/tests/0/comment: minLength: got 0, want 1`},
		{"no flags", func(_, _, one map[string]any) { one["flags"] = []any{} }, `/groups/0/tests/0/flags: minItems: got 0, want 1`},
		{"a bus of 24", func(d, _, _ map[string]any) { d["config"].(map[string]any)["bus_bytes"] = 24 }, `/config/bus_bytes: value must be one of 8, 16, 32, 64, 128`},
		{"7 streams", func(d, _, _ map[string]any) { d["config"].(map[string]any)["streams"] = 7 }, `config: streams is 7; allowed: a power of two from 2 to 16384`},
		{"a key too many", func(_, _, one map[string]any) { one["colour"] = "red" }, `additional properties 'colour' not allowed`},
		{"no wait", func(_, _, one map[string]any) { first(one, "input")["wait"] = false }, "input/0/wait is false; allowed: true"},
		{"a stream that does not exist", func(_, _, one map[string]any) { first(one, "input")["stream"] = 4 }, "input/0/stream is 4; allowed: 0 to 3"},
		{"a segment of another port", func(_, _, one map[string]any) { first(one, "input")["port"] = "s_axil" }, "/groups/0/tests/0/input/0"},
		{"another top", func(d, _, _ map[string]any) { d["config"].(map[string]any)["top"] = "switch" }, "/config/top: value must be 'rnic'"},
		{"a row beyond the table", func(_, g, _ map[string]any) { first(g, "regions")["stag"] = "00002000" }, "regions/0/stag is 00002000; allowed: an index from 0 to 31"},
		{"an unknown right", func(_, g, _ map[string]any) { first(g, "regions")["rights"] = []any{"all"} }, "/groups/0/regions/0/rights/0: value must be one of"},
		{"a region that wraps", func(_, g, _ map[string]any) { first(g, "regions")["length"] = "ffffffffffffffff" }, "regions/0/length is ffffffffffffffff; allowed: base and address + length at most 2^64"},
		{"no owner", func(_, g, _ map[string]any) {
			delete(first(g, "regions"), "stream")
			delete(first(g, "regions"), "domain")
		}, "allowed: a stream or a domain"},
		{"memory that does not exist", func(_, _, one map[string]any) {
			one["memory"] = []any{map[string]any{"address": "0000000000000000", "hex": "00"}}
		}, "memory/0 is 1 octets at 0000000000000000; allowed: octets of the group's memory"},
		{"a result that contradicts the outcomes", func(_, _, one map[string]any) { one["result"] = "error" }, "result is error; allowed: valid, which its outcomes imply"},
		{"a requirement that does not exist", func(_, _, one map[string]any) { one["requirements"] = []any{"RFC7306-9.9-99"} }, "is RFC7306-9.9-99; allowed: an id of the requirement catalogues"},
		{"a decision that does not exist", func(_, _, one map[string]any) { one["decisions"] = []any{"I-999"} }, "is I-999; allowed: an id of docs/interpretations.md"},
		{"a mask of another length", func(_, _, one map[string]any) {
			first(one, "expect")["allowed"] = map[string]any{"decisions": []any{"I-81"}, "mask": "00"}
			one["result"] = "acceptable"
		}, "expect/0/allowed/mask is 1 octets; allowed: "},
		{"codes of a Read Response", func(_, _, one map[string]any) {
			first(one, "expect")["allowed"] = map[string]any{"decisions": []any{"I-81"}, "codes": []any{map[string]any{"layer": 0, "etype": 2, "code": 7}}}
			one["result"] = "acceptable"
		}, "expect/0/allowed/codes is codes of a message other than a Terminate; allowed: codes only in a Terminate"},
		{"an open outcome in a valid test", func(_, _, one map[string]any) {
			first(one, "expect")["allowed"] = map[string]any{"decisions": []any{"I-81"}}
		}, "result is valid; allowed: acceptable"},
		{"a copy of octets that do not exist", func(_, _, one map[string]any) {
			first(one, "input")["copy"] = map[string]any{"at": 0, "expect": 9, "from": 0, "xor": "00000000"}
		}, "input/0/copy is octets 0 of expect/9 to octet 0"},
		{"a flag without a note", func(_, _, one map[string]any) { one["flags"] = []any{"Magic"} }, "flags/0 is Magic; allowed: a flag described in notes"},
		{"a wrong count", func(d, _, _ map[string]any) { d["numberOfTests"] = 5 }, "numberOfTests is 5; allowed: 1"},
		{"an event without its kind", func(_, _, one map[string]any) {
			one["expect"] = []any{map[string]any{"input": 0, "port": "m_axis_event", "stream": 0}}
		}, "missing property 'event'"},
	} {
		t.Run(c.what, func(t *testing.T) {
			var d map[string]any
			decoder := json.NewDecoder(bytes.NewReader(text))
			decoder.UseNumber()
			require.NoError(t, decoder.Decode(&d))
			group := first(d, "groups")
			c.change(d, group, first(group, "tests"))
			changed, err := json.Marshal(d)
			require.NoError(t, err)
			_, err = Check(directory(t, whole, outdir.File{Name: suiteFile, Data: changed}), CheckOptions{})
			require.ErrorIs(t, err, ErrInput)
			assert.Contains(t, err.Error(), c.want)
		})
	}
}

func first(d map[string]any, key string) map[string]any { return d[key].([]any)[0].(map[string]any) }

// TestDroppedTest: a removed test is detected.
func TestDroppedTest(t *testing.T) {
	s := newSuite(t, small)
	g, _ := find(t, s, "in/send/stream0")
	g.Tests = g.Tests[1:]
	s.Groups = []suite.Group{*g}
	s.NumberOfTests = len(g.Tests) + 1
	_, err := Check(directory(t, s), CheckOptions{})
	require.ErrorIs(t, err, ErrInput)
	assert.ErrorContains(t, err, fmt.Sprintf("numberOfTests is %d; allowed: %d", len(g.Tests)+1, len(g.Tests)))
}

// TestUnreadableDirectory: every file must exist and match the manifest.
func TestUnreadableDirectory(t *testing.T) {
	s := newSuite(t, small)
	only(t, s, "in/send/stream0")
	change := func(name string, f func([]byte) []byte) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, name)
			b, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, f(b), 0o644))
		}
	}
	for _, c := range []struct {
		what   string
		damage func(t *testing.T, dir string)
		want   string
	}{
		{"no directory", func(t *testing.T, dir string) { require.NoError(t, os.RemoveAll(dir)) }, "manifest.json: "},
		{"a file gone", func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, "bench/script.hex"))) }, "script.hex"},
		{"no capture", func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, captureFile))) }, captureFile},
		{"an octet of the bench", change("bench/tx_octets.hex", func(b []byte) []byte { b[0] ^= 1; return b }), "bench/tx_octets.hex differs from its sha256"},
		{"an octet of the tests", change("vectors.json", func(b []byte) []byte { return append(b, ' ') }), "vectors.json differs from its sha256"},
		{"an invalid manifest", change("manifest.json", func(b []byte) []byte { return b[1:] }), "manifest.json"},
		{"another kind", change("manifest.json", func(b []byte) []byte {
			return []byte(strings.Replace(string(b), `"kind": "vectors"`, `"kind": "rtl"`, 1))
		}), `manifest.json: kind is "rtl"; allowed: vectors`},
		{"a manifest without the tests", change("manifest.json", func(b []byte) []byte { return []byte(`{"kind": "vectors", "files": []}`) }),
			"files is without vectors.json; allowed: all files of the directory"},
	} {
		t.Run(c.what, func(t *testing.T) {
			dir := directory(t, s)
			c.damage(t, dir)
			_, err := Check(dir, CheckOptions{})
			require.ErrorIs(t, err, ErrInput)
			assert.ErrorContains(t, err, c.want)
		})
	}
}

func TestConfigIsRefused(t *testing.T) {
	c := small
	c.Streams = 3
	_, _, err := Generate(c, 1)
	var field *gen.FieldError
	require.ErrorAs(t, err, &field)
	assert.Equal(t, "streams", field.Field)
}
