package gen_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// same compares two lists and reports the first difference.
func same[T any](t testing.TB, want, got []T) {
	t.Helper()
	for i := range min(len(want), len(got)) {
		if !reflect.DeepEqual(want[i], got[i]) {
			require.Equal(t, want[i], got[i], "number %d of %d", i, len(want))
		}
	}
	require.Len(t, got, len(want))
}

// gapless checks that there is a handshake in every cycle.
func gapless[N int | uint64](t testing.TB, cycles []N) {
	t.Helper()
	for i := 1; i < len(cycles); i++ {
		require.Equal(t, cycles[i-1]+1, cycles[i], "a cycle without a handshake before number %d of %d", i, len(cycles))
	}
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// operand returns a random number, with corner cases more frequent than in a uniform draw.
func operand(r *rand.Rand) uint64 {
	switch n := r.IntN(64); r.IntN(6) {
	case 0:
		return 0
	case 1:
		return ^uint64(0)
	case 2:
		return 1 << n
	case 3:
		return 1<<n - 1
	}
	return r.Uint64()
}
