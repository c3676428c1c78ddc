package suite

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// RegionOf converts a row to the form of the file.
func RegionOf(index int, r memory.Region) Region {
	out := Region{STag: Hex32(memory.STag(index, r.Key)), Rights: []string{}, Base: Hex64(r.Base), Length: Hex64(r.Length), Address: Hex64(r.Address), Commit: commitOf(&r)}
	for bit, name := range allRights {
		if r.Valid && r.Rights>>bit&1 == 1 {
			out.Rights = append(out.Rights, name)
		}
	}
	if r.ByDomain {
		out.Domain = &r.Owner
	} else {
		owner := uint32(r.Owner)
		out.Stream = &owner
	}
	return out
}

// Row converts a region to a row of the STag table.
func (r *Region) Row() (index int, row memory.Region) {
	row = memory.Region{Valid: len(r.Rights) > 0, Key: uint8(r.STag), Base: uint64(r.Base), Length: uint64(r.Length), Address: uint64(r.Address),
		Attributes: r.Commit.attributes()}
	for bit, name := range allRights {
		if slices.Contains(r.Rights, name) {
			row.Rights |= 1 << bit
		}
	}
	switch {
	case r.Domain != nil:
		row.ByDomain, row.Owner = true, *r.Domain
	case r.Stream != nil:
		row.Owner = uint16(*r.Stream)
	}
	return int(r.STag >> 8), row
}

// WorkOf converts a work request to the form of the file.
func WorkOf(w rdmap.WorkRequest) *Work {
	out := &Work{Stream: w.Stream, ID: Hex64(w.ID), Signaled: w.Signaled, Opcode: int(w.Opcode), Local: bufferOf(w.Local), Length: w.Length, Remote: bufferOf(w.Remote),
		Commit: workCommitOf(&w)}
	if w.Operands != (rdmap.Operands{}) {
		o := w.Operands
		out.Operands = &Operands{int(o.AOpCode), Hex64(o.Data), Hex64(o.Mask), Hex64(o.CompareData), Hex64(o.CompareMask)}
	}
	return out
}

// Request converts it to the form of the model.
func (w *Work) Request() rdmap.WorkRequest {
	out := rdmap.WorkRequest{Stream: w.Stream, ID: uint64(w.ID), Signaled: w.Signaled, Opcode: wire.Opcode(w.Opcode), Local: w.Local.buffer(), Length: w.Length, Remote: w.Remote.buffer(),
		Commit: w.Commit.operands()}
	if o := w.Operands; o != nil {
		out.Operands = rdmap.Operands{AOpCode: wire.AOpCode(o.AOpCode), Data: uint64(o.Data), Mask: uint64(o.Mask),
			CompareData: uint64(o.CompareData), CompareMask: uint64(o.CompareMask)}
	}
	return out
}

// ReceiveOf converts a receive request to the form of the file.
func ReceiveOf(r rdmap.ReceiveRequest) *Receive {
	return &Receive{Stream: r.Stream, ID: Hex64(r.ID), Buffer: bufferOf(r.Buffer), Length: r.Length}
}

// Request converts it to the form of the model.
func (r *Receive) Request() rdmap.ReceiveRequest {
	return rdmap.ReceiveRequest{Stream: r.Stream, ID: uint64(r.ID), Buffer: r.Buffer.buffer(), Length: r.Length}
}

func bufferOf(b rdmap.Buffer) Buffer { return Buffer{Hex32(b.STag), Hex64(b.TO)} }

func (b Buffer) buffer() rdmap.Buffer { return rdmap.Buffer{STag: uint32(b.STag), TO: uint64(b.TO)} }

// CompletionOf returns an outcome; status is its number on the port. length, data and stag are used only on success.
func CompletionOf(stream uint32, id uint64, recv bool, status, opcode int, length uint32, data uint64, stag uint32) Expect {
	c := &Completion{ID: Hex64(id), Recv: recv, Status: statusOf(recv, status), Opcode: opcode}
	if status == 0 {
		d, s := Hex64(data), Hex32(stag)
		c.Length, c.Data, c.STag = &length, &d, &s
	}
	return Expect{Port: PortCompletion, Stream: stream, Completion: c}
}

// EventOf returns an outcome; kind is an index of Kinds.
func EventOf(stream uint32, kind int, term wire.TerminateCode) Expect {
	return Expect{Port: PortEvent, Stream: stream, Event: &Event{name(Kinds, kind), int(term.Layer), int(term.EType), int(term.Code)}}
}

func name(names []string, number int) string {
	if number < len(names) {
		return names[number]
	}
	return fmt.Sprint(number)
}
