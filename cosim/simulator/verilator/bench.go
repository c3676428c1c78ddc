package verilator

import (
	"fmt"
	"runtime"
	"slices"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/batch"
)

// Load is the workload of a speed comparison.
type Load struct {
	Beats  [][]uint64      // per sink, packed; offered in a loop; empty: nothing is offered
	Stall  simulator.Stall // of every stream except monitors
	Cycles uint64          // per sample
	Pairs  int             // timed samples of each side
}

// Speed compares the batched engine with a plain C++ loop over the same model, in the same library.
type Speed struct {
	BatchedNs, PlainNs float64 // per cycle: medians of the calling thread's processor time
	Ratio              float64 // of the speeds: PlainNs / BatchedNs
	PlainWallNs        float64 // per cycle of the plain loop, median wall-clock time
	Allocs             uint64  // Go allocations during a batched sample, the minimum of all samples
	Outputs            []Output
}

// Output summarizes the beats that passed a stream during a sample.
type Output struct{ Beats, Checksum uint64 }

// Measure alternates between the two sides, so that varying machine load affects both. Output beats are read and discarded.
// An untimed first pair also sums the output words. Measure fails if the sums of the two sides differ, or if any sample
// transfers a different number of beats.
func Measure(d *simulator.Design, o simulator.Options, load Load) (Speed, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if len(d.Memories) > 0 {
		return Speed{}, fmt.Errorf("measure %s: the plain loop does not support memories", d.Top)
	}
	if load.Pairs < 1 || load.Cycles < 1 || len(load.Beats) != len(d.Streams) {
		return Speed{}, fmt.Errorf("measure %s: needs at least one pair and one cycle, and an entry of beats for each stream", d.Top)
	}
	m := measurement{design: d, options: o.WithDefaults(), load: load}
	m.speed.Allocs = ^uint64(0)
	m.load.Beats = slices.Clone(load.Beats)
	for i, beats := range load.Beats { // room for a ring, whose size is a power of two
		m.load.Beats[i] = append(make([]uint64, 0, 2*len(beats)), beats...)
	}
	m.sum = true
	var batched, plain []float64
	for range load.Pairs + 1 {
		b, err := m.sample(m.runBatched)
		if err != nil {
			return Speed{}, err
		}
		p, err := m.sample(m.runPlain)
		if err != nil {
			return Speed{}, err
		}
		if !m.sum {
			batched, plain = append(batched, b), append(plain, p)
		}
		m.sum = false
	}
	s := m.speed
	s.BatchedNs, s.PlainNs = median(batched), median(plain)
	s.Ratio = s.PlainNs / s.BatchedNs
	s.PlainWallNs = median(m.wall)
	return s, nil
}

type measurement struct {
	design  *simulator.Design
	options simulator.Options
	load    Load
	sum     bool
	wall    []float64 // wall-clock nanoseconds per cycle of the plain loop
	speed   Speed
}

// sample runs a fresh instance once and returns the nanoseconds per cycle.
func (m *measurement) sample(run func(*batch.Engine, *driver, []Output) (time.Duration, error)) (float64, error) {
	e, drv, err := open(m.design, m.options)
	if err != nil {
		return 0, err
	}
	defer e.Close()
	outputs := make([]Output, len(m.design.Streams))
	elapsed, err := run(e, drv, outputs)
	if err != nil {
		return 0, err
	}
	if m.speed.Outputs == nil {
		m.speed.Outputs = outputs
	}
	for i, o := range outputs {
		if want := m.speed.Outputs[i]; o.Beats != want.Beats || m.sum && o != want {
			return 0, fmt.Errorf("%s, stream %s: the batched engine and the plain loop differ: %v, %v",
				m.design.Top, m.design.Streams[i].Name, want, o)
		}
	}
	return float64(elapsed.Nanoseconds()) / float64(m.load.Cycles), nil
}

func (m *measurement) runBatched(e *batch.Engine, _ *driver, outputs []Output) (time.Duration, error) {
	for i, s := range m.design.Streams {
		if s.Monitor() {
			continue
		}
		if err := e.SetStall(i, m.load.Stall); err != nil {
			return 0, err
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start, end := cpuTime(), e.Cycle()+m.load.Cycles
	for e.Cycle() < end {
		if err := m.batch(e, outputs, end-e.Cycle()); err != nil {
			return 0, err
		}
	}
	elapsed := cpuTime() - start
	runtime.ReadMemStats(&after)
	m.speed.Allocs = min(m.speed.Allocs, after.Mallocs-before.Mallocs)
	for i := range outputs {
		outputs[i].Beats = e.Stats(i).Beats
	}
	return elapsed, nil
}

// batch lends each sink its beats again once all are accepted, runs for as many cycles as the sinks have beats for, and
// empties each source.
func (m *measurement) batch(e *batch.Engine, outputs []Output, cycles uint64) error {
	cycles = min(cycles, uint64(m.options.Buffer))
	for i, s := range m.design.Streams {
		if s.Dir != simulator.Sink || len(m.load.Beats[i]) == 0 {
			continue
		}
		if e.Stats(i).Queued == 0 {
			if err := e.Lend(i, m.load.Beats[i]); err != nil {
				return err
			}
		}
		cycles = min(cycles, e.Stats(i).Queued)
	}
	if _, err := e.Run(cycles, 0); err != nil {
		return err
	}
	for i, s := range m.design.Streams {
		if s.Dir != simulator.Source {
			continue
		}
		for {
			beats, err := e.View(i)
			if err != nil {
				return err
			}
			if len(beats) == 0 {
				break
			}
			if m.sum {
				for _, word := range beats {
					outputs[i].Checksum = batch.Mix(outputs[i].Checksum, word)
				}
			}
			if err := e.Drop(i, len(beats)/e.Words(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// plainStream mirrors PlainStream in shim/plain.h.
type plainStream struct {
	beats                                  *uint64
	count, next, pending, passed, checksum uint64
	random, mode, chance, burst, stalled   uint64
}

func (m *measurement) runPlain(e *batch.Engine, drv *driver, outputs []Output) (time.Duration, error) {
	streams := make([]plainStream, len(outputs))
	var pin runtime.Pinner
	defer pin.Unpin()
	for i, s := range m.design.Streams {
		p := &streams[i]
		p.random = batch.Seed(m.options.Seed, uint64(i))
		if !s.Monitor() {
			p.mode, p.chance = uint64(m.load.Stall.Mode), uint64(m.load.Stall.Chance)
		}
		if s.Dir == simulator.Sink && len(m.load.Beats[i]) > 0 {
			p.beats, p.count = &m.load.Beats[i][0], uint64(len(m.load.Beats[i])/e.Words(i))
			pin.Pin(p.beats)
		}
	}
	began, start := time.Now(), cpuTime()
	purego.SyscallN(drv.library.plain, drv.instance, uintptr(unsafe.Pointer(&streams[0])), uintptr(m.load.Cycles), flag(m.sum))
	elapsed := cpuTime() - start
	if !m.sum {
		m.wall = append(m.wall, float64(time.Since(began).Nanoseconds())/float64(m.load.Cycles))
	}
	for i, p := range streams {
		outputs[i] = Output{Beats: p.passed, Checksum: p.checksum}
	}
	return elapsed, nil
}

func median(v []float64) float64 {
	slices.Sort(v)
	return (v[len(v)/2] + v[(len(v)-1)/2]) / 2
}
