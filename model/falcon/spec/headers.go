package spec

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/wire"
)

// BitOrder selects the meaning of the bit numbers in the figures, which the specification does not state (I-24).
type BitOrder uint8

const (
	// Drawn: the leftmost bit is the most significant one of the first octet, as in the figures of FTP 7.7 and 7.8.
	Drawn BitOrder = iota
	// Mirrored: bit number i is the bit of weight 2^i of a big-endian 32-bit word. Opcode, SE, Pad and the 24-bit numbers
	// then lie where InfiniBand has them.
	Mirrored
	bitOrders
)

// String returns the name of the setting.
func (o BitOrder) String() string {
	switch o {
	case Drawn:
		return "drawn"
	case Mirrored:
		return "mirrored"
	}
	return fmt.Sprintf("bit_order(%d)", uint8(o))
}

// Header names one header.
type Header uint8

const (
	RBTH         Header = iota // RDMA Base Transport Header; without AckReq, for which the figure has no place (I-23)
	RETH                       // RDMA Extended Transport Header
	SETH                       // Sequence Number Extended Transport Header
	OETH                       // Offset Extended Transport Header
	STETH                      // Sink Tag Extended Transport Header
	ImmDt                      // Immediate Extended Transport Header
	AtomicETH                  // Atomic Extended Transport Header
	AtomicAckETH               // Atomic Acknowledgement Extended Transport Header
	IETH                       // Invalidate Extended Transport Header
	XRCETH                     // XRC Extended Transport Header
	DETH                       // Datagram Extended Transport Header
	headers
)

// Version is the value of the version field of RBTH.
const Version = 1

const reserved = "zero on transmit, ignored on receive"

// drawn has the layouts as the figures show them.
var drawn = [headers]*wire.Table{
	RBTH: {Name: "rbth", Title: "RDMA Base Transport Header", Section: "RoF 8.2", Octets: 12, Fields: []wire.Field{
		{Name: "version", Offset: 0, Width: 4, Doc: "version of the protocol, 1"},
		{Name: "reserved_low", Offset: 4, Width: 15, Reserved: true, Doc: reserved},
		{Name: "ce", Offset: 19, Width: 1, Doc: "Complete-in-Error: the message ends in error; in the Last or Only packet"},
		{Name: "pad", Offset: 20, Width: 2, Doc: "octets of zero after the payload, to a multiple of 4 (I-71)"},
		{Name: "r", Offset: 22, Width: 1, Reserved: true, Doc: reserved},
		{Name: "se", Offset: 23, Width: 1, Doc: "Solicited Event"},
		{Name: "opcode", Offset: 24, Width: 8, Doc: "service and operation"},
		{Name: "destination_qp", Offset: 32, Width: 24, Doc: "number of the receiving QP"},
		{Name: "reserved_high", Offset: 56, Width: 8, Reserved: true, Doc: reserved},
		{Name: "sn", Offset: 64, Width: 32, Doc: "Sequence Number of the connection's requests in one direction, from 1; a response has that of its request"},
	}},
	RETH: {Name: "reth", Title: "RDMA Extended Transport Header", Section: "RoF 8.3.1", Octets: 16, Fields: []wire.Field{
		{Name: "va", Offset: 0, Width: 64, Doc: "virtual address of the first octet at the target"},
		{Name: "r_key", Offset: 64, Width: 32, Doc: "key of the region at the target"},
		{Name: "length", Offset: 96, Width: 32, Doc: "octets of this transaction (I-27)"},
	}},
	SETH: {Name: "seth", Title: "Sequence Number Extended Transport Header", Section: "RoF 8.3.2", Octets: 4, Fields: []wire.Field{
		{Name: "rmsn", Offset: 0, Width: 32, Doc: "Request Message Sequence Number of the QP, from 1: messages that take a receive, and pull requests, are counted apart"},
	}},
	OETH: {Name: "oeth", Title: "Offset Extended Transport Header", Section: "RoF 8.3.3", Octets: 4, Fields: []wire.Field{
		{Name: "message_offset", Offset: 0, Width: 32, Doc: "offset in octets of the payload in the message"},
	}},
	STETH: {Name: "steth", Title: "Sink Tag Extended Transport Header", Section: "RoF 8.3.4", Octets: 12, Fields: []wire.Field{
		{Name: "va", Offset: 0, Width: 64, Doc: "virtual address of the first octet at the initiator"},
		{Name: "l_key", Offset: 64, Width: 32, Doc: "key of the region at the initiator"},
	}},
	ImmDt: {Name: "immdt", Title: "Immediate Extended Transport Header", Section: "RoF 8.3.5", Octets: 4, Fields: []wire.Field{
		{Name: "immediate_data", Offset: 0, Width: 32, Doc: "data for the completion at the target"},
	}},
	AtomicETH: {Name: "atomic_eth", Title: "Atomic Extended Transport Header", Section: "RoF 8.3.6", Octets: 28, Fields: []wire.Field{
		{Name: "va", Offset: 0, Width: 64, Doc: "virtual address of the 8 octets at the target; aligned (I-25)"},
		{Name: "r_key", Offset: 64, Width: 32, Doc: "key of the region at the target"},
		{Name: "swap_add_data", Offset: 96, Width: 64, Doc: "Swap Data of CmpSwap, Add Data of FetchAdd"},
		{Name: "compare_data", Offset: 160, Width: 64, Doc: "Compare Data of CmpSwap"},
	}},
	AtomicAckETH: {Name: "atomic_ack_eth", Title: "Atomic Acknowledgement Extended Transport Header", Section: "RoF 8.3.7", Octets: 8, Fields: []wire.Field{
		{Name: "original_data", Offset: 0, Width: 64, Doc: "the word before the operation"},
	}},
	IETH: {Name: "ieth", Title: "Invalidate Extended Transport Header", Section: "RoF 8.3.8", Octets: 4, Fields: []wire.Field{
		{Name: "r_key", Offset: 0, Width: 32, Doc: "key that the target invalidates"},
	}},
	XRCETH: {Name: "xrceth", Title: "XRC Extended Transport Header", Section: "RoF 8.3.9", Octets: 4, Fields: []wire.Field{
		{Name: "xrc_srq", Offset: 0, Width: 24, Doc: "number of the shared receive queue at the target"},
		{Name: "reserved", Offset: 24, Width: 8, Reserved: true, Doc: reserved},
	}},
	DETH: {Name: "deth", Title: "Datagram Extended Transport Header", Section: "RoF 8.3.10", Octets: 8, Fields: []wire.Field{
		{Name: "queue_key", Offset: 0, Width: 32, Doc: "Q_Key of the receiving QP"},
		{Name: "source_qp", Offset: 32, Width: 24, Doc: "number of the sending QP"},
		{Name: "reserved", Offset: 56, Width: 8, Reserved: true, Doc: reserved},
	}},
}

var mirrored = func() (list [headers]*wire.Table) {
	for h, t := range drawn {
		list[h] = mirror(t)
	}
	return list
}()

// mirror numbers the bits of each 32-bit word from the other end. A field of 32 or 64 bits stays where it is. The word
// that a field begins in contains it, or the field consists of whole words.
func mirror(t *wire.Table) *wire.Table {
	m := *t
	m.Fields = nil
	for word := 0; word < 8*t.Octets; word += 32 {
		for i := len(t.Fields) - 1; i >= 0; i-- { // from the right
			f := t.Fields[i]
			if f.Offset < word || f.Offset >= word+32 {
				continue
			}
			if f.Width < 32 {
				f.Offset = word + 32 - (f.Offset - word) - f.Width
			}
			m.Fields = append(m.Fields, f)
		}
	}
	return &m
}

// Table returns the layout in a bit order.
func (h Header) Table(o BitOrder) *wire.Table {
	if o == Mirrored {
		return mirrored[h]
	}
	return drawn[h]
}

// Octets is the length of the header.
func (h Header) Octets() int { return drawn[h].Octets }

// String returns the snake-case name.
func (h Header) String() string { return drawn[h].Name }

// Tables returns the layouts of all headers in a bit order.
func Tables(o BitOrder) (list []*wire.Table) {
	for h := range headers {
		list = append(list, h.Table(o))
	}
	return list
}
