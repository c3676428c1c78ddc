package falcon

import "github.com/rnicgen/rnicgen/model/memory"

// Element is one entry of a scatter-gather list.
type Element struct {
	Key    uint32 // L-Key
	VA     uint64
	Length uint32
}

// length returns the octets of a list.
func length(list []Element) (octets uint64) {
	for _, el := range list {
		octets += uint64(el.Length)
	}
	return octets
}

// slice returns the part of a list that holds octets from offset on. It ends with the list.
func slice(list []Element, offset, octets uint64) (part []Element) {
	for _, el := range list {
		n := uint64(el.Length)
		if offset >= n {
			offset -= n
			continue
		}
		take := min(n-offset, octets)
		if take == 0 {
			break
		}
		part = append(part, Element{el.Key, el.VA + offset, uint32(take)})
		octets -= take
		offset = 0
	}
	return part
}

// permits reports whether a QP may access all of a list.
func (e *Engine) permits(q *qp, list []Element, right memory.Rights) bool {
	for _, el := range list {
		if _, fault := e.table.Check(q.peer, el.Key, el.VA, uint64(el.Length), right); fault != memory.Granted {
			return false
		}
	}
	return true
}

// gather reads a list that permits has granted.
func (e *Engine) gather(q *qp, list []Element) (octets []byte) {
	for _, el := range list {
		address, _ := e.table.Check(q.peer, el.Key, el.VA, uint64(el.Length), memory.LocalRead)
		octets = e.space.Append(octets, address, int(el.Length))
	}
	return octets
}

// scatter writes octets to a list that permits has granted and that is as long.
func (e *Engine) scatter(q *qp, list []Element, octets []byte) {
	for _, el := range list {
		address, _ := e.table.Check(q.peer, el.Key, el.VA, uint64(el.Length), memory.LocalWrite)
		e.space.Write(address, octets[:el.Length])
		octets = octets[el.Length:]
	}
}
