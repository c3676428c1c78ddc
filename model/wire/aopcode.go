package wire

import "fmt"

// AOpCode is the Atomic Operation Code, 4 bits: RFC 7306 section 5.2.1, Figure 5.
type AOpCode uint8

const (
	FetchAdd AOpCode = 0
	Swap     AOpCode = 1 // draft-ietf-storm-rdmap-ext-00 only; reserved in RFC 7306 (I-03)
	CmpSwap  AOpCode = 2
)

// Supported reports whether a responder executes the operation. RFC 7306 section 5 requires both FetchAdd and CmpSwap.
// Section 5.2.1 still describes Swap, but its code is reserved, so only draft-00 has it (I-03).
func (a AOpCode) Supported(draft00 bool) bool {
	return a == FetchAdd || a == CmpSwap || a == Swap && draft00
}

// String returns the specification's name.
func (a AOpCode) String() string {
	switch a {
	case FetchAdd:
		return "FetchAdd"
	case Swap:
		return "Swap"
	case CmpSwap:
		return "CmpSwap"
	}
	return fmt.Sprintf("unassigned AOpCode 0x%X", uint8(a))
}
