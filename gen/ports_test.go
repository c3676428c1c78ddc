package gen_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
)

var (
	portLine  = regexp.MustCompile(`^ +(?:input|output) +wire +(?:\[[^\]]*\] +)?(\w+),? *(//.*)?$`)
	handshake = regexp.MustCompile(`(valid|ready)$`)
)

// Every port of every module has a comment, except clock and handshakes, which the conventions describe.
func TestEveryPortHasAComment(t *testing.T) {
	for name, c := range goldens() {
		d, err := gen.Compile(c)
		require.NoError(t, err)
		ports := 0
		for _, f := range d.Files() {
			head, _, _ := strings.Cut(f.Text[strings.Index(f.Text, "\nmodule "):], "\n);")
			above := ""
			for _, line := range strings.Split(head, "\n") {
				m := portLine.FindStringSubmatch(line)
				if m != nil && m[1] != "clk" && !handshake.MatchString(m[1]) {
					ports++
					commented := m[2] != "" || strings.HasPrefix(strings.TrimSpace(above), "//")
					assert.True(t, commented, "%s, %s: %s", name, f.Name, m[1])
				}
				above = line
			}
		}
		assert.Greater(t, ports, 500)
	}
}
