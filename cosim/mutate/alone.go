package mutate

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rnicgen/rnicgen/hdl/mutate"
	"github.com/rnicgen/rnicgen/hdl/mutate/equivalence"
	"github.com/rnicgen/rnicgen/hdl/mutate/sequence"
)

// alone is a module in isolation, with those of its mutants that traffic has not killed.
type alone struct {
	prover func() (*equivalence.Prover, error) // for the mutants still open when first needed
	lock   sync.Mutex                          // of the player
	player *sequence.Player
	walks  func() (map[int]found, error) // by the number of the distinguished mutant
}

// found is where a walk distinguishes a mutant.
type found struct {
	clock, cycles int
	port          string
}

// modules creates isolated modules on first use.
type modules struct {
	context context.Context
	subject *subject
	of      map[string][]mutate.Mutant // the open mutants
	made    once[*alone]
	proofs  *proofs
}

// once creates a module's value on first use.
type once[T any] struct {
	lock sync.Mutex
	made map[string]func() (T, error)
}

func (o *once[T]) get(module string, make func() (T, error)) (T, error) {
	o.lock.Lock()
	if o.made == nil {
		o.made = map[string]func() (T, error){}
	}
	if o.made[module] == nil {
		o.made[module] = sync.OnceValues(make)
	}
	made := o.made[module]
	o.lock.Unlock()
	return made()
}

func (s *subject) modules(ctx context.Context) (*modules, error) {
	proofs, err := s.proofs(ctx)
	return &modules{context: ctx, subject: s, proofs: proofs}, err
}

// narrow updates the list of open mutants.
func (p *modules) narrow(out []Result) {
	p.of = map[string][]mutate.Mutant{}
	for _, m := range out {
		if m.Outcome == Open {
			p.of[m.Module] = append(p.of[m.Module], m.Mutant)
		}
	}
}

// look is one attempt to decide a mutant.
type look func(*Result) error

// After this many cycles, every table is cleared and most buffers can be full in the configurations used.
var (
	swept = equivalence.Start{Clocks: 80}
	full  = equivalence.Start{Clocks: 600, Pressed: true}
)

// looks lists the attempts made on mutants that survive short traffic, in order. late is long traffic.
func (p *modules) looks(o Options, late look) (list []look) {
	prove := func(effort equivalence.Effort) look {
		return func(m *Result) error { return p.prove(m, effort) }
	}
	search := func(first equivalence.Start, cycles int, patience time.Duration) look {
		return func(m *Result) error { return p.search(m, first, cycles, patience) }
	}
	if o.Late {
		list = append(list, late, p.disprove)
	}
	list = append(list, prove(equivalence.Quick), p.walk, search(equivalence.Start{}, 24, 5*time.Second), search(equivalence.Start{Ones: true}, 24, 5*time.Second),
		search(swept, 24, 5*time.Second), search(full, 24, 5*time.Second))
	if !o.Late {
		list = append(list, late)
	}
	return append(list, prove(equivalence.Thorough), p.disprove, search(swept, 40, time.Minute))
}

func (p *modules) get(name string) (*alone, error) {
	return p.made.get(name, func() (*alone, error) { return p.alone(name) })
}

// alone creates an isolated module.
func (p *modules) alone(name string) (*alone, error) {
	set, mutants := p.subject.set, p.of[name]
	module, err := set.Alone(name, mutants)
	if err != nil {
		return nil, err
	}
	a := &alone{}
	if a.player, err = sequence.New(module); err != nil {
		return nil, err
	}
	a.walks = sync.OnceValues(func() (map[int]found, error) { return walks(p.context, a.player, module.Streams, p.of[name]) })
	a.prover = sync.OnceValues(func() (*equivalence.Prover, error) { return equivalence.New(p.context, set, mutants) })
	return a, nil
}

// differs records that a mutant behaves differently in isolation.
func (m *Result) differs(by string, f found) {
	m.Outcome, m.By = Alone, by
	m.Says = fmt.Sprintf("%s differs in cycle %d of a sequence of %d", f.port, f.clock, f.cycles)
}

// prove tries to prove one mutant equivalent.
func (p *modules) prove(m *Result, effort equivalence.Effort) error {
	a, err := p.get(m.Module)
	if err != nil {
		return err
	}
	prover, err := a.prover()
	if err != nil {
		return err
	}
	how, err := prover.Shows(p.context, m.Mutant, effort)
	if how != "" {
		m.Outcome, m.By = Equivalent, how
	}
	return err
}

// search looks for inputs that distinguish a mutant.
func (p *modules) search(m *Result, first equivalence.Start, cycles int, patience time.Duration) error {
	a, err := p.get(m.Module)
	if err != nil {
		return err
	}
	prover, err := a.prover()
	if err != nil {
		return err
	}
	inputs, err := prover.Apart(p.context, m.Mutant, first, cycles, patience)
	if err != nil || inputs == nil {
		return err
	}
	a.lock.Lock()
	defer a.lock.Unlock()
	s, err := a.player.Record(*inputs)
	if err != nil {
		return err
	}
	clock, port := a.player.Differs(s, mutate.SelectOf(m.Mutant))
	if port == "" {
		return fmt.Errorf("mutant %d of %s: a sequence of %d cycles distinguishes it in the netlist, but not in simulation", m.Number, m.Module, s.Clocks())
	}
	m.differs("search", found{clock, s.Clocks(), port})
	return nil
}

// walkSizes are the numbers and lengths of the walks; longer ones are used only for mutants not distinguished by a shorter one.
var walkSizes = []struct{ number, cycles int }{{400, 800}, {60, 8000}}

// walks plays random sequences of a module until each mutant is distinguished, or all have been played.
func walks(ctx context.Context, p *sequence.Player, streams []mutate.AloneStream, open []mutate.Mutant) (map[int]found, error) {
	told, left := map[int]found{}, slices.Clone(open)
	for _, size := range walkSizes {
		for seed := 0; seed < size.number && len(left) > 0; seed++ {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			inputs, err := p.Walk(streams, size.cycles, uint64(seed))
			if err != nil {
				return nil, err
			}
			s, err := p.Record(inputs)
			if err != nil {
				return nil, err
			}
			left = slices.DeleteFunc(left, func(m mutate.Mutant) bool {
				clock, port := p.Differs(s, mutate.SelectOf(m))
				if port != "" {
					told[m.Number] = found{clock, size.cycles, port}
				}
				return port != ""
			})
		}
	}
	return told, nil
}

// walk records that a random sequence distinguishes a mutant.
func (p *modules) walk(m *Result) error {
	a, err := p.get(m.Module)
	if err != nil {
		return err
	}
	a.lock.Lock()
	defer a.lock.Unlock()
	told, err := a.walks()
	if f, is := told[m.Number]; is {
		m.differs("walk", f)
	}
	return err
}
