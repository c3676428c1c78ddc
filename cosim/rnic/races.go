package rnic

import (
	"errors"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
)

// Distance in cycles between a receive request and the Send that needs it: the Send passes through the parser first, so that
// they meet somewhere in this range.
//
// A Write may arrive as many cycles before the row is stored.
const (
	headStart    = 16
	sendFirst    = 24
	requestFirst = 48
)

// Races runs host actions against the segments that depend on them, at every distance in cycles: storing an STag row against a
// Write, posting a receive request against a Send, and opening a stream against the ends of others. Random traffic does not
// cover this: its peer starts only when the host is done. A segment must see the complete effect of the host action, or none of
// it, which ends the stream.
func Races(c gen.Config, design *simulator.Design, o Options) (met Met, err error) {
	d, err := OpenDesign(c, design, o)
	if err != nil {
		return met, err
	}
	met, err = RacesOn(d, c)
	return met, errors.Join(err, d.Close())
}

// RacesOn is Races on a freshly reset device.
func RacesOn(d *Device, c gen.Config) (met Met, err error) {
	defer func() { met.Cycles = d.eng.Cycle() }()
	r := &racer{device: d, stream: uint32(c.Streams - 1)}
	area := memory.Region{Valid: true, Key: 0x5A, Rights: memory.LocalWrite | memory.RemoteWrite, Owner: uint16(r.stream), Base: 1 << 40, Length: 4096, Address: 0x4_0000}
	r.index, r.area = c.STags-1, area
	for cycles := range mostBeats {
		if err := r.openBesideEnds(cycles); err != nil {
			return met, err
		}
	}
	for beats := -headStart; beats < mostBeats; beats++ {
		is, err := r.appear(beats)
		if err != nil {
			return met, err
		}
		if is {
			met.Rows++
		} else {
			met.NoRows++
		}
	}
	for beats := range mostBeats {
		if err := r.collide(beats); err != nil {
			return met, err
		}
	}
	for beats := 0; beats < mostBeats; beats += 5 { // the messages take longer
		if err := r.openBeside(beats, c.ReceiveDepth); err != nil {
			return met, err
		}
	}
	if err := d.SetRegion(r.index, area); err != nil {
		return met, err
	}
	for apart := -sendFirst; apart <= requestFirst; apart++ {
		is, err := r.meet(apart)
		if err != nil {
			return met, err
		}
		if is {
			met.Found++
		} else {
			met.Missed++
		}
	}
	return met, nil
}

// Met counts how often a Send found the request posted at about the same time, and a Write the row, and how often not.
type Met struct {
	Found, Missed int
	Rows, NoRows  int
	Cycles        uint64
}

// racer runs races one after the other.
type racer struct {
	device *Device
	stream uint32
	index  int
	area   memory.Region
	id     uint64
}
