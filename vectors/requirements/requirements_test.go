package requirements

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
)

// prefixes are the id prefixes of each catalogue.
var prefixes = map[string]string{
	"rfc7306": "RFC7306-", "draft-ietf-storm-rdmap-ext-00": "DRAFT00-",
	"draft-talpey-rdma-commit-01": "COMMIT01-", "ocp-rdma-over-falcon-0.9": "ROF09-",
}

func TestCatalogues(t *testing.T) {
	all, err := All()
	require.NoError(t, err)

	id := regexp.MustCompile(`^[A-Z0-9]+-(FTP-)?[A-Z0-9.]+-[0-9]{2}$`)
	outside := regexp.MustCompile(`(^|[\s"(=])(~|\.{0,2})/[A-Za-z]|https?:|\b[\w-]+\.(md|txt|pdf|csv|go)\b`) // a path, or a file
	seen, count := map[string]bool{}, map[string]int{}
	for _, r := range all {
		assert.Regexp(t, id, r.ID)
		assert.True(t, strings.HasPrefix(r.ID, prefixes[r.Catalogue]), r.ID)
		assert.False(t, seen[r.ID], "%s appears twice", r.ID)
		assert.Contains(t, []string{"MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY", "FACT"}, r.Level, r.ID)
		assert.NotEmpty(t, r.Requirement, r.ID)
		assert.NotEmpty(t, r.Check, r.ID)
		assert.NotRegexp(t, outside, strings.Join([]string{r.Requirement, r.Check, r.Notes}, "\n"), r.ID)
		seen[r.ID] = true
		count[r.Catalogue]++
	}
	assert.Equal(t, map[string]int{"rfc7306": 260, "draft-ietf-storm-rdmap-ext-00": 68, "draft-talpey-rdma-commit-01": 301,
		"ocp-rdma-over-falcon-0.9": 331}, count)
}

// TestCataloguesAreListed: every file with the columns of a catalogue is listed.
func TestCataloguesAreListed(t *testing.T) {
	var listed, found []string
	for _, c := range Catalogues {
		listed = append(listed, c.Name+".csv")
	}
	names, err := filepath.Glob("*.csv")
	require.NoError(t, err)
	for _, name := range names {
		if table(name, columns, func([]string) {}) == nil {
			found = append(found, name)
		}
	}
	slices.Sort(listed)
	assert.Equal(t, found, listed)
}

// TestDemanded: a profile requires only its own catalogues, an extension one more.
func TestDemanded(t *testing.T) {
	for _, one := range []struct {
		profile    string
		extensions []string
		demanded   []string
	}{
		{"rdmap", nil, []string{"rfc7306"}},
		{"rdmap", []string{"draft00"}, []string{"rfc7306", "draft-ietf-storm-rdmap-ext-00"}},
		{"rdmap", []string{"commit"}, []string{"rfc7306", "draft-talpey-rdma-commit-01"}},
		{"rdmap", []string{"commit", "draft00"}, []string{"rfc7306", "draft-ietf-storm-rdmap-ext-00", "draft-talpey-rdma-commit-01"}},
		{"falcon", nil, []string{"ocp-rdma-over-falcon-0.9"}},
		{"falcon", []string{"draft00"}, []string{"ocp-rdma-over-falcon-0.9"}}, // the extension belongs to another profile
		{"", nil, nil},
	} {
		list, err := Of(gen.Config{Profile: one.profile, Extensions: one.extensions})
		require.NoError(t, err)
		var names []string
		for _, r := range list {
			names = append(names, r.Catalogue)
		}
		assert.Equal(t, one.demanded, slices.Compact(names), "%s %v", one.profile, one.extensions)
	}
	for _, c := range Catalogues {
		assert.True(t, c.Demanded(c.Adapt(gen.Default())), c.Name)
	}
}
