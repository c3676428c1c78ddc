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

const (
	checkStreams = 8
	checkSTag    = 0x00C0FFEE
	checkBase    = 0x1003 // a window may start at any TO
	checkWords   = 16
)

type streamSetup struct{ Stream, Msn uint32 }

// checkBench is atomic_check beside the golden model's responder.
type checkBench struct {
	*bench
	model *rdmap.Responder

	accesses []windowAccess // that must come out
	other    []rdmap.Record
}

func openCheck(t *testing.T, base uint64, draft00 bool) *checkBench {
	c := gen.Config{Top: gen.TopAtomics, Profile: "rdmap", BusBytes: 8, Streams: checkStreams, WindowWords: checkWords}
	if draft00 {
		c.Extensions = []string{"draft00"}
	}
	model, err := rdmap.New(rdmap.Config{Streams: checkStreams, WindowWords: checkWords, WindowSTag: checkSTag, WindowBase: base, Draft00: draft00})
	require.NoError(t, err)
	b := &checkBench{bench: open(t, gen.AtomicCheck(c)), model: model}
	require.NoError(t, b.engine.SetStatic("window_stag", checkSTag))
	require.NoError(t, b.engine.SetStatic("window_base", base))
	return b
}

// segment sends the record of a segment and notes what the model makes of it.
func (b *checkBench) segment(stream uint32, octets []byte) {
	record, _ := rdmap.RecordOf(stream, octets)
	push(b.bench, "record", record)
	o, err := b.model.Receive(stream, octets)
	require.NoError(b.t, err)
	if !o.Executed {
		b.other = append(b.other, o.Record)
		return
	}
	response, _ := wire.Classify(o.Response)
	request, _ := wire.Classify(octets)
	var r wire.AtomicRequest
	require.NoError(b.t, r.Decode(request.Payload))
	b.accesses = append(b.accesses, windowAccess{Stream: stream, Msn: response.Header.MSN, Identifier: r.RequestIdentifier, Index: o.Retired.Index,
		Opcode: r.AOpCode, Data: r.Data, Mask: r.Mask, Compare: r.CompareData, CompareMask: r.CompareMask})
}

// setup opens a stream and lets that be done.
func (b *checkBench) setup(stream, msn uint32) {
	push(b.bench, "setup", streamSetup{stream, msn})
	require.NoError(b.t, b.model.Setup(stream, msn))
}

func (b *checkBench) check() {
	b.t.Helper()
	b.run()
	same(b.t, b.accesses, take[windowAccess](b.bench, "access"))
	same(b.t, b.other, take[rdmap.Record](b.bench, "other"))
	b.accesses, b.other = nil, nil
}

// fetchAdd is a request for the window's word 2.
func fetchAdd(id uint32) []byte {
	return wire.AppendAtomicRequest(nil, 1, wire.NewFetchAdd(id, checkSTag, checkBase+16, 1, 0))
}

// badSTag is a request that ends its stream.
func badSTag(id uint32) []byte {
	return wire.AppendAtomicRequest(nil, 1, wire.NewFetchAdd(id, checkSTag+1, checkBase+16, 1, 0))
}

// The first of these that holds is reported, also when several hold: AOpCode, STag, TO wrap, bounds, alignment.
func TestAtomicCheckOrder(t *testing.T) {
	const (
		size    = 8 * checkWords
		top     = ^uint64(0) - size + 1 // the window ends at 2^64
		fetch   = wire.FetchAdd
		swap    = wire.Swap
		compare = wire.CmpSwap
		bad     = checkSTag ^ 1<<31
	)
	atomicOpcode, stag := wire.TerminateCode{Layer: 0, EType: 2, Code: 6}, wire.TerminateCode{Layer: 0, EType: 1, Code: 0}
	wrap, bounds, alignment := wire.TerminateCode{Layer: 0, EType: 1, Code: 4}, wire.TerminateCode{Layer: 0, EType: 1, Code: 1}, wire.TerminateCode{Layer: 0, EType: 2, Code: 7}
	for _, row := range []struct {
		says    string
		base    uint64
		draft00 bool
		aopcode wire.AOpCode
		stag    uint32
		to      uint64
		kind    wire.ErrorKind
		term    wire.TerminateCode
		index   int
	}{
		{says: "first word", base: checkBase, aopcode: fetch, stag: checkSTag, to: checkBase, index: 0},
		{says: "last word", base: checkBase, aopcode: compare, stag: checkSTag, to: checkBase + size - 8, index: 15},
		{says: "last word of the address space", base: top, aopcode: fetch, stag: checkSTag, to: ^uint64(7), index: 15},
		{says: "first word at TO 0", base: 0, aopcode: fetch, stag: checkSTag, to: 0, index: 0},
		{says: "Swap with draft-00", base: checkBase, draft00: true, aopcode: swap, stag: checkSTag, to: checkBase + 8, index: 1},

		{says: "Swap without", base: checkBase, aopcode: swap, stag: checkSTag, to: checkBase + 8, kind: wire.ErrAtomicOpcode, term: atomicOpcode},
		{says: "AOpCode 3", base: checkBase, draft00: true, aopcode: 3, stag: checkSTag, to: checkBase, kind: wire.ErrAtomicOpcode, term: atomicOpcode},
		{says: "AOpCode 10, looks like CmpSwap in its low bits", base: checkBase, aopcode: 10, stag: checkSTag, to: checkBase, kind: wire.ErrAtomicOpcode, term: atomicOpcode},
		{says: "all wrong: AOpCode first", base: checkBase, aopcode: 15, stag: bad, to: ^uint64(0), kind: wire.ErrAtomicOpcode, term: atomicOpcode},

		{says: "STag", base: checkBase, aopcode: fetch, stag: bad, to: checkBase, kind: wire.ErrSTag, term: stag},
		{says: "STag before TO wrap", base: checkBase, aopcode: fetch, stag: bad, to: ^uint64(0), kind: wire.ErrSTag, term: stag},
		{says: "STag before bounds", base: checkBase, aopcode: fetch, stag: bad, to: 0, kind: wire.ErrSTag, term: stag},

		{says: "2^64-7 wraps", base: checkBase, aopcode: fetch, stag: checkSTag, to: ^uint64(6), kind: wire.ErrTOWrap, term: wrap},
		{says: "2^64-1 wraps, before bounds", base: top, aopcode: fetch, stag: checkSTag, to: ^uint64(0), kind: wire.ErrTOWrap, term: wrap},
		{says: "2^64-7 wraps inside the window too, before alignment", base: top, aopcode: fetch, stag: checkSTag, to: ^uint64(6), kind: wire.ErrTOWrap, term: wrap},

		{says: "2^64-8 does not wrap", base: checkBase, aopcode: fetch, stag: checkSTag, to: ^uint64(7), kind: wire.ErrBounds, term: bounds},
		{says: "1 below the window", base: checkBase, aopcode: fetch, stag: checkSTag, to: checkBase - 1, kind: wire.ErrBounds, term: bounds},
		{says: "8 below the window", base: checkBase, aopcode: fetch, stag: checkSTag, to: checkBase - 8, kind: wire.ErrBounds, term: bounds},
		{says: "at the end of the window", base: checkBase, aopcode: fetch, stag: checkSTag, to: checkBase + size, kind: wire.ErrBounds, term: bounds},
		{says: "7 octets inside, before alignment", base: checkBase, aopcode: fetch, stag: checkSTag, to: checkBase + size - 7, kind: wire.ErrBounds, term: bounds},
		{says: "the window's low bits, far above", base: checkBase, aopcode: fetch, stag: checkSTag, to: checkBase + 1<<63, kind: wire.ErrBounds, term: bounds},

		{says: "1 octet off", base: checkBase, aopcode: fetch, stag: checkSTag, to: checkBase + 1, kind: wire.ErrAlignment, term: alignment},
		{says: "4 octets off", base: checkBase, aopcode: fetch, stag: checkSTag, to: checkBase + 4, kind: wire.ErrAlignment, term: alignment},
		{says: "1 octet before the last word", base: checkBase, aopcode: fetch, stag: checkSTag, to: checkBase + size - 9, kind: wire.ErrAlignment, term: alignment},
		{says: "an aligned TO that is no aligned address", base: checkBase, aopcode: fetch, stag: checkSTag, to: checkBase + 5, kind: wire.ErrAlignment, term: alignment},
	} {
		t.Run(row.says, func(t *testing.T) {
			b := openCheck(t, row.base, row.draft00)
			b.segment(5, wire.AppendAtomicRequest(nil, 1, wire.AtomicRequest{Reserved: 0xFFFFFFF, AOpCode: row.aopcode, RemoteSTag: row.stag, RemoteTO: row.to}))
			if row.kind == wire.ErrNone {
				require.Empty(t, b.other)
				require.Equal(t, row.index, b.accesses[0].Index)
			} else {
				require.Empty(t, b.accesses)
				require.Equal(t, row.kind, b.other[0].Error)
				require.Equal(t, row.term, b.other[0].Term)
			}
			b.check()
		})
	}
}

// What the parser found comes before the checks of the request; other messages are passed on.
func TestAtomicCheckPassesRecordsOn(t *testing.T) {
	b := openCheck(t, checkBase, false)
	b.segment(0, badSTag(1)[:69])                                                      // one octet too short
	b.segment(1, wire.AppendWrite(nil, 1, 2, true, []byte("hello")))                   // not for us
	b.segment(2, wire.AppendReadRequest(nil, 1, wire.ReadRequest{DataSourceSTag: 99})) // no word of the window
	b.segment(3, nil)
	kinds := []wire.ErrorKind{}
	for _, r := range b.other {
		kinds = append(kinds, r.Error)
	}
	assert.Equal(t, []wire.ErrorKind{wire.ErrLength, wire.ErrNone, wire.ErrNone, wire.ErrShortHeader}, kinds)
	b.check()
}

// The first error ends a stream, and that stream only, until it is set up again.
func TestAtomicCheckTerminatedStream(t *testing.T) {
	b := openCheck(t, checkBase, false)
	b.segment(1, fetchAdd(0))
	b.segment(1, badSTag(1))
	b.segment(2, fetchAdd(2))
	b.segment(1, fetchAdd(3))                                 // not executed
	b.segment(1, badSTag(4))                                  // not reported again
	b.segment(1, wire.AppendWrite(nil, 1, 2, true, []byte{})) // nor delivered
	b.segment(2, fetchAdd(5))
	assert.Equal(t, []string{"2/1", "2/2"}, msns(b.accesses[1:]))
	b.check()

	b.setup(1, 0xFFFFFFFE)
	b.run()
	for id := range uint32(4) {
		b.segment(1, fetchAdd(id))
	}
	b.segment(2, fetchAdd(0))
	assert.Equal(t, []string{"1/4294967294", "1/4294967295", "1/0", "1/1", "2/3"}, msns(b.accesses))
	b.check()
}

func msns(accesses []windowAccess) (list []string) {
	for _, a := range accesses {
		list = append(list, fmt.Sprintf("%d/%d", a.Stream, a.Msn))
	}
	return list
}

// The state that a decision leaves is there for the next record of the stream, however soon it comes: records of two
// streams, any of them wrong, with 0 to 3 clocks between them.
func TestAtomicCheckForwarding(t *testing.T) {
	for name, pressure := range map[string]engine.Stall{
		"outputs taken": {}, "outputs stalled": {Mode: engine.StallRandom, Chance: 160}, "outputs stalled for long": {Mode: engine.StallBursts, Chance: 160},
	} {
		t.Run(name, func(t *testing.T) {
			b := openCheck(t, checkBase, false)
			b.stall(engine.Stall{}, pressure)
			b.run()
			for pattern := range 16 * 8 * 4 {
				gaps, streams, wrong := []int{pattern & 3, pattern >> 2 & 3, 0}, pattern>>4&7, pattern>>7
				for i := range 3 {
					octets := fetchAdd(uint32(pattern))
					if i == wrong { // 3: none is
						octets = badSTag(uint32(pattern))
					}
					b.segment(uint32(streams>>i&1), octets)
					b.step(1 + gaps[i])
				}
				b.check()
				b.setup(0, uint32(pattern))
				b.setup(1, ^uint32(pattern))
				b.run()
			}
		})
	}
}

// A set-up is done for the record that comes right behind it.
func TestAtomicCheckForwardsSetup(t *testing.T) {
	for gap := range 4 {
		b := openCheck(t, checkBase, false)
		b.segment(3, badSTag(1))
		b.run()
		b.setup(3, 100)
		b.step(1 + gap)
		b.segment(3, fetchAdd(2))
		b.segment(3, fetchAdd(3))
		assert.Equal(t, []string{"3/100", "3/101"}, msns(b.accesses))
		b.check()
	}
}

// Random records of all kinds, few of them wrong, in rounds between which all streams are set up. Streams that are not
// used are set up all the time.
func TestAtomicCheckUnderStalls(t *testing.T) {
	everyStall(t, func(t *testing.T, idle, pressure engine.Stall) {
		b, r, kinds := openCheck(t, checkBase, true), random(12), segmentKinds()
		b.stall(idle, pressure)
		for range 8 {
			for range 150 {
				stream := r.Uint32N(checkStreams - 1)
				switch n := r.IntN(16); {
				case n == 0: // any kind, most of them wrong
					b.segment(stream, segmentOf(r, kinds[r.IntN(len(kinds))], r.IntN(100)))
				case n == 1: // an address in or near the window
					b.segment(stream, wire.AppendAtomicRequest(nil, 1, wire.NewFetchAdd(0, checkSTag, checkBase-8+8*r.Uint64N(checkWords+2), 1, 0)))
				case n < 4:
					b.segment(stream, wire.AppendWrite(nil, 1, 2, true, []byte("hello")))
				default:
					b.segment(stream, wire.AppendAtomicRequest(nil, 1, wire.AtomicRequest{Reserved: r.Uint32() >> 4, AOpCode: wire.AOpCode(r.IntN(3)),
						RequestIdentifier: r.Uint32(), RemoteSTag: checkSTag, RemoteTO: checkBase + 8*r.Uint64N(checkWords),
						Data: r.Uint64(), Mask: r.Uint64(), CompareData: r.Uint64(), CompareMask: r.Uint64()}))
				}
				if r.IntN(4) == 0 {
					b.setup(checkStreams-1, r.Uint32())
				}
			}
			b.check()
			for stream := range uint32(checkStreams) {
				b.setup(stream, uint32(operand(r)))
			}
			b.run()
		}
	})
}

// One record a clock, also of one stream.
func TestAtomicCheckRate(t *testing.T) {
	b := openCheck(t, checkBase, false)
	b.run()
	for id := range uint32(3000) {
		b.segment(id/2%2, fetchAdd(id))
	}
	b.check()
	gapless(t, b.cycles("record"))
	gapless(t, b.cycles("access"))
	assert.Equal(t, b.cycles("record")[0]+2, b.cycles("access")[0])
}

// Reset gives every stream its first state again, one a clock, and takes no record before that; also when it comes in the
// middle of that, and at power-up.
func TestAtomicCheckReset(t *testing.T) {
	b := openCheck(t, checkBase, false)
	for clocks := range checkStreams + 4 {
		for stream := range uint32(checkStreams) {
			push(b.bench, "record", rdmap.Record{Stream: stream, Error: wire.ErrLength})
		}
		b.run()
		b.reset()
		b.step(clocks)
		b.reset()
		start := b.engine.Cycle()
		b.model, _ = rdmap.New(rdmap.Config{Streams: checkStreams, WindowWords: checkWords, WindowSTag: checkSTag, WindowBase: checkBase})
		for stream := range uint32(checkStreams) {
			b.segment(stream, fetchAdd(0))
		}
		assert.Equal(t, []string{"0/1", "1/1", "2/1", "3/1", "4/1", "5/1", "6/1", "7/1"}, msns(b.accesses))
		b.check()
		assert.Equal(t, start+checkStreams, b.cycles("record")[0])
	}
}
