package wire

import "fmt"

// ErrorKind tells why a segment was refused. Kinds 1 to 9 are found in the segment itself, by Classify;
// kinds 10 to 15 need the responder's state. The number is 4 bits in the hardware.
type ErrorKind uint8

const (
	ErrNone             ErrorKind = 0
	ErrShortHeader      ErrorKind = 1
	ErrDDPVersion       ErrorKind = 2
	ErrQueueNumber      ErrorKind = 3
	ErrRDMAPVersion     ErrorKind = 4
	ErrOpcode           ErrorKind = 5
	ErrTaggedFlag       ErrorKind = 6
	ErrQueueMismatch    ErrorKind = 7
	ErrMessageOffset    ErrorKind = 8
	ErrLength           ErrorKind = 9
	ErrAtomicOpcode     ErrorKind = 10
	ErrSTag             ErrorKind = 11
	ErrTOWrap           ErrorKind = 12
	ErrBounds           ErrorKind = 13
	ErrAlignment        ErrorKind = 14
	ErrStreamTerminated ErrorKind = 15
)

// ErrorRow is what goes with one kind.
type ErrorRow struct {
	Kind     ErrorKind
	Name     string        // snake case
	When     string        // for readers
	Untagged TerminateCode // reported when T = 0
	Tagged   TerminateCode // reported when T = 1; differs for the DDP version only
}

// row is an ErrorRow whose code does not depend on T.
func row(kind ErrorKind, name, when string, layer Layer, etype, code uint8) ErrorRow {
	c := TerminateCode{layer, etype, code}
	return ErrorRow{kind, name, when, c, c}
}

// Errors is indexed by kind, in the order of the checks but for the last: stream_terminated is looked at
// first, since nothing may happen on a stream after its error. none and stream_terminated have no Terminate.
var Errors = [16]ErrorRow{
	{Kind: ErrNone, Name: "none", When: "the segment is valid"},
	row(ErrShortHeader, "short_header", "the segment ends inside its DDP header, or is empty", LayerDDP, 0, 0x00),
	{ErrDDPVersion, "ddp_version", "DV is not 01b", TerminateCode{LayerDDP, 2, 0x06}, TerminateCode{LayerDDP, 1, 0x04}},
	row(ErrQueueNumber, "queue_number", "T = 0 and QN is above 3", LayerDDP, 2, 0x01),
	row(ErrRDMAPVersion, "rdmap_version", "RV is not 01b", LayerRDMAP, 2, 0x05),
	row(ErrOpcode, "opcode", "the opcode is 0xC to 0xF", LayerRDMAP, 2, 0x06),
	row(ErrTaggedFlag, "tagged_flag", "T is not what the opcode demands", LayerRDMAP, 2, 0x06),
	row(ErrQueueMismatch, "queue_mismatch", "QN is not the opcode's queue", LayerRDMAP, 2, 0x06),
	row(ErrMessageOffset, "message_offset", "MO is not 0 in a Read Request, Terminate, Atomic Request or Atomic Response", LayerDDP, 2, 0x04),
	row(ErrLength, "length", "the message is not one segment of the length that its header has", LayerRDMAP, 2, 0x07),
	row(ErrAtomicOpcode, "atomic_opcode", "the AOpCode is not supported (I-03, I-04)", LayerRDMAP, 2, 0x06),
	row(ErrSTag, "stag", "the Remote STag is not the window's", LayerRDMAP, 1, 0x00),
	row(ErrTOWrap, "to_wrap", "Remote TO + 8 is above 2^64", LayerRDMAP, 1, 0x04),
	row(ErrBounds, "bounds", "the 8 octets are not wholly inside the window", LayerRDMAP, 1, 0x01),
	row(ErrAlignment, "alignment", "the resolved address is not a multiple of 8 (I-05)", LayerRDMAP, 2, 0x07),
	{Kind: ErrStreamTerminated, Name: "stream_terminated", When: "the stream had an error before"},
}

// String is the snake-case name.
func (k ErrorKind) String() string {
	if int(k) >= len(Errors) {
		return fmt.Sprintf("error_kind(%d)", uint8(k))
	}
	return Errors[k].Name
}

// Terminate is the code that the stream's Terminate reports; false for none and stream_terminated, which
// send no Terminate. tagged is the T bit of the segment.
func (k ErrorKind) Terminate(tagged bool) (TerminateCode, bool) {
	if k == ErrNone || int(k) >= len(Errors) || k == ErrStreamTerminated {
		return TerminateCode{}, false
	}
	if tagged {
		return Errors[k].Tagged, true
	}
	return Errors[k].Untagged, true
}

// MarshalText writes the name.
func (k ErrorKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads a name.
func (k *ErrorKind) UnmarshalText(text []byte) error {
	for _, r := range Errors {
		if r.Name == string(text) {
			*k = r.Kind
			return nil
		}
	}
	return fmt.Errorf("wire: error kind %q is unknown; allowed: a name of the error table, such as short_header", text)
}
