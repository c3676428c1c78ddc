// Package falcon holds the conformance tests of the profile falcon. A case states what is given to a design and, in its own
// words, all that it must put out: replies, packets, completions, events and memory, read from the specifications and from
// docs/interpretations.md. It does not ask the golden model, which must agree with it.
package falcon

import (
	"hash/fnv"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// Case is one test.
type Case struct {
	Key     string // determines the tcId; its meaning never changes
	Comment string
	Flags   []string
	Cites   []string // requirements, without the prefix of their catalogue, in addition to those implied by packets and replies
	Decides []string // decisions of docs/interpretations.md on which the outcomes depend
	World   world
	Write   func(t *T)
}

// list collects cases.
type list struct {
	config suite.Config
	cases  []Case
}

// add appends a case and returns it for refinement. Its key ends with the name of its world.
func (l *list) add(w world, key, comment string, flags []string, write func(t *T)) *Case {
	l.cases = append(l.cases, Case{Key: key + "/" + w.name(), Comment: w.title() + ": " + comment, Flags: flags, World: w, Write: write})
	return &l.cases[len(l.cases)-1]
}

// cite adds requirements that the case shows.
func (c *Case) cite(ids ...string) *Case {
	c.Cites = append(c.Cites, ids...)
	return c
}

// decide adds decisions on which the outcomes depend.
func (c *Case) decide(ids ...string) *Case {
	c.Decides = append(c.Decides, ids...)
	return c
}

// inSetUp changes the set-up of the case.
func (c *Case) inSetUp(variant string, change func(g *suite.Group, c suite.Config)) *Case {
	c.World = c.World.with(variant, change)
	c.Key += "_" + variant
	return c
}

func flags(names ...string) []string { return names }

// All returns the cases of a configuration, in the order of the file.
func All(c suite.Config) []Case {
	l := &list{config: c}
	for _, family := range families {
		family(l)
	}
	return l.cases
}

// Run writes a case: its set-up, and the test with its outcomes as the case states them. Random choices depend only on the
// seed and the key.
func (one *Case) Run(c suite.Config, seed uint64) (suite.Group, suite.Test) {
	h := fnv.New64a()
	h.Write([]byte(one.Key))
	t := newT(c, one.World, seed, rand.New(rand.NewPCG(seed, h.Sum64())))
	one.Write(t)
	return t.group, t.test(one)
}
