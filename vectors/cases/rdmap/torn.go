package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// tornBursts has segments that are placed in three bursts at least, of which memory refuses one: the first, one between, the last. What
// memory says to the others makes no success of it. The octets are those that are there, so that nothing changes, whatever
// memory takes.
func tornBursts(l *list) {
	const octets = 2*4096 + 100 // over three pages, wherever it begins but for the first octets of one
	for _, p := range []struct {
		name, what string
		offset     int
	}{{"first", "the first", tornAt - 100}, {"between", "one between", tornAt - 4096 + 50}, {"last", "the last", tornAt - octets + 1}} {
		for _, m := range []struct {
			name, what string
			come       func(t *T)
		}{
			{"rdma_write", "an RDMA Write", func(t *T) { t.write(0, near, p.offset, t.present(near, p.offset, octets)) }},
			{"send", "a Send", func(t *T) {
				t.receive(0, near, p.offset, octets)
				t.send(0, wire.OpSend, t.present(near, p.offset, octets))
			}},
		} {
			l.add("torn/"+m.name+"/"+p.name, fmt.Sprintf("%s in one segment and several bursts, of which memory refuses %s", m.what, p.what), flags(MemoryError, MaxLength), func(t *T) {
				t.layTorn()
				m.come(t)
			}).in(torn).ends()
			l.add("torn/"+m.name+"/"+p.name+"/other_stream", fmt.Sprintf("%s in several bursts, of which memory refuses %s, and one of another stream behind it", m.what, p.what), flags(MemoryError, MaxLength, StreamIsolation), func(t *T) {
				t.layTorn()
				m.come(t)
				t.write(1, near, 0, t.present(near, 0, 300))
				t.receives(1, 1)
				t.send(1, wire.OpSend, pattern(9))
			}).in(torn).ends()
		}
	}
	for i, what := range []string{"the first", "the second", "the last"} {
		l.add(fmt.Sprintf("torn/send/segment%d", i), "a Send of three segments, of which memory refuses "+what, flags(MemoryError, MultiSegment), func(t *T) {
			t.layTorn()
			const part = 1000
			offset := tornAt - i*part - 10
			t.receive(0, near, offset, 3*part)
			data := t.present(near, offset, 3*part)
			for n := range 3 {
				t.rest() // what memory says is known before the next one
				t.part(0, wire.OpSend, 0, n*part, n == 2, data[n*part:(n+1)*part])
			}
		}).in(torn).ends()
	}
}

// layTorn lays the place of the world torn.
func (t *T) layTorn() {
	p := t.place(string(torn))
	t.lay(near, memory.Region{Rights: all, Address: p.Address, Length: uint64(p.Size), Base: 0x1_0000_0033})
}
