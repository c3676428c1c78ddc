package coverage

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
)

// Options select what to run.
type Options struct {
	Configs  []Config        // none: Defaults()
	Scale    uint64          // of the random runs, in sixteenths; 0: 16
	Context  context.Context // cancels the run; may be nil
	Progress func(config, run string)
}

// Config is a configuration with its name in reports.
type Config struct {
	Name string
	gen.Config
}

// Defaults returns the configurations that the coverage goal applies to: that of the committed Verilog.
func Defaults() []Config { return []Config{{gen.Top, gen.Default()}} }

// Run collects the coverage of all runs of the configurations, and compares it with the waivers. Waivers without effect count only
// with the defaults, and those of the extension commit with the defaults and the extension: other configurations may not need them. The
// error is a *MismatchError if hardware and model differ.
func Run(o Options) (*Report, error) {
	if o.Scale == 0 {
		o.Scale = 16
	}
	if len(o.Configs) == 0 {
		o.Configs = Defaults()
	}
	waivers, err := waiversOf(o.Configs)
	if err != nil {
		return nil, err
	}
	r := &Report{Info: map[string][]byte{}, Sources: map[string]map[string]string{}}
	all := items{}
	for _, c := range o.Configs {
		if err := r.collect(c, o, all); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	r.judge(all, waivers)
	needed := mustHaveEffect(o.Configs)
	r.Idle = slices.DeleteFunc(r.Idle, func(w *Waiver) bool { return w.file != needed })
	return r, nil
}

// judge compares the coverage with the waivers.
func (r *Report) judge(all items, waivers []*Waiver) {
	list := all.sorted()
	r.Waived, r.Open, r.Idle = waive(list, waivers)
	r.count(list)
}

// collect runs all runs of a configuration.
func (r *Report) collect(k Config, o Options, all items) error {
	c := &collector{config: k.Config, scale: o.Scale, context: o.Context, bins: NewCounter(k.Config)}
	design, err := rnic.Design(k.Config)
	if err != nil {
		return err
	}
	for _, one := range runs {
		if o.Progress != nil {
			o.Progress(k.Name, one.name)
		}
		if err := one.do(c); err != nil {
			return err
		}
	}
	all.addCode(design, &c.code)
	r.Info[k.Name] = lcov(k.Name, k.Name+"/rtl", design, &c.code)
	r.Sources[k.Name] = map[string]string{}
	for _, f := range design.Files {
		r.Sources[k.Name][f.Name] = f.Text
	}
	return r.addBins(k.Config, c.bins, all)
}

// addBins adds the functional bins. A message in an excluded bin disproves a rule.
func (r *Report) addBins(c gen.Config, b *Counter, all items) error {
	possible, excluded := Bins(c)
	left := maps.Clone(b.count)
	for _, m := range possible {
		n := left[m]
		delete(left, m)
		r.Bins = append(r.Bins, BinCount{m, n})
		all.add("bin "+m.String(), Item{Bin, m.Opcode, "message", m.String(), "bins", n > 0})
	}
	for m, n := range left {
		if n > 0 {
			return fmt.Errorf("coverage: %d messages in bin %v, which the rules exclude", n, m)
		}
	}
	for i, n := range excluded {
		r.Excluded = append(r.Excluded, Exclusion{RulesOf(c)[i].Why, n})
	}
	return nil
}

// Blocks returns the kinds of blocks in the configurations, sorted.
func Blocks(configs []Config) ([]string, error) {
	blocks := map[string]bool{}
	for _, c := range configs {
		d, err := rnic.Design(c.Config)
		if err != nil {
			return nil, err
		}
		for _, in := range d.Instances {
			blocks[in.Module] = true
		}
	}
	return slices.Sorted(maps.Keys(blocks)), nil
}
