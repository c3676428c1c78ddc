package vectors

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/vectors/cases"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// maxGroup bounds a group, so that one failure does not hide among thousands of inputs.
const maxGroup = 64

// written is a case at its place.
type written struct {
	streams []suite.Stream
	words   []suite.Word
	input   []suite.Input
}

// write writes a case down at a place. A random case draws from the seed and its own key, wherever it stands.
func write(c gen.Config, seed uint64, one cases.Case, p cases.Place) (written, *cases.T) {
	h := fnv.New64a()
	h.Write([]byte(one.Key))
	t := cases.New(c, one.Window, p, rand.New(rand.NewPCG(seed, h.Sum64())))
	one.Write(t)
	var w written
	w.streams, w.words, w.input = t.Result()
	return w, t
}

// size is how much room a case needs: its own numbers 0 to streams-1 and words-1, and whether it needs the
// first or last ones.
type size struct {
	streams, words         int
	fixedStream, fixedWord []int
}

func sizeOf(c gen.Config, seed uint64, one cases.Case) size {
	_, t := write(c, seed, one, origin())
	var s size
	s.streams, s.fixedStream = split(t.StreamNumbers, c.Streams)
	s.words, s.fixedWord = split(t.WordNumbers, c.WindowWords)
	return s
}

// split tells apart numbers that may be placed and those that stand for the first or last of all there are.
func split(numbers []int, all int) (free int, fixed []int) {
	for _, n := range numbers {
		if at, is := end(n, all); is {
			fixed = append(fixed, at)
		} else {
			free = max(free, n+1)
		}
	}
	return free, fixed
}

func end(n, all int) (at int, is bool) {
	switch n {
	case cases.First:
		return 0, true
	case cases.Last:
		return all - 1, true
	}
	return n, false
}

// origin is a place for a case of which only the size, or the meaning, is of interest.
func origin() cases.Place {
	const all = 1 << 20
	at := func(i int) int {
		if fixed, is := end(i, all); is {
			return fixed
		}
		return i + 1
	}
	return cases.Place{Stream: func(i int) uint32 { return uint32(at(i)) }, Word: at}
}

// space hands out the streams or the words of one group: those of a case are neighbours, no two cases have
// one in common, and groups start at different places, so that all numbers are used sooner or later.
type space struct {
	all, start int
	used       map[int]bool
}

func newSpace(all, group int) *space {
	return &space{all: all, start: group * (all/3 + 1) % all, used: map[int]bool{}}
}

// has tells whether there is room.
func (s *space) has(free int, fixed []int) bool {
	_, found := s.find(free, fixed)
	return found
}

// take books the room that has found, and maps a case's numbers to it.
func (s *space) take(free int, fixed []int) (at func(i int) int) {
	base, _ := s.find(free, fixed)
	for i := range free {
		s.used[(base+i)%s.all] = true
	}
	for _, f := range fixed {
		s.used[f] = true
	}
	return func(i int) int {
		if at, is := end(i, s.all); is {
			return at
		}
		return (base + i) % s.all
	}
}

func (s *space) find(free int, fixed []int) (base int, found bool) {
	for _, f := range fixed {
		if s.used[f] {
			return 0, false
		}
	}
	for offset := range s.all {
		if base = (s.start + offset) % s.all; free <= s.all && s.clear(base, free, fixed) {
			return base, true
		}
	}
	return 0, false
}

func (s *space) clear(base, free int, fixed []int) bool {
	for i := range free {
		if at := (base + i) % s.all; s.used[at] || slices.Contains(fixed, at) {
			return false
		}
	}
	return true
}
