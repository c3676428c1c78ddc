package rnic

import (
	"fmt"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/gen"
)

// Plan is a run of random traffic between two ends.
type Plan struct {
	Config   gen.Config
	Engine   string // go or verilator
	Peer     string // rtl or model
	Messages uint64 // work requests of both ends
	Seed     uint64
	Latency  engine.Latency // of memory
	Stall    engine.Stall
	Ordering bool           // hold what the retire port reports to the ordering tables; slower
	Design   *engine.Design // in place of that of Config; tests give one that is broken
}

// Result says what a run was.
type Result struct {
	Messages uint64 // work requests done
	Cycles   uint64 // of the first end
	Checked  Checked
}

// link joins two hosts and their ends.
type link struct {
	plan  Plan
	rand  *rand.Rand
	hosts [2]*host
	nodes []*Node
	done  uint64
}

// Run runs a plan. The error is a *Difference when hardware and model disagree.
func Run(p Plan) (r Result, err error) {
	l := &link{plan: p, rand: rand.New(rand.NewPCG(p.Seed, 0))}
	defer func() {
		for _, h := range l.hosts {
			if h != nil {
				_ = h.end.Close()
			}
		}
	}()
	if err := l.open(); err != nil {
		return r, err
	}
	if err := l.run(); err != nil {
		return r, err
	}
	r.Messages = l.done
	for _, n := range l.nodes {
		c := n.Checked()
		r.Checked.Messages += c.Messages
		r.Checked.Segments += c.Segments
		r.Checked.Completions += c.Completions
		r.Checked.Events += c.Events
		r.Checked.Atomics += c.Atomics
	}
	r.Cycles = l.nodes[0].Device.Engine().Cycle()
	return r, nil
}

func (l *link) open() error {
	c := l.plan.Config
	if need := stags(c.Streams); c.STags < need {
		return fmt.Errorf("config: stags is %d; random traffic on %d streams needs %d", c.STags, c.Streams, need)
	}
	var layouts [2]layout
	for i := range layouts {
		layouts[i] = newLayout(c.Streams, l.rand)
	}
	for i := range l.hosts {
		var end End
		var err error
		if i == 1 && l.plan.Peer == "model" {
			end, err = NewPlain(c, l.plan.Seed)
		} else {
			var n *Node
			n, err = openNode([...]string{"first", "second"}[i], c, l.plan.Design, Options{Engine: l.plan.Engine, Seed: l.plan.Seed + uint64(i), Latency: l.plan.Latency, Stall: l.plan.Stall, Stamps: l.plan.Ordering})
			l.nodes = append(l.nodes, n)
			end = n
		}
		if err != nil {
			return err
		}
		l.hosts[i] = &host{end: end, config: c, rand: l.rand, local: layouts[i], remote: layouts[1-i], streams: make([]hostStream, c.Streams)}
		if err := layouts[i].prepare(end, l.rand); err != nil {
			return err
		}
	}
	return nil
}

// The clocks of a round, and how many without anything happening end it.
const (
	roundClocks = 4000
	quietClocks = 64
)

func (l *link) run() error {
	posted := uint64(0)
	for idle := 0; ; {
		for i, h := range l.hosts {
			for s := range h.streams {
				if err := h.offer(uint32(s)); err != nil {
					return err
				}
			}
			for n := 4 * len(h.streams); n > 0 && posted < l.plan.Messages; n-- {
				ok, err := h.post(uint32(l.rand.IntN(len(h.streams))), l.hosts[1-i])
				if err != nil {
					return err
				}
				if ok {
					posted++
				}
			}
		}
		moved, err := l.round()
		if err != nil {
			return err
		}
		if moved {
			idle = 0
			continue
		}
		if idle++; idle > 3 {
			break
		}
	}
	if posted < l.plan.Messages {
		return fmt.Errorf("no progress: %d of %d messages were posted", posted, l.plan.Messages)
	}
	for i, h := range l.hosts {
		for s := range h.streams {
			for _, p := range h.streams[s].posted {
				if p.signaled {
					return fmt.Errorf("end %d, stream %d: work request %d has no completion", i, s, p.id)
				}
			}
		}
		if err := h.end.Settle(h.local.ranges()...); err != nil {
			return err
		}
	}
	l.done = posted
	return nil
}

// round lets both ends work and carries their segments across; false when nothing came of it.
func (l *link) round() (moved bool, err error) {
	for i, h := range l.hosts {
		out, err := h.end.Run(roundClocks, quietClocks)
		if err != nil {
			return false, err
		}
		h.accepted()
		for _, c := range out.Completions {
			if !h.completed(c) {
				return false, fmt.Errorf("end %d: completion of nothing that was posted: %+v", i, c)
			}
		}
		for _, s := range out.Segments {
			l.hosts[1-i].end.Send(s.Stream, s.Octets)
		}
		moved = moved || len(out.Completions)+len(out.Segments)+len(out.Events) > 0
	}
	return moved, nil
}
