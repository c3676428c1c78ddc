package equivalence

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"github.com/rnicgen/rnicgen/hdl/aig"
	"github.com/rnicgen/rnicgen/hdl/mutate"
	"github.com/rnicgen/rnicgen/hdl/mutate/sequence"
)

// Apart searches for inputs that distinguish a mutant from the original by their last cycle at the latest: those of the start, followed by
// at most a number of cycles of others. It returns nil if it finds none, and for a module with large memories.
func (p *Prover) Apart(ctx context.Context, m mutate.Mutant, first Start, clocks int, patience time.Duration) (*sequence.Inputs, error) {
	if p.module == nil {
		return nil, nil
	}
	clocked := p.module.alone.Design.Clocked()
	if !clocked {
		first = Start{Ones: first.Ones}
	}
	pair, err := newPair(p.module, mutate.SelectOf(m), first)
	if err != nil || pair.differs == 0 {
		return nil, err
	}
	ones, err := aig.Witness(ctx, pair.Binary(pair.differs, nil), clocks, patience)
	if err != nil {
		return nil, fmt.Errorf("mutant %d of %s: %w", m.Number, m.Module, err)
	}
	if ones == nil {
		return nil, nil
	}
	inputs := pair.Inputs(pair.differs, nil)
	out := make([]map[string]*big.Int, first.Clocks+len(ones))
	set := func(clock int, at portBit) {
		if out[clock] == nil {
			out[clock] = map[string]*big.Int{}
		}
		v := out[clock][at.port]
		if v == nil {
			v = new(big.Int)
			out[clock][at.port] = v
		}
		v.SetBit(v, at.bit, 1)
	}
	for _, port := range p.module.pressed(first) {
		for clock := range first.Clocks {
			for bit := range p.module.ports[port] {
				set(clock, portBit{port, bit})
			}
		}
	}
	for clock, list := range ones {
		for _, i := range list {
			set(first.Clocks+clock, pair.given[inputs[i]])
		}
	}
	if clocked {
		set(0, portBit{"rst", 0})
	}
	return &sequence.Inputs{Ones: first.Ones, Clocks: out}, nil
}
