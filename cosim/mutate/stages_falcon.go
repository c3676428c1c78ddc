package mutate

import (
	"context"
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	vectors "github.com/rnicgen/rnicgen/vectors/falcon"
	"github.com/rnicgen/rnicgen/vectors/falcon/hardware"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// falconStages returns the tests of a configuration of RDMA over Falcon; vectors are among them if they fit it.
func falconStages(c gen.Config) (list []stage, err error) {
	run := func(name string, late bool, p falcon.Plan) {
		p.Config, p.Engine = c, engineName
		list = append(list, stage{name: name, late: late, run: func(ctx context.Context, d *simulator.Design, until func(int)) ([]uint64, error) {
			p := p
			p.Design, p.Context = d, ctx
			until(0)
			s, err := falcon.Run(p)
			return []uint64{s.Cycles}, err
		}})
	}
	near, far := simulator.Latency{Least: 1, Most: 40}, simulator.Latency{Least: 1, Most: 400}
	run("random", false, falcon.Plan{Peer: "model", Operations: 300, Seed: 1})
	run("random, errors", false, falcon.Plan{Peer: "model", Operations: 600, Seed: 2, ErrorRate: 0.05, Stall: random, Latency: near})
	if hardware.Fits(c) {
		play, err := falconVectors(c)
		if err != nil {
			return nil, err
		}
		list = append(list, stage{name: "vectors", late: true, run: play})
	}
	run("random, both ends", true, falcon.Plan{Peer: "rtl", Operations: 4000, Seed: 3, ErrorRate: 0.02, Reorder: 64, Latency: near})
	run("random, storms", true, falcon.Plan{Peer: "rtl", Operations: 4000, Seed: 4, Late: 300, Reorder: 64, Stall: bursts, Latency: far})
	run("random, many errors", true, falcon.Plan{Peer: "model", Operations: 4000, Seed: 5, ErrorRate: 0.1, Latency: near})
	run("random, slow memory", true, falcon.Plan{Peer: "rtl", Operations: 4000, Seed: 6, ErrorRate: 0.01, Latency: far, Stall: random})
	return list, nil
}

// falconVectors plays vectors one after another.
func falconVectors(h gen.Config) (func(context.Context, *simulator.Design, func(int)) ([]uint64, error), error) {
	c, err := suite.Of(h)
	if err != nil {
		return nil, err
	}
	s, err := vectors.New(c, vectorSeed)
	return func(ctx context.Context, d *simulator.Design, until func(int)) (cycles []uint64, err error) {
		until(0)
		device, err := falcon.OpenDesign(h, d, falcon.Options{Engine: engineName, Seed: 1, Latency: simulator.Latency{Least: 1, Most: 40}, Context: ctx})
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, device.Close()) }()
		s.Each(func(g *suite.Group, t *suite.Test) {
			if err != nil || hardware.Lacks(c, g, t) != "" {
				return
			}
			until(len(cycles))
			got, failed := hardware.Runner{Config: c, Device: device}.Run(g, t)
			if err = failed; err != nil {
				err = fmt.Errorf("tcId %d: %w", t.TcID, err)
			} else if differs := suite.Compare(g, t, got); differs != nil {
				err = &verdictError{fmt.Sprintf("tcId %d: %s", t.TcID, differs.Place)}
			}
			cycles = append(cycles, device.Engine().Cycle())
		})
		return cycles, err
	}, err
}
