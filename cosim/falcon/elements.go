package falcon

import (
	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// fewElements is the maximum number of elements of most work requests and receives. Others have as many as there is room for.
const fewElements = 8

// elements divides octets of an area of a slot among elements, in any order; any of them may be empty.
func (w *world) elements(row int, area uint64, length uint32, most int) []falcon.Element {
	r, n := w.rand, 1
	if k := r.IntN(32); k == 0 {
		n = max(1, min(most, slots))
	} else if k < 16 {
		n = 1 + r.IntN(max(1, min(most, fewElements)))
	}
	list := make([]falcon.Element, n)
	left := length
	for i := range list {
		part := []uint32{0, uint32(r.IntN(int(left) + 1)), min(left, uint32(r.IntN(80))), min(left, uint32(w.plan.Config.MaxPayload))}[r.IntN(4)]
		if n > fewElements {
			part = min(part, uint32(r.IntN(20)))
		}
		if i == n-1 {
			part = left
		}
		list[i] = falcon.Element{Key: w.stag(row), Length: part}
		left -= part
	}
	at, spare := area, (slotOctets-length)/uint32(n)
	for _, i := range r.Perm(n) {
		list[i].VA = regionVA + at + uint64(r.IntN(int(min(spare, 63))+1))
		at = list[i].VA - regionVA + uint64(list[i].Length)
	}
	return list
}

// places is how many places of the ring an end's work requests have.
func (s *side) places() (n int) {
	for _, o := range s.work {
		n += len(o.Local)
	}
	return n
}

// room is how many elements another work request of an end may have. One place stays free.
func (p *pair) room(end int) int { return p.plan.Config.SendDepth - 1 - p.side[end].places() }

// mostOf is how many elements a work request may have.
func mostOf(row *spec.Operation, room int) int {
	if row.Kind&spec.Atomic != 0 {
		return 1
	}
	return room
}

// place writes the octets of a work request where its elements are.
func (p *pair) place(end int, o *operation) {
	octets := o.payload
	for _, el := range o.Local {
		_ = p.ends[end].WriteMemory(regionAddress+el.VA-regionVA, octets[:el.Length])
		octets = octets[el.Length:]
	}
}

// placed compares octets with those at the beginning of a list of elements.
func (p *pair) placed(end int, local []falcon.Element, want []byte, what string) error {
	for _, el := range local {
		part := want[:min(int(el.Length), len(want))]
		if err := p.same(end, el.VA-regionVA, part, what); err != nil {
			return err
		}
		want = want[len(part):]
	}
	if len(want) > 0 {
		return differs("%s, end %d: %d octets more than there is room for", what, end, len(want))
	}
	return nil
}

// receiveElements are those of a receive in an area of a slot, of which at most so many may be in a list.
func (w *world) receiveElements(area uint64, most int) []falcon.Element {
	return w.elements(rowReceive, area, w.mostOctets(), most)
}

// listed is how many places of the ring's elements a receive needs.
func listed(local []falcon.Element) int {
	if len(local) == 1 {
		return 0
	}
	return len(local)
}
