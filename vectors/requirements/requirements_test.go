package requirements

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
)

func TestCatalogues(t *testing.T) {
	all, err := All()
	require.NoError(t, err)

	id := regexp.MustCompile(`^[A-Z0-9]+-(FTP-)?[A-Z0-9.]+-[0-9]{2}$`)
	outside := regexp.MustCompile(`(^|[\s"(=])(~|\.{0,2})/[A-Za-z]|https?:|\b[\w-]+\.(md|txt|pdf|csv|go)\b`) // a path, or a file
	seen, count, prefixes := map[string]bool{}, map[string]int{}, map[string]string{}
	for _, r := range all {
		assert.Regexp(t, id, r.ID)
		prefix, _, _ := strings.Cut(r.ID, "-")
		if _, known := prefixes[prefix]; !known {
			prefixes[prefix] = r.Catalogue
		}
		assert.Equal(t, prefixes[prefix], r.Catalogue, "%s has the prefix of another catalogue", r.ID)
		assert.False(t, seen[r.ID], "%s appears twice", r.ID)
		assert.Contains(t, []string{"MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY", "FACT"}, r.Level, r.ID)
		assert.NotEmpty(t, r.Requirement, r.ID)
		assert.NotEmpty(t, r.Check, r.ID)
		assert.NotRegexp(t, outside, strings.Join([]string{r.Requirement, r.Check, r.Notes}, "\n"), r.ID)
		seen[r.ID] = true
		count[r.Catalogue]++
	}
	assert.Len(t, prefixes, len(Catalogues), "a catalogue has two prefixes or no rows")
	for name, rows := range map[string]int{"rfc7306": 260, "draft-ietf-storm-rdmap-ext-00": 68, "draft-talpey-rdma-commit-01": 306, "ocp-rdma-over-falcon-0.9": 357} {
		assert.Equal(t, rows, count[name], name)
	}
}

// TestCataloguesOfFiles: the directory of a catalogue determines its profile and extension.
func TestCataloguesOfFiles(t *testing.T) {
	for _, c := range []Catalogue{
		{"rfc7306", "rdmap", "", "rdmap/rfc7306.csv"},
		{"draft-ietf-storm-rdmap-ext-00", "rdmap", "draft00", "rdmap/draft00/draft-ietf-storm-rdmap-ext-00.csv"},
		{"draft-talpey-rdma-commit-01", "rdmap", "commit", "rdmap/commit/draft-talpey-rdma-commit-01.csv"},
		{"ocp-rdma-over-falcon-0.9", "falcon", "", "falcon/ocp-rdma-over-falcon-0.9.csv"},
	} {
		assert.Contains(t, Catalogues, c)
	}
}

// TestDemanded: a profile requires only its own catalogues, an extension more.
func TestDemanded(t *testing.T) {
	of := map[string]Catalogue{"profile": {Profile: "rdmap"}, "draft00": {Profile: "rdmap", Extension: "draft00"},
		"commit": {Profile: "rdmap", Extension: "commit"}, "falcon": {Profile: "falcon"}}
	for _, one := range []struct {
		profile    string
		extensions []string
		demanded   []string
	}{
		{"rdmap", nil, []string{"profile"}},
		{"rdmap", []string{"draft00"}, []string{"profile", "draft00"}},
		{"rdmap", []string{"commit", "draft00"}, []string{"profile", "draft00", "commit"}},
		{"falcon", nil, []string{"falcon"}},
		{"falcon", []string{"draft00"}, []string{"falcon"}}, // the extension belongs to another profile
		{"", nil, nil},
	} {
		config := gen.Config{Profile: one.profile, Extensions: one.extensions}
		for name, c := range of {
			assert.Equal(t, slices.Contains(one.demanded, name), c.Demanded(config), "%s for %s %v", name, one.profile, one.extensions)
		}
	}
	for _, c := range Catalogues {
		config := c.Adapt(gen.Default())
		assert.True(t, c.Demanded(config), c.Name)
		list, err := Of(config)
		require.NoError(t, err)
		assert.True(t, slices.ContainsFunc(list, func(r Row) bool { return r.Catalogue == c.Name }), c.Name)
	}
	list, err := Of(gen.Config{Profile: "falcon"})
	require.NoError(t, err)
	for _, r := range list {
		assert.Equal(t, "ocp-rdma-over-falcon-0.9", r.Catalogue, r.ID)
	}
}
