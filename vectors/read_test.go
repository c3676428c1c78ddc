package vectors

import (
	"encoding/json"
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

func TestReadReadsBack(t *testing.T) {
	for _, c := range configs[:4] {
		s := newSuite(t, c.config)
		read, err := Read(directory(t, s))
		require.NoError(t, err, c.name)
		want, err := encode(s)
		require.NoError(t, err)
		got, err := encode(read)
		require.NoError(t, err)
		assert.Equal(t, string(want), string(got), c.name)
	}
}

// TestUnreadable: what is wrong with a file is said with place, value and what is allowed.
func TestUnreadable(t *testing.T) {
	at := func(path string) func(d map[string]any) (map[string]any, string) {
		return func(d map[string]any) (map[string]any, string) {
			var v any = d
			parts := strings.Split(path, "/")
			for _, p := range parts[:len(parts)-1] {
				switch x := v.(type) {
				case map[string]any:
					v = x[p]
				case []any:
					v = x[p[0]-'0']
				}
			}
			return v.(map[string]any), parts[len(parts)-1]
		}
	}
	put := func(path string, value any) func(d map[string]any) {
		return func(d map[string]any) {
			m, key := at(path)(d)
			m[key] = value
		}
	}
	remove := func(path string) func(d map[string]any) {
		return func(d map[string]any) {
			m, key := at(path)(d)
			delete(m, key)
		}
	}
	for _, c := range []struct {
		what   string
		change func(d map[string]any)
		want   string
	}{
		{"another schema", put("schema", "v2"), `/schema: value must be 'rnic_vectors_v1.schema.json'`},
		{"a key missing", remove("notes"), `missing property 'notes'`},
		{"a key too many", put("colour", "red"), `additional properties 'colour' not allowed`},
		{"a key missing in a test", remove("groups/0/tests/0/memory"), `/groups/0/tests/0: missing property 'memory'`},
		{"no id", put("groups/0/tests/0/tcId", 0), `/groups/0/tests/0/tcId: minimum: got 0, want 1`},
		{"a result that is none", put("groups/0/tests/0/result", "invalid"), `/groups/0/tests/0/result: value must be one of 'valid', 'error'`},
		{"half an octet", put("groups/0/tests/0/input/0/hex", "c14"), `/groups/0/tests/0/input/0/hex: 'c14' does not match pattern`},
		{"upper case", put("groups/0/tests/0/input/0/hex", "C1"), `/groups/0/tests/0/input/0/hex: 'C1' does not match pattern`},
		{"another port", put("groups/0/tests/0/input/0/port", "s_axis_tx"), `/groups/0/tests/0/input/0/port: value must be one of`},
		{"a record of another port", put("groups/0/tests/0/expect/1/record", map[string]any{}), `/groups/0/tests/0/expect/1/record`},
		{"no comment", put("groups/0/tests/0/comment", ""), `/groups/0/tests/0/comment: minLength: got 0, want 1`},
		{"no flags", put("groups/0/tests/0/flags", []any{}), `/groups/0/tests/0/flags: minItems: got 0, want 1`},
		{"a bus of 24", put("config/bus_bytes", 24), `/config/bus_bytes: value must be one of 8, 16, 32, 64, 128`},
		{"7 streams", put("config/streams", 7), `config: streams is 7; allowed: a power of two from 2 to 16384`},
		{"a count that is wrong", put("numberOfTests", 5), `numberOfTests is 5; allowed: `},
		{"a flag without a note", put("groups/0/tests/0/flags", []any{"Magic"}), `groups/0/tests/0/flags/0 is Magic; allowed: a flag that notes explains`},
		{"a requirement that does not exist", put("groups/0/tests/0/requirements", []any{"RFC7306-9.9-99"}), `is RFC7306-9.9-99; allowed: an id of the requirement catalogues`},
		{"an id twice", put("groups/0/tests/1/tcId", 1), `groups/0/tests/1/tcId is 1; allowed: a number of its own; groups/0/tests/0 has this one`},
		{"a result that the records deny", put("groups/0/tests/0/result", "error"), `groups/0/tests/0/result is error; allowed: valid, as its records say`},
		{"a stream of another test", put("groups/0/tests/0/input/0/stream", 1), `stream is 1; allowed: a stream of the group that no other test has`},
		{"a stream that does not exist", put("groups/0/streams/0/stream", 8), `groups/0/streams/0/stream is 8; allowed: 0 to 7`},
		{"a stream twice", put("groups/0/streams/1/stream", 0), `groups/0/streams/1/stream is 0; allowed: each stream once`},
		{"another size of window", put("groups/0/regions/0/words", 32), `groups/0/regions/0/words is 32; allowed: 64, the window_words of config`},
		{"a window that wraps", put("groups/0/regions/0/base", "fffffffffffffe08"), `groups/0/regions/0/base is fffffffffffffe08; allowed: at most fffffffffffffe00`},
		{"an outcome of no input", put("groups/0/tests/0/expect/0/input", 1), `groups/0/tests/0/expect/0/input is 1; allowed: 0 to 0`},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := newSuite(t, small)
			only(t, s, "message/rdma_write/plain")
			d := document(t, s)
			c.change(d)
			text, err := json.Marshal(d)
			require.NoError(t, err)
			dir := directory(t, s, outdir.File{Name: suiteFile, Data: text})
			_, err = Read(dir)
			require.ErrorIs(t, err, ErrInput)
			assert.ErrorContains(t, err, filepath.Join(dir, "vectors.json")+": ")
			assert.ErrorContains(t, err, c.want)
			_, err = Check(dir, CheckOptions{})
			assert.ErrorIs(t, err, ErrInput)
		})
	}
}

// TestDroppedTest: a test cannot be taken away without anybody noticing.
func TestDroppedTest(t *testing.T) {
	s := newSuite(t, small)
	s.Groups[2].Tests = s.Groups[2].Tests[1:]
	_, err := Check(directory(t, s), CheckOptions{})
	require.ErrorIs(t, err, ErrInput)
	assert.ErrorContains(t, err, "numberOfTests is 976; allowed: 975, the tests that are there")
}

func TestUnreadableDirectory(t *testing.T) {
	s := newSuite(t, small)
	only(t, s, "message/rdma_write/plain")
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
		{"an octet of the bench", change("bench/tx_octets.hex", func(b []byte) []byte { b[0] ^= 1; return b }), "bench/tx_octets.hex differs from its sha256"},
		{"an octet of the tests", change("vectors.json", func(b []byte) []byte { return append(b, ' ') }), "vectors.json differs from its sha256"},
		{"a manifest that is none", change("manifest.json", func(b []byte) []byte { return b[1:] }), "manifest.json"},
		{"another kind", change("manifest.json", func(b []byte) []byte {
			return []byte(strings.Replace(string(b), `"kind": "vectors"`, `"kind": "rtl"`, 1))
		}),
			`manifest.json: kind is "rtl"; allowed: vectors`},
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

func TestUnknownTcID(t *testing.T) {
	_, err := Check(directory(t, newSuite(t, small)), CheckOptions{TcIDs: []int{123456}})
	require.ErrorIs(t, err, ErrInput)
	assert.ErrorContains(t, err, "tcId is 123456; allowed: a test of the file")
}

// FuzzDecode: any octets are a suite or an error.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"schema":"rnic_vectors_v1.schema.json"}`))
	s, err := New(least, 1)
	require.NoError(f, err)
	s.Groups, s.NumberOfTests = s.Groups[:1], len(s.Groups[0].Tests)
	text, err := encode(s)
	require.NoError(f, err)
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		var is *suite.Suite
		is, err := decode(text)
		if err == nil {
			assert.NotNil(t, is)
		}
	})
}

// TestFileWithoutTop: the top is rnic_atomics where a file does not say it.
func TestFileWithoutTop(t *testing.T) {
	s := newSuite(t, small)
	d := document(t, s)
	delete(d["config"].(map[string]any), "top")
	text, err := json.Marshal(d)
	require.NoError(t, err)
	read, err := Read(directory(t, s, outdir.File{Name: suiteFile, Data: text}))
	require.NoError(t, err)
	assert.Equal(t, gen.TopAtomics, read.Config.Top)
}
