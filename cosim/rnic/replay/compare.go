package replay

import (
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// compare compares the results when the replay is done.
func (r *runner) compare() error {
	for _, s := range r.sides {
		for _, h := range s.ends {
			r.compareMessages(h)
			r.compareCompletions(h)
		}
		if err := r.compareMemory(s); err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) compareMessages(h *host) {
	sent := listen(r.config.Protocol(), h.sent)
	if sent.wrong < many {
		r.report.mismatch("%s: segment %d of the engine does not belong to a message", h.name, sent.wrong)
	}
	var posted []*message
	for _, w := range h.work {
		posted = append(posted, w.message)
	}
	r.compareList(h, "message", posted, sent.requests)
	if len(sent.requests) > len(posted) {
		r.report.mismatch("%s: the engine sends %d messages more than the capture has", h.name, len(sent.requests)-len(posted))
	}
	r.compareList(h, "answer", h.captured(), sent.responses)
	switch {
	case sent.terminate != nil:
		r.report.Terminates++
		if h.said.terminate != nil && says(h.said.terminate, readings(sent.terminate)[0]) {
			r.report.TerminateCodes++
		}
		if !h.dies {
			r.report.mismatch("%s: the engine sends a Terminate, %v; the capture has none", h.name, readings(sent.terminate)[0])
		}
	case h.dies:
		r.report.mismatch("%s: the engine accepts a segment that the captured peer refused", h.name)
	}
}

// captured returns the captured responses to the requests sent.
func (h *host) captured() []*message {
	return h.said.responses[:min(len(h.said.responses), len(h.peer.said.asked))]
}

func (r *runner) compareList(h *host, what string, captured, sent []*message) {
	for i, m := range captured {
		switch {
		case i >= len(sent):
			r.report.mismatch("%s: %s %d, %s, is not sent", h.name, what, i, spec.AllExtensions.Title(m.opcode))
		case !m.same(sent[i]):
			r.report.mismatch("%s: %s %d differs\n  engine:  %s\n  capture: %s", h.name, what, i, sent[i], m)
		default:
			r.report.Messages++
			continue
		}
		return // later differences follow from this one
	}
}

func (r *runner) compareCompletions(h *host) {
	var receipts, results []rnic.Completion
	for i, q := range h.end.receives {
		if !q.complete {
			break
		}
		c := rnic.Completion{Stream: h.stream, ID: uint64(i), Opcode: q.message.opcode, Recv: true, Length: uint32(len(q.message.octets))}
		if is(c.Opcode, spec.SendInvalidate) {
			c.STag = q.message.stag
		}
		if isImmediate(c.Opcode) {
			c.Data = q.message.immediate()
		}
		if isSolicited(c.Opcode) {
			h.events--
		}
		receipts = append(receipts, c)
	}
	for i, w := range h.work {
		m := w.message
		c := rnic.Completion{Stream: h.stream, ID: uint64(i), Opcode: m.opcode, Length: uint32(len(m.octets))}
		if m.isRequest() && !w.answered {
			break // later ones do not complete either
		}
		switch classOf(m.opcode) {
		case spec.ReadRequest:
			c.Length = m.read.ReadMessageSize
		case spec.FlushRequest:
			c.Length = m.flush.Length
		case spec.AtomicWriteRequest:
			c.Length = m.store.Length
		case spec.AtomicRequest:
			c.Length, c.Data = 8, h.peer.said.responses[m.number].response.OriginalRemoteDataValue
		}
		results = append(results, c)
	}
	r.compareLists(h, "receive request", h.receipts, receipts)
	r.compareLists(h, "work request", h.results, results)
	if h.events != 0 {
		r.report.mismatch("%s: %+d solicited events against the capture", h.name, h.events)
	}
}

// compareLists compares completions; the expected ones may be followed by flushed ones of an ended stream.
func (r *runner) compareLists(h *host, what string, have, want []rnic.Completion) {
	for i, c := range want {
		if i >= len(have) || have[i] != c {
			text := "none"
			if i < len(have) {
				text = fmt.Sprintf("%+v", have[i])
			}
			r.report.mismatch("%s: completion of %s %d\n  engine:  %s\n  capture: %+v", h.name, what, i, text, c)
			return
		}
		r.report.Completions++
	}
	for _, c := range have[len(want):] {
		if c.Status != engine.StatusFlushed || !h.died {
			r.report.mismatch("%s: completion of a %s that is not complete in the capture: %+v", h.name, what, c)
		}
	}
}

// compareMemory compares the pages of all regions, in hardware and model, with the contents inferred from the capture.
func (r *runner) compareMemory(s *side) error {
	var device, model [pageOctets]byte
	for _, g := range s.layout.regions() {
		wrong, first := 0, ""
		for _, number := range g.numbers() {
			p := g.pages[number]
			at := g.addressOf(number * pageOctets)
			if err := s.node.Device.Memory().Read(at, device[:]); err != nil {
				return err
			}
			s.node.Model.Memory().Read(at, model[:])
			for i, want := range p.now {
				if p.brought[i] {
					r.report.MemoryOctets++
				}
				if device[i] == want && model[i] == want {
					continue
				}
				if wrong++; wrong == 1 {
					first = fmt.Sprintf("TO 0x%X: hardware %02X, model %02X, capture %02X", number*pageOctets+uint64(i), device[i], model[i], want)
				}
			}
		}
		if wrong > 0 {
			r.report.mismatch("memory of STag 0x%08X: %d octets differ, the first at %s", g.stag, wrong, first)
		}
	}
	return nil
}
