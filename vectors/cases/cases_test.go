package cases

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen"
)

func everything() gen.Config {
	c := gen.DefaultAtomics()
	c.Extensions = []string{"draft00"}
	return c
}

// TestCases: keys are used once, flags are explained, and every flag is used.
func TestCases(t *testing.T) {
	explained, used := map[string]bool{}, map[string]bool{}
	for _, n := range Notes {
		assert.False(t, explained[n.Flag], "%s twice", n.Flag)
		explained[n.Flag] = true
	}
	keys := map[string]bool{}
	for _, c := range All(everything()) {
		assert.Regexp(t, `^[a-z0-9_]+(/[a-z0-9_]+)+$`, c.Key)
		assert.False(t, keys[c.Key], "%s twice", c.Key)
		keys[c.Key] = true
		assert.NotEmpty(t, c.Comment, c.Key)
		assert.NotContains(t, c.Comment, "%!", c.Key)
		assert.NotEmpty(t, c.Flags, c.Key)
		for _, f := range c.Flags {
			assert.True(t, explained[f], "%s: %s", c.Key, f)
			used[f] = true
		}
	}
	assert.Equal(t, explained, used)
}

// TestDraft00Selects: with draft00 AOpCode 1 is another test, and Swap has some of its own.
func TestDraft00Selects(t *testing.T) {
	keys := func(c gen.Config) (out []string) {
		for _, one := range All(c) {
			out = append(out, one.Key)
		}
		return out
	}
	without, with := keys(gen.DefaultAtomics()), keys(everything())
	assert.Contains(t, without, "aopcode/1/refused")
	assert.NotContains(t, with, "aopcode/1/refused")
	assert.Contains(t, with, "aopcode/1/executed")
	assert.NotContains(t, without, "swap/plain")
	assert.Contains(t, with, "swap/plain")
}

// TestBoundaries: a payload and its segment end at, before and after a beat of every bus.
func TestBoundaries(t *testing.T) {
	assert.Equal(t, []int{
		0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14, 15, 16, 17, 31, 32, 33, 45, 46, 47, 63, 64, 65, 109, 110, 111, 127, 128, 129, 237, 238, 239,
	}, boundaries(untaggedOctets))
	for _, header := range []int{taggedOctets, untaggedOctets} {
		lengths := boundaries(header)
		for _, bus := range gen.BusWidths {
			for n := -1; n <= 1; n++ {
				assert.Contains(t, lengths, bus+n, "payload")
				assert.Contains(t, lengths, (header/bus+1)*bus-header+max(n, 0), "segment")
			}
		}
		assert.True(t, slices.IsSorted(lengths))
	}
}

// TestWindows fit below 2^64 for all sizes, and are what their names say.
func TestWindows(t *testing.T) {
	for _, words := range []int{2, 4096, 1 << 20} {
		for _, w := range windows {
			base := w.window.Base(words)
			assert.LessOrEqual(t, base, ^uint64(0)-8*uint64(words)+1, w.name)
			assert.Equal(t, w.flag == UnalignedBase, base%8 != 0, w.name)
		}
		assert.Zero(t, topBase.Base(words)+8*uint64(words), "ends at 2^64")
	}
}

// TestPattern: octets beside each other differ, and so do those a beat apart.
func TestPattern(t *testing.T) {
	p := pattern(300)
	for i := range p {
		for _, away := range []int{1, 2, 8, 14, 16, 18, 32, 64, 128} {
			if i >= away {
				assert.NotEqual(t, p[i-away], p[i], "%d and %d", i-away, i)
			}
		}
	}
}
