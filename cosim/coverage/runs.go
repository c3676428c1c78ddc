package coverage

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors"
)

// engineName is the engine that collects coverage.
const engineName = "verilator"

// run is one part of the traffic of a collector.
type run struct {
	name string
	do   func(*collector) error
}

// ofRDMAP is the profile rdmap.
type ofRDMAP struct{}

func (ofRDMAP) Design(c gen.Config) (*simulator.Design, error) { return rnic.Design(c) }

func (ofRDMAP) Waivers(configs []Config) ([]*Waiver, string, error) {
	list, err := waiversOf(configs)
	return list, mustHaveEffect(configs), err
}

func (ofRDMAP) Begin(c gen.Config, o Options) (Traffic, error) {
	return &collector{config: c, scale: o.Scale, context: o.Context, bins: NewCounter(c)}, nil
}

// Runs lists the runs.
func (c *collector) Runs() (list []Step) {
	for _, one := range runs {
		list = append(list, Step{one.name, func() error { return one.do(c) }})
	}
	return list
}

// Code is the coverage of the Verilog.
func (c *collector) Code() *simulator.Coverage { return &c.code }

// Bins are the functional bins.
func (c *collector) Bins() (*Counted, error) { return c.bins.counted() }

// collector accumulates the coverage of the runs of one configuration.
type collector struct {
	config gen.Config
	scale  uint64 // fraction of the random messages, in sixteenths
	code   simulator.Coverage
	bins   *Counter

	context context.Context // may be nil
}

// vectors replays all vectors of the configuration.
func (c *collector) vectors() error {
	dir, err := os.MkdirTemp("", "rnicgen-coverage-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	files, _, err := vectors.Generate(c.config, vectors.DefaultSeed)
	if err != nil {
		return err
	}
	dir = filepath.Join(dir, "vectors")
	if err := outdir.Write(dir, vectors.Manifest(c.config, vectors.DefaultSeed), files); err != nil {
		return err
	}
	report, err := vectors.Check(dir, vectors.CheckOptions{Engine: engineName, Options: simulator.Options{Coverage: &c.code, Context: c.context}})
	if err != nil {
		return err
	}
	if !report.OK() {
		var text strings.Builder
		_ = report.Write(&text)
		return &MismatchError{"vectors", text.String()}
	}
	return nil
}

// MismatchError reports that hardware and model differ, which makes the coverage meaningless.
type MismatchError struct{ Run, Text string }

func (e *MismatchError) Error() string {
	return fmt.Sprintf("coverage: run %s: hardware and model differ: %s", e.Run, e.Text)
}

var (
	seldom = simulator.Stall{Mode: simulator.StallRandom, Chance: 64}
	often  = simulator.Stall{Mode: simulator.StallRandom, Chance: 192}
	bursts = simulator.Stall{Mode: simulator.StallBursts, Chance: 128}
	slow   = simulator.Latency{Least: 1, Most: 400}
)

// runs lists the runs, which are deterministic: the peer of random traffic is the model, which responds in any order, or another rnic.
var runs = []run{
	{"vectors", (*collector).vectors},
	randomRun("random", rnic.Plan{Peer: "model", Messages: 40_000, Seed: 1}),
	randomRun("random, rtl peer, slow memory", rnic.Plan{Peer: "rtl", Messages: 20_000, Seed: 2, Latency: slow}),
	randomRun("errors", rnic.Plan{Peer: "model", Messages: 40_000, Seed: 3, ErrorRate: 0.02}),
	randomRun("errors, stalls", rnic.Plan{Peer: "model", Messages: 20_000, Seed: 4, ErrorRate: 0.2, Stall: seldom}),
	randomRun("errors, long stalls, slow memory", rnic.Plan{Peer: "model", Messages: 20_000, Seed: 5, ErrorRate: 0.1, Stall: bursts, Latency: slow}),
	randomRun("many errors, rtl peer", rnic.Plan{Peer: "rtl", Messages: 20_000, Seed: 6, ErrorRate: 0.5, Stall: often}),
	{"corners", (*collector).corners},
	{"refusals", (*collector).refusals},
	{"a message of every bin", (*collector).walkBins},
}

func randomRun(name string, plan rnic.Plan) run {
	return run{name, func(c *collector) error {
		p := plan
		p.Config, p.Engine, p.Coverage, p.Observer, p.Context = c.config, engineName, &c.code, c.bins, c.context
		p.Messages = max(1, p.Messages*c.scale/16)
		_, err := rnic.Run(p)
		if rnic.IsMismatch(err) {
			err = &MismatchError{name, err.Error()}
		}
		return err
	}}
}
