package rnic

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
)

// registerClocks is more than an access to a register takes, whatever is set up.
const registerClocks = 1 << 20

// WriteRegister stores a value through s_axil; name is one of gen.Registers.
func (d *Device) WriteRegister(name string, value uint32) error {
	r, err := registerOf(name)
	if err != nil {
		return err
	}
	aw, err1 := newLane(d.design, "s_axil_aw")
	w, err2 := newLane(d.design, "s_axil_w")
	b, err3 := newLane(d.design, "s_axil_b")
	if err := firstError(err1, err2, err3); err != nil {
		return err
	}
	aw.set(aw.grow(), "addr", uint64(r.Offset))
	beat := w.grow()
	w.set(beat, "data", uint64(value))
	w.set(beat, "strb", 0xF)
	if err := firstError(aw.push(d.eng), w.push(d.eng)); err != nil {
		return err
	}
	resp, err := d.answer(&b)
	if err == nil && b.get(resp, "resp") != 0 {
		err = fmt.Errorf("register %s: write 0x%X is answered with %d", name, value, b.get(resp, "resp"))
	}
	return err
}

// ReadRegister fetches a value through s_axil.
func (d *Device) ReadRegister(name string) (uint32, error) {
	r, err := registerOf(name)
	if err != nil {
		return 0, err
	}
	ar, err1 := newLane(d.design, "s_axil_ar")
	data, err2 := newLane(d.design, "s_axil_r")
	if err := firstError(err1, err2); err != nil {
		return 0, err
	}
	ar.set(ar.grow(), "addr", uint64(r.Offset))
	if err := ar.push(d.eng); err != nil {
		return 0, err
	}
	beat, err := d.answer(&data)
	if err == nil && data.get(beat, "resp") != 0 {
		err = fmt.Errorf("register %s: read is answered with %d", name, data.get(beat, "resp"))
	}
	if err != nil {
		return 0, err
	}
	return uint32(data.get(beat, "data")), nil
}

// answer runs until the stream has a beat.
func (d *Device) answer(l *lane) (beat []uint64, err error) {
	for clocks := 0; clocks < registerClocks; clocks += 8 {
		if _, err := d.Run(8, 0); err != nil {
			return nil, err
		}
		if err := l.pop(d.eng, func(b []uint64) { beat = append([]uint64(nil), b...) }); err != nil || beat != nil {
			return beat, err
		}
	}
	return nil, fmt.Errorf("stream %s: no answer after %d clocks", l.name, registerClocks)
}

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
	return d.writeRegisters([]registerValue{{"stag_index", uint32(index)}, {"stag_access", access}, {"stag_owner", owner},
		{"stag_base_low", uint32(r.Base)}, {"stag_base_high", uint32(r.Base >> 32)},
		{"stag_length_low", uint32(r.Length)}, {"stag_length_high", uint32(r.Length >> 32)},
		{"stag_address_low", uint32(r.Address)}, {"stag_address_high", uint32(r.Address >> 32)}, {"stag_command", command}})
}

// Open opens a stream in a protection domain; Shut shuts it.
func (d *Device) Open(stream uint32, domain uint16) error { return d.command(stream, domain, 1) }

// Shut shuts a stream without a word to the peer.
func (d *Device) Shut(stream uint32) error { return d.command(stream, 0, 2) }

func (d *Device) command(stream uint32, domain uint16, command uint32) error {
	return d.writeRegisters([]registerValue{{"stream_number", stream}, {"stream_domain", uint32(domain)}, {"stream_command", command}})
}

type registerValue struct {
	name  string
	value uint32
}

// writeRegisters ends when the command has taken effect.
func (d *Device) writeRegisters(list []registerValue) error {
	for _, v := range list {
		if err := d.WriteRegister(v.name, v.value); err != nil {
			return err
		}
	}
	for {
		status, err := d.ReadRegister("status")
		if err != nil || status == 4 {
			return err
		}
	}
}

func registerOf(name string) (gen.Register, error) {
	for _, r := range gen.Registers {
		if r.Name == name {
			return r, nil
		}
	}
	return gen.Register{}, fmt.Errorf("there is no register %q", name)
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
