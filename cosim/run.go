package cosim

import (
	"errors"
	"fmt"
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
	Progress func(messages, cycles uint64)
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
	eng, err := engines.Open(engineName, d, engine.Options{Seed: o.Seed, Buffer: 1 << 13, Trace: o.Trace, Hash: o.Hash, RandomInit: o.Random})
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

// inFlight is how many batches go round.
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

func (r *runner) batch(b *batch) error {
	if len(b.setup) > 0 {
		if err := r.push(b, r.ports.setup, b.setup, r.ports.setupWords); err != nil {
			return err
		}
		if err := r.settle(b); err != nil {
			return err
		}
	}
	rx, host := b.rx, b.host
	for len(rx) > 0 || len(host) > 0 {
		n, err := r.eng.Push(r.ports.rx, rx)
		if err != nil {
			return err
		}
		rx = rx[n*r.ports.rxBeats.words:]
		if len(host) > 0 {
			m, err := r.eng.Push(r.ports.host, host)
			if err != nil {
				return err
			}
			host = host[m*r.ports.hostWords:]
			n += m
		}
		if n == 0 || len(rx) > 0 || len(host) > 0 {
			if err := r.step(b, batchCycles); err != nil {
				return err
			}
		}
	}
	if b.flush {
		return r.settle(b)
	}
	// Leave some beats queued, so that the next batch joins without a gap.
	for r.eng.Stats(r.ports.rx).Queued > 512 || r.eng.Stats(r.ports.host).Queued > 512 {
		if err := r.step(b, 256); err != nil {
			return err
		}
	}
	return r.drain(b)
}

func (r *runner) push(b *batch, stream int, beats []uint64, words int) error {
	for {
		n, err := r.eng.Push(stream, beats)
		if err != nil {
			return err
		}
		if beats = beats[n*words:]; len(beats) == 0 {
			return nil
		}
		if err := r.step(b, batchCycles); err != nil {
			return err
		}
	}
}

func (r *runner) quiet() uint64 { return uint64(r.config.Streams) + quietCycles }

func (r *runner) step(b *batch, cycles uint64) error {
	if _, err := r.eng.Run(cycles, r.quiet()); err != nil {
		return err
	}
	return r.drain(b)
}

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

// drain moves what came out into the batch.
func (r *runner) drain(b *batch) error {
	p := r.ports
	for _, out := range []struct {
		stream, words int
		into          *[]uint64
	}{
		{p.tx, p.txBeats.words, &b.tx}, {p.record, p.recordPack.words, &b.record}, {p.payload, p.payloadBeats.words, &b.payload},
		{p.answer, answerWords, &b.answer}, {p.retire, p.retirePack.words, &b.retire},
	} {
		if out.stream < 0 {
			continue
		}
		for {
			queued := int(r.eng.Stats(out.stream).Queued)
			if queued == 0 {
				break
			}
			buf := *out.into
			at := len(buf)
			buf = extend(buf, queued*out.words)
			n, err := r.eng.Pop(out.stream, buf[at:], nil)
			if err != nil {
				return fmt.Errorf("taking beats: %w", err)
			}
			*out.into = buf[:at+n*out.words]
		}
	}
	b.cycles = r.eng.Cycle()
	return nil
}

// extend makes room for n more words; their contents do not matter.
func extend(buf []uint64, n int) []uint64 {
	if len(buf)+n <= cap(buf) {
		return buf[:len(buf)+n]
	}
	return append(buf, make([]uint64, n)...)
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
