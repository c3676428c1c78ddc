package roce

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/wire"
)

// Port is the UDP port of RoCE v2.
const Port = 4791

// icrcOctets is the length of the invariant CRC after every packet. It is not checked: it also covers header
// fields that a router may change, and the Linux soft-RoCE driver computes that of FLUSH differently.
const icrcOctets = 4

// Packet is one decoded RoCE v2 packet. The extended headers that its opcode does not have are nil.
type Packet struct {
	Opcode Opcode
	DestQP uint32 // 24 bits
	PSN    uint32 // 24 bits
	AckReq bool
	SE     bool

	DETH      *DETH
	FETH      *FETH
	RETH      *RETH
	Atomic    *AtomicETH
	AETH      *AETH
	AtomicAck *uint64 // original remote data
	Immediate *uint32
	InvRKey   *uint32

	Payload []byte // without pad and ICRC
}

// DETH is the Datagram Extended Transport Header.
type DETH struct{ QKey, SourceQP uint32 }

// FETH is the Flush Extended Transport Header.
type FETH struct {
	Selectivity uint8 // 0 range, 1 memory region
	Placement   uint8 // bit 0 global visibility, bit 1 persistence
}

// RETH is the RDMA Extended Transport Header.
type RETH struct {
	VA           uint64
	RKey, Length uint32
}

// AtomicETH is the Atomic Extended Transport Header.
type AtomicETH struct {
	VA                 uint64
	RKey               uint32
	SwapOrAdd, Compare uint64
}

// AETH is the ACK Extended Transport Header.
type AETH struct {
	Kind  uint8 // 0 ACK, 1 RNR NAK, 3 NAK
	Value uint8 // credits, timer or NAK code
	MSN   uint32
}

// AETH kinds, and the NAK code that does not reject a request but requests retransmission.
const (
	KindNAK        = 3
	NAKPSNSequence = 0
)

// Error reports the header of a packet that is invalid.
type Error struct {
	Header  string
	Offset  int // octet of the UDP payload
	Value   uint64
	Allowed string
}

// Error names header, offset, value and the allowed values.
func (e *Error) Error() string {
	return fmt.Sprintf("roce: %s at octet %d: %d; allowed: %s", e.Header, e.Offset, e.Value, e.Allowed)
}

// reader decodes headers one after the other; the first invalid one is the error.
type reader struct {
	all  []byte
	at   int
	head []byte // the header taken last; zeros after an error
	err  error
}

func (r *reader) take(t *wire.Table) *reader {
	r.head = nil
	if left := len(r.all) - r.at; r.err == nil && left < t.Octets {
		r.err = &Error{Header: t.Name + ", octets", Offset: r.at, Value: uint64(left), Allowed: fmt.Sprintf("at least %d", t.Octets)}
	}
	if r.err == nil {
		r.head = r.all[r.at : r.at+t.Octets]
		r.at += t.Octets
	}
	return r
}

func (r *reader) value(t *wire.Table, field string) uint64 {
	v, _ := t.MustField(field).Get(r.head)
	return v
}

// Decode decodes the payload of a UDP datagram to port 4791. For an unknown opcode it decodes the BTH and
// treats the rest as payload.
func Decode(b []byte) (Packet, error) {
	if len(b) < BTHTable.Octets+icrcOctets {
		return Packet{}, &Error{Header: "packet, octets", Value: uint64(len(b)), Allowed: fmt.Sprintf("at least %d", BTHTable.Octets+icrcOctets)}
	}
	r := &reader{all: b[:len(b)-icrcOctets]}
	r.take(BTHTable)
	bth := func(field string) uint64 { return r.value(BTHTable, field) }
	p := Packet{
		Opcode: Opcode(bth("opcode")), DestQP: uint32(bth("dest_qp")), PSN: uint32(bth("psn")),
		AckReq: bth("ack_req") == 1, SE: bth("se") == 1,
	}
	if v := bth("tver"); v != 0 {
		return Packet{}, &Error{Header: "bth.tver", Offset: 1, Value: v, Allowed: "0"}
	}
	pad := int(bth("pad_count"))
	p.extended(r)
	if left := len(r.all) - r.at; r.err == nil && left < pad {
		r.err = &Error{Header: "bth.pad_count", Offset: 1, Value: uint64(pad), Allowed: fmt.Sprintf("0..%d, the octets that are left", left)}
	}
	if r.err != nil {
		return Packet{}, r.err
	}
	p.Payload = r.all[r.at : len(r.all)-pad]
	return p, nil
}

// extended decodes the headers between BTH and payload.
func (p *Packet) extended(r *reader) {
	_, has, _ := p.Opcode.layout()
	if has&hasDETH != 0 {
		r.take(DETHTable)
		p.DETH = &DETH{QKey: uint32(r.value(DETHTable, "qkey")), SourceQP: uint32(r.value(DETHTable, "source_qp"))}
	}
	if has&hasFETH != 0 {
		r.take(FETHTable)
		p.FETH = &FETH{Selectivity: uint8(r.value(FETHTable, "selectivity")), Placement: uint8(r.value(FETHTable, "placement"))}
	}
	if has&hasRETH != 0 {
		r.take(RETHTable)
		p.RETH = &RETH{VA: r.value(RETHTable, "va"), RKey: uint32(r.value(RETHTable, "rkey")), Length: uint32(r.value(RETHTable, "dma_length"))}
	}
	if has&hasAtomicETH != 0 {
		r.take(AtomicETHTable)
		p.Atomic = &AtomicETH{
			VA: r.value(AtomicETHTable, "va"), RKey: uint32(r.value(AtomicETHTable, "rkey")),
			SwapOrAdd: r.value(AtomicETHTable, "swap_or_add"), Compare: r.value(AtomicETHTable, "compare"),
		}
	}
	if has&hasAETH != 0 {
		r.take(AETHTable)
		p.AETH = &AETH{Kind: uint8(r.value(AETHTable, "kind")), Value: uint8(r.value(AETHTable, "value")), MSN: uint32(r.value(AETHTable, "msn"))}
	}
	if has&hasAtomicAckETH != 0 {
		r.take(AtomicAckETHTable)
		v := r.value(AtomicAckETHTable, "original_remote_data")
		p.AtomicAck = &v
	}
	if has&hasImmDt != 0 {
		r.take(ImmDtTable)
		v := uint32(r.value(ImmDtTable, "immediate_data"))
		p.Immediate = &v
	}
	if has&hasIETH != 0 {
		r.take(IETHTable)
		v := uint32(r.value(IETHTable, "rkey"))
		p.InvRKey = &v
	}
}
