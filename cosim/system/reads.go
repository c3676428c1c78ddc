package system

import (
	"slices"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// identifiers is the number of AXI4 IDs of m_axi.
const identifiers = 16

// read is a read of a line: a beat of a burst.
type read struct {
	number  uint64 // in the order of the bursts
	id      uint64
	address uint64
	last    bool
	octets  []byte // nil until memory has answered
}

// reads divides the bursts of m_axi_ar into lines, and returns these on m_axi_r. Lines of one ID are returned in order; of those of
// different IDs that have been answered, the one that was asked for first.
type reads struct {
	ar, r  cosim.Lane
	bus    uint64
	number uint64
	asked  []*read              // not yet sent to memory
	owed   [identifiers][]*read // sent to memory
}

// take adds the burst of a beat of m_axi_ar.
func (r *reads) take(beat []uint64) {
	id, address, more := r.ar.Get(beat, "id"), r.ar.Get(beat, "addr"), r.ar.Get(beat, "len")
	for i := range more + 1 {
		r.asked = append(r.asked, &read{number: r.number, id: id, address: address + i*r.bus, last: i == more})
		r.number++
	}
}

// next returns the next line to ask memory for; nil if there is none.
func (r *reads) next() *read {
	if len(r.asked) == 0 {
		return nil
	}
	return r.asked[0]
}

// sent says that memory has been asked for the next line.
func (r *reads) sent() {
	line := r.asked[0]
	r.asked = r.asked[1:]
	r.owed[line.id] = append(r.owed[line.id], line)
}

// ready returns the line that goes out next on m_axi_r; nil if none has been answered.
func (r *reads) ready() (first *read) {
	for id := range r.owed {
		if list := r.owed[id]; len(list) > 0 && list[0].octets != nil && (first == nil || list[0].number < first.number) {
			first = list[0]
		}
	}
	return first
}

// push offers a line on m_axi_r if the previous one has been accepted.
func (r *reads) push(e simulator.Engine) (pushed bool, err error) {
	if e.Stats(r.r.Stream).Queued > 0 {
		return false, nil
	}
	line := r.ready()
	if line == nil {
		return false, nil
	}
	beat := r.r.Grow()
	r.r.Set(beat, "id", line.id)
	setOctets(&r.r, beat, line.octets)
	r.r.SetFlag(beat, "last", line.last)
	r.owed[line.id] = slices.Delete(r.owed[line.id], 0, 1)
	return true, r.r.Push(e)
}

// idle reports whether no line is missing.
func (r *reads) idle() bool {
	for id := range r.owed {
		if len(r.owed[id]) > 0 {
			return false
		}
	}
	return len(r.asked) == 0
}
