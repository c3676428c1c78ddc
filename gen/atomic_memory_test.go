package gen_test

import (
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
}

// atomicOutcome is what an atomic must do.
type atomicOutcome struct {
	failed           bool
	original, result uint64 // 0 when it failed
}

// pace is how fast the world around atomic_unit is. Chances are of 256 in each clock; a latency is drawn between the
// two numbers for each transfer, and transfers keep their order.
type pace struct {
	read, write [2]int // clocks from the handshake of AR, of AW and W, to the response

	idle                      int    // no request, R or B is offered that could be
	answer, failed, ar, aw, w int    // not ready
	readError, writeError     int    // of a transfer: response SLVERR or DECERR
	response                  uint64 // which of the two; 0: either
	outsider                  int    // somebody else changes a word that no atomic uses
}

// transfer is one that the memory works on.
type transfer struct {
	word, data uint64
	octets     []uint64 // of the whole beat
	due, resp  uint64
	request    int // that wants it
}

// atomicBench is atomic_unit with a memory of AXI4 beside it, clock by clock. The memory changes as late as it may, at
// the response to a write, and is read as early as it may, when the address is taken.
type atomicBench struct {
	t      testing.TB
	c      engine.Config
	sim    *sim.Sim
	in     map[string]sim.Input
	out    map[string]sim.Signal
	rand   *rand.Rand
	pace   pace
	memory map[uint64]uint64

	// The words of one beat are used by different requests. Which of them a read is for cannot be seen then: there are
	// no read errors and no outsiders.
	shared bool

	todo     []atomicRequest
	requests []atomicRequest       // that were taken
	of       map[uint64][]int      // by word: the requests on it
	finished map[uint64]int        // by word: its requests whose write has its response
	reads    map[int]transfer      // by request: its word as it was delivered
	known    map[uint64]atomicWord // by word: what the atomics see
	outcomes []atomicOutcome

	ar, b            []transfer // under way
	reading, writing map[uint64]int
	aws              []uint64
	ws               []transfer
	hold             map[string]bool // ready ports that are kept at 0
	held             map[string][]uint64
	offered          map[string]bool
	answers, retired int
	written          uint64
	posted           int
	refused          []uint64 // streams whose failure is not reported yet

	// Clocks of handshakes since the reset; of readOffered those in which AR is offered first.
	cycle                                                      uint64
	requestAt, answerAt, answerOffered, arrivedAt, readOffered []uint64
}

type atomicWord struct {
	failed bool
	word   uint64
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

// reset forgets everything but the memory.
func (b *atomicBench) reset() {
	for _, valid := range []string{"req_valid", "m_axi_rvalid", "m_axi_bvalid"} {
		b.in[valid].Set(0)
	}
	b.sim.Reset(1)
	*b = atomicBench{t: b.t, c: b.c, sim: b.sim, in: b.in, out: b.out, rand: b.rand, pace: b.pace, memory: b.memory, shared: b.shared,
		of: map[uint64][]int{}, finished: map[uint64]int{}, reads: map[int]transfer{}, known: map[uint64]atomicWord{},
		reading: map[uint64]int{}, writing: map[uint64]int{}, held: map[string][]uint64{}, offered: map[string]bool{}}
}

// load is a word of memory; one that was never written is a number that its address gives.
func (b *atomicBench) load(word uint64) uint64 {
	if v, is := b.memory[word]; is {
		return v
	}
	return (word + 1) * 0x9E3779B97F4A7C15
}

func (b *atomicBench) chance(of int) bool { return b.rand.IntN(256) < of }

// offer says whether an input stream is valid in this clock; once it is, it stays until it is taken.
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

// passes is true when a beat of an output stream is handed over. An offer that is not taken must stay.
func (b *atomicBench) passes(valid, ready string, fields ...string) bool {
	var data []uint64
	for _, f := range fields {
		words := make([]uint64, (b.out[f].Width+63)/64)
		b.out[f].GetWords(words)
		data = append(data, words...)
	}
	is := b.get(valid) == 1
	if held := b.held[valid]; held != nil && (!is || !slices.Equal(held, data)) {
		require.True(b.t, is, "%s fell in clock %d", valid, b.cycle)
		require.Equal(b.t, held, data, "the offer of %s changed in clock %d", valid, b.cycle)
	}
	delete(b.held, valid)
	taken := b.in[ready].Get() == 1
	if is && !taken {
		b.held[valid] = data
	}
	return is && taken
}

// clock drives the inputs, lets the logic settle, checks and takes what the unit offers, and lets the clock rise.
func (b *atomicBench) clock() {
	beat := uint64(b.c.BusBytes / 8) // words
	if b.offer("req_valid", len(b.todo) > 0) {
		r := b.todo[0]
		for name, v := range map[string]uint64{"stream": r.stream, "number": r.number, "atomic_msn": r.atomicMsn, "identifier": r.identifier,
			"address": 8 * r.word, "opcode": uint64(r.opcode), "data": r.data, "mask": r.mask, "compare": r.compare, "compare_mask": r.compareMask} {
			b.in["req_"+name].Set(v)
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
	for ready, not := range map[string]int{"response_ready": b.pace.answer, "failed_ready": b.pace.failed,
		"m_axi_arready": b.pace.ar, "m_axi_awready": b.pace.aw, "m_axi_wready": b.pace.w} {
		b.set(ready, !b.chance(not) && !b.hold[ready])
	}
	b.sim.Eval()
	b.watchRequests()
	b.watchReads(beat)
	b.watchWrites(beat)
	b.watchAnswers()
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

// burst checks an address: one beat as wide as the bus, of the right identifier.
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

// due is when the response to a transfer comes that starts now, behind those before it.
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

// wanting is the request that wants a word of a beat: the oldest one on the word whose write has no response yet. So no
// write of the word can be under way.
func (b *atomicBench) wanting(first, beat uint64) int {
	for word := first; word < first+beat; word++ {
		if n := b.finished[word]; n < len(b.of[word]) {
			request := b.of[word][n]
			_, twice := b.reads[request]
			require.False(b.t, twice || b.reading[word] > 0, "word %x is read twice for request %d", word, request)
			require.Zero(b.t, b.writing[word], "a read of word %x passes a write of it", word)
			return request
		}
	}
	require.Fail(b.t, "nobody wants what is read", "address %x, clock %d", 8*first, b.cycle)
	return 0
}

// watchWrites serves the writes: the n-th one is that of the n-th request.
func (b *atomicBench) watchWrites(beat uint64) {
	if want := b.written & (1<<b.out["written"].Width - 1); b.get("written") != want {
		require.Equal(b.t, want, b.get("written"), "written in clock %d", b.cycle)
	}
	if b.offered["m_axi_bvalid"] && b.get("m_axi_bready") == 1 {
		w := b.b[0]
		b.b, b.offered["m_axi_bvalid"] = b.b[1:], false
		b.writing[w.word]--
		b.finished[w.word]++
		b.written++
		if !b.outcomes[w.request].failed {
			b.memory[w.word] = w.data
		}
		if w.resp != 0 {
			b.refused = append(b.refused, b.requests[w.request].stream)
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
		w := transfer{word: ^uint64(0)} // none
		for lane := range beat {
			if strobe == 1<<lane {
				w.word, w.data = lane, data[lane]
			}
		}
		require.True(b.t, strobe == 0 || w.word != ^uint64(0), "the strobe is for more than one word: %b", strobe)
		b.ws = append(b.ws, w)
	}
	for len(b.aws) > 0 && len(b.ws) > 0 {
		n, w := b.posted, b.ws[0]
		want, word := b.outcome(n), b.requests[n].word
		require.Equal(b.t, word/beat*beat, b.aws[0], "address of write %d", n)
		if want.failed {
			require.Equal(b.t, ^uint64(0), w.word, "write %d of a failed atomic has a strobe", n)
		} else {
			require.Equal(b.t, word%beat, w.word, "lane of write %d", n)
			require.Equal(b.t, want.result, w.data, "data of write %d", n)
		}
		b.b = append(b.b, transfer{word: word, data: want.result, due: b.due(b.pace.write, b.b), resp: b.resp(b.pace.writeError), request: n})
		b.aws, b.ws, b.posted = b.aws[1:], b.ws[1:], n+1
		b.writing[word]++
	}
}

// squeeze makes one bit of each octet's eight strobes, which are all the same.
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

// outcome computes what request n does, after those before it.
func (b *atomicBench) outcome(n int) atomicOutcome {
	for k := len(b.outcomes); k <= n; k++ {
		if k >= len(b.requests) {
			require.Fail(b.t, "no such request", "there are %d, not %d", len(b.requests), k+1)
		}
		r := b.requests[k]
		if read, is := b.reads[k]; is {
			b.known[r.word] = atomicWord{read.resp != 0, read.data}
		}
		now, is := b.known[r.word]
		if !is {
			require.True(b.t, b.shared, "request %d is executed and its word was never read", k)
			now.word = b.load(r.word)
		}
		o := atomicOutcome{failed: now.failed}
		if !now.failed {
			o.original = now.word
			o.result = now.word
			if r.opcode != wire.Swap || draft00(b.c) {
				o.result = model.Execute(r.opcode, now.word, r.data, r.mask, r.compare, r.compareMask)
			}
			b.known[r.word] = atomicWord{word: o.result}
		}
		b.outcomes = append(b.outcomes, o)
	}
	return b.outcomes[n]
}

func (b *atomicBench) watchAnswers() {
	if !b.c.RetirePort {
		b.retired = len(b.answerOffered)
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
		b.answerOffered = append(b.answerOffered, b.cycle)
		require.Equal(b.t, len(b.answerOffered), b.retired, "an atomic is reported before its answer is offered")
	}
	if b.posted > b.retired {
		require.LessOrEqual(b.t, b.posted, b.retired, "an atomic is reported before its write leaves")
	}
	if b.passes("response_valid", "response_ready", "response_stream", "response_number", "response_atomic_msn", "response_identifier", "response_original", "response_failed") {
		n := b.answers
		want, r := b.outcome(n), b.requests[n]
		require.Equal(b.t, []uint64{r.stream, r.number, r.atomicMsn, r.identifier, want.original}, []uint64{b.get("response_stream"), b.get("response_number"),
			b.get("response_atomic_msn"), b.get("response_identifier"), b.get("response_original")}, "answer %d to %+v", n, r)
		require.Equal(b.t, want.failed, b.get("response_failed") == 1, "answer %d", n)
		b.answers++
		b.answerAt = append(b.answerAt, b.cycle)
	}
	if b.passes("failed_valid", "failed_ready", "failed_stream", "failed_fault") {
		require.NotEmpty(b.t, b.refused)
		require.Equal(b.t, []uint64{b.refused[0], engine.FaultLocal}, []uint64{b.get("failed_stream"), b.get("failed_fault")})
		b.refused = b.refused[1:]
	}
}

// meddle changes a word that no atomic uses: the next one must see that.
func (b *atomicBench) meddle() {
	if !b.chance(b.pace.outsider) || len(b.requests) == 0 {
		return
	}
	word := b.requests[b.rand.IntN(len(b.requests))].word
	if b.finished[word] == len(b.of[word]) {
		b.memory[word] = b.rand.Uint64()
	}
}

// idle is true when all that was asked is done.
func (b *atomicBench) idle() bool {
	return len(b.todo) == 0 && b.answers == len(b.requests) && int(b.written) == len(b.requests) && len(b.refused) == 0
}

// run works until all requests are answered and in memory.
func (b *atomicBench) run(requests ...atomicRequest) {
	b.t.Helper()
	b.todo = append(b.todo, requests...)
	for done, since := 0, b.cycle; !b.idle(); b.clock() {
		if now := len(b.requests) + b.answers + int(b.written) - len(b.refused); now != done {
			done, since = now, b.cycle
		}
		if b.cycle-since >= 3000 {
			require.Fail(b.t, "the unit stands still", "%d of %d requests are answered", b.answers, len(b.requests))
		}
	}
	require.Equal(b.t, len(b.requests), b.retired)
}
