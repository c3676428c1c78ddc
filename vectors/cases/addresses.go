package cases

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/wire"
)

// windows that the cases about addresses go through.
var windows = []struct {
	name, title string
	window      Window
	flag        string
}{
	{"usual", "the usual window", Usual, WindowBase},
	{"zero", "a window at TO 0", zeroBase, WindowBase},
	{"high", "a window at TO 0xFFFFFFFF00000000", highBase, WindowBase},
	{"unaligned", "a window at a TO that ends in 3", unaligned, UnalignedBase},
	{"top", "a window whose last octet has TO 2^64 - 1", topBase, WindowBase},
	{"top_unaligned", "a window whose last octet has TO 2^64 - 6", topUnaligned, UnalignedBase},
}

// lastTO is the highest TO of 8 octets that do not wrap: 2^64 - 8.
const lastTO = ^uint64(7)

// addresses resolves TOs in windows that start at all sorts of TOs.
func addresses(l *list) {
	for _, w := range windows {
		l.add("address/"+w.name+"/first_last", "FetchAdd of the first word and CmpSwap of the last one of "+w.title, flags(w.flag, WindowEdge), func(t *T) {
			t.word(First, 0x1111_2222_3333_4444)
			t.word(Last, 0x5555_6666_7777_8888)
			t.request(0, t.fetchAdd(First, 0x0101_0101_0101_0101, 0))
			t.request(0, t.cmpSwap(Last, 0x9999_AAAA_BBBB_CCCC, allOnes, 0x5555_6666_7777_8888, allOnes))
		}).in(w.window).cite("RFC7306-5.2.1-12", "RFC7306-5.2.1-13", "RFC7306-5.2.1-14")
		for low := uint64(1); low < 8; low++ {
			op := [2]string{"FetchAdd", "CmpSwap"}[low%2]
			l.add(fmt.Sprintf("address/%s/misaligned/%d", w.name, low), fmt.Sprintf("%s %d octets behind the start of a word in %s", op, low, w.title),
				flags(w.flag, Misaligned), func(t *T) {
					t.word(0, 0x0706_0504_0302_0100)
					r := t.fetchAdd(0, 1, 0)
					if op == "CmpSwap" {
						r = t.cmpSwap(0, 0xEEEE_EEEE_EEEE_EEEE, allOnes, 0, 0)
					}
					r.RemoteTO += low
					t.request(0, r)
				}).in(w.window).cite("RFC7306-5-12", "RFC7306-5.2.1-14")
		}
	}
	l.add("address/unaligned/to_multiple_of_8", "in a window at a TO that ends in 3, a TO that is a multiple of 8 is misaligned", flags(UnalignedBase, Misaligned), func(t *T) {
		r := t.fetchAdd(0, 1, 0)
		r.RemoteTO = (r.RemoteTO + 7) &^ 7
		t.request(0, r)
	}).in(unaligned).cite("RFC7306-5.2.1-14")
	l.add("address/neighbours", "three words in a row: only the middle one changes", flags(WindowBase), func(t *T) {
		for i := range 3 {
			t.word(i, 0x0101_0101_0101_0101*uint64(i+1))
		}
		t.request(0, t.fetchAdd(1, allOnes, 0))
	})
	l.add("address/every_other", "eight words in an order of its own, each with a value of its own", flags(WindowBase), func(t *T) {
		for i := range 8 {
			t.word(i, uint64(i)<<60|uint64(i))
		}
		for _, i := range []int{3, 1, 4, 7, 5, 0, 2, 6} {
			t.request(0, t.fetchAdd(i, 0x0100_0000_0000_0010, 0))
		}
	})
}

// edges are TOs just outside the window, or whose 8 octets reach over an end. The words which a device would
// hit that forgets an upper bit or a borrow are compared.
func edges(l *list) {
	add := func(name, title string, w Window, key, what string, flag string, to func(base, size uint64) uint64) {
		l.add("edge/"+name+"/"+key, what+" of "+title, flags(flag, WindowEdge), func(t *T) {
			t.word(First, 0x1111_1111_1111_1111)
			t.word(Last, 0x2222_2222_2222_2222)
			r := t.fetchAdd(First, 1, 0)
			r.RemoteTO = to(t.base, 8*uint64(t.Config.WindowWords))
			t.request(0, r)
		}).in(w)
	}
	for _, w := range windows {
		base, size := w.window.BaseOf(l.config), 8*uint64(l.config.WindowWords)
		end := base + size // 0: 2^64
		if base > 0 {
			add(w.name, w.title, w.window, "below_8", "8 octets below the start", OutOfBounds, func(base, _ uint64) uint64 { return base - 8 })
			add(w.name, w.title, w.window, "below_1", "1 octet below the start", OutOfBounds, func(base, _ uint64) uint64 { return base - 1 })
		}
		if end != 0 && end <= lastTO {
			add(w.name, w.title, w.window, "behind", "the first octet behind the end", OutOfBounds, func(base, size uint64) uint64 { return base + size })
			add(w.name, w.title, w.window, "twice_the_size", "the first word, one size of the window too far,", OutOfBounds, func(base, size uint64) uint64 { return base + 2*size })
		}
		for _, n := range []uint64{1, 4, 7} {
			flag := OutOfBounds
			if end-n > lastTO {
				flag = TOWrap
			}
			add(w.name, w.title, w.window, fmt.Sprintf("reaches_over_%d", 8-n), fmt.Sprintf("%d octets inside and %d behind the end", n, 8-n), flag,
				func(base, size uint64) uint64 { return base + size - n })
		}
	}
	for _, n := range []uint64{1, 2, 4, 7} {
		add("usual", "the usual window", Usual, fmt.Sprintf("wrap_%d", n), fmt.Sprintf("TO 2^64 - %d, outside", n), TOWrap, func(uint64, uint64) uint64 { return -n })
	}
	add("usual", "the usual window", Usual, "no_wrap", "TO 2^64 - 8, which does not wrap and is outside", OutOfBounds, func(uint64, uint64) uint64 { return lastTO })
	add("zero", "a window at TO 0", zeroBase, "wraps_into", "TO 2^64 - 4, whose last 4 octets would be inside", TOWrap, func(uint64, uint64) uint64 { return lastTO + 4 })
	for _, bit := range []int{32, 40, 63} {
		add("usual", "the usual window", Usual, fmt.Sprintf("bit%d", bit), fmt.Sprintf("the first word with bit %d of TO inverted, outside", bit), OutOfBounds,
			func(base, _ uint64) uint64 { return base ^ 1<<bit })
	}
}

// stags names other buffers.
func stags(l *list) {
	refuse := func(key, comment string, w Window, change func(stag uint32) uint32) {
		l.add("stag/"+key, comment, flags(InvalidSTag), func(t *T) {
			r := t.cmpSwap(0, allOnes, allOnes, 0, 0)
			r.RemoteSTag = change(r.RemoteSTag)
			t.request(0, r)
		}).in(w)
	}
	for _, bit := range []int{0, 7, 8, 15, 16, 23, 24, 31} {
		refuse(fmt.Sprintf("bit%d", bit), fmt.Sprintf("bit %d of the Remote STag differs", bit), Usual, func(s uint32) uint32 { return s ^ 1<<bit })
	}
	refuse("key", "the right index with another key", Usual, func(s uint32) uint32 { return s ^ 0xFF })
	refuse("index", "the right key with another index", Usual, func(s uint32) uint32 { return s ^ 0xFFFFFF00 })
	refuse("zero", "Remote STag 0", Usual, func(uint32) uint32 { return 0 })
	refuse("swapped_octets", "the Remote STag in the other octet order", Usual, func(s uint32) uint32 { return s<<24 | s<<8&0xFF0000 | s>>8&0xFF00 | s>>24 })
	refuse("not_zero", "in a window of STag 0, Remote STag 1", zeroSTag, func(uint32) uint32 { return 1 })
	l.add("stag/is_zero", "in a window of STag 0, Remote STag 0 is right", flags(STagZero), func(t *T) { t.request(0, t.fetchAdd(0, 1, 0)) }).in(zeroSTag)
	l.add("stag/write_is_not_checked", "an RDMA Write to the window's STag leaves as a record; its STag and TO are for those who place it", flags(Basic), func(t *T) {
		t.send(0, wire.AppendWrite(nil, t.stag, t.to(0), true, pattern(8)))
		t.request(0, t.fetchAdd(0, 1, 0))
	})
}
