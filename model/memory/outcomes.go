package memory

import (
	"bytes"
	"slices"
)

// Outcomes knows what storage may hold after a crash, whatever was evicted and when. Unlike a Platform it follows no
// single schedule of evictions: it has, for each line, every value since a Flush last moved it. Lines arrive
// independently of each other, so that storage may hold any combination of these values.
type Outcomes struct {
	placed *Space
	line   uint64
	lines  map[uint64][][]byte // by address; the value that is placed is the last one
}

// NewOutcomes follows the memory of a node, all of which is in storage at first. line is that of PlatformConfig.
func NewOutcomes(placed *Space, line int) (*Outcomes, error) {
	p, err := NewPlatform(NewSpace(), PlatformConfig{Line: line})
	if err != nil {
		return nil, err
	}
	return &Outcomes{placed: placed, line: p.line, lines: map[uint64][][]byte{}}, nil
}

// Place stores octets in the memory of the node; they may reach storage from now on.
func (o *Outcomes) Place(address uint64, octets []byte) {
	if len(octets) == 0 {
		return
	}
	for at := range o.touched(address, uint64(len(octets))) {
		if o.lines[at] == nil {
			o.lines[at] = [][]byte{o.now(at)}
		}
	}
	o.placed.Write(address, octets)
	for at := range o.touched(address, uint64(len(octets))) {
		value := o.now(at)
		o.lines[at] = append(slices.DeleteFunc(o.lines[at], func(v []byte) bool { return bytes.Equal(v, value) }), value)
	}
}

// Flush moves octets from an address, and the rest of their lines, to storage.
func (o *Outcomes) Flush(address, octets uint64) {
	if octets == 0 {
		return
	}
	for at := range o.touched(address, octets) {
		delete(o.lines, at)
	}
}

// Values returns each value that storage may hold for the octets from an address, which are in one line.
func (o *Outcomes) Values(address, octets uint64) (values [][]byte) {
	at := address &^ (o.line - 1)
	lines := o.lines[at]
	if lines == nil {
		lines = [][]byte{o.now(at)}
	}
	for _, v := range lines {
		v = v[address-at:][:octets]
		if !slices.ContainsFunc(values, func(w []byte) bool { return bytes.Equal(v, w) }) {
			values = append(values, v)
		}
	}
	return values
}

// Lacks returns the address of the first octet of which storage may hold something else than this; is is false if
// there is none.
func (o *Outcomes) Lacks(address uint64, octets []byte) (at uint64, is bool) {
	for len(octets) > 0 {
		n := min(uint64(len(octets)), o.line-address&(o.line-1))
		for i := range n {
			for _, v := range o.Values(address, n) {
				if v[i] != octets[i] {
					return address + i, true
				}
			}
		}
		address, octets = address+n, octets[n:]
	}
	return 0, false
}

// touched yields the addresses of the lines of a range.
func (o *Outcomes) touched(address, octets uint64) func(yield func(uint64) bool) {
	return func(yield func(uint64) bool) {
		first, last := address&^(o.line-1), (address+octets-1)&^(o.line-1)
		for at := first; yield(at) && at != last; at += o.line {
		}
	}
}

func (o *Outcomes) now(line uint64) []byte { return o.placed.Append(nil, line, int(o.line)) }

// Placed reports whether the node has placed these octets.
func (o *Outcomes) Placed(address uint64, octets []byte) bool { return o.placed.Equal(address, octets) }
