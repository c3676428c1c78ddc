package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Address handles that a UD QP cannot use (RoF 6.6).
func TestAddressErrors(t *testing.T) {
	for _, kind := range []spec.QPType{spec.QPRC, spec.QPXRCInitiator} {
		b := newBench(t, newSetup(kind, spec.Weak, spec.CompleteInError), 1)
		e := b.node[0]
		require.NoError(t, e.CreateConnection(falcon.ConnectionConfig{CID: 0x77, Window: 8}))
		require.NoError(t, e.CreateQP(falcon.QPConfig{Number: 0x700, Type: spec.QPUD, Ordering: spec.Weak, MTU: mtu, IRRQ: 1, ORD: 1, SendDepth: 9, Domain: domain}))
		post := func(a falcon.AddressHandle) error {
			return e.Post(falcon.WorkRequest{QP: 0x700, Kind: spec.Send, Local: source(0, 8), Address: a})
		}
		assert.EqualError(t, post(falcon.AddressHandle{CID: 5}), "falcon: CID of an address handle is 5; allowed: one that exists")
		assert.ErrorContains(t, post(falcon.AddressHandle{CID: b.cid[0]}), "falcon: CID of an address handle is 48; allowed: one without RC and XRC QPs")
		assert.EqualError(t, post(falcon.AddressHandle{CID: 0x77, QP: 1 << 24}), "falcon: QP of an address handle is 16777216; allowed: 0..16777215")
		_, some := e.Transmit(0x700)
		assert.False(t, some)

		// Nor has a connection that carries datagrams a QP of its own.
		require.NoError(t, post(falcon.AddressHandle{CID: 0x77, QP: 1<<24 - 1}))
		c := falcon.QPConfig{Number: 0x701, Type: kind, Ordering: spec.Weak, MTU: mtu, IRRQ: 1, ORD: 1, SendDepth: 1, CID: 0x77}
		assert.ErrorContains(t, e.CreateQP(c), "allowed: a connection of its own")
	}
}
