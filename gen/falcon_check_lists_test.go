package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// listPlaces follows which places of elements a ring has in use: those of lists from the oldest one on that is not over.
type listPlaces struct {
	ids  []uint64
	used []int
}

func (l *listPlaces) add(id uint64, elements int) {
	if elements > 1 {
		l.ids, l.used = append(l.ids, id), append(l.used, elements)
	}
}

// inUse counts them; over says which receives are.
func (l *listPlaces) inUse(over func(id uint64) bool) (n int) {
	for len(l.ids) > 0 && over(l.ids[0]) {
		l.ids, l.used = l.ids[1:], l.used[1:]
	}
	for _, each := range l.used {
		n += each
	}
	return n
}

// release releases the list of a receive of a shared queue that is over, as falcon_order does.
func (b *checkBench) release(id uint64) {
	if u, is := b.uses[id]; is && u.Is {
		send(b.rig, "release", releaseBeat{u.Queue, u.First})
		delete(b.uses, id)
	}
}

// lists splits octets from an address on among elements, at most so many. Each is at a multiple of 0x100 but for a few octets; empty ones have a
// key that nobody may use. Now and then an element does not allow the access, or its key may be invalidated.
func (r *checkRound) lists(octets, most int, hostile bool) (list []model.Element) {
	n := 1
	if most > 1 && (r.listed || r.rand.IntN(2) == 0) {
		n = 2 + r.rand.IntN(min(8, most)-1)
	}
	for i := range n {
		part := []int{0, r.rand.IntN(octets + 1), min(octets, r.rand.IntN(80)), min(octets, r.c.MaxPayload)}[r.rand.IntN(4)]
		if i == n-1 {
			part = octets
		}
		e := model.Element{Key: checkKey(1), VA: checkVA + checkReceive + 0x400*uint64(r.rand.IntN(60)) + uint64(r.rand.IntN(64)), Length: uint32(part)}
		if hostile && r.rand.IntN(8) == 0 {
			e.Key, e.VA = checkKey(6), e.VA-checkReceive+checkSpare
		}
		if hostile && r.rand.IntN(32) == 0 || part == 0 {
			e.Key++
		}
		list = append(list, e)
		octets -= part
	}
	return list
}

// postList posts a receive, a beat for each element.
func (b *checkBench) postList(stream string, to int, id uint64, list []model.Element) {
	for i, e := range list {
		send(b.rig, stream, listPostBeat{to, id, e.Key, e.VA, e.Length, i < len(list)-1})
	}
}

// A packet per cycle, each of a message for a list of two elements, of three that are walked: what waits does not get lost, and everything ahead of the
// walk is full.
func TestFalconCheckListBurst(t *testing.T) {
	for o := spec.Strong; o <= spec.Unordered; o++ {
		t.Run(o.String(), func(t *testing.T) {
			c := checkConfig()
			c.ReceiveDepth, c.Profile = 128, checkConfig().Profile
			b := openCheck(t, c, 1)
			b.begin(checkRegions())
			for n := range c.Streams {
				b.close(n)
			}
			p := &checkPeer{Rand: b.rand, b: b, only: []spec.Kind{spec.Send}, plain: true, state: checkNumbers{sn: 1, rmsn: 1, pull: 1},
				q: model.QPConfig{Ordering: o, Errors: spec.CompleteInError, Domain: checkDomain, MTU: c.MaxPayload, IRRQ: c.IRD, ORD: 1, SendDepth: 1}}
			b.qp(p.q, checkDomain)
			b.messages = append(b.messages, newCheckMessages(p.q))
			for i := range 40 {
				at := checkVA + checkReceive + uint64(i)<<9
				b.postList("post", 0, uint64(i), []model.Element{{Key: checkKey(1), VA: at, Length: 5}, {Key: checkKey(9), VA: at, Length: 0}, {Key: checkKey(1), VA: at + 9, Length: 300}})
			}
			b.settle()
			for n := range 40 {
				p.packet(uint32(n))
			}
			b.settle()
			require.Len(t, b.arrivals, 40)
			for _, a := range b.arrivals {
				assert.Equal(t, spec.Ack, a.Answer.Reply, "%v", spec.Rule(a.Rule))
			}
			(&checkRound{checkBench: b}).compareMemory()
		})
	}
}

// Random lists of QPs and of shared queues, of honest and hostile peers: TestFalconCheckUnderStalls and TestFalconCheckShared have them among others. Here
// every receive that may be one is.
func TestFalconCheckLists(t *testing.T) {
	seen := map[spec.Rule]int{}
	parts := 0
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			c := checkConfig()
			c.ReceiveDepth = 16
			b := openCheck(t, c, 20+seed)
			b.seen, b.listed = seen, true
			b.stall(int(seed%2)*128, int(seed%3)*100)
			for range 6 {
				r := b.round([]int{0, 10}[seed%2])
				for range 12 {
					r.burst(40)
				}
			}
			parts += b.partsSeen
		})
	}
	for _, rule := range []spec.Rule{spec.None, spec.TooLong, spec.ReceiveBuffer} {
		assert.Positive(t, seen[rule], rule.Row().Name)
	}
	assert.Greater(t, parts, 1000)
	t.Log(parts, "parts")
}

// A list of empty elements alone, in a ring that has no others, has no room: the walk over it ends. One of 2^32 octets has room for a message, and so has one of more
// than 2^33. So has an element of any power of two octets.
func TestFalconCheckListLimits(t *testing.T) {
	type limit struct {
		says string
		list []model.Element
		rule spec.Rule
	}
	first := model.Element{Key: checkKey(1), VA: checkVA + checkReceive, Length: 0xFFFF_FFFF}
	rows := []limit{
		{"empty", []model.Element{{Key: checkKey(9)}, {Key: checkKey(9)}}, spec.TooLong},
		{"2^32", []model.Element{first, {Key: checkKey(9), Length: 1}}, spec.None},
		{"more than 2^33", []model.Element{first, first, first, first}, spec.None},
	}
	for bit := 8; bit < 32; bit++ { // the octets that a packet leaves of the first element
		first.Length = 1 << bit
		rows = append(rows, limit{fmt.Sprintf("2^%d and 1", bit), []model.Element{first, {Key: checkKey(9), Length: 1}}, spec.None})
	}
	for _, row := range rows {
		t.Run(row.says, func(t *testing.T) {
			c := checkConfig()
			c.ReceiveDepth = len(row.list)
			b := openCheck(t, c, 1)
			b.begin(checkRegions())
			b.close(0)
			p := &checkPeer{Rand: b.rand, b: b, only: []spec.Kind{spec.Send}, plain: true, state: checkNumbers{sn: 1, rmsn: 1, pull: 1},
				q: model.QPConfig{Errors: spec.CompleteInError, Domain: checkDomain, MTU: c.MaxPayload, IRRQ: c.IRD, ORD: 1, SendDepth: 1}}
			b.qp(p.q, checkDomain)
			b.messages = append(b.messages, newCheckMessages(p.q))
			b.postList("post", 0, 1, row.list)
			b.settle()
			for n := range 3 { // a message of several packets begins with a whole one
				p.state.kind, p.state.parts, p.state.first = spec.Send, 3-n, 3
				p.packet(uint32(n))
				b.settle()
			}
			assert.Equal(t, 3, b.seen[row.rule])
		})
	}
}

// A packet invalidates the key of an element of the list that one shortly after it is for: it is refused, whichever element it is, though that is looked up
// before the key is invalid.
func TestFalconCheckListKeyGoes(t *testing.T) {
	const elements = 3
	b := openCheck(t, checkConfig(), 1)
	for between := range 16 {
		for gone := range elements {
			b.begin(checkRegions())
			var peers []*checkPeer
			for n := range 2 {
				b.close(n)
				p := b.alone(model.QPConfig{Number: uint32(n), Errors: spec.CompleteInError})
				b.qp(p.q, checkDomain)
				b.messages = append(b.messages, newCheckMessages(p.q))
				peers = append(peers, p)
				var list []model.Element
				for i := range elements {
					e := model.Element{Key: checkKey(1), VA: checkVA + checkReceive + uint64(n*elements+i)<<8, Length: 8}
					if n == 1 && i == gone {
						e.Key, e.VA = checkKey(6), e.VA-checkReceive+checkSpare
					}
					list = append(list, e)
				}
				b.postList("post", n, uint64(n), list[:1+n*(elements-1)])
			}
			b.settle()
			for n, suffix := range []spec.Suffix{spec.Invalidate, spec.Plain} {
				x := packet.New(spec.Find(spec.RC, spec.PushRequest, spec.Send, spec.Only, suffix))
				x.DestinationQP, x.SN, x.RMSN, x.Invalidate, x.Payload = uint32(n), 1, 1, checkKey(6), make([]byte, 8*(1+n*(elements-1)))
				b.packet(checkPacket{falconTransaction{Type: spec.PushRequest, RSN: 1, CID: peers[n].q.CID}, x.Encode(nil, b.order())})
				for range between {
					b.clock()
				}
			}
			b.settle()
			require.Len(t, b.arrivals, 2)
			assert.Equal(t, []spec.Rule{spec.None, spec.ReceiveBuffer}, []spec.Rule{spec.Rule(b.arrivals[0].Rule), spec.Rule(b.arrivals[1].Rule)}, "%d cycles, element %d", between, gone)
		}
	}
}
