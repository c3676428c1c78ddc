package mutate

import (
	"context"
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/vectors"
	"github.com/rnicgen/rnicgen/vectors/replay"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// stage is a part of the tests. It runs them on a design until the first mismatch, and returns the cycle at which each of its
// steps ended. It queries the cycle limit before each step.
type stage struct {
	name string
	late bool // for mutants that survive everything else
	any  bool // starts in random state, which depends on the registers of the design: traces are not comparable
	run  func(ctx context.Context, d *simulator.Design, until func(step int)) ([]uint64, error)
}

// trace runs the stage on a design with a mutant; until returns the cycle after which a step counts as endless.
func (st stage) trace(ctx context.Context, d *simulator.Design, number int, until func(step int) uint64) (trace, error) {
	w := &watch{}
	cycles, err := st.run(ctx, selected(d, number, w), func(step int) { w.limit = until(step) })
	if st.any {
		w.ports = 0
	}
	return trace{cycles, w.ports}, err
}

// endless does not limit a step.
func endless(int) uint64 { return 1 << 40 }

const engineName = "verilator"

var (
	random = simulator.Stall{Mode: simulator.StallRandom, Chance: 96}
	bursts = simulator.Stall{Mode: simulator.StallBursts, Chance: 128}
)

// stages returns the tests of a configuration, most effective first.
func stages(c gen.Config) ([]stage, error) {
	if c.Profile == gen.ProfileFalcon {
		return falconStages(c)
	}
	s, err := vectors.New(c, vectorSeed)
	if err != nil {
		return nil, err
	}
	run := func(name string, late bool, p rnic.Plan) stage {
		p.Config, p.Engine = c, engineName
		return stage{name: name, late: late, run: func(ctx context.Context, d *simulator.Design, until func(int)) ([]uint64, error) {
			p := p
			p.Design, p.Context = d, ctx
			until(0)
			r, err := rnic.Run(p)
			return []uint64{r.Cycles}, err
		}}
	}
	near, far := simulator.Latency{Least: 1, Most: 40}, simulator.Latency{Least: 1, Most: 400}
	return []stage{
		run("random", false, rnic.Plan{Peer: "model", Messages: 150, Seed: 1}),
		run("random, errors", false, rnic.Plan{Peer: "model", Messages: 300, Seed: 2, ErrorRate: 0.1, Stall: random, Latency: near}),
		{name: "races", run: func(ctx context.Context, d *simulator.Design, until func(int)) ([]uint64, error) {
			until(0)
			met, err := rnic.Races(c, d, rnic.Options{Engine: engineName, Seed: 1, Context: ctx})
			return []uint64{met.Cycles}, err
		}},
		run("random, both ends", true, rnic.Plan{Peer: "rtl", Messages: 2000, Seed: 3, ErrorRate: 0.02, Latency: near}),
		run("random, bursts of stalls", true, rnic.Plan{Peer: "model", Messages: 2000, Seed: 4, Stall: bursts, Latency: far}),
		run("random, many errors", true, rnic.Plan{Peer: "rtl", Messages: 3000, Seed: 5, ErrorRate: 0.2, Latency: near}),
		run("random, slow memory", true, rnic.Plan{Peer: "rtl", Messages: 2000, Seed: 6, ErrorRate: 0.03, Latency: far, Stall: random}),
		run("random, long streams", true, rnic.Plan{Peer: "rtl", Messages: 12000, Epoch: 12000, Seed: 7, ErrorRate: 0.001, Latency: near}), // message numbers above 2^8
		{name: "vectors", late: true, run: func(ctx context.Context, d *simulator.Design, until func(int)) ([]uint64, error) {
			return play(ctx, c, s, d, until)
		}},
	}, nil
}

// vectorSeed is the seed of the vectors' random cases.
const vectorSeed = 1

// play runs the vectors one after another.
func play(ctx context.Context, c gen.Config, s *suite.Suite, d *simulator.Design, until func(int)) (cycles []uint64, err error) {
	until(0)
	device, err := rnic.OpenDesign(c, d, rnic.Options{Engine: engineName, Seed: 1, Latency: vectors.MemoryLatency, Context: ctx})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, device.Close()) }()
	hardware := replay.NewHardware(device, simulator.Stall{})
	s.Each(func(g *suite.Group, t *suite.Test) {
		if err != nil {
			return
		}
		until(len(cycles))
		out, changes, failed := hardware.Run(g, t)
		if err = failed; err != nil {
			err = fmt.Errorf("tcId %d: %w", t.TcID, err)
			return
		}
		if differs := replay.Compare(t, out, changes, true); differs != nil {
			err = &verdictError{fmt.Sprintf("tcId %d: %s", t.TcID, differs.Place)}
			return
		}
		cycles = append(cycles, device.Engine().Cycle())
	})
	return cycles, err
}

// verdictError reports faulty hardware.
type verdictError struct{ what string }

func (e *verdictError) Error() string { return e.what }
