package roce_test

import (
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/capture/roce"
)

var (
	a = netip.MustParseAddr("10.0.0.1")
	b = netip.MustParseAddr("10.0.0.2")
)

func octets(t testing.TB, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(text)
	require.NoError(t, err)
	return data
}

func TestTables(t *testing.T) {
	for _, table := range roce.Tables() {
		assert.NoError(t, table.Check())
	}
}

// Packets of the Linux soft-RoCE driver, header by header.
func TestDecodeRealPackets(t *testing.T) {
	value := func(v uint64) *uint64 { return &v }
	for _, c := range []struct {
		name, hex string
		want      roce.Packet
	}{
		{"FetchAdd", "1400ffff" + "00000064" + "805079cf" + "00007f54ed754008" + "000084ef" + "0000000000000003" + "0000000000000000" + "3ffe4ca7",
			roce.Packet{Opcode: roce.FetchAdd, DestQP: 0x64, PSN: 0x5079CF, AckReq: true,
				Atomic: &roce.AtomicETH{VA: 0x7F54ED754008, RKey: 0x84EF, SwapOrAdd: 3}}},
		{"Atomic Acknowledge", "1200ffff" + "00000067" + "005079cf" + "1f00000a" + "25a01f9a1994138e" + "b536784b",
			roce.Packet{Opcode: roce.AtomicAck, DestQP: 0x67, PSN: 0x5079CF,
				AETH: &roce.AETH{Value: 0x1F, MSN: 10}, AtomicAck: value(0x25A01F9A1994138E)}},
		{"CmpSwap of address 0x5646673c2000", "1300ffff" + "0000001a" + "80680920" + "00005646673c2000" + "00001816" + "0000000000000000" + "0000000000000000" + "7ad3c3b2",
			roce.Packet{Opcode: roce.CmpSwap, DestQP: 0x1A, PSN: 0x680920, AckReq: true, Atomic: &roce.AtomicETH{VA: 0x5646673C2000, RKey: 0x1816}}},
		{"NAK: remote access error", "1100ffff" + "0000005e" + "00521821" + "62000001" + "95bdcd8d",
			roce.Packet{Opcode: roce.Acknowledge, DestQP: 0x5E, PSN: 0x521821, AETH: &roce.AETH{Kind: roce.KindNAK, Value: 2, MSN: 1}}},
		{"Flush of a region", "1c00ffff" + "00000064" + "805079cc" + "00000011" + "0000000000000000" + "000084ef" + "00000000" + "951074eb",
			roce.Packet{Opcode: roce.Flush, DestQP: 0x64, PSN: 0x5079CC, AckReq: true,
				FETH: &roce.FETH{Selectivity: 1, Placement: 1}, RETH: &roce.RETH{RKey: 0x84EF}}},
		{"Send Only of 1 octet and 3 of pad, solicited", "04b0ffff" + "00000064" + "005079c6" + "77000000" + "43899c19",
			roce.Packet{Opcode: roce.SendOnly, DestQP: 0x64, PSN: 0x5079C6, SE: true, Payload: []byte{0x77}}},
		{"an opcode of the reliable datagram service", "4400ffff" + "00000064" + "005079c6" + "7711" + "43899c19",
			roce.Packet{Opcode: 0x44, DestQP: 0x64, PSN: 0x5079C6, Payload: []byte{0x77, 0x11}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := roce.Decode(octets(t, c.hex))
			require.NoError(t, err)
			if len(got.Payload) == 0 {
				got.Payload = nil
			}
			assert.Equal(t, c.want, got)
		})
	}
}

func TestOpcodeNames(t *testing.T) {
	for opcode, name := range map[roce.Opcode]string{
		0x00: "rc_send_first", 0x14: "rc_fetch_add", 0x1D: "rc_atomic_write", 0x2A: "uc_write_only", 0x64: "ud_send_only",
		0x15: "opcode_15", 0x2C: "opcode_2c", 0x44: "opcode_44", 0x66: "opcode_66", 0x81: "opcode_81", 0xFF: "opcode_ff",
	} {
		assert.Equal(t, name, opcode.String())
	}
}

func TestDecodeErrors(t *testing.T) {
	for _, c := range []struct{ hex, want string }{
		{"", "roce: packet, octets at octet 0: 0; allowed: at least 16"},
		{"1400ffff" + "00000064" + "805079cf" + "3ffe4c", "roce: packet, octets at octet 0: 15; allowed: at least 16"},
		{"1400ffff" + "00000064" + "805079cf" + "00007f54ed754008" + "3ffe4ca7", "roce: atomic_eth, octets at octet 12: 8; allowed: at least 28"},
		{"1401ffff" + "00000064" + "805079cf" + "3ffe4ca7", "roce: bth.tver at octet 1: 1; allowed: 0"},
		{"0430ffff" + "00000064" + "805079cf" + "7777" + "3ffe4ca7", "roce: bth.pad_count at octet 1: 3; allowed: 0..2, the octets that are left"},
		{"1200ffff" + "00000067" + "005079cf" + "1f00000a" + "25a01f9a" + "b536784b", "roce: atomic_ack_eth, octets at octet 16: 4; allowed: at least 8"},
	} {
		_, err := roce.Decode(octets(t, c.hex))
		assert.EqualError(t, err, c.want)
	}
}

// packet builds a packet with its ICRC field zero.
func packet(opcode roce.Opcode, qp, psn uint32, rest ...uint64) []byte {
	p := []byte{byte(opcode), 0, 0xFF, 0xFF}
	p = binary.BigEndian.AppendUint32(p, qp)
	p = binary.BigEndian.AppendUint32(p, psn)
	for _, v := range rest {
		p = binary.BigEndian.AppendUint64(p, v)
	}
	return append(p, 0, 0, 0, 0)
}

func fetchAdd(qp, psn uint32, va, add uint64) []byte {
	p := packet(roce.FetchAdd, qp, psn, va)
	p = binary.BigEndian.AppendUint32(p[:len(p)-4], 0x1234)
	p = binary.BigEndian.AppendUint64(p, add)
	return append(binary.BigEndian.AppendUint64(p, 0), 0, 0, 0, 0)
}

func response(qp, psn uint32, original uint64) []byte {
	p := packet(roce.AtomicAck, qp, psn)
	p = binary.BigEndian.AppendUint32(p[:len(p)-4], 0x1F000001)
	return append(binary.BigEndian.AppendUint64(p, original), 0, 0, 0, 0)
}

func nak(qp, psn uint32, code byte) []byte {
	p := packet(roce.Acknowledge, qp, psn)
	return append(p[:len(p)-4], 0x60|code, 0, 0, 1, 0, 0, 0, 0)
}

// The responder executes a request once, however often it arrives, and repeats its response.
func TestDuplicates(t *testing.T) {
	var x roce.Traffic
	x.Add(1, a, b, fetchAdd(7, 100, 0x1000, 1))
	x.Add(2, a, b, fetchAdd(7, 101, 0x1000, 2))
	x.Add(3, b, a, nak(9, 101, roce.NAKPSNSequence)) // requests 101 again, rejects nothing
	x.Add(4, a, b, fetchAdd(7, 101, 0x1000, 2))
	x.Add(5, b, a, response(9, 101, 11))
	x.Add(6, b, a, response(9, 100, 10))
	x.Add(7, a, b, fetchAdd(7, 100, 0x1000, 1))
	x.Add(8, b, a, response(9, 100, 10))
	require.Len(t, x.Atomics, 2)
	assert.Equal(t, roce.AtomicExchange{Opcode: roce.FetchAdd, Requester: a, Responder: b, QP: 7, PSN: 100, VA: 0x1000, RKey: 0x1234, SwapOrAdd: 1,
		Answered: true, Original: 10, RequestPacket: 1, ResponsePacket: 6, Duplicates: 1}, x.Atomics[0])
	assert.Equal(t, []any{uint64(11), 5, 1, false}, []any{x.Atomics[1].Original, x.Atomics[1].ResponsePacket, x.Atomics[1].Duplicates, x.Atomics[1].Refused})
}

// A PSN recurs after 2^24 packets; its request is then a new one.
func TestPSNWrap(t *testing.T) {
	var x roce.Traffic
	x.Add(1, a, b, fetchAdd(7, 0xFFFFFF, 0, 1))
	x.Add(2, a, b, fetchAdd(7, 0, 0, 2))
	x.Add(3, a, b, fetchAdd(7, 0xFFFFFF, 0, 1))
	for i, psn := range []uint32{0x7FFFFF, 0xFFFFFE} { // Sends in between
		x.Add(4+i, a, b, packet(roce.SendOnly, 7, psn))
	}
	x.Add(6, a, b, fetchAdd(7, 0xFFFFFF, 0, 3))
	require.Len(t, x.Atomics, 3)
	assert.Equal(t, 1, x.Atomics[0].Duplicates)
	assert.Equal(t, uint64(3), x.Atomics[2].SwapOrAdd)
}

// Two queue pairs between the same addresses use the same PSN; knowing the peer of one disambiguates the other.
func TestTwoQueuePairs(t *testing.T) {
	var x roce.Traffic
	x.Add(1, a, b, fetchAdd(7, 1, 0x70, 0))
	x.Add(2, b, a, response(70, 1, 700))
	x.Add(3, a, b, fetchAdd(8, 2, 0x80, 0))
	x.Add(4, a, b, fetchAdd(7, 2, 0x70, 0))
	x.Add(5, b, a, response(80, 2, 800)) // not of 7, which is known to respond to 70
	x.Add(6, b, a, response(70, 2, 701))
	x.Add(7, b, a, fetchAdd(70, 2, 0x90, 0)) // opposite direction, same numbers
	x.Add(8, a, b, nak(7, 2, 2))
	x.Add(9, b, a, response(80, 99, 1)) // without a request
	require.Len(t, x.Atomics, 4)
	for i, want := range []uint64{700, 800, 701} {
		assert.Equal(t, want, x.Atomics[i].Original, "exchange %d", i)
		assert.True(t, x.Atomics[i].Answered)
	}
	assert.True(t, x.Atomics[3].Refused)
	assert.Equal(t, uint8(2), x.Atomics[3].NAK)
}

func TestMalformedPacketsAreListed(t *testing.T) {
	var x roce.Traffic
	x.Add(3, a, b, []byte{1, 2, 3})
	require.Len(t, x.Malformed, 1)
	assert.Equal(t, 3, x.Malformed[0].Number)
	assert.ErrorContains(t, x.Malformed[0].Err, "at least 16")
	assert.Empty(t, x.Packets)
}

func FuzzTraffic(f *testing.F) {
	f.Add(fetchAdd(7, 1, 2, 3), response(7, 1, 4))
	f.Add(nak(1, 1, 2), packet(roce.Flush, 1, 1, 0, 0, 0))
	f.Add([]byte{}, packet(0xFF, 0, 0))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		var x roce.Traffic
		x.Add(1, a, b, first)
		x.Add(2, b, a, second)
		x.Add(3, a, b, second)
		require.Equal(t, 3, len(x.Packets)+len(x.Malformed))
		require.LessOrEqual(t, len(x.Atomics), 3)
		for _, e := range x.Atomics {
			require.False(t, e.Answered && e.Refused)
		}
	})
}
