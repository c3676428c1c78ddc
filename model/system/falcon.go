package system

import (
	"fmt"
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/rnicgen/rnicgen/model/falcon"
	wire "github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	opcodes "github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// overFalcon is the protocol of the profile falcon: the golden model of RDMA over Falcon above the transport of its node. A stream is an RC
// QP with a connection of its own, both of that number. Hosts speak of their operations in the words of RDMAP, which are translated here.
type overFalcon struct {
	*rnic
	engine    *falcon.Engine
	transport *FalconTransport
	written   []span            // by the model, for the latest packet
	qps       []falconQP        // by stream
	asked     map[pull]*request // by the peers, without a response of the model
	nexts     rhythm            // of pulls of other work requests that ORD held back
}

// span is octets of memory.
type span struct {
	address uint64
	octets  int
}

// pull names a pull of a peer.
type pull struct{ cid, rsn uint32 }

// falconQP is what an RNIC keeps of a QP beside the model.
type falconQP struct {
	works     []falconWork // that have begun and are not sent
	pulls     int          // outstanding, as far as the hardware has noticed
	resumes   visits       // when it notices that there is room for another one
	responses []response   // of the model, not executed
}

// falconWork is what a work request has not sent, or not asked for.
type falconWork struct {
	pulls   bool
	begun   bool   // a packet has been sent
	address uint64 // local
	octets  int
}

// response is that to a request, and the address of the word of an Atomic.
type response struct {
	packet
	word uint64
}

func newOverFalcon(n *rnic) (*overFalcon, error) {
	c := n.site.Config
	engine, err := falcon.New(falcon.Config{BitOrder: c.Falcon.BitOrder, Regions: c.STags, BufferOctets: c.Falcon.BufferOctets})
	if err != nil {
		return nil, err
	}
	p := &overFalcon{rnic: n, engine: engine, qps: make([]falconQP, c.Streams), asked: map[pull]*request{}}
	p.transport = NewFalconTransport(n.site, n.net, engine.Return)
	engine.Memory().Watch(p.wrote)
	n.works, n.dones, p.nexts = n.timing.works(), n.timing.dones(), n.timing.nexts()
	return p, nil
}

func (p *overFalcon) setRegion(index int, r memory.Region) error { return p.engine.SetRegion(index, r) }

func (p *overFalcon) memory() *memory.Space { return p.engine.Memory() }

// wrote notes a write of the model, which the end of the run compares with memory.
func (p *overFalcon) wrote(address uint64, octets int) {
	p.written = append(p.written, span{address, octets})
	for page := address &^ (pageOctets - 1); page < address+uint64(octets); page += pageOctets {
		p.accesses.written[page] = true
	}
}

// FalconCredits are those of a connection, for the requests and the responses of one of its ends: a window of the longest packets of each
// type, as far as the registers of the hardware hold so many.
func FalconCredits(c Engine) spec.Credits {
	longest := c.MaxPayload + mostHeaders
	var sum spec.Credits
	for range c.Falcon.Window {
		for _, t := range []spec.PacketType{spec.PushRequest, spec.PullRequest, spec.PullData} {
			sum = sum.Add(spec.Cost(t, longest, c.Falcon.BufferOctets))
		}
	}
	for _, n := range []*int{&sum.RequestTxBuffers, &sum.RequestRxBuffers, &sum.DataTxBuffers} {
		*n = min(*n, math.MaxUint16)
	}
	return sum
}

// FalconORD is the number of pulls that a QP may have outstanding: its own ORD, and not more than its peer, which has the same configuration,
// has entries for.
func FalconORD(c Engine) int { return min(c.ORD, c.IRD) }

// open creates the QP of a stream.
func (p *overFalcon) open(stream uint32) error {
	c, peer := p.site.Config, p.site.Peers[stream]
	ordering := peer.Ordering.Falcon()
	if err := p.engine.CreateConnection(falcon.ConnectionConfig{CID: stream, Ordered: ordering == spec.Strong, Window: c.Falcon.Window, Credits: FalconCredits(c)}); err != nil {
		return err
	}
	return p.engine.CreateQP(falcon.QPConfig{Number: stream, Ordering: ordering, Errors: spec.CompleteInError, MTU: c.MaxPayload, CID: stream, Remote: peer.Stream,
		IRRQ: c.IRD, ORD: FalconORD(c), SendDepth: c.SendDepth, RNRTimeout: 1})
}

// mostHeaders is more than the headers of a packet have.
const mostHeaders = 64

func (p *overFalcon) postReceive(r rdmap.ReceiveRequest) error {
	p.engine.PostReceive(r.Stream, falcon.ReceiveRequest{ID: r.ID, Local: []falcon.Element{{Key: r.Buffer.STag, VA: r.Buffer.TO, Length: r.Length}}})
	return nil
}

func (p *overFalcon) post(rdmap.WorkRequest) error { return nil }

// FalconWork translates a work request of RDMAP.
func FalconWork(w rdmap.WorkRequest) falcon.WorkRequest {
	x := falcon.WorkRequest{QP: w.Stream, ID: w.ID, Local: []falcon.Element{{Key: w.Local.STag, VA: w.Local.TO, Length: w.Length}}, VA: w.Remote.TO, RKey: w.Remote.STag,
		Data: w.Operands.Data, Compare: w.Operands.CompareData}
	switch w.Opcode {
	case opcodes.Write.Opcode():
		x.Kind = spec.Write
	case opcodes.Send.Opcode():
		x.Kind = spec.Send
	case opcodes.ReadRequest.Opcode():
		x.Kind = spec.Read
	case opcodes.AtomicRequest.Opcode():
		x.Kind = atomicKinds[w.Operands.AOpCode]
	}
	return x
}

// begin gives a work request to the model.
func (p *overFalcon) begin(w rdmap.WorkRequest) error {
	x, q := FalconWork(w), &p.qps[w.Stream]
	q.works = append(q.works, falconWork{pulls: x.Kind&(spec.Read|spec.Atomic) != 0, address: p.address(w.Local), octets: int(w.Length)})
	return p.engine.Post(x)
}

// next makes a message of the next packet of a QP, unless its window or ORD prevents it.
func (p *overFalcon) next(number uint32) (*message, error) {
	q := &p.qps[number]
	if len(q.works) == 0 || q.works[0].pulls && q.pulls >= FalconORD(p.site.Config) {
		return nil, nil // resume calls again
	}
	r, some := p.engine.Transmit(number)
	if !some {
		return nil, p.events()
	}
	m := &message{stream: number, packets: []packet{{octets: r.Octets, falcon: Transaction{r.Type, r.RSN, r.Length}}}}
	w := &q.works[0]
	octets := min(w.octets, p.site.Config.MaxPayload)
	if w.pulls {
		q.pulls++
	} else {
		m.fetches, m.address, m.packets[0].payload = true, w.address, octets
	}
	w.begun, w.address, w.octets = true, w.address+uint64(octets), w.octets-octets
	if w.octets == 0 {
		q.works = q.works[1:]
	}
	return m, nil
}

func (p *overFalcon) decoded(octets []byte) (x wire.Packet) {
	x.Decode(octets, p.site.Config.Falcon.BitOrder)
	return x
}

func (p *overFalcon) title(x packet) string { return p.decoded(x.octets).Opcode.String() }

// events are those of a QP that went to Error.
func (p *overFalcon) events() error {
	if e, some := p.engine.NextEvent(); some {
		return fmt.Errorf("QP %d is in Error: a packet of its peer breaks rule %v, or Falcon reports %v", e.QP, e.Rule, e.Code)
	}
	return nil
}

// finished takes what the model has completed.
func (p *overFalcon) finished() (list []sim.Msg) {
	p.check(p.events())
	for c, some := p.engine.NextCompletion(); some; c, some = p.engine.NextCompletion() {
		if c.Status != falcon.Success {
			p.fail("QP %d: a completion with status %v", c.QP, c.Status)
		}
		list = append(list, &Done{Completion: rdmap.Completion{Stream: c.QP, ID: c.ID, Recv: c.Receive, Length: c.Length, Data: c.Original}})
	}
	return list
}

func (p *overFalcon) canSend() bool { return p.transport.CanSend() }

func (p *overFalcon) send(d *departure, _ Cycle) { p.transport.Send(d.stream, d.falcon, d.octets) }

func (p *overFalcon) flush(now Cycle) (next Cycle) {
	next = p.transport.Flush(p.toOther, now)
	p.check(p.transport.Err())
	return next
}
