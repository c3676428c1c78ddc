package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A Read whose pull fails sends no more pulls (I-111): it completes with its last open pull, also while Xoff.
func TestReadError(t *testing.T) {
	for o := spec.Strong; o <= spec.Unordered; o++ {
		s := newSetup(spec.QPRC, o, spec.CompleteInError)
		s.ord = 2
		b := newBench(t, s, 1)
		b.post(t, 0, falcon.WorkRequest{ID: 1, Kind: spec.Read, Local: sink(0, 5*mtu), VA: remoteVA, RKey: noKey})
		e, peer := b.node[0], b.node[1]
		var rsn []uint32
		for r, some := e.Transmit(b.qp[0]); some; r, some = e.Transmit(b.qp[0]) {
			rsn = append(rsn, r.RSN)
			r.CID = b.cid[1]
			require.Equal(t, spec.Ack, peer.Receive(r).Reply)
		}
		require.Len(t, rsn, 2)
		e.SetXoff(true)
		for n := range rsn {
			sent, _ := b.completions(0)
			assert.Empty(t, sent)
			r, some := peer.Respond()
			require.True(t, some)
			e.Answered(falcon.Response{CID: b.cid[0], RSN: rsn[n], Octets: r.Octets})
		}
		sent, _ := b.completions(0)
		require.Len(t, sent, 1)
		assert.Equal(t, falcon.RemoteError, sent[0].Status)
		e.SetXoff(false)
		_, some := e.Transmit(b.qp[0])
		assert.False(t, some)
	}
}
