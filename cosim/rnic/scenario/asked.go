package scenario

import (
	"errors"

	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

var askedScenarios = []Scenario{
	{Name: "asked-again", Doc: "streams that always have the maximum number of requests pending: the next arrives as soon as a response is sent", run: askedAgain},
	{Name: "posted-again", Doc: "streams that always have the maximum number of receive requests: the next is posted as soon as one completes", run: postedAgain},
}

// askedAgain has a peer that posts more requests than may be pending, and sends the next in the cycle after a response, while work
// requests of this end complete and the host takes their completions, with pauses.
func askedAgain(s *stage) error {
	const more, steps = 48, 3000 // requests beyond the limit, per stream; steps of a few cycles
	l, err := newLoad(s)
	if err != nil {
		return err
	}
	streams := s.streams[:min(8, len(s.streams))]
	if err := s.open(streams...); err != nil {
		return err
	}
	kinds := []wire.Opcode{spec.ReadRequest.Opcode(), spec.AtomicRequest.Opcode(), spec.Write.Opcode()}
	for n := range s.config.IRD + more {
		for _, stream := range streams {
			asks := l.work(stream, kinds[s.rand.IntN(2)], false)
			asks.Length = min(asks.Length, 64)
			if err := s.postPeer(asks); err != nil {
				return err
			}
			if n >= more {
				continue
			}
			w := l.work(stream, kinds[s.rand.IntN(3)], true)
			w.Signaled = true
			if err := s.post(w); err != nil {
				return err
			}
		}
	}
	for step := range steps {
		if step%200 == 0 {
			held := 256 * (step / 200 % 2)
			if err := s.stall(held, []string{"cqe"}); err != nil {
				return err
			}
		}
		if _, err := s.exchange(uint64(1+s.rand.IntN(3)), 0); err != nil {
			return err
		}
	}
	return errors.Join(s.release("cqe"), s.done())
}

// postedAgain has a host that posts a receive request in the cycles after a completion. None may be refused.
func postedAgain(s *stage) error {
	const steps, store = 3000, 16 // steps of a few cycles; number of steps before the message for a request is sent
	streams := s.streams[:min(8, len(s.streams))]
	if err := s.open(streams...); err != nil {
		return err
	}
	type message struct {
		at     int
		stream uint32
	}
	var coming []message
	post := func(stream uint32, at int) error {
		coming = append(coming, message{at + store, stream})
		return s.PostReceive(receiveNothing(s, stream))
	}
	for n := range s.config.ReceiveDepth {
		for _, stream := range streams {
			if err := post(stream, n*len(streams)); err != nil { // one is stored per cycle, and a step has at least one cycle
				return err
			}
		}
	}
	seen := 0
	for step := range steps {
		if _, err := s.exchange(uint64(1+s.rand.IntN(3)), 0); err != nil {
			return err
		}
		for _, c := range s.out.Completions[seen:] {
			if err := post(c.Stream, step); err != nil {
				return err
			}
		}
		seen = len(s.out.Completions)
		for len(coming) > 0 && coming[0].at <= step {
			if err := s.postPeer(rdmap.WorkRequest{Stream: coming[0].stream, Opcode: spec.Immediate.Opcode(), Operands: rdmap.Operands{Data: s.rand.Uint64()}}); err != nil {
				return err
			}
			coming = coming[1:]
		}
	}
	return errors.Join(s.done(), s.register("receives_refused", 0))
}
