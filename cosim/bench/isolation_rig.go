package bench

import (
	"context"
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
)

const (
	isolationStreams  = 64
	isolationIRD      = 16
	isolationORD      = 8
	isolationReceives = 64
	isolationSends    = 16
)

func isolationConfig() gen.Config {
	c := rnicConfig(128, isolationStreams, isolationIRD)
	c.ORD, c.ReceiveDepth, c.SendDepth, c.RetirePort = isolationORD, isolationReceives, isolationSends, false
	return c
}

// rig runs an engine and its parties cycle by cycle. The first party is the aggressor.
type rig struct {
	context  context.Context
	device   *rnic.Device
	parties  []*party
	line     line
	work     turns
	receives turns
	platform *flushes // with the extension commit
}

// isolationRights are those of the region that all use.
const isolationRights = memory.LocalRead | memory.LocalWrite | memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic

func openRig(ctx context.Context, seed uint64, a aggressor) (*rig, error) {
	latency := simulator.Latency{Least: memoryLatency, Most: memoryLatency}
	c, region := isolationConfig(), memory.Region{Valid: true, Rights: isolationRights, ByDomain: true, Length: 1 << 20}
	if a.far {
		c.FarMemoryBit = aggressorBit
	}
	if a.commit {
		c.Extensions = []string{"commit"}
		region = commitRegion()
	}
	d, err := rnic.OpenDevice(c, rnic.Options{Engine: "go", Seed: seed, Latency: latency, Context: ctx})
	if err != nil {
		return nil, err
	}
	r := &rig{context: ctx, device: d}
	if a.commit {
		r.platform = &flushes{device: d, takes: memoryLatency}
		d.OnFlush(r.platform.ask)
	}
	err = d.SetRegion(1, region)
	if region.Address = aggressorAddress; err == nil {
		err = d.SetRegion(aggressorRow, region)
	}
	for s := range uint32(isolationStreams) {
		if err == nil {
			err = d.Open(s, 0)
		}
		r.parties = append(r.parties, &party{stream: s, behavior: silent{}})
	}
	if err == nil && a.prepare != nil {
		err = a.prepare(d)
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return r, nil
}

// settleCycles is the number of cycles in which the engine stores receive requests that it has taken.
const settleCycles = 100

// begin posts the receive requests of all parties.
func (r *rig) begin() error {
	waiting := 0
	for _, p := range r.parties {
		p.begin(p)
		waiting += len(p.receives)
	}
	for range waiting + settleCycles {
		if err := r.move(); err != nil {
			return err
		}
	}
	return nil
}

func (r *rig) now() uint64 { return r.device.Engine().Cycle() }

func (r *rig) hush() { r.parties[0].behavior = silent{} }

func (r *rig) hold(port string, held bool) error {
	if !held {
		return r.device.Stall(port, simulator.Stall{})
	}
	return r.device.Stall(port, simulator.Stall{Mode: simulator.StallRandom, Chance: 256})
}

// cycle lets all parties act, and moves on by one cycle.
func (r *rig) cycle() error {
	now := r.device.Engine().Cycle()
	for _, p := range r.parties {
		p.step(p, now)
	}
	return r.move()
}

// move runs one cycle and distributes its outputs.
func (r *rig) move() error {
	d, now := r.device, r.device.Engine().Cycle()
	if now%1024 == 0 && r.context.Err() != nil {
		return context.Cause(r.context)
	}
	if err := errors.Join(r.give(), r.write()); err != nil {
		return err
	}
	if r.platform != nil {
		r.platform.answer(now)
	}
	if _, err := d.Run(1, 0); err != nil {
		return err
	}
	out := d.Take()
	for _, s := range out.Segments {
		p := r.parties[s.Stream]
		p.acts.Out++
		p.sent(p, now, s.Octets)
	}
	for _, c := range out.Completions {
		p := r.parties[c.Stream]
		p.completed(p, now, c)
	}
	for _, e := range out.Events {
		p := r.parties[e.Stream]
		p.reported(p, now, e)
	}
	return nil
}

// give offers the next beat of each port that has taken the previous one.
func (r *rig) give() error {
	return errors.Join(
		r.offer("s_axis_rx", r.sender, func(p *party) {
			r.device.Send(p.stream, p.segments[0])
			p.segments = p.segments[1:]
			p.acts.In++
		}),
		r.offer("wqe", func() *party { return r.turnOf(&r.work, func(p *party) bool { return len(p.work) > 0 }) }, func(p *party) {
			r.device.PostWork(p.work[0])
			p.work = p.work[1:]
			p.acts.Posted++
		}),
		r.offer("rqe", func() *party { return r.turnOf(&r.receives, func(p *party) bool { return len(p.receives) > 0 }) }, func(p *party) {
			r.device.PostReceive(p.receives[0])
			p.receives = p.receives[1:]
			p.acts.Receives++
		}))
}

// sender is the party whose segment is next on the line; nil: none.
func (r *rig) sender() *party {
	next := r.line.next(len(r.parties), func(i int) int {
		if p := r.parties[i]; len(p.segments) > 0 {
			return beatsOf(p.segments[0])
		}
		return 0
	})
	if next < 0 {
		return nil
	}
	return r.parties[next]
}

func (r *rig) turnOf(t *turns, has func(*party) bool) *party {
	if i := t.next(len(r.parties), func(i int) bool { return has(r.parties[i]) }); i >= 0 {
		return r.parties[i]
	}
	return nil
}

func (r *rig) offer(port string, next func() *party, give func(*party)) error {
	stats, err := r.device.Stats(port)
	if err != nil || stats.Queued > 0 {
		return err
	}
	if p := next(); p != nil {
		give(p)
	}
	return nil
}

// write passes on writes of registers, which only the aggressor's host makes while others are at work, and their responses.
func (r *rig) write() error {
	p := r.parties[0]
	p.acts.Commands += uint64(len(p.commands))
	n, err := writeRegisters(r.device.Registers(), p.commands)
	p.commands = p.commands[:0]
	if n > 0 {
		p.answered(p, n)
	}
	return err
}

// writeRegisters starts writes, and returns how many have been answered since the last call.
func writeRegisters(registers *cosim.Registers, list []cosim.Write) (answered int, err error) {
	if err := registers.Start(list...); err != nil {
		return 0, err
	}
	n, refused, err := registers.Answered()
	if err == nil && refused > 0 {
		err = fmt.Errorf("%d register writes were refused", refused)
	}
	return n, err
}
