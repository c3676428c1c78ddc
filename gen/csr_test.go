package gen_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/host"
	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
)

func csrConfig() engine.Config {
	return gen.Config{Top: gen.Top, Profile: "rdmap", Extensions: []string{"draft00"}, BusBytes: 32, Streams: 16, RetirePort: true,
		STags: 64, IRD: 4, ORD: 2, ReceiveDepth: 8, SendDepth: 128, MaxPayload: 512, AtomicDepth: 16}.Engine()
}

// The register offsets that hosts rely on, transcribed by hand.
const (
	rScratch, rStatus                                                       = 0x008, 0x00C
	rIndex, rAccess, rOwner                                                 = 0x040, 0x044, 0x048
	rBaseLow, rBaseHigh, rLengthLow, rLengthHigh, rAddressLow, rAddressHigh = 0x050, 0x054, 0x058, 0x05C, 0x060, 0x064
	rSTagCommand                                                            = 0x068
	rStream, rDomain, rStreamCommand, rWeight                               = 0x070, 0x074, 0x078, 0x07C
	rCounters, rLost, rLog                                                  = 0x080, 0x0C0, 0x0C4

	okay, slvErr = 0, 2
)

// csrFixed are the constant registers of this configuration, except the version.
var csrFixed = map[int]uint32{0x000: 0x524E4943, 0x010: 32, 0x014: 16, 0x018: 64, 0x01C: 4, 0x020: 2, 0x024: 8, 0x028: 128, 0x02C: 512, 0x030: 1 | 1<<1}

// csrWidths are the widths of the registers that the host can write and read back.
var csrWidths = map[int]int{rScratch: 32, rIndex: 24, rAccess: 14, rOwner: 17, rBaseLow: 32, rBaseHigh: 32, rLengthLow: 32, rLengthHigh: 32,
	rAddressLow: 32, rAddressHigh: 32, rStream: 16, rDomain: 16, rWeight: 4}

var csrCounters = []string{"segments_received", "segments_discarded", "segments_in_error", "messages_sent", "segments_sent", "segments_dropped",
	"completions", "terminates_sent", "terminates_received", "memory_errors", "receives_refused", "invalidations"}

// counterInput returns the name of csr's input for a counter.
func counterInput(register string) string {
	switch register {
	case "terminates_sent":
		return "ended"
	case "terminates_received":
		return "closed"
	}
	return register
}

// csrModel is the reference model of the registers.
type csrModel struct {
	holds      map[int]uint32
	counters   [12]uint32
	log        []uint32
	lost       uint32
	stagBusy   bool
	stagStore  bool
	streamBusy bool
	streamOpen bool
	weighs     bool // the command also sets the weight of the stream
	ready      bool
}

func newCSRModel() *csrModel { return &csrModel{holds: map[int]uint32{}} }

// read returns data and response; reading the log removes an entry.
func (c *csrModel) read(address int) (data, resp uint32) {
	address &^= 3
	fixed, isFixed := csrFixed[address]
	_, isWritten := csrWidths[address]
	switch n := (address - rCounters) / 4; {
	case isFixed:
		return fixed, okay
	case isWritten:
		return c.holds[address], okay
	case address == 0x004:
		var a, b, p uint32
		fmt.Sscanf(strings.ReplaceAll(engine.Version, ".", " "), "%d %d %d", &a, &b, &p)
		return a<<16 | b<<8 | p, okay
	case address == rStatus:
		return uint32(bitOf(c.stagBusy) | bitOf(c.streamBusy)<<1 | bitOf(c.ready)<<2), okay
	case n >= 0 && n < len(c.counters) && address >= rCounters:
		return c.counters[n], okay
	case address == rLost:
		return c.lost, okay
	case address == rLog:
		if len(c.log) > 0 {
			data, c.log = c.log[0], c.log[1:]
		}
		return data, okay
	}
	return 0, slvErr
}

func (c *csrModel) write(w csrWrite) (resp uint32) {
	address, mask := w.Address&^3, uint32(0)
	for i := range 4 {
		if w.Strobes>>i&1 == 1 {
			mask |= 0xFF << (8 * i)
		}
	}
	if width, is := csrWidths[address]; is {
		c.holds[address] = (c.holds[address]&^mask | w.Data&mask) & uint32(1<<width-1)
		return okay
	}
	command := w.Data & mask
	switch {
	case address != rSTagCommand && address != rStreamCommand:
		return slvErr
	case command == 0:
		return okay
	case command > 3 || command == 3 && address == rSTagCommand:
		return slvErr
	case address == rSTagCommand && c.holds[rIndex] < 64:
		c.stagBusy, c.stagStore = true, command == 1
		return okay
	case address == rStreamCommand && c.holds[rStream] < 16:
		c.streamBusy, c.streamOpen, c.weighs = true, command == 1, command == 3
		return okay
	}
	return slvErr
}

// describes reports whether a write to the address waits for the command in progress.
func (c *csrModel) describes(address int) bool {
	return c.stagBusy && address >= rIndex && address < rSTagCommand+4 && address != rOwner+4 || c.streamBusy && address >= rStream && address < rWeight+4
}

// event is a Terminate, or another kind of event.
func (c *csrModel) event(e csrEvent) {
	if e.Kind != engine.EventEnded && e.Kind != engine.EventClosed {
		return
	}
	if len(c.log) == 16 {
		c.log, c.lost = c.log[1:], c.lost+1
	}
	c.log = append(c.log, 1<<31|uint32(bitOf(e.Kind == engine.EventClosed))<<30|e.Stream<<16|e.Layer<<12|e.EType<<8|e.Code)
}

type csrEvent struct{ Kind, Stream, Layer, EType, Code uint32 }

type csrWrite struct {
	Address int
	Data    uint32
	Strobes uint32
}

// csrPins are the actions of the environment in one cycle, besides the writes and reads that it offers.
type csrPins struct {
	offerAW, offerW, offerAR            bool // start offering a waiting transfer
	takeB, takeR, takeSTag, takeOpening bool
	event                               *csrEvent
	pulses                              uint32
	ready                               bool
}

// eager offers and accepts everything.
func eager() csrPins {
	return csrPins{offerAW: true, offerW: true, offerAR: true, takeB: true, takeR: true, takeSTag: true, takeOpening: true}
}

// csrBench drives the registers cycle by cycle and compares them with the model. addresses, data and reads hold transfers not offered
// yet.
type csrBench struct {
	*clocked
	model     *csrModel
	addresses []int
	data      []csrWrite
	reads     []int
	asked     []int // the read accepted in the previous cycle

	onAW, onW, onAR bool              // offered: stays until accepted
	held            map[string]string // by channel: a beat of the block not accepted yet
	takenAW         []int             // accepted, not in effect yet
	takenW          []csrWrite
	dueB            []uint32    // responses due
	dueR            [][2]uint32 // data and responses due

	resps   []uint32    // responses to writes, in order
	gave    [][2]uint32 // data and response of reads
	stags   []uint64    // index << 1 | valid of rows set
	opens   []uint64    // stream << 1 | open
	weights []uint64    // stream << 4 | weight
	clock   int
	last    map[string]int // cycle of a channel's last handshake
}

func openCSR(t testing.TB) *csrBench {
	return &csrBench{clocked: openClocked(t, host.CSR(csrConfig())), model: newCSRModel(), held: map[string]string{}, last: map[string]int{}}
}

// reset resets the block and drops everything in progress.
func (b *csrBench) reset() {
	for _, valid := range []string{"s_axil_awvalid", "s_axil_wvalid", "s_axil_arvalid", "event_valid"} {
		b.set(valid, 0)
	}
	b.sim.Reset(1)
	*b = csrBench{clocked: b.clocked, model: newCSRModel(), held: map[string]string{}, last: map[string]int{}}
}

func (b *csrBench) put(writes ...csrWrite) {
	for _, w := range writes {
		b.addresses, b.data = append(b.addresses, w.Address), append(b.data, w)
	}
}

func word(address int, data uint32) csrWrite { return csrWrite{address, data, 15} }

// idle reports whether nothing is in progress.
func (b *csrBench) idle() bool {
	return len(b.addresses)+len(b.data)+len(b.reads)+len(b.asked)+len(b.takenAW)+len(b.takenW)+len(b.dueB)+len(b.dueR) == 0 && !b.model.stagBusy && !b.model.streamBusy
}

// settle offers and accepts everything until the block is idle.
func (b *csrBench) settle() {
	b.t.Helper()
	for range 5000 {
		if b.idle() {
			return
		}
		b.step(eager())
	}
	require.True(b.t, b.idle(), "the block never becomes idle")
}

// handshake reports whether a beat is transferred, and checks that the block keeps a beat unchanged until it is accepted.
func (b *csrBench) handshake(channel, valid, ready string, fields ...string) (passes bool) {
	b.t.Helper()
	offered := b.get(valid) == 1
	text := ""
	for _, f := range fields {
		text += fmt.Sprintf("%s %x ", f, b.getBig(f))
	}
	if was, is := b.held[channel]; is && fields != nil {
		require.True(b.t, offered, "cycle %d: %s: valid fell before ready", b.clock, channel)
		require.Equal(b.t, was, text, "cycle %d: %s: the beat changed before ready", b.clock, channel)
	}
	delete(b.held, channel)
	if passes = offered && b.get(ready) == 1; offered && !passes {
		b.held[channel] = text
	}
	if passes {
		b.last[channel] = b.clock
	}
	return passes
}

// step runs one cycle and compares all outputs.
func (b *csrBench) step(p csrPins) {
	b.t.Helper()
	m := b.model
	b.onAW = len(b.addresses) > 0 && (b.onAW || p.offerAW)
	b.onW = len(b.data) > 0 && (b.onW || p.offerW)
	b.onAR = len(b.reads) > 0 && (b.onAR || p.offerAR)
	b.set("s_axil_awvalid", bitOf(b.onAW))
	b.set("s_axil_wvalid", bitOf(b.onW))
	b.set("s_axil_arvalid", bitOf(b.onAR))
	if b.onAW {
		b.set("s_axil_awaddr", uint64(b.addresses[0]))
	}
	if b.onW {
		b.set("s_axil_wdata", uint64(b.data[0].Data))
		b.set("s_axil_wstrb", uint64(b.data[0].Strobes))
	}
	if b.onAR {
		b.set("s_axil_araddr", uint64(b.reads[0]))
	}
	b.set("s_axil_bready", bitOf(p.takeB))
	b.set("s_axil_rready", bitOf(p.takeR))
	b.set("stag_ready", bitOf(p.takeSTag))
	b.set("opening_ready", bitOf(p.takeOpening))
	b.set("weight_ready", bitOf(p.takeOpening))
	for i, name := range csrCounters {
		b.set("count_"+counterInput(name), uint64(p.pulses>>i&1))
	}
	m.ready = p.ready
	b.set("ready", bitOf(p.ready))
	b.set("event_valid", bitOf(p.event != nil))
	if p.event != nil {
		b.set("event_kind", uint64(p.event.Kind))
		b.set("event_stream", uint64(p.event.Stream))
		b.set("event_term_layer", uint64(p.event.Layer))
		b.set("event_term_etype", uint64(p.event.EType))
		b.set("event_term_code", uint64(p.event.Code))
	}

	aw := b.handshake("aw", "s_axil_awvalid", "s_axil_awready")
	w := b.handshake("w", "s_axil_wvalid", "s_axil_wready")
	ar := b.handshake("ar", "s_axil_arvalid", "s_axil_arready")
	responded := b.handshake("b", "s_axil_bvalid", "s_axil_bready", "s_axil_bresp")
	given := b.handshake("r", "s_axil_rvalid", "s_axil_rready", "s_axil_rdata", "s_axil_rresp")
	stag, opening := b.commands()
	require.Equal(b.t, uint64(1), b.get("event_ready"))
	require.Equal(b.t, len(b.dueR) > 0, b.get("s_axil_rvalid") == 1, "cycle %d: rvalid", b.clock)
	if responded {
		require.NotEmpty(b.t, b.dueB)
		require.Equal(b.t, b.dueB[0], uint32(b.get("s_axil_bresp")), "cycle %d: response to a write", b.clock)
		b.resps, b.dueB = append(b.resps, b.dueB[0]), b.dueB[1:]
	}
	if given {
		got := [2]uint32{uint32(b.get("s_axil_rdata")), uint32(b.get("s_axil_rresp"))}
		require.Equal(b.t, b.dueR[0], got, "cycle %d: response to a read", b.clock)
		b.gave, b.dueR = append(b.gave, got), b.dueR[1:]
	}
	waiting := b.get("s_axil_bvalid") == 1 && !responded
	busy := m.describes
	before := *m
	b.sim.Step()
	b.clock++

	for _, address := range b.asked {
		data, resp := m.read(address)
		b.dueR = append(b.dueR, [2]uint32{data, resp})
	}
	b.asked = nil
	if ar {
		b.asked, b.reads, b.onAR = b.reads[:1:1], b.reads[1:], false
	}
	if p.event != nil {
		m.event(*p.event)
	}
	for i := range m.counters {
		m.counters[i] += p.pulses >> i & 1
	}
	if began := b.get("s_axil_bvalid") == 1 && !waiting; began {
		require.True(b.t, len(b.takenAW) > 0 && len(b.takenW) > 0, "cycle %d: a response without a write", b.clock)
		require.False(b.t, busy(b.takenAW[0]&^3), "cycle %d: a write to %x did not wait for the command", b.clock, b.takenAW[0])
		write := b.takenW[0]
		write.Address = b.takenAW[0]
		b.dueB = append(b.dueB, m.write(write))
		b.takenAW, b.takenW = b.takenAW[1:], b.takenW[1:]
	}
	m.stagBusy = m.stagBusy && !(before.stagBusy && stag)
	m.streamBusy = m.streamBusy && !(before.streamBusy && opening)
	if aw {
		b.takenAW, b.addresses, b.onAW = append(b.takenAW, b.addresses[0]), b.addresses[1:], false
	}
	if w {
		b.takenW, b.data, b.onW = append(b.takenW, b.data[0]), b.data[1:], false
	}
}

// commands compares the command streams with the registers.
func (b *csrBench) commands() (stag, opening bool) {
	b.t.Helper()
	m := b.model
	stag = b.handshake("stag", "stag_valid", "stag_ready", "stag_index", "stag_entry_valid", "stag_entry_key", "stag_entry_base")
	weight := b.handshake("weight", "weight_valid", "weight_ready", "weight_stream", "weight_weight")
	opening = b.handshake("opening", "opening_valid", "opening_ready", "opening_stream", "opening_open", "opening_domain")
	require.Equal(b.t, m.stagBusy, b.get("stag_valid") == 1, "clock %d", b.clock)
	require.Equal(b.t, m.streamBusy && !m.weighs, b.get("opening_valid") == 1, "clock %d", b.clock)
	require.Equal(b.t, m.streamBusy && m.weighs, b.get("weight_valid") == 1, "clock %d", b.clock)
	want := map[string]uint64{}
	if m.stagBusy {
		access, owner := uint64(m.holds[rAccess]), uint64(m.holds[rOwner])
		wide := func(low, high int) uint64 { return uint64(m.holds[high])<<32 | uint64(m.holds[low]) }
		want = map[string]uint64{"stag_index": uint64(m.holds[rIndex]), "stag_entry_valid": bitOf(m.stagStore), "stag_entry_key": access & 0xFF,
			"stag_entry_rights_local_read": access >> 8 & 1, "stag_entry_rights_local_write": access >> 9 & 1, "stag_entry_rights_remote_read": access >> 10 & 1,
			"stag_entry_rights_remote_write": access >> 11 & 1, "stag_entry_rights_remote_atomic": access >> 12 & 1, "stag_entry_rights_invalidate": access >> 13,
			"stag_entry_by_domain": owner >> 16, "stag_entry_owner": owner & 0xFFFF, "stag_entry_base": wide(rBaseLow, rBaseHigh),
			"stag_entry_length": wide(rLengthLow, rLengthHigh), "stag_entry_address": wide(rAddressLow, rAddressHigh)}
		if stag {
			b.stags = append(b.stags, want["stag_index"]<<1|want["stag_entry_valid"])
		}
	}
	if m.streamBusy && m.weighs {
		want["weight_stream"], want["weight_weight"] = uint64(m.holds[rStream]), uint64(m.holds[rWeight])
		if weight {
			b.weights = append(b.weights, want["weight_stream"]<<4|want["weight_weight"])
		}
	}
	if m.streamBusy && !m.weighs {
		want["opening_stream"], want["opening_open"], want["opening_domain"] = uint64(m.holds[rStream]), bitOf(m.streamOpen), uint64(m.holds[rDomain])
		if opening {
			b.opens = append(b.opens, want["opening_stream"]<<1|want["opening_open"])
		}
	}
	for name, n := range want {
		require.Equal(b.t, n, b.get(name), "clock %d: %s", b.clock, name)
	}
	return stag, opening || weight
}

// randomWrite writes a register, often a command register, or an unused address.
func randomWrite(r *rand.Rand) csrWrite {
	w := csrWrite{Address: r.IntN(0x100), Data: r.Uint32(), Strobes: 15}
	switch r.IntN(8) {
	case 0:
		w.Address = r.IntN(0x1000)
	case 1, 2:
		w.Address, w.Data = []int{rSTagCommand, rStreamCommand}[r.IntN(2)]+r.IntN(4), r.Uint32N(4)
	case 3:
		w.Address, w.Data = []int{rIndex, rStream}[r.IntN(2)], r.Uint32N(80)
	}
	if r.IntN(4) == 0 {
		w.Strobes = r.Uint32N(16)
	}
	return w
}

func randomEvent(r *rand.Rand) *csrEvent {
	return &csrEvent{Kind: r.Uint32N(4), Stream: r.Uint32N(16), Layer: r.Uint32N(16), EType: r.Uint32N(16), Code: r.Uint32N(256)}
}

func TestCSRUnderStalls(t *testing.T) {
	chances := []int{256, 128, 20}
	for _, idle := range chances {
		for _, pressure := range chances {
			t.Run(fmt.Sprintf("of 256 cycles %d offer, %d accept", idle, pressure), func(t *testing.T) {
				b, r := openCSR(t), random(uint64(idle+pressure))
				chance := func(n int) bool { return r.IntN(256) < n }
				stags, opens, lost := 0, 0, uint32(0)
				for range 12 {
					for range 100 {
						b.put(randomWrite(r))
						b.reads = append(b.reads, []int{r.IntN(0xD0), r.IntN(0xD0), rLog, r.IntN(0x1000)}[r.IntN(4)])
					}
					for range 400 {
						p := csrPins{offerAW: chance(idle), offerW: chance(idle), offerAR: chance(idle), takeB: chance(pressure), takeR: chance(pressure),
							takeSTag: chance(pressure / 2), takeOpening: chance(pressure / 2), pulses: r.Uint32(), ready: chance(128)}
						if chance(60) {
							p.event = randomEvent(r)
						}
						b.step(p)
					}
					if r.IntN(2) == 0 {
						b.settle()
					}
					stags, opens, lost = stags+len(b.stags), opens+len(b.opens), lost+b.model.lost
					b.stags, b.opens, b.weights = nil, nil, nil
					if r.IntN(4) == 0 {
						b.reset()
					}
				}
				assert.NotZero(t, stags)
				assert.NotZero(t, opens)
				assert.NotZero(t, lost)
			})
		}
	}
}

// Sets a row and opens a stream step by step, as a host does.
func TestCSRByHand(t *testing.T) {
	b := openCSR(t)
	b.put(word(rIndex, 63), word(rAccess, 0x2A5A), word(rOwner, 1<<16|0xBEEF), word(rBaseLow, 1), word(rBaseHigh, 2), word(rLengthLow, 3),
		word(rLengthHigh, 4), word(rAddressLow, 5), word(rAddressHigh, 6), word(rSTagCommand, 1))
	for range 30 {
		b.step(csrPins{offerAW: true, offerW: true, takeB: true})
	}
	for name, want := range map[string]uint64{"stag_valid": 1, "stag_index": 63, "stag_entry_valid": 1, "stag_entry_key": 0x5A,
		"stag_entry_rights_local_read": 0, "stag_entry_rights_local_write": 1, "stag_entry_rights_remote_read": 0, "stag_entry_rights_remote_write": 1,
		"stag_entry_rights_remote_atomic": 0, "stag_entry_rights_invalidate": 1, "stag_entry_by_domain": 1, "stag_entry_owner": 0xBEEF,
		"stag_entry_base": 2<<32 | 1, "stag_entry_length": 4<<32 | 3, "stag_entry_address": 6<<32 | 5} {
		assert.Equal(t, want, b.get(name), name)
	}
	b.reads = []int{rStatus}
	for range 3 {
		b.step(csrPins{offerAR: true})
	}
	b.settle()
	b.put(word(rSTagCommand, 2), word(rStream, 15), word(rDomain, 0xCAFE), word(rStreamCommand, 1), word(rStreamCommand, 2))
	b.settle()
	b.reads = []int{rStatus}
	b.settle()
	assert.Equal(t, []uint64{63<<1 | 1, 63 << 1}, b.stags)
	assert.Equal(t, []uint64{15<<1 | 1, 15 << 1}, b.opens)
	assert.Equal(t, [][2]uint32{{1, okay}, {0, okay}}, b.gave)
	assert.Equal(t, slices.Repeat([]uint32{okay}, 15), b.resps)
}

// Address long before data, and data long before address.
func TestCSRAddressAndDataInAnyOrder(t *testing.T) {
	b := openCSR(t)
	for i, p := range []csrPins{{offerAW: true, takeB: true}, {offerW: true, takeB: true}} {
		b.put(word(rScratch, uint32(i+7)))
		for range 10 {
			b.step(p)
		}
		assert.Equal(t, 1, len(b.addresses)+len(b.data), "one half is accepted without the other")
		b.settle()
		assert.Equal(t, uint32(i+7), b.model.holds[rScratch])
	}
	assert.Equal(t, []uint32{okay, okay}, b.resps)
}

func TestCSRStrobes(t *testing.T) {
	b := openCSR(t)
	for strobes := range uint32(16) {
		b.put(word(rScratch, 0x11223344), csrWrite{rScratch, 0xAABBCCDD, strobes}, csrWrite{rSTagCommand, 1 | 0x01010100, strobes})
		b.settle()
		b.reads = []int{rScratch}
		b.settle()
	}
	assert.Equal(t, [2]uint32{0x11223344, okay}, b.gave[0])
	assert.Equal(t, [2]uint32{0x112233DD, okay}, b.gave[1])
	assert.Equal(t, [2]uint32{0xAA2233DD, okay}, b.gave[9])
	assert.Equal(t, []uint64{1}, b.stags, "a command is issued by its own octet alone")
}

// Reads and writes every word of the address space and compares it with the register map.
func TestCSREveryAddress(t *testing.T) {
	b := openCSR(t)
	access := map[int]engine.RegisterAccess{}
	for _, r := range rdmap.Registers {
		access[r.Offset] = r.Access
	}
	for address := 0; address < 0x1000; address += 4 {
		b.put(word(address, 0))
		b.reads = append(b.reads, address)
		b.settle()
		a, is := access[address]
		assert.Equal(t, is && a != engine.WriteOnly, b.gave[address/4][1] == okay, "reading %x", address)
		assert.Equal(t, is && (a == engine.ReadWrite || a == engine.WriteOnly), b.resps[address/4] == okay, "writing %x", address)
	}
	assert.Empty(t, b.stags)
	assert.Empty(t, b.opens)
}

// Invalid commands, and commands for nonexistent rows or streams, have no effect.
func TestCSRRefusesCommands(t *testing.T) {
	b := openCSR(t)
	for bit := 6; bit < 24; bit++ {
		b.put(word(rIndex, 1<<bit), word(rSTagCommand, 1), word(rSTagCommand, 0))
		if bit < 18 {
			b.put(word(rStream, 1<<(bit-2)), word(rStreamCommand, 2))
		}
	}
	b.put(word(rIndex, 0), word(rStream, 0))
	for bit := 2; bit < 32; bit++ {
		b.put(word(rSTagCommand, 1<<bit|1), word(rStreamCommand, 1<<bit), word(rSTagCommand, 3))
	}
	b.settle()
	refused := slices.DeleteFunc(slices.Clone(b.resps), func(r uint32) bool { return r == okay })
	assert.Len(t, refused, 18+12+3*30)
	assert.Empty(t, b.stags)
	assert.Empty(t, b.opens)
}

// A command not yet accepted blocks only the writes that would change it; then all writes continue in order.
func TestCSRCommandsWait(t *testing.T) {
	b := openCSR(t)
	busy := eager()
	busy.takeSTag = false
	b.put(word(rIndex, 1), word(rSTagCommand, 1), word(rStream, 3), word(rStreamCommand, 1), word(rScratch, 5))
	for range 20 {
		b.step(busy)
	}
	assert.Len(t, b.resps, 5, "writes to other registers are not blocked")
	assert.Equal(t, []uint64{3<<1 | 1}, b.opens)
	b.put(word(rIndex, 2), word(rSTagCommand, 2), word(rScratch, 6))
	b.reads = []int{rStatus, rIndex}
	for range 20 {
		b.step(busy)
	}
	assert.Len(t, b.resps, 5)
	assert.Equal(t, [][2]uint32{{1, okay}, {1, okay}}, b.gave, "reads continue")
	assert.Zero(t, b.get("s_axil_awready"))
	assert.Zero(t, b.get("s_axil_wready"))
	b.settle()
	assert.Equal(t, []uint64{1<<1 | 1, 2 << 1}, b.stags)
	assert.Equal(t, uint32(6), b.model.holds[rScratch])
}

// Command 3 sets the weight of a stream to the value at the time of the command; the register keeps it for the next stream.
func TestCSRWeights(t *testing.T) {
	b := openCSR(t)
	b.put(word(rWeight, 0xFF), word(rStream, 3), word(rStreamCommand, 3), word(rStream, 15), word(rStreamCommand, 3), word(rWeight, 4), word(rStreamCommand, 3),
		word(rStream, 16), word(rStreamCommand, 3))
	b.settle()
	assert.Equal(t, []uint64{3<<4 | 15, 15<<4 | 15, 15<<4 | 4}, b.weights)
	assert.Equal(t, uint32(slvErr), b.resps[len(b.resps)-1], "the stream does not exist")
	assert.Empty(t, b.opens)
}

func TestCSRLog(t *testing.T) {
	b := openCSR(t)
	pins := eager()
	for i := range uint32(20) {
		for kind := range uint32(4) {
			pins.event = &csrEvent{Kind: kind, Stream: i % 16, Layer: 1, EType: 2, Code: i}
			if kind == 2 && i%2 == 0 || kind == 1 && i%2 == 1 {
				pins.event.Kind = 0
			}
			b.step(pins)
		}
	}
	b.reads = []int{rLost}
	for range 18 {
		b.reads = append(b.reads, rLog)
	}
	b.settle()
	assert.Equal(t, [2]uint32{4, okay}, b.gave[0])
	assert.Equal(t, [2]uint32{0x80041204, okay}, b.gave[1], "sent, stream 4, 1/2/0x04")
	assert.Equal(t, [2]uint32{0xC0051205, okay}, b.gave[2], "received, stream 5, 1/2/0x05")
	assert.Equal(t, [2]uint32{0xC0031213, okay}, b.gave[16])
	assert.Equal(t, [2]uint32{0, okay}, b.gave[17])
	assert.Equal(t, [2]uint32{0, okay}, b.gave[18])
}

// Each counter counts every cycle of its own input.
func TestCSRCounters(t *testing.T) {
	b := openCSR(t)
	for i := range csrCounters {
		for range i + 1 {
			b.step(csrPins{pulses: 1 << i})
		}
	}
	for i := range csrCounters {
		b.put(word(rCounters+4*i, 99))
		b.reads = append(b.reads, rCounters+4*i)
	}
	b.settle()
	for i, name := range csrCounters {
		assert.Equal(t, [2]uint32{uint32(i + 1), okay}, b.gave[i], name)
		assert.Equal(t, uint32(slvErr), b.resps[i], name)
	}
}

// One write in two cycles, one read in three.
func TestCSRRate(t *testing.T) {
	b := openCSR(t)
	for i := range uint32(1000) {
		b.put(word(rScratch, i))
		b.reads = append(b.reads, rScratch)
	}
	b.settle()
	assert.Equal(t, 1998, b.last["aw"])
	assert.Equal(t, 1998, b.last["w"])
	assert.Equal(t, 2000, b.last["b"])
	assert.Equal(t, 2997, b.last["ar"])
	assert.Equal(t, 2999, b.last["r"])
}

func TestCSRReset(t *testing.T) {
	b, r := openCSR(t), random(9)
	for range 200 {
		for range 20 {
			b.put(randomWrite(r))
			b.reads = append(b.reads, r.IntN(0xD0))
		}
		for range r.IntN(30) {
			p := csrPins{offerAW: true, offerW: r.IntN(2) == 0, offerAR: true, takeB: r.IntN(2) == 0, takeR: r.IntN(2) == 0, pulses: r.Uint32(), event: randomEvent(r)}
			b.step(p)
		}
		b.reset()
		for address := 0; address < 0xD0; address += 4 {
			b.reads = append(b.reads, address)
		}
		b.settle()
	}
}

func TestCSRIsClean(t *testing.T) {
	t.Parallel()
	small := gen.Config{BusBytes: 8, Streams: 2, STags: 16, IRD: 1, ORD: 2, ReceiveDepth: 2, SendDepth: 2, MaxPayload: 256}.Engine()
	large := gen.Config{BusBytes: 128, Streams: 16384, STags: 65536, IRD: 64, ORD: 64, ReceiveDepth: 1024, SendDepth: 1024, MaxPayload: 16384}.Engine()
	for _, c := range []engine.Config{small, large, csrConfig()} {
		d, err := hdl.Compile(host.CSR(c))
		require.NoError(t, err)
		hdltest.Lint(t, d.Files(), d.Top())
	}
}

// Registers do not overlap, nor do the fields of a register, and all have descriptions.
func TestRegisterMap(t *testing.T) {
	names, at := map[string]bool{}, -4
	for _, r := range rdmap.Registers {
		assert.False(t, names[r.Name], r.Name)
		names[r.Name] = true
		assert.Zero(t, r.Offset%4, r.Name)
		assert.Greater(t, r.Offset, at, "%s: not in offset order", r.Name)
		at = r.Offset
		assert.True(t, r.Width >= 1 && r.Width <= 32, r.Name)
		assert.NotEmpty(t, r.Doc, r.Name)
		next := 0
		for _, f := range r.Fields {
			assert.GreaterOrEqual(t, f.Low, next, "%s.%s", r.Name, f.Name)
			next = f.Low + f.Width
			assert.NotEmpty(t, f.Doc, "%s.%s", r.Name, f.Name)
		}
		if len(r.Fields) > 0 {
			assert.Equal(t, r.Width, next, r.Name)
		}
	}
	assert.Less(t, at, 0x1000)
}
