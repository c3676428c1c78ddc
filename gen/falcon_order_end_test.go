package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/falcon"
)

// waits makes an arrival that of an Atomic.
func (p *scorePeer) waits(a *scoreArrival) {
	a.Counts, a.Waits, a.Part.Pull, a.Request.Kind = true, true, true, int(p.b.c.Kinds().Request("atomic"))
}

// atomic is an Atomic with an SN.
func (p *scorePeer) atomic(sn uint32) scoreArrival {
	a := p.blank()
	p.answer(&a, 1)
	p.waits(&a)
	a.SN = sn
	return a
}

// fails is the end of the QP without a packet of it.
func (p *scorePeer) fails() scoreArrival {
	a := p.blank()
	a.Kind, p.dead = scoreEnd, true
	return a
}

// scoreAnswers count what is answered, by QP: Atomics that are executed, Atomics that are refused, and the refusals ahead of the end.
type scoreAnswers struct{ executed, refused, early map[int]int }

func (b *scoreBench) count() *scoreAnswers {
	n, ended := &scoreAnswers{map[int]int{}, map[int]int{}, map[int]int{}}, map[int]bool{}
	b.delivers = func(d scoreDelivery) {
		s, kind := d.Request.Stream, uint64(d.Request.Kind)
		switch {
		case d.Kind&scoreEnd != 0:
			ended[s] = true
		case d.Kind&scorePull == 0:
		case kind == b.c.Kinds().Request("refusal"):
			n.refused[s]++
			if !ended[s] {
				n.early[s]++
			}
		case kind == b.c.Kinds().Request("atomic"):
			n.executed[s]++
		}
	}
	return n
}

// endWalk is how many steps of a walk find nothing at most, before the first Atomic is refused and after the last one.
const endWalk = 4

// All Atomics that wait as the QP ends are refused after the end, and none that was executed.
func TestFalconOrderRefusesWhatWaits(t *testing.T) {
	for _, ird := range []int{1, 2, 8, 32} {
		for _, done := range []int{0, 1, ird} {
			b, peers := openScores(t, scoreRun{streams: 2, window: 64, ird: ird, depth: 8}, scoreWeak, true)
			answers, p := b.count(), peers[0]
			for n := range done {
				p.send(p.atomic(uint32(n + 1)))
			}
			b.rest(20)
			for n := range ird {
				p.send(p.atomic(uint32(done + 2 + n)))
			}
			p.send(p.fails())
			b.end()
			assert.Equal(t, done, answers.executed[0], "executed")
			assert.Equal(t, ird, answers.refused[0], "refused")
			assert.Empty(t, answers.early)
		}
	}
}

// The packet that ends the gap arrives shortly before the end, or after it, when falcon_check refuses it: each Atomic is answered once.
func TestFalconOrderEndRacesGap(t *testing.T) {
	for between := -14; between <= 14; between++ {
		for _, gap := range []string{"push", "atomic"} {
			for _, filled := range []bool{false, true} { // the cycles between them are those of another QP
				t.Run(fmt.Sprint(between, gap, filled), func(t *testing.T) {
					b, peers := openScores(t, scoreRun{streams: 2, window: 16, ird: 4, depth: 64}, scoreWeak, true)
					answers, p := b.count(), peers[0]
					for n := range uint32(3) {
						p.send(p.atomic(2 + n))
					}
					b.rest(20)
					first := p.only(1, 1)
					if gap == "atomic" {
						first = p.atomic(1)
					}
					end := p.fails()
					if between < 0 {
						first.Waits, first.Counts, first.Part = false, false, scorePart{}
						first, end = end, first
					}
					p.send(first)
					for i := range max(between, -between-1) {
						if filled {
							peers[1].send(peers[1].only(uint32(i+1), uint32(i+1)))
						} else {
							b.step()
						}
					}
					p.send(end)
					b.end()
					own := 0
					if gap == "atomic" && between >= 0 {
						own = 1
					}
					assert.Equal(t, 3+own, answers.executed[0]+answers.refused[0])
					assert.GreaterOrEqual(t, answers.executed[0], own)
					switch {
					case between <= 0:
						assert.Equal(t, own, answers.executed[0])
					case between >= 12 && !filled:
						assert.Zero(t, answers.refused[0])
					}
				})
			}
		}
	}
}

// The QP is opened again some cycles after its end: Atomics that have not been refused by then are forgotten, and none is in the next life.
func TestFalconOrderOpensAfterEnd(t *testing.T) {
	for _, ird := range []int{1, 4, 16} {
		for pause := range 2*ird + 24 {
			b, peers := openScores(t, scoreRun{streams: 2, window: 64, ird: ird, depth: 8}, scoreWeak, true)
			p := peers[0]
			for life := range 3 {
				answers := b.count()
				for n := range ird {
					p.send(p.atomic(uint32(n + 2)))
				}
				p.send(p.fails())
				for len(b.stream("arrival").queue) > 0 {
					b.step()
				}
				for range pause {
					b.step()
				}
				p.open(scoreWeak, true)
				if life == 1 {
					b.rest(20)
				}
				if pause > ird+16 {
					require.Equal(t, ird, answers.refused[0])
				}
				answers = b.count()
				for n := range ird {
					p.send(p.atomic(uint32(n + 2)))
				}
				p.send(p.only(1, 1))
				b.end()
				require.Equal(t, ird, answers.executed[0])
				p.open(scoreWeak, true)
			}
		}
	}
}

// Other QPs have an arrival in each cycle: what is refused waits for a few of them.
func TestFalconOrderRefusesBesideTraffic(t *testing.T) {
	for _, own := range []bool{false, true} { // they are pulls of the QP itself, which falcon_check refuses
		b, peers := openScores(t, scoreRun{streams: 4, window: 64, ird: 8, depth: 256}, scoreWeak, true)
		answers, p := b.count(), peers[0]
		for n := range 8 {
			p.send(p.atomic(uint32(n + 2)))
		}
		p.send(p.fails())
		for n := range uint32(400) {
			if !own {
				peers[1].send(peers[1].only(n+1, n+1))
				continue
			}
			a := p.blank()
			a.Kind, a.Request.Kind = scorePull, 2
			p.answer(&a, 1)
			p.send(a)
		}
		for b.cycle < 1000 && answers.refused[0] < 8 {
			b.step()
		}
		at := b.stream("arrival").at
		t.Logf("own %t: 8 refused %d cycles after the end", own, b.cycle-at[8])
		assert.LessOrEqual(t, b.cycle-at[8], (8+endWalk)*(1+8)+8)
		b.end()
		assert.LessOrEqual(t, b.gaps("arrival"), 8+6)
	}
}

// All QPs end at once.
func TestFalconOrderManyEnd(t *testing.T) {
	for _, streams := range []int{2, 64} {
		b, peers := openScores(t, scoreRun{streams: streams, window: 64, ird: 8, depth: 8}, scoreWeak, true)
		answers := b.count()
		for n := range 8 {
			for _, p := range peers {
				p.send(p.atomic(uint32(n + 2)))
			}
		}
		b.rest(20)
		for _, p := range peers {
			p.send(p.fails())
		}
		b.end()
		for i := range peers {
			require.Equal(t, 8, answers.refused[i], "QP %d", i)
		}
		at := b.stream("deliver").at
		t.Logf("%d QPs: %d refusals, the last one %d cycles after the last end", streams, 8*streams, at[len(at)-1]-b.stream("arrival").at[9*streams-1])
	}
}

// The block itself finds the end, and Atomics are accepted until falcon_check knows: they are refused, too, and so are those ahead of it.
func TestFalconOrderRefusesWhatComesLate(t *testing.T) {
	for _, fault := range []int{falcon.FaultIncomplete, falcon.FaultRMSN, falcon.FaultPlace, falcon.FaultWindow} {
		for _, window := range []int{2, 8} {
			for pause := range 12 {
				t.Run(fmt.Sprint(fault, window, pause), func(t *testing.T) {
					b, peers := openScores(t, scoreRun{streams: 2, window: window, ird: 32, depth: 512}, scoreWeak, true)
					answers, p := b.count(), peers[0]
					first := p.only(1, 1)
					switch fault {
					case falcon.FaultIncomplete:
						first.Part.Offset = 8
					case falcon.FaultRMSN:
						first = p.only(1, 2)
					case falcon.FaultPlace:
						first.Part.Starts = false
					}
					wants := 0
					atomic := func(sn int) {
						p.send(p.atomic(uint32(sn)))
						wants++
					}
					if fault == falcon.FaultWindow {
						atomic(2)
						atomic(2*window + 1) // at the place of SN 1
						atomic(2*window + 2) // at that of SN 2
					} else {
						for sn := 2; sn <= window; sn++ {
							atomic(sn)
						}
						p.send(first)
					}
					for range pause {
						b.step()
					}
					for sn := range 2*window - 2 {
						atomic(sn + 3)
					}
					if fault == falcon.FaultWindow {
						atomic(1)
					}
					for sn := range 8 {
						atomic(2*window + 3 + sn)
					}
					b.rest(50)
					p.send(p.fails())
					b.end()
					assert.Equal(t, wants, answers.refused[0])
					assert.Zero(t, answers.executed[0])
				})
			}
		}
	}
}

// An SN beyond the window arrives while Atomics have their turn: the one that has it in the same cycle is not refused, too.
func TestFalconOrderBeyondBesideTurns(t *testing.T) {
	for pause := range 24 {
		b, peers := openScores(t, scoreRun{streams: 2, window: 8, ird: 8, depth: 8}, scoreWeak, true)
		answers, p := b.count(), peers[0]
		for n := range uint32(7) {
			p.send(p.atomic(n + 2))
		}
		b.rest(20)
		p.send(p.only(1, 1))
		for range pause {
			b.step()
		}
		p.send(p.atomic(9 + 16))
		b.rest(50)
		p.send(p.fails())
		b.end()
		require.Equal(t, 8, answers.executed[0]+answers.refused[0], "after %d cycles", pause)
	}
}
