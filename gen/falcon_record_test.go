package gen_test

import (
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// falconTransaction identifies a packet.
type falconTransaction struct {
	Type spec.PacketType
	RSN  uint32
	CID  uint32
}

// falconChecks are the rules that a packet breaks, in their order.
type falconChecks struct{ ShortPacket, WrongVersion, BadOpcode, ShortHeaders, BadPayload bool }

// falconHeader is the fields of a record's headers; fields that several headers share hold that of the packet.
type falconHeader struct {
	CE, SE        bool
	Opcode        spec.Opcode
	DestinationQP uint32
	SN            uint32
	VA            uint64
	RKey          uint32
	Length        uint32
	Data, Compare uint64
	RMSN, Offset  uint32
	SinkVA        uint64
	LKey          uint32
	Word, SRQ     uint32
}

type falconRecord struct {
	Transaction   falconTransaction
	Checks        falconChecks
	HasPayload    bool
	PayloadLength uint32
	Header        falconHeader
}

// falconRecordOf is the record that a packet has, and its payload; of checks after the first that it breaks, and of what they make
// meaningless, nothing is said.
func falconRecordOf(x falconTransaction, octets []byte, order spec.BitOrder) (r falconRecord, payload []byte) {
	r.Transaction = x
	var p packet.Packet
	if p.DecodeBase(octets, order) == spec.ShortPacket {
		r.Checks.ShortPacket = true
		return r, nil
	}
	r.Checks.WrongVersion = p.Version != spec.Version
	row, known := p.Opcode.Operation()
	if r.Checks.BadOpcode = !known || row.Packet != x.Type; r.Checks.BadOpcode {
		return r, nil
	}
	switch p.DecodeHeaders(octets, order) {
	case spec.ShortHeaders:
		r.Checks.ShortHeaders = true
		return r, nil
	case spec.BadPayload:
		r.Checks.BadPayload = true
	default:
		r.Checks.BadPayload = !row.Carries() && len(p.Payload) > 0 || row.Packet == spec.PushRequest && row.Position == spec.Last && len(p.Payload) == 0
	}
	h := &r.Header
	h.CE, h.SE, h.Opcode, h.DestinationQP, h.SN = p.CE, p.SE, p.Opcode, p.DestinationQP, p.SN
	h.VA, h.RKey, h.Length, h.Data, h.Compare = p.VA|p.Original, p.RKey, p.Length, p.Data, p.Compare
	h.RMSN, h.Offset, h.SinkVA, h.LKey, h.Word, h.SRQ = p.RMSN, p.Offset, p.SinkVA, p.SinkKey, p.Immediate|p.Invalidate, p.SRQ
	if row.Has(spec.DETH) {
		h.VA = uint64(p.QKey)<<32 | uint64(p.SourceQP)
	}
	r.HasPayload = row.Carries() && len(octets) > row.HeaderOctets()
	if r.HasPayload && !r.Checks.BadPayload {
		r.PayloadLength, payload = uint32(len(p.Payload)), p.Payload
	}
	return r, payload
}

// meaningful clears what nothing is said about: checks and fields after a broken check, and fields of headers that the packet does not have.
func meaningful(r *falconRecord, want falconRecord, order spec.BitOrder) {
	switch {
	case want.Checks.ShortPacket:
		*r = falconRecord{Transaction: r.Transaction, Checks: falconChecks{ShortPacket: r.Checks.ShortPacket}}
		return
	case want.Checks.BadOpcode, want.Checks.ShortHeaders:
		r.Header, r.HasPayload, r.PayloadLength, r.Checks.BadPayload = falconHeader{}, false, 0, false
		r.Checks.ShortHeaders = r.Checks.ShortHeaders && !want.Checks.BadOpcode
		return
	}
	row, _ := want.Header.Opcode.Operation()
	h := &r.Header
	clear32 := func(has bool, fields ...*uint32) {
		for _, f := range fields {
			if !has {
				*f = 0
			}
		}
	}
	if atomic := row.Has(spec.AtomicETH); !atomic {
		h.Data, h.Compare = 0, 0
	}
	if row.Has(spec.DETH) {
		h.VA = h.VA>>32<<32 | sourceQP(h.VA, order)
	} else if !row.Has(spec.RETH) && !row.Has(spec.AtomicETH) && !row.Has(spec.AtomicAckETH) {
		h.VA = 0
	}
	clear32(row.Has(spec.RETH) || row.Has(spec.AtomicETH), &h.RKey)
	clear32(row.Has(spec.RETH), &h.Length)
	clear32(row.Has(spec.SETH), &h.RMSN)
	clear32(row.Has(spec.OETH), &h.Offset)
	clear32(row.Has(spec.STETH), &h.LKey)
	clear32(row.Has(spec.ImmDt) || row.Has(spec.IETH), &h.Word)
	clear32(row.Has(spec.XRCETH), &h.SRQ)
	if !row.Has(spec.STETH) {
		h.SinkVA = 0
	}
	if !r.HasPayload || r.Checks.BadPayload {
		r.PayloadLength = 0
	}
}

// sourceQP is the number in the second word of DETH: its first 24 bits as drawn, its last ones mirrored.
func sourceQP(va uint64, order spec.BitOrder) uint64 {
	if order == spec.Drawn {
		va >>= 8
	}
	return va & 0xFFFFFF
}
