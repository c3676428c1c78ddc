package system

import (
	"fmt"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// iwarp is the protocol of the profile rdmap: a work request is a message of DDP segments, which the network delivers in order.
type iwarp struct {
	*rnic
	model *rdmap.Engine
	work  [][]rdmap.WorkRequest // by stream: those that have come to their turn but not been started
}

// The rhythms of work requests and of completions are those with which the model agrees with the hardware; they are not events at its ports.
var iwarpWorks, iwarpDones = rhythm{4, 9}, rhythm{2, 12}

func newIWARP(n *rnic) (*iwarp, error) {
	model, err := rdmap.NewEngine(n.site.Config.EngineConfig)
	if err != nil {
		return nil, err
	}
	n.works, n.dones = iwarpWorks, iwarpDones
	return &iwarp{rnic: n, model: model, work: make([][]rdmap.WorkRequest, n.site.Config.Streams)}, nil
}

func (p *iwarp) setRegion(index int, r memory.Region) error { return p.model.SetRegion(index, r) }

func (p *iwarp) open(stream uint32) error {
	p.model.Open(stream, 0)
	return nil
}

func (p *iwarp) memory() *memory.Space { return p.model.Memory() }

func (p *iwarp) postReceive(r rdmap.ReceiveRequest) error {
	if p.model.PostReceive(r) {
		return fmt.Errorf("stream %d has more than %d incomplete receive requests", r.Stream, p.site.Config.ReceiveDepth)
	}
	return nil
}

func (p *iwarp) post(w rdmap.WorkRequest) error {
	if p.model.PostSend(w) {
		return fmt.Errorf("stream %d has more than %d incomplete work requests", w.Stream, p.site.Config.SendDepth)
	}
	return nil
}

func (p *iwarp) begin(w rdmap.WorkRequest) error {
	p.work[w.Stream] = append(p.work[w.Stream], w)
	return nil
}

// next makes a message of the next work request of a stream, unless ORD prevents it.
func (p *iwarp) next(number uint32) (*message, error) {
	if len(p.work[number]) == 0 {
		return nil, nil
	}
	segments, progress := p.model.Transmit(number)
	if progress == rdmap.Idle {
		return nil, nil // a response calls again
	}
	w := p.work[number][0]
	p.work[number] = p.work[number][1:]
	if progress == rdmap.Failed {
		return nil, fmt.Errorf("stream %d: a work request names local memory that it may not use", number)
	}
	m := &message{stream: number}
	x := p.site.Config.Extensions
	if x.Is(w.Opcode, spec.Write|spec.Sends) {
		m.fetches, m.address = true, p.address(w.Local)
	}
	m.packets = p.packets(segments, m.fetches)
	if x.Is(w.Opcode, spec.Write|spec.Receives) {
		m.sent = func(now Cycle) { p.left(number, now) }
	}
	return m, nil
}

// packets copies segments; fetched, if their payload is read from memory.
func (p *iwarp) packets(segments [][]byte, fetched bool) []packet {
	list := make([]packet, len(segments))
	for i, s := range segments {
		list[i].octets = slices.Clone(s)
		if fetched {
			list[i].payload = len(p.decoded(s).Payload)
		}
	}
	return list
}

// decoded returns the headers and the payload of a segment that this RNIC has made, or has checked.
func (p *iwarp) decoded(octets []byte) wire.Segment {
	s, _ := wire.ClassifyWith(p.site.Config.Extensions, octets)
	return s
}

func (p *iwarp) title(x packet) string {
	return p.site.Config.Extensions.Title(p.decoded(x.octets).Header.Opcode)
}

// finished takes what the model has completed on a stream.
func (p *iwarp) finished(number uint32) (list []sim.Msg) {
	for {
		c, is := p.model.NextSent(number)
		if !is {
			c, is = p.model.NextReceived(number)
		}
		if !is {
			break
		}
		list = append(list, &Done{Completion: c})
	}
	for e, is := p.model.NextEvent(number); is; e, is = p.model.NextEvent(number) {
		if e.Kind == rdmap.EventTerminated {
			list = append(list, &Ended{Stream: number})
		}
	}
	return list
}

// left completes a message that has left and needs no response. Completions of a stream keep their order: behind those of an earlier
// request whose response is not in memory yet.
func (p *iwarp) left(number uint32, now Cycle) {
	p.model.Left(number)
	list := p.finished(number)
	for _, d := range slices.Backward(p.deliveries) {
		if d.stream == number && len(d.done) > 0 {
			d.done = append(d.done, list...)
			return
		}
	}
	p.report(number, list, now, p.timing.BeatToDone)
}
