package rnic

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// manyPosts is the maximum number of work requests posted at an end per round.
const manyPosts = 1024

// run runs epochs: traffic, drain, ending every faulty stream, comparison, restart.
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
			return noProgress("no work can be posted after %d messages%s", l.posted, l.waiting())
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

// traffic posts work until the limit is reached or no more work can be posted.
func (l *link) traffic(messages uint64) error {
	demand := newDemand(l.active, l.rand)
	for quiet := 0; messages > 0 && quiet <= quietRounds; quiet++ {
		for i, h := range l.hosts {
			for _, s := range l.active {
				if err := h.offer(s, l.hosts[1-i]); err != nil {
					return err
				}
			}
			for n := min(4*len(l.active), manyPosts); n > 0 && messages > 0; n-- {
				stream, many, most := demand.stream(l.rand), 1, h.config.SendDepth
				if l.rand.IntN(256) == 0 && l.plan.record == nil { // more than the stream can hold; the model alone holds less than the hardware
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
		moved, err := l.round(quietCycles)
		if err != nil {
			return err
		}
		if moved {
			quiet = 0
		}
	}
	return nil
}

// rest runs until everything in flight has finished.
func (l *link) rest() error {
	for quiet := 0; quiet <= quietRounds; quiet++ {
		idle := uint64(quietCycles)
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

// round runs both ends until they are idle, and carries their segments across. It reports whether anything moved.
func (l *link) round(idle uint64) (moved bool, err error) {
	for i, h := range l.hosts {
		out, err := h.end.Run(roundCycles+idle, idle)
		// An end that waits for its peer is stuck until the peer has run.
		var waits *simulator.StuckError
		if l.stuck[i] = nil; errors.As(err, &waits) {
			l.stuck[i], err = err, nil
		}
		if err != nil {
			return false, err
		}
		h.accepted()
		for _, e := range out.Events {
			h.noteEvent(e)
		}
		for _, c := range out.Completions {
			if !h.completed(c) {
				return false, noProgress("end %d: completion without a posted request: %+v", i, c)
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

// faulty reports whether a stream may have ended.
func (l *link) faulty(stream uint32) bool {
	for _, h := range l.hosts {
		if h.streams[stream].faulty || h.streams[stream].dead {
			return true
		}
	}
	return false
}

// settle makes sure that every possibly ended stream has ended, and compares the remaining state.
func (l *link) settle() error {
	// A stream waiting for a lost response stalls the work of other streams, which may be invalid in turn.
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

// waiting describes what the ends are waiting for.
func (l *link) waiting() (text string) {
	for _, err := range l.stuck {
		if err != nil {
			text += fmt.Sprintf("\n%v", err)
		}
	}
	return text
}

// renew replaces the regions whose STags were invalidated, and reopens the streams that have ended.
func (l *link) renew() error {
	for _, s := range l.active {
		if !l.faulty(s) && l.hosts[0].streams[s].spent == [2]bool{} && l.hosts[1].streams[s].spent == [2]bool{} {
			continue
		}
		for i, h := range l.hosts {
			peer := l.hosts[1-i]
			for v, spent := range peer.streams[s].spent {
				if a := &h.local.areas[s][areaVictim+v]; spent {
					a.region.Key++ // segments for the old STag no longer match
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
