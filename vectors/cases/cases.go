// Package cases holds the conformance tests as tables: what is sent, and why. It does not say what has to come
// out; the golden model does.
//
// A case speaks of its streams and words by small numbers of its own, 0, 1, 2 and so on, and of the first
// and the last one there are. Where its streams and words really are is decided when it is placed, so that
// cases can share a window without disturbing each other.
package cases

import (
	"github.com/rnicgen/rnicgen/gen"
)

// Case is one test that has no place yet.
type Case struct {
	Key     string // never changes its meaning; its tcId hangs on it
	Comment string
	Flags   []string
	Cites   []string // requirements, beside those that its messages and outcomes imply
	Window  Window
	Alone   bool // has a reset in it, which ends everything else
	Write   func(t *T)
}

// First and Last stand for the first and the last stream or word that there is.
const (
	First = -1
	Last  = -2
)

// list collects cases while a family is written down.
type list struct {
	config gen.Config
	cases  []Case
}

// add appends a case in the usual window; what it returns can be refined.
func (l *list) add(key, comment string, flags []string, write func(t *T)) *Case {
	l.cases = append(l.cases, Case{Key: key, Comment: comment, Flags: flags, Window: Usual, Write: write})
	return &l.cases[len(l.cases)-1]
}

// cite names requirements that the case shows beyond the implied ones.
func (c *Case) cite(ids ...string) *Case {
	c.Cites = append(c.Cites, ids...)
	return c
}

// in puts the case into another window.
func (c *Case) in(w Window) *Case {
	c.Window = w
	return c
}

func flags(names ...string) []string { return names }

// families are the topics, in the order of the file.
var families = []func(l *list){
	messages, fields, controlFields, queues, lengths, payloads, checkOrder,
	atomicOpcodes, fetchAdds, cmpSwaps, swaps,
	addresses, edges, stags,
	afterErrors, sameWord, msns, traffic, host,
	randomTraffic,
}

// All lists the cases that a configuration can do, in the order of the file.
func All(c gen.Config) []Case {
	l := &list{config: c}
	for _, family := range families {
		family(l)
	}
	return l.cases
}
