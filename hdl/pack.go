package hdl

// Pack joins the fields of a bundle to one value, the first field most significant; [Unpack] is its inverse.
func Pack[T any](data T) Value {
	var parts []Value
	for _, f := range bundle(&data) {
		parts = append(parts, *f.value)
	}
	return Cat(parts...)
}

// Unpack splits what [Pack] joined into a bundle with the widths of proto.
func Unpack[T any](proto T, packed Value) T {
	top := packed.Width() - 1
	for _, f := range bundle(&proto) {
		width := f.value.Width()
		*f.value = packed.Slice(top, top-width+1)
		top -= width
	}
	return proto
}

// PackedWidth is the width of what [Pack] makes of a bundle like proto.
func PackedWidth[T any](proto T) int {
	width := 0
	for _, f := range bundle(&proto) {
		width += f.value.Width()
	}
	return width
}

// LetOf names every field of a bundle NAME_FIELD, as [Module.Let] does.
func LetOf[T any](m *Module, name string, data T) T {
	for _, f := range bundle(&data) {
		*f.value = m.Let(join(name, f.name), *f.value)
	}
	return data
}
