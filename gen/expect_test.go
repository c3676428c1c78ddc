package gen_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// same compares two lists and tells where they differ first.
func same[T any](t testing.TB, want, got []T) {
	t.Helper()
	for i := range min(len(want), len(got)) {
		if !reflect.DeepEqual(want[i], got[i]) {
			require.Equal(t, want[i], got[i], "number %d of %d", i, len(want))
		}
	}
	require.Len(t, got, len(want))
}

// gapless wants a handshake in every clock.
func gapless[N int | uint64](t testing.TB, cycles []N) {
	t.Helper()
	for i := 1; i < len(cycles); i++ {
		require.Equal(t, cycles[i-1]+1, cycles[i], "a clock without a handshake before number %d of %d", i, len(cycles))
	}
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// operand is a number with something at its edges more often than chance would have it.
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
