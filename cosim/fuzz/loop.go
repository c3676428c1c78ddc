package fuzz

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"regexp"
	"time"

	"github.com/rnicgen/rnicgen/cosim/coverage"
	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
)

// Options control the search.
type Options struct {
	Hardware []Hardware // of which each program chooses one
	Cycles   uint64     // minimum to simulate if nothing is found
	Seed     uint64
	Smaller  int             // maximum number of runs to minimize a finding; 0: 150
	Corpus   []Program       // initial programs
	Context  context.Context // cancels the search; may be nil
	Progress func(Result)    // called from time to time; may be nil
	Kept     func(p Program) // called for programs that reach something new; may be nil
}

// Result is the result of a search.
type Result struct {
	Programs int // run
	Kept     int // that reached something new
	Reached  int // features
	Messages uint64
	Cycles   uint64
	Elapsed  time.Duration
	Findings []Finding
}

// Finding is a program on which hardware and model differ.
type Finding struct {
	Program Program // minimized
	Config  gen.Config
	Found   int // length of the original program in octets
	Err     error
}

// mostFailures ends a search: repeated failures are likely one defect.
const mostFailures = 4

// Run searches. The error is not a finding, but the reason why the search failed.
func Run(o Options) (Result, error) {
	f := &fuzzer{options: o, rand: rand.New(rand.NewPCG(o.Seed, 7)), seen: map[feature]bool{}, texts: map[string]bool{}}
	if o.Context == nil {
		f.options.Context = context.Background()
	}
	if o.Smaller == 0 {
		f.options.Smaller = 150
	}
	start := time.Now()
	err := f.search()
	f.result.Elapsed = time.Since(start)
	return f.result, err
}

// feature is something that a program reaches: a point with its count rounded to a power of two, an edge of a port bit, or a bin;
// each on one configuration.
type feature struct {
	hardware int
	kind     byte
	number   int
	power    int
	bin      coverage.Message
}

type fuzzer struct {
	options Options
	rand    *rand.Rand
	corpus  []Program
	seen    map[feature]bool
	texts   map[string]bool
	result  Result

	failures int // programs that failed
}

func (f *fuzzer) search() error {
	start := time.Now()
	last := start
	for _, p := range f.options.Corpus {
		if err := f.try(p); err != nil {
			return err
		}
	}
	for f.result.Cycles < f.options.Cycles && f.failures < mostFailures {
		p := Program{byte(f.rand.Uint32()), byte(f.rand.Uint32()), byte(f.rand.Uint32()), byte(f.rand.Uint32()), byte(f.rand.Uint32())}
		if len(f.corpus) > 4 && f.rand.IntN(16) > 0 {
			// The newest have been mutated least.
			n := len(f.corpus)
			at := n - 1 - min(f.rand.IntN(n), f.rand.IntN(n))
			p = f.corpus[at]
		}
		var other Program
		if len(f.corpus) > 0 {
			other = f.corpus[f.rand.IntN(len(f.corpus))]
		}
		if err := f.try(mutate(p, other, f.rand)); err != nil {
			return err
		}
		if now := time.Now(); f.options.Progress != nil && now.Sub(last) > 3*time.Second {
			last, f.result.Elapsed = now, now.Sub(start)
			f.options.Progress(f.result)
		}
	}
	return nil
}

// try runs a program, keeps it if it reaches something new, and minimizes it if it fails.
func (f *fuzzer) try(p Program) error {
	reached, result, err := Reach(f.options.Context, p, f.options.Hardware)
	differs := p.traffic(f.options.Hardware).differs(err)
	if ctx := f.options.Context; ctx.Err() != nil && !differs {
		return context.Cause(ctx)
	}
	f.result.Programs++
	f.result.Messages += result.Messages
	f.result.Cycles += result.Cycles
	if differs {
		return f.found(p, err)
	}
	if err != nil {
		return fmt.Errorf("program %v: %w", p, err)
	}
	fresh := false
	for x := range reached {
		if !f.seen[x] {
			f.seen[x], fresh = true, true
		}
	}
	f.result.Reached = len(f.seen)
	if fresh {
		f.corpus = append(f.corpus, p)
		f.result.Kept++
		if f.options.Kept != nil {
			f.options.Kept(p)
		}
	}
	return nil
}

// found minimizes a finding. Findings with the same kind of difference are merged.
func (f *fuzzer) found(p Program, err error) error {
	f.failures++
	if f.texts[kindOf(err)] {
		return nil
	}
	found := err
	small := minimise(p, f.options.Smaller, func(q Program) bool { return alike(err, Check(f.options.Context, q, f.options.Hardware)) })
	err = Check(f.options.Context, small, f.options.Hardware)
	if err == nil && f.options.Context.Err() != nil {
		small, err = p, found // unchanged
	}
	if err == nil {
		return fmt.Errorf("program %v does not fail reproducibly", small)
	}
	f.texts[kindOf(err)] = true
	f.result.Findings = append(f.result.Findings, Finding{small, small.Config(f.options.Hardware), len(p), err})
	return nil
}

// alike reports whether two errors are of the same kind.
func alike(a, b error) bool { return b != nil && kindOf(a) == kindOf(b) }

// digits are what differs between differences of a kind.
var digits = regexp.MustCompile("[0-9]+")

func kindOf(err error) string {
	var d *rnic.Difference
	if errors.As(err, &d) {
		return d.What
	}
	var f *falcon.Difference
	if errors.As(err, &f) {
		return digits.ReplaceAllString(f.Error(), "")
	}
	var e *simulator.ProtocolError
	if errors.As(err, &e) {
		return "protocol " + e.Channel
	}
	return fmt.Sprintf("%T", errors.Unwrap(err))
}

// Check runs a program on the model built for coverage, and returns the difference.
func Check(ctx context.Context, p Program, hardware []Hardware) error {
	t := p.traffic(hardware)
	_, _, err := t.run(ctx, p, hardware, &simulator.Coverage{})
	if err != nil && !t.differs(err) {
		return nil
	}
	return err
}

// Reach runs a program and returns what it reaches.
func Reach(ctx context.Context, p Program, hardware []Hardware) (map[feature]bool, Outcome, error) {
	chosen := p.chosen(hardware)
	var code simulator.Coverage
	result, bins, err := p.traffic(hardware).run(ctx, p, hardware, &code)
	reached := map[feature]bool{}
	for i, point := range code.Points {
		if point.Count > 0 {
			reached[feature{hardware: chosen, kind: 'p', number: i, power: bits.Len64(point.Count)}] = true
		}
	}
	number := 0
	for _, pin := range code.Pins {
		for w := range pin.Rose {
			for edge, word := range [2]uint64{pin.Rose[w], pin.Fell[w]} {
				for ; word != 0; word &= word - 1 {
					reached[feature{hardware: chosen, kind: 't', number: 2*(number+bits.TrailingZeros64(word)) + edge}] = true
				}
			}
			number += 64
		}
	}
	for _, m := range bins {
		reached[feature{hardware: chosen, kind: 'b', bin: m}] = true
	}
	return reached, result, err
}
