package system

import (
	"sync"
	"sync/atomic"
)

// workers are goroutines that share tasks with their caller.
type workers struct {
	helpers int
	start   chan struct{}
	over    sync.WaitGroup
	next    atomic.Int64
	count   int
	do      func(i int)
}

// newWorkers returns so many, the caller included.
func newWorkers(n int) *workers {
	w := &workers{helpers: n - 1, start: make(chan struct{})}
	for range w.helpers {
		go func() {
			for range w.start {
				w.take()
				w.over.Done()
			}
		}()
	}
	return w
}

// each calls do with 0 to count-1, in this order but several at a time, and returns when all are done.
func (w *workers) each(count int, do func(i int)) {
	w.count, w.do = count, do
	w.next.Store(0)
	for range min(w.helpers, count-1) {
		w.over.Add(1)
		w.start <- struct{}{}
	}
	w.take()
	w.over.Wait()
}

func (w *workers) take() {
	for i := int(w.next.Add(1)) - 1; i < w.count; i = int(w.next.Add(1)) - 1 {
		w.do(i)
	}
}

// stop ends the goroutines.
func (w *workers) stop() { close(w.start) }
