package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A peer names a shared receive queue of another XRC domain: as an unknown one, and its receive stays (I-119).
func TestXRCDomain(t *testing.T) {
	for o := spec.Strong; o <= spec.Unordered; o++ {
		g := newTarget(t, newSetup(spec.QPXRCInitiator, o, spec.CompleteInError))
		require.NoError(t, g.e.CreateSRQ(6))
		g.e.SetXRCDomain(6, 1)
		g.e.PostShared(6, falcon.ReceiveRequest{ID: 66, Local: buffer(0, 200)})
		g.postReceive(1, 200)
		for _, code := range []spec.Opcode{0xA4, 0xAB, 0xB7} {
			p := g.packet(code)
			p.SRQ, p.Invalidate = 6, spareKey
			assert.Equal(t, spec.InvalidRequest, g.send(p).Code)
			g.sn++
			g.rmsn++
		}
		assert.EqualValues(t, 3, g.e.Broken(spec.UnknownSRQ))
		assert.Equal(t, make([]byte, 200), g.octets(1, receiveAt, 200))
		_, received := g.completions(1)
		assert.Empty(t, received)

		require.NoError(t, g.e.CreateConnection(falcon.ConnectionConfig{CID: otherCID, Ordered: o == spec.Strong, Window: 8}))
		require.NoError(t, g.e.CreateQP(falcon.QPConfig{Number: 0x700, Type: spec.QPXRCTarget, Ordering: o, Errors: spec.CompleteInError, Domain: domain, MTU: mtu,
			CID: otherCID, IRRQ: 1, ORD: 1, SendDepth: 1, XRCDomain: 1}))
		p := g.packet(0xA4)
		p.DestinationQP, p.SN, p.RMSN, p.SRQ = 0x700, 1, 1, 6
		a := g.e.Receive(falcon.Request{CID: otherCID, Type: spec.PushRequest, Octets: p.Encode(nil, g.bits)})
		assert.Equal(t, spec.Ack, a.Reply, "the QP of its domain")
		c, _ := g.e.NextCompletion()
		assert.Equal(t, falcon.Completion{QP: 0x700, ID: 66, Receive: true, Kind: spec.Send, Length: mtu}, c)
	}
}
