package falcon

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	cases "github.com/rnicgen/rnicgen/vectors/cases/falcon"
	"github.com/rnicgen/rnicgen/vectors/falcon/replay"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
	"github.com/rnicgen/rnicgen/vectors/requirements"
	rdmap "github.com/rnicgen/rnicgen/vectors/suite"
)

// Generator is the name of the program in the files that it writes.
const Generator = "rnicgen"

// New returns the suite of a configuration: all cases, whose outcomes the golden model shares. Version, configuration and seed
// determine the suite.
func New(c suite.Config, seed uint64) (*suite.Suite, error) {
	return suiteOf(c, seed, cases.All(c), nil)
}

// suiteOf returns a suite of the given cases. In tests wrap plants a fault in the model.
func suiteOf(c suite.Config, seed uint64, list []cases.Case, wrap func(replay.Node) replay.Node) (*suite.Suite, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	ids, err := IDs()
	if err != nil {
		return nil, err
	}
	order, err := catalogue()
	if err != nil {
		return nil, err
	}
	s := &suite.Suite{Schema: suite.Schema, Version: engine.Version, Generator: Generator, Profile: c.Profile,
		Config: suite.Seeded{Config: c, Seed: seed}, Notes: map[string]rdmap.Note{}}
	groups := map[string]int{} // by set-up
	for i := range list {
		one := &list[i]
		g, t := one.Run(c, seed)
		if t.TcID = ids[one.Key]; t.TcID == 0 {
			return nil, fmt.Errorf("vectors: case %q has no tcId; allowed: a key in ids.txt", one.Key)
		}
		if err := confirm(c, &g, &t, wrap); err != nil {
			return nil, fmt.Errorf("vectors: case %q: %w", one.Key, err)
		}
		if err := cite(c, one, &t, order); err != nil {
			return nil, err
		}
		setUp, err := json.Marshal(g)
		if err != nil {
			return nil, err
		}
		at, known := groups[string(setUp)]
		if !known {
			at = len(s.Groups)
			groups[string(setUp)] = at
			s.Groups = append(s.Groups, g)
		}
		s.Groups[at].Tests = append(s.Groups[at].Tests, t)
		s.NumberOfTests++
	}
	for _, n := range cases.Notes {
		if slices.ContainsFunc(list, func(one cases.Case) bool { return slices.Contains(one.Flags, n.Flag) }) {
			s.Notes[n.Flag] = n.Note
		}
	}
	return s, nil
}

// confirm runs a test on the golden model, which must agree with it, in whatever order free outputs are taken.
func confirm(c suite.Config, g *suite.Group, t *suite.Test, wrap func(replay.Node) replay.Node) error {
	for _, backwards := range []bool{false, true} {
		got, err := replay.Runner{Config: c, Wrap: wrap, Backwards: backwards}.Run(g, t)
		if err != nil {
			return err
		}
		if d := suite.Compare(g, t, got); d != nil {
			return &Disagreement{d}
		}
	}
	return nil
}

// Disagreement is a difference between what a case states and what the golden model does.
type Disagreement struct{ *suite.Difference }

func (d *Disagreement) Error() string { return "the golden model disagrees at " + d.String() }

// cite fills in what a test shows, and its result.
func cite(c suite.Config, one *cases.Case, t *suite.Test, order map[string]int) error {
	bits, err := c.Order()
	if err != nil {
		return err
	}
	t.Requirements = cases.Cited(one, t, bits)
	for _, id := range t.Requirements {
		if _, known := order[id]; !known {
			return fmt.Errorf("vectors: case %q cites requirement %s; allowed: ids in the catalogue", one.Key, id)
		}
	}
	slices.SortFunc(t.Requirements, func(a, b string) int { return order[a] - order[b] })
	t.Requirements = slices.Compact(t.Requirements)
	t.Decisions = cases.Decided(one, t)
	t.Sections = cases.Sections(t.Requirements)
	t.Result = suite.ResultOf(t)
	return nil
}

// catalogue returns the place of each requirement of the profile.
func catalogue() (map[string]int, error) {
	rows, err := requirements.Of(gen.Config{Profile: suite.Profile})
	order := map[string]int{}
	for i, r := range rows {
		order[r.ID] = i
	}
	return order, err
}
