package mutate

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rnicgen/rnicgen/hdl/mutate"
	"github.com/rnicgen/rnicgen/hdl/mutate/same"
	"github.com/rnicgen/rnicgen/hdl/mutate/sequence"
)

// alone is a module by itself, with those of its mutants that traffic has not killed.
type alone struct {
	prover    func() (*same.Prover, error) // of those that are open when it is first needed
	lock      sync.Mutex                   // of what follows
	player    *sequence.Player
	sequences []sequence.Sequence
	committed int                                       // of the sequences, those at the beginning
	walks     func() (map[int]sequence.Sequence, error) // by the number of the mutant that is told apart
}

// modules are made when they are first needed.
type modules struct {
	context  context.Context
	subject  *subject
	sequence func(module string) ([]sequence.Sequence, error) // that are committed
	of       map[string][]mutate.Mutant                       // that are open
	made     once[*alone]
	proofs   *proofs
}

// once makes what belongs to a module when it is first asked for.
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

func (s *subject) modules(ctx context.Context, committed func(module string) ([]sequence.Sequence, error)) (*modules, error) {
	proofs, err := s.proofs(ctx)
	return &modules{context: ctx, subject: s, sequence: committed, proofs: proofs}, err
}

// narrow takes note of which mutants are open.
func (p *modules) narrow(out []Outcome) {
	p.of = map[string][]mutate.Mutant{}
	for _, m := range out {
		if m.Fate == Open {
			p.of[m.Module] = append(p.of[m.Module], m.Mutant)
		}
	}
}

// look does something about a mutant.
type look func(*Outcome) error

// In the configurations, every table is cleared and most that can be full is after so many clocks.
var (
	swept = same.Start{Clocks: 80}
	full  = same.Start{Clocks: 600, Pressed: true}
)

// looks are what is done about mutants that short traffic has left, one after the other. late is long traffic.
func (p *modules) looks(o Options, late look) (list []look) {
	prove := func(effort same.Effort) look {
		return func(m *Outcome) error { return p.prove(m, effort) }
	}
	search := func(first same.Start, clocks int, patience time.Duration) look {
		return func(m *Outcome) error { return p.search(m, first, clocks, patience) }
	}
	keeps := o.Keep != ""
	if o.Late {
		list = append(list, late)
	}
	list = append(list, p.play, prove(same.Quick))
	if keeps {
		list = append(list, p.walk, search(same.Start{}, 24, 5*time.Second), search(same.Start{Ones: true}, 24, 5*time.Second),
			search(swept, 24, 5*time.Second), search(full, 24, 5*time.Second))
	}
	if !o.Late {
		list = append(list, late)
	}
	list = append(list, prove(same.Thorough), p.disprove)
	if keeps {
		list = append(list, search(swept, 40, time.Minute))
	}
	return list
}

func (p *modules) get(name string) (*alone, error) {
	return p.made.get(name, func() (*alone, error) { return p.alone(name) })
}

// alone makes a module. Sequences are committed of the configurations that traces are committed of.
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
	if p.subject.traces != nil {
		if a.sequences, err = p.sequence(name); err != nil {
			return nil, err
		}
	}
	a.committed = len(a.sequences)
	a.walks = sync.OnceValues(func() (map[int]sequence.Sequence, error) {
		return walks(p.context, a.player, module.Streams, p.of[name])
	})
	a.prover = sync.OnceValues(func() (*same.Prover, error) { return same.New(p.context, set, p.of[name]) })
	return a, nil
}

// play looks for a sequence on which a mutant shows something else.
func (p *modules) play(m *Outcome) error {
	a, err := p.get(m.Module)
	if err != nil {
		return err
	}
	a.lock.Lock()
	defer a.lock.Unlock()
	return a.play(m, a.sequences)
}

func (a *alone) play(m *Outcome, list []sequence.Sequence) error {
	for i, s := range list {
		clock, port, err := a.player.Differs(s, mutate.SelectOf(m.Mutant))
		if err != nil {
			return fmt.Errorf("sequence %d: %w", i, err)
		}
		if port != "" {
			m.Fate, m.By = BySequence, "sequences"
			m.Says = fmt.Sprintf("%s differs in clock %d of a sequence of %d", port, clock, len(s))
			return nil
		}
	}
	return nil
}

// prove looks at one mutant.
func (p *modules) prove(m *Outcome, effort same.Effort) error {
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
		m.Fate, m.By = Equivalent, how
	}
	return err
}

// search looks for a sequence that tells a mutant apart, and adds it to those of the module.
func (p *modules) search(m *Outcome, first same.Start, clocks int, patience time.Duration) error {
	a, err := p.get(m.Module)
	if err != nil {
		return err
	}
	a.lock.Lock()
	err = a.play(m, a.sequences[a.committed:]) // what was found for another one
	a.lock.Unlock()
	if err != nil || m.Fate != Open {
		return err
	}
	prover, err := a.prover()
	if err != nil {
		return err
	}
	inputs, err := prover.Apart(p.context, m.Mutant, first, clocks, patience)
	if err != nil || inputs == nil {
		return err
	}
	a.lock.Lock()
	defer a.lock.Unlock()
	s, err := a.player.Record(*inputs)
	if err != nil {
		return err
	}
	last, port, err := a.player.Differs(s, mutate.SelectOf(m.Mutant))
	if err != nil {
		return err
	}
	if port == "" {
		return fmt.Errorf("mutant %d of %s: a netlist says that %d clocks tell it apart, and a simulation does not", m.Number, m.Module, len(s))
	}
	return a.add(m, s[:last+1])
}

// add kills a mutant with a sequence that was found for it.
func (a *alone) add(m *Outcome, s sequence.Sequence) error {
	a.sequences = append(a.sequences, s)
	return a.play(m, []sequence.Sequence{s})
}

// walkSizes are how many walks are looked at and how long they are; the longer ones only for mutants that no shorter one tells apart.
var walkSizes = []struct{ number, clocks int }{{400, 800}, {60, 8000}}

// walks finds random sequences of a module: of those of one size that tell a mutant apart, the one that does it in the fewest clocks.
func walks(ctx context.Context, p *sequence.Player, streams []mutate.AloneStream, open []mutate.Mutant) (map[int]sequence.Sequence, error) {
	found := map[int]sequence.Sequence{}
	for _, size := range walkSizes {
		left := slices.DeleteFunc(slices.Clone(open), func(m mutate.Mutant) bool { return found[m.Number] != nil })
		if len(left) == 0 {
			break
		}
		for seed := range size.number {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			inputs, err := p.Walk(streams, size.clocks, uint64(seed))
			if err != nil {
				return nil, err
			}
			s, err := p.Record(inputs)
			if err != nil {
				return nil, err
			}
			for _, m := range left {
				try := s
				if shortest := found[m.Number]; shortest != nil {
					try = s[:len(shortest)]
				}
				clock, port, err := p.Differs(try, mutate.SelectOf(m))
				if err != nil {
					return nil, err
				}
				if port != "" {
					found[m.Number] = slices.Clone(s[:clock+1])
				}
			}
		}
	}
	return found, nil
}

// walk adds the random sequence that tells a mutant apart, if there is one, to those of the module.
func (p *modules) walk(m *Outcome) error {
	a, err := p.get(m.Module)
	if err != nil {
		return err
	}
	a.lock.Lock()
	defer a.lock.Unlock()
	if err := a.play(m, a.sequences[a.committed:]); err != nil || m.Fate != Open {
		return err
	}
	found, err := a.walks()
	if err != nil || found[m.Number] == nil {
		return err
	}
	return a.add(m, found[m.Number])
}

// write adds what was found to what a directory has of the modules.
func (p *modules) write(dir string) error {
	for name, made := range p.made.made {
		a, err := made()
		if err != nil {
			return err
		}
		if err := addSequences(dir, name, a.sequences[a.committed:]); err != nil {
			return err
		}
	}
	return nil
}
