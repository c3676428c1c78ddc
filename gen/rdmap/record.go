package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// Record describes one complete segment. Rule is the spec.Rule that the octets of the segment break, 0 for none. SegmentLength and
// PayloadLength count octets. Header holds the first 70 octets of the segment, octet i in [8i+7:8i]; octets that did not arrive are
// zero.
//
// PayloadLength octets are one packet on the payload stream, whose last beat follows the record at once; 0 means no packet. The payload of a record
// with a rule must be discarded.
type Record struct {
	Stream        hdl.Value `doc:"number of the RDMAP Stream"`
	Rule          hdl.Value `doc:"0 valid, else the number of the broken rule"`
	SegmentLength hdl.Value `doc:"octets of the segment"`
	PayloadLength hdl.Value `doc:"octets of its packet on the payload stream; 0: no packet"`
	Header        hdl.Value `doc:"first 70 octets of the segment, octet i in [8i+7:8i]; zero after the end of the segment"`
}

// Control returns the fields of the first two octets: the opcode, and whether the segment is the last of its message.
func (r Record) Control(x spec.Extensions) (opcode, last hdl.Value) {
	control := r.Header.Truncate(16).ReverseOctets()
	return control.Slice(x.OpcodeBits()-1, 0), control.Bit(14)
}

// Term is the control word of a Terminate without its HdrCt: RFC 5040 section 4.8.
type Term struct {
	Layer hdl.Value `doc:"layer that the Terminate reports, RFC 5040 section 4.8; 0 without a Terminate"`
	Etype hdl.Value `doc:"error type that the Terminate reports"`
	Code  hdl.Value `doc:"error code that the Terminate reports"`
}

func term() Term { return Term{Layer: hdl.Bits(4), Etype: hdl.Bits(4), Code: hdl.Bits(8)} }

func RecordOf(streams int) Record {
	return Record{Stream: hdl.Bits(block.IndexWidth(streams)), Rule: hdl.Bits(spec.RuleBits),
		SegmentLength: hdl.Bits(16), PayloadLength: hdl.Bits(16), Header: hdl.Bits(8 * HeaderOctets)}
}
