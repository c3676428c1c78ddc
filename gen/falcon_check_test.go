package gen_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/internal/long"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

func (b *checkBench) order() spec.BitOrder { return b.c.Profile.(falcon.Profile).Order }

// checkRound is a life of all QPs with random set-ups.
type checkRound struct {
	*checkBench
	peers []*checkPeer
	rsn   uint32
	id    uint64

	gone   map[uint64]bool // receives that are complete, or flushed
	posted [][]uint64      // per QP: the receives
	used   []int           // so many of them are over
	done   map[uint64]bool
	open   []openPull
	shared int // receives posted to shared queues

	places, sharedPlaces []listPlaces // of elements
}

func (b *checkBench) round(hostile int) *checkRound {
	b.begin(checkRegions())
	b.ahead = []uint32{0, -uint32(max(16, 2*b.c.ReceiveDepth))}[b.rand.IntN(2)] // a multiple of the size of all windows
	r := &checkRound{checkBench: b, posted: make([][]uint64, b.c.Streams), used: make([]int, b.c.Streams), done: map[uint64]bool{}, gone: map[uint64]bool{},
		places: make([]listPlaces, b.c.Streams), sharedPlaces: make([]listPlaces, b.c.Streams)}
	b.settle()
	queues := r.queues(hostile)
	for n := range b.c.Streams {
		q := model.QPConfig{Number: uint32(n), Ordering: spec.Ordering(b.rand.IntN(3)), Errors: spec.ErrorMode(b.rand.IntN(2)), Domain: checkDomain, MTU: b.c.MaxPayload,
			CID: uint32(n) ^ 1, Remote: b.rand.Uint32N(1 << 24), QKey: b.rand.Uint32(), IRRQ: b.c.IRD, ORD: b.c.ORD, SendDepth: b.c.SendDepth, RNRTimeout: uint8(b.rand.IntN(32))}
		q.Type = []spec.QPType{spec.QPRC, spec.QPRC, spec.QPRC, spec.QPRC, spec.QPUD, spec.QPUD, spec.QPXRCTarget, spec.QPXRCInitiator}[b.rand.IntN(8)]
		if s, _ := spec.SupportOf(q.Ordering, q.Type); !s.Verbs {
			q.Errors = spec.CompleteInError
		}
		r.share(&q, queues, hostile)
		p := &checkPeer{Rand: b.rand, b: b, q: q, hostile: hostile, queues: queues, state: checkNumbers{sn: 1, rmsn: 1, pull: 1}}
		if q.Type == spec.QPUD {
			p.q.CID = 7
		}
		if queues > 0 && hostile == 0 { // a pull that arrives again may be too late
			p.only = []spec.Kind{spec.Send, spec.Write}
		}
		b.qp(p.q, checkDomain)
		r.peers = append(r.peers, p)
		b.messages = append(b.messages, newCheckMessages(p.q))
	}
	return r
}

// burst sends packets of all QPs in a mix, with posts and credits among them.
func (r *checkRound) burst(packets int) {
	r.ask()
	for range packets {
		n := r.rand.IntN(len(r.peers))
		r.postShared()
		if r.rand.IntN(3) == 0 && len(r.posted[n])-r.used[n] < r.c.ReceiveDepth && !r.peers[n].shares() {
			r.id++
			r.posted[n] = append(r.posted[n], r.id)
			places := &r.places[n]
			list := r.lists(r.rand.IntN(4*r.c.MaxPayload), r.c.ReceiveDepth-places.inUse(r.isUsed(n)), r.peers[n].hostile > 0)
			places.add(r.id, len(list))
			r.postList("post", n, r.id, list)
		}
		if r.rand.IntN(4) == 0 && r.answer() {
			continue
		}
		r.rsn++
		r.peers[n].packet(r.rsn)
	}
	r.settle()
	require.Zero(r.t, r.refused, "receives that are refused")
	r.compareMemory()
	answers := map[uint32]spec.Reply{}
	for _, a := range r.arrivals {
		if a.Answer.Reply != 0 { // no response
			answers[a.Answer.RSN] = a.Answer.Reply
		}
	}
	r.arrivals = nil
	for _, p := range r.peers {
		p.settled(answers)
	}
	r.consume()
	r.compareMessages()
	for range r.rand.IntN(8) {
		r.credit(r.rand.IntN(len(r.peers)))
	}
	r.settle()
}

// isUsed says which receives of a QP have given their place back.
func (r *checkRound) isUsed(n int) func(id uint64) bool {
	return func(id uint64) bool { return slices.Contains(r.posted[n][:r.used[n]], id) }
}

// consume gives the places of receives that are over back to the ring, as falcon_order does: in the order in which they were posted.
func (r *checkRound) consume() {
	for c, ok := r.model.NextCompletion(); ok; c, ok = r.model.NextCompletion() {
		if c.Receive {
			r.release(c.ID)
			r.gone[c.ID] = true
		}
		if c.Receive && c.Status != model.Flushed {
			r.over = append(r.over, c)
			r.done[c.ID] = true
		}
	}
	for n, ids := range r.posted {
		for r.used[n] < len(ids) && r.done[ids[r.used[n]]] {
			r.used[n]++
		}
		if !r.peers[n].shares() {
			r.tellOver(n, uint32(r.used[n]))
		}
		r.clock()
	}
}

// credit lets the oldest response of a QP leave, if there is one. That to a pull of an earlier life may leave as well.
func (r *checkRound) credit(n int) {
	q := r.peers[n].q
	if !q.Type.Connected() {
		return
	}
	one := spec.Credits{DataTxPackets: 1, DataTxBuffers: 1 << 10}
	r.model.Return(q.CID, one)
	if _, some := r.model.Respond(); !some {
		r.model.Return(q.CID, spec.Credits{}.Sub(one))
		return
	}
	life := r.lives[n]
	if r.rand.IntN(4) == 0 {
		send(r.rig, "credit", checkCredit{n, (life + 1 + r.rand.IntN(1<<engine.NumberBits(r.c)-1)) % (1 << engine.NumberBits(r.c))})
	}
	send(r.rig, "credit", checkCredit{n, life})
}

type checkCredit struct{ Stream, Number int }

func TestFalconCheckUnderStalls(t *testing.T) {
	long.Test(t)
	seen := map[spec.Rule]int{}
	everyChance(t, func(t *testing.T, idle, pressure int) {
		for _, hostile := range []int{0, 4, 40} {
			t.Run(fmt.Sprint("hostile ", hostile), func(t *testing.T) {
				c := checkConfig()
				if hostile == 4 {
					c = checkExtreme()
				}
				b := openCheck(t, c, uint64(1+idle+pressure+hostile))
				b.seen = seen
				b.stall(idle, pressure)
				b.slow = []int{0, 128, 250}[(idle+hostile)%3]
				for range 6 {
					r := b.round(hostile)
					for range 6 {
						r.burst(60)
					}
				}
			})
		}
	})
	for _, row := range spec.Rules {
		if row.Rule != spec.Incomplete { // of falcon_order
			assert.Positive(t, seen[row.Rule], row.Name)
		}
	}
}

// A packet of any kind is accepted in every cycle, even if all are of one QP.
func TestFalconCheckRate(t *testing.T) {
	for _, kinds := range [][]spec.Kind{{spec.Send}, {spec.Write}, {spec.Read}, {spec.CmpSwap, spec.FetchAdd}, {spec.Send, spec.Read, spec.Write, spec.FetchAdd}} {
		for i := range 2 * (spec.Unordered + 1) {
			o, shared := i/2, i%2 == 1
			c := checkConfig()
			c.IRD, c.ReceiveDepth = 64, 64
			c.Profile = falcon.Profile{Order: spec.Mirrored, Connections: 8, Window: 64}
			b := openCheck(t, c, 1)
			b.begin(checkRegions())
			b.close(0)
			p := &checkPeer{Rand: b.rand, b: b, only: kinds, state: checkNumbers{sn: 1, rmsn: 1, pull: 1},
				q: model.QPConfig{Ordering: o, Errors: spec.CompleteInError, Domain: checkDomain, MTU: c.MaxPayload, CID: 1, IRRQ: c.IRD, ORD: 1, SendDepth: 1, SharedReceive: shared, SRQ: 2}}
			require.NoError(t, b.model.CreateSRQ(2))
			send(b.rig, "queue", queueBeat{Number: 2})
			b.qp(p.q, checkDomain)
			b.messages = append(b.messages, newCheckMessages(p.q))
			for i := range 60 {
				send(b.rig, map[bool]string{false: "post", true: "share"}[shared], listPostBeat{map[bool]int{true: 2}[shared], uint64(i), checkKey(1), checkVA + checkReceive, 1 << 12, false})
			}
			b.settle()
			for i := range 60 {
				p.packet(uint32(i))
			}
			b.settle()
			at := b.rig.stream("record").at
			require.Len(t, at, 60)
			for i := 1; i < len(at); i++ {
				require.Equal(t, at[i-1]+1, at[i], "%v %v: number %d", kinds, o, i)
			}
			if kinds[0] == spec.Send {
				require.Zero(t, b.seen[spec.NoReceive])
				require.Equal(t, shared, b.taken > 0)
			}
		}
	}
}

func TestFalconCheckInTools(t *testing.T) {
	long.Test(t)
	t.Parallel()
	clean(t, falcon.Check(checkExtreme()))
	c := gen.Default().Engine()
	c.Profile = falcon.Profile{Connections: 64, Window: 64}
	clean(t, falcon.Check(c))
}
