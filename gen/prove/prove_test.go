package prove_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/prove"
	"github.com/rnicgen/rnicgen/hdl/formal"
	"github.com/rnicgen/rnicgen/internal/long"
)

func read(t *testing.T) (prove.Files, []prove.Block) {
	t.Helper()
	files, err := prove.Read(gen.Specs, gen.SpecDir)
	require.NoError(t, err)
	blocks, err := prove.All(files)
	require.NoError(t, err)
	return files, blocks
}

// Every block has properties, each with a control that applies to its text, and no property file is unused.
func TestEveryBlockHasProperties(t *testing.T) {
	files, blocks := read(t)
	require.NoError(t, prove.Complete(files, blocks))
}

// The property files fit the hardware, including those of blocks that no test proves.
func TestPropertiesAreOfTheHardware(t *testing.T) {
	_, blocks := read(t)
	for _, b := range blocks {
		t.Run(b.Name, func(t *testing.T) {
			if !b.First { // of its kind
				long.Test(t)
			}
			t.Parallel()
			require.NoError(t, b.Check(context.Background(), formal.Options{Timeout: time.Minute}))
		})
	}
}

// The blocks are all modules of the configurations, including those that draft00 changes.
func TestBlocks(t *testing.T) {
	_, blocks := read(t)
	kinds := map[string]int{}
	for _, b := range blocks {
		if b.First {
			kinds[b.Kind]++
		}
	}
	d, err := gen.Compile(gen.Default())
	require.NoError(t, err)
	for _, m := range d.Modules() {
		assert.Equal(t, 1, kinds[m.Top()], "%s is proven", m.Top())
	}
	has := func(name string) bool {
		return slices.ContainsFunc(blocks, func(b prove.Block) bool { return b.Name == name })
	}
	assert.True(t, has("atomic_unit_8_4_4_2_retire"))
	assert.True(t, has("atomic_unit_8_4_4_2_draft00_retire"))
}

// Missing and unused files, and controls that do not apply, are errors.
func TestComplete(t *testing.T) {
	const property = "// property p: is\n// control p: nowhere => x\nalways @* p: assert (in_ready);\n"
	files, err := prove.Read(fstest.MapFS{
		"s/stag_table.v":   {Data: []byte(property)},
		"s/ddp_classify.v": {Data: []byte("// uses rules\n// invariant p: is\nalways @* p: assert (1);\n")},
		"s/divider.v":      {Data: []byte("// invariant p: is\nalways @* p: assert (1);\n")},
		"s/fifo.v": {Data: []byte("// invariant p: is\n// assume a: x; shown by ddp_classify/p, fifo/q, none/p\n" +
			"always @* begin p: assert (1); a: assume (1); end\n// invariant b: is\n// bounded b 3: so\nalways @* b: assert (1);\n" +
			"// assume c: x; shown by fifo/b\nalways @* c: assume (1);\n")},
		"s/reference/old.v": {Data: []byte("module old; endmodule\n")},
	}, "s")
	require.NoError(t, err)
	blocks, err := prove.Blocks(files, prove.Configs()[0])
	require.NoError(t, err)
	said := strings.Split(prove.Complete(files, blocks).Error(), "\n")
	for _, want := range []string{
		"ddp_parser (ddp_parser_8_4): there are no properties; write gen/testdata/spec/ddp_parser.v",
		`gen/s/stag_table.v:2: control: the printed text has no "nowhere"`,
		"gen/testdata/spec/ddp_classify.v uses rules: there is no gen/testdata/spec/reference/rules.v",
		"gen/s/fifo.v:2: assume a: there is no property fifo/q",
		"gen/s/fifo.v:2: assume a: there is no property none/p",
		"gen/s/fifo.v:7: assume c: fifo/b is shown for 3 cycles only",
		"gen/testdata/spec/divider.v: there is no block of this kind",
		"gen/testdata/spec/reference/old.v: no property file uses it",
	} {
		assert.Contains(t, said, want)
	}
	assert.NotContains(t, said, "gen/s/fifo.v:2: assume a: there is no property ddp_classify/p")

	_, err = prove.Read(fstest.MapFS{"s/fifo.v": {Data: []byte("// property p\n")}}, "s")
	assert.ErrorContains(t, err, "gen/s/fifo.v:1: ")
}

// Assumptions of blocks about each other are not shown in a circle.
func TestCircles(t *testing.T) {
	const property = "// invariant p: is\nalways @* p: assert (1);\n"
	rests := func(on string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(property + "// assume a: x; shown by " + on + "/p\nalways @* a: assume (1);\n")}
	}
	say := func(last *fstest.MapFile) string {
		files, err := prove.Read(fstest.MapFS{"s/one.v": rests("two"), "s/two.v": rests("three"), "s/three.v": last}, "s")
		require.NoError(t, err)
		return prove.Complete(files, nil).Error()
	}
	const circle = "gen/testdata/spec: assumptions are shown in a circle, "
	assert.Contains(t, say(rests("one")), circle+"one rests on two rests on three rests on one; mark a property that needs none of them: // alone NAME")
	assert.Contains(t, say(rests("three")), circle+"three rests on three; ")
	assert.NotContains(t, say(&fstest.MapFile{Data: []byte(property)}), circle)
	alone := rests("one")
	alone.Data = append(alone.Data, "// alone p\n"...)
	assert.NotContains(t, say(alone), circle)
}

// A sample of the proofs made by rnicgen prove: a decoder for all inputs, a memory, an arbiter.
func TestSample(t *testing.T) {
	long.Test(t)
	_, blocks := read(t)
	sample := []string{"ddp_classify", "fifo_2_4", "axi_read_arbiter_8"}
	blocks = slices.DeleteFunc(blocks, func(b prove.Block) bool { return !slices.Contains(sample, b.Name) })
	require.Len(t, blocks, len(sample))
	rows, err := prove.Prove(context.Background(), blocks,
		prove.Options{Options: formal.Options{Solver: formal.Solvers()[0], Timeout: 5 * time.Minute}, Jobs: 1, Controls: true})
	require.NoError(t, err)
	table := &bytes.Buffer{}
	require.NoError(t, prove.Write(table, rows))
	assert.True(t, prove.OK(rows), table.String())
	assert.Regexp(t, `ddp_classify +error_as_specified +proven k=1 .*fails at step \d`, table.String())
	for _, r := range rows {
		assert.NotEqual(t, "failed", r.Kind)
	}
}

func TestSummary(t *testing.T) {
	rows := []prove.Row{{Block: "a", Property: "p", Kind: "proven", Depth: 2, Control: "fails at step 3", OK: true},
		{Block: "a", Property: "q", Kind: "proven", Depth: 1, Control: "control 1 does not fail in 9 steps"},
		{Block: "b", Property: "r", Kind: "bounded", Depth: 12, Detail: "too wide", OK: true},
		{Block: "b", Property: "s", Kind: "assumed", Detail: "the host", OK: true},
		{Block: "b", Property: "t", Kind: "assumed", Detail: "a", Shown: "a/p", OK: true}}
	assert.Equal(t, "3 properties of 2 blocks: 1 proven, 1 bounded, 0 composed, 0 excused, 1 failed, resting on 2 assumptions, 1 of them shown; the controls of 1 fail; 3s with z3",
		prove.Summary(rows, "z3", 3*time.Second))
	assert.False(t, prove.OK(rows))
	table := &bytes.Buffer{}
	require.NoError(t, prove.Write(table, rows))
	assert.Equal(t, `block  property  kind           time   control
a      p         proven k=2     0.0 s  fails at step 3
a      q         FAILED         0.0 s  control 1 does not fail in 9 steps
b      r         bounded to 12  0.0 s    (too wide)
b      s         assumed        0.0 s    (the host)
b      t         assumed        0.0 s    (a; shown by a/p)
`, table.String())
}
