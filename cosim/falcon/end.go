package falcon

import (
	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// End is a node above Falcon: a device, or the golden model in its place.
type End interface {
	SetRegion(index int, r memory.Region) error
	Next(qp uint32) uint32   // number of a QP in packets, from its next set-up on
	Number(qp uint32) uint32 // the same, now
	Connect(q QP) error      // sets a QP up that is closed, and opens it; of XRC the target first

	Fail(qp uint32) error // moves a QP to Error

	PostWork(w Work)
	PostReceive(qp uint32, id uint64, local ...falcon.Element)
	SetQueue(number uint32, domain uint16) error // a shared receive queue, of an XRC domain
	PostShared(srq uint32, id uint64, local ...falcon.Element)
	Receives() (posted, taken uint64) // beats of receive requests
	Deliver(p Packet)
	Complete(c falcon.Completed)
	Return(cid uint32, c spec.Credits)
	SetXoff(xoff bool) error

	Advance(cycles uint64) error // lets time pass
	Take() Output
	ReadMemory(address uint64, octets []byte) error
	WriteMemory(address uint64, octets []byte) error
}

// Connect sets a QP up and opens it.
func (d *Device) Connect(q QP) error {
	if err := d.SetUp(q); err != nil {
		return err
	}
	return d.OpenQP(q)
}

// Advance runs for some cycles.
func (d *Device) Advance(cycles uint64) error {
	_, err := d.Run(cycles, 0)
	return err
}

// ReadMemory and WriteMemory access the memory of the device.
func (d *Device) ReadMemory(address uint64, octets []byte) error {
	return d.memory.Read(address, octets)
}

// WriteMemory writes octets.
func (d *Device) WriteMemory(address uint64, octets []byte) error {
	return d.memory.Write(address, octets)
}
