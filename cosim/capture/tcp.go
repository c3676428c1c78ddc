package capture

import (
	"encoding/binary"
	"net/netip"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/reassembly"
)

// flow is one direction of a connection.
type flow struct{ from, to netip.AddrPort }

func (f flow) reverse() flow { return flow{f.to, f.from} }

// connections puts TCP segments in order.
type connections struct {
	open      map[flow]*connection // by the client's direction, and by the server's
	all       []*connection        // in the order of their first packets
	assembler *reassembly.Assembler
	current   *connection // connection of the packet being processed
	packet    int         // its number
}

func newConnections() *connections {
	c := &connections{open: map[flow]*connection{}}
	c.assembler = reassembly.NewAssembler(reassembly.NewStreamPool(c))
	return c
}

// New is called by reassembly for the stream of a new pair of flows.
func (c *connections) New(_, _ gopacket.Flow, _ *layers.TCP, _ reassembly.AssemblerContext) reassembly.Stream {
	return c.current
}

// connection is one TCP connection; half 0 is the client's direction.
type connection struct {
	table        *connections
	id           uint32
	client       flow
	firstReverse bool // the first packet came from the server
	half         [2]half
}

// half is one direction, in order.
type half struct {
	known   bool
	base    uint32 // sequence number that counts as 0
	syn     bool   // the SYN was seen: base is the initial sequence number
	octets  []byte
	marks   []mark // the packets that completed the octets
	gaps    []Gap
	ignored int
}

// mark records the packet that completed the octets up to end.
type mark struct{ end, packet int }

// add takes the next TCP segment of the file.
func (c *connections) add(number int, from, to netip.AddrPort, tcp *layers.TCP, info gopacket.CaptureInfo) {
	f := flow{from, to}
	conn := c.open[f]
	opens := tcp.SYN && !tcp.ACK
	if conn == nil || opens && conn.replacedBy(f, tcp) {
		conn = &connection{table: c, id: uint32(len(c.all)), client: f}
		if tcp.SYN && tcp.ACK {
			conn.client = f.reverse()
			conn.firstReverse = true
		}
		c.all = append(c.all, conn)
		c.open[f], c.open[f.reverse()] = conn, conn
	}
	c.current, c.packet = conn, number
	// The addresses name the connection, so that a pair of ports may be used again.
	var ends [2][5]byte
	for i := range ends {
		binary.BigEndian.PutUint32(ends[i][:], conn.id)
		ends[i][4] = byte(i)
	}
	side := conn.side(f)
	net := gopacket.NewFlow(layers.EndpointIPv4, ends[side][:], ends[1-side][:])
	c.assembler.AssembleWithContext(net, tcp, &arrival{info})
}

// arrival is the context of a packet for reassembly.
type arrival struct{ info gopacket.CaptureInfo }

func (a *arrival) GetCaptureInfo() gopacket.CaptureInfo { return a.info }

// finish flushes octets that waited for missing ones.
func (c *connections) finish() { c.assembler.FlushAll() }

func (c *connection) side(f flow) int {
	if f == c.client {
		return 0
	}
	return 1
}

// replacedBy reports whether a SYN opens a new connection between the same ends, and is not a retransmission.
func (c *connection) replacedBy(f flow, tcp *layers.TCP) bool {
	h := &c.half[c.side(f)]
	return h.known && (!h.syn || h.base != tcp.Seq)
}

// window is the number of octets of a direction that are kept, and slack the distance by which a reordered
// packet may precede the first seen one.
const (
	window = 1 << 31
	slack  = 1 << 28
)

// Accept reports to reassembly whether a packet belongs to this connection. It also makes the sequence number
// relative to the start: reassembly's comparison across the wrap at 2^32 is off by one octet.
func (c *connection) Accept(tcp *layers.TCP, _ gopacket.CaptureInfo, dir reassembly.TCPFlowDirection,
	_ reassembly.Sequence, _ *bool, _ reassembly.AssemblerContext) bool {
	h := &c.half[c.index(dir)]
	if !h.known {
		h.known, h.syn, h.base = true, tcp.SYN, tcp.Seq
		if !tcp.SYN {
			h.base -= slack
		}
	}
	tcp.Seq -= h.base
	if tcp.Seq >= window {
		h.ignored++
		return false
	}
	return true
}

func (c *connection) index(dir reassembly.TCPFlowDirection) int {
	if (dir == reassembly.TCPDirClientToServer) != c.firstReverse {
		return 0
	}
	return 1
}

// ReassembledSG receives octets in order.
func (c *connection) ReassembledSG(sg reassembly.ScatterGather, _ reassembly.AssemblerContext) {
	dir, _, _, skip := sg.Info()
	n, _ := sg.Lengths()
	if n == 0 {
		return
	}
	h := &c.half[c.index(dir)]
	if skip != 0 {
		h.gaps = append(h.gaps, Gap{Offset: int64(len(h.octets)), Octets: int64(skip)})
	}
	h.octets = append(h.octets, sg.Fetch(n)...)
	h.marks = append(h.marks, mark{end: len(h.octets), packet: c.table.packet})
}

// ReassemblyComplete keeps a finished connection, so that late packets are still assigned to it.
func (c *connection) ReassemblyComplete(reassembly.AssemblerContext) bool { return false }
