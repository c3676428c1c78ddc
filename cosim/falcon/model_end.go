package falcon

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// ModelEnd is the golden model as an end. A QP that is set up again is another one to the model, and so is its connection.
type ModelEnd struct {
	config gen.Config
	engine *falcon.Engine
	lives  uint32
	qps    map[uint32]uint32 // number of the model by that of the end
	cids   map[uint32]uint32
	ofQP   map[uint32]uint32 // and the other way
	ofCID  map[uint32]uint32
	types  map[uint32]spec.QPType
	turns  map[uint32][]turn // work requests that are not complete, in posting order
	out    Output
	err    error
}

// NewModelEnd returns the model in a configuration of hardware.
func NewModelEnd(c gen.Config) (*ModelEnd, error) {
	order, _ := c.Order()
	e, err := falcon.New(falcon.Config{BitOrder: order, Regions: c.STags, BufferOctets: c.BufferOctets})
	return &ModelEnd{config: c, engine: e, qps: map[uint32]uint32{}, cids: map[uint32]uint32{}, ofQP: map[uint32]uint32{}, ofCID: map[uint32]uint32{}, types: map[uint32]spec.QPType{}, turns: map[uint32][]turn{}}, err
}

// SetRegion replaces a row of the table of regions.
func (m *ModelEnd) SetRegion(index int, r memory.Region) error { return m.engine.SetRegion(index, r) }

// Next is the number of a QP in packets, from its next set-up on.
func (m *ModelEnd) Next(qp uint32) uint32 { return (m.lives+1)<<10 | qp }

// Number is that of a QP in packets.
func (m *ModelEnd) Number(qp uint32) uint32 { return m.qps[qp] }

// Next and Number are the number of a QP in packets.
func (d *Device) Next(qp uint32) uint32   { return qp }
func (d *Device) Number(qp uint32) uint32 { return qp }

// SetQueue makes a shared receive queue.
func (m *ModelEnd) SetQueue(number uint32, domain uint16) error {
	err := m.engine.CreateSRQ(number)
	m.engine.SetXRCDomain(number, domain)
	return err
}

// PostShared posts a receive request of a shared receive queue.
func (m *ModelEnd) PostShared(srq uint32, id uint64, local ...falcon.Element) {
	m.engine.PostShared(srq, falcon.ReceiveRequest{ID: id, Local: slices.Clone(local)})
}

// Connect sets a QP up and opens it.
func (m *ModelEnd) Connect(q QP) error {
	number, cid := m.Next(q.Number), m.Next(q.CID)
	m.qps[q.Number], m.cids[q.CID], m.ofQP[number] = number, cid, q.Number
	_, exists := m.ofCID[cid]
	m.ofCID[cid] = q.CID
	if q.Type != spec.QPXRCTarget {
		m.lives++
	}
	m.types[q.Number], m.turns[q.Number] = q.Type, nil
	if !exists {
		if err := m.engine.CreateConnection(falcon.ConnectionConfig{CID: cid, Ordered: q.Ordering == spec.Strong && q.Type != spec.QPUD, RSN: q.RSN, Window: m.config.Window, Credits: q.Credits}); err != nil {
			return err
		}
	}
	ord := m.config.ORD
	if q.ORD > 0 {
		ord = min(q.ORD, ord)
	}
	err := m.engine.CreateQP(falcon.QPConfig{Number: number, Type: q.Type, Ordering: q.Ordering, Errors: q.Errors, Domain: q.Domain, MTU: m.config.MaxPayload, CID: cid, Remote: q.Remote,
		SharedReceive: q.Shares, SRQ: q.Queue, XRCDomain: q.XRCDomain,
		QKey: q.QKey, IRRQ: m.config.IRD, ORD: ord, SendDepth: m.config.SendDepth, RNRTimeout: q.RNRTimeout})
	if err == nil {
		m.engine.SetNumber(number, q.Before+1)
	}
	return err
}

// Fail moves a QP to Error.
func (m *ModelEnd) Fail(qp uint32) error { m.engine.Fail(m.qps[qp]); return nil }

// PostWork posts a work request.
func (m *ModelEnd) PostWork(w Work) {
	row, known := w.Opcode.Operation()
	m.turns[w.QP] = append(m.turns[w.QP], turn{id: w.ID, refused: w.Refused})
	if w.Refused && (!known || row.Opcode.Service() != m.types[w.QP].Service()) { // the model has no word for it
		return
	}
	x := falcon.WorkRequest{QP: m.qps[w.QP], ID: w.ID, Kind: row.Kind, Local: slices.Clone(w.Local), Suffix: row.Suffix, Immediate: uint32(w.Data), Invalidate: w.RKey,
		Solicited: w.Solicited, VA: w.VA, RKey: w.RKey, Data: w.Data, Compare: w.Compare, Fence: w.Fence, SRQ: w.SRQ,
		Address: falcon.AddressHandle{CID: m.cids[uint32(w.VA>>32)], QP: uint32(w.VA) & 0xFFFFFF, QKey: w.RKey}}
	err := m.engine.Post(x)
	if w.Refused && err == nil {
		err = fmt.Errorf("falcon: the model takes %+v; allowed: it refuses it", w)
	} else if w.Refused {
		err = nil
	}
	if err != nil && m.err == nil {
		m.err = err
	}
}

// PostReceive posts a receive request.
func (m *ModelEnd) PostReceive(qp uint32, id uint64, local ...falcon.Element) {
	m.engine.PostReceive(m.qps[qp], falcon.ReceiveRequest{ID: id, Local: slices.Clone(local)})
}

// Receives are accepted immediately.
func (m *ModelEnd) Receives() (posted, taken uint64) { return 0, 0 }

// Deliver hands over a packet.
func (m *ModelEnd) Deliver(p Packet) {
	cid := m.cids[p.CID]
	if p.Type == spec.PullData {
		m.engine.Answered(falcon.Response{CID: cid, RSN: p.RSN, Octets: p.Octets})
		return
	}
	a := m.engine.Receive(falcon.Request{CID: cid, RSN: p.RSN, Type: p.Type, Octets: p.Octets})
	a.CID = p.CID
	m.out.Answers = append(m.out.Answers, a)
}

// Complete hands over the completion of a request.
func (m *ModelEnd) Complete(c falcon.Completed) {
	c.CID = m.cids[c.CID]
	m.engine.Complete(c)
}

// Return returns credits to a connection.
func (m *ModelEnd) Return(cid uint32, c spec.Credits) { m.engine.Return(m.cids[cid], c) }

// SetXoff stops requests, or lets them go on.
func (m *ModelEnd) SetXoff(xoff bool) error { m.engine.SetXoff(xoff); return nil }

// Advance does nothing but to report an error: the model has no time.
func (m *ModelEnd) Advance(uint64) error { return m.err }

// ReadMemory and WriteMemory access the memory of the model.
func (m *ModelEnd) ReadMemory(address uint64, octets []byte) error {
	m.engine.Memory().Read(address, octets)
	return nil
}

// WriteMemory writes octets.
func (m *ModelEnd) WriteMemory(address uint64, octets []byte) error {
	m.engine.Memory().Write(address, octets)
	return nil
}

// Take returns the output so far.
func (m *ModelEnd) Take() Output {
	for qp := range m.qps {
		for r, some := m.engine.Transmit(m.qps[qp]); some; r, some = m.engine.Transmit(m.qps[qp]) {
			m.out.Packets = append(m.out.Packets, Packet{Type: r.Type, CID: m.ofCID[r.CID], RSN: r.RSN, Length: r.Length, Octets: r.Octets})
		}
	}
	for r, some := m.engine.Respond(); some; r, some = m.engine.Respond() {
		m.out.Packets = append(m.out.Packets, Packet{Type: spec.PullData, CID: m.ofCID[r.CID], RSN: r.RSN, Octets: r.Octets})
	}
	for c, some := m.engine.NextCompletion(); some; c, some = m.engine.NextCompletion() {
		m.refuse()
		m.out.Completions = append(m.out.Completions, m.completion(c))
		if !c.Receive {
			m.over(m.ofQP[c.QP], c.ID)
		}
		if c.Solicited {
			m.out.Events = append(m.out.Events, Event{QP: m.ofQP[c.QP], Kind: Solicited})
		}
	}
	m.refuse()
	for v, some := m.engine.NextEvent(); some; v, some = m.engine.NextEvent() {
		m.out.Events = append(m.out.Events, Event{QP: m.ofQP[v.QP], Kind: Ended, Rule: v.Rule})
	}
	out := m.out
	m.out = Output{}
	return out
}

func (m *ModelEnd) completion(c falcon.Completion) Completion {
	qp := m.ofQP[c.QP]
	out := Completion{QP: qp, ID: c.ID, Receive: c.Receive, Status: c.Status}
	if c.Status != falcon.Success {
		return out
	}
	kind := spec.PushRequest
	if c.Kind&(spec.Read|spec.Atomic) != 0 {
		kind = spec.PullRequest
	}
	row := spec.Find(m.types[qp].Service(), kind, c.Kind, spec.Only, c.Suffix)
	if row == nil {
		m.err = fmt.Errorf("falcon: a completion of kind %d with suffix %d; allowed: those of the tables", c.Kind, c.Suffix)
		return out
	}
	out.Opcode, out.Length, out.Data, out.Key, out.SourceQP = row.Opcode, c.Length, c.Original|uint64(c.Immediate), c.Invalidated, c.SourceQP
	return out
}
