package capture

import (
	"io"
	"net"
	"net/netip"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// Sizes of the written TCP connections: an Ethernet with an MTU of 1500, and acknowledgements frequent
// enough that no window fills.
const (
	segmentOctets = 1460
	windowOctets  = 65535
	ackOctets     = windowOctets / 2
)

// packetWriter writes Ethernet packets with their times.
type packetWriter struct {
	pcap   *pcapgo.Writer
	now    time.Time
	number uint16
}

func newPacketWriter(w io.Writer) (*packetWriter, error) {
	pcap := pcapgo.NewWriter(w)
	if err := pcap.WriteFileHeader(windowOctets, layers.LinkTypeEthernet); err != nil {
		return nil, err
	}
	return &packetWriter{pcap: pcap, now: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)}, nil
}

// end is one end of a TCP connection.
type end struct {
	addr    netip.AddrPort
	mac     net.HardwareAddr
	seq     uint32 // of the next octet to send
	unacked int    // octets sent that the other end has not acknowledged
}

func newEnds(c Conversation) (client, server *end) {
	return &end{addr: c.Client, mac: net.HardwareAddr{2, 0, 0, 0, 0, 1}, seq: c.ClientISN},
		&end{addr: c.Server, mac: net.HardwareAddr{2, 0, 0, 0, 0, 2}, seq: c.ServerISN}
}

// tcpWriter keeps the first error, so that errors need not be checked after each packet.
type tcpWriter struct {
	out *packetWriter
	err error
}

// stream sends octets in segments.
func (t *tcpWriter) stream(from, to *end, octets []byte) {
	for len(octets) > 0 {
		n := min(segmentOctets, len(octets))
		t.send(from, to, layers.TCP{ACK: true, PSH: n == len(octets)}, octets[:n])
		octets = octets[n:]
		if from.unacked > ackOctets {
			t.send(to, from, layers.TCP{ACK: true}, nil)
		}
	}
}

// send sends one TCP segment with the flags of header.
func (t *tcpWriter) send(from, to *end, header layers.TCP, payload []byte) {
	if t.err != nil {
		return
	}
	header.SrcPort, header.DstPort = layers.TCPPort(from.addr.Port()), layers.TCPPort(to.addr.Port())
	header.Seq, header.Window = from.seq, windowOctets
	if header.ACK {
		header.Ack = to.seq
		to.unacked = 0
	}
	if header.SYN {
		header.Options = []layers.TCPOption{{OptionType: layers.TCPOptionKindMSS, OptionLength: 4, OptionData: []byte{segmentOctets >> 8, segmentOctets & 0xFF}}}
	}
	from.seq += uint32(len(payload))
	from.unacked += len(payload)
	if header.SYN || header.FIN {
		from.seq++
	}
	ip := layers.IPv4{
		Version: 4, TTL: 64, Protocol: layers.IPProtocolTCP, Flags: layers.IPv4DontFragment, Id: t.out.number,
		SrcIP: from.addr.Addr().AsSlice(), DstIP: to.addr.Addr().AsSlice(),
	}
	if t.err = header.SetNetworkLayerForChecksum(&ip); t.err != nil {
		return
	}
	buffer := gopacket.NewSerializeBuffer()
	options := gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}
	ethernet := layers.Ethernet{SrcMAC: from.mac, DstMAC: to.mac, EthernetType: layers.EthernetTypeIPv4}
	if t.err = gopacket.SerializeLayers(buffer, options, &ethernet, &ip, &header, gopacket.Payload(payload)); t.err != nil {
		return
	}
	t.err = t.out.write(buffer.Bytes())
}

func (w *packetWriter) write(octets []byte) error {
	info := gopacket.CaptureInfo{Timestamp: w.now, CaptureLength: len(octets), Length: len(octets)}
	w.now = w.now.Add(time.Microsecond)
	w.number++
	return w.pcap.WritePacket(info, octets)
}
