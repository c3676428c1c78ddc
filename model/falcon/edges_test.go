package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The last RMSN of a message while that of the first is missing: on a receive queue of its own those of all posted receives may arrive,
// and later ones get RNR; on a shared queue 256 may arrive (I-72).
func TestLastRMSNOfWindow(t *testing.T) {
	for _, o := range []spec.Ordering{spec.Weak, spec.Unordered} {
		for _, shared := range []bool{false, true} {
			s := newSetup(spec.QPRC, o, spec.CompleteInError)
			s.shared = shared
			g := newTarget(t, s)
			for id := range uint64(spec.MessageWindow + 1) {
				g.receive(1, falcon.ReceiveRequest{ID: id, Local: buffer(0, mtu)})
			}
			assert.Equal(t, spec.Ack, g.send(g.numbered(0x04, 2, spec.MessageWindow, 0)).Reply)
			if shared {
				assert.Equal(t, spec.NRE, g.send(g.numbered(0x04, 3, spec.MessageWindow+1, 0)).Reply)
				assert.EqualValues(t, 1, g.e.Broken(spec.BadRMSN))
				continue
			}
			assert.Equal(t, spec.Ack, g.send(g.numbered(0x04, 3, spec.MessageWindow+1, 0)).Reply)
			assert.Equal(t, spec.RNR, g.send(g.numbered(0x04, 4, spec.MessageWindow+2, 0)).Reply)
		}
	}
}

// Message Offset above 16 bits.
func TestLongSend(t *testing.T) {
	for _, o := range []spec.Ordering{spec.Strong, spec.Weak} {
		b := newBench(t, newSetup(spec.QPRC, o, spec.CompleteInError), 1)
		b.receive(1, falcon.ReceiveRequest{ID: 1, Local: buffer(0, 0x1_0100)})
		b.post(t, 0, falcon.WorkRequest{ID: 1, Kind: spec.Send, Local: source(0, 0x1_0100)})
		b.run(t)
		_, received := b.completions(1)
		require.Len(t, received, 1)
		assert.Equal(t, falcon.Success, received[0].Status)
		assert.EqualValues(t, 0x1_0100, received[0].Length)
		assert.Equal(t, b.octets(0, sourceAt, 0x1_0100), b.octets(1, receiveAt, 0x1_0100))
	}
}

// The end of a packet's octets is above 32 bits.
func TestLastOffset(t *testing.T) {
	g := newTarget(t, newSetup(spec.QPRC, spec.Weak, spec.CompleteInError))
	g.postReceive(1, 4*mtu)
	before := g.octets(1, receiveAt, 0x2000)
	assert.Equal(t, spec.CIE, g.send(g.numbered(0x01, 1, 1, 1<<32-mtu)).Reply)
	assert.EqualValues(t, 1, g.e.Broken(spec.TooLong))
	assert.Equal(t, before, g.octets(1, receiveAt, 0x2000))
}

// More octets than the last packet says (I-104).
func TestOctetsBehindLast(t *testing.T) {
	g := newTarget(t, newSetup(spec.QPRC, spec.Weak, spec.CompleteInError))
	g.postReceive(1, 8*mtu)
	for n, offset := range []uint32{0, mtu, 2 * mtu, mtu} {
		code := []spec.Opcode{0x00, 0x01, 0x01, 0x02}[n]
		assert.Equal(t, spec.Ack, g.send(g.numbered(code, uint32(n+1), 1, offset)).Reply)
	}
	_, received := g.completions(1)
	assert.Equal(t, []falcon.Completion{{QP: g.to[1], ID: 1, Receive: true, Status: falcon.LengthError}}, received)
}

// An Atomic is aligned in memory, not by its virtual address (I-25).
func TestAlignment(t *testing.T) {
	g := newTarget(t, newSetup(spec.QPRC, spec.Strong, spec.CompleteInError))
	region := regions[3]
	region.Base = remoteVA + 3
	require.NoError(t, g.e.SetRegion(3, region))
	for va, ce := range map[uint64]bool{remoteVA + 3: false, remoteVA + 8: true} {
		p := g.packet(0x14)
		p.VA, p.Data = va, 5
		assert.Equal(t, spec.Ack, g.send(p).Reply)
		g.sn++
		g.pull++
		list := g.responses()
		require.Len(t, list, 1)
		assert.Equal(t, ce, list[0].CE)
	}
	assert.EqualValues(t, 5, g.e.Memory().Word(remoteAt))
}
