package falcon

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	golden "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// lives is a device whose QPs end, and are opened again, while the memory, Falcon and the host still owe much of the life before.
type lives struct {
	*testing.T
	*rand.Rand
	*Device
	order  spec.BitOrder
	depth  int
	qps    []*life
	id     uint64 // of the latest receive of an own ring
	shared []int  // places of elements of each receive that the shared queue was given
	rsn    uint32

	own      map[uint32]bool // RSNs of the life that is tested
	answers  map[uint32]spec.Reply
	responds map[uint32]int
	received []uint64        // of the QP that is tested
	finished map[uint64]int  // receives of shared queues
	events   map[uint32]bool // QPs that have gone to Error
	tested   uint32
	closes   bool // QPs are closed without an error, too; then none has a shared queue
	seen     map[string]int
}

// life is the present one of a QP.
type life struct {
	QP
	sn, rmsn, pull uint32
	posted         []int // places of elements of receives of its own ring that may be there
}

const livesQueue = 1 // the shared queue

func openLives(t *testing.T, seed uint64) *lives {
	c := tiny()
	d, err := Open(c, Options{Engine: "verilator", Seed: seed, Latency: simulator.Latency{Least: 20, Most: 300}, Stall: simulator.Stall{Mode: simulator.StallRandom, Chance: 100}})
	require.NoError(t, err)
	l := &lives{T: t, Rand: rand.New(rand.NewPCG(seed, 1)), Device: d, depth: c.ReceiveDepth, answers: map[uint32]spec.Reply{}, responds: map[uint32]int{}, own: map[uint32]bool{},
		finished: map[uint64]int{}, events: map[uint32]bool{}, seen: map[string]int{}}
	l.order, _ = c.Order()
	all := memory.LocalWrite | memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic
	require.NoError(t, d.SetRegion(1, memory.Region{Valid: true, Key: 7, Rights: all, ByDomain: true, Owner: 3, Length: 1 << 20}))
	require.NoError(t, d.SetQueue(livesQueue, 0))
	for n := range c.Streams {
		l.qps = append(l.qps, &life{QP: QP{Number: uint32(n), CID: uint32(n), Queue: livesQueue, Domain: 3}})
	}
	return l
}

// step runs the device and sorts what it puts out.
func (l *lives) step(cycles int) {
	_, err := l.Device.Run(uint64(cycles), 0)
	require.NoError(l, err)
	out := l.Take()
	for _, a := range out.Answers {
		l.answers[a.RSN] = a.Reply
	}
	for _, p := range out.Packets {
		var x packet.Packet
		require.Equal(l, spec.None, x.Decode(p.Octets, l.order))
		if l.responds[p.RSN]++; l.own[p.RSN] {
			require.False(l, x.CE, "the response to RSN %d", p.RSN)
		}
		require.Equal(l, 1, l.responds[p.RSN], "responses to RSN %d", p.RSN)
		l.Return(p.CID, spec.Cost(spec.PullData, len(p.Octets), l.config.BufferOctets)) // of an earlier life, too
	}
	for _, c := range out.Completions {
		if c.ID < 1<<32 {
			l.finished[c.ID]++
			require.Equal(l, 1, l.finished[c.ID], "receive %d completes", c.ID)
		}
		if c.QP == l.tested && c.Status == golden.Success {
			l.received = append(l.received, c.ID)
		}
	}
	for _, e := range out.Events {
		require.Equal(l, Ended, e.Kind, "no receive is refused")
		l.events[e.QP] = true
	}
}

// send delivers a packet with the next numbers of the QP, and skips some numbers before it.
func (l *lives) send(q *life, k spec.Kind, skip uint32) (p Packet) {
	t := spec.PushRequest
	if k&(spec.Read|spec.Atomic) != 0 {
		t = spec.PullRequest
	}
	x := packet.New(spec.Find(spec.RC, t, k, spec.Only, spec.Plain))
	q.sn += skip
	x.DestinationQP, x.SN, x.VA, x.RKey, x.Data = q.Number, q.sn, 0x8000+8*uint64(l.IntN(64)), memory.STag(1, 7), 1
	switch k {
	case spec.Send, spec.Write:
		x.Payload = make([]byte, 1+l.IntN(200))
		x.Length = uint32(len(x.Payload))
	default:
		x.Length = 16
	}
	switch k {
	case spec.Send:
		q.rmsn += skip
		x.RMSN = q.rmsn
		q.rmsn++
	case spec.Write:
	default:
		x.RMSN = q.pull
		q.pull++
	}
	q.sn++
	l.rsn++
	p = Packet{Type: t, CID: q.CID, RSN: l.rsn, Octets: x.Encode(nil, l.order)}
	l.Deliver(p)
	return p
}

// post gives a queue a receive of one element or of several, if it has room for it and for them.
func (l *lives) post(q *life) bool {
	local := make([]golden.Element, []int{1, 1, 2, 3}[l.IntN(4)])
	for i := range local {
		local[i] = golden.Element{Key: memory.STag(1, 7), VA: 0x1000 + uint64(256*i), Length: 256}
	}
	places := listed(local)
	switch {
	case q.Shares && len(l.shared)-len(l.finished) < l.depth && l.listed()+places <= l.depth:
		l.shared = append(l.shared, places)
		l.PostShared(livesQueue, uint64(len(l.shared)), local...)
	case !q.Shares && len(q.posted) < l.depth && sum(q.posted)+places <= l.depth:
		l.id++
		q.posted = append(q.posted, places)
		l.PostReceive(q.Number, l.id<<32, local...)
	default:
		return false
	}
	return true
}

// listed is how many places of the shared queue are in use: those of a list are free when it and all lists before it have completed.
func (l *lives) listed() int {
	for i, places := range l.shared {
		if places > 0 && l.finished[uint64(i+1)] == 0 {
			return sum(l.shared[i:])
		}
	}
	return 0
}

func sum(list []int) (n int) {
	for _, i := range list {
		n += i
	}
	return n
}

// leave lets a QP owe much: numbers are missing, so that Atomics and parts wait, or receives.
func (l *lives) leave(q *life) {
	for range l.IntN(30) {
		k := []spec.Kind{spec.Send, spec.Send, spec.Write, spec.FetchAdd, spec.Read}[l.IntN(5)]
		skip := uint32(0)
		if q.Ordering != spec.Strong && l.IntN(8) == 0 {
			skip = 1
		}
		if q.Shares || l.IntN(2) == 0 {
			l.post(q)
		}
		l.send(q, k, skip)
	}
	for l.step(1); l.waits(); l.step(1) { // what arrives late would be of the next life
	}
	l.step(1 + l.IntN(100))
}

// waits reports whether the device has not accepted all packets.
func (l *lives) waits() bool {
	s, err := l.Stats("s_axis_rx")
	require.NoError(l, err)
	return s.Queued > 0
}

// reopen ends the life of a QP and begins another one, in another mode. It is told of the end before; without an error nothing tells.
func (l *lives) reopen(q *life, closes bool) {
	switch {
	case closes:
		require.NoError(l, l.command(q.Number, 2))
		l.seen["closed"]++
	case !l.events[q.Number]:
		require.NoError(l, l.Fail(q.Number))
		fallthrough
	default:
		for i := 0; !l.events[q.Number]; i++ {
			require.Less(l, i, 3000, "the end of QP %d", q.Number)
			l.step(1 + l.IntN(8))
		}
	}
	q.Ordering, q.Errors = spec.Ordering(l.IntN(3)), spec.ErrorMode(l.IntN(2))
	q.Type, q.Shares = spec.QPRC, !l.closes && l.IntN(2) == 0
	q.Before = []uint32{0, 1<<32 - 1 - l.Uint32N(20), l.Uint32()}[l.IntN(3)]
	most := spec.Cost(spec.PullData, l.config.MaxPayload+64, l.config.BufferOctets)
	q.Credits = spec.Credits{DataTxPackets: 1 + l.IntN(4), DataTxBuffers: most.DataTxBuffers + l.IntN(20)}
	q.sn, q.rmsn, q.pull, q.posted = q.Before+1, q.Before+1, q.Before+1, nil
	require.NoError(l, l.SetUp(q.QP))
	require.NoError(l, l.OpenQP(q.QP))
	l.step(1)
	delete(l.events, q.Number)
	l.seen[fmt.Sprint(q.Ordering)]++
}

// test sends to a QP that has just been opened: everything is as in its first life.
func (l *lives) test(q *life) {
	l.tested, l.received = q.Number, nil
	clear(l.own)
	first, receives := l.id, 0 // messages of other QPs may have taken all of the shared queue
	for range l.depth {
		if l.post(q) {
			receives++
		}
	}
	sends, pulls := 0, 0
	for range 1 + l.IntN(4) {
		var sent []Packet
		for range 1 + l.IntN(6) {
			k := []spec.Kind{spec.Send, spec.Write, spec.FetchAdd, spec.Read}[l.IntN(4)]
			switch {
			case k == spec.Send && sends < receives:
				sends++
			case k == spec.Write:
			case k != spec.Send && len(sent) < l.config.IRD: // an initiator has no more pulls open
				pulls++
			default:
				continue
			}
			p := l.send(q, k, 0)
			l.own[p.RSN] = true
			sent = append(sent, p)
		}
		l.deliver(q, sent)
	}
	l.step(3000)
	if !q.Shares {
		q.posted = q.posted[sends:]
	}
	require.False(l, l.events[q.Number], "QP %d goes to Error", q.Number)
	var want []uint64
	for i := range sends {
		want = append(want, (first+uint64(i)+1)<<32)
	}
	if !q.Shares {
		if q.Ordering == spec.Unordered { // one that got RNR may arrive after later ones
			slices.Sort(l.received)
		}
		require.Equal(l, want, slices.DeleteFunc(l.received, func(id uint64) bool { return id <= first<<32 }), "QP %d, %v", q.Number, q.Ordering)
	}
	for rsn := range l.own {
		if l.responds[rsn] == 1 {
			pulls--
		}
	}
	require.Zero(l, pulls, "pulls without a response")
}

// deliver repeats packets that get RNR until all are acknowledged.
func (l *lives) deliver(q *life, sent []Packet) {
	for round := 0; len(sent) > 0; round++ {
		require.Less(l, round, 60, "QP %d, %v, %d packets do not get through: %v", q.Number, q.Ordering, len(sent), l.answers[sent[0].RSN])
		l.step(1000)
		var again []Packet
		for _, p := range sent {
			switch reply, answered := l.answers[p.RSN]; {
			case !answered:
				again = append(again, p)
			case reply == spec.RNR:
				delete(l.answers, p.RSN)
				l.Deliver(p)
				again = append(again, p)
				l.seen["retried"]++
			default:
				require.Equal(l, spec.Ack, reply, "QP %d, %v, RSN %d", q.Number, q.Ordering, p.RSN)
			}
		}
		sent = again
	}
}

// drain ends all QPs: then each receive that the shared queue was given has completed, or a message finds it there.
func (l *lives) drain() {
	for _, q := range l.qps {
		l.reopen(q, false)
	}
	q := l.qps[0]
	for !q.Shares || q.Ordering != spec.Strong {
		l.reopen(q, false)
	}
	l.tested = q.Number
	left := len(l.shared) - len(l.finished)
	for range left {
		l.deliver(q, []Packet{l.send(q, spec.Send, 0)})
	}
	l.step(3000)
	require.Len(l, l.finished, len(l.shared))
	p := l.send(q, spec.Send, 0)
	l.step(3000)
	require.Equal(l, spec.RNR, l.answers[p.RSN], "nothing is left")
	l.seen["drained"] += left
}

// Lives of QPs follow each other closely: what is late of one never counts for the next, and with ends that are told no receive of a shared queue is lost.
func TestLives(t *testing.T) {
	for _, closes := range []bool{false, true} {
		for seed := range uint64(2) {
			t.Run(fmt.Sprint(closes, seed), func(t *testing.T) {
				t.Parallel()
				l := openLives(t, seed)
				l.closes = closes
				defer func() { assert.NoError(t, l.Close()) }()
				for _, q := range l.qps {
					l.events[q.Number] = true
					l.reopen(q, false)
				}
				for range 25 {
					for _, q := range l.qps {
						l.leave(q)
					}
					q := l.qps[l.IntN(len(l.qps))]
					l.reopen(q, closes && l.IntN(2) == 0)
					l.test(q)
					if l.IntN(2) == 0 {
						continue
					}
					for _, q := range l.qps { // all come to rest
						l.reopen(q, false)
						l.test(q)
					}
				}
				if !closes {
					l.drain()
				}
				t.Log(l.seen)
			})
		}
	}
}
