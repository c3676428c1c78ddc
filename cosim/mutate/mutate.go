package mutate

import (
	"context"
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/vectors/falcon/hardware"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// Options select the mutants to test and the resources to use.
type Options struct {
	Configs  []gen.Config    // a block is tested in the first that contains it; none: Configs()
	Blocks   []string        // the blocks to test; none: all
	Limit    int             // mutants per block; 0: DefaultLimit, negative: all
	Seed     uint64          // of the selection
	Jobs     int             // mutants tested in parallel; 0: 2
	Late     bool            // run long traffic and proofs on every mutant that survives short traffic, even if it differs
	Context  context.Context // cancels the run; may be nil
	Progress func(text string)

	stages func(gen.Config) ([]stage, error) // replaces the stages in tests
}

// DefaultLimit is the number of mutants tested per block.
const DefaultLimit = 200

// Configs returns the default configurations, of each profile one. They are small, so that buffers and counters fill up, wrap and run out
// often, and so that a cycle is simulated fast.
func Configs() []gen.Config {
	c := gen.Default()
	c.BusBytes, c.Streams, c.STags, c.IRD, c.ORD, c.ReceiveDepth, c.SendDepth, c.MaxPayload, c.AtomicDepth = 16, 4, 64, 4, 4, 4, 4, 256, 16
	c.Extensions = []string{"draft00"}
	vectors := suite.DefaultConfig() // which run on it, so its rings are not small
	vectors.MTU = 256
	f := hardware.Config(vectors)
	f.BusBytes, f.AtomicDepth = 16, 16
	return []gen.Config{c, f}
}

// Run makes mutants of every block and tests them. If the context ends, the report covers the mutants whose outcome is known.
func Run(o Options) (*Report, error) {
	o.fill()
	if err := proving.CheckTools(); err != nil { // early, not after all the work
		return nil, err
	}
	allowed := Blocks(o.Configs)
	for _, block := range o.Blocks {
		if !slices.Contains(allowed, block) {
			return nil, fmt.Errorf("no block %q; allowed: %v", block, allowed)
		}
	}
	r := &Report{}
	done := map[string]bool{}
	for _, c := range o.Configs {
		all, err := newSubject(c, o, func(block string) bool { return !done[block] && o.wants(block) })
		if err != nil {
			return nil, err
		}
		for _, group := range all.groups() {
			outcomes, err := all.test(group, o)
			if err != nil && o.Context.Err() == nil {
				return nil, err
			}
			r.add(all, group, outcomes)
			if err != nil {
				return r, context.Cause(o.Context)
			}
		}
		for block := range all.set.Available {
			done[block] = true
		}
	}
	return r, nil
}

func (o *Options) fill() {
	if o.Configs == nil {
		o.Configs = Configs()
	}
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	if o.Jobs <= 0 {
		o.Jobs = 2
	}
	if o.stages == nil {
		o.stages = stages
	}
	if o.Context == nil {
		o.Context = context.Background()
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
}

func (o *Options) wants(block string) bool {
	return len(o.Blocks) == 0 || slices.Contains(o.Blocks, block)
}

// Blocks lists the blocks in the given configurations.
func Blocks(configs []gen.Config) (list []string) {
	for _, c := range configs {
		d, err := gen.Compile(c)
		if err != nil {
			continue
		}
		for _, m := range d.Modules() {
			if kind := m.Top(); !slices.Contains(list, kind) {
				list = append(list, kind)
			}
		}
	}
	return list
}
