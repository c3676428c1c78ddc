package wire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rnicgen/rnicgen/model/wire"
)

const (
	requestKey = "4d50412049442052657120467261" + "6d65" // "MPA ID Req Frame"
	replyKey   = "4d50412049442052657020467261" + "6d65" // "MPA ID Rep Frame"
)

func TestMPATables(t *testing.T) {
	for _, table := range wire.MPATables() {
		assert.NoError(t, table.Check())
	}
}

// Frames sent by Linux, and hand-made frames that Linux never sends.
var startupFrames = []struct {
	name  string
	hex   string
	frame wire.MPAStartup
}{
	{"revision 1 request: Markers and CRC required", requestKey + "c0010000",
		wire.MPAStartup{Markers: true, CRC: true, Revision: 1}},
	{"revision 1 reply: rejected", replyKey + "60010000",
		wire.MPAStartup{Reply: true, CRC: true, Reject: true, Revision: 1}},
	{"revision 1 request with private data", requestKey + "4001001a" + "72746573742d636c69656e742d707269766174652d6461746100",
		wire.MPAStartup{CRC: true, Revision: 1, PrivateData: []byte("rtest-client-private-data\x00")}},
	{"revision 2 request: IRD 8, ORD 8", requestKey + "5002001e" + "00080008" + "72746573742d636c69656e742d707269766174652d6461746100",
		wire.MPAStartup{CRC: true, Enhanced: true, Revision: 2, Setup: wire.MPASetup{IRD: 8, ORD: 8},
			PrivateData: []byte("rtest-client-private-data\x00")}},
	{"revision 2 request: peer-to-peer, RTR by Read", requestKey + "50020004" + "80084008",
		wire.MPAStartup{CRC: true, Enhanced: true, Revision: 2, Setup: wire.MPASetup{PeerToPeer: true, RTRRead: true, IRD: 8, ORD: 8}}},
	{"revision 2 reply: all flags, largest IRD and ORD", replyKey + "f0020004" + "ffffffff",
		wire.MPAStartup{Reply: true, Markers: true, CRC: true, Reject: true, Enhanced: true, Revision: 2,
			Setup: wire.MPASetup{PeerToPeer: true, RTRSend: true, RTRWrite: true, RTRRead: true, IRD: 16383, ORD: 16383}}},
	{"revision 2 reply: RTR by Send or Write, different IRD and ORD", replyKey + "10020005" + "40018002" + "77",
		wire.MPAStartup{Reply: true, Enhanced: true, Revision: 2,
			Setup: wire.MPASetup{RTRSend: true, RTRWrite: true, IRD: 1, ORD: 2}, PrivateData: []byte{0x77}}},
}

func TestMPAStartup(t *testing.T) {
	for _, c := range startupFrames {
		t.Run(c.name, func(t *testing.T) {
			raw := octets(t, c.hex)
			got, n, err := wire.DecodeMPAStartup(append(raw, 0, 14, 0xC1), c.frame.Reply)
			require.NoError(t, err)
			assert.Equal(t, len(raw), n)
			if len(got.PrivateData) == 0 {
				got.PrivateData = nil
			}
			assert.Equal(t, c.frame, got)

			built, err := wire.AppendMPAStartup(nil, c.frame)
			require.NoError(t, err)
			assert.Equal(t, raw, built)

			for short := range raw {
				_, _, err := wire.DecodeMPAStartup(raw[:short], c.frame.Reply)
				require.ErrorIs(t, err, wire.ErrMPAIncomplete, "with %d octets", short)
			}
		})
	}
}

func TestMPAStartupIgnores(t *testing.T) {
	f, _, err := wire.DecodeMPAStartup(octets(t, requestKey+"3f010000"), false)
	require.NoError(t, err)
	assert.Equal(t, wire.MPAStartup{Revision: 1, PrivateData: []byte{}}, f, "R in a request, S in revision 1, reserved bits")
}

func TestMPAStartupErrors(t *testing.T) {
	for _, c := range []struct {
		hex   string
		reply bool
		want  string
	}{
		{replyKey + "40010000", false, `mpa: request: key at octet 9 is 112 (0x70); allowed: 0x71, of "MPA ID Req Frame"`},
		{requestKey + "40010000", true, `mpa: reply: key at octet 9 is 113 (0x71); allowed: 0x70, of "MPA ID Rep Frame"`},
		{"4d51", false, `mpa: request: key at octet 1 is 81 (0x51); allowed: 0x50, of "MPA ID Req Frame"`},
		{requestKey + "40000000", false, `mpa: request: rev at octet 17 is 0 (0x0); allowed: 1, 2`},
		{requestKey + "40030000", false, `mpa: request: rev at octet 17 is 3 (0x3); allowed: 1, 2`},
		{requestKey + "40010201", false, `mpa: request: pd_length at octet 18 is 513 (0x201); allowed: 0..512`},
		{requestKey + "50020003", false, `mpa: request: pd_length at octet 18 is 3 (0x3); allowed: 4..512, as S is set`},
		{requestKey + "40010002" + "00", false, `mpa: request: end of data at octet 21 is 21 (0x15); allowed: at least 22 octets`},
	} {
		_, _, err := wire.DecodeMPAStartup(octets(t, c.hex), c.reply)
		assert.EqualError(t, err, c.want)
	}
	for _, c := range []struct {
		frame wire.MPAStartup
		want  string
	}{
		{wire.MPAStartup{}, `mpa: request: rev at octet 17 is 0 (0x0); allowed: 1, 2`},
		{wire.MPAStartup{Revision: 1, Reject: true}, `mpa: request: r at octet 16 is 1 (0x1); allowed: 0 in a request`},
		{wire.MPAStartup{Revision: 1, Enhanced: true}, `mpa: request: s at octet 16 is 1 (0x1); allowed: 0 in revision 1`},
		{wire.MPAStartup{Revision: 2, Setup: wire.MPASetup{IRD: 1}}, `mpa: request: s at octet 16 is 0 (0x0); allowed: 1 with enhanced data`},
		{wire.MPAStartup{Revision: 2, Enhanced: true, Setup: wire.MPASetup{IRD: 16384}}, `mpa: request: ird at octet 20 is 16384 (0x4000); allowed: 0..16383`},
		{wire.MPAStartup{Revision: 2, Enhanced: true, Setup: wire.MPASetup{ORD: 16384}}, `mpa: request: ord at octet 22 is 16384 (0x4000); allowed: 0..16383`},
		{wire.MPAStartup{Revision: 2, Enhanced: true, Reply: true, PrivateData: make([]byte, 509)}, `mpa: reply: pd_length at octet 18 is 513 (0x201); allowed: 0..512, including the enhanced data`},
	} {
		b, err := wire.AppendMPAStartup([]byte{9}, c.frame)
		assert.EqualError(t, err, c.want)
		assert.Equal(t, []byte{9}, b, "nothing appended")
	}
}

func TestMPAStartupRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := wire.MPAStartup{
			Reply: rapid.Bool().Draw(t, "reply"), Markers: rapid.Bool().Draw(t, "m"), CRC: rapid.Bool().Draw(t, "c"),
			Revision:    rapid.Uint8Range(1, 2).Draw(t, "rev"),
			PrivateData: rapid.SliceOfN(rapid.Byte(), 0, 508).Draw(t, "private data"),
		}
		f.Reject = f.Reply && rapid.Bool().Draw(t, "r")
		if f.Revision == 2 && rapid.Bool().Draw(t, "s") {
			f.Enhanced = true
			f.Setup = wire.MPASetup{
				PeerToPeer: rapid.Bool().Draw(t, "a"), RTRSend: rapid.Bool().Draw(t, "b"),
				RTRWrite: rapid.Bool().Draw(t, "c"), RTRRead: rapid.Bool().Draw(t, "d"),
				IRD: rapid.Uint16Range(0, 16383).Draw(t, "ird"), ORD: rapid.Uint16Range(0, 16383).Draw(t, "ord"),
			}
		}
		b, err := wire.AppendMPAStartup(nil, f)
		require.NoError(t, err)
		got, n, err := wire.DecodeMPAStartup(b, f.Reply)
		require.NoError(t, err)
		require.Equal(t, len(b), n)
		require.Equal(t, f, got)
	})
}

func FuzzDecodeMPAStartup(f *testing.F) {
	for _, c := range startupFrames {
		f.Add(octets(f, c.hex), c.frame.Reply)
	}
	f.Add([]byte{}, false)
	f.Add([]byte("MPA ID R"), true)
	f.Fuzz(func(t *testing.T, b []byte, reply bool) {
		d, n, err := wire.DecodeMPAStartup(b, reply)
		if err != nil {
			var e *wire.MPAError
			require.ErrorAs(t, err, &e)
			require.Zero(t, n)
			return
		}
		again, err := wire.AppendMPAStartup(nil, d)
		require.NoError(t, err)
		require.Len(t, again, n)
		d2, _, err := wire.DecodeMPAStartup(again, reply)
		require.NoError(t, err)
		require.Equal(t, d, d2)
	})
}
