package bench

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A stream that waits for its own requests does not reduce the share of the others.
func TestSharing(t *testing.T) {
	figures, err := sharing()
	require.NoError(t, err)
	for _, f := range figures {
		assert.True(t, f.Met, "%+v", f)
	}
}
