package fuzz

import (
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
)

// Config is a small rnic: its queues are full soon, and a program has no need to be long.
func Config() gen.Config {
	c := gen.DefaultRNIC()
	c.Streams, c.BusBytes, c.IRD, c.ORD, c.ReceiveDepth, c.SendDepth, c.MaxPayload, c.AtomicDepth = 4, 16, 2, 2, 4, 4, 256, 16
	c.STags = 64
	if need := rnic.STags(c.Streams); need > c.STags {
		panic("fuzz: the STag table is too small for random traffic")
	}
	return c
}
