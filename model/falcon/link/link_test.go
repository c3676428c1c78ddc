package link

import (
	"math/rand/v2"
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const octets = 8

// pair returns two nodes with one connection and a QP each.
func pair(t *testing.T, o spec.Ordering, rsn uint32) (*Link, [2]*falcon.Engine) {
	var end [2]*falcon.Engine
	for n := range 2 {
		e, err := falcon.New(falcon.Config{Regions: 4, BufferOctets: 64})
		require.NoError(t, err)
		require.NoError(t, e.SetRegion(1, memory.Region{Valid: true, Length: 1 << 16, Rights: memory.LocalRead | memory.LocalWrite | memory.RemoteRead | memory.RemoteWrite}))
		require.NoError(t, e.CreateConnection(falcon.ConnectionConfig{CID: uint32(n), Ordered: o == spec.Strong, Window: 64,
			Credits: spec.Credits{RequestTxPackets: 99, RequestTxBuffers: 99, RequestRxPackets: 99, RequestRxBuffers: 99, DataTxPackets: 99, DataTxBuffers: 99}}))
		require.NoError(t, e.CreateQP(falcon.QPConfig{Number: uint32(n), Ordering: o, Errors: spec.CompleteInError, CID: uint32(n), Remote: uint32(1 - n), MTU: 64, IRRQ: 64, ORD: 64, SendDepth: 99}))
		end[n] = e
	}
	l := New(Config{Reorder: 64, BufferOctets: 64, Choose: rand.New(rand.NewPCG(1, 2)).IntN}, end[0], end[1])
	l.Connect(Connection{CID: [2]uint32{0, 1}, Ordered: o == spec.Strong, RSN: [2]uint32{rsn, 0}}, true)
	l.Attach(0, 0)
	return l, end
}

func write(t *testing.T, e *falcon.Engine, id uint64) {
	require.NoError(t, e.Post(falcon.WorkRequest{ID: id, Kind: spec.Write, Local: []falcon.Element{{Key: memory.STag(1, 0), VA: 8 * id, Length: octets}}, VA: 8 * id, RKey: memory.STag(1, 0)}))
}

// An unordered connection does reorder, an ordered one does not.
func TestOrder(t *testing.T) {
	for _, o := range []spec.Ordering{spec.Strong, spec.Unordered} {
		l, end := pair(t, o, 0)
		for id := range uint64(60) {
			write(t, end[0], id)
		}
		require.True(t, l.Run(10_000, func() bool { return false }))
		require.NoError(t, l.Err())
		sorted := true
		last := uint64(0)
		for range 60 {
			c, some := end[0].NextCompletion()
			require.True(t, some)
			sorted = sorted && c.ID >= last
			last = c.ID
		}
		assert.Equal(t, o == spec.Strong, sorted)
	}
}

// The link reports engines that break the interface.
func TestViolations(t *testing.T) {
	l, end := pair(t, spec.Strong, 7) // the engine counts from 0
	write(t, end[0], 1)
	l.Run(100, func() bool { return false })
	assert.ErrorContains(t, l.Err(), "transmits RSN 0; allowed: 7")

	l, end = pair(t, spec.Strong, 0)
	require.NoError(t, end[0].CreateConnection(falcon.ConnectionConfig{CID: 9, Window: 1, Ordered: true}))
	require.NoError(t, end[0].CreateQP(falcon.QPConfig{Number: 9, CID: 9, MTU: 64, IRRQ: 1, ORD: 1, SendDepth: 9}))
	require.NoError(t, end[0].Post(falcon.WorkRequest{QP: 9, Kind: spec.Write, Fence: true}))
	end[0].Return(9, spec.Credits{RequestTxPackets: 9, RequestTxBuffers: 9, RequestRxPackets: 9})
	l.Attach(0, 9)
	l.Run(100, func() bool { return false })
	assert.ErrorContains(t, l.Err(), "on CID 9")

	l, end = pair(t, spec.Strong, 0)
	w := l.way(0, 0)
	i := &item{Request: falcon.Request{RSN: 0, Type: spec.PushRequest}}
	w.open[0] = i
	l.answered(w, i, falcon.Answer{Reply: spec.NoReply})
	assert.ErrorContains(t, l.Err(), "is answered with none")
	_ = end
}

// Every reply of a target becomes the completion of FTP 11.
func TestCompletions(t *testing.T) {
	for _, tt := range []struct {
		kind  spec.PacketType
		reply spec.Reply
		want  spec.Completion
		some  bool
	}{
		{spec.PushRequest, spec.Ack, spec.CompletedAck, true},
		{spec.PushRequest, spec.CIE, spec.CompletedCIE, true},
		{spec.PushRequest, spec.NRE, spec.CompletedNRE, true},
		{spec.PushRequest, spec.CID, spec.CompletedCID, true},
		{spec.PullRequest, spec.CID, spec.CompletedLocalTO, true},
		{spec.PullRequest, spec.Ack, 0, false},
	} {
		l, _ := pair(t, spec.Weak, 0)
		w := l.way(0, 0)
		l.answered(w, &item{Request: falcon.Request{RSN: 5, Type: tt.kind}}, falcon.Answer{Reply: tt.reply, Code: spec.AccessError})
		require.NoError(t, l.Err())
		if !tt.some {
			assert.Empty(t, w.results)
			continue
		}
		want := falcon.Completed{CID: 0, RSN: 5, Code: tt.want}
		if tt.reply == spec.CIE {
			want.ULP = spec.AccessError
		}
		assert.Equal(t, want, w.results[0].Completed)
	}
}

// Nothing can happen while a request waits after an RNR but its timer.
func TestTimers(t *testing.T) {
	for _, o := range []spec.Ordering{spec.Strong, spec.Weak} {
		l, end := pair(t, o, 0)
		require.NoError(t, end[0].Post(falcon.WorkRequest{Kind: spec.Send}))
		assert.False(t, l.Run(500, func() bool { return false }), "no receive is posted")
		assert.Greater(t, end[1].Broken(spec.NoReceive), uint64(20), "retries")
		end[1].PostReceive(1, falcon.ReceiveRequest{})
		assert.True(t, l.Run(500, func() bool { return false }))
		_, some := end[0].NextCompletion()
		assert.True(t, some)
	}
}
