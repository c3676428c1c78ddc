package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

const taggedOctets = 14 // of the DDP header

// payloads tests many lengths, at addresses of all alignments, in every role.
func payloads(l *list) {
	for i, n := range boundaries(taggedOctets) {
		flag := BusBoundary
		switch {
		case n == 0:
			flag = ZeroLength
		case n < 8:
			flag = ShortPayload
		}
		at := 1 + (i*29+n*3)%61 // octets after the start of the area
		add := func(role, what string, write func(t *T)) *Case {
			return l.add(fmt.Sprintf("length/%s/%d", role, n), fmt.Sprintf("%s of %d octets, %d after the start of the buffer", what, n, at), flags(flag), write)
		}
		add("rdma_write", "an RDMA Write", func(t *T) { t.write(0, target, at, pattern(n)) })
		add("send", "a Send", func(t *T) { t.receive(0, sink, at, n); t.send(0, sends[i%2*2], pattern(n)) })
		add("read_request", "an RDMA Read", func(t *T) { t.read(0, target, at, n) })
		if i%2 == 0 || n < 8 {
			add("out/rdma_write", "an RDMA Write by this end", func(t *T) { t.postWrite(0, source, at, n) })
		}
		if i%2 == 1 || n < 8 {
			add("out/send", "a Send by this end", func(t *T) { t.postSend(0, wire.OpSend, source, at, n) })
		}
		add("read_response", "an RDMA Read by this end", func(t *T) {
			t.postRead(0, sink, at, n)
			t.readResponse(0, sink, at, true, pattern(n))
		})
	}
	m := l.config.MaxPayload
	for _, n := range []int{m - 1, m, m + 1, m + 65, 2*m - 1, 2 * m, 2*m + 7} {
		l.add(fmt.Sprintf("cut/read_request/%s", around(n, m)), fmt.Sprintf("an RDMA Read of max_payload %s octets", around(n, m)), flags(MultiSegment), func(t *T) { t.read(0, target, 9, n) })
		l.add(fmt.Sprintf("cut/out/rdma_write/%s", around(n, m)), fmt.Sprintf("an RDMA Write of max_payload %s octets by this end", around(n, m)), flags(MultiSegment), func(t *T) { t.postWrite(0, source, 9, n) })
		l.add(fmt.Sprintf("cut/out/send/%s", around(n, m)), fmt.Sprintf("a Send of max_payload %s octets by this end", around(n, m)), flags(MultiSegment), func(t *T) { t.postSend(0, wire.OpSendSE, source, 9, n) })
		l.add(fmt.Sprintf("cut/rdma_write/%s", around(n, m)), fmt.Sprintf("an RDMA Write of max_payload %s octets in one segment", around(n, m)), flags(MaxLength), func(t *T) { t.write(0, target, 9, pattern(n)) })
	}
	l.add("length/rdma_write/whole", "an RDMA Write of a whole area in one segment", flags(MaxLength), func(t *T) { t.write(0, target, 0, pattern(long(t.Config))) })
	l.add("length/send/whole", "a Send of a whole area in one segment", flags(MaxLength), func(t *T) {
		t.receive(0, sink, 0, long(t.Config))
		t.send(0, wire.OpSend, pattern(long(t.Config)))
	})
}

// around formats a length by its distance from a multiple of m.
func around(n, m int) string {
	times := (n + m/2) / m
	switch d := n - times*m; {
	case d < 0:
		return fmt.Sprintf("x%d_minus_%d", times, -d)
	case d > 0:
		return fmt.Sprintf("x%d_plus_%d", times, d)
	}
	return fmt.Sprintf("x%d", times)
}

// parts tests messages of several segments.
func parts(l *list) {
	cuts := []struct {
		name  string
		sizes []int
	}{
		{"halves", []int{16, 16}}, {"odd", []int{1, 7, 13, 3}}, {"empty_first", []int{0, 9}}, {"empty_middle", []int{9, 0, 9}}, {"empty_last", []int{9, 0}},
		{"only_empty", []int{0, 0}}, {"octets", []int{1, 1, 1, 1, 1, 1, 1}}, {"long", []int{45, 129, 300}},
	}
	each := func(sizes []int, f func(offset int, last bool, data []byte)) {
		all, offset := 0, 0
		for _, n := range sizes {
			all += n
		}
		octets := pattern(all)
		for i, n := range sizes {
			f(offset, i == len(sizes)-1, octets[offset:offset+n])
			offset += n
		}
	}
	for _, c := range cuts {
		all := 0
		for _, n := range c.sizes {
			all += n
		}
		l.add("parts/rdma_write/"+c.name, fmt.Sprintf("an RDMA Write in segments of %v octets", c.sizes), flags(MultiSegment), func(t *T) {
			a := t.area(target)
			each(c.sizes, func(offset int, last bool, data []byte) {
				t.in(0, wire.AppendWrite(nil, a.stag(), a.to(11+offset), last, data))
			})
		})
		for i, op := range sends {
			if (i+len(c.name))%2 == 0 && op != wire.OpSend {
				continue
			}
			l.add("parts/"+op.Name()+"/"+c.name, fmt.Sprintf("%v in segments of %v octets", op, c.sizes), flags(MultiSegment), func(t *T) {
				t.receive(0, sink, 11, all)
				each(c.sizes, func(offset int, last bool, data []byte) { t.part(0, op, t.area(common).stag(), offset, last, data) })
			})
		}
		if c.sizes[len(c.sizes)-1] == 0 {
			continue // a complete Read Response must have L set
		}
		l.add("parts/read_response/"+c.name, fmt.Sprintf("a Read Response in segments of %v octets", c.sizes), flags(MultiSegment), func(t *T) {
			t.postRead(0, sink, 11, all)
			each(c.sizes, func(offset int, last bool, data []byte) { t.readResponse(0, sink, 11+offset, last, data) })
		})
	}
	l.add("parts/write_in_send", "an RDMA Write between the segments of a Send", flags(MultiSegment), func(t *T) {
		t.receives(0, 1)
		t.part(0, wire.OpSend, 0, 0, false, pattern(9))
		t.write(0, target, 3, pattern(33))
		t.part(0, wire.OpSend, 0, 9, true, pattern(9))
	})
	l.add("parts/read_in_send", "an RDMA Read between the segments of a Send: it is executed when the Send is complete", flags(MultiSegment), func(t *T) {
		t.receives(0, 1)
		t.part(0, wire.OpSend, 0, 0, false, pattern(9))
		t.read(0, target, 3, 33)
		t.part(0, wire.OpSend, 0, 9, true, pattern(9))
	})
	l.add("parts/invalidate_counts_last", "a Send with Invalidate whose first segment names another STag: that of the last one applies", flags(MultiSegment, Invalidation), func(t *T) {
		t.receives(0, 1)
		t.part(0, wire.OpSendInv, t.area(shared).stag(), 0, false, pattern(9))
		t.part(0, wire.OpSendInv, t.area(common).stag(), 9, true, pattern(9))
	})
	l.add("parts/write_never_ends", "an RDMA Write that is never completed, then a Send, which would be delivered first (I-78)", flags(MultiSegment), func(t *T) {
		t.receives(0, 1)
		a := t.area(target)
		for i := range 3 {
			t.in(0, wire.AppendWrite(nil, a.stag(), a.to(20*i), false, pattern(20)))
		}
		t.send(0, wire.OpSend, pattern(2))
	}).ends()
}

// edges tests the first and last octets of regions, and of all tagged offsets.
func edges(l *list) {
	for _, a := range []struct{ name, what string }{{shared, "a region in the middle"}, {top, "a region that ends at TO 2^64 - 1"}, {bottom, "a region that starts at TO 0"}} {
		size := map[string]int{shared: 256, top: 256, bottom: 64}[a.name]
		for _, p := range []struct {
			name, what     string
			offset, octets int
		}{{"first", "the first octet", 0, 1}, {"last", "the last octet", size - 1, 1}, {"last9", "the last 9 octets", size - 9, 9}, {"whole", "all octets", 0, size}} {
			add := func(role, what string, write func(t *T)) {
				l.add(fmt.Sprintf("edge/%s/%s/%s", a.name, role, p.name), fmt.Sprintf("%s %s of %s", what, p.what, a.what), flags(RegionEdge), write)
			}
			add("rdma_write", "an RDMA Write of", func(t *T) { t.write(0, a.name, p.offset, pattern(p.octets)) })
			add("read_request", "an RDMA Read of", func(t *T) { t.read(0, a.name, p.offset, p.octets) })
			add("send", "a Send into", func(t *T) { t.receive(0, a.name, p.offset, p.octets); t.send(0, wire.OpSend, pattern(p.octets)) })
			add("out/rdma_write", "an RDMA Write by this end from", func(t *T) { t.postWrite(0, a.name, p.offset, p.octets) })
			add("out/read_request", "an RDMA Read by this end to", func(t *T) {
				t.postRead(0, a.name, p.offset, p.octets)
				t.readResponse(0, a.name, p.offset, true, pattern(p.octets))
			})
		}
		for _, p := range []struct {
			name   string
			offset int
		}{{"first", 0}, {"last", size - 8}} {
			l.add(fmt.Sprintf("edge/%s/atomic_request/%s", a.name, p.name), fmt.Sprintf("a FetchAdd on the %s word of %s", p.name, a.what), flags(RegionEdge), func(t *T) {
				t.atomic(0, t.fetchAdd(a.name, p.offset, 0x0101_0101_0101_0101, 0))
			}).cite("RFC7306-5.2.1-12", "RFC7306-5.2.1-13")
			l.add(fmt.Sprintf("edge/%s/out/atomic_request/%s", a.name, p.name), fmt.Sprintf("the result of an atomic goes to the %s 8 octets of %s", p.name, a.what), flags(RegionEdge), func(t *T) {
				id := t.postAtomic(0, a.name, p.offset, rdmap.Operands{Data: 1})
				t.atomicResponse(0, id, data)
			})
		}
	}
	l.add("edge/read_response/sink_to_wraps", "an RDMA Read whose Data Sink TO exceeds 2^64 - 1 at the peer: the TO of the response wraps", flags(TOWrap), func(t *T) {
		a := t.area(target)
		t.in(0, wire.AppendReadRequest(nil, 1, wire.ReadRequest{DataSinkSTag: peerSTag, DataSinkTO: -uint64(t.Config.MaxPayload), ReadMessageSize: uint32(t.Config.MaxPayload + 5),
			DataSourceSTag: a.stag(), DataSourceTO: a.to(0)}))
	})
	l.add("edge/out/rdma_write/to_wraps", "this end writes to a TO of 2^64 - max_payload at the peer: the TO of the second segment is 0", flags(TOWrap), func(t *T) {
		t.postWrite(0, source, 0, t.Config.MaxPayload+5, func(w *rdmap.WorkRequest) { w.Remote.TO = -uint64(t.Config.MaxPayload) })
	}).decides("I-88")
}

// zeros tests messages of no octets: neither STag nor TO is checked.
func zeros(l *list) {
	for _, p := range []struct {
		name, what string
		stag       uint32
		to         uint64
	}{{"zero", "STag 0 and TO 0", 0, 0}, {"ones", "an STag and a TO of ones", 0xFFFF_FFFF, allOnes}} {
		add := func(role, what string, write func(t *T)) {
			l.add("zero/"+role+"/"+p.name, what+" of no octets, with "+p.what, flags(ZeroLength, STagZero), write)
		}
		b := rdmap.Buffer{STag: p.stag, TO: p.to}
		add("rdma_write", "an RDMA Write", func(t *T) { t.in(0, wire.AppendWrite(nil, p.stag, p.to, true, nil)); t.write(0, shared, 0, pattern(1)) })
		add("rdma_write_not_last", "an RDMA Write, not its last segment,", func(t *T) {
			t.in(0, wire.AppendWrite(nil, p.stag, p.to, false, nil))
			t.write(0, shared, 0, pattern(1))
		})
		add("read_request", "an RDMA Read", func(t *T) { t.readFrom(0, p.stag, p.to, 0) })
		add("send", "a Send into a buffer", func(t *T) {
			t.ids++
			t.add(inputOfReceive(t, b))
			t.send(0, wire.OpSend, nil)
		})
		add("out/rdma_write", "an RDMA Write by this end", func(t *T) { t.post(rdmap.WorkRequest{Opcode: wire.OpWrite, Local: b, Remote: b}) })
		add("out/send", "a Send by this end", func(t *T) { t.post(rdmap.WorkRequest{Opcode: wire.OpSend, Local: b}) })
		add("out/read_request", "an RDMA Read by this end", func(t *T) {
			t.post(rdmap.WorkRequest{Opcode: wire.OpReadRequest, Local: b, Remote: b})
			t.in(0, wire.AppendReadResponse(nil, p.stag, p.to, true, nil))
		})
		add("read_response", "a Read Response with another STag than the sink's,", func(t *T) {
			t.postRead(0, sink, 0, 0)
			t.in(0, wire.AppendReadResponse(nil, p.stag, p.to, true, nil))
		})
		l.add("zero/immediate/"+p.name, "Immediate Data uses a receive request whose buffer has "+p.what, flags(STagZero), func(t *T) {
			t.add(inputOfReceive(t, b))
			t.immediate(0, true, data)
		}).cite("RFC7306-6.2-04")
	}
}
