package sim

import "fmt"

// Memory is the contents of a memory of the design, for tests and initialisation.
type Memory struct {
	Name         string
	Width, Depth int
	sim          *Sim
	data         []uint64
	words        int // of one entry
	reads        []readPort
	writes       bool
	enable, addr int // slots
	from         int
}

type readPort struct {
	enable, addr int
	now, next    int
}

func (s *Sim) addMemory(m memory) {
	words := (m.width + 63) / 64
	out := &Memory{Name: m.name, Width: m.width, Depth: m.depth, sim: s, words: words, data: make([]uint64, words*m.depth)}
	if m.enable != nil {
		out.writes, out.enable, out.addr, out.from = true, s.emit(m.enable), s.emit(m.addr), s.emit(m.data)
	}
	for _, r := range m.reads {
		now := s.slots[r.target]
		out.reads = append(out.reads, readPort{s.emit(r.enable), s.emit(r.addr), now, now + s.state})
	}
	s.order = append(s.order, out)
	s.memories[m.name] = out
}

// edge loads the results of the read ports, from before the write, into the next state, and then writes. All memories depend only on the
// current state, so their order does not matter.
func (m *Memory) edge(w []uint64) {
	for i := range m.reads {
		r := &m.reads[i]
		if w[r.enable] == 0 {
			copy(w[r.next:r.next+m.words], w[r.now:])
		} else {
			copy(w[r.next:r.next+m.words], m.data[int(w[r.addr])*m.words:])
		}
	}
	if m.writes && w[m.enable] != 0 {
		copy(m.data[int(w[m.addr])*m.words:][:m.words], w[m.from:])
	}
}

// Memory finds a memory by its hierarchical name.
func (s *Sim) Memory(name string) (*Memory, error) {
	if m := s.memories[name]; m != nil {
		return m, nil
	}
	return nil, fmt.Errorf("there is no memory %q", name)
}

// Memories lists the memories of the design.
func (s *Sim) Memories() []*Memory { return s.order }

// Get copies the word at addr, low 64 bits first; the result is empty if there is no such address.
func (m *Memory) Get(addr int, words []uint64) {
	if addr >= 0 && addr < m.Depth {
		clear(words)
		copy(words, m.data[addr*m.words:][:m.words])
	}
}

// Set stores the word at addr, low 64 bits first, ignoring bits beyond Width; it has no effect if there is no such
// address.
func (m *Memory) Set(addr int, words ...uint64) {
	if addr < 0 || addr >= m.Depth {
		return
	}
	to := m.data[addr*m.words:][:m.words]
	clear(to)
	copy(to, words)
	to[m.words-1] &= topMask(m.Width)
}
