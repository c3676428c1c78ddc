package rdmap

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Random atomics on random streams, checked by simple accounting: additions are never lost, response MSNs count per
// stream, and an ended stream stays silent.
func TestRandomAtomics(t *testing.T) {
	const base, address, words = 0x7FFFFFFFFFFFFFF5, 0x2000, 4
	rapid.Check(t, func(t *rapid.T) {
		e, err := NewEngine(EngineConfig{Streams: 4, STags: 16, IRD: 1, ORD: 1, ReceiveDepth: 1, SendDepth: 1, MaxPayload: 1})
		require.NoError(t, err)
		require.NoError(t, e.SetRegion(1, memory.Region{Valid: true, Rights: memory.RemoteAtomic, ByDomain: true, Base: base, Length: 8 * words, Address: address}))
		for stream := range uint32(4) {
			e.Open(stream, 0)
		}
		var want [words]uint64
		var dead [4]bool
		next := [4]uint32{1, 1, 1, 1}
		for range rapid.IntRange(1, 60).Draw(t, "segments") {
			stream := rapid.Uint32Max(3).Draw(t, "stream")
			word := rapid.IntRange(0, words-1).Draw(t, "word")
			add := rapid.Uint64().Draw(t, "add")
			off := uint64(0)
			if rapid.IntRange(0, 19).Draw(t, "luck") == 0 {
				off = rapid.Uint64Range(1, 7).Draw(t, "misaligned by")
			}
			v := e.Receive(stream, wire.AppendAtomicRequest(nil, next[stream], wire.NewFetchAdd(9, 1<<8, base+8*uint64(word)-off, add, 0)))
			if dead[stream] || off != 0 {
				require.NotEqual(t, spec.None, v.Error)
				dead[stream] = true
				continue
			}
			require.Equal(t, spec.None, v.Error)
			segments, x := e.Execute(stream)
			require.True(t, x.Is(spec.AtomicRequest))
			require.Equal(t, want[word], x.Original)
			want[word] += add
			require.Equal(t, want[word], x.Result)
			s, kind := wire.Classify(segments[0])
			require.Equal(t, spec.None, kind)
			require.Equal(t, next[stream], s.Header.MSN)
			next[stream]++
		}
		for i, v := range want {
			require.Equal(t, v, e.Memory().Word(address+8*uint64(i)))
		}
	})
}
