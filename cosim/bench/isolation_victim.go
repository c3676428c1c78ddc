package bench

import (
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen/engine"
)

// pace is when requests are made and what became of them. Without gaps as many are in progress as may be; otherwise requests become due
// after gaps drawn from 0 to twice the mean.
type pace struct {
	gaps     func() uint64
	window   uint64 // requests in progress; with gaps, more may be due, and wait
	due      uint64 // the next request, with gaps
	issued   uint64
	finished uint64
	began    map[uint64]uint64 // by number of the request: the cycle in which it was due
}

// start issues what is due.
func (v *pace) start(now uint64, issue func(n uint64)) {
	for v.issued-v.finished < v.window {
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
		issue(v.issued)
		v.issued++
	}
}

// finish ends a request and returns when it was due; false: it is not in progress.
func (v *pace) finish(number uint64) (began uint64, is bool) {
	if began, is = v.began[number]; is {
		delete(v.began, number)
		v.finished++
	}
	return began, is
}

// unfinished is when the requests that are not finished became due, before a cycle, those included that wait for others of the stream.
func (v *pace) unfinished(before uint64) (began []uint64) {
	for _, at := range v.began {
		began = append(began, at)
	}
	for v.gaps != nil && v.due < before {
		began = append(began, v.due)
		v.due += v.gaps()
	}
	return began
}

// victim asks for one kind of operation and measures how long each takes.
type victim struct {
	pace
	kind    kind
	measure func(stream uint32, kind string, began, now uint64)
	err     error
}

// The requests that a victim has in progress.
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
	v.start(now, func(n uint64) { v.kind.issue(p, n) })
}

func (v *victim) finish(stream uint32, number, now uint64) {
	began, is := v.pace.finish(number)
	if !is {
		v.err = fmt.Errorf("%s: a response to request %d, which is not in progress", v.kind.name, number)
		return
	}
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
