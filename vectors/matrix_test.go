package vectors

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/vectors/requirements"
)

// TestMatrix: every requirement is shown or excepted, and nothing cites one that does not exist.
func TestMatrix(t *testing.T) {
	m, err := MatrixOf()
	require.NoError(t, err)
	assert.Empty(t, m.Orphans)
	assert.True(t, m.OK())
	all, err := requirements.All()
	require.NoError(t, err)
	require.Len(t, m.Rows, len(all))
	var text bytes.Buffer
	require.NoError(t, m.Write(&text))
	assert.Regexp(t, `\n328 requirements: [0-9]+ shown by vectors, [0-9]+ by properties alone, [0-9]+ reviewed exceptions, 0 orphans\n$`, text.String())
	assert.NotContains(t, text.String(), "NOTHING")

	// What can be seen from outside has vectors: every MUST, but for duties of the ULP.
	for _, r := range m.Rows {
		if r.Level == "MUST" && strings.HasPrefix(r.ID, "RFC7306") && !strings.HasPrefix(r.Exception, "Duty of the ULP") {
			assert.Positive(t, r.vectors, r.ID)
		}
	}
}

// TestMatrixOfConfigurations: each configuration by itself.
func TestMatrixOfConfigurations(t *testing.T) {
	for _, c := range rnicConfigs {
		m, err := MatrixOf(c.config)
		require.NoError(t, err)
		assert.Empty(t, m.Orphans, c.name)
		for _, r := range m.Rows {
			assert.NotNil(t, r.CoveredBy, r.ID) // [] in JSON, never null
		}
	}
	for _, c := range configs[:4] {
		m, err := MatrixOf(c.config)
		require.NoError(t, err)
		assert.Empty(t, m.Orphans, c.name)
	}
}

// TestMatrixFindsOrphans: on either side.
func TestMatrixFindsOrphans(t *testing.T) {
	rows := []requirements.Row{{ID: "A", Level: "MUST"}, {ID: "B", Level: "FACT"}, {ID: "C", Level: "MAY"}}
	all := append(rows, requirements.Row{ID: "D"}) // of another configuration
	one := func(by, larger citing, p []requirements.Property, e []requirements.Exception) []string {
		return join(rows, all, by, larger, p, e).Orphans
	}
	whole := citing{"A": {1}, "B": {2, 1}, "C": {3}}
	assert.Empty(t, one(whole, nil, nil, nil))
	assert.Equal(t, []string{"B (FACT) has nothing that shows it"}, one(citing{"A": {1}, "C": {3}}, nil, nil, nil))
	assert.Empty(t, one(citing{"A": {1}, "C": {3}}, citing{"B": {7}}, nil, nil))
	assert.Equal(t, []string{"tcId 9 cites X, which does not exist"}, one(citing{"A": {1}, "B": {2}, "C": {3}, "X": {9}}, nil, nil, nil))
	assert.Empty(t, one(citing{"A": {1}, "B": {2}}, nil, []requirements.Property{{ID: "C", Kind: "test", Name: "a.TestB"}, {ID: "D", Kind: "test", Name: "a.TestC"}}, nil))
	assert.Equal(t, []string{"property a.TestB cites X, which does not exist"}, one(whole, nil, []requirements.Property{{ID: "X", Kind: "test", Name: "a.TestB"}}, nil))
	assert.Empty(t, one(citing{"A": {1}, "B": {2}}, nil, []requirements.Property{{ID: "C", Kind: "row", Name: "A"}}, nil))
	assert.Equal(t, []string{"B (FACT) has nothing that shows it", "C (MAY) has nothing that shows it", "C is shown as B, which nothing shows"},
		one(citing{"A": {1}}, nil, []requirements.Property{{ID: "C", Kind: "row", Name: "B"}}, nil))
	assert.Empty(t, one(citing{"A": {1}, "B": {2}}, nil, nil, []requirements.Exception{{ID: "C", Reason: "because"}, {ID: "D", Reason: "because"}}))
	assert.Equal(t, []string{"an exception cites X, which does not exist"}, one(whole, nil, nil, []requirements.Exception{{ID: "X", Reason: "because"}}))
	assert.Equal(t, []string{"C has an exception, and is shown by tcId 3"}, one(whole, nil, nil, []requirements.Exception{{ID: "C", Reason: "because"}}))
	assert.Equal(t, []string{"C has two exceptions"},
		one(citing{"A": {1}, "B": {2}}, nil, nil, []requirements.Exception{{ID: "C", Reason: "because"}, {ID: "C", Reason: "again"}}))

	m := join(rows, all, citing{"A": {1, 1, 4}}, nil, []requirements.Property{{ID: "A", Kind: "proof", Name: "a.TestP"}}, nil)
	assert.Equal(t, []string{"tcId 1", "tcId 4", "proof a.TestP"}, m.Rows[0].CoveredBy)
	var text bytes.Buffer
	require.NoError(t, m.Write(&text))
	assert.Contains(t, text.String(), "2 vectors, proof a.TestP\n")
	assert.Contains(t, text.String(), "NOTHING")
	assert.Contains(t, text.String(), "orphan: B (FACT) has nothing that shows it\n")
}

// TestPropertiesExist: each test that the reviewed table names is in the repository, and every proof runs a solver.
func TestPropertiesExist(t *testing.T) {
	list, err := requirements.Properties()
	require.NoError(t, err)
	seen := map[requirements.Property]bool{}
	for _, p := range list {
		assert.NotEmpty(t, p.Note, p.ID)
		p.Note = ""
		assert.False(t, seen[p], "%v is there twice", p)
		seen[p] = true
		if p.Kind == requirements.KindRow {
			assert.NotEqual(t, p.ID, p.Name)
			continue
		}
		require.Contains(t, []string{requirements.KindTest, requirements.KindProof}, p.Kind, p.ID)
		dot := strings.LastIndexByte(p.Name, '.')
		require.Positive(t, dot, p.Name)
		sources, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(p.Name[:dot]), "*_test.go"))
		require.NoError(t, err)
		found := false
		for _, name := range sources {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			if regexp.MustCompile(`(?m)^func ` + p.Name[dot+1:] + `\(t \*testing\.T\)`).Match(text) {
				found = p.Kind == requirements.KindTest || bytes.Contains(text, []byte("yosys"))
			}
		}
		assert.True(t, found, "%s: there is no %s %s", p.ID, p.Kind, p.Name)
	}
	exceptions, err := requirements.Exceptions()
	require.NoError(t, err)
	for _, e := range exceptions {
		assert.NotEmpty(t, e.Reason, e.ID)
	}
}
