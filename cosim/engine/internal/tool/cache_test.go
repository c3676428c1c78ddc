package tool

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDifferentInputsHaveDifferentHashes(t *testing.T) {
	base := Hash("a", "bc")
	assert.NotEqual(t, base, Hash("ab", "c"))
	assert.NotEqual(t, base, Hash("a", "bc", ""))
	assert.Equal(t, base, Hash("a", "bc"))
}
