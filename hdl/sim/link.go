package sim

// link lays out the words: the state, the next state in the same order, and then everything else. The next
// value of a register is computed in its place where possible.
func (s *Sim) link(f *flat) {
	now := func(n *node) {
		s.registers = append(s.registers, n)
		s.emit(n)
	}
	for _, r := range f.registers {
		now(r.now)
	}
	for _, m := range f.memories {
		for _, r := range m.reads {
			now(r.target)
		}
	}
	s.state = len(s.words) - 1
	s.alloc(s.state)
	for _, r := range f.registers {
		if _, taken := s.wish[r.next]; !taken && r.next.op != input && r.next.op != state {
			s.wish[r.next] = s.slots[r.now] + s.state
		}
	}
	for _, sig := range s.signals {
		if sig.input {
			s.emit(sig.node)
		}
	}
	for _, r := range f.registers {
		s.place(r.next, s.slots[r.now]+s.state)
	}
	for _, m := range f.memories {
		s.addMemory(m)
	}
	for _, sig := range s.signals[:f.ports] {
		s.emit(sig.node)
	}
}

// place puts the value of n in a given place, copying it if it is elsewhere.
func (s *Sim) place(n *node, slot int) {
	from := s.emit(n)
	if from == slot {
		return
	}
	in := instr{op: opCopy, d: uint32(slot), a: uint32(from), n: uint32(n.words())}
	if n.width > 64 {
		in.op = wideCopy
	}
	s.code = append(s.code, in)
}
