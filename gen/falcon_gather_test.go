package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// elementBeat is a falcon.Element.
type elementBeat struct {
	Stream, Place   int
	Address, Length uint64
}

// gatherBench is falconPath with lists of elements.
type gatherBench struct {
	*falconPathBench
	place map[int]int // next one, by QP
	later []func()    // messages, once their elements are there
	whole bool        // packets are as long as they may be
}

func openGather(t testing.TB, bus int, bits spec.BitOrder, latency ...int) *gatherBench {
	c := falconConfig(bits, bus)
	c.SendDepth = 64
	return &gatherBench{openFalconPath(t, c, latency...), map[int]int{}, nil, false}
}

// list sends a message with the octets of elements, in packets of random lengths, some of which end with an element.
func (b *gatherBench) list(qp int, lengths []int, most, badOf int) {
	r, row := b.rand, spec.Find(spec.RC, spec.PushRequest, spec.Send, spec.Middle, spec.Plain)
	type octet struct{ address uint64 }
	var octets []octet
	var ends []int
	first := b.place[qp]
	for i, n := range lengths {
		address := uint64(1+r.IntN(1<<16))<<[]int{12, 12, 32}[r.IntN(3)] - uint64(r.IntN(n+b.c.BusBytes))
		length := uint64(n)
		if i == len(lengths)-1 && r.IntN(2) == 0 { // the packets of the message that have the rest of it do not arrive
			length = max(length, 1<<(8+r.IntN(24)))
		}
		send(b.rig, "element", elementBeat{qp, b.place[qp], address, length})
		b.place[qp] = (b.place[qp] + 1) % b.c.SendDepth
		for i := range n {
			octets = append(octets, octet{address + uint64(i)})
		}
		ends = append(ends, len(octets))
	}
	for from := 0; from < len(octets) || from == 0; {
		n := min(1+r.IntN(most), len(octets)-from)
		if b.whole {
			n = min(most, len(octets)-from)
		}
		for _, end := range ends {
			if end > from && end-from <= n && r.IntN(3) == 0 && !b.whole {
				n = end - from
			}
		}
		part, begins, bad := octets[from:from+n], from == 0, badOf > 0 && n > 0 && r.IntN(badOf) == 0
		if bad {
			b.memory.bad[part[r.IntN(n)*r.IntN(2)].address/uint64(b.c.BusBytes)] = 2 // often in the first piece
		}
		b.later = append(b.later, func() {
			p := falconFields(r, row)
			fails := false
			for _, o := range part {
				p.Payload = append(p.Payload, b.memory.octet(o.address))
				fails = fails || b.memory.failed(o.address, 1)
			}
			whole := p.Encode(nil, b.bits)
			q := falconMessage{Stream: qp, Kind: kindMessage, HeaderLength: row.HeaderOctets(), Address: r.Uint64(), Length: uint32(n),
				falconSent: falconSent{Type: row.Packet, CID: uint32(qp), RSN: b.rsn[qp], RequestLength: uint32(len(whole)), First: begins, List: n > 0, Element: uint32(first)}}
			copy(q.Header[:], whole[:row.HeaderOctets()])
			b.rsn[qp]++
			send(b.rig, "requests", q)
			b.sent++
			out := falconOut{falconSent{Type: q.Type, CID: q.CID, RSN: q.RSN, RequestLength: q.RequestLength}, whole}
			if fails {
				p.CE, p.Payload = true, nil
				out.octets = p.Encode(nil, b.bits)
				b.failures[qp] = append(b.failures[qp], falconFailure{qp, 0, q.falconSent})
				out.RequestLength = uint32(len(out.octets))
			}
			b.want[qp] = append(b.want[qp], out)
		})
		if from += n; n == 0 {
			break
		}
	}
}

// run sends the messages, in which those without a list are mixed.
func (b *gatherBench) run(mixed bool) {
	b.rest(40)
	for _, message := range b.later {
		message()
		if mixed && b.rand.IntN(3) == 0 {
			b.random(0)
		}
	}
	b.later = nil
	b.finish()
}

// Packets with the octets of several elements, at all offsets in beats and of all lengths down to 0, on every bus and under all stalls, some of
// them with an octet that memory does not deliver.
func TestFalconGather(t *testing.T) {
	long.Test(t)
	for i, bus := range block.BusWidths {
		t.Run(fmt.Sprint(bus), func(t *testing.T) {
			everyChance(t, func(t *testing.T, idle, pressure int) {
				b := openGather(t, bus, bitOrders[(i+idle)%2], [][]int{{0}, {3, 50}, {200}}[(i+pressure)%3]...)
				b.stall(idle, pressure)
				for range 3 {
					for range 16 {
						var lengths []int
						for range 1 + b.rand.IntN(7) {
							lengths = append(lengths, []int{0, b.rand.IntN(4), 1 + b.rand.IntN(20), b.rand.IntN(2 * bus), b.rand.IntN(bus), 3 * bus, b.rand.IntN(400)}[b.rand.IntN(7)])
						}
						b.list(b.rand.IntN(4)*2+1, lengths, []int{3, bus, b.c.MaxPayload, b.c.MaxPayload}[b.rand.IntN(4)], 5)
					}
					b.run(true)
				}
			})
		})
	}
}

// A packet of several elements leaves without a gap after another one if it has as many beats as memory has, and as it takes cycles to gather.
func TestFalconGatherRate(t *testing.T) {
	for _, bus := range []int{8} {
		b := openGather(t, bus, spec.Drawn, 20)
		b.whole = true
		for range 8 {
			b.list(1, []int{120, 136}, 256, 0)
		}
		b.run(false)
		at := b.stream("m_axis_tx").at
		gapless(t, at[len(at)/2:])
		require.Greater(t, len(at), 8*256/bus)
	}
}

// However many beats two pieces have shared, there is room for payload.
func TestFalconGatherRoom(t *testing.T) {
	b := openGather(t, 64, spec.Drawn, 3)
	b.whole = true
	for range 12 {
		for range 30 {
			b.list(1, []int{5, 7}, 256, 0)
		}
		b.run(false)
	}
}
