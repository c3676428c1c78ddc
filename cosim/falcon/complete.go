package falcon

import (
	"bytes"
	"encoding/binary"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// complete takes a completion of an end.
func (p *pair) complete(end int, c Completion) error {
	if c.Receive {
		return p.completeReceive(end, c)
	}
	s := p.side[end]
	list := &s.work
	if p.service == xrcReceives && c.QP == p.target[end] {
		list = &s.targeted
	}
	at := 0
	if p.ordering == spec.Unordered {
		for at < len(*list) && (*list)[at].ID != c.ID {
			at++
		}
	}
	if at >= len(*list) || (*list)[at].ID != c.ID {
		return differs("completion %+v; allowed: the work requests that are posted, in order", c)
	}
	o := (*list)[at]
	*list = append((*list)[:at], (*list)[at+1:]...)
	s.free = append(s.free, o.slot)
	p.Operations++
	switch {
	case o.Refused && c.Status == o.status:
		p.Refused++
		return nil
	case c.Status != falcon.Success && p.mayFail: // itself, or one ahead
		p.Flushed++
		p.failed = true
		return nil
	case c.Status != o.status:
		return differs("work request %+v completes with %v; allowed: %v", o.Work, c.Status, o.status)
	case c.Status != falcon.Success:
		p.Failed++
		return nil
	}
	return p.check(end, o, c)
}

// check compares the results of a work request.
func (p *pair) check(end int, o *operation, c Completion) error {
	peer := p.side[1-end]
	if row, _ := c.Opcode.Operation(); row.Kind != o.row.Kind || c.Length != uint32(len(o.payload)) && o.row.Kind&spec.Atomic == 0 {
		return differs("completion %+v of %+v", c, o.Work)
	}
	switch o.row.Kind {
	case spec.Write:
		peer.memory.Write(o.VA-regionVA, o.payload)
	case spec.Read:
		return p.placed(end, o.Local, o.payload, "octets of a Read")
	case spec.CmpSwap:
		if c.Data != o.result {
			return differs("CmpSwap %+v returns %x; allowed: %x", o.Work, c.Data, o.result)
		}
	case spec.FetchAdd:
		if peer.sums[c.Data] || c.Data%o.Data != 0 || c.Data >= peer.added {
			return differs("FetchAdd %+v returns %x; allowed: each multiple below %x once", o.Work, c.Data, peer.added)
		}
		peer.sums[c.Data] = true
	}
	if o.row.Kind&spec.Atomic != 0 {
		return p.placed(end, o.Local, binary.LittleEndian.AppendUint64(nil, c.Data), "result of an Atomic")
	}
	return nil
}

func (p *pair) same(end int, address uint64, want []byte, what string) error {
	got := make([]byte, len(want))
	if err := p.ends[end].ReadMemory(regionAddress+address, got); err != nil {
		return err
	}
	if !bytes.Equal(want, got) {
		return differs("%s, end %d, at %x: %x; allowed: %x", what, end, address, got, want)
	}
	return nil
}

func (p *pair) completeReceive(end int, c Completion) error {
	s := p.side[end]
	if p.service.shares() {
		return p.completeShared(end, c)
	}
	at := 0
	if p.ordering == spec.Unordered {
		for at < len(s.receives) && s.receives[at].id != c.ID {
			at++
		}
	}
	if at >= len(s.receives) || s.receives[at].id != c.ID {
		if c.Status == falcon.Flushed || p.failed {
			return nil
		}
		return differs("receive %+v; allowed: those that are posted, in order", c)
	}
	if c.Status != falcon.Success && p.mayFail {
		p.failed = true
		return nil
	}
	r := s.receives[at]
	if p.service == datagrams {
		s.receives = append(s.receives[:at], s.receives[at+1:]...)
		return p.completeDatagram(end, c, r.local)
	}
	if at >= len(s.messages) {
		return differs("receive %+v; allowed: for a message that was sent", c)
	}
	m := s.messages[at]
	s.receives = append(s.receives[:at], s.receives[at+1:]...)
	s.messages = append(s.messages[:at], s.messages[at+1:]...)
	p.Receives++
	return p.received(end, c, m, r.local)
}

// received compares the completion of a receive with its message.
func (p *pair) received(end int, c Completion, m *operation, local []falcon.Element) error {
	if c.Status != m.receiver {
		return differs("receive %+v of %+v; allowed: %v", c, m.Work, m.receiver)
	}
	if m.row.Suffix == spec.Invalidate {
		if err := p.invalidated(end); err != nil {
			return err
		}
	}
	if c.Status != falcon.Success {
		return nil
	}
	if m.Solicited {
		p.solicited[end]++
	}
	if row, _ := c.Opcode.Operation(); row.Kind != m.row.Kind || row.Suffix != m.row.Suffix {
		return differs("receive %+v of %+v", c, m.Work)
	}
	if m.row.Suffix == spec.Immediate && uint32(c.Data) != uint32(m.Data) || m.row.Suffix == spec.Invalidate && c.Key != m.RKey {
		return differs("receive %+v of %+v", c, m.Work)
	}
	if m.row.Kind != spec.Send {
		return nil
	}
	if c.Length != uint32(len(m.payload)) {
		return differs("receive %+v of %+v", c, m.Work)
	}
	return p.placed(end, local, m.payload, "octets of a Send")
}

// invalidated follows the region that a Send has invalidated, or tried to.
func (p *pair) invalidated(end int) error {
	s := p.side[end]
	if s.victim == victimAimed && p.mode == spec.CompleteInError && p.rand.IntN(2) == 0 {
		s.victim = victimGone
		return nil
	}
	s.victim = victimValid
	return p.ends[end].SetRegion(p.victimRow(), p.region(memory.Invalidate))
}
