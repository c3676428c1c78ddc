package mutate

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// Alone is one module with mutants selected by inputs and without its instances: their outputs are inputs INSTANCE_PORT of the module,
// their inputs are outputs.
type Alone struct {
	Design  *hdl.Design
	Mutants []Mutant // each selected by its own input
	Inputs  []string // without clk, rst and select inputs
	Outputs []string
	Streams []AloneStream
	Matters map[string]*big.Int // bits of outputs, registers and memories that affect outputs of the whole design
	Writes  []AloneStream       // of a bare module: into its memories, which always accept
	Reads   []AloneRead         // of a bare module
	Stored  int                 // bits of its memories
}

// AloneRead is a read of a memory outside a bare module: Data is an input, which is used only to load a register when Enable is 1.
type AloneRead struct{ Enable, Addr, Data string }

// AloneStream is a stream of the module, or of one of its instances as seen from the module.
type AloneStream struct {
	hdl.StreamPort
	Steady bool // an offer is stable until it is accepted
}

// SelectOf is the input that selects a mutant in an Alone module; each mutant has its own.
func SelectOf(m Mutant) string { return fmt.Sprintf("%s_%d", Select, m.Number) }

// Alone returns a module with some of its mutants.
func (s *Set) Alone(module string, mutants []Mutant) (Alone, error) {
	return s.alone(module, mutants, false)
}

// Bare is like Alone, but without memories: MEMORY_at_write_enable and so on are outputs, REGISTER_at_read_data inputs.
func (s *Set) Bare(module string, mutants []Mutant) (Alone, error) {
	return s.alone(module, mutants, true)
}

func (s *Set) alone(module string, mutants []Mutant, bare bool) (Alone, error) {
	written := s.module(module)
	if written == nil {
		return Alone{}, fmt.Errorf("there is no module %s", module)
	}
	m := written.Clone()
	join(m, s.byName(), nil)
	var selects []*ir.Signal
	of := map[int]*ir.Signal{}
	for _, mutant := range mutants {
		of[mutant.Number] = &ir.Signal{Name: SelectOf(mutant), Kind: ir.Input, Width: 1}
		selects = append(selects, of[mutant.Number])
	}
	put(m, mutants, func(number int) *ir.Expr { return refTo(of[number]) })
	a := Alone{Mutants: mutants, Matters: s.matters(written)}
	empty(m)
	for _, p := range m.Ports {
		if p.Kind == ir.Input {
			a.Inputs = append(a.Inputs, p.Name)
		} else {
			a.Outputs = append(a.Outputs, p.Name)
		}
	}
	for _, st := range m.Streams {
		p := AloneStream{hdl.StreamPort{Name: st.Name, Sink: st.Sink, Valid: st.Valid.Name, Ready: st.Ready.Name}, s.steady(m, st)}
		for _, f := range st.Fields {
			p.Fields = append(p.Fields, f.Name)
		}
		a.Streams = append(a.Streams, p)
	}
	for _, it := range m.Items {
		if memory, is := it.(*ir.Memory); is {
			a.Stored += memory.Width * memory.Depth
		}
	}
	if bare {
		a.strip(m)
	}
	m.Ports = append(m.Ports, selects...)
	var err error
	a.Design, err = hdl.FromIR([]*ir.Module{m})
	return a, err
}

// matters lists the bits of a module that matter. A pin of an instance matters if the port does.
func (s *Set) matters(m *ir.Module) map[string]*big.Int {
	if s.alive == nil {
		s.alive = findAlive(s.modules)
	}
	out := map[string]*big.Int{}
	for _, p := range m.Ports {
		out[p.Name] = s.alive.of(p)
	}
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ir.Signal:
			out[it.Name] = s.alive.of(it)
		case *ir.Memory:
			out[it.Name] = s.alive.memories[it]
		case *ir.Instance:
			for _, p := range s.module(it.Module.Name).Ports {
				out[pinName(it, p)] = s.alive.of(p)
			}
		}
	}
	return out
}

// steady reports whether offers of a stream, of the module or of an instance in it, are stable.
func (s *Set) steady(m *ir.Module, st ir.StreamPort) bool {
	block, name := m.Kind, st.Name
	if instance, of, is := strings.Cut(name, "."); is {
		name = of
		for _, it := range s.module(m.Name).Items {
			if inst, is := it.(*ir.Instance); is && inst.Name == instance {
				block = inst.Module.Kind
			}
		}
	}
	return s.isSteady == nil || s.isSteady(block, name)
}

// pinName is the port that stands for a pin.
func pinName(inst *ir.Instance, port *ir.Signal) string { return inst.Name + "_at_" + port.Name }

func (s *Set) byName() map[string]*ir.Module {
	out := map[string]*ir.Module{}
	for _, m := range s.modules {
		out[m.Name] = m
	}
	return out
}

// empty replaces the instances of a module by ports.
func empty(m *ir.Module) {
	var items []ir.Item
	for _, it := range m.Items {
		inst, is := it.(*ir.Instance)
		if !is {
			items = append(items, it)
			continue
		}
		port := func(p ir.Pin, kind ir.Kind) *ir.Signal {
			s := &ir.Signal{Name: pinName(inst, p.Port), Kind: kind, Width: p.Port.Width}
			m.Ports = append(m.Ports, s)
			return s
		}
		at := map[string]*ir.Signal{}
		for _, p := range inst.Pins {
			if p.In != nil {
				s := port(p, ir.Output)
				at[p.Port.Name] = s
				items = append(items, &ir.Drive{Target: s, Value: p.In})
			} else {
				s := port(p, ir.Input)
				at[p.Port.Name] = s
				items = append(items, &ir.Drive{Target: p.Out, Value: refTo(s)})
			}
		}
		for _, st := range inst.Module.Streams {
			if at[st.Valid.Name] == nil || at[st.Ready.Name] == nil {
				continue
			}
			// A sink of the instance is a source of the module around it.
			outer := ir.StreamPort{Name: inst.Name + "." + st.Name, Sink: !st.Sink, Valid: at[st.Valid.Name], Ready: at[st.Ready.Name]}
			for _, f := range st.Fields {
				outer.Fields = append(outer.Fields, at[f.Name])
			}
			m.Streams = append(m.Streams, outer)
		}
	}
	m.Items = items
}

// strip replaces the memories of a module by ports.
func (a *Alone) strip(m *ir.Module) {
	var items []ir.Item
	port := func(of, what string, kind ir.Kind, width int) *ir.Signal {
		s := &ir.Signal{Name: of + "_at_" + what, Kind: kind, Width: width}
		m.Ports = append(m.Ports, s)
		if kind == ir.Input {
			a.Inputs = append(a.Inputs, s.Name)
		}
		return s
	}
	show := func(of, what string, e *ir.Expr) string {
		s := port(of, what, ir.Output, e.Width)
		items = append(items, &ir.Drive{Target: s, Value: e})
		return s.Name
	}
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ir.MemoryPorts:
		case *ir.Memory:
			for _, w := range it.Writes {
				s := AloneStream{StreamPort: hdl.StreamPort{Name: it.Name, Valid: show(it.Name, "write_enable", w.Enable),
					Fields: []string{show(it.Name, "write_addr", w.Addr), show(it.Name, "write_data", w.Data)}}}
				a.Matters[s.Fields[1]] = a.Matters[it.Name]
				a.Writes = append(a.Writes, s)
			}
			for _, r := range it.Reads {
				name := r.Target.Name
				data := port(name, "read_data", ir.Input, r.Target.Width)
				a.Reads = append(a.Reads, AloneRead{show(name, "read_enable", r.Enable), show(name, "read_addr", r.Addr), data.Name})
				r.Target.Read = nil
				items = append(items, &ir.Process{Body: []ir.Stmt{&ir.If{Cond: r.Enable, Then: []ir.Stmt{&ir.Assign{Target: r.Target, Value: refTo(data)}}}}})
			}
		default:
			items = append(items, it)
		}
	}
	m.Items = items
}
