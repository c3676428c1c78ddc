package mutate

import (
	"context"
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
)

// Options say which mutants to make and how much of the machine to use.
type Options struct {
	Configs  []gen.Config    // a block is tested in the first that has it; none: Configs()
	Blocks   []string        // the blocks to test; none: all
	Limit    int             // mutants a block; 0: DefaultLimit, less than 0: all
	Seed     uint64          // of what is chosen
	Jobs     int             // mutants at a time; 0: 2
	Late     bool            // run long traffic and proofs on every mutant that short traffic leaves, also on those that differ
	Context  context.Context // ends it; nil: nothing does
	Progress func(text string)

	stages func(gen.Config) ([]stage, error) // of tests: other tests
}

// DefaultLimit is how many mutants of a block are tested.
const DefaultLimit = 200

// Configs are the configurations that mutants are tested in when no other is wanted. They are small, so that everything in
// them fills up, wraps and runs out often, and so that a clock is simulated fast.
func Configs() []gen.Config {
	c := gen.Default()
	c.BusBytes, c.Streams, c.STags, c.IRD, c.ORD, c.ReceiveDepth, c.SendDepth, c.MaxPayload, c.AtomicDepth = 16, 4, 64, 4, 4, 4, 4, 256, 16
	c.Extensions = []string{"draft00"}
	return []gen.Config{c}
}

// Run makes mutants of every block and tests them. When the context ends, the report is of the mutants whose outcome is known.
func Run(o Options) (*Report, error) {
	o.fill()
	if err := proving.CheckTools(); err != nil { // not after all the work
		return nil, err
	}
	allowed := Blocks(o.Configs)
	for _, block := range o.Blocks {
		if !slices.Contains(allowed, block) {
			return nil, fmt.Errorf("there is no block %q; allowed: %v", block, allowed)
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

// Blocks lists the blocks of some configurations.
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
