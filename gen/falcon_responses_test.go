package gen_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// dataCount is a falcon.DataCount, dataCreditBeat a falcon.DataCredits.
type dataCount struct{ Packets, Buffers int }

type dataCreditBeat struct {
	CID   uint32
	Count dataCount
}

// responsesBench is falcon_responses beside a reference: of each connection the responses that have not left, and the credits that are left.
type responsesBench struct {
	*rig
	c         engine.Config
	r         *rand.Rand
	executors []string
	waiting   map[uint32][]falconMessage // in order, of all executors
	free      map[uint32]int             // how many of them, the first, need no credits
	left      map[uint32]dataCount
	returns   []dataCreditBeat // sent to the block, and not accepted
	rsn       uint32
	gone      int
}

func responsesConfig(ird, unit int) engine.Config {
	c := falconConfig(spec.Drawn, 64)
	c.IRD, c.Profile = ird, falcon.Profile{Order: spec.Drawn, Connections: falconConnections, Window: 64, BufferOctets: unit}
	return c
}

func openResponses(t testing.TB, c engine.Config, seed uint64) *responsesBench {
	b := &responsesBench{rig: openRig(t, falcon.Responses(c), seed), c: c, r: random(seed), waiting: map[uint32][]falconMessage{}, free: map[uint32]int{}, left: map[uint32]dataCount{}}
	for _, x := range engine.Speakers(c) {
		b.executors = append(b.executors, x.Name)
	}
	onBeat(b.rig, "message", b.leaves)
	return b
}

func (b *responsesBench) unit() int { return b.c.Profile.(falcon.Profile).BufferOctets }

func (b *responsesBench) cost(m falconMessage) dataCount {
	return dataCount{1, (int(m.RequestLength) + b.unit() - 1) / b.unit()}
}

// leaves takes a response that leaves: the first of its connection that one of the executors has given.
func (b *responsesBench) leaves(m falconMessage) {
	b.gone++
	list := b.waiting[m.CID]
	for i, w := range list {
		if w == m {
			cost, left := b.cost(m), b.account(m.CID)
			b.waiting[m.CID] = append(list[:i:i], list[i+1:]...)
			if b.free[m.CID] > 0 {
				b.free[m.CID]--
				return
			}
			left.Packets, left.Buffers = left.Packets-cost.Packets, left.Buffers-cost.Buffers
			assert.GreaterOrEqual(b.t, min(left.Packets, left.Buffers), 0, "CID %d, RSN %d leaves without credits", m.CID, m.RSN)
			b.left[m.CID] = left
			return
		}
		if w.Kind == m.Kind {
			break
		}
	}
	assert.Fail(b.t, "a response leaves that is not the first of its executor and connection", "%+v", m)
}

// account gives the credits of a connection, with those that the block has taken until now.
func (b *responsesBench) account(cid uint32) dataCount {
	taken := len(b.returns) - len(b.stream("credits").queue)
	for _, c := range b.returns[:taken] {
		left := b.left[c.CID]
		b.left[c.CID] = dataCount{left.Packets + c.Count.Packets, left.Buffers + c.Count.Buffers}
	}
	b.returns = b.returns[taken:]
	return b.left[cid]
}

// response is one to a Read, an Atomic, or a pull that is refused.
func (b *responsesBench) response(cid uint32) falconMessage {
	executor := b.r.IntN(len(b.executors))
	m := falconMessage{Stream: b.r.IntN(b.c.Streams), Kind: 3 + executor, Number: b.r.Uint32N(1 << engine.NumberBits(b.c)), HeaderLength: 24 + 8*b.r.IntN(2), Address: b.r.Uint64(),
		Length: b.r.Uint32N(uint32(b.c.MaxPayload + 1))}
	for i := range m.HeaderLength {
		m.Header[i] = byte(b.r.Uint32())
	}
	b.rsn++
	m.falconSent = falconSent{Type: spec.PullData, CID: cid, RSN: b.rsn, RequestLength: uint32(m.HeaderLength) + (m.Length+3)&^3}
	send(b.rig, b.executors[executor], m)
	b.waiting[cid] = append(b.waiting[cid], m)
	return m
}

func (b *responsesBench) credit(cid uint32, n dataCount) {
	beat := dataCreditBeat{cid, n}
	send(b.rig, "credits", beat)
	b.returns = append(b.returns, beat)
}

// setUp sets up a connection of which nothing is on its way.
func (b *responsesBench) setUp(cid uint32, n dataCount) {
	b.account(cid)
	send(b.rig, "setup", dataCreditBeat{cid, n})
	b.left[cid], b.free[cid] = n, len(b.waiting[cid])
}

// settled checks what waits once nothing moves: of each connection the first response, which has not the credits.
func (b *responsesBench) settled() {
	b.rest(60)
	for cid, list := range b.waiting {
		if len(list) == 0 {
			continue
		}
		left, short := b.account(cid), false
		for _, m := range list {
			cost := b.cost(m)
			short = short || cost.Packets > left.Packets || cost.Buffers > left.Buffers
		}
		require.True(b.t, short, "CID %d has credits %+v, and %d responses wait", cid, left, len(list))
		require.Zero(b.t, b.free[cid])
	}
}

// all returns what is needed for everything to leave.
func (b *responsesBench) all() {
	for cid, list := range b.waiting {
		for _, m := range list {
			b.credit(cid, b.cost(m))
		}
	}
	b.settled()
	for cid := range b.waiting {
		require.Empty(b.t, b.waiting[cid])
	}
}

// Responses wait for credits of their connection, which arrive in any portion while others leave; connections are set up anew with responses
// waiting. Counts of credits wrap.
func TestFalconResponses(t *testing.T) {
	for i, unit := range []int{1, 16, 64, 256, 4096} {
		t.Run(fmt.Sprintf("buffers of %d octets", unit), func(t *testing.T) {
			everyChance(t, func(t *testing.T, idle, pressure int) {
				b := openResponses(t, responsesConfig([]int{1, 2, 4, 8, 5}[(i+idle)%5], unit), uint64(unit))
				b.stall(idle, pressure)
				most := b.cost(falconMessage{HeaderLength: 32, falconSent: falconSent{RequestLength: uint32(b.c.MaxPayload + 32)}}).Buffers
				for range 12 {
					for cid := range uint32(falconConnections) {
						switch left := b.account(cid); {
						case b.r.IntN(3) == 0:
							b.setUp(cid, dataCount{b.r.IntN(4), b.r.IntN(2 * most)})
						case b.r.IntN(4) == 0:
							b.setUp(cid, dataCount{b.r.IntN(1 << 15), b.r.IntN(1 << 15)})
						case b.r.IntN(2) == 0 && left.Packets < 1<<14 && left.Buffers < 1<<14:
							b.credit(cid, dataCount{b.r.IntN(1 << 14), b.r.IntN(1 << 14)})
						}
					}
					b.settled()
					for range 3 * falconConnections {
						cid := b.r.Uint32N(falconConnections)
						if len(b.waiting[cid]) < b.c.IRD {
							b.response(cid)
						}
						if b.r.IntN(2) == 0 {
							for range b.r.IntN(12) {
								b.step()
							}
						}
						if list := b.waiting[cid]; len(list) > 0 && b.account(cid).Packets < 1<<14 && b.r.IntN(2) == 0 {
							cost := b.cost(list[0])
							b.credit(cid, []dataCount{{1, 0}, {0, cost.Buffers}, cost, {2, 2 * cost.Buffers}}[b.r.IntN(4)])
						}
					}
					b.settled()
				}
				b.all()
				require.Greater(t, b.gone, 100)
			})
		})
	}
}

// While as many responses of a connection wait as there may be, those of the others leave, one per cycle; so do those that wait once they have
// credits.
func TestFalconResponsesRate(t *testing.T) {
	c := responsesConfig(8, 64)
	b := openResponses(t, c, 1)
	for cid := range uint32(falconConnections) {
		b.setUp(cid, dataCount{10000, 10000})
	}
	b.setUp(0, dataCount{0, 10000})
	b.rest(20)
	for range c.IRD {
		b.response(0)
	}
	b.settled()
	begin, before := b.cycle, b.gone
	const n = 300
	for i := range n {
		b.response(1 + uint32(i)%(falconConnections-1))
	}
	for b.gone < before+n {
		b.step()
		require.Less(t, b.cycle-begin, n+12)
	}
	require.Len(t, b.waiting[0], c.IRD)
	b.credit(0, dataCount{c.IRD - 1, 0})
	b.settled()
	require.Len(t, b.waiting[0], 1)
}

// A response that finds all places taken leaves at once; the others wait, and leave when the connection is set up again.
func TestFalconResponsesWithoutPlace(t *testing.T) {
	for _, ird := range []int{1, 3, 4} {
		b := openResponses(t, responsesConfig(ird, 64), 1)
		b.setUp(3, dataCount{0, 0})
		b.rest(20)
		places := map[int]int{1: 2, 3: 4, 4: 4}[ird]
		for range places {
			b.response(3)
			b.rest(20)
		}
		require.Zero(t, b.gone, ird)
		last := b.response(3)
		b.waiting[3] = append([]falconMessage{last}, b.waiting[3][:places]...)
		b.free[3] = 1
		b.rest(40)
		require.Equal(t, 1, b.gone)
		require.Len(t, b.waiting[3], places)
		b.credit(3, dataCount{1, 100})
		b.settled()
		require.Len(t, b.waiting[3], places-1, "what has left without a place is not charged")
		b.setUp(3, dataCount{1, 100})
		b.settled()
		require.Empty(t, b.waiting[3])
		b.response(3)
		b.response(3)
		b.settled()
		require.Len(t, b.waiting[3], 1, "what had waited is not charged")
		b.all()
	}
}
