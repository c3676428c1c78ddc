package capture

import (
	"errors"
	"net/netip"
	"sort"

	"github.com/rnicgen/rnicgen/model/wire"
)

// Stream is one TCP connection, and the MPA connection in it when there is one.
type Stream struct {
	Client, Server netip.AddrPort   // MPA initiator and responder; without MPA the ends that connected and listened
	Request, Reply *wire.MPAStartup // nil: absent
	CRC            bool             // CRC32c is in use: requested by either start-up frame
	Note           string           // why there are no FPDUs, or no more; usually empty
	ToServer       Direction
	ToClient       Direction
}

// Direction is one direction of a Stream.
type Direction struct {
	Octets   int64  // of TCP payload, in order, to the end or the first gap
	Markers  bool   // FPDUs carry Markers, which are removed
	FPDUs    []FPDU // in stream order
	Trailing []byte // the octets after the last FPDU: a truncated FPDU, or not MPA at all
	Gaps     []Gap  // missing octets; nothing after the first gap is decoded
	Skipped  int64  // octets after the first gap
	Ignored  int    // TCP segments too far from the others (2 GiB) to belong to the direction
}

// FPDU is one FPDU of a direction.
type FPDU struct {
	Offset int64  // of its first octet in the direction's TCP payload
	ULPDU  []byte // the DDP segment, Markers removed
	CRCOK  bool   // the CRC is correct; also true if Stream.CRC is not set, since it is then unused
	Packet int    // number of the packet that completed it; the last of the file if the capture has no SYN
}

// Gap is a hole in a direction.
type Gap struct {
	Offset int64 // in the direction's TCP payload
	Octets int64 // -1: unknown, the capture starts in the middle of the connection
}

// Rejected reports whether the responder rejected the connection.
func (s *Stream) Rejected() bool { return s.Reply != nil && s.Reply.Reject }

// IsIWARP reports whether both start-up frames are present.
func (s *Stream) IsIWARP() bool { return s.Request != nil && s.Reply != nil }

// Segment is a DDP segment with its direction.
type Segment struct {
	ToServer bool
	ULPDU    []byte
}

func newStream(c *connection) *Stream {
	s := &Stream{Client: c.client.from, Server: c.client.to}
	toServer, toClient := &c.half[0], &c.half[1]
	if _, _, err := wire.DecodeMPAStartup(toClient.contiguous(), false); err == nil { // connected by the responder
		toServer, toClient = toClient, toServer
		s.Client, s.Server = s.Server, s.Client
	}
	from, back := s.startup(toServer.contiguous(), toClient.contiguous())
	s.ToServer = s.direction(toServer, from, s.Reply)
	s.ToClient = s.direction(toClient, back, s.Request)
	return s
}

// startup decodes the two start-up frames and returns where the FPDUs start.
func (s *Stream) startup(toServer, toClient []byte) (from, back int) {
	request, from, err := wire.DecodeMPAStartup(toServer, false)
	if err != nil {
		s.Note = "no MPA Request Frame: " + err.Error()
		return 0, 0
	}
	s.Request = &request
	reply, back, err := wire.DecodeMPAStartup(toClient, true)
	if err != nil {
		s.Note = "no MPA Reply Frame: " + err.Error()
		return from, 0
	}
	s.Reply = &reply
	s.CRC = request.CRC || reply.CRC
	if reply.Reject {
		s.Note = "the responder rejected the connection"
	}
	return from, back
}

// direction splits the octets after a start-up frame into FPDUs; peer is the start-up frame of the receiver,
// which decides about Markers.
func (s *Stream) direction(h *half, start int, peer *wire.MPAStartup) Direction {
	octets := h.contiguous()
	d := Direction{
		Octets: int64(len(octets)), Gaps: h.gaps, Ignored: h.ignored,
		Skipped: int64(len(h.octets) - len(octets)), Trailing: octets[start:],
	}
	if !s.IsIWARP() || s.Rejected() {
		return d
	}
	d.Markers = peer.Markers
	for at := start; at < len(octets); {
		var f wire.FPDU
		var err error
		if d.Markers {
			f, err = wire.DecodeMarkedFPDU(octets[at:], uint64(at-start), nil)
		} else {
			f, err = wire.DecodeFPDU(octets[at:])
		}
		if err != nil {
			if !errors.Is(err, wire.ErrMPAIncomplete) && s.Note == "" {
				s.Note = err.Error()
			}
			break
		}
		at += f.Octets
		d.FPDUs = append(d.FPDUs, FPDU{
			Offset: int64(at - f.Octets), ULPDU: f.ULPDU, CRCOK: !s.CRC || f.CRCOK(), Packet: h.packet(at),
		})
		d.Trailing = octets[at:]
	}
	return d
}

// contiguous returns the octets before the first gap. A gap at the start is only a missing SYN.
func (h *half) contiguous() []byte {
	for _, g := range h.gaps {
		if g.Offset > 0 {
			return h.octets[:g.Offset]
		}
	}
	return h.octets
}

// packet returns the number of the packet that completed the octets up to end.
func (h *half) packet(end int) int {
	i := sort.Search(len(h.marks), func(i int) bool { return h.marks[i].end >= end })
	return h.marks[i].packet
}
