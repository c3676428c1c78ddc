package wire_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rnicgen/rnicgen/model/wire"
)

// Marker positions, computed by hand from RFC 5044 section 4.3. position is counted from the direction's first octet
// after the start-up frame; Markers start at 0, 512, 1024, ...
func TestMarkerPositions(t *testing.T) {
	for _, c := range []struct {
		name     string
		position uint64
		ulpdu    int
		octets   int            // complete FPDU
		markers  map[int]uint16 // offset in the FPDU: FPDUPTR
	}{
		{"the very first FPDU starts with a Marker", 0, 10,
			4 + 2 + 10 + 4, map[int]uint16{0: 0}},
		{"the second Marker points to just after the leading one", 0, 1100,
			4 + 508 + 4 + 508 + 4 + (2 + 1100 + 2 - 1016) + 4, map[int]uint16{0: 0, 512: 508, 1024: 1020}},
		{"twelve octets, a Marker, the rest", 500, 30,
			12 + 4 + 20 + 4, map[int]uint16{12: 12}},
		{"right after ULPDU_Length and two octets", 508, 6,
			4 + 4 + 4 + 4, map[int]uint16{4: 4}},
		{"between pad and CRC: the Marker is this FPDU's", 504, 6,
			8 + 4 + 4, map[int]uint16{8: 8}},
		{"the FPDU ends where a Marker is due: the Marker is the next FPDU's", 500, 6,
			8 + 4, map[int]uint16{}},
		{"and the next FPDU starts with it", 512, 6,
			4 + 8 + 4, map[int]uint16{0: 0}},
		{"pad split from the ULPDU by a Marker", 1024 - 8, 4,
			8 + 4 + 4, map[int]uint16{8: 8}},
		{"far into the stream", 512*1_000_000_000 - 256, 400,
			256 + 4 + (2 + 400 + 2 - 256) + 4, map[int]uint16{256: 256}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ulpdu := bytes.Repeat([]byte{0xA5}, c.ulpdu)
			b, err := wire.AppendMarkedFPDU(nil, ulpdu, true, c.position)
			require.NoError(t, err)
			require.Len(t, b, c.octets)
			for at := 0; at+4 <= len(b); at += 4 {
				ptr, due := c.markers[at]
				assert.Equal(t, due, (c.position+uint64(at))%512 == 0, "the table itself, octet %d", at)
				if due {
					assert.Equal(t, binary.BigEndian.AppendUint32(nil, uint32(ptr)), b[at:at+4], "Marker at octet %d", at)
				}
			}
			d, err := wire.DecodeMarkedFPDU(b, c.position, nil)
			require.NoError(t, err)
			assert.Equal(t, ulpdu, d.ULPDU)
			assert.Equal(t, c.octets, d.Octets)
			assert.True(t, d.CRCOK())
		})
	}
}

// The same in octets: a Marker in the middle of a 6-octet ULPDU, CRC over length, ULPDU, Marker and pad.
func TestMarkedFPDUOctets(t *testing.T) {
	b, err := wire.AppendMarkedFPDU(nil, []byte{0x41, 0x43, 1, 2, 3, 4}, true, 508)
	require.NoError(t, err)
	covered := "0006" + "4143" + "00000004" + "01020304"
	assert.Equal(t, covered, hex.EncodeToString(b[:12]))
	assert.Equal(t, wire.MPACRC(octets(t, covered)), binary.LittleEndian.Uint32(b[12:]))
}

func TestMarkerErrors(t *testing.T) {
	whole, err := wire.AppendMarkedFPDU(nil, make([]byte, 600), true, 0)
	require.NoError(t, err)
	for n := range whole {
		_, err := wire.DecodeMarkedFPDU(whole[:n], 0, nil)
		require.ErrorIs(t, err, wire.ErrMPAIncomplete, "with %d octets", n)
		var e *wire.MPAError
		require.ErrorAs(t, err, &e)
		require.Greater(t, e.Need, n)
		require.LessOrEqual(t, e.Need, len(whole))
	}

	wrong := bytes.Clone(whole)
	wrong[515]++
	_, err = wire.DecodeMarkedFPDU(wrong, 0, nil)
	assert.EqualError(t, err, "mpa: FPDU: fpduptr at octet 514 is 509 (0x1FD); allowed: 508, the octets back to ULPDU_Length")
	assert.NotErrorIs(t, err, wire.ErrMPAIncomplete)

	reserved := bytes.Clone(whole)
	reserved[512] = 0xFF
	d, err := wire.DecodeMarkedFPDU(reserved, 0, nil)
	require.NoError(t, err, "reserved octets of a Marker are ignored")
	assert.False(t, d.CRCOK(), "but the CRC covers them")

	_, err = wire.DecodeMarkedFPDU(whole, 2, nil)
	assert.EqualError(t, err, "mpa: FPDU: position at octet 0 is 2 (0x2); allowed: a multiple of 4, as are the lengths of all FPDUs")
	_, err = wire.AppendMarkedFPDU(nil, nil, true, 3)
	assert.Error(t, err)

	_, err = wire.AppendMarkedFPDU(nil, make([]byte, 65535), true, 0)
	assert.EqualError(t, err, "mpa: FPDU: ulpdu_length at octet 4 is 65535 (0xFFFF); allowed: a length whose Markers lie within 65535 octets")
	_, err = wire.AppendMarkedFPDU(nil, make([]byte, 65536), true, 0)
	assert.EqualError(t, err, "mpa: FPDU: ulpdu_length at octet 0 is 65536 (0x10000); allowed: 0..65535")
}

// A complete direction: Markers occur exactly every 512 octets, each points to a ULPDU_Length, and removing them yields
// the stream without Markers, except for the CRCs.
func TestMarkedStream(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ulpdus := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 1500), 1, 8).Draw(t, "ulpdus")
		crc := rapid.Bool().Draw(t, "crc")
		var stream []byte
		starts := map[int]bool{}
		for _, u := range ulpdus {
			start := len(stream)
			if start%512 == 0 {
				start += 4
			}
			starts[start] = true
			var err error
			stream, err = wire.AppendMarkedFPDU(stream, u, crc, uint64(len(stream)))
			require.NoError(t, err)
		}
		var plain, want []byte
		for at := 0; at < len(stream); at += 512 {
			end := min(at+512, len(stream))
			ptr := int(binary.BigEndian.Uint32(stream[at:]))
			if ptr == 0 {
				require.True(t, starts[at+4], "Marker at %d: an FPDU follows", at)
			} else {
				require.True(t, starts[at-ptr], "Marker at %d points to %d", at, at-ptr)
			}
			plain = append(plain, stream[at+4:end]...)
		}
		for _, u := range ulpdus {
			var err error
			want, err = wire.AppendFPDU(want, u, false)
			require.NoError(t, err)
		}
		if !crc {
			require.Equal(t, want, plain)
		}
		at := 0
		for i, u := range ulpdus {
			d, err := wire.DecodeMarkedFPDU(stream[at:], uint64(at), nil)
			require.NoError(t, err, "FPDU %d", i)
			require.Equal(t, u, append([]byte{}, d.ULPDU...))
			require.Equal(t, crc || d.Computed == 0, d.CRCOK())
			at += d.Octets
		}
		require.Equal(t, len(stream), at)
	})
}

func FuzzDecodeMarkedFPDU(f *testing.F) {
	for _, position := range []uint64{0, 4, 500, 504, 508, 512} {
		b, err := wire.AppendMarkedFPDU(nil, make([]byte, 30), true, position)
		require.NoError(f, err)
		f.Add(b, position)
	}
	f.Add([]byte{}, uint64(0))
	f.Add([]byte{0, 0, 0, 0, 0xFF, 0xFF}, ^uint64(3))
	f.Fuzz(func(t *testing.T, b []byte, position uint64) {
		d, err := wire.DecodeMarkedFPDU(b, position, nil)
		if err != nil {
			return
		}
		again, err := wire.AppendMarkedFPDU(nil, d.ULPDU, true, position)
		require.NoError(t, err)
		require.Len(t, again, d.Octets)
	})
}
