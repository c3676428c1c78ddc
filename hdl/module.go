package hdl

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// Block is a module that can be built. Kind, Params, Options and Parameters together are its identity: two different
// structures never have the same.
type Block[P any] struct {
	Kind       string      // the name of the printed module
	Params     []Param     // configuration numbers that it depends on
	Options    []string    // variants, one word each
	Parameters []Parameter // set by its instances
	Doc        string      // printed as the module's header
	Ports      P           // declared with NewIn, NewOut, NewSink, NewSource
	Build      func(m *Module, p P)
}

// Module collects the contents of a block while its Build runs.
type Module struct {
	ir   *ir.Module
	errs []error
	elab *elaboration
}

// elaboration is one run of Compile: every module built, children before parents.
type elaboration struct {
	modules    []*Module
	depth      int
	anyNesting bool
}

const maxDepth = 64

func build[P any](elab *elaboration, b Block[P], pcs []uintptr) *Module {
	m := &Module{ir: &ir.Module{Kind: b.Kind, Options: b.Options, Doc: b.Doc, PCs: pcs}, elab: elab}
	for _, p := range b.Params {
		m.ir.Params = append(m.ir.Params, ir.Param(p))
	}
	for _, p := range b.Parameters {
		m.ir.Parameters = append(m.ir.Parameters, p.declared())
	}
	m.ir.Name = identity(m.ir)
	p := clonePorts(b.Ports)
	for _, np := range portList(p) {
		var signals []*ir.Signal
		for _, l := range np.port.leaves(np.name) {
			s := &ir.Signal{Name: l.name, Doc: l.doc, Group: np.title(), PCs: pcs}
			if l.in != nil {
				s.Kind, s.Width, s.Size = ir.Input, m.portWidth(l.name, *l.in, pcs), sizeOf(*l.in)
				*l.in = ref(s)
			} else {
				s.Kind, s.Width, s.Size = ir.Output, m.portWidth(l.name, l.out.shape, pcs), sizeOf(l.out.shape)
				*l.out = Out{s: s, shape: l.out.shape}
			}
			signals = append(signals, s)
		}
		m.ir.Ports = append(m.ir.Ports, signals...)
		stream, sink := np.port.sink()
		if !stream {
			signals[0].Doc = np.doc
		} else {
			m.ir.Streams = append(m.ir.Streams, ir.StreamPort{Name: np.name, Doc: np.doc, Sink: sink,
				Valid: signals[0], Ready: signals[1], Fields: signals[2:]})
		}
	}
	switch {
	case b.Build == nil:
		m.fail(pcs, "%s: the block has no Build function", b.Kind)
	case elab.depth == maxDepth:
		m.fail(pcs, "%s: instances are nested %d deep; does it contain itself?", b.Kind, maxDepth)
	default:
		elab.depth++
		b.Build(m, *p)
		elab.depth--
	}
	elab.modules = append(elab.modules, m)
	return m
}

// portWidth is the declared width of a port.
func (m *Module) portWidth(name string, shape Value, pcs []uintptr) int {
	switch {
	case shape.e != nil && shape.e.Op == ir.Poison:
		m.mistake(shape.e.Err)
	case shape.e == nil || shape.e.Op != ir.Shape:
		m.fail(pcs, "%s.%s: declare the port with a width (hdl.NewIn, hdl.NewOut, hdl.Bits)", m.ir.Name, name)
	default:
		return shape.Width()
	}
	return 1
}

// Instance instantiates a block in m and connects its ports: as with channels, a Sink is the end that the block receives from, a Source
// the end that it sends to.
func Instance[P any](m *Module, name string, b Block[P], ports P) {
	pcs := callers()
	child := build(m.elab, b, pcs)
	inst := &ir.Instance{Name: name, Module: child.ir, PCs: pcs}
	given := clonePorts(ports)
	var leaves []leaf
	for _, np := range portList(given) {
		leaves = append(leaves, np.port.leaves(np.name)...)
	}
	if len(leaves) != len(child.ir.Ports) {
		m.fail(pcs, "%s: %d wires given for the %d ports of %s", name, len(leaves), len(child.ir.Ports), b.Kind)
		return
	}
	for i, port := range child.ir.Ports {
		pin := ir.Pin{Port: port}
		switch l := leaves[i]; {
		case (l.in == nil) != (port.Kind == ir.Output):
			m.fail(pcs, "%s.%s: %s port given the other direction", name, port.Name, port.Kind)
			continue
		case l.in != nil && (l.in.e == nil || l.in.e.Op == ir.Shape), l.out != nil && l.out.s == nil:
			m.fail(pcs, "%s.%s: the port is not connected", name, port.Name)
			continue
		case l.in != nil && l.in.e.Op == ir.Poison:
			m.mistake(l.in.e.Err)
			continue
		case l.in != nil:
			if l.in.Width() != port.Width {
				m.fail(pcs, "%s.%s: the port is %d bits, %s is %d bits", name, port.Name, port.Width, describe(l.in.e), l.in.Width())
				continue
			}
			pin.In = l.in.e
		default:
			if l.out.s.Width != port.Width {
				m.fail(pcs, "%s.%s: the port is %d bits, %s is %d bits", name, port.Name, port.Width, l.out.s.Name, l.out.s.Width)
				continue
			}
			pin.Out = l.out.s
		}
		inst.Pins = append(inst.Pins, pin)
	}
	m.ir.Clocked = m.ir.Clocked || child.ir.Clocked
	m.add(inst)
}

func ref(s *ir.Signal) Value { return Value{&ir.Expr{Op: ir.Ref, Width: s.Width, Signal: s}} }

func (m *Module) add(it ir.Item) { m.ir.Items = append(m.ir.Items, it) }

func (m *Module) fail(pcs []uintptr, format string, args ...any) {
	m.errs = append(m.errs, errorf(pcs, format, args...))
}

func (m *Module) signal(kind ir.Kind, name string, width int) *ir.Signal {
	s := &ir.Signal{Name: name, Kind: kind, Width: max(width, 1), PCs: callers()}
	if width < 1 {
		m.fail(s.PCs, "%s.%s: width %d: a value has at least 1 bit", m.ir.Name, name, width)
	}
	m.add(s)
	return s
}

// Let names an expression. Use it for expressions that deserve a name or are used more than once.
func (m *Module) Let(name string, v Value) Value {
	width := v.Width()
	if p, is := bad("let "+name, width, v); is {
		v = p
	}
	s := m.signal(ir.Named, name, max(width, 1))
	s.Driver = v.e
	if v.e.Op == ir.Poison {
		m.mistake(v.e.Err)
		return silent(width)
	}
	return ref(s)
}

// mistake reports the mistake that poisoned a value.
func (m *Module) mistake(err error) {
	if err != nil {
		m.errs = append(m.errs, err)
	}
}

// Wire is a value that is driven after it is first read: between instances, or by Drive.
type Wire struct {
	Value
	s *ir.Signal
}

// Wire declares a wire.
func (m *Module) Wire(name string, width int) Wire {
	s := m.signal(ir.Wire, name, width)
	return Wire{ref(s), s}
}

// Out is the end of the wire that an instance or Drive drives.
func (w Wire) Out() Out { return Out{s: w.s} }

// Drive sets the value of an output or wire, once.
func (m *Module) Drive(o Out, v Value) { m.drive(o, v) }

func (m *Module) drive(o Out, v Value) {
	pcs := callers()
	switch {
	case o.s == nil:
		m.fail(pcs, "drive: the output belongs to no module")
		return
	case v.e == nil || v.e.Op == ir.Shape:
		m.fail(pcs, "drive %s: no value given", o.s.Name)
		return
	case v.e.Op == ir.Poison:
		m.mistake(v.e.Err)
		v = silent(o.s.Width)
	case v.Width() != o.s.Width:
		m.fail(pcs, "drive: %s is %d bits, %s is %d bits", o.s.Name, o.s.Width, describe(v.e), v.Width())
		v = silent(o.s.Width)
	}
	m.add(&ir.Drive{Target: o.s, Value: v.e, PCs: pcs})
}

// Stream is the wires between a producer and a consumer inside a module, as a channel is in Go.
type Stream[T any] struct {
	sink   Sink[T]
	source Source[T]
}

// NewStream declares the wires of a stream.
func NewStream[T any](m *Module, name string, proto T) Stream[T] {
	s := Stream[T]{sink: NewSink(proto), source: NewSource(proto)}
	sinkEnd, sourceEnd := s.sink.leaves(name), s.source.leaves(name)
	for i := range sinkEnd {
		shape := Bits(1)
		if in := sinkEnd[i].in; in != nil {
			shape = *in
		}
		w := m.Wire(sinkEnd[i].name, m.fieldWidth(shape))
		w.s.Size = sizeOf(shape)
		for _, l := range []leaf{sinkEnd[i], sourceEnd[i]} {
			if l.in != nil {
				*l.in = w.Value
			} else {
				*l.out = w.Out()
			}
		}
	}
	return s
}

// sizeOf is the printed width of a prototype.
func sizeOf(v Value) ir.Size {
	if v.e == nil {
		return ir.Size{}
	}
	return v.e.Size
}

// fieldWidth is the width of a field of a bundle prototype.
func (m *Module) fieldWidth(v Value) int {
	if v.e != nil && v.e.Op == ir.Poison {
		m.mistake(v.e.Err)
	}
	return v.Width()
}

// Sink is the consumer's end.
func (s Stream[T]) Sink() Sink[T] { return s.sink }

// Source is the producer's end.
func (s Stream[T]) Source() Source[T] { return s.source }

// Resetting is the reset behaviour of a register.
type Resetting struct {
	value *big.Int
	label string
}

// NoReset leaves a register unknown until it is first set; for data qualified by a valid bit.
var NoReset = Resetting{}

// ResetTo resets a register to n.
func ResetTo(n uint64) Resetting { return Resetting{value: new(big.Int).SetUint64(n)} }

// Reg is a register; its value changes at the clock edge.
type Reg struct {
	Value
	s *ir.Signal
}

// Reg declares a register. Its name ends in _q.
func (m *Module) Reg(name string, width int, reset Resetting) Reg {
	s := m.signal(ir.Register, name, width)
	if !strings.HasSuffix(name, "_q") {
		m.fail(s.PCs, "%s.%s: a register's name ends in _q", m.ir.Name, name)
	}
	if reset.value != nil && reset.value.BitLen() > s.Width {
		m.fail(s.PCs, "%s.%s: the reset value %s does not fit in %d bits", m.ir.Name, name, reset.value, s.Width)
	}
	s.Reset, s.Label = reset.value, reset.label
	return Reg{ref(s), s}
}

// RegOf is one register for each field of a bundle.
type RegOf[T any] struct {
	Q    T
	regs []Reg
}

// NewRegOf declares the registers NAME_FIELD_q of a bundle.
func NewRegOf[T any](m *Module, name string, proto T, reset Resetting) RegOf[T] {
	r := RegOf[T]{Q: owned(proto)}
	for _, f := range bundle(&r.Q) {
		reg := m.SizedReg(join(name, f.name)+"_q", Size{m.fieldWidth(*f.value), sizeOf(*f.value)}, reset)
		r.regs = append(r.regs, reg)
		*f.value = reg.Value
	}
	return r
}

// Set loads every field.
func (r RegOf[T]) Set(data T) Stmt {
	var list Stmts
	for i, f := range bundle(&data) {
		list = append(list, r.regs[i].Set(*f.value))
	}
	return list
}

// Unused declares values that are deliberately not read. The reason is printed and must not be empty.
func (m *Module) Unused(why string, values ...Value) {
	if why == "" {
		m.mistake(poison(1, "unused: no reason; allowed: a text that says why nothing reads it").e.Err)
		return
	}
	for _, v := range values {
		if p, is := bad("unused", 1, v); is {
			m.mistake(p.e.Err)
			return
		}
		m.add(&ir.Unused{Value: v.e, Why: why, PCs: callers()})
	}
}

// Constant names a number; it is printed as a local parameter. Its name is in upper case. doc, if given, is its comment.
func (m *Module) Constant(name string, width int, n uint64, doc ...string) Value {
	v := Const(width, n)
	if v.e.Op == ir.Poison {
		m.mistake(v.e.Err)
		return silent(width)
	}
	m.add(&ir.Labels{List: []ir.Label{{Name: name, Width: width, Value: n, Doc: strings.Join(doc, " ")}}, PCs: callers()})
	v.e.Label = name
	return v
}

// Section opens a part of the module with a printed title.
func (m *Module) Section(title string) { m.add(ir.Section(title)) }

// Note prints a comment before the next item.
func (m *Module) Note(format string, args ...any) { m.add(ir.Comment(fmt.Sprintf(format, args...))) }
