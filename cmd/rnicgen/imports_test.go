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

// allowed lists the packages of this module that a package may import, by longest matching prefix. Model and hardware
// are independent; they share only the tables of headers, operations and rules.
var allowed = map[string][]string{
	"hdl":              {"hdl", "internal"},
	"model":            {"model"},
	"gen":              {"gen", "hdl", "model/wire", "model/rdmap/spec", "model/falcon/spec"},
	"gen/block":        {"hdl"},                            // knows no protocol
	"gen/engine":       {"gen/block", "gen/engine", "hdl"}, // knows no protocol either
	"gen/rdmap":        {"gen/block", "gen/engine", "hdl", "model/wire", "model/rdmap/spec"},
	"gen/falcon":       {"gen/block", "gen/engine", "hdl", "model/wire", "model/falcon/spec"},
	"gen/outdir":       {},
	"cosim/simulator":  {"cosim/simulator", "hdl", "internal"},
	"cosim/capture":    {"cosim/capture", "model/wire", "model/rdmap/spec"},
	"cosim":            {"cosim", "gen", "hdl", "model", "internal/process"},
	"cosim/mutate":     {"cosim", "gen", "hdl", "model", "vectors"}, // mutants are also tested with vectors
	"vectors":          {"vectors", "cosim", "docs", "gen", "hdl", "model"},
	"docs":             {},
	"cmd":              {"cmd", "vectors", "cosim", "gen", "hdl", "model", "internal/process"},
	"model/wire":       {"model/rdmap/spec"},
	"model/rdmap/spec": {},
	"model/atomic":     {"model/wire"},
	"model/memory":     {},

	// The profile RDMA over Falcon shares tables, memory and atomics with iWARP, not its engine.
	"model/falcon":        {"model/falcon", "model/memory", "model/atomic"},
	"model/falcon/link":   {"model/falcon"},
	"model/falcon/packet": {"model/falcon/spec"},
	"model/falcon/spec":   {"model/wire"}, // the type of a header table

	"hdl/internal": {"hdl/internal"},
	"internal":     {},

	// These run vectors and random traffic, or turn traffic into vectors.
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
