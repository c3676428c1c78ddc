package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// longest is the maximum length of a segment in octets.
const longest = wire.MaxSegment

// longMessages tests messages of many segments, around 64 KiB, and segments of maximum length.
func longMessages(l *list) {
	add := func(key, what string, n int, write func(t *T)) {
		l.add(fmt.Sprintf("long/%s/%d", key, n), fmt.Sprintf("%s of %d octets", what, n), flags(LongMessage), func(t *T) {
			p := t.place("one")
			t.lay(near, memory.Region{Rights: all, Address: p.Address + 3, Length: uint64(p.Size) - 3, Base: 0xFFFF_0003})
			write(t)
		}).in(spacious)
	}
	for i, n := range []int{1<<16 - 1, 1 << 16, 1<<16 + 1} {
		// Segments of a size that is not a multiple of any bus width or max_payload.
		cut := []int{9000, l.config.MaxPayload, 20011}[i]
		if n/cut > 64 {
			cut = n / 64
		}
		sizes := pieces(n, cut)
		if i != 1 {
			add("rdma_write", "an RDMA Write", n, func(t *T) {
				a := t.area(near)
				eachPart(sizes, func(offset int, last bool, data []byte) {
					t.in(0, wire.AppendWrite(nil, a.stag(), a.to(5+offset), last, data))
				})
			})
			add("out/send", "a Send by this end", n, func(t *T) { t.postSend(0, wire.OpSendSE, near, 5, n) })
		}
		if i != 0 {
			add("send", "a Send", n, func(t *T) {
				t.receive(0, near, 5, n)
				eachPart(sizes, func(offset int, last bool, data []byte) { t.part(0, wire.OpSend, 0, offset, last, data) })
			})
			add("out/rdma_write", "an RDMA Write by this end", n, func(t *T) { t.postWrite(0, near, 5, n) })
		}
		if i != 2 {
			add("read_response", "an RDMA Read by this end", n, func(t *T) {
				t.postRead(0, near, 5, n)
				eachPart(sizes, func(offset int, last bool, data []byte) { t.readResponse(0, near, 5+offset, last, data) })
			})
		}
		if i != 1 {
			add("read_request", "an RDMA Read", n, func(t *T) { t.read(0, near, 5, n) })
		}
	}
	add("segment/rdma_write", "an RDMA Write in one segment of maximum length", longest-taggedOctets, func(t *T) { t.write(0, near, 5, pattern(longest-taggedOctets)) })
	add("segment/send", "a Send in one segment of maximum length", longest-untaggedOctets, func(t *T) {
		t.receive(0, near, 5, longest-untaggedOctets)
		t.send(0, wire.OpSend, pattern(longest-untaggedOctets))
	})
	add("segment/read_response", "a Read Response in one segment of maximum length", longest-taggedOctets, func(t *T) {
		t.postRead(0, near, 5, longest-taggedOctets)
		t.readResponse(0, near, 5, true, pattern(longest-taggedOctets))
	})
	l.add("long/segment/too_long_for_buffer", "a Send in one segment of maximum length, into a buffer one octet shorter", flags(LongMessage, MessageTooLong), func(t *T) {
		p := t.place("one")
		t.lay(near, memory.Region{Rights: all, Address: p.Address, Length: uint64(p.Size), Base: 1})
		t.receive(0, near, 0, longest-untaggedOctets-1)
		t.send(0, wire.OpSend, pattern(longest-untaggedOctets))
	}).in(spacious).ends()
	l.add("long/announced", "requests by this end for Reads of up to 2^32 - 1 octets, none of which is answered", flags(LongMessage), func(t *T) {
		t.lay(near, memory.Region{Rights: all, Address: 1 << 50, Length: 1 << 33, Base: 1 << 33})
		for i, n := range []uint32{1 << 20, 1<<24 + 100, 1 << 31, 1<<32 - 1} {
			if i < t.Config.ORD && i < t.Config.SendDepth {
				t.post(rdmap.WorkRequest{Opcode: wire.OpReadRequest, Local: t.at(near, i), Length: n, Remote: remote})
			}
		}
	})
	l.add("long/announced/begins", "a Read of 2^32 - 1 octets by this end, of which the first three segments arrive", flags(LongMessage, MultiSegment), func(t *T) {
		a := t.area(shared).Region
		t.lay(near, memory.Region{Rights: all, Address: a.Address, Length: 1<<32 - 1, Base: 0xFFFF_FFF0})
		t.post(rdmap.WorkRequest{Opcode: wire.OpReadRequest, Local: t.at(near, 0), Length: 1<<32 - 1, Remote: remote})
		for i := range 3 {
			t.readResponse(0, near, 60*i, false, pattern(60))
		}
	}).in(spacious) // its areas are followed by enough addresses
	l.add("long/announced/ends_early", "a Read of 2^16 + 5 octets by this end, answered with 5 octets", flags(LongMessage, WrongAnswer), func(t *T) {
		a := t.area(shared).Region
		t.lay(near, memory.Region{Rights: all, Address: a.Address, Length: 1 << 20, Base: 0})
		t.post(rdmap.WorkRequest{Opcode: wire.OpReadRequest, Local: t.at(near, 0), Length: 1<<16 + 5, Remote: remote})
		t.readResponse(0, near, 0, true, pattern(5))
	}).ends()
	for _, n := range []int{3, 4, 7, 16} {
		m := l.config.MaxPayload
		if n*m > spaciousOctets-64 {
			continue
		}
		for _, d := range []int{-1, 0, 1} {
			name := []string{"less", "whole", "more"}[d+1]
			l.add(fmt.Sprintf("long/segments/%d_%s", n, name), fmt.Sprintf("messages by this end of %d segments of max_payload and %d octets: a Write, a Send, and a response", n, d), flags(LongMessage, MultiSegment), func(t *T) {
				p := t.place("two")
				t.lay(near, memory.Region{Rights: all, Address: p.Address, Length: uint64(p.Size), Base: 0x77})
				switch (n + d) % 3 {
				case 0:
					t.postWrite(0, near, 1, n*m+d)
				case 1:
					t.postSend(0, wire.OpSend, near, 1, n*m+d)
				default:
					t.read(0, near, 1, n*m+d)
				}
			}).in(spacious)
		}
	}
}

// pieces splits n octets into pieces of a size; the last one may be shorter.
func pieces(n, size int) (list []int) {
	for ; n > size; n -= size {
		list = append(list, size)
	}
	return append(list, n)
}

// sendsInParts tests all kinds of Sends in two or more segments, with empty segments at every position, and Sends by
// this end in several segments.
func sendsInParts(l *list) {
	for _, op := range sends {
		for _, sizes := range [][]int{{1, 1}, {40, 24}, {0, 0, 0}, {0, 13}, {13, 0}, {5, 0, 8}, {5, 0, 0, 8}, {0, 5, 0, 8, 0}, {17, 18, 19, 1}} {
			name := ""
			all := 0
			for _, n := range sizes {
				name += fmt.Sprintf("_%d", n)
				all += n
			}
			l.add("sends/"+op.Name()+"/"+name[1:], fmt.Sprintf("%v twice, in segments of %v octets, into buffers that fit and that are longer", op, sizes), flags(MultiSegment, ZeroLength), func(t *T) {
				t.receive(0, sink, 11, all)
				t.receive(0, sink, 211, all+9)
				for i := range 2 {
					stag := t.area([]string{common, removable}[i]).stag()
					eachPart(sizes, func(offset int, last bool, data []byte) { t.part(0, op, stag, offset, last, data) })
				}
			})
		}
		m := l.config.MaxPayload
		l.add("sends/out/"+op.Name(), fmt.Sprintf("%v by this end of two and of three segments, of one full segment, and of no octets", op), flags(MultiSegment, ZeroLength), func(t *T) {
			for _, n := range []int{m + 1, 2*m + 1, m, 0, 2 * m} {
				t.postSend(0, op, source, 1, n)
				t.rest()
			}
		})
	}
	l.add("zero/read_request/both_ways", "Reads of no octets in both directions, between other Reads", flags(ZeroLength), func(t *T) {
		for _, n := range []int{0, 9, 0, 0, 5} {
			t.read(0, target, 3, n)
			t.rest()
			t.postRead(0, sink, 3, n)
			t.readResponse(0, sink, 3, true, pattern(n))
		}
	})
	l.add("zero/rdma_write/segments", "an RDMA Write with segments of no octets first, in the middle and last", flags(ZeroLength, MultiSegment), func(t *T) {
		a := t.area(target)
		eachPart([]int{0, 7, 0, 0, 9, 0}, func(offset int, last bool, data []byte) {
			t.in(0, wire.AppendWrite(nil, a.stag(), a.to(3+offset), last, data))
		})
	})
	l.add("zero/read_response/segments", "a Read Response with segments of no octets first and in the middle", flags(ZeroLength, MultiSegment), func(t *T) {
		t.postRead(0, sink, 3, 16)
		eachPart([]int{0, 7, 0, 0, 9}, func(offset int, last bool, data []byte) { t.readResponse(0, sink, 3+offset, last, data) })
	})
	l.add("zero/out/all", "messages of no octets by this end, between other messages", flags(ZeroLength), func(t *T) {
		for _, n := range []int{0, 3, 0} {
			t.postWrite(0, source, 0, n)
			t.postSend(0, wire.OpSend, source, 0, n)
			t.rest()
			t.postSend(0, wire.OpSendInv, source, 0, n)
			t.postSend(0, wire.OpSendSE, source, 0, n)
			t.rest()
			t.postSend(0, wire.OpSendSEInv, source, 0, n)
			t.rest()
		}
	})
	l.add("zero/buffer", "buffers of no octets for Sends of none, of all kinds, and for Immediate Data", flags(ZeroLength), func(t *T) {
		for i, op := range sends {
			t.receive(0, sink, i, 0)
			t.part(0, op, t.area([]string{common, removable}[i/2]).stag(), 0, true, nil)
			t.receive(0, sink, i, 0)
			t.immediate(0, i%2 == 0, data)
		}
	})
}
