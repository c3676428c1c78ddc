package wire

import "github.com/rnicgen/rnicgen/model/rdmap/spec"

// Terminate is the Terminate header, RFC 5040 section 4.8: a control word and the parts that its HdrCt bits announce. D
// announces the DDP Segment Length and the terminated DDP header together; M only indicates whether the length is valid
// (I-31). A part that is not announced takes no octets on the wire (I-09).
type Terminate struct {
	Code     TerminateCode
	Reserved uint16 // 13 bits: zero on transmit, ignored on receive

	LengthValid bool // HdrCt M
	HasDDP      bool // HdrCt D
	HasRDMAP    bool // HdrCt R

	DDPSegmentLength uint16      // octets of the terminated segment; with HasDDP
	DDP              DDPHeader   // terminated DDP header; with HasDDP
	ReadRequest      ReadRequest // terminated RDMAP header, always of a Read Request; with HasRDMAP
}

var (
	terminateLayer    = TerminateTable.atBits("layer")
	terminateEType    = TerminateTable.atBits("etype")
	terminateCode     = TerminateTable.atBits("error_code")
	terminateM        = TerminateTable.atBits("hdrct_m")
	terminateD        = TerminateTable.atBits("hdrct_d")
	terminateR        = TerminateTable.atBits("hdrct_r")
	terminateReserved = TerminateTable.at("reserved")
	terminatedLength  = TerminatedLengthTable.at("ddp_segment_length")
)

// Decode reads the payload of a Terminate segment and returns the octets after the last announced part, which are
// meaningless. The error is spec.WrongLength if the octets end inside an announced part.
func (t *Terminate) Decode(b []byte) (rest []byte, err error) { return t.DecodeWith(0, b) }

// DecodeWith is Decode with extensions, for the opcode of the terminated header.
func (t *Terminate) DecodeWith(x spec.Extensions, b []byte) (rest []byte, err error) {
	if err := TerminateTable.atLeast(spec.WrongLength, 0, b); err != nil {
		return nil, err
	}
	*t = Terminate{
		Code: TerminateCode{
			Layer: Layer(terminateLayer.value(b)),
			EType: terminateEType.value(b),
			Code:  terminateCode.value(b),
		},
		Reserved:    uint16(terminateReserved.value(b)),
		LengthValid: terminateM.bit(b),
		HasDDP:      terminateD.bit(b),
		HasRDMAP:    terminateR.bit(b),
	}
	whole := len(b)
	b = b[TerminateTable.Octets:]
	if t.HasDDP {
		if err := TerminatedLengthTable.atLeast(spec.WrongLength, whole-len(b), b); err != nil {
			return nil, err
		}
		t.DDPSegmentLength = uint16(terminatedLength.value(b))
		b = b[TerminatedLengthTable.Octets:]
		var e Error
		if t.DDP.decode(b, x, &e); e.Rule != spec.None {
			// The part is too short, not the header of the Terminate itself.
			e.Rule, e.Offset = spec.WrongLength, whole-len(b)
			return nil, &e
		}
		b = b[t.DDP.Length():]
	}
	if t.HasRDMAP {
		if err := ReadRequestTable.atLeast(spec.WrongLength, whole-len(b), b); err != nil {
			return nil, err
		}
		_ = t.ReadRequest.Decode(b[:ReadRequestTable.Octets]) // the length has been checked
		b = b[ReadRequestTable.Octets:]
	}
	return b, nil
}

// AppendEncode appends the control word and the announced parts.
func (t *Terminate) AppendEncode(dst []byte) []byte {
	dst, b := TerminateTable.grow(dst)
	terminateLayer.put(b, uint8(t.Code.Layer))
	terminateEType.put(b, t.Code.EType)
	terminateCode.put(b, t.Code.Code)
	terminateM.putBit(b, t.LengthValid)
	terminateD.putBit(b, t.HasDDP)
	terminateR.putBit(b, t.HasRDMAP)
	terminateReserved.put(b, uint64(t.Reserved))
	if t.HasDDP {
		dst, b = TerminatedLengthTable.grow(dst)
		terminatedLength.put(b, uint64(t.DDPSegmentLength))
		dst = t.DDP.AppendEncode(dst)
	}
	if t.HasRDMAP {
		dst = t.ReadRequest.AppendEncode(dst)
	}
	return dst
}
