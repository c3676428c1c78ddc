package mutate

import (
	"errors"
	"sync"
	"time"

	"github.com/rnicgen/rnicgen/hdl/mutate"
	"github.com/rnicgen/rnicgen/hdl/mutate/same"
)

// prove shows of open mutants that they do the same as what they were made of, module by module.
func (s *subject) prove(out []Outcome, effort same.Effort, o Options) error {
	var modules []string
	of := map[string][]*Outcome{}
	for i := range out {
		if m := &out[i]; m.Fate == Open {
			if of[m.Module] == nil {
				modules = append(modules, m.Module)
			}
			of[m.Module] = append(of[m.Module], m)
		}
	}
	var wait sync.WaitGroup
	errs := make([]error, len(modules))
	place := make(chan struct{}, o.Jobs)
	for i, module := range modules {
		place <- struct{}{}
		wait.Go(func() {
			start := time.Now()
			defer func() {
				for _, m := range of[module] {
					m.took += time.Since(start) / time.Duration(len(of[module]))
				}
			}()
			errs[i] = s.proveModule(of[module], effort)
			<-place
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

func (s *subject) proveModule(list []*Outcome, effort same.Effort) error {
	var mutants []mutate.Mutant
	for _, m := range list {
		mutants = append(mutants, m.Mutant)
	}
	shown, err := same.Find(s.set, mutants, effort)
	for _, m := range list {
		if how := shown[m.Number]; how != "" {
			m.Fate, m.By = Equivalent, how
		}
	}
	return err
}
