package cases

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/wire"
)

// sameWord hits the same 8 octets without a pause.
func sameWord(l *list) {
	l.add("same_word/one_stream", "eight FetchAdds of one word from one stream", flags(SameWord), func(t *T) {
		t.word(0, 0xFFFF_FFF0)
		for range 8 {
			t.request(0, t.fetchAdd(0, 0x1_0000_0003, 0))
		}
	}).cite("RFC7306-7-15", "RFC7306-5.2.1-35")
	for _, n := range []int{2, 4, 8} {
		l.add(fmt.Sprintf("same_word/%d_streams", n), fmt.Sprintf("FetchAdds of one word from %d streams in turn", n), flags(SameWord), func(t *T) {
			t.word(0, 0)
			for i := range 2 * n {
				t.request(i%n, t.fetchAdd(0, 1<<(4*i%64), 0))
			}
		}).cite("RFC7306-5-04", "RFC7306-5-05", "RFC7306-5.3-01", "RFC7306-5.4-03")
	}
	l.add("same_word/compare_chain", "CmpSwaps from two streams, each of which expects what the other wrote", flags(SameWord), func(t *T) {
		t.word(0, 100)
		for i := range 8 {
			t.request(i%2, t.cmpSwap(0, uint64(101+i), allOnes, uint64(100+i), allOnes))
		}
	}).cite("RFC7306-5-04", "RFC7306-5.3-01")
	l.add("same_word/add_and_compare", "FetchAdd and CmpSwap of one word in turn", flags(SameWord, Mismatch), func(t *T) {
		t.word(0, 0)
		for i := range 4 {
			t.request(0, t.fetchAdd(0, 1, 0))
			t.request(0, t.cmpSwap(0, 0x8000_0000_0000_0000, allOnes, uint64(1+i%2), allOnes))
		}
	}).cite("RFC7306-7-15")
	l.add("same_word/two_words_in_turn", "two words in turn: nothing is forwarded from one to the other", flags(SameWord), func(t *T) {
		t.word(0, 0x1000)
		t.word(1, 0x2000)
		for i := range 8 {
			t.request(0, t.fetchAdd(i%2, 1, 0))
		}
	})
	for gap := 1; gap <= 4; gap++ {
		l.add(fmt.Sprintf("same_word/after_%d_others", gap), fmt.Sprintf("one word again after %d accesses to another one", gap), flags(SameWord), func(t *T) {
			t.word(0, 0x1111)
			t.word(1, 0x2222)
			t.request(0, t.fetchAdd(0, 0x10, 0))
			for range gap {
				t.request(0, t.fetchAdd(1, 0x100, 0))
			}
			t.request(0, t.fetchAdd(0, 0x1000, 0))
		})
	}
	l.add("same_word/records_between", "FetchAdds of one word with a Send between any two", flags(SameWord, MixedTraffic), func(t *T) {
		t.word(0, 0)
		for range 4 {
			t.request(0, t.fetchAdd(0, 1, 0))
			t.send(0, t.plain(wire.OpSendSE))
		}
	})
	l.add("same_word/refused_between", "a refused request of one stream between two executed ones of another, all of one word", flags(SameWord, StreamIsolation), func(t *T) {
		t.word(0, 7)
		t.request(0, t.fetchAdd(0, 1, 0))
		t.send(1, t.broken(func(r *wire.AtomicRequest) { r.AOpCode = 15 }))
		t.request(0, t.fetchAdd(0, 1, 0))
	})
}

// msns looks at the Message Sequence Numbers of the responses.
func msns(l *list) {
	for _, start := range []uint32{0, 1, 0x7FFFFFFF, 0xFFFF, 0xFFFFFFFE, 0xFFFFFFFF} {
		l.add(fmt.Sprintf("msn/from_%x", start), fmt.Sprintf("three responses, the first with MSN 0x%X", start), flags(MSNWrap), func(t *T) {
			t.open(0, start)
			for range 3 {
				t.request(0, t.fetchAdd(0, 1, 0))
			}
		}).cite("RFC7306-5-16")
	}
	l.add("msn/per_stream", "each of two streams counts for itself, also over the wrap", flags(MSNWrap, StreamIsolation), func(t *T) {
		t.open(0, 0xFFFFFFFF)
		t.open(1, 5)
		for _, s := range []int{0, 1, 1, 0, 0, 1} {
			t.request(s, t.fetchAdd(0, 1, 0))
		}
	}).cite("RFC7306-5-16")
	l.add("msn/records_do_not_count", "only responses count: Sends and Immediate Data between them do not", flags(MSNWrap, MixedTraffic), func(t *T) {
		t.open(0, 0xFFFFFFFE)
		for range 3 {
			t.request(0, t.fetchAdd(0, 1, 0))
			t.send(0, t.plain(wire.OpSend))
			t.send(0, t.plain(wire.OpImmediateSE))
		}
	}).cite("RFC7306-5-16")
	l.add("msn/request_msn_is_not_echoed", "requests whose own MSN on queue 1 is not that of the response on queue 3", flags(MSNWrap), func(t *T) {
		t.open(0, 17)
		for _, msn := range []uint32{2, 0xFFFFFFFF, 0x80000000} {
			t.send(0, wire.AppendAtomicRequest(nil, msn, t.fetchAdd(0, 1, 0)))
		}
	}).cite("RFC7306-5-16", "RFC7306-5.2-03")
	l.add("msn/identifiers", "Request Identifiers come back as they are: 0, all ones, and the same one twice", flags(FieldRange), func(t *T) {
		for _, id := range []uint32{0, 0xFFFFFFFF, 0x80000001, 0x80000001} {
			r := t.fetchAdd(0, 1, 0)
			r.RequestIdentifier = id
			t.request(0, r)
		}
	}).cite("RFC7306-5.2.1-09", "RFC7306-5.2.2-04")
}
