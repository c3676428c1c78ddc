package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// livesBench is falcon_responses whose connections are set up while responses wait, are tried again, and arrive, and while credits are returned.
// Whether a credit that arrives shortly before a set-up counts for the connection before or after it is open: least and most are the credits that
// are left if none, or each, counts after it.
type livesBench struct {
	*responsesBench
	sent    map[string][]falconMessage // by executor: not taken
	entered map[uint32][]falconMessage // in order: taken, and not gone
	owes    map[uint32]int             // how many of them, the first, are of connections before
	least   map[uint32]dataCount
	most    map[uint32]dataCount
	offered []dataCreditBeat // not taken
	setups  []dataCreditBeat // likewise
	latest  []dataCreditBeat // credits that were taken in the latest cycles
	at      []int            // and when
}

// doubtful is how long a credit may wait inside.
const doubtful = 600

func openLives(t testing.TB, ird int, seed uint64) *livesBench {
	b := &livesBench{responsesBench: openResponses(t, responsesConfig(ird, 64), seed), sent: map[string][]falconMessage{}, entered: map[uint32][]falconMessage{},
		owes: map[uint32]int{}, least: map[uint32]dataCount{}, most: map[uint32]dataCount{}}
	b.look = b.take
	onBeat(b.rig, "message", b.goes)
	return b
}

func (a dataCount) plus(n dataCount, times int) dataCount {
	return dataCount{a.Packets + times*n.Packets, a.Buffers + times*n.Buffers}
}

// taken reports whether a beat of a stream is accepted in this cycle.
func (b *livesBench) taken(stream string) bool {
	at := b.stream(stream).at
	return len(at) > 0 && at[len(at)-1] == b.cycle
}

// take follows what the block takes in a cycle.
func (b *livesBench) take() {
	for _, x := range b.executors {
		if b.taken(x) {
			m := b.sent[x][0]
			b.sent[x], b.entered[m.CID] = b.sent[x][1:], append(b.entered[m.CID], m)
		}
	}
	if b.taken("setup") {
		s := b.setups[0]
		b.setups = b.setups[1:]
		b.owes[s.CID], b.least[s.CID], b.most[s.CID] = len(b.entered[s.CID]), s.Count, s.Count
		for i, c := range b.latest {
			if c.CID == s.CID && b.at[i] > b.cycle-doubtful {
				b.most[s.CID] = b.most[s.CID].plus(c.Count, 1)
			}
		}
	}
	if b.taken("credits") {
		c := b.offered[0]
		b.offered, b.latest, b.at = b.offered[1:], append(b.latest, c), append(b.at, b.cycle)
		b.least[c.CID], b.most[c.CID] = b.least[c.CID].plus(c.Count, 1), b.most[c.CID].plus(c.Count, 1)
	}
}

// goes takes a response that leaves: the first of its connection. It costs credits unless it is of a connection before.
func (b *livesBench) goes(m falconMessage) {
	list := b.entered[m.CID]
	if !assert.True(b.t, len(list) > 0 && list[0] == m, "CID %d: RSN %d leaves, which is not the first of %d", m.CID, m.RSN, len(list)) {
		return
	}
	b.gone++
	b.entered[m.CID] = list[1:]
	if b.owes[m.CID] > 0 {
		b.owes[m.CID]--
		return
	}
	cost := b.cost(m)
	b.least[m.CID], b.most[m.CID] = b.least[m.CID].plus(cost, -1), b.most[m.CID].plus(cost, -1)
	assert.GreaterOrEqual(b.t, min(b.most[m.CID].Packets, b.most[m.CID].Buffers), 0, "CID %d, RSN %d leaves without credits", m.CID, m.RSN)
}

// stays checks, once nothing moves, that nothing waits that has the credits, or needs none.
func (b *livesBench) stays() {
	b.rest(80)
	for cid, list := range b.entered {
		if len(list) == 0 {
			continue
		}
		require.Zero(b.t, b.owes[cid], "CID %d: of connections before, which need no credits", cid)
		cost, left := b.cost(list[0]), b.least[cid]
		require.True(b.t, cost.Packets > left.Packets || cost.Buffers > left.Buffers, "CID %d has credits %+v, and its first response, which costs %+v, waits", cid, left, cost)
	}
}

func (b *livesBench) give(cid uint32, n dataCount) {
	send(b.rig, "credits", dataCreditBeat{cid, n})
	b.offered = append(b.offered, dataCreditBeat{cid, n})
}

func (b *livesBench) connect(cid uint32, n dataCount) {
	send(b.rig, "setup", dataCreditBeat{cid, n})
	b.setups = append(b.setups, dataCreditBeat{cid, n})
}

// answer sends a response if there is a place for it.
func (b *livesBench) answer(cid uint32) {
	inside := len(b.entered[cid])
	for _, list := range b.sent {
		for _, m := range list {
			if m.CID == cid {
				inside++
			}
		}
	}
	if inside < b.c.IRD {
		m := b.response(cid)
		x := b.executors[m.Kind-3]
		b.sent[x] = append(b.sent[x], m)
	}
}

// Connections are set up once more in any cycle: while the responses of the connection before leave, one after another, while the first one that
// waits is tried again, and beside credits that are returned.
func TestFalconResponsesOfLives(t *testing.T) {
	for _, ird := range []int{1, 2, 4, 8} {
		t.Run(fmt.Sprint(ird), func(t *testing.T) {
			everyChance(t, func(t *testing.T, idle, pressure int) {
				b := openLives(t, ird, uint64(ird))
				b.stall(idle, pressure)
				r := b.r
				few := func() dataCount {
					return []dataCount{{0, 0}, {1, 1}, {1, 5}, {r.IntN(3), r.IntN(12)}}[r.IntN(4)]
				}
				for range 40 {
					connections := 1 + r.Uint32N(2)
					for cid := range connections {
						b.connect(cid, few())
					}
					b.rest(20)
					often := []int{2, 8, 40}[r.IntN(3)]
					for range 200 {
						cid := r.Uint32N(connections)
						if r.IntN(3) > 0 {
							b.answer(cid)
						}
						if r.IntN(often) == 0 && len(b.offered) < 3 {
							b.give(cid, few())
						}
						if r.IntN(20) == 0 && len(b.setups) == 0 {
							b.connect(cid, few())
						}
						for range r.IntN(4) {
							b.step()
						}
					}
					b.stays()
					for cid := range connections {
						b.give(cid, dataCount{2 * ird, 200})
					}
					b.stays()
					for cid := range connections {
						require.Empty(t, b.entered[cid])
					}
				}
				require.Greater(t, b.gone, 200)
			})
		})
	}
}
