package falcon

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/coverage"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/vectors/falcon/hardware"
	"github.com/rnicgen/rnicgen/vectors/falcon/replay"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// Each combination is a bin or excluded by a rule, each rule excludes something that no earlier one does, and the bins cover every class of every
// property: each row of the tables of operations and rules.
func TestRules(t *testing.T) {
	possible, excluded := Bins()
	assert.Len(t, possible, 4056)
	total := len(possible)
	for i, n := range excluded {
		total += n
		assert.NotZero(t, n, Rules[i].Why)
	}
	assert.Equal(t, len(Opcodes)*len(spec.Rules)*len(Orderings)*len(ErrorModes)*len(Lengths), total)
	seen := map[string]bool{}
	for _, p := range possible {
		for _, class := range []string{"opcode " + p.Opcode, "error " + p.Error.String(), "ordering " + p.Ordering, "errors " + p.Errors, "length " + p.Length} {
			seen[class] = true
		}
	}
	rules := []string{}
	for _, r := range spec.Rules {
		rules = append(rules, r.Name)
	}
	for kind, list := range map[string][]string{"opcode ": Opcodes, "error ": rules, "ordering ": Orderings, "errors ": ErrorModes, "length ": Lengths} {
		for _, class := range list {
			assert.True(t, seen[kind+class], kind+class)
		}
	}
}

// The walk visits every bin, as the golden model says, and nothing that the rules exclude; hardware has all that it needs.
func TestTheWalkVisitsEveryBin(t *testing.T) {
	c, err := suite.Of(gen.DefaultOf(gen.ProfileFalcon))
	require.NoError(t, err)
	possible, _ := Bins()
	b := NewCounter(c)
	for i, list := range groups(possible, mostVisits) {
		g, test, err := walkOf(c, rand.New(rand.NewPCG(1, uint64(i))), list)
		require.NoError(t, err)
		model := replay.Runner{Config: c}
		if isHeld(list[0]) {
			model.Wrap = func(n replay.Node) replay.Node { return silent{n} }
		}
		want, err := model.Run(g, test)
		require.NoError(t, err)
		assert.Empty(t, hardware.Lacks(c, g, want), test.Comment)
		b.Take(g, want)
	}
	bins, err := b.counted()
	require.NoError(t, err)
	assert.Len(t, bins.Items, len(possible))
	for _, i := range bins.Items {
		assert.True(t, i.Covered, i.Name)
	}
}

// A bin without a packet is an item that is not covered, and a packet in a bin that the rules exclude is an error.
func TestBinsWithoutPackets(t *testing.T) {
	b := NewCounter(suite.DefaultConfig())
	possible, _ := Bins()
	for _, p := range possible[1:] {
		b.count[p]++
	}
	bins, err := b.counted()
	require.NoError(t, err)
	open := slices.DeleteFunc(bins.Items, func(i coverage.Item) bool { return i.Covered })
	require.Len(t, open, 1)
	assert.Equal(t, possible[0].String(), open[0].Name)
	b.count[Packet{Opcode: "RC send_middle", Length: empty, Ordering: "strong", Errors: "verbs"}]++
	_, err = b.counted()
	assert.EqualError(t, err, "coverage: 1 packets in bin RC send_middle, error none, strong, verbs, length 0, which the rules exclude")
}

// The waivers name blocks of the hardware, and the defaults must need them.
func TestWaiversAreValid(t *testing.T) {
	defaults := []coverage.Config{{Name: "rnic", Config: gen.DefaultOf(gen.ProfileFalcon)}}
	waivers, needed, err := Profile{}.Waivers(defaults)
	require.NoError(t, err)
	assert.Equal(t, waiversFile, needed)
	assert.NotEmpty(t, waivers)
	blocks, err := coverage.Blocks(Profile{}, defaults)
	require.NoError(t, err)
	for _, w := range waivers {
		for _, name := range strings.Split(w.Block, "|") {
			if w.Kind != coverage.Bin {
				assert.True(t, slices.ContainsFunc(blocks, func(b string) bool { return coverage.Pattern(name).MatchString(b) || strings.HasPrefix(name, b+"_") }), "%v: no block %s", w, name)
			}
		}
	}
	defaults[0].BusBytes = 16
	_, needed, err = Profile{}.Waivers(defaults)
	require.NoError(t, err)
	assert.Empty(t, needed)
}

// Vectors need 8 entries of the IRRQ.
func TestConfigurationsWithoutVectors(t *testing.T) {
	c := gen.DefaultOf(gen.ProfileFalcon)
	c.IRD = 4
	_, err := Profile{}.Begin(c, coverage.Options{})
	assert.ErrorContains(t, err, "ird is 4; allowed: for vectors 8 to 256")
}
