package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/synth"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

const falconConnections = 8

// The bus is fully used: no cycle is lost between packets, whatever their types and lengths. Every packet type has every length up to three
// beats beyond its headers.
func TestFalconParserFullRate(t *testing.T) {
	for _, order := range []spec.BitOrder{spec.Drawn, spec.Mirrored} {
		for _, bus := range block.BusWidths {
			t.Run(fmt.Sprint(order, bus), func(t *testing.T) {
				r, run := random(19), falconMix(order, bus, 2000, 3*bus)
				for n := range 3*bus + 1 {
					for i := range spec.Operations {
						row := &spec.Operations[i]
						run.add(falconTransaction{row.Packet, r.Uint32(), r.Uint32N(falconConnections)}, falconPacket(r, row, order, n))
					}
				}
				b := run.open(t)
				run.check(t, b)
				s := b.stats("s_axis_rx")
				assert.Equal(t, s.Offered, s.Beats, "a beat was stalled")
			})
		}
	}
}

func TestFalconParserUnderStalls(t *testing.T) {
	for _, bus := range block.BusWidths {
		run := falconMix(spec.Drawn, bus, 300, 3*bus)
		t.Run(fmt.Sprint(bus), func(t *testing.T) {
			everyStall(t, func(t *testing.T, idle, pressure simulator.Stall) {
				b := run.open(t)
				b.stall(idle, pressure)
				run.check(t, b)
			})
		})
	}
}

// A packet enters while its record is not accepted, and its payload leaves, here all of it.
func TestFalconParserOutputsAreIndependent(t *testing.T) {
	for _, bus := range []int{8, 64} {
		run := &falconRun{busBytes: bus}
		run.checkWithoutRecords(t, run.open(t))
	}
}

// A packet of whole beats may end with an empty one: its pad is in the beat before.
func TestFalconParserEmptyEnd(t *testing.T) {
	for _, bus := range block.BusWidths {
		run := falconEmptyEnds(bus)
		run.check(t, run.open(t))
	}
}

// One connection, whose CID has the width of one bit, and many.
func TestFalconParserConnections(t *testing.T) {
	for _, connections := range []uint32{1, 1024} {
		for _, bus := range []int{8, 64} {
			run := falconMixOf(connections, spec.Drawn, bus, 300, 3*bus)
			run.add(falconTransaction{spec.PushRequest, 1, connections - 1}, falconPacket(random(22), &spec.Operations[0], run.order, bus))
			run.check(t, run.openFor(t, int(connections)))
		}
	}
}

// The longest packet, then a short one: no counter overflows.
func TestFalconParserLongestPacket(t *testing.T) {
	for _, bus := range block.BusWidths {
		r, b := random(20), (&falconRun{busBytes: bus}).open(t)
		for _, name := range []spec.Opcode{0x00, 0x0A, 0x10, 0x13} {
			run := &falconRun{busBytes: bus}
			row, _ := name.Operation()
			run.add(falconTransaction{row.Packet, 1, 2}, falconPacket(r, row, run.order, (65535-row.HeaderOctets())&^3))
			run.add(falconTransaction{row.Packet, 2, 3}, falconPacket(r, row, run.order, 8))
			run.check(t, b)
		}
	}
}

// A reset in any cycle of a packet drops everything in progress.
func TestFalconParserReset(t *testing.T) {
	for _, bus := range []int{8, 64} {
		r, run := random(21), &falconRun{busBytes: bus}
		row := &spec.Operations[0]
		run.add(falconTransaction{row.Packet, 1, 2}, falconPacket(r, row, run.order, 3*bus))
		b := run.open(t)
		for cycles := range 2 * len(run.rx) {
			push(b, "s_axis_rx", run.rx...)
			b.step(cycles)
			b.reset()
			run.check(t, b)
		}
	}
}

// No tool has a warning, and the estimated delay on UltraScale+ stays below a limit.
func TestFalconParserInTools(t *testing.T) {
	long.Test(t)
	t.Parallel()
	clean(t, falcon.Parser(spec.Drawn, 8, falconConnections))
	clean(t, falcon.Parser(spec.Mirrored, 64, falconConnections))
	d, err := hdl.Compile(falcon.Parser(spec.Drawn, 64, 64))
	require.NoError(t, err)
	target, err := synth.TargetNamed("xcup")
	require.NoError(t, err)
	r, err := synth.Run(d, target, synth.Options{Paths: 1})
	require.NoError(t, err)
	assert.LessOrEqual(t, r.Delay, 3.2, "%+v", r.Paths)
	assert.Greater(t, r.Delay, 0.7*3.2, "lower the limit")
}
