package system_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	hardware "github.com/rnicgen/rnicgen/cosim/system"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/system"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Delays are of the hardware alone: they can be measured again, from another initial state, and with other memory.
func TestMeasureDoesNotDependOnMemory(t *testing.T) {
	for _, bus := range []int{8, 64} {
		c := small(bus)
		design, err := hardware.DesignOf(c)
		require.NoError(t, err)
		var first hardware.Delays
		for i, o := range []hardware.Options{{Latency: 20}, {Latency: 20, Seed: 5}, {Latency: 100}} {
			o.Engine, o.Design = "go", design
			d, err := hardware.Measure(c, o)
			require.NoError(t, err)
			if i == 0 {
				first = d
				text, err := json.MarshalIndent(d, "", " ")
				require.NoError(t, err)
				t.Log(string(text))
			}
			assert.Equal(t, first, d)
		}
	}
}

// In the network, a message takes the delays, the latency of memory, and the cycles that messages take between components.
func TestDelaysAddUp(t *testing.T) {
	const latency, start = 30, 100
	// Akita's memory takes an access half a cycle after it was sent, and the hardware the answer half a cycle after it was.
	const access = latency + 1
	c := small(32)
	design, err := hardware.DesignOf(c)
	require.NoError(t, err)
	d, err := hardware.Measure(c, hardware.Options{Engine: "go", Design: design})
	require.NoError(t, err)
	buffer := rdmap.Buffer{STag: stag}
	message := func(op wire.Opcode) rdmap.WorkRequest {
		return rdmap.WorkRequest{Opcode: op, Signaled: true, Length: 32, Local: buffer, Remote: buffer}
	}
	open := func() *rig { return newRig(t, setting{config: c, design: design, latency: latency}) }

	r := open()
	r.host.work(start, message(wire.OpWrite))
	r.run()
	left := system.Cycle(start + 1 + d.WorkToFetch + access + d.FetchToLastBeat)
	assert.Equal(t, []system.Cycle{left + 1}, r.peer.log, "the segment of a Write")
	assert.Equal(t, []system.Cycle{left + system.Cycle(d.BeatToDone) + 1}, r.host.times, "the completion of a Write")

	r = open()
	r.peer.do(start, func() { require.NoError(t, r.peer.model.PostWork(message(wire.OpReadRequest))) })
	r.run()
	beats := system.Beats(18+28, c.BusBytes) // of a Read Request
	left = system.Cycle(start + beats + d.ArriveToRead + access + d.FetchToResponse + system.Beats(14+32, c.BusBytes) - 1)
	assert.Equal(t, []system.Cycle{left + 1}, r.peer.log, "a Read Response")

	r = open()
	r.host.receive(0, rdmap.ReceiveRequest{Stream: uint32(c.Streams - 1), Buffer: buffer, Length: 32})
	r.peer.do(start, func() {
		send := message(wire.OpSend)
		send.Remote = rdmap.Buffer{}
		require.NoError(t, r.peer.model.PostWork(send))
	})
	r.run()
	placed := start + system.Beats(18+32, c.BusBytes) + d.ArriveToPlace + access
	assert.Equal(t, []system.Cycle{system.Cycle(placed + d.PlaceToReceive + 1)}, r.host.times, "the completion of a receive request")
}
