package rnic

import (
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// interleaver makes some Read and Atomic Requests overtake the last segment of the preceding message of their stream. They
// arrive while that message is incomplete and must not be executed before it is delivered. Half of these last segments are
// delayed until the end is idle.
type interleaver struct {
	rand   *rand.Rand
	x      spec.Extensions
	within []bool    // by stream: the latest segment was not the last of its message
	late   []Segment // delivered with the next ones
}

// carry returns the segments that arrive for those sent by an end.
func (v *interleaver) carry(left []Segment) (arriving []Segment) {
	segments := append(v.late, left...)
	v.late = nil
	ended := map[uint32]int{}    // by stream: the preceding segment, if it is the last of several
	stopped := map[uint32]bool{} // streams whose segments are delayed
	for _, s := range segments {
		if stopped[s.Stream] {
			v.late = append(v.late, s)
			continue
		}
		view, _ := wire.ClassifyWith(v.x, s.Octets)
		before, is := ended[s.Stream]
		delete(ended, s.Stream)
		switch {
		case is && isRequest(view.Header.Opcode) && v.rand.IntN(2) == 0:
			arriving[before].Octets, s.Octets = s.Octets, arriving[before].Octets
			if v.rand.IntN(2) == 0 {
				stopped[s.Stream] = true
				v.late = append(v.late, s)
				continue
			}
		default:
			if v.within[s.Stream] && view.Header.Last {
				ended[s.Stream] = len(arriving)
			}
			v.within[s.Stream] = !view.Header.Last
		}
		arriving = append(arriving, s)
	}
	return arriving
}
