package system

import (
	"fmt"
	"slices"
	"time"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"

	"github.com/sarchlab/akita/v3/sim"
)

// The region of every system. Its base is not a multiple of 8: tagged offsets need not be.
const (
	regionIndex   = 1
	regionSTag    = regionIndex<<8 | 0xEE
	regionBase    = 0x1000_0000_0000_0003
	regionAddress = 0x10000
)

// responder is the node with the memory: an rdmap.Engine with one port per stream.
//
// Requests take effect in order of arrival, across all streams. The memory is pipelined: an access starts at least
// MemoryInterval after the previous one and completes MemoryLatency after its start, even for the same word.
type responder struct {
	*sim.ComponentBase
	engine   sim.Engine
	model    *rdmap.Engine
	words    int
	ports    []sim.Port // by stream
	streams  map[sim.Port]int
	latency  time.Duration
	interval time.Duration
	free     time.Duration // when the next access may start
	pending  []response    // in order of time
	err      error
}

type response struct {
	at      time.Duration
	stream  int
	to      sim.Port
	segment []byte
}

func newResponder(engine sim.Engine, c Config) (*responder, error) {
	model, err := rdmap.NewEngine(rdmap.EngineConfig{Streams: c.Requesters, STags: 2 * regionIndex, IRD: c.ORD, ORD: 1, ReceiveDepth: 1, SendDepth: 1, MaxPayload: 1})
	if err != nil {
		return nil, err
	}
	err = model.SetRegion(regionIndex, memory.Region{Valid: true, Key: regionSTag & 0xFF, Rights: memory.RemoteAtomic, ByDomain: true,
		Base: regionBase, Length: 8 * uint64(c.Words), Address: regionAddress})
	if err != nil {
		return nil, err
	}
	r := &responder{ComponentBase: sim.NewComponentBase("Responder"), engine: engine, model: model, words: c.Words, streams: map[sim.Port]int{},
		latency: c.MemoryLatency, interval: c.MemoryInterval}
	for i := range c.Requesters {
		model.Open(uint32(i), 0)
		name := portName("Responder", i)
		port := sim.NewLimitNumMsgPort(r, c.ORD, name)
		r.AddPort(name, port)
		r.ports = append(r.ports, port)
		r.streams[port] = i
	}
	return r, nil
}

// NotifyRecv takes an arrived request.
func (r *responder) NotifyRecv(now sim.VTimeInSec, port sim.Port) {
	p := port.Retrieve(now).(*packet) // links carry nothing else
	stream := r.streams[port]
	v := r.model.Receive(uint32(stream), p.segment)
	segments, done := r.model.Execute(uint32(stream))
	if v.Error != spec.None || !done.Is(spec.AtomicRequest) {
		r.fail(stream, v.Error)
		return
	}
	start := max(r.free, nanoseconds(now))
	r.free = start + r.interval
	r.pending = append(r.pending, response{start + r.latency, stream, p.Src, slices.Clone(segments[0])})
	schedule(r.engine, start+r.latency, r)
}

func (r *responder) fail(stream int, why spec.Rule) {
	if r.err == nil {
		r.err = fmt.Errorf("system: stream %d: the responder refused a request: %v", stream, why)
	}
}

// Handle sends the responses that are due.
func (r *responder) Handle(e sim.Event) error {
	now := nanoseconds(e.Time())
	for len(r.pending) > 0 && r.pending[0].at <= now {
		a := r.pending[0]
		r.pending = r.pending[1:]
		port := r.ports[a.stream]
		port.Send(newPacket(now, port, a.to, a.segment))
	}
	return nil
}

// NotifyPortFree does nothing: a link accepts every packet.
func (r *responder) NotifyPortFree(sim.VTimeInSec, sim.Port) {}
