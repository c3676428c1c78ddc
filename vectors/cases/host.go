package cases

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/wire"
)

// host accesses words through the host port, opens streams again and resets.
func host(l *list) {
	l.add("host/read_after_add", "the host reads what a FetchAdd left", flags(HostAccess), func(t *T) {
		t.word(0, 0x0000_0000_FFFF_FFFF)
		t.request(0, t.fetchAdd(0, 1, 0))
		t.hostRead(0)
	})
	l.add("host/write_before_add", "the host writes a word, a FetchAdd adds to it; the host is answered with the word from before", flags(HostAccess), func(t *T) {
		t.word(0, 0x1111_1111_1111_1111)
		t.hostWrite(0, 0xFFFF_FFFF_FFFF_FFFF)
		t.request(0, t.fetchAdd(0, 2, 0))
		t.hostRead(0)
	})
	l.add("host/write_between", "a word is written between two CmpSwaps, so that the second one fails", flags(HostAccess, Mismatch), func(t *T) {
		t.word(0, 5)
		t.request(0, t.cmpSwap(0, 6, allOnes, 5, allOnes))
		t.hostWrite(0, 0xDEAD_0000_BEEF_0000)
		t.request(0, t.cmpSwap(0, 7, allOnes, 6, allOnes))
		t.hostRead(0)
	})
	l.add("host/first_last", "the host reads and writes the first and the last word", flags(HostAccess, WindowEdge), func(t *T) {
		t.word(First, 0x1111_1111_0000_0001)
		t.word(Last, 0x2222_2222_0000_0002)
		t.hostRead(Last)
		t.hostWrite(First, 0x3333_3333_0000_0003)
		t.hostRead(Last)
		t.hostRead(First)
		t.request(0, t.fetchAdd(First, 1, 0))
		t.hostWrite(Last, 0x4444_4444_0000_0004)
		t.hostRead(First)
	})
	l.add("host/refused_leaves_word", "the host reads a word that a refused request named", flags(HostAccess, Misaligned), func(t *T) {
		t.send(0, t.broken(func(r *wire.AtomicRequest) { r.RemoteTO += 6 }))
		t.hostRead(0)
	})

	l.add("setup/opens_after_error", "a terminated stream is opened again: its next request is executed", flags(StreamSetup, AfterError), func(t *T) {
		t.send(0, t.broken(func(r *wire.AtomicRequest) { r.RemoteSTag ^= 1 }))
		t.request(0, t.fetchAdd(0, 1, 0))
		t.setup(0, 1)
		t.request(0, t.fetchAdd(0, 2, 0))
	})
	l.add("setup/sets_msn", "a stream in use gets another MSN", flags(StreamSetup, MSNWrap), func(t *T) {
		t.request(0, t.fetchAdd(0, 1, 0))
		t.setup(0, 0xFFFFFFFF)
		t.request(0, t.fetchAdd(0, 1, 0))
		t.request(0, t.fetchAdd(0, 1, 0))
	})
	l.add("setup/leaves_others", "opening one stream leaves another one terminated, and a third one counting", flags(StreamSetup, StreamIsolation), func(t *T) {
		t.open(2, 41)
		t.request(2, t.fetchAdd(0, 1, 0))
		t.send(1, t.plain(wire.OpSend)[:3])
		t.setup(0, 9)
		t.request(1, t.fetchAdd(0, 2, 0))
		t.request(2, t.fetchAdd(0, 4, 0))
		t.request(0, t.fetchAdd(0, 8, 0))
	})
	for _, s := range []struct {
		name string
		i    int
	}{{"first", First}, {"last", Last}} {
		l.add("setup/"+s.name+"_stream", fmt.Sprintf("the %s stream is terminated and opened again", s.name), flags(StreamSetup), func(t *T) {
			t.send(s.i, t.plain(wire.OpSend)[:0])
			t.setup(s.i, 0x10)
			t.request(s.i, t.fetchAdd(0, 1, 0))
		})
		l.alone("reset/"+s.name+"_stream", fmt.Sprintf("after a reset the first response on the %s stream has MSN 1", s.name), func(t *T) {
			t.open(s.i, 0x11223344)
			t.request(s.i, t.fetchAdd(0, 1, 0))
			t.reset()
			t.hostWrite(0, 0xABCD)
			t.request(s.i, t.fetchAdd(0, 1, 0))
		})
	}
	l.alone("reset/opens_after_error", "a terminated stream is open after a reset", func(t *T) {
		t.send(0, t.broken(func(r *wire.AtomicRequest) { r.AOpCode = 7 }))
		t.request(0, t.fetchAdd(0, 1, 0))
		t.reset()
		t.hostWrite(0, 0x1234_5678_0000_0000)
		t.request(0, t.fetchAdd(0, 0x9, 0))
		t.hostRead(0)
	})
	l.alone("reset/every_kind", "after a reset every kind of message is taken", func(t *T) {
		t.reset()
		t.hostWrite(0, 1)
		for _, m := range wire.Messages {
			t.send(0, t.plain(m.Opcode))
		}
	})
}

// alone adds a case that resets.
func (l *list) alone(key, comment string, write func(t *T)) {
	l.add(key, comment, flags(Reset), write).Alone = true
}

// traffic sends many messages without a pause between them.
func traffic(l *list) {
	l.add("traffic/all_kinds", "every kind of message, twice, on one stream", flags(MixedTraffic), func(t *T) {
		for range 2 {
			for _, m := range wire.Messages {
				t.send(0, t.plain(m.Opcode))
			}
		}
	})
	l.add("traffic/all_pairs", "an Atomic Request behind and before every other kind of message", flags(MixedTraffic), func(t *T) {
		for _, m := range wire.Messages {
			t.send(0, t.plain(m.Opcode))
			t.request(0, t.fetchAdd(0, 1, 0))
		}
	})
	l.add("traffic/all_kinds_on_two_streams", "every kind of message, from two streams in turn", flags(MixedTraffic, StreamIsolation), func(t *T) {
		for i, m := range wire.Messages {
			t.send(i%2, t.plain(m.Opcode))
			t.request(1-i%2, t.fetchAdd(1, uint64(i), 0))
		}
	})
	l.add("traffic/reverse", "every kind of message, from the last to the first", flags(MixedTraffic), func(t *T) {
		for i := range wire.Messages {
			t.send(0, t.plain(wire.Messages[len(wire.Messages)-1-i].Opcode))
		}
	})
	l.add("traffic/every_error", "every error kind on one stream after the other, a good stream's requests between them",
		flags(MixedTraffic, StreamIsolation, AfterError), func(t *T) {
			for i, f := range failures {
				t.setup(0, 1)
				t.send(0, f.segment(t))
				t.request(1, t.fetchAdd(1, uint64(i), 0))
			}
		})
	l.add("traffic/burst", "24 Atomic Requests without a pause, of four words", flags(MixedTraffic), func(t *T) {
		for i := range 24 {
			t.request(0, t.fetchAdd(i%4, 0x0100_0001, 0))
		}
	}).cite("RFC7306-5.4-12", "RFC7306-5.4-13")
	for _, n := range []int{4, 16, 32} {
		l.add(fmt.Sprintf("traffic/%d_streams", n), fmt.Sprintf("one request on each of %d streams", n), flags(MixedTraffic, StreamIsolation), func(t *T) {
			for i := range n {
				t.open(i, uint32(i*0x1000000))
				t.request(i, t.fetchAdd(0, 1, 0))
			}
		})
	}
	l.add("traffic/empty_segments", "segments without an octet on two streams, between requests of a third one", flags(ShortHeader, MixedTraffic), func(t *T) {
		for i := range 3 {
			t.request(2, t.fetchAdd(0, 1, 0))
			t.send(i%2, nil)
		}
		t.request(2, t.fetchAdd(0, 1, 0))
	})
}
