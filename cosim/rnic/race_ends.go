package rnic

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// mostEnds is the maximum number of streams that end during an opening.
const mostEnds = 8

// openBesideEnds opens a stream the given number of cycles after segments that end others, and ends it, too: each stream sends one Terminate.
func (r *racer) openBesideEnds(cycles int) error {
	d := r.device
	for s := range min(r.stream, mostEnds) {
		if err := d.Open(s, 0); err != nil {
			return err
		}
	}
	d.Take()
	for s := range min(r.stream, mostEnds) {
		d.Send(s, []byte{})
	}
	if err := d.rx.Push(d.eng); err != nil {
		return err
	}
	if cycles > 0 {
		if _, err := d.Run(uint64(cycles), 0); err != nil {
			return err
		}
	}
	if err := d.Open(r.stream, 0); err != nil {
		return err
	}
	d.Send(r.stream, []byte{})
	_, err := d.Run(roundCycles, 4*quietCycles)
	out := d.Take()
	left := map[uint32]int{}
	for _, s := range out.Segments {
		if view, _ := wire.Classify(s.Octets); view.Header.Opcode.Is(spec.Terminate) {
			left[s.Stream]++
		}
	}
	for _, s := range append(firstStreams(min(r.stream, mostEnds)), r.stream) {
		if left[s] != 1 {
			return errors.Join(err, &Difference{Node: "race", Stream: s, What: fmt.Sprintf("a stream opened %d cycles after segments that end others", cycles),
				Device: fmt.Sprintf("%d Terminates", left[s]), Model: "1 Terminate"})
		}
	}
	return err
}

func firstStreams(n uint32) (list []uint32) {
	for s := range n {
		list = append(list, s)
	}
	return list
}
