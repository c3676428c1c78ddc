package rnic

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// How far a receive request and the Send that needs it are apart, in clocks: the Send passes through the parser first, so that
// they meet somewhere between.
const (
	sendFirst    = 24
	requestFirst = 48
)

// Races lets what the host does meet what needs it, at every distance in clocks: a row of the STag table a Write, a receive
// request a Send, and an opening the ends of other streams. Random traffic does not: there a peer begins when it knows that the host is done. What comes finds all of what
// the host did, or nothing of it, which ends the stream.
func Races(c gen.Config, design *simulator.Design, o Options) (met Met, err error) {
	d, err := OpenDesign(c, design, o)
	if err != nil {
		return met, err
	}
	met, err = RacesOn(d, c)
	return met, errors.Join(err, d.Close())
}

// RacesOn is Races on a device that is as after reset.
func RacesOn(d *Device, c gen.Config) (met Met, err error) {
	defer func() { met.Cycles = d.eng.Cycle() }()
	r := &racer{device: d, stream: uint32(c.Streams - 1)}
	area := memory.Region{Valid: true, Key: 0x5A, Rights: memory.LocalWrite | memory.RemoteWrite, Owner: uint16(r.stream), Base: 1 << 40, Length: 4096, Address: 0x4_0000}
	r.index, r.area = c.STags-1, area
	for clocks := range mostBeats {
		if err := r.openBesideEnds(clocks); err != nil {
			return met, err
		}
	}
	for beats := range mostBeats {
		is, err := r.appear(beats)
		if err != nil {
			return met, err
		}
		if is {
			met.Rows++
		} else {
			met.NoRows++
		}
	}
	for beats := range mostBeats {
		if err := r.collide(beats); err != nil {
			return met, err
		}
	}
	for beats := 0; beats < mostBeats; beats += 5 { // the messages take longer
		if err := r.openBeside(beats, c.ReceiveDepth); err != nil {
			return met, err
		}
	}
	if err := d.SetRegion(r.index, area); err != nil {
		return met, err
	}
	for apart := -sendFirst; apart <= requestFirst; apart++ {
		is, err := r.meet(apart)
		if err != nil {
			return met, err
		}
		if is {
			met.Found++
		} else {
			met.Missed++
		}
	}
	return met, nil
}

// Met is how often a Send found the request that was posted at about the same time, and a Write the row, and how often not.
type Met struct {
	Found, Missed int
	Rows, NoRows  int
	Cycles        uint64
}

// racer runs one race after the other.
type racer struct {
	device *Device
	stream uint32
	index  int
	area   memory.Region
	id     uint64
}

// mostBeats is how many beats come before a Write that meets the row that it uses: more than it takes to store one.
const mostBeats = 64

// appear stores a row while a Write that uses it is on its way behind some beats. There was a row with the same key and another
// address before, that was not valid. Either: the Write finds the new row, and its octets are where that says, or it finds none,
// which ends the stream. Nothing is ever where the old row says.
func (r *racer) appear(beats int) (found bool, err error) {
	d := r.device
	old, row := r.area, r.area
	old.Valid, old.Address = false, r.area.Address+1<<16
	row.Address += uint64(beats) << 6
	if err := errors.Join(d.SetRegion(r.index, old), d.Open(r.stream, 0), d.Open(0, 0)); err != nil {
		return false, err
	}
	d.Take()
	for range beats {
		d.Send(0, []byte{}) // an empty segment: the first ends its stream, the others are dropped
	}
	octets := bytes.Repeat([]byte{0xC3}, 8)
	if err := d.memory.Write(row.Address, make([]byte, 8)); err != nil {
		return false, err
	}
	d.Send(r.stream, wire.AppendWrite(nil, memory.STag(r.index, row.Key), row.Base, true, octets))
	if err := d.rx.push(d.eng); err != nil {
		return false, err
	}
	if err := d.SetRegion(r.index, row); err != nil {
		return false, err
	}
	if _, err := d.Run(roundClocks, 4*quietClocks); err != nil {
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
		return false, &Difference{Node: "race", Stream: r.stream, What: "a Write that meets its region",
			Device: fmt.Sprintf("%x there, %x where the old region was, the stream has ended: %t", there, before, ended),
			Model:  "the octets, or the end of the stream"}
	}
	return !ended, nil
}

// collide stores a row while a Send that invalidates another one is on its way behind some beats: whichever is first, and in one
// cycle, both take effect.
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
	if _, err := d.Run(roundClocks, 4*quietClocks); err != nil {
		return err
	}
	for range beats {
		d.Send(0, []byte{})
	}
	d.Send(r.stream, wire.AppendSend(nil, spec.SendInvalidate.Opcode(), memory.STag(other, victim.Key), 1, 0, true, nil))
	if err := d.rx.push(d.eng); err != nil {
		return err
	}
	if err := d.SetRegion(r.index, row); err != nil {
		return err
	}
	if _, err := d.Run(roundClocks, 4*quietClocks); err != nil {
		return err
	}
	octets := bytes.Repeat([]byte{0xC4, byte(beats)}, 4)
	d.Send(r.stream, wire.AppendWrite(nil, memory.STag(r.index, row.Key), row.Base, true, octets))
	d.Send(r.stream, wire.AppendWrite(nil, memory.STag(other, victim.Key), victim.Base, true, octets)) // ends the stream
	if _, err := d.Run(roundClocks, 4*quietClocks); err != nil {
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
		return &Difference{Node: "race", Stream: r.stream, What: fmt.Sprintf("a row that is stored while another is invalidated, %d beats before", beats),
			Device: fmt.Sprintf("%x by the row, %x by the invalidated one, ended: %t", stored, invalidated, ended), Model: fmt.Sprintf("%x by the row, nothing by the other, which ends the stream", octets)}
	}
	return nil
}

// rest lets clocks pass until nothing happens any more.
func (r *racer) rest() error {
	for {
		if result, err := r.device.Run(roundClocks, 4*quietClocks); err != nil || result.Why == simulator.Quiet {
			return err
		}
	}
}

// openBeside opens a stream while messages of another one, that come without a pause behind some beats, use all of its receive requests.
// Afterwards each has room for as many as there can be, and for no more.
func (r *racer) openBeside(beats, depth int) error {
	d := r.device
	opened := uint32(1) - min(r.stream, 1) // another one
	post := func(stream uint32, n int) {
		for range n {
			r.id++
			d.PostReceive(rdmap.ReceiveRequest{Stream: stream, ID: r.id})
		}
	}
	if err := d.Open(r.stream, 0); err != nil {
		return err
	}
	post(r.stream, depth)
	if err := r.rest(); err != nil {
		return err
	}
	d.Take()
	for range beats {
		d.Send(r.stream, wire.AppendWrite(nil, 0, 0, true, nil)) // which does nothing
	}
	for n := range depth {
		d.Send(r.stream, wire.AppendImmediate(nil, false, uint32(1+n), uint64(n)))
	}
	if err := d.rx.push(d.eng); err != nil {
		return err
	}
	if err := d.Open(opened, 0); err != nil {
		return err
	}
	if err := r.rest(); err != nil {
		return err
	}
	if n := len(d.Take().Completions); n != depth {
		return r.openDiffers(r.stream, beats, fmt.Sprintf("%d messages are delivered", n), fmt.Sprint(depth))
	}
	post(r.stream, depth+1)
	post(opened, depth+1)
	if err := r.rest(); err != nil {
		return err
	}
	refused := map[uint32]int{}
	for _, e := range d.Take().Events {
		if e.Kind == engine.EventReceiveRefused {
			refused[e.Stream]++
		}
	}
	for _, stream := range []uint32{r.stream, opened} {
		if n := refused[stream]; n != 1 {
			return r.openDiffers(stream, beats, fmt.Sprintf("%d of %d receive requests are refused", n, depth+1), "1")
		}
	}
	return nil
}

func (r *racer) openDiffers(stream uint32, beats int, device, model string) error {
	return &Difference{Node: "race", Stream: stream, What: fmt.Sprintf("a stream that is opened beside messages of another one, %d beats before", beats), Device: device, Model: model}
}

// meet posts a request and sends what needs it so many clocks later, or earlier; found tells whether it was used.
func (r *racer) meet(apart int) (found bool, err error) {
	d := r.device
	if err := d.Open(r.stream, 0); err != nil {
		return false, err
	}
	d.Take()
	r.id++
	at := 64 * (r.id % 60)
	payload := bytes.Repeat([]byte{byte(r.id) | 0x80}, 8+int(r.id%32))
	post := func() {
		d.PostReceive(rdmap.ReceiveRequest{Stream: r.stream, ID: r.id, Length: 64,
			Buffer: rdmap.Buffer{STag: memory.STag(r.index, r.area.Key), TO: r.area.Base + at}})
	}
	send := func() { d.Send(r.stream, wire.AppendSend(nil, spec.Send.Opcode(), 0, 1, 0, true, payload)) }
	first, second := post, send
	if apart < 0 {
		first, second, apart = send, post, -apart
	}
	first()
	if _, err := d.Run(uint64(apart), 0); err != nil && apart > 0 {
		return false, err
	}
	second()
	if _, err := d.Run(roundClocks, 4*quietClocks); err != nil {
		return false, err
	}
	out := d.Take()
	differs := func(what, device, model string) error {
		return &Difference{Node: "race", Stream: r.stream, What: what, Device: device, Model: model}
	}
	if len(out.Completions) > 0 {
		if c := out.Completions[0]; len(out.Completions) > 1 || !c.Recv || c.ID != r.id || c.Status != engine.StatusSuccess {
			return false, differs("the completion of a receive", fmt.Sprintf("%+v", out.Completions), fmt.Sprintf("one, of request %d", r.id))
		}
		is := make([]byte, len(payload))
		if err := d.memory.Read(r.area.Address+at, is); err != nil {
			return false, err
		}
		if !bytes.Equal(is, payload) || int(out.Completions[0].Length) != len(payload) {
			return false, differs("memory", fmt.Sprintf("%x, %d octets", is, out.Completions[0].Length), fmt.Sprintf("%x", payload))
		}
		if len(out.Segments) > 0 {
			return false, differs("segments", fmt.Sprintf("%x", out.Segments[0].Octets), "none")
		}
		d.Send(r.stream, wire.AppendTerminate(nil, wire.Terminate{})) // the end of the stream, to begin anew
		_, err := d.Run(roundClocks, 4*quietClocks)
		return true, err
	}
	none := spec.TermNoBuffer
	if len(out.Segments) != 1 || len(out.Events) != 1 || out.Events[0].Term != none {
		return false, differs("the end of a stream", fmt.Sprintf("%+v, %+v", out.Segments, out.Events), fmt.Sprintf("a Terminate, %v", none))
	}
	return false, nil
}
