package hdl_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
)

// mistake is a description with mistakes. Each line with one states the expected report after "// want:";
// nothing else may be reported.
type mistake struct {
	name  string
	build func(m *hdl.Module, p samplePorts)
}

// samplePorts are the ports for the mistakes. All inputs are read and the output is driven in any case.
type samplePorts struct {
	Octet, Nibble, Flag hdl.In
	Result              hdl.Out
}

func sample(name string, build func(m *hdl.Module, p samplePorts)) hdl.Block[samplePorts] {
	return hdl.Block[samplePorts]{
		Kind: name, Doc: name + " is wrong.",
		Ports: samplePorts{hdl.NewIn(8), hdl.NewIn(4), hdl.NewIn(1), hdl.NewOut(8)},
		Build: func(m *hdl.Module, p samplePorts) {
			for _, v := range []hdl.Value{p.Octet.Value, p.Nibble.Value, p.Flag.Value} {
				m.Unused("of no use here", v)
			}
			m.Drive(p.Result, p.Octet.Value)
			build(m, p)
		},
	}
}

func checkMistakes(t *testing.T, list []mistake) {
	for i, c := range list {
		t.Run(c.name, func(t *testing.T) {
			file, from := position(c.build)
			to := 1 << 30
			if i+1 < len(list) {
				_, to = position(list[i+1].build)
			}
			_, err := hdl.Compile(sample("wrong", c.build))
			assert.ElementsMatch(t, wanted(t, file, from, to), told(err))
		})
	}
}

func told(err error) []string {
	out := []string{}
	for _, e := range hdl.Errors(err) {
		out = append(out, e.Error())
	}
	return out
}

// position is the start of a function.
func position(f any) (file string, line int) {
	pc := reflect.ValueOf(f).Pointer()
	return runtime.FuncForPC(pc).FileLine(pc)
}

// wanted reads the expected reports from the comments in a part of a file.
func wanted(t *testing.T, file string, from, to int) []string {
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	out := []string{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if n < from {
			continue
		}
		if n >= to || strings.HasPrefix(lines.Text(), "}") {
			break
		}
		for _, w := range strings.Split(lines.Text(), "// want: ")[1:] {
			out = append(out, fmt.Sprintf("%s:%d: %s", filepath.Base(file), n, strings.TrimSpace(w)))
		}
	}
	require.NoError(t, lines.Err())
	require.NotEmpty(t, out, "a mistake without an expected report")
	return out
}

// An expression nested too deeply is rejected where it was made; a chain, a table of choices and a bit selection count once.
func TestNesting(t *testing.T) {
	a := func(p samplePorts) hdl.Value { return p.Octet.Value }
	for name, c := range map[string]struct {
		build func(v hdl.Value) hdl.Value
		want  string
	}{
		"chain": {func(v hdl.Value) hdl.Value { return v.And(v.Or(v)).And(v).And(v).And(v.Or(v)) }, ""},
		"choices": {func(v hdl.Value) hdl.Value {
			return hdl.Select(v, hdl.When{Cond: v.Any(), Then: v.Add(v)}, hdl.When{Cond: v.All(), Then: v.And(v.Or(v))})
		}, ""},
		"deep": {func(v hdl.Value) hdl.Value { return v.Add(v.And(v.Or(v.Xor(v)))) },
			"deep.deep_sum: 4 operators nested in each other; allowed: 3; name a part with Let"},
		"inverted": {func(v hdl.Value) hdl.Value { return v.Add(v.And(v.Or(v.Xor(v).Not()))) },
			"inverted.deep_sum: 4 operators nested in each other; allowed: 3; name a part with Let"},
	} {
		_, err := hdl.Compile(sample(name, func(m *hdl.Module, p samplePorts) {
			m.Unused("of no use here", m.Let("deep_sum", c.build(a(p))))
		}))
		if c.want == "" {
			assert.NoError(t, err, name)
			continue
		}
		require.Error(t, err, name)
		assert.Regexp(t, `^mistakes_test\.go:\d+: `+c.want, err.Error())
	}
}
