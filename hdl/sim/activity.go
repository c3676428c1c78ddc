package sim

import (
	"math/bits"
	"slices"
)

// activity is a program cut into chunks, each of which runs only if a word that it reads has changed: in most cycles most of a design
// rests.
type activity struct {
	size    int // instructions in the chunks
	sources []watched
	chunks  []chunk
	pending []bool // of each chunk: it has to run
}

// chunk is a part of the instructions and those of its results that other chunks read.
type chunk struct {
	code    []instr
	results []watched
}

// watched is a word, its last known value, and the chunks that read it.
type watched struct {
	word    uint32
	value   uint64
	readers []uint32
}

// chunkSize is the least number of instructions of a chunk but the last: smaller ones run less often, larger ones need fewer comparisons.
const chunkSize = 16

func newActivity(code []instr) *activity {
	a := &activity{size: len(code)}
	for from := 0; from < len(code); {
		to := min(from+chunkSize, len(code))
		for to < len(code) && code[to].adds() {
			to++
		}
		a.chunks = append(a.chunks, chunk{code: code[from:to]})
		from = to
	}
	a.pending = slices.Repeat([]bool{true}, len(a.chunks))
	a.watch()
	return a
}

// watch finds the words by which chunks depend on state, inputs and other chunks.
func (a *activity) watch() {
	writer, readers := map[uint32]int{}, map[uint32][]uint32{}
	var words []uint32 // in the order in which they are first read
	for i, c := range a.chunks {
		for _, in := range c.code {
			in.reads(func(word, n uint32) {
				for ; n > 0; word, n = word+1, n-1 {
					of := readers[word]
					if w, written := writer[word]; written && w == i || len(of) > 0 && of[len(of)-1] == uint32(i) {
						continue
					}
					if len(of) == 0 {
						words = append(words, word)
					}
					readers[word] = append(of, uint32(i))
				}
			})
			for n := range in.writes() {
				writer[in.d+n] = i
			}
		}
	}
	for _, word := range words {
		to := &a.sources
		if w, written := writer[word]; written {
			to = &a.chunks[w].results
		}
		*to = append(*to, watched{word: word, readers: readers[word]})
	}
}

// run brings all words up to date.
func (a *activity) run(w []uint64) {
	a.compare(a.sources, w)
	for i, is := range a.pending {
		if is {
			a.pending[i] = false
			execute(a.chunks[i].code, w)
			a.compare(a.chunks[i].results, w)
		}
	}
}

// compare lets the readers of the words that have changed run.
func (a *activity) compare(list []watched, w []uint64) {
	for i := range list {
		if v := w[list[i].word]; v != list[i].value {
			list[i].value = v
			for _, r := range list[i].readers {
				a.pending[r] = true
			}
		}
	}
}

// adds reports whether the instruction keeps bits that earlier ones have written to its result, which must then be in the same chunk.
func (in *instr) adds() bool { return in.op == opInsert || in.op == widePut && in.sh != 0 }

// writes is the number of words from d on that the instruction writes.
func (in *instr) writes() uint32 {
	switch in.op {
	case wideAll, wideAny, wideParity, wideEq, wideNe, wideLt, wideLe:
		return 1
	case widePut:
		return in.c + 1
	}
	if in.op < wideCopy {
		return 1
	}
	return in.n
}

// reads visits the words that the instruction reads, apart from those of its result.
func (in *instr) reads(visit func(word, n uint32)) {
	switch in.op {
	case opCopy, opNot, opAll, opAny, opParity, opSlice, opSpread1, opReverse, opInsert, wideSpread1:
		visit(in.a, 1)
	case opSlice2:
		visit(in.a, 2)
	case opMux:
		visit(in.a, 1)
		visit(in.b, 1)
		visit(in.c, 1)
	case wideCopy, wideNot, wideReverse, wideAll, wideAny, wideParity, widePut:
		visit(in.a, in.n)
	case wideMux:
		visit(in.a, in.n)
		visit(in.b, in.n)
		visit(in.c, 1)
	case wideShl, wideShr:
		visit(in.a, in.n)
		visit(in.b, 1)
	case wideSlice: // not the word after the last bit, which it masks
		last := uint32(in.sh) + 64*(in.n-1) + uint32(bits.Len64(in.k)) - 1
		visit(in.a, last/64+1)
	case wideSpread8:
		visit(in.a, (in.n+7)/8)
	case wideSpread:
		visit(in.a, (in.b+63)/64)
	default:
		n := uint32(1)
		if in.op > wideCopy {
			n = in.n
		}
		visit(in.a, n)
		visit(in.b, n)
	}
}
