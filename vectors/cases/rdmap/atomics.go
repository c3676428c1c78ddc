package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/wire"
)

// boundaryBits are the boundaries of a 64-bit operation built from smaller ones, and its ends.
var boundaryBits = []int{0, 31, 32, 62, 63}

// fetchAdds covers the masks of RFC 7306 section 5.1.1.
func fetchAdds(l *list) {
	add := func(key, comment string, flag []string, original, data, mask uint64) {
		c := l.add("fetch_add/"+key, comment, flag, func(t *T) {
			t.set(words, 16, original)
			t.atomic(0, t.fetchAdd(words, 16, data, mask))
		}).cite("RFC7306-5.1.1-16")
		if mask == 0 { // one field, whose carry is lost
			c.cite("RFC7306-5.1.1-10")
		} else {
			c.cite("RFC7306-5.1.1-03", "RFC7306-5.1.1-04")
		}
	}
	for _, m := range []struct {
		name string
		mask uint64
		why  string
	}{
		{"none", 0, "one field of 64 bits"}, {"all", allOnes, "64 fields of one bit: an exclusive or"}, {"octets", 0x8080_8080_8080_8080, "eight octets"},
		{"bit0", 1, "bit 0, and the others"}, {"bit31", 1 << 31, "two halves"}, {"bit32", 1 << 32, "bits 32 to 0, and the others"},
		{"bit62", 1 << 62, "bits 62 to 0, and bit 63"}, {"bit63", 1 << 63, "no effect"}, {"ends", 1<<63 | 1, "bit 0, and the others"},
		{"halves", 0x8000_0000_8000_0000, "two halves, each with its top bit marked"}, {"bits31_32", 0x0000_0001_8000_0000, "bits 31 to 0, bit 32, and the others"},
		{"alternating", 0x5555_5555_5555_5555, "bit 0, then fields of two bits"},
	} {
		names := flags(MaskBoundary)
		if m.name == "none" || m.name == "all" || m.name == "octets" || m.name == "alternating" {
			names = flags(Mask)
		}
		add(m.name+"/carry", fmt.Sprintf("FetchAdd, Add Mask 0x%016X (%s): a carry through all bits", m.mask, m.why), names, allOnes, 1, m.mask)
		add(m.name+"/high", fmt.Sprintf("FetchAdd, Add Mask 0x%016X (%s): both operands have high halves", m.mask, m.why), append(flags(HighHalf), names...),
			0x8765_4321_8765_4321, 0x9ABC_DEF0_9ABC_DEF0, m.mask)
		add(m.name+"/every_bit", fmt.Sprintf("FetchAdd, Add Mask 0x%016X (%s): a carry out of every bit", m.mask, m.why), names, allOnes, allOnes, m.mask)
	}
	for _, bit := range boundaryBits {
		add(fmt.Sprintf("carry_into/bit%d", bit), fmt.Sprintf("FetchAdd of 1 to a word with the bits below bit %d set", bit), flags(MaskBoundary), 1<<bit-1, 1, 0)
		add(fmt.Sprintf("carry_out/bit%d", bit), fmt.Sprintf("FetchAdd of 2^%d to the same", bit), flags(MaskBoundary), 1<<bit, 1<<bit, 0)
	}
	add("minus_one", "FetchAdd of -1 to 1", flags(HighHalf), 1, allOnes, 0)
	add("minus_one_to_zero", "FetchAdd of -1 to 0", flags(HighHalf), 0, allOnes, 0)
	add("high_half/original", "FetchAdd of 1 to a word with only its high half set", flags(HighHalf), 0xFFFF_FFFF_0000_0000, 1, 0)
	add("high_half/data", "FetchAdd of a high half to 1", flags(HighHalf), 1, 0xFFFF_FFFF_0000_0000, 0)
	add("high_half/both", "FetchAdd with a carry between the halves, into bit 63", flags(HighHalf), 0x7FFF_FFFF_FFFF_FFFF, 0x0000_0001_0000_0001, 0)
	add("zero", "FetchAdd of 0: a probe that changes nothing", flags(Mask), data, 0, 0)
	l.cases[len(l.cases)-1].cite("RFC7306-1.1-07")
	add("memory_order", "FetchAdd of 1 with a carry out of the octet at the lowest address", flags(ByteOrder), 0x0807_0605_0403_02FF, 1, 0)
	l.cases[len(l.cases)-1].cite("RFC7306-5.1.1-17", "RFC7306-5.1.1-18")
}

// cmpSwaps covers the masks of RFC 7306 section 5.1.2.
func cmpSwaps(l *list) {
	const original, swap = 0xA5A5_0F0F_3C3C_00FF, 0x1234_5678_9ABC_DEF0
	add := func(key, comment string, names []string, swapMask, compare, compareMask uint64) {
		l.add("cmp_swap/"+key, "CmpSwap, "+comment, names, func(t *T) {
			t.set(words, 24, original)
			t.atomic(0, t.cmpSwap(words, 24, swap, swapMask, compare, compareMask))
		}).cite("RFC7306-5.1.2-02", "RFC7306-5.1.2-06")
	}
	for _, s := range []struct {
		name string
		mask uint64
	}{{"none", 0}, {"all", allOnes}, {"low", 0xFFFF_FFFF}, {"high", 0xFFFF_FFFF_0000_0000}} {
		add("match/swap_"+s.name, fmt.Sprintf("all bits compared and equal, Swap Mask 0x%016X", s.mask), flags(Mask, HighHalf), s.mask, original, allOnes)
		add("differ/swap_"+s.name, fmt.Sprintf("all bits compared, and all differ, Swap Mask 0x%016X", s.mask), flags(Mask, Mismatch), s.mask, ^uint64(original), allOnes)
		add("none/swap_"+s.name, fmt.Sprintf("Compare Mask 0, all bits differ, Swap Mask 0x%016X", s.mask), flags(Mask), s.mask, ^uint64(original), 0)
	}
	for _, bit := range boundaryBits {
		b := uint64(1) << bit
		add(fmt.Sprintf("compare_bit%d/match", bit), fmt.Sprintf("only bit %d is compared, and equal", bit), flags(MaskBoundary), allOnes, ^uint64(original)^b, b)
		add(fmt.Sprintf("compare_bit%d/differ", bit), fmt.Sprintf("only bit %d is compared, and differs", bit), flags(MaskBoundary, Mismatch), allOnes, original^b, b)
		add(fmt.Sprintf("compare_all_but_bit%d", bit), fmt.Sprintf("bit %d differs, and is not compared", bit), flags(MaskBoundary), allOnes, original^b, ^b)
		add(fmt.Sprintf("differ_in_bit%d", bit), fmt.Sprintf("all bits are compared, and only bit %d differs", bit), flags(MaskBoundary, Mismatch), allOnes, original^b, allOnes)
		add(fmt.Sprintf("swap_bit%d", bit), fmt.Sprintf("only bit %d is swapped", bit), flags(MaskBoundary), b, original, allOnes)
		add(fmt.Sprintf("swap_all_but_bit%d", bit), fmt.Sprintf("all bits but bit %d are swapped", bit), flags(MaskBoundary), ^b, original, allOnes)
	}
	for _, h := range []struct {
		name string
		mask uint64
	}{{"low", 0xFFFF_FFFF}, {"high", 0xFFFF_FFFF_0000_0000}} {
		add("compare_"+h.name, "only the "+h.name+" half is compared, and equal; the other differs", flags(MaskBoundary, HighHalf), allOnes, ^uint64(original)^h.mask, h.mask)
		add("differ_in_"+h.name, "all bits are compared, and the "+h.name+" half differs", flags(HighHalf, Mismatch), allOnes, original^h.mask, allOnes)
	}
}

// operations distinguishes AOpCodes.
func operations(l *list) {
	implements := map[wire.AOpCode]string{wire.FetchAdd: "RFC7306-5-08", wire.CmpSwap: "RFC7306-5-09"}
	for _, a := range []wire.AOpCode{wire.FetchAdd, wire.CmpSwap} {
		l.add(fmt.Sprintf("aopcode/%x", uint8(a)), fmt.Sprintf("AOpCode 0x%X, %v: each operation would leave a different word", uint8(a), a), flags(OpcodeConfusion), func(t *T) {
			r := t.cmpSwap(words, 0, 0x1111_0000_2222_0000, 0x0F0F_0F0F_0F0F_0F0F, t.word(words, 0), allOnes)
			r.AOpCode = a
			t.atomic(0, r)
		}).cite("RFC7306-1.1-01", implements[a])
	}
	l.add("aopcode/2/not_swap", "AOpCode 2 with a Compare Data that does not match: a device that executes a Swap writes", flags(OpcodeConfusion, Mismatch), func(t *T) {
		t.atomic(0, t.cmpSwap(words, 0, data, allOnes, ^t.word(words, 0), allOnes))
	})
	l.add("aopcode/reserved_bits", "a FetchAdd with all 28 reserved bits next to the AOpCode set", flags(ReservedBits), func(t *T) {
		r := t.fetchAdd(words, 0, 1, 0)
		r.Reserved = 1<<28 - 1
		t.atomic(0, r)
	})
	l.add("aopcode/fetch_add_compare", "a FetchAdd with values in the compare fields, which it does not use", flags(IgnoredField), func(t *T) {
		r := t.fetchAdd(words, 0, 1, 0)
		r.CompareData, r.CompareMask = data, 0x5555
		t.atomic(0, r)
	})
	if l.config.Draft00() {
		l.add("swap/plain", "a Swap", flags(OpcodeConfusion), func(t *T) {
			a := t.area(words)
			t.atomic(0, wire.NewSwap(t.identifier(), a.stag(), a.to(8), data))
		}).cite("DRAFT00-5.1.2-01")
		for _, f := range []struct {
			name, what, id string
			change         func(r *wire.AtomicRequest)
		}{
			{"mask", "Swap Mask", "DRAFT00-5.2.1-08", func(r *wire.AtomicRequest) { r.Mask = 0xFF }},
			{"compare_data", "Compare Data", "DRAFT00-5.2.1-10", func(r *wire.AtomicRequest) { r.CompareData = 1 }},
			{"compare_mask", "Compare Mask", "DRAFT00-5.2.1-12", func(r *wire.AtomicRequest) { r.CompareMask = 1 }},
		} {
			l.add("swap/ignored/"+f.name, "a Swap with a value in "+f.what+", which it does not use", flags(IgnoredField), func(t *T) {
				a := t.area(words)
				r := wire.NewSwap(t.identifier(), a.stag(), a.to(8), data)
				f.change(&r)
				t.atomic(0, r)
			}).cite(f.id)
		}
		for _, bit := range boundaryBits {
			l.add(fmt.Sprintf("swap/bit%d", bit), fmt.Sprintf("a Swap to a word with only bit %d set, from one with all other bits set", bit), flags(MaskBoundary), func(t *T) {
				a := t.area(words)
				t.set(words, 8, ^(uint64(1) << bit))
				t.atomic(0, wire.NewSwap(t.identifier(), a.stag(), a.to(8), 1<<bit))
			})
		}
		l.add("swap/chain", "Swaps of one word: each returns what the previous one wrote", flags(SameWord), func(t *T) {
			a := t.area(words)
			for i := range uint64(min(4, t.Config.IRD)) {
				t.atomic(0, wire.NewSwap(t.identifier(), a.stag(), a.to(8), i<<32))
			}
		})
		l.add("swap/misaligned", "a Swap on an address that is not aligned", flags(Misaligned), func(t *T) {
			a := t.area(words)
			t.atomic(0, wire.NewSwap(t.identifier(), a.stag(), a.to(12), data))
		}).ends()
	}
}

// aliases accesses the same 8 octets repeatedly, through two STags and from several streams.
func aliases(l *list) {
	l.add("same/back_to_back", "FetchAdds on one word without a pause", flags(SameWord), func(t *T) {
		for i := range min(8, t.Config.IRD) {
			t.atomic(0, t.fetchAdd(words, 32, 1<<(8*i), 0))
		}
	}).cite("RFC7306-5.4-12", "RFC7306-5.4-13")
	l.add("same/two_stags", "FetchAdds on one word through two STags, at TOs that differ", flags(SameWord, UnalignedBase), func(t *T) {
		for i := range min(8, t.Config.IRD) {
			t.atomic(0, t.fetchAdd([]string{words, alias}[i%2], 40, 1<<(8*i), 0))
		}
	}).cite("RFC7306-5-05", "RFC7306-5.2.1-14")
	l.add("same/lock", "a lock is acquired, not acquired by another stream, and released", flags(SameWord, Mismatch), func(t *T) {
		t.set(words, 0, 0)
		lock := func(stream int, from, to uint64) {
			t.rest()
			t.atomic(stream, t.cmpSwap(alias, 0, to, allOnes, from, allOnes))
		}
		lock(0, 0, 0x1_0000_0001)
		lock(1, 0, 0x2_0000_0002)
		lock(0, 0x1_0000_0001, 0)
		lock(1, 0, 0x2_0000_0002)
	}).cite("RFC7306-5-04", "RFC7306-5.3-01", "RFC7306-5.4-03", "RFC7306-3-01")
	l.add("same/streams", "FetchAdds of four streams on one word, one after the other", flags(SameWord), func(t *T) {
		for i := range 12 {
			t.atomic(i%4, t.fetchAdd(shared, 8, 1<<(5*i), 0))
			t.rest()
		}
	}).streams(4).cite("RFC7306-5-04", "RFC7306-5.3-01", "RFC7306-5.4-03", "RFC7306-3-01")
	l.add("same/streams_at_once", "FetchAdds of two streams on adjacent words, without a pause", flags(SameWord), func(t *T) {
		for i := range 2 * min(4, t.Config.IRD) {
			t.atomic(i%2, t.fetchAdd(shared, 8+8*(i%2), 1<<(5*i), 0))
		}
	})
	l.add("same/compare_chain", "CmpSwaps, each of which expects what the previous one wrote", flags(SameWord), func(t *T) {
		t.set(words, 0, 100)
		for i := range uint64(min(8, t.Config.IRD)) {
			t.atomic(0, t.cmpSwap(words, 0, 101+i, allOnes, 100+i, allOnes))
		}
	}).cite("RFC7306-5-04", "RFC7306-5.3-01")
	l.add("same/add_and_compare", "FetchAdd and CmpSwap of one word in turn", flags(SameWord, Mismatch), func(t *T) {
		t.set(words, 0, 0)
		for i := range uint64(4) {
			t.atomic(0, t.fetchAdd(words, 0, 1, 0))
			t.atomic(0, t.cmpSwap(words, 0, 1<<63, allOnes, 1+i%2, allOnes))
		}
	}).ird(8).cite("RFC7306-7-15")
	for gap := 1; gap <= 4; gap++ {
		l.add(fmt.Sprintf("same/after_%d_others", gap), fmt.Sprintf("a word again, after %d FetchAdds on another one", gap), flags(SameWord), func(t *T) {
			t.atomic(0, t.fetchAdd(words, 0, 0x10, 0))
			for range gap {
				t.atomic(0, t.fetchAdd(words, 8, 0x100, 0))
			}
			t.atomic(0, t.fetchAdd(words, 0, 0x1000, 0))
		}).ird(gap + 2)
	}
	l.add("same/read_between", "a Read between two FetchAdds sees only the first", flags(SameWord, Ordering), func(t *T) {
		t.atomic(0, t.fetchAdd(words, 0, 1, 0))
		t.read(0, words, 0, 8)
		t.atomic(0, t.fetchAdd(words, 64, 1, 0))
	}).ird(3).cite("RFC7306-7-14", "RFC7306-7-18")
	l.add("same/write_before", "an RDMA Write and then a FetchAdd on what it wrote", flags(SameWord, Ordering), func(t *T) {
		t.write(0, words, 0, pattern(16))
		t.atomic(0, t.fetchAdd(words, 8, 1, 0))
	}).cite("RFC7306-7-17", "RFC7306-5.4-09", "RFC7306-5.4-06", "RFC7306-5.4-08")
	l.add("same/unaligned_base", "an atomic whose TO is not a multiple of 8, but whose address is", flags(UnalignedBase), func(t *T) { t.atomic(0, t.fetchAdd(alias, 8, 1, 0)) }).
		cite("RFC7306-5.2.1-14")
	for i := range 8 {
		l.add(fmt.Sprintf("same/word_of_a_beat/%d", i), fmt.Sprintf("a FetchAdd on word %d of 8 that share 64 octets", i), flags(WordLane), func(t *T) {
			t.atomic(0, t.fetchAdd(shared, 64+8*i, 0x0101_0101_0101_0101, 0))
		}).cite("RFC7306-5-03")
	}
}
