package cases

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/model/wire"
)

// lengths sends headers of fixed length that are shorter or longer, and segments that end inside their DDP
// header.
func lengths(l *list) {
	for _, r := range []struct {
		opcode wire.Opcode
		wrong  []int // octets after the DDP header
		right  []int // beside the plain message's
	}{
		{wire.OpReadRequest, []int{0, 12, 27, 29, 56}, nil},
		{wire.OpAtomicRequest, []int{0, 12, 28, 44, 51, 53, 64, 104}, nil},
		{wire.OpAtomicResponse, []int{0, 8, 11, 13, 32, 52}, nil},
		{wire.OpImmediate, []int{0, 1, 4, 7, 9, 16}, nil},
		{wire.OpImmediateSE, []int{0, 4, 7, 9, 16}, nil},
		{wire.OpTerminate, []int{0, 1, 2, 3}, []int{4, 5, 6, 20, 23, 52}},
	} {
		m, _ := r.opcode.Message()
		add := func(n int, comment string, names []string) {
			l.add(fmt.Sprintf("length/%s/%d", m.Name, n), fmt.Sprintf(comment, m.Title, n, m.Length), names,
				func(t *T) { t.send(0, sized(t.plain(r.opcode), untaggedOctets+n)) })
		}
		for _, n := range r.wrong {
			add(n, "%s with %d octets after the DDP header; allowed: %s", flags(WrongLength))
		}
		for _, n := range r.right {
			add(n, "%s with %d octets after the DDP header; it may have %s", flags(BusBoundary))
		}
	}
	for n := range untaggedOctets {
		l.add(fmt.Sprintf("short/untagged/%d", n), fmt.Sprintf("the first %d octets of a Send; its DDP header has 18", n), flags(ShortHeader),
			func(t *T) { t.send(0, t.plain(wire.OpSend)[:n]) })
	}
	for n := 1; n < taggedOctets; n++ {
		l.add(fmt.Sprintf("short/tagged/%d", n), fmt.Sprintf("the first %d octets of an RDMA Write; its DDP header has 14", n), flags(ShortHeader),
			func(t *T) { t.send(0, t.plain(wire.OpWrite)[:n]) })
	}
}

// sized cuts a segment to n octets, or makes it longer.
func sized(segment []byte, n int) []byte {
	if n <= len(segment) {
		return segment[:n]
	}
	return append(segment, pattern(n-len(segment))...)
}

// payloads sends payload of all lengths at which a beat of some bus may end.
func payloads(l *list) {
	carriers := []struct {
		opcode wire.Opcode
		header int
		all    bool // every length, or the shortest ones and few others
	}{
		{wire.OpWrite, taggedOctets, true},
		{wire.OpReadResponse, taggedOctets, false},
		{wire.OpSend, untaggedOctets, true},
		{wire.OpSendInv, untaggedOctets, false},
		{wire.OpSendSE, untaggedOctets, false},
		{wire.OpSendSEInv, untaggedOctets, false},
	}
	for _, c := range carriers {
		lengths := []int{0, 1, 7, 64}
		if c.all {
			lengths = boundaries(c.header)
		}
		for _, n := range lengths {
			names := flags(BusBoundary)
			switch {
			case n == 0:
				names = flags(ZeroLength)
			case n < 8:
				names = flags(ShortPayload)
			}
			l.add(fmt.Sprintf("payload/%s/%d", c.opcode.Name(), n), fmt.Sprintf("%v with %d octets of payload", c.opcode, n), names,
				func(t *T) { t.send(0, sized(t.plain(c.opcode)[:c.header], c.header+n)) })
		}
	}
	for _, op := range []wire.Opcode{wire.OpWrite, wire.OpReadResponse} {
		for _, to := range []uint64{0, 1<<64 - 1} {
			l.add(fmt.Sprintf("payload/%s/stag_zero/%x", op.Name(), to), fmt.Sprintf("%v with STag 0, TO 0x%X and no payload", op, to),
				flags(STagZero, ZeroLength), func(t *T) { t.send(0, wire.AppendSegment(nil, wire.TaggedHeader(op, 0, to, true), nil)) })
		}
	}
	for _, op := range []wire.Opcode{wire.OpWrite, wire.OpSend} {
		for _, n := range []int{wire.MaxSegment - 1, wire.MaxSegment} {
			l.add(fmt.Sprintf("payload/%s/segment_%d", op.Name(), n), fmt.Sprintf("%v: a segment of %d octets", op, n), flags(MaxLength), func(t *T) {
				t.send(0, sized(t.plain(op), n))
				t.send(0, t.plain(wire.OpImmediate)) // shows that the next segment is found
			})
		}
	}
	l.add("payload/lengths_in_a_row", "Sends of 0 to 20 octets without a pause between them", flags(ShortPayload, ZeroLength, MixedTraffic), func(t *T) {
		for n := range 21 {
			t.send(0, wire.AppendSend(nil, wire.OpSend, 0, uint32(n+1), 0, true, pattern(n)))
		}
	})
	l.add("payload/segmented_send", "a Send in three segments, then a Send in one", flags(BusBoundary), func(t *T) {
		whole := pattern(150)
		for _, s := range []struct{ from, to int }{{0, 64}, {64, 129}, {129, 150}} {
			t.send(0, wire.AppendSend(nil, wire.OpSend, 0, 1, uint32(s.from), s.to == len(whole), whole[s.from:s.to]))
		}
		t.send(0, wire.AppendSend(nil, wire.OpSend, 0, 2, 0, true, pattern(9)))
	})
}

// boundaries are payload lengths: 0 to 9, and those with which the payload or the whole segment fills beats
// of 8 to 128 octets, one octet less and one more.
func boundaries(header int) []int {
	var out []int
	for n := range 10 {
		out = append(out, n)
	}
	for bus := 8; bus <= 128; bus *= 2 {
		for _, full := range []int{bus, bus - header, 2*bus - header} {
			out = append(out, full-1, full, full+1)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return slices.DeleteFunc(out, func(n int) bool { return n < 0 })
}
