package fuzz

import (
	"context"

	"github.com/rnicgen/rnicgen/cosim/coverage"
	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
)

// overFalcon is the traffic of package falcon.
type overFalcon struct{}

func (overFalcon) design(c gen.Config) (*simulator.Design, error) { return falcon.Design(c) }

func (overFalcon) differs(err error) bool { return falcon.IsMismatch(err) }

// run has no bins.
func (overFalcon) run(ctx context.Context, p Program, hardware []Hardware, code *simulator.Coverage) (Outcome, []coverage.Message, error) {
	h := hardware[p.chosen(hardware)]
	r, err := falcon.Run(falcon.Plan{Config: h.Config, Design: h.Design, Engine: "verilator", Peer: "model", Choices: p.choices(), Seed: p.seed(hardware),
		Operations: p.messages(), ErrorRate: p.errorRate(), Latency: p.latency(), Stall: p.stall(), Coverage: code, Context: ctx})
	return Outcome{r.Operations, r.Cycles}, nil, err
}

// falconConfigs are those of RDMA over Falcon that a program can choose.
func falconConfigs() []gen.Config {
	with := func(change func(c *gen.Config)) gen.Config {
		c := gen.DefaultOf(gen.ProfileFalcon)
		c.Streams, c.BusBytes, c.STags, c.IRD, c.ORD, c.ReceiveDepth, c.SendDepth, c.MaxPayload, c.AtomicDepth, c.Window = 4, 16, 64, 2, 2, 4, 4, 256, 16, 16
		change(&c)
		return c
	}
	return []gen.Config{
		with(func(*gen.Config) {}),
		with(func(c *gen.Config) { // the minimum of everything
			c.BusBytes, c.Streams, c.ReceiveDepth, c.SendDepth, c.AtomicDepth, c.BufferOctets, c.BitOrder = 8, 2, 2, 2, 4, 16, "mirrored"
		}),
		with(func(c *gen.Config) { // many pulls, long lists
			c.BusBytes, c.IRD, c.ORD, c.MaxPayload, c.ReceiveDepth, c.SendDepth, c.Window = 128, 32, 32, 1024, 32, 32, 64
		}),
	}
}
