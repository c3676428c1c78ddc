package system

import (
	"errors"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// port is m_axi of hardware on a simulator, divided into accesses of lines.
type port struct {
	design *simulator.Design
	eng    simulator.Engine
	reads  reads
	writes writes
	held   map[string]bool // streams that are stalled
}

// openPort opens m_axi with a bus of so many octets.
func openPort(design *simulator.Design, eng simulator.Engine, bus int) (*port, error) {
	p := &port{design: design, eng: eng, held: map[string]bool{}}
	p.reads.bus, p.writes.bus = uint64(bus), uint64(bus)
	for name, l := range map[string]*cosim.Lane{"m_axi_ar": &p.reads.ar, "m_axi_r": &p.reads.r, "m_axi_aw": &p.writes.aw, "m_axi_w": &p.writes.w,
		"m_axi_b": &p.writes.b} {
		var err error
		if *l, err = cosim.NewLane(design, name); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// hold stalls a stream, or lets it go on, from the next cycle on.
func (p *port) hold(stream string, on bool) error {
	if p.held[stream] == on {
		return nil
	}
	p.held[stream] = on
	stall := simulator.Stall{}
	if on {
		stall = simulator.Stall{Mode: simulator.StallRandom, Chance: 256}
	}
	i, err := p.design.Stream(stream)
	if err != nil {
		return err
	}
	return p.eng.SetStall(i, stall)
}

// stats returns the statistics of a stream.
func (p *port) stats(stream string) (simulator.Stats, error) {
	i, err := p.design.Stream(stream)
	if err != nil {
		return simulator.Stats{}, err
	}
	return p.eng.Stats(i), nil
}

// readsAhead is the number of lines that wait to be asked for, from which on no further bursts are accepted: memory takes bursts ahead.
const readsAhead = 1024

// around runs one cycle of the hardware. It reports whether a beat was passed to the port or came out of it. Accesses wait in reads and
// writes.
func (p *port) around(run func() error) (moved bool, err error) {
	read, err := p.reads.push(p.eng)
	if err != nil {
		return false, err
	}
	answered, err := p.writes.push(p.eng)
	if err != nil {
		return false, err
	}
	moved = read || answered
	if err := errors.Join(p.hold("m_axi_ar", len(p.reads.asked) > readsAhead), p.hold("m_axi_w", len(p.writes.asked)+len(p.writes.early) > 0)); err != nil {
		return false, err
	}
	if err := run(); err != nil {
		return false, err
	}
	seen := func(take func(beat []uint64)) func(beat []uint64) {
		return func(beat []uint64) {
			moved = true
			take(beat)
		}
	}
	err = errors.Join(p.reads.ar.Pop(p.eng, seen(p.reads.take)), p.writes.aw.Pop(p.eng, seen(p.writes.takeAddress)), p.writes.w.Pop(p.eng, seen(p.writes.takeData)))
	p.writes.divide()
	return moved, err
}

// queued returns the number of beats of answers that the hardware has not accepted.
func (p *port) queued() int {
	return int(p.eng.Stats(p.reads.r.Stream).Queued) + int(p.eng.Stats(p.writes.b.Stream).Queued)
}
