package rnic

import (
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// Observer is notified of a node's input, in the order in which the model receives it, and of requests that fail later.
type Observer interface {
	Opened(stream uint32)
	Took(Taken)
	Failed(stream, msn uint32, rule spec.Rule) // a request that it took without an error, when it was executed
}

// Taken is a segment with the model's verdict.
type Taken struct {
	Stream  uint32
	Segment []byte
	Error   spec.Rule
	Placed  bool   // it names memory that it may access; Address is that of the payload, of the source of a Read or of the target of an Atomic
	Address uint64 // in memory
	Failing bool   // memory fails for the payload
}

// observe notifies the observer of a segment that the model has received.
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
