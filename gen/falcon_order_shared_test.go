package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	golden "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// takes gives a message that begins the oldest receive of the shared queue.
func (n *scoreNode) takes(i int, a *scoreArrival, reply spec.Reply) {
	key := [2]uint32{uint32(i), a.Part.RMSN}
	if id, has := n.took[key]; has || reply == spec.RNR || !a.Counts || !a.Part.Receives {
		a.Part.ID = id
		return
	}
	a.Takes, a.Part.ID = true, n.shared[0]
	n.took[key], n.shared = n.shared[0], n.shared[1:]
}

// share posts a receive to the shared queue.
func (n *scoreNode) share() {
	n.posted[0]++
	id := uint64(n.posted[0])
	n.shared = append(n.shared, id)
	n.to.PostShared(0, golden.ReceiveRequest{ID: id, Local: []golden.Element{{Key: memory.STag(1, 0), VA: 0x1_0000, Length: scoreBuffer}}})
}

// Traffic of the golden model on a shared queue in any order, and the end of each QP at any time: what it completes, and what it flushes because messages
// have taken it, is what falcon_order does.
func TestFalconOrderFlushes(t *testing.T) {
	queues := []golden.QPConfig{
		{Ordering: spec.Strong, Errors: spec.CompleteInError}, {Ordering: spec.Weak, Errors: spec.CompleteInError}, {Ordering: spec.Weak, Errors: spec.CompleteInError},
		{Ordering: spec.Weak, Errors: spec.Verbs}, {Ordering: spec.Unordered, Errors: spec.CompleteInError}, {Ordering: spec.Strong, Errors: spec.Verbs},
		{Type: spec.QPUD, Ordering: spec.Weak}, {Ordering: spec.Weak, Errors: spec.Verbs}}
	for i := range queues {
		queues[i].SharedReceive = true
	}
	statuses := map[string]int{}
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			n := openScoreNode(t, seed, queues)
			n.skip = true // the reference has no shared queues
			n.stall(int(seed%3)*60, int(seed%4)*60)
			lives := 100 + n.rand.IntN(1500)
			for round := range lives {
				i := n.rand.IntN(len(queues))
				if n.rand.IntN(2) == 0 {
					n.post(i, queues[i].Errors == spec.CompleteInError)
				}
				if n.rand.IntN(2) == 0 {
					n.share()
				}
				if n.step(i); round > lives/2 && n.rand.IntN(lives) < 8 {
					n.fail(i)
				}
				for len(n.stream("arrival").queue) > 2 || n.rand.IntN(3) == 0 {
					n.scoreBench.step()
				}
			}
			for i := range queues {
				n.fail(i)
			}
			n.rest(2000)
			for i := range queues {
				for at, e := range n.got[i] { // an error that waits for a lower SN is not seen, nor what has not had its turn before the end
					if at < len(n.want[i]) && e.Status == uint8(golden.Flushed) && n.modes[i] == spec.Weak && (n.want[i][at].Status != 0 || queues[i].Errors == spec.Verbs) {
						n.want[i][at] = scoreEnding{ID: n.want[i][at].ID, Status: e.Status}
					}
				}
				require.Equal(t, n.want[i], n.got[i], "QP %d", i)
				for _, e := range n.got[i] {
					statuses[fmt.Sprint(n.modes[i], n.types[i], e.Status)]++
				}
			}
		})
	}
	t.Log(statuses)
	for _, what := range []string{"strong rc 0", "strong rc 1", "strong rc 3", "weak rc 0", "weak rc 1", "weak rc 3", "weak rc 4", "unordered rc 0", "weak ud 0"} {
		assert.Positive(t, statuses[what], what)
	}
}

// fail moves a QP to Error, as its host does.
func (n *scoreNode) fail(i int) {
	if n.peers[i].dead {
		return
	}
	n.rest(200)
	n.to.Fail(uint32(i))
	n.complete()
	n.peers[i].send(n.peers[i].fails())
}

// The end of a QP that arrives while its Atomics are refused already, because of an SN that is too high: each receive that it has taken completes once, and until
// the last one has left the QP is said to be flushed.
func TestFalconOrderFlushesOnce(t *testing.T) {
	for delay := range 60 {
		b, peers := openScores(t, scoreRun{streams: 2, window: 8, ird: 8, depth: 4}, scoreWeak, false)
		p := peers[0]
		p.shares = true
		b.skip = true
		onBeat(b.rig, "failed", func(scoreFailure) {})
		completed, ended := map[uint64]int{}, false
		b.delivers = func(d scoreDelivery) {
			if d.Kind&scoreReceive != 0 {
				completed[d.ID]++
			}
			ended = ended || d.Kind&scoreEnd != 0
		}
		over := false // in the cycle before: the last one is at the output now
		b.rig.look = func() {
			if over {
				require.Len(t, completed, 3, "%d cycles", delay)
			}
			s := b.signal("flush_goes")
			over = ended && s.Get() == 0
		}
		open := p.only(1, 1)
		open.Part.Ends, open.Takes = false, true
		p.send(open)
		for sn := uint32(3); sn < 11; sn++ {
			p.send(p.atomic(sn))
		}
		for i, sn := range []uint32{18, 11} { // 18 is beyond the window
			a := p.only(sn, uint32(2+i))
			a.Takes = true
			p.send(a)
		}
		for range delay {
			b.step()
		}
		p.send(p.fails())
		b.rest(100)
		assert.Equal(t, map[uint64]int{p.id(1): 1, p.id(2): 1, p.id(3): 1}, completed, "%d cycles", delay)
		require.True(t, ended)
	}
}

// A QP that is closed without an error forgets what its messages have taken: the end of a later life flushes what that has taken, and nothing else. A list is released
// with each completion of one, also of one that is flushed.
func TestFalconOrderFlushesItsLife(t *testing.T) {
	const depth = 8
	b, peers := openScores(t, scoreRun{streams: 2, window: 16, ird: 2, depth: depth}, scoreWeak, false)
	b.skip = true
	r := b.rand
	completed := map[uint64]int{}
	b.delivers = func(d scoreDelivery) {
		if d.Kind&scoreReceive != 0 {
			completed[d.ID]++
		}
	}
	flushed, forgotten := 0, 0
	for range 300 {
		p := peers[r.IntN(2)]
		p.shares = r.IntN(4) > 0
		p.open([]int{scoreWeak, scoreWeak, scoreStrong}[r.IntN(3)], false)
		missing := r.Uint32N(depth)
		if p.mode == scoreStrong {
			missing = depth
		}
		var sent []uint64
		for n := range 1 + r.Uint32N(depth) {
			if n == missing || n > missing && r.IntN(4) == 0 {
				continue
			}
			a := p.only(n+1, n+1)
			a.Takes = p.shares
			p.send(a)
			sent = append(sent, p.id(n+1))
		}
		b.rest(40)
		before := len(completed)
		closes := r.IntN(2) == 0
		if !closes {
			p.send(p.fails())
			b.rest(100)
		}
		left := 0
		for _, id := range sent {
			left += 1 - completed[id]
		}
		switch {
		case closes:
			forgotten += left
		case p.shares:
			require.Zero(t, left, "receives that are not flushed")
			flushed += len(completed) - before
		}
	}
	var lists []releaseBeat
	for id, times := range completed {
		require.Equal(t, 1, times, "receive %x", id)
		if use := b.useOf(id); use.Is {
			lists = append(lists, releaseBeat{use.Queue, use.First})
		}
	}
	assert.ElementsMatch(t, lists, b.freed, "lists that are released")
	assert.Greater(t, flushed, 50)
	assert.Greater(t, forgotten, 50)
}

// A message without a receive, since its shared queue is unknown, completes none, and the next one has the next RMSN.
func TestFalconOrderWithoutReceive(t *testing.T) {
	for _, mode := range []int{scoreStrong, scoreWeak, scoreUnordered} {
		b, peers := openScores(t, scoreRun{streams: 2, window: 8, ird: 1, depth: 4}, mode, false)
		b.skip = true
		var completed []uint64
		b.delivers = func(d scoreDelivery) {
			if d.Kind&scoreReceive != 0 {
				completed = append(completed, d.ID)
			}
		}
		for n := range uint32(4) {
			a := peers[0].only(n+1, n+1)
			a.Request.Stream, a.Shares, a.Takes = 0, true, n%2 == 1
			if a.Part.Provided = n%2 == 1; !a.Part.Provided {
				a.Part.Refused, a.Part.Status = true, uint8(golden.PeerError)
			}
			send(b.rig, "arrival", a)
		}
		b.rest(100)
		assert.Equal(t, []uint64{peers[0].id(2), peers[0].id(4)}, completed)
	}
}
