package digest

import (
	"fmt"
	"math/bits"
)

// hashedOctets are those of a part for SHA-256: eight blocks.
const hashedOctets = 512

// sha256Turns cuts ranges for SHA-256 into blocks, so that only the hash value is left of a turn.
func sha256Turns(streamBits int) cutter {
	return cutter{kind: "digest_sha256_turns", doc: fmt.Sprintf(turnsDoc, "digest_sha256_turns", hashedOctets, ""),
		streamBits: streamBits, markBits: 32, octetBits: bits.Len(hashedOctets) - 1}
}
