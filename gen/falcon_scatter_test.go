package gen_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/host"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
)

// scatterBench is falcon_scatter in front of placement.
type scatterPorts struct {
	Command hdl.Sink[falcon.Placing]
	Part    hdl.Sink[falcon.PayloadPart]
	Payload hdl.Sink[block.Beat]
	Memory  block.AXIWriter `hdl:"m_axi"`
	Placed  hdl.Out
	Failed  hdl.Source[engine.Failure]
}

func scatterConfig(bus int) engine.Config {
	c := falconConfig(bitOrders[0], bus)
	c.Streams = placementStreams
	return c
}

func scatterBlock(c engine.Config) hdl.Block[scatterPorts] {
	scatter, writer := falcon.Scatter(c), memory.PieceWriter(c)
	return hdl.Block[scatterPorts]{Kind: "scatter_bench", Doc: "scatter_bench is for tests.",
		Ports: scatterPorts{Command: scatter.Ports.Place, Part: scatter.Ports.Part, Payload: scatter.Ports.Payload, Memory: writer.Ports.Memory, Placed: writer.Ports.Placed, Failed: writer.Ports.Failed},
		Build: func(m *hdl.Module, p scatterPorts) {
			pieces, beats := hdl.NewStream(m, "piece", engine.PlacementPieceOf(c)), hdl.NewStream(m, "beats", block.BeatOf(c.BusBytes, c.Streams))
			hdl.Instance(m, "scatter", scatter, falcon.ScatterPorts{Place: p.Command, Part: p.Part, Payload: p.Payload, Piece: pieces.Source(), Beats: beats.Source()})
			hdl.Instance(m, "placement", writer, memory.PlacementPorts{Command: pieces.Sink(), Payload: beats.Sink(), Memory: p.Memory, Placed: p.Placed, Failed: p.Failed})
		}}
}

type scatterCommand struct {
	placementCommand
	List bool
}

// scatterRun is a placementRun of packets with parts.
type scatterRun struct {
	*placementRun
	places []scatterCommand
	parts  []payloadPartBeat
}

// list adds a packet with parts. The pieces of it that memory sees end with parts, and with beats of payload in which a part begins after the first octet;
// bad is the number of its burst that memory refuses, -1 for none.
func (run *scatterRun) list(stream uint32, discard bool, parts []payloadPartBeat, octets []byte, bad int) {
	run.places = append(run.places, scatterCommand{placementCommand{Stream: stream, Discard: discard, Address: 0x1234, Length: len(octets)}, true})
	run.payload = append(run.payload, soiled(beatsOf(run.busBytes, stream, octets))...)
	run.parts = append(run.parts, parts...)
	if discard {
		return
	}
	at, burst, failed := 0, 0, false
	for i, part := range parts {
		for from := 0; from < part.Length; {
			n := part.Length - from
			if inBeat := (at + from) % run.busBytes; from == 0 && inBeat > 0 {
				n = min(n, run.busBytes-inBeat)
			}
			one := newPlacementRun(run.busBytes)
			one.add(placementCommand{Stream: stream, Address: part.Address + uint64(from)}, octets[at+from:at+from+n])
			for address, o := range one.octets {
				run.octets[address] = o
			}
			run.beats += one.beats
			for _, b := range one.bursts {
				b.last = b.last && i == len(parts)-1 && from+n == part.Length
				if burst == bad {
					b.resp, failed = 2, true
				}
				burst++
				run.bursts = append(run.bursts, b)
			}
			from += n
		}
		at += part.Length
	}
	if failed {
		run.failures = append(run.failures, placementFailure{Stream: stream})
	}
}

func (run *scatterRun) plain(c placementCommand, octets []byte) {
	run.add(c, octets)
	run.places = append(run.places, scatterCommand{run.commands[len(run.commands)-1], false})
}

// randomScatter mixes packets with 1 to 12 parts of any length and place with packets without, discarded ones and words. Parts are around multiples of 2048, one of
// which is a multiple of 2^32.
func randomScatter(r *rand.Rand, bus, packets int) *scatterRun {
	run := &scatterRun{placementRun: newPlacementRun(bus)}
	for n := range packets {
		area := uint64(n+1)<<32 - 2048*(1+r.Uint64N(12))
		c := placementCommand{Stream: r.Uint32N(placementStreams), Discard: r.IntN(6) == 0, Inline: r.IntN(6) == 0, Data: r.Uint64(), Address: area + r.Uint64N(5000)}
		if r.IntN(3) == 0 {
			run.plain(c, noise(r, 1+r.IntN(256)))
			continue
		}
		var parts []payloadPartBeat
		total := 0
		for range 1 + r.IntN(12) {
			length := min(256-total, []int{1, 1 + r.IntN(3), 1 + r.IntN(bus), bus, 1 + r.IntN(3*bus)}[r.IntN(5)])
			if length == 0 {
				break
			}
			area += 2048
			parts = append(parts, payloadPartBeat{Address: area - r.Uint64N(uint64(bus+length)), Length: length})
			total += length
		}
		parts[len(parts)-1].Last = true
		run.list(c.Stream, c.Discard, parts, noise(r, total), r.IntN(60)-30)
	}
	return run
}

func (run *scatterRun) check(p *placer) {
	run.commands = nil
	p.begin(run.placementRun)
	push(p.bench, "command", run.places...)
	push(p.bench, "part", run.parts...)
	p.finish(16)
}

// Octets of packets reach their elements, on every bus and under all stalls; a packet counts, and fails, once, however many pieces it has.
func TestFalconScatter(t *testing.T) {
	for _, bus := range block.BusWidths {
		t.Run(fmt.Sprint(bus), func(t *testing.T) {
			few, many := randomScatter(random(uint64(bus)), bus, 20), randomScatter(random(uint64(bus)+1), bus, 150)
			everyStall(t, func(t *testing.T, idle, pressure simulator.Stall) {
				p := &placer{bench: open(t, scatterBlock(scatterConfig(bus)))}
				p.restart(bus)
				p.stall(idle, pressure)
				few.check(p)
				many.check(p)
			})
		})
	}
}

// Packets without a list pass at one beat per cycle, also between words, and leave for memory 7 cycles after they arrive: one more than without falcon_scatter.
func TestFalconScatterPasses(t *testing.T) {
	for _, bus := range block.BusWidths {
		r, run := random(5), &scatterRun{placementRun: newPlacementRun(bus)}
		for range 600 {
			run.plain(placementCommand{Address: 1<<20 + uint64(bus)*r.Uint64N(2000)}, noise(r, bus*(1+r.IntN(3))))
		}
		p := &placer{bench: open(t, scatterBlock(scatterConfig(bus)))}
		p.restart(bus)
		run.check(p)
		gapless(t, p.cycles("payload"))
		gapless(t, p.cycles("m_axi_w"))
		assert.Equal(t, p.cycles("command")[0]+7, p.cycles("m_axi_w")[0])
	}
}

// A part takes two cycles, three if it is two pieces; a packet one more.
func TestFalconScatterRate(t *testing.T) {
	const bus = 16
	run := &scatterRun{placementRun: newPlacementRun(bus)}
	r := random(6)
	for n := range 64 {
		at := uint64(n+1) << 16
		run.list(0, false, []payloadPartBeat{{Address: at, Length: 8}, {Address: at + 0x1000, Length: 24}, {Address: at + 0x2000, Length: 16, Last: true}}, noise(r, 48), -1)
	}
	p := &placer{bench: open(t, scatterBlock(scatterConfig(bus)))}
	p.restart(bus)
	run.check(p)
	at := p.cycles("command")
	require.Len(t, at, 64)
	assert.Equal(t, uint64(8*63), at[63]-at[0])
}

func TestFalconListsAreCleanInEveryTool(t *testing.T) {
	for _, bus := range []int{8, 64, 128} {
		c := scatterConfig(bus)
		lint(t, falcon.Scatter(c))
		lint(t, memory.PieceWriter(c))
	}
	for _, depth := range []int{2, 16, 1024} {
		c := scatterConfig(64)
		c.ReceiveDepth = depth
		lint(t, host.ListedReceiveRing(c))
		lint(t, host.SharedReceiveRing(c))
	}
}

// lint lints a block with every tool.
func lint[P any](t *testing.T, b hdl.Block[P]) {
	d, err := hdl.Compile(b)
	require.NoError(t, err)
	hdltest.Lint(t, d.Files(), d.Top())
}
