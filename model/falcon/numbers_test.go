package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The numbers of one QP and its connection are set, and no others.
func TestNumberOfOneQP(t *testing.T) {
	e, err := falcon.New(falcon.Config{Regions: 1, BufferOctets: 64})
	require.NoError(t, err)
	for n := range uint32(2) {
		many := newSetup(spec.QPRC, spec.Weak, spec.CompleteInError).credits
		require.NoError(t, e.CreateConnection(falcon.ConnectionConfig{CID: n, Window: 8, Credits: many}))
		require.NoError(t, e.CreateQP(falcon.QPConfig{Number: n, Type: spec.QPRC, Ordering: spec.Weak, Errors: spec.CompleteInError, MTU: mtu, CID: n, IRRQ: 1, ORD: 1, SendDepth: 2}))
	}
	e.SetNumber(1, 1<<32-1)
	for n, first := range []uint32{1, 1<<32 - 1} {
		for _, number := range []uint32{first, first + 1} {
			require.NoError(t, e.Post(falcon.WorkRequest{QP: uint32(n), Kind: spec.Send}))
			r, some := e.Transmit(uint32(n))
			require.True(t, some)
			var p packet.Packet
			require.Equal(t, spec.None, p.Decode(r.Octets, spec.Drawn))
			assert.Equal(t, []uint32{number, number}, []uint32{p.SN, p.RMSN})
		}
	}
}
