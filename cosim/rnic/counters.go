package rnic

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/engine"
)

// counts are the events that both device and model count.
type counts struct {
	received, discarded, inError, sent, messages, completions, terminates, terminated, invalidations uint32
}

// CompareRegisters compares the device's counters and log with the model. Nothing may be in flight.
func (n *Node) CompareRegisters() error { return n.compareRegisters() }

// compareRegisters compares the device's counters and its Terminate log with the model's counts and with the ports. Nothing
// may be in flight.
//
// segments_dropped is compared with the reports of the retire port, if present. memory_errors is only checked for zero;
// segments_discarded and segments_in_error are skipped if a stream has ended at an unobservable point since the last comparison,
// invalidations if the responses of one were dropped: requests after a dropped one are not executed.
func (n *Node) compareRegisters() error {
	if err := n.compareIdentity(); err != nil {
		return err
	}
	m := n.Model.Counters()
	counted := counts{
		received: uint32(m.SegmentsReceived), discarded: uint32(m.SegmentsDiscarded) + n.extra.discarded, inError: uint32(m.SegmentsInError) + n.extra.inError,
		sent: uint32(n.checked.Segments), messages: uint32(n.checked.Messages), completions: uint32(n.checked.Completions),
		terminates: n.extra.terminates, terminated: uint32(m.TerminatesReceived), invalidations: uint32(m.Invalidations),
	}
	var shown counts
	for _, r := range []struct {
		name  string
		shown *uint32
		model uint32
		base  uint32
	}{
		{"segments_received", &shown.received, counted.received, 0},
		{"segments_discarded", &shown.discarded, counted.discarded, n.base.discarded},
		{"segments_in_error", &shown.inError, counted.inError, n.base.inError},
		{"segments_sent", &shown.sent, counted.sent, 0},
		{"messages_sent", &shown.messages, counted.messages, 0},
		{"completions", &shown.completions, counted.completions, 0},
		{"terminates_sent", &shown.terminates, counted.terminates, 0},
		{"terminates_received", &shown.terminated, counted.terminated, 0},
		{"invalidations", &shown.invalidations, counted.invalidations, n.base.invalidations},
		{"receives_refused", new(uint32), n.refused, 0},
		{"segments_dropped", new(uint32), n.dropped, 0},
	} {
		value, err := n.Device.ReadRegister(r.name)
		if err != nil {
			return err
		}
		*r.shown = value
		if n.unequal && (r.name == "segments_discarded" || r.name == "segments_in_error") || n.drops && r.name == "invalidations" || r.name == "segments_dropped" && !n.config.RetirePort {
			continue
		}
		n.checked.Registers++
		if value-r.base != r.model {
			return n.differs(0, "register "+r.name, fmt.Sprint(value-r.base), fmt.Sprint(r.model))
		}
	}
	// Values that cannot be compared become the new offset.
	n.base = counts{discarded: shown.discarded - counted.discarded, inError: shown.inError - counted.inError,
		invalidations: shown.invalidations - counted.invalidations}
	n.unequal, n.drops = false, false
	if err := n.compareLog(); err != nil {
		return err
	}
	return n.compareFew()
}

// compareFew compares the counters that are nonzero only in directed runs, or not always known.
func (n *Node) compareFew() error {
	for _, r := range []struct {
		name  string
		model uint32
		known bool
	}{{"terminates_lost", n.lost, true}, {"memory_errors", 0, len(n.faulty) == 0}} {
		value, err := n.Device.ReadRegister(r.name)
		if err != nil {
			return err
		}
		n.checked.Registers++
		if r.known && value != r.model {
			return n.differs(0, "register "+r.name, fmt.Sprint(value), fmt.Sprint(r.model))
		}
	}
	return nil
}

// compareLog compares the logged Terminates with the events.
func (n *Node) compareLog() error {
	var ends []Event
	for _, e := range n.events {
		if e.Kind == engine.EventEnded || e.Kind == engine.EventClosed {
			ends = append(ends, e)
		}
	}
	n.events = n.events[:0]
	const depth = 16
	if over := len(ends) - depth; over > 0 {
		ends, n.lost = ends[over:], n.lost+uint32(over)
	}
	for i := 0; ; i++ {
		value, err := n.Device.ReadRegister("terminate_log")
		if err != nil {
			return err
		}
		want := uint32(0)
		if i < len(ends) {
			e := ends[i]
			want = 1<<31 | e.Stream<<16 | uint32(e.Term.Layer)<<12 | uint32(e.Term.EType)<<8 | uint32(e.Term.Code)
			if e.Kind == engine.EventClosed {
				want |= 1 << 30
			}
		}
		n.checked.Registers++
		if value != want {
			return n.differs(value>>16&0x3FFF, "register terminate_log", fmt.Sprintf("0x%08X", value), fmt.Sprintf("0x%08X", want))
		}
		if value == 0 {
			return nil
		}
	}
}
