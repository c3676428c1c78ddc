package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A request that fails somewhere in a random stream, in Verbs compatible mode: every work request and receive completes
// exactly once, those before it with success and in order, those after it flushed; both QPs are in Error, and each host is
// told once.
func TestVerbsErrorEndsAll(t *testing.T) {
	for _, s := range setups {
		if s.errors != spec.Verbs || s.kind == spec.QPUD {
			continue
		}
		t.Run(s.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				b := newBench(t, s, rapid.Uint64().Draw(t, "seed"))
				count := rapid.IntRange(1, 30).Draw(t, "requests")
				wrong := rapid.IntRange(0, count-1).Draw(t, "wrong")
				receives := 0
				for id := range count {
					kind := rapid.SampledFrom([]spec.Kind{spec.Send, spec.Write, spec.Read, spec.FetchAdd}).Draw(t, "kind")
					if id == wrong && kind == spec.Send {
						kind = spec.Write
					}
					r := falcon.WorkRequest{ID: uint64(id), Kind: kind, VA: remoteVA, RKey: remoteKey, Local: sink(uint32(300*id), 200)}
					switch kind {
					case spec.Send, spec.Write:
						r.Local = source(0, 200)
					case spec.FetchAdd:
						r.Local = sink(uint32(300*id), 8)
					}
					if id == wrong {
						r.RKey = noKey
					}
					if kind == spec.Send {
						b.receive(1, falcon.ReceiveRequest{ID: uint64(receives), Local: buffer(0, 200)})
						receives++
					}
					b.post(t, 0, r)
				}
				b.run(t)
				sent, none := b.completions(0)
				require.Empty(t, none)
				require.Len(t, sent, count)
				failed := false
				for n, c := range sent {
					require.EqualValues(t, n, c.ID, "in order")
					if failed = failed || c.Status != falcon.Success; failed {
						require.NotEqual(t, falcon.Success, c.Status)
					}
					if s.ordering == spec.Strong {
						require.Equal(t, n < wrong, c.Status == falcon.Success)
						require.Equal(t, n > wrong, c.Status == falcon.Flushed)
						require.True(t, n != wrong || c.Status == falcon.RemoteError)
					}
				}
				require.True(t, failed)
				require.True(t, b.node[0].InError(b.qp[0]))
				require.True(t, b.node[1].InError(b.to[1]))
				require.Len(t, b.events(0), 1)
				require.Len(t, b.events(1), 1)
				_, received := b.completions(1)
				if s.kind == spec.QPRC {
					require.Len(t, received, receives)
				}
				seen := map[uint64]bool{}
				for _, c := range received {
					require.False(t, seen[c.ID])
					seen[c.ID] = true
				}
				b.post(t, 0, falcon.WorkRequest{ID: 999, Kind: spec.Send})
				sent, _ = b.completions(0)
				require.Equal(t, []falcon.Completion{{QP: b.qp[0], ID: 999, Status: falcon.Flushed, Kind: spec.Send}}, sent)
				require.Equal(t, s.credits, b.node[0].Credits(b.cid[0]), "credits return from an ended QP")
			})
		})
	}
}

// A target that ends flushes the receives of open messages in the order of RMSN, then those still posted; Atomics that wait
// get their responses.
func TestFlushedTarget(t *testing.T) {
	g := newTarget(t, newSetup(spec.QPRC, spec.Weak, spec.CompleteInError))
	for id := range uint64(5) {
		g.postReceive(id+1, 200)
	}
	for _, rmsn := range []uint32{4, 2, 3, 1} {
		require.Equal(t, spec.Ack, g.send(g.numbered(0x00, 10+rmsn, rmsn, 0)).Reply)
	}
	require.Equal(t, spec.Ack, g.send(g.numbered(0x14, 20, 1, 0)).Reply)
	g.e.Fail(g.to[1])
	g.e.Fail(g.to[1])
	_, received := g.completions(1)
	require.Len(t, received, 5)
	for n, c := range received {
		require.Equal(t, falcon.Completion{QP: g.to[1], ID: uint64(n + 1), Receive: true, Status: falcon.Flushed}, c)
	}
	list := g.responses()
	require.Len(t, list, 1)
	require.True(t, list[0].CE)
	require.Zero(t, g.e.Memory().Word(remoteAt))
	require.Empty(t, g.events(1), "the host has done it")

	g.postReceive(9, 1)
	_, received = g.completions(1)
	require.Len(t, received, 1)
	require.Equal(t, falcon.Flushed, received[0].Status)
}
