package rnic

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Withdrawn removes, on a freshly reset device, the STag row of accepted operations that are waiting: of a Read of the peer after
// an Atomic that memory holds up, and of an Atomic after a Read, by the host and by a Send with Invalidate of another stream: none of them
// may continue (I-46). Then it removes the local buffer of a Write of this end that is partly sent: it continues to its last segment, and
// the Write after it is not sent and ends the stream (I-87).
func Withdrawn(d *Device, c gen.Config) error {
	w := newWithdrawal(d, c)
	for _, at := range w.places(c) {
		w.kept.Address, w.gone.Address = at.kept, at.gone
		for _, atomic := range []bool{false, true} {
			for _, byHost := range []bool{true, false} {
				if err := w.request(atomic, byHost); err != nil {
					return err
				}
			}
		}
	}
	return w.write()
}

// places are the addresses of the rows; with far memory each in near and in far memory.
func (w *withdrawal) places(c gen.Config) (list []struct{ kept, gone uint64 }) {
	bits := []uint64{0}
	if c.FarMemoryBit > 0 {
		bits = append(bits, 1<<c.FarMemoryBit)
	}
	kept, gone := w.kept.Address&^bits[len(bits)-1], w.gone.Address&^bits[len(bits)-1]
	for _, x := range bits {
		for _, y := range bits {
			list = append(list, struct{ kept, gone uint64 }{kept | x, gone | y})
		}
	}
	return list
}

// withdrawal has two rows, one of which is removed.
type withdrawal struct {
	device        *Device
	stream, other uint32
	payload       int
	silence       uint64 // Silence
	kept, gone    memory.Region
}

func newWithdrawal(d *Device, c gen.Config) *withdrawal {
	w := &withdrawal{device: d, stream: 0, other: uint32(c.Streams - 1), payload: c.MaxPayload, silence: Silence(c)}
	whole := memory.LocalRead | memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic | memory.Invalidate
	w.kept = memory.Region{Valid: true, Key: 0x31, Rights: whole, ByDomain: true, Base: 1 << 33, Length: 64, Address: 0x6_0000}
	w.gone = memory.Region{Valid: true, Key: 0x32, Rights: whole, ByDomain: true, Base: 1 << 41, Length: 1 << 20, Address: 0x20_0000}
	return w
}

// Rows of the two.
const (
	keptRow = 1
	goneRow = 2
)

func (w *withdrawal) begin() error {
	d := w.device
	err := errors.Join(d.SetRegion(keptRow, w.kept), d.SetRegion(goneRow, w.gone), d.Open(w.stream, 0), d.Open(w.other, 0))
	d.Take()
	return err
}

func (w *withdrawal) withdraw() error {
	row := w.gone
	row.Valid = false
	return w.device.SetRegion(goneRow, row)
}

// pass advances a number of cycles, even without activity.
func (w *withdrawal) pass(cycles uint64) error {
	_, err := w.device.Run(cycles, 0)
	return err
}

func (w *withdrawal) hold(port string, held bool) error {
	s := simulator.Stall{Mode: simulator.StallRandom}
	if held {
		s.Chance = 256
	}
	return w.device.Stall(port, s)
}

// request makes a Read wait for an Atomic, or an Atomic for a Read, and removes the row of its STag.
func (w *withdrawal) request(atomic, byHost bool) error {
	d := w.device
	if err := errors.Join(w.begin(), w.hold("m_axi_ar", true)); err != nil {
		return err
	}
	kept, stag := memory.STag(keptRow, w.kept.Key), memory.STag(goneRow, w.gone.Key)
	first := spec.AtomicResponse.Opcode()
	if atomic {
		first = spec.ReadResponse.Opcode()
		d.Send(w.stream, wire.AppendReadRequest(nil, 1, wire.ReadRequest{ReadMessageSize: 8, DataSourceSTag: kept, DataSourceTO: w.kept.Base}))
		d.Send(w.stream, wire.AppendAtomicRequest(nil, 2, wire.NewFetchAdd(2, stag, w.gone.Base, 1, 0)))
	} else {
		d.Send(w.stream, wire.AppendAtomicRequest(nil, 1, wire.NewFetchAdd(1, kept, w.kept.Base, 1, 0)))
		d.Send(w.stream, wire.AppendReadRequest(nil, 2, wire.ReadRequest{ReadMessageSize: 8, DataSourceSTag: stag, DataSourceTO: w.gone.Base}))
	}
	if err := w.pass(200); err != nil {
		return err
	}
	if byHost {
		if err := w.withdraw(); err != nil {
			return err
		}
	} else {
		d.PostReceive(rdmap.ReceiveRequest{Stream: w.other, ID: 1})
		if err := w.pass(200); err != nil {
			return err
		}
		d.Send(w.other, wire.AppendSend(nil, spec.SendInvalidate.Opcode(), stag, 1, 0, true, nil))
	}
	if err := errors.Join(w.pass(400), w.hold("m_axi_ar", false), w.pass(2000)); err != nil {
		return err
	}
	var left []wire.Opcode
	var term wire.Terminate
	for _, s := range d.Take().Segments {
		view, _ := wire.Classify(s.Octets)
		if left = append(left, view.Header.Opcode); view.Header.Opcode.Is(spec.Terminate) {
			_, _ = term.Decode(view.Payload)
		}
	}
	is, want := fmt.Sprint(left, term.Code), fmt.Sprint([]wire.Opcode{first, spec.Terminate.Opcode()}, spec.TermSTag)
	if is != want {
		return &Difference{Node: "device", Stream: w.stream, What: fmt.Sprintf("a waiting request whose STag is removed (Atomic: %t, by the host: %t)", atomic, byHost), Device: is, Model: want}
	}
	return nil
}

// write removes the local buffer of a Write after some segments have been sent, and posts another.
func (w *withdrawal) write() error {
	d := w.device
	if err := w.begin(); err != nil {
		return err
	}
	segments := int(w.gone.Length) / w.payload
	if err := w.hold("m_axis_tx", true); err != nil {
		return err
	}
	post := func(id uint64) {
		d.PostWork(rdmap.WorkRequest{Stream: w.stream, ID: id, Signaled: true, Opcode: spec.Write.Opcode(), Length: uint32(w.gone.Length),
			Local: rdmap.Buffer{STag: memory.STag(goneRow, w.gone.Key), TO: w.gone.Base}, Remote: rdmap.Buffer{STag: 5, TO: 6}})
	}
	post(77)
	if err := errors.Join(w.pass(4000), w.withdraw()); err != nil {
		return err
	}
	post(78)
	if err := w.hold("m_axis_tx", false); err != nil {
		return err
	}
	for full := true; full; {
		r, err := d.Run(4*w.gone.Length, w.silence)
		if err != nil {
			return err
		}
		full = r.Why == simulator.OutputFull
	}
	out := d.Take()
	n := len(out.Segments)
	ends := n == segments+1
	if ends {
		view, _ := wire.Classify(out.Segments[n-1].Octets)
		ends = view.Header.Opcode.Is(spec.Terminate)
	}
	var done []string
	for _, c := range out.Completions {
		done = append(done, fmt.Sprintf("%d status %d", c.ID, c.Status))
	}
	want := []string{fmt.Sprintf("77 status %d", engine.StatusFlushed), fmt.Sprintf("78 status %d", engine.StatusProtection)}
	if !ends || !slices.Equal(done, want) {
		return &Difference{Node: "device", Stream: w.stream, What: "a Write whose local buffer is removed while segments wait, and one after it",
			Device: fmt.Sprintf("%d segments, %v", n, done), Model: fmt.Sprintf("%d segments and a Terminate, %v", segments, want)}
	}
	return nil
}
