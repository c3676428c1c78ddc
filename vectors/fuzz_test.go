package vectors

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// FuzzDecode: any text is refused, or is a suite that is preserved by writing and reading.
func FuzzDecode(f *testing.F) {
	c := gen.Default()
	whole, err := New(c, DefaultSeed)
	require.NoError(f, err)
	small := *whole
	small.Groups = []suite.Group{whole.Groups[0]}
	small.Groups[0].Tests = small.Groups[0].Tests[:2]
	small.Groups[0].Memory, small.NumberOfTests = small.Groups[0].Memory[:1], 2
	text, err := encode(&small)
	require.NoError(f, err)
	f.Add(text)
	f.Add([]byte(`{"schema":"rnic_vectors_v3.schema.json"}`))
	f.Add([]byte(`{`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := decode(text)
		if err != nil {
			return
		}
		again, err := encode(s)
		require.NoError(t, err)
		second, err := decode(again)
		require.NoError(t, err)
		require.Equal(t, s, second)
	})
}
