package requirements

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
)

// project returns the path of a file named in a table.
func project(name string) string { return filepath.Join("..", "..", filepath.FromSlash(name)) }

// isFile reports whether the project has a file.
func isFile(name string) bool {
	info, err := os.Stat(project(name))
	return err == nil && info.Mode().IsRegular()
}

// wrongPlaces returns the faults in places; rows are those of all catalogues.
func wrongPlaces(places []Place, rows []Row) (wrong []string) {
	last := -1
	for _, p := range places {
		i := slices.IndexFunc(rows, func(r Row) bool { return r.ID == p.ID })
		switch {
		case i < 0:
			wrong = append(wrong, p.ID+" does not exist")
		case i <= last:
			wrong = append(wrong, p.ID+" is not in the order of its catalogue")
		}
		last = max(last, i)
		if len(p.Files) == 0 {
			wrong = append(wrong, p.ID+" names no file")
		}
		for j, name := range p.Files {
			isHardware, isModel := strings.HasPrefix(name, "gen/"), strings.HasPrefix(name, "model/")
			switch {
			case !isHardware && !isModel || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
				wrong = append(wrong, fmt.Sprintf("%s: %s is not a source file of hardware or model", p.ID, name))
			case !isFile(name):
				wrong = append(wrong, fmt.Sprintf("%s: %s does not exist", p.ID, name))
			case slices.Contains(p.Files[:j], name):
				wrong = append(wrong, fmt.Sprintf("%s names %s twice", p.ID, name))
			case isHardware && j > 0 && strings.HasPrefix(p.Files[j-1], "model/"):
				wrong = append(wrong, fmt.Sprintf("%s: %s is listed after the model", p.ID, name))
			}
		}
	}
	return wrong
}

func TestPlaces(t *testing.T) {
	places, err := Places()
	require.NoError(t, err)
	rows, err := All()
	require.NoError(t, err)
	assert.Empty(t, wrongPlaces(places, rows))

	broken := func(files ...string) []string { return wrongPlaces([]Place{{"B", files}}, []Row{{ID: "A"}, {ID: "B"}}) }
	assert.Empty(t, broken("gen/engine/host/csr.go", "model/wire/ddp.go"))
	assert.Equal(t, []string{"B names no file"}, broken())
	assert.Equal(t, []string{"B: gen/no.go does not exist"}, broken("gen/no.go"))
	assert.Equal(t, []string{"B: gen/csr_test.go is not a source file of hardware or model"}, broken("gen/csr_test.go"))
	assert.Equal(t, []string{"B: gen is not a source file of hardware or model"}, broken("gen"))
	assert.Equal(t, []string{"B: hdl/fsm.go is not a source file of hardware or model"}, broken("hdl/fsm.go"))
	assert.Equal(t, []string{"B names gen/engine/host/csr.go twice"}, broken("gen/engine/host/csr.go", "gen/engine/host/csr.go"))
	assert.Equal(t, []string{"B: gen/engine/host/csr.go is listed after the model"}, broken("model/wire/ddp.go", "gen/engine/host/csr.go"))
	file := []string{"gen/engine/host/csr.go"}
	assert.Equal(t, []string{"A is not in the order of its catalogue", "A is not in the order of its catalogue", "C does not exist"},
		wrongPlaces([]Place{{"B", file}, {"A", file}, {"A", file}, {"C", file}}, []Row{{ID: "A"}, {ID: "B"}}))
}

// kinds returns the kinds of all generated blocks.
func kinds(t *testing.T) []string {
	t.Helper()
	all := map[string]bool{}
	for _, catalogue := range Catalogues {
		c := catalogue.Adapt(gen.Default())
		if c.Check() != nil {
			continue
		}
		design, err := gen.Compile(c)
		require.NoError(t, err)
		for _, m := range design.Modules() {
			all[m.Top()] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// source returns the file that builds the blocks of a kind.
func source(kind string) string {
	for _, dir := range []string{"gen/block", "gen/engine", "gen/engine/*", "gen/rdmap"} {
		if found, _ := filepath.Glob("../../" + dir + "/" + kind + ".go"); len(found) == 1 {
			return strings.TrimPrefix(filepath.ToSlash(found[0]), "../../")
		}
	}
	return "gen/" + kind + ".go"
}

// wrongBlocks returns the kinds of blocks that need a requirement or a reason, and the invalid reasons.
func wrongBlocks(kinds []string, places []Place, infrastructure []Infrastructure) (wrong []string) {
	named, excused := map[string]bool{}, map[string]bool{}
	for _, p := range places {
		for _, name := range p.Files {
			named[name] = true
		}
	}
	for _, i := range infrastructure {
		switch {
		case !slices.Contains(kinds, i.Kind):
			wrong = append(wrong, i.Kind+" is not a kind of block")
		case named[source(i.Kind)]:
			wrong = append(wrong, i.Kind+" is infrastructure, but a requirement names it")
		case excused[i.Kind] || i.Reason == "":
			wrong = append(wrong, i.Kind+" has no reason or two; allowed: one")
		}
		excused[i.Kind] = true
	}
	for _, kind := range kinds {
		switch {
		case !isFile(source(kind)):
			wrong = append(wrong, fmt.Sprintf("%s: there is no %s", kind, source(kind)))
		case !named[source(kind)] && !excused[kind]:
			wrong = append(wrong, kind+" is not named by any requirement")
		}
	}
	return wrong
}

// TestBlocksHaveRequirements: a new block needs rows of implemented.csv, or a reason in infrastructure.csv.
func TestBlocksHaveRequirements(t *testing.T) {
	places, err := Places()
	require.NoError(t, err)
	infrastructure, err := Infrastructures()
	require.NoError(t, err)
	generated := kinds(t)
	assert.Contains(t, generated, "atomic_unit")
	assert.Contains(t, generated, "stag_table")
	assert.Empty(t, wrongBlocks(generated, places, infrastructure))

	// As if gen/config.go built a block.
	assert.Equal(t, []string{"config is not named by any requirement"}, wrongBlocks(append(generated, "config"), places, infrastructure))
	one := func(infrastructure ...Infrastructure) []string {
		return wrongBlocks([]string{"fifo", "merge"}, []Place{{"A", []string{"gen/block/merge.go"}}}, infrastructure)
	}
	assert.Empty(t, one(Infrastructure{"fifo", "because"}))
	assert.Equal(t, []string{"fifo is not named by any requirement"}, one())
	assert.Equal(t, []string{"fifo has no reason or two; allowed: one"}, one(Infrastructure{Kind: "fifo"}))
	assert.Equal(t, []string{"fifo has no reason or two; allowed: one"}, one(Infrastructure{"fifo", "because"}, Infrastructure{"fifo", "again"}))
	assert.Equal(t, []string{"merge is infrastructure, but a requirement names it"},
		one(Infrastructure{"fifo", "because"}, Infrastructure{"merge", "because"}))
	assert.Equal(t, []string{"gone is not a kind of block"}, one(Infrastructure{"fifo", "because"}, Infrastructure{"gone", "because"}))
	assert.Equal(t, []string{"new: there is no gen/new.go"}, wrongBlocks([]string{"new"}, nil, nil))
}
