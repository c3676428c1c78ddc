package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
)

// turnsCrowd has streams that send without end, and after them others that wait some cycles between short messages of 40 octets.
type turnsCrowd struct {
	*txTurnsRig
	long, short, gap int

	seen int
	wait map[int]int // cycles to the next message of a stream; -1: one is on its way
}

func openTurnsCrowd(t *testing.T, long, short, gap int) *turnsCrowd {
	c := gen.Config{BusBytes: 128, Streams: 64, IRD: 8, SendDepth: 16, MaxPayload: 1024}.Engine()
	k := &turnsCrowd{openTxTurns(t, c), long, short, gap, 0, map[int]int{}}
	for i := range long {
		send(k.rig, "message", turnsMessage(i, uint32(i), 1<<20))
	}
	return k
}

// run counts the segments that leave of each stream.
func (k *turnsCrowd) run(cycles int) map[int]int {
	from := len(k.sent)
	for range cycles {
		for ; k.seen < len(k.sent); k.seen++ {
			if s := k.sent[k.seen].Stream; s >= k.long {
				k.wait[s] = k.gap
			}
		}
		for s := k.long; s < k.long+k.short; s++ {
			if k.wait[s]--; k.wait[s] == -1 {
				send(k.rig, "message", turnsMessage(s, uint32(s), 40))
			}
		}
		k.step()
	}
	count := map[int]int{}
	for _, s := range k.sent[from:] {
		count[s.Stream]++
	}
	return count
}

// However many streams send without end, and whether others send short messages beside them, segments leave as fast as they are taken,
// one in nine cycles as on a line of 128 octets, and each of the long streams gets about
// the same.
func TestTxTurnsCrowdIsFair(t *testing.T) {
	for _, long := range []int{15, 16, 24, 40, 64} {
		for _, short := range []int{0, 1, 24} {
			if long+short > 64 {
				continue
			}
			t.Run(fmt.Sprintf("%d long, %d short", long, short), func(t *testing.T) {
				k := openTurnsCrowd(t, long, short, 100)
				k.stream("command").chance = 256 - 256/9
				k.run(3000)
				count := k.run(48000)
				least, most, all := 1<<30, 0, 0
				for s, n := range count {
					if all += n; s < long {
						least, most = min(least, n), max(most, n)
					}
				}
				assert.InEpsilon(t, 256/9/256., float64(all)/48000, 0.05)
				assert.LessOrEqual(t, most, least*7/6+2, "as if none waited, a stream goes on while all others pass, and pays for it later")
				for s := long; s < long+short; s++ {
					assert.Greater(t, count[s], 10, "stream %d", s)
				}
			})
		}
	}
}

// Beside many streams that each have one short message at a time, one that sends without end has a segment in three to six rounds of turns;
// beside few, one in each.
func TestTxTurnsCrowdOfShort(t *testing.T) {
	for _, row := range []struct {
		short  int
		rounds float64
	}{{8, 1}, {14, 1}, {24, 4.5}, {63, 4.5}} {
		k := openTurnsCrowd(t, 1, row.short, 1)
		k.stream("command").chance = 128
		k.run(1000)
		count := k.run(20000)
		messages := 0
		for s := 1; s <= row.short; s++ {
			messages += count[s]
			require.InEpsilon(t, count[1], count[s], 0.1, "stream %d", s)
		}
		rounds := float64(messages) / float64(row.short) / float64(count[0])
		assert.InEpsilon(t, row.rounds, rounds, 0.33, "%d short streams", row.short)
	}
}

// A stream in debt that is alone again sends at once, and so does one of a crowd that has gone.
func TestTxTurnsAfterCrowd(t *testing.T) {
	k := openTurnsCrowd(t, 1, 40, 1)
	k.stream("command").chance = 128
	k.run(1000)
	k.short = 0
	k.run(100)
	k.stream("command").chance = 0
	require.Equal(t, 200, k.run(200)[0])
}

// In a crowd, too, a stream that waits sends its weight times the octets of another one.
func TestTxTurnsCrowdByWeight(t *testing.T) {
	k := openTurnsCrowd(t, 4, 40, 1)
	send(k.rig, "weight", weightBeat{2, 4})
	k.stream("command").chance = 128
	k.run(2000)
	count := k.run(20000)
	for _, s := range []int{0, 1, 3} {
		assert.InEpsilon(t, 4*count[s], count[2], 0.15, "%v", count)
	}
}
