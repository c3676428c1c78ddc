package rnic

import (
	"bytes"
	"fmt"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// openBeside opens a stream while back-to-back messages of another one, sent after some beats, use all of its receive requests.
// Afterwards each stream must have room for exactly the maximum number of requests.
func (r *racer) openBeside(beats, depth int) error {
	d := r.device
	opened := uint32(1) - min(r.stream, 1) // any other stream
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
		d.Send(r.stream, wire.AppendWrite(nil, 0, 0, true, nil)) // no effect
	}
	for n := range depth {
		d.Send(r.stream, wire.AppendImmediate(nil, false, uint32(1+n), uint64(n)))
	}
	if err := d.rx.Push(d.eng); err != nil {
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
	return &Difference{Node: "race", Stream: stream, What: fmt.Sprintf("a stream opened during messages of another one, %d beats before", beats), Device: device, Model: model}
}

// meet posts a request and sends a message for it the given number of cycles later, or earlier; found reports whether it was used.
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
	if _, err := d.Run(roundCycles, 4*quietCycles); err != nil {
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
		d.Send(r.stream, wire.AppendTerminate(nil, wire.Terminate{})) // ends the stream, for a fresh start
		_, err := d.Run(roundCycles, 4*quietCycles)
		return true, err
	}
	none := spec.TermNoBuffer
	if len(out.Segments) != 1 || len(out.Events) != 1 || out.Events[0].Term != none {
		return false, differs("the end of a stream", fmt.Sprintf("%+v, %+v", out.Segments, out.Events), fmt.Sprintf("a Terminate, %v", none))
	}
	return false, nil
}
