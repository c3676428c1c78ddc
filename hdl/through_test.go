package hdl_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
)

type throughPorts struct {
	A, B, C hdl.In
	X, Y, Z hdl.Out
}

// wired has paths from a to x, directly and through an instance, and from b to y through one; c and z meet in a register.
func wired() hdl.Block[throughPorts] {
	ports := func() throughPorts {
		return throughPorts{hdl.NewIn(1), hdl.NewIn(1), hdl.NewIn(1), hdl.NewOut(1), hdl.NewOut(1), hdl.NewOut(1)}
	}
	inner := hdl.Block[throughPorts]{Kind: "inner", Doc: "inner inverts two of three.", Ports: ports(), Build: func(m *hdl.Module, p throughPorts) {
		held := m.Reg("held_q", 1, hdl.NoReset)
		m.OnClock(held.Set(p.C.Value))
		m.Drive(p.X, p.A.Not())
		m.Drive(p.Y, m.Let("inverse", p.B.Not()))
		m.Drive(p.Z, held.Value)
	}}
	return hdl.Block[throughPorts]{Kind: "wired", Doc: "wired has an inner one.", Ports: ports(), Build: func(m *hdl.Module, p throughPorts) {
		x, y := m.Wire("turned", 1), m.Wire("other", 1)
		hdl.Instance(m, "core", inner, throughPorts{A: p.A, B: p.B, C: p.C, X: x.Out(), Y: y.Out(), Z: p.Z})
		m.Drive(p.X, p.A.And(x.Value))
		m.Drive(p.Y, y.Value)
	}}
}

// Each pair of ports is there once, with the shortest path; a register, in an instance too, ends one.
func TestThrough(t *testing.T) {
	d, err := hdl.Compile(wired())
	require.NoError(t, err)
	var paths []string
	for _, p := range d.Through() {
		paths = append(paths, fmt.Sprint(p))
	}
	assert.Equal(t, []string{"a -> x", "b -> other (core.y) -> y"}, paths)
}
