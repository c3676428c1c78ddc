package capture_test

import (
	"bytes"
	"io"
	"net/netip"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/model/wire"
)

// frames splits a pcap into packets, build makes a pcap of packets.
func frames(t require.TestingT, data []byte) [][]byte {
	r, err := pcapgo.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	var list [][]byte
	for {
		frame, _, err := r.ReadPacketData()
		if err == io.EOF {
			return list
		}
		require.NoError(t, err)
		list = append(list, frame)
	}
}

func build(t require.TestingT, link layers.LinkType, list [][]byte) []byte {
	var b bytes.Buffer
	w := pcapgo.NewWriter(&b)
	require.NoError(t, w.WriteFileHeader(65535, link))
	for _, frame := range list {
		require.NoError(t, w.WritePacket(gopacket.CaptureInfo{CaptureLength: len(frame), Length: len(frame)}, frame))
	}
	return b.Bytes()
}

// change decodes a TCP packet, changes it and encodes it again.
func change(t require.TestingT, frame []byte, f func(*layers.IPv4, *layers.TCP) []byte) []byte {
	p := gopacket.NewPacket(frame, layers.LinkTypeEthernet, gopacket.Default)
	ethernet := p.Layer(layers.LayerTypeEthernet).(*layers.Ethernet)
	ip := p.Layer(layers.LayerTypeIPv4).(*layers.IPv4)
	tcp := p.Layer(layers.LayerTypeTCP).(*layers.TCP)
	payload := f(ip, tcp)
	require.NoError(t, tcp.SetNetworkLayerForChecksum(ip))
	b := gopacket.NewSerializeBuffer()
	require.NoError(t, gopacket.SerializeLayers(b, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}, ethernet, ip, tcp, gopacket.Payload(payload)))
	return b.Bytes()
}

func parse(t require.TestingT, list [][]byte) *capture.Capture {
	c, err := capture.Read("synthetic", bytes.NewReader(build(t, layers.LinkTypeEthernet, list)))
	require.NoError(t, err)
	return c
}

// The octets are the same whatever the network does to the packets after the handshake (reordering, duplication, resegmentation),
// and wherever the sequence numbers wrap.
func TestReassembly(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		conv := conversation(allKinds())
		conv.ClientISN = rapid.SampledFrom([]uint32{0, 1000, 0x7FFFF000, 0xFFFFFFFF, 0xFFFFFF00, 0xFFFFF800, 0xFFFFFFC0}).Draw(r, "client ISN")
		conv.ServerISN = rapid.SampledFrom([]uint32{0, 0xFFFFFFFF, 0xFFFFFF80}).Draw(r, "server ISN")
		var b bytes.Buffer
		require.NoError(r, capture.WriteIWARP(&b, []capture.Conversation{conv}))
		all := frames(r, b.Bytes())
		handshake, body := all[:3], all[3:len(all)-3]

		var sent [][]byte
		for _, frame := range body {
			cut := rapid.IntRange(0, 80).Draw(r, "cut")
			sent = append(sent, frame)
			if cut > 0 { // retransmitted in two overlapping parts: octets [0, cut+20) and [cut, end)
				sent = append(sent,
					change(r, frame, func(_ *layers.IPv4, tcp *layers.TCP) []byte {
						return tcp.Payload[:min(cut+20, len(tcp.Payload))]
					}),
					change(r, frame, func(_ *layers.IPv4, tcp *layers.TCP) []byte {
						n := min(cut, len(tcp.Payload))
						tcp.Seq += uint32(n)
						return tcp.Payload[n:]
					}))
			}
		}
		for i := range sent {
			k := min(len(sent)-1, i+rapid.IntRange(0, 6).Draw(r, "swap"))
			sent[i], sent[k] = sent[k], sent[i]
		}
		c := parse(r, append(append([][]byte{}, handshake...), sent...))
		require.Len(r, c.Streams, 1)
		s := c.Streams[0]
		require.Empty(r, s.ToServer.Gaps)
		require.Empty(r, s.ToClient.Gaps)
		check := func(d capture.Direction, toServer bool) {
			var want [][]byte
			for _, segment := range allKinds() {
				if segment.ToServer == toServer {
					want = append(want, segment.ULPDU)
				}
			}
			require.Len(r, d.FPDUs, len(want))
			for i, f := range d.FPDUs {
				require.True(r, bytes.Equal(want[i], f.ULPDU), "FPDU %d", i)
				require.True(r, f.CRCOK)
			}
			require.Empty(r, d.Trailing)
		}
		check(s.ToServer, true)
		check(s.ToClient, false)
	})
}

func sends(n int) []capture.Segment {
	var list []capture.Segment
	for i := range n {
		list = append(list, capture.Segment{ToServer: true, ULPDU: wire.AppendSend(nil, wire.OpSend, 0, uint32(i+1), 0, true, []byte{byte(i)})})
	}
	return list
}

// Packets 3 and 4 are the start-up frames, 5 the first FPDU; each Send's FPDU has 28 octets.
const firstFPDU = 5

func TestGap(t *testing.T) {
	all := frames(t, write(t, conversation(sends(10))))
	lost := append(append([][]byte{}, all[:firstFPDU+4]...), all[firstFPDU+6:]...)
	s := parse(t, lost).Streams[0]
	assert.Len(t, s.ToServer.FPDUs, 4, "nothing after the gap is guessed")
	assert.Equal(t, []capture.Gap{{Offset: 20 + 4*28, Octets: 2 * 28}}, s.ToServer.Gaps)
	assert.Equal(t, int64(4*28), s.ToServer.Skipped)
	assert.Equal(t, int64(20+4*28), s.ToServer.Octets)
	assert.Empty(t, s.ToServer.Trailing)
	assert.Equal(t, int64(4*28), parse(t, lost).Summary().Trailing)
}

func TestTrailing(t *testing.T) {
	all := frames(t, write(t, conversation(sends(3))))
	last := firstFPDU + 2
	all[last] = change(t, all[last], func(_ *layers.IPv4, tcp *layers.TCP) []byte { return tcp.Payload[:11] })
	s := parse(t, all[:last+1]).Streams[0]
	assert.Len(t, s.ToServer.FPDUs, 2)
	assert.Len(t, s.ToServer.Trailing, 11)
	assert.Empty(t, s.Note)
}

// Each FPDU is numbered by the packet that completes it: two FPDUs in one packet, one in two, one completed by a late packet.
func TestPacketNumbers(t *testing.T) {
	all := frames(t, write(t, conversation(sends(4))))
	all[firstFPDU+1], all[firstFPDU+2] = all[firstFPDU+2], all[firstFPDU+1]
	s := parse(t, all).Streams[0]
	var packets []int
	var offsets []int64
	for _, f := range s.ToServer.FPDUs {
		packets = append(packets, f.Packet)
		offsets = append(offsets, f.Offset)
	}
	assert.Equal(t, []int{6, 8, 8, 9}, packets, "numbers count from 1; the third FPDU arrived first, in packet 7")
	assert.Equal(t, []int64{20, 48, 76, 104}, offsets)
}

// A reused pair of ports is another connection, even after a reset.
func TestPortsUsedAgain(t *testing.T) {
	first := conversation(sends(2))
	second := conversation(sends(5))
	second.ClientISN, second.ServerISN = 77_000_000, 99
	one, two := frames(t, write(t, first)), frames(t, write(t, second))
	reset := change(t, one[len(one)-1], func(_ *layers.IPv4, tcp *layers.TCP) []byte {
		tcp.RST = true
		return nil
	})
	for name, list := range map[string][][]byte{
		"after FIN":   append(append([][]byte{}, one...), two...),
		"after RST":   append(append(append([][]byte{}, one[:len(one)-3]...), reset), two...),
		"after death": append(append([][]byte{}, one[:len(one)-3]...), two...),
	} {
		c := parse(t, list)
		require.Len(t, c.Streams, 2, name)
		assert.Len(t, c.Streams[0].ToServer.FPDUs, 2, name)
		assert.Len(t, c.Streams[1].ToServer.FPDUs, 5, name)
	}
	again := parse(t, append(append([][]byte{one[0]}, one...), one[0], one[1]))
	require.Len(t, again.Streams, 1, "a retransmitted SYN is the same connection")
	assert.Len(t, again.Streams[0].ToServer.FPDUs, 2)
}

// A capture that starts after the handshake, or with the server's packets.
func TestCaptureStartsLate(t *testing.T) {
	all := frames(t, write(t, conversation(sends(3))))
	for name, list := range map[string][][]byte{"no SYN": all[1:], "no SYN ACK": all[3:], "only the MPA frames": all[3 : len(all)-3]} {
		s := parse(t, list).Streams[0]
		assert.Equal(t, clientEnd, s.Client, name)
		assert.Equal(t, serverEnd, s.Server, name)
		assert.Len(t, s.ToServer.FPDUs, 3, name)
		assert.Equal(t, []capture.Gap{{Octets: -1}}, s.ToServer.Gaps, name)
	}
	assert.Equal(t, clientEnd, parse(t, all[1:3]).Streams[0].Client, "a SYN ACK comes from the server")

	s := parse(t, all[firstFPDU:]).Streams[0]
	assert.False(t, s.IsIWARP())
	assert.Equal(t, `no MPA Request Frame: mpa: request: key at octet 0 is 0 (0x0); allowed: 0x4D, of "MPA ID Req Frame"`, s.Note)
	assert.Empty(t, s.ToServer.FPDUs)
	assert.Len(t, s.ToServer.Trailing, 3*28)
	assert.Zero(t, parse(t, all[firstFPDU:]).Summary().Trailing, "not iWARP, so nothing is missing")

	s = parse(t, append(append([][]byte{}, all[:4]...), all[len(all)-3:]...)).Streams[0]
	assert.NotNil(t, s.Request)
	assert.Nil(t, s.Reply)
	assert.Contains(t, s.Note, "no MPA Reply Frame")
}

// Stray segments, 2 GiB away from the stream, are counted and skipped.
func TestStraySegments(t *testing.T) {
	all := frames(t, write(t, conversation(sends(3))))
	stray := func(seq uint32) []byte {
		return change(t, all[firstFPDU], func(_ *layers.IPv4, tcp *layers.TCP) []byte {
			tcp.Seq = seq
			return tcp.Payload
		})
	}
	s := parse(t, append([][]byte{all[0], stray(900), stray(1000 + 1<<31)}, all[1:]...)).Streams[0]
	assert.Len(t, s.ToServer.FPDUs, 3)
	assert.Equal(t, 2, s.ToServer.Ignored)
	assert.Empty(t, s.ToServer.Gaps)
}

// The TCP server may be the MPA initiator.
func TestServerInitiates(t *testing.T) {
	conv := conversation(sends(3))
	all := frames(t, write(t, conv))
	swap := func(frame []byte) []byte {
		return change(t, frame, func(ip *layers.IPv4, tcp *layers.TCP) []byte {
			switch {
			case tcp.SYN && !tcp.ACK:
				tcp.ACK = true
			case tcp.SYN:
				tcp.ACK = false
			}
			return tcp.Payload
		})
	}
	all[0], all[1] = swap(all[1]), swap(all[0])
	c := parse(t, all)
	require.Len(t, c.Streams, 1)
	assert.Equal(t, netip.AddrPort(clientEnd), c.Streams[0].Client, "the initiator, whichever end connected")
	assert.Len(t, c.Streams[0].ToServer.FPDUs, 3)
	assert.Empty(t, c.Streams[0].ToServer.Gaps)
}

func TestRejectedConnectionHasNoFPDUs(t *testing.T) {
	c, err := capture.Open("testdata/siw/siw612_mpaq02_c0_1.pcap")
	require.NoError(t, err)
	s := c.Streams[0]
	assert.True(t, s.Request.Markers)
	assert.True(t, s.Rejected())
	assert.Equal(t, "the responder rejected the connection", s.Note)
	assert.Empty(t, s.ToServer.FPDUs)
	assert.Empty(t, s.ToClient.FPDUs)
}

// Octets after a rejecting reply are not parsed as FPDUs, even if they look like some.
func TestNothingAfterReject(t *testing.T) {
	all := frames(t, write(t, conversation(sends(3))))
	const reply = 4
	all[reply] = change(t, all[reply], func(_ *layers.IPv4, tcp *layers.TCP) []byte {
		tcp.Payload[16] |= 0x20 // R
		return tcp.Payload
	})
	s := parse(t, all).Streams[0]
	assert.True(t, s.Rejected())
	assert.Empty(t, s.ToServer.FPDUs)
	assert.Len(t, s.ToServer.Trailing, 3*28)
}

// A Marker that does not point to its FPDU ends the direction, with a note.
func TestBrokenMarker(t *testing.T) {
	conv := conversation(sends(40))
	conv.Reply = wire.MPAStartup{Revision: 1, CRC: true, Markers: true}
	all := frames(t, write(t, conv))
	for i, frame := range all {
		all[i] = change(t, frame, func(_ *layers.IPv4, tcp *layers.TCP) []byte {
			if at := 20 + 1001 + 512 - int(tcp.Seq); tcp.DstPort == 5000 && at >= 0 && at+3 < len(tcp.Payload) {
				tcp.Payload[at+3] ^= 4
			}
			return tcp.Payload
		})
	}
	s := parse(t, all).Streams[0]
	assert.Contains(t, s.Note, "fpduptr")
	assert.Less(t, len(s.ToServer.FPDUs), 40)
	assert.NotEmpty(t, s.ToServer.Trailing)
}

// The same octets in other file formats and on other link layers.
func TestContainersAndLinks(t *testing.T) {
	want := sends(3)
	all := frames(t, write(t, conversation(want)))
	var ng bytes.Buffer
	w, err := pcapgo.NewNgWriter(&ng, layers.LinkTypeEthernet)
	require.NoError(t, err)
	raw, err := w.AddInterface(pcapgo.NgInterface{LinkType: layers.LinkTypeRaw, SnapLength: 65535})
	require.NoError(t, err)
	for i, frame := range all {
		info := gopacket.CaptureInfo{}
		if i%2 == 1 {
			frame, info.InterfaceIndex = frame[14:], raw
		}
		info.CaptureLength, info.Length = len(frame), len(frame)
		require.NoError(t, w.WritePacket(info, frame))
	}
	require.NoError(t, w.Flush())

	var ip, cooked, tagged, loopback [][]byte
	for _, frame := range all {
		ip = append(ip, frame[14:])
		cooked = append(cooked, append([]byte{0, 0, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0, 8, 0}, frame[14:]...))
		tagged = append(tagged, append(append(append([]byte{}, frame[:12]...), 0x81, 0, 0, 5), frame[12:]...))
		loopback = append(loopback, append([]byte{2, 0, 0, 0}, frame[14:]...))
	}
	swapped := build(t, layers.LinkTypeEthernet, all)
	swapWords(swapped, all)
	for name, data := range map[string][]byte{
		"pcapng with two link types": ng.Bytes(),
		"raw IP":                     build(t, layers.LinkTypeRaw, ip),
		"Linux cooked":               build(t, layers.LinkTypeLinuxSLL, cooked),
		"VLAN":                       build(t, layers.LinkTypeEthernet, tagged),
		"loopback":                   build(t, layers.LinkTypeNull, loopback),
		"big-endian pcap":            swapped,
	} {
		c, err := capture.Read(name, bytes.NewReader(data))
		require.NoError(t, err, name)
		require.Len(t, c.Streams, 1, name)
		assert.Equal(t, want, inOrder(c.Streams[0]), name)
		assert.Zero(t, c.Ignored, name)
	}
}

// swapWords reverses the octet order of the headers of a pcap.
func swapWords(data []byte, all [][]byte) {
	swap := func(at, n int) {
		for i := range n / 2 {
			data[at+i], data[at+n-1-i] = data[at+n-1-i], data[at+i]
		}
	}
	for _, f := range [][2]int{{0, 4}, {4, 2}, {6, 2}, {8, 4}, {12, 4}, {16, 4}, {20, 4}} {
		swap(f[0], f[1])
	}
	at := 24
	for _, frame := range all {
		for i := range 4 {
			swap(at+4*i, 4)
		}
		at += 16 + len(frame)
	}
}

// Packets that are neither TCP nor RoCE, or incomplete, are counted and ignored.
func TestIgnored(t *testing.T) {
	all := frames(t, write(t, conversation(sends(3))))
	arp := append(append([]byte{}, all[0][:12]...), 8, 6, 0, 1)
	fragment := change(t, all[5], func(ip *layers.IPv4, tcp *layers.TCP) []byte {
		ip.Flags = layers.IPv4MoreFragments
		return tcp.Payload
	})
	long := bytes.Clone(all[5])
	long[14+2] = 0x40 // IP total length
	c := parse(t, append(append([][]byte{arp, fragment, long, {}}, all...), []byte{1, 2, 3}))
	assert.Equal(t, 5, c.Ignored)
	assert.Equal(t, len(all)+5, c.Packets)
	assert.Len(t, c.Streams[0].ToServer.FPDUs, 3)
}
