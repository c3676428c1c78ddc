package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine/flush"
)

// Beats of the AXI4 channels of a write, with the names of the ports.
type (
	awBeat struct {
		AwID    int
		AwAddr  uint64
		AwLen   int
		AwSize  int
		AwBurst int
	}
	wBeat struct {
		WData, WStrb []byte
		WLast        bool
	}
	bBeat struct{ BID, BResp int }
)

// flushReadID is the identifier of reads of flushes at memory.
const flushReadID = 4

// adapterRig is flush_adapter between an RNIC and a memory that takes any time, and answers the identifiers in any order. It checks that
// no flush reads before the writes that it waits for are answered, nor is done before its reads are back.
type adapterRig struct {
	*rig
	bus     int
	latency int
	fails   func(address uint64) bool // a read of a flush
	writes  []adapterWrite
	owedB   [2][]owedB     // by identifier
	owedR   [5][]owedR     // by identifier
	given   []readBeat     // data for the RNIC
	asked   []readBurst    // reads of the RNIC at memory
	flushes []adapterFlush // in the order of their requests
	taken   int            // flushes accepted
	reading int            // the flush whose reads arrive
	back    int            // the flush whose data arrive
	done    int
}

type adapterWrite struct{ at, answered int } // cycles; answered is 0 before
type owedB struct{ write, resp, due int }
type owedR struct {
	beat readBeat
	due  int
}

// adapterFlush is a flush, and what has become of it.
type adapterFlush struct {
	ask    platformFlush
	needs  []int    // writes
	at     int      // cycle in which it was accepted; -1 before
	reads  []uint64 // that are still to be made
	back   int      // reads that are still to return
	failed bool
	over   int // cycle in which it was done
}

func openAdapter(t testing.TB, bus int, seed uint64) *adapterRig {
	b := &adapterRig{rig: openRig(t, flush.FlushAdapter(bus), seed), bus: bus, latency: 1, fails: func(uint64) bool { return false }}
	onBeat(b.rig, "m_axi_aw", func(a awBeat) {
		b.owedB[a.AwID] = append(b.owedB[a.AwID], owedB{len(b.writes), b.rand.IntN(4), b.due()})
		b.writes = append(b.writes, adapterWrite{at: b.cycle})
	})
	onBeat(b.rig, "m_axi_ar", b.read)
	onBeat(b.rig, "m_axis_flush_done", b.isDone)
	b.look = b.watchFlushes
	return b
}

func (b *adapterRig) due() int { return b.cycle + 1 + b.rand.IntN(b.latency) }

// flush queues a flush.
func (b *adapterRig) flush(address uint64, length uint32) {
	f := adapterFlush{at: -1, ask: platformFlush{address: address, length: length, kind: b.rand.IntN(3), persistent: true, id: b.rand.IntN(1 << 16)}}
	end := address + uint64(max(length, 1)) - 1
	for page := address >> 12; ; page++ {
		if page == end>>12 {
			f.reads = append(f.reads, end&^uint64(b.bus-1))
			break
		}
		f.reads = append(f.reads, page<<12+4096-uint64(b.bus))
	}
	f.back = len(f.reads)
	b.flushes = append(b.flushes, f)
	send(b.rig, "s_axis_flush", f.ask.beat())
}

// read is what memory does with an address.
func (b *adapterRig) read(a readBurst) {
	if a.ArID < flushReadID {
		b.asked = append(b.asked, a)
		for i := range a.ArLen + 1 {
			beat := readBeat{RID: a.ArID, RData: noise(b.rand, b.bus), RResp: b.rand.IntN(4), RLast: i == a.ArLen}
			b.owedR[a.ArID] = append(b.owedR[a.ArID], owedR{beat, b.due()})
		}
		return
	}
	for len(b.flushes[b.reading].reads) == 0 {
		b.reading++
	}
	f := &b.flushes[b.reading]
	require.GreaterOrEqual(b.t, f.at, 0, "a read of a flush that was not accepted")
	size := map[int]int{8: 3, 16: 4, 32: 5, 64: 6, 128: 7}[b.bus]
	require.Equal(b.t, readBurst{ArID: flushReadID, ArAddr: f.reads[0], ArSize: size, ArBurst: 1}, a)
	for _, w := range f.needs {
		require.NotZero(b.t, b.writes[w].answered, "a flush reads before write %d is answered", w)
		require.Less(b.t, b.writes[w].answered, b.cycle)
	}
	f.reads = f.reads[1:]
	resp := b.rand.IntN(2)
	if b.fails(a.ArAddr) {
		resp, f.failed = 2+resp, true
	}
	b.owedR[flushReadID] = append(b.owedR[flushReadID], owedR{readBeat{RID: flushReadID, RData: noise(b.rand, b.bus), RResp: resp, RLast: true}, b.due()})
}

// watchFlushes records what has passed in the cycle.
func (b *adapterRig) watchFlushes() {
	now := func(stream string) bool {
		at := b.stream(stream).at
		return len(at) > 0 && at[len(at)-1] == b.cycle
	}
	if now("m_axi_b") {
		var beat bBeat
		peek(b.rig, "m_axi_b", &beat)
		b.writes[b.owedB[beat.BID][0].write].answered = b.cycle
		b.owedB[beat.BID] = b.owedB[beat.BID][1:]
	}
	if now("m_axi_r") {
		var beat readBeat
		peek(b.rig, "m_axi_r", &beat)
		b.owedR[beat.RID] = b.owedR[beat.RID][1:]
		if beat.RID < flushReadID {
			b.given = append(b.given, beat)
		} else {
			for b.flushes[b.back].back == 0 {
				b.back++
			}
			b.flushes[b.back].back--
		}
	}
	if now("s_axis_flush") {
		f := &b.flushes[b.taken]
		f.at = b.cycle
		for i, w := range b.writes {
			if w.at <= b.cycle && w.answered == 0 { // also one whose address passes in this cycle
				f.needs = append(f.needs, i)
			}
		}
		b.taken++
	}
}

// isDone checks an answer.
func (b *adapterRig) isDone(beat platformBeat) {
	f := &b.flushes[b.done]
	require.Empty(b.t, f.reads)
	require.Zero(b.t, f.back)
	require.Equal(b.t, doneBeat(f.ask.id, f.failed, 0), beat)
	f.over = b.cycle
	b.done++
}

// step runs a cycle; memory gives one of the answers that are due.
func (b *adapterRig) step() {
	if id := b.rand.IntN(2); len(b.stream("m_axi_b").queue) == 0 {
		for i := range 2 {
			if list := b.owedB[(id+i)%2]; len(list) > 0 && list[0].due <= b.cycle {
				send(b.rig, "m_axi_b", bBeat{(id + i) % 2, list[0].resp})
				break
			}
		}
	}
	if id := b.rand.IntN(5); len(b.stream("m_axi_r").queue) == 0 {
		for i := range 5 {
			if list := b.owedR[(id+i)%5]; len(list) > 0 && list[0].due <= b.cycle {
				send(b.rig, "m_axi_r", list[0].beat)
				break
			}
		}
	}
	b.rig.step()
}

// finish runs until all flushes are done, and nothing waits.
func (b *adapterRig) finish() {
	b.t.Helper()
	owes := func() int {
		return len(b.owedB[0]) + len(b.owedB[1]) + len(b.owedR[0]) + len(b.owedR[1]) + len(b.owedR[2]) + len(b.owedR[flushReadID])
	}
	for b.quiet = 0; b.done < len(b.flushes) || owes() > 0 || b.pending() != "" || b.quiet < 10; b.step() {
		require.Less(b.t, b.quiet, 5000, "%d of %d flushes are done, %s waits", b.done, len(b.flushes), b.pending())
		require.False(b.t, b.t.Failed())
	}
	assert.Len(b.t, b.flushes, b.done)
}
