package system

import (
	"sync"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/system"
)

// SystemOf are the options of a system whose RNICs have a configuration: the model with measured timing, and the hardware, which is
// compiled once if a node has it.
func SystemOf(c gen.Config, o Options) system.Options {
	design := sync.OnceValues(func() (*simulator.Design, error) { return DesignOf(c) })
	hardware := func(site system.Site) (system.NIC, error) {
		own := o
		own.Seed = site.Seed
		var err error
		if own.Design, err = design(); err != nil {
			return nil, err
		}
		return NewRTL(site, c, own)
	}
	s := system.Options{Config: system.Engine{EngineConfig: rnic.ModelConfig(c), BusBytes: c.BusBytes, AtomicDepth: c.AtomicDepth}, RTL: hardware, Context: o.Context}
	if c.Profile == gen.ProfileFalcon {
		order, _ := c.Order()
		s.Config.Falcon = &system.Falcon{BitOrder: order, Window: c.Window, BufferOctets: c.BufferOctets}
		s.Timing = system.FalconTimingOf(c.BusBytes)
	} else {
		s.Timing = system.TimingOf(c.BusBytes, c.Protocol())
	}
	return s
}

// Timing is what the model of an RNIC uses of the delays.
func (d *Delays) Timing() system.Timing {
	return system.Timing{
		WorkToFetch: d.WorkToFetch, WorkToBeat: d.WorkToBeat, FetchToBeat: d.FetchToBeat, FetchToBeatLong: d.FetchToBeatLong, BeatToDone: d.BeatToDone,
		ArriveToPlace: d.ArriveToPlace, PlaceToReceive: d.PlaceToReceive, PlaceToDone: d.PlaceToDone,
		ArriveToRead: d.ArriveToRead, ArriveToWord: d.ArriveToWord, WordToBeat: d.WordToBeat, WordToWrite: d.WordToWrite, ArriveToBeat: d.ArriveToBeat,
		BeatToWord: d.BeatToWord, WriteToRead: d.WriteToRead, PlaceToRead: d.PlaceToRead,
		ArriveToFlush: d.ArriveToFlush, FlushToBeat: d.FlushToBeat, ArriveToVerify: d.ArriveToVerify, VerifyToBeat: d.VerifyToBeat,
		ArriveToRewrite: d.ArriveToRewrite, RewriteToBeat: d.RewriteToBeat, ReplyToDone: d.ReplyToDone,
	}
}
