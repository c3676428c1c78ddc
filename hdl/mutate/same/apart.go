package same

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"github.com/rnicgen/rnicgen/hdl/aig"
	"github.com/rnicgen/rnicgen/hdl/mutate"
	"github.com/rnicgen/rnicgen/hdl/mutate/sequence"
)

// Apart looks for inputs, in so many clocks, with which a mutant shows something else than the module as written, in the last clock
// of them. Registers and memories hold 0 before. It gives nil when it finds none.
func (p *Prover) Apart(m mutate.Mutant, clocks int, patience time.Duration) (sequence.Inputs, error) {
	pair, err := newPair(p.module, mutate.SelectOf(m), zeros)
	if err != nil || pair.differs == 0 {
		return nil, err
	}
	ones, err := aig.Witness(context.Background(), pair.Binary(pair.differs, nil), clocks, patience)
	if err != nil {
		return nil, fmt.Errorf("mutant %d of %s: %w", m.Number, m.Module, err)
	}
	if ones == nil {
		return nil, nil
	}
	inputs := pair.Inputs(pair.differs, nil)
	out := make(sequence.Inputs, len(ones))
	for clock, list := range ones {
		out[clock] = map[string]*big.Int{}
		set := func(at portBit) {
			v := out[clock][at.port]
			if v == nil {
				v = new(big.Int)
				out[clock][at.port] = v
			}
			v.SetBit(v, at.bit, 1)
		}
		for _, i := range list {
			if at, is := pair.given[inputs[i]]; is {
				set(at)
			}
		}
		if clock == 0 && p.module.alone.Design.Clocked() {
			set(portBit{"rst", 0})
		}
	}
	return out, nil
}
