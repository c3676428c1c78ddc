package coverage

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
)

// Options select what to run.
type Options struct {
	Profile  Profile         // nil: rdmap
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

// Profile knows what is run and counted for its configurations.
type Profile interface {
	Design(c gen.Config) (*simulator.Design, error)
	// Waivers reads the waivers of some configurations, and names the file whose waivers must all be needed; "" if none.
	Waivers(configs []Config) (list []*Waiver, needed string, err error)
	Begin(c gen.Config, o Options) (Traffic, error)
}

// Traffic is the traffic of a configuration. Code and Bins are asked for when all runs are done.
type Traffic interface {
	Runs() []Step
	Code() *simulator.Coverage
	Bins() (*Counted, error)
}

// Step is one part of the traffic.
type Step struct {
	Name string
	Do   func() error
}

// Counted are the functional bins: all possible ones as items and for bins.json, and what the rules exclude.
type Counted struct {
	Items    []Item
	List     []any
	Excluded []Exclusion
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
	if o.Profile == nil {
		o.Profile = ofRDMAP{}
	}
	waivers, needed, err := o.Profile.Waivers(o.Configs)
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
	design, err := o.Profile.Design(k.Config)
	if err != nil {
		return err
	}
	t, err := o.Profile.Begin(k.Config, o)
	if err != nil {
		return err
	}
	for _, one := range t.Runs() {
		if o.Progress != nil {
			o.Progress(k.Name, one.Name)
		}
		if err := one.Do(); err != nil {
			return err
		}
	}
	bins, err := t.Bins()
	if err != nil {
		return err
	}
	all.addCode(design, t.Code())
	r.addBins(bins, all)
	r.Info[k.Name] = lcov(k.Name, k.Name+"/rtl", design, t.Code())
	r.Sources[k.Name] = map[string]string{}
	for _, f := range design.Files {
		r.Sources[k.Name][f.Name] = f.Text
	}
	return nil
}

func (r *Report) addBins(b *Counted, all items) {
	r.Bins, r.Excluded = append(r.Bins, b.List...), append(r.Excluded, b.Excluded...)
	for _, i := range b.Items {
		all.add("bin "+i.Name, i)
	}
}

// Blocks returns the kinds of blocks in the configurations, sorted.
func Blocks(p Profile, configs []Config) ([]string, error) {
	blocks := map[string]bool{}
	for _, c := range configs {
		d, err := p.Design(c.Config)
		if err != nil {
			return nil, err
		}
		for _, in := range d.Instances {
			blocks[in.Module] = true
		}
	}
	return slices.Sorted(maps.Keys(blocks)), nil
}
