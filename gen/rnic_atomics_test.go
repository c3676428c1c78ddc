package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// topBench is rnic_atomics beside the golden model.
type topBench struct {
	*bench
	config gen.Config
	model  *rdmap.Responder

	tx, payload []axisBeat // that must come out
	records     []rdmap.Record
	retired     []rdmap.Retired
}

func openTop(t *testing.T, busBytes int) *topBench {
	c := gen.Config{Top: gen.TopAtomics, Profile: "rdmap", Extensions: []string{"draft00"}, BusBytes: busBytes, Streams: checkStreams, WindowWords: checkWords, RetirePort: true}
	b := &topBench{bench: open(t, gen.RNICAtomics(c), "retire"), config: c}
	require.NoError(t, b.engine.SetStatic("window_stag", checkSTag))
	require.NoError(t, b.engine.SetStatic("window_base", checkBase))
	return b
}

// start gives every word a value and the model the same ones, after a reset.
func (b *topBench) start() {
	b.t.Helper()
	model, err := rdmap.New(rdmap.Config{Streams: checkStreams, WindowWords: checkWords, WindowSTag: checkSTag, WindowBase: checkBase, Draft00: true})
	require.NoError(b.t, err)
	b.model, b.tx, b.payload, b.records, b.retired = model, nil, nil, nil, nil
	for i := range checkWords {
		b.host(hostAccess{true, i, uint64(i) << 32})
	}
	b.run()
	take[hostAnswer](b.bench, "m_host") // what was there before
	b.retired = nil
	take[rdmap.Retired](b.bench, "retire")
}

func (b *topBench) host(a hostAccess) hostAnswer {
	b.t.Helper()
	push(b.bench, "s_host", a)
	r, err := b.model.HostAccess(a.Write, a.Index, a.Data)
	require.NoError(b.t, err)
	b.retired = append(b.retired, r)
	return hostAnswer{r.Original}
}

func (b *topBench) segment(stream uint32, octets []byte) {
	b.t.Helper()
	push(b.bench, "s_axis_rx", soiled(beatsOf(b.config.BusBytes, stream, octets))...)
	o, err := b.model.Receive(stream, octets)
	require.NoError(b.t, err)
	if o.Executed {
		b.tx = append(b.tx, beatsOf(b.config.BusBytes, stream, o.Response)...)
		b.retired = append(b.retired, o.Retired)
		return
	}
	b.records = append(b.records, o.Record)
	if len(o.Payload) > 0 {
		b.payload = append(b.payload, beatsOf(b.config.BusBytes, stream, o.Payload)...)
	}
}

// check compares everything that came out, then every word of the window.
func (b *topBench) check() {
	b.t.Helper()
	b.run()
	var words []hostAnswer
	for i := range checkWords {
		words = append(words, b.host(hostAccess{Index: i}))
	}
	b.run()
	same(b.t, b.tx, take[axisBeat](b.bench, "m_axis_tx"))
	same(b.t, b.records, take[rdmap.Record](b.bench, "m_record"))
	same(b.t, b.payload, take[axisBeat](b.bench, "m_axis_payload"))
	same(b.t, b.retired, take[rdmap.Retired](b.bench, "retire"))
	same(b.t, words, take[hostAnswer](b.bench, "m_host"))
}

// traffic is n segments: most are atomics on few words, some are other messages, few are wrong.
func (b *topBench) traffic(seed uint64, n int) {
	b.t.Helper()
	r, kinds := random(seed), segmentKinds()
	for range n {
		stream := r.Uint32N(checkStreams)
		switch n := r.IntN(32); {
		case n == 0:
			b.segment(stream, segmentOf(r, kinds[r.IntN(len(kinds))], r.IntN(100)))
		case n < 10:
			b.segment(stream, wire.AppendSend(nil, wire.OpSend, 0, r.Uint32(), r.Uint32(), true, make([]byte, r.IntN(100))))
		default:
			b.segment(stream, wire.AppendAtomicRequest(nil, 1, wire.AtomicRequest{AOpCode: wire.AOpCode(r.IntN(3)), RequestIdentifier: r.Uint32(),
				RemoteSTag: checkSTag, RemoteTO: checkBase + 8*r.Uint64N(4), Data: operand(r), Mask: operand(r), CompareData: operand(r), CompareMask: operand(r)}))
		}
	}
}

func TestRNICAtomicsUnderStalls(t *testing.T) {
	for _, bus := range []int{8, 64} {
		t.Run(fmt.Sprint(bus), func(t *testing.T) {
			everyStall(t, func(t *testing.T, idle, pressure engine.Stall) {
				b := openTop(t, bus)
				b.stall(idle, pressure)
				b.start()
				b.traffic(13, 300)
				b.check()
			})
		})
	}
}

// On a bus of 128 octets an Atomic Request is one beat: one is executed each clock, all on one word.
func TestRNICAtomicsRate(t *testing.T) {
	b := openTop(t, 128)
	b.start()
	before := len(b.cycles("retire"))
	for id := range uint32(3000) {
		b.segment(id%checkStreams, fetchAdd(id))
	}
	b.run()
	gapless(t, b.cycles("s_axis_rx"))
	gapless(t, b.cycles("m_axis_tx"))
	gapless(t, b.cycles("retire")[before:])
	b.check()
}

// A reset in any clock of the traffic, then everything works again. The window keeps its words, but which accesses were
// executed before the reset is not known, so that they are written anew.
func TestRNICAtomicsReset(t *testing.T) {
	b := openTop(t, 8)
	for clocks := range 60 {
		b.start()
		b.traffic(14, 10)
		b.step(clocks)
		b.reset()
		b.start()
		b.traffic(15, 10)
		b.check()
		b.reset()
	}
}

// Other messages and errors do not stop the atomics of other streams; a stream that ended goes on when it is set up.
func TestRNICAtomicsByHand(t *testing.T) {
	b := openTop(t, 32)
	b.start()
	b.segment(0, fetchAdd(10))
	b.segment(1, badSTag(11))
	b.segment(0, wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, []byte("hello")))
	b.segment(1, fetchAdd(12)) // too late
	b.segment(0, fetchAdd(13))
	b.run()
	push(b.bench, "s_setup", streamSetup{1, 70})
	require.NoError(t, b.model.Setup(1, 70))
	b.run()
	b.segment(1, fetchAdd(14))

	reply := func(stream, msn, id uint32, original uint64) []axisBeat {
		return beatsOf(32, stream, wire.AppendAtomicResponse(nil, msn, wire.AtomicResponse{OriginalRequestIdentifier: id, OriginalRemoteDataValue: original}))
	}
	assert.Equal(t, append(append(reply(0, 1, 10, 2<<32), reply(0, 2, 13, 2<<32+1)...), reply(1, 70, 14, 2<<32+2)...), b.tx)
	var kinds []wire.ErrorKind
	for _, r := range b.records {
		kinds = append(kinds, r.Error)
	}
	assert.Equal(t, []wire.ErrorKind{wire.ErrSTag, wire.ErrNone, wire.ErrStreamTerminated}, kinds)
	assert.Equal(t, beatsOf(32, 0, []byte("hello")), b.payload)
	b.check()
}
