package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/internal/long"
)

func (b *scoreBench) window() int { return b.windowOf }

// scoreRun is a random test: QPs of all modes at once.
type scoreRun struct {
	streams, window, ird, depth int
	reorder, hostile            int
	idle, pressure, cycles      int
	short                       bool
	lives                       bool // QPs end and are opened again
}

func (run scoreRun) run(t *testing.T, seed uint64) *scoreBench {
	b := openScore(t, scoreConfig(run.streams, run.window, run.ird, run.depth), seed)
	b.windowOf = run.window
	b.stall(run.idle, run.pressure)
	var peers []*scorePeer
	for i := range run.streams {
		p := &scorePeer{b: b, rand: b.rand, stream: i, hostile: run.hostile, short: run.short}
		peers = append(peers, p)
		p.open(b.rand.IntN(scoreModes), b.rand.IntN(2) == 0)
	}
	b.accepted = func(a scoreArrival) { peers[a.Request.Stream].busy-- }
	hot := 0
	for b.cycle < run.cycles {
		if b.rand.IntN(64) == 0 {
			hot = b.rand.IntN(run.streams)
		}
		p := peers[hot]
		if b.rand.IntN(3) == 0 {
			p = peers[b.rand.IntN(run.streams)]
		}
		q := b.qps[p.stream]
		switch {
		case run.lives && b.rand.IntN(1200) == 0 || p.dead && b.rand.IntN(64) == 0:
			mode := b.rand.IntN(scoreModes)
			p.open(mode, mode != scoreUnordered && b.rand.IntN(2) == 0)
		case p.busy > 0 || p.dead:
		case q.stopped && q.failure == 0 && b.rand.IntN(4) == 0 || run.lives && b.rand.IntN(600) == 0:
			p.end()
		default:
			p.step(run.reorder)
		}
		if len(b.stream("arrival").queue) > 3 || b.rand.IntN(2) == 0 {
			b.step()
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	for _, p := range peers { // fill what is missing
		for !p.dead && len(b.qps[p.stream].ahead) > 0 && !b.qps[p.stream].stopped {
			if p.busy == 0 {
				p.fill()
			}
			b.step()
			if t.Failed() {
				t.FailNow()
			}
			require.Less(t, b.cycle, 2*run.cycles)
		}
	}
	for _, p := range peers { // what has stopped by itself is told to be in Error
		for q := b.qps[p.stream]; !p.dead && q.stopped; b.step() {
			if p.busy == 0 && q.failure == 0 {
				p.end()
			}
			require.Less(t, b.cycle, 2*run.cycles)
		}
	}
	b.end()
	return b
}

// fill sends the first packet that is missing.
func (p *scorePeer) fill() {
	a := p.queue[0]
	if a.Waits && p.atomics() >= p.b.c.IRD {
		return
	}
	p.queue = p.queue[1:]
	p.send(a)
}

// QPs of all modes under stalls, with packets that are wrong, and QPs that end and are opened at any moment.
func TestFalconOrderRandom(t *testing.T) {
	long.Test(t)
	runs := []scoreRun{
		{streams: 2, window: 2, ird: 1, depth: 2, reorder: 2},
		{streams: 2, window: 4, ird: 2, depth: 2, reorder: 4, hostile: 20},
		{streams: 4, window: 8, ird: 2, depth: 4, reorder: 8, hostile: 16, lives: true},
		{streams: 8, window: 16, ird: 4, depth: 8, reorder: 16, lives: true, short: true},
		{streams: 8, window: 64, ird: 16, depth: 32, reorder: 64, hostile: 2, lives: true},
		{streams: 16, window: 64, ird: 8, depth: 16, reorder: 64},
		{streams: 64, window: 16, ird: 4, depth: 8, reorder: 16, lives: true},
		{streams: 2, window: 256, ird: 16, depth: 64, reorder: 256},
		{streams: 2, window: 2, ird: 1, depth: 512, reorder: 64, lives: true},
	}
	seen := map[string]int{}
	for i, run := range runs {
		for _, stall := range [][2]int{{0, 0}, {0, 100}, {128, 0}, {100, 200}} {
			run.idle, run.pressure, run.cycles = stall[0], stall[1], 12000
			for seed := range uint64(2) {
				t.Run(fmt.Sprintf("%+v/%d", run, seed), func(t *testing.T) {
					b := run.run(t, 100*seed+uint64(i))
					for k, n := range b.seen {
						seen[k] += n
					}
					seen["merged"] += b.merged
				})
			}
		}
	}
	t.Logf("%+v", seen)
	require.False(t, t.Failed())
	for _, what := range []string{"alone", "merged", "fault 2", "fault 3", "fault 4", "refused", "receive with end", "opening", "status 0, weak true", "status 2, weak true", "status 3, weak true",
		"status 4, weak true", "status 4, weak false"} {
		assert.Greater(t, seen[what], 10, what)
	}
}
