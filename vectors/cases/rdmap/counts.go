package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// pastOctet is a number of messages on a queue that makes an 8-bit MSN wrap.
const pastOctet = 300

// counts runs past the wraps of rings and small counters.
func counts(l *list) {
	l.add("count/sends", fmt.Sprintf("%d Sends and Immediates, with as many receive requests as fit", pastOctet), flags(Sequence), func(t *T) {
		for left := pastOctet; left > 0; {
			n := min(left, t.Config.ReceiveDepth)
			for i := range n {
				t.receive(0, sink, 8*(i%64), 8)
			}
			for i := range n {
				if (left-i)%3 == 0 {
					t.immediate(0, i%2 == 0, data+uint64(left-i))
				} else {
					t.send(0, wire.OpSend, pattern((left-i)%9))
				}
			}
			left -= n
		}
	})
	l.add("count/requests", fmt.Sprintf("%d Atomics and Reads, IRD at a time", pastOctet), flags(Sequence), func(t *T) {
		for left := pastOctet; left > 0; {
			n := min(left, t.Config.IRD, 64)
			for i := range n {
				if (left-i)%5 == 0 {
					t.read(0, target, i, (left-i)%20)
				} else {
					t.atomic(0, t.fetchAdd(words, 8*(i%32), 1, 0))
				}
			}
			t.rest()
			left -= n
		}
	})
	l.add("count/answers", fmt.Sprintf("%d Atomics by this end, and their responses", pastOctet), flags(Sequence), func(t *T) {
		for left := pastOctet; left > 0; {
			n := min(left, t.Config.ORD, t.Config.SendDepth)
			var issued []uint32
			for i := range n {
				issued = append(issued, t.postAtomic(0, sink, 8*(i%64), rdmap.Operands{Data: 1}))
			}
			for _, id := range issued {
				t.atomicResponse(0, id, uint64(id)<<40|uint64(left))
			}
			left -= n
		}
	})
	l.add("count/out/sends", fmt.Sprintf("%d Sends and Immediates by this end, as many as fit at a time", pastOctet), flags(Sequence), func(t *T) {
		for left := pastOctet; left > 0; {
			n := min(left, t.Config.SendDepth)
			for i := range n {
				if (left-i)%4 == 0 {
					t.postImmediate(0, i%2 == 0, data+uint64(left-i))
				} else {
					t.postSend(0, wire.OpSend, source, i%64, (left-i)%9)
				}
			}
			t.rest()
			left -= n
		}
	})
	l.add("count/out/reads", fmt.Sprintf("%d Reads by this end, and their responses", pastOctet), flags(Sequence), func(t *T) {
		for left := pastOctet; left > 0; {
			n := min(left, t.Config.ORD, t.Config.SendDepth)
			for i := range n {
				t.postRead(0, sink, 8*(i%64), 1+i%8)
			}
			for i := range n {
				t.readResponse(0, sink, 8*(i%64), true, pattern(1+i%8))
			}
			left -= n
		}
	})
	l.add("count/next_msn", "an MSN on the queue of requests that is 256 too low, after 300 requests", flags(Sequence, WrongMSN), func(t *T) {
		for left := pastOctet; left > 0; {
			n := min(left, t.Config.IRD, 64)
			for i := range n {
				t.read(0, target, i, 0)
			}
			t.rest()
			left -= n
		}
		t.in(0, wire.AppendAtomicRequest(nil, t.msn(0, wire.QueueRequest)-256, t.fetchAdd(words, 0, 1, 0)))
	}).ends()
	l.add("count/next_send", "an MSN on the queue of Sends that is 256 too low, after 300 Immediates", flags(Sequence, WrongMSN), func(t *T) {
		for left := pastOctet; left > 0; {
			n := min(left, t.Config.ReceiveDepth)
			t.receives(0, n)
			for i := range n {
				t.immediate(0, false, uint64(i))
			}
			left -= n
		}
		t.receives(0, 1)
		t.in(0, wire.AppendSend(nil, wire.OpSend, 0, t.msn(0, wire.QueueSend)-256, 0, true, pattern(3)))
	}).ends()
	l.add("count/segments", "a Send of 300 segments", flags(MultiSegment), func(t *T) {
		t.receive(0, sink, 1, 2*pastOctet)
		for i := range pastOctet {
			t.part(0, wire.OpSend, 0, 2*i, i == pastOctet-1, pattern(2))
		}
	})
}

// overfull fills queues exactly, with one more, and with many more.
func overfull(l *list) {
	c := l.config
	for _, more := range []int{1, 2, 8} {
		l.add(fmt.Sprintf("full/receives/%d", more), fmt.Sprintf("%d excess receive requests are refused, after some were used; the others are used in order", more), flags(Limit), func(t *T) {
			t.receives(0, 1)
			t.send(0, wire.OpSend, pattern(3))
			for i := range t.Config.ReceiveDepth + more {
				t.receive(0, sink, 8*(i%64), 8)
			}
			for i := range t.Config.ReceiveDepth {
				t.send(0, wire.OpSend, pattern(i%9))
			}
			t.receives(0, 1)
			t.send(0, wire.OpSend, pattern(5))
		}).ends()
		l.add(fmt.Sprintf("full/ird/%d", more), fmt.Sprintf("%d Reads and Atomics more than IRD while m_axis_tx is held: the first excess one ends the stream", more), flags(Limit), func(t *T) {
			t.hold()
			for i := range t.Config.IRD {
				if i%3 == 0 {
					t.atomic(0, t.fetchAdd(words, 8*(i%32), 1, 0))
				} else {
					t.read(0, target, i, 8)
				}
			}
			t.rest()
			for i := range more {
				t.read(0, target, i, 4)
			}
			t.release()
		}).ends()
		l.add(fmt.Sprintf("full/ord/%d", more), fmt.Sprintf("%d Reads and Atomics by this end more than ORD wait until responses arrive, one by one", more), flags(Limit), func(t *T) {
			n := t.Config.ORD + more
			var issued []uint32
			for i := range n {
				if i%3 == 0 {
					issued = append(issued, t.postRead(0, sink, 8*(i%64), 8))
				} else {
					issued = append(issued, t.postAtomic(0, sink, 8*(i%64), rdmap.Operands{Data: 1}))
				}
			}
			for i := range n {
				t.rest()
				if i%3 == 0 {
					t.readResponse(0, sink, 8*(i%64), true, pattern(8))
				} else {
					t.atomicResponse(0, issued[i], data)
				}
			}
		}).depth(c.ORD + more)
	}
	l.add("full/ird/refilled", "IRD requests while m_axis_tx is held; one response is sent and one more request arrives: six times", flags(Limit), func(t *T) {
		for range 6 {
			t.hold()
			for i := range t.Config.IRD {
				t.read(0, target, i, 8)
			}
			t.release()
			t.rest()
			t.atomic(0, t.fetchAdd(words, 0, 1, 0))
			t.rest()
		}
	})
	l.add("full/ird/all_streams", "IRD requests on all streams of the group at once, while m_axis_tx is held", flags(Limit, StreamIsolation), func(t *T) {
		t.hold()
		for i := range t.Config.IRD {
			for s := range t.layout.Streams {
				if (i+s)%2 == 0 {
					t.read(s, target, 8*s+i, 8)
				} else {
					t.atomic(s, t.fetchAdd(shared, 8*s, 1, 0))
				}
			}
		}
		t.release()
	})
	l.add("full/ird/all_streams_exceed", "IRD requests on all streams of the group at once, and one more on the last", flags(Limit, StreamIsolation), func(t *T) {
		t.hold()
		for i := range t.Config.IRD {
			for s := range t.layout.Streams {
				t.read(s, target, 8*s+i, 8)
			}
		}
		t.rest()
		t.read(len(t.layout.Streams)-1, target, 0, 8)
		t.release()
	}).ends()
	l.add("full/work/all_streams", "as many work requests as fit on all streams of the group at once, while m_axis_tx is held, twice", flags(Limit, StreamIsolation), func(t *T) {
		for range 2 {
			t.hold()
			for i := range t.Config.SendDepth {
				for s := range t.layout.Streams {
					t.postImmediate(s, i%2 == 0, uint64(s)<<32|uint64(i))
				}
			}
			t.release()
			t.rest()
		}
	})
	l.add("full/receives/all_streams", "as many receive requests as fit on all streams of the group at once, and Sends for them in turn, twice", flags(Limit, StreamIsolation), func(t *T) {
		for range 2 {
			for i := range t.Config.ReceiveDepth {
				for s := range t.layout.Streams {
					t.receive(s, shared, 64*s+i%32, 8)
				}
			}
			for i := range t.Config.ReceiveDepth {
				for s := range t.layout.Streams {
					t.send(s, sends[i%2*2], pattern(1+i%8))
				}
			}
		}
	})
	l.add("full/work", "three times as many work requests as fit, posted at once: the excess waits at the port", flags(Limit), func(t *T) {
		for i := range 3 * t.Config.SendDepth {
			t.postWrite(0, source, i%64, 3+i%5)
		}
	})
	l.add("full/work/held_up", "work requests that wait at the port for room, and block later ones of another stream, until responses arrive", flags(Limit), func(t *T) {
		for i := range t.Config.SendDepth + 2 {
			t.postRead(0, sink, 8*(i%64), 8)
		}
		t.postWrite(1, foreign, 0, 8)
		for i := range t.Config.SendDepth + 2 {
			t.rest()
			t.readResponse(0, sink, 8*(i%64), true, pattern(8))
		}
	})
	l.add("full/work/one_more", "one work request more than fits, posted at once", flags(Limit), func(t *T) {
		for i := range t.Config.SendDepth + 1 {
			t.postImmediate(0, false, uint64(i))
		}
	})
}
