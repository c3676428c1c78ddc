package hdl

import (
	"reflect"
	"strings"
	"unicode"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// In is an input port: it can be read and cannot be driven.
type In struct{ Value }

// NewIn declares an input port of width bits.
func NewIn(width int) In { return In{Bits(width)} }

// Out is an output port or the driving end of a [Wire]; [Module.Drive] or one instance drives it.
type Out struct {
	s     *ir.Signal
	shape Value
}

// NewOut declares an output port of width bits.
func NewOut(width int) Out { return Out{shape: Bits(width)} }

// Sink delivers a stream of T. A beat is transferred in a cycle in which both Valid and ready are 1; until then valid stays 1 and Data is stable.
type Sink[T any] struct {
	Valid Value
	Data  T
	ready Out
}

// NewSink declares an input stream; the fields of proto are widths made by [Bits].
func NewSink[T any](proto T) Sink[T] {
	return Sink[T]{Valid: Bits(1), Data: owned(proto), ready: NewOut(1)}
}

// Accept drives ready.
func (s Sink[T]) Accept(m *Module, ready Value) { m.drive(s.ready, ready) }

// Source takes a stream of T; see [Sink] for the rule of the handshake.
type Source[T any] struct {
	Ready Value
	valid Out
	proto T
	data  []Out
}

// NewSource declares an output stream; the fields of proto are widths made by [Bits].
func NewSource[T any](proto T) Source[T] {
	return Source[T]{Ready: Bits(1), valid: NewOut(1), proto: owned(proto)}
}

// Drive drives valid and every field of data.
func (s Source[T]) Drive(m *Module, valid Value, data T) {
	m.drive(s.valid, valid)
	fields := bundle(&data)
	for i, o := range s.data {
		m.drive(o, *fields[i].value)
	}
}

// StreamNames lets a bundle choose the names of its handshake ports, as for AXI4-Stream.
type StreamNames interface{ StreamNames() (valid, ready string) }

func handshake(proto any) (valid, ready string) {
	if n, is := proto.(StreamNames); is {
		return n.StreamNames()
	}
	return "valid", "ready"
}

// bundleField is one Value inside a bundle, with the name that its path gives and the doc tag of its field.
type bundleField struct {
	name  string
	doc   string
	value *Value
}

var valueType = reflect.TypeFor[Value]()

// bundle lists the Values of the struct that p points to, in declaration order, nested ones too.
func bundle(p any) []bundleField { return bundleOf(reflect.ValueOf(p).Elem(), "", "") }

func bundleOf(v reflect.Value, prefix, doc string) []bundleField {
	if v.Type() == valueType {
		return []bundleField{{prefix, doc, v.Addr().Interface().(*Value)}}
	}
	if v.Kind() == reflect.Interface && !v.IsNil() {
		return bundleOf(opened(v), prefix, doc)
	}
	var out []bundleField
	for _, part := range namedParts(v, doc) {
		out = append(out, bundleOf(part.of, join(prefix, part.name), part.doc)...)
	}
	if v.Kind() != reflect.Struct {
		return out
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.IsExported() {
			out = append(out, bundleOf(v.Field(i), join(prefix, fieldName(f)), docOf(v, f))...)
		}
	}
	return out
}

// Documented is a bundle that replaces doc tags of its fields; "" leaves that of a field.
type Documented interface{ Doc(field string) string }

func docOf(v reflect.Value, f reflect.StructField) string {
	if d, is := v.Interface().(Documented); is {
		if doc := d.Doc(f.Name); doc != "" {
			return doc
		}
	}
	return f.Tag.Get("doc")
}

// opened is the bundle in a field of an interface type. A block forwards such a field without knowing its type; the code that does finds
// a pointer there.
func opened(v reflect.Value) reflect.Value {
	if v.Elem().Kind() != reflect.Pointer {
		own(v, v.Elem())
	}
	return v.Elem().Elem()
}

// own replaces the bundle in a field of an interface type by a copy.
func own(v, bundle reflect.Value) {
	p := reflect.New(bundle.Type())
	p.Elem().Set(bundle)
	v.Set(p)
}

// owned is a copy of a bundle that shares no field of an interface type with it.
func owned[T any](bundle T) T {
	ownFields(reflect.ValueOf(&bundle).Elem())
	return bundle
}

func ownFields(v reflect.Value) {
	switch {
	case v.Type() == valueType:
	case v.Kind() == reflect.Interface && !v.IsNil():
		own(v, opened(v))
		ownFields(v.Elem().Elem())
	case v.Kind() == reflect.Slice:
		ownParts(v)
		for _, part := range namedParts(v, "") {
			ownFields(part.of)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				ownFields(v.Field(i))
			}
		}
	}
}

// fieldName is the hdl tag or the Go name in snake case, a run of capitals being one word. The tag "-" gives
// no name of its own, so that nested fields keep theirs.
func fieldName(f reflect.StructField) string {
	if tag, is := f.Tag.Lookup("hdl"); is {
		if tag == "-" {
			return ""
		}
		return tag
	}
	return snake(f.Name)
}

func snake(name string) string {
	var b strings.Builder
	r := []rune(name)
	for i, c := range r {
		if unicode.IsUpper(c) && i > 0 {
			next := i+1 < len(r) && unicode.IsLower(r[i+1])
			if !unicode.IsUpper(r[i-1]) || next {
				b.WriteByte('_')
			}
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

func join(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + "_" + b
}

// leaf is one wire of a port. Exactly one of in and out is set.
type leaf struct {
	name string
	doc  string
	in   *Value
	out  *Out
}

// stream lists the leaves of a stream, by position in their port: valid, ready, then the fields.
type port interface {
	leaves(name string) []leaf
	sink() (isStream, isSink bool)
}

func (p *In) leaves(name string) []leaf  { return []leaf{{name: name, in: &p.Value}} }
func (p *In) sink() (bool, bool)         { return false, false }
func (p *Out) leaves(name string) []leaf { return []leaf{{name: name, out: p}} }
func (p *Out) sink() (bool, bool)        { return false, false }

func (s *Sink[T]) leaves(name string) []leaf {
	valid, ready := handshake(s.Data)
	out := []leaf{{name: join(name, valid), in: &s.Valid}, {name: join(name, ready), out: &s.ready}}
	for _, f := range bundle(&s.Data) {
		out = append(out, leaf{name: join(name, f.name), doc: f.doc, in: f.value})
	}
	return out
}

func (s *Sink[T]) sink() (bool, bool) { return true, true }

func (s *Source[T]) leaves(name string) []leaf {
	valid, ready := handshake(s.proto)
	out := []leaf{{name: join(name, valid), out: &s.valid}, {name: join(name, ready), in: &s.Ready}}
	fields := bundle(&s.proto)
	if s.data == nil {
		s.data = make([]Out, len(fields))
		for i, f := range fields {
			s.data[i].shape = *f.value
		}
	}
	for i, f := range fields {
		out = append(out, leaf{name: join(name, f.name), doc: f.doc, out: &s.data[i]})
	}
	return out
}

func (s *Source[T]) sink() (bool, bool) { return true, false }

type namedPort struct {
	name  string
	doc   string
	port  port
	group string // title of its struct
}

// title is that of the ports that belong together: a stream alone, or the plain ports of one struct.
func (p namedPort) title() string {
	if stream, _ := p.port.sink(); stream {
		return titled(p.name, p.doc)
	}
	return p.group
}

func titled(name, doc string) string {
	if doc == "" {
		return name
	}
	return name + ": " + doc
}

// portList finds the ports in the struct that p points to. A nil pointer is a port that the block does
// not have in this configuration.
func portList(p any) []namedPort { return portsOf(reflect.ValueOf(p).Elem(), "", "", "") }

func portsOf(v reflect.Value, name, doc, group string) []namedPort {
	if v.CanAddr() {
		if p, is := v.Addr().Interface().(port); is {
			return []namedPort{{name, doc, p, group}}
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return portsOf(v.Elem(), name, doc, group)
	case reflect.Slice:
		var out []namedPort
		for _, part := range namedParts(v, doc) {
			out = append(out, portsOf(part.of, join(name, part.name), part.doc, group)...)
		}
		return out
	case reflect.Struct:
		var out []namedPort
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				out = append(out, portsOf(v.Field(i), join(name, fieldName(f)), f.Tag.Get("doc"), titled(name, doc))...)
			}
		}
		return out
	}
	return nil
}

// clonePorts copies a ports struct so that connecting one instance of a block does not affect others.
func clonePorts[P any](p P) *P {
	out := p
	clonePointers(reflect.ValueOf(&out).Elem())
	return &out
}

func clonePointers(v reflect.Value) {
	if v.CanAddr() {
		if s, is := v.Addr().Interface().(interface{ detach() }); is {
			s.detach()
			return
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.CanSet() {
			c := reflect.New(v.Type().Elem())
			c.Elem().Set(v.Elem())
			v.Set(c)
			clonePointers(c.Elem())
		}
	case reflect.Slice:
		ownParts(v)
		for _, part := range namedParts(v, "") {
			clonePointers(part.of)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				clonePointers(v.Field(i))
			}
		}
	}
}

func (s *Source[T]) detach() { s.data, s.proto = append([]Out(nil), s.data...), owned(s.proto) }

func (s *Sink[T]) detach() { s.Data = owned(s.Data) }
