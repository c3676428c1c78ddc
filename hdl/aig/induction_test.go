package aig

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Two registers shift an input: a is what arrived a cycle ago, b what arrived before it. The assumption is that only 0 arrives; the first assertion
// that a is 0, the second that b is.
func TestFollows(t *testing.T) {
	n, err := Read([]byte("aag 3 1 2 0 0 2 1\n2\n4 2\n6 4\n4\n6\n3\n"))
	require.NoError(t, err)
	for _, step := range []struct {
		goals []int
		depth int
		holds bool
	}{{[]int{0}, 0, false}, {[]int{0}, 1, true}, {[]int{1}, 1, true}, {[]int{0, 1}, 1, true}} {
		holds, known, err := n.Follows(context.Background(), step.goals, step.depth, patience)
		require.NoError(t, err)
		assert.True(t, known)
		assert.Equal(t, step.holds, holds, step)
	}

	n.Bad = n.Bad[1:] // without the first assertion the second one needs two cycles
	for depth, holds := range []bool{false, false, true} {
		got, known, err := n.Follows(context.Background(), []int{0}, depth, patience)
		require.NoError(t, err)
		assert.True(t, known)
		assert.Equal(t, holds, got, depth)
	}

	n.Constraints = nil
	holds, known, err := n.Follows(context.Background(), []int{0}, 1, patience)
	require.NoError(t, err)
	assert.True(t, known)
	assert.False(t, holds)
}
