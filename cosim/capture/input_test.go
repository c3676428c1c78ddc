package capture_test

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/capture"
)

func small(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/siw/siw612_raw01_badcrc.pcap")
	require.NoError(t, err)
	return data
}

// pcapng returns a pcapng file of one packet, with interface options as written by pcapgo.
func pcapng(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := pcapgo.NewNgWriter(&b, layers.LinkTypeEthernet)
	require.NoError(t, err)
	frame := frames(t, small(t))[3]
	require.NoError(t, w.WritePacket(gopacket.CaptureInfo{CaptureLength: len(frame), Length: len(frame)}, frame))
	require.NoError(t, w.Flush())
	return b.Bytes()
}

// For each kind of unusable input, the error is ErrInput and names the file, the octet, the problem and the allowed values.
func TestUnusableInput(t *testing.T) {
	patch := func(data []byte, at int, octets ...byte) []byte {
		data = bytes.Clone(data)
		copy(data[at:], octets)
		return data
	}
	pcap, ng := small(t), pcapng(t)
	packet := bytes.LastIndex(ng, []byte{6, 0, 0, 0}) // the enhanced packet block
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"empty", "octet 0: the file is empty; allowed: a pcap or pcapng file", nil},
		{"text", "octet 0: the first octets are 68 65 6c 6c; allowed: a pcap or pcapng file", []byte("hello, world")},
		{"compressed", "octet 0: the first octets are 1f 8b 08 00; allowed: a pcap or pcapng file", []byte{0x1F, 0x8B, 8, 0, 0, 0}},
		{"three octets of a magic number", "octet 0: the first octets are d4 c3 b2; allowed: a pcap or pcapng file", pcap[:3]},
		{"header cut", "octet 0: the file starts as a pcap, but is none: unexpected EOF; allowed: a pcap or pcapng file", pcap[:20]},
		{"version", "octet 0: the file starts as a pcap, but is none: Unknown major version 9; allowed: a pcap or pcapng file", patch(pcap, 4, 9)},
		{"record header cut", "octet 24: the file ends inside packet 1; allowed: whole packet records to the end of the file", pcap[:30]},
		{"record without packet", "octet 24: the file ends inside packet 1; allowed: whole packet records to the end of the file", pcap[:40]},
		{"packet cut", "octet 24: the file ends inside packet 1; allowed: whole packet records to the end of the file", pcap[:50]},
		{"last octet missing", "octet 1058: the file ends inside packet 12; allowed: whole packet records to the end of the file", pcap[:len(pcap)-1]},
		{"packet longer than the file", "octet 24: packet 1: capture length exceeds snap length: 2147483646 > 262144; allowed: whole packet records to the end of the file",
			patch(pcap, 32, 0xFE, 0xFF, 0xFF, 0x7F)},
		{"more captured than there was", "octet 24: packet 1: capture length exceeds original packet length: 74 > 1; allowed: whole packet records to the end of the file",
			patch(pcap, 36, 1, 0, 0, 0)},
		{"snap length", "octet 24: packet 1 was cut by the snap length: 74 of its 1500 octets are there; allowed: whole packets (tcpdump -s 0)",
			patch(pcap, 36, 0xDC, 5, 0, 0)},
		{"link type", "octet 24: packet 1 has link type 105; allowed: Ethernet (1), raw IP (12, 101, 228, 229), loopback (0, 108), Linux cooked (113, 276)",
			patch(pcap, 20, 105)},

		{"pcapng: section cut", "octet 0: the file ends inside a block, 6 octets of at least 12 are there; allowed: whole pcapng blocks to the end of the file", ng[:6]},
		{"pcapng: cut between blocks' ends", "octet 0: the file ends inside a block, 40 octets of 68 are there; allowed: whole pcapng blocks to the end of the file", ng[:40]},
		{"pcapng: packet cut", "the file ends inside a block", ng[:len(ng)-4]},
		{"pcapng: length", "octet 0: the block's length is 13, which is not a multiple of 4 from 12 on; allowed: whole pcapng blocks to the end of the file", patch(ng, 4, 13, 0, 0, 0)},
		{"pcapng: two lengths", "the block's two lengths differ: ", patch(ng, len(ng)-4, 0xFF)},
		{"pcapng: packet longer than its block", "the packet has 4294967295 octets, its block room for 88; allowed:", patch(ng, packet+20, 0xFF, 0xFF, 0xFF, 0xFF)},
		{"pcapng: snap length", "was cut by the snap length: 86 of its 2000 octets are there; allowed: whole packets (tcpdump -s 0)", patch(ng, packet+24, 0xD0, 7)},
		{"pcapng: unknown interface", "packet 1: Interface id 7 not present in section (have only 1 interfaces); allowed:", patch(ng, packet+8, 7)},
		{"pcapng: octet order", "octet 0: the file starts as a pcapng, but is none: Wrong byte order value in Section Header; allowed: a pcap or pcapng file", patch(ng, 8, 1, 2, 3, 4)},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := capture.Read("some.pcap", bytes.NewReader(c.data))
			require.ErrorIs(t, err, capture.ErrInput)
			assert.Contains(t, err.Error(), c.want)
			assert.True(t, strings.HasPrefix(err.Error(), "capture: some.pcap: octet "), err.Error())
			var e *capture.InputError
			require.ErrorAs(t, err, &e)
			assert.NotEmpty(t, e.Allowed)

			path := filepath.Join(t.TempDir(), "some.pcap")
			require.NoError(t, os.WriteFile(path, c.data, 0o644))
			_, err2 := capture.Open(path)
			require.Error(t, err2)
			assert.Equal(t, strings.Replace(err.Error(), "some.pcap", path, 1), err2.Error(), "Open reports the same")
		})
	}
}

func TestUnusablePath(t *testing.T) {
	_, err := capture.Open("testdata/none.pcap")
	require.ErrorIs(t, err, capture.ErrInput)
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.EqualError(t, err, "capture: testdata/none.pcap: octet 0: cannot be opened: stat testdata/none.pcap: no such file or directory; allowed: a readable pcap or pcapng file")
	_, err = capture.Open("testdata")
	require.ErrorIs(t, err, capture.ErrInput)
	assert.EqualError(t, err, "capture: testdata: octet 0: is a directory; allowed: a readable pcap or pcapng file")
	_, err = capture.Read("pipe", failingReader{})
	require.ErrorIs(t, err, capture.ErrInput)
	assert.ErrorIs(t, err, os.ErrClosed)
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, os.ErrClosed }

// A capture without packets is valid.
func TestNoPackets(t *testing.T) {
	c, err := capture.Read("none", bytes.NewReader(small(t)[:24]))
	require.NoError(t, err)
	assert.Equal(t, capture.Summary{Segments: counts{}, RoCEOperations: counts{}}, c.Summary())
}

// pcapgo's reader panics on a time resolution of 2^-64 seconds.
func TestImpossibleOption(t *testing.T) {
	block := func(kind uint32, body ...byte) []byte {
		b := binary.LittleEndian.AppendUint32(nil, kind)
		b = binary.LittleEndian.AppendUint32(b, uint32(12+len(body)))
		b = append(b, body...)
		return binary.LittleEndian.AppendUint32(b, uint32(12+len(body)))
	}
	section := block(0x0A0D0D0A, 0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255)
	device := block(1, 1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 1, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0)
	packet := block(6, make([]byte, 20)...)
	_, err := capture.Read("ng", bytes.NewReader(append(append(section, device...), packet...)))
	require.ErrorIs(t, err, capture.ErrInput)
	assert.Contains(t, err.Error(), "impossible option")
}

// Every prefix of a capture is either a valid capture or ErrInput.
func TestEveryPrefix(t *testing.T) {
	for _, data := range [][]byte{small(t), pcapng(t)} {
		for n := range data {
			if _, err := capture.Read("prefix", bytes.NewReader(data[:n])); err != nil {
				require.ErrorIs(t, err, capture.ErrInput)
			}
		}
	}
}

func TestTestdataIsDescribed(t *testing.T) {
	text, err := os.ReadFile("testdata/README.md")
	require.NoError(t, err)
	files, err := filepath.Glob("testdata/*/*.pcap")
	require.NoError(t, err)
	require.Len(t, files, 27)
	for _, file := range files {
		assert.Contains(t, string(text), "`"+strings.TrimSuffix(filepath.Base(file), ".pcap")+"`")
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"siw/siw612_raw01_badcrc", "siw/siw612_raw15_two_fpdus_one_segment", "siw/siw612_mpaq02_c0_1", "rxe/rxe612_nak08_faddkey_1"} {
		data, err := os.ReadFile("testdata/" + name + ".pcap")
		require.NoError(f, err)
		f.Add(data)
	}
	f.Add(pcapng(f))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := capture.Read("fuzz", bytes.NewReader(data))
		if err != nil {
			require.ErrorIs(t, err, capture.ErrInput)
			return
		}
		s := c.Summary()
		require.LessOrEqual(t, s.Ignored, s.Packets)
		n := 0
		for _, stream := range c.Streams {
			n += len(inOrder(stream))
		}
		require.Equal(t, s.FPDUs, n)
	})
}
