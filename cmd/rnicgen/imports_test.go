package main

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/rnicgen/rnicgen/"

// allowed says which packages of this module a package may import, by the longest prefix that fits it. The model and the
// hardware are written independently of each other; only the tables of headers, operations and rules are shared.
var allowed = map[string][]string{
	"hdl":              {"hdl", "internal"},
	"model":            {"model"},
	"gen":              {"gen", "hdl", "model/wire", "model/rdmap/spec"},
	"gen/block":        {"hdl"},                            // knows no protocol
	"gen/engine":       {"gen/block", "gen/engine", "hdl"}, // nor does the engine
	"gen/rdmap":        {"gen/block", "gen/engine", "hdl", "model/wire", "model/rdmap/spec"},
	"gen/outdir":       {},
	"cosim/simulator":  {"cosim/simulator", "hdl", "internal"},
	"cosim/capture":    {"cosim/capture", "model/wire", "model/rdmap/spec"},
	"cosim":            {"cosim", "gen", "hdl", "model", "internal/process"},
	"cosim/mutate":     {"cosim", "gen", "hdl", "model", "vectors"}, // which are among the tests that mutants are tested with
	"vectors":          {"vectors", "cosim", "docs", "gen", "hdl", "model"},
	"docs":             {},
	"cmd":              {"cmd", "vectors", "cosim", "gen", "hdl", "model", "internal/process"},
	"model/wire":       {"model/rdmap/spec"},
	"model/rdmap/spec": {},
	"model/atomic":     {"model/wire"},
	"model/memory":     {},
	"hdl/internal":     {"hdl/internal"},
	"internal":         {},

	// What runs vectors and random traffic, and what makes vectors of traffic.
	"cosim/coverage": {"cosim", "gen", "hdl", "model", "vectors"},
	"cosim/fuzz":     {"cosim", "gen", "hdl", "model", "vectors"},
}

func TestImportRules(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "../../...").Output()
	require.NoError(t, err)
	seen := 0
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); seen++ {
		var p struct {
			ImportPath string
			Imports    []string
		}
		require.NoError(t, dec.Decode(&p))
		name := strings.TrimPrefix(p.ImportPath, module)
		rule, known := longest(name)
		require.True(t, known, "package %s has no import rule", name)
		for _, i := range p.Imports {
			if other, ours := strings.CutPrefix(i, module); ours {
				assert.True(t, covered(other, allowed[rule]), "%s imports %s; allowed: %v", name, other, allowed[rule])
			}
		}
	}
	assert.Greater(t, seen, 15)
}

func longest(name string) (rule string, known bool) {
	for r := range allowed {
		if covered(name, []string{r}) && (!known || len(r) > len(rule)) {
			rule, known = r, true
		}
	}
	return rule, known
}

func covered(name string, prefixes []string) bool {
	for _, p := range prefixes {
		if name == p || strings.HasPrefix(name, p+"/") {
			return true
		}
	}
	return false
}
