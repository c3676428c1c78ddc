package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// tornBursts tests segments that are placed in at least three bursts, of which memory refuses the first, a middle one
// or the last: successful responses to the others must not hide the error. The octets equal those in memory, so that
// nothing changes whichever bursts memory accepts.
func tornBursts(l *list) {
	const octets = 2*4096 + 100 // touches at least three pages, wherever it starts
	for _, p := range []struct {
		name, what string
		offset     int
	}{{"first", "the first", tornAt - 100}, {"between", "one between", tornAt - 4096 + 50}, {"last", "the last", tornAt - octets + 1}} {
		for _, m := range []struct {
			name, what string
			message    func(t *T)
		}{
			{"rdma_write", "an RDMA Write", func(t *T) { t.write(0, near, p.offset, t.present(near, p.offset, octets)) }},
			{"send", "a Send", func(t *T) {
				t.receive(0, near, p.offset, octets)
				t.send(0, wire.OpSend, t.present(near, p.offset, octets))
			}},
		} {
			l.add("torn/"+m.name+"/"+p.name, fmt.Sprintf("%s in one segment and several bursts, of which memory refuses %s", m.what, p.what), flags(MemoryError, MaxLength), func(t *T) {
				t.layTorn()
				m.message(t)
			}).in(torn).ends()
			l.add("torn/"+m.name+"/"+p.name+"/other_stream", fmt.Sprintf("%s in several bursts, of which memory refuses %s, followed by one of another stream", m.what, p.what), flags(MemoryError, MaxLength, StreamIsolation), func(t *T) {
				t.layTorn()
				m.message(t)
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
				t.rest() // the memory response is known before the next one
				t.part(0, wire.OpSend, 0, n*part, n == 2, data[n*part:(n+1)*part])
			}
		}).in(torn).ends()
	}
}

// layTorn creates a region over the place of the world torn.
func (t *T) layTorn() {
	p := t.place(string(torn))
	t.lay(near, memory.Region{Rights: all, Address: p.Address, Length: uint64(p.Size), Base: 0x1_0000_0033})
}
