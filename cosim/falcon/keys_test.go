package falcon

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	golden "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// Packets of strongly ordered QPs invalidate R-Keys as they arrive, messages of weakly ordered ones when they complete, both a packet per cycle: none is
// forgotten that arrives in the cycle of another one.
func TestKeysInOneCycle(t *testing.T) {
	t.Parallel()
	c := small()
	d, err := Open(c, Options{Engine: "verilator", Seed: 1})
	require.NoError(t, err)
	defer func() { assert.NoError(t, d.Close()) }()
	order, _ := c.Order()
	const sink, spared = 1, 3 // rows from spared on are invalidated
	keys := c.STags - spared
	for round := range uint64(6) {
		require.NoError(t, d.Reset())
		region := memory.Region{Valid: true, Key: 7, Rights: memory.LocalWrite | memory.RemoteWrite | memory.Invalidate, ByDomain: true, Owner: 3, Length: 1 << 20}
		for row := range c.STags {
			require.NoError(t, d.SetRegion(row, region))
		}
		qps := make([]QP, c.Streams)
		for n := range qps {
			qps[n] = QP{Number: uint32(n), Ordering: []spec.Ordering{spec.Strong, spec.Weak}[n%2], Errors: spec.CompleteInError, Domain: 3, CID: uint32(n)}
			require.NoError(t, d.Connect(qps[n]))
			for i := range c.ReceiveDepth {
				d.PostReceive(uint32(n), uint64(i), golden.Element{Key: memory.STag(sink, 7), Length: 64})
			}
		}
		_, err := d.Run(1000, 0)
		require.NoError(t, err)
		sent := make([]uint32, len(qps))
		deliver := func(qp, row int, kind spec.Kind, suffix spec.Suffix) {
			p := packet.New(spec.Find(spec.RC, spec.PushRequest, kind, spec.Only, suffix))
			sent[qp]++
			p.DestinationQP, p.SN, p.RMSN, p.Payload = uint32(qp), sent[qp], sent[qp], []byte{1}
			p.Invalidate, p.RKey, p.Length = memory.STag(row, 7), memory.STag(row, 7), 1
			d.Deliver(Packet{Type: spec.PushRequest, CID: uint32(qp), RSN: uint32(row), Octets: p.Encode(nil, order)})
		}
		r := rand.New(rand.NewPCG(round, 2))
		for i := range keys {
			deliver(r.IntN(len(qps)), spared+i, spec.Send, spec.Invalidate)
		}
		_, err = d.Run(3000, 0)
		require.NoError(t, err)
		require.Len(t, d.Take().Completions, keys)
		for i := range keys {
			deliver(r.IntN(len(qps)), spared+i, spec.Write, spec.Plain)
		}
		_, err = d.Run(3000, 0)
		require.NoError(t, err)
		answers := d.Take().Answers
		require.Len(t, answers, keys)
		for _, a := range answers {
			assert.Equal(t, spec.CIE, a.Reply, "round %d, row %d", round, a.RSN)
		}
	}
}
