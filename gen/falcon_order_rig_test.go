package gen_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/falcon"
)

// scorePart is a falcon.Part.
type scorePart struct {
	Send, Write, Starts, Ends, Receives, Provided, Refused bool
	Status                                                 uint8
	RMSN, Offset                                           uint32
	Octets                                                 uint32
	ID                                                     uint64
	Use                                                    listUseBeat
	Revokes, Pull                                          bool
}

type scoreAnswer struct {
	CID, RSN             uint32
	Reply, Code, Timeout uint8
}

type scoreReceived struct {
	Status    uint8
	SourceQP  uint32
	Word      uint32
	Solicited bool
}

type scoreRequest struct {
	Stream, Kind, Number int
	STag                 uint32
	Address              uint64
	CID, RSN, SN, Remote uint32
	XRC, Verbs, Atomic   bool
	Adds                 bool
	Length               uint32
	Data, Compare        uint64
	SinkVA               uint64
	LKey                 uint32
}

// scoreDelivery is a delivery of the profile. Kind has 1 bit per kind.
type scoreDelivery struct {
	Kind     uint8
	Place    int
	ID       uint64
	Opcode   uint8
	Length   uint32
	Rule     uint8
	Queue    queuePlaceBeat
	Request  scoreRequest
	Answer   scoreAnswer
	Push     bool
	Received scoreReceived
}

type scoreArrival struct {
	Opens, Weak, Counts, Shares, Takes bool
	SN                                 uint32
	Part                               scorePart
	Waits, Verbs                       bool
	scoreDelivery
}

type scoreFailure struct{ Stream, Fault int }

const (
	scoreReceive = 1 << engine.DeliverReceive
	scorePull    = 1 << engine.DeliverRequest
	scoreEnd     = 1 << engine.DeliverEnd
	scoreReturn  = 1 << engine.DeliverResponse
)

// scoreItem is what an arrival delivers itself.
type scoreItem struct {
	scoreArrival
	number int
	qp     *scoreQP
}

// scoreBench compares falcon_order with the reference.
type scoreBench struct {
	*rig
	c       engine.Config
	qps     []*scoreQP
	items   []scoreItem // that have not left
	number  int
	revokes map[uint32]bool // that may arrive
	pulses  []uint32        // that arrived
	revoked []uint32        // of which the receive has completed
	over    []releaseBeat   // lists whose receive has completed
	freed   []releaseBeat   // that were released
	seen    map[string]int
	merged  int

	windowOf int
	accepted func(scoreArrival)
	delivers func(scoreDelivery)
	skip     bool // nothing is compared
}

func openScore(t testing.TB, c engine.Config, seed uint64) *scoreBench {
	b := &scoreBench{rig: openRig(t, falcon.Order(c), seed), c: c, revokes: map[uint32]bool{}, seen: map[string]int{}}
	for range c.Streams {
		b.qps = append(b.qps, newScoreQP())
	}
	onBeat(b.rig, "deliver", b.delivered)
	onBeat(b.rig, "failed", b.failed)
	onBeat(b.rig, "release", func(r releaseBeat) { b.freed = append(b.freed, r) })
	b.rig.look = b.look
	return b
}

// arrive sends an arrival; the reference takes it when the block does.
func (b *scoreBench) arrive(a scoreArrival) {
	a.Part.Provided, a.Part.Use = a.Part.Receives, b.useOf(a.Part.ID)
	send(b.rig, "arrival", a)
}

type releaseBeat struct{ Stream, First int }

// useOf is the use of a list by the receive with an ID: of every other one.
func (b *scoreBench) useOf(id uint64) listUseBeat {
	id = id*0x9E3779B97F4A7C15 ^ id>>32
	return listUseBeat{Is: id>>60&1 == 1, Queue: int(id >> 40 % uint64(b.c.Streams)), First: int(id >> 20 % uint64(b.c.ReceiveDepth))}
}

func (b *scoreBench) look() {
	for _, q := range b.qps {
		q.age++
	}
	pin := func(name string) uint64 { s := b.signal(name); return s.Get() }
	if pin("arrival_valid") == 1 && pin("arrival_ready") == 1 {
		var a scoreArrival
		peek(b.rig, "arrival", &a)
		b.accept(a)
		if b.accepted != nil {
			b.accepted(a)
		}
	}
	if pin("over_valid") == 1 {
		b.overs(int(pin("over_stream")), int(pin("over_life")), uint32(pin("over_count")))
	}
	if pin("revoke_valid") == 1 && pin("revoke_ready") == 1 {
		index := uint32(pin("revoke_index"))
		require.True(b.t, b.revokes[index], "invalidates %x", index)
		b.pulses = append(b.pulses, index)
	}
}

// delivered compares a delivery.
func (b *scoreBench) delivered(d scoreDelivery) {
	q := b.qps[d.Request.Stream]
	if b.delivers != nil {
		b.delivers(d)
	}
	if u := b.useOf(d.ID); d.Kind&scoreReceive != 0 && u.Is {
		b.over = append(b.over, releaseBeat{u.Queue, u.First})
	}
	if b.skip {
		return
	}
	var item *scoreItem
	if d.Answer.Reply != 0 || d.Kind&^(scoreReceive|scorePull) != 0 ||
		d.Kind&scorePull != 0 && len(b.items) > 0 && b.items[0].Kind&scorePull != 0 && b.items[0].Request == d.Request {
		require.NotEmpty(b.t, b.items, "%+v", d)
		item, b.items = &b.items[0], b.items[1:]
		require.Equal(b.t, item.Request.Stream, d.Request.Stream, "the answers leave in the order of arrival")
		require.Equal(b.t, item.Answer, d.Answer)
		require.Equal(b.t, item.Push, d.Push)
		if item.Kind&scoreEnd != 0 {
			require.Equal(b.t, item.Rule, d.Rule)
		}
		if d.Kind&scoreReceive == 0 {
			require.Equal(b.t, item.Length, d.Length)
		}
		require.Equal(b.t, item.Queue, d.Queue)
		require.Equal(b.t, item.Place, d.Place)
		require.Equal(b.t, item.Kind, d.Kind&^(scoreReceive|scorePull)|item.Kind&scorePull)
		if item.Kind&scorePull != 0 {
			require.Equal(b.t, item.Request, d.Request)
		}
		if i := slices.Index(q.places, d.Place); item.qp == q && i >= 0 {
			q.places = q.places[i:]
		}
	}
	own := item != nil && item.Kind&scorePull != 0
	if d.Kind&scoreReceive != 0 {
		b.effect(q, item, d, func(e scoreEffect) bool { return e.receive && e.id == d.ID })
	}
	if refusal := int(b.c.Kinds().Request("refusal")); d.Kind&scorePull != 0 && !own && d.Request.Kind == refusal {
		b.refused(q, d.Request)
	} else if d.Kind&scorePull != 0 && !own {
		b.effect(q, item, d, func(e scoreEffect) bool { return !e.receive && e.request == d.Request })
	}
	if item == nil {
		require.NotZero(b.t, d.Kind, "nothing is delivered")
		require.Equal(b.t, queuePlaceBeat{}, d.Queue)
		require.Contains(b.t, append(q.places, b.oldPlaces(q)...), d.Place, "the latest placement of QP %d", d.Request.Stream)
		b.seen["alone"]++
	} else if i := slices.IndexFunc(q.effects, func(e scoreEffect) bool { return e.arrival == item.number }); item.qp == q && i >= 0 {
		require.Fail(b.t, "an answer without the completion", "%+v: %+v", d, q.effects[i])
	}
	if item != nil && item.Kind&scoreEnd != 0 { // nothing of this life completes any more
		item.qp.left = true
		q.effects, q.old = b.unended(q.effects, item.qp), b.unended(q.old, item.qp)
	}
}

func (b *scoreBench) oldPlaces(q *scoreQP) []int {
	if q.age > 1000 {
		return nil
	}
	all := make([]int, 1<<engine.PlacementBits)
	for i := range all {
		all[i] = i
	}
	return all
}

// effect finds the effect of a delivery, the first one of the QP.
func (b *scoreBench) effect(q *scoreQP, item *scoreItem, d scoreDelivery, is func(scoreEffect) bool) {
	var e scoreEffect
	switch {
	case slices.ContainsFunc(q.old, is): // those before it, of lives that are over, were forgotten
		i := slices.IndexFunc(q.old, is)
		e, q.old = q.old[i], q.old[i+1:]
	case len(q.effects) > 0 && is(q.effects[0]):
		q.old = nil
		e, q.effects = q.effects[0], q.effects[1:]
	default:
		require.Fail(b.t, "not expected", "QP %d, cycle %d: %+v, expected is %+v", d.Request.Stream, b.cycle, d, q.effects[:min(2, len(q.effects))])
	}
	if e.arrival != 0 {
		require.NotNil(b.t, item)
		require.Equal(b.t, e.arrival, item.number, "the completion is with its own answer")
	}
	if item != nil && e.arrival == 0 {
		b.merged++
	}
	if e.receive {
		if item != nil && item.Kind&scoreEnd != 0 { // also if the rest of its message waits
			require.NotZero(b.t, e.received.Status)
			b.seen["receive with end"]++
			e.opcode = 0
		}
		require.Equal(b.t, e.opcode, d.Opcode)
		require.Equal(b.t, e.length, d.Length)
		if e.arrival == 0 { // of a weakly ordered QP: no datagram
			e.received.SourceQP = d.Received.SourceQP
		}
		require.Equal(b.t, e.received, d.Received)
		if e.revokes {
			b.revoked = append(b.revoked, d.Received.Word>>8)
		}
	}
}

func (b *scoreBench) failed(f scoreFailure) {
	q := b.qps[f.Stream]
	if q.failure == 0 && q.mayFail {
		return
	}
	require.Equal(b.t, q.failure, f.Fault)
	q.failure = 0
}

// overs compares a report of messages that are over.
func (b *scoreBench) overs(stream, life int, count uint32) {
	q := b.qps[stream]
	if b.skip {
		return
	}
	limit := q.consumed - 1
	if q.weak {
		limit = q.rmsn - 1
	}
	if q.age < 7 {
		return // of the life before: the report has a fixed latency
	}
	require.Equal(b.t, q.life, life, "QP %d", stream)
	modulus := uint32(max(1024, 4*b.c.ReceiveDepth))
	require.Equal(b.t, (q.used+1)%modulus, count, "messages of QP %d are over in order", stream)
	require.NotEqual(b.t, limit, q.used, "QP %d consumes no receive that is not over", stream)
	q.used++
}

// end checks that nothing is missing.
func (b *scoreBench) end() {
	b.rest(3000)
	require.Empty(b.t, b.items)
	require.Equal(b.t, b.over, b.freed, "lists that are released")
	for i, q := range b.qps {
		for _, e := range q.effects {
			require.True(b.t, e.mayMiss, "QP %d: %+v is missing", i, e)
		}
		require.Zero(b.t, q.failure, "QP %d fails", i)
		require.True(b.t, len(q.owed) == 0 || q.fault && !q.left, "QP %d: no answer to %+v", i, q.owed)
		if q.weak && !q.stopped {
			require.Equal(b.t, q.rmsn-1, q.used, "QP %d has consumed all", i)
		} else if !q.weak {
			require.Equal(b.t, q.consumed-1, q.used, "QP %d has consumed all", i)
		}
		q.effects, q.old, q.before, q.mayFail = nil, nil, nil, false
	}
	require.ElementsMatch(b.t, b.revoked, b.pulses)
}
