package replay

import (
	"bytes"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// readings returns the possible meanings of a captured Terminate's code. There are two, because the Linux kernel's soft-iWARP
// driver swaps the two halves of the first octet.
func readings(payload []byte) [2]wire.TerminateCode {
	high, low := payload[0]>>4, payload[0]&0xF
	return [2]wire.TerminateCode{
		{Layer: wire.Layer(high), EType: low, Code: payload[1]},
		{Layer: wire.Layer(low), EType: high, Code: payload[1]},
	}
}

// says reports whether any of the readings is one of the codes.
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

// concernsSegment reports whether a Terminate was caused by a received segment, and not by a local error or by MPA.
func concernsSegment(payload []byte) bool {
	for _, r := range readings(payload) {
		if _, named := r.Row(); named && r.Layer != wire.LayerLLP && r.EType > 0 {
			return true
		}
	}
	return terminated(payload) != nil
}

// Reasons of a captured peer to refuse a segment that can be reproduced by setting up an engine. For any other reason, whatever
// the segment names does not exist.
var (
	outOfBounds = []wire.TerminateCode{spec.TermBounds, spec.TermTaggedBounds}
	noRight     = []wire.TerminateCode{spec.TermAccess}
	notMine     = []wire.TerminateCode{spec.TermAssociation, spec.TermTaggedAssociation}
	wraps       = []wire.TerminateCode{spec.TermTOWrap, spec.TermTaggedTOWrap}
	badOffset   = []wire.TerminateCode{spec.TermMO}
	tooLong     = []wire.TerminateCode{spec.TermTooLong}
)

// terminated returns the DDP header contained in a Terminate, nil if there is none. HdrCt's D bit is accepted at either end of
// the octet.
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

// refused finds the segment that caused a Terminate: of those received, the last with the returned header. If none has that
// header (soft-iWARP puts the size of a bad Read Request in place of its MSN), the last with its opcode and queue; if nothing
// fits, the last. It returns -1 if there is none.
func refused(payload []byte, segments [][]byte) int {
	if !concernsSegment(payload) {
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
