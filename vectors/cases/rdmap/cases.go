// Package rdmap holds the conformance tests of the profile rdmap as tables: what goes in, and why. It does not say what has to
// come out; the golden model does.
//
// A case speaks of its streams by small numbers, 0, 1, 2 and so on, and of memory by areas with names. Which streams, rows of
// the STag table and addresses these are is decided when it is placed; the tests of different groups use different ones.
package rdmap

import (
	"github.com/rnicgen/rnicgen/gen"
)

// Case is one test that has no place yet.
type Case struct {
	Key     string // never changes its meaning; its tcId hangs on it
	Comment string
	Flags   []string
	Cites   []string // requirements, beside those that its messages and outcomes imply
	Decides []string // decisions of docs/interpretations.md, in the same way
	Streams int      // that it needs
	IRD     int      // requests of the peer that it has under way on a stream
	ORD     int      // Reads and Atomics of this end, the same
	Depth   int      // receive or work requests, the same
	Ordered bool     // what is in memory when outcomes come is told and compared
	World   World    // what memory has beside the areas
	Ends    bool     // it is meant to end a stream, or to have a request that does not succeed; others succeed
	Write   func(t *T)
}

// list collects cases while a family is written down.
type list struct {
	config gen.Config
	cases  []Case
}

// add appends a case; what it returns can be refined.
func (l *list) add(key, comment string, flags []string, write func(t *T)) *Case {
	l.cases = append(l.cases, Case{Key: "rnic/" + key, Comment: comment, Flags: flags, Streams: 2, Write: write})
	return &l.cases[len(l.cases)-1]
}

// cite names requirements that the case shows beyond the implied ones.
func (c *Case) cite(ids ...string) *Case {
	c.Cites = append(c.Cites, ids...)
	return c
}

// ordered compares memory when the outcomes come.
func (c *Case) ordered() *Case {
	c.Ordered = true
	return c
}

func (c *Case) streams(n int) *Case {
	c.Streams = n
	return c
}

// ird, ord and depth say what the case needs beyond one request.
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

// ends says that the case is about an error.
func (c *Case) ends() *Case {
	c.Ends = true
	return c
}

// in says in which world the case is.
func (c *Case) in(w World) *Case {
	c.World = w
	return c
}

func flags(names ...string) []string { return names }

// families are the topics, in the order of the file. One of an operation that is optional adds itself when its file is initialised.
var families = []func(l *list){
	incoming, outgoing, errors, classified, silence, isolation,
	payloads, parts, edges, zeros, sequence, invalidation, limits, flushes,
	fetchAdds, cmpSwaps, operations, aliases, order, inside, memoryErrors, ignored, setUps, randomTraffic,
	crossings, twinTests, rightsAlone, owners, newLives, beside, longMessages, sendsInParts, wrongBits, operandBits, pairs, counts, overfull, crackedMemory, registers, elsewhere, tornBursts, refusedInside,
}

// All lists the cases that a configuration can do, in the order of the file.
func All(c gen.Config) []Case {
	l := &list{config: c}
	for _, family := range families {
		family(l)
	}
	var able []Case
	for _, one := range l.cases {
		if one.Streams <= c.Streams && one.IRD <= c.IRD && one.ORD <= c.ORD && one.Depth <= min(c.ReceiveDepth, c.SendDepth) {
			able = append(able, one)
		}
	}
	return able
}
