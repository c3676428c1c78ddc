// Package packet is the codec of RDMA packets over Falcon, built from the tables of package spec.
//
// Decoding never panics for any input.
package packet

import "github.com/rnicgen/rnicgen/model/falcon/spec"

// Packet is one RDMA packet without its Falcon header. Fields of headers that the opcode does not have are ignored by
// Encode and left zero by Decode.
type Packet struct {
	// RBTH
	Version       uint8 // 4 bits
	CE            bool
	Pad           uint8 // 2 bits
	SE            bool
	Opcode        spec.Opcode
	DestinationQP uint32 // 24 bits
	SN            uint32

	VA     uint64 // RETH, AtomicETH
	RKey   uint32 // RETH, AtomicETH
	Length uint32 // RETH

	RMSN   uint32 // SETH
	Offset uint32 // OETH

	SinkVA  uint64 // STETH
	SinkKey uint32 // STETH: L-Key

	Immediate  uint32 // ImmDt
	Invalidate uint32 // IETH: R-Key

	Data     uint64 // AtomicETH: Swap / Add Data
	Compare  uint64 // AtomicETH
	Original uint64 // AtomicAckETH

	SRQ      uint32 // XRCETH, 24 bits
	QKey     uint32 // DETH
	SourceQP uint32 // DETH, 24 bits

	Payload []byte // without pad
}

// New returns a packet with the current version and the opcode of a row.
func New(row *spec.Operation) Packet { return Packet{Version: spec.Version, Opcode: row.Opcode} }

// member is where a Packet keeps a field of a header. Exactly one of the pointers is set.
type member struct {
	u64  *uint64
	u32  *uint32
	u8   *uint8
	flag *bool
}

func (m member) get() uint64 {
	switch {
	case m.u64 != nil:
		return *m.u64
	case m.u32 != nil:
		return uint64(*m.u32)
	case m.u8 != nil:
		return uint64(*m.u8)
	case *m.flag:
		return 1
	}
	return 0
}

func (m member) set(v uint64) {
	switch {
	case m.u64 != nil:
		*m.u64 = v
	case m.u32 != nil:
		*m.u32 = uint32(v)
	case m.u8 != nil:
		*m.u8 = uint8(v)
	default:
		*m.flag = v != 0
	}
}

// members returns the members of a header's fields in the order of the drawn figure, without reserved ones.
func (p *Packet) members(h spec.Header) []member {
	switch h {
	case spec.RBTH:
		return []member{{u8: &p.Version}, {flag: &p.CE}, {u8: &p.Pad}, {flag: &p.SE}, {u8: (*uint8)(&p.Opcode)}, {u32: &p.DestinationQP}, {u32: &p.SN}}
	case spec.RETH:
		return []member{{u64: &p.VA}, {u32: &p.RKey}, {u32: &p.Length}}
	case spec.SETH:
		return []member{{u32: &p.RMSN}}
	case spec.OETH:
		return []member{{u32: &p.Offset}}
	case spec.STETH:
		return []member{{u64: &p.SinkVA}, {u32: &p.SinkKey}}
	case spec.ImmDt:
		return []member{{u32: &p.Immediate}}
	case spec.AtomicETH:
		return []member{{u64: &p.VA}, {u32: &p.RKey}, {u64: &p.Data}, {u64: &p.Compare}}
	case spec.AtomicAckETH:
		return []member{{u64: &p.Original}}
	case spec.IETH:
		return []member{{u32: &p.Invalidate}}
	case spec.XRCETH:
		return []member{{u32: &p.SRQ}}
	case spec.DETH:
		return []member{{u32: &p.QKey}, {u32: &p.SourceQP}}
	}
	return nil
}

// fields calls do for each field of a header and its member.
func (p *Packet) fields(h spec.Header, do func(name string, m member)) {
	list, i := p.members(h), 0
	for _, f := range h.Table(spec.Drawn).Fields {
		if !f.Reserved {
			do(f.Name, list[i])
			i++
		}
	}
}
