package fuzz

import (
	"context"

	"github.com/rnicgen/rnicgen/cosim/coverage"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
)

// rdmap is the traffic of package rnic.
type rdmap struct{}

func (rdmap) design(c gen.Config) (*simulator.Design, error) { return rnic.Design(c) }

func (rdmap) differs(err error) bool { return rnic.IsMismatch(err) }

func (rdmap) run(ctx context.Context, p Program, hardware []Hardware, code *simulator.Coverage) (Outcome, []coverage.Message, error) {
	plan := p.plan(hardware)
	bins := coverage.NewCounter(plan.Config)
	plan.Coverage, plan.Context, plan.Observer = code, ctx, bins
	r, err := rnic.Run(plan)
	return Outcome{r.Messages, r.Cycles}, bins.Reached(), err
}

// plan returns the run that the program encodes.
func (p Program) plan(hardware []Hardware) rnic.Plan {
	h := hardware[p.chosen(hardware)]
	return rnic.Plan{Config: h.Config, Design: h.Design, Engine: "verilator", Peer: "model", Near: true, Choices: p.choices(), Seed: p.seed(hardware),
		Messages: p.messages(), ErrorRate: p.errorRate(), Epoch: 1 + uint64(p.head(1)/len(rates)%32), Latency: p.latency(), Stall: p.stall()}
}
