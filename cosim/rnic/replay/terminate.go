package replay

import (
	"bytes"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// readings are what the code of a captured Terminate may mean. The Linux kernel's soft-iWARP driver has the two halves of
// the first octet exchanged, so that there are two.
func readings(payload []byte) [2]wire.TerminateCode {
	high, low := payload[0]>>4, payload[0]&0xF
	return [2]wire.TerminateCode{
		{Layer: wire.Layer(high), EType: low, Code: payload[1]},
		{Layer: wire.Layer(low), EType: high, Code: payload[1]},
	}
}

// says tells whether one of the readings is one of the codes.
func says(payload []byte, codes ...wire.TerminateCode) bool {
	for _, r := range readings(payload) {
		for _, c := range codes {
			if r == c {
				return true
			}
		}
	}
	return false
}

// tellsOfSegment tells whether a Terminate is about a segment that came, and not about something of the node's own or of MPA.
func tellsOfSegment(payload []byte) bool {
	for _, r := range readings(payload) {
		if _, named := r.Row(); named && r.Layer != wire.LayerLLP && r.EType > 0 {
			return true
		}
	}
	return terminated(payload) != nil
}

// The reasons for which a captured peer refused a segment that can be set up for an engine. For any other reason what the
// segment names is not there.
var (
	outOfBounds = []wire.TerminateCode{spec.TermBounds, spec.TermTaggedBounds}
	noRight     = []wire.TerminateCode{spec.TermAccess}
	notMine     = []wire.TerminateCode{spec.TermAssociation, spec.TermTaggedAssociation}
	wraps       = []wire.TerminateCode{spec.TermTOWrap, spec.TermTaggedTOWrap}
	badOffset   = []wire.TerminateCode{spec.TermMO}
	tooLong     = []wire.TerminateCode{spec.TermTooLong}
)

// terminated is the DDP header that a Terminate gives back, nil when it has none. HdrCt's D bit is looked for at both ends
// of the octet.
func terminated(payload []byte) []byte {
	const length = 2
	at := wire.TerminateTable.Octets + length
	if payload[2]&0x42 == 0 || len(payload) <= at {
		return nil
	}
	octets := wire.DDPUntaggedTable.Octets
	if payload[at]&0x80 != 0 {
		octets = wire.DDPTaggedTable.Octets
	}
	return payload[at:min(at+octets, len(payload))]
}

// refused finds the segment that a Terminate answers: of those that had come, the last with the header that it gives back.
// Where that is not the header of any (soft-iWARP puts the size of a bad Read Request in the place of its MSN), the last of
// its opcode and queue, and where nothing fits, the last. It is -1 when there is none.
func refused(payload []byte, segments [][]byte) int {
	if !tellsOfSegment(payload) {
		return -1
	}
	header := terminated(payload)
	queue := wire.DDPUntaggedTable.MustField("queue_number").Octet() + 4
	for _, octets := range []int{len(header), min(queue, len(header))} {
		if octets == 0 {
			break
		}
		for i := len(segments) - 1; i >= 0; i-- {
			if bytes.HasPrefix(segments[i], header[:octets]) {
				return i
			}
		}
	}
	return len(segments) - 1
}
