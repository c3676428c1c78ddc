package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Verbs compatible: a packet whose payload or length is wrong ends the receive that its message has taken in error, others
// are flushed (I-103).
func TestVerbsEndsReceive(t *testing.T) {
	for _, o := range []spec.Ordering{spec.Strong, spec.Weak} {
		for _, code := range []spec.Opcode{0x01, 0x02} {
			g := newTarget(t, newSetup(spec.QPRC, o, spec.Verbs))
			g.postReceive(1, 300)
			g.postReceive(2, 300)
			g.good(0x00)
			p := g.packet(code)
			p.Payload = make([]byte, mtu+4)
			assert.Equal(t, spec.NRE, g.send(p).Reply)
			assert.Equal(t, []falcon.Event{{QP: g.to[1], Rule: spec.BadPayload}}, g.events(1))
			_, received := g.completions(1)
			assert.Equal(t, []falcon.Completion{
				{QP: g.to[1], ID: 1, Receive: true, Status: falcon.PeerError},
				{QP: g.to[1], ID: 2, Receive: true, Status: falcon.Flushed},
			}, received)
		}
	}
	// A Write inside a Send is of no message.
	g := newTarget(t, newSetup(spec.QPRC, spec.Strong, spec.Verbs))
	g.postReceive(1, 300)
	g.good(0x00)
	p := g.packet(0x0B)
	p.Length++
	assert.Equal(t, spec.NRE, g.send(p).Reply)
	_, received := g.completions(1)
	assert.Equal(t, []falcon.Completion{{QP: g.to[1], ID: 1, Receive: true, Status: falcon.Flushed}}, received)
}

// XRC: the first packet of a message decides on its queue, also if the packet fails: a later one changes neither an unknown
// queue nor a known one (I-112).
func TestXRCQueueOfFirst(t *testing.T) {
	for _, o := range []spec.Ordering{spec.Strong, spec.Weak} {
		g := newTarget(t, newSetup(spec.QPXRCInitiator, o, spec.CompleteInError))
		g.postReceive(1, 300)
		p := g.packet(0xA0)
		p.SRQ = 5
		assert.Equal(t, spec.CIE, g.send(p).Reply)
		g.sn++
		require.NoError(t, g.e.CreateSRQ(5))
		g.e.PostShared(5, falcon.ReceiveRequest{ID: 55, Local: buffer(0, 300)})
		for _, srq := range []uint32{srqNumber, 5} {
			p = g.packet(0xA1)
			p.SRQ = srq
			assert.Equal(t, spec.CIE, g.send(p).Reply)
			g.sn++
		}
		p = g.packet(0xA2)
		p.Offset = 3 * mtu
		assert.Equal(t, spec.CIE, g.send(p).Reply)
		g.sn++
		g.rmsn++
		assert.EqualValues(t, 4, g.e.Broken(spec.UnknownSRQ))
		_, received := g.completions(1)
		assert.Empty(t, received)

		require.NoError(t, g.e.CreateSRQ(6)) // no receive
		p = g.packet(0xA0)
		p.SRQ, p.Payload = 6, make([]byte, mtu+4)
		assert.Equal(t, spec.RNR, g.send(p).Reply)
		g.e.PostShared(6, falcon.ReceiveRequest{ID: 66, Local: buffer(0, 300)})
		assert.Equal(t, spec.CIE, g.send(p).Reply)
		g.sn++
		g.good(0xA2)
		g.good(0xA4)
		_, received = g.completions(1)
		require.Len(t, received, 2)
		assert.Equal(t, falcon.Completion{QP: g.to[1], ID: 66, Receive: true, Status: falcon.PeerError}, received[0])
		assert.EqualValues(t, 1, received[1].ID)
		assert.Equal(t, falcon.Success, received[1].Status)
	}
}
