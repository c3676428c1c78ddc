package bench

import (
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen/engine"
)

// victim asks for one kind of operation and measures how long each takes. Without gaps it keeps as many in progress as it may;
// otherwise requests become due after gaps drawn from 0 to twice the mean.
type victim struct {
	kind     kind
	gaps     func() uint64
	due      uint64 // the next request, with gaps
	issued   uint64
	finished uint64
	began    map[uint64]uint64 // by number of the request: the cycle in which it was due
	measure  func(stream uint32, kind string, began, now uint64)
	err      error
}

// The requests that a victim has in progress. With gaps, more may be due; they wait.
const (
	victimWindow = 8
	pacedWindow  = isolationIRD
)

// victimReceive is the length of the buffers for a victim's Sends.
const victimReceive = 64

// begin posts the receive requests that the victim's peer counts on.
func (v *victim) begin(p *party) {
	for id := range uint64(isolationReceives) {
		if v.kind.receives() {
			p.postReceive(id, rnicSTag, p.word(), victimReceive)
		}
	}
}

func (v *victim) step(p *party, now uint64) {
	window := uint64(victimWindow)
	if v.gaps != nil {
		window = pacedWindow
	}
	for v.issued-v.finished < window {
		began := now
		if v.gaps != nil {
			if v.due == 0 {
				v.due = now + v.gaps()
			}
			if v.due > now {
				return
			}
			began = v.due
			v.due += v.gaps()
		}
		v.began[v.issued] = began
		v.kind.issue(p, v.issued)
		v.issued++
	}
}

// unfinished is when the requests that are not finished became due, before a cycle, those included that wait for others of the stream.
func (v *victim) unfinished(before uint64) (began []uint64) {
	for _, at := range v.began {
		began = append(began, at)
	}
	for v.gaps != nil && v.due < before {
		began = append(began, v.due)
		v.due += v.gaps()
	}
	return began
}

func (v *victim) finish(stream uint32, number, now uint64) {
	began, is := v.began[number]
	if !is {
		v.err = fmt.Errorf("%s: a response to request %d, which is not in progress", v.kind.name, number)
		return
	}
	delete(v.began, number)
	v.finished++
	v.measure(stream, v.kind.name, began, now)
}

func (v *victim) sent(p *party, now uint64, segment []byte) {
	if number, is := v.kind.answer(p, segment); is {
		v.finish(p.stream, number, now)
	}
}

func (v *victim) completed(p *party, now uint64, c rnic.Completion) {
	if c.Status != engine.StatusSuccess {
		v.err = fmt.Errorf("%s: a completion with status %d", v.kind.name, c.Status)
		return
	}
	if c.Recv {
		p.postReceive(c.ID+isolationReceives, rnicSTag, p.word(), victimReceive)
	}
	v.finish(p.stream, c.ID, now)
}

func (v *victim) reported(_ *party, _ uint64, e rnic.Event) {
	v.err = fmt.Errorf("%s: an event of kind %d, %+v", v.kind.name, e.Kind, e.Term)
}

func (*victim) answered(*party, int) {}
