package capture_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gopacket/gopacket/layers"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/model/wire"
)

var (
	clientEnd = netip.MustParseAddrPort("192.0.2.1:40000")
	serverEnd = netip.MustParseAddrPort("192.0.2.2:5000")
)

// inOrder lists the DDP segments of both directions in the order in which the packets completed them.
func inOrder(s *capture.Stream) []capture.Segment {
	segments := make([]capture.Segment, 0, len(s.ToServer.FPDUs)+len(s.ToClient.FPDUs))
	a, b := s.ToServer.FPDUs, s.ToClient.FPDUs
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].Packet <= b[0].Packet {
			segments = append(segments, capture.Segment{ToServer: true, ULPDU: a[0].ULPDU})
			a = a[1:]
		} else {
			segments = append(segments, capture.Segment{ULPDU: b[0].ULPDU})
			b = b[1:]
		}
	}
	return segments
}

// allKinds returns messages of every kind, in both directions, short and long.
func allKinds() []capture.Segment {
	var list []capture.Segment
	add := func(toServer bool, ulpdu []byte) {
		list = append(list, capture.Segment{ToServer: toServer, ULPDU: ulpdu})
	}
	data := bytes.Repeat([]byte{0xC0, 0xDE, 0xD0}, 500)
	add(true, wire.AppendWrite(nil, 0x11223344, 0xFEDCBA9876543210, true, data[:1]))
	add(true, wire.AppendWrite(nil, 0x11223344, 0, false, data)) // longer than a TCP segment
	add(true, wire.AppendWrite(nil, 0, 0, true, nil))
	for msn, op := range []wire.Opcode{wire.OpSend, wire.OpSendInv, wire.OpSendSE, wire.OpSendSEInv} {
		invalidate := uint32(0)
		if m, _ := op.Operation(); m.InvalidateSTag {
			invalidate = 0xA1B2C3D4
		}
		add(true, wire.AppendSend(nil, op, invalidate, uint32(msn+1), 0, true, data[:40+msn]))
	}
	read := wire.ReadRequest{DataSinkSTag: 1, DataSinkTO: 2, ReadMessageSize: 3, DataSourceSTag: 4, DataSourceTO: 0xFFFFFFFFFFFFFFF8}
	add(true, wire.AppendReadRequest(nil, 1, read))
	add(false, wire.AppendReadResponse(nil, 1, 2, true, data[:3]))
	add(true, wire.AppendImmediate(nil, false, 5, 0x0123456789ABCDEF))
	add(true, wire.AppendImmediate(nil, true, 6, 0xFEDCBA9876543210))
	add(true, wire.AppendAtomicRequest(nil, 2, wire.NewFetchAdd(7, 0xDEADBE00, 0x1000, 0xFFFFFFFF00000001, 0x8000000080000000)))
	add(false, wire.AppendAtomicResponse(nil, 1, wire.AtomicResponse{OriginalRequestIdentifier: 7, OriginalRemoteDataValue: 0x8877665544332211}))
	add(true, wire.AppendAtomicRequest(nil, 3, wire.NewCmpSwap(8, 0xDEADBE00, 0x1008, 1, 2, 3, 4)))
	add(false, wire.AppendAtomicResponse(nil, 2, wire.AtomicResponse{OriginalRequestIdentifier: 8, OriginalRemoteDataValue: 0}))
	add(false, wire.AppendTerminate(nil, wire.Terminate{Code: wire.TerminateCode{Layer: wire.LayerRDMAP, EType: 1, Code: 0x01},
		LengthValid: true, HasDDP: true, HasRDMAP: true, DDPSegmentLength: 46, DDP: wire.UntaggedHeader(wire.OpReadRequest, 1, 0), ReadRequest: read}))
	for _, t := range []wire.Terminate{
		{Code: wire.TerminateCode{Layer: wire.LayerDDP, EType: 1, Code: 0x01}, LengthValid: true, HasDDP: true,
			DDPSegmentLength: 99, DDP: wire.TaggedHeader(wire.OpWrite, 0x11223344, 0x5566778899AABBCC, true)},
		{Code: wire.TerminateCode{Layer: wire.LayerDDP, EType: 2, Code: 0x05}, HasDDP: true, DDPSegmentLength: 46, DDP: wire.UntaggedHeader(wire.OpSend, 3, 4)},
		{Code: wire.TerminateCode{Layer: wire.LayerDDP}, LengthValid: true},
		{Code: wire.TerminateCode{Layer: wire.LayerLLP, Code: 0x02}},
		{Code: wire.TerminateCode{Layer: wire.LayerLLP, EType: 1, Code: 0x02}},
		{Code: wire.TerminateCode{Layer: wire.LayerRDMAP}},
	} {
		add(false, wire.AppendTerminate(nil, t))
	}
	return list
}

func conversation(segments []capture.Segment) capture.Conversation {
	return capture.Conversation{Client: clientEnd, Server: serverEnd, Segments: segments, ClientISN: 1000, ServerISN: 2000}
}

func write(t testing.TB, conversations ...capture.Conversation) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, capture.WriteIWARP(&b, conversations))
	return b.Bytes()
}

func read(t testing.TB, data []byte) *capture.Capture {
	t.Helper()
	c, err := capture.Read("written", bytes.NewReader(data))
	require.NoError(t, err)
	return c
}

// This package and tshark read a written capture back identically, and tshark has no warnings.
func TestWrittenCaptureIsReadByTshark(t *testing.T) {
	other := conversation(allKinds()[:9])
	other.Client = netip.MustParseAddrPort("192.0.2.3:40001")
	other.ClientISN, other.ServerISN = 0xFFFFFF00, 0xFFFFFFFF // wrap
	data := write(t, conversation(allKinds()), other)
	path := filepath.Join(t.TempDir(), "written.pcap")
	require.NoError(t, os.WriteFile(path, data, 0o644))

	c := read(t, data)
	require.Len(t, c.Streams, 2)
	assert.Equal(t, allKinds(), inOrder(c.Streams[0]))
	assert.Equal(t, allKinds()[:9], inOrder(c.Streams[1]))
	for _, s := range c.Streams {
		assert.True(t, s.CRC)
		assert.Empty(t, s.Note)
		for _, d := range []capture.Direction{s.ToServer, s.ToClient} {
			assert.Empty(t, d.Gaps)
			assert.Empty(t, d.Trailing)
			for _, f := range d.FPDUs {
				assert.True(t, f.CRCOK)
			}
		}
	}
	w := tshark(t, path)
	assert.Empty(t, w.experts, "tshark's warnings and errors")
	compare(t, c, w)
}

// A ULPDU of maximum length fills 45 TCP segments; tshark reassembles them.
func TestWrittenLongSegments(t *testing.T) {
	long := []capture.Segment{
		{ToServer: true, ULPDU: wire.AppendWrite(nil, 1, 0, true, bytes.Repeat([]byte{0x5A}, 65535-14))},
		{ToServer: false, ULPDU: wire.AppendReadResponse(nil, 1, 0, true, bytes.Repeat([]byte{0xA5}, 65535-14))},
		{ToServer: true, ULPDU: wire.AppendWrite(nil, 1, 65521, true, bytes.Repeat([]byte{0x3C}, 65535-14))},
	}
	data := write(t, conversation(long))
	path := filepath.Join(t.TempDir(), "long.pcap")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	c := read(t, data)
	assert.Equal(t, long, inOrder(c.Streams[0]))
	flight := map[uint16]uint32{} // octets in flight, by the sender's port
	for _, frame := range frames(t, data) {
		change(t, frame, func(_ *layers.IPv4, tcp *layers.TCP) []byte {
			flight[uint16(tcp.SrcPort)] += uint32(len(tcp.Payload))
			if tcp.ACK {
				flight[uint16(tcp.DstPort)] = 0
			}
			require.LessOrEqual(t, flight[uint16(tcp.SrcPort)], uint32(65535), "the window")
			return tcp.Payload
		})
	}
	w := tshark(t, path)
	assert.Empty(t, w.experts)
	compare(t, c, w)
}

// tshark finds and removes Markers independently, and checks the CRCs that cover them.
func TestWrittenMarkersAreReadByTshark(t *testing.T) {
	conv := conversation(nil)
	for i := range 60 {
		data := bytes.Repeat([]byte{byte(i)}, 37*i%400)
		conv.Segments = append(conv.Segments,
			capture.Segment{ToServer: i%3 != 0, ULPDU: wire.AppendSend(nil, wire.OpSend, 0, uint32(i), 0, true, data)})
	}
	conv.Request = wire.MPAStartup{Revision: 1, CRC: true, Markers: true}
	conv.Reply = wire.MPAStartup{Revision: 1, Markers: true}
	data := write(t, conv)
	path := filepath.Join(t.TempDir(), "markers.pcap")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	c := read(t, data)
	assert.Equal(t, conv.Segments, inOrder(c.Streams[0]))
	w := tshark(t, path)
	assert.Empty(t, w.experts)
	compare(t, c, w)

	// These FPDUs are shorter than 512 octets: a Marker, if any, is at the next multiple of 512.
	markers, due := 0, int64(0)
	for side, d := range []capture.Direction{c.Streams[0].ToServer, c.Streams[0].ToClient} {
		due += (d.Octets - 20 + 511) / 512
		for i, f := range d.FPDUs {
			if shown, ok := w.streams[0].fpdus[side][i]["iwarp_mpa.marker_fpduptr"]; ok {
				start := f.Offset - 20 // after the start-up frame
				assert.Equal(t, strconv.FormatInt((512-start%512)%512, 16), shown, "direction %d, FPDU %d", side, i)
				markers++
			}
		}
	}
	assert.Equal(t, due, int64(markers), "one Marker every 512 octets")
}

// The same arguments give the same octets: the hash changes only with the format.
func TestWrittenOctetsAreFixed(t *testing.T) {
	first, second := write(t, conversation(sends(3))), write(t, conversation(sends(3)))
	assert.Equal(t, first, second)
	sum := sha256.Sum256(first)
	assert.Equal(t, "f469cc62ab77614a", hex.EncodeToString(sum[:8]))
}

// Without CRC, with Markers both ways, with private data and revision 2: the reader follows the start-up frames.
func TestWrittenStartups(t *testing.T) {
	for _, c := range []struct {
		name           string
		request, reply wire.MPAStartup
		crc            bool
	}{
		{"no CRC", wire.MPAStartup{Revision: 1}, wire.MPAStartup{Revision: 1}, false},
		{"CRC requested by the request", wire.MPAStartup{Revision: 1, CRC: true}, wire.MPAStartup{Revision: 1}, true},
		{"CRC requested by the reply", wire.MPAStartup{Revision: 1}, wire.MPAStartup{Revision: 1, CRC: true}, true},
		{"Markers to the client", wire.MPAStartup{Revision: 1, Markers: true}, wire.MPAStartup{Revision: 1}, false},
		{"Markers to the server", wire.MPAStartup{Revision: 1, CRC: true}, wire.MPAStartup{Revision: 1, Markers: true}, true},
		{"Markers both ways, revision 2, private data",
			wire.MPAStartup{Revision: 2, Markers: true, CRC: true, Enhanced: true, Setup: wire.MPASetup{PeerToPeer: true, RTRRead: true, IRD: 4, ORD: 5}, PrivateData: []byte("hello")},
			wire.MPAStartup{Revision: 2, Markers: true, CRC: true, Enhanced: true, Setup: wire.MPASetup{PeerToPeer: true, RTRRead: true, IRD: 5, ORD: 4}, PrivateData: []byte{}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			conv := conversation(allKinds())
			conv.Request, conv.Reply = c.request, c.reply
			got := read(t, write(t, conv)).Streams[0]
			assert.Empty(t, got.Note)
			assert.Equal(t, allKinds(), inOrder(got))
			assert.Equal(t, c.crc, got.CRC)
			assert.Equal(t, c.reply.Markers, got.ToServer.Markers)
			assert.Equal(t, c.request.Markers, got.ToClient.Markers)
			assert.Equal(t, c.request.Setup, got.Request.Setup)
			assert.Equal(t, string(c.request.PrivateData), string(got.Request.PrivateData))
			assert.Empty(t, got.ToServer.Trailing)
			assert.Empty(t, got.ToClient.Trailing)
		})
	}
}

func TestWriteErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*capture.Conversation)
		want   string
	}{
		{"IPv6", func(c *capture.Conversation) { c.Client = netip.MustParseAddrPort("[2001:db8::1]:1") },
			"capture: conversation 0: client is [2001:db8::1]:1; allowed: an IPv4 address and a port from 1 on"},
		{"port 0", func(c *capture.Conversation) { c.Server = netip.MustParseAddrPort("192.0.2.1:0") },
			"capture: conversation 0: server is 192.0.2.1:0; allowed: an IPv4 address and a port from 1 on"},
		{"one end only", func(c *capture.Conversation) { c.Server = c.Client },
			"capture: conversation 0: client 192.0.2.1:40000 and server 192.0.2.1:40000; allowed: two ends that no other conversation has"},
		{"long ULPDU", func(c *capture.Conversation) { c.Segments = []capture.Segment{{ULPDU: make([]byte, 65536)}} },
			"capture: conversation 0: segment 0: mpa: FPDU: ulpdu_length at octet 0 is 65536 (0x10000); allowed: 0..65535"},
		{"revision", func(c *capture.Conversation) { c.Request.Revision = 3 },
			"capture: conversation 0: mpa: request: rev at octet 17 is 3 (0x3); allowed: 1, 2"},
		{"rejected, but in use", func(c *capture.Conversation) { c.Reply = wire.MPAStartup{Revision: 1, Reject: true} },
			"capture: conversation 0: 1 segments after a rejecting reply; allowed: 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			conv := conversation(allKinds()[:1])
			c.change(&conv)
			assert.EqualError(t, capture.WriteIWARP(&bytes.Buffer{}, []capture.Conversation{conv}), c.want)
		})
	}
	twice := []capture.Conversation{conversation(nil), conversation(nil)}
	assert.ErrorContains(t, capture.WriteIWARP(&bytes.Buffer{}, twice), "conversation 1: client")
	assert.ErrorIs(t, capture.WriteIWARP(failing{}, twice[:1]), os.ErrClosed)
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestWriteReadRoundTrip(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		conv := conversation(nil)
		conv.ClientISN, conv.ServerISN = rapid.Uint32().Draw(r, "client ISN"), rapid.Uint32().Draw(r, "server ISN")
		conv.Request = wire.MPAStartup{Revision: 1, CRC: rapid.Bool().Draw(r, "crc"), Markers: rapid.Bool().Draw(r, "request m")}
		conv.Reply = wire.MPAStartup{Revision: 1, Markers: rapid.Bool().Draw(r, "reply m")}
		for range rapid.IntRange(0, 12).Draw(r, "segments") {
			conv.Segments = append(conv.Segments, capture.Segment{
				ToServer: rapid.Bool().Draw(r, "to server"), ULPDU: rapid.SliceOfN(rapid.Byte(), 0, 4000).Draw(r, "ulpdu"),
			})
		}
		var b strings.Builder
		require.NoError(r, capture.WriteIWARP(&b, []capture.Conversation{conv}))
		c, err := capture.Read("written", strings.NewReader(b.String()))
		require.NoError(r, err)
		got := inOrder(c.Streams[0])
		require.Len(r, got, len(conv.Segments))
		for i := range got {
			require.Equal(r, conv.Segments[i].ToServer, got[i].ToServer)
			require.True(r, bytes.Equal(conv.Segments[i].ULPDU, got[i].ULPDU))
		}
	})
}
