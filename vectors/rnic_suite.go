package vectors

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/vectors/requirements"
	rnic "github.com/rnicgen/rnicgen/vectors/rnic"
	rniccases "github.com/rnicgen/rnicgen/vectors/rnic/cases"
	rnicreplay "github.com/rnicgen/rnicgen/vectors/rnic/replay"
	rnicsuite "github.com/rnicgen/rnicgen/vectors/rnic/suite"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// NewRNIC makes the suite of a configuration of rnic: all cases that it can do, with what the golden model says of them. The
// same version, configuration and seed give the same suite.
func NewRNIC(c gen.Config, seed uint64) (*rnicsuite.Suite, error) {
	return newRNIC(c, seed, rniccases.All(c))
}

// newRNIC makes the suite of some cases.
func newRNIC(c gen.Config, seed uint64, cases []rniccases.Case) (*rnicsuite.Suite, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	c.Extensions = append([]string{}, c.Extensions...) // [] in the file, never null
	ids, err := readIDs()
	if err != nil {
		return nil, err
	}
	rows, err := requirements.Of(c)
	if err != nil {
		return nil, err
	}
	s := &rnicsuite.Suite{
		Schema: rnicsuite.Schema, Version: gen.Version, Generator: Generator, Profile: c.Profile,
		Config: rnicsuite.Config{Config: c, Seed: seed}, Notes: map[string]suite.Note{},
	}
	order := orderOf(rows)
	var layout *rniccases.Layout
	world := rniccases.World("")
	for _, one := range cases {
		if n := len(s.Groups); n == 0 || one.World != world || len(s.Groups[n-1].Tests) == maxGroup {
			layout, world = rniccases.NewLayout(c, n, one.World), one.World
			s.Groups = append(s.Groups, layout.Group())
		}
		g := &s.Groups[len(s.Groups)-1]
		id, known := ids[one.Key]
		if !known {
			return nil, fmt.Errorf("vectors: case %q has no tcId in ids.txt", one.Key)
		}
		t, err := rnicTest(c, g, id, one, writeRNIC(c, seed, one, layout), order)
		if err != nil {
			return nil, err
		}
		g.Tests = append(g.Tests, t)
		s.NumberOfTests++
	}
	for _, n := range rniccases.Notes {
		used := false
		s.Each(func(_ *rnicsuite.Group, t *rnicsuite.Test) { used = used || slices.Contains(t.Flags, n.Flag) })
		if used {
			s.Notes[n.Flag] = n.Note
		}
	}
	return s, nil
}

// writeRNIC writes a case down at a place. A random case draws from the seed and its own key, wherever it stands.
func writeRNIC(c gen.Config, seed uint64, one rniccases.Case, layout *rniccases.Layout) []rnicsuite.Input {
	h := fnv.New64a()
	h.Write([]byte(one.Key))
	t := rniccases.New(c, layout, rand.New(rand.NewPCG(seed, h.Sum64())))
	one.Write(t)
	return t.Result()
}

// rnicTest asks the model what comes of a case. A case of which it says something else when it does things in another order
// that the specification permits is refused: a test demands nothing that the specification leaves open.
func rnicTest(c gen.Config, g *rnicsuite.Group, id int, one rniccases.Case, input []rnicsuite.Input, order map[string]int) (rnicsuite.Test, error) {
	t := rnicsuite.Test{TcID: id, Comment: one.Comment, Flags: one.Flags, Input: input}
	out, err := rnicreplay.Model(c, g, &t, rnicreplay.Eager, one.Ordered)
	if err != nil {
		return t, fmt.Errorf("vectors: %s: %w", one.Key, err)
	}
	t.Expect, t.Memory = out.Expect, out.Memory
	if t.Expect == nil {
		t.Expect = []rnicsuite.Expect{}
	}
	for _, schedule := range rnicreplay.Schedules[1:] {
		other, err := rnicreplay.Model(c, g, &t, schedule, false)
		if err != nil {
			return t, fmt.Errorf("vectors: %s: %w", one.Key, err)
		}
		if d := rnicreplay.Compare(&t, other.Expect, other.Memory, false); d != nil {
			return t, fmt.Errorf("vectors: %s: the specification leaves %s open: %s or %s", one.Key, d.Place, show(d.Expected), show(d.Actual))
		}
	}
	if err := rnic.MarkOpen(c, g, &t, &out); err != nil {
		return t, fmt.Errorf("vectors: %s: %w", one.Key, err)
	}
	t.Decisions, t.Sections = rnic.Cited(c, &t, &out, one.Decides)
	t.Result = rnicsuite.ResultOf(&t)
	all := append(append([]string(nil), one.Cites...), rnic.Implied(&t, out.Verdicts)...)
	for _, requirement := range all {
		if _, known := order[requirement]; !known {
			return t, &CitedError{one.Key, requirement}
		}
	}
	slices.SortFunc(all, func(a, b string) int { return order[a] - order[b] })
	t.Requirements = append([]string{}, slices.Compact(all)...) // [] in the file, never null
	return t, nil
}
