package rnic

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// retireReports collects the retire port's reports on a stream since it was opened.
type retireReports struct {
	sent      [][]byte                       // segments sent to the device whose arrival is not yet reported
	placed    int                            // placements
	delivered [engine.DeliverRelease + 1]int // by kind, such as gen.DeliverReceive
	reads     int                            // started
	rule      spec.Rule                      // broken by a segment

	received int       // completions of receives
	ends     [2]int    // events of Terminates, sent and received
	places   int       // placements of the model
	started  int       // Reads that the model has executed
	released int       // RDMA Writes that requests waited for
	broken   spec.Rule // broken according to the model
}

// sentReport is the report of a sent segment.
type sentReport struct {
	stream uint32
	kind   uint64
	final  bool
}

// followReports compares the retire port's reports on segments one by one, and counts the others.
func (n *Node) followReports(steps []step, segments []Segment) error {
	if !n.config.RetirePort {
		return nil
	}
	for _, s := range steps {
		f := &n.streams[s.stream]
		switch s.kind {
		case retireArrived:
			if len(f.shown.sent) == 0 {
				return n.differs(s.stream, "the report of an arrival", fmt.Sprintf("%+v", s), "none")
			}
			octets := f.shown.sent[0]
			f.shown.sent = f.shown.sent[1:]
			if err := n.compareArrival(s, octets); err != nil {
				return err
			}
		case retirePlaced, retireFarPlaced:
			f.shown.placed++
		case retireDelivered:
			if s.what >= uint64(len(f.shown.delivered)) {
				return n.differs(s.stream, "the report of a delivery", fmt.Sprintf("kind %d", s.what), "0 to 5")
			}
			f.shown.delivered[s.what]++
			if s.what == engine.DeliverEnd {
				f.shown.rule = s.rule
			}
		case retireRead:
			f.shown.reads++
		case retireSent:
			switch {
			case s.dropped:
				n.dropped++
			case s.what != engine.KindClose:
				n.reports = append(n.reports, sentReport{s.stream, s.what, s.final})
			}
		}
	}
	n.leaving = append(n.leaving, segments...)
	for len(n.leaving) > 0 && len(n.reports) > 0 {
		view, _ := n.classify(n.leaving[0].Octets)
		want := sentReport{n.leaving[0].Stream, n.kinds.of(view.Header.Opcode), view.Header.Last}
		if n.reports[0] != want {
			return n.differs(want.stream, "the report of a sent segment", fmt.Sprintf("%+v", n.reports[0]), fmt.Sprintf("%+v", want))
		}
		n.leaving, n.reports = n.leaving[1:], n.reports[1:]
	}
	return nil
}

// compareArrival compares the report of a segment with its octets.
func (n *Node) compareArrival(s step, octets []byte) error {
	var head [2]byte
	copy(head[:], octets)
	view, kind := n.classify(octets)
	payload := s.payload
	if op := view.Header.Opcode; kind == spec.None && (isOf(op, spec.Tagged|spec.VerifyResponse) || isSend(op)) {
		payload = len(view.Payload) > 0
	}
	if s.opcode != wire.Opcode(head[1]&(1<<n.config.Protocol().OpcodeBits()-1)) || s.last != (head[0]&0x40 != 0) || s.payload != payload {
		return n.differs(s.stream, "the report of an arrival", fmt.Sprintf("opcode %d, last %t, payload %t", s.opcode, s.last, s.payload), n.show(octets))
	}
	return nil
}

// says reports whether a Terminate of the device is for a rule: according to the retire port or, without it, to the code.
func (n *Node) says(stream uint32, t *wire.Terminate, rule spec.Rule) bool {
	if n.config.RetirePort {
		return n.streams[stream].shown.rule == rule
	}
	return t.Code == codeOf(rule)
}

// compareRule compares the rule broken by the segment that has ended the stream, if one has.
func (n *Node) compareRule(stream uint32) error {
	f := &n.streams[stream]
	if !n.config.RetirePort || f.cause != spec.None || f.shown.rule == f.shown.broken {
		return nil
	}
	if n.config.RetirePort && slices.Contains(n.beforeInvalidation(stream), f.shown.rule) {
		return nil
	}
	return n.differs(stream, "the rule that a segment breaks", f.shown.rule.Describe(), f.shown.broken.Describe())
}

// settleReports compares the counts of an idle stream with the model's, if it is known where the stream has ended.
func (n *Node) settleReports(stream uint32) error {
	if !n.config.RetirePort {
		return nil
	}
	f := &n.streams[stream]
	t := &f.shown
	if len(t.sent) > 0 {
		return n.differs(stream, "a missing report of an arrival", "none", n.show(t.sent[0]))
	}
	counts := []struct {
		what          string
		device, model int
	}{
		{"receives", t.delivered[engine.DeliverReceive], t.received},
		{"ends of its own", t.delivered[engine.DeliverEnd], t.ends[0]},
		{"ends by the peer", t.delivered[engine.DeliverClose], t.ends[1]},
	}
	if err := n.compareRule(stream); err != nil {
		return err
	}
	if f.cause == spec.None {
		counts = append(counts, []struct {
			what          string
			device, model int
		}{{"placements", t.placed, t.places}, {"responses", t.delivered[engine.DeliverResponse], f.replied}, {"requests", t.delivered[engine.DeliverRequest], f.taken},
			{"Writes that requests waited for", t.delivered[engine.DeliverRelease], t.released}}...)
		stops := placementFailed | responseFailed | resultRefused | stagGone
		if n.config.Protocol()&spec.Commit != 0 {
			stops |= payloadUnread // a Flush, Verify or Atomic Write whose response is dropped stops later ones
		}
		if !f.failures.has(stops) {
			counts = append(counts, struct {
				what          string
				device, model int
			}{"Reads that start", t.reads, t.started})
		}
	}
	for _, c := range counts {
		n.checked.Reports++
		if c.device != c.model {
			return n.differs(stream, "the number of reports of "+c.what, fmt.Sprint(c.device), fmt.Sprint(c.model))
		}
	}
	return nil
}

// settleSent finds segments without a report, and reports without a segment.
func (n *Node) settleSent() error {
	if len(n.leaving) > 0 {
		return n.differs(n.leaving[0].Stream, "a missing report of a segment", "none", n.show(n.leaving[0].Octets))
	}
	if len(n.reports) > 0 {
		return n.differs(n.reports[0].stream, "the report of a segment", fmt.Sprintf("%+v", n.reports[0]), "none")
	}
	return nil
}
