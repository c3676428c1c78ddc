package gen_test

import (
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// squash maps a Go name and its port name to the same string.
func squash(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// move copies every field between a beat and its packed words; each port must have a field.
func (l *lane) move(t testing.TB, words []uint64, beat reflect.Value, f func(words []uint64, at simulator.Field, v reflect.Value)) {
	for _, p := range l.places(t, beat.Type()) {
		f(words, p.at, beat.FieldByIndex(p.field))
	}
}

// place is where a field of a beat is in its packed words.
type place struct {
	field []int
	at    simulator.Field
}

// places of the fields of a type of beat.
func (l *lane) places(t testing.TB, beat reflect.Type) []place {
	if l.beat == beat {
		return l.moves
	}
	l.beat, l.moves = beat, nil
	var walk func(of reflect.Type, name string, field []int)
	walk = func(of reflect.Type, name string, field []int) {
		if of.Kind() == reflect.Struct {
			for i := range of.NumField() {
				f, within := of.Field(i), name
				if !f.Anonymous {
					within += squash(f.Name)
				}
				walk(f.Type, within, append(slices.Clone(field), i))
			}
			return
		}
		at, is := l.fields[name]
		require.True(t, is, "%s has no port %s", l.stream.Name, name)
		l.moves = append(l.moves, place{field, at})
	}
	walk(beat, "", nil)
	require.Len(t, l.moves, len(l.fields), "%s has other fields than %s", beat, l.stream.Name)
	return l.moves
}

// oneHot is the index of the set bit of a one-hot field.
type oneHot int

func pack(words []uint64, at simulator.Field, v reflect.Value) {
	switch {
	case v.Type() == reflect.TypeFor[oneHot]():
		simulator.SetBits(words, at.Offset, at.Width, 1<<v.Int())
	case v.CanUint():
		simulator.SetBits(words, at.Offset, at.Width, v.Uint())
	case v.CanInt():
		simulator.SetBits(words, at.Offset, at.Width, uint64(v.Int()))
	case v.Kind() == reflect.Bool && v.Bool():
		simulator.SetBits(words, at.Offset, 1, 1)
	case v.Kind() == reflect.Array || v.Kind() == reflect.Slice:
		for i, o := range v.Bytes() {
			simulator.SetBits(words, at.Offset+8*i, 8, uint64(o))
		}
	}
}

func unpack(words []uint64, at simulator.Field, v reflect.Value) {
	if v.Kind() == reflect.Array || v.Kind() == reflect.Slice {
		if v.Kind() == reflect.Slice {
			v.SetBytes(make([]byte, at.Width/8))
		}
		for i, octets := 0, v.Bytes(); i < len(octets); i++ {
			octets[i] = byte(simulator.Bits(words, at.Offset+8*i, 8))
		}
		return
	}
	n := simulator.Bits(words, at.Offset, at.Width)
	switch {
	case v.Type() == reflect.TypeFor[oneHot]():
		v.SetInt(int64(bits.Len64(n)) - 1)
		if bits.OnesCount64(n) != 1 {
			v.SetInt(-1)
		}
	case v.CanUint():
		v.SetUint(n)
	case v.CanInt():
		v.SetInt(int64(n))
	default:
		v.SetBool(n == 1)
	}
}
