package falcon

import (
	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// QP holds what the host sets before it opens a QP.
type QP struct {
	Number     uint32
	Type       spec.QPType
	Ordering   spec.Ordering
	Errors     spec.ErrorMode
	Domain     uint16
	CID        uint32
	Remote     uint32
	QKey       uint32
	RNRTimeout uint8
	RSN        uint32
	Before     uint32 // number before the first SN and RMSN, in both directions
	Credits    spec.Credits
	ORD        int // of an initiator; 0: that of the configuration

	Shares    bool   // of RC and UD: receives are those of a shared queue
	Queue     uint32 // then: its number
	XRCDomain uint16 // of an XRC target
}

// ReadRegister reads a register by name.
func (d *Device) ReadRegister(name string) (uint32, error) { return d.commands().Read(name) }

// WriteRegister writes a register by name.
func (d *Device) WriteRegister(name string, value uint32) error {
	return d.commands().Write(name, value)
}

func (d *Device) commands() cosim.Commands {
	return cosim.Commands{Port: d.registers, Map: d.config.Registers(), Engine: d.eng, Collect: d.collect}
}

// SetRegion stores a row of the table of regions.
func (d *Device) SetRegion(index int, r memory.Region) error {
	return d.commands().Do(append(cosim.RegionValues(index, r), cosim.RegionCommand(r))...)
}

// SetUp gives a QP that is closed its set-up.
func (d *Device) SetUp(q QP) error {
	mode := uint32(q.Type) | uint32(q.Ordering)<<2 | uint32(q.Errors)<<4 | uint32(q.RNRTimeout)<<5
	if q.Shares {
		mode |= 1 << 10
	}
	c := q.Credits
	return d.command(q.Number, 4, cosim.RegisterValue{Name: "stream_mode", Value: mode}, cosim.RegisterValue{Name: "stream_cid", Value: q.CID},
		cosim.RegisterValue{Name: "stream_remote", Value: q.Remote}, cosim.RegisterValue{Name: "stream_q_key", Value: q.QKey}, cosim.RegisterValue{Name: "stream_rsn", Value: q.RSN}, cosim.RegisterValue{Name: "stream_before", Value: q.Before},
		cosim.RegisterValue{Name: "stream_packets", Value: uint32(c.RequestTxPackets) | uint32(c.RequestRxPackets)<<16},
		cosim.RegisterValue{Name: "stream_buffers", Value: uint32(c.RequestTxBuffers) | uint32(c.RequestRxBuffers)<<16},
		cosim.RegisterValue{Name: "stream_data", Value: uint32(c.DataTxPackets) | uint32(c.DataTxBuffers)<<16},
		cosim.RegisterValue{Name: "stream_ord", Value: uint32(q.ORD)},
		cosim.RegisterValue{Name: "stream_queue", Value: q.Queue}, cosim.RegisterValue{Name: "stream_xrc_domain", Value: uint32(q.XRCDomain)})
}

// SetQueue empties a shared receive queue that no QP uses, and gives it its XRC domain.
func (d *Device) SetQueue(number uint32, domain uint16) error {
	return d.command(number, 4, cosim.RegisterValue{Name: "stream_mode", Value: 1 << 11}, cosim.RegisterValue{Name: "stream_xrc_domain", Value: uint32(domain)})
}

// OpenQP opens a QP in its protection domain.
func (d *Device) OpenQP(q QP) error {
	return d.command(q.Number, 1, cosim.RegisterValue{Name: "stream_domain", Value: uint32(q.Domain)})
}

// CloseQP closes a QP.
func (d *Device) CloseQP(number uint32) error { return d.command(number, 2) }

// SetWeight gives a QP its weight.
func (d *Device) SetWeight(number, weight uint32) error {
	return d.command(number, 3, cosim.RegisterValue{Name: "stream_weight", Value: weight})
}

// Fail moves a QP to Error.
func (d *Device) Fail(number uint32) error { return d.command(number, 5) }

func (d *Device) command(qp, command uint32, list ...cosim.RegisterValue) error {
	return d.commands().Do(append(append([]cosim.RegisterValue{{Name: "stream_number", Value: qp}}, list...), cosim.RegisterValue{Name: "stream_command", Value: command})...)
}
