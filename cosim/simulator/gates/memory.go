package gates

import (
	"errors"
	"slices"
	"strings"
)

// memory is a $mem_v2 cell of yosys. Its words are stored as consecutive bits.
type memory struct {
	width, size int
	bits        []uint8
	reads       []*readPort // synchronous
	writes      []*writePort
}

// readPort is synchronous with an enable, or asynchronous. A synchronous port returns the word as it was before the clock edge,
// unless it is transparent to a write to the same address.
type readPort struct {
	memory        *memory
	address, data []net
	enable        net
	shows         []*writePort
	word          []uint8 // synchronous: the next value
	loads         bool
}

// writePort has an enable per bit. If two ports write the same bit, the later port wins.
type writePort struct {
	address, data, enable []net
	at                    int // position of the word written at the current edge, -1: none
	word                  []uint8
	on                    []bool
}

var errMemory = errors.New("a memory with resets, initial values, an offset or wide ports, which the gates engine does not support")

func (c *circuit) addMemory(s *sorter, cell *cell, clock net) error {
	var n struct{ width, size, offset, address, reads, writes int }
	for _, p := range []struct {
		name string
		to   *int
	}{{"WIDTH", &n.width}, {"SIZE", &n.size}, {"OFFSET", &n.offset}, {"ABITS", &n.address}, {"RD_PORTS", &n.reads}, {"WR_PORTS", &n.writes}} {
		var err error
		if *p.to, err = cell.number(p.name); err != nil {
			return err
		}
	}
	if n.offset != 0 || strings.ContainsAny(cell.Parameters["INIT"]+cell.Parameters["RD_INIT_VALUE"], "01") || cell.any("RD_ARST") || cell.any("RD_SRST") ||
		strings.Contains(cell.Parameters["RD_WIDE_CONTINUATION"]+cell.Parameters["WR_WIDE_CONTINUATION"], "1") {
		return errMemory
	}
	m := &memory{width: n.width, size: n.size, bits: make([]uint8, n.width*n.size)}
	part := func(name string, i, width int) []net { return cell.Connections[name][i*width : (i+1)*width] }
	for i := range n.writes {
		if !cell.bit("WR_CLK_ENABLE", i) || !cell.bit("WR_CLK_POLARITY", i) || part("WR_CLK", i, 1)[0] != clock {
			return errClock
		}
		m.writes = append(m.writes, &writePort{address: part("WR_ADDR", i, n.address), data: part("WR_DATA", i, n.width),
			enable: part("WR_EN", i, n.width), word: make([]uint8, n.width), on: make([]bool, n.width)})
	}
	for i := range n.reads {
		r := &readPort{memory: m, address: part("RD_ADDR", i, n.address), data: part("RD_DATA", i, n.width)}
		if !cell.bit("RD_CLK_ENABLE", i) {
			s.add(&node{read: r, needs: r.address}, r.data...)
			continue
		}
		if !cell.bit("RD_CLK_POLARITY", i) || part("RD_CLK", i, 1)[0] != clock {
			return errClock
		}
		r.enable, r.word = part("RD_EN", i, 1)[0], make([]uint8, n.width)
		for j, w := range m.writes {
			if cell.bit("RD_TRANSPARENCY_MASK", i*n.writes+j) {
				r.shows = append(r.shows, w)
			}
		}
		m.reads = append(m.reads, r)
	}
	c.memories = append(c.memories, m)
	return nil
}

// any reports whether a connection is not constant 0.
func (c *cell) any(name string) bool {
	return slices.ContainsFunc(c.Connections[name], func(n net) bool { return n != 0 })
}

// place returns the position of the word at an address, -1 if there is none.
func (m *memory) place(v []uint8, address []net) int {
	at := 0
	for i, n := range address {
		at |= int(v[n]) << i
	}
	if at >= m.size {
		return -1
	}
	return at * m.width
}

// load reads asynchronously. A nonexistent word is zero.
func (r *readPort) load(v []uint8) {
	at := r.memory.place(v, r.address)
	for i, n := range r.data {
		if at < 0 {
			v[n] = 0
		} else {
			v[n] = r.memory.bits[at+i]
		}
	}
}

// look samples the ports' inputs before an edge.
func (m *memory) look(v []uint8) {
	for _, w := range m.writes {
		w.at = -1
		for i, n := range w.enable {
			if w.on[i] = v[n] != 0; w.on[i] {
				w.at = 0
				w.word[i] = v[w.data[i]]
			}
		}
		if w.at == 0 {
			w.at = m.place(v, w.address)
		}
	}
	for _, r := range m.reads {
		if r.loads = v[r.enable] != 0; !r.loads {
			continue
		}
		at := m.place(v, r.address)
		if at < 0 {
			clear(r.word)
			continue
		}
		copy(r.word, m.bits[at:at+m.width])
		for _, w := range r.shows {
			if w.at == at {
				w.over(r.word)
			}
		}
	}
}

// over overlays the written bits on a word.
func (w *writePort) over(word []uint8) {
	for i, on := range w.on {
		if on {
			word[i] = w.word[i]
		}
	}
}

// act applies the clock edge.
func (m *memory) act(v []uint8) {
	for _, w := range m.writes {
		if w.at >= 0 {
			w.over(m.bits[w.at : w.at+m.width])
		}
	}
	for _, r := range m.reads {
		if !r.loads {
			continue
		}
		for i, n := range r.data {
			v[n] = r.word[i]
		}
	}
}
