// Package equivalence proves that mutants are equivalent to the module that they were made from.
//
// Yosys synthesizes the module to and gates. The original and a mutant stand side by side, with the same inputs; they start in the same
// arbitrary state and are reset in the first cycle. A register that both compute identically from common logic exists once, which proves
// most mutants. For the rest ABC, which comes with yosys, proves that nothing visible from outside differs in any cycle: by register
// correspondence, then by property-directed reachability.
//
// Bits that nothing visible of the whole design depends on are not compared, such as bits of a port that no module reads.
//
// Two rules of streams are all that is assumed of the environment; rnicgen prove shows them: an offered beat is stable until it is accepted,
// unless the stream is excused from this rule; and the data of a stream is not used while it is not valid.
//
// Memories are first left out, which makes most proofs short: both read the same value as long as they read the same address and have
// written the same, which is proven; otherwise the mutant may read anything. Large memories are always left out, since each bit would be
// a register.
//
// Instances in the module are abstracted: their outputs are the same in both as long as their inputs are, which is proven. The proof is for
// the sizes of the tested module, and for no others.
package equivalence

import (
	"context"
	"fmt"
	"time"

	"github.com/rnicgen/rnicgen/hdl/aig"
	"github.com/rnicgen/rnicgen/hdl/formal"
	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// Effort is the effort of a proof.
type Effort int

// The efforts: Quick allows any value of common registers in any cycle, Thorough considers reachable states only.
const (
	Quick Effort = iota
	Thorough
)

// patience is the time limit of a proof.
var patience = map[Effort]time.Duration{Quick: 2 * time.Second, Thorough: 40 * time.Second}

// Prover proves mutants of one module equivalent to it.
type Prover struct {
	module *module // nil if its memories are large
	bare   *module // without memories; nil if there are none
}

// large is the number of memory bits from which memories are left out.
const large = 1 << 15

// New returns a prover for some mutants of one module.
func New(ctx context.Context, s *mutate.Set, mutants []mutate.Mutant) (*Prover, error) {
	if err := formal.CheckTools("yosys", "yosys-abc"); err != nil {
		return nil, err
	}
	p := &Prover{}
	whole, err := s.Alone(mutants[0].Module, mutants)
	if err == nil && whole.Stored < large {
		p.module, err = synthesised(ctx, whole, nil)
	}
	if err == nil && whole.Stored > 0 {
		bare, failed := s.Bare(mutants[0].Module, mutants)
		p.bare, err = synthesised(ctx, bare, failed)
	}
	return p, err
}

func synthesised(ctx context.Context, a mutate.Alone, err error) (*module, error) {
	if err != nil {
		return nil, err
	}
	text, err := netlist(ctx, a)
	if err != nil {
		return nil, err
	}
	return newModule(a, text)
}

// Shows reports how a mutant was proven equivalent, or "" if it was not.
func (p *Prover) Shows(ctx context.Context, m mutate.Mutant, effort Effort) (how string, err error) {
	for _, module := range []*module{p.bare, p.module} {
		if module == nil {
			continue
		}
		pair, err := newPair(module, mutate.SelectOf(m), anything)
		if err != nil {
			return "", err
		}
		how, err := pair.shows(ctx, effort)
		if err != nil {
			return "", fmt.Errorf("mutant %d of %s: %w", m.Number, m.Module, err)
		}
		if how == "" && effort == Quick {
			if is, err := module.settles(ctx, mutate.SelectOf(m)); is || err != nil {
				return "in every state, one cycle after reset", err
			}
		}
		if how != "" {
			if module == p.bare && how != gateByGate {
				how += ", whatever is in memory"
			}
			return how, nil
		}
	}
	return "", nil
}

const gateByGate = "gate by gate"

// shows reports how a pair was proven equivalent, or "" if it was not.
func (p *pair) shows(ctx context.Context, effort Effort) (string, error) {
	if p.differs == 0 {
		return gateByGate, nil
	}
	free, how := p.shared(), "in every state"
	if effort == Thorough {
		free, how = nil, "in every state that can be reached"
	}
	holds, err := aig.Never(ctx, p.Binary(p.differs, free), patience[effort])
	if !holds {
		return "", err
	}
	if own := p.own(); own > 0 {
		how += fmt.Sprintf(", with %d registers of its own", own)
	}
	return how, err
}
