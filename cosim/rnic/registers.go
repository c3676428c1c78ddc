package rnic

import (
	"fmt"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// WriteRegister writes a register through s_axil; name is one of the registers of its configuration.
func (d *Device) WriteRegister(name string, value uint32) error {
	r, err := d.register(name)
	if err != nil {
		return err
	}
	return d.registers.Write(uint64(r.Offset), uint64(value))
}

// ReadRegister reads a register through s_axil.
func (d *Device) ReadRegister(name string) (uint32, error) {
	r, err := d.register(name)
	if err != nil {
		return 0, err
	}
	value, err := d.registers.Read(uint64(r.Offset))
	return uint32(value), err
}

// Registers returns the register port, for accesses by address.
func (d *Device) Registers() *cosim.Registers { return d.registers }

// SetRegion stores a row of the STag table.
func (d *Device) SetRegion(index int, r memory.Region) error {
	access := uint32(r.Key)
	for bit, right := range []memory.Rights{memory.LocalRead, memory.LocalWrite, memory.RemoteRead, memory.RemoteWrite, memory.RemoteAtomic, memory.Invalidate} {
		if r.Rights&right != 0 {
			access |= 1 << (8 + bit)
		}
	}
	owner, command := uint32(r.Owner), uint32(1)
	if r.ByDomain {
		owner |= 1 << 16
	}
	if !r.Valid {
		command = 2
	}
	list := []registerValue{{"stag_index", uint32(index)}, {"stag_access", access}, {"stag_owner", owner},
		{"stag_base_low", uint32(r.Base)}, {"stag_base_high", uint32(r.Base >> 32)},
		{"stag_length_low", uint32(r.Length)}, {"stag_length_high", uint32(r.Length >> 32)},
		{"stag_address_low", uint32(r.Address)}, {"stag_address_high", uint32(r.Address >> 32)}}
	if d.config.Protocol()&spec.Commit != 0 {
		list = append(list, registerValue{"stag_commit", commitOf(r)})
	}
	return d.writeRegisters(append(list, registerValue{"stag_command", command}))
}

// Open opens a stream in a protection domain; Shut closes it.
func (d *Device) Open(stream uint32, domain uint16) error { return d.command(stream, domain, 1) }

// Shut closes a stream without notifying the peer.
func (d *Device) Shut(stream uint32) error { return d.command(stream, 0, 2) }

// Weigh gives a stream its share of the transmit side.
func (d *Device) Weigh(stream uint32, weight uint8) error {
	return d.writeRegisters([]registerValue{{"stream_number", stream}, {"stream_weight", uint32(weight)}, {"stream_command", 3}})
}

func (d *Device) command(stream uint32, domain uint16, command uint32) error {
	return d.writeRegisters([]registerValue{{"stream_number", stream}, {"stream_domain", uint32(domain)}, {"stream_command", command}})
}

type registerValue struct {
	name  string
	value uint32
}

// patience is the number of cycles a command may wait: longer than the transmit side takes for the longest message ahead of it.
const patience = 4 << 20

// longestPause is the maximum number of cycles between two reads of the status while a command waits. After reset, sweeping the tables takes up to 65,536 cycles.
const longestPause = 128

// writeRegisters returns when the command has taken effect. Output is collected for Take meanwhile: a device that cannot deliver its
// segments makes no progress.
func (d *Device) writeRegisters(list []registerValue) error {
	writes := make([]cosim.Write, len(list))
	for i, v := range list {
		r, err := d.register(v.name)
		if err != nil {
			return err
		}
		writes[i] = cosim.Write{Addr: uint64(r.Offset), Value: uint64(v.value)}
	}
	if err := d.registers.WriteAll(writes...); err != nil {
		return err
	}
	for began, pause := d.eng.Cycle(), uint64(1); d.eng.Cycle()-began < patience; pause = min(2*pause, longestPause) {
		status, err := d.ReadRegister("status")
		if err != nil || status == 4 {
			return err
		}
		if _, err := d.eng.Run(pause, 0); err != nil {
			return err
		}
		if err := d.collect(); err != nil {
			return err
		}
	}
	return noProgress("a command of %s waits for more than %d cycles", list[len(list)-1].name, patience)
}

func (d *Device) register(name string) (engine.Register, error) {
	for _, r := range d.config.Registers() {
		if r.Name == name {
			return r, nil
		}
	}
	return engine.Register{}, fmt.Errorf("there is no register %q", name)
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
