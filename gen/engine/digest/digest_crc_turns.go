package digest

import (
	"fmt"
	"math/bits"
)

// crcTurns cuts ranges for the CRCs into bursts.
func crcTurns(busBytes, streamBits int) cutter {
	octets := mostBeats * busBytes
	return cutter{kind: "digest_crc_turns", doc: fmt.Sprintf(turnsDoc, "digest_crc_turns", octets, ", which end at multiples of that"),
		streamBits: streamBits, markBits: 1, octetBits: bits.Len(uint(octets)) - 1, aligned: true}
}
