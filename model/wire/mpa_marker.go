package wire

import (
	"encoding/binary"
	"fmt"
)

// MPAMarkerInterval is the distance of two Markers' first octets in TCP sequence space, RFC 5044 section
// 4.3, and MPAMarkerOctets the length of one. The first Marker is the first thing that a direction sends after
// its start-up frame. All FPDUs are a multiple of 4 octets long, so a Marker splits neither ULPDU_Length nor CRC.
const (
	MPAMarkerInterval = 512
	MPAMarkerOctets   = 4
)

// maxFPDUPTR is how far back a Marker can point.
const maxFPDUPTR = 1<<16 - 1

var fpduptr = MPAMarkerTable.at("fpduptr")

// markerWalk goes through one FPDU with Markers, octet position by octet position.
type markerWalk struct {
	position uint64 // of the FPDU's first octet in its direction
	at       int    // octets of the FPDU behind us
	length   int    // where ULPDU_Length is: 0, or 4 behind a leading Marker
}

// toMarker is how many octets fit before the next Marker; 0: it is due now.
func (w *markerWalk) toMarker() int {
	return int(-(w.position + uint64(w.at)) % MPAMarkerInterval)
}

func (w *markerWalk) markerDue() bool { return w.toMarker() == 0 }

// pointer is the FPDUPTR of the Marker that is due; pass goes behind it.
func (w *markerWalk) pointer() int { return w.at - w.length }

func (w *markerWalk) pass() {
	if w.at == 0 {
		w.length = MPAMarkerOctets
	}
	w.at += MPAMarkerOctets
}

// AppendMarkedFPDU appends the FPDU of one ULPDU with its Markers. position is how many octets, Markers
// included, this direction has sent since its start-up frame: it says where the Markers fall. A Marker
// between two FPDUs belongs to the second one: it goes first, its FPDUPTR is 0 and the CRC covers it.
//
// An ULPDU so long that a Marker could not point back to its start is refused.
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

// DecodeMarkedFPDU takes the first FPDU of b, which has Markers; position is that of b[0], as for
// AppendMarkedFPDU. The ULPDU is gathered in scratch, which grows when it is too small. Errors:
// ErrMPAIncomplete, or a Marker that does not point to this FPDU's ULPDU_Length (Terminate 2/0/0x03).
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
		return &MPAError{Frame: "FPDU", Field: "position", Value: position, Allowed: "a multiple of 4, as all FPDUs are"}
	}
	return nil
}
