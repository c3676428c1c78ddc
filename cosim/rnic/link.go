package rnic

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"time"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Plan is a run of random traffic between two ends.
type Plan struct {
	Config    gen.Config
	Engine    string // one of engines.Names
	Peer      string // rtl or model
	Messages  uint64 // work requests of both ends
	Seed      uint64
	ErrorRate float64           // part of the messages that something is wrong with
	Latency   simulator.Latency // of memory
	Stall     simulator.Stall
	Unknown   bool   // start from unknown state, which no output may show; icarus
	Active    int    // streams that are used, the last one among them; 0: all
	Near      bool   // regions are side by side in one small piece of memory, as test vectors have it
	Epoch     uint64 // messages of an epoch; 0: as many as suit the error rate
	Quick     bool   // build in less time what runs slower
	Trace     string // waveform file of the first end
	Ordering  bool   // hold what the retire port reports to the ordering tables; slower; without errors only

	Coverage *simulator.Coverage // of the first end
	Observer Observer            // of the first end
	Choices  rand.Source         // what the traffic is drawn from, in place of the seed; memory and regions are the seed's
	Script   *Script             // is told what the first end is given

	Context  context.Context               // ends the run; nil: nothing does
	Progress func(messages, cycles uint64) // is told now and then; may be nil
	Design   *simulator.Design             // in place of that of Config; tests give one that is broken

	record *Recording // of what the first end is given
}

// Result says what a run was.
type Result struct {
	Messages uint64 // work requests done
	Cycles   uint64 // of the first end
	Elapsed  time.Duration
	Checked  Checked
	Ends     map[wire.TerminateCode]uint64 // Terminates of the hardware, by what they say
}

// ProgressError says that something does not come that should: a run that is stuck, or a completion that is missing.
type ProgressError struct{ err error }

func (e *ProgressError) Error() string { return "no progress: " + e.err.Error() }

// Unwrap is what is missing.
func (e *ProgressError) Unwrap() error { return e.err }

func noProgress(format string, args ...any) error { return &ProgressError{fmt.Errorf(format, args...)} }

// IsMismatch tells whether an error of Run is the hardware's: it differs from the model, does not go on, breaks a rule of
// its memory, or shows unknown state.
func IsMismatch(err error) bool {
	var differs *Difference
	var stands *ProgressError
	var breaks *simulator.ProtocolError
	var fails *simulator.FailedError
	var shows *simulator.UnknownError
	return errors.As(err, &differs) || errors.As(err, &stands) || errors.As(err, &breaks) || errors.As(err, &fails) || errors.As(err, &shows)
}

// link joins two hosts and their ends.
type link struct {
	plan       Plan
	rand       *rand.Rand
	active     []uint32
	hosts      [2]*host
	faults     [2]*faults     // of what goes to the end
	interleave [2]interleaver // of what leaves the end
	nodes      []*Node
	stuck      [2]error // what the latest run of the end was stuck with
	posted     uint64
}

// Run runs a plan. The error is a *Difference when hardware and model disagree.
func Run(p Plan) (r Result, err error) {
	l := &link{plan: p, rand: rand.New(rand.NewPCG(p.Seed, 0))}
	defer func() {
		for _, h := range l.hosts {
			if h != nil {
				err = errors.Join(err, h.end.Close()) // which completes a waveform
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
		return errors.New("ordering: nothing tells of the steps; allowed: with retire_port: true")
	}
	if l.plan.Ordering && l.plan.ErrorRate > 0 {
		return errors.New("ordering: messages that are spoiled have no end; allowed: with an error rate of 0")
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
		l.interleave[i] = interleaver{rand: l.rand, within: make([]bool, c.Streams)}
		var end End
		var err error
		if i == 1 && l.plan.Peer == "model" {
			end, err = NewPlain(c, l.plan.Seed)
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

// draw takes all choices from one source.
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
	return n, firstError(n.SetFaulty(at.faulty()...), device.memory.SetBounds(at.bounds()...))
}

// The clocks of a round, and how many without anything happening end it.
const (
	roundClocks = 4000
	quietClocks = 64
	quietRounds = 3
)

// Silence is for how many clocks nothing may happen at any port while a device is at work: it throws away what it has read for
// streams that have ended, a beat a clock.
func Silence(c gen.Config) uint64 {
	return quietClocks + 1<<bits.Len(uint(224+3*(c.MaxPayload/c.BusBytes+1)-1))
}

// manyPosts is how many work requests an end is given in a round at most.
const manyPosts = 1024

// run runs epochs: traffic, rest, the end of every stream on which something was wrong, comparison, a new beginning.
func (l *link) run() error {
	epoch := l.plan.Epoch
	if epoch == 0 {
		epoch = uint64(32 * len(l.active))
		if l.plan.ErrorRate == 0 {
			epoch *= 32
		}
	}
	for l.posted < l.plan.Messages {
		before := l.posted
		if err := l.traffic(min(epoch, l.plan.Messages-l.posted)); err != nil {
			return err
		}
		if l.posted == before {
			return noProgress("nothing can be posted after %d messages%s", l.posted, l.waiting())
		}
		if err := l.rest(); err != nil {
			return err
		}
		if err := l.settle(); err != nil {
			return err
		}
		if err := l.renew(); err != nil {
			return err
		}
		if l.plan.Progress != nil {
			l.plan.Progress(l.posted, l.nodes[0].Device.Engine().Cycle())
		}
	}
	return nil
}

// traffic posts work, until it has posted as much as it may or nothing can be posted any more.
func (l *link) traffic(messages uint64) error {
	for quiet := 0; messages > 0 && quiet <= quietRounds; quiet++ {
		for i, h := range l.hosts {
			for _, s := range l.active {
				if err := h.offer(s, l.hosts[1-i]); err != nil {
					return err
				}
			}
			for n := min(4*len(l.active), manyPosts); n > 0 && messages > 0; n-- {
				stream, many, most := l.active[l.rand.IntN(len(l.active))], 1, h.config.SendDepth
				if l.rand.IntN(256) == 0 { // more than the stream has room for
					many, most = min(2*most+2, n), 3*most
				}
				for ; many > 0 && messages > 0; many-- {
					ok, err := h.post(stream, most, l.hosts[1-i])
					if err != nil {
						return err
					}
					if ok {
						l.posted, messages, quiet = l.posted+1, messages-1, 0
					}
				}
			}
		}
		moved, err := l.round(quietClocks)
		if err != nil {
			return err
		}
		if moved {
			quiet = 0
		}
	}
	return nil
}

// rest lets everything that is under way end.
func (l *link) rest() error {
	for quiet := 0; quiet <= quietRounds; quiet++ {
		idle := uint64(quietClocks)
		if quiet == quietRounds {
			idle = Silence(l.plan.Config)
		}
		moved, err := l.round(idle)
		if err != nil {
			return err
		}
		if moved {
			quiet = 0
		}
	}
	return nil
}

// round lets both ends work until nothing happens for idle clocks, and carries their segments across; false when nothing came of it.
func (l *link) round(idle uint64) (moved bool, err error) {
	for i, h := range l.hosts {
		out, err := h.end.Run(roundClocks+idle, idle)
		// An end that waits for its peer is stuck until that has worked.
		var waits *simulator.StuckError
		if l.stuck[i] = nil; errors.As(err, &waits) {
			l.stuck[i], err = err, nil
		}
		if err != nil {
			return false, err
		}
		h.accepted()
		for _, e := range out.Events {
			h.happened(e)
		}
		for _, c := range out.Completions {
			if !h.completed(c) {
				return false, noProgress("end %d: completion of nothing that was posted: %+v", i, c)
			}
		}
		peer := l.hosts[1-i]
		for _, s := range l.interleave[i].carry(out.Segments) {
			arriving, spoiled := l.faults[1-i].carry(s.Stream, s.Octets)
			if spoiled {
				h.streams[s.Stream].faulty = true
			}
			for _, octets := range arriving {
				peer.end.Send(s.Stream, octets)
			}
		}
		moved = moved || out.Busy || len(l.interleave[i].late) > 0 || len(out.Completions)+len(out.Segments)+len(out.Events) > 0
	}
	return moved, nil
}

// faulty tells whether a stream may have ended.
func (l *link) faulty(stream uint32) bool {
	for _, h := range l.hosts {
		if h.streams[stream].faulty || h.streams[stream].dead {
			return true
		}
	}
	return false
}

// settle ends every stream that may have ended, for sure, and compares what is left.
func (l *link) settle() error {
	// A stream that waits for an answer that was lost holds up the work of others, which may be wrong in its turn.
	ended := make([]bool, len(l.hosts[0].streams))
	for more := true; more; {
		more = false
		for _, s := range l.active {
			if ended[s] || !l.faulty(s) {
				continue
			}
			ended[s], more = true, true
			for _, h := range l.hosts {
				h.end.Send(s, []byte{0})
			}
		}
		if more {
			if err := l.rest(); err != nil {
				return err
			}
		}
	}
	for i, h := range l.hosts {
		if err := l.stuck[i]; err != nil {
			return noProgress("%w", err)
		}
		if err := h.end.Settle(h.local.ranges()...); err != nil {
			return err
		}
		for _, s := range l.active {
			for _, p := range h.streams[s].posted {
				if p.signaled {
					return noProgress("end %d, stream %d: work request %d has no completion%s", i, s, p.id, l.waiting())
				}
			}
		}
	}
	for _, n := range l.nodes {
		if err := n.compareRegisters(); err != nil {
			return err
		}
	}
	return nil
}

// waiting names what the ends wait for.
func (l *link) waiting() (text string) {
	for _, err := range l.stuck {
		if err != nil {
			text += fmt.Sprintf("\n%v", err)
		}
	}
	return text
}

// renew sets regions in place of those whose STags were invalidated, and opens the streams again that have ended.
func (l *link) renew() error {
	for _, s := range l.active {
		if !l.faulty(s) && l.hosts[0].streams[s].spent == [2]bool{} && l.hosts[1].streams[s].spent == [2]bool{} {
			continue
		}
		for i, h := range l.hosts {
			peer := l.hosts[1-i]
			for v, spent := range peer.streams[s].spent {
				if a := &h.local.areas[s][areaVictim+v]; spent {
					a.region.Key++ // what was sent to the old one finds nothing
					if err := h.end.SetRegion(a.index, *a.region); err != nil {
						return err
					}
				}
			}
		}
		for i, h := range l.hosts {
			l.hosts[1-i].streams[s].spent, h.streams[s].lost = [2]bool{}, [2]bool{}
		}
		if !l.faulty(s) {
			continue
		}
		for i, h := range l.hosts {
			if err := h.end.Open(s, h.local.domains[s]); err != nil {
				return err
			}
			l.faults[i].wires[s], l.interleave[i].within[s] = wireEnd{}, false
		}
		for _, h := range l.hosts {
			h.streams[s] = hostStream{}
		}
	}
	return nil
}
