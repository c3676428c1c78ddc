package falcon

import (
	"context"
	"errors"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/engines"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl"
)

// Device is rnic of the profile on an engine. Its inputs are queued until Run; Take returns the output.
type Device struct {
	config    gen.Config
	design    *simulator.Design
	eng       simulator.Engine
	memory    simulator.Memory
	registers *cosim.Registers

	rx, work, receive, completed, credits cosim.Lane
	tx, cqe, event, answer                cosim.Lane

	partial  []byte // of the packet being received
	out      Output
	counts   counts
	receives uint64 // beats of receive requests that have been posted
}

// Options control the simulation of a device.
type Options struct {
	Engine  string // one of engines.Names
	Seed    uint64
	Latency simulator.Latency // of memory
	Stall   simulator.Stall   // of every stream, including the memory channels
	Unknown bool              // start from unknown state, which must not reach an output; icarus only
	Quick   bool              // faster build, slower simulation
	Trace   string            // waveform file

	Coverage *simulator.Coverage // collect coverage; starts from all zeros, so that random initial state covers nothing
	Context  context.Context     // cancels the build of the model and each Run; may be nil
}

// memoryName names the memory connected to m_axi.
const memoryName = "memory"

// Design compiles rnic in a configuration for use by an engine.
func Design(c gen.Config) (*simulator.Design, error) {
	d, err := gen.Compile(c)
	if err != nil {
		return nil, err
	}
	e := DesignOf(c, d)
	return e, e.Check()
}

// DesignWithoutMemory is Design with the channels of m_axi as streams.
func DesignWithoutMemory(c gen.Config) (*simulator.Design, error) {
	d, err := gen.Compile(c)
	if err != nil {
		return nil, err
	}
	e := cosim.Design(d)
	return e, e.Check()
}

// DesignOf connects memory to a compiled rnic.
func DesignOf(c gen.Config, d *hdl.Design) *simulator.Design {
	e := cosim.Design(d)
	e.Memories = []simulator.MemoryPort{{Name: memoryName, Prefix: "m_axi", Bytes: c.BusBytes}}
	return e
}

// Open starts rnic in a configuration.
func Open(c gen.Config, o Options) (*Device, error) {
	design, err := Design(c)
	if err != nil {
		return nil, err
	}
	return OpenDesign(c, design, o)
}

// OnEngine returns a device on an engine that is open.
func OnEngine(c gen.Config, design *simulator.Design, eng simulator.Engine) (*Device, error) {
	d := &Device{config: c, design: design, eng: eng}
	return d, d.prepare(design, Options{})
}

// OpenDesign starts a design that has the ports of rnic; tests pass mutated designs.
func OpenDesign(c gen.Config, design *simulator.Design, o Options) (*Device, error) {
	eng, err := engines.Open(o.Engine, design, simulator.Options{Seed: o.Seed, Buffer: 4096, RandomInit: o.Coverage == nil, Unknown: o.Unknown, Quick: o.Quick, Trace: o.Trace,
		Coverage: o.Coverage, Context: o.Context})
	if err != nil {
		return nil, err
	}
	d := &Device{config: c, design: design, eng: eng}
	if err := d.prepare(design, o); err != nil {
		return nil, errors.Join(err, eng.Close())
	}
	return d, nil
}

func (d *Device) prepare(design *simulator.Design, o Options) (err error) {
	if len(design.Memories) > 0 {
		if d.memory, err = d.eng.Memory(memoryName); err != nil {
			return err
		}
	}
	if d.registers, err = cosim.NewRegisters(design, d.eng, "s_axil"); err != nil {
		return err
	}
	for name, l := range map[string]*cosim.Lane{"s_axis_rx": &d.rx, "wqe": &d.work, "rqe": &d.receive, "completed": &d.completed, "credit": &d.credits,
		"m_axis_tx": &d.tx, "cqe": &d.cqe, "event": &d.event, "answer": &d.answer} {
		if *l, err = cosim.NewLane(design, name); err != nil {
			return err
		}
	}
	if d.memory != nil && o.Latency.Most > 0 {
		err = d.memory.SetLatency(o.Latency, o.Latency)
	}
	for i, s := range design.Streams {
		if s.Ready != "" {
			err = errors.Join(err, d.eng.SetStall(i, o.Stall))
		}
	}
	return errors.Join(err, d.SetXoff(false))
}

// Close frees the device.
func (d *Device) Close() error { return d.eng.Close() }

// Memory returns the memory connected to the device; nil without one.
func (d *Device) Memory() simulator.Memory { return d.memory }

// Engine gives access to cycles, stalls and statistics.
func (d *Device) Engine() simulator.Engine { return d.eng }

// Reset resets the device: all QPs are closed, all keys invalid. Output so far is dropped.
func (d *Device) Reset() error {
	for _, l := range d.inputs() {
		l.Queued = l.Queued[:0]
	}
	err := errors.Join(d.eng.Reset(4), d.collect(), d.SetXoff(false))
	d.Take()
	d.partial, d.counts = nil, counts{}
	return err
}

func (d *Device) inputs() []*cosim.Lane {
	return []*cosim.Lane{&d.receive, &d.credits, &d.completed, &d.work, &d.rx}
}

// Run advances up to the given number of cycles, and stops early after idle cycles without activity.
func (d *Device) Run(cycles, idle uint64) (simulator.Result, error) {
	for _, l := range d.inputs() {
		if err := l.Push(d.eng); err != nil {
			return simulator.Result{}, err
		}
	}
	r, err := d.eng.Run(cycles, idle)
	return r, errors.Join(err, d.collect())
}

// Take returns the output so far and transfers its ownership to the caller.
func (d *Device) Take() Output {
	out := d.out
	d.out = Output{}
	return out
}

// Stats returns the beat statistics of the named stream.
func (d *Device) Stats(stream string) (simulator.Stats, error) {
	i, err := d.design.Stream(stream)
	if err != nil {
		return simulator.Stats{}, err
	}
	return d.eng.Stats(i), nil
}

// Registers gives direct access to the registers.
func (d *Device) Registers() *cosim.Registers { return d.registers }
