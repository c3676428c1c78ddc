package wire

import "github.com/rnicgen/rnicgen/model/rdmap/spec"

// DDPHeader is a DDP header of either form, including the RDMAP Control Field.
type DDPHeader struct {
	Tagged bool // T
	Last   bool // L
	DV     uint8
	RV     uint8
	Opcode Opcode

	// Reserved bits: zero on transmit, ignored on receive. Kept so that encoding a decoded header restores it.
	DDPReserved   uint8 // 4 bits
	RDMAPReserved uint8 // 2 bits; with a five-bit opcode the lower one is 0 here and bit 4 of the opcode on the wire (I-15)

	// Tagged form only.
	STag uint32
	TO   uint64 // octets

	// Untagged form only.
	InvalidateSTag uint32 // the ULP word
	QueueNumber    uint32
	MSN            uint32
	MO             uint32 // octets
}

var (
	ddpT             = DDPUntaggedTable.atBits("t")
	ddpL             = DDPUntaggedTable.atBits("l")
	ddpReserved      = DDPUntaggedTable.atBits("ddp_reserved")
	ddpDV            = DDPUntaggedTable.atBits("dv")
	ddpRV            = DDPUntaggedTable.atBits("rv")
	ddpRDMAPReserved = DDPUntaggedTable.atBits("rdmap_reserved")
	ddpOpcode        = DDPUntaggedTable.atBits("opcode")
	ddpInvalidate    = DDPUntaggedTable.at32("invalidate_stag")
	ddpQN            = DDPUntaggedTable.at32("queue_number")
	ddpMSN           = DDPUntaggedTable.at32("msn")
	ddpMO            = DDPUntaggedTable.at32("mo")
	ddpSTag          = DDPTaggedTable.at32("stag")
	ddpTO            = DDPTaggedTable.at64("to")
)

// ddpTable returns the table of the form that T selects.
func ddpTable(tagged bool) *Table {
	if tagged {
		return DDPTaggedTable
	}
	return DDPUntaggedTable
}

// Length returns the number of octets of the header: 14 tagged, 18 untagged.
func (h *DDPHeader) Length() int { return ddpTable(h.Tagged).Octets }

// Decode reads the header at the start of a segment. The only error is a segment that ends inside it
// (spec.ShortHeader); Classify checks the values.
func (h *DDPHeader) Decode(segment []byte) error {
	var e Error
	if h.decode(segment, 0, &e); e.Rule != spec.None {
		return &e
	}
	return nil
}

func (h *DDPHeader) decode(b []byte, x spec.Extensions, e *Error) {
	if len(b) == 0 {
		*e = wrongLength(spec.ShortHeader, DDPUntaggedTable, 0, 0, "at least 14 octets with T = 1, 18 with T = 0")
		return
	}
	tagged := ddpT.bit(b)
	switch {
	case tagged && len(b) < DDPTaggedTable.Octets:
		*e = wrongLength(spec.ShortHeader, DDPTaggedTable, 0, len(b), "at least 14 octets with T = 1")
		return
	case !tagged && len(b) < DDPUntaggedTable.Octets:
		*e = wrongLength(spec.ShortHeader, DDPUntaggedTable, 0, len(b), "at least 18 octets with T = 0")
		return
	}
	*h = DDPHeader{
		Tagged:        tagged,
		Last:          ddpL.bit(b),
		DV:            ddpDV.value(b),
		RV:            ddpRV.value(b),
		Opcode:        Opcode(ddpOpcode.value(b)),
		DDPReserved:   ddpReserved.value(b),
		RDMAPReserved: ddpRDMAPReserved.value(b),
	}
	if x.OpcodeBits() == spec.MaxOpcodeBits {
		h.Opcode, h.RDMAPReserved = Opcode(ddpLongOpcode.value(b)), h.RDMAPReserved&^1
	}
	if tagged {
		h.STag = ddpSTag.value(b)
		h.TO = ddpTO.value(b)
		return
	}
	h.InvalidateSTag = ddpInvalidate.value(b)
	h.QueueNumber = ddpQN.value(b)
	h.MSN = ddpMSN.value(b)
	h.MO = ddpMO.value(b)
}

// AppendEncode appends the header: 14 octets if Tagged, else 18. Values are truncated to the width of their field. The
// fields of the other form are ignored. A fifth bit of the opcode takes the place of the reserved bit next to it.
func (h *DDPHeader) AppendEncode(dst []byte) []byte {
	dst, b := ddpTable(h.Tagged).grow(dst)
	ddpT.putBit(b, h.Tagged)
	ddpL.putBit(b, h.Last)
	ddpReserved.put(b, h.DDPReserved)
	ddpDV.put(b, h.DV)
	ddpRV.put(b, h.RV)
	ddpRDMAPReserved.put(b, h.RDMAPReserved|uint8(h.Opcode)>>spec.OpcodeBits&1)
	ddpOpcode.put(b, uint8(h.Opcode))
	if h.Tagged {
		ddpSTag.put(b, h.STag)
		ddpTO.put(b, h.TO)
		return dst
	}
	ddpInvalidate.put(b, h.InvalidateSTag)
	ddpQN.put(b, h.QueueNumber)
	ddpMSN.put(b, h.MSN)
	ddpMO.put(b, h.MO)
	return dst
}
