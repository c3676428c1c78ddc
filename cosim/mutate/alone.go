package mutate

import (
	"sync"

	"github.com/rnicgen/rnicgen/hdl/mutate"
	"github.com/rnicgen/rnicgen/hdl/mutate/same"
)

// provers show open mutants to do the same as what they were made of. One is made for a module when it is first needed.
type provers struct {
	set  *mutate.Set
	of   map[string][]mutate.Mutant // by module
	mu   sync.Mutex
	made map[string]func() (*same.Prover, error)
}

// provers are for those of some mutants that are open.
func (s *subject) provers(out []Outcome) *provers {
	p := &provers{set: s.set, of: map[string][]mutate.Mutant{}, made: map[string]func() (*same.Prover, error){}}
	for _, m := range out {
		if m.Fate == Open {
			p.of[m.Module] = append(p.of[m.Module], m.Mutant)
		}
	}
	return p
}

// prove looks at one mutant.
func (p *provers) prove(m *Outcome, effort same.Effort) error {
	p.mu.Lock()
	if p.made[m.Module] == nil {
		p.made[m.Module] = sync.OnceValues(func() (*same.Prover, error) { return same.New(p.set, p.of[m.Module]) })
	}
	made := p.made[m.Module]
	p.mu.Unlock()
	prover, err := made()
	if err != nil {
		return err
	}
	how, err := prover.Shows(m.Mutant, effort)
	if how != "" {
		m.Fate, m.By = Equivalent, how
	}
	return err
}
