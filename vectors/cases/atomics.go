package cases

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/wire"
)

const allOnes = ^uint64(0)

// boundaryBits are where a 64-bit operation built from smaller ones is cut, and its ends.
var boundaryBits = []int{0, 31, 32, 62, 63}

// atomicOpcodes sends all 16 values of AOpCode, and shows that 1 and 2 are not mixed up.
func atomicOpcodes(l *list) {
	for a := range wire.AOpCode(16) {
		if !a.Supported(l.config.Draft00()) {
			l.add(fmt.Sprintf("aopcode/%x/refused", uint8(a)), fmt.Sprintf("AOpCode 0x%X is not supported; memory stays (I-03, I-04)", uint8(a)),
				flags(AtomicOpcode), func(t *T) {
					r := t.cmpSwap(0, 0xAAAA_5555_AAAA_5555, allOnes, 0x0123456789ABCDEF, allOnes)
					r.AOpCode = a
					t.request(0, r)
				})
			continue
		}
		l.add(fmt.Sprintf("aopcode/%x/executed", uint8(a)), fmt.Sprintf("AOpCode 0x%X, %v; each of the three operations would leave another word", uint8(a), a),
			flags(AtomicOpcode, OpcodeConfusion), func(t *T) {
				r := t.cmpSwap(0, 0x1111_0000_2222_0000, 0x0F0F_0F0F_0F0F_0F0F, 0x0123456789ABCDEF, allOnes)
				r.AOpCode = a
				t.request(0, r)
			})
	}
	l.add("aopcode/2/not_swap", "AOpCode 2 with a Compare Data that does not match: a device that takes 2 for Swap writes",
		flags(AtomicOpcode, OpcodeConfusion, Mismatch), func(t *T) {
			t.word(0, 0x00000000_00000007)
			t.request(0, t.cmpSwap(0, 0xFFFF_FFFF_0000_0000, allOnes, 8, allOnes))
		})
	l.add("aopcode/reserved_bit_is_not_aopcode", "CmpSwap whose reserved bit next to AOpCode is set: 0x12 is AOpCode 2",
		flags(AtomicOpcode, ReservedBits), func(t *T) {
			r := t.cmpSwap(0, 1, allOnes, 0x0123456789ABCDEF, allOnes)
			r.Reserved = 1
			t.request(0, r)
		})
}

// operands are pairs for FetchAdd: what is there and what is added.
var addOperands = []struct {
	name, why      string
	original, data uint64
}{
	{"carry", "a carry through all 64 bits", allOnes, 1},
	{"every_bit", "a carry out of every bit", allOnes, allOnes},
	{"high", "both operands have bits above bit 31", 0x8765_4321_8765_4321, 0x9ABC_DEF0_9ABC_DEF0},
}

// addMasks are Add Masks: each set bit is the most significant bit of a field.
var addMasks = []struct {
	name string
	mask uint64
	why  string
}{
	{"none", 0, "one field of 64 bits"},
	{"all", allOnes, "64 fields of one bit: an exclusive or"},
	{"bit0", 1 << 0, "a field of bit 0, and bits 63..1"},
	{"bit31", 1 << 31, "two halves"},
	{"bit32", 1 << 32, "bits 32..0 and 63..33"},
	{"bit62", 1 << 62, "bits 62..0, and a field of bit 63"},
	{"bit63", 1 << 63, "no effect: the carry out of bit 63 is lost anyway"},
	{"halves", 0x8000_0000_8000_0000, "two halves, each with its top bit marked"},
	{"bits31_32", 0x0000_0001_8000_0000, "bits 31..0, a field of bit 32, bits 63..33"},
	{"ends", 0x8000_0000_0000_0001, "bit 0, bits 63..1"},
	{"octets", 0x8080_8080_8080_8080, "eight octets"},
	{"alternating", 0x5555_5555_5555_5555, "bit 0, then fields of two bits"},
}

// fetchAdds goes through the masks of RFC 7306 section 5.1.1.
func fetchAdds(l *list) {
	for _, m := range addMasks {
		names := flags(Mask)
		if m.mask&(m.mask-1) == 0 && m.mask != 0 || m.name == "halves" || m.name == "bits31_32" || m.name == "ends" {
			names = flags(MaskBoundary)
		}
		for _, o := range addOperands {
			with := names
			if o.name == "high" {
				with = append(flags(HighHalf), names...)
			}
			l.add("fetch_add/"+m.name+"/"+o.name, fmt.Sprintf("FetchAdd, Add Mask 0x%016X (%s): %s", m.mask, m.why, o.why), with, func(t *T) {
				t.word(0, o.original)
				t.request(0, t.fetchAdd(0, o.data, m.mask))
			}).cite("RFC7306-5.1.1-03", "RFC7306-5.1.1-04", "RFC7306-5.1.1-16")
		}
	}
	for _, bit := range boundaryBits {
		l.add(fmt.Sprintf("fetch_add/carry_into/bit%d", bit), fmt.Sprintf("FetchAdd of 1 to a word with the bits below bit %d set", bit), flags(MaskBoundary), func(t *T) {
			t.word(0, 1<<bit-1)
			t.request(0, t.fetchAdd(0, 1, 0))
		}).cite("RFC7306-5.1.1-10")
		l.add(fmt.Sprintf("fetch_add/twice/bit%d", bit), fmt.Sprintf("FetchAdd of 2^%d, twice: a carry out of bit %d", bit, bit), flags(MaskBoundary, SameWord), func(t *T) {
			t.word(0, 0)
			t.request(0, t.fetchAdd(0, 1<<bit, 0))
			t.request(0, t.fetchAdd(0, 1<<bit, 0))
		}).cite("RFC7306-5.1.1-10")
	}
	l.add("fetch_add/negative", "FetchAdd of -1 to 0 and to 1", flags(HighHalf), func(t *T) {
		t.word(0, 0)
		t.word(1, 1)
		t.request(0, t.fetchAdd(0, allOnes, 0))
		t.request(0, t.fetchAdd(1, allOnes, 0))
	}).cite("RFC7306-5.1.1-10")
	for _, v := range []struct {
		name           string
		original, data uint64
	}{{"original", 0xFFFF_FFFF_0000_0000, 1}, {"data", 1, 0xFFFF_FFFF_0000_0000}, {"both", 0x7FFF_FFFF_FFFF_FFFF, 0x0000_0001_0000_0001}} {
		l.add("fetch_add/high_half/"+v.name, fmt.Sprintf("FetchAdd 0x%016X + 0x%016X", v.original, v.data), flags(HighHalf), func(t *T) {
			t.word(0, v.original)
			t.request(0, t.fetchAdd(0, v.data, 0))
		}).cite("RFC7306-5.1.1-10", "RFC7306-5.1.1-19")
	}
}

// cmpSwaps goes through the masks of RFC 7306 section 5.1.2.
func cmpSwaps(l *list) {
	const original, swap = 0xA5A5_0F0F_3C3C_00FF, 0x1234_5678_9ABC_DEF0
	add := func(key, comment string, names []string, swapMask, compare, compareMask uint64) {
		l.add("cmp_swap/"+key, "CmpSwap, "+comment, names, func(t *T) {
			t.word(0, original)
			t.request(0, t.cmpSwap(0, swap, swapMask, compare, compareMask))
		}).cite("RFC7306-5.1.2-02", "RFC7306-5.1.2-06")
	}
	for _, m := range []struct {
		name string
		mask uint64
	}{{"none", 0}, {"all", allOnes}} {
		for _, s := range []struct {
			name string
			mask uint64
		}{{"none", 0}, {"all", allOnes}} {
			add(fmt.Sprintf("compare_%s/swap_%s/match", m.name, s.name), fmt.Sprintf("Compare Mask 0x%016X, Swap Mask 0x%016X, the comparison holds", m.mask, s.mask),
				flags(Mask, HighHalf), s.mask, original&m.mask, m.mask)
			if m.mask != 0 {
				add(fmt.Sprintf("compare_%s/swap_%s/differ", m.name, s.name), fmt.Sprintf("Compare Mask 0x%016X, Swap Mask 0x%016X, all bits differ", m.mask, s.mask),
					flags(Mask, Mismatch), s.mask, ^uint64(original), m.mask)
			}
		}
	}
	add("compare_none/differ", "Compare Mask 0 and a Compare Data that differs in every bit: it holds", flags(Mask), allOnes, ^uint64(original), 0)
	for _, bit := range boundaryBits {
		b := uint64(1) << bit
		add(fmt.Sprintf("compare_bit%d/match", bit), fmt.Sprintf("only bit %d is compared, and equal; all others differ", bit),
			flags(MaskBoundary), allOnes, ^uint64(original)^b, b)
		add(fmt.Sprintf("compare_bit%d/differ", bit), fmt.Sprintf("only bit %d is compared, and differs; all others are equal", bit),
			flags(MaskBoundary, Mismatch), allOnes, original^b, b)
		add(fmt.Sprintf("compare_all_but_bit%d/match", bit), fmt.Sprintf("bit %d differs and is not compared", bit),
			flags(MaskBoundary), allOnes, original^b, ^b)
		add(fmt.Sprintf("compare_all/bit%d_differs", bit), fmt.Sprintf("all bits are compared, and only bit %d differs", bit),
			flags(MaskBoundary, Mismatch), allOnes, original^b, allOnes)
		add(fmt.Sprintf("swap_bit%d", bit), fmt.Sprintf("only bit %d is swapped", bit), flags(MaskBoundary), b, original, allOnes)
		add(fmt.Sprintf("swap_all_but_bit%d", bit), fmt.Sprintf("all bits but bit %d are swapped", bit), flags(MaskBoundary), ^b, original, allOnes)
	}
	for _, h := range []struct {
		name string
		mask uint64
	}{{"low", 0x0000_0000_FFFF_FFFF}, {"high", 0xFFFF_FFFF_0000_0000}} {
		add(h.name+"_half/compared", "only the "+h.name+" half is compared; the other half differs", flags(MaskBoundary, HighHalf), allOnes, original^^h.mask, h.mask)
		add(h.name+"_half/swapped", "only the "+h.name+" half is swapped", flags(MaskBoundary, HighHalf), h.mask, original, allOnes)
		add(h.name+"_half/differs", "the "+h.name+" half differs in all bits, and all are compared", flags(HighHalf, Mismatch), allOnes, original^h.mask, allOnes)
	}
	l.add("cmp_swap/lock", "a lock is taken, not taken again, and freed", flags(Mismatch, SameWord), func(t *T) {
		t.word(0, 0)
		t.request(0, t.cmpSwap(0, 0x1_0000_0001, allOnes, 0, allOnes))
		t.request(1, t.cmpSwap(0, 0x2_0000_0002, allOnes, 0, allOnes))
		t.request(0, t.cmpSwap(0, 0, allOnes, 0x1_0000_0001, allOnes))
		t.request(1, t.cmpSwap(0, 0x2_0000_0002, allOnes, 0, allOnes))
	}).cite("RFC7306-5-04", "RFC7306-5.3-01")
}

// swaps are for configurations with draft00.
func swaps(l *list) {
	if !l.config.Draft00() {
		return
	}
	add := func(key, comment string, original, data, mask, compare, compareMask uint64, ids ...string) {
		l.add("swap/"+key, "Swap, "+comment, flags(Swap), func(t *T) {
			t.word(0, original)
			r := t.swap(0, data)
			r.Mask, r.CompareData, r.CompareMask = mask, compare, compareMask
			t.request(0, r)
		}).cite(ids...)
	}
	add("plain", "as a sender makes it", 0x0123456789ABCDEF, 0xFEDCBA9876543210, allOnes, 0, allOnes, "DRAFT00-3-02", "DRAFT00-5.1.2-03")
	add("zero", "a word of ones becomes 0", allOnes, 0, allOnes, 0, allOnes)
	add("ones", "a word of zeros becomes all ones", 0, allOnes, allOnes, 0, allOnes)
	add("same", "with what is there already", 0x8000_0000_0000_0001, 0x8000_0000_0000_0001, allOnes, 0, allOnes)
	add("mask_zero", "the Swap Mask is 0 and ignored", 0x0123456789ABCDEF, 0xFEDCBA9876543210, 0, 0, allOnes, "DRAFT00-5.2.1-08")
	add("mask_octets", "a Swap Mask of alternating octets is ignored", 0x0123456789ABCDEF, 0xFEDCBA9876543210, 0xFF00FF00FF00FF00, 0, allOnes, "DRAFT00-5.2.1-08")
	add("compare_differs", "a Compare Data that differs is ignored", 0x0123456789ABCDEF, 0xFEDCBA9876543210, allOnes, allOnes, allOnes, "DRAFT00-5.2.1-10")
	add("compare_mask_zero", "the Compare Mask is 0 and ignored", 0x0123456789ABCDEF, 0xFEDCBA9876543210, allOnes, 5, 0, "DRAFT00-5.2.1-12")
	for _, bit := range boundaryBits {
		add(fmt.Sprintf("bit%d", bit), fmt.Sprintf("only bit %d is set, before it was the only one clear", bit), ^(uint64(1) << bit), 1<<bit, 0, 0, 0, "DRAFT00-5.2.1-08")
	}
	l.add("swap/chain", "three Swaps of one word: each answers what the one before it wrote", flags(Swap, SameWord), func(t *T) {
		t.word(0, 1)
		for _, v := range []uint64{0x2_0000_0000, 0x3_0000_0000, 0x4_0000_0000} {
			t.request(0, t.swap(0, v))
		}
	})
	l.add("swap/misaligned", "Swap of an address that is not a multiple of 8 is an error (I-14)", flags(Swap, Misaligned), func(t *T) {
		r := t.swap(0, 5)
		r.RemoteTO += 4
		t.request(0, r)
	}).cite("DRAFT00-5.1.2-07")
}
