package hdl

import "reflect"

// Named is one of several ports or parts of a bundle of the same kind, in a slice: Name comes between the name of the slice's field and
// those of its own fields. So a block has as many as its configuration wants.
type Named[T any] struct {
	Name string
	Of   T
}

func (Named[T]) named() {}

// Name names one of a slice.
func Name[T any](name string, of T) Named[T] { return Named[T]{name, of} }

// namedParts are the parts of a slice of [Named], and their names; nil for a value of another kind.
func namedParts(v reflect.Value) (names []string, parts []reflect.Value) {
	if v.Kind() != reflect.Slice || !v.Type().Elem().Implements(reflect.TypeFor[interface{ named() }]()) {
		return nil, nil
	}
	for i := range v.Len() {
		names, parts = append(names, v.Index(i).Field(0).String()), append(parts, v.Index(i).Field(1))
	}
	return names, parts
}

// ownParts makes a slice of [Named] that v holds one of its own.
func ownParts(v reflect.Value) {
	if _, parts := namedParts(v); parts == nil {
		return
	}
	own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(own, v)
	v.Set(own)
}
