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

// wrongPlaces returns the faults in the places of rows.
func wrongPlaces(rows []Row) (wrong []string) {
	for _, r := range rows {
		for j, name := range r.Places {
			isHardware, isModel := strings.HasPrefix(name, "gen/"), strings.HasPrefix(name, "model/")
			switch {
			case !isHardware && !isModel || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
				wrong = append(wrong, fmt.Sprintf("%s: %s is not a source file of hardware or model", r.ID, name))
			case !isFile(name):
				wrong = append(wrong, fmt.Sprintf("%s: %s does not exist", r.ID, name))
			case slices.Contains(r.Places[:j], name):
				wrong = append(wrong, fmt.Sprintf("%s names %s twice", r.ID, name))
			case isHardware && j > 0 && strings.HasPrefix(r.Places[j-1], "model/"):
				wrong = append(wrong, fmt.Sprintf("%s: %s is listed after the model", r.ID, name))
			}
		}
	}
	return wrong
}

func TestPlaces(t *testing.T) {
	rows, err := All()
	require.NoError(t, err)
	assert.Empty(t, wrongPlaces(rows))

	broken := func(places ...string) []string { return wrongPlaces([]Row{{ID: "A"}, {ID: "B", Places: places}}) }
	assert.Empty(t, broken("gen/engine/host/csr.go", "model/wire/ddp.go"))
	assert.Equal(t, []string{"B: gen/no.go does not exist"}, broken("gen/no.go"))
	assert.Equal(t, []string{"B: gen/csr_test.go is not a source file of hardware or model"}, broken("gen/csr_test.go"))
	assert.Equal(t, []string{"B: gen is not a source file of hardware or model"}, broken("gen"))
	assert.Equal(t, []string{"B: hdl/fsm.go is not a source file of hardware or model"}, broken("hdl/fsm.go"))
	assert.Equal(t, []string{"B names gen/engine/host/csr.go twice"}, broken("gen/engine/host/csr.go", "gen/engine/host/csr.go"))
	assert.Equal(t, []string{"B: gen/engine/host/csr.go is listed after the model"}, broken("model/wire/ddp.go", "gen/engine/host/csr.go"))
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
func wrongBlocks(kinds []string, rows []Row, infrastructure []Infrastructure) (wrong []string) {
	named, excused := map[string]bool{}, map[string]bool{}
	for _, r := range rows {
		for _, name := range r.Places {
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

// TestBlocksHaveRequirements: a new block needs to be a place of some rows, or a reason in infrastructure.csv.
func TestBlocksHaveRequirements(t *testing.T) {
	rows, err := All()
	require.NoError(t, err)
	infrastructure, err := Infrastructures()
	require.NoError(t, err)
	generated := kinds(t)
	assert.Contains(t, generated, "atomic_unit")
	assert.Contains(t, generated, "stag_table")
	assert.Empty(t, wrongBlocks(generated, rows, infrastructure))

	// As if gen/config.go built a block.
	assert.Equal(t, []string{"config is not named by any requirement"}, wrongBlocks(append(generated, "config"), rows, infrastructure))
	one := func(infrastructure ...Infrastructure) []string {
		return wrongBlocks([]string{"fifo", "merge"}, []Row{{Places: []string{"gen/block/merge.go"}}}, infrastructure)
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
