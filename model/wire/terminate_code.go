package wire

import "fmt"

// Layer is the layer that found an error, 4 bits of a Terminate: RFC 5040 section 4.8.
type Layer uint8

const (
	LayerRDMAP Layer = 0
	LayerDDP   Layer = 1
	LayerLLP   Layer = 2
)

// String is the layer's name.
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

// TerminateRow names one code.
type TerminateRow struct {
	TerminateCode
	Type string // name of the error type
	Name string // name of the code
}

// TerminateCodes lists all codes that the specifications name: RFC 5040 section 4.8, RFC 5041 section 7.2,
// RFC 5044 section 8 and RFC 6581.
var TerminateCodes = []TerminateRow{
	{TerminateCode{LayerRDMAP, 0, 0x00}, "local catastrophic", "local catastrophic error"},
	{TerminateCode{LayerRDMAP, 1, 0x00}, "remote protection", "invalid STag"},
	{TerminateCode{LayerRDMAP, 1, 0x01}, "remote protection", "base or bounds violation"},
	{TerminateCode{LayerRDMAP, 1, 0x02}, "remote protection", "access rights violation"},
	{TerminateCode{LayerRDMAP, 1, 0x03}, "remote protection", "STag not associated with the RDMAP Stream"},
	{TerminateCode{LayerRDMAP, 1, 0x04}, "remote protection", "TO wrap"},
	{TerminateCode{LayerRDMAP, 1, 0x09}, "remote protection", "STag cannot be invalidated"},
	{TerminateCode{LayerRDMAP, 1, 0xFF}, "remote protection", "unspecified"},
	{TerminateCode{LayerRDMAP, 2, 0x05}, "remote operation", "invalid RDMAP version"},
	{TerminateCode{LayerRDMAP, 2, 0x06}, "remote operation", "unexpected opcode"},
	{TerminateCode{LayerRDMAP, 2, 0x07}, "remote operation", "catastrophic error, localized to the RDMAP Stream"},
	{TerminateCode{LayerRDMAP, 2, 0x08}, "remote operation", "catastrophic error, global"},
	{TerminateCode{LayerRDMAP, 2, 0x09}, "remote operation", "STag cannot be invalidated"},
	{TerminateCode{LayerRDMAP, 2, 0xFF}, "remote operation", "unspecified"},
	{TerminateCode{LayerDDP, 0, 0x00}, "local catastrophic", "local catastrophic error"},
	{TerminateCode{LayerDDP, 1, 0x00}, "tagged buffer", "invalid STag"},
	{TerminateCode{LayerDDP, 1, 0x01}, "tagged buffer", "base or bounds violation"},
	{TerminateCode{LayerDDP, 1, 0x02}, "tagged buffer", "STag not associated with the DDP Stream"},
	{TerminateCode{LayerDDP, 1, 0x03}, "tagged buffer", "TO wrap"},
	{TerminateCode{LayerDDP, 1, 0x04}, "tagged buffer", "invalid DDP version"},
	{TerminateCode{LayerDDP, 2, 0x01}, "untagged buffer", "invalid QN"},
	{TerminateCode{LayerDDP, 2, 0x02}, "untagged buffer", "invalid MSN, no buffer available"},
	{TerminateCode{LayerDDP, 2, 0x03}, "untagged buffer", "invalid MSN, out of range"},
	{TerminateCode{LayerDDP, 2, 0x04}, "untagged buffer", "invalid MO"},
	{TerminateCode{LayerDDP, 2, 0x05}, "untagged buffer", "message too long for the buffer"},
	{TerminateCode{LayerDDP, 2, 0x06}, "untagged buffer", "invalid DDP version"},
	{TerminateCode{LayerLLP, 0, 0x01}, "MPA", "TCP connection closed, terminated or lost"},
	{TerminateCode{LayerLLP, 0, 0x02}, "MPA", "CRC error"},
	{TerminateCode{LayerLLP, 0, 0x03}, "MPA", "marker and ULPDU Length mismatch"},
	{TerminateCode{LayerLLP, 0, 0x04}, "MPA", "invalid request or response frame"},
	{TerminateCode{LayerLLP, 0, 0x05}, "MPA", "local catastrophic error"},
	{TerminateCode{LayerLLP, 0, 0x06}, "MPA", "insufficient IRD"},
	{TerminateCode{LayerLLP, 0, 0x07}, "MPA", "no matching RTR"},
}

// Row finds the code's names; false when no specification names it.
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
