package system

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/engines"
	"github.com/rnicgen/rnicgen/gen"
)

// Options control the simulation of the hardware.
type Options struct {
	Engine  string            // one of engines.Names; the default is engines.Default
	Design  *simulator.Design // of DesignOf, to share it; nil compiles it
	Seed    uint64            // of the initial state
	Quick   bool              // faster build, slower simulation
	Context context.Context   // cancels the build of the model and each cycle; may be nil
	Latency uint64            // of the memory of Measure in cycles; default 40
}

// DesignOf compiles the hardware of a configuration, without the retire port. RNICs can share it.
func DesignOf(c gen.Config) (*simulator.Design, error) {
	if c.Profile == gen.ProfileFalcon {
		return falcon.DesignWithoutMemory(c)
	}
	c.RetirePort = false
	return rnic.DesignWithoutMemory(c)
}

// complete sets what is left out.
func (o *Options) complete(c gen.Config) (err error) {
	if o.Engine == "" {
		o.Engine = engines.Default
	}
	if o.Design == nil {
		o.Design, err = DesignOf(c)
	}
	return err
}

// hardware is rnic on a simulator, with its memory port divided into accesses of lines.
type hardware struct {
	*rnic.Device
	*port
}

func openHardware(c gen.Config, o Options) (*hardware, error) {
	if c.Profile != gen.ProfileRDMAP {
		return nil, fmt.Errorf("an RNIC with profile %s has no DDP segments; allowed: %s", c.Profile, gen.ProfileRDMAP)
	}
	c.RetirePort = false
	if err := o.complete(c); err != nil {
		return nil, err
	}
	device, err := rnic.OpenDesign(c, o.Design, rnic.Options{Engine: o.Engine, Seed: o.Seed, Quick: o.Quick, Context: o.Context})
	if err != nil {
		return nil, err
	}
	p, err := openPort(o.Design, device.Engine(), c.BusBytes)
	if err != nil {
		return nil, errors.Join(err, device.Close())
	}
	return &hardware{device, p}, nil
}

// cycle runs one cycle. It reports whether a beat was passed to the memory port or came out of it.
func (h *hardware) cycle() (moved bool, err error) {
	return h.around(func() error {
		_, err := h.Run(1, 0)
		return err
	})
}

// octetsOf returns the data of a beat, a line of memory.
func octetsOf(l *cosim.Lane, beat []uint64) []byte {
	data := l.Field("data")
	octets := make([]byte, 0, data.Width/8)
	for at := 0; at < data.Width; at += 64 {
		octets = binary.LittleEndian.AppendUint64(octets, simulator.Bits(beat, data.Offset+at, 64))
	}
	return octets
}

func setOctets(l *cosim.Lane, beat []uint64, octets []byte) {
	data := l.Field("data")
	for at := 0; at < data.Width; at += 64 {
		simulator.SetBits(beat, data.Offset+at, 64, binary.LittleEndian.Uint64(octets[at/8:]))
	}
}
