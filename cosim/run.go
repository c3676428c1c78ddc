package cosim

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/cosim/engine/engines"
	"github.com/rnicgen/rnicgen/gen"
)

// Options say what random traffic to run.
type Options struct {
	Messages uint64
	Seed     uint64
	Stall    engine.Stall // of every stream
	Trace    string       // waveform file, .vcd or .fst
	Hash     bool         // take the trace hash of all ports
	PerCycle bool         // one call of the engine a cycle, for debugging
	Random   bool         // start from random state instead of zeros
	Unknown  bool         // start from unknown state, which no output may show; icarus
	Progress func(messages, cycles uint64)
	Coverage *engine.Coverage // collect what is covered
	Context  context.Context  // ends the run; nil: nothing does
}

// Report is what a run came to. Mismatch is nil when hardware and model agree.
type Report struct {
	Messages uint64 // segments that went through both
	Cycles   uint64
	Elapsed  time.Duration // of simulation and comparison; building the model is not in it
	Mismatch *Mismatch
	Hash     uint64 // with Options.Hash: the same on every engine
}

// Run sends random traffic through the hardware of a configuration and through the golden model. A mismatch is in the
// report; the error is for what kept the run from being one.
func Run(c gen.Config, engineName string, o Options) (Report, error) {
	d, err := RNICAtomics(c)
	if err != nil {
		return Report{}, err
	}
	return RunDesign(c, d, engineName, o)
}

// RunDesign is Run for a design that the caller has changed; tests break it.
func RunDesign(c gen.Config, d *engine.Design, engineName string, o Options) (Report, error) {
	if o.Messages == 0 {
		return Report{}, errors.New("messages is 0; allowed: at least 1")
	}
	ports, err := findPorts(d)
	if err != nil {
		return Report{}, err
	}
	eng, err := engines.Open(engineName, d, engine.Options{Seed: o.Seed, Buffer: bufferBeats, Trace: o.Trace, Hash: o.Hash,
		RandomInit: o.Random, Unknown: o.Unknown, Coverage: o.Coverage, Context: o.Context})
	if err != nil {
		return Report{}, err
	}
	if o.PerCycle {
		eng = perCycle{eng}
	}
	r := &runner{config: c, design: d, ports: &ports, eng: eng, options: o}
	report, err := r.run()
	return report, errors.Join(err, eng.Close())
}

// runner is one run. Stimulus is made ahead of the simulation, and what came out compared behind it, by a worker beside it;
// a fixed set of batches goes round.
type runner struct {
	config  gen.Config
	design  *engine.Design
	ports   *ports
	eng     engine.Engine
	options Options
}

// inFlight is how many batches go round: enough to bridge a pause of the worker, few enough for a processor's cache.
const inFlight = 6

func (r *runner) run() (Report, error) {
	s := newStimulus(r.config, r.options.Seed)
	check, err := newChecker(r.config, r.ports, s.stag, s.base)
	if err != nil {
		return Report{}, err
	}
	if err := r.prepare(s); err != nil {
		return Report{}, err
	}
	w := &worker{
		producer: &producer{stimulus: s, ports: r.ports, config: r.config, left: r.options.Messages}, checker: check,
		made: make(chan *batch, inFlight), ran: make(chan *batch, inFlight), stop: make(chan struct{}),
	}
	verdict := make(chan error, 1)
	go func() { verdict <- w.work() }()
	start := time.Now()
	err = r.simulate(w.made, w.ran, w.stop)
	close(w.ran)
	checkErr := <-verdict
	report := Report{Messages: check.messages, Cycles: r.eng.Cycle(), Elapsed: time.Since(start)}
	if r.options.Hash {
		report.Hash = r.eng.TraceHash()
	}
	if errors.As(checkErr, &report.Mismatch) {
		return report, nil
	}
	return report, errors.Join(err, checkErr)
}

func (r *runner) prepare(s *stimulus) error {
	errs := []error{r.eng.SetStatic("window_stag", uint64(s.stag)), r.eng.SetStatic("window_base", s.base)}
	for i, st := range r.design.Streams {
		if st.Ready != "" {
			errs = append(errs, r.eng.SetStall(i, r.options.Stall))
		}
	}
	return errors.Join(errs...)
}

// simulate takes batches through the engine until there are no more or the checker has seen enough.
func (r *runner) simulate(made <-chan *batch, ran chan<- *batch, stop <-chan struct{}) error {
	runtime.LockOSThread() // the model stays in one processor's caches
	defer runtime.UnlockOSThread()
	var messages uint64
	for {
		select {
		case <-stop:
			return nil
		case b, more := <-made:
			if !more {
				return nil
			}
			if err := r.batch(b); err != nil {
				// What came out until then goes to the checker: a mismatch explains more than a hang.
				b.flush = false
				ran <- b
				return err
			}
			messages += uint64(len(b.segments))
			if r.options.Progress != nil {
				r.options.Progress(messages, r.eng.Cycle())
			}
			select {
			case ran <- b:
			case <-stop:
				return nil
			}
		}
	}
}

// batch runs one batch until all of its stimulus is accepted, and with flush until nothing happens any more.
func (r *runner) batch(b *batch) error {
	p := r.ports
	if len(b.setup) > 0 {
		if err := r.eng.Lend(p.setup, b.setup); err != nil {
			return err
		}
		if err := r.settle(b); err != nil {
			return err
		}
	}
	if len(b.rx) > 0 {
		if err := r.eng.Lend(p.rx, b.rx); err != nil {
			return err
		}
	}
	if len(b.host) > 0 {
		if err := r.eng.Lend(p.host, b.host); err != nil {
			return err
		}
	}
	for {
		// At most one beat a stream passes in a cycle, so that the last of these cycles is the first without stimulus.
		queued := r.eng.Stats(p.rx).Queued
		if p.host >= 0 {
			queued = max(queued, r.eng.Stats(p.host).Queued)
		}
		if queued == 0 {
			break
		}
		result, err := r.eng.Run(queued, r.quiet())
		if err != nil {
			return errors.Join(err, r.drain(b))
		}
		if result.Why == engine.OutputFull {
			if err := r.drain(b); err != nil {
				return err
			}
		}
	}
	if b.flush {
		return r.settle(b)
	}
	return r.drain(b)
}

// quiet is how long nothing happens before the hardware counts as idle: after a reset it first clears the state of every
// stream.
func (r *runner) quiet() uint64 { return uint64(r.config.Streams) + quietCycles }

// settle runs until nothing happens any more.
func (r *runner) settle(b *batch) error {
	for {
		result, err := r.eng.Run(1<<20, r.quiet())
		if err != nil {
			return errors.Join(err, r.drain(b))
		}
		if err := r.drain(b); err != nil {
			return err
		}
		if result.Why == engine.Quiet {
			return nil
		}
	}
}

// drain hands what came out over to the batch: the whole buffer of each stream, and when the batch has that already, a
// copy of what came since.
func (r *runner) drain(b *batch) error {
	for i, stream := range [...]int{laneTx: r.ports.tx, laneRecord: r.ports.record, lanePayload: r.ports.payload,
		laneAnswer: r.ports.answer, laneRetire: r.ports.retire} {
		if stream < 0 || r.eng.Stats(stream).Queued == 0 {
			continue
		}
		out := &b.out[i]
		if len(out.beats) > 0 {
			if err := r.copyOut(stream, out); err != nil {
				return err
			}
			continue
		}
		if out.spare == nil {
			layout, err := r.design.Layout(stream)
			if err != nil {
				return err
			}
			out.spare = make([]uint64, bufferBeats*layout.Words)
		}
		beats, err := r.eng.Exchange(stream, out.spare)
		if err != nil {
			return err
		}
		out.beats, out.spare = beats, beats[:cap(beats)]
	}
	return nil
}

func (r *runner) copyOut(stream int, out *output) error {
	for {
		beats, err := r.eng.View(stream)
		if err != nil || len(beats) == 0 {
			return err
		}
		out.beats = append(out.beats, beats...)
		layout, err := r.design.Layout(stream)
		if err != nil {
			return err
		}
		if err := r.eng.Drop(stream, len(beats)/layout.Words); err != nil {
			return err
		}
	}
}

// perCycle makes one call of the engine for each cycle.
type perCycle struct{ engine.Engine }

func (p perCycle) Run(maxCycles, idleCycles uint64) (engine.Result, error) {
	var total engine.Result
	for total.Cycles < maxCycles {
		r, err := p.Engine.Run(1, idleCycles)
		total.Cycles, total.Why = total.Cycles+r.Cycles, r.Why
		if err != nil || r.Why != engine.MaxCycles {
			return total, err
		}
	}
	return total, nil
}
