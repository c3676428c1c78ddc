package capture

import (
	"fmt"
	"io"
	"net/netip"

	"github.com/gopacket/gopacket/layers"

	"github.com/rnicgen/rnicgen/model/wire"
)

// Conversation is one iWARP connection to be written.
type Conversation struct {
	Client, Server       netip.AddrPort  // initiator and responder, IPv4
	Request, Reply       wire.MPAStartup // Revision 0: revision 1 frames that request CRC
	Segments             []Segment       // in this order, both directions
	ClientISN, ServerISN uint32          // initial sequence numbers of TCP
}

// markers reports whether the FPDUs of a direction carry Markers: the receiver's start-up frame decides.
func (c *Conversation) markers(toServer bool) bool {
	if toServer {
		return c.Reply.Markers
	}
	return c.Request.Markers
}

// WriteIWARP writes the conversations, one after another, as a pcap of complete TCP connections: handshake, MPA
// start-up, one FPDU per segment (with CRC and Markers according to the start-up frames), FIN from both sides.
// The octets depend only on the arguments: times count microseconds from 2000-01-01.
func WriteIWARP(w io.Writer, conversations []Conversation) error {
	known := map[flow]bool{}
	for i := range conversations {
		if err := check(&conversations[i], known); err != nil {
			return fmt.Errorf("capture: conversation %d: %w", i, err)
		}
	}
	out, err := newPacketWriter(w)
	if err != nil {
		return err
	}
	for i := range conversations {
		if err := writeConversation(out, conversations[i]); err != nil {
			return fmt.Errorf("capture: conversation %d: %w", i, err)
		}
	}
	return nil
}

func check(c *Conversation, known map[flow]bool) error {
	for _, end := range []struct {
		name string
		addr netip.AddrPort
	}{{"client", c.Client}, {"server", c.Server}} {
		if !end.addr.Addr().Is4() || end.addr.Port() == 0 {
			return fmt.Errorf("%s is %v; allowed: an IPv4 address and a port from 1 on", end.name, end.addr)
		}
	}
	f := flow{c.Client, c.Server}
	if c.Client == c.Server || known[f] || known[f.reverse()] {
		return fmt.Errorf("client %v and server %v; allowed: two ends that no other conversation has", c.Client, c.Server)
	}
	known[f] = true
	if c.Reply.Reject && len(c.Segments) > 0 {
		return fmt.Errorf("%d segments after a rejecting reply; allowed: 0", len(c.Segments))
	}
	return nil
}

func writeConversation(out *packetWriter, c Conversation) error {
	if c.Request.Revision == 0 {
		c.Request = wire.MPAStartup{Revision: 1, CRC: true}
	}
	if c.Reply.Revision == 0 {
		c.Reply = wire.MPAStartup{Revision: 1, CRC: true}
	}
	c.Reply.Reply = true
	client, server := newEnds(c)
	t := &tcpWriter{out: out}

	t.send(client, server, layers.TCP{SYN: true}, nil)
	t.send(server, client, layers.TCP{SYN: true, ACK: true}, nil)
	t.send(client, server, layers.TCP{ACK: true}, nil)
	for _, frame := range []wire.MPAStartup{c.Request, c.Reply} {
		octets, err := wire.AppendMPAStartup(nil, frame)
		if err != nil {
			return err
		}
		from, to := client, server
		if frame.Reply {
			from, to = server, client
		}
		t.stream(from, to, octets)
	}
	crc := c.Request.CRC || c.Reply.CRC
	var sent [2]uint64 // FPDU octets of the two directions: positions for Markers
	for i, segment := range c.Segments {
		from, to, position := server, client, &sent[0]
		if segment.ToServer {
			from, to, position = client, server, &sent[1]
		}
		var fpdu []byte
		var err error
		if c.markers(segment.ToServer) {
			fpdu, err = wire.AppendMarkedFPDU(nil, segment.ULPDU, crc, *position)
		} else {
			fpdu, err = wire.AppendFPDU(nil, segment.ULPDU, crc)
		}
		if err != nil {
			return fmt.Errorf("segment %d: %w", i, err)
		}
		*position += uint64(len(fpdu))
		t.stream(from, to, fpdu)
	}
	t.send(client, server, layers.TCP{FIN: true, ACK: true}, nil)
	t.send(server, client, layers.TCP{FIN: true, ACK: true}, nil)
	t.send(client, server, layers.TCP{ACK: true}, nil)
	return t.err
}
