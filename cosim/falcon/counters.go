package falcon

import (
	"maps"
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// counts are the expected counters of a device: its inputs and outputs since reset.
type counts struct {
	delivered   uint64 // packets
	packets     uint64
	requests    uint64 // of these
	completions uint64
	revoked     uint64 // R-Keys, by Sends that have completed
	ended       uint64 // QPs
	refused     uint64 // receives
}

func (n *counts) sent(p Packet) {
	n.packets++
	if p.Type != spec.PullData {
		n.requests++
	}
}

func (n *counts) completed(c Completion) {
	n.completions++
	if row, known := c.Opcode.Operation(); known && c.Receive && c.Status == falcon.Success && row.Suffix == spec.Invalidate {
		n.revoked++
	}
}

func (n *counts) happened(e Event) {
	switch e.Kind {
	case Ended:
		n.ended++
	case Refused:
		n.refused++
	}
}

// compareCounters compares the counters of the devices at the end, and the number of events. A Send whose QP fails may invalidate an R-Key and not complete.
func (w *world) compareCounters() error {
	for end, n := range w.solicited {
		if n != 0 && w.Reopened == 0 && !slices.ContainsFunc(w.pairs, func(p *pair) bool { return p.failed }) {
			return differs("falcon: end %d: %d more receives that are solicited than events; allowed: as many", end, n)
		}
	}
	for end, d := range w.devices {
		n := d.counts
		want := map[string]uint64{"segments_received": n.delivered, "segments_sent": n.packets, "messages_sent": n.requests, "completions": n.completions, "qps_failed": n.ended,
			"receives_refused": n.refused, "memory_errors": 0, "qps_ended": 0, "segments_dropped": 0}
		if n.ended == 0 {
			want["invalidations"], want["segments_discarded"] = n.revoked, 0
		}
		for _, name := range slices.Sorted(maps.Keys(want)) {
			count := want[name]
			got, err := d.ReadRegister(name)
			if err != nil {
				return err
			}
			if got != uint32(count) {
				return differs("falcon: end %d, register %s is %d; allowed: %d", end, name, got, count)
			}
		}
	}
	return nil
}
