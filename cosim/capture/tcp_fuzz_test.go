package capture_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/capture"
)

// Any TCP segments in any order, with any flags: each octet encodes its position in the stream, so the output must be correct
// from the start to the first gap. 8 octets of input make a segment.
func FuzzTCP(f *testing.F) {
	f.Add(uint32(0), []byte{0, 2, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 1, 0, 50, 0, 16, 0, 0, 0, 51, 0, 50})
	f.Add(uint32(0xFFFFFFE0), []byte{0, 16, 0, 0, 0, 20, 0, 200, 0, 2, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 1, 0, 50})
	f.Add(uint32(5), []byte{1, 18, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 9, 0, 4, 0, 0, 0, 9, 0, 9, 0, 16, 0x80, 0, 0, 0, 0, 9})
	f.Fuzz(func(t *testing.T, isn uint32, input []byte) {
		var list [][]byte
		for ; len(input) >= 8 && len(list) < 200; input = input[8:] {
			side, flags := int(input[0]&1), input[1]
			at := binary.BigEndian.Uint32(input[2:])
			payload := make([]byte, int(binary.BigEndian.Uint16(input[6:]))%1400)
			for i := range payload {
				payload[i] = byte((at + uint32(i)) * 151)
			}
			if flags&2 != 0 {
				if at != 0 { // another SYN is another connection
					continue
				}
				payload = nil
			}
			list = append(list, segment(t, side, isn+at, flags, payload))
		}
		c, err := capture.Read("fuzz", bytes.NewReader(build(t, layers.LinkTypeEthernet, list)))
		require.NoError(t, err)
		require.Equal(t, len(list), c.Packets)
		for _, s := range c.Streams {
			for _, d := range []capture.Direction{s.ToServer, s.ToClient} {
				for i, octet := range d.Trailing {
					if len(d.Gaps) == 0 || d.Gaps[0].Offset > 0 {
						require.Equal(t, byte((1+i)*151), octet, "octet %d", i) // octet 0 is the SYN's
					}
				}
			}
		}
	})
}

func segment(t *testing.T, side int, seq uint32, flags byte, payload []byte) []byte {
	ends := [2]layers.TCPPort{1000, 2000}
	addresses := [2][]byte{{192, 0, 2, 1}, {192, 0, 2, 2}}
	ip := &layers.IPv4{Version: 4, TTL: 64, Protocol: layers.IPProtocolTCP, SrcIP: addresses[side], DstIP: addresses[1-side]}
	tcp := &layers.TCP{SrcPort: ends[side], DstPort: ends[1-side], Seq: seq,
		FIN: flags&1 != 0, SYN: flags&2 != 0, RST: flags&4 != 0, PSH: flags&8 != 0, ACK: flags&16 != 0}
	require.NoError(t, tcp.SetNetworkLayerForChecksum(ip))
	b := gopacket.NewSerializeBuffer()
	require.NoError(t, gopacket.SerializeLayers(b, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true},
		&layers.Ethernet{SrcMAC: make([]byte, 6), DstMAC: make([]byte, 6), EthernetType: layers.EthernetTypeIPv4}, ip, tcp, gopacket.Payload(payload)))
	return b.Bytes()
}
