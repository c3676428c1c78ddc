package vectors

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"

	cases "github.com/rnicgen/rnicgen/vectors/cases/rdmap"
	"github.com/rnicgen/rnicgen/vectors/meaning"
	"github.com/rnicgen/rnicgen/vectors/replay"
	"github.com/rnicgen/rnicgen/vectors/requirements"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// New returns the suite for a configuration: all cases that it supports, with the outcomes of the golden model. The
// suite is determined by version, configuration and seed.
func New(c gen.Config, seed uint64) (*suite.Suite, error) {
	return suiteOf(c, seed, cases.All(c))
}

// Supports returns an error for a configuration that is invalid.
func Supports(c gen.Config) error { return c.Check() }

// maxGroup is the maximum number of tests in a group, so that a failure is easy to locate.
const maxGroup = 64

// suiteOf returns a suite of the given cases.
func suiteOf(c gen.Config, seed uint64, list []cases.Case) (*suite.Suite, error) {
	if err := Supports(c); err != nil {
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
	s := &suite.Suite{
		Schema: suite.Schema, Version: engine.Version, Generator: Generator, Profile: c.Profile,
		Config: suite.Config{Config: c, Seed: seed}, Notes: map[string]suite.Note{},
	}
	order := orderOf(rows)
	var layout *cases.Layout
	world := cases.World("")
	for _, one := range list {
		if n := len(s.Groups); n == 0 || one.World != world || len(s.Groups[n-1].Tests) == maxGroup {
			layout, world = cases.NewLayout(c, n, one.World), one.World
			s.Groups = append(s.Groups, layout.Group())
		}
		g := &s.Groups[len(s.Groups)-1]
		id, known := ids[one.Key]
		if !known {
			return nil, fmt.Errorf("vectors: case %q has no tcId; allowed: a key in ids.txt", one.Key)
		}
		t, err := makeTest(c, g, id, one, write(c, seed, one, layout), order)
		if err != nil {
			return nil, err
		}
		g.Tests = append(g.Tests, t)
		s.NumberOfTests++
	}
	for _, n := range cases.Notes {
		used := false
		s.Each(func(_ *suite.Group, t *suite.Test) { used = used || slices.Contains(t.Flags, n.Flag) })
		if used {
			s.Notes[n.Flag] = n.Note
		}
	}
	return s, nil
}

// write returns the input of a case in a layout. A random case depends only on the seed and its own key, not on its
// position.
func write(c gen.Config, seed uint64, one cases.Case, layout *cases.Layout) []suite.Input {
	h := fnv.New64a()
	h.Write([]byte(one.Key))
	t := cases.New(c, layout, rand.New(rand.NewPCG(seed, h.Sum64())))
	one.Write(t)
	return t.Result()
}

// makeTest runs a case on the model. It returns an error if the outcome depends on the order of steps that the
// specification leaves open, because a test must not require anything that the specification does not.
func makeTest(c gen.Config, g *suite.Group, id int, one cases.Case, input []suite.Input, order map[string]int) (suite.Test, error) {
	t := suite.Test{TcID: id, Comment: one.Comment, Flags: one.Flags, Input: input}
	out, err := replay.Model(c, g, &t, replay.Eager, one.Ordered)
	if err != nil {
		return t, fmt.Errorf("vectors: %s: %w", one.Key, err)
	}
	t.Expect, t.Memory = out.Expect, out.Memory
	if t.Expect == nil {
		t.Expect = []suite.Expect{}
	}
	for _, schedule := range replay.Schedules[1:] {
		other, err := replay.Model(c, g, &t, schedule, false)
		if err != nil {
			return t, fmt.Errorf("vectors: %s: %w", one.Key, err)
		}
		if d := replay.Compare(&t, other.Expect, other.Memory, false); d != nil {
			return t, fmt.Errorf("vectors: case %s: outcome %s depends on the schedule: %s or %s; allowed: only what the specification determines", one.Key, d.Place, show(d.Expected), show(d.Actual))
		}
	}
	if err := meaning.MarkOpen(c, g, &t, &out); err != nil {
		return t, fmt.Errorf("vectors: %s: %w", one.Key, err)
	}
	t.Decisions, t.Sections = meaning.Cited(c, &t, &out, one.Decides)
	t.Result = suite.ResultOf(&t)
	all := append(append([]string(nil), one.Cites...), meaning.Implied(c, &t, out.Verdicts)...)
	for _, requirement := range all {
		if _, known := order[requirement]; !known {
			return t, &CitedError{one.Key, requirement}
		}
	}
	slices.SortFunc(all, func(a, b string) int { return order[a] - order[b] })
	t.Requirements = append([]string{}, slices.Compact(all)...) // [] in the file, never null
	t.Sections = meaning.Merge(t.Sections, meaning.Sections(t.Requirements))
	return t, nil
}

// CitedError reports a test that cites a requirement outside the catalogues of its configuration.
type CitedError struct{ Test, ID string }

func (e *CitedError) Error() string {
	return fmt.Sprintf("vectors: case %s cites requirement %s; allowed: ids in the catalogues of this configuration", e.Test, e.ID)
}

func orderOf(rows []requirements.Row) map[string]int {
	order := map[string]int{}
	for i, r := range rows {
		order[r.ID] = i
	}
	return order
}
