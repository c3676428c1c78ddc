package rnic

import (
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// Observer is told what comes to a node, in the order in which the model takes it.
type Observer interface {
	Opened(stream uint32)
	Took(Taken)
}

// Taken is a segment with what the model says of it.
type Taken struct {
	Stream  uint32
	Segment []byte
	Error   spec.Rule
	Placed  bool   // it names memory that it may use: Address is where, of the payload, the source of a Read or the target of an Atomic
	Address uint64 // in memory
	Failing bool   // memory refuses the payload
}

// observe tells the observer of a segment that the model has taken.
func (n *Node) observe(stream uint32, segment []byte, v rdmap.Verdict, request *inbound) {
	if n.Observer == nil {
		return
	}
	t := Taken{Stream: stream, Segment: segment, Error: v.Error}
	switch {
	case v.Octets > 0:
		t.Placed, t.Address, t.Failing = true, v.Address, n.fails(v.Address, uint64(v.Octets), true)
	case request != nil && request.octets > 0:
		t.Placed, t.Address = true, request.address
	}
	n.Observer.Took(t)
}
