package falcon

import (
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/rnicgen/rnicgen/cosim/coverage"
	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// engineName is the engine that collects coverage.
const engineName = "verilator"

// waivers_falcon.csv has the columns of waivers.csv of the profile rdmap.
//
//go:embed waivers_falcon.csv
var waiversText string

const waiversFile = "waivers_falcon.csv"

// Profile is the profile falcon.
type Profile struct{}

// Design is the hardware of a configuration.
func (Profile) Design(c gen.Config) (*simulator.Design, error) { return falcon.Design(c) }

// Waivers reads the waivers, all of which the default configuration needs.
func (Profile) Waivers(configs []coverage.Config) (list []*coverage.Waiver, needed string, err error) {
	if len(configs) == 1 && reflect.DeepEqual(configs[0].Config, gen.DefaultOf(gen.ProfileFalcon)) {
		needed = waiversFile
	}
	list, err = coverage.ReadWaivers(waiversFile, waiversText)
	return list, needed, err
}

// Begin begins the traffic of a configuration.
func (Profile) Begin(c gen.Config, o coverage.Options) (coverage.Traffic, error) {
	of, err := suite.Of(c)
	if err != nil {
		return nil, fmt.Errorf("coverage: %w", err)
	}
	design, err := falcon.Design(c)
	return &collector{config: c, suite: of, design: design, rand: rand.New(rand.NewPCG(1, 2)), scale: o.Scale, context: o.Context, bins: NewCounter(of)}, err
}

// collector accumulates the coverage of the runs of one configuration.
type collector struct {
	config  gen.Config
	suite   suite.Config
	design  *simulator.Design
	scale   uint64     // fraction of the random work requests, in sixteenths
	rand    *rand.Rand // of the walks
	code    simulator.Coverage
	bins    *Counter
	context context.Context // may be nil
}

// open starts a device whose coverage is recorded.
func (c *collector) open(o falcon.Options) (*falcon.Device, error) {
	o.Engine, o.Coverage, o.Context = engineName, &c.code, c.context
	return falcon.OpenDesign(c.config, c.design, o)
}

// Code is the coverage of the Verilog.
func (c *collector) Code() *simulator.Coverage { return &c.code }

// Bins are the functional bins.
func (c *collector) Bins() (*coverage.Counted, error) { return c.bins.counted() }

// run is one part of the traffic.
type run struct {
	name string
	do   func(*collector) error
}

var (
	seldom = simulator.Stall{Mode: simulator.StallRandom, Chance: 64}
	often  = simulator.Stall{Mode: simulator.StallRandom, Chance: 192}
	bursts = simulator.Stall{Mode: simulator.StallBursts, Chance: 128}
	slow   = simulator.Latency{Least: 1, Most: 400}
)

// runs lists the runs, which are deterministic. The other end of random traffic is the model or another rnic; what is posted, reordered and late
// is drawn from the seed, unless it is given.
var runs = []run{
	{"vectors", (*collector).vectors},
	{"a packet of every bin", (*collector).walkBins},
	{"a packet of every bin, held", (*collector).walkHeld},
	{"corners", (*collector).corners},
	random("random", falcon.Plan{Peer: "model", Operations: 16_000, Seed: 1, Mix: &falcon.Mixes[0]}),
	random("random, rtl peer, slow memory", falcon.Plan{Peer: "rtl", Operations: 8_000, Seed: 2, Latency: slow}),
	random("receives that are late", falcon.Plan{Peer: "rtl", Operations: 8_000, Seed: 3, Reorder: 64, Late: 300, Mix: &falcon.Mixes[1]}),
	random("invalidations", falcon.Plan{Peer: "rtl", Operations: 8_000, Seed: 4, Reorder: 64, Mix: &falcon.Mixes[2]}),
	random("pulls", falcon.Plan{Peer: "rtl", Operations: 8_000, Seed: 5, Mix: &falcon.Mixes[3], Stall: seldom}),
	random("pulls, stalls, slow memory", falcon.Plan{Peer: "rtl", Operations: 8_000, Seed: 9, Mix: &falcon.Mixes[3], Stall: often, Latency: slow}),
	random("invalidations, errors, stalls", falcon.Plan{Peer: "rtl", Operations: 8_000, Seed: 10, Reorder: 64, ErrorRate: 0.2, Mix: &falcon.Mixes[2], Stall: bursts}),
	random("few QPs, Sends", falcon.Plan{Peer: "model", Operations: 20_000, Pairs: 4, Seed: 24, Late: 1, Mix: &falcon.Mix{Kinds: []spec.Kind{spec.Send}, Short: true}}),
	random("few QPs, pulls", falcon.Plan{Peer: "model", Operations: 16_000, Pairs: 2, Seed: 12, Late: 1, Mix: &falcon.Mixes[3]}),
	random("errors", falcon.Plan{Peer: "model", Operations: 16_000, Seed: 6, ErrorRate: 0.03, Late: 20, Mix: &falcon.Mixes[0]}),
	random("errors, stalls", falcon.Plan{Peer: "rtl", Operations: 8_000, Seed: 7, ErrorRate: 0.1, Stall: often}),
	random("errors, long stalls, slow memory", falcon.Plan{Peer: "model", Operations: 8_000, Seed: 8, ErrorRate: 0.05, Stall: bursts, Latency: slow}),
}

func random(name string, plan falcon.Plan) run {
	return run{name, func(c *collector) error {
		p := plan
		p.Config, p.Design, p.Engine, p.Coverage, p.Context = c.config, c.design, engineName, &c.code, c.context
		p.Operations = max(1, p.Operations*c.scale/16)
		_, err := falcon.Run(p)
		if falcon.IsMismatch(err) {
			err = &coverage.MismatchError{Run: name, Text: err.Error()}
		}
		return err
	}}
}

// Runs lists the runs.
func (c *collector) Runs() (list []coverage.Step) {
	for _, one := range runs {
		list = append(list, coverage.Step{Name: one.name, Do: func() error { return one.do(c) }})
	}
	return list
}
