package falcon

import (
	"errors"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Packet is a packet as it passes between the device and Falcon.
type Packet struct {
	Type     spec.PacketType
	CID, RSN uint32
	Length   int // Request Length, of packets of the device
	Octets   []byte
}

// Completion is a completion as the host sees it. Status is that of the device: its outcome, or the reason why a work request was not sent.
type Completion struct {
	QP       uint32
	ID       uint64
	Receive  bool
	Status   falcon.Status
	Opcode   spec.Opcode
	Length   uint32
	Data     uint64
	Key      uint32 // that was invalidated
	SourceQP uint32
}

// Event is an event as the host sees it.
type Event struct {
	QP     uint32
	Kind   int
	Rule   spec.Rule
	Shared bool // QP is the number of a shared receive queue
}

// Kinds of events.
const (
	Solicited = 0
	Ended     = 1
	Refused   = 3 // a receive request: the ring is full
)

// Output is the output of a device, each kind in order.
type Output struct {
	Packets     []Packet
	Answers     []falcon.Answer
	Completions []Completion
	Events      []Event
}

// Work is a work request of a device: elements of memory.
type Work struct {
	QP        uint32
	ID        uint64
	Opcode    spec.Opcode
	Local     []falcon.Element
	VA        uint64 // remote: of a datagram its address
	RKey      uint32
	Data      uint64 // or Immediate Data
	Compare   uint64
	Solicited bool
	Fence     bool
	Silent    bool   // it completes only if it fails
	SRQ       uint32 // of XRC: number at the peer
	Refused   bool   // no such work request is allowed: it must complete with falcon.LocalProtection, and nothing of it be sent
}

// Deliver queues a packet from Falcon.
func (d *Device) Deliver(p Packet) {
	d.counts.delivered++
	d.rx.Append(p.Octets, func(beat []uint64) {
		d.rx.Set(beat, "tuser", uint64(p.Type))
		d.rx.Set(beat, "tid", uint64(p.RSN))
		d.rx.Set(beat, "tdest", uint64(p.CID))
	})
}

// Complete queues the completion of a request.
func (d *Device) Complete(c falcon.Completed) {
	l := &d.completed
	beat := l.Grow()
	l.Set(beat, "cid", uint64(c.CID))
	l.Set(beat, "rsn", uint64(c.RSN))
	l.Set(beat, "code", uint64(c.Code))
	l.Set(beat, "ulp", uint64(c.ULP))
}

// Return queues returned credits.
func (d *Device) Return(cid uint32, c spec.Credits) {
	l := &d.credits
	beat := l.Grow()
	l.Set(beat, "cid", uint64(cid))
	l.Set(beat, "count_tx_packets", uint64(c.RequestTxPackets))
	l.Set(beat, "count_tx_buffers", uint64(c.RequestTxBuffers))
	l.Set(beat, "count_rx_packets", uint64(c.RequestRxPackets))
	l.Set(beat, "count_rx_buffers", uint64(c.RequestRxBuffers))
	l.Set(beat, "data_packets", uint64(c.DataTxPackets))
	l.Set(beat, "data_buffers", uint64(c.DataTxBuffers))
}

// SetXoff stops requests, from the next cycle on.
func (d *Device) SetXoff(xoff bool) error {
	if xoff {
		return d.eng.SetStatic("xoff", 1)
	}
	return d.eng.SetStatic("xoff", 0)
}

// PostWork queues a work request: a beat for each element, one without octets if it has none.
func (d *Device) PostWork(w Work) {
	if len(w.Local) == 0 {
		d.postElement(w, falcon.Element{}, false)
	}
	for i, el := range w.Local {
		d.postElement(w, el, i < len(w.Local)-1)
	}
}

func (d *Device) postElement(w Work, el falcon.Element, more bool) {
	l := &d.work
	beat := l.Grow()
	l.Set(beat, "stream", uint64(w.QP))
	l.Set(beat, "id", w.ID)
	l.SetFlag(beat, "signaled", !w.Silent)
	l.Set(beat, "opcode", uint64(w.Opcode))
	l.Set(beat, "local_stag", uint64(el.Key))
	l.Set(beat, "local_to", el.VA)
	l.Set(beat, "length", uint64(el.Length))
	l.Set(beat, "remote_stag", uint64(w.RKey))
	l.Set(beat, "remote_to", w.VA)
	l.Set(beat, "atomic_data", w.Data)
	l.Set(beat, "atomic_compare", w.Compare)
	l.SetFlag(beat, "solicited", w.Solicited)
	l.SetFlag(beat, "fence", w.Fence)
	l.SetFlag(beat, "more", more)
	l.Set(beat, "srq", uint64(w.SRQ))
}

// PostReceive queues a receive request: a beat for each element, one without octets if it has none.
func (d *Device) PostReceive(qp uint32, id uint64, local ...falcon.Element) {
	d.postReceive(qp, false, id, local)
}

// PostShared queues a receive request of a shared receive queue.
func (d *Device) PostShared(srq uint32, id uint64, local ...falcon.Element) {
	d.postReceive(srq, true, id, local)
}

func (d *Device) postReceive(number uint32, shared bool, id uint64, local []falcon.Element) {
	if len(local) == 0 {
		d.postReceiveElement(number, shared, id, falcon.Element{}, false)
	}
	for i, e := range local {
		d.postReceiveElement(number, shared, id, e, i < len(local)-1)
	}
}

// Receives is how many beats of receive requests have been posted, and how many the device has taken.
func (d *Device) Receives() (posted, taken uint64) {
	s, _ := d.Stats("rqe")
	return d.receives, s.Beats
}

func (d *Device) postReceiveElement(number uint32, shared bool, id uint64, e falcon.Element, more bool) {
	l := &d.receive
	d.receives++
	beat := l.Grow()
	l.Set(beat, "stream", uint64(number))
	l.SetFlag(beat, "shared", shared)
	l.Set(beat, "id", id)
	l.Set(beat, "stag", uint64(e.Key))
	l.Set(beat, "to", e.VA)
	l.Set(beat, "length", uint64(e.Length))
	l.SetFlag(beat, "more", more)
}

func (d *Device) collect() error {
	each := func(l *cosim.Lane, f func(l *cosim.Lane, beat []uint64)) error {
		return l.Pop(d.eng, func(beat []uint64) { f(l, beat) })
	}
	return errors.Join(
		each(&d.tx, func(l *cosim.Lane, beat []uint64) {
			d.partial = l.Octets(d.partial, beat)
			if user := l.Get(beat, "tuser"); l.Flag(beat, "tlast") {
				p := Packet{Type: spec.PacketType(user & 7), Length: int(user >> 3), CID: uint32(l.Get(beat, "tdest")), RSN: uint32(l.Get(beat, "tid")), Octets: d.partial}
				d.counts.sent(p)
				d.out.Packets = append(d.out.Packets, p)
				d.partial = nil
			}
		}),
		each(&d.answer, func(l *cosim.Lane, beat []uint64) {
			d.out.Answers = append(d.out.Answers, falcon.Answer{CID: uint32(l.Get(beat, "cid")), RSN: uint32(l.Get(beat, "rsn")), Reply: spec.Reply(l.Get(beat, "reply")),
				Code: spec.ULPCode(l.Get(beat, "code")), Timeout: uint8(l.Get(beat, "timeout"))})
		}),
		each(&d.cqe, func(l *cosim.Lane, beat []uint64) {
			c := completionOf(l, beat)
			d.counts.completed(c)
			d.out.Completions = append(d.out.Completions, c)
		}),
		each(&d.event, func(l *cosim.Lane, beat []uint64) {
			e := Event{QP: uint32(l.Get(beat, "stream")), Kind: int(l.Get(beat, "kind")), Rule: spec.Rule(l.Get(beat, "rule")), Shared: l.Flag(beat, "shared")}
			d.counts.happened(e)
			d.out.Events = append(d.out.Events, e)
		}))
}

func completionOf(l *cosim.Lane, beat []uint64) Completion {
	c := Completion{QP: uint32(l.Get(beat, "stream")), ID: l.Get(beat, "id"), Receive: l.Flag(beat, "recv"), Opcode: spec.Opcode(l.Get(beat, "opcode")), Length: uint32(l.Get(beat, "length")),
		Data: l.Get(beat, "data"), Key: uint32(l.Get(beat, "stag")), SourceQP: uint32(l.Get(beat, "source_qp"))}
	c.Status = falcon.Status(l.Get(beat, "outcome"))
	if c.Status == falcon.Success {
		c.Status = [...]falcon.Status{falcon.Success, falcon.Flushed, falcon.LocalProtection, falcon.LocalProtection}[l.Get(beat, "status")]
	}
	return c
}
