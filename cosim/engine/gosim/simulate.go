package gosim

import (
	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/sim"
)

// Simulate starts a simulation of a compiled design. Its ports are numbered as the engine's are: clk, which has no signal
// of its own here, rst, then those of the design.
func Simulate(d *hdl.Design, opts ...sim.Option) (engine.Model, error) {
	s, err := sim.New(d, opts...)
	if err != nil {
		return nil, err
	}
	m := &model{sim: s, inputs: []*sim.Input{nil}, signals: []*sim.Signal{nil}}
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

type model struct {
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

func (m *model) Settle() { m.sim.Eval() }
func (m *model) Clock()  { m.sim.Step() }
