package system

import "encoding/binary"

// word is a word of memory that Atomics use: its value is on chip from when it has been read until what they have made of it is
// written. Atomics on a word that is on chip need no memory.
type word struct {
	known   bool
	waiting []func(now Cycle) // for the word to be known
	dirty   bool              // the value has changed since the last write was asked for
	writing bool
}

// atomic executes an Atomic Request, in the cycle in which its word is read. The order of starts is that in which Atomics take effect.
func (n *rnic) atomic(number uint32, address uint64, now Cycle) {
	segments, done := n.model.Execute(number)
	if !n.executed(number, done) {
		return
	}
	response := cloned(segments)
	answer := func(now Cycle, cycles int) {
		n.later(now, cycles-n.timing.turnToBeat(), func(now Cycle) {
			n.enqueue(&message{stream: number, segments: response}, now)
			n.over(number, now)
		})
		n.words[address].dirty = true
		n.writeBack(address, now)
	}
	w := n.words[address]
	if w == nil {
		w = &word{}
		n.words[address] = w
		n.memory.read(address, 8, nil, func(now Cycle) {
			w.known = true
			for _, do := range w.waiting {
				do(now)
			}
			w.waiting = nil
		})
	}
	if w.known {
		answer(now, n.timing.ArriveToBeat-n.timing.ArriveToWord)
	} else {
		w.waiting = append(w.waiting, func(now Cycle) { answer(now, n.timing.WordToBeat) })
	}
}

// writeBack writes a word, unless it is being written: then once more afterwards.
func (n *rnic) writeBack(address uint64, now Cycle) {
	w := n.words[address]
	if w.writing {
		return
	}
	w.writing = true
	n.later(now, n.timing.WordToWrite, func(Cycle) {
		w.dirty = false
		value := binary.LittleEndian.AppendUint64(nil, n.model.Memory().Word(address))
		n.memory.write(address, value, func(now Cycle) {
			if w.writing = false; w.dirty {
				n.writeBack(address, now)
			} else {
				delete(n.words, address)
			}
		})
	})
}
