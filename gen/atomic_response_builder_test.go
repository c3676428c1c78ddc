package gen_test

import (
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/wire"
)

func randomReplies(busBytes, n int) (replies []windowReply, want []axisBeat) {
	r := random(6)
	for range n {
		p := windowReply{Stream: r.Uint32N(16), Msn: uint32(operand(r)), Identifier: uint32(operand(r)), Original: operand(r)}
		segment := wire.AppendAtomicResponse(nil, p.Msn, wire.AtomicResponse{OriginalRequestIdentifier: p.Identifier, OriginalRemoteDataValue: p.Original})
		replies, want = append(replies, p), append(want, beatsOf(busBytes, p.Stream, segment)...)
	}
	return replies, want
}

// The octets by hand from RFC 5041 Figure 5 and RFC 7306 Figure 6.
func TestAtomicResponseByHand(t *testing.T) {
	want, err := hex.DecodeString("" +
		"41" + "4B" + // T=0 L=1 DV=01b, RV=01b opcode 0xB
		"00000000" + // not used
		"00000003" + // QN
		"01020304" + // MSN
		"00000000" + // MO
		"DEADBEEF" + // Original Request Identifier
		"0123456789ABCDEF") // Original Remote Data Value
	require.NoError(t, err)
	b := open(t, gen.AtomicResponseBuilder(32, 16))
	push(b, "reply", windowReply{Stream: 9, Msn: 0x01020304, Identifier: 0xDEADBEEF, Original: 0x0123456789ABCDEF})
	b.run()
	assert.Equal(t, []axisBeat{{Tdata: append(want, 0, 0), Tkeep: []byte{0xFF, 0xFF, 0xFF, 0x3F}, Tlast: true, Tuser: 9}},
		take[axisBeat](b, "m_axis_tx"))
}

func TestAtomicResponseBuilderUnderStalls(t *testing.T) {
	for _, bus := range gen.BusWidths {
		replies, want := randomReplies(bus, 200)
		t.Run(fmt.Sprint(bus), func(t *testing.T) {
			everyStall(t, func(t *testing.T, idle, pressure engine.Stall) {
				b := open(t, gen.AtomicResponseBuilder(bus, 16))
				b.stall(idle, pressure)
				push(b, "reply", replies...)
				b.run()
				same(t, want, take[axisBeat](b, "m_axis_tx"))
			})
		})
	}
}

// A response of 30 octets takes 30 / bus octets beats, rounded up, and the next one follows in the next clock.
func TestAtomicResponseBuilderRate(t *testing.T) {
	for bus, beats := range map[int]int{8: 4, 16: 2, 32: 1, 64: 1, 128: 1} {
		replies, want := randomReplies(bus, 1000)
		require.Len(t, want, beats*len(replies))
		b := open(t, gen.AtomicResponseBuilder(bus, 16))
		push(b, "reply", replies...)
		b.run()
		same(t, want, take[axisBeat](b, "m_axis_tx"))
		gapless(t, b.cycles("m_axis_tx"))
		assert.Equal(t, b.cycles("reply")[0]+1, b.cycles("m_axis_tx")[0], "%d octets a beat", bus)
	}
}
