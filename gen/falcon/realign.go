package falcon

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// offsets are where in a beat the payload of a packet begins.
type offsets struct {
	words       []int       // possible ones, in 32-bit words
	now, stored []hdl.Value // 1 bit each: of the packet whose beat arrives, of that whose beat is held
}

func newOffsets(s starts, busBytes int) offsets {
	list := offsets{words: payloadWords(busBytes)}
	var names []string
	for _, at := range list.words {
		names = append(names, fmt.Sprintf("payload_at_%d", 4*at))
	}
	list.now, list.stored = s.flags(names, func(i int, o *spec.Operation) bool { return o.Carries() && wordsOf(o)%(busBytes/4) == list.words[i] })
	return list
}

// payloadWords are the words of a beat at which the payload of some packet type begins, in order.
func payloadWords(busBytes int) (list []int) {
	for _, o := range rows() {
		if at := wordsOf(o) % (busBytes / 4); o.Carries() && !slices.Contains(list, at) {
			list = append(list, at)
		}
	}
	slices.Sort(list)
	return list
}

// remains is 1 if a beat has an octet at the offset.
func (o offsets) remains(flags []hdl.Value, keep hdl.Value) hdl.Value {
	var any []hdl.Value
	for i, word := range o.words {
		any = append(any, flags[i].And(keep.Bit(4*word)))
	}
	return hdl.AnyOf(any...)
}

// reached is 1 if the headers end inside the beat or before it, which is always so if a beat has 16 words; beats is the number of beats
// up to and including it.
func (s starts) reached(beats hdl.Value, busBytes int) hdl.Value {
	beatsOf := func(words hdl.Value) hdl.Value { return words.Slice(wordBits-1, block.IndexWidth(busBytes/4)) }
	full := s.m.Let("header_beats", hdl.Mux(s.first, beatsOf(s.now.Words), beatsOf(s.stored.Words)))
	width := max(full.Width(), beats.Width())
	return s.m.Let("reached", full.ZeroExtend(width).Lt(beats.ZeroExtend(width)))
}

// step is a shift of the second stage: by words, and by one word more of the offsets of which the first stage has taken one.
type step struct {
	words int
	of    []hdl.Value
}

// steps divides the offsets into stages: odd are those that the first stage shifts by one word.
func (o offsets) steps() (odd []hdl.Value, list []step) {
	for i, word := range o.words {
		if n := len(list); n > 0 && list[n-1].words == word-1 {
			list[n-1].of = append(list[n-1].of, o.stored[i])
			odd = append(odd, o.stored[i])
			continue
		}
		list = append(list, step{word, []hdl.Value{o.stored[i]}})
	}
	return odd, list
}

// realign moves the octets after the headers to octet 0: the last octets of the held beat, followed by the first of the next beat, which
// is inside the packet unless the held beat is its last. The pad is taken from the last word of the packet.
func (o offsets) realign(m *hdl.Module, at block.HeldBeat[Beat], next Beat, pad hdl.Value) (out block.Octets) {
	held, busBytes := at.Beat, next.Keep.Width()
	odd, steps := o.steps()
	isOdd := m.Let("shifts_by_a_word", hdl.AnyOf(odd...))
	is := make([]hdl.Value, len(steps))
	for i, s := range steps[1:] {
		is[i+1] = m.Let(fmt.Sprintf("shifts_by_%d", 4*s.words), hdl.AnyOf(s.of...))
	}
	least, most := steps[0].words, steps[len(steps)-1].words
	shift := func(name string, both hdl.Value, unit int) hdl.Value { // of words of unit bits, from the first that may be payload
		width := unit * busBytes / 4
		first := m.Let(name+"_shifted", hdl.Mux(isOdd, both.Slice(width+unit*(most-least+1)-1, unit), both.Truncate(width+unit*(most-least))))
		at := func(s step) hdl.Value { return first.Slice(unit*(s.words-least)+width-1, unit*(s.words-least)) }
		var choices []hdl.When
		for i, s := range steps[1:] {
			choices = append(choices, hdl.When{Cond: is[i+1], Then: at(s)})
		}
		return m.Let(name, hdl.Select(at(steps[0]), choices...))
	}
	out.Data = shift("realigned_data", hdl.Cat(next.Data, held.Data.Slice(8*busBytes-1, 32*least)), 32)
	ahead := 4 * (most + 1)
	m.Note("A packet may end with an empty beat.")
	ends := m.Let("held_ends", held.Last.Or(next.Last.And(next.Keep.Bit(0).Not())))
	follows := unpadded(m, "next", next.Keep, next.Last, pad, 0, ahead).And(at.Inside.Replicate(ahead))
	out.Keep = shift("realigned_keep", hdl.Cat(follows, unpadded(m, "held", held.Keep, ends, pad, 4*least, busBytes)), 4)
	if least > 0 {
		m.Unused("always header", held.Data.Truncate(32*least), held.Keep.Truncate(4*least))
	}
	return out
}

// unpadded is tkeep of the octets from one up to another, without the pad if the packet ends in the beat: it is the end of the last word.
func unpadded(m *hdl.Module, name string, keep, ends, pad hdl.Value, from, to int) hdl.Value {
	clears := m.Let(name+"_pad", hdl.Cat(pad.Any(), pad.Bit(1), pad.All(), hdl.Zero(1)).And(ends.Replicate(4)))
	keep = hdl.Cat(hdl.Zero(1), keep)
	var follows, pads []hdl.Value // most significant first
	for octet := to; octet > from; octet -= 4 {
		follows, pads = append(follows, keep.Bit(octet)), append(pads, clears)
	}
	words := m.Let(name+"_words_end", hdl.Cat(follows...).Not())
	return m.Let(name+"_without_pad", keep.Slice(to-1, from).And(words.Replicate(4).And(hdl.Cat(pads...)).Not()))
}
