package vectors

import (
	"fmt"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	cases "github.com/rnicgen/rnicgen/vectors/cases/rdmap"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Configurations that the tests use.
var (
	small = gen.Config{Top: gen.Top, Profile: "rdmap", Extensions: []string{}, BusBytes: 8, Streams: 4, RetirePort: true,
		STags: 32, IRD: 2, ORD: 2, ReceiveDepth: 4, SendDepth: 4, MaxPayload: 256, AtomicDepth: 16}
	least = gen.Config{Top: gen.Top, Profile: "rdmap", Extensions: []string{}, BusBytes: 8, Streams: 2,
		STags: 16, IRD: 1, ORD: 2, ReceiveDepth: 2, SendDepth: 2, MaxPayload: 256, AtomicDepth: 4}
	swaps = gen.Config{Top: gen.Top, Profile: "rdmap", Extensions: []string{"draft00"}, BusBytes: 128, Streams: 1024,
		STags: 4096, IRD: 16, ORD: 16, ReceiveDepth: 64, SendDepth: 64, MaxPayload: 4096, AtomicDepth: 64}
	commits = gen.Config{Top: gen.Top, Profile: "rdmap", Extensions: []string{"commit"}, BusBytes: 8, Streams: 4, RetirePort: true,
		STags: 32, IRD: 8, ORD: 8, ReceiveDepth: 16, SendDepth: 16, MaxPayload: 256, AtomicDepth: 16}
	configs = []struct {
		name   string
		config gen.Config
	}{{"default", gen.Default()}, {"small", small}, {"minimal", least}, {"with draft00", swaps}, {"with commit", commits}}
)

// suites caches the suites by configuration.
var suites sync.Map

// newSuite returns a private suite for a test.
func newSuite(t testing.TB, c gen.Config) *suite.Suite {
	t.Helper()
	made, _ := suites.LoadOrStore(fmt.Sprint(c), sync.OnceValues(func() (*suite.Suite, error) { return New(c, DefaultSeed) }))
	s, err := made.(func() (*suite.Suite, error))()
	require.NoError(t, err)
	return deepCopy(reflect.ValueOf(s)).Interface().(*suite.Suite)
}

// deepCopy copies a value and everything that it references.
func deepCopy(v reflect.Value) reflect.Value {
	to := reflect.New(v.Type()).Elem()
	to.Set(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			to.Set(reflect.New(v.Type().Elem()))
			to.Elem().Set(deepCopy(v.Elem()))
		}
	case reflect.Slice:
		if v.IsNil() {
			break
		}
		to.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		if v.Type().Elem().Kind() == reflect.Uint8 {
			reflect.Copy(to, v)
			break
		}
		for i := range v.Len() {
			to.Index(i).Set(deepCopy(v.Index(i)))
		}
	case reflect.Map:
		to.Set(reflect.MakeMap(v.Type()))
		for _, k := range v.MapKeys() {
			to.SetMapIndex(k, deepCopy(v.MapIndex(k)))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			to.Field(i).Set(deepCopy(v.Field(i)))
		}
	}
	return to
}

// directory writes the files of a suite.
func directory(t *testing.T, s *suite.Suite, replace ...outdir.File) string {
	t.Helper()
	list, err := files(s)
	require.NoError(t, err)
	for _, r := range replace {
		for i := range list {
			if list[i].Name == r.Name {
				list[i] = r
			}
		}
	}
	dir := filepath.Join(t.TempDir(), "vectors")
	require.NoError(t, outdir.Write(dir, Manifest(s.Config.Config, s.Config.Seed), list))
	return dir
}

// find finds a test by its key, without "rnic/".
func find(t *testing.T, s *suite.Suite, key string) (group *suite.Group, test *suite.Test) {
	t.Helper()
	ids, err := readIDs()
	require.NoError(t, err)
	require.Contains(t, ids, "rnic/"+key)
	s.Each(func(g *suite.Group, one *suite.Test) {
		if one.TcID == ids["rnic/"+key] {
			group, test = g, one
		}
	})
	require.NotNil(t, test, key)
	return group, test
}

// only keeps the test with a key.
func only(t *testing.T, s *suite.Suite, key string) (*suite.Group, *suite.Test) {
	t.Helper()
	g, one := find(t, s, key)
	group := *g
	group.Tests = []suite.Test{*one}
	s.Groups, s.NumberOfTests = []suite.Group{group}, 1
	return &s.Groups[0], &s.Groups[0].Tests[0]
}

// casesOf returns the cases of a suite, by tcId.
func casesOf(t *testing.T, c gen.Config) map[int]cases.Case {
	t.Helper()
	ids, err := readIDs()
	require.NoError(t, err)
	all := map[int]cases.Case{}
	for _, one := range cases.All(c) {
		all[ids[one.Key]] = one
	}
	return all
}
