package wire

// DDPHeader is a DDP header of either form, with the RDMAP Control Field in it.
type DDPHeader struct {
	Tagged bool // T
	Last   bool // L
	DV     uint8
	RV     uint8
	Opcode Opcode

	// Reserved bits: zero on transmit, ignored on receive. Kept so that a header survives decode and encode.
	DDPReserved   uint8 // 4 bits
	RDMAPReserved uint8 // 2 bits

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
	ddpT             = DDPUntaggedTable.at("t")
	ddpL             = DDPUntaggedTable.at("l")
	ddpReserved      = DDPUntaggedTable.at("ddp_reserved")
	ddpDV            = DDPUntaggedTable.at("dv")
	ddpRV            = DDPUntaggedTable.at("rv")
	ddpRDMAPReserved = DDPUntaggedTable.at("rdmap_reserved")
	ddpOpcode        = DDPUntaggedTable.at("opcode")
	ddpInvalidate    = DDPUntaggedTable.at("invalidate_stag")
	ddpQN            = DDPUntaggedTable.at("queue_number")
	ddpMSN           = DDPUntaggedTable.at("msn")
	ddpMO            = DDPUntaggedTable.at("mo")
	ddpSTag          = DDPTaggedTable.at("stag")
	ddpTO            = DDPTaggedTable.at("to")
)

// ddpTable is the table of the form that T asks for.
func ddpTable(tagged bool) *Table {
	if tagged {
		return DDPTaggedTable
	}
	return DDPUntaggedTable
}

// Length is the number of octets of the header: 14 tagged, 18 untagged.
func (h *DDPHeader) Length() int { return ddpTable(h.Tagged).Octets }

// Decode reads the header at the start of a segment. The only error is a segment that ends inside it
// (ErrShortHeader); whether the values make sense is for Classify.
func (h *DDPHeader) Decode(segment []byte) error {
	if e := h.decode(segment); e.Kind != ErrNone {
		return &e
	}
	return nil
}

func (h *DDPHeader) decode(b []byte) Error {
	if len(b) == 0 {
		return wrongLength(ErrShortHeader, DDPUntaggedTable, 0, 0, "at least 14 octets with T = 1, 18 with T = 0")
	}
	tagged := ddpT.bit(b)
	switch {
	case tagged && len(b) < DDPTaggedTable.Octets:
		return wrongLength(ErrShortHeader, DDPTaggedTable, 0, len(b), "at least 14 octets with T = 1")
	case !tagged && len(b) < DDPUntaggedTable.Octets:
		return wrongLength(ErrShortHeader, DDPUntaggedTable, 0, len(b), "at least 18 octets with T = 0")
	}
	*h = DDPHeader{
		Tagged:        tagged,
		Last:          ddpL.bit(b),
		DV:            uint8(ddpDV.value(b)),
		RV:            uint8(ddpRV.value(b)),
		Opcode:        Opcode(ddpOpcode.value(b)),
		DDPReserved:   uint8(ddpReserved.value(b)),
		RDMAPReserved: uint8(ddpRDMAPReserved.value(b)),
	}
	if tagged {
		h.STag = uint32(ddpSTag.value(b))
		h.TO = ddpTO.value(b)
		return Error{}
	}
	h.InvalidateSTag = uint32(ddpInvalidate.value(b))
	h.QueueNumber = uint32(ddpQN.value(b))
	h.MSN = uint32(ddpMSN.value(b))
	h.MO = uint32(ddpMO.value(b))
	return Error{}
}

// AppendEncode appends the header: 14 octets when Tagged, else 18. Values wider than their field are cut
// to it. The fields of the other form are not looked at.
func (h *DDPHeader) AppendEncode(dst []byte) []byte {
	dst, b := ddpTable(h.Tagged).grow(dst)
	ddpT.putBit(b, h.Tagged)
	ddpL.putBit(b, h.Last)
	ddpReserved.put(b, uint64(h.DDPReserved))
	ddpDV.put(b, uint64(h.DV))
	ddpRV.put(b, uint64(h.RV))
	ddpRDMAPReserved.put(b, uint64(h.RDMAPReserved))
	ddpOpcode.put(b, uint64(h.Opcode))
	if h.Tagged {
		ddpSTag.put(b, uint64(h.STag))
		ddpTO.put(b, h.TO)
		return dst
	}
	ddpInvalidate.put(b, uint64(h.InvalidateSTag))
	ddpQN.put(b, uint64(h.QueueNumber))
	ddpMSN.put(b, uint64(h.MSN))
	ddpMO.put(b, uint64(h.MO))
	return dst
}
