package falcon

// window is a set of numbers modulo 2^32, each of which occurs once: all before next, and some after it.
type window struct {
	next  uint32
	later map[uint32]bool
}

// before reports whether a precedes b, at a distance below 2^31.
func before(a, b uint32) bool { return int32(a-b) < 0 }

func (w *window) has(n uint32) bool { return before(n, w.next) || w.later[n] }

// fits reports whether n is allowed: it is not in the set, and the number size before it is. So a table of size entries, each of
// which expects its next number, can be the window (I-121).
func (w *window) fits(n uint32, size int) bool { return !w.has(n) && w.has(n-uint32(size)) }

func (w *window) add(n uint32) {
	if w.later == nil {
		w.later = map[uint32]bool{}
	}
	for w.later[n] = true; w.later[w.next]; w.next++ {
		delete(w.later, w.next)
	}
}
