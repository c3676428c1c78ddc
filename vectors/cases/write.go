package cases

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Place says which stream and which word of the window a number of the case means.
type Place struct {
	Stream func(i int) uint32
	Word   func(i int) int
}

// T is a case being written down at its place.
type T struct {
	Config gen.Config
	Rand   *rand.Rand // for random cases, seeded with the case's key

	place      Place
	stag       uint32
	base       uint64
	streams    []suite.Stream
	words      []suite.Word
	input      []suite.Input
	requestMSN map[uint32]uint32
	identifier uint32

	// What the case asked for, for the one who looks for a place.
	StreamNumbers, WordNumbers []int
}

// New starts to write a case down.
func New(c gen.Config, w Window, p Place, r *rand.Rand) *T {
	return &T{Config: c, Rand: r, place: p, stag: w.STag, base: w.BaseOf(c), requestMSN: map[uint32]uint32{}}
}

// Result is what was written: the initial state that the case needs, and its inputs.
func (t *T) Result() ([]suite.Stream, []suite.Word, []suite.Input) {
	return t.streams, t.words, t.input
}

// open sets a stream's next response MSN. A stream that is used without it starts at 1.
func (t *T) open(stream int, msn uint32) {
	number := t.place.Stream(stream)
	for i := range t.streams {
		if t.streams[i].Stream == number {
			t.streams[i].MSN = msn
			return
		}
	}
	t.StreamNumbers = append(t.StreamNumbers, stream)
	t.streams = append(t.streams, suite.Stream{Stream: number, MSN: msn})
}

func (t *T) stream(stream int) uint32 {
	number := t.place.Stream(stream)
	for _, s := range t.streams {
		if s.Stream == number {
			return number
		}
	}
	t.open(stream, 1)
	return number
}

// word gives a word its initial value. All words of the case are compared in the end.
func (t *T) word(word int, data uint64) {
	index := t.place.Word(word)
	for i := range t.words {
		if t.words[i].Index == index {
			t.words[i].Data = suite.Hex64(data)
			return
		}
	}
	t.WordNumbers = append(t.WordNumbers, word)
	t.words = append(t.words, suite.Word{Index: index, Data: suite.Hex64(data)})
}

// to is the TO of a word's first octet. A word that has no value yet gets one that shows.
func (t *T) to(word int) uint64 {
	index := t.place.Word(word)
	known := false
	for _, w := range t.words {
		known = known || w.Index == index
	}
	if !known {
		t.word(word, 0x0123456789ABCDEF)
	}
	return t.base + 8*uint64(index)
}

// send sends a segment.
func (t *T) send(stream int, segment []byte) {
	t.input = append(t.input, suite.Input{Port: suite.PortRx, Stream: t.stream(stream), Hex: segment})
}

// request sends an Atomic Request, as a sender does: its MSN counts the requests of the stream.
func (t *T) request(stream int, r wire.AtomicRequest) {
	t.send(stream, wire.AppendAtomicRequest(nil, t.nextMSN(stream), r))
}

func (t *T) nextMSN(stream int) uint32 {
	number := t.stream(stream)
	t.requestMSN[number]++
	return t.requestMSN[number]
}

// id is a Request Identifier: all of a case differ, and all octets of one do.
func (t *T) id() uint32 {
	t.identifier++
	return 0x1D2E3F00 + t.identifier
}

func (t *T) fetchAdd(word int, data, mask uint64) wire.AtomicRequest {
	return wire.NewFetchAdd(t.id(), t.stag, t.to(word), data, mask)
}

func (t *T) cmpSwap(word int, swap, swapMask, compare, compareMask uint64) wire.AtomicRequest {
	return wire.NewCmpSwap(t.id(), t.stag, t.to(word), swap, swapMask, compare, compareMask)
}

func (t *T) swap(word int, data uint64) wire.AtomicRequest {
	return wire.NewSwap(t.id(), t.stag, t.to(word), data)
}

// hostRead and hostWrite access a word through the host port. A read ignores its data.
func (t *T) hostRead(word int) { t.host(0, word, 0xA5A5_5A5A_A5A5_5A5A) }

func (t *T) hostWrite(word int, data uint64) { t.host(1, word, data) }

func (t *T) host(write byte, word int, data uint64) {
	t.to(word)
	b := binary.BigEndian.AppendUint32([]byte{write}, uint32(t.place.Word(word)))
	t.input = append(t.input, suite.Input{Port: suite.PortHost, Hex: binary.BigEndian.AppendUint64(b, data)})
}

// setup opens a stream again in the middle of the case.
func (t *T) setup(stream int, msn uint32) {
	t.input = append(t.input, suite.Input{Port: suite.PortSetup, Stream: t.stream(stream), Hex: binary.BigEndian.AppendUint32(nil, msn)})
}

func (t *T) reset() { t.input = append(t.input, suite.Input{Port: suite.PortReset}) }

// set changes a field of a header that starts at octet at of the segment.
func set(segment []byte, at int, table *wire.Table, field string, value uint64) []byte {
	if !table.MustField(field).Set(segment[at:], value) {
		panic(fmt.Sprintf("cases: %s.%s cannot be %#x in a segment of %d octets", table.Name, field, value, len(segment)))
	}
	return segment
}

// pattern gives n octets that tell their place: no two neighbours are equal, and no beat looks like another.
func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + i>>8*31 + 1)
	}
	return b
}
