package hdl

import (
	"cmp"
	"reflect"
)

// Named is one of several ports or parts of a bundle of the same kind, in a slice: Name comes between the name of the slice's field and
// those of its own fields. So a block has as many as its configuration wants. Doc, if there is one, is its comment in place of that of
// the slice.
type Named[T any] struct {
	Name string
	Doc  string
	Of   T
}

func (Named[T]) named() {}

// Name names one of a slice.
func Name[T any](name string, of T) Named[T] { return Named[T]{Name: name, Of: of} }

// namedPart is one of a slice, as reflect has it.
type namedPart struct {
	name, doc string
	of        reflect.Value
}

// namedParts are the parts of a slice of [Named]; doc is the comment of the slice. A value of another kind has none.
func namedParts(v reflect.Value, doc string) (parts []namedPart) {
	if v.Kind() != reflect.Slice || !v.Type().Elem().Implements(reflect.TypeFor[interface{ named() }]()) {
		return nil
	}
	for i := range v.Len() {
		e := v.Index(i)
		parts = append(parts, namedPart{e.Field(0).String(), cmp.Or(e.Field(1).String(), doc), e.Field(2)})
	}
	return parts
}

// ownParts makes a slice of [Named] that v holds one of its own.
func ownParts(v reflect.Value) {
	if namedParts(v, "") == nil {
		return
	}
	own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(own, v)
	v.Set(own)
}
