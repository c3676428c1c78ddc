package gen_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
)

const (
	placementStreams = 8
	placementNumbers = 512
)

type placementCommand struct {
	Stream          uint32
	Discard, Inline bool
	Address         uint64
	Length          int
	Data            uint64
}

type placementFailure struct {
	Stream uint32
	Fault  uint8
}

// placementRun is the input of placement and the expected output.
type placementRun struct {
	busBytes int
	commands []placementCommand
	payload  []axisBeat
	octets   map[uint64]byte
	beats    int // of memory
	bursts   []placementBurst
	failures []placementFailure
}

// placementBurst is one burst: the response of memory, and whether it is the last of its placement.
type placementBurst struct {
	resp uint8
	last bool
}

func newPlacementRun(busBytes int) *placementRun {
	return &placementRun{busBytes: busBytes, octets: map[uint64]byte{}}
}

// add appends a placement; responses are those to its first bursts, all others are OKAY.
func (run *placementRun) add(c placementCommand, octets []byte, responses ...uint8) {
	c.Length = len(octets)
	run.commands = append(run.commands, c)
	if c.Inline {
		c.Length = 8
		octets = make([]byte, 8)
		for i := range octets {
			octets[i] = byte(c.Data >> (8 * i))
		}
		run.commands[len(run.commands)-1] = c
	} else {
		run.payload = append(run.payload, soiled(beatsOf(run.busBytes, c.Stream, octets))...)
	}
	if c.Discard {
		return
	}
	for i, o := range octets {
		run.octets[c.Address+uint64(i)] = o
	}
	bus, end := uint64(run.busBytes), c.Address+uint64(c.Length)-1
	run.beats += int(end/bus-c.Address/bus) + 1
	block, failed := min(4096, 256*bus), false
	for i := range int(end/block-c.Address/block) + 1 {
		b := placementBurst{last: c.Address/block+uint64(i) == end/block}
		if i < len(responses) {
			b.resp = responses[i]
		}
		failed = failed || b.resp != 0
		run.bursts = append(run.bursts, b)
	}
	if failed {
		run.failures = append(run.failures, placementFailure{Stream: c.Stream})
	}
}

// placer is the block connected to a memory. It checks the counts in every cycle.
type placer struct {
	*bench
	memory *writeMemory
	run    *placementRun

	responded, finished, failing, reported, begun int // since the reset; responded: in this run
	failedSoFar                                   bool
}

func openPlacer(t testing.TB, busBytes int) *placer {
	p := &placer{bench: open(t, memory.PlacementWriter(placementConfig(busBytes, placementStreams)))}
	p.restart(busBytes)
	return p
}

// restart clears the reference after a reset.
func (p *placer) restart(busBytes int) {
	*p = placer{bench: p.bench, memory: newWriteMemory(p.bench, "m_axi", busBytes)}
	p.watch.also = p.look
}

func (p *placer) look(pin func(string) uint64) {
	if want := uint64(p.finished % placementNumbers); pin("placed") != want && !p.t.Failed() {
		assert.Equal(p.t, want, pin("placed"), "finished placements")
	}
	if pin("m_axi_bvalid")&pin("m_axi_bready") == 1 {
		b := p.run.bursts[p.responded]
		p.responded++
		p.failedSoFar = p.failedSoFar || b.resp != 0
		if b.last && p.failedSoFar {
			p.failing++
		} else if b.last {
			p.finished++
		}
		p.failedSoFar = p.failedSoFar && !b.last
	}
	if pin("failed_valid")&pin("failed_ready") == 1 {
		p.reported++
		p.finished++
		assert.LessOrEqual(p.t, p.reported, p.failing, "a failure without a failed placement")
	}
	p.begun += int(pin("command_valid") & pin("command_ready") & ^pin("command_discard"))
	if p.begun-p.finished >= placementNumbers {
		assert.Less(p.t, p.begun-p.finished, placementNumbers, "too many placements in progress")
	}
}

// begin offers a run to the block, with empty memory.
func (p *placer) begin(run *placementRun) {
	p.run, p.responded = run, 0
	p.memory.octets, p.memory.bursts = map[uint64]byte{}, nil
	p.memory.respond = func(n int) uint8 {
		require.Less(p.t, n, len(run.bursts), "more bursts than expected")
		return run.bursts[n].resp
	}
	push(p.bench, "command", run.commands...)
	push(p.bench, "payload", run.payload...)
}

// finish completes the run, with memory responding once in the given number of cycles, and checks the result.
func (p *placer) finish(cycles int) {
	p.t.Helper()
	for start := p.engine.Cycle(); p.responded < len(p.run.bursts); {
		p.step(cycles)
		p.memory.serve()
		require.Less(p.t, p.engine.Cycle()-start, uint64(1<<20), "%d of %d bursts have responses", p.responded, len(p.run.bursts))
	}
	p.bench.run()
	p.memory.serve()
	require.Len(p.t, p.memory.bursts, len(p.run.bursts))
	require.Empty(p.t, p.memory.addresses)
	require.Empty(p.t, p.memory.data)
	beats := 0
	for _, b := range p.memory.bursts {
		if b.ID != 0 {
			require.Zero(p.t, b.ID)
		}
		beats += len(b.data)
	}
	require.Equal(p.t, p.run.beats, beats)
	require.Equal(p.t, p.run.octets, p.memory.octets)
	same(p.t, p.run.failures, take[placementFailure](p.bench, "failed"))
}

func (p *placer) check(run *placementRun) {
	p.t.Helper()
	p.begin(run)
	p.finish(16)
}

func noise(r *rand.Rand, n int) []byte {
	octets := make([]byte, n)
	for i := range octets {
		octets[i] = byte(r.Uint32())
	}
	return octets
}

// randomPlacements have lengths up to longest; many are close to the end of a block of memory, some are discarded, some inline,
// and one in errors of their bursts has an error.
func randomPlacements(seed uint64, busBytes, n, longest, errors int) *placementRun {
	r, run := random(seed), newPlacementRun(busBytes)
	for range n {
		c := placementCommand{Stream: r.Uint32N(placementStreams), Discard: r.IntN(6) == 0, Inline: r.IntN(4) == 0, Data: r.Uint64(),
			Address: 4096*r.Uint64N(4) + r.Uint64N(4096)}
		length := 1 + r.IntN(longest)
		if r.IntN(3) == 0 {
			length = 1 + r.IntN(2*busBytes)
		}
		switch r.IntN(4) {
		case 0:
			c.Address = 2048*(1+r.Uint64N(4)) - 1 - r.Uint64N(uint64(2*busBytes))
		case 1:
			c.Address += r.Uint64() << 16 >> 1
		}
		var responses []uint8
		for range 40 {
			resp := uint8(0)
			if r.IntN(errors) == 0 {
				resp = 2 + uint8(r.IntN(2))
			}
			responses = append(responses, resp)
		}
		run.add(c, noise(r, length), responses...)
	}
	return run
}

// Beat by beat: an aligned packet, one that extends into one more beat of memory, an inline word across two pages.
func TestPlacementByHand(t *testing.T) {
	p := openPlacer(t, 8)
	run := newPlacementRun(8)
	run.add(placementCommand{Stream: 1, Address: 0x1000}, []byte{1, 2, 3, 4, 5, 6, 7, 8, 9})
	run.add(placementCommand{Stream: 2, Address: 0x2005}, []byte{1, 2, 3, 4, 5, 6, 7})
	run.add(placementCommand{Stream: 3, Discard: true, Address: 0x3000}, []byte{1, 2, 3, 4, 5, 6, 7, 8, 9})
	run.add(placementCommand{Stream: 4, Inline: true, Address: 0x4ffe, Data: 0x0807060504030201}, nil)
	run.add(placementCommand{Stream: 5, Address: 0xffff_ffff_ffff_ffff}, []byte{7})
	p.check(run)
	at := func(address uint64, beats int) writeAddress { return writeAddress{0, address, beats - 1, 3, 1} }
	beat := func(strobe byte, last bool, octets ...byte) writeData { return writeData{octets, []byte{strobe}, last} }
	assert.Equal(t, []writtenBurst{
		{at(0x1000, 2), []writeData{beat(0xff, false, 1, 2, 3, 4, 5, 6, 7, 8), beat(0x01, true, 9, 0, 0, 0, 0, 0, 0, 0)}},
		{at(0x2000, 2), []writeData{beat(0xe0, false, 0, 0, 0, 0, 0, 1, 2, 3), beat(0x0f, true, 4, 5, 6, 7, 0, 0, 0, 0)}},
		{at(0x4ff8, 1), []writeData{beat(0xc0, true, 0, 0, 0, 0, 0, 0, 1, 2)}},
		{at(0x5000, 1), []writeData{beat(0x3f, true, 3, 4, 5, 6, 7, 8, 0, 0)}},
		{at(0xffff_ffff_ffff_fff8, 1), []writeData{beat(0x80, true, 0, 0, 0, 0, 0, 0, 0, 7)}},
	}, p.memory.bursts)
}

func TestPlacementUnderStalls(t *testing.T) {
	for _, bus := range block.BusWidths {
		t.Run(fmt.Sprint(bus), func(t *testing.T) {
			few, many := randomPlacements(20, bus, 40, 5000, 3), randomPlacements(21, bus, 300, 4*bus, 8)
			everyStall(t, func(t *testing.T, idle, pressure simulator.Stall) {
				p := openPlacer(t, bus)
				p.stall(idle, pressure)
				p.check(few)
				p.check(many)
			})
		})
	}
}

// Every alignment with every length up to two beats and an octet, at the start of a page or across its end. Memory receives a
// beat in every cycle from the first to the last.
func TestPlacementEveryAlignment(t *testing.T) {
	for _, bus := range block.BusWidths {
		t.Run(fmt.Sprint(bus), func(t *testing.T) {
			p, r := openPlacer(t, bus), random(22)
			for offset := range bus {
				run := newPlacementRun(bus)
				for length := 1; length <= 2*bus+1; length++ {
					address := 4096*uint64(length) + uint64(offset)
					if r.IntN(2) == 0 {
						address -= uint64(bus * (1 + r.IntN(2)))
					}
					run.add(placementCommand{Stream: r.Uint32N(placementStreams), Address: address}, noise(r, length))
				}
				before := len(p.cycles("m_axi_w"))
				p.check(run)
				gapless(t, p.cycles("m_axi_w")[before:])
			}
		})
	}
}

// Payload of aligned packets is accepted without a gap, whatever their lengths; beats of unaligned packets reach memory without
// a gap. The first beat leaves six cycles after command and payload arrive.
func TestPlacementRate(t *testing.T) {
	for _, bus := range block.BusWidths {
		for _, row := range []struct {
			says    string
			n       int
			offset  uint64
			length  func(r *rand.Rand) int
			inline  bool
			payload bool // one beat of payload per cycle too
		}{
			{"packets of one beat", 1500, 0, func(*rand.Rand) int { return bus }, false, true},
			{"packets of one octet", 1500, 0, func(*rand.Rand) int { return 1 }, false, true},
			{"packets of one octet at the end of a beat", 1500, uint64(bus) - 1, func(*rand.Rand) int { return 1 }, false, true},
			{"aligned packets of any length", 60, 0, func(r *rand.Rand) int { return 1 + r.IntN(3000) }, false, true},
			{"aligned packets of full beats", 20, 0, func(r *rand.Rand) int { return bus * (1 + r.IntN(6000/bus)) }, false, true},
			{"aligned packets of some beats", 1000, 0, func(r *rand.Rand) int { return 1 + r.IntN(4*bus) }, false, true},
			{"unaligned packets of two octets", 1000, uint64(bus) - 1, func(*rand.Rand) int { return 2 }, false, false},
			{"unaligned packets of some beats", 1000, 3, func(r *rand.Rand) int { return 1 + r.IntN(4*bus) }, false, false},
			{"unaligned packets of any length", 60, uint64(bus) - 1, func(r *rand.Rand) int { return 1 + r.IntN(3000) }, false, false},
			{"inline words", 1500, 0, func(*rand.Rand) int { return 8 }, true, false},
		} {
			t.Run(fmt.Sprintf("%d, %s", bus, row.says), func(t *testing.T) {
				p, r, run := openPlacer(t, bus), random(23), newPlacementRun(bus)
				for range row.n {
					run.add(placementCommand{Address: 1<<20 + uint64(bus)*r.Uint64N(2000) + row.offset, Inline: row.inline, Data: r.Uint64()}, noise(r, row.length(r)))
				}
				p.begin(run)
				p.finish(32)
				gapless(t, p.cycles("m_axi_w"))
				assert.Len(t, p.cycles("m_axi_w"), run.beats)
				if row.payload {
					gapless(t, p.cycles("payload"))
				}
				assert.Equal(t, p.cycles("command")[0]+6, p.cycles("m_axi_w")[0])
				assert.Equal(t, p.cycles("command")[0]+6, p.cycles("m_axi_aw")[0])
			})
		}
	}
}

// Discarded payload also takes one cycle per beat. Discarded placements take no number: there are more of them than numbers.
func TestPlacementDiscardRate(t *testing.T) {
	for _, bus := range block.BusWidths {
		p, r, run := openPlacer(t, bus), random(24), newPlacementRun(bus)
		for i := range 3 * placementNumbers {
			run.add(placementCommand{Discard: i%2 == 0, Address: 4096 * uint64(i)}, noise(r, 1+r.IntN(4*bus)))
		}
		p.check(run)
		gapless(t, p.cycles("payload"))
	}
}

func TestPlacementLongest(t *testing.T) {
	for _, bus := range block.BusWidths {
		p, r := openPlacer(t, bus), random(25)
		for _, address := range []uint64{0, 1, uint64(bus) - 1, 4095, 4096 - uint64(bus)} {
			run := newPlacementRun(bus)
			run.add(placementCommand{Stream: 5, Address: 1<<40 + address}, noise(r, 65535))
			run.add(placementCommand{Stream: 6, Address: 1 << 41}, noise(r, 1))
			p.check(run)
		}
	}
}

// Errors of one or more bursts of a placement cause one failure; the next placement is not affected.
func TestPlacementErrors(t *testing.T) {
	for _, responses := range [][]uint8{{2, 0, 0}, {0, 3, 0}, {0, 0, 2}, {2, 3, 2}, {3, 3, 0}, {0, 0, 0}} {
		p, r, run := openPlacer(t, 64), random(26), newPlacementRun(64)
		run.add(placementCommand{Stream: 1, Address: 64}, noise(r, 64))
		run.add(placementCommand{Stream: 2, Address: 4000}, noise(r, 5000), responses...)
		run.add(placementCommand{Stream: 3, Address: 128}, noise(r, 64))
		run.add(placementCommand{Stream: 4, Address: 192}, noise(r, 64), 2)
		want := []placementFailure{{Stream: 2}, {Stream: 4}}
		if responses[0]|responses[1]|responses[2] == 0 {
			want = want[1:]
		}
		assert.Equal(t, want, run.failures)
		p.check(run)
	}
}

// The count does not advance until the failure is accepted.
func TestPlacementWaitsForItsFailure(t *testing.T) {
	p, r, run := openPlacer(t, 64), random(27), newPlacementRun(64)
	for i := range 6 {
		run.add(placementCommand{Stream: uint32(i), Address: 64 * uint64(i)}, noise(r, 64), uint8(i/3*2))
	}
	failed := p.lane("failed").index
	require.NoError(t, p.engine.SetStall(failed, simulator.Stall{Mode: simulator.StallRandom, Chance: 256}))
	p.begin(run)
	for range 50 {
		p.step(1)
		p.memory.serve()
	}
	assert.Equal(t, 3, p.finished)
	assert.Len(t, p.memory.bursts, 6, "writes continue")
	require.NoError(t, p.engine.SetStall(failed, simulator.Stall{}))
	p.finish(1)
	assert.Equal(t, 6, p.finished)
}

// Without responses, placements stop one before their numbers would wrap, and bursts when no more can be stored.
func TestPlacementStopsWithoutResponses(t *testing.T) {
	r := random(28)
	short, long := newPlacementRun(8), newPlacementRun(8)
	for range 2 * placementNumbers {
		short.add(placementCommand{Stream: r.Uint32N(placementStreams), Address: 8 * r.Uint64N(1000)}, noise(r, 8))
	}
	for range 600 {
		long.add(placementCommand{Stream: r.Uint32N(placementStreams), Address: 2047 + 4096*r.Uint64N(1000)}, noise(r, 2), 0, uint8(2*r.IntN(2)))
	}
	p := openPlacer(t, 8)
	for _, row := range []struct {
		run              *placementRun
		commands, bursts int
	}{{short, placementNumbers - 1, placementNumbers - 1}, {long, 258, 512}} {
		commands, bursts := len(p.cycles("command")), len(p.cycles("m_axi_aw"))
		p.begin(row.run)
		p.step(3000)
		assert.Equal(t, row.commands, len(p.cycles("command"))-commands)
		assert.Equal(t, row.bursts, len(p.cycles("m_axi_aw"))-bursts)
		p.finish(16)
	}
}

// Payload waits for its command, and neither address nor data is offered before the payload arrives.
func TestPlacementCommandAndPayloadComeApart(t *testing.T) {
	for _, bus := range block.BusWidths {
		for _, waits := range []string{"command", "payload"} {
			p, run := openPlacer(t, bus), newPlacementRun(bus)
			run.add(placementCommand{Stream: 3, Address: 4090}, noise(random(29), 300))
			lane := p.lane(waits).index
			require.NoError(t, p.engine.SetStall(lane, simulator.Stall{Mode: simulator.StallRandom, Chance: 256}))
			p.begin(run)
			p.step(50)
			assert.Zero(t, p.stats("m_axi_aw").Offered)
			assert.Zero(t, p.stats("m_axi_w").Offered)
			assert.Zero(t, p.stats("payload").Beats)
			require.NoError(t, p.engine.SetStall(lane, simulator.Stall{}))
			p.finish(1)
		}
	}
}

// Addresses that are not accepted do not block data while there is room for more addresses; data that is not accepted does not block
// the address of a beat that has room.
func TestPlacementChannelsAreIndependent(t *testing.T) {
	for _, row := range []struct {
		waits           string
		addresses, data int
	}{{"m_axi_aw", 0, 96}, {"m_axi_w", 1, 0}} {
		p, run := openPlacer(t, 8), newPlacementRun(8)
		for i := range 3 {
			run.add(placementCommand{Address: 4096 * uint64(i)}, noise(random(30), 256))
		}
		lane := p.lane(row.waits).index
		require.NoError(t, p.engine.SetStall(lane, simulator.Stall{Mode: simulator.StallRandom, Chance: 256}))
		p.begin(run)
		p.step(200)
		assert.Len(t, p.cycles("m_axi_aw"), row.addresses)
		assert.Len(t, p.cycles("m_axi_w"), row.data)
		require.NoError(t, p.engine.SetStall(lane, simulator.Stall{}))
		p.finish(1)
	}
}

// A reset in any cycle discards everything in progress.
func TestPlacementReset(t *testing.T) {
	for _, bus := range block.BusWidths {
		t.Run(fmt.Sprint(bus), func(t *testing.T) {
			before, after := randomPlacements(31, bus, 12, 4*bus, 2), randomPlacements(32, bus, 20, 4*bus, 3)
			p := openPlacer(t, bus)
			for _, pressure := range []simulator.Stall{{}, {Mode: simulator.StallRandom, Chance: 128}} {
				for cycles := range 80 {
					p.stall(simulator.Stall{}, pressure)
					p.begin(before)
					for range cycles {
						p.step(1)
						p.memory.serve()
					}
					p.reset()
					p.restart(bus)
					p.stall(simulator.Stall{}, simulator.Stall{})
					p.check(after)
				}
			}
		})
	}
}

func TestPlacementVerilogIsClean(t *testing.T) {
	t.Parallel()
	for i, bus := range block.BusWidths {
		d, err := hdl.Compile(memory.PlacementWriter(placementConfig(bus, 2<<(3*i))))
		require.NoError(t, err)
		hdltest.Lint(t, d.Files(), d.Top())
	}
}

// A packet of 4 octets goes to the last 2 octets of one page and the first 2 of the next, then an inline word to a third page:
// three bursts of one beat, one per cycle. The packet is accepted with its first beat of memory. The response to the second
// burst is an error: the failure is reported a cycle later, and the packet counts as placed when that report is accepted.
func TestPlacementPicture(t *testing.T) {
	assert.Equal(t, `
                ────────────┐
command_valid               │
                            └───────────────────────────────────────────
                ────────┐   ┌───────────────────────────────────────────
command_ready           │   │
                        └───┘
                ────────┐
payload_tvalid          │
                        └───────────────────────────────────────────────
                    ┌───┐
payload_tready      │   │
                ────┘   └───────────────────────────────────────────────
                                        ┌───────────┐
m_axi_awvalid                           │           │
                ────────────────────────┘           └───────────────────
                ┌───────────────────────┬───┬───┬───────────────────────
m_axi_awaddr    │0                      │ff8│10.│2000
                └───────────────────────┴───┴───┴───────────────────────
                                        ┌───────────┐
m_axi_wvalid                            │           │
                ────────────────────────┘           └───────────────────
                ┌───────────────────────┬───┬───┬───────────────────────
m_axi_wdata     │0                      │b2.│d4.│88
                └───────────────────────┴───┴───┴───────────────────────
                ┌───────────────────────┬───┬───┬───────────────────────
m_axi_wstrb     │0                      │c0 │3  │ff
                └───────────────────────┴───┴───┴───────────────────────
                                        ┌───────────────────────────────
m_axi_wlast                             │
                ────────────────────────┘
                                                ┌───────────────┐
m_axi_bvalid                                    │               │
                ────────────────────────────────┘               └───────
                                ┌───────────────────────┐   ┌───┐
m_axi_bready                    │                       │   │   │
                ────────────────┘                       └───┘   └───────
                                                        ┌───┐
failed_valid                                            │   │
                ────────────────────────────────────────┘   └───────────
                ┌───────────────────────────────────────────┬───┬───────
placed          │0                                          │1  │2
                └───────────────────────────────────────────┴───┴───────
`, picture(t, memory.PlacementWriter(placementConfig(8, 2)), 14, pins{
		"command_valid":   {1, 1, 1, 0},
		"command_inline":  {0, 1, 1},
		"command_address": {0xffe, 0x2000},
		"command_length":  {4, 8},
		"command_data":    {0, 0x88},
		"payload_tvalid":  {1, 1, 0},
		"payload_tdata":   {0xd4c3b2a1},
		"payload_tlast":   {1},
		"m_axi_awready":   {1},
		"m_axi_wready":    {1},
		"m_axi_bvalid":    {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0},
		"m_axi_bresp":     {0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0},
		"failed_ready":    {1},
	}, "command_valid", "command_ready", "payload_tvalid", "payload_tready", "m_axi_awvalid", "m_axi_awaddr",
		"m_axi_wvalid", "m_axi_wdata", "m_axi_wstrb", "m_axi_wlast", "m_axi_bvalid", "m_axi_bready", "failed_valid", "placed"))
}

func placementConfig(busBytes, streams int) engine.Config {
	c := gen.Default().Engine()
	c.BusBytes, c.Streams, c.RetirePort = busBytes, streams, false
	return c
}
