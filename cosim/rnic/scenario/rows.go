package scenario

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// rows invalidates rows one after the other by Sends, and uses the others in between. Their indices differ in one bit; STags beyond
// the table differ from them in a higher bit.
func rows(s *stage) error {
	stream, other := s.streams[0], s.streams[len(s.streams)-1]
	indices := []int{0, s.config.STags - 1}
	for i := 1; i < s.config.STags; i <<= 1 {
		indices = append(indices, i)
		if i > 1 {
			indices = append(indices, i+1)
		}
	}
	areas := map[int]*area{}
	var list []int
	for _, i := range indices {
		if areas[i] != nil {
			continue
		}
		s.rows = i
		a, err := s.region(4096, memory.RemoteWrite|memory.Invalidate)
		if err != nil {
			return err
		}
		areas[i] = a
		list = append(list, i)
	}
	if err := s.openRaw(stream, other); err != nil {
		return err
	}
	s.rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for gone, i := range list {
		if err := s.PostReceive(receiveNothing(s, stream)); err != nil {
			return err
		}
		if err := s.pass(50); err != nil {
			return err
		}
		s.Send(stream, wire.AppendSend(nil, spec.SendInvalidate.Opcode(), areas[i].stag(), s.raw[stream].send, 0, true, nil))
		s.raw[stream].send++
		for _, still := range list[gone+1:] {
			s.write(stream, areas[still], s.octets(4))
		}
		if err := s.done(); err != nil {
			return err
		}
		// The invalidated row, and its index beyond the table: a stream that names them ends.
		for _, index := range []int{i, i + s.config.STags, i | 1<<23} {
			s.Send(other, wire.AppendWrite(nil, memory.STag(index, areas[i].Key), areas[i].Base, true, s.octets(4)))
			s.may(other)
			if err := s.done(); err != nil {
				return err
			}
			if err := s.openRaw(other); err != nil {
				return err
			}
		}
	}
	return s.register("invalidations", uint32(len(list)))
}
