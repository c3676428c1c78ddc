package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	golden "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// mayTake reports whether falcon_order has room for a request that the model has to answer: its IRRQ empties later than that of the model.
func (n *scoreNode) mayTake(i int, request golden.Request) bool {
	return request.Type != spec.PullRequest || n.peers[i].atomics() < 8
}

func (n *scoreNode) postAtomic(i int) {
	key := memory.STag(1, 0)
	require.NoError(n.t, n.from.Post(golden.WorkRequest{QP: uint32(i), Kind: spec.FetchAdd, RKey: key, VA: 8 * uint64(n.rand.IntN(1000)),
		Local: []golden.Element{{Key: key, VA: 0x8000, Length: memory.WordOctets}}}))
}

// ends moves a QP to Error: its host does it, or a packet arrives again.
func (n *scoreNode) ends(i int, again *golden.Request) {
	n.rest(100)
	if again != nil {
		n.arrives(i, *again)
		return
	}
	n.to.Fail(uint32(i))
	for r, some := n.to.Respond(); some; r, some = n.to.Respond() {
		var p packet.Packet
		require.Equal(n.t, spec.None, p.Decode(r.Octets, 0))
		n.answers[scoreResponse{r.CID, r.RSN, p.CE}]++
	}
	n.peers[i].send(n.peers[i].fails())
}

// Weakly ordered QPs of the golden model go to Error while Atomics wait: falcon_order refuses those, and only those, that the model answers with CE.
func TestFalconOrderRefusesAsTheModel(t *testing.T) {
	var queues []golden.QPConfig
	for i := range 8 {
		queues = append(queues, golden.QPConfig{Ordering: spec.Weak, Errors: spec.ErrorMode(i % 2)})
	}
	refused := 0
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			n := openScoreNode(t, seed, queues)
			n.stall(int(seed%4*40), int(seed%3*50))
			r, pushed := n.rand, make([]*golden.Request, 8)
			for round := range 1500 {
				i := r.IntN(8)
				if r.IntN(2) == 0 && !n.peers[i].dead {
					n.post(i, false)
					for range r.IntN(3) {
						n.postAtomic(i)
					}
				}
				if n.receive(i); r.IntN(3) > 0 {
					n.receive(i)
				}
				for range 8 {
					if request, some := n.from.Transmit(uint32(i)); some {
						n.way[i] = append(n.way[i], request)
					}
				}
				for k, request := range n.way[i] { // the first one is late
					if k > 0 && r.IntN(3) == 0 || k == 0 && r.IntN(12) == 0 {
						if n.mayTake(i, request) && n.arrives(i, request) {
							n.way[i] = append(n.way[i][:k:k], n.way[i][k+1:]...)
							if request.Type == spec.PushRequest {
								pushed[i] = &request
							}
						}
						break
					}
				}
				if !n.peers[i].dead && round > 200 && r.IntN(60) == 0 {
					again := pushed[i]
					if r.IntN(2) == 0 {
						again = nil
					}
					n.ends(i, again)
				}
				for len(n.stream("arrival").queue) > 2 || r.IntN(3) == 0 {
					n.scoreBench.step()
				}
				if t.Failed() {
					t.FailNow()
				}
			}
			n.rest(1000)
			for r, count := range n.answers {
				require.Zero(t, count, "%+v", r)
			}
			refused += n.seen["refused"]
			for _, p := range n.peers {
				assert.Empty(t, n.qps[p.stream].owed)
			}
		})
	}
	t.Logf("%d refused", refused)
	assert.Greater(t, refused, 100)
}
