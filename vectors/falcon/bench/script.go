package bench

import (
	"fmt"
	"slices"

	rdmap "github.com/rnicgen/rnicgen/vectors/bench"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// Commands of the script, as in the bench.
const (
	commandTest   = 1 + iota // the test with tcId a starts: the design is reset, memory is empty
	commandRange             // add a octets of memory at address b
	commandFill              // fill the latest range from seed a
	commandWrite             // write b to the register at a
	commandSettle            // wait until no command of a register is in progress
	commandGive              // give stream `of` its next a beats
	commandXoff              // set xoff to `of`
	commandExpect            // lines a to b - 1 of image `of` are put out before the next rest ends
	commandIgnore            // events are not compared until then
	commandRest              // wait until the design is idle: all that is expected has arrived
	commandChange            // in the end octets from a are those of memory_octets.hex; b = {count, first line}
	commandCheck             // compare memory
	commandEnd               // a tests in total
)

// Images of expected outputs.
const (
	imageTx = iota
	imageAnswer
	imageCompletion
	imageEvent
)

// registerPort is the prefix of the registers' streams.
const registerPort = "s_axil"

// script is the script and its images.
type script struct {
	lines                         *rdmap.Image
	inputs                        []*input
	tx, octets, answers           *rdmap.Image
	completions, events, memory   *rdmap.Image
	tests, block, ranges, longest int // and maxima: octets and ranges of memory, octets of a packet
	group                         *suite.Group
	steps                         []suite.Step // those of the test that are left
	numbers                       masks
}

// input is a stream into the design.
type input struct {
	Stream
	image *rdmap.Image
}

func (s *script) command(command int, of, a uint32, b uint64) {
	s.lines.Add("%02x_%04x_%08x_%016x", command, of, a, b)
}

// give adds a beat to the image of a stream.
func (s *script) give(stream string, beat []uint64) {
	i := slices.IndexFunc(s.inputs, func(in *input) bool { return in.Name == stream })
	in := s.inputs[i]
	in.image.Add("%s", hexOf(beat))
	s.command(commandGive, uint32(i), 1, 0)
}

// begin announces what the next step that waits for the design has as outcomes.
func (s *script) begin() {
	for len(s.steps) > 0 && s.steps[0].Region != nil { // which is done when it is written
		s.steps = s.steps[1:]
	}
	if len(s.steps) == 0 {
		return
	}
	images := []*rdmap.Image{s.tx, s.answers, s.completions, s.events}
	var first [4]int
	for i, m := range images {
		first[i] = m.Lines
	}
	for i := range s.steps[0].Expect {
		s.expect(&s.steps[0].Expect[i])
	}
	for i, m := range images {
		if m.Lines > first[i] {
			s.command(commandExpect, uint32(i), uint32(first[i]), uint64(m.Lines))
		}
	}
	if s.steps[0].Fail != nil { // its event says nothing new
		s.command(commandIgnore, 0, 0, 0)
	}
}

// rest ends a step.
func (s *script) rest() {
	s.command(commandRest, 0, 0, 0)
	if len(s.steps) > 0 {
		s.steps = s.steps[1:]
		s.begin()
	}
}

// both packs two 32-bit numbers.
func both(high, low int) uint64 { return uint64(high)<<32 | uint64(low) }

// place is the number of an octet of the group's memory in the bench.
func (s *script) place(address suite.Hex64) (int, error) {
	at := 0
	for _, m := range s.group.Memory {
		if address >= m.Address && uint64(address-m.Address) < uint64(m.Octets) {
			return at + int(address-m.Address), nil
		}
		at += m.Octets
	}
	return 0, fmt.Errorf("address %x is in no range of memory", uint64(address))
}
