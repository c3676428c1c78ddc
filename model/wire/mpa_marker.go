package wire

import (
	"encoding/binary"
	"fmt"
)

// MPAMarkerInterval is the distance between the first octets of two Markers in TCP sequence space, RFC 5044 section
// 4.3, and MPAMarkerOctets is the length of a Marker. The first Marker directly follows the start-up frame of a
// direction. The length of every FPDU is a multiple of 4 octets, so a Marker splits neither ULPDU_Length nor CRC.
const (
	MPAMarkerInterval = 512
	MPAMarkerOctets   = 4
)

// maxFPDUPTR is the farthest that a Marker can point back, in octets.
const maxFPDUPTR = 1<<16 - 1

var fpduptr = MPAMarkerTable.at("fpduptr")

// markerWalk tracks the position within one FPDU with Markers.
type markerWalk struct {
	position uint64 // of the FPDU's first octet, in octets since the start-up frame
	at       int    // octets of the FPDU already passed
	length   int    // offset of ULPDU_Length: 0, or 4 after a leading Marker
}

// toMarker returns the number of octets before the next Marker; 0: it is due now.
func (w *markerWalk) toMarker() int {
	return int(-(w.position + uint64(w.at)) % MPAMarkerInterval)
}

func (w *markerWalk) markerDue() bool { return w.toMarker() == 0 }

// pointer returns the FPDUPTR of the due Marker; pass advances past it.
func (w *markerWalk) pointer() int { return w.at - w.length }

func (w *markerWalk) pass() {
	if w.at == 0 {
		w.length = MPAMarkerOctets
	}
	w.at += MPAMarkerOctets
}

// AppendMarkedFPDU appends the FPDU of one ULPDU with its Markers. position is the number of octets, including Markers,
// that this direction has sent since its start-up frame; it determines the Marker positions. A Marker between two FPDUs
// belongs to the second: it is first, its FPDUPTR is 0 and the CRC covers it.
//
// AppendMarkedFPDU returns an error for a ULPDU so long that a Marker could not point back to its start.
func AppendMarkedFPDU(dst, ulpdu []byte, crc bool, position uint64) ([]byte, error) {
	if len(ulpdu) > MaxSegment {
		return dst, ulpduTooLong(len(ulpdu))
	}
	if err := checkPosition(position); err != nil {
		return dst, err
	}
	body := binary.BigEndian.AppendUint16(make([]byte, 0, FPDUOctets(len(ulpdu))), uint16(len(ulpdu)))
	body = append(body, ulpdu...)
	body = append(body, make([]byte, MPAPad(len(ulpdu)))...)

	start := len(dst)
	w := markerWalk{position: position}
	for len(body) > 0 || w.markerDue() { // a Marker may be due between pad and CRC
		if w.markerDue() {
			if w.pointer() > maxFPDUPTR {
				return dst[:start], &MPAError{Frame: "FPDU", Field: "ulpdu_length", Offset: w.length, Value: uint64(len(ulpdu)),
					Allowed: fmt.Sprintf("a length whose Markers lie within %d octets", maxFPDUPTR)}
			}
			dst = binary.BigEndian.AppendUint32(dst, uint32(w.pointer()))
			w.pass()
			continue
		}
		n := min(w.toMarker(), len(body))
		dst = append(dst, body[:n]...)
		body = body[n:]
		w.at += n
	}
	return appendCRC(dst, start, crc), nil
}

// DecodeMarkedFPDU decodes the first FPDU of b, with Markers; position is that of b[0], as for AppendMarkedFPDU. The
// ULPDU is assembled in scratch, which grows if it is too small. Errors: ErrMPAIncomplete, or a Marker that does not
// point to this FPDU's ULPDU_Length (Terminate 2/0/0x03).
func DecodeMarkedFPDU(b []byte, position uint64, scratch []byte) (FPDU, error) {
	if err := checkPosition(position); err != nil {
		return FPDU{}, err
	}
	body, want := scratch[:0], MPALengthOctets
	w := markerWalk{position: position}
	for len(body) < want || w.markerDue() {
		if w.markerDue() {
			ptr, ok := fpduptr.get(b[min(w.at, len(b)):])
			if !ok {
				return FPDU{}, incomplete("FPDU", len(b), w.at+MPAMarkerOctets)
			}
			if ptr != uint64(w.pointer()) {
				return FPDU{}, &MPAError{Frame: "FPDU", Field: "fpduptr", Offset: w.at + 2, Value: ptr,
					Allowed: fmt.Sprintf("%d, the octets back to ULPDU_Length", w.pointer())}
			}
			w.pass()
			continue
		}
		n := min(w.toMarker(), want-len(body))
		if w.at+n > len(b) {
			return FPDU{}, incomplete("FPDU", len(b), w.at+n)
		}
		body = append(body, b[w.at:w.at+n]...)
		w.at += n
		if want == MPALengthOctets && len(body) == want {
			n := int(ulpduLength.value(body))
			want += n + MPAPad(n)
		}
	}
	if w.at+MPACRCOctets > len(b) {
		return FPDU{}, incomplete("FPDU", len(b), w.at+MPACRCOctets)
	}
	n := int(ulpduLength.value(body))
	return FPDU{
		ULPDU:    body[MPALengthOctets : MPALengthOctets+n : MPALengthOctets+n],
		CRC:      binary.LittleEndian.Uint32(b[w.at:]),
		Computed: MPACRC(b[:w.at]),
		Octets:   w.at + MPACRCOctets,
	}, nil
}

func checkPosition(position uint64) error {
	if position%4 != 0 {
		return &MPAError{Frame: "FPDU", Field: "position", Value: position, Allowed: "a multiple of 4, as are the lengths of all FPDUs"}
	}
	return nil
}
