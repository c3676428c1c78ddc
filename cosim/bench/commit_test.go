package bench

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCommits(t *testing.T) {
	figures, err := commits()
	require.NoError(t, err)
	for _, f := range figures {
		t.Logf("%+v", f)
		assert.True(t, f.Met, f.Name)
	}
}
