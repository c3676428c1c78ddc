package digest

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// wordRange is a range of memory whose beats follow: a part of a message.
type wordRange struct {
	Offset hdl.Value `doc:"octets of the first beat before the range"`
	Length hdl.Value `doc:"octets of the range; a multiple of 64, not 0, if the message does not end with it"`
	Leaves hdl.Value `doc:"1: the state of the message is to be saved after the range"`
	Ends   hdl.Value `doc:"1: the message ends with the range"`
	Total  hdl.Value `doc:"octets of the message"`
}

// memoryBeat is a beat of memory.
type memoryBeat struct {
	Data hdl.Value `doc:"octets; the one at the lowest address in [7:0]"`
}

// messageWord is a word of a padded message.
type messageWord struct {
	Word hdl.Value `doc:"first octet in [31:24]"`
	Last hdl.Value `doc:"last word of the message, or before its state is saved"`
	Ends hdl.Value `doc:"with Last: the message ends"`
}

func messageWordOf() messageWord {
	return messageWord{Word: hdl.Bits(32), Last: hdl.Bits(1), Ends: hdl.Bits(1)}
}

// WordsPorts are a range and its beats in, words out.
type WordsPorts struct {
	Range hdl.Sink[wordRange]
	Beat  hdl.Sink[memoryBeat]
	Word  hdl.Source[messageWord]
}

const wordsDoc = `digest_words turns ranges of memory into the padded message of SHA-256 (FIPS 180-4 section 5.1.1), a word per cycle: the octets,
and after the range that ends the message an octet of 80h, zeros, and the number of bits in the last two words of a
block of 16. If a range does not begin at a multiple of 4 octets, its first word takes one cycle more. A beat is accepted
with the last of its words; of the last beat, with the last word that has octets of the range. A range is accepted in the
cycle after its last word is made. An empty range has no beat.`

// Words is for buses of 8 to 128 octets.
func Words(busBytes, lengthBits int) hdl.Block[WordsPorts] {
	proto := wordRange{Offset: hdl.Bits(block.IndexWidth(busBytes)), Length: hdl.Bits(lengthBits), Leaves: hdl.Bits(1), Ends: hdl.Bits(1), Total: hdl.Bits(32)}
	return hdl.Block[WordsPorts]{
		Kind: "digest_words", Params: []hdl.Param{{Name: "bus_bytes", Value: busBytes}, {Name: "length_bits", Value: lengthBits}}, Doc: wordsDoc,
		Ports: WordsPorts{Range: hdl.NewSink(proto),
			Beat: hdl.NewSink(memoryBeat{Data: hdl.Bits(8 * busBytes)}), Word: hdl.NewSource(messageWordOf())},
		Build: func(m *hdl.Module, p WordsPorts) { buildWords(m, p, block.IndexWidth(busBytes)) },
	}
}

func buildWords(m *hdl.Module, p WordsPorts, place int) {
	length, total, shift := p.Range.Data.Length, p.Range.Data.Total, p.Range.Data.Offset.Truncate(2)
	one := hdl.Ones(1)
	begun := m.Reg("begun_q", 1, hdl.ResetTo(0)) // the counts are those of the range
	primes := m.Reg("primes_q", 1, hdl.NoReset)  // the first word of memory only fills the carry
	index, isLast := m.Reg("index_q", place-2, hdl.NoReset), m.Reg("is_last_of_beat_q", 1, hdl.NoReset)
	whole, part := m.Reg("whole_q", length.Width()-2, hdl.NoReset), m.Reg("part_q", 2, hdl.NoReset)
	none, single := m.Reg("no_whole_word_q", 1, hdl.NoReset), m.Reg("one_whole_word_q", 1, hdl.NoReset)
	fits := m.Reg("part_fits_carry_q", 1, hdl.NoReset)
	over := m.Reg("over_q", 1, hdl.ResetTo(0)) // the last word of the range has been made
	padded, closes := m.Reg("padded_q", 1, hdl.NoReset), m.Reg("closes_q", 1, hdl.NoReset)
	place16 := m.Reg("place_q", 4, hdl.NoReset)
	out, valid := hdl.NewRegOf(m, "word", messageWordOf(), hdl.NoReset), m.Reg("word_valid_q", 1, hdl.ResetTo(0))

	m.Section("What the next word needs of memory; whole and part count the octets that are left")
	m.Note("The carry holds the last octets of the word of memory before, as many as the range has there.")
	carried := m.Let("carried", hdl.Zero(2).Sub(shift))
	here := m.Let("octets_are_here", none.And(padded.Or(fits.Value)))
	needs := m.Let("needs_memory", primes.Or(here.Not()))
	free := m.Let("word_free", valid.Not().Or(p.Word.Ready))
	step := m.Let("step", hdl.AllOf(begun.Value, free, needs.Not().Or(p.Beat.Valid)))
	emits := m.Let("emits", step.And(primes.Not()))
	m.Note("The range ends in this word of memory if no more octets are left than those of the carry and, unless it is filled, one word.")
	ends := m.Let("range_ends_here", hdl.Mux(primes.Value, none.And(fits.Value), none.Or(single.And(fits.Value))))
	p.Beat.Accept(m, m.Let("takes_beat", hdl.AllOf(begun.Value, free, needs, isLast.Or(ends))))

	m.Section("The octets of the word, first one most significant")
	shifted := m.Let("from_word", p.Beat.Data.Data.ShiftRight(hdl.Cat(index.Value, hdl.Zero(5))).Truncate(32))
	memory := m.Let("memory_word", shifted.ReverseOctets())
	carry := m.Reg("carry_q", 24, hdl.NoReset)
	octets := m.Let("octets", hdl.Select(memory,
		hdl.When{Cond: shift.Is(1), Then: hdl.Cat(carry.Value, memory.Slice(31, 24))},
		hdl.When{Cond: shift.Is(2), Then: hdl.Cat(carry.Truncate(16), memory.Slice(31, 16))},
		hdl.When{Cond: shift.Is(3), Then: hdl.Cat(carry.Truncate(8), memory.Slice(31, 8))}))
	var data []hdl.Value // most significant first
	for i := range uint64(4) {
		keeps := none.Not().Or(part.Is(0).Not())
		if i > 0 {
			keeps = none.Not()
			for n := i + 1; n < 4; n++ {
				keeps = keeps.Or(part.Is(n))
			}
		}
		keep := m.Let(fmt.Sprintf("keep_%d", i), keeps.And(padded.Not()))
		pad := m.Let(fmt.Sprintf("pad_%d", i), hdl.AllOf(none.Value, part.Is(i), padded.Not()))
		data = append(data, octets.Slice(int(31-8*i), int(24-8*i)).And(keep.Replicate(8)).Or(hdl.Cat(pad, hdl.Zero(7))))
	}

	m.Section("The number of bits in the last two words, if the block has room for it after the padding")
	high := m.Let("is_high", padded.And(place16.Is(14)))
	word := m.Let("next_word", hdl.Select(hdl.Cat(data...),
		hdl.When{Cond: high, Then: total.Slice(31, 29).ZeroExtend(32)},
		hdl.When{Cond: closes.Value, Then: hdl.Cat(total.Truncate(29), hdl.Zero(3))}))
	m.Note("A range that does not end the message is over with its last whole word.")
	stops := m.Let("stops", single.And(p.Range.Data.Ends.Not()))
	final := m.Let("is_final", closes.Or(stops))
	p.Range.Accept(m, over.Value)
	p.Word.Drive(m, valid.Value, out.Q)

	m.Section("Registers")
	words, first := length.Slice(length.Width()-1, 2), p.Range.Data.Offset.Slice(place-1, 2)
	m.OnClock(
		hdl.If(begun.Not(),
			begun.Set(p.Range.Valid.And(over.Not())), index.Set(first), isLast.Set(first.All()),
			primes.Set(shift.Any().And(length.Any())), fits.Set(length.Truncate(2).Le(carried)),
			whole.Set(words), none.Set(words.IsZero()), single.Set(words.Is(1)), part.Set(length.Truncate(2)),
			place16.Set(hdl.Zero(4)), padded.Set(hdl.Zero(1)), closes.Set(hdl.Zero(1)),
		).ElseIf(step,
			hdl.If(needs, index.Set(index.Plus(1)), isLast.Set(index.Plus(1).All()), carry.Set(memory.Truncate(24))),
			primes.Set(hdl.Zero(1)),
			hdl.If(primes.Not(),
				hdl.If(none.Not(), whole.Set(whole.Minus(1)), none.Set(single.Value), single.Set(whole.Is(2))).Else(padded.Set(one)),
				place16.Set(place16.Plus(1)), closes.Set(high), begun.Set(final.Not()))),
		over.Set(emits.And(final)),
		hdl.If(free, valid.Set(emits), out.Set(messageWord{Word: word, Last: closes.Or(stops.And(p.Range.Data.Leaves)), Ends: closes.Value})))
}
