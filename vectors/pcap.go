package vectors

import (
	"bytes"
	"fmt"
	"net/netip"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Addresses of the capture: the client is 10.0.0.0 plus the tcId, its port the first dynamic one plus the stream.
const (
	firstClientPort = 49152 // and 16384 streams end at 65535
	serverPort      = 7306
)

var server = netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, 1}), serverPort)

// captureOf writes the segments of every test as iWARP, from the peer to the responder, one TCP connection for each
// of its streams. A test that uses another port is not in it: no wire shows a reset. captured counts the tests.
func captureOf(s *suite.Suite) (pcap []byte, captured int, err error) {
	var conversations []capture.Conversation
	s.Each(func(_ *suite.Group, t *suite.Test) {
		if of, ok := conversationsOf(t); ok {
			conversations = append(conversations, of...)
			captured++
		}
	})
	var b bytes.Buffer
	if err := capture.WriteIWARP(&b, conversations); err != nil {
		return nil, 0, fmt.Errorf("vectors: %w", err)
	}
	return b.Bytes(), captured, nil
}

func conversationsOf(t *suite.Test) (out []capture.Conversation, ok bool) {
	at := map[uint32]int{} // conversation of each stream
	for _, in := range t.Input {
		if in.Port != suite.PortRx {
			return nil, false
		}
		if _, known := at[in.Stream]; !known {
			at[in.Stream] = len(out)
			address := netip.AddrFrom4([4]byte{10, byte(t.TcID >> 16), byte(t.TcID >> 8), byte(t.TcID)})
			out = append(out, capture.Conversation{Client: netip.AddrPortFrom(address, uint16(firstClientPort+in.Stream)), Server: server})
		}
		c := &out[at[in.Stream]]
		c.Segments = append(c.Segments, capture.Segment{ToServer: true, ULPDU: in.Hex})
	}
	return out, true
}
