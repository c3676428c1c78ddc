package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// Node is a device behind the interface of the golden model: each call returns when the device is quiet. Numbers of QPs, CIDs and shared receive
// queues differ from those of the device in the bits of a mask each, since a device has the numbers from 0 on.
type Node struct {
	Device  *Device
	Order   spec.BitOrder
	QPMask  uint32
	CIDMask uint32
	SRQMask uint32
	Types   map[uint32]spec.QPType // by number
	Depth   map[uint32]int         // the same: work requests that may be incomplete, which the host counts
	Ranges  []Range                // of memory that Memory copies
	Cycles  uint64                 // of each call, if the device is never quiet; 0: until it is

	out    Output
	failed map[uint32]bool
	posted map[uint32]int // work requests that are incomplete
	err    error
}

// Range is octets of memory.
type Range struct {
	Address uint64
	Octets  int
}

// QuietCycles without activity mean that nothing follows: the latency of memory, and the time between attempts of a set-up, are shorter.
// mostCycles is the limit of a call.
const (
	QuietCycles = 160
	mostCycles  = 1 << 20
)

// Err is the first error.
func (n *Node) Err() error { return n.err }

func (n *Node) keep(err error) {
	if n.err == nil {
		n.err = err
	}
}

// settle runs until the device is quiet.
func (n *Node) settle() {
	if n.err != nil {
		return
	}
	most := uint64(mostCycles)
	if n.Cycles > 0 {
		most = n.Cycles
	}
	r, err := n.Device.Run(most, QuietCycles)
	if err == nil && r.Why != simulator.Quiet && n.Cycles == 0 {
		err = fmt.Errorf("the device is not quiet: %v", r.Why)
	}
	n.keep(err)
	o := n.Device.Take()
	n.out.Packets = append(n.out.Packets, o.Packets...)
	n.out.Answers = append(n.out.Answers, o.Answers...)
	n.out.Completions = append(n.out.Completions, o.Completions...)
	n.out.Events = append(n.out.Events, o.Events...)
	for _, c := range o.Completions {
		if !c.Receive {
			n.posted[c.QP^n.QPMask]--
		}
	}
	for _, e := range o.Events {
		if e.Kind == Ended {
			n.fails(e.QP ^ n.QPMask)
		}
	}
}

func (n *Node) fails(qp uint32) {
	if n.failed == nil {
		n.failed = map[uint32]bool{}
	}
	n.failed[qp] = true
}

// SetRegion replaces a row of the table of regions.
func (n *Node) SetRegion(index int, r memory.Region) error {
	if !r.ByDomain {
		r.Owner ^= uint16(n.QPMask)
	}
	return n.Device.SetRegion(index, r)
}

// PostReceive posts a receive request.
func (n *Node) PostReceive(qp uint32, r falcon.ReceiveRequest) {
	n.Device.PostReceive(qp^n.QPMask, r.ID, r.Local...)
	n.settle()
}

// PostShared posts a receive request of a shared receive queue.
func (n *Node) PostShared(srq uint32, r falcon.ReceiveRequest) {
	n.Device.PostShared(srq^n.SRQMask, r.ID, r.Local...)
	n.settle()
}

// Post posts a work request, unless the maximum number is incomplete. A device does not refuse it immediately: it completes with an error.
func (n *Node) Post(w falcon.WorkRequest) error {
	if n.posted == nil {
		n.posted = map[uint32]int{}
	}
	if most, limited := n.Depth[w.QP]; limited && n.posted[w.QP] >= most && !n.failed[w.QP] {
		n.settle()
		return fmt.Errorf("QP %d has %d work requests", w.QP, most)
	}
	n.posted[w.QP]++
	service := n.Types[w.QP].Service()
	x := Work{QP: w.QP ^ n.QPMask, ID: w.ID, Opcode: OpcodeOf(service, w.Kind, w.Suffix), Local: w.Local, VA: w.VA, RKey: w.RKey, Data: w.Data, Compare: w.Compare, Solicited: w.Solicited, Fence: w.Fence, SRQ: w.SRQ}
	switch w.Suffix {
	case spec.Immediate:
		x.Data = uint64(w.Immediate)
	case spec.Invalidate:
		x.RKey = w.Invalidate
	}
	if service == spec.UD {
		x.RKey, x.VA = w.Address.QKey, uint64(w.Address.QP)|uint64(w.Address.CID^n.CIDMask)<<32
	}
	n.Device.PostWork(x)
	n.settle()
	return nil
}

// Fail moves a QP to Error; its event is ignored.
func (n *Node) Fail(qp uint32) {
	n.keep(n.Device.Fail(qp ^ n.QPMask))
	before := len(n.out.Events)
	n.settle()
	n.out.Events = n.out.Events[:before]
}

// Receive delivers a request.
func (n *Node) Receive(r falcon.Request) (a falcon.Answer) {
	n.deliver(Packet{Type: r.Type, CID: r.CID, RSN: r.RSN, Octets: r.Octets})
	for i, x := range n.out.Answers {
		if x.CID^n.CIDMask == r.CID && x.RSN == r.RSN {
			n.out.Answers = append(n.out.Answers[:i], n.out.Answers[i+1:]...)
			x.CID = r.CID
			return x
		}
	}
	return falcon.Answer{CID: r.CID, RSN: r.RSN}
}

// Answered delivers a response.
func (n *Node) Answered(r falcon.Response) {
	n.deliver(Packet{Type: spec.PullData, CID: r.CID, RSN: r.RSN, Octets: r.Octets})
}

func (n *Node) deliver(p Packet) {
	p.CID ^= n.CIDMask
	p.Octets = n.renumber(p.Octets, "destination_qp", spec.RBTH, 0, n.QPMask)
	var q packet.Packet
	q.DecodeBase(p.Octets, n.Order)
	if row, known := q.Opcode.Operation(); known && row.Has(spec.XRCETH) {
		p.Octets = n.renumber(p.Octets, "xrc_srq", spec.XRCETH, spec.RBTH.Octets(), n.SRQMask)
	}
	n.Device.Deliver(p)
	n.settle()
}

// renumber changes a number in a header that begins at an octet of a packet, if it is there.
func (n *Node) renumber(octets []byte, field string, h spec.Header, at int, mask uint32) []byte {
	if len(octets) < at+h.Octets() {
		return octets
	}
	out := append([]byte{}, octets...)
	f := h.Table(n.Order).MustField(field)
	number, _ := f.Get(out[at:])
	f.Set(out[at:], number^uint64(mask))
	return out
}

// Complete delivers the completion of a request.
func (n *Node) Complete(c falcon.Completed) {
	c.CID ^= n.CIDMask
	n.Device.Complete(c)
	n.settle()
}

// Return returns credits to a connection.
func (n *Node) Return(cid uint32, c spec.Credits) {
	n.Device.Return(cid^n.CIDMask, c)
	n.settle()
}

// SetXoff stops requests, or lets them go on.
func (n *Node) SetXoff(xoff bool) {
	n.keep(n.Device.SetXoff(xoff))
	n.settle()
}

// Transmit returns the next request of any QP.
func (n *Node) Transmit(uint32) (falcon.Request, bool) {
	p, some := n.packet(func(t spec.PacketType) bool { return t != spec.PullData })
	return falcon.Request{CID: p.CID, RSN: p.RSN, Type: p.Type, Length: p.Length, Octets: p.Octets}, some
}

// Respond returns the next response.
func (n *Node) Respond() (falcon.Response, bool) {
	p, some := n.packet(func(t spec.PacketType) bool { return t == spec.PullData })
	return falcon.Response{CID: p.CID, RSN: p.RSN, Octets: p.Octets}, some
}

func (n *Node) packet(is func(t spec.PacketType) bool) (Packet, bool) {
	for i, p := range n.out.Packets {
		if is(p.Type) {
			n.out.Packets = append(n.out.Packets[:i:i], n.out.Packets[i+1:]...)
			p.CID ^= n.CIDMask
			var q packet.Packet
			if q.Decode(p.Octets, n.Order); q.Opcode.Service() == spec.UD {
				p.Octets = n.renumber(p.Octets, "source_qp", spec.DETH, spec.RBTH.Octets(), n.QPMask)
			}
			return p, true
		}
	}
	return Packet{}, false
}

// NextCompletion takes the oldest completion. An event reports that it is solicited; those of a QP are in the order of its completions.
func (n *Node) NextCompletion() (falcon.Completion, bool) {
	if len(n.out.Completions) == 0 {
		return falcon.Completion{}, false
	}
	c := n.out.Completions[0]
	n.out.Completions = n.out.Completions[1:]
	out := falcon.Completion{QP: c.QP ^ n.QPMask, ID: c.ID, Receive: c.Receive, Status: c.Status}
	if c.Status != falcon.Success {
		return out, true
	}
	row, _ := c.Opcode.Operation()
	out.Kind, out.Length = row.Kind, c.Length
	if !c.Receive {
		out.Original = c.Data
		return out, true
	}
	out.Suffix, out.Immediate, out.Invalidated, out.SourceQP = row.Suffix, uint32(c.Data), c.Key, c.SourceQP
	for i, e := range n.out.Events {
		if e.Kind == Solicited && e.QP == c.QP {
			n.out.Events = append(n.out.Events[:i:i], n.out.Events[i+1:]...)
			out.Solicited = true
			break
		}
	}
	return out, true
}

// NextEvent takes the oldest event of a QP that went to Error.
func (n *Node) NextEvent() (falcon.Event, bool) {
	for i, e := range n.out.Events {
		if e.Kind == Ended {
			n.out.Events = append(n.out.Events[:i:i], n.out.Events[i+1:]...)
			return falcon.Event{QP: e.QP ^ n.QPMask, Rule: e.Rule}, true
		}
	}
	return falcon.Event{}, false
}

// InError reports whether a QP is in Error, according to its events.
func (n *Node) InError(qp uint32) bool { return n.failed[qp] }

// Broken is 0: a device has no such counters.
func (n *Node) Broken(spec.Rule) uint64 { return 0 }

// Memory is a copy of the ranges.
func (n *Node) Memory() *memory.Space {
	s := memory.NewSpace()
	for _, r := range n.Ranges {
		octets := make([]byte, r.Octets)
		n.keep(n.Device.Memory().Read(r.Address, octets))
		s.Write(r.Address, octets)
	}
	return s
}
