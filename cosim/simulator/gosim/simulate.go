package gosim

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/sim"
)

// Simulate starts a simulation of a compiled design. Its ports are in the engine's order: clk, which has no signal here,
// rst, then those of the design.
func Simulate(d *hdl.Design, o simulator.Options) (simulator.Model, error) {
	var opts []sim.Option
	if o.RandomInit {
		opts = append(opts, sim.RandomInit(o.Seed))
	}
	s, err := sim.New(d, opts...)
	if err != nil {
		return nil, err
	}
	trace, err := openTrace(s, o.Trace)
	if err != nil {
		return nil, err
	}
	m := &model{trace: trace, sim: s, inputs: []*sim.Input{nil}, signals: []*sim.Signal{nil}}
	add := func(name string, out bool) error {
		sig, err := s.Signal(name)
		if err != nil {
			return err
		}
		m.signals = append(m.signals, &sig)
		if out {
			m.inputs = append(m.inputs, nil)
			return nil
		}
		in, err := s.Input(name)
		m.inputs = append(m.inputs, &in)
		return err
	}
	if err := add("rst", false); err != nil {
		return nil, err
	}
	for _, p := range d.Ports() {
		if err := add(p.Name, p.Out); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// trace is a waveform file being written.
type trace struct {
	file   *os.File
	finish func() error
}

func openTrace(s *sim.Sim, path string) (*trace, error) {
	switch {
	case path == "":
		return nil, nil
	case filepath.Ext(path) != ".vcd":
		return nil, fmt.Errorf("trace file %s: the go engine writes .vcd; the verilator engine .vcd and .fst", path)
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, simulator.NewTraceError(path, err)
	}
	return &trace{f, s.TraceVCD(f)}, nil
}

type model struct {
	trace   *trace // nil: none
	sim     *sim.Sim
	inputs  []*sim.Input // nil for outputs and the clock
	signals []*sim.Signal
}

func (m *model) Set(port int, value []uint64) {
	if in := m.inputs[port]; in != nil {
		in.SetWords(value)
	}
}

func (m *model) Get(port int, value []uint64) {
	if s := m.signals[port]; s != nil {
		s.GetWords(value)
		return
	}
	clear(value)
}

// Sim returns the simulation, for tests that set state.
func (m *model) Sim() *sim.Sim { return m.sim }

func (m *model) Settle() { m.sim.Eval() }
func (m *model) Clock()  { m.sim.Step() }

// Close completes the trace.
func (m *model) Close() error {
	if m.trace == nil {
		return nil
	}
	if err := errors.Join(m.trace.finish(), m.trace.file.Close()); err != nil {
		return simulator.NewTraceError(m.trace.file.Name(), err)
	}
	return nil
}
