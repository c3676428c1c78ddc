package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// The responses of many QPs, to Reads, Atomics and pulls that are refused, are octet by octet those of the golden model, and in the order of the
// requests of a QP unless the region of one is gone; what the Atomics leave in memory is too.
func TestFalconTargetUnderStalls(t *testing.T) {
	long.Test(t)
	for i, bus := range block.BusWidths {
		t.Run(fmt.Sprint(bus), func(t *testing.T) {
			everyChance(t, func(t *testing.T, idle, pressure int) {
				b := openFalconTarget(t, falconConfig(bitOrders[(i+idle)%2], bus))
				b.stall(idle, pressure)
				for range 60 {
					b.random()
				}
				b.finish()
				for at := uint64(falconWords << 16); at < falconWords<<16+falconRegion; at += 8 {
					require.Equal(t, b.golden.Memory().Word(at), b.words[at/8], "word at %x", at)
				}
			})
		})
	}
}

// A word that memory does not deliver: the Atomic is answered with CE and Original Data 0, leaves memory unchanged, and is reported; the next
// one on the word reads it again. A Read of it is answered by its headers with CE, and reported with its tag.
func TestFalconTargetMemoryErrors(t *testing.T) {
	for i, bus := range block.BusWidths {
		b := openFalconTarget(t, falconConfig(bitOrders[i%2], bus))
		at := uint64(falconWords<<16 + 64)
		before := b.words[at/8]
		b.bad[at/uint64(bus)] = 2
		for _, kind := range []spec.Kind{spec.FetchAdd, spec.CmpSwap, spec.Read} {
			b.pull(2, kind, falconWords, 64, 8)
			b.rest(300)
		}
		delete(b.bad, at/uint64(bus))
		sent := falconOutputs(t, received[falconTxBeat](b.rig, "m_axis_tx"))
		require.Len(t, sent, 3)
		for i, out := range sent {
			var p, want packet.Packet
			require.Equal(t, spec.None, p.Decode(out.octets, b.order))
			require.Equal(t, spec.None, want.Decode(b.want[2][uint32(i)], b.order))
			want.CE, want.Original, want.Payload, want.Pad = true, 0, want.Payload[:0], 0
			assert.Equal(t, want, p)
			assert.EqualValues(t, len(out.octets), out.RequestLength)
		}
		same(t, []failureBeat{failed(2, 0), failed(2, 0)}, received[failureBeat](b.rig, "word"))
		unread := received[falconFailure](b.rig, "unread")
		require.Len(t, unread, 1)
		assert.Equal(t, falconSent{Type: spec.PullData, CID: 2, RSN: 2, RequestLength: 32}, unread[0].falconSent)
		assert.Equal(t, before, b.words[at/8])
	}
}

// All pulls that the target may hold name a region that is gone, while Falcon takes nothing: each is refused in the end, and other pulls after
// them are answered.
func TestFalconTargetRefusesMany(t *testing.T) {
	b := openFalconTarget(t, falconConfig(spec.Drawn, 64))
	for _, kinds := range [][]spec.Kind{{spec.Read}, {spec.FetchAdd}, {spec.Read, spec.CmpSwap}} {
		b.stream("m_axis_tx").chance = 256
		for i := range b.c.Streams * b.c.IRD {
			b.pull(i%b.c.Streams, kinds[i/b.c.Streams%len(kinds)], falconGone, uint64(8*i), 8)
		}
		for range 600 {
			b.step()
		}
		b.stream("m_axis_tx").chance = 0
		for i := range b.c.Streams {
			b.pull(i, spec.Read, falconReads, 8, 100)
		}
		b.rest(300)
		for qp := range b.c.Streams {
			require.Zero(t, b.open[qp])
		}
	}
	for _, p := range falconOutputs(t, received[falconTxBeat](b.rig, "m_axis_tx")) {
		require.Equal(t, b.want[int(p.CID)][p.RSN], p.octets)
		delete(b.want[int(p.CID)], p.RSN)
	}
	for qp := range b.c.Streams {
		require.Empty(t, b.want[qp])
	}
	var want []failureBeat
	for qp := 0; qp < b.c.Streams; qp += 2 {
		want = append(want, failureBeat{qp, engine.FaultSTag})
	}
	assert.ElementsMatch(t, want, received[failureBeat](b.rig, "gone"), "each QP with Verbs compatible errors reports it once")
}

// refusalBeat is a falcon.Refusal.
type refusalBeat struct {
	Stream               int
	Number               uint32
	Atomic               bool
	CID, RSN, SN, Remote uint32
	XRC                  bool
	SinkVA               uint64
	LKey                 uint32
}

// More pulls are refused than the executor's buffer holds, while it takes none: none is lost, and other kinds go on.
func TestFalconRefusalsWait(t *testing.T) {
	c := falconConfig(spec.Drawn, 64)
	c.STags = 16
	b := openRig(t, requestOrderWithTable(c), 1)
	for _, in := range b.inputs {
		in.Set(0)
	}
	for qp := range c.Streams {
		send(b, "opening", openingBeat{Stream: qp, Open: true})
	}
	b.rest(100)
	b.stream("refusal").chance = 256
	var want []refusalBeat
	for i := range uint32(c.Streams * c.IRD) {
		q := falconPull{falconInbound: falconInbound{Stream: int(i) % c.Streams, Verbs: true, Kind: int(c.Kinds().Request("read")), STag: 0x301, RSN: i, Length: 8, LKey: b.rand.Uint32()}}
		send(b, "in", q)
		want = append(want, refusalBeat{Stream: q.Stream, RSN: i, LKey: q.LKey})
	}
	for range 400 {
		b.step()
	}
	b.stream("refusal").chance = 0
	b.rest(100)
	assert.ElementsMatch(t, want, received[refusalBeat](b, "refusal"))
	assert.Len(t, received[failureBeat](b, "failed"), c.Streams)
}

// What is refused after the end of a QP is answered: requests start after an end once it is over. All that the IRRQ has are refused, of all QPs.
func TestFalconTargetRefusesBehindEnd(t *testing.T) {
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openFalconTarget(t, falconConfig(spec.Drawn, 64))
		b.stall(idle, pressure)
		for range 3 {
			for qp := range b.c.Streams {
				b.pull(qp, spec.Read, falconReads, 8, 100)
				end := falconPull{falconInbound: falconInbound{Stream: qp, Kind: int(engine.KindEnd)}}
				send(b.rig, "in", end)
				for i := range b.c.IRD {
					b.pull(qp, spec.FetchAdd, falconClosed, uint64(8*i), 8)
				}
			}
			b.finish()
		}
	})
}
