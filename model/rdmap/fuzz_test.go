package rdmap

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// FuzzReceive: any octets give exactly one outcome; only an executed request touches memory, one word of it.
func FuzzReceive(f *testing.F) {
	f.Add(fetchAdd(base, 1), false)
	f.Add(fetchAdd(base+3, 1), true)
	f.Add(wire.AppendAtomicRequest(nil, 1, wire.NewSwap(1, stag, base+56, 7)), true)
	f.Add(wire.AppendAtomicRequest(nil, 1, wire.NewCmpSwap(1, stag, base+8, 7, ones, 0, ones)), false)
	f.Add(wire.AppendTerminate(nil, wire.Terminate{}), false)
	f.Add([]byte{}, false)
	f.Fuzz(func(t *testing.T, segment []byte, draft00 bool) {
		if len(segment) > wire.MaxSegment {
			return
		}
		r := small(t, func(c *Config) { c.Draft00 = draft00 })
		out := receive(t, r, 0, segment)
		after := words(t, r)
		if !out.Executed {
			require.Equal(t, make([]uint64, 8), after)
			require.Equal(t, out.Record.Error != wire.ErrNone, r.Terminated(0))
			require.Equal(t, out.Record.PayloadLength, len(out.Payload))
			return
		}
		want := make([]uint64, 8)
		want[out.Retired.Index] = out.Retired.Result
		require.Equal(t, want, after)
		require.Equal(t, uint32(1), msn(t, out.Response))
		require.False(t, r.Terminated(0))
	})
}

// Random traffic on random streams against a bookkeeping that knows only numbers: additions are never lost,
// responses count per stream, and a terminated stream is dead.
func TestRandomTraffic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, err := New(Config{Streams: 4, WindowWords: 4, WindowSTag: stag, WindowBase: 0x7FFFFFFFFFFFFFF5})
		require.NoError(t, err)
		var memory [4]uint64
		var dead [4]bool
		next := [4]uint32{1, 1, 1, 1}
		for range rapid.IntRange(1, 60).Draw(t, "segments") {
			stream := rapid.Uint32Max(3).Draw(t, "stream")
			word := rapid.IntRange(0, 3).Draw(t, "word")
			add := rapid.Uint64().Draw(t, "add")
			off := uint64(0)
			if rapid.IntRange(0, 19).Draw(t, "luck") == 0 {
				off = rapid.Uint64Range(1, 7).Draw(t, "misaligned by")
			}
			to := 0x7FFFFFFFFFFFFFF5 + 8*uint64(word) - off
			out, err := r.Receive(stream, wire.AppendAtomicRequest(nil, 1, wire.NewFetchAdd(9, stag, to, add, 0)))
			require.NoError(t, err)
			if dead[stream] || off != 0 {
				require.False(t, out.Executed)
				dead[stream] = true
				continue
			}
			require.True(t, out.Executed)
			require.Equal(t, memory[word], out.Retired.Original)
			memory[word] += add
			s, _ := wire.Classify(out.Response)
			require.Equal(t, next[stream], s.Header.MSN)
			next[stream]++
		}
		for i, want := range memory {
			access, err := r.HostAccess(false, i, 0)
			require.NoError(t, err)
			require.Equal(t, want, access.Original)
		}
	})
}
