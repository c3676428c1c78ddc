package rdmap

import (
	"encoding/binary"
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// present returns the octets of an area before the test. A message that writes them changes nothing, whichever part of
// it memory accepts.
func (t *T) present(name string, offset, octets int) []byte {
	at := t.area(name).Region.Address + uint64(offset)
	for _, m := range t.layout.Memory {
		if at >= uint64(m.Address) && at-uint64(m.Address) <= uint64(len(m.Hex)-octets) {
			return m.Hex[at-uint64(m.Address):][:octets]
		}
	}
	panic(fmt.Sprintf("cases: no octets at %x", at))
}

// layCrack creates a region over a crack, whose beat at crackAt fails. TO 0x77 is its first octet.
func (t *T) layCrack(k crack) {
	p := t.place(k.name)
	t.lay(near, memory.Region{Rights: all, Address: p.Address, Length: uint64(p.Size), Base: 0x77})
}

// positions are the offsets in a message at which the failing beat starts.
func positions(n, bus int) []struct {
	name string
	at   int
} {
	return []struct {
		name string
		at   int
	}{{"first", 0}, {"second", 1}, {"middle", (n/2)&^7 + 3}, {"last", n - 1}, {"last_beat", n - bus}}
}

// crackedMemory tests memory errors on one beat: the first, a middle one and the last of a message, segment or burst,
// for every message that reads or writes memory. A message that does not touch the beat, or accesses it in a way that
// does not fail, succeeds.
func crackedMemory(l *list) {
	bus, most := l.config.BusBytes, l.config.MaxPayload
	long := 5 * bus
	uses := []struct {
		name, what string
		write      bool
		octets     int
		message    func(t *T, offset, n int)
	}{
		{"rdma_write", "an RDMA Write", true, long, func(t *T, offset, n int) { t.write(0, near, offset, t.present(near, offset, n)) }},
		{"rdma_write/segments", "an RDMA Write in three segments", true, 3 * long, func(t *T, offset, n int) {
			a := t.area(near)
			octets := t.present(near, offset, n)
			for i := range 3 {
				t.in(0, wire.AppendWrite(nil, a.stag(), a.to(offset+i*n/3), i == 2, octets[i*n/3:(i+1)*n/3]))
			}
		}},
		{"send", "a Send", true, long, func(t *T, offset, n int) {
			t.receive(0, near, offset, n)
			t.send(0, wire.OpSend, t.present(near, offset, n))
		}},
		{"read_response", "a Read Response in two segments", true, 2 * long, func(t *T, offset, n int) {
			t.postRead(0, near, offset, n)
			octets := t.present(near, offset, n)
			t.readResponse(0, near, offset, false, octets[:n/2])
			t.rest()
			t.readResponse(0, near, offset+n/2, true, octets[n/2:])
		}},
		{"atomic_response", "the result of an Atomic by this end", true, 8, func(t *T, offset, _ int) {
			id := t.postAtomic(0, near, offset, rdmap.Operands{Data: 1})
			t.atomicResponse(0, id, binary.LittleEndian.Uint64(t.present(near, offset, 8)))
		}},
		{"read_request", "an RDMA Read", false, long, func(t *T, offset, n int) { t.read(0, near, offset, n) }},
		{"read_request/segments", "an RDMA Read of three segments", false, 2*most + long, func(t *T, offset, n int) { t.read(0, near, offset, n) }},
		{"out/rdma_write", "an RDMA Write by this end", false, long, func(t *T, offset, n int) { t.postWrite(0, near, offset, n) }},
		{"out/rdma_write/segments", "an RDMA Write of three segments by this end", false, 2*most + long, func(t *T, offset, n int) { t.postWrite(0, near, offset, n) }},
		{"out/send", "a Send by this end", false, long, func(t *T, offset, n int) { t.postSend(0, wire.OpSendSE, near, offset, n) }},
	}
	for _, k := range cracks {
		for _, u := range uses {
			if u.octets > crackAt {
				continue
			}
			if u.write != k.writes {
				l.add("crack/"+k.name+"/"+u.name, fmt.Sprintf("%s over a beat of memory that responds with %s", u.what, k.what), flags(MemoryError), func(t *T) {
					t.layCrack(k)
					u.message(t, crackAt-u.octets/2, u.octets)
				}).in(cracked)
				continue
			}
			for _, p := range positions(u.octets, bus) {
				if u.octets == 8 && p.name != "first" && p.name != "last" {
					continue
				}
				l.add("crack/"+k.name+"/"+u.name+"/"+p.name, fmt.Sprintf("%s for which memory responds with %s on one beat: the %s of the message", u.what, k.what, p.name), flags(MemoryError), func(t *T) {
					t.layCrack(k)
					u.message(t, crackAt-p.at, u.octets)
				}).in(cracked).ends()
			}
			l.add("crack/"+k.name+"/"+u.name+"/beside", fmt.Sprintf("%s that ends at a beat of memory that responds with %s, and one after it", u.what, k.what), flags(MemoryError), func(t *T) {
				t.layCrack(k)
				u.message(t, crackAt-u.octets, u.octets)
				t.rest()
				u.message(t, crackAt+bus, u.octets)
			}).in(cracked)
		}
		l.add("crack/"+k.name+"/atomic_request/beside", "FetchAdds on the words before and after a beat of memory that responds with "+k.what, flags(MemoryError), func(t *T) {
			t.layCrack(k)
			for _, offset := range []int{-8, bus} {
				t.atomic(0, t.fetchAdd(near, crackAt+offset, 1, 0))
				t.rest()
			}
		}).in(cracked)
		if !k.reads {
			continue // whether the response precedes the completion of the write is open
		}
		l.add("crack/"+k.name+"/atomic_request", "FetchAdds on each word of a beat of memory that responds with "+k.what, flags(MemoryError), func(t *T) {
			t.layCrack(k)
			for offset := 0; offset < bus; offset += 8 {
				t.again(0)
				t.atomic(0, t.fetchAdd(near, crackAt+offset, 1, 0))
			}
		}).in(cracked).ends()
	}
}
