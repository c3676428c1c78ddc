package cases

import "github.com/rnicgen/rnicgen/gen"

// Window is where the memory window of a group starts.
type Window struct {
	STag uint32
	Base func(words int) uint64 // TO of the first octet of a window of so many words
}

// Usual is the window of all cases that are not about windows. Its TOs are above 2^32; in windows of more than
// 512 words they carry into bit 35 on the way.
var Usual = Window{0x1234ABCD, at(0x7_FFFF_F000)}

// Windows that a responder may treat wrongly.
var (
	zeroBase     = Window{0x00000100, at(0)}
	highBase     = Window{0xFFFFFFFF, at(0xFFFF_FFFF_0000_0000)}
	unaligned    = Window{0x80000001, at(0x0123_4567_89AB_C003)}
	topBase      = Window{0x0000FF00, top(0)} // its last octet has the TO 2^64 - 1
	topUnaligned = Window{0x00000080, top(5)} // its last octet has the TO 2^64 - 6
	zeroSTag     = Window{0x00000000, at(0x0000_0001_0000_0008)}
)

func at(base uint64) func(int) uint64 { return func(int) uint64 { return base } }

// top ends the window so many octets below 2^64.
func top(gap uint64) func(int) uint64 {
	return func(words int) uint64 { return -(8*uint64(words) + gap) }
}

// BaseOf is the base TO in a configuration.
func (w Window) BaseOf(c gen.Config) uint64 { return w.Base(c.WindowWords) }
