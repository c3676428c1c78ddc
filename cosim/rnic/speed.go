package rnic

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/model/rdmap"
)

// Recording is the input of one end of a run, for replay on hardware or model alone.
type Recording struct {
	Messages uint64 // received and sent

	plan   Plan
	layout layout
	rounds []round
}

// round is the input of an end before it runs.
type round struct {
	receives []rdmap.ReceiveRequest
	work     []rdmap.WorkRequest
	segments []Segment
}

// recorder is a node that records its input.
type recorder struct {
	*Node
	to *Recording
}

func (r *recorder) latest() *round { return &r.to.rounds[len(r.to.rounds)-1] }

func (r *recorder) PostReceive(q rdmap.ReceiveRequest) error {
	r.latest().receives = append(r.latest().receives, q)
	return r.Node.PostReceive(q)
}

func (r *recorder) PostWork(w rdmap.WorkRequest) error {
	r.latest().work = append(r.latest().work, w)
	return r.Node.PostWork(w)
}

func (r *recorder) Send(stream uint32, segment []byte) {
	r.latest().segments = append(r.latest().segments, Segment{stream, slices.Clone(segment)})
	r.Node.Send(stream, segment)
}

func (r *recorder) Run(cycles, idle uint64) (Output, error) {
	out, err := r.Node.Run(cycles, idle)
	r.to.rounds = append(r.to.rounds, round{})
	return out, err
}

// Record runs a plan without errors, in one epoch, and records the input of the first end.
func Record(p Plan) (*Recording, error) {
	if p.ErrorRate != 0 {
		return nil, errors.New("a recording must be without errors")
	}
	p.Epoch = p.Messages
	r := &Recording{plan: p, rounds: make([]round, 1)}
	p.record = r
	result, err := Run(p)
	r.Messages = result.Checked.Messages
	for _, round := range r.rounds {
		for _, s := range round.segments {
			if s.Octets[0]&0x40 != 0 { // L
				r.Messages++
			}
		}
	}
	return r, err
}

// Device returns the time that the hardware alone takes for a recording.
func (r *Recording) Device() (time.Duration, error) {
	device, err := OpenDevice(r.plan.Config, Options{Engine: r.plan.Engine, Seed: r.plan.Seed, Latency: r.plan.Latency, Stall: r.plan.Stall})
	if err != nil {
		return 0, err
	}
	e := &alone{device}
	took, err := r.play(e)
	return took, errors.Join(err, e.Close())
}

// Model returns the time that the golden model alone takes for a recording.
func (r *Recording) Model() (time.Duration, error) {
	e, err := NewModelEndpoint(r.plan.Config, r.plan.Seed)
	if err != nil {
		return 0, err
	}
	took, err := r.play(e)
	if n := e.Model.Counters().StreamsEndedByError; err == nil && n > 0 {
		err = fmt.Errorf("%d streams have ended", n)
	}
	return took, err
}

func (r *Recording) play(e End) (time.Duration, error) {
	if err := r.layout.prepare(e, rand.New(rand.NewPCG(r.plan.Seed, 2))); err != nil {
		return 0, err
	}
	start := time.Now()
	for i := range r.rounds {
		round := &r.rounds[i]
		for _, q := range round.receives {
			if err := e.PostReceive(q); err != nil {
				return 0, err
			}
		}
		for _, w := range round.work {
			if err := e.PostWork(w); err != nil {
				return 0, err
			}
		}
		for _, s := range round.segments {
			e.Send(s.Stream, s.Octets)
		}
		var stuck *simulator.StuckError
		if _, err := e.Run(roundCycles, quietCycles); err != nil && !errors.As(err, &stuck) {
			return 0, err
		}
	}
	return time.Since(start), nil
}

// alone is a device whose output is not checked.
type alone struct{ *Device }

func (a *alone) Write(address uint64, octets []byte) error { return a.memory.Write(address, octets) }

func (a *alone) PostWork(w rdmap.WorkRequest) error {
	a.Device.PostWork(w)
	return nil
}

func (a *alone) PostReceive(q rdmap.ReceiveRequest) error {
	a.Device.PostReceive(q)
	return nil
}

func (a *alone) Run(cycles, idle uint64) (Output, error) {
	_, err := a.Device.Run(cycles, idle)
	return a.Take(), err
}

// ReceivesStored is unused: the recording defines when each message arrives.
func (a *alone) ReceivesStored() uint64 { return 0 }

func (a *alone) Settle(...[]Range) error { return nil }

// Load packs segments for the streams of an rnic design, alternating between the first two RDMAP Streams. Its other ports are idle,
// and no memory is connected.
func Load(d *simulator.Design, segments [][]byte) ([][]uint64, error) {
	rx, err := cosim.NewLane(d, "s_axis_rx")
	if err != nil {
		return nil, err
	}
	for i, segment := range segments {
		appendSegment(&rx, uint32(i%2), segment)
	}
	beats := make([][]uint64, len(d.Streams))
	beats[rx.Stream] = rx.Queued
	return beats, nil
}
