package mutate

import (
	"context"
	"slices"
	"time"

	"github.com/rnicgen/rnicgen/gen/prove"
	"github.com/rnicgen/rnicgen/hdl/formal"
)

// proofs holds the properties proven by induction of a configuration's modules, computed on first use.
type proofs struct {
	context context.Context
	blocks  []prove.Block
	made    once[*formal.Induction]
}

// proving configures the proofs, including the time limit of one tool run.
var proving = formal.Options{Solver: formal.Solvers()[0], Timeout: 3 * time.Minute}

func (s *subject) proofs(ctx context.Context) (*proofs, error) {
	blocks, err := prove.Blocks(s.files, s.config)
	return &proofs{context: ctx, blocks: blocks}, err
}

// of returns the proven properties of a module, nil if it has none.
func (p *proofs) of(module string) (*formal.Induction, error) {
	i := slices.IndexFunc(p.blocks, func(b prove.Block) bool { return b.Name == module })
	if i < 0 || p.blocks[i].Specs[module] == nil {
		return nil, nil
	}
	return p.made.get(module, func() (*formal.Induction, error) { return p.blocks[i].Induction(p.context, proving) })
}

// disprove looks for a property that is proven of a module, but not of its mutant.
func (p *modules) disprove(m *Result) error {
	proof, err := p.proofs.of(m.Module)
	if err != nil || proof == nil {
		return err
	}
	property, err := proof.Breaks(p.context, p.subject.set.Text(m.Mutant))
	if formal.TimedOut(err) {
		return nil
	}
	if property != "" {
		m.Outcome, m.By, m.Says = ByProperty, "proofs", m.Block+"/"+property+" is not proven of it"
	}
	return err
}
