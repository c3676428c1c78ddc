package crash

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// rig is the engine, its memory with caches in front of storage, and the peers.
type rig struct {
	plan     *Plan
	rand     *rand.Rand
	device   *rnic.Device
	memory   simulator.Memory
	outcomes *memory.Outcomes
	logs     []*log
	sending  *message // whose beats the engine takes
	flushes  []asked
	effects  []simulator.Effect
	result   *Result
	now      uint64 // cycle
	busy     uint64 // the last cycle in which the engine has sent something
}

// asked is a flush that the platform has in hand.
type asked struct {
	rnic.Flush
	log            *log
	step           *Step
	moves, answers uint64 // cycles
}

// logSpace is the distance of logs in memory: their rows of DRAM differ, and none ends where the next begins.
const logSpace = 1 << 20

// effectsOfACycle bounds the log of the memory.
const effectsOfACycle = 16

func open(p *Plan, result *Result) (*rig, error) {
	design := p.Design
	if design == nil {
		var err error
		if design, err = rnic.Design(p.Config); err != nil {
			return nil, err
		}
	}
	latency := simulator.Latency{Least: 1, Most: p.Latency}
	d, err := rnic.OpenDesign(p.Config, design, rnic.Options{Engine: p.Engine, Seed: p.Seed, Latency: latency, Context: p.Context})
	if err != nil {
		return nil, err
	}
	placed := memory.NewSpace()
	outcomes, err := memory.NewOutcomes(placed, p.Line)
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	r := &rig{plan: p, rand: rand.New(rand.NewPCG(p.Seed, 0xC4A5)), device: d, memory: d.Memory(), outcomes: outcomes, effects: make([]simulator.Effect, effectsOfACycle), result: result}
	d.OnFlush(r.ask)
	if err := errors.Join(r.prepare(), r.memory.SetLog(effectsOfACycle)); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return r, nil
}

// prepare registers the logs. Their order in memory is not that of their streams.
func (r *rig) prepare() error {
	for s, place := range r.rand.Perm(r.plan.Streams) {
		l := newLog(r.plan, s, 1<<32+uint64(place)*logSpace*uint64(1+r.plan.Records*r.plan.Octets/logSpace), r.rand)
		r.logs = append(r.logs, l)
		tail := binary.BigEndian.AppendUint64(nil, l.before)
		r.outcomes.Place(l.address, tail)
		r.outcomes.Flush(l.address, memory.WordOctets)
		if err := errors.Join(r.memory.Write(l.address, tail), r.device.SetRegion(l.row, l.region()), r.device.Open(l.stream, 0)); err != nil {
			return err
		}
	}
	return nil
}

// logAt returns the log at an address.
func (r *rig) logAt(address uint64) (l *log, tail, is bool) {
	for _, l := range r.logs {
		if offset := address - l.address; offset < l.length() {
			return l, offset < l.line, true
		}
	}
	return nil, false, false
}

// ask accepts a flush: moving its lines and its response have independent delays.
func (r *rig) ask(f rnic.Flush) {
	l, tail, is := r.logAt(f.Address)
	if !is {
		r.fail("a flush of address 0x%X, where no log is", f.Address)
		return
	}
	a := asked{Flush: f, log: l, moves: r.now + 1 + r.rand.Uint64N(r.plan.Latency)}
	a.answers = a.moves + r.rand.Uint64N(r.plan.Latency)
	if r.plan.Break == Platform {
		a.moves, a.answers = a.answers, a.moves
	}
	k := flush
	if tail {
		k = flushTail
	}
	if n := l.asked[k]; n < len(l.transactions) {
		a.step = &l.transactions[n].Steps[k]
		a.step.Asked = r.now
		l.asked[k]++
	} else {
		r.fail("stream %d: a flush more than its peer has asked for", l.stream)
		return
	}
	r.flushes = append(r.flushes, a)
}

// answer performs the flushes that are due.
func (r *rig) answer() {
	rest := r.flushes[:0]
	for _, f := range r.flushes {
		if f.moves == r.now {
			f.step.Moved, f.log.touched = r.now, true
			if f.Persistent {
				r.outcomes.Flush(f.Address, uint64(f.Octets))
			}
		}
		if f.answers == r.now {
			f.step.Answered = r.now
			r.device.AnswerFlush(f.ID, false)
		}
		if max(f.answers, f.moves) > r.now {
			rest = append(rest, f)
		}
	}
	r.flushes = rest
}

// offer gives the engine the next segment, unless it still takes the last one.
func (r *rig) offer() error {
	rx, err := r.device.Stats("s_axis_rx")
	if err != nil || rx.Queued > 0 {
		return err
	}
	if m := r.sending; m != nil {
		r.sending = nil
		if m.last {
			m.step().Received = r.now
		}
	}
	first := r.rand.IntN(len(r.logs))
	for i := range r.logs {
		l := r.logs[(first+i)%len(r.logs)]
		if m, is := l.next(r.plan.Config.IRD); is {
			if s := m.step(); s.Sent == 0 {
				s.Sent = r.now
			}
			r.device.Send(l.stream, m.segment)
			r.sending = &m
			return nil
		}
	}
	return nil
}

// place accepts the writes to memory: data placed by the engine is in the caches.
func (r *rig) place() error {
	n, err := r.memory.Effects(r.effects)
	for _, e := range r.effects[:n] {
		if !e.Write {
			continue
		}
		octets := make([]byte, e.Bytes)
		if err := r.memory.Read(e.Address, octets); err != nil {
			return err
		}
		r.outcomes.Place(e.Address, octets)
		for _, at := range []uint64{e.Address, e.Address + uint64(e.Bytes) - 1} {
			if l, _, is := r.logAt(at); is {
				l.touched = true
				l.place(r.outcomes, r.now)
			}
		}
	}
	return err
}

// respond accepts the segments that the engine sends.
func (r *rig) respond() {
	for _, s := range r.device.Take().Segments {
		l := r.logs[s.Stream]
		segment, rule := wire.ClassifyWith(r.plan.Config.Protocol(), s.Octets)
		switch {
		case rule != spec.None:
			r.fail("stream %d: a segment that is not valid: %x", s.Stream, s.Octets)
		case segment.Header.Opcode.Is(spec.Terminate):
			l.ended = true
			var t wire.Terminate
			_, err := t.DecodeWith(r.plan.Config.Protocol(), segment.Payload)
			if code, _ := spec.HashMismatch.Terminate(); l.damaged == 0 || err != nil || t.Code != code {
				r.fail("stream %d: a Terminate, %x; allowed: of a Verify, if a record was damaged", s.Stream, s.Octets)
			}
		case len(l.awaited) == 0:
			r.fail("stream %d: a response more than its peer awaits: %x", s.Stream, s.Octets)
		default:
			m := l.awaited[0]
			l.awaited = l.awaited[1:]
			if l.answered++; !spec.AllExtensions.Is(segment.Header.Opcode, responses[m.kind]) || segment.Header.MSN != l.answered {
				r.fail("stream %d: %x is not response %d, to a %s", s.Stream, s.Octets, l.answered, stepNames[m.kind])
			}
			m.step().Responded = r.now
			if m.kind == flushTail {
				l.durable, l.touched = m.of.Record, true
			}
		}
		r.busy = r.now
	}
}

// check crashes the host now.
func (r *rig) check() {
	r.result.Crashes++
	for _, l := range r.logs {
		if !l.touched {
			continue
		}
		l.touched = false
		r.result.Checks++
		if wrong := l.survives(r.outcomes); wrong != "" {
			r.fail("%s", wrong)
		}
	}
}

// fail notes the first fault.
func (r *rig) fail(text string, values ...any) {
	if r.result.Fault == "" {
		r.result.Fault = fmt.Sprintf("cycle %d: "+text, append([]any{r.now}, values...)...)
	}
}

// cycle runs one cycle, and crashes after it.
func (r *rig) cycle() error {
	r.now = r.device.Engine().Cycle()
	r.answer()
	if err := r.offer(); err != nil {
		return err
	}
	if _, err := r.device.Run(1, 0); err != nil {
		return err
	}
	if err := r.place(); err != nil {
		return err
	}
	r.respond()
	r.check()
	return nil
}

// done reports whether all peers have all responses.
func (r *rig) done() bool {
	return len(r.flushes) == 0 && !slices.ContainsFunc(r.logs, func(l *log) bool { return !l.idle() })
}
