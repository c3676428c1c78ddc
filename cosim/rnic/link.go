package rnic

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"time"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// link joins two hosts and their ends.
type link struct {
	plan       Plan
	rand       *rand.Rand
	active     []uint32
	hosts      [2]*host
	faults     [2]*faults     // on segments to the end
	interleave [2]interleaver // of segments from the end
	nodes      []*Node
	stuck      [2]error // from the latest run of the end
	posted     uint64
}

// Run runs a plan. The error is a *Difference if hardware and model disagree.
func Run(p Plan) (r Result, err error) {
	l := &link{plan: p, rand: rand.New(rand.NewPCG(p.Seed, 0))}
	defer func() {
		for _, h := range l.hosts {
			if h != nil {
				err = errors.Join(err, h.end.Close()) // completes the waveform
			}
		}
	}()
	if err := l.open(); err != nil {
		return r, err
	}
	if p.Choices != nil {
		l.draw(rand.New(p.Choices))
	}
	start := time.Now()
	err = l.run()
	r.Ends = map[wire.TerminateCode]uint64{}
	r.Messages, r.Elapsed = l.posted, time.Since(start)
	for _, n := range l.nodes {
		r.Checked.add(n.Checked())
		for code, times := range n.ends {
			r.Ends[code] += times
		}
	}
	r.Cycles = l.nodes[0].Device.Engine().Cycle()
	return r, err
}

func (l *link) open() error {
	c := l.plan.Config
	if l.plan.Ordering && !c.RetirePort {
		return errors.New("ordering: the steps are not reported; allowed: with retire_port: true")
	}
	if l.plan.Ordering && l.plan.ErrorRate > 0 {
		return errors.New("ordering: corrupted messages have no end; allowed: with an error rate of 0")
	}
	if most := c.Streams; l.plan.Active < 0 || l.plan.Active > most {
		return fmt.Errorf("active streams are %d; allowed: 1 to %d, or 0 for all", l.plan.Active, most)
	}
	design := l.plan.Design
	if design == nil {
		var err error
		if design, err = Design(c); err != nil {
			return err
		}
	}
	l.active = activeStreams(c.Streams, l.plan.Active, l.rand)
	var layouts [2]layout
	for i := range layouts {
		layouts[i] = newLayout(c, l.active, l.plan.Near, l.rand)
	}
	for i := range l.hosts {
		l.interleave[i] = interleaver{rand: l.rand, x: c.Protocol(), within: make([]bool, c.Streams)}
		var end End
		var err error
		if i == 1 && l.plan.Peer == "model" {
			end, err = NewModelEndpoint(c, l.plan.Seed)
		} else {
			var n *Node
			n, err = l.openNode(i, design, layouts[i])
			if end = n; i == 0 && l.plan.record != nil {
				l.plan.record.layout = layouts[i].clone()
				end = &recorder{n, l.plan.record}
			}
			if i == 0 && l.plan.Script != nil {
				l.plan.Script.faulty = layouts[0].faulty()
				end = &scribe{n, l.plan.Script}
			}
		}
		if err != nil {
			return err
		}
		l.hosts[i] = &host{end: end, config: c, rand: l.rand, errors: l.plan.ErrorRate, local: layouts[i], remote: layouts[1-i], streams: make([]hostStream, c.Streams)}
		l.faults[i] = &faults{rand: l.rand, noise: rand.New(rand.NewPCG(l.plan.Seed, 5+uint64(i))), rate: l.plan.ErrorRate, config: c, target: layouts[i], wires: make([]wireEnd, c.Streams)}
		if err := layouts[i].prepare(end, l.rand); err != nil {
			return err
		}
	}
	return nil
}

// draw makes all choices from one source.
func (l *link) draw(r *rand.Rand) {
	l.rand = r
	for i := range l.hosts {
		l.hosts[i].rand, l.faults[i].rand, l.interleave[i].rand = r, r, r
	}
}

func (l *link) openNode(i int, design *simulator.Design, at layout) (*Node, error) {
	o := Options{Engine: l.plan.Engine, Seed: l.plan.Seed + uint64(i), Latency: l.plan.Latency, Stall: l.plan.Stall, Unknown: l.plan.Unknown, Quick: l.plan.Quick,
		Stamps: l.plan.Ordering, Context: l.plan.Context}
	o.Memory = DrawMemory(o.Seed, o.Latency)
	if i == 0 {
		o.Trace, o.Coverage = l.plan.Trace, l.plan.Coverage
	}
	device, err := OpenDesign(l.plan.Config, design, o)
	if err != nil {
		return nil, err
	}
	n, err := NewNode([...]string{"first", "second"}[i], l.plan.Config, device)
	if err != nil {
		return nil, err
	}
	if i == 0 {
		n.Observer = l.plan.Observer
	}
	l.nodes = append(l.nodes, n)
	device.FailFlushes(at.faulty()...)
	return n, firstError(n.SetFaulty(at.faulty()...), device.memory.SetBounds(at.bounds(device.flushReads())...),
		device.memory.SetSlow(farLatency, at.far(l.plan.Config.FarMemoryBit)...))
}

// Limits of a round: cycles, and idle cycles after which it ends.
const (
	roundCycles = 4000
	quietCycles = 64
	quietRounds = 3
)

// Silence is the number of cycles for which a busy device may show no activity at its ports: it discards payload read for
// ended streams, one beat per cycle, or computes the SHA-256 of what digest_unit has read ahead of an area, 17 cycles per 16 octets.
func Silence(c gen.Config) uint64 {
	payload := quietCycles + 1<<bits.Len(uint(224+3*(c.MaxPayload/c.BusBytes+1)-1))
	if c.Protocol()&spec.Commit != 0 {
		return uint64(max(payload, quietCycles+17*min(areaOctets, digestBeats*c.BusBytes)/16))
	}
	return uint64(payload)
}

// digestBeats is how many beats digest_unit reads ahead.
const digestBeats = 512
