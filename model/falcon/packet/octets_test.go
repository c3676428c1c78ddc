package packet

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The octets of every header, worked out from the figures. Values of fields: VA 0x0102030405060708, R-Key 0xA1A2A3A4,
// Length 5, RMSN 0xB1B2B3B4, Message Offset 0xC1C2C3C4, sink 0x1112131415161718 with L-Key 0xD1D2D3D4, Immediate
// 0xE1E2E3E4, Invalidate 0xF1F2F3F4, Swap 0x2122232425262728, Compare 0x3132333435363738, Original 0x4142434445464748,
// XRCSRQ 0x515253, Queue Key 0x61626364, Source QP 0x717273.
const (
	reth      = "0102030405060708 a1a2a3a4 00000005 "
	seth      = "b1b2b3b4 "
	oeth      = "c1c2c3c4 "
	steth     = "1112131415161718 d1d2d3d4 "
	immdt     = "e1e2e3e4 "
	ieth      = "f1f2f3f4 "
	atomicETH = "0102030405060708 a1a2a3a4 2122232425262728 3132333435363738 "
	atomicAck = "4142434445464748 "
	payload   = "7061796c6f000000" // five octets and three of pad
)

// drawnWord and mirroredWord are the first word of RBTH for version 1 and an opcode, with pad 3 where the packet has the
// payload of five octets.
//
//	drawn:    octet 0 = version << 4 = 0x10; octet 1 = 0; octet 2 = CE << 4 | pad << 2 | SE; octet 3 = opcode
//	mirrored: octet 0 = opcode; octet 1 = SE << 7 | pad << 4 | CE << 3; octet 2 = 0; octet 3 = version = 0x01
var packets = []struct {
	opcode          spec.Opcode
	drawn, mirrored string // octets 0 to 3
	headers         string // after RBTH, the same in both orders unless they contain XRCETH or DETH
	carries         bool
}{
	{0x00, "10000c00", "00300001", seth + oeth, true},
	{0x01, "10000c01", "01300001", seth + oeth, true},
	{0x02, "10000c02", "02300001", seth + oeth, true},
	{0x03, "10000c03", "03300001", seth + oeth + immdt, true},
	{0x04, "10000c04", "04300001", seth + oeth, true},
	{0x05, "10000c05", "05300001", seth + oeth + immdt, true},
	{0x06, "10000c06", "06300001", reth, true},
	{0x07, "10000c07", "07300001", reth, true},
	{0x08, "10000c08", "08300001", reth, true},
	{0x09, "10000c09", "09300001", reth + seth + immdt, true},
	{0x0A, "10000c0a", "0a300001", reth, true},
	{0x0B, "10000c0b", "0b300001", reth + seth + immdt, true},
	{0x0C, "1000000c", "0c000001", reth + seth + steth, false},
	{0x0D, "10000c0d", "0d300001", steth, true},
	{0x0E, "10000c0e", "0e300001", steth, true},
	{0x0F, "10000c0f", "0f300001", steth, true},
	{0x10, "10000c10", "10300001", steth, true},
	{0x12, "10000012", "12000001", atomicAck + steth, false},
	{0x13, "10000013", "13000001", atomicETH + seth + steth, false},
	{0x14, "10000014", "14000001", atomicETH + seth + steth, false},
	{0x16, "10000c16", "16300001", seth + oeth + ieth, true},
	{0x17, "10000c17", "17300001", seth + oeth + ieth, true},
	{0x64, "10000c64", "64300001", "DETH ", true},
	{0x65, "10000c65", "65300001", "DETH " + immdt, true},
	{0xA0, "10000ca0", "a0300001", "XRCETH " + seth + oeth, true},
	{0xA1, "10000ca1", "a1300001", "XRCETH " + seth + oeth, true},
	{0xA2, "10000ca2", "a2300001", "XRCETH " + seth + oeth, true},
	{0xA3, "10000ca3", "a3300001", "XRCETH " + seth + oeth + immdt, true},
	{0xA4, "10000ca4", "a4300001", "XRCETH " + seth + oeth, true},
	{0xA5, "10000ca5", "a5300001", "XRCETH " + seth + oeth + immdt, true},
	{0xA6, "10000ca6", "a6300001", "XRCETH " + reth, true},
	{0xA7, "10000ca7", "a7300001", "XRCETH " + reth, true},
	{0xA8, "10000ca8", "a8300001", "XRCETH " + reth, true},
	{0xA9, "10000ca9", "a9300001", "XRCETH " + reth + seth + immdt, true},
	{0xAA, "10000caa", "aa300001", "XRCETH " + reth, true},
	{0xAB, "10000cab", "ab300001", "XRCETH " + reth + seth + immdt, true},
	{0xAC, "100000ac", "ac000001", "XRCETH " + reth + seth + steth, false},
	{0xAD, "10000cad", "ad300001", steth, true},
	{0xAE, "10000cae", "ae300001", steth, true},
	{0xAF, "10000caf", "af300001", steth, true},
	{0xB0, "10000cb0", "b0300001", steth, true},
	{0xB2, "100000b2", "b2000001", atomicAck + steth, false},
	{0xB3, "100000b3", "b3000001", "XRCETH " + atomicETH + seth + steth, false},
	{0xB4, "100000b4", "b4000001", "XRCETH " + atomicETH + seth + steth, false},
	{0xB6, "10000cb6", "b6300001", "XRCETH " + seth + oeth + ieth, true},
	{0xB7, "10000cb7", "b7300001", "XRCETH " + seth + oeth + ieth, true},
}

// Words that differ: Destination QP 0x818283 and SN 0x91929394 of RBTH, XRCETH, and DETH.
var (
	drawnOrder    = strings.NewReplacer("REST", "81828300 91929394 ", "XRCETH", "51525300", "DETH", "61626364 71727300")
	mirroredOrder = strings.NewReplacer("REST", "00818283 91929394 ", "XRCETH", "00515253", "DETH", "61626364 00717273")
)

func octets(t *testing.T, s string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	require.NoError(t, err)
	return b
}

// filled has a value in every field.
func filled(o spec.Opcode, carries bool) Packet {
	p := Packet{
		Version: 1, Opcode: o, DestinationQP: 0x818283, SN: 0x91929394,
		VA: 0x0102030405060708, RKey: 0xA1A2A3A4, Length: 5, RMSN: 0xB1B2B3B4, Offset: 0xC1C2C3C4,
		SinkVA: 0x1112131415161718, SinkKey: 0xD1D2D3D4, Immediate: 0xE1E2E3E4, Invalidate: 0xF1F2F3F4,
		Data: 0x2122232425262728, Compare: 0x3132333435363738, Original: 0x4142434445464748,
		SRQ: 0x515253, QKey: 0x61626364, SourceQP: 0x717273,
	}
	if carries {
		p.Payload = []byte("paylo")
	}
	return p
}

func TestOctets(t *testing.T) {
	assert.Len(t, packets, len(spec.Operations), "every packet type")
	for _, tt := range packets {
		tail := ""
		if tt.carries {
			tail = payload
		}
		for order, want := range map[spec.BitOrder][]byte{
			spec.Drawn:    octets(t, drawnOrder.Replace(tt.drawn+"REST"+tt.headers+tail)),
			spec.Mirrored: octets(t, mirroredOrder.Replace(tt.mirrored+"REST"+tt.headers+tail)),
		} {
			p := filled(tt.opcode, tt.carries)
			have := p.Encode(nil, order)
			require.Equal(t, hex.EncodeToString(want), hex.EncodeToString(have), "%v, %v", tt.opcode, order)

			var back Packet
			require.Equal(t, spec.None, back.Decode(want, order), "%v", tt.opcode)
			assert.Equal(t, len(p.Payload), len(back.Payload))
			assert.Equal(t, hex.EncodeToString(want), hex.EncodeToString(back.Encode(nil, order)))
			if tt.carries {
				assert.EqualValues(t, 3, back.Pad)
			}
		}
	}
}

// One bit at a time of the first word of RBTH.
func TestFlags(t *testing.T) {
	for _, tt := range []struct {
		p               Packet
		drawn, mirrored string
	}{
		{Packet{Version: 1}, "10000000", "00000001"},
		{Packet{Version: 0xF}, "f0000000", "0000000f"},
		{Packet{CE: true}, "00001000", "00080000"}, // ruler bit 19: octet 2, bit 4 of it; mirrored 2^19: octet 1, bit 3
		{Packet{Pad: 1}, "00000400", "00100000"},   // bits 20 and 21, the left one is the more significant: 21; mirrored 20
		{Packet{Pad: 2}, "00000800", "00200000"},
		{Packet{SE: true}, "00000100", "00800000"}, // bit 23
		{Packet{Opcode: 0x80}, "00000080", "80000000"},
	} {
		for order, want := range map[spec.BitOrder]string{spec.Drawn: tt.drawn, spec.Mirrored: tt.mirrored} {
			have := tt.p.EncodeBase(nil, order)
			assert.Equal(t, want+strings.Repeat("00", 8), hex.EncodeToString(have), order)
			var back Packet
			require.Equal(t, spec.None, back.DecodeBase(have, order))
			assert.Equal(t, tt.p, back)
		}
	}
}

// The drawn and the mirrored octets of one header differ by the numbering of the bits of each word only.
func TestReservedIsIgnored(t *testing.T) {
	for _, order := range []spec.BitOrder{spec.Drawn, spec.Mirrored} {
		for _, row := range spec.Operations {
			p := filled(row.Opcode, row.Carries())
			clean := p.Encode(nil, order)
			dirty := append([]byte{}, clean...)
			rest := dirty
			for _, h := range row.Headers {
				for _, f := range h.Table(order).Fields {
					if f.Reserved {
						require.True(t, f.Set(rest, f.Max()))
					}
				}
				rest = rest[h.Octets():]
			}
			assert.NotEqual(t, clean, dirty)
			var a, b Packet
			assert.Equal(t, spec.None, a.Decode(clean, order))
			assert.Equal(t, spec.None, b.Decode(dirty, order))
			assert.Equal(t, a, b, row.Opcode)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	for _, order := range []spec.BitOrder{spec.Drawn, spec.Mirrored} {
		var p Packet
		for n := range 12 {
			assert.Equal(t, spec.ShortPacket, p.Decode(make([]byte, n), order))
		}
		for _, row := range spec.Operations {
			f := filled(row.Opcode, false)
			b := f.Encode(nil, order)
			for n := 12; n < row.HeaderOctets(); n++ {
				assert.Equal(t, spec.ShortHeaders, p.Decode(b[:n], order))
			}
			assert.Equal(t, spec.None, p.Decode(b, order))
			for n := 1; n < 4; n++ {
				assert.Equal(t, spec.BadPayload, p.Decode(append(b[:len(b):len(b)], make([]byte, n)...), order))
			}
			f.Pad = 1
			short := f.EncodeBase(nil, order)
			assert.Equal(t, spec.BadPayload, p.Decode(append(short, b[12:]...), order), "pad without payload")
		}
		for _, o := range []spec.Opcode{0x11, 0x15, 0x18, 0x1F, 0x20, 0x60, 0x66, 0x7F, 0x80, 0xB1, 0xFF} {
			reserved := Packet{Version: 1, Opcode: o}
			b := reserved.EncodeBase(nil, order)
			assert.Equal(t, spec.BadOpcode, p.Decode(b, order))
			assert.Panics(t, func() { reserved.Encode(nil, order) })
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, row := range spec.Operations {
		p := filled(row.Opcode, row.Carries())
		f.Add(p.Encode(nil, spec.Drawn), false)
		f.Add(p.Encode(nil, spec.Mirrored), true)
	}
	f.Add([]byte{}, false)
	f.Fuzz(func(t *testing.T, b []byte, mirrored bool) {
		order := spec.Drawn
		if mirrored {
			order = spec.Mirrored
		}
		var p, again Packet
		if p.Decode(b, order) != spec.None {
			return
		}
		coded := p.Encode(nil, order)
		if r := again.Decode(coded, order); r != spec.None {
			t.Fatalf("%x breaks %v when coded again as %x", b, r, coded)
		}
		if len(p.Payload)%4 == 0 && p.Pad == 0 && len(coded) != len(b) {
			t.Fatalf("%x becomes %x", b, coded)
		}
	})
}
