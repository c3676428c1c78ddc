package falcon_test

import (
	"fmt"
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Packets that make up no message, in all orders of arrival: the receive never ends in success (I-117, I-104).
func TestNoMessage(t *testing.T) {
	for name, tt := range map[string]struct {
		rule    spec.Rule
		packets func(g *target) []packet.Packet
	}{
		"overlap": {spec.Incomplete, func(g *target) []packet.Packet {
			return []packet.Packet{g.numbered(0x00, 1, 1, 0), g.numbered(0x01, 2, 1, mtu), g.numbered(0x01, 3, 1, mtu), g.numbered(0x02, 4, 1, 3*mtu)}
		}},
		"other order": {spec.Incomplete, func(g *target) []packet.Packet {
			return []packet.Packet{g.numbered(0x00, 1, 1, 0), g.numbered(0x01, 2, 1, 2*mtu), g.numbered(0x01, 3, 1, mtu), g.numbered(0x02, 4, 1, 3*mtu)}
		}},
		"Write inside a Send": {spec.OutOfPlace, func(g *target) []packet.Packet {
			return []packet.Packet{g.numbered(0x00, 1, 1, 0), g.numbered(0x0B, 2, 1, 0)}
		}},
		"Send's end of a Write": {spec.OutOfPlace, func(g *target) []packet.Packet {
			return []packet.Packet{g.numbered(0x06, 1, 1, 0), g.numbered(0x07, 2, 0, 0), g.numbered(0x02, 3, 1, 2*mtu)}
		}},
		"Read inside a Send": {spec.OutOfPlace, func(g *target) []packet.Packet {
			return []packet.Packet{g.numbered(0x00, 1, 1, 0), g.numbered(0x0C, 2, 1, 0), g.numbered(0x02, 3, 1, mtu)}
		}},
		"Atomic inside a Send": {spec.OutOfPlace, func(g *target) []packet.Packet {
			add := g.numbered(0x14, 2, 1, 0)
			add.VA, add.Data = remoteVA+0x800, 5
			return []packet.Packet{g.numbered(0x00, 1, 1, 0), add, g.numbered(0x02, 3, 1, mtu)}
		}},
		"no First": {spec.OutOfPlace, func(g *target) []packet.Packet {
			return []packet.Packet{g.numbered(0x01, 1, 1, mtu), g.numbered(0x02, 2, 1, 2*mtu)}
		}},
		"two Firsts": {spec.OutOfPlace, func(g *target) []packet.Packet {
			return []packet.Packet{g.numbered(0x00, 1, 1, 0), g.numbered(0x00, 2, 1, 0), g.numbered(0x02, 3, 1, mtu)}
		}},
		"no end": {spec.OutOfPlace, func(g *target) []packet.Packet {
			return []packet.Packet{g.numbered(0x00, 1, 1, 0), g.numbered(0x01, 2, 1, mtu), g.numbered(0x04, 3, 2, 0)}
		}},
		"two messages": {spec.BadRMSN, func(g *target) []packet.Packet {
			return []packet.Packet{g.numbered(0x00, 1, 1, 0), g.numbered(0x02, 2, 2, mtu)}
		}},
		"RMSN left out": {spec.BadRMSN, func(g *target) []packet.Packet {
			return []packet.Packet{g.numbered(0x0A, 1, 0, 0), g.numbered(0x04, 2, 2, 0)}
		}},
	} {
		for m := spec.Verbs; m <= spec.CompleteInError; m++ {
			t.Run(fmt.Sprint(name, m), func(t *testing.T) {
				for _, order := range orders(len(tt.packets(newTarget(t, newSetup(spec.QPRC, spec.Weak, m))))) {
					testNoMessage(t, newSetup(spec.QPRC, spec.Weak, m), tt.rule, order, tt.packets)
				}
			})
		}
	}
}

func testNoMessage(t *testing.T, s setup, rule spec.Rule, order []int, packets func(g *target) []packet.Packet) {
	g := newTarget(t, s)
	g.postReceive(1, 8*mtu)
	g.postReceive(2, 8*mtu)
	list := packets(g)
	for _, n := range order {
		if reply := g.send(list[n]).Reply; !g.e.InError(g.to[1]) {
			require.Equal(t, spec.Ack, reply)
		}
	}
	assert.EqualValues(t, 1, g.e.Broken(rule))
	_, received := g.completions(1)
	for _, c := range received {
		assert.NotEqual(t, falcon.Success, c.Status)
	}
	if rule == spec.Incomplete && s.errors == spec.CompleteInError {
		require.Len(t, received, 1)
		assert.Equal(t, falcon.LengthError, received[0].Status)
		assert.Equal(t, spec.Ack, g.send(g.numbered(0x04, uint32(len(list)+1), 2, 0)).Reply, "goes on")
		_, received = g.completions(1)
		assert.Equal(t, falcon.Success, received[0].Status)
		return
	}
	require.Len(t, received, 2)
	assert.Equal(t, []falcon.Event{{QP: g.to[1], Rule: rule}}, g.events(1))
	for _, p := range g.responses() { // an Atomic is not executed
		assert.Equal(t, must(p.Opcode).Kind != spec.Read, p.CE)
	}
	assert.Zero(t, g.e.Memory().Word(remoteAt+0x800))
}
