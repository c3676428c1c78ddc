// Package rdmap holds the conformance tests of the profile rdmap: their inputs and purpose. The golden model determines
// the expected outcomes.
//
// A case refers to streams by small numbers, 0, 1, 2 and so on, and to memory by named areas. The layout of its group
// maps these to streams, rows of the STag table and addresses, which differ between groups.
package rdmap

import (
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// Case is one test, independent of a layout.
type Case struct {
	Key     string // determines the tcId; its meaning never changes
	Comment string
	Flags   []string
	Cites   []string // requirements, in addition to those implied by its messages and outcomes
	Decides []string // decisions of docs/interpretations.md, likewise
	Streams int      // streams needed
	IRD     int      // requests of the peer in flight per stream
	ORD     int      // Reads and Atomics of this end in flight per stream
	Depth   int      // incomplete receive or work requests per stream
	Ordered bool     // record and compare memory at the time of outcomes
	World   World    // memory in addition to the areas
	Ends    bool     // expected to end a stream or to have a failed request; other cases must succeed
	Write   func(t *T)
}

// list collects the cases of a family.
type list struct {
	config gen.Config
	cases  []Case
}

// commits reports whether the configuration has the extension commit.
func (l *list) commits() bool { return l.config.Protocol()&spec.Commit != 0 }

// add appends a case and returns it for refinement.
func (l *list) add(key, comment string, flags []string, write func(t *T)) *Case {
	l.cases = append(l.cases, Case{Key: "rnic/" + key, Comment: comment, Flags: flags, Streams: 2, Write: write})
	return &l.cases[len(l.cases)-1]
}

// cite adds requirements that the case covers beyond the implied ones.
func (c *Case) cite(ids ...string) *Case {
	c.Cites = append(c.Cites, ids...)
	return c
}

// ordered compares memory at the time of outcomes.
func (c *Case) ordered() *Case {
	c.Ordered = true
	return c
}

func (c *Case) streams(n int) *Case {
	c.Streams = n
	return c
}

// ird, ord and depth set the limits that the case needs, if above 1.
func (c *Case) ird(n int) *Case {
	c.IRD = n
	return c
}

func (c *Case) ord(n int) *Case {
	c.ORD = n
	return c
}

func (c *Case) depth(n int) *Case {
	c.Depth = n
	return c
}

// ends marks the case as an error case.
func (c *Case) ends() *Case {
	c.Ends = true
	return c
}

// in selects the world of the case.
func (c *Case) in(w World) *Case {
	c.World = w
	return c
}

func flags(names ...string) []string { return names }

// families lists the topics in the order of the file. Those of optional operations add themselves in init.
var families = []func(l *list){
	incoming, outgoing, errors, classified, silence, isolation,
	payloads, parts, edges, zeros, sequence, invalidation, limits, flushes,
	fetchAdds, cmpSwaps, operations, aliases, order, inside, memoryErrors, ignored, setUps, randomTraffic,
	crossings, twinTests, rightsAlone, owners, newLives, beside, longMessages, sendsInParts, wrongBits, operandBits, pairs, counts, overfull, crackedMemory, registers, elsewhere, tornBursts, refusedInside,
}

// All returns the cases that a configuration supports, in the order of the file.
func All(c gen.Config) []Case {
	l := &list{config: c}
	for _, family := range families {
		family(l)
	}
	if l.commits() {
		for _, family := range commitFamilies {
			family(l)
		}
	}
	var able []Case
	for _, one := range l.cases {
		if one.Streams <= c.Streams && one.IRD <= c.IRD && one.ORD <= c.ORD && one.Depth <= min(c.ReceiveDepth, c.SendDepth) {
			able = append(able, one)
		}
	}
	return able
}
