package system

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim"
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
	c.RetirePort = false
	return rnic.DesignWithoutMemory(c)
}

// hardware is rnic on a simulator, with its memory port divided into accesses of lines.
type hardware struct {
	*rnic.Device
	eng    simulator.Engine
	reads  reads
	writes writes
	held   map[string]bool // streams that are stalled
}

func openHardware(c gen.Config, o Options) (*hardware, error) {
	if c.Profile != gen.ProfileRDMAP {
		return nil, fmt.Errorf("an RNIC with profile %s has no DDP segments; allowed: %s", c.Profile, gen.ProfileRDMAP)
	}
	c.RetirePort = false
	if o.Engine == "" {
		o.Engine = engines.Default
	}
	if o.Design == nil {
		d, err := DesignOf(c)
		if err != nil {
			return nil, err
		}
		o.Design = d
	}
	device, err := rnic.OpenDesign(c, o.Design, rnic.Options{Engine: o.Engine, Seed: o.Seed, Quick: o.Quick, Context: o.Context})
	if err != nil {
		return nil, err
	}
	h := &hardware{Device: device, eng: device.Engine(), held: map[string]bool{}}
	h.reads.bus, h.writes.bus = uint64(c.BusBytes), uint64(c.BusBytes)
	for name, l := range map[string]*cosim.Lane{"m_axi_ar": &h.reads.ar, "m_axi_r": &h.reads.r, "m_axi_aw": &h.writes.aw, "m_axi_w": &h.writes.w,
		"m_axi_b": &h.writes.b} {
		if *l, err = cosim.NewLane(o.Design, name); err != nil {
			return nil, errors.Join(err, device.Close())
		}
	}
	return h, nil
}

// hold stalls a stream, or lets it go on, from the next cycle on.
func (h *hardware) hold(stream string, on bool) error {
	if h.held[stream] == on {
		return nil
	}
	h.held[stream] = on
	stall := simulator.Stall{}
	if on {
		stall = simulator.Stall{Mode: simulator.StallRandom, Chance: 256}
	}
	return h.Stall(stream, stall)
}

// readsAhead is the number of lines that wait to be asked for, from which on no further bursts are accepted: memory takes bursts ahead.
const readsAhead = 1024

// cycle runs one cycle. It reports whether a beat was passed to the memory port or came out of it. Accesses of the memory port wait
// in reads and writes.
func (h *hardware) cycle() (moved bool, err error) {
	read, err := h.reads.push(h.eng)
	if err != nil {
		return false, err
	}
	answered, err := h.writes.push(h.eng)
	if err != nil {
		return false, err
	}
	moved = read || answered
	if err := errors.Join(h.hold("m_axi_ar", len(h.reads.asked) > readsAhead), h.hold("m_axi_w", len(h.writes.asked)+len(h.writes.early) > 0)); err != nil {
		return false, err
	}
	if _, err := h.Run(1, 0); err != nil {
		return false, err
	}
	seen := func(take func(beat []uint64)) func(beat []uint64) {
		return func(beat []uint64) {
			moved = true
			take(beat)
		}
	}
	err = errors.Join(h.reads.ar.Pop(h.eng, seen(h.reads.take)), h.writes.aw.Pop(h.eng, seen(h.writes.takeAddress)), h.writes.w.Pop(h.eng, seen(h.writes.takeData)))
	h.writes.divide()
	return moved, err
}

// waiting returns the number of beats that the hardware has not accepted.
func (h *hardware) waiting() int {
	return h.Waiting() + int(h.eng.Stats(h.reads.r.Stream).Queued) + int(h.eng.Stats(h.writes.b.Stream).Queued)
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
