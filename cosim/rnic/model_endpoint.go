package rnic

import (
	"bytes"
	"math/rand/v2"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// ModelEndpoint is an end without hardware: a model that acts in random order where the standard permits it.
type ModelEndpoint struct {
	Model *rdmap.Engine
	rand  *rand.Rand
	all   []uint32 // open streams

	receives uint64              // requests posted
	refused  []uint32            // streams of those that the model has refused
	work     []rdmap.WorkRequest // not yet accepted by the model
}

// NewModelEndpoint returns an endpoint for a configuration.
func NewModelEndpoint(c gen.Config, seed uint64) (*ModelEndpoint, error) {
	model, err := rdmap.NewEngine(ModelConfig(c))
	if err != nil {
		return nil, err
	}
	p := &ModelEndpoint{Model: model, rand: rand.New(rand.NewPCG(seed, 1))}
	return p, nil
}

// Close does nothing.
func (p *ModelEndpoint) Close() error { return nil }

// SetRegion, Open, Write, PostWork, PostReceive and Send act like those of a Node.
func (p *ModelEndpoint) SetRegion(index int, r memory.Region) error {
	return p.Model.SetRegion(index, r)
}

// Weigh does nothing: a model takes no turns.
func (p *ModelEndpoint) Weigh(uint32, uint8) error { return nil }

// Open drops flushed work requests.
func (p *ModelEndpoint) Open(stream uint32, domain uint16) error {
	if !p.Model.IsOpen(stream) && !slices.Contains(p.all, stream) {
		p.all = append(p.all, stream)
	}
	p.Model.Open(stream, domain)
	for is := true; is; {
		_, is = p.Model.NextReceived(stream)
	}
	return nil
}

func (p *ModelEndpoint) Write(address uint64, octets []byte) error {
	p.Model.Memory().Write(address, octets)
	return nil
}

func (p *ModelEndpoint) PostWork(w rdmap.WorkRequest) error {
	p.work = append(p.work, w)
	p.post()
	return nil
}

// post passes work requests to the model while it accepts them; the first refused one blocks all later ones, as in rnic.
func (p *ModelEndpoint) post() (some bool) {
	for len(p.work) > 0 && !p.Model.PostSend(p.work[0]) {
		p.work, some = p.work[1:], true
	}
	return some
}

func (p *ModelEndpoint) PostReceive(r rdmap.ReceiveRequest) error {
	p.receives++
	if p.Model.PostReceive(r) {
		p.refused = append(p.refused, r.Stream)
	}
	return nil
}

func (p *ModelEndpoint) Send(stream uint32, segment []byte) { p.Model.Receive(stream, segment) }

// ReceivesStored returns the number of posted receive requests: the model takes them at once.
func (p *ModelEndpoint) ReceivesStored() uint64 { return p.receives }

// Run lets every stream respond and transmit as far as possible, with streams and messages within a stream in random order.
func (p *ModelEndpoint) Run(uint64, uint64) (out Output, err error) {
	for _, s := range p.refused {
		out.Events = append(out.Events, Event{Stream: s, Kind: engine.EventReceiveRefused})
	}
	p.refused = nil
	p.run(&out)
	for p.post() {
		p.run(&out)
	}
	return out, nil
}

func (p *ModelEndpoint) run(out *Output) {
	p.rand.Shuffle(len(p.all), func(i, j int) { p.all[i], p.all[j] = p.all[j], p.all[i] })
	for _, s := range p.all {
		for {
			first, second := p.respond, p.transmit
			if p.rand.IntN(2) == 0 {
				first, second = second, first
			}
			if !first(s, out) && !second(s, out) {
				break
			}
		}
		p.poll(s, out)
	}
}

func (p *ModelEndpoint) respond(s uint32, out *Output) bool {
	segments, done := p.Model.Execute(s)
	if done != nil && done.Kind == rdmap.ExecutedTerminate {
		out.Events = append(out.Events, Event{Stream: s, Kind: engine.EventEnded})
	}
	return p.emit(s, segments, out) || done != nil
}

func (p *ModelEndpoint) transmit(s uint32, out *Output) bool {
	segments, progress := p.Model.Transmit(s)
	p.emit(s, segments, out)
	switch progress {
	case rdmap.Failed:
		p.Model.Fail(s, spec.Local)
	case rdmap.Transmitted:
		p.Model.Left(s)
	default:
		return false
	}
	return true
}

func (p *ModelEndpoint) emit(s uint32, segments [][]byte, out *Output) bool {
	for _, segment := range segments {
		out.Segments = append(out.Segments, Segment{s, bytes.Clone(segment)})
	}
	return len(segments) > 0
}

func (p *ModelEndpoint) poll(s uint32, out *Output) {
	for {
		c, is := p.Model.NextSent(s)
		if !is {
			c, is = p.Model.NextReceived(s)
		}
		if !is {
			break
		}
		if c.Recv && c.Status == rdmap.StatusFlushed {
			continue // as in rnic: the host knows what it has posted
		}
		out.Completions = append(out.Completions, completionOf(c))
	}
	for {
		e, is := p.Model.NextEvent(s)
		if !is {
			return
		}
		kind := uint8(engine.EventSolicited)
		if e.Kind == rdmap.EventTerminated {
			kind = engine.EventClosed
		}
		out.Events = append(out.Events, Event{Stream: s, Kind: kind, Term: e.Term})
	}
}

// Settle has nothing to compare.
func (p *ModelEndpoint) Settle(...[]Range) error { return nil }
