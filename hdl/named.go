package hdl

import (
	"cmp"
	"reflect"
)

// Named is an element of a slice of ports or bundle parts, so that their number can depend on the configuration: Name is inserted between
// the name of the slice's field and those of its own fields. Doc, if not empty, replaces the comment of the slice.
type Named[T any] struct {
	Name string
	Doc  string
	Of   T
}

func (Named[T]) named() {}

// Name returns a named element.
func Name[T any](name string, of T) Named[T] { return Named[T]{Name: name, Of: of} }

// namedPart is an element of a slice, as seen by reflect.
type namedPart struct {
	name, doc string
	of        reflect.Value
}

// namedParts are the elements of a slice of [Named]; doc is the comment of the slice. A value of another kind has none.
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

// ownParts replaces a slice of [Named] in v by a copy.
func ownParts(v reflect.Value) {
	if namedParts(v, "") == nil {
		return
	}
	own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(own, v)
	v.Set(own)
}
