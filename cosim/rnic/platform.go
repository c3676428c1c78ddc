package rnic

import (
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/model/memory"
)

// The platform that flushes for a device with the extension commit.

// platform does the flushes that the device asks for, in any order, between two runs; or passes them to ask.
type platform struct {
	asked, done cosim.Lane
	ask         func(Flush)
	rand        *rand.Rand
	fails       []simulator.Range // memory that cannot be flushed
	answers     []flushed         // not yet passed to the device
	held        bool              // answers wait
	latest      Flush             // that it was asked for
	busy        bool              // it was asked in the last run
}

// Flush is a flush that the device asks for.
type Flush struct {
	ID                  uint16
	Address             uint64
	Octets              uint32
	Type                memory.Type
	Persistent, Visible bool
}

// flushed is the answer to a flush.
type flushed struct {
	id     uint16
	failed bool
}

// preparePlatform finds the ports; a design with flush_adapter has none.
func (d *Device) preparePlatform(seed uint64) (err error) {
	if _, err := d.design.Stream("m_axis_flush"); err != nil {
		return nil
	}
	p := &platform{rand: rand.New(rand.NewPCG(seed, 3))}
	if p.asked, err = cosim.NewLane(d.design, "m_axis_flush"); err != nil {
		return err
	}
	if p.done, err = cosim.NewLane(d.design, "s_axis_flush_done"); err != nil {
		return err
	}
	d.platform = p
	return nil
}

// push answers some of the flushes.
func (p *platform) push(e simulator.Engine) error {
	if p == nil {
		return nil
	}
	p.busy = len(p.answers) > 0
	if p.held {
		return p.done.Push(e)
	}
	now := len(p.answers)
	if p.ask == nil {
		p.rand.Shuffle(now, func(i, j int) { p.answers[i], p.answers[j] = p.answers[j], p.answers[i] })
		now = (now + 1) / 2
	}
	for _, a := range p.answers[:now] {
		data := p.done.Field("tdata")
		beat := p.done.Grow()
		v := uint64(a.id)
		if a.failed {
			v |= 1 << 16
		}
		simulator.SetBits(beat, data.Offset, data.Width, v)
	}
	p.answers = append(p.answers[:0], p.answers[now:]...)
	return p.done.Push(e)
}

// collectFlushes takes the flushes that the device asks for.
func (d *Device) collectFlushes() error {
	p := d.platform
	if p == nil {
		return nil
	}
	return p.asked.Pop(d.eng, func(beat []uint64) {
		at := p.asked.Field("tdata").Offset
		address, octets := simulator.Bits(beat, at, 64), simulator.Bits(beat, at+64, 32)
		p.latest = Flush{ID: uint16(simulator.Bits(beat, at+112, 16)), Address: address, Octets: uint32(octets), Type: memory.Type(simulator.Bits(beat, at+96, 2)),
			Persistent: simulator.Bits(beat, at+98, 1) == 1, Visible: simulator.Bits(beat, at+99, 1) == 1}
		p.busy = true
		d.out.Flushes = append(d.out.Flushes, p.latest)
		if p.ask != nil {
			p.ask(p.latest)
			return
		}
		p.answers = append(p.answers, flushed{id: p.latest.ID, failed: p.cannot(address, octets)})
	})
}

// flushReads are the rights of regions that the device reads to flush them: it has no platform for that.
func (d *Device) flushReads() memory.Rights {
	if d.platform != nil {
		return 0
	}
	return memory.FlushPersistent | memory.FlushVisible
}

// cannotFlush reports whether a flush fails: as the platform says; or because the last beat of the range in one of its pages, which
// flush_adapter reads, cannot be read.
func (n *Node) cannotFlush(address, octets uint64) bool {
	if p := n.Device.platform; p != nil {
		return p.cannot(address, octets)
	}
	last := address + (octets - 1)
	for page := address | (pageOctets - 1); ; page += pageOctets {
		if n.fails(min(page, last), 1, false) {
			return true
		}
		if page >= last {
			return false
		}
	}
}

// pageOctets is the least that is one subordinate of AXI4.
const pageOctets = 4096

// cannot reports whether a flush fails.
func (p *platform) cannot(address, octets uint64) bool {
	for _, r := range p.fails {
		if address <= r.Last && address+(octets-1) >= r.First {
			return true
		}
	}
	return false
}

// Flushing reports whether flushes are in progress, or were during the last run.
func (d *Device) Flushing() bool { return d.platform != nil && d.platform.busy }

// FailFlushes sets the memory that the platform cannot flush, if there is one.
func (d *Device) FailFlushes(ranges ...simulator.Range) {
	if d.platform != nil {
		d.platform.fails = ranges
	}
}

// OnFlush passes the flushes that the device asks for to ask, from Run. Each needs one AnswerFlush.
func (d *Device) OnFlush(ask func(Flush)) { d.platform.ask = ask }

// AnswerFlush says in the next Run that a flush is done, or that it has failed.
func (d *Device) AnswerFlush(id uint16, failed bool) {
	d.platform.answers = append(d.platform.answers, flushed{id, failed})
}

// HoldFlushes makes answers to flushes wait until it is called with false.
func (d *Device) HoldFlushes(on bool) {
	if d.platform != nil {
		d.platform.held = on
	}
}

// LatestFlush is what the device has asked the platform for.
func (d *Device) LatestFlush() Flush { return d.platform.latest }
