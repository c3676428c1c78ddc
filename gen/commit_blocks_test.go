package gen_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/gen/engine/order"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// commitEngine is a configuration with the extension commit.
func commitEngine(streams, rows int) engine.Config {
	c := gen.Default()
	c.Extensions = []string{"commit"}
	c.Streams, c.STags, c.IRD, c.ORD = streams, rows, 4, 4
	return c.Engine()
}

// Nothing is lost, changed or delivered twice, and data reach the side that asked for them, even if they are interleaved.
func TestAXIReadJoinUnderStalls(t *testing.T) {
	first, second := readBursts(500)
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openRig(t, block.AXIReadJoin(16), 1)
		b.stall(idle, pressure)
		b.stream("second_r").chance = 0
		var asked [2][]readBurst
		var data [2][]readBeat
		onBeat(b, "m_axi_ar", func(a readBurst) {
			side := a.ArID >> block.AXIIDBits
			asked[side] = append(asked[side], a)
			for i := range a.ArLen + 1 {
				beat := readBeat{RID: a.ArID, RData: noise(b.rand, 16), RResp: b.rand.IntN(4), RLast: i == a.ArLen}
				send(b, "m_axi_r", beat)
				beat.RID &= 1<<block.AXIIDBits - 1
				data[side] = append(data[side], beat)
			}
		})
		send(b, "first_ar", first...)
		send(b, "second_ar", second...)
		b.rest(300)
		same(t, first, asked[0])
		for i := range asked[1] {
			asked[1][i].ArID &= 1<<block.AXIIDBits - 1
		}
		same(t, second, asked[1])
		same(t, data[0], received[readBeat](b, "first_r"))
		same(t, data[1], received[readBeat](b, "second_r"))
	})
}

// The second side has what the first one leaves; a burst of it goes first once the first side was granted 32 times the longest burst, and
// then 32 times the beats of the burst before.
func TestAXIReadJoinTurns(t *testing.T) {
	for _, row := range []struct{ most, between int }{{127, 64}, {15, 512}, {0, 8192}} {
		t.Run(fmt.Sprintf("%d beats", row.most+1), func(t *testing.T) {
			b := openRig(t, block.AXIReadJoin(8), 1)
			var at []int
			n := 0
			onBeat(b, "m_axi_ar", func(a readBurst) {
				if a.ArID>>block.AXIIDBits == 1 {
					at = append(at, n)
					for i := range a.ArLen + 1 {
						send(b, "m_axi_r", readBeat{RID: a.ArID, RData: make([]byte, 8), RLast: i == a.ArLen})
					}
				}
				n++
			})
			const beats = 8 // of a burst of the second side: few, also while the one before is in progress
			k, next := row.between, 32*beats/(row.most+1)
			for range k + 2*next + 1 {
				send(b, "first_ar", readBurst{ArLen: row.most})
			}
			for range 6 {
				send(b, "second_ar", readBurst{ArLen: beats - 1})
			}
			b.rest(20)
			assert.Equal(t, []int{k, k + next + 1, k + 2*next + 2}, at[:3])
			rest := k + 2*next + 4
			assert.Equal(t, []int{rest, rest + 1, rest + 2}, at[3:], "when the first side has none")
		})
	}
}

// While the first side reads, the second one begins a burst only while less than 16 beats of it are in progress; once the first one has been
// quiet for 128 cycles, at any time.
func TestAXIReadJoinWaits(t *testing.T) {
	b := openRig(t, block.AXIReadJoin(8), 1)
	var at []int // cycles
	onBeat(b, "m_axi_ar", func(a readBurst) {
		if a.ArID>>block.AXIIDBits == 1 {
			at = append(at, b.cycle)
		}
	})
	steps := func(n int) {
		for range n {
			b.step()
		}
	}
	ask := func(lengths ...int) {
		send(b, "first_ar", readBurst{})
		steps(5)
		for _, n := range lengths {
			send(b, "second_ar", readBurst{ArLen: n - 1})
		}
		steps(20)
	}
	answer := func(beats int) {
		for range beats {
			send(b, "m_axi_r", readBeat{RID: 1 << block.AXIIDBits, RData: make([]byte, 8)})
		}
		steps(beats + 5)
	}
	ask(1, 30, 16, 1)
	assert.Len(t, at, 3, "31 beats are few, 47 are not")
	answer(15)
	assert.Len(t, at, 3)
	answer(1)
	assert.Len(t, at, 4)
	ask(16, 1)
	assert.Len(t, at, 4)
	steps(128)
	assert.Len(t, at, 6, "the first side is quiet")
	assert.Equal(t, at[4]+2, at[5])
}

// withdrawalBeat is an STag to withdraw.
type withdrawalBeat struct{ STag uint32 }

// rowWrite is a change of the table.
type rowWrite struct {
	Index int
	Entry struct {
		Valid, Key, Owner, Base, Length, Address uint64
		ByDomain                                 bool
		Rights                                   struct{ LocalRead, LocalWrite, RemoteRead, RemoteWrite, RemoteAtomic, Invalidate bool }

		Tag struct {
			Persistent, Visible, Verifiable, NeedsRead bool
			Type, Algorithm                            int
		}
	}
}

// A withdrawal takes the row away that has the STag's key, and no other, whatever the host changes in between; each that takes one away
// is counted once. Lookups see a write from the second cycle on.
func TestSTagWithdraw(t *testing.T) {
	everyChance(t, func(t *testing.T, idle, pressure int) {
		const rows = 4
		b := openRig(t, memory.STagWithdraw(commitEngine(2, rows)), 1)
		b.stall(idle, 0)
		b.stream("write").chance = pressure
		var table, seen [rows]rowWrite // as written, as lookups see it
		settling := map[int][]rowWrite{}
		gone, counted, writes := b.signal("gone"), 0, 0
		withdrew := 0
		host, withdraw := b.stream("host"), b.stream("withdraw")
		enable, index := b.signal("lookup_enable"), b.signal("lookup_index")
		width := b.signal("lookup_entry").Width
		onBeat(b, "write", func(w rowWrite) {
			writes++
			if host.ready.Get() == 0 { // a withdrawal
				withdrew++
				var stag withdrawalBeat
				peek(b, "withdraw", &stag)
				was := table[w.Index].Entry
				assert.Equal(t, stag.STag>>8, uint32(w.Index))
				assert.True(t, was.Valid == 1 && was.Key == uint64(stag.STag&0xFF), "cycle %d: %X takes away %+v", b.cycle, stag.STag, was)
				assert.Zero(t, w.Entry.Valid)
			}
			table[w.Index] = w
			settling[b.cycle+2] = append(settling[b.cycle+2], w)
		})
		b.look = func() {
			for _, w := range settling[b.cycle] {
				seen[w.Index] = w
			}
			delete(settling, b.cycle)
			if enable.Get() == 1 {
				e := seen[index.Get()].Entry
				v := new(big.Int).SetUint64(e.Valid<<8 | e.Key)
				words := make([]uint64, (width+63)/64)
				v.Lsh(v, uint(width-9))
				for i := range words {
					words[i] = new(big.Int).Rsh(v, uint(64*i)).Uint64()
				}
				b.inputs["lookup_entry"].SetWords(words)
			}
			counted += int(gone.Get())
			if withdraw.valid.Get() == 1 && withdraw.ready.Get() == 1 {
				var stag withdrawalBeat
				peek(b, "withdraw", &stag)
				is := table[stag.STag>>8].Entry
				assert.False(t, is.Valid == 1 && is.Key == uint64(stag.STag&0xFF), "cycle %d: %X is valid still", b.cycle, stag.STag)
			}
		}
		n := 600
		for range n {
			w := rowWrite{Index: b.rand.IntN(rows)}
			w.Entry.Valid, w.Entry.Key = uint64(bitOf(b.rand.IntN(4) > 0)), b.rand.Uint64N(2)
			w.Entry.Address = b.rand.Uint64()
			send(b, "host", w)
			send(b, "withdraw", withdrawalBeat{uint32(b.rand.IntN(rows))<<8 | b.rand.Uint32N(2)})
		}
		b.rest(50)
		assert.Equal(t, n+counted, writes)
		assert.Equal(t, withdrew, counted)
		assert.NotZero(t, counted)
	})
}

// begunBeat is a request that starts.
type begunBeat struct {
	Stream      int
	Commits     bool
	ResponseMsn uint32
	Returned    struct {
		Control        uint16
		InvalidateSTag uint32
		Msn            uint32
		Length         uint16
	}
}

// commitResultBeat is the result of a Flush or Atomic Write.
type commitResultBeat struct {
	Stream int
	Number uint32
	Fails  bool
}

// verifyResultBeat is that of a Verify.
type verifyResultBeat struct {
	commitResultBeat
	Differs      bool
	DigestOctets int
	Digest       [32]byte
}

// Each result becomes its response, or says how it has failed. The Invalidate STag is withdrawn once, before the response, if it has not
// failed. Every stream has one request at a time.
func TestCommitResponder(t *testing.T) {
	c := commitEngine(8, 16)
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openRig(t, rdmap.CommitResponder(c), 1)
		b.stall(idle, pressure)
		var want, got [8][]string
		var withdrawn []string
		onBeat(b, "withdraw", func(w struct{ STag uint32 }) { withdrawn = append(withdrawn, fmt.Sprintf("withdraws %X", w.STag)) })
		onBeat(b, "message", func(m txMessageBeat) {
			got[m.Stream] = append(append(got[m.Stream], withdrawn...), fmt.Sprintf("%+v", m))
			withdrawn = nil
		})
		for range 300 {
			var begins [8]begunBeat
			for stream := range begins {
				begun := begunBeat{Stream: stream, Commits: true, ResponseMsn: uint32(operand(b.rand))}
				if b.rand.IntN(2) == 0 {
					begun.Returned.InvalidateSTag = b.rand.Uint32() >> b.rand.IntN(32) // row 0 exists, too
				}
				begun.Returned.Control, begun.Returned.Msn, begun.Returned.Length = uint16(b.rand.Uint32()), b.rand.Uint32(), uint16(b.rand.Uint32())
				send(b, "begun", begun)
				begins[stream] = begun
			}
			b.rest(2)
			for stream, begun := range begins { // results wait for each other
				r := commitResultBeat{Stream: stream, Number: b.rand.Uint32N(8), Fails: b.rand.IntN(3) == 0}
				m, fault := txMessageBeat{Stream: stream, Number: r.Number, HeaderLength: 18}, byte(engine.FaultFails)
				executor := []string{"flush", "atomic_write", "verify"}[b.rand.IntN(3)]
				switch executor {
				case "flush":
					m.Header = wire.AppendFlushResponse(nil, begun.ResponseMsn)
					send(b, executor, r)
				case "atomic_write":
					m.Header = wire.AppendAtomicWriteResponse(nil, begun.ResponseMsn)
					send(b, executor, r)
				case "verify":
					v := verifyResultBeat{commitResultBeat: r, Differs: r.Fails && b.rand.IntN(2) == 0, DigestOctets: []int{4, 8, 32}[b.rand.IntN(3)]}
					copy(v.Digest[:], noise(b.rand, v.DigestOctets))
					if v.Differs {
						fault = engine.FaultDiffers
					}
					m.Header = wire.AppendVerifyResponse(nil, begun.ResponseMsn, v.Digest[:v.DigestOctets])
					m.HeaderLength += v.DigestOctets
					send(b, executor, v)
				}
				m.Kind, m.Header = int(c.Kinds().Response(executor)), padded(m.Header)
				if r.Fails {
					m.HeaderLength, m.Header = 0, padded([]byte{fault})
				} else if stag := begun.Returned.InvalidateSTag; stag != 0 {
					want[stream] = append(want[stream], fmt.Sprintf("withdraws %X", stag))
				}
				want[stream] = append(want[stream], fmt.Sprintf("%+v", m))
			}
			b.rest(20)
		}
		require.Equal(t, want, got)
	})
}

// commitRequestBeat is a request with what the extension adds.
type commitRequestBeat struct {
	queuedBeat
	commitFields
}

// commitFields are what the extension adds to a request.
type commitFields struct {
	Control        uint16
	InvalidateSTag uint32
	Msn            uint32
	Type           int
	Algorithm      int
	Differs        bool
}

// Reads that wait for nothing start at one per cycle, 8 cycles after they arrive, and are reported as they start.
func TestRequestOrderOfCommitIsFast(t *testing.T) {
	c := gen.Default()
	c.Extensions, c.Streams, c.IRD, c.AtomicDepth = []string{"commit"}, 4, 128, 64
	for _, streams := range []int{1, 4} {
		b := openRig(t, order.RequestOrder(c.Engine()), 1)
		b.rest(20)
		var asked []commitRequestBeat
		for i := range 200 {
			var r commitRequestBeat
			r.Stream, r.Kind, r.ResponseMsn, r.Body = i%streams, int(c.Engine().Kinds().Request("read")), operand32(b), make([]byte, 52) // of 0 octets
			r.Msn, r.SegmentLength, r.Control = operand32(b), int(uint16(operand32(b))), uint16(operand32(b))
			asked = append(asked, r)
			send(b, "in", r)
		}
		b.rest(30)
		in, out := b.stream("in").at, b.stream("read").at
		require.Len(t, out, 200)
		gapless(t, in)
		gapless(t, out)
		assert.Equal(t, in[0]+8, out[0])
		begun := received[begunBeat](b, "begins")
		require.Len(t, begun, 200)
		for i, r := range begun {
			assert.False(t, r.Commits)
			q := asked[i]
			assert.Equal(t, []uint32{q.ResponseMsn, q.Msn, uint32(q.SegmentLength), uint32(q.Control)},
				[]uint32{r.ResponseMsn, r.Returned.Msn, uint32(r.Returned.Length), uint32(r.Returned.Control)})
		}
	}
}

// operand32 is an operand of 32 bits.
func operand32(b *rig) uint32 { return uint32(operand(b.rand) >> (32 * b.rand.IntN(2))) }

// overBeat is a request that is over.
type overBeat struct{ Stream int }

// Stops and openings of a stream take the place of a choice, and no request of others is lost or starts twice.
func TestRequestOrderOfCommitStopsBesideRequests(t *testing.T) {
	c := gen.Default()
	c.Extensions, c.Streams, c.IRD, c.AtomicDepth = []string{"commit"}, 4, 128, 64
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openRig(t, order.RequestOrder(c.Engine()), 1)
		b.rest(20)
		b.stall(idle, pressure)
		b.stream("begins").chance = 0
		var want [4][]uint32
		for i := range 300 {
			var r commitRequestBeat
			r.Stream, r.Kind, r.ResponseMsn, r.Body = 1+i%3, int(c.Engine().Kinds().Request("read")), uint32(i), make([]byte, 52) // of 0 octets
			send(b, "in", r)
			want[r.Stream] = append(want[r.Stream], r.ResponseMsn)
		}
		for range 60 {
			send(b, "stop", overBeat{})
			send(b, "opening", openingBeat{Open: true})
		}
		b.rest(300)
		var got [4][]uint32
		for _, r := range received[begunBeat](b, "begins") {
			got[r.Stream] = append(got[r.Stream], r.ResponseMsn)
		}
		require.Equal(t, want, got)
		assert.Len(t, b.stream("read").at, 300)
		assert.Len(t, b.stream("stop").at, 60)
		assert.Len(t, b.stream("opening").at, 60)
	})
}

// A stop of one stream beside an opening of another one, in any cycle: what was stopped starts nothing until it is opened, the other one goes on.
func TestRequestOrderOfCommitStopsBesideOpenings(t *testing.T) {
	c := gen.Default()
	c.Extensions, c.Streams, c.IRD, c.AtomicDepth = []string{"commit"}, 4, 8, 64
	b := openRig(t, order.RequestOrder(c.Engine()), 1)
	b.rest(20)
	var begun []int
	onBeat(b, "begins", func(r begunBeat) { begun = append(begun, r.Stream) })
	ask := func(stream int) {
		var r commitRequestBeat
		r.Stream, r.Kind, r.Body = stream, int(c.Engine().Kinds().Request("read")), make([]byte, 52) // of 0 octets
		send(b, "in", r)
		b.rest(20)
	}
	for apart := -4; apart <= 4; apart++ {
		for stopped := range c.Streams {
			opened := (stopped + 1) % c.Streams
			begun = nil
			ask(stopped)
			ask(opened)
			sendAt(b, "stop", b.cycle+10, overBeat{stopped})
			sendAt(b, "opening", b.cycle+10+apart, openingBeat{Stream: opened, Open: true})
			b.rest(40)
			ask(stopped)
			ask(opened)
			require.Equal(t, []int{stopped, opened, opened}, begun, "%d cycles apart", apart)
			send(b, "read_over", overBeat{opened}, overBeat{opened})
			send(b, "opening", openingBeat{Stream: stopped, Open: true})
			b.rest(40)
		}
	}
}

// A response that fails stops its stream instead of being over; nothing is lost while a receiver is not ready.
func TestReportSplitOfCommit(t *testing.T) {
	c := commitEngine(8, 16)
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openRig(t, transmit.ReportSplit(c), 1)
		b.stall(idle, pressure)
		kinds := []int{kindMessage, int(engine.KindEnd), int(engine.KindClose)}
		stops := map[int]bool{}
		for _, name := range []string{"read", "atomic", "flush", "verify", "atomic_write"} {
			kind := int(c.Kinds().Response(name))
			kinds, stops[kind] = append(kinds, kind), name != "read" && name != "atomic"
		}
		var wantSent []txReportBeat
		var wantOver, wantStop []endedBeat
		for range 600 {
			q := txReportBeat{b.rand.IntN(8), kinds[b.rand.IntN(len(kinds))], b.rand.IntN(2) == 0, b.rand.IntN(2) == 0}
			send(b, "report", q)
			switch {
			case q.Kind == kindMessage:
				wantSent = append(wantSent, q)
			case !q.Final:
			case stops[q.Kind] && q.Dropped:
				wantStop = append(wantStop, endedBeat{q.Stream})
			case stops[q.Kind] || q.Kind == int(c.Kinds().Response("read")):
				wantOver = append(wantOver, endedBeat{q.Stream})
			}
		}
		b.rest(60)
		same(t, wantSent, received[txReportBeat](b, "sent"))
		same(t, wantOver, received[endedBeat](b, "read_over"))
		same(t, wantStop, received[endedBeat](b, "stop"))
	})
}

// An executor takes nothing while every stream has a request for it: turns wait in a list, and none is lost.
func TestRequestOrderOfCommitHeldExecutors(t *testing.T) {
	for _, executor := range []string{"flush", "verify", "atomic"} {
		for _, streams := range []int{16, 64, 128} {
			c := gen.Default()
			c.Extensions, c.Streams, c.IRD, c.AtomicDepth = []string{"commit"}, streams, 4, 64
			b := openRig(t, order.RequestOrder(c.Engine()), 1)
			entry := b.signal("recheck_entry").Width
			words := make([]uint64, (entry+63)/64)
			words[(entry-1)/64] = 1 << ((entry - 1) % 64) // a valid row with key 0
			b.inputs["recheck_entry"].SetWords(words)
			b.rest(streams + 20)
			kind := executor
			if kind == "atomic" { // Atomic Writes are its guests
				kind = "atomic_write"
			}
			b.stream(executor).chance = 256
			for i := range streams {
				var r commitRequestBeat
				r.Stream, r.Kind, r.Body = i, int(c.Engine().Kinds().Request(kind)), make([]byte, 52)
				r.Msn = uint32(1000 + i)
				send(b, "in", r)
			}
			for range 4*streams + 200 {
				b.step()
			}
			b.stream(executor).chance = 0
			b.rest(60)
			started := map[int]int{}
			for _, r := range received[begunBeat](b, "begins") {
				started[r.Stream]++
			}
			require.Len(t, started, streams, "%s on %d streams", executor, streams)
			require.Len(t, b.stream("begins").at, streams)
			require.Len(t, b.stream(executor).at, streams)
		}
	}
}

// commitDeliveryBeat is a delivery with what the extension adds.
type commitDeliveryBeat = deliveryBeatOf[struct {
	inboundRequestBeat
	commitFields
}]

// With an output blocked, rx_check accepts segments as long as their results have room. What has filled the buffers leaves them in order, heads and
// bodies of deliveries together.
func TestRxCheckRoomOfCommit(t *testing.T) {
	for stalled, most := range map[string]int{"place": 32, "deliver": 128} {
		c := commitEngine(4, 16)
		c.IRD = 256
		b := openRig(t, rxCheckWithTables(c), 13)
		from := rxRow(1).beat(1).Entry
		row := rowWrite{Index: 1}
		row.Entry.Valid, row.Entry.Key, row.Entry.Owner, row.Entry.ByDomain = 1, uint64(from.Key), uint64(from.Owner), from.ByDomain
		row.Entry.Base, row.Entry.Length, row.Entry.Address, row.Entry.Rights.RemoteWrite = from.Base, from.Length, from.Address, true
		send(b, "row", row)
		send(b, "ring_opening", openingBeat{1, true, rxDomain})
		send(b, "opening", openingBeat{1, true, rxDomain})
		b.rest(40)
		var places []placementBeat
		onBeat(b, "place", func(p placementBeat) { places = append(places, p) })
		b.look = func() { b.inputs["placed"].Set(uint64(len(places) % 512)) }
		b.stream(stalled).chance = 256
		const segments = 200
		var want [][]byte
		for i := range segments {
			segment := wire.AppendReadRequest(nil, uint32(i+1), wire.ReadRequest{DataSinkSTag: uint32(i), DataSinkTO: b.rand.Uint64()})
			want = append(want, segment[18:])
			if stalled == "place" {
				segment = wire.AppendWrite(nil, rxSTag(1), rxRow(1).Base+uint64(i%8), true, []byte{1})
			}
			send(b, "record", recordBeatOf(1, segment))
		}
		for range 600 {
			b.step()
		}
		assert.InDelta(t, most, len(b.stream("record").at), 2, stalled)
		b.stream(stalled).chance = 0
		b.rest(300)
		if stalled == "place" {
			require.Len(t, places, segments)
			for i, p := range places {
				require.Equal(t, placementBeat{Stream: 1, Address: rxRow(1).Address + uint64(i%8), Length: 1}, p.meaning())
			}
			continue
		}
		deliveries := received[commitDeliveryBeat](b, "deliver")
		require.Len(t, deliveries, segments)
		for i, d := range deliveries {
			require.Equal(t, want[i], d.Request.Body[:28], "delivery %d", i)
			require.Equal(t, uint32(i+1), d.Request.Msn)
		}
	}
}
