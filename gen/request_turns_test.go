package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// A stream is reopened while requests wait for a release: its next waiting request drops them, and a release applies only to new ones.
func TestRequestTurnsReopened(t *testing.T) {
	b := openTurns(t, turnsConfig(4, 4, 16), 9)
	b.asks("R1", "A1", "N1", "R2", "R2", "r2")
	b.gives("r2")
	b.asks("f1")
	b.gives("a1")
}

// A request that drops waiting requests starts a turn of its own, even if it has the same kind as the request before the dropped ones.
func TestRequestTurnsDroppedRuns(t *testing.T) {
	b := openTurns(t, turnsConfig(4, 4, 16), 9)
	b.asks("a1", "r1", "R1", "R1", "A1", "N1", "f1")
	b.gives("a1")
	b.over(1)
	b.gives("r1")
	b.over(1)
	b.gives("a1")
	b.over(1)
	b.asks("r1", "A1", "a1")
	b.gives("r1")
	b.over(1)
	b.gives("a1")
}

// Which requests wait for which: each pair of kinds, on one stream and on two; releases, and ends that drop unreleased requests.
func TestRequestTurnsFences(t *testing.T) {
	b := openTurns(t, turnsConfig(4, 8, 16), 1)
	for range 40 { // past the wraps of all counts
		b.asks("r1", "a1", "a1", "r1", "r2", "t2")
		b.gives("r1", "r2")
		b.over(1)
		b.gives("a1", "a1")
		b.over(1)
		b.gives()
		b.over(1)
		b.gives("r1")
		b.over(2)
		b.gives("t2")

		b.asks("t1", "r2", "s3", "s3", "a3")
		b.gives("s3")
		b.over(1)
		b.gives("t1")
		b.over(2, 3)
		b.gives("r2", "s3")
		b.over(1, 3, 2)
		b.gives("a3")
		b.over(3)

		b.asks("a1", "A1", "R1", "R1", "r2")
		b.gives("a1", "r2")
		b.asks("f1")
		b.gives("a1")
		b.asks("r1")
		b.over(1, 1, 2)
		b.gives("r1", "r1", "r1")
		b.asks("R1", "A1", "t1", "a1", "R2", "s2", "R2", "f2")
		b.gives("s2")
		b.over(1, 1, 1)
		b.gives("t1")
		b.over(1, 2)
		b.gives("a1", "r2")
		b.over(1, 2)
	}
}

// A turn that need not wait is offered 2 cycles after its request arrives, at one per cycle, on one stream and on several.
func TestRequestTurnsIsFast(t *testing.T) {
	for _, kind := range []string{"r", "a"} {
		for _, streams := range []int{1, 4} {
			b := openTurns(t, turnsConfig(4, 8, 512), 2)
			b.lag = 0
			for i := range 200 {
				b.asks(fmt.Sprint(kind, i%streams))
			}
			b.settle()
			in, out := b.rig.stream("arrive").at, b.rig.stream(map[string]string{"r": "read", "a": "atomic"}[kind]).at
			require.Len(t, out, 200)
			gapless(t, in)
			gapless(t, out)
			require.Equal(t, in[0]+2, out[0])
		}
	}
}

// Waiting requests of one kind are granted together in one turn: when the last earlier request is over, and when they are released.
// Requests that keep arriving after them are granted turns without delay.
func TestRequestTurnsTogether(t *testing.T) {
	b := openTurns(t, turnsConfig(4, 8, 16), 3)
	b.asks("a1", "r1", "r1", "r1", "r1", "r1", "r1", "r1")
	b.gives("a1")
	b.over(1)
	b.gives("r1", "r1", "r1", "r1", "r1", "r1", "r1")
	require.Len(t, b.rig.stream("read").at, 1)
	b.over(1, 1, 1, 1, 1, 1, 1)
	b.asks("R2", "R2", "R2", "R2", "A1", "A1", "A1", "A1")
	b.gives()
	b.asks("f2", "f1")
	b.gives("r2", "r2", "r2", "r2", "a1", "a1", "a1", "a1")
	require.Len(t, b.rig.stream("read").at, 2)
	require.Len(t, b.rig.stream("atomic").at, 2)
	b.over(1, 1, 1, 1, 2, 2, 2, 2)

	b = openTurns(t, turnsConfig(4, 8, 512), 8)
	b.asks("r3", "a3")
	b.gives("r3")
	b.lag, b.had = 0, 0
	begin := 0
	for b.had < 500 {
		if b.had < 100 {
			begin = b.cycle
		}
		if s := b.streams[3]; s.sent+len(s.queued) < 15 {
			b.asks("a3")
		}
		b.pass(1)
	}
	require.Less(t, b.cycle, begin+410)
	b.settle()
}

// A request ends in each cycle around the arrival of one of another kind on its stream, also if it was released or granted a turn
// just before: none is left waiting.
func TestRequestTurnsWakeInTime(t *testing.T) {
	b := openTurns(t, turnsConfig(4, 4, 16), 4)
	at := func(cycle int, streams ...int) {
		for _, s := range streams {
			b.streams[s].finished++
			sendAt(b.rig, "over", cycle, endedBeat{s})
		}
	}
	arrive := func(cycle, stream, kind int, releases bool) {
		b.streams[stream].sent++
		sendAt(b.rig, "arrive", cycle, arrivalBeat{Stream: stream, Kind: kind, Releases: releases})
	}
	for _, load := range []bool{false, true} { // traffic of other streams, so that tokens meet in lists and FIFOs
		for d := -6; d <= 24; d++ {
			for gap := range 8 {
				b.asks("r1", "r2", "r3", "R3")
				b.settle()
				now := b.cycle + 10
				arrive(now, 1, kindAtomic, false)
				if load {
					arrive(now, 3, 0, true)
					arrive(now, 2, kindAtomic, false)
					arrive(now+gap, 3, kindAtomic, false)
				}
				arrive(now+gap, 1, kindRead, false)
				at(now+d, 1)
				b.settle()
				require.Contains(t, b.turns, "a1", "over %d cycles after it arrives, another %d", d, gap)
				if !load {
					b.asks("f3")
				}
				b.lag = 0
				b.settle()
				b.lag = 256
				for i, s := range b.streams {
					require.Zero(t, s.running+len(s.queued), "stream %d, over %d cycles after it arrives, another %d", i, d, gap)
				}
				b.turns = nil
			}
		}
	}
}

// All streams wait at once, and the requests that they wait for end back to back, in several rounds; every stream continues.
func TestRequestTurnsManyAtOnce(t *testing.T) {
	for _, streams := range []int{2, 8, 64} {
		b := openTurns(t, turnsConfig(streams, 2, 64), 5)
		for round := range 4 {
			for _, kind := range []int{kindRead, kindAtomic} {
				for s := range streams {
					b.streams[s].sent++
					send(b.rig, "arrive", arrivalBeat{Stream: s, Kind: kind ^ round&1})
				}
			}
			b.settle()
			require.Len(t, b.turns, streams, "round %d", round)
			for s := range streams {
				b.over(s)
			}
			b.settle()
			require.Len(t, b.turns, 2*streams, "round %d", round)
			for s := range streams {
				b.over((7*s + 3) % streams)
			}
			b.settle()
			b.turns = nil
		}
	}
}

// With all turns blocked, the block still accepts every request that has a slot, and loses none.
func TestRequestTurnsHoldsEverything(t *testing.T) {
	for _, ird := range []int{1, 4} {
		b := openTurns(t, turnsConfig(4, ird, 16), 6)
		for s := range 4 {
			for range ird { // before the end of the stream
				b.asks(fmt.Sprint("r", s))
			}
		}
		b.stall(0, 256)
		for range 100 {
			b.step()
		}
		b.stall(0, 0)
		b.settle()
		require.Len(t, b.turns, 4*ird)
		b.stall(0, 256)
		for s := range 4 {
			for range ird { // they are in progress; their responses are sent
				b.over(s)
			}
			b.asks(fmt.Sprint("s", s))
			for range 2*ird - 1 {
				b.asks(fmt.Sprint("a", s))
			}
		}
		for range 200 {
			b.step()
		}
		require.Empty(t, b.rig.stream("end").at)
		b.stall(0, 0)
		b.lag = 0
		b.settle()
		require.Len(t, b.turns, 4*3*ird)
	}
}

// After a reset nothing is accepted for one cycle per stream, and no stream has requests.
func TestRequestTurnsReset(t *testing.T) {
	b := openTurns(t, turnsConfig(4, 8, 16), 7)
	for cycles := range 24 {
		b.reset()
		b.restart()
		b.asks("r1", "a1", "a1", "r2", "A3", "R3", "f3", "t2", "a0", "a0", "r0")
		for range cycles {
			b.step()
		}
		for range 2 {
			b.reset()
			b.restart()
			for range cycles % 5 {
				b.step()
			}
		}
		b.reset()
		b.asks("a3", "a1", "r1", "r2", "A2", "t0")
		b.gives("a3", "a1", "r2", "t0")
		require.Equal(t, 4, b.rig.stream("arrive").at[0])
		b.over(1)
		b.gives("r1")
	}
}

// Requests of different kinds are not granted in one turn, even if the requests that wait after them are all of one kind.
func TestRequestTurnsOfSeveralKinds(t *testing.T) {
	b := openTurns(t, turnsConfig(4, 8, 16), 1)
	b.asks("r1", "a1", "r1", "R1", "A1", "A1", "R1")
	b.gives("r1")
	b.over(1)
	b.gives("a1")
	b.over(1)
	b.gives("r1")
	b.asks("f1")
	b.gives("r1")
	b.over(1, 1)
	b.gives("a1", "a1")
	b.over(1, 1)
	b.gives("r1")
}
