package rdmap

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The memory of both nodes in the pair tests. Each stream has a constant source and places that are used once, so that
// the final contents do not depend on how streams and directions interleave. All streams share the counters.
const (
	pairStreams = 4
	sourceSpace = 0x100000  // one source per stream, sourceOctets apart
	placeSpace  = 0x1000000 // places used once, one region per stream, placeOctets apart
	counterWord = 0x8000000 // words for FetchAdd
	sourceSize  = 0x1000
	placeSize   = 0x40000
	counters    = 3
)

// STag table indices of both nodes, for stream s.
func sourceSTag(s uint32) uint32 { return memory.STag(int(s), 0x10) }
func placeSTag(s uint32) uint32  { return memory.STag(16+int(s), 0x20) }
func counterSTag() uint32        { return memory.STag(15, 0x30) }
func spareSTag(s, n int) uint32  { return memory.STag(32+s*32+n, 0x40) }
func placeTO(s uint32) uint64    { return uint64(s)<<32 | 5 }
func sourceAt(s uint32) uint64   { return sourceSpace + uint64(s)*sourceSize }
func placeAt(s uint32) uint64    { return placeSpace + uint64(s)*placeSize }
func counterAt(word int) uint64  { return counterWord + 8*uint64(word) }
func counterTO(word int) uint64  { return 0xFFFFFFFFFFFFFF00 + 8*uint64(word) }
func pairConfig() EngineConfig {
	return EngineConfig{Streams: pairStreams, STags: 256, IRD: 3, ORD: 3, ReceiveDepth: 8, SendDepth: 8, MaxPayload: 64}
}

// pair is two nodes and the links between them.
type pair struct {
	t      *rapid.T
	node   [2]*Engine
	want   [2]*memory.Space
	flight [2][pairStreams][][]byte // to node 0 and 1

	used        [2][pairStreams]uint64       // octets of the places in use
	posted      [2][pairStreams][]Completion // expected completions, in order
	wantReceive [2][pairStreams][]Completion
	wantEvents  [2][pairStreams]int
	spares      [2][pairStreams]int
	originals   [2][counters][]uint64 // values returned by FetchAdds of 1
	adds        [2][counters]uint64
	sinks       [2][pairStreams][]uint64 // addresses of the Atomics' local buffers
}

func newPair(t *rapid.T) *pair {
	p := &pair{t: t}
	for i := range p.node {
		e, err := NewEngine(pairConfig())
		require.NoError(t, err)
		p.node[i], p.want[i] = e, memory.NewSpace()
		set := func(stag uint32, r memory.Region) {
			r.Valid, r.Key = true, uint8(stag)
			require.NoError(t, e.SetRegion(int(stag>>8), r))
		}
		set(counterSTag(), memory.Region{ByDomain: true, Owner: 9, Rights: memory.RemoteAtomic, Base: counterTO(0), Length: 8 * counters, Address: counterAt(0)})
		for s := range uint32(pairStreams) {
			e.Open(s, 9)
			set(sourceSTag(s), memory.Region{Owner: uint16(s), Rights: memory.LocalRead | memory.RemoteRead, Length: sourceSize, Address: sourceAt(s)})
			set(placeSTag(s), memory.Region{Owner: uint16(s), Rights: memory.LocalWrite | memory.RemoteWrite, Base: placeTO(s), Length: placeSize, Address: placeAt(s)})
			for n := range 32 {
				set(spareSTag(int(s), n), memory.Region{Owner: uint16(s), Rights: memory.Invalidate})
			}
			random := rand.New(rand.NewPCG(uint64(i), uint64(s)))
			source := make([]byte, sourceSize)
			for j := range source {
				source[j] = byte(random.Uint32())
			}
			e.Memory().Write(sourceAt(s), source)
			p.want[i].Write(sourceAt(s), source)
		}
	}
	return p
}

// place reserves unused octets and records their expected final contents.
func (p *pair) place(node int, s uint32, octets uint32) (to uint64, address uint64, ok bool) {
	offset := p.used[node][s]
	if offset+uint64(octets) > placeSize {
		return 0, 0, false
	}
	p.used[node][s] += uint64(octets)
	return placeTO(s) + offset, placeAt(s) + offset, true
}

// post posts a random work request at a node if there is room.
func (p *pair) post(node int, s uint32) {
	t, e, peer := p.t, p.node[node], 1-node
	if e.streams[s].work.len() >= e.config.SendDepth {
		require.True(t, e.PostSend(WorkRequest{Stream: s, Opcode: wire.OpWrite}))
		return
	}
	w := WorkRequest{Stream: s, ID: rapid.Uint64().Draw(t, "id"), Signaled: rapid.Bool().Draw(t, "signaled")}
	w.Opcode = rapid.SampledFrom([]wire.Opcode{wire.OpWrite, wire.OpReadRequest, wire.OpSend, wire.OpSendInv, wire.OpSendSE, wire.OpSendSEInv,
		wire.OpImmediate, wire.OpImmediateSE, wire.OpAtomicRequest}).Draw(t, "opcode")
	w.Length = rapid.SampledFrom([]uint32{0, 1, 7, 63, 64, 65, 128, 200}).Draw(t, "length")
	from := uint64(rapid.IntRange(0, sourceSize-200).Draw(t, "source"))
	done := Completion{Stream: s, ID: w.ID, Opcode: w.Opcode, Length: w.Length}
	ok := true
	switch w.Opcode {
	case wire.OpWrite:
		var to, at uint64
		to, at, ok = p.place(peer, s, w.Length)
		w.Local, w.Remote = Buffer{sourceSTag(s), from}, Buffer{placeSTag(s), to}
		p.copyOf(peer, at, node, sourceAt(s)+from, w.Length, ok)
	case wire.OpReadRequest:
		var to, at uint64
		to, at, ok = p.place(node, s, w.Length)
		w.Local, w.Remote = Buffer{placeSTag(s), to}, Buffer{sourceSTag(s), from}
		p.copyOf(node, at, peer, sourceAt(s)+from, w.Length, ok)
	case wire.OpAtomicRequest:
		var to, at uint64
		to, at, ok = p.place(node, s, 8)
		word := rapid.IntRange(0, counters-1).Draw(t, "word")
		w.Local, w.Remote = Buffer{placeSTag(s), to}, Buffer{counterSTag(), counterTO(word)}
		w.Operands = Operands{AOpCode: wire.FetchAdd, Data: 1}
		w.ID, w.Signaled = uint64(word), true // so that the completion returns the original
		if ok {
			p.adds[peer][word]++
			p.sinks[node][s] = append(p.sinks[node][s], at)
		}
		done.ID, done.Length = w.ID, 8
	default:
		ok = p.postReceive(node, s, &w, &done, from)
	}
	if !ok {
		return
	}
	require.False(t, e.PostSend(w))
	if w.Signaled {
		p.posted[node][s] = append(p.posted[node][s], done)
	}
}

// postReceive posts a buffer at the peer for a message on QN 0, and fills in the message.
func (p *pair) postReceive(node int, s uint32, w *WorkRequest, done *Completion, from uint64) bool {
	t, peer := p.t, 1-node
	if p.node[peer].streams[s].receives.len() >= p.node[peer].config.ReceiveDepth {
		return false
	}
	length := w.Length + rapid.Uint32Max(3).Draw(t, "more room")
	r := ReceiveRequest{Stream: s, ID: rapid.Uint64().Draw(t, "receive id"), Length: length}
	c := Completion{Stream: s, ID: r.ID, Recv: true, Opcode: w.Opcode, Length: w.Length}
	switch w.Opcode {
	case wire.OpSendInv, wire.OpSendSEInv:
		n := p.spares[peer][s]
		if n == 32 {
			return false
		}
		p.spares[peer][s]++
		w.Remote.STag = spareSTag(int(s), n)
		c.STag = w.Remote.STag
	case wire.OpImmediate, wire.OpImmediateSE:
		w.Operands.Data = rapid.Uint64().Draw(t, "immediate")
		c.Data, c.Length, done.Length = w.Operands.Data, 8, 8
	}
	if w.Opcode < wire.OpImmediate {
		to, at, ok := p.place(peer, s, length)
		if !ok {
			return false
		}
		r.Buffer, w.Local = Buffer{placeSTag(s), to}, Buffer{sourceSTag(s), from}
		p.copyOf(peer, at, node, sourceAt(s)+from, w.Length, true)
	}
	require.False(t, p.node[peer].PostReceive(r))
	p.wantReceive[peer][s] = append(p.wantReceive[peer][s], c)
	if w.Opcode == wire.OpSendSE || w.Opcode == wire.OpSendSEInv || w.Opcode == wire.OpImmediateSE {
		p.wantEvents[peer][s]++
	}
	return true
}

func (p *pair) copyOf(to int, at uint64, from int, source uint64, octets uint32, ok bool) {
	if ok {
		p.want[to].Write(at, p.want[from].Append(nil, source, int(octets)))
	}
}

// step performs one action on a stream of a node, if possible.
func (p *pair) step(node int, s uint32, what int) (did bool) {
	e, to := p.node[node], &p.flight[1-node][s]
	switch what {
	case 0: // a segment arrives
		in := &p.flight[node][s]
		if len(*in) == 0 {
			return false
		}
		v := e.Receive(s, (*in)[0])
		require.Equal(p.t, spec.None, v.Error)
		*in = (*in)[1:]
	case 1: // a request is executed
		segments, x := e.Execute(s)
		if x == nil {
			return false
		}
		p.send(to, segments)
	case 2: // a work request starts
		segments, progress := e.Transmit(s)
		if progress == Idle {
			return false
		}
		require.Equal(p.t, Transmitted, progress)
		p.send(to, segments)
	case 3: // a message has left
		return e.Left(s)
	}
	return true
}

func (p *pair) send(to *[][]byte, segments [][]byte) {
	for _, b := range segments {
		require.LessOrEqual(p.t, len(b), 18+64)
		*to = append(*to, slices.Clone(b))
	}
}

// check polls completions and compares them with the expected ones, in order.
func (p *pair) check(node int, s uint32) {
	t, e := p.t, p.node[node]
	for c, ok := e.NextSent(s); ok; c, ok = e.NextSent(s) {
		require.NotEmpty(t, p.posted[node][s])
		want := p.posted[node][s][0]
		p.posted[node][s] = p.posted[node][s][1:]
		if c.Opcode == wire.OpAtomicRequest {
			p.originals[1-node][c.ID] = append(p.originals[1-node][c.ID], c.Data)
			want.Data = c.Data
			p.want[node].SetWord(p.sinks[node][s][0], c.Data)
			p.sinks[node][s] = p.sinks[node][s][1:]
		}
		require.Equal(t, want, c)
	}
	for c, ok := e.NextReceived(s); ok; c, ok = e.NextReceived(s) {
		require.NotEmpty(t, p.wantReceive[node][s])
		require.Equal(t, p.wantReceive[node][s][0], c)
		p.wantReceive[node][s] = p.wantReceive[node][s][1:]
		if c.STag != 0 {
			require.False(t, e.table.Known(c.STag))
		}
	}
	for v, ok := e.NextEvent(s); ok; v, ok = e.NextEvent(s) {
		require.Equal(t, Event{Stream: s, Kind: EventSolicited}, v)
		p.wantEvents[node][s]--
	}
}

// Two nodes back to back, with random work on all streams in both directions and random choices: at the end both
// memories are as expected, and everything has completed once and in order.
func TestPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPair(t)
		for range rapid.IntRange(1, 400).Draw(t, "steps") {
			node := rapid.IntRange(0, 1).Draw(t, "node")
			s := rapid.Uint32Max(pairStreams-1).Draw(t, "stream")
			if what := rapid.IntRange(0, 4).Draw(t, "what"); what == 4 {
				p.post(node, s)
			} else {
				p.step(node, s, what)
			}
			p.check(node, s)
		}
		for did := true; did; {
			did = false
			for node := range p.node {
				for s := range uint32(pairStreams) {
					for what := range 4 {
						did = p.step(node, s, what) || did
					}
					p.check(node, s)
				}
			}
		}
		for node, e := range p.node {
			for word := range counters {
				p.want[node].SetWord(counterAt(word), p.adds[node][word])
				all := p.originals[node][word]
				slices.Sort(all)
				for i, original := range all {
					require.Equal(t, uint64(i), original, "each addition of 1 finds a different value")
				}
				require.Len(t, all, int(p.adds[node][word]))
			}
			for s := range uint32(pairStreams) {
				require.Empty(t, p.posted[node][s])
				require.Empty(t, p.wantReceive[node][s])
				require.Zero(t, p.wantEvents[node][s])
				require.True(t, e.IsOpen(s))
			}
			address, differ := e.Memory().Difference(p.want[node])
			require.False(t, differ, "node %d, address 0x%X", node, address)
			c := e.Counters()
			require.Zero(t, c.SegmentsDiscarded+c.SegmentsInError+c.RequestsFlushed+c.ProtectionErrors)
			require.Equal(t, c.SegmentsSent, p.node[1-node].Counters().SegmentsReceived)
		}
	})
}
