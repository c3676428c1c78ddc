package spec

import "fmt"

// Layer is the layer that found an error, 4 bits of a Terminate: RFC 5040 section 4.8.
type Layer uint8

const (
	LayerRDMAP Layer = 0
	LayerDDP   Layer = 1
	LayerLLP   Layer = 2
)

// String returns the layer's name.
func (l Layer) String() string {
	switch l {
	case LayerRDMAP:
		return "RDMAP"
	case LayerDDP:
		return "DDP"
	case LayerLLP:
		return "LLP"
	}
	return fmt.Sprintf("layer %d", uint8(l))
}

// TerminateCode is what a Terminate reports. EType (4 bits) depends on the layer, Code (8 bits) on both.
type TerminateCode struct {
	Layer Layer
	EType uint8
	Code  uint8
}

// The codes of RFC 5040 section 4.8.
var (
	TermLocal              = TerminateCode{LayerRDMAP, 0, 0x00}
	TermSTag               = TerminateCode{LayerRDMAP, 1, 0x00}
	TermBounds             = TerminateCode{LayerRDMAP, 1, 0x01}
	TermAccess             = TerminateCode{LayerRDMAP, 1, 0x02}
	TermAssociation        = TerminateCode{LayerRDMAP, 1, 0x03}
	TermTOWrap             = TerminateCode{LayerRDMAP, 1, 0x04}
	TermInvalidate         = TerminateCode{LayerRDMAP, 1, 0x09}
	TermProtection         = TerminateCode{LayerRDMAP, 1, 0xFF}
	TermRDMAPVersion       = TerminateCode{LayerRDMAP, 2, 0x05}
	TermUnexpectedOpcode   = TerminateCode{LayerRDMAP, 2, 0x06}
	TermCatastrophicStream = TerminateCode{LayerRDMAP, 2, 0x07}
	TermCatastrophicGlobal = TerminateCode{LayerRDMAP, 2, 0x08}
	TermInvalidateAsked    = TerminateCode{LayerRDMAP, 2, 0x09}
	TermOperation          = TerminateCode{LayerRDMAP, 2, 0xFF}
)

// The codes of RFC 5041 section 7.2.
var (
	TermDDPLocal           = TerminateCode{LayerDDP, 0, 0x00}
	TermTaggedSTag         = TerminateCode{LayerDDP, 1, 0x00}
	TermTaggedBounds       = TerminateCode{LayerDDP, 1, 0x01}
	TermTaggedAssociation  = TerminateCode{LayerDDP, 1, 0x02}
	TermTaggedTOWrap       = TerminateCode{LayerDDP, 1, 0x03}
	TermTaggedDDPVersion   = TerminateCode{LayerDDP, 1, 0x04}
	TermQueue              = TerminateCode{LayerDDP, 2, 0x01}
	TermNoBuffer           = TerminateCode{LayerDDP, 2, 0x02}
	TermMSN                = TerminateCode{LayerDDP, 2, 0x03}
	TermMO                 = TerminateCode{LayerDDP, 2, 0x04}
	TermTooLong            = TerminateCode{LayerDDP, 2, 0x05}
	TermUntaggedDDPVersion = TerminateCode{LayerDDP, 2, 0x06}
)

// The codes of RFC 5044 section 8 and RFC 6581.
var (
	TermMPALost       = TerminateCode{LayerLLP, 0, 0x01}
	TermMPACRC        = TerminateCode{LayerLLP, 0, 0x02}
	TermMPAMarker     = TerminateCode{LayerLLP, 0, 0x03}
	TermMPAStartFrame = TerminateCode{LayerLLP, 0, 0x04}
	TermMPALocal      = TerminateCode{LayerLLP, 0, 0x05}
	TermMPAIRD        = TerminateCode{LayerLLP, 0, 0x06}
	TermMPARTR        = TerminateCode{LayerLLP, 0, 0x07}
)

// TerminateRow names one code.
type TerminateRow struct {
	TerminateCode
	Type string // name of the error type
	Name string // name of the code
}

// TerminateCodes lists all codes named in the specifications.
var TerminateCodes = []TerminateRow{
	{TermLocal, "local catastrophic", "local catastrophic error"},
	{TermSTag, "remote protection", "invalid STag"},
	{TermBounds, "remote protection", "base or bounds violation"},
	{TermAccess, "remote protection", "access rights violation"},
	{TermAssociation, "remote protection", "STag not associated with the RDMAP Stream"},
	{TermTOWrap, "remote protection", "TO wrap"},
	{TermInvalidate, "remote protection", "STag cannot be invalidated"},
	{TermProtection, "remote protection", "unspecified"},
	{TermRDMAPVersion, "remote operation", "invalid RDMAP version"},
	{TermUnexpectedOpcode, "remote operation", "unexpected opcode"},
	{TermCatastrophicStream, "remote operation", "catastrophic error, localized to the RDMAP Stream"},
	{TermCatastrophicGlobal, "remote operation", "catastrophic error, global"},
	{TermInvalidateAsked, "remote operation", "STag cannot be invalidated"},
	{TermOperation, "remote operation", "unspecified"},
	{TermDDPLocal, "local catastrophic", "local catastrophic error"},
	{TermTaggedSTag, "tagged buffer", "invalid STag"},
	{TermTaggedBounds, "tagged buffer", "base or bounds violation"},
	{TermTaggedAssociation, "tagged buffer", "STag not associated with the DDP Stream"},
	{TermTaggedTOWrap, "tagged buffer", "TO wrap"},
	{TermTaggedDDPVersion, "tagged buffer", "invalid DDP version"},
	{TermQueue, "untagged buffer", "invalid QN"},
	{TermNoBuffer, "untagged buffer", "invalid MSN, no buffer available"},
	{TermMSN, "untagged buffer", "invalid MSN, out of range"},
	{TermMO, "untagged buffer", "invalid MO"},
	{TermTooLong, "untagged buffer", "message too long for the buffer"},
	{TermUntaggedDDPVersion, "untagged buffer", "invalid DDP version"},
	{TermMPALost, "MPA", "TCP connection closed, terminated or lost"},
	{TermMPACRC, "MPA", "CRC error"},
	{TermMPAMarker, "MPA", "marker and ULPDU Length mismatch"},
	{TermMPAStartFrame, "MPA", "invalid request or response frame"},
	{TermMPALocal, "MPA", "local catastrophic error"},
	{TermMPAIRD, "MPA", "insufficient IRD"},
	{TermMPARTR, "MPA", "no matching RTR"},
}

// Row returns the names of the code; false if no specification names it.
func (c TerminateCode) Row() (TerminateRow, bool) {
	for _, r := range TerminateCodes {
		if r.TerminateCode == c {
			return r, true
		}
	}
	return TerminateRow{}, false
}

// String reads, for example, "0/1/0x04 (RDMAP, remote protection: TO wrap)".
func (c TerminateCode) String() string {
	numbers := fmt.Sprintf("%d/%d/0x%02X", uint8(c.Layer), c.EType, c.Code)
	if r, ok := c.Row(); ok {
		return fmt.Sprintf("%s (%v, %s: %s)", numbers, c.Layer, r.Type, r.Name)
	}
	return fmt.Sprintf("%s (%v, unnamed)", numbers, c.Layer)
}
