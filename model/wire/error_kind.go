package wire

import "fmt"

// ErrorKind tells why a segment was refused. Kinds 1 to 9 are found in the segment itself, by Classify;
// kinds 10 to 15 need the responder's state. The number of these is 4 bits in the hardware's records. Kinds
// from 16 on need the state of a stream's queues; they are what the model calls them.
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

	ErrAssociation    ErrorKind = 16
	ErrAccess         ErrorKind = 17
	ErrMSN            ErrorKind = 18
	ErrNoBuffer       ErrorKind = 19
	ErrSendOffset     ErrorKind = 20
	ErrSendOpcode     ErrorKind = 21
	ErrMessageTooLong ErrorKind = 22
	ErrInvalidate     ErrorKind = 23
	ErrIRD            ErrorKind = 24
	ErrNoRequest      ErrorKind = 25
	ErrResponse       ErrorKind = 26
	ErrIdentifier     ErrorKind = 27
	ErrReadTooLong    ErrorKind = 28
	ErrReadLast       ErrorKind = 29
	ErrSinkSTag       ErrorKind = 30
	ErrSinkTO         ErrorKind = 31
	ErrLocal          ErrorKind = 32
	ErrInterleaved    ErrorKind = 33
)

// ErrorRow is what goes with one kind.
type ErrorRow struct {
	Kind     ErrorKind
	Name     string        // snake case
	When     string        // for readers
	Untagged TerminateCode // reported when T = 0
	Tagged   TerminateCode // reported when T = 1
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
	{ErrSTag, "stag", "no valid region has the STag", TerminateCode{LayerRDMAP, 1, 0x00}, TerminateCode{LayerDDP, 1, 0x00}},
	{ErrTOWrap, "to_wrap", "TO + length is above 2^64", TerminateCode{LayerRDMAP, 1, 0x04}, TerminateCode{LayerDDP, 1, 0x03}},
	{ErrBounds, "bounds", "the octets are not wholly inside the region", TerminateCode{LayerRDMAP, 1, 0x01}, TerminateCode{LayerDDP, 1, 0x01}},
	row(ErrAlignment, "alignment", "the resolved address is not a multiple of 8 (I-05)", LayerRDMAP, 2, 0x07),
	{Kind: ErrStreamTerminated, Name: "stream_terminated", When: "the stream had an error before"},
}

// StreamErrors has the kinds from 16 on, in their order. What is wrong with a tagged segment is DDP's to report, what is
// wrong with the address in a request is RDMAP's, but for the access rights, which only RDMAP knows.
var StreamErrors = [18]ErrorRow{
	{ErrAssociation, "association", "the STag belongs neither to the stream nor to its domain",
		TerminateCode{LayerRDMAP, 1, 0x03}, TerminateCode{LayerDDP, 1, 0x02}},
	row(ErrAccess, "access", "the STag does not permit the access", LayerRDMAP, 1, 0x02),
	row(ErrMSN, "msn", "MSN is not the next of the queue", LayerDDP, 2, 0x03),
	row(ErrNoBuffer, "no_buffer", "no receive request is posted", LayerDDP, 2, 0x02),
	row(ErrSendOffset, "send_offset", "MO is not the number of octets of the message before the segment", LayerDDP, 2, 0x04),
	row(ErrSendOpcode, "send_opcode", "the opcode is not that of the message's first segment", LayerRDMAP, 2, 0x06),
	row(ErrMessageTooLong, "message_too_long", "the message does not fit the receive buffer", LayerDDP, 2, 0x05),
	row(ErrInvalidate, "invalidate", "the Invalidate STag cannot be invalidated", LayerRDMAP, 1, 0x09),
	row(ErrIRD, "ird", "IRD requests of the stream are not answered yet", LayerDDP, 2, 0x02),
	row(ErrNoRequest, "no_request", "an Atomic Response comes and no request is outstanding", LayerDDP, 2, 0x02),
	row(ErrResponse, "response", "the oldest outstanding request asks for another response, or for a Read Response none is", LayerRDMAP, 2, 0x06),
	row(ErrIdentifier, "identifier", "the Original Request Identifier is not the oldest Atomic Request's", LayerRDMAP, 2, 0x07),
	row(ErrReadTooLong, "read_too_long", "a Read Response has more octets than are missing", LayerDDP, 1, 0x01),
	row(ErrReadLast, "read_last", "L of a Read Response does not say whether octets are still missing", LayerRDMAP, 2, 0x07),
	row(ErrSinkSTag, "sink_stag", "the STag of a Read Response is not the Data Sink STag", LayerDDP, 1, 0x00),
	row(ErrSinkTO, "sink_to", "the TO of a Read Response is not that of the next missing octet", LayerDDP, 1, 0x01),
	row(ErrLocal, "local", "local memory or a local STag fails", LayerRDMAP, 0, 0x00),
	row(ErrInterleaved, "interleaved", "a Send, Immediate Data or a response begins inside another message (I-78)", LayerRDMAP, 2, 0x06),
}

// row is the kind's row in Errors or StreamErrors; false when it has none.
func (k ErrorKind) row() (*ErrorRow, bool) {
	if int(k) < len(Errors) {
		return &Errors[k], true
	}
	if int(k)-len(Errors) < len(StreamErrors) {
		return &StreamErrors[int(k)-len(Errors)], true
	}
	return nil, false
}

// String is the snake-case name.
func (k ErrorKind) String() string {
	if r, known := k.row(); known {
		return r.Name
	}
	return fmt.Sprintf("error_kind(%d)", uint8(k))
}

// Terminate is the code that the stream's Terminate reports; false for none and stream_terminated, which
// send no Terminate. tagged is the T bit of the segment: RFC 5041 has codes of its own for what is wrong with a tagged one.
func (k ErrorKind) Terminate(tagged bool) (TerminateCode, bool) {
	r, known := k.row()
	if k == ErrNone || !known || k == ErrStreamTerminated {
		return TerminateCode{}, false
	}
	if tagged {
		return r.Tagged, true
	}
	return r.Untagged, true
}

// MarshalText writes the name.
func (k ErrorKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads a name.
func (k *ErrorKind) UnmarshalText(text []byte) error {
	for _, table := range [][]ErrorRow{Errors[:], StreamErrors[:]} {
		for _, r := range table {
			if r.Name == string(text) {
				*k = r.Kind
				return nil
			}
		}
	}
	return fmt.Errorf("wire: error kind %q is unknown; allowed: a name of the error table, such as short_header", text)
}
