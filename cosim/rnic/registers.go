package rnic

import (
	"errors"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// commands are those of the host.
func (d *Device) commands() cosim.Commands {
	return cosim.Commands{Port: d.registers, Map: d.config.Registers(), Engine: d.eng, Collect: d.collect}
}

// WriteRegister writes a register through s_axil; name is one of the registers of its configuration.
func (d *Device) WriteRegister(name string, value uint32) error {
	return d.commands().Write(name, value)
}

// ReadRegister reads a register through s_axil.
func (d *Device) ReadRegister(name string) (uint32, error) { return d.commands().Read(name) }

// Registers returns the register port, for accesses by address.
func (d *Device) Registers() *cosim.Registers { return d.registers }

// SetRegion stores a row of the STag table.
func (d *Device) SetRegion(index int, r memory.Region) error {
	list := cosim.RegionValues(index, r)
	if d.config.Protocol()&spec.Commit != 0 {
		list = append(list, cosim.RegisterValue{Name: "stag_commit", Value: commitOf(r)})
	}
	return d.command(append(list, cosim.RegionCommand(r))...)
}

// Open opens a stream in a protection domain; Shut closes it.
func (d *Device) Open(stream uint32, domain uint16) error { return d.commandStream(stream, domain, 1) }

// Shut closes a stream without notifying the peer.
func (d *Device) Shut(stream uint32) error { return d.commandStream(stream, 0, 2) }

// Weigh gives a stream its share of the transmit side.
func (d *Device) Weigh(stream uint32, weight uint8) error {
	return d.command(cosim.RegisterValue{Name: "stream_number", Value: stream}, cosim.RegisterValue{Name: "stream_weight", Value: uint32(weight)}, cosim.RegisterValue{Name: "stream_command", Value: 3})
}

func (d *Device) commandStream(stream uint32, domain uint16, command uint32) error {
	return d.command(cosim.RegisterValue{Name: "stream_number", Value: stream}, cosim.RegisterValue{Name: "stream_domain", Value: uint32(domain)}, cosim.RegisterValue{Name: "stream_command", Value: command})
}

// command returns when the command, the last value, has taken effect.
func (d *Device) command(list ...cosim.RegisterValue) error {
	err := d.commands().Do(list...)
	if errors.Is(err, cosim.ErrNoProgress) {
		err = noProgress("%v", err)
	}
	return err
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
