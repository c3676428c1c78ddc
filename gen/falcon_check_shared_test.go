package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	at := checkVA + uint64(checkReceive) + 0x400*uint64(r.id%64)
	length := 4 * r.c.MaxPayload // enough, or a QP fails of which more is on its way
	if r.peers[0].hostile > 0 {
		length = r.rand.IntN(length)
	}
	send(r.rig, "share", postBeat{r.rand.IntN(queues), r.id, checkKey(1), at, uint32(length)})
}

// Shared queues of RC and UD QPs and of XRC targets, in all modes: a packet per cycle of honest peers, and packets of hostile ones one by one. What
// a message takes, and what is found in it, is as in the golden model.
func TestFalconCheckShared(t *testing.T) {
	seen := map[spec.Rule]int{}
	took := 0
	for _, hostile := range []int{0, 30} {
		for seed := range uint64(6) {
			t.Run(fmt.Sprintf("hostile %d, seed %d", hostile, seed), func(t *testing.T) {
				c := checkConfig()
				c.ReceiveDepth = sharedDepth
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
