package hdl

// Pack joins the fields of a bundle into one value, the first field most significant; [Unpack] is its inverse.
func Pack[T any](data T) Value {
	var parts []Value
	for _, f := range bundle(&data) {
		parts = append(parts, *f.value)
	}
	return Cat(parts...)
}

// Unpack splits what [Pack] joined into a bundle with the widths of proto.
func Unpack[T any](proto T, packed Value) T {
	proto = owned(proto)
	top := packed.Width() - 1
	for _, f := range bundle(&proto) {
		width := f.value.Width()
		*f.value = packed.Slice(top, top-width+1)
		top -= width
	}
	return proto
}

// PackedWidth is the width of a bundle like proto after [Pack].
func PackedWidth[T any](proto T) int {
	width := 0
	for _, f := range bundle(&proto) {
		width += f.value.Width()
	}
	return width
}

// LetOf names every field of a bundle NAME_FIELD, as [Module.Let] does.
func LetOf[T any](m *Module, name string, data T) T {
	data = owned(data)
	for _, f := range bundle(&data) {
		*f.value = m.Let(join(name, f.name), *f.value)
	}
	return data
}

// SinkOf converts a stream of an opaque bundle to the type that its consumer knows.
func SinkOf[T any](s Sink[any]) Sink[T] {
	return Sink[T]{Valid: s.Valid, Data: *s.Data.(*T), ready: s.ready}
}

// SourceOf is [SinkOf] for the producer's end.
func SourceOf[T any](s Source[any]) Source[T] {
	return Source[T]{Ready: s.Ready, valid: s.valid, proto: *s.proto.(*T), data: s.data}
}

// PackSink is a stream with its fields joined into one value, for a block that treats them as opaque. P is a bundle of one field.
func PackSink[P, T any](s Sink[T]) Sink[P] {
	out := Sink[P]{Valid: s.Valid, ready: s.ready}
	*bundle(&out.Data)[0].value = Pack(s.Data)
	return out
}

// PackSource is [PackSink] for the producer's end. The joined value is the wire name.
func PackSource[P, T any](m *Module, name string, s Source[T]) Source[P] {
	w := m.Wire(name, PackedWidth(s.proto))
	fields := Unpack(s.proto, w.Value)
	for i, f := range bundle(&fields) {
		m.drive(s.data[i], *f.value)
	}
	return Source[P]{Ready: s.Ready, valid: s.valid, data: []Out{w.Out()}}
}
