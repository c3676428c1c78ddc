package bench

import "slices"

// watch measures what finishes for victims, and notices when nothing does.
type watch struct {
	silence    uint64
	start, end uint64                   // of the measurement
	last       [isolationStreams]uint64 // by stream: when something has finished
	counts     map[string]uint64
	out        runResult
}

func (w *watch) finished(stream uint32, kind string, began, now uint64) {
	w.last[stream] = now
	if now >= w.start && now < w.end {
		w.counts[kind]++
	}
	w.add(kind, began, now)
}

// add takes the latency of a request that became due in the measurement; one without a response has its age.
func (w *watch) add(kind string, began, now uint64) {
	if began >= w.start && began < w.end {
		w.out.latencies[kind] = append(w.out.latencies[kind], now-began)
	}
}

// arena is an engine with its parties, the first of which is the aggressor.
type arena interface {
	now() uint64
	cycle() error
	hush()                             // the aggressor falls silent
	hold(port string, held bool) error // the host does not serve a port
}

// measure runs the measurement and lets the victims go on when the aggressor is silent.
func (w *watch) measure(r arena, holds string, cycles uint64) error {
	if holds != "" {
		if err := r.hold(holds, true); err != nil {
			return err
		}
	}
	w.start = r.now() + cycles/3
	w.end = w.start + cycles
	for r.now() < w.end+cycles/3 {
		if err := r.cycle(); err != nil {
			return err
		}
	}
	if holds != "" {
		if err := r.hold(holds, false); err != nil {
			return err
		}
	}
	return w.recover(r)
}

// recover silences the aggressor and expects something to finish for every victim.
func (w *watch) recover(r arena) error {
	r.hush()
	for silenced := r.now(); r.now() <= silenced+w.silence; {
		w.out.stuck = nil
		for s, last := range w.last[1:] {
			if last <= silenced {
				w.out.stuck = append(w.out.stuck, s+1)
			}
		}
		if len(w.out.stuck) == 0 {
			return nil
		}
		if err := r.cycle(); err != nil {
			return err
		}
	}
	return nil
}

// newWatch is a watch whose measurement has not begun.
func newWatch(silence uint64) *watch {
	return &watch{silence: silence, start: ^uint64(0), counts: map[string]uint64{}, out: runResult{rates: map[string]float64{}, latencies: map[string][]uint64{}}}
}

// result is what was measured: the rates over a number of cycles, and latencies in ascending order.
func (w *watch) result(cycles uint64) runResult {
	for name, list := range w.out.latencies {
		slices.Sort(list)
		w.out.rates[name] = float64(w.counts[name]) / float64(cycles)
	}
	return w.out
}

func percentile(sorted []uint64, percent int) uint64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, len(sorted)*percent/100)]
}
