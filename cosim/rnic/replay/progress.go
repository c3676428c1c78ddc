package replay

import (
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// post posts as much as fits.
func (r *runner) post(s *side) error {
	for _, h := range s.ends {
		for ; h.offered < len(h.end.receives) && h.offered-h.received < r.config.ReceiveDepth && !h.died; h.offered++ {
			q := h.end.receives[h.offered]
			err := s.node.PostReceive(rdmap.ReceiveRequest{Stream: h.stream, ID: uint64(h.offered), Length: q.length,
				Buffer: rdmap.Buffer{STag: stagOf(h.buffers), TO: q.to}})
			if err != nil {
				return err
			}
		}
		for ; len(h.due) > 0 && len(h.posted)-h.done < r.config.SendDepth && !h.died; h.due = h.due[1:] {
			w := h.due[0]
			if w.message.isRequest() {
				if h.waiting == r.config.ORD { // the engine would stall, and with it the work of all streams
					break
				}
				h.waiting++
			}
			if err := s.node.PostWork(h.request(w, uint64(len(h.posted)))); err != nil {
				return err
			}
			h.posted = append(h.posted, w)
		}
	}
	return nil
}

func stagOf(g *region) uint32 {
	if g == nil {
		return 0
	}
	return uint32(g.row)<<8 | g.stag&0xFF
}

// request returns the work request for a message.
func (h *host) request(w *work, id uint64) rdmap.WorkRequest {
	m := w.message
	q := rdmap.WorkRequest{Stream: h.stream, ID: id, Opcode: m.opcode, Signaled: true, Length: uint32(len(m.octets)),
		Local: rdmap.Buffer{STag: stagOf(h.source), TO: w.to}, Remote: rdmap.Buffer{STag: m.stag, TO: m.to}}
	switch {
	case is(m.opcode, spec.ReadRequest):
		r := &m.read
		q.Local, q.Remote = rdmap.Buffer{STag: r.DataSinkSTag, TO: r.DataSinkTO}, rdmap.Buffer{STag: r.DataSourceSTag, TO: r.DataSourceTO}
		q.Length = r.ReadMessageSize
	case is(m.opcode, spec.AtomicRequest):
		a := &m.atomic
		q.Local, q.Remote = rdmap.Buffer{STag: stagOf(h.buffers), TO: w.to}, rdmap.Buffer{STag: a.RemoteSTag, TO: a.RemoteTO}
		q.Operands = rdmap.Operands{AOpCode: a.AOpCode, Data: a.Data, Mask: a.Mask, CompareData: a.CompareData, CompareMask: a.CompareMask}
	case is(m.opcode, spec.FlushRequest):
		f := &m.flush
		q.Local, q.Remote, q.Length = rdmap.Buffer{}, rdmap.Buffer{STag: f.STag, TO: f.TO}, f.Length
		q.Commit.Flags, q.Commit.Invalidate = f.Flags, m.stag
	case is(m.opcode, spec.AtomicWriteRequest):
		q.Local, q.Remote = rdmap.Buffer{}, rdmap.Buffer{STag: m.store.STag, TO: m.store.TO}
		q.Commit.Data, q.Commit.Invalidate = m.store.Data, m.stag
	case isImmediate(m.opcode):
		q.Operands.Data = m.immediate()
	}
	return q
}

// Limits of a run: cycles, and idle cycles after which it ends.
const (
	runCycles   = 1 << 20
	quietCycles = 64
)

// rest runs a node until it is idle, and lets the model catch up.
func (r *runner) rest(s *side) error {
	for moved := true; moved; {
		if err := r.post(s); err != nil {
			return err
		}
		out, err := s.node.Run(runCycles, quietCycles)
		if err != nil {
			return err
		}
		r.collect(s, out)
		moved = len(out.Segments)+len(out.Completions)+len(out.Events) > 0 || s.node.Device.Waiting() > 0 || s.node.Device.Flushing()
	}
	s.serving = false
	for _, h := range s.ends {
		h.pending, h.accepted = 0, h.offered
	}
	return s.node.Settle()
}

func (r *runner) collect(s *side, out rnic.Output) {
	of := make(map[uint32]*host, len(s.ends))
	for _, h := range s.ends {
		of[h.stream] = h
	}
	for _, x := range out.Segments {
		h := of[x.Stream]
		h.sent = append(h.sent, x.Octets)
		if parts, _ := wire.ClassifyWith(r.config.Protocol(), x.Octets); is(parts.Header.Opcode, spec.Requests) {
			h.asked++
		}
	}
	for _, c := range out.Completions {
		h := of[c.Stream]
		if c.Recv {
			h.received++
			h.receipts = append(h.receipts, c)
		} else {
			if h.done++; is(c.Opcode, spec.Requests) {
				h.waiting--
			}
			h.results = append(h.results, c)
		}
	}
	for _, e := range out.Events {
		h := of[e.Stream]
		switch e.Kind {
		case engine.EventSolicited:
			h.events++
		case engine.EventEnded, engine.EventClosed:
			h.died = true
		}
	}
}
