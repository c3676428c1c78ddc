package rnic

import (
	"context"
	"errors"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/engines"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Device is rnic on an engine. Segments and requests are queued until Run; Take returns the output.
type Device struct {
	config    gen.Config
	design    *simulator.Design
	eng       simulator.Engine
	memory    simulator.Memory // nil: its channels are streams
	registers *cosim.Registers

	rx, work, receive cosim.Lane
	tx, cqe, event    cosim.Lane
	retires           []cosim.Lane // by kind; none without the retire port
	stamps            []uint64     // cycles of the beats on m_axis_tx
	partial           []byte       // of the segment being received
	out               Output
	decode            uint64    // Memory.Decode
	platform          *platform // with the extension commit
}

// Options control the simulation of a device. Latency is the memory latency.
type Options struct {
	Engine  string // one of engines.Names
	Seed    uint64
	Latency simulator.Latency
	Memory  Memory
	Stall   simulator.Stall // of every stream, including the memory channels
	Unknown bool            // start from unknown state, which must not reach an output; icarus only
	Quick   bool            // faster build, slower simulation
	Trace   string          // waveform file
	Buffer  int             // capacity of each stream's buffer in beats; default 4096
	Stamps  bool            // record the cycle of each beat in and out: RxCycles and TxCycles

	Coverage *simulator.Coverage // collect coverage; starts from all zeros, so that random initial state covers nothing
	Context  context.Context     // cancels the build of the model and each Run; may be nil
}

// OpenDevice starts rnic in a configuration.
func OpenDevice(c gen.Config, o Options) (*Device, error) {
	d, err := Design(c)
	if err != nil {
		return nil, err
	}
	return OpenDesign(c, d, o)
}

// OpenDesign starts a design that has the ports of rnic; tests pass mutated designs.
func OpenDesign(c gen.Config, design *simulator.Design, o Options) (*Device, error) {
	eng, err := engines.Open(o.Engine, design, simulator.Options{Seed: o.Seed, Buffer: max(o.Buffer, 4096), RandomInit: o.Coverage == nil, Unknown: o.Unknown,
		Quick: o.Quick, Trace: o.Trace, Stamps: o.Stamps || twoUnits(c), Coverage: o.Coverage, Context: o.Context})
	if err != nil {
		return nil, err
	}
	d := &Device{config: c, design: design, eng: eng}
	if o.Stamps {
		d.stamps = []uint64{}
	}
	if err := d.prepare(o); err != nil {
		return nil, errors.Join(err, eng.Close())
	}
	return d, nil
}

func (d *Device) prepare(o Options) (err error) {
	if len(d.design.Memories) > 0 {
		if d.memory, err = d.eng.Memory(memoryName); err != nil {
			return err
		}
	}
	if d.registers, err = cosim.NewRegisters(d.design, d.eng, "s_axil"); err != nil {
		return err
	}
	for name, l := range map[string]*cosim.Lane{"s_axis_rx": &d.rx, "wqe": &d.work, "rqe": &d.receive, "m_axis_tx": &d.tx,
		"cqe": &d.cqe, "event": &d.event} {
		if *l, err = cosim.NewLane(d.design, name); err != nil {
			return err
		}
	}
	if err := d.preparePlatform(o.Seed); err != nil {
		return err
	}
	if d.config.RetirePort {
		for _, name := range retiresOf(d.config) {
			l, err := cosim.NewLane(d.design, name)
			if err != nil {
				return err
			}
			d.retires = append(d.retires, l)
		}
	}
	if d.memory != nil && o.Latency.Most > 0 {
		err = d.memory.SetLatency(o.Latency, o.Latency)
	}
	for i, s := range d.design.Streams {
		if s.Ready != "" {
			err = errors.Join(err, d.eng.SetStall(i, o.Stall))
		}
	}
	if d.memory != nil {
		err = errors.Join(err, d.setMemory(o.Memory))
	}
	return err
}

// Close frees the device.
func (d *Device) Close() error { return d.eng.Close() }

// Memory returns the memory connected to the device; nil without one.
func (d *Device) Memory() simulator.Memory { return d.memory }

// Engine gives access to cycles, stalls and statistics.
func (d *Device) Engine() simulator.Engine { return d.eng }

// Send queues a segment on s_axis_rx.
func (d *Device) Send(stream uint32, segment []byte) { appendSegment(&d.rx, stream, segment) }

func appendSegment(l *cosim.Lane, stream uint32, segment []byte) {
	l.Append(segment, func(beat []uint64) { l.Set(beat, "tuser", uint64(stream)) })
}

// PostWork queues a work request.
func (d *Device) PostWork(w rdmap.WorkRequest) {
	l := &d.work
	beat := l.Grow()
	l.Set(beat, "stream", uint64(w.Stream))
	l.Set(beat, "id", w.ID)
	l.SetFlag(beat, "signaled", w.Signaled)
	l.Set(beat, "opcode", uint64(w.Opcode))
	l.Set(beat, "local_stag", uint64(w.Local.STag))
	l.Set(beat, "local_to", w.Local.TO)
	l.Set(beat, "length", uint64(w.Length))
	l.Set(beat, "remote_stag", uint64(w.Remote.STag))
	l.Set(beat, "remote_to", w.Remote.TO)
	l.Set(beat, "atomic_opcode", uint64(w.Operands.AOpCode))
	l.Set(beat, "atomic_data", w.Operands.Data)
	l.Set(beat, "atomic_mask", w.Operands.Mask)
	l.Set(beat, "atomic_compare", w.Operands.CompareData)
	l.Set(beat, "atomic_compare_mask", w.Operands.CompareMask)
	d.setCommit(beat, w)
}

// PostReceive queues a receive request.
func (d *Device) PostReceive(r rdmap.ReceiveRequest) {
	l := &d.receive
	beat := l.Grow()
	l.Set(beat, "stream", uint64(r.Stream))
	l.Set(beat, "id", r.ID)
	l.Set(beat, "stag", uint64(r.Buffer.STag))
	l.Set(beat, "to", r.Buffer.TO)
	l.Set(beat, "length", uint64(r.Length))
}

// Run advances up to the given number of cycles, and stops early after idle cycles without activity. Take returns the output.
func (d *Device) Run(cycles, idle uint64) (simulator.Result, error) {
	for _, l := range []*cosim.Lane{&d.receive, &d.work, &d.rx} {
		if err := l.Push(d.eng); err != nil {
			return simulator.Result{}, err
		}
	}
	if err := d.platform.push(d.eng); err != nil {
		return simulator.Result{}, err
	}
	r, err := d.eng.Run(cycles, idle)
	return r, errors.Join(err, d.collect())
}

// Waiting returns the number of beats that the device has not accepted.
func (d *Device) Waiting() (beats int) {
	return d.SegmentsWaiting() + d.WorkWaiting() + d.ReceivesWaiting()
}

// SegmentsWaiting returns the number of beats of segments that the device has not accepted.
func (d *Device) SegmentsWaiting() (beats int) { return d.waiting(&d.rx) }

// WorkWaiting returns the number of work requests that the device has not accepted.
func (d *Device) WorkWaiting() int { return d.waiting(&d.work) }

// accepted returns the number of beats that the device has accepted since the start, and how many of them are receive requests.
func (d *Device) accepted() (beats, receives uint64) {
	receives = d.eng.Stats(d.receive.Stream).Beats
	return receives + d.eng.Stats(d.rx.Stream).Beats + d.eng.Stats(d.work.Stream).Beats, receives
}

// ReceivesWaiting returns the number of receive requests that the device has not accepted.
func (d *Device) ReceivesWaiting() int { return d.waiting(&d.receive) }

func (d *Device) waiting(l *cosim.Lane) int {
	return len(l.Queued)/l.Words + int(d.eng.Stats(l.Stream).Queued)
}

// Take returns the output so far and transfers its ownership to the caller.
func (d *Device) Take() Output {
	out := d.out
	out.Retired, d.out = retired(out.steps), Output{}
	return out
}

func (d *Device) collect() error {
	return errors.Join(
		d.tx.PopStamped(d.eng, &d.stamps, func(beat []uint64) {
			l := &d.tx
			d.partial = l.Octets(d.partial, beat)
			if l.Flag(beat, "tlast") {
				d.out.Segments = append(d.out.Segments, Segment{uint32(l.Get(beat, "tuser")), d.partial})
				d.partial = nil
			}
		}),
		d.cqe.Pop(d.eng, func(beat []uint64) {
			l := &d.cqe
			d.out.Completions = append(d.out.Completions, Completion{Stream: uint32(l.Get(beat, "stream")), ID: l.Get(beat, "id"),
				Status: uint8(l.Get(beat, "status")), Opcode: wire.Opcode(l.Get(beat, "opcode")), Recv: l.Flag(beat, "recv"),
				Length: uint32(l.Get(beat, "length")), Data: l.Get(beat, "data"), STag: uint32(l.Get(beat, "stag"))})
		}),
		d.event.Pop(d.eng, func(beat []uint64) {
			l := &d.event
			d.out.Events = append(d.out.Events, Event{Stream: uint32(l.Get(beat, "stream")), Kind: uint8(l.Get(beat, "kind")),
				Term: wire.TerminateCode{Layer: wire.Layer(l.Get(beat, "term_layer")), EType: uint8(l.Get(beat, "term_etype")), Code: uint8(l.Get(beat, "term_code"))}})
		}),
		d.collectFlushes(),
		d.collectRetired())
}

func (d *Device) collectRetired() error {
	if !d.config.RetirePort {
		return nil
	}
	if d.stamps != nil || twoUnits(d.config) {
		return errors.Join(d.collectSteps(), d.dropStamps())
	}
	var errs []error
	for kind := range d.retires {
		errs = append(errs, d.retires[kind].Pop(d.eng, func(beat []uint64) { d.collectStep(retireKind(kind), beat) }))
	}
	return errors.Join(errs...)
}

func retiredOf(l *cosim.Lane, beat []uint64) Retired {
	return Retired{Stream: uint32(l.Get(beat, "stream")), Opcode: wire.AOpCode(l.Get(beat, "opcode")), Address: l.Get(beat, "address"),
		Original: l.Get(beat, "original"), Result: l.Get(beat, "result"), Failed: l.Flag(beat, "failed")}
}

// TxCycles returns the cycles of the beats sent on m_axis_tx since the last call.
func (d *Device) TxCycles() []uint64 {
	cycles := d.stamps
	d.stamps = []uint64{}
	return cycles
}

// RxCycles returns the cycles of the beats accepted on s_axis_rx since the last call.
func (d *Device) RxCycles() ([]uint64, error) {
	cycles := make([]uint64, d.eng.Stats(d.rx.Stream).Beats)
	n, err := d.eng.Accepted(d.rx.Stream, cycles)
	return cycles[:n], err
}

// Beats returns the number of beats transferred on the named stream.
func (d *Device) Beats(stream string) (uint64, error) {
	stats, err := d.Stats(stream)
	return stats.Beats, err
}

// Stats returns the beat statistics of the named stream.
func (d *Device) Stats(stream string) (simulator.Stats, error) {
	i, err := d.design.Stream(stream)
	if err != nil {
		return simulator.Stats{}, err
	}
	return d.eng.Stats(i), nil
}
