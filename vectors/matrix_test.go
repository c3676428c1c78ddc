package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/internal/long"
	profile "github.com/rnicgen/rnicgen/vectors/falcon/suite"
	"github.com/rnicgen/rnicgen/vectors/requirements"
)

// TestMatrix: every requirement that can apply has an implementation, and evidence or an exception; every cited
// requirement exists.
func TestMatrix(t *testing.T) {
	m, err := MatrixOf()
	require.NoError(t, err)
	assert.Empty(t, m.Orphans())
	assert.True(t, m.OK())
	all, err := requirements.All()
	require.NoError(t, err)
	require.Len(t, m.Rows, len(all))
	var text bytes.Buffer
	require.NoError(t, m.Write(&text))
	assert.Regexp(t, fmt.Sprintf(`\n%d requirements: [0-9]+ shown by vectors, [0-9]+ by properties alone, [0-9]+ reviewed exceptions, `+
		`357 not of a profile of this version, 0 orphans\n$`, len(all)), text.String())

	for _, r := range m.Rows {
		other := r.Catalogue == "ocp-rdma-over-falcon-0.9" // its matrix is that of a configuration
		assert.Equal(t, other, r.Status == NotOfProfile, r.ID)
		// Externally visible requirements have vectors: every MUST, except for duties of the ULP.
		if r.Level == "MUST" && strings.HasPrefix(r.ID, "RFC7306") && !strings.HasPrefix(r.Exception, "Duty of the ULP") {
			assert.Equal(t, ByVectors, r.Status, r.ID)
		}
	}

	rfc, err := m.Of("rfc7306")
	require.NoError(t, err)
	assert.Len(t, rfc.Rows, 260)
	_, err = m.Of("rfc5040")
	assert.ErrorContains(t, err, `--catalogue is "rfc5040"; allowed: ocp-rdma-over-falcon-0.9, `)

	var sum MatrixSummary
	summaries := m.Summaries()
	last := len(summaries) - 1
	require.Equal(t, last, len(requirements.Catalogues))
	for _, s := range summaries[:last] {
		assert.Equal(t, s.Rows, s.Vectors+s.Properties+s.Exceptions+s.NotOfProfile+s.Orphans, s.Catalogue)
		sum.Rows += s.Rows
		sum.Vectors += s.Vectors
	}
	assert.Equal(t, []int{sum.Rows, sum.Vectors}, []int{summaries[last].Rows, summaries[last].Vectors})
}

// TestMatrixOfConfigurations: each configuration by itself.
func TestMatrixOfConfigurations(t *testing.T) {
	long.Test(t)
	t.Parallel()
	one := func(name string, c gen.Config) {
		m, err := MatrixOf(c)
		require.NoError(t, err)
		assert.Empty(t, m.Orphans(), name)
		for _, r := range m.Rows {
			assert.NotNil(t, r.Implemented, r.ID) // [] in JSON, never null
			assert.NotNil(t, r.Vectors.TcIDs, r.ID)
			assert.NotNil(t, r.Properties, r.ID)
			assert.Equal(t, !c.Draft00() && r.Catalogue == "draft-ietf-storm-rdmap-ext-00", r.Status == NotOfProfile && strings.HasPrefix(r.ID, "DRAFT00"), r.ID)
		}
	}
	for _, c := range configs {
		one(c.name, c.config)
	}
}

// TestMatrixOfFalcon: vectors show the requirements of the profile falcon, but for those of Falcon itself and of the set-up.
func TestMatrixOfFalcon(t *testing.T) {
	t.Parallel()
	m, err := MatrixOfFalcon(profile.DefaultConfig())
	require.NoError(t, err)
	assert.Empty(t, m.Orphans())
	for _, r := range m.Rows {
		assert.Equal(t, r.Catalogue != "ocp-rdma-over-falcon-0.9", r.Status == NotOfProfile, r.ID)
	}
	s := m.Summaries()[0]
	assert.Equal(t, MatrixSummary{Catalogue: "ocp-rdma-over-falcon-0.9", Rows: 357, Vectors: 297, Properties: 3, Exceptions: 57}, s)
}

// TestConfigurations: a catalogue is required as soon as a configuration can have its profile and extension.
func TestConfigurations(t *testing.T) {
	names := func(check func(gen.Config) error) (list []string) {
		for _, c := range configurations(check) {
			list = append(list, strings.Join(append([]string{c.Top, c.Profile}, c.Extensions...), " "))
		}
		return list
	}
	assert.Equal(t, []string{"rnic rdmap", "rnic rdmap commit", "rnic rdmap draft00"}, names(Supports))
	assert.Equal(t, []string{"rnic falcon", "rnic rdmap", "rnic rdmap commit", "rnic rdmap draft00"},
		names(func(c gen.Config) error { // as if rnic had everything
			if c.Top != gen.Top {
				return errors.New("no")
			}
			return nil
		}))

	// A version with the profile falcon, without evidence for it.
	all, err := requirements.All()
	require.NoError(t, err)
	falcon, err := requirements.Of(gen.Config{Profile: "falcon"})
	require.NoError(t, err)
	demanded := map[string]bool{}
	for _, r := range falcon {
		demanded[r.ID] = true
	}
	m := join(all, demanded, evidence{})
	assert.Len(t, m.Orphans(), len(falcon))
	assert.Contains(t, m.Orphans(), "ROF09-4-01 (FACT) has no evidence")
	assert.Equal(t, MatrixSummary{Catalogue: "all", Rows: len(all), NotOfProfile: len(all) - len(falcon), Orphans: len(falcon)}, m.Summaries()[len(requirements.Catalogues)])
}

// TestMatrixFindsOrphans: on either side.
func TestMatrixFindsOrphans(t *testing.T) {
	file := []string{"gen/a.go"}
	all := []requirements.Row{{ID: "A", Level: "MUST", Catalogue: "one", Places: file}, {ID: "B", Level: "FACT", Catalogue: "one", Places: file},
		{ID: "C", Level: "MAY", Catalogue: "two", Places: file}, {ID: "D", Catalogue: "two"}}
	demanded := map[string]bool{"A": true, "B": true, "C": true} // D is of another profile
	one := func(e evidence) []string {
		m := join(all, demanded, e)
		assert.Equal(t, len(m.Orphans()) == 0, m.OK())
		assert.Equal(t, NotOfProfile, m.Rows[3].Status)
		return m.Orphans()
	}
	type list = []requirements.Property
	type reasons = []requirements.Exception
	whole := func() citing { return citing{"A": {1}, "B": {2, 1}, "C": {3}} }
	some := func() citing { return citing{"A": {1}, "B": {2}} }
	assert.Empty(t, one(evidence{vectors: whole()}))
	assert.Equal(t, []string{"C (MAY) has no evidence"}, one(evidence{vectors: some()}))
	assert.Equal(t, []string{"C (MAY) has no evidence", "tcId 9 cites X; allowed: ids in the catalogues"},
		one(evidence{vectors: citing{"A": {1}, "B": {2}, "X": {9}}}))
	assert.Empty(t, one(evidence{vectors: some(), properties: list{{ID: "C", Kind: "test", Name: "a.TestB"}, {ID: "D", Kind: "test", Name: "a.TestC"}}}))
	assert.Empty(t, one(evidence{vectors: some(), properties: list{{ID: "C", Kind: "property", Name: "fifo/order"}}}))
	assert.Equal(t, []string{"property a.TestB cites X; allowed: ids in the catalogues"},
		one(evidence{vectors: whole(), properties: list{{ID: "X", Kind: "test", Name: "a.TestB"}}}))
	assert.Empty(t, one(evidence{vectors: some(), properties: list{{ID: "C", Kind: "row", Name: "A"}}}))
	assert.Equal(t, []string{"B (FACT) has no evidence", "C (MAY) has no evidence", "C refers to the evidence of B, which has none"},
		one(evidence{vectors: citing{"A": {1}}, properties: list{{ID: "C", Kind: "row", Name: "B"}}}))
	assert.Empty(t, one(evidence{vectors: some(), exceptions: reasons{{ID: "C", Reason: "because"}, {ID: "D", Reason: "because"}}}))
	assert.Equal(t, []string{"an exception cites X; allowed: ids in the catalogues"}, one(evidence{vectors: whole(), exceptions: reasons{{ID: "X", Reason: "because"}}}))
	assert.Equal(t, []string{"C has an exception and also evidence: tcId 3"}, one(evidence{vectors: whole(), exceptions: reasons{{ID: "C", Reason: "because"}}}))
	assert.Equal(t, []string{"C has an exception and also evidence: test a.TestB"},
		one(evidence{vectors: some(), properties: list{{ID: "C", Kind: "test", Name: "a.TestB"}}, exceptions: reasons{{ID: "C", Reason: "because"}}}))
	assert.Equal(t, []string{"C has two exceptions; allowed: one"},
		one(evidence{vectors: some(), exceptions: reasons{{ID: "C", Reason: "because"}, {ID: "C", Reason: "again"}}}))

	// Places: required for every row with evidence.
	all[2].Places = nil
	assert.Equal(t, []string{"C (MAY) has evidence but no implementation"}, one(evidence{vectors: whole()}))
	assert.Empty(t, one(evidence{vectors: some(), exceptions: reasons{{ID: "C", Reason: "because"}}}))
	assert.Equal(t, []string{"C (MAY) has no evidence"}, one(evidence{vectors: some()}))
}

// TestMatrixReport checks the printed and the machine-readable form.
func TestMatrixReport(t *testing.T) {
	all := []requirements.Row{{ID: "A", Level: "MUST", Section: "1", Catalogue: "one", Places: []string{"gen/a.go", "model/b.go"}},
		{ID: "B", Level: "FACT", Catalogue: "one", Places: []string{"gen/c.go"}}, {ID: "C", Level: "MAY", Catalogue: "one"}, {ID: "D", Level: "MUST NOT", Catalogue: "one"}, {ID: "E", Catalogue: "two"}}
	m := join(all, map[string]bool{"A": true, "B": true, "C": true, "D": true}, evidence{
		vectors:    citing{"A": {4, 1, 1, 7, 9}},
		properties: []requirements.Property{{ID: "A", Kind: "proof", Name: "a.TestP"}, {ID: "B", Kind: "property", Name: "fifo/order"}, {ID: "B", Kind: "row", Name: "A"}},
		exceptions: []requirements.Exception{{ID: "C", Reason: "Permission."}},
	})
	var text bytes.Buffer
	require.NoError(t, m.Write(&text))
	assert.Equal(t, `requirement  level     status            implemented in       vectors            properties or exception
A            MUST      vectors           gen/a.go model/b.go  4: tcId 1 4 7 ...  proof a.TestP
B            FACT      properties        gen/c.go             -                  property fifo/order, as A
C            MAY       exception         -                    -                  Permission.
D            MUST NOT  orphan            -                    -                  -
E                      not of a profile  -                    -                  -
orphan: D (MUST NOT) has no evidence

catalogue  rows  vectors  properties alone  exceptions  not of a profile  orphans
one        4     1        1                 1           0                 1
two        1     0        0                 0           1                 0
all        5     1        1                 1           1                 1

5 requirements: 1 shown by vectors, 1 by properties alone, 1 reviewed exceptions, 1 not of a profile of this version, 1 orphans
`, text.String())

	report := m.Report()
	assert.Equal(t, []string{"D (MUST NOT) has no evidence"}, report.Orphans)
	assert.Equal(t, MatrixSummary{"one", 4, 1, 1, 1, 0, 1}, report.Catalogues[0])
	row, err := json.Marshal(report.Rows[0])
	require.NoError(t, err)
	assert.JSONEq(t, `{"id":"A","catalogue":"one","level":"MUST","section":"1","status":"vectors","implemented":["gen/a.go","model/b.go"],
		"vectors":{"count":4,"tcIds":[1,4,7,9]},"properties":["proof a.TestP"]}`, string(row))
	row, err = json.Marshal(report.Rows[3])
	require.NoError(t, err)
	assert.JSONEq(t, `{"id":"D","catalogue":"one","level":"MUST NOT","section":"","status":"orphan","implemented":[],
		"vectors":{"count":0,"tcIds":[]},"properties":[],"orphans":["D (MUST NOT) has no evidence"]}`, string(row))
}

// exists reports whether a property exists below root: a test in the sources of its package, which runs a solver if it
// is a proof, or a formal property in the file of its kind of block.
func exists(root string, p requirements.Property) bool {
	if p.Kind == requirements.KindProperty {
		kind, name, two := strings.Cut(p.Name, "/")
		text, err := os.ReadFile(filepath.Join(root, "gen", "testdata", "spec", kind+".v"))
		return err == nil && two && regexp.MustCompile(`(?m)^// property `+regexp.QuoteMeta(name)+`:`).Match(text)
	}
	dot := strings.LastIndexByte(p.Name, '.')
	if dot < 0 || p.Kind != requirements.KindTest && p.Kind != requirements.KindProof {
		return false
	}
	sources, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(p.Name[:dot]), "*_test.go"))
	for _, name := range sources {
		text, err := os.ReadFile(name)
		if err == nil && regexp.MustCompile(`(?m)^func `+regexp.QuoteMeta(p.Name[dot+1:])+`\(t \*testing\.T\)`).Match(text) {
			return p.Kind == requirements.KindTest || bytes.Contains(text, []byte("yosys"))
		}
	}
	return false
}

// TestPropertiesExist: each property in the reviewed table exists, and every proof runs a solver.
func TestPropertiesExist(t *testing.T) {
	list, err := requirements.Properties()
	require.NoError(t, err)
	seen := map[requirements.Property]bool{}
	for _, p := range list {
		assert.NotEmpty(t, p.Note, p.ID)
		p.Note = ""
		assert.False(t, seen[p], "%v appears twice", p)
		seen[p] = true
		if p.Kind == requirements.KindRow {
			assert.NotEqual(t, p.ID, p.Name)
			continue
		}
		assert.True(t, exists("..", p), "%s: there is no %s %s", p.ID, p.Kind, p.Name)
	}
	for _, p := range []requirements.Property{
		{Kind: "test", Name: "gen.TestNothing"}, {Kind: "test", Name: "gen.TestGoldenVerilo"}, {Kind: "test", Name: "nowhere.TestGoldenVerilog"}, {Kind: "test", Name: "TestGoldenVerilog"},
		{Kind: "proof", Name: "gen.TestGoldenVerilog"}, {Kind: "assertion", Name: "gen.TestGoldenVerilog"},
		{Kind: "property", Name: "atomic_operation/no"}, {Kind: "property", Name: "no/no"}, {Kind: "property", Name: "atomic_operation"},
	} {
		assert.False(t, exists("..", p), "%v", p)
	}
	assert.True(t, exists("..", requirements.Property{Kind: "test", Name: "gen.TestGoldenVerilog"}))

	root := t.TempDir()
	spec := filepath.Join(root, "gen", "testdata", "spec")
	require.NoError(t, os.MkdirAll(spec, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(spec, "fifo.v"), []byte("// Nothing is lost.\n// property order: beats leave in order\n// invariant count: a helper\n"), 0o644))
	for name, is := range map[string]bool{"fifo/order": true, "fifo/ord": false, "fifo/count": false, "fifo/": false, "merge/order": false} {
		assert.Equal(t, is, exists(root, requirements.Property{Kind: requirements.KindProperty, Name: name}), name)
	}
	exceptions, err := requirements.Exceptions()
	require.NoError(t, err)
	for _, e := range exceptions {
		assert.NotEmpty(t, e.Reason, e.ID)
	}
}
