package system

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// inOrder notes completions of a stream that come in another order than they were posted.
type inOrder struct {
	latest map[uint32]uint64
	wrong  int
	seen   int
}

func (o *inOrder) Func(ctx sim.HookCtx) {
	if d, is := ctx.Item.(*Done); is && ctx.Pos == sim.HookPosPortMsgRecvd && !d.Completion.Recv && d.Completion.ID&answers == 0 {
		o.seen++
		if d.Completion.ID < o.latest[d.Completion.Stream] {
			o.wrong++
		}
		o.latest[d.Completion.Stream] = d.Completion.ID
	}
}

// Completions of work requests of a stream come in the order of posting, whatever they wait for.
func TestCompletionsAreInOrder(t *testing.T) {
	w := readWorkload(t, `
nodes: 3
memory: {latency: 2us}
flows:
  - {name: a, from: 0, to: 1-, streams: 2, transactions: 100, outstanding: 8, objects: {octets: 8192}, mix: [{steps: [{operation: write, octets: 8}]}, {steps: [{operation: read, octets: 3000}]}, {steps: [{operation: fetch_add}]}, {steps: [{operation: send, octets: 900, reply: true}]}]}
`)
	for _, o := range []Options{optionsFor(&w), falconOptions()} {
		s, err := New(w, o)
		require.NoError(t, err)
		h := &inOrder{latest: map[uint32]uint64{}}
		s.nodes[0].host.port.AcceptHook(h)
		_, err = s.Run()
		require.NoError(t, err)
		assert.Equal(t, 400, h.seen)
		assert.Zero(t, h.wrong)
	}
}

// So many Atomics as the configuration says are in progress in memory, not one more.
func TestAtomicDepth(t *testing.T) {
	w := readWorkload(t, "memory: {latency: 2us}\nflows: [{from: 0, to: 1, streams: 4, transactions: 50, outstanding: 8, objects: {count: 64, octets: 64, pick: next}, mix: [{steps: [{operation: fetch_add}]}]}]")
	rate := map[int]float64{}
	for _, depth := range []int{1, 2, 4} {
		o := optionsFor(&w)
		o.Config.AtomicDepth = depth
		s, err := New(w, o)
		require.NoError(t, err)
		r, err := s.Run()
		require.NoError(t, err)
		rate[depth] = r.Rate()
	}
	assert.InDelta(t, 2, rate[2]/rate[1], 0.1)
	assert.InDelta(t, 2, rate[4]/rate[2], 0.1)
}

// Nobody sends before the receives of all are posted.
func TestManyReceives(t *testing.T) {
	w := readWorkload(t, "nodes: 60\nnetwork: {link_latency: 0s, switch_latency: 0s}\nflows: [{from: 1-, to: 0, transactions: 20, outstanding: 16, mix: [{steps: [{operation: send, reply: true}]}]}]")
	runOn(t, w, false)
	runFalcon(t, w, false)
}
