package wire

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// Octets of an FPDU in addition to its ULPDU, RFC 5044 section 4.1.
const (
	MPALengthOctets = 2 // ULPDU_Length
	MPACRCOctets    = 4 // CRC32c
)

var (
	castagnoli  = crc32.MakeTable(crc32.Castagnoli)
	ulpduLength = MPALengthTable.at("ulpdu_length")
)

// FPDU is one decoded FPDU, without its pad: pad octets are zero on transmit and, except for the CRC, ignored on
// receive.
type FPDU struct {
	ULPDU    []byte // one DDP segment; a slice of the input, or a copy if Markers were removed
	CRC      uint32 // the CRC field as received
	Computed uint32 // the CRC that the field must have if CRC is in use
	Octets   int    // length of the FPDU including Markers; the next FPDU starts there
}

// CRCOK reports whether the CRC field is correct. It is meaningless for a connection without CRC.
func (f FPDU) CRCOK() bool { return f.CRC == f.Computed }

// MPACRC computes the CRC32c (polynomial 0x1EDC6F41, reflected, all ones before, inverted after) of the octets from
// ULPDU_Length to the end of the pad, Markers included. RFC 5044 section 4.4 adopts the order of iSCSI: the least
// significant octet of the value is sent first.
func MPACRC(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// MPAPad returns the number of pad octets, 0 to 3, that make ULPDU_Length, ULPDU and pad a multiple of 4.
func MPAPad(ulpdu int) int { return -(MPALengthOctets + ulpdu) & 3 }

// FPDUOctets returns the length of an FPDU without Markers.
func FPDUOctets(ulpdu int) int { return MPALengthOctets + ulpdu + MPAPad(ulpdu) + MPACRCOctets }

// DecodeFPDU decodes the first FPDU of b, without Markers. Any ULPDU_Length is valid, including 0, so the only error is
// ErrMPAIncomplete.
func DecodeFPDU(b []byte) (FPDU, error) {
	if len(b) < MPALengthOctets {
		return FPDU{}, incomplete("FPDU", len(b), MPALengthOctets)
	}
	n := int(ulpduLength.value(b))
	total := FPDUOctets(n)
	if len(b) < total {
		return FPDU{}, incomplete("FPDU", len(b), total)
	}
	covered := total - MPACRCOctets
	return FPDU{
		ULPDU:    b[MPALengthOctets : MPALengthOctets+n : MPALengthOctets+n],
		CRC:      binary.LittleEndian.Uint32(b[covered:]),
		Computed: MPACRC(b[:covered]),
		Octets:   total,
	}, nil
}

// AppendFPDU appends the FPDU of one ULPDU, without Markers. If crc is false, the CRC field is zero, as sent when CRC
// is not in use.
func AppendFPDU(dst, ulpdu []byte, crc bool) ([]byte, error) {
	if len(ulpdu) > MaxSegment {
		return dst, ulpduTooLong(len(ulpdu))
	}
	start := len(dst)
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(ulpdu)))
	dst = append(dst, ulpdu...)
	dst = append(dst, 0, 0, 0)[:len(dst)+MPAPad(len(ulpdu))]
	return appendCRC(dst, start, crc), nil
}

func appendCRC(dst []byte, start int, crc bool) []byte {
	var value uint32
	if crc {
		value = MPACRC(dst[start:])
	}
	return binary.LittleEndian.AppendUint32(dst, value)
}

func ulpduTooLong(n int) *MPAError {
	return &MPAError{Frame: "FPDU", Field: "ulpdu_length", Value: uint64(n), Allowed: fmt.Sprintf("0..%d", MaxSegment)}
}
