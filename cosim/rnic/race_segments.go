package rnic

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// mostBeats is the maximum number of beats before a Write that races with storing its row: more than storing a row takes.
const mostBeats = 64

// appear stores a row while a Write that uses it arrives after some beats or, if beats is negative, that many cycles before. The
// previous row had the same key, another address, and was not valid. Either: the Write finds the new row and its octets are at the
// new address, or it finds none, which ends the stream. Nothing is ever written at the old address.
func (r *racer) appear(beats int) (found bool, err error) {
	d := r.device
	old, row := r.area, r.area
	old.Valid, old.Address = false, r.area.Address+1<<16
	row.Address += uint64(headStart+beats) << 6
	if err := errors.Join(d.SetRegion(r.index, old), d.Open(r.stream, 0), d.Open(0, 0)); err != nil {
		return false, err
	}
	d.Take()
	for range max(beats, 0) {
		d.Send(0, []byte{}) // empty segments: the first ends its stream, the others are dropped
	}
	octets := bytes.Repeat([]byte{0xC3}, 8)
	if err := d.memory.Write(row.Address, make([]byte, 8)); err != nil {
		return false, err
	}
	d.Send(r.stream, wire.AppendWrite(nil, memory.STag(r.index, row.Key), row.Base, true, octets))
	if err := d.rx.Push(d.eng); err != nil {
		return false, err
	}
	if beats < 0 {
		if _, err := d.Run(uint64(-beats), 0); err != nil {
			return false, err
		}
	}
	if err := d.SetRegion(r.index, row); err != nil {
		return false, err
	}
	if _, err := d.Run(roundCycles, 4*quietCycles); err != nil {
		return false, err
	}
	ended := false
	for _, e := range d.Take().Events {
		ended = ended || e.Stream == r.stream
	}
	var there, before [8]byte
	if err := errors.Join(d.memory.Read(row.Address, there[:]), d.memory.Read(old.Address, before[:])); err != nil {
		return false, err
	}
	if came := bytes.Equal(there[:], octets); came == ended || before != [8]byte{} {
		return false, &Difference{Node: "race", Stream: r.stream, What: "a Write that races with its region",
			Device: fmt.Sprintf("%x in the new region, %x in the old one, stream ended: %t", there, before, ended),
			Model:  "the octets, or the end of the stream"}
	}
	return !ended, nil
}

// collide stores a row while a Send that invalidates another one arrives after some beats: in either order, and in the same cycle,
// both take effect.
func (r *racer) collide(beats int) error {
	d := r.device
	row, victim := r.area, r.area
	row.Address += uint64(beats) << 6
	victim.Rights, victim.Address = memory.RemoteWrite|memory.Invalidate, r.area.Address+1<<17
	gone := r.area
	gone.Valid = false
	other := r.index - 1
	if err := errors.Join(d.SetRegion(r.index, gone), d.SetRegion(other, victim), d.Open(r.stream, 0), d.Open(0, 0)); err != nil {
		return err
	}
	d.Take()
	r.id++
	d.PostReceive(rdmap.ReceiveRequest{Stream: r.stream, ID: r.id})
	if _, err := d.Run(roundCycles, 4*quietCycles); err != nil {
		return err
	}
	for range beats {
		d.Send(0, []byte{})
	}
	d.Send(r.stream, wire.AppendSend(nil, spec.SendInvalidate.Opcode(), memory.STag(other, victim.Key), 1, 0, true, nil))
	if err := d.rx.Push(d.eng); err != nil {
		return err
	}
	if err := d.SetRegion(r.index, row); err != nil {
		return err
	}
	if _, err := d.Run(roundCycles, 4*quietCycles); err != nil {
		return err
	}
	octets := bytes.Repeat([]byte{0xC4, byte(beats)}, 4)
	d.Send(r.stream, wire.AppendWrite(nil, memory.STag(r.index, row.Key), row.Base, true, octets))
	d.Send(r.stream, wire.AppendWrite(nil, memory.STag(other, victim.Key), victim.Base, true, octets)) // ends the stream
	if _, err := d.Run(roundCycles, 4*quietCycles); err != nil {
		return err
	}
	out := d.Take()
	var stored, invalidated [8]byte
	if err := errors.Join(d.memory.Read(row.Address, stored[:]), d.memory.Read(victim.Address, invalidated[:])); err != nil {
		return err
	}
	ended := false
	for _, e := range out.Events {
		ended = ended || e.Stream == r.stream && e.Kind == engine.EventEnded && e.Term == spec.TermTaggedSTag
	}
	if !bytes.Equal(stored[:], octets) || invalidated != [8]byte{} || !ended {
		return &Difference{Node: "race", Stream: r.stream, What: fmt.Sprintf("a row stored while another is invalidated, %d beats before", beats),
			Device: fmt.Sprintf("%x by the row, %x by the invalidated one, ended: %t", stored, invalidated, ended), Model: fmt.Sprintf("%x by the row, nothing by the invalidated one, which ends the stream", octets)}
	}
	return nil
}

// rest runs until the device is idle.
func (r *racer) rest() error {
	for {
		if result, err := r.device.Run(roundCycles, 4*quietCycles); err != nil || result.Why == simulator.Quiet {
			return err
		}
	}
}
