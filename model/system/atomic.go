package system

// atomics are the Atomic Requests in progress in memory. They execute in the order in which they started, one in a cycle, and are over in
// that order. A word is on chip while one that uses it is in progress, so only the first needs to read it. A write carries the word as it is
// by then, and covers all that have been executed.
type atomics struct {
	words   map[uint64]*word // on chip, by address
	waiting []*atomicRequest // not executed
	writing []*atomicRequest // executed, and not over
	count   int              // in progress
	free    Cycle            // when the next one may execute
	delayed []*atomicRequest // that wait for room
}

// word is a word on chip.
type word struct {
	known bool
	users int
}

// atomicRequest is an Atomic Request in progress.
type atomicRequest struct {
	stream   uint32
	address  uint64
	earliest Cycle // when it may execute if its word is on chip
	covered  bool  // a write that covers it has been posted
	written  bool  // and is in memory
	answered bool  // its response waits for its turn
}

// startAtomic starts an Atomic Request, in the cycle in which its word is read.
func (n *rnic) startAtomic(a *atomicRequest, now Cycle) {
	u := &n.atomics
	if u.count >= n.site.Config.AtomicDepth {
		u.delayed = append(u.delayed, a)
		return
	}
	u.count++
	a.earliest = Cycle(int64(now) + int64(n.timing.ArriveToBeat-n.timing.ArriveToWord-n.timing.WordToBeat))
	u.waiting = append(u.waiting, a)
	w := u.words[a.address]
	if w == nil {
		w = &word{}
		u.words[a.address] = w
		n.accesses.read(a.address, 8, func(now Cycle) {
			w.known = true
			n.executeAtomics(now)
		})
	}
	w.users++
	n.executeAtomics(now)
}

// executeAtomics executes the next one if its word is known.
func (n *rnic) executeAtomics(now Cycle) {
	u := &n.atomics
	if len(u.waiting) == 0 {
		return
	}
	a := u.waiting[0]
	if !u.words[a.address].known {
		return // memory calls again
	}
	if when := max(a.earliest, u.free); when > now {
		n.agenda.enter(when, n.executeAtomics)
		return
	}
	u.free = now + 1
	u.waiting, u.writing = u.waiting[1:], append(u.writing, a)
	response, word, err := n.speaks.execute(a.stream)
	n.check(err)
	if err != nil {
		return
	}
	if word != a.address {
		n.fail("stream %d: the Atomic at %#x is executed in the turn of that at %#x", a.stream, word, a.address)
		return
	}
	n.later(now, n.timing.WordToBeat-n.timing.turnToBeat(), func(now Cycle) {
		n.enqueue(&message{stream: a.stream, packets: response}, now)
		a.answered = true
		n.endAtomics(now)
	})
	n.later(now, n.timing.WordToWrite, func(Cycle) { n.writeBack(a) })
	n.executeAtomics(now)
}

// writeBack writes the word of an atomic, unless a write that was posted later covers it.
func (n *rnic) writeBack(a *atomicRequest) {
	if a.covered {
		return
	}
	var covers []*atomicRequest
	for _, x := range n.atomics.writing {
		if x.address == a.address && !x.covered {
			x.covered = true
			covers = append(covers, x)
		}
	}
	value := n.speaks.memory().Append(nil, a.address, 8)
	n.accesses.write(a.address, value, func(now Cycle) {
		for _, x := range covers {
			x.written = true
		}
		n.endAtomics(now)
	})
}

// endAtomics ends those that are answered and written, in order.
func (n *rnic) endAtomics(now Cycle) {
	u := &n.atomics
	for len(u.writing) > 0 && u.writing[0].answered && u.writing[0].written {
		a := u.writing[0]
		u.writing = u.writing[1:]
		u.count--
		if w := u.words[a.address]; w.users == 1 {
			delete(u.words, a.address)
		} else {
			w.users--
		}
		n.over(a.stream, now, n.timing.afterWrite())
		if len(u.delayed) > 0 {
			next := u.delayed[0]
			u.delayed = u.delayed[1:]
			n.startAtomic(next, now)
		}
	}
}
