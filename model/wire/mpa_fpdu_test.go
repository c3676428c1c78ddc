package wire_test

import (
	"encoding/binary"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rnicgen/rnicgen/model/wire"
)

func octets(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	require.NoError(t, err)
	return b
}

// FPDUs captured from the Linux soft-iWARP driver with CRC in use.
var realFPDUs = []struct{ name, ulpdu, pad, crc string }{
	{"RDMA Read Response of no octets, no pad", "c142" + "00000000" + "0000000000000000", "", "6975d6ca"},
	{"RDMA Read Request", "4141" + "00000000" + "00000001" + "00000001" + "00000000" + "00000000" + "0000000000000000" + "00000000" + "00000001" + "0000000000000000", "", "ba10e3c9"},
	{"Send of 8 octets", "4143" + "00000000" + "00000000" + "00000001" + "00000000" + "33b639bc3fc245c8", "", "bc62a396"},
	{"Terminate", "4147" + "00000000" + "00000002" + "00000001" + "00000000" + "11000300" + "0040" + "c140deadbe0000007f446c259000", "", "e4359430"},
}

func TestFPDUOfRealTraffic(t *testing.T) {
	for _, c := range realFPDUs {
		t.Run(c.name, func(t *testing.T) {
			ulpdu := octets(t, c.ulpdu)
			raw := binary.BigEndian.AppendUint16(nil, uint16(len(ulpdu)))
			raw = append(raw, ulpdu...)
			raw = append(raw, octets(t, c.pad+c.crc)...)

			f, err := wire.DecodeFPDU(append(raw, 0xEE)) // octets of the next FPDU are ignored
			require.NoError(t, err)
			assert.Equal(t, ulpdu, f.ULPDU)
			assert.Equal(t, len(raw), f.Octets)
			assert.True(t, f.CRCOK(), "CRC field %08x, computed %08x", f.CRC, f.Computed)

			built, err := wire.AppendFPDU(nil, ulpdu, true)
			require.NoError(t, err)
			assert.Equal(t, raw, built)
		})
	}
}

// The CRC32c examples of iSCSI, RFC 3720 appendix B.4, as octets in transmission order; RFC 5044 section 4.4 adopts
// that computation.
func TestCRCOctetOrder(t *testing.T) {
	sequence := func(f func(int) byte) []byte {
		b := make([]byte, 32)
		for i := range b {
			b[i] = f(i)
		}
		return b
	}
	for _, c := range []struct {
		name   string
		data   []byte
		octets string
	}{
		{"32 octets of zeros", sequence(func(int) byte { return 0 }), "aa36918a"},
		{"32 octets of ones", sequence(func(int) byte { return 0xFF }), "43aba862"},
		{"32 octets incrementing", sequence(func(i int) byte { return byte(i) }), "4e79dd46"},
		{"32 octets decrementing", sequence(func(i int) byte { return byte(31 - i) }), "5cdb3f11"},
	} {
		got := binary.LittleEndian.AppendUint32(nil, wire.MPACRC(c.data))
		assert.Equal(t, c.octets, hex.EncodeToString(got), c.name)
	}
}

func TestFPDUPad(t *testing.T) {
	for _, c := range []struct{ ulpdu, pad, octets int }{
		{0, 2, 8}, {1, 1, 8}, {2, 0, 8}, {3, 3, 12}, {14, 0, 20}, {18, 0, 24}, {70, 0, 76}, {65535, 3, 65544},
	} {
		assert.Equal(t, c.pad, wire.MPAPad(c.ulpdu), "ULPDU of %d octets", c.ulpdu)
		assert.Equal(t, c.octets, wire.FPDUOctets(c.ulpdu), "ULPDU of %d octets", c.ulpdu)
	}
}

func TestFPDUWithoutCRC(t *testing.T) {
	b, err := wire.AppendFPDU([]byte{0x55}, []byte{1, 2, 3}, false)
	require.NoError(t, err)
	assert.Equal(t, octets(t, "55"+"0003"+"010203"+"000000"+"00000000"), b, "appended; pad and CRC zero")
}

func TestFPDUErrors(t *testing.T) {
	whole, err := wire.AppendFPDU(nil, []byte{1, 2, 3, 4, 5}, true)
	require.NoError(t, err)
	for n := range whole {
		_, err := wire.DecodeFPDU(whole[:n])
		var e *wire.MPAError
		require.ErrorAs(t, err, &e)
		require.ErrorIs(t, err, wire.ErrMPAIncomplete)
		want := len(whole)
		if n < 2 {
			want = 2
		}
		assert.Equal(t, want, e.Need, "with %d octets", n)
	}
	_, err = wire.DecodeFPDU(whole[:7])
	assert.EqualError(t, err, "mpa: FPDU: end of data at octet 7 is 7 (0x7); allowed: at least 12 octets")

	_, err = wire.AppendFPDU(nil, make([]byte, 65536), true)
	assert.EqualError(t, err, "mpa: FPDU: ulpdu_length at octet 0 is 65536 (0x10000); allowed: 0..65535")
	assert.NotErrorIs(t, err, wire.ErrMPAIncomplete)

	whole[4] ^= 0x10
	f, err := wire.DecodeFPDU(whole)
	require.NoError(t, err, "an invalid CRC is not a framing error")
	assert.False(t, f.CRCOK())
}

func TestFPDUDecodeDoesNotAllocate(t *testing.T) {
	b, err := wire.AppendFPDU(nil, make([]byte, 1400), true)
	require.NoError(t, err)
	marked, err := wire.AppendMarkedFPDU(nil, make([]byte, 1400), true, 508)
	require.NoError(t, err)
	scratch := make([]byte, 0, 2048)
	assert.Zero(t, testing.AllocsPerRun(100, func() { _, _ = wire.DecodeFPDU(b) }), "without Markers")
	assert.Zero(t, testing.AllocsPerRun(100, func() { _, _ = wire.DecodeMarkedFPDU(marked, 508, scratch) }), "with Markers")
}

func TestFPDURoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ulpdu := rapid.SliceOfN(rapid.Byte(), 0, 2000).Draw(t, "ulpdu")
		crc := rapid.Bool().Draw(t, "crc")
		b, err := wire.AppendFPDU(nil, ulpdu, crc)
		require.NoError(t, err)
		require.Zero(t, len(b)%4)
		f, err := wire.DecodeFPDU(b)
		require.NoError(t, err)
		require.Equal(t, len(b), f.Octets)
		require.Equal(t, ulpdu, append([]byte{}, f.ULPDU...))
		require.Equal(t, crc || f.Computed == 0, f.CRCOK())
	})
}

func BenchmarkDecodeFPDU(b *testing.B) {
	f, err := wire.AppendFPDU(nil, make([]byte, 1400), true)
	require.NoError(b, err)
	b.ReportAllocs()
	b.SetBytes(int64(len(f)))
	for b.Loop() {
		_, _ = wire.DecodeFPDU(f)
	}
}

func FuzzDecodeFPDU(f *testing.F) {
	for _, c := range realFPDUs {
		b, err := wire.AppendFPDU(nil, octets(f, c.ulpdu), true)
		require.NoError(f, err)
		f.Add(b)
	}
	f.Add([]byte{})
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0})
	f.Add([]byte{0xFF, 0xFF, 0xC1, 0x40})
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := wire.DecodeFPDU(b)
		if err != nil {
			require.ErrorIs(t, err, wire.ErrMPAIncomplete)
			return
		}
		again, err := wire.AppendFPDU(nil, d.ULPDU, true)
		require.NoError(t, err)
		require.Len(t, again, d.Octets)
		require.Equal(t, b[:2+len(d.ULPDU)], again[:2+len(d.ULPDU)])
	})
}
