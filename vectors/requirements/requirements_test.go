package requirements

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
)

func TestCatalogues(t *testing.T) {
	rows, err := All()
	require.NoError(t, err)
	assert.Greater(t, len(rows), 300)

	id := regexp.MustCompile(`^(RFC7306|DRAFT00)-[A-Z0-9.]+-[0-9]{2}$`)
	seen := map[string]bool{}
	for _, r := range rows {
		assert.Regexp(t, id, r.ID)
		assert.False(t, seen[r.ID], "%s is there twice", r.ID)
		assert.Contains(t, []string{"MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY", "FACT"}, r.Level, r.ID)
		assert.NotEmpty(t, r.Requirement, r.ID)
		assert.NotEmpty(t, r.Check, r.ID)
		seen[r.ID] = true
	}
}

func TestDraft00HasItsOwnCatalogue(t *testing.T) {
	c := gen.DefaultAtomics()
	without, err := Of(c)
	require.NoError(t, err)
	c.Extensions = []string{"draft00"}
	with, err := Of(c)
	require.NoError(t, err)
	all, err := All()
	require.NoError(t, err)
	assert.Less(t, len(without), len(with))
	assert.Equal(t, all, with)
}
