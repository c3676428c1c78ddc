package cosim

import "time"

// worker makes the stimulus and compares what came out, while the simulation runs: one goroutine for both, so that on two
// processors the simulation has one for itself.
type worker struct {
	producer *producer
	checker  *checker
	made     chan *batch   // to the simulation; closed after the last
	ran      chan *batch   // from the simulation; closed by it
	stop     chan struct{} // closed when the checker has seen enough
}

// nap is how long the worker sleeps when it is ahead. Blocked in a channel it would have to be woken with every batch, by
// the simulation.
const nap = 50 * time.Microsecond

// work ends when the simulation has closed ran, with the checker's error.
func (w *worker) work() error {
	free := make([]*batch, inFlight)
	for i := range free {
		free[i] = &batch{}
	}
	for more := true; ; {
		if more && len(free) > 0 {
			next := free[len(free)-1]
			free = free[:len(free)-1]
			if more = w.producer.fill(next); more {
				w.made <- next
			} else {
				close(w.made)
			}
			continue
		}
		select {
		case b, open := <-w.ran:
			if !open {
				return nil
			}
			if err := w.checker.check(b); err != nil {
				close(w.stop)
				for range w.ran { // let the simulation come to its end
				}
				return err
			}
			free = append(free, w.checker.done...)
			w.checker.done = w.checker.done[:0]
		default:
			time.Sleep(nap)
		}
	}
}
