package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/assert"
)

// Whatever a peer sends as pulls, also to a QP in Error, the target stores no more responses than its IRRQ has entries; one that
// has left makes room for one (I-120).
func TestIRRQBoundsResponses(t *testing.T) {
	for o := spec.Strong; o <= spec.Unordered; o++ {
		for name, octets := range map[string]func([]byte) []byte{
			"reserved opcode": opcode(0x15), "short": func(b []byte) []byte { return b[:20] }, "good": func(b []byte) []byte { return b },
		} {
			g := newTarget(t, newSetup(spec.QPRC, o, spec.CompleteInError))
			send := func() spec.Reply {
				a := g.raw(spec.PullRequest, octets(g.packet(0x0C).Encode(nil, g.bits)))
				if a.Reply == spec.Ack {
					g.sn++
					g.pull++
				}
				return a.Reply
			}
			for n := range 3 * g.irrq {
				assert.Equal(t, n < g.irrq, send() == spec.Ack, "%s: %d", name, n)
			}
			_, some := g.e.Respond()
			assert.True(t, some)
			assert.Equal(t, spec.Ack, send())
			assert.Equal(t, spec.RNR, send())
			assert.Len(t, g.responses(), g.irrq)
		}
	}
}

// Strongly ordered: the RNR of a pull is pending whatever its SN, which is not looked at (I-101, I-120).
func TestPendingPull(t *testing.T) {
	g := newTarget(t, newSetup(spec.QPRC, spec.Strong, spec.CompleteInError))
	fill(g)
	assert.Equal(t, spec.RNR, g.send(g.numbered(0x0C, g.sn+5, g.pull, 0)).Reply)
	g.responses()
	assert.Equal(t, spec.RNR, g.send(g.numbered(0x0A, g.sn+1, 0, 0)).Reply)
	g.good(0x0A)
	assert.Equal(t, spec.NRE, g.send(g.numbered(0x0A, g.sn+1, 0, 0)).Reply)
}

// Weakly ordered: SN n may arrive once n minus the window has arrived, also while an earlier one is missing (I-102, I-121).
func TestWindowOfSN(t *testing.T) {
	for last, reply := range map[uint32]spec.Reply{65: spec.NRE, 130: spec.Ack} { // the latter is twice the window ahead of SN 1
		g := newTarget(t, newSetup(spec.QPRC, spec.Weak, spec.CompleteInError))
		for _, sn := range []uint32{64, 2, 66, 128} {
			assert.Equal(t, spec.Ack, g.send(g.numbered(0x0A, sn, 0, 0)).Reply, "SN %d", sn)
		}
		assert.Empty(t, g.events(1))
		assert.Equal(t, reply, g.send(g.numbered(0x0A, last, 0, 0)).Reply)
		assert.Equal(t, []falcon.Event{{QP: g.to[1], Rule: spec.SNGap}}, g.events(1), "SN %d", last)
	}
}

// Strongly ordered: each packet of a Send moves Message Offset on by one MTU, also one that is refused, whatever its length
// (I-104).
func TestOffsetAfterError(t *testing.T) {
	for name, size := range map[string]int{"short": 4, "long": mtu + 4} {
		g := newTarget(t, newSetup(spec.QPRC, spec.Strong, spec.CompleteInError))
		g.postReceive(1, 8*mtu)
		send := func(o spec.Opcode, offset uint32, change func(*packet.Packet), want spec.Reply) {
			t.Helper()
			p := g.numbered(o, g.sn, g.rmsn, offset)
			change(&p)
			assert.Equal(t, want, g.send(p).Reply, "%s: offset %d", name, offset)
			g.sn++
		}
		as := func(*packet.Packet) {}
		send(0x00, 0, payload(size), spec.CIE)
		send(0x01, mtu, as, spec.Ack)
		send(0x01, mtu, as, spec.CIE)
		send(0x01, 3*mtu, as, spec.Ack)
		send(0x02, 3*mtu, as, spec.CIE)
		assert.EqualValues(t, 1, g.e.Broken(spec.BadPayload))
		assert.EqualValues(t, 2, g.e.Broken(spec.BadOffset))
		g.postReceive(2, mtu)
		g.rmsn++
		g.good(0x04)
		_, received := g.completions(1)
		assert.Equal(t, []falcon.Completion{{QP: g.to[1], ID: 1, Receive: true, Status: falcon.PeerError},
			{QP: g.to[1], ID: 2, Receive: true, Kind: spec.Send, Length: mtu}}, received)
	}
}

// Weakly ordered: what an Atomic names is looked at on arrival. If it may not be accessed, the response leaves at once; its turn
// looks again (I-70).
func TestAtomicOnArrival(t *testing.T) {
	for m := spec.Verbs; m <= spec.CompleteInError; m++ {
		for rule, change := range map[spec.Rule]func(p *packet.Packet){
			spec.RKeyUnknown: func(p *packet.Packet) { p.RKey = noKey },
			spec.Misaligned:  func(p *packet.Packet) { p.VA += 4 },
		} {
			g := newTarget(t, newSetup(spec.QPRC, spec.Weak, m))
			p := g.numbered(0x14, 2, 1, 0)
			p.Data = 1
			change(&p)
			assert.Equal(t, spec.Ack, g.send(p).Reply)
			assert.EqualValues(t, 1, g.e.Broken(rule))
			list := g.responses()
			assert.Len(t, list, 1, "while SN 1 is missing")
			assert.True(t, list[0].CE)
			assert.Equal(t, m == spec.Verbs, g.e.InError(g.to[1]))
			if m == spec.CompleteInError {
				g.good(0x0A)
				g.sn++
				g.pull++
				g.good(0x14)
				assert.False(t, g.responses()[0].CE)
			}
		}
	}
}

// Weakly ordered: after the last packet of a message nothing of it arrives, before it everything may (I-117).
func TestBehindLast(t *testing.T) {
	for sn, want := range map[uint32]spec.Reply{2: spec.Ack, 4: spec.NRE} {
		g := newTarget(t, newSetup(spec.QPRC, spec.Weak, spec.CompleteInError))
		g.postReceive(1, 8*mtu)
		assert.Equal(t, spec.Ack, g.send(g.numbered(0x02, 3, 1, 2*mtu)).Reply)
		assert.Equal(t, want, g.send(g.numbered(0x01, sn, 1, mtu)).Reply)
		assert.Equal(t, want == spec.NRE, g.e.Broken(spec.BadRMSN) == 1)
	}
}
