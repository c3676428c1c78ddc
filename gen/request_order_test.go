package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/gen/engine/order"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/wire"
)

// requestOrderBench is request_order with an STag table.
type requestOrderBench struct {
	Request         hdl.Sink[engine.InboundRequest]
	Opening         hdl.Sink[engine.Opening]
	Row             hdl.Sink[memory.STagWrite]
	Invalidate      hdl.In
	InvalidateIndex hdl.In
	Start           []hdl.Named[hdl.Source[any]] `hdl:"-"`
	End             hdl.Source[engine.InboundRequest]
	Failed          hdl.Source[engine.Failure]
	Done            []hdl.Named[hdl.In] `hdl:"-"`
}

func requestOrderWithTable(c engine.Config) hdl.Block[requestOrderBench] {
	block, table := order.RequestOrder(c), memory.STagTable(c.STags)
	p := block.Ports
	return hdl.Block[requestOrderBench]{
		Kind: "request_order_bench", Doc: "request_order_bench is for tests.",
		Ports: requestOrderBench{Request: p.Request, Opening: p.Opening, Row: table.Ports.Write, Invalidate: table.Ports.Invalidate, InvalidateIndex: table.Ports.InvalidateIndex,
			Start: p.Start, End: p.End, Failed: p.Failed, Done: p.Done},
		Build: func(m *hdl.Module, p requestOrderBench) {
			width := block.Ports.Recheck.Entry.Width()
			enable, index, entry, ready := m.Wire("enable", 1), m.Wire("index", 24), m.Wire("entry", width), m.Wire("table_ready", 1)
			m.Unused("of no use here", ready.Value)
			idle := func(name string) engine.STagPort {
				w := m.Wire(name+"_entry", width)
				m.Unused("of no use here", w.Value)
				return engine.STagPort{Enable: hdl.Zero(1).In(), Index: hdl.Zero(24).In(), Entry: w.Out()}
			}
			hdl.Instance(m, "stags", table, memory.STagTablePorts{Main: idle("main"), Invalidated: idle("invalidated"), Local: idle("local"),
				Recheck:    engine.STagPort{Enable: enable.In(), Index: index.In(), Entry: entry.Out()},
				Invalidate: p.Invalidate, InvalidateIndex: p.InvalidateIndex, Write: p.Row, Ready: ready.Out()})
			hdl.Instance(m, "order", block, order.RequestOrderPorts{Request: p.Request, Opening: p.Opening,
				Recheck: engine.STagLookup{Enable: enable.Out(), Index: index.Out(), Entry: entry.In()},
				Start:   p.Start, End: p.End, Failed: p.Failed, Done: p.Done})
		},
	}
}

// inboundAtomicBeat is a gen.AtomicRequest.
type inboundAtomicBeat struct {
	Stream                           int
	Number, AtomicMsn, Identifier    uint32
	Address                          uint64
	Opcode                           wire.AOpCode
	Data, Mask, Compare, CompareMask uint64
}

// orderedRequest is a request, or an opening, that was taken.
type orderedRequest struct {
	inboundRequestBeat
	opens  bool
	looked int // the clock of the latest lookup that its rules allow, -1 before the first
	shown  int // the clock in which it was on offer first, -1 before
}

// orderBench is request_order beside the reference.
type orderBench struct {
	*rig
	depth                                 int
	taken                                 []orderedRequest
	failed                                map[int]bool
	killedAt                              map[uint32]int // clock in which a row was killed
	atomics, written, answered            int
	reads, done                           int
	lastAtomic, lastRead                  map[int]int // numbers, by stream
	started                               []string    // what left, as kind and stream
	lag                                   int         // of 256: nothing is written, answered or done
	answers, finishes, writes, kill, quit bool        // what happens in this clock
	most                                  int         // Reads, and Atomics, under way at most
}

const orderRows = 16

func orderConfig() engine.Config {
	c := gen.Default().Engine()
	c.Streams, c.STags, c.AtomicDepth = 4, orderRows, 16
	return c
}

// openOrder has all rows valid; their keys are those of rxSTag.
func openOrder(t testing.TB, seed uint64) *orderBench {
	b := &orderBench{rig: openRig(t, requestOrderWithTable(orderConfig()), seed)}
	b.rig.look = b.look
	b.restart()
	return b
}

func (b *orderBench) restart() {
	*b = orderBench{rig: b.rig, failed: map[int]bool{}, killedAt: map[uint32]int{}, lastAtomic: map[int]int{}, lastRead: map[int]int{}, lag: 256}
	b.pins()
	for i := range uint32(orderRows) {
		send(b.rig, "row", rxRow(i).beat(i))
	}
	b.rest(5)
}

// pins sets what happens in the next clock.
func (b *orderBench) pins() {
	if b.writes {
		b.written++
	}
	b.inputs["atomic_written"].Set(uint64(b.written % 32))
	b.inputs["atomic_answered"].Set(bitOf(b.answers))
	b.inputs["read_done"].Set(bitOf(b.finishes))
	b.inputs["invalidate"].Set(bitOf(b.kill))
}

// clock lets one clock pass, in which things get done at random.
func (b *orderBench) clock() {
	chance := func() bool { return b.rand.IntN(256) >= b.lag }
	b.writes = b.writes || b.written < b.atomics && chance()
	b.answers = b.answers || b.answered < b.atomics && chance()
	b.finishes = b.finishes || b.done < b.reads && chance()
	b.pins()
	b.step()
	b.writes, b.answers, b.finishes, b.kill = false, false, false, false
	if b.most > 0 {
		b.rig.stream("atomic").chance = map[bool]int{true: 256}[b.atomics-min(b.written, b.answered) >= b.most]
		b.rig.stream("read").chance = map[bool]int{true: 256}[b.reads-b.done >= b.most]
	}
}

func (b *orderBench) clocks(n int) {
	for range n {
		b.clock()
	}
}

// settle waits until nothing happens any more.
func (b *orderBench) settle() {
	for b.quiet = 0; b.quiet < 30 || b.pending() != ""; {
		b.clock()
		require.Less(b.t, b.quiet, 3000, "%s waits", b.pending())
	}
}

func (b *orderBench) took(stream string) bool {
	at := b.rig.stream(stream).at
	return len(at) > 0 && at[len(at)-1] == b.cycle
}

func (b *orderBench) shows(stream string) bool { return b.rig.stream(stream).valid.Get() == 1 }

// blocked tells whether a request has to wait for those before it.
func (b *orderBench) blocked(q orderedRequest) bool {
	afterAtomic := b.lastAtomic[q.Stream] > min(b.written, b.answered)
	afterRead := b.lastRead[q.Stream] > b.done
	switch q.Kind {
	case kindRead:
		return afterAtomic
	case kindAtomic:
		return afterRead
	}
	return afterAtomic || afterRead
}

// reaches tells whether a request is about memory at all.
func (q orderedRequest) reaches() bool {
	var read wire.ReadRequest
	_ = read.Decode(q.Body[:28])
	return q.Kind == kindAtomic || q.Kind == kindRead && read.ReadMessageSize > 0
}

func (b *orderBench) look() {
	for len(b.taken) > 0 && (b.taken[0].opens || b.failed[b.taken[0].Stream] && b.taken[0].Kind < kindEnd) {
		if s := b.taken[0].Stream; b.taken[0].opens {
			b.failed[s], b.lastAtomic[s], b.lastRead[s] = false, 0, 0
		}
		b.taken = b.taken[1:]
	}
	left := ""
	for _, out := range []string{"atomic", "read", "end", "failed"} {
		if !b.shows(out) {
			continue
		}
		require.NotEmpty(b.t, b.taken, out)
		q := &b.taken[0]
		require.False(b.t, b.blocked(*q), "%s of stream %d starts too early", out, q.Stream)
		if q.shown < 0 {
			q.shown = b.cycle
		}
		if b.took(out) {
			left = out
		}
	}
	if len(b.taken) > 0 && b.taken[0].shown < 0 && b.blocked(b.taken[0]) {
		b.taken[0].looked = b.cycle
	}
	if b.signal("invalidate").Get() == 1 {
		index := uint32(b.signal("invalidate_index").Get())
		if _, is := b.killedAt[index]; !is {
			b.killedAt[index] = b.cycle
		}
	}
	if left != "" {
		b.leaves(left)
	}
	if b.answers {
		b.answered++
	}
	if b.finishes {
		b.done++
	}
	if b.took("opening") {
		var o openingBeat
		peek(b.rig, "opening", &o)
		b.taken = append(b.taken, orderedRequest{inboundRequestBeat: inboundRequestBeat{Stream: o.Stream}, opens: true})
	}
	if b.took("request") {
		q := orderedRequest{looked: b.cycle, shown: -1}
		peek(b.rig, "request", &q.inboundRequestBeat)
		b.taken = append(b.taken, q)
	}
}

// leaves checks what leaves for the oldest request.
func (b *orderBench) leaves(out string) {
	q := b.taken[0]
	b.taken = b.taken[1:]
	b.started = append(b.started, fmt.Sprint(out, " ", q.Stream))
	killed, gone := b.killedAt[q.STag>>8]
	gone = gone || uint8(q.STag) != rxRow(q.STag>>8).Key
	switch {
	case out == "failed":
		require.True(b.t, q.reaches() && gone && killed < q.shown, "a failure without a reason")
		var f failureBeat
		peek(b.rig, "failed", &f)
		require.Equal(b.t, failed(q.Stream, engine.FaultSTag), f)
		b.failed[q.Stream] = true
		return
	case q.reaches():
		require.False(b.t, gone && killed <= q.looked, "the STag was gone")
	}
	switch q.Kind {
	case kindAtomic:
		var r wire.AtomicRequest
		require.NoError(b.t, r.Decode(q.Body))
		var a inboundAtomicBeat
		peek(b.rig, out, &a)
		require.Equal(b.t, inboundAtomicBeat{q.Stream, q.Number, q.ResponseMsn, r.RequestIdentifier, q.Address, r.AOpCode, r.Data, r.Mask, r.CompareData, r.CompareMask}, a)
		b.atomics++
		b.lastAtomic[q.Stream] = b.atomics
	case kindRead:
		var r wire.ReadRequest
		require.NoError(b.t, r.Decode(q.Body[:28]))
		want := readRequestBeat{Stream: q.Stream, Number: q.Number, Address: q.Address, Length: r.ReadMessageSize}
		want.Sink.STag, want.Sink.TO = r.DataSinkSTag, r.DataSinkTO
		var a readRequestBeat
		peek(b.rig, out, &a)
		require.Equal(b.t, want, a)
		b.reads++
		b.lastRead[q.Stream] = b.reads
	default:
		var a inboundRequestBeat
		peek(b.rig, out, &a)
		require.Equal(b.t, q.inboundRequestBeat, a)
	}
}

// request is a request of a kind about the memory of a row.
func (b *orderBench) request(kind, stream int, row uint32) inboundRequestBeat {
	q := randomTerminate(b.rand, 18)
	q.Stream, q.Kind, q.STag = stream, kind, rxSTag(row)
	return q
}

// ask sends requests: a letter for the kind (a, r, z for a Read of nothing, t, s for the peer's end) and a digit for the stream.
func (b *orderBench) ask(list ...string) {
	for _, s := range list {
		kind := map[byte]int{'a': kindAtomic, 'r': kindRead, 'z': kindRead, 't': kindEnd, 's': kindClose}[s[0]]
		q := b.request(kind, int(s[1]-'0'), 1)
		if s[0] == 'z' {
			clear(q.Body[12:16])
		}
		send(b.rig, "request", q)
	}
}

// gives wants that this started since the last time, and nothing else however long one waits.
func (b *orderBench) gives(want ...string) {
	b.t.Helper()
	b.clocks(8)
	require.Equal(b.t, append([]string{}, want...), append([]string{}, b.started...))
	b.started = nil
}

// Who waits for whom: each row of the tables of ordering, for one stream and for two.
func TestRequestOrderWaits(t *testing.T) {
	b := openOrder(t, 1)
	write := func() { b.writes = true }
	answer := func() { b.answers = true }
	finish := func() { b.finishes = true }
	for round := range 40 { // more often than there are numbers
		b.ask("a1", "r1")
		b.gives("atomic 1")
		if round%2 == 0 {
			write()
			b.gives()
			answer()
		} else {
			answer()
			b.gives()
			write()
		}
		b.gives("read 1")

		b.ask("r1", "a1") // the Read goes on beside the one before, the Atomic waits for both
		b.gives("read 1")
		finish()
		b.gives()
		finish()
		b.gives("atomic 1")

		b.ask("a1", "a2", "r2") // Atomics go on; only stream 2's is waited for, which is behind those of stream 1
		b.gives("atomic 1", "atomic 2")
		for range 2 {
			write()
			b.gives()
			answer()
			b.gives()
		}
		answer()
		b.gives()
		write()
		b.gives("read 2")

		b.ask("r0", "a3", "z3") // other streams do not wait, and a Read of nothing waits as others do
		b.gives("read 0", "atomic 3")
		write()
		answer()
		b.gives("read 3")

		b.ask("t3", "s0", "t1") // an end waits for the Reads and Atomics of its stream
		b.gives()
		finish()
		b.gives()
		finish()
		b.gives()
		finish()
		b.gives("end 3", "end 0", "end 1")
		b.ask("a1", "s1")
		b.gives("atomic 1")
		answer()
		b.gives()
		write()
		b.gives("end 1")
	}
}

// Requests of one stream that wait for nothing start one a clock, a clock behind the one in which they come.
func TestRequestOrderIsFast(t *testing.T) {
	for _, kind := range []string{"a", "r", "t"} {
		for _, streams := range []int{1, 4} {
			b := openOrder(t, 2)
			b.lag = 0
			for i := range 100 {
				b.ask(fmt.Sprint(kind, i%streams))
			}
			b.settle()
			at := b.rig.stream("request").at
			require.Len(t, at, 100)
			gapless(t, at)
			out := map[string]string{"a": "atomic", "r": "read", "t": "end"}[kind]
			assert.Equal(t, at[0]+1, b.rig.stream(out).at[0])
		}
	}
}

// Without an answer 511 Reads are under way, then the next one waits.
func TestRequestOrderReadNumbers(t *testing.T) {
	b := openOrder(t, 3)
	for range 3 {
		for range 513 {
			b.ask("r1")
		}
		b.clocks(600)
		require.Len(t, b.started, 511)
		b.finishes = true
		b.clocks(5)
		require.Len(t, b.started, 512)
		b.ask("a1")
		b.lag = 0
		b.clocks(600)
		require.Len(t, b.started, 514)
		b.lag, b.started = 256, nil
		b.writes, b.answers = b.written < b.atomics, b.answered < b.atomics
		b.clock()
	}
}

// A request whose STag is gone when it starts fails its stream: nothing of that starts any more but its end, until it is opened.
func TestRequestOrderSTagIsGone(t *testing.T) {
	for _, kind := range []string{"a1", "r1"} {
		b := openOrder(t, 4)
		kill := func() {
			b.inputs["invalidate_index"].Set(1)
			b.kill = true
			b.clock()
		}
		out := map[string]string{"a1": "atomic 1", "r1": "read 1"}[kind]
		b.ask(kind)
		b.gives(out)
		b.lag = 0
		b.clocks(10)
		b.lag = 256
		kill()
		b.ask("z1", "t2", kind, "a1", "r1", "z1", "s2", "s1", "t1")
		b.clocks(8)
		b.finishes = true
		b.gives("read 1", "end 2", "failed 1", "end 2", "end 1", "end 1")
		b.ask("a3")
		b.gives("failed 3")
		// Another key, in a row that is valid.
		send(b.rig, "row", rxRow(1).beat(1))
		b.clocks(5)
		delete(b.killedAt, 1)
		b.ask("a1", "r3", "z3")
		b.gives()
		send(b.rig, "opening", openingBeat{1, true, 0}, openingBeat{3, false, 0})
		b.clocks(8)
		b.ask(kind)
		b.gives(out)
		q := b.request(kindAtomic, 3, 1)
		q.STag ^= 0x80
		send(b.rig, "request", q)
		b.gives("failed 3")
	}
}

// An STag that goes while its request waits for others is gone when the request's turn comes; one that goes when the request is
// on offer comes too late.
func TestRequestOrderSTagGoesWhileWaiting(t *testing.T) {
	b := openOrder(t, 5)
	b.inputs["invalidate_index"].Set(1)
	b.ask("a1", "r1")
	b.gives("atomic 1")
	b.kill = true
	b.gives()
	b.writes, b.answers = true, true
	b.gives("failed 1")

	send(b.rig, "row", rxRow(1).beat(1))
	b.clocks(5)
	delete(b.killedAt, 1)
	b.ask("r2", "a2")
	b.gives("read 2")
	b.rig.stream("atomic").chance = 256
	b.finishes = true
	b.clocks(5)
	b.kill = true
	b.clocks(5)
	b.rig.stream("atomic").chance = 0
	b.gives("atomic 2")
}

// What is dropped while others of its stream are under way does not get in the way of the lookup behind it.
func TestRequestOrderDropsWhileWaiting(t *testing.T) {
	b := openOrder(t, 7)
	b.inputs["invalidate_index"].Set(2)
	b.kill = true
	b.clock()
	b.ask("r1")
	send(b.rig, "request", b.request(kindRead, 1, 2), b.request(kindAtomic, 1, 2))
	b.ask("r2")
	send(b.rig, "request", b.request(kindAtomic, 1, 1), b.request(kindAtomic, 3, 2))
	b.gives("read 1", "failed 1", "read 2", "failed 3")
}

// Random requests of random streams, of which some fail and are opened again, while rows come and go.
func TestRequestOrderUnderStalls(t *testing.T) {
	for _, lag := range []int{0, 128, 230} {
		everyChance(t, func(t *testing.T, idle, pressure int) {
			b := openOrder(t, uint64(lag+idle+3*pressure))
			b.stall(idle, pressure)
			b.lag, b.most = lag, 28
			if lag == 128 {
				b.most = 0 // nothing but the stalls holds requests back: few are under way
				b.lag = 20
			}
			sent := map[string]int{}
			for range 1500 {
				b.clock()
				if b.most == 0 && b.atomics-min(b.written, b.answered) > 25 {
					b.lag = 0
				}
				if b.rand.IntN(200) == 0 {
					b.inputs["invalidate_index"].Set(uint64(b.rand.IntN(2)))
					b.kill = true
				}
				if len(b.rig.stream("request").queue) > 2 {
					continue
				}
				stream := []int{0, 0, 1, 2, 3}[b.rand.IntN(5)]
				kind := []int{0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 3}[b.rand.IntN(11)]
				q := b.request(kind, stream, b.rand.Uint32N(6))
				if b.rand.IntN(4) == 0 {
					clear(q.Body[12:16])
				}
				if b.failed[stream] && b.rand.IntN(3) == 0 {
					send(b.rig, "opening", openingBeat{stream, true, 1})
				}
				send(b.rig, "request", q)
			}
			b.stall(0, 0)
			b.most, b.lag = 0, 0
			b.settle()
			b.look()
			require.Empty(t, b.taken)
			for _, s := range b.started {
				sent[s[:4]]++
			}
			for _, out := range []string{"atom", "read", "end "} {
				assert.NotZero(t, sent[out], out)
			}
		})
	}
}

// After a reset nothing is taken for one clock a stream, nothing is under way, and no stream has failed.
func TestRequestOrderReset(t *testing.T) {
	b := openOrder(t, 6)
	for clocks := range 14 {
		q := b.request(kindAtomic, 2, 1)
		q.STag++
		send(b.rig, "request", q)
		b.ask("a1", "a0", "r3", "a2", "r1")
		b.clocks(clocks)
		b.reset()
		for range clocks % 6 {
			b.step()
		}
		b.restart()
		b.reset()
		for i := range uint32(orderRows) {
			send(b.rig, "row", rxRow(i).beat(i))
		}
		sendAt(b.rig, "opening", 0, openingBeat{3, true, 1})
		b.clocks(orderRows + 2)
		require.Equal(t, 4, b.rig.stream("opening").at[0])
		for _, s := range []string{"r0", "r1", "a2", "a3"} {
			b.ask(s)
		}
		b.gives("read 0", "read 1", "atomic 2", "atomic 3")
		b.finishes = true
		b.clock()
		b.finishes, b.writes, b.answers = true, true, true
		b.clock()
		b.writes, b.answers = true, true
		b.clock()
	}
}
