package suite

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// Engine returns the model's form of a configuration.
func (c Config) Engine() (falcon.Config, error) {
	order, err := c.Order()
	return falcon.Config{BitOrder: order, Regions: Regions, BufferOctets: c.BufferOctets}, err
}

// Regions is the number of rows of the table of regions.
const Regions = 64

// Counters returns the model's form.
func (c Credits) Counters() spec.Credits {
	return spec.Credits{RequestTxPackets: c.RequestTxPackets, RequestTxBuffers: c.RequestTxBuffers, RequestRxPackets: c.RequestRxPackets,
		RequestRxBuffers: c.RequestRxBuffers, DataTxPackets: c.DataTxPackets, DataTxBuffers: c.DataTxBuffers}
}

// Config returns the model's form.
func (c Connection) Config() falcon.ConnectionConfig {
	return falcon.ConnectionConfig{CID: c.CID, Ordered: c.Ordered, RSN: c.RSN, Window: c.Window, Credits: c.Credits.Counters(), Function: c.Function}
}

// Config returns the model's form.
func (q QP) Config() (c falcon.QPConfig, err error) {
	c = falcon.QPConfig{Number: q.QP, Domain: q.Domain, MTU: q.MTU, CID: value(q.CID), Remote: value(q.Remote), QKey: uint32(value(q.QKey)),
		SharedReceive: q.SRQ != nil, SRQ: value(q.SRQ), XRCDomain: q.XRCDomain, IRRQ: q.IRRQ, ORD: q.ORD, SendDepth: q.SendDepth, RNRTimeout: q.RNRTimeout}
	if c.Type, err = named[spec.QPType](q.Type, 4); err != nil {
		return c, fmt.Errorf("type of QP %d is %w", q.QP, err)
	}
	if c.Ordering, err = named[spec.Ordering](q.Ordering, 3); err != nil {
		return c, fmt.Errorf("ordering of QP %d is %w", q.QP, err)
	}
	if c.Errors, err = named[spec.ErrorMode](q.Errors, 2); err != nil {
		return c, fmt.Errorf("errors of QP %d is %w", q.QP, err)
	}
	return c, nil
}

func value[V any](p *V) (v V) {
	if p != nil {
		v = *p
	}
	return v
}

// Row returns the model's form, with its index.
func (r *Region) Row() (index int, row memory.Region) {
	row = memory.Region{Valid: len(r.Rights) > 0, Key: uint8(r.Key), Base: uint64(r.Base), Length: uint64(r.Length), Address: uint64(r.Address)}
	for bit, name := range Rights {
		if slices.Contains(r.Rights, name) {
			row.Rights |= 1 << bit
		}
	}
	row.ByDomain, row.Owner = r.Domain != nil, value(r.Domain)
	if r.QP != nil {
		row.Owner = uint16(*r.QP)
	}
	return int(r.Key >> 8), row
}

func elements(list []Element) (out []falcon.Element) {
	for _, e := range list {
		out = append(out, falcon.Element{Key: uint32(e.Key), VA: uint64(e.VA), Length: e.Length})
	}
	return out
}

// Request returns the model's form.
func (w *Work) Request() (r falcon.WorkRequest, err error) {
	r = falcon.WorkRequest{QP: w.QP, ID: uint64(w.ID), Local: elements(w.Local), Immediate: uint32(w.Immediate), Invalidate: uint32(w.Invalidate),
		Solicited: w.Solicited, Fence: w.Fence, SRQ: value(w.SRQ)}
	if m := w.Remote; m != nil {
		r.RKey, r.VA = uint32(m.Key), uint64(m.VA)
	}
	if o := w.Operands; o != nil {
		r.Data, r.Compare = uint64(o.Data), uint64(o.CompareData)
	}
	if a := w.Address; a != nil {
		r.Address = falcon.AddressHandle{CID: a.CID, QP: a.QP, QKey: uint32(a.QKey)}
	}
	if r.Kind, err = keyOf(Kinds, w.Kind); err == nil {
		r.Suffix, err = keyOf(Suffixes, w.Suffix)
	}
	return r, err
}

// Request returns the model's form.
func (r *Receive) Request() falcon.ReceiveRequest {
	return falcon.ReceiveRequest{ID: uint64(r.ID), Local: elements(r.Local)}
}

// Packet returns the model's form.
func (r *Request) Packet() (falcon.Request, error) {
	types := map[spec.PacketType]string{spec.PushRequest: spec.PushRequest.String(), spec.PullRequest: spec.PullRequest.String()}
	t, err := keyOf(types, r.Type)
	return falcon.Request{CID: r.CID, RSN: r.RSN, Type: t, Length: r.Length, Octets: r.Hex}, err
}

// RequestOf converts a request to the form of the file.
func RequestOf(r falcon.Request) *Request {
	return &Request{CID: r.CID, RSN: r.RSN, Type: r.Type.String(), Length: r.Length, Hex: r.Octets}
}

// ReplyOf converts an answer to the form of the file.
func ReplyOf(a falcon.Answer) *Reply {
	nack, _ := a.Reply.NACK()
	r := &Reply{CID: a.CID, RSN: a.RSN, Reply: a.Reply.String(), NACK: int(nack), ULP: int(a.Code)}
	if a.Reply == spec.RNR {
		r.Timeout = &a.Timeout
	}
	return r
}

// CompletionOf converts a completion to the form of the file.
func CompletionOf(c falcon.Completion) *Completion {
	out := &Completion{QP: c.QP, ID: Hex64(c.ID), Recv: c.Receive, Status: c.Status.String()}
	if c.Status != falcon.Success {
		return out
	}
	out.Kind = Kinds[c.Kind]
	if !c.Receive || c.Kind == spec.Send || c.Length != 0 { // I-109
		out.Length = &c.Length
	}
	if !c.Receive {
		if c.Kind&spec.Atomic != 0 {
			out.Data = new(Hex64(c.Original))
		}
		return out
	}
	out.Suffix, out.Solicited = Suffixes[c.Suffix], c.Solicited
	if c.Suffix == spec.Immediate {
		out.Immediate = new(Hex32(c.Immediate))
	}
	if c.Suffix == spec.Invalidate {
		out.Invalidated = new(Hex32(c.Invalidated))
	}
	return out
}

// EventOf converts an event to the form of the file.
func EventOf(v falcon.Event) *Event {
	switch {
	case v.Rule != spec.None:
		return &Event{v.QP, v.Rule.String()}
	case v.Code != spec.CompletedAck:
		return &Event{v.QP, v.Code.Row().Name}
	}
	return &Event{v.QP, Local}
}
