// Package equivalence proves that mutants are equivalent to the module that they were made from.
//
// Yosys makes and gates of the module. Two of it stand side by side, one as written and one a mutant: they have the same inputs,
// start in the same state, whatever it is, and are reset in the first clock. A register for which both compute the same from what
// they have in common is there once: that alone shows most. Of the rest ABC, which comes with yosys, proves that nothing differs
// that can be seen from outside, in any clock: by registers that correspond, then by property-directed reachability.
//
// What nothing visible of the whole design depends on is not compared: bits of a port that no module reads.
//
// Nothing is assumed of what is around the module but two rules of streams, which rnicgen prove shows: a beat that is offered
// stays offered, as it is, until it is taken, where the stream is not meant to do otherwise; and nobody looks at the data of a
// stream that is not valid.
//
// Memories are first left out, which makes most proofs short: what is read is the same in both as long as they read the same
// address, and have written the same, which is shown; where they do not, the mutant may read anything. Large ones are always left
// out: each bit of a memory would be a register.
//
// Instances in the module are not looked at: what they put out is the same in both as long as what goes into them is, which is
// shown. A module is shown in the sizes that it has where its mutants are tested: it is the module that was tested, and no other.
package equivalence

import (
	"context"
	"fmt"
	"time"

	"github.com/rnicgen/rnicgen/hdl/aig"
	"github.com/rnicgen/rnicgen/hdl/formal"
	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// Effort is how far to go.
type Effort int

// The efforts: Quick lets what both have in common have any value in any clock, Thorough looks at the states that can be reached.
const (
	Quick Effort = iota
	Thorough
)

// patience is the time that a proof may take.
var patience = map[Effort]time.Duration{Quick: 2 * time.Second, Thorough: 40 * time.Second}

// Prover shows mutants of one module to do the same.
type Prover struct {
	module *module // nil when its memories are large
	bare   *module // without memories; nil when there are none
}

// large is more bits than the memories may have of a module that is looked at with them.
const large = 1 << 15

// New makes a prover for some mutants, which are all of one module.
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

// Shows tells how one of the mutants was shown to do the same, "" when it was not.
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
				return "in every state, one clock after reset", err
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

// shows tells how the two of a pair were shown to be the same, "" when they were not.
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
