package gen_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/atomic"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/sim"
	model "github.com/rnicgen/rnicgen/model/atomic"
	"github.com/rnicgen/rnicgen/model/wire"
)

// atomicRequest is an atomic on the word at 8 * word.
type atomicRequest struct {
	stream, number, atomicMsn, identifier uint64
	word                                  uint64
	opcode                                wire.AOpCode
	data, mask, compare, compareMask      uint64
	late                                  bool // an Atomic Write, which is reported with its fate
}

// storeCode is the opcode of an Atomic Write in the unit.
const storeCode = 0xF

// atomicOutcome is the expected result of an atomic.
type atomicOutcome struct {
	failed           bool
	original, result uint64 // 0 if it failed
}

// pace is the timing of the environment of atomic_unit. Chances are out of 256 per cycle. The latency of a transfer is drawn from
// the range; transfers stay in order.
type pace struct {
	read, write [2]int // cycles from the handshake of AR, or of AW and W, to the response

	idle                  int    // an available request, R or B is not offered
	respond, failed, over int    // not ready
	written               int    // not ready
	ar, aw, w             int    // not ready
	readError, writeError int    // a transfer has the response SLVERR or DECERR
	response              uint64 // which of the two; 0: either
	outsider              int    // another agent changes a word that no atomic uses
}

// transfer is a transfer in progress in memory.
type transfer struct {
	word, data uint64
	octets     []uint64 // of the whole beat
	due, resp  uint64
	request    int // that needs the word
}

// atomicBench drives atomic_unit and an AXI4 memory cycle by cycle. The memory changes as late as allowed, at the response to
// a write, and is read as early as allowed, when the address is accepted.
type atomicBench struct {
	t      testing.TB
	c      engine.Config
	sim    *sim.Sim
	in     map[string]sim.Input
	out    map[string]sim.Signal
	rand   *rand.Rand
	pace   pace
	memory map[uint64]uint64

	// Different requests use the words of one beat. A read then does not reveal its request, so there are no read errors and
	// no outsiders.
	shared bool

	todo     []atomicRequest
	requests []atomicRequest       // accepted
	of       map[uint64][]int      // by word: the requests on it
	writes   map[uint64][]covering // by word: its writes in order
	overs    map[uint64]int        // by word: its retired requests
	reads    map[int]transfer      // by request: its word as delivered
	known    map[uint64]atomicWord // by word: its value as seen by the atomics
	outcomes []atomicOutcome

	ar, b              []transfer // in flight
	reading, writing   map[uint64]int
	aws                []uint64
	ws                 []transfer
	hold               map[string]bool // ready ports held at 0
	held               map[string][]uint64
	offered            map[string]bool
	responses, retired int
	over               int          // retired requests
	next               [2]int       // the request of the next report on over, and on written
	posted             int          // writes with address and data accepted
	refusals           []refusal    // of retired requests
	reported           map[int]bool // possible numbers of reported ones; some need not be reported
	failures           int          // reports

	// Cycles of handshakes since the reset; readOffered: cycles in which AR is first offered.
	cycle                                                          uint64
	requestAt, responseAt, responseOffered, arrivedAt, readOffered []uint64
}

type atomicWord struct {
	failed bool
	word   uint64
}

// covering is a write of a word: it covers the first requests on the word, from least to most of them. The number is ambiguous if an
// atomic leaves the same value as an earlier one.
type covering struct {
	least, most int
	done        bool // response received
	refused     bool
}

// refusal is a request that may, or must, be reported as failed.
type refusal struct {
	stream uint64
	must   bool
}

func openAtomicUnit(t testing.TB, c engine.Config, p pace) *atomicBench {
	d, err := hdl.Compile(atomic.AtomicUnit(c))
	require.NoError(t, err)
	s, err := sim.New(d, sim.RandomInit(7))
	require.NoError(t, err)
	b := &atomicBench{t: t, c: c, sim: s, in: map[string]sim.Input{}, out: map[string]sim.Signal{}, rand: random(9), pace: p, memory: map[uint64]uint64{}}
	for _, p := range d.Ports() {
		if p.Out {
			b.out[p.Name], err = s.Signal(p.Name)
		} else {
			b.in[p.Name], err = s.Input(p.Name)
		}
		require.NoError(t, err)
	}
	b.reset()
	return b
}

// reset discards all state except the memory.
func (b *atomicBench) reset() {
	for _, valid := range []string{"req_valid", "m_axi_rvalid", "m_axi_bvalid"} {
		b.in[valid].Set(0)
	}
	b.sim.Reset(1)
	*b = atomicBench{t: b.t, c: b.c, sim: b.sim, in: b.in, out: b.out, rand: b.rand, pace: b.pace, memory: b.memory, shared: b.shared,
		of: map[uint64][]int{}, writes: map[uint64][]covering{}, overs: map[uint64]int{}, reported: map[int]bool{0: true}, reads: map[int]transfer{}, known: map[uint64]atomicWord{},
		reading: map[uint64]int{}, writing: map[uint64]int{}, held: map[string][]uint64{}, offered: map[string]bool{}}
}

// load returns a word of memory; a word never written has a value derived from its address.
func (b *atomicBench) load(word uint64) uint64 {
	if v, is := b.memory[word]; is {
		return v
	}
	return (word + 1) * 0x9E3779B97F4A7C15
}

func (b *atomicBench) chance(of int) bool { return b.rand.IntN(256) < of }

// offer decides whether an input stream is valid in this cycle; once valid, it stays so until accepted.
func (b *atomicBench) offer(valid string, can bool) bool {
	b.offered[valid] = b.offered[valid] || can && !b.chance(b.pace.idle)
	b.set(valid, b.offered[valid])
	return b.offered[valid]
}

func (b *atomicBench) set(name string, on bool) {
	v := uint64(0)
	if on {
		v = 1
	}
	b.in[name].Set(v)
}

func (b *atomicBench) get(name string) uint64 { return b.out[name].Get() }

// passes reports whether a beat of an output stream is transferred. A beat that is not accepted must stay.
func (b *atomicBench) passes(valid, ready string, fields ...string) bool {
	var data []uint64
	for _, f := range fields {
		words := make([]uint64, (b.out[f].Width+63)/64)
		b.out[f].GetWords(words)
		data = append(data, words...)
	}
	is := b.get(valid) == 1
	if held := b.held[valid]; held != nil && (!is || !slices.Equal(held, data)) {
		require.True(b.t, is, "%s fell in cycle %d", valid, b.cycle)
		require.Equal(b.t, held, data, "the beat of %s changed in cycle %d", valid, b.cycle)
	}
	delete(b.held, valid)
	taken := b.in[ready].Get() == 1
	if is && !taken {
		b.held[valid] = data
	}
	return is && taken
}

// clock runs one cycle: it drives the inputs, settles the logic, checks and accepts the outputs, and applies the clock edge.
func (b *atomicBench) clock() {
	beat := uint64(b.c.BusBytes / 8) // words
	if b.offer("req_valid", len(b.todo) > 0) {
		r := b.todo[0]
		for name, v := range map[string]uint64{"stream": r.stream, "number": r.number, "atomic_msn": r.atomicMsn, "identifier": r.identifier,
			"address": 8 * r.word, "set": setOf(r.word, b.c.AtomicDepth), "opcode": uint64(r.opcode), "data": r.data, "mask": r.mask, "compare": r.compare, "compare_mask": r.compareMask} {
			b.in["req_"+name].Set(v)
		}
		if late, is := b.in["req_late"]; is {
			late.Set(uint64(bitOf(r.late)))
		}
	}
	if b.offer("m_axi_rvalid", len(b.ar) > 0 && b.ar[0].due <= b.cycle) {
		b.in["m_axi_rdata"].SetWords(b.ar[0].octets)
		b.in["m_axi_rresp"].Set(b.ar[0].resp)
		b.in["m_axi_rlast"].Set(1)
		b.in["m_axi_rid"].Set(1)
	}
	if b.offer("m_axi_bvalid", len(b.b) > 0 && b.b[0].due <= b.cycle) {
		b.in["m_axi_bresp"].Set(b.b[0].resp)
		b.in["m_axi_bid"].Set(1)
	}
	for ready, not := range map[string]int{"response_ready": b.pace.respond, "failed_ready": b.pace.failed, "over_ready": b.pace.over, "written_ready": b.pace.written,
		"m_axi_arready": b.pace.ar, "m_axi_awready": b.pace.aw, "m_axi_wready": b.pace.w} {
		if _, is := b.in[ready]; is {
			b.set(ready, !b.chance(not) && !b.hold[ready])
		}
	}
	b.sim.Eval()
	b.watchRequests()
	b.watchReads(beat)
	b.watchWrites(beat)
	b.watchResponses()
	b.watchOvers()
	b.meddle()
	b.sim.Step()
	b.cycle++
}

func (b *atomicBench) watchRequests() {
	if b.offered["req_valid"] && b.get("req_ready") == 1 {
		r := b.todo[0]
		b.of[r.word] = append(b.of[r.word], len(b.requests))
		b.requests, b.todo = append(b.requests, r), b.todo[1:]
		b.requestAt = append(b.requestAt, b.cycle)
		b.offered["req_valid"] = false
	}
}

// burst checks an address: one beat as wide as the bus, with the correct ID.
func (b *atomicBench) burst(channel string) (address uint64) {
	b.t.Helper()
	address = b.get("m_axi_" + channel + "addr")
	require.Zero(b.t, address%uint64(b.c.BusBytes), "%saddr", channel)
	require.EqualValues(b.t, 1, b.get("m_axi_"+channel+"id"))
	require.EqualValues(b.t, 0, b.get("m_axi_"+channel+"len"))
	require.EqualValues(b.t, b.c.BusBytes, 1<<b.get("m_axi_"+channel+"size"))
	require.EqualValues(b.t, 1, b.get("m_axi_"+channel+"burst"))
	return address
}

// due returns the cycle of the response to a transfer that starts now, after those before it.
func (b *atomicBench) due(latency [2]int, before []transfer) uint64 {
	due := b.cycle + uint64(latency[0]+b.rand.IntN(latency[1]-latency[0]+1))
	if n := len(before); n > 0 {
		due = max(due, before[n-1].due)
	}
	return due
}

func (b *atomicBench) resp(chance int) uint64 {
	if b.chance(chance) {
		if b.pace.response != 0 {
			return b.pace.response
		}
		return 2 + b.rand.Uint64N(2)
	}
	return 0
}

// watchReads serves the reads.
func (b *atomicBench) watchReads(beat uint64) {
	if b.get("m_axi_arvalid") == 1 && b.held["m_axi_arvalid"] == nil {
		b.readOffered = append(b.readOffered, b.cycle)
	}
	if b.offered["m_axi_rvalid"] && b.get("m_axi_rready") == 1 {
		r := b.ar[0]
		b.ar, b.offered["m_axi_rvalid"] = b.ar[1:], false
		b.arrivedAt = append(b.arrivedAt, b.cycle)
		if !b.shared {
			b.reading[r.word]--
			b.reads[r.request] = r
		}
	}
	if !b.passes("m_axi_arvalid", "m_axi_arready", "m_axi_araddr") {
		return
	}
	first := b.burst("ar") / 8
	r := transfer{due: b.due(b.pace.read, b.ar), resp: b.resp(b.pace.readError)}
	for word := first; word < first+beat; word++ {
		r.octets = append(r.octets, b.load(word))
	}
	if !b.shared {
		r.request = b.wanting(first, beat)
		r.word = b.requests[r.request].word
		r.data = r.octets[r.word-first]
		b.reading[r.word]++
	}
	b.ar = append(b.ar, r)
}

// wanting returns the request that needs a word of a beat: the next one to execute on the word. All earlier ones are in memory, so no
// write of the word can be in flight.
func (b *atomicBench) wanting(first, beat uint64) int {
	for word := first; word < first+beat; word++ {
		list := b.of[word]
		n, _ := slices.BinarySearch(list, b.retired)
		if n < len(list) && b.inMemory(word) >= n {
			_, twice := b.reads[list[n]]
			require.False(b.t, twice || b.reading[word] > 0, "word %x is read twice for request %d", word, list[n])
			require.Zero(b.t, b.writing[word], "a read of word %x passes a write of it", word)
			return list[n]
		}
	}
	require.Fail(b.t, "no request needs this read", "address %x, cycle %d", 8*first, b.cycle)
	return 0
}

// inMemory returns the maximum number of requests on a word whose results are in memory.
func (b *atomicBench) inMemory(word uint64) (n int) {
	for _, w := range b.writes[word] {
		if w.done {
			n = w.most
		}
	}
	return n
}

// cover determines the requests on a word that a write covers: it writes the result of the last of them, and covers at least one more
// than the previous write.
func (b *atomicBench) cover(word uint64, failed bool, data uint64) (c covering) {
	before := 0
	if list := b.writes[word]; len(list) > 0 {
		before = list[len(list)-1].least
	}
	for i, n := range b.of[word] {
		if n >= b.retired {
			break
		}
		if o := b.outcome(n); i >= before && o.failed == failed && o.result == data {
			if c.least == 0 {
				c.least = i + 1
			}
			c.most = i + 1
		}
	}
	return c
}

// watchWrites serves the writes.
func (b *atomicBench) watchWrites(beat uint64) {
	if b.offered["m_axi_bvalid"] && b.get("m_axi_bready") == 1 {
		w := b.b[0]
		b.b, b.offered["m_axi_bvalid"] = b.b[1:], false
		b.writing[w.word]--
		c := &b.writes[w.word][w.request]
		c.done, c.refused = true, w.resp != 0
		if w.octets != nil {
			b.memory[w.word] = w.data
		}
	}
	if b.passes("m_axi_awvalid", "m_axi_awready", "m_axi_awaddr") {
		b.aws = append(b.aws, b.burst("aw")/8)
	}
	if b.passes("m_axi_wvalid", "m_axi_wready", "m_axi_wdata", "m_axi_wstrb") {
		require.EqualValues(b.t, 1, b.get("m_axi_wlast"))
		data, strobe := make([]uint64, beat), b.get("m_axi_wstrb")
		if b.c.BusBytes == 128 {
			both := make([]uint64, 2)
			b.out["m_axi_wstrb"].GetWords(both)
			strobe = squeeze(both[0]) | squeeze(both[1])<<8
		} else {
			strobe = squeeze(strobe)
		}
		b.out["m_axi_wdata"].GetWords(data)
		w := transfer{}
		for lane := range beat {
			if strobe == 1<<lane {
				w.word, w.data, w.octets = lane, data[lane], data
			}
		}
		require.True(b.t, strobe == 0 || w.octets != nil, "the strobe is for more than one word: %b", strobe)
		b.ws = append(b.ws, w)
	}
	for len(b.aws) > 0 && len(b.ws) > 0 {
		first, w := b.aws[0], b.ws[0]
		word, failed := first+w.word, w.octets == nil
		for failed && len(b.of[word]) == 0 && word < first+beat-1 { // the beat does not reveal the word
			word++
		}
		c := b.cover(word, failed, w.data)
		require.NotZero(b.t, c.least, "write %d of word %x: no executed atomic missing in memory left %x, failed: %v", b.posted, word, w.data, failed)
		w.word, w.request, w.due, w.resp = word, len(b.writes[word]), b.due(b.pace.write, b.b), b.resp(b.pace.writeError)
		b.writes[word], b.b = append(b.writes[word], c), append(b.b, w)
		b.aws, b.ws, b.posted = b.aws[1:], b.ws[1:], b.posted+1
		b.writing[word]++
	}
}

// watchOvers checks the reports of retired atomics: each has its response, and a write that covers it is in memory.
func (b *atomicBench) watchOvers() {
	if b.passes("failed_valid", "failed_ready", "failed_stream", "failed_fault") {
		require.EqualValues(b.t, engine.FaultLocal, b.get("failed_fault"))
		next := map[int]bool{}
		for at := range b.reported {
			for i, r := range b.refusals[at:] {
				if r.stream == b.get("failed_stream") {
					next[at+i+1] = true
				}
				if r.must {
					break
				}
			}
		}
		require.NotEmpty(b.t, next, "a failure of stream %d, expected one of %v", b.get("failed_stream"), b.refusals[slices.Min(slices.Collect(maps.Keys(b.reported))):])
		b.reported = next
		b.failures++
	}
	if b.passes("over_valid", "over_ready", "over_stream") {
		n, may, must := b.isOver(0)
		require.Equal(b.t, b.requests[n].stream, b.get("over_stream"))
		if may {
			b.refusals = append(b.refusals, refusal{b.requests[n].stream, must})
		}
	}
	if _, is := b.out["written_valid"]; is && b.passes("written_valid", "written_ready", "written_refused") {
		n, may, must := b.isOver(1)
		refused := b.get("written_refused") == 1
		require.True(b.t, refused && may || !refused && !must, "request %d, refused: %v", n, refused)
	}
}

// isOver takes the next request that is reported on over, if late is 0, or on written: memory may, or must, have refused a write that covers it.
func (b *atomicBench) isOver(late int) (n int, may, must bool) {
	n = b.next[late]
	for n < len(b.requests) && b.requests[n].late != (late == 1) {
		n++
	}
	b.next[late] = n + 1
	require.Less(b.t, n, b.responses, "an atomic retired before its response was accepted")
	word := b.requests[n].word
	place := slices.Index(b.of[word], n) + 1
	require.GreaterOrEqual(b.t, b.inMemory(word), place, "request %d retired before it was in memory", n)
	must = true
	for _, w := range b.writes[word] {
		if w.done && w.most >= place { // may be the first write that covers it
			may, must = may || w.refused, must && w.refused
			if w.least >= place {
				break
			}
		}
	}
	b.over++
	b.overs[word]++
	return n, may, must
}

// squeeze reduces the eight identical strobes of each word to one bit.
func squeeze(strobe uint64) (words uint64) {
	for lane := range 8 {
		switch strobe >> (8 * lane) & 0xFF {
		case 0:
		case 0xFF:
			words |= 1 << lane
		default:
			return ^uint64(0)
		}
	}
	return words
}

// outcome computes the result of request n, after those of the requests before it.
func (b *atomicBench) outcome(n int) atomicOutcome {
	for k := len(b.outcomes); k <= n; k++ {
		if k >= len(b.requests) {
			require.Fail(b.t, "no such request", "%d requests, expected %d", len(b.requests), k+1)
		}
		r := b.requests[k]
		if read, is := b.reads[k]; is {
			b.known[r.word] = atomicWord{read.resp != 0, read.data}
		}
		now, is := b.known[r.word]
		if !is {
			require.True(b.t, b.shared, "request %d executed, but its word was never read", k)
			now.word = b.load(r.word)
		}
		o := atomicOutcome{failed: now.failed}
		if !now.failed {
			o.original = now.word
			o.result = now.word
			if r.late {
				o.result = r.data
			} else if r.opcode != wire.Swap || draft00(b.c) {
				o.result = model.Execute(r.opcode, now.word, r.data, r.mask, r.compare, r.compareMask)
			}
			b.known[r.word] = atomicWord{word: o.result}
		}
		b.outcomes = append(b.outcomes, o)
	}
	return b.outcomes[n]
}

func (b *atomicBench) watchResponses() {
	if !b.c.RetirePort {
		b.retired = len(b.responseOffered)
		if b.get("response_valid") == 1 && b.held["response_valid"] == nil {
			b.retired++
		}
	} else if b.get("retire_valid") == 1 {
		n := b.retired
		want, r := b.outcome(n), b.requests[n]
		failed := uint64(0)
		if want.failed {
			failed = 1
		}
		require.Equal(b.t, []uint64{r.stream, uint64(r.opcode), 8 * r.word, want.original, want.result, failed}, []uint64{b.get("retire_stream"),
			b.get("retire_opcode"), b.get("retire_address"), b.get("retire_original"), b.get("retire_result"), b.get("retire_failed")}, "retirement %d", n)
		b.retired++
	}
	if b.get("response_valid") == 1 && b.held["response_valid"] == nil {
		b.responseOffered = append(b.responseOffered, b.cycle)
		require.LessOrEqual(b.t, len(b.responseOffered), b.retired+1, "an atomic is reported one cycle after its response is offered")
	}
	if b.passes("response_valid", "response_ready", "response_stream", "response_number", "response_atomic_msn", "response_identifier", "response_original", "response_failed") {
		n := b.responses
		want, r := b.outcome(n), b.requests[n]
		require.Equal(b.t, []uint64{r.stream, r.number, r.atomicMsn, r.identifier, want.original}, []uint64{b.get("response_stream"), b.get("response_number"),
			b.get("response_atomic_msn"), b.get("response_identifier"), b.get("response_original")}, "response %d to %+v", n, r)
		require.Equal(b.t, want.failed, b.get("response_failed") == 1, "response %d", n)
		b.responses++
		b.responseAt = append(b.responseAt, b.cycle)
	}
}

// meddle changes a word whose atomics have all retired; the next one must see the change.
func (b *atomicBench) meddle() {
	if !b.chance(b.pace.outsider) || len(b.requests) == 0 {
		return
	}
	word := b.requests[b.rand.IntN(len(b.requests))].word
	if b.overs[word] == len(b.of[word]) {
		b.memory[word] = b.rand.Uint64()
	}
}

// idle reports whether all requests are done.
func (b *atomicBench) idle() bool {
	for at := range b.reported {
		if !slices.ContainsFunc(b.refusals[at:], func(r refusal) bool { return r.must }) {
			return len(b.todo) == 0 && b.responses == len(b.requests) && b.over == len(b.requests)
		}
	}
	return false
}

// run runs until all requests have responses and are in memory.
func (b *atomicBench) run(requests ...atomicRequest) {
	b.t.Helper()
	b.todo = append(b.todo, requests...)
	for done, since := 0, b.cycle; !b.idle(); b.clock() {
		if now := len(b.requests) + b.responses + b.over + b.failures; now != done {
			done, since = now, b.cycle
		}
		if b.cycle-since >= 3000 {
			require.Fail(b.t, "the unit is stuck", "%d of %d requests have responses, %d retired", b.responses, len(b.requests), b.over)
		}
	}
	require.Equal(b.t, len(b.requests), b.retired)
	for word, list := range b.of {
		require.GreaterOrEqual(b.t, b.inMemory(word), len(list), "word %x", word)
	}
}
