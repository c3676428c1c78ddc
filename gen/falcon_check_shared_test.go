package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/internal/long"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

type queueBeat struct {
	Number int
	Domain uint16
}

// sharedDepth is a receive_depth with which no message of the traffic lacks room.
const sharedDepth = 64

// queues empties all shared queues but the last one, which does not exist: in two XRC domains. Without room for all messages there is none.
func (r *checkRound) queues(hostile int) int {
	for n := range r.c.Streams {
		r.close(n)
	}
	if r.taken = 0; r.c.ReceiveDepth < sharedDepth {
		return 0
	}
	for n := range r.c.Streams - 1 {
		domain := uint16(r.rand.IntN(2))
		require.NoError(r.t, r.model.CreateSRQ(uint32(n)))
		r.model.SetXRCDomain(uint32(n), domain)
		send(r.rig, "queue", queueBeat{n, domain})
		send(r.rig, "empty", openingBeat{Stream: n, Open: true})
	}
	r.settle()
	return r.c.Streams - 1
}

// share lets a QP take its receives from a shared queue, or not. One that fails while more of it is on its way takes receives that the model leaves
// in the queue.
func (r *checkRound) share(q *model.QPConfig, queues, hostile int) {
	if queues > 0 && hostile == 0 {
		q.Errors = spec.CompleteInError
	}
	q.XRCDomain = uint16(r.rand.IntN(2))
	switch {
	case queues == 0 && q.Type == spec.QPXRCTarget: // there may be no room for its messages
		q.Ordering = spec.Strong
	case queues > 0 && (q.Type == spec.QPRC || q.Type == spec.QPUD):
		q.SharedReceive, q.SRQ = r.rand.IntN(3) > 0, r.rand.Uint32N(uint32(queues))
	}
}

func (p *checkPeer) shares() bool { return p.q.SharedReceive || p.q.Type == spec.QPXRCTarget }

// postShared posts a receive of a shared queue, now and then, if it has room.
func (r *checkRound) postShared() {
	queues := r.peers[0].queues
	if queues == 0 || r.rand.IntN(2) == 0 || r.shared-r.taken >= sharedDepth/2 {
		return
	}
	r.id++
	r.shared++
	length := 4 * r.c.MaxPayload // enough, or a QP fails of which more is on its way
	if r.peers[0].hostile > 0 {
		length = r.rand.IntN(length)
	}
	n := r.rand.IntN(queues)
	places := &r.sharedPlaces[n]
	list := r.lists(length, r.c.ReceiveDepth-places.inUse(func(id uint64) bool { return r.gone[id] }), false)
	places.add(r.id, len(list))
	r.postList("share", n, r.id, list)
}

// Shared queues of RC and UD QPs and of XRC targets, in all modes: a packet per cycle of honest peers, and packets of hostile ones one by one. What
// a message takes, and what is found in it, is as in the golden model.
func TestFalconCheckShared(t *testing.T) {
	long.Test(t)
	seen := map[spec.Rule]int{}
	took := 0
	for _, hostile := range []int{0, 30} {
		for seed := range uint64(8) {
			t.Run(fmt.Sprintf("hostile %d, seed %d", hostile, seed), func(t *testing.T) {
				c := checkConfig()
				c.ReceiveDepth = sharedDepth
				if hostile == 0 { // no packet is beyond the window of one that gets RNR: packets on their way when a QP fails take receives that the model leaves
					c.Profile = falcon.Profile{Order: spec.Mirrored, Connections: 8, Window: 256}
				}
				b := openCheck(t, c, 1+seed)
				b.seen = seen
				b.stall(int(seed%2)*128, int(seed%3)*100)
				for range 4 {
					r := b.round(hostile)
					if r.shared = 0; hostile == 0 {
						for range 6 {
							r.burst(60)
						}
					} else {
						for range 150 {
							r.burst(1)
						}
					}
					took += r.taken
				}
			})
		}
	}
	for _, rule := range []spec.Rule{spec.None, spec.UnknownSRQ, spec.NoReceive, spec.TooLong, spec.BadRMSN} {
		assert.Positive(t, seen[rule], rule.Row().Name)
	}
	assert.Greater(t, took, 1000)
	t.Log(took, "receives of shared queues")
}

// sharing opens two QPs on one shared queue, and posts receives to it.
func (b *checkBench) sharing(o spec.Ordering, m spec.ErrorMode, receives int) (peers []*checkPeer) {
	b.begin(checkRegions())
	require.NoError(b.t, b.model.CreateSRQ(1))
	for n := range 2 {
		b.close(n)
		send(b.rig, "queue", queueBeat{Number: 1})
		send(b.rig, "empty", openingBeat{Stream: 1, Open: true})
		b.settle()
		p := &checkPeer{Rand: b.rand, b: b, only: []spec.Kind{spec.Send}, plain: true, state: checkNumbers{sn: 1, rmsn: 1, pull: 1},
			q: model.QPConfig{Number: uint32(n), Ordering: o, Errors: m, Domain: checkDomain, MTU: b.c.MaxPayload, CID: uint32(n), IRRQ: b.c.IRD, ORD: 1, SendDepth: 1, SharedReceive: true, SRQ: 1}}
		b.qp(p.q, checkDomain)
		b.messages = append(b.messages, newCheckMessages(p.q))
		peers = append(peers, p)
	}
	for i := range receives {
		send(b.rig, "share", listPostBeat{1, uint64(i + 1), checkKey(1), checkVA + checkReceive, 1 << 12, false})
	}
	b.settle()
	return peers
}

// A packet with a fatal error takes no receive, whatever the error is: the only one is left for another QP.
func TestFalconCheckSharedStays(t *testing.T) {
	for _, field := range []int{0, 1, 12} { // SN, RMSN, opcode
		for o := spec.Strong; o <= spec.Unordered; o++ {
			if field == 0 && o == spec.Unordered {
				continue
			}
			b := openCheck(t, checkConfig(), uint64(field))
			peers := b.sharing(o, spec.CompleteInError, 1)
			x, _ := peers[0].next()
			switch field {
			case 0:
				x.SN += 1 << 20
			case 1:
				x.RMSN += 1 << 20
			case 12:
				x.Opcode = 0xA4 // of XRC
			}
			octets := x.Encode(nil, b.order())
			b.packet(checkPacket{falconTransaction{Type: spec.PushRequest, RSN: 1, CID: 0}, octets})
			b.settle()
			peers[1].packet(2)
			b.settle()
			require.Len(t, b.arrivals, 2)
			require.Zero(t, b.arrivals[0].Kind&1, "%v: a receive is flushed", o)
			require.Equal(t, []any{true, uint64(1)}, []any{b.arrivals[1].Takes, b.arrivals[1].ID}, "%v, field %d", o, field)
		}
	}
}

// What is taken for packets of a QP that goes to Error ahead of them is flushed, and what they have not taken stays.
func TestFalconCheckSharedIsFlushed(t *testing.T) {
	for o := spec.Strong; o <= spec.Weak; o++ {
		b := openCheck(t, checkConfig(), 1)
		peers := b.sharing(o, spec.Verbs, 4)
		p := peers[0]
		p.only = []spec.Kind{spec.Write}
		x, _ := p.next()
		for ; p.state.parts > 0; x, _ = p.next() { // the last packet of a Write
			p.state = checkNumbers{sn: 1, rmsn: 1, pull: 1}
		}
		x.RKey = checkKey(7)
		b.packet(checkPacket{falconTransaction{Type: spec.PushRequest, RSN: 1, CID: 0}, x.Encode(nil, b.order())})
		p.only = []spec.Kind{spec.Send}
		for i := range 3 {
			for p.state.parts > 0 {
				p.state.parts = 0
			}
			p.packet(uint32(i + 2))
			p.state.parts = 0
			p.state.rmsn = uint32(i + 2)
		}
		b.settle()
		flushed := 0
		for _, a := range b.arrivals {
			if a.Kind&1 != 0 {
				flushed++
				require.Equal(t, []any{uint64(flushed), int(model.Flushed), false}, []any{a.ID, a.Received.Status, a.Takes})
			}
		}
		require.Positive(t, flushed, "%v", o)
		b.arrivals = nil
		peers[1].packet(9)
		b.settle()
		require.Equal(t, []any{true, uint64(flushed + 1)}, []any{b.arrivals[0].Takes, b.arrivals[0].ID}, "%v", o)
	}
}

// A message for whose receive there is no room arrives again once messages are over; 256 ahead it is fatal.
func TestFalconCheckSharedRoom(t *testing.T) {
	for o := spec.Weak; o <= spec.Unordered; o++ {
		b := openCheck(t, checkConfig(), 1)
		p := b.sharing(o, spec.CompleteInError, 4)[0]
		b.lost[0] = true // the model has room
		took := uint64(0)
		arrive := func(n uint32) spec.Rule {
			p.state = checkNumbers{sn: n + 1, rmsn: n, kind: spec.Send, parts: 1, first: 1}
			p.packet(n)
			b.settle()
			a := b.arrivals[len(b.arrivals)-1]
			assert.Equal(t, a.Rule == int(spec.None), a.Takes)
			if a.Takes {
				took++
				assert.Equal(t, took, a.ID, "a message without room takes none")
			}
			return spec.Rule(a.Rule)
		}
		for n := range uint32(3) { // the first one does not arrive
			assert.Equal(t, spec.None, arrive(n+2))
		}
		for i := range 4 {
			send(b.rig, "share", listPostBeat{1, uint64(i + 5), checkKey(1), checkVA + checkReceive, 1 << 12, false})
		}
		assert.Equal(t, spec.NoReceive, arrive(5))
		b.tellOver(0, 2)
		b.clock()
		assert.Equal(t, spec.None, arrive(5))
		assert.Equal(t, spec.None, arrive(6))
		assert.Equal(t, spec.NoReceive, arrive(7))
		if o == spec.Unordered { // or its SN is beyond the window
			assert.Equal(t, spec.NoReceive, arrive(120))
			assert.Equal(t, spec.BadRMSN, arrive(263))
		}
	}
}

// Whatever the receive_depth, a message that is 256 ahead of one that is not over is refused: it is fatal, unless a larger queue could have room for it.
func TestFalconCheckSharedWindow(t *testing.T) {
	for _, row := range []struct {
		depth          int
		inside, beyond spec.Rule
	}{{2, spec.NoReceive, spec.BadRMSN}, {128, spec.NoReceive, spec.BadRMSN}, {256, spec.None, spec.BadRMSN}, {512, spec.None, spec.NoReceive}, {1024, spec.None, spec.NoReceive}} {
		c := checkConfig()
		c.ReceiveDepth = row.depth
		b := openCheck(t, c, 1)
		p := b.sharing(spec.Unordered, spec.CompleteInError, 2)[0]
		b.lost[0] = true // the model has room
		for i, rule := range []spec.Rule{row.inside, row.beyond} {
			n := uint32(spec.MessageWindow + i)
			p.state = checkNumbers{sn: n, rmsn: n, kind: spec.Send, parts: 1, first: 1}
			p.packet(n)
			b.settle()
			assert.Equal(t, rule, spec.Rule(b.arrivals[len(b.arrivals)-1].Rule), "receive_depth %d, message %d", row.depth, n)
		}
	}
}
