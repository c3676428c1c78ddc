package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	golden "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// scoreNode is a pair of engines of the golden model: what one of them sends arrives at the other one in any order, and what that decides on a
// packet is the arrival at falcon_order.
type scoreNode struct {
	*scoreBench
	from, to *golden.Engine
	peers    []*scorePeer
	modes    []spec.Ordering
	types    []spec.QPType
	way      [][]golden.Request // sent, not taken
	posted   []int              // receives
	taken    []uint32           // datagrams
	broken   [256]uint64
	want     [][]scoreEnding
	got      [][]scoreEnding
	answers  map[scoreResponse]int // of the model, less those that were delivered
	shared   []uint64              // receives in the shared queue
	took     map[[2]uint32]uint64  // by QP and RMSN
}

// scoreResponse is the response to a pull.
type scoreResponse struct {
	CID, RSN uint32
	CE       bool
}

// scoreEnding is the completion of a receive.
type scoreEnding struct {
	ID        uint64
	Status    uint8
	Length    uint32
	Word      uint32
	Solicited bool
	SourceQP  uint32
}

const (
	scoreMTU     = 64
	scoreBuffer  = 256 // octets of a receive
	scoreMemory  = 1 << 20
	scoreInvalid = 7 // row of a region that a Send may invalidate
)

func openScoreNode(t *testing.T, seed uint64, queues []golden.QPConfig) *scoreNode {
	depth := 16
	if queues[0].SharedReceive { // all messages of a window have room
		depth = 128
	}
	n := &scoreNode{scoreBench: openScore(t, scoreConfig(8, 64, 32, depth), seed), modes: make([]spec.Ordering, 8), types: make([]spec.QPType, 8),
		way: make([][]golden.Request, 8), posted: make([]int, 8), taken: make([]uint32, 8), want: make([][]scoreEnding, 8), got: make([][]scoreEnding, 8), answers: map[scoreResponse]int{}, took: map[[2]uint32]uint64{}}
	n.windowOf = 64
	for _, e := range []**golden.Engine{&n.from, &n.to} {
		var err error
		*e, err = golden.New(golden.Config{Regions: 16, BufferOctets: 64})
		require.NoError(t, err)
		all := memory.LocalRead | memory.LocalWrite | memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic
		require.NoError(t, (*e).SetRegion(1, memory.Region{Valid: true, Rights: all, ByDomain: true, Owner: 7, Length: scoreMemory}))
		require.NoError(t, (*e).CreateSRQ(0))
		for i, q := range queues {
			q.Number, q.Remote, q.CID, q.Domain, q.MTU, q.IRRQ, q.ORD, q.SendDepth = uint32(i), uint32(i), uint32(i), 7, scoreMTU, 8, 8, 1000
			many := spec.Credits{RequestTxPackets: 1000, RequestTxBuffers: 9000, RequestRxPackets: 1000, RequestRxBuffers: 9000, DataTxPackets: 1000, DataTxBuffers: 9000}
			require.NoError(t, (*e).CreateConnection(golden.ConnectionConfig{CID: q.CID, Ordered: q.Ordering == spec.Strong, Window: 64, Credits: many}))
			require.NoError(t, (*e).CreateQP(q))
			n.modes[i], n.types[i] = q.Ordering, q.Type
		}
	}
	for i, q := range queues {
		p := &scorePeer{b: n.scoreBench, rand: n.rand, stream: i, verbs: q.Errors == spec.Verbs, shares: q.SharedReceive}
		n.peers = append(n.peers, p)
		p.open(map[bool]int{true: scoreWeak, false: scoreStrong}[q.Ordering == spec.Weak && q.Type == spec.QPRC], p.verbs)
	}
	n.delivers = func(d scoreDelivery) {
		if d.Kind&scorePull != 0 {
			n.answers[scoreResponse{d.Request.CID, d.Request.RSN, d.Request.Kind == int(n.c.Kinds().Request("refusal"))}]--
		}
		if d.Kind&scoreReceive != 0 {
			r, s := d.Received, d.Request.Stream
			e := scoreEnding{d.ID, r.Status, d.Length, r.Word, r.Solicited, 0}
			if n.types[s] == spec.QPUD {
				e.SourceQP = r.SourceQP
			}
			n.got[s] = append(n.got[s], e)
		}
	}
	return n
}

// post posts a random work request of a QP, which in complete-in-error mode may fail.
func (n *scoreNode) post(i int, fails bool) {
	r := n.rand
	key := memory.STag(1, 0)
	w := golden.WorkRequest{QP: uint32(i), ID: r.Uint64(), RKey: key, VA: 8 * uint64(r.IntN(1000)), Solicited: r.IntN(2) == 0, Address: golden.AddressHandle{CID: uint32(i), QP: uint32(i)}}
	octets := uint32(r.IntN(scoreBuffer + 1))
	if n.modes[i] == spec.Unordered || n.types[i] == spec.QPUD {
		octets = uint32(r.IntN(scoreMTU + 1))
	}
	kind := r.IntN(10)
	switch {
	case kind < 5 || n.types[i] == spec.QPUD:
		w.Kind = spec.Send
		if suffix := r.IntN(3); suffix == 1 || suffix == 2 && n.types[i] != spec.QPUD && (fails || n.modes[i] == spec.Strong) {
			w.Suffix, w.Immediate, w.Invalidate = spec.Suffix(suffix), r.Uint32(), memory.STag(scoreInvalid, 0)
		}
		if fails && n.modes[i] != spec.Unordered && r.IntN(6) == 0 {
			octets = scoreBuffer + uint32(r.IntN(200))
		}
	case kind < 8:
		w.Kind = spec.Write
		if r.IntN(2) == 0 {
			w.Suffix, w.Immediate = spec.Immediate, r.Uint32()
		}
		if fails && r.IntN(6) == 0 {
			w.RKey = memory.STag(9, 0)
		}
	case kind < 9:
		w.Kind = spec.Read
	default:
		w.Kind, octets = spec.FetchAdd, 8
	}
	w.Local = []golden.Element{{Key: key, VA: 0x8000, Length: octets}}
	if fails && octets > scoreMTU && r.IntN(10) == 0 { // found in its last packet
		w.Local = []golden.Element{{Key: key, VA: 0x8000, Length: octets - 1}, {Key: memory.STag(9, 0), Length: 1}}
	}
	require.NoError(n.t, n.from.Post(w))
}

// id is that of the receive with an RMSN.
func (n *scoreNode) id(i int, rmsn uint32) uint64 { return uint64(i)<<32 | uint64(rmsn) }

func (n *scoreNode) receive(i int) {
	n.posted[i]++
	n.to.PostReceive(uint32(i), golden.ReceiveRequest{ID: n.id(i, uint32(n.posted[i])),
		Local: []golden.Element{{Key: memory.STag(1, 0), VA: 0x1_0000, Length: scoreBuffer}}})
}

// rule is what the target has found in the latest packet.
func (n *scoreNode) rule() (rule spec.Rule) {
	for i := range n.broken {
		if now := n.to.Broken(spec.Rule(i)); now != n.broken[i] {
			rule, n.broken[i] = spec.Rule(i), now
		}
	}
	return rule
}

// arrives lets a packet arrive, at the model and at falcon_order; false if it arrives again.
func (n *scoreNode) arrives(i int, request golden.Request) bool {
	answer := n.to.Receive(request)
	rule := n.rule()
	if rule == spec.Incomplete {
		rule = spec.None
	}
	var p packet.Packet
	require.Equal(n.t, spec.None, p.Decode(request.Octets, 0))
	row, _ := p.Opcode.Operation()
	peer := n.peers[i]
	a := peer.blank()
	peer.answer(&a, uint8(answer.Reply))
	a.SN, a.Opcode, a.Weak = p.SN, uint8(p.Opcode), n.modes[i] == spec.Weak && n.types[i] == spec.QPRC
	a.Received = scoreReceived{SourceQP: p.SourceQP, Word: p.Immediate | p.Invalidate, Solicited: p.SE}
	a.Counts = rule.Row().Class.UsesSN(answer.Reply) && (n.types[i] != spec.QPUD || rule == spec.None || rule == spec.TooLong || rule == spec.ReceiveBuffer)
	ce := p.CE && row.Position&spec.Ends != 0
	switch {
	case row.Packet == spec.PullRequest:
		a.Part.Refused, a.Part.Pull = rule != spec.None, rule == spec.None || !peer.verbs
		a.Request.CID, a.Request.RSN, a.Request.Kind = request.CID, request.RSN, int(n.c.Kinds().Request("read"))
		switch {
		case rule != spec.None:
			a.Request.Kind = int(n.c.Kinds().Request("refusal"))
		case a.Weak && row.Kind&spec.Atomic != 0:
			peer.waits(&a)
		}
		if !a.Waits && answer.Reply == spec.Ack {
			a.Kind = scorePull
		}
	case rule != spec.None && !rule.Row().Message:
		a.Part.Refused = true
	default:
		a.Part = scorePart{Send: row.Kind == spec.Send, Write: row.Kind == spec.Write, Starts: row.Position&spec.Starts != 0, Ends: row.Position&spec.Ends != 0,
			Receives: row.Receives(), Refused: rule != spec.None, RMSN: p.RMSN, Offset: p.Offset, Octets: uint32(len(p.Payload))}
		switch {
		case rule == spec.TooLong:
			a.Part.Status = uint8(golden.LengthError)
		case rule != spec.None, ce:
			a.Part.Status = uint8(golden.PeerError)
		}
		if a.Counts && n.types[i] == spec.QPUD {
			n.taken[i]++
			a.Part.RMSN = n.taken[i]
		}
		a.Part.ID = n.id(i, a.Part.RMSN)
		if peer.shares {
			n.takes(i, &a, answer.Reply)
		}
		a.Part.Revokes = a.Weak && row.Suffix == spec.Invalidate
	}
	if peer.send(a); answer.Reply == spec.NRE && !peer.dead {
		peer.send(peer.fails())
	}
	if answer.Reply == spec.RNR {
		return false
	}
	if row.Packet == spec.PushRequest {
		code := map[spec.Reply]spec.Completion{spec.Ack: spec.CompletedAck, spec.CIE: spec.CompletedCIE, spec.NRE: spec.CompletedNRE}[answer.Reply]
		n.from.Complete(golden.Completed{CID: request.CID, RSN: request.RSN, Code: code, ULP: answer.Code})
	}
	for r, some := n.to.Respond(); some; r, some = n.to.Respond() {
		n.from.Answered(r)
		require.Equal(n.t, spec.None, p.Decode(r.Octets, 0))
		n.answers[scoreResponse{r.CID, r.RSN, p.CE}]++
	}
	n.complete()
	return true
}

// complete takes what the model has completed.
func (n *scoreNode) complete() {
	for c, some := n.to.NextCompletion(); some; c, some = n.to.NextCompletion() {
		if c.Status == golden.Flushed && (!c.Receive || !n.peers[c.QP].shares) { // the host does it
			continue
		}
		n.want[c.QP] = append(n.want[c.QP], scoreEnding{c.ID, uint8(c.Status), c.Length, c.Immediate | c.Invalidated, c.Solicited, c.SourceQP})
	}
}

// step lets one packet of a QP arrive.
func (n *scoreNode) step(i int) {
	r, ordered := n.rand, n.modes[i] == spec.Strong || n.types[i] == spec.QPUD
	for range 8 {
		if request, some := n.from.Transmit(uint32(i)); some {
			n.way[i] = append(n.way[i], request)
		}
	}
	if len(n.way[i]) == 0 {
		return
	}
	k := 0
	if !ordered && r.IntN(8) > 0 {
		k = r.IntN(len(n.way[i]))
	}
	if n.arrives(i, n.way[i][k]) {
		n.way[i] = append(n.way[i][:k:k], n.way[i][k+1:]...)
	}
}

// Traffic of the golden model in any order: what it completes is what falcon_order completes.
func TestFalconOrderIsTheModel(t *testing.T) {
	queues := []golden.QPConfig{
		{Ordering: spec.Strong, Errors: spec.CompleteInError}, {Ordering: spec.Weak, Errors: spec.CompleteInError}, {Ordering: spec.Weak, Errors: spec.CompleteInError},
		{Ordering: spec.Weak, Errors: spec.Verbs}, {Ordering: spec.Unordered, Errors: spec.CompleteInError}, {Ordering: spec.Strong, Errors: spec.Verbs},
		{Type: spec.QPUD, Ordering: spec.Weak}, {Ordering: spec.Weak, Errors: spec.Verbs}}
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			n := openScoreNode(t, seed, queues)
			n.stall(int(seed*40), int(seed*50))
			for round := range 6000 {
				i := n.rand.IntN(len(queues))
				if n.rand.IntN(3) == 0 && round < 5000 {
					n.post(i, queues[i].Errors == spec.CompleteInError)
				}
				if n.rand.IntN(4) == 0 || round > 5000 && n.posted[i] < len(n.want[i])+4 {
					n.receive(i)
				}
				if n.rand.IntN(200) == 0 {
					require.NoError(t, n.to.SetRegion(scoreInvalid, memory.Region{Valid: true, Rights: memory.Invalidate, ByDomain: true, Owner: 7, Length: 8}))
				}
				n.step(i)
				for len(n.stream("arrival").queue) > 2 || n.rand.IntN(3) == 0 {
					n.scoreBench.step()
				}
				if t.Failed() {
					t.FailNow()
				}
			}
			n.rest(1000)
			for r, count := range n.answers {
				require.Zero(t, count, "%+v", r)
			}
			statuses := map[string]int{}
			for i := range queues {
				require.Equal(t, n.want[i], n.got[i], "QP %d", i)
				for _, e := range n.got[i] {
					statuses[fmt.Sprint(n.modes[i], n.types[i], e.Status)]++
				}
			}
			t.Log(statuses)
			for _, what := range []string{"strong rc 0", "strong rc 3", "strong rc 4", "weak rc 0", "weak rc 3", "weak rc 4", "unordered rc 0", "weak ud 0"} {
				assert.Positive(t, statuses[what], what)
			}
		})
	}
}
