package vectors

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Configurations that the tests use.
var (
	small  = gen.Config{Top: gen.TopAtomics, Profile: "rdmap", Extensions: []string{}, BusBytes: 16, Streams: 8, WindowWords: 64, RetirePort: true}
	least  = gen.Config{Top: gen.TopAtomics, Profile: "rdmap", Extensions: []string{}, BusBytes: 8, Streams: 2, WindowWords: 2}
	swaps  = gen.Config{Top: gen.TopAtomics, Profile: "rdmap", Extensions: []string{"draft00"}, BusBytes: 128, Streams: 32, WindowWords: 256, RetirePort: true}
	greats = gen.Config{Top: gen.TopAtomics, Profile: "rdmap", Extensions: []string{"draft00"}, BusBytes: 32, Streams: 16384, WindowWords: 1 << 20}
)

var configs = []struct {
	name   string
	config gen.Config
}{
	{"default", gen.DefaultAtomics()},
	{"small", small},
	{"the least there can be", least},
	{"with draft00", swaps},
	{"the most there can be", greats},
}

func newSuite(t *testing.T, c gen.Config) *suite.Suite {
	t.Helper()
	s, err := New(c, DefaultSeed)
	require.NoError(t, err)
	return s
}

// directory writes the files of a suite, and those that replace some of them.
func directory(t *testing.T, s *suite.Suite, replace ...outdir.File) string {
	t.Helper()
	list, err := files(s)
	require.NoError(t, err)
	for _, r := range replace {
		found := false
		for i := range list {
			if list[i].Name == r.Name {
				list[i], found = r, true
			}
		}
		require.True(t, found, r.Name)
	}
	dir := filepath.Join(t.TempDir(), "vectors")
	require.NoError(t, outdir.Write(dir, Manifest(s.Config.Config, s.Config.Seed), list))
	return dir
}

// document is vectors.json as any JSON, to break it.
func document(t *testing.T, s *suite.Suite) map[string]any {
	t.Helper()
	text, err := encode(s)
	require.NoError(t, err)
	var d map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&d))
	return d
}

// find finds a test by its key.
func find(t *testing.T, s *suite.Suite, key string) (group *suite.Group, test *suite.Test) {
	t.Helper()
	ids, err := readIDs()
	require.NoError(t, err)
	require.Contains(t, ids, key)
	s.Each(func(g *suite.Group, one *suite.Test) {
		if one.TcID == ids[key] {
			group, test = g, one
		}
	})
	require.NotNil(t, test, key)
	return group, test
}

// only leaves the group with the test of a key, so that a test has less to write and to read.
func only(t *testing.T, s *suite.Suite, key string) (group *suite.Group, test *suite.Test) {
	t.Helper()
	group, _ = find(t, s, key)
	s.Groups, s.NumberOfTests = []suite.Group{*group}, len(group.Tests)
	return find(t, s, key)
}
