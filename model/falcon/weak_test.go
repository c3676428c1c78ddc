package falcon_test

import (
	"slices"
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// numbered returns a packet with numbers of its own.
func (g *target) numbered(o spec.Opcode, sn, rmsn, offset uint32) packet.Packet {
	p := g.packet(o)
	p.SN, p.RMSN, p.Offset = sn, rmsn, offset
	return p
}

// Packets of two Sends in any order are placed on arrival and completed in order (RoF 6.2, 8.3.3).
func TestWeakPlacement(t *testing.T) {
	g := newTarget(t, newSetup(spec.QPRC, spec.Weak, spec.Verbs))
	g.postReceive(1, 300)
	g.postReceive(2, 300)
	second := g.numbered(0x05, 4, 2, 0)
	second.Immediate, second.SE = 99, true
	for _, p := range []packet.Packet{second, g.numbered(0x02, 3, 1, 2*mtu), g.numbered(0x00, 1, 1, 0)} {
		assert.Equal(t, spec.Ack, g.send(p).Reply)
		_, received := g.completions(1)
		assert.Empty(t, received)
	}
	assert.Equal(t, second.Payload, g.octets(1, receiveAt+0x2000, mtu), "placed")
	assert.Equal(t, spec.Ack, g.send(g.numbered(0x01, 2, 1, mtu)).Reply)
	_, received := g.completions(1)
	assert.Equal(t, []falcon.Completion{
		{QP: g.to[1], ID: 1, Receive: true, Kind: spec.Send, Length: 3 * mtu},
		{QP: g.to[1], ID: 2, Receive: true, Kind: spec.Send, Length: mtu, Suffix: spec.Immediate, Immediate: 99, Solicited: true},
	}, received)
	assert.Equal(t, slices.Concat(second.Payload, second.Payload, second.Payload), g.octets(1, receiveAt+0x1000, 3*mtu))
}

// A Read is executed on arrival, an Atomic after all requests with lower SNs (I-70), in the order of SN with deliveries.
func TestWeakPulls(t *testing.T) {
	g := newTarget(t, newSetup(spec.QPRC, spec.Weak, spec.Verbs))
	g.e.Memory().SetWord(remoteAt, 5)
	add := func(sn, rmsn uint32) packet.Packet {
		p := g.numbered(0x14, sn, rmsn, 0)
		p.Data = 1
		return p
	}
	assert.Equal(t, spec.Ack, g.send(add(4, 3)).Reply)
	assert.Equal(t, spec.Ack, g.send(g.numbered(0x0C, 3, 2, 0)).Reply)
	list := g.responses()
	require.Len(t, list, 1, "the Read")
	assert.Equal(t, spec.Opcode(0x10), list[0].Opcode)
	assert.EqualValues(t, 3, list[0].SN)
	assert.Equal(t, []byte{5, 0, 0, 0, 0, 0, 0, 0}, list[0].Payload)
	assert.Equal(t, spec.Ack, g.send(add(2, 1)).Reply)
	assert.Empty(t, g.responses())
	g.postReceive(1, 100)
	assert.Equal(t, spec.Ack, g.send(g.numbered(0x04, 1, 1, 0)).Reply)
	list = g.responses()
	require.Len(t, list, 2)
	assert.EqualValues(t, 2, list[0].SN)
	assert.EqualValues(t, 5, list[0].Original)
	assert.EqualValues(t, 6, list[1].Original)
	assert.EqualValues(t, 7, g.e.Memory().Word(remoteAt))
}

// A Send with Invalidate takes effect when it is delivered: a later Atomic that has arrived before it finds the R-Key
// invalid, an earlier one does not.
func TestWeakInvalidate(t *testing.T) {
	for _, m := range []spec.ErrorMode{spec.Verbs, spec.CompleteInError} {
		g := newTarget(t, newSetup(spec.QPRC, spec.Weak, m))
		r, _ := g.e.Region(7)
		r.Rights |= memory.RemoteAtomic
		require.NoError(t, g.e.SetRegion(7, r))
		g.postReceive(1, 100)
		atomic := func(sn, rmsn uint32) packet.Packet {
			p := g.numbered(0x14, sn, rmsn, 0)
			p.RKey, p.VA, p.Data = spareKey, 0, 1
			return p
		}
		send := g.numbered(0x17, 3, 1, 0)
		send.Invalidate = spareKey
		for _, p := range []packet.Packet{atomic(5, 3), atomic(4, 2), send, atomic(2, 1)} {
			require.Equal(t, spec.Ack, g.send(p).Reply)
		}
		_, known := g.e.Region(7)
		require.True(t, known)
		require.Equal(t, spec.Ack, g.send(g.numbered(0x0A, 1, 0, 0)).Reply)
		before := g.e.Memory().Word(remoteAt)
		list := g.responses()
		require.Len(t, list, 3)
		assert.False(t, list[0].CE)
		assert.EqualValues(t, before, list[0].Original+1)
		assert.True(t, list[1].CE && list[2].CE)
		r, _ = g.e.Region(7)
		assert.False(t, r.Valid)
		_, received := g.completions(1)
		require.Len(t, received, 1)
		assert.Equal(t, spareKey, received[0].Invalidated)
		assert.Equal(t, m == spec.Verbs, g.e.InError(g.to[1]))
		events := g.events(1)
		if m == spec.Verbs {
			assert.Equal(t, []falcon.Event{{QP: g.to[1], Rule: spec.RKeyUnknown}}, events)
		} else {
			assert.Empty(t, events)
			assert.EqualValues(t, 2, g.e.Broken(spec.RKeyUnknown))
		}
	}
}

// Two Sends invalidate one R-Key: both arrive while it is valid (I-114).
func TestInvalidateTwice(t *testing.T) {
	for _, o := range []spec.Ordering{spec.Strong, spec.Weak} {
		g := newTarget(t, newSetup(spec.QPRC, o, spec.CompleteInError))
		g.postReceive(1, 100)
		g.postReceive(2, 100)
		first, second := g.numbered(0x17, 1, 1, 0), g.numbered(0x17, 2, 2, 0)
		first.Invalidate, second.Invalidate = spareKey, spareKey
		if o == spec.Weak {
			assert.Equal(t, spec.Ack, g.send(second).Reply)
			assert.Equal(t, spec.Ack, g.send(first).Reply)
			_, received := g.completions(1)
			require.Len(t, received, 2)
			assert.Equal(t, falcon.Success, received[1].Status)
			continue
		}
		assert.Equal(t, spec.Ack, g.send(first).Reply)
		assert.Equal(t, spec.CIE, g.send(second).Reply)
	}
}

// A pull that fails uses its RMSN up. One that is not expected, the next one or one of the window, ends the QP (I-116, I-121).
func TestPullRMSN(t *testing.T) {
	for o := spec.Strong; o <= spec.Unordered; o++ {
		g := newTarget(t, newSetup(spec.QPRC, o, spec.CompleteInError))
		for n := range 3 {
			p := g.packet(0x0C)
			if n == 0 {
				p.RKey = noKey
			}
			assert.Equal(t, spec.Ack, g.send(p).Reply)
			g.sn++
			g.pull++
			assert.Equal(t, n == 0, g.responses()[0].CE)
		}
		wrong := g.pull + 1
		if o != spec.Strong { // the last of the window, and the one in its place
			wrong = g.pull + 8
			for _, rmsn := range []uint32{g.pull + 7, g.pull + 15} {
				assert.Equal(t, spec.Ack, g.send(g.numbered(0x0C, g.sn, rmsn, 0)).Reply)
				g.sn++
				assert.False(t, g.responses()[0].CE)
			}
		}
		assert.Equal(t, spec.Ack, g.send(g.numbered(0x0C, g.sn, wrong, 0)).Reply)
		assert.True(t, g.responses()[0].CE)
		assert.Equal(t, []falcon.Event{{QP: g.to[1], Rule: spec.BadRMSN}}, g.events(1))
	}
}

// Octets of a message are missing although every SN has arrived (I-104).
func TestIncomplete(t *testing.T) {
	for _, m := range []spec.ErrorMode{spec.Verbs, spec.CompleteInError} {
		g := newTarget(t, newSetup(spec.QPRC, spec.Weak, m))
		g.postReceive(1, 300)
		g.postReceive(2, 300)
		assert.Equal(t, spec.Ack, g.send(g.numbered(0x00, 1, 1, 0)).Reply)
		assert.Equal(t, spec.Ack, g.send(g.numbered(0x02, 2, 1, 2*mtu)).Reply)
		assert.EqualValues(t, 1, g.e.Broken(spec.Incomplete))
		_, received := g.completions(1)
		assert.Equal(t, falcon.Completion{QP: g.to[1], ID: 1, Receive: true, Status: falcon.LengthError}, received[0])
		assert.Equal(t, m == spec.Verbs, g.e.InError(g.to[1]))
		events := g.events(1)
		if m == spec.Verbs {
			assert.Equal(t, []falcon.Event{{QP: g.to[1], Rule: spec.Incomplete}}, events)
			assert.Equal(t, falcon.Flushed, received[1].Status)
			continue
		}
		assert.Empty(t, events)
		assert.Equal(t, spec.Ack, g.send(g.numbered(0x04, 3, 2, 0)).Reply)
		_, received = g.completions(1)
		assert.Equal(t, falcon.Success, received[0].Status)
	}
}

// A second last packet of a message that is not complete.
func TestTwoEnds(t *testing.T) {
	g := newTarget(t, newSetup(spec.QPRC, spec.Weak, spec.CompleteInError))
	g.postReceive(1, 300)
	assert.Equal(t, spec.Ack, g.send(g.numbered(0x02, 2, 1, mtu)).Reply)
	assert.Equal(t, spec.NRE, g.send(g.numbered(0x04, 3, 1, 0)).Reply)
	assert.Equal(t, []falcon.Event{{QP: g.to[1], Rule: spec.BadRMSN}}, g.events(1))
	_, received := g.completions(1)
	require.Len(t, received, 1)
	assert.Equal(t, falcon.Flushed, received[0].Status)
}

// Packets of a message that has failed, and its last one with CE: the receive ends in error, nothing is placed by CE (I-74).
func TestCEAtTarget(t *testing.T) {
	for _, o := range []spec.Ordering{spec.Strong, spec.Weak} {
		g := newTarget(t, newSetup(spec.QPRC, o, spec.CompleteInError))
		g.postReceive(1, 300)
		g.postReceive(2, 300)
		g.good(0x00)
		p := g.packet(0x02)
		p.CE, p.Payload = true, []byte{1, 2, 3}
		before := g.octets(1, receiveAt+0x1000, 300)
		assert.Equal(t, spec.Ack, g.send(p).Reply)
		assert.Equal(t, before, g.octets(1, receiveAt+0x1000, 300))
		_, received := g.completions(1)
		assert.Equal(t, []falcon.Completion{{QP: g.to[1], ID: 1, Receive: true, Status: falcon.PeerError}}, received)
		g.sn++
		g.rmsn++

		// A Write: nothing to complete.
		g.good(0x06)
		p = g.packet(0x08)
		p.CE, p.RKey, p.Length = true, noKey, 7 // also not checked (I-27)
		assert.Equal(t, spec.Ack, g.send(p).Reply)
		g.sn++

		// CE has no meaning elsewhere (I-113).
		p = g.packet(0x0C)
		p.CE = true
		assert.Equal(t, spec.Ack, g.send(p).Reply)
		assert.False(t, g.responses()[0].CE)
		g.sn++
		g.pull++
		for n, code := range []spec.Opcode{0x00, 0x01} {
			p = g.packet(code)
			p.CE, p.Offset = true, uint32(n*mtu)
			assert.Equal(t, spec.Ack, g.send(p).Reply)
			g.sn++
		}
		p = g.packet(0x02)
		p.Offset = 2 * mtu
		assert.Equal(t, spec.Ack, g.send(p).Reply)
		_, received = g.completions(1)
		require.Len(t, received, 1)
		assert.Equal(t, falcon.Success, received[0].Status)
	}
}

// A Send on an unordered QP completes on arrival, and takes the receive with its number.
func TestUnordered(t *testing.T) {
	g := newTarget(t, newSetup(spec.QPRC, spec.Unordered, spec.CompleteInError))
	for id := range uint64(3) {
		g.postReceive(id+1, 100)
	}
	for _, rmsn := range []uint32{3, 1, 2} {
		assert.Equal(t, spec.Ack, g.send(g.numbered(0x04, 7, rmsn, 0)).Reply, "SN is not checked")
		_, received := g.completions(1)
		require.Len(t, received, 1)
		assert.EqualValues(t, rmsn, received[0].ID)
	}
	assert.Equal(t, spec.RNR, g.send(g.numbered(0x04, 8, 4, 0)).Reply)
	assert.Equal(t, spec.NRE, g.send(g.numbered(0x04, 9, 2, 0)).Reply, "again")
}

// Many Atomics on one word: each is executed once.
func TestConcurrentFetchAdd(t *testing.T) {
	for _, o := range []spec.Ordering{spec.Strong, spec.Weak, spec.Unordered} {
		for seed := range uint64(5) {
			b := newBench(t, newSetup(spec.QPRC, o, spec.CompleteInError), seed)
			for id := range uint64(60) {
				b.post(t, 0, falcon.WorkRequest{ID: id, Kind: spec.FetchAdd, Local: sink(uint32(8*id), 8), VA: remoteVA, RKey: remoteKey, Data: 1})
			}
			b.run(t)
			done, _ := b.completions(0)
			var originals []uint64
			for n, c := range done {
				assert.Equal(t, falcon.Success, c.Status)
				originals = append(originals, c.Original)
				if o != spec.Unordered {
					assert.EqualValues(t, n, c.Original, "in order")
				}
			}
			slices.Sort(originals)
			require.Len(t, originals, 60)
			for n, original := range originals {
				require.EqualValues(t, n, original)
			}
			assert.EqualValues(t, 60, b.node[1].Memory().Word(remoteAt))
		}
	}
}
