package simulator

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Any text is rejected, or yields a valid stall.
func FuzzParseStall(f *testing.F) {
	for _, text := range []string{"none", "0.25", "random:64", "bursts:128", "random:257", "-1", "NaN", "1e999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseStall(text)
		if err != nil {
			return
		}
		require.True(t, s.Mode == StallNone || s.Mode == StallRandom || s.Mode == StallBursts)
		require.True(t, s.Chance >= 0 && s.Chance <= 256, "%q is %d of 256", text, s.Chance)
	})
}
