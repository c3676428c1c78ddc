package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// crossed is a region whose addresses, TOs or both cross a boundary.
type crossed struct {
	at     uint64 // the boundary, 0 for 2^64
	middle int    // offset of the octet at the boundary; for 2^64 the region ends there
}

// Ways in which a region crosses a boundary. Each creates the region near.
var ways = []struct {
	name, what string
	lay        func(t *T, place string, at uint64) crossed
}{
	{"memory", "whose addresses cross %s in memory", func(t *T, place string, at uint64) crossed {
		p := t.place(place)
		t.lay(near, memory.Region{Rights: all, Address: p.Address, Length: uint64(p.Size), Base: 0x1_2345_6003})
		return crossed{at, reach(t.Config)}
	}},
	{"to", "whose TOs cross %s", func(t *T, _ string, at uint64) crossed {
		a := t.area(sink).Region
		address := (a.Address + 7) &^ 7
		half := uint64(a.Length-8) / 16 * 8
		length := 2 * half
		if at == 0 {
			length = half
		}
		t.lay(near, memory.Region{Rights: all, Address: address, Length: length, Base: at - half})
		return crossed{at, int(half)}
	}},
	{"both", "whose addresses and, 40 octets later, TOs cross %s", func(t *T, place string, at uint64) crossed {
		p := t.place(place)
		base := at - uint64(reach(t.Config)) - 40
		if at == 0 {
			base += 40
		}
		t.lay(near, memory.Region{Rights: all, Address: p.Address, Length: uint64(p.Size), Base: base})
		return crossed{at, reach(t.Config)}
	}},
}

// starts returns the start offsets of messages of n octets such that the boundary falls in the middle of a segment, at
// its end, and in the next one. At 2^64, messages end.
func (c crossed) starts(n int, before ...int) (list []int) {
	if c.at == 0 {
		return []int{c.middle - n, c.middle - n - 1}
	}
	for _, b := range before {
		list = append(list, c.middle-b)
	}
	return list
}

// inThree splits n octets into three segments.
func inThree(n int) []int { return []int{n/3 + 1, n/3 - 2, n - (n/3 + 1) - (n/3 - 2)} }

// eachPart yields the segments of a message of pattern octets.
func eachPart(sizes []int, f func(offset int, last bool, data []byte)) {
	all := 0
	for _, n := range sizes {
		all += n
	}
	octets, offset := pattern(all), 0
	for i, n := range sizes {
		f(offset, i == len(sizes)-1, octets[offset:offset+n])
		offset += n
	}
}

// crossings tests messages of all kinds on regions that cross a power of two, within and between segments.
func crossings(l *list) {
	const n = 150 // octets of an incoming message, in three segments of 51, 48 and 51
	most := l.config.MaxPayload
	in := []int{1, 30, 51, 75, 99, 149}
	out := []int{37, most, most + 5}
	moves := []struct {
		name, what string
		message    func(t *T, c crossed)
	}{
		{"rdma_write", "RDMA Writes to", func(t *T, c crossed) {
			for _, start := range c.starts(n, in...) {
				a := t.area(near)
				eachPart(inThree(n), func(offset int, last bool, data []byte) {
					t.in(0, wire.AppendWrite(nil, a.stag(), a.to(start+offset), last, data))
				})
				t.rest()
			}
		}},
		{"send", "Sends into", func(t *T, c crossed) {
			for i, start := range c.starts(n, in...) {
				t.receive(0, near, start, n)
				eachPart(inThree(n), func(offset int, last bool, data []byte) { t.part(0, sends[i%2*2], 0, offset, last, data) })
			}
		}},
		{"read_request", "RDMA Reads from", func(t *T, c crossed) {
			for i, start := range c.starts(most+77, out...) {
				a := t.area(near)
				t.in(0, wire.AppendReadRequest(nil, t.msn(0, wire.QueueRequest), wire.ReadRequest{DataSinkSTag: peerSTag, DataSinkTO: c.at - uint64(out[i]),
					ReadMessageSize: uint32(most + 77), DataSourceSTag: a.stag(), DataSourceTO: a.to(start)}))
				t.took(0, wire.QueueRequest)
				t.rest()
			}
		}},
		{"atomic_request", "Atomics on", func(t *T, c crossed) {
			for _, offset := range []int{-8, 0, -16, 8} {
				if c.at == 0 && offset >= 0 {
					continue
				}
				t.atomic(0, t.fetchAdd(near, c.middle+offset, data, 0))
				t.rest()
				t.atomic(0, t.cmpSwap(near, c.middle+offset, ^uint64(data), allOnes, 0, 0))
				t.rest()
			}
		}},
		{"read_response", "RDMA Reads by this end to", func(t *T, c crossed) {
			for i, start := range c.starts(n, in...) {
				t.postRead(0, near, start, n, func(w *rdmap.WorkRequest) { w.Remote.TO = c.at - uint64(in[i]) })
				eachPart(inThree(n), func(offset int, last bool, data []byte) { t.readResponse(0, near, start+offset, last, data) })
			}
		}},
		{"atomic_response", "results of Atomics by this end in", func(t *T, c crossed) {
			for _, start := range c.starts(8, 1, 3, 4, 7, 8) {
				id := t.postAtomic(0, near, start, rdmap.Operands{Data: 1}, func(w *rdmap.WorkRequest) { w.Remote.TO = c.at - 8 })
				t.atomicResponse(0, id, data)
			}
		}},
		{"out/rdma_write", "RDMA Writes by this end from", func(t *T, c crossed) {
			for i, start := range c.starts(most+77, out...) {
				t.postWrite(0, near, start, most+77, func(w *rdmap.WorkRequest) { w.Remote.TO = c.at - uint64(out[i]) })
				t.rest()
			}
		}},
		{"out/send", "Sends by this end from", func(t *T, c crossed) {
			for i, start := range c.starts(most+77, out...) {
				t.postSend(0, sends[i], near, start, most+77)
				t.rest()
			}
		}},
	}
	for _, b := range boundaryPlaces {
		for _, w := range ways {
			for _, m := range moves {
				l.add("cross/"+b.name[:1]+"_"+b.name[2:]+"/"+w.name+"/"+m.name, fmt.Sprintf(m.what+" a region "+w.what, b.name), flags(Carry), func(t *T) { m.message(t, w.lay(t, b.name, b.at)) }).
					in(crossing)
			}
		}
	}
}
