package coverage

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/vectors"
)

// engineName is the engine that counts.
const engineName = "verilator"

// run is one piece of the traffic that coverage is collected over.
type run struct {
	name string
	do   func(*collector) error
}

// collector is what the runs of one configuration have reached so far.
type collector struct {
	config gen.Config
	scale  uint64 // part of the messages of random runs, of 16
	code   engine.Coverage
	bins   *Counter // of rnic

	context context.Context // nil: nothing ends it
}

// runsOf are the runs of a configuration, the same each time.
func runsOf(c gen.Config) []run {
	list := []run{{"vectors", (*collector).vectors}}
	if c.Top == gen.TopAtomics {
		list = append(list, run{"windows", (*collector).windows})
		return append(list, atomicsRuns...)
	}
	list = append(list, rnicRuns...)
	return append(list, run{"corners", (*collector).corners}, run{"refusals", (*collector).refusals}, run{"a message of every bin", (*collector).walkBins})
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
	report, err := vectors.Check(dir, vectors.CheckOptions{Engine: engineName, Options: engine.Options{Coverage: &c.code, Context: c.context}})
	if err != nil {
		return err
	}
	if !report.OK() {
		var text strings.Builder
		_ = report.Write(&text)
		return &WrongError{"vectors", text.String()}
	}
	return nil
}

// WrongError is hardware that is not what the model says: its coverage means nothing.
type WrongError struct{ Run, Text string }

func (e *WrongError) Error() string {
	return fmt.Sprintf("coverage: run %s: hardware and model differ: %s", e.Run, e.Text)
}

var (
	seldom = engine.Stall{Mode: engine.StallRandom, Chance: 64}
	often  = engine.Stall{Mode: engine.StallRandom, Chance: 192}
	bursts = engine.Stall{Mode: engine.StallBursts, Chance: 128}
	slow   = engine.Latency{Least: 1, Most: 400}
)

// atomicsRuns are random traffic through rnic_atomics.
var atomicsRuns = []run{
	atomicsRun("random", cosim.Options{Messages: 100_000, Seed: 1}),
	atomicsRun("random, stalls", cosim.Options{Messages: 50_000, Seed: 2, Stall: seldom}),
	atomicsRun("random, long stalls", cosim.Options{Messages: 50_000, Seed: 3, Stall: bursts}),
}

func atomicsRun(name string, o cosim.Options) run {
	return run{name, func(c *collector) error {
		o.Coverage, o.Context = &c.code, c.context
		o.Messages = max(1, o.Messages*c.scale/16)
		r, err := cosim.Run(c.config, engineName, o)
		if err == nil && r.Mismatch != nil {
			err = &WrongError{name, r.Mismatch.Error()}
		}
		return err
	}}
}

// rnicRuns are random traffic through rnic, with the model as peer, which answers in any order, or another rnic.
var rnicRuns = []run{
	rnicRun("random", rnic.Plan{Peer: "model", Messages: 40_000, Seed: 1}),
	rnicRun("random, rtl peer, slow memory", rnic.Plan{Peer: "rtl", Messages: 20_000, Seed: 2, Latency: slow}),
	rnicRun("errors", rnic.Plan{Peer: "model", Messages: 40_000, Seed: 3, ErrorRate: 0.02}),
	rnicRun("errors, stalls", rnic.Plan{Peer: "model", Messages: 20_000, Seed: 4, ErrorRate: 0.2, Stall: seldom}),
	rnicRun("errors, long stalls, slow memory", rnic.Plan{Peer: "model", Messages: 20_000, Seed: 5, ErrorRate: 0.1, Stall: bursts, Latency: slow}),
	rnicRun("many errors, rtl peer", rnic.Plan{Peer: "rtl", Messages: 20_000, Seed: 6, ErrorRate: 0.5, Stall: often}),
}

func rnicRun(name string, p rnic.Plan) run {
	return run{name, func(c *collector) error {
		p.Config, p.Engine, p.Coverage, p.Observer, p.Context = c.config, engineName, &c.code, c.bins, c.context
		p.Messages = max(1, p.Messages*c.scale/16)
		_, err := rnic.Run(p)
		if rnic.IsMismatch(err) {
			err = &WrongError{name, err.Error()}
		}
		return err
	}}
}
