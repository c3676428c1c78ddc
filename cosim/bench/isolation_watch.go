package bench

import "github.com/rnicgen/rnicgen/cosim/simulator"

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

// measure runs the measurement and lets the victims go on when the aggressor is silent.
func (w *watch) measure(r *rig, holds string, cycles uint64) error {
	if holds != "" {
		if err := r.device.Stall(holds, simulator.Stall{Mode: simulator.StallRandom, Chance: 256}); err != nil {
			return err
		}
	}
	now := r.device.Engine().Cycle()
	w.start = now + cycles/3
	w.end = w.start + cycles
	for ; now < w.end+cycles/3; now = r.device.Engine().Cycle() {
		if err := r.cycle(); err != nil {
			return err
		}
	}
	if holds != "" {
		if err := r.device.Stall(holds, simulator.Stall{}); err != nil {
			return err
		}
	}
	return w.recover(r)
}

// recover silences the aggressor and expects something to finish for every victim.
func (w *watch) recover(r *rig) error {
	r.parties[0].behavior = silent{}
	silenced := r.device.Engine().Cycle()
	for now := silenced; now <= silenced+w.silence; now = r.device.Engine().Cycle() {
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

func percentile(sorted []uint64, percent int) uint64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, len(sorted)*percent/100)]
}
