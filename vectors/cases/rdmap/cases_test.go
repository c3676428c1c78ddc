package rdmap

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen"
)

// TestCases checks that keys are unique, flags are described, and every flag is used.
func TestCases(t *testing.T) {
	explained, used, keys := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, n := range Notes {
		assert.False(t, explained[n.Flag], "%s twice", n.Flag)
		explained[n.Flag] = true
	}
	c := gen.Default()
	c.Extensions = []string{"draft00"}
	all := All(c)
	c.Extensions = []string{"commit"}
	for _, one := range All(c) {
		if !slices.ContainsFunc(all, func(other Case) bool { return other.Key == one.Key }) {
			all = append(all, one)
		}
	}
	for _, one := range all {
		assert.Regexp(t, `^rnic(/[a-z0-9_]+)+$`, one.Key)
		assert.False(t, keys[one.Key], "%s twice", one.Key)
		keys[one.Key] = true
		assert.NotContains(t, one.Comment, "%!", one.Key)
		assert.NotEmpty(t, one.Flags, one.Key)
		for _, f := range one.Flags {
			assert.True(t, explained[f], "%s: %s", one.Key, f)
			used[f] = true
		}
	}
	assert.Equal(t, explained, used)
}

// TestLayouts checks that areas do not overlap, except for the two that share memory, and that rows are in the table.
func TestLayouts(t *testing.T) {
	least := gen.Config{Top: gen.Top, Profile: "rdmap", BusBytes: 8, Streams: 2, STags: 16, IRD: 1, ORD: 2, ReceiveDepth: 2, SendDepth: 2, MaxPayload: 256, AtomicDepth: 4}
	most := gen.Default()
	most.MaxPayload = 16384
	extended := gen.Default()
	extended.Extensions = []string{"commit"}
	for _, c := range []gen.Config{least, gen.Default(), most, extended} {
		for number := range 40 {
			world := plain
			if number%3 == 0 {
				world = failing
			}
			l := NewLayout(c, number, world)
			first, last := uint64(l.Memory[0].Address), uint64(l.Memory[0].Address)+uint64(len(l.Memory[0].Hex))
			assert.Less(t, first, last)
			rows := map[int]bool{}
			for name, a := range l.Areas {
				assert.False(t, rows[a.Index], name)
				rows[a.Index] = true
				assert.Less(t, a.Index, c.STags, name)
				if !a.Region.Valid {
					continue
				}
				start, end := a.Region.Address, a.Region.Address+a.Region.Length
				assert.GreaterOrEqual(t, start, first+guard, name)
				assert.LessOrEqual(t, end+guard, last, name)
				for other, b := range l.Areas {
					if same := name == other || name+other == words+alias || other+name == words+alias; !same && b.Region.Valid {
						assert.True(t, end+guard <= b.Region.Address || b.Region.Address+b.Region.Length+guard <= start, "%s and %s", name, other)
					}
				}
			}
			assert.Len(t, l.Group().Regions, len(l.Areas)-1)
		}
	}
}
