package system

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Work carries a work request from a host to its RNIC.
type Work struct {
	sim.MsgMeta
	Request rdmap.WorkRequest
}

// Receive carries a receive request from a host to its RNIC.
type Receive struct {
	sim.MsgMeta
	Request rdmap.ReceiveRequest
}

// Done carries a completion from an RNIC to its host.
type Done struct {
	sim.MsgMeta
	Completion rdmap.Completion
}

// Ended reports to a host that a stream has ended.
type Ended struct {
	sim.MsgMeta
	Stream uint32
}

// Segment carries a DDP segment, or a packet of Falcon, from one RNIC to another.
type Segment struct {
	sim.MsgMeta
	To     int    // node
	Stream uint32 // of the receiver
	Octets []byte
	Falcon *FalconHeader // nil: a DDP segment
}

// linkOctets is what a segment occupies on a link.
func (m *Segment) linkOctets() int {
	if m.Falcon != nil {
		return falconFraming + m.Falcon.octets() + len(m.Octets)
	}
	return wire.FPDUOctets(len(m.Octets)) + framingOctets
}

// Meta returns what akita needs of a message.
func (m *Work) Meta() *sim.MsgMeta    { return &m.MsgMeta }
func (m *Receive) Meta() *sim.MsgMeta { return &m.MsgMeta }
func (m *Done) Meta() *sim.MsgMeta    { return &m.MsgMeta }
func (m *Ended) Meta() *sim.MsgMeta   { return &m.MsgMeta }
func (m *Segment) Meta() *sim.MsgMeta { return &m.MsgMeta }
