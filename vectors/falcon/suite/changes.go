package suite

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Changes returns what has changed in the group's memory, and the digest of all of it.
func (g *Group) Changes(s *memory.Space) (changes []suite.Octets, digest string) {
	changes = []suite.Octets{}
	h := sha256.New()
	for _, m := range g.Memory {
		old, now := m.Fill(), s.Append(nil, uint64(m.Address), m.Octets)
		h.Write(now)
		from := -1
		for i := 0; i <= len(now); i++ {
			changed := i < len(now) && now[i] != old[i]
			switch {
			case changed && from < 0:
				from = i
			case !changed && from >= 0:
				changes = append(changes, suite.Octets{Address: m.Address + suite.Hex64(from), Hex: now[from:i]})
				from = -1
			}
		}
	}
	return changes, hex.EncodeToString(h.Sum(nil))
}
