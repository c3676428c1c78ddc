package fuzz

import (
	"context"

	"github.com/rnicgen/rnicgen/cosim/coverage"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
)

// Config is a small rnic: its queues fill up soon, so programs can be short.
func Config() gen.Config {
	c := gen.Default()
	c.Streams, c.BusBytes, c.IRD, c.ORD, c.ReceiveDepth, c.SendDepth, c.MaxPayload, c.AtomicDepth = 4, 16, 2, 2, 4, 4, 256, 16
	c.STags = 64
	if need := rnic.STags(c.Streams); need > c.STags {
		panic("fuzz: the STag table is too small for random traffic")
	}
	return c
}

// Configs returns the configurations of both profiles that a program can choose: Config, and some with other bus widths and extreme limits.
// They are few, since a model must be built for each.
func Configs() []gen.Config {
	with := func(change func(c *gen.Config)) gen.Config {
		c := Config()
		change(&c)
		return c
	}
	list := []gen.Config{
		Config(),
		with(func(c *gen.Config) { // the minimum of everything
			c.BusBytes, c.Streams, c.IRD, c.ReceiveDepth, c.SendDepth, c.AtomicDepth, c.RetirePort = 8, 2, 1, 2, 2, 4, false
		}),
		with(func(c *gen.Config) { // many Reads in, few out
			c.BusBytes, c.IRD, c.ORD, c.MaxPayload, c.Extensions = 128, 64, 2, 512, []string{"draft00"}
		}),
		with(func(c *gen.Config) { // few in, many out
			c.BusBytes, c.IRD, c.ORD, c.SendDepth, c.AtomicDepth = 64, 1, 64, 64, 512
		}),
		with(func(c *gen.Config) { // more streams than a program has messages
			c.BusBytes, c.Streams, c.STags, c.IRD, c.ORD, c.ReceiveDepth, c.MaxPayload, c.RetirePort = 32, 16, 512, 4, 8, 2, 1024, false
		}),
		with(func(c *gen.Config) { c.Extensions = []string{"commit"} }),
	}
	return append(list, falconConfigs()...)
}

// Hardware is a configuration and its design.
type Hardware struct {
	Config gen.Config
	Design *simulator.Design
}

// Open compiles the designs of some configurations.
func Open(configs ...gen.Config) (list []Hardware, err error) {
	for _, c := range configs {
		d, err := trafficOf(c).design(c)
		if err != nil {
			return nil, err
		}
		list = append(list, Hardware{c, d})
	}
	return list, nil
}

// traffic is what the programs of a profile encode.
type traffic interface {
	design(c gen.Config) (*simulator.Design, error)
	run(ctx context.Context, p Program, hardware []Hardware, code *simulator.Coverage) (Outcome, []coverage.Message, error)
	differs(err error) bool // hardware and model, or hardware and the rules of a protocol
}

// Outcome is what a run has done.
type Outcome struct{ Messages, Cycles uint64 }

func trafficOf(c gen.Config) traffic {
	if c.Profile == gen.ProfileFalcon {
		return overFalcon{}
	}
	return rdmap{}
}

func (p Program) traffic(hardware []Hardware) traffic { return trafficOf(p.Config(hardware)) }
