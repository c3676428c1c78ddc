package falcon

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/model/memory"
)

// Rows of the tables of regions: each is all of the memory, with other rights.
const (
	rowSource   = 1 + iota // of Sends and Writes
	rowSink                // of responses
	rowReceive             // of Sends
	rowTarget              // of Writes
	rowReadable            // of Reads
	rowWords               // of Atomics
	rowVictim              // the first of those that Sends invalidate, one for each pair
)

var rowRights = map[int]memory.Rights{rowSource: memory.LocalRead, rowSink: memory.LocalWrite, rowReceive: memory.LocalWrite, rowTarget: memory.RemoteWrite,
	rowReadable: memory.RemoteRead, rowWords: memory.RemoteAtomic}

// Areas of a pair's memory.
const (
	areaSource = iota << 32
	areaSink
	areaReceive
	areaTarget
	areaReadable
	areaWords
	pairOctets = 1 << 35

	slotOctets = 1 << 12
	slots      = 64
	domain     = 0x2A51
)

// VA and address of the first octet of memory: in each area a multiple of 2^32 is in the middle of a slot.
const (
	crossedVA      = 21 // slot in which the VA is one
	crossedAddress = 42 // and the address

	regionVA      = 0x7000_0000_0000 - crossedVA*slotOctets - slotOctets/2
	regionAddress = 0x0200_0000_0000 - crossedAddress*slotOctets - slotOctets/2
)

// world is two ends, the Falcon between them, and their expected state.
type world struct {
	plan    Plan
	rand    *rand.Rand
	octets  *rand.Rand // of the contents of memory, and their places
	ends    [2]End
	devices []*Device
	fabric  *Fabric
	pairs   []*pair
	queues  [2][]*sharedQueue
	paused  [2]bool // by xoff

	solicited [2]int // completions of receives that are, less their events
	id        uint64
	posted    uint64
	key       uint8
	Summary
}

// Run carries out a plan.
func Run(p Plan) (s Summary, err error) {
	if p.Choices == nil {
		p.Choices = rand.NewPCG(p.Seed, 0xFA1C)
	}
	r := rand.New(p.Choices)
	w := &world{plan: p.drawn(r), rand: r, octets: rand.New(rand.NewPCG(p.Seed, 0x0C7E))}
	w.key = uint8(w.rand.Uint32())
	defer func() {
		for _, d := range w.devices {
			err = errors.Join(err, d.Close())
		}
	}()
	if err := w.open(); err != nil {
		return w.Summary, err
	}
	err = w.run()
	w.Summary.Posted = w.posted
	w.Summary.Packets, w.Summary.Retried, w.Summary.Reordered = w.fabric.Delivered, w.fabric.Retried, w.fabric.OutOfOrder
	w.Summary.Cycles = w.devices[0].eng.Cycle()
	return w.Summary, err
}

func (w *world) open() (err error) {
	p := w.plan
	design := p.Design
	if design == nil {
		if design, err = Design(p.Config); err != nil {
			return err
		}
	}
	for end := range w.ends {
		if end == 1 && p.Peer == "model" {
			if w.ends[end], err = NewModelEnd(p.Config); err != nil {
				return err
			}
			continue
		}
		o := Options{Engine: p.Engine, Seed: p.Seed + uint64(end), Latency: p.Latency, Stall: p.Stall, Quick: p.Quick, Unknown: p.Unknown, Context: p.Context}
		if end == 0 {
			o.Trace, o.Coverage = p.Trace, p.Coverage
		}
		d, err := OpenDesign(p.Config, design, o)
		if err != nil {
			return err
		}
		w.ends[end], w.devices = d, append(w.devices, d)
	}
	order, _ := p.Config.Order()
	w.fabric = &Fabric{Rand: w.rand, Order: order, Reorder: p.Reorder, Delay: 1 + w.rand.IntN(30), BufferOctets: p.Config.BufferOctets, Accepted: w.accepted}
	for end := range w.ends {
		for row, rights := range rowRights {
			if err := w.ends[end].SetRegion(row, w.region(rights)); err != nil {
				return err
			}
		}
	}
	if err := w.openShared(); err != nil {
		return err
	}
	return w.openPairs()
}

// region is all of the memory.
func (w *world) region(rights memory.Rights) memory.Region {
	return memory.Region{Valid: true, Key: w.key, Rights: rights, ByDomain: true, Owner: domain, Base: regionVA, Address: regionAddress, Length: uint64(w.plan.Pairs+sharedQueues) * pairOctets}
}

func (w *world) stag(row int) uint32 { return memory.STag(row, w.key) }

// mostIdle is how many steps may pass without progress.
const mostIdle = 3000

// run posts and delivers until all is complete.
func (w *world) run() error {
	idle := 0
	for !w.done() {
		before := w.Summary
		w.post()
		if err := w.pause(); err != nil {
			return err
		}
		cycles := uint64(8 + w.rand.IntN(120))
		if err := w.advance(cycles); err != nil {
			return err
		}
		for end := range w.ends {
			out := w.ends[end].Take()
			w.fabric.Take(end, out)
			if err := w.take(end, out); err != nil {
				return err
			}
		}
		w.fabric.Step(w.ends)
		if err := w.fabric.Err(); err != nil {
			return err
		}
		if err := w.reopen(); err != nil {
			return err
		}
		if p := w.plan; p.Context != nil && p.Context.Err() != nil {
			return context.Cause(p.Context)
		} else if p.Progress != nil {
			p.Progress(w.Operations, w.devices[0].eng.Cycle())
		}
		if idle++; w.Summary != before {
			idle = 0
		}
		if idle > mostIdle {
			return differs("falcon: %w: %+v, %s", cosim.ErrNoProgress, w.Summary, w.standing())
		}
	}
	if err := w.advance(wordCycles + 4*w.plan.Latency.Most); err != nil {
		return err
	}
	return w.compare()
}

// wordCycles is how long the word of an Atomic, whose response does not wait for it, takes to memory, stalls included, beside the latency of that.
const wordCycles = 500

// advance lets both ends run, at the same time.
func (w *world) advance(cycles uint64) error {
	other := make(chan error, 1)
	go func() { other <- w.ends[1].Advance(cycles) }()
	return errors.Join(w.ends[0].Advance(cycles), <-other)
}

func (w *world) done() bool {
	if w.posted < w.plan.Operations {
		return false
	}
	for _, p := range w.pairs {
		if !p.quiet() || !w.fabric.Idle(0, p.cid[0]) {
			return false
		}
	}
	return true
}

// standing describes what is incomplete.
func (w *world) standing() (text string) {
	for _, p := range w.pairs {
		if !p.quiet() || !w.fabric.Idle(0, p.cid[0]) {
			text += fmt.Sprintf("%s: %s; ", p, w.fabric.standing(p.cid, w.plan.Config))
		}
	}
	return text
}

// post posts work and receive requests.
func (w *world) post() {
	for end := range 2 {
		w.postShared(end, w.posted >= w.plan.Operations || w.rand.IntN(w.plan.Late) == 0)
	}
	for _, p := range w.pairs {
		for end := range 2 {
			for range w.rand.IntN(4) {
				if w.posted < w.plan.Operations && p.mayPost(end) {
					p.post(end)
					w.posted++
				}
			}
			p.postReceives(end, w.posted >= w.plan.Operations || w.rand.IntN(w.plan.Late) == 0)
		}
	}
}

func (w *world) take(end int, out Output) error {
	for _, c := range out.Completions {
		p := w.byQP(end, c.QP)
		if p == nil {
			return differs("falcon: end %d: completion of QP %d; allowed: one that is open", end, c.QP)
		}
		if err := p.complete(end, c); err != nil {
			return differs("falcon: end %d, %s: %w", end, p, err)
		}
	}
	for _, e := range out.Events {
		if e.Kind == Solicited {
			w.solicited[end]--
			continue
		}
		p := w.byQP(end, e.QP)
		if p == nil || e.Kind == Refused || !p.mayFail {
			return differs("falcon: end %d, QP %d, %v: event %d, rule %v; allowed: none", end, e.QP, p, e.Kind, e.Rule)
		}
		p.failed, p.side[end].ended = true, true
	}
	return nil
}

func (w *world) byQP(end int, qp uint32) *pair {
	for _, p := range w.pairs {
		if p.qp[end] == qp || p.target[end] == qp {
			return p
		}
	}
	return nil
}

func (w *world) compare() error {
	for _, p := range w.pairs {
		if err := p.compare(); err != nil {
			return err
		}
		for end := range 2 {
			if !p.failed && !w.fabric.Whole(end, p.cid[end]) {
				return differs("falcon: end %d, %s: credits are missing", end, p)
			}
		}
	}
	return w.compareCounters()
}
