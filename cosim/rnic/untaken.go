package rnic

import (
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

// Untaken checks, on a freshly reset device, that completions which are not taken for a long time keep the outcome decided
// before.
func Untaken(d *Device, c gen.Config) error {
	w := newWithdrawal(d, c)
	return errors.Join(w.refused(c), w.answered(c))
}

// refused makes memory refuse Sends whose completions are not taken, and opens another stream meanwhile.
func (w *withdrawal) refused(c gen.Config) error {
	d := w.device
	w.gone.Rights |= memory.LocalWrite
	if err := errors.Join(w.begin(), d.SetErrors(simulator.Range{First: w.gone.Address, Last: w.gone.Address + 0xFFF, Writes: true}), w.hold("cqe", true)); err != nil {
		return err
	}
	n := min(4, c.ReceiveDepth)
	for i := range n {
		d.PostReceive(rdmap.ReceiveRequest{Stream: w.stream, ID: uint64(i), Length: 8, Buffer: rdmap.Buffer{STag: memory.STag(goneRow, w.gone.Key), TO: w.gone.Base + uint64(64*i)}})
	}
	if err := w.pass(200); err != nil {
		return err
	}
	for i := range n {
		d.Send(w.stream, wire.AppendSend(nil, spec.Send.Opcode(), 0, uint32(1+i), 0, true, make([]byte, 8)))
	}
	if err := errors.Join(w.pass(400), d.Open(w.other, 0), w.hold("cqe", false), w.pass(1000)); err != nil {
		return err
	}
	var status []int
	for _, c := range d.Take().Completions {
		status = append(status, int(c.Status))
	}
	for _, s := range status {
		if s != engine.StatusMemory || len(status) == 0 {
			return &Difference{Node: "device", Stream: w.stream, What: "the status of Sends that memory refuses, during an opening", Device: fmt.Sprint(status), Model: fmt.Sprint(engine.StatusMemory)}
		}
	}
	return nil
}

// answered sends the response to a Read, and then the peer's Terminate, while completions of another stream are not taken.
func (w *withdrawal) answered(c gen.Config) error {
	d := w.device
	w.gone.Rights |= memory.LocalWrite
	if err := errors.Join(d.SetErrors(), w.begin(), w.hold("cqe", true)); err != nil {
		return err
	}
	local := rdmap.Buffer{STag: memory.STag(goneRow, w.gone.Key), TO: w.gone.Base}
	d.PostWork(rdmap.WorkRequest{Stream: w.stream, ID: 99, Signaled: true, Opcode: spec.ReadRequest.Opcode(), Length: 8, Local: local})
	for i := range min(8, c.SendDepth) {
		d.PostWork(rdmap.WorkRequest{Stream: w.other, ID: uint64(i), Signaled: true, Opcode: spec.Write.Opcode(), Local: local, Remote: local})
	}
	if err := w.pass(600); err != nil {
		return err
	}
	d.Send(w.stream, wire.AppendReadResponse(nil, local.STag, local.TO, true, make([]byte, 8)))
	d.Send(w.stream, wire.AppendTerminate(nil, wire.Terminate{}))
	if err := errors.Join(w.pass(400), w.hold("cqe", false), w.pass(600)); err != nil {
		return err
	}
	for _, c := range d.Take().Completions {
		if c.ID == 99 && c.Status == engine.StatusSuccess {
			return nil
		}
	}
	return &Difference{Node: "device", Stream: w.stream, What: "a Read answered before its stream ended", Device: "no success", Model: "success"}
}
