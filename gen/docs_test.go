package gen_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/wire"
)

// The generated pages of docs are up to date.
func TestGeneratedDocs(t *testing.T) {
	interfaces, err := gen.Interfaces(gen.Default())
	require.NoError(t, err)
	ports, err := gen.Interfaces(gen.DefaultOf(gen.ProfileFalcon))
	require.NoError(t, err)
	var headers strings.Builder
	require.NoError(t, wire.Markdown(&headers))
	for path, text := range map[string]string{"../docs/interfaces.md": interfaces, "../docs/headers.md": headers.String(), "../docs/registers.md": gen.RegisterPage(),
		"../docs/falcon_interfaces.md": ports, "../docs/falcon_registers.md": gen.FalconRegisterPage()} {
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		}
		have, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, string(have), text, "%s is out of date; go test ./gen -run Docs -update", path)
		for _, line := range strings.Split(text, "\n") {
			assert.False(t, strings.HasSuffix(line, "|  |"), "%s: a port has no description: %s", path, line)
		}
	}
}
