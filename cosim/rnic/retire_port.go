package rnic

import (
	"errors"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// retireKind is a kind of report of the retire port. Reports of one cycle are ordered by kind.
type retireKind int

const (
	retireArrived retireKind = iota
	retirePlaced
	retireDelivered
	retireRead
	retireAtomic
	retireSent
	retireFarAtomic
	retirePlacing
	retireFarPlaced
	retireKinds
)

var retireNames = [retireKinds]string{"retire_arrived", "retire_placed", "retire_delivered", "retire_read", "retire_atomic", "retire_sent", "retire_far_atomic",
	"retire_placing", "retire_far_placed"}

// retiresOf are the names of the reports of a configuration with the retire port, by kind.
func retiresOf(c gen.Config) []string {
	if c.FarMemoryBit == 0 {
		return retireNames[:retireFarAtomic]
	}
	return retireNames[:]
}

// twoUnits reports whether two atomic units report what takes effect, so that their reports have to be ordered by their cycles.
func twoUnits(c gen.Config) bool { return c.RetirePort && c.FarMemoryBit > 0 }

// step is one report.
type step struct {
	clock   uint64
	kind    retireKind
	stream  uint32
	opcode  wire.Opcode // of retireArrived
	last    bool
	payload bool
	what    uint64    // kind of retireDelivered and retireSent, AOpCode of retireAtomic and retireFarAtomic
	rule    spec.Rule // of retireDelivered
	final   bool
	dropped bool
	far     bool    // of retirePlacing and retireFarPlaced
	atomic  Retired // of retireAtomic and retireFarAtomic
}

// collectSteps takes the retire port's reports, with their cycles, in chronological order.
func (d *Device) collectSteps() error {
	var errs []error
	for kind := range d.retires {
		kind, l := retireKind(kind), &d.retires[kind]
		first, cycles := len(d.out.steps), []uint64{}
		errs = append(errs, l.PopStamped(d.eng, &cycles, func(beat []uint64) { d.collectStep(kind, beat) }))
		for i, clock := range cycles {
			d.out.steps[first+i].clock = clock
		}
	}
	slices.SortStableFunc(d.out.steps, func(a, b step) int {
		switch {
		case a.clock != b.clock && a.clock < b.clock:
			return -1
		case a.clock != b.clock:
			return 1
		}
		return int(a.kind - b.kind)
	})
	return errors.Join(errs...)
}

// collectStep decodes one report.
func (d *Device) collectStep(kind retireKind, beat []uint64) {
	l := &d.retires[kind]
	s := step{kind: kind, stream: uint32(l.Get(beat, "stream"))}
	switch kind {
	case retireArrived:
		s.opcode, s.last, s.payload = wire.Opcode(l.Get(beat, "opcode")), l.Flag(beat, "last"), l.Flag(beat, "payload")
	case retireDelivered:
		s.what, s.rule = l.Get(beat, "kind"), spec.Rule(l.Get(beat, "rule"))
	case retireSent:
		s.what, s.final, s.dropped = l.Get(beat, "kind"), l.Flag(beat, "final"), l.Flag(beat, "dropped")
	case retirePlacing:
		s.far = l.Flag(beat, "far")
	case retireFarPlaced:
		s.far = true
	case retireAtomic, retireFarAtomic:
		s.atomic = retiredOf(l, beat)
		s.what, s.atomic.Far = uint64(s.atomic.Opcode), kind == retireFarAtomic
	}
	d.out.steps = append(d.out.steps, s)
}

// retired are the atomics among steps.
func retired(steps []step) (list []Retired) {
	for _, s := range steps {
		if s.kind == retireAtomic || s.kind == retireFarAtomic {
			list = append(list, s.atomic)
		}
	}
	return list
}

// dropStamps discards the unused stamps of the sinks to make room.
func (d *Device) dropStamps() error {
	for i, s := range d.design.Streams {
		if s.Dir != simulator.Sink || i == d.rx.Stream && d.stamps != nil || d.design.MemoryOf(i) >= 0 {
			continue
		}
		if _, err := d.eng.Accepted(i, make([]uint64, d.eng.Stats(i).Beats)); err != nil {
			return err
		}
	}
	return nil
}
