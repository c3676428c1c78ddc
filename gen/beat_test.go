package gen_test

import (
	"math/bits"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// squash maps a Go name and its port name to the same string.
func squash(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// move copies every field between a beat and its packed words; each port must have a field.
func (l *lane) move(t testing.TB, words []uint64, beat reflect.Value, f func(words []uint64, at simulator.Field, v reflect.Value)) {
	moved := 0
	var walk func(v reflect.Value, name string)
	walk = func(v reflect.Value, name string) {
		if v.Kind() == reflect.Struct {
			for i := range v.NumField() {
				if f := v.Type().Field(i); f.Anonymous {
					walk(v.Field(i), name)
				} else {
					walk(v.Field(i), name+squash(f.Name))
				}
			}
			return
		}
		at, is := l.fields[name]
		if !is {
			require.Fail(t, "no such port", "%s has no port %s", l.stream.Name, name)
		}
		f(words, at, v)
		moved++
	}
	walk(beat, "")
	if moved != len(l.fields) {
		require.Equal(t, len(l.fields), moved, "%s has other fields than %s", beat.Type(), l.stream.Name)
	}
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
