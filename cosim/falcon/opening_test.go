package falcon

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Packets far beyond the window of a QP that is being opened get an answer each, and the QP can fail all the same.
func TestPacketsDuringOpening(t *testing.T) {
	c := tiny()
	d, err := Open(c, Options{Engine: "verilator", Seed: 1})
	require.NoError(t, err)
	defer func() { assert.NoError(t, d.Close()) }()
	order, _ := c.Order()
	p := packet.New(spec.Find(spec.RC, spec.PushRequest, spec.Write, spec.Middle, spec.Plain))
	p.SN, p.Payload, p.Length = 100000, make([]byte, 4), 4
	for packets := 0; packets <= 160; packets += 8 {
		require.NoError(t, d.Reset())
		q := QP{Type: spec.QPRC, Ordering: spec.Weak, Errors: spec.CompleteInError, Domain: 3, Remote: 5}
		require.NoError(t, d.SetUp(q))
		for i := range packets {
			d.Deliver(Packet{Type: spec.PushRequest, RSN: uint32(i), Octets: p.Encode(nil, order)})
		}
		require.NoError(t, d.rx.Push(d.eng))
		require.NoError(t, d.OpenQP(q))
		_, err := d.Run(1000, 0)
		require.NoError(t, err)
		out := d.Take()
		assert.Len(t, out.Answers, packets)
		if len(out.Events) > 0 { // one of them arrived after the opening
			continue
		}
		require.NoError(t, d.Fail(0))
		_, err = d.Run(1000, 0)
		require.NoError(t, err)
		assert.Equal(t, []Event{{QP: 0, Kind: Ended}}, d.Take().Events, "%d packets", packets)
	}
}
