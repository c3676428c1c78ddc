package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// Config describes an Engine.
type Config struct {
	BitOrder     spec.BitOrder
	Regions      int // rows of the table of regions, 1..memory.MaxSTags
	BufferOctets int // octets of Falcon's smallest buffer, for credits, at least 1
}

// ConnectionConfig describes this side of a Falcon connection.
type ConnectionConfig struct {
	CID     uint32 // local, 24 bits
	Ordered bool
	RSN     uint32 // of the first request of this side
	Window  int    // from the oldest incomplete request to the next one, at most, in both directions; at least 1 (I-102)
	Credits spec.Credits

	Function uint16 // to which it belongs, for the credits of a function
}

// QPConfig describes a QP.
type QPConfig struct {
	Number   uint32 // 24 bits
	Type     spec.QPType
	Ordering spec.Ordering
	Errors   spec.ErrorMode
	Domain   uint16 // protection domain
	MTU      int    // octets of payload, at least 8

	CID    uint32 // of RC and XRC: the connection
	Remote uint32 // of RC and XRC: number of the peer's QP

	QKey uint32 // of UD

	SharedReceive bool // of RC and UD: receives are taken from SRQ
	SRQ           uint32

	XRCDomain uint16 // of an XRC target: that of the shared receive queues that its peer may name (I-119)

	IRRQ       int   // unanswered pulls of the peer, 1..256
	ORD        int   // RMSNs from the oldest pull without a response to the next one, 1..256, at most the peer's IRRQ (I-115)
	SendDepth  int   // incomplete work requests, at least 1
	RNRTimeout uint8 // code of spec.RNRTimeouts
}

const numbers = 1 << 24 // of QPs, connections and shared receive queues

func limit(what string, value, low, high int) error {
	if value < low || value > high {
		return fmt.Errorf("falcon: %s is %d; allowed: %d..%d", what, value, low, high)
	}
	return nil
}

func firstError(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

func (c Config) check() error {
	return firstError(
		limit("Regions", c.Regions, 1, memory.MaxSTags),
		limit("BufferOctets", c.BufferOctets, 1, 1<<16),
		limit("BitOrder", int(c.BitOrder), int(spec.Drawn), int(spec.Mirrored)))
}

func (c ConnectionConfig) check() error {
	return firstError(limit("CID", int(c.CID), 0, numbers-1), limit("Window", c.Window, 1, 1<<16))
}

func (c QPConfig) check() error {
	err := firstError(
		limit("Number", int(c.Number), 0, numbers-1),
		limit("Remote", int(c.Remote), 0, numbers-1),
		limit("Type", int(c.Type), 0, int(spec.QPXRCTarget)),
		limit("Ordering", int(c.Ordering), 0, int(spec.Unordered)),
		limit("Errors", int(c.Errors), 0, int(spec.CompleteInError)),
		limit("MTU", c.MTU, memory.WordOctets, 1<<14),
		limit("IRRQ", c.IRRQ, 1, spec.MessageWindow),
		limit("ORD", c.ORD, 1, spec.MessageWindow),
		limit("SendDepth", c.SendDepth, 1, 1<<16),
		limit("RNRTimeout", int(c.RNRTimeout), 0, len(spec.RNRTimeouts)-1))
	if err != nil {
		return err
	}
	if s, _ := spec.SupportOf(c.Ordering, c.Type); c.Errors == spec.Verbs && !s.Verbs {
		return fmt.Errorf("falcon: QP %d is %v with %v errors; allowed: %v", c.Number, c.Ordering, c.Errors, spec.CompleteInError)
	}
	return nil
}

// CreateConnection adds a connection.
func (e *Engine) CreateConnection(c ConnectionConfig) error {
	if err := c.check(); err != nil {
		return err
	}
	if e.connections[c.CID] != nil {
		return fmt.Errorf("falcon: CID %d exists; allowed: another one", c.CID)
	}
	e.connections[c.CID] = &connection{ConnectionConfig: c, credits: c.Credits, rsn: c.RSN, sn: 1,
		open: map[uint32]*transaction{}, arrived: window{next: 1}}
	return nil
}

// CreateQP adds a QP that is ready to send and receive. A connection belongs to one RC QP, or to at most one XRC
// initiator and one XRC target, or is shared by UD QPs (RoF 6.6); it is ordered if the QP is strongly ordered (RoF 6.2).
func (e *Engine) CreateQP(c QPConfig) error {
	if err := c.check(); err != nil {
		return err
	}
	if e.qps[c.Number] != nil {
		return fmt.Errorf("falcon: QP %d exists; allowed: another one", c.Number)
	}
	support, _ := spec.SupportOf(c.Ordering, c.Type)
	q := &qp{QPConfig: c, support: support, peer: memory.Peer{Stream: c.Number, Domain: c.Domain},
		sendRMSN: 1, pullRMSN: 1, nextReceive: 1, messages: map[uint32]*message{}, over: window{next: 1},
		pulled: window{next: 1}, ahead: map[uint32]*request{}}
	if c.SharedReceive && e.srqs[c.SRQ] == nil {
		return fmt.Errorf("falcon: QP %d names SRQ %d; allowed: one that exists", c.Number, c.SRQ)
	}
	if c.Type.Connected() {
		q.conn = e.connections[c.CID]
		if err := e.connect(q); err != nil {
			return err
		}
	}
	e.qps[c.Number] = q
	return nil
}

func (e *Engine) connect(q *qp) error {
	if q.conn == nil || q.conn.Ordered != q.support.Ordered {
		return fmt.Errorf("falcon: QP %d names CID %d; allowed: a connection that exists, ordered is %t", q.Number, q.CID, q.support.Ordered)
	}
	if q.conn.datagrams {
		return fmt.Errorf("falcon: QP %d names CID %d of UD QPs; allowed: a connection of its own", q.Number, q.CID)
	}
	for _, other := range e.qps {
		if other.conn == q.conn && (q.Type == spec.QPRC || other.Type == spec.QPRC || q.Type == other.Type) {
			return fmt.Errorf("falcon: QP %d names CID %d of QP %d; allowed: a connection of its own", q.Number, q.CID, other.Number)
		}
	}
	return nil
}

// CreateSRQ adds a shared receive queue, in XRC domain 0.
func (e *Engine) CreateSRQ(number uint32) error {
	if err := limit("SRQ", int(number), 0, numbers-1); err != nil {
		return err
	}
	if e.srqs[number] != nil {
		return fmt.Errorf("falcon: SRQ %d exists; allowed: another one", number)
	}
	e.srqs[number] = &sharedQueue{}
	return nil
}

// SetXRCDomain moves a shared receive queue to an XRC domain.
func (e *Engine) SetXRCDomain(srq uint32, domain uint16) { e.srqs[srq].domain = domain }
