package rnic

import (
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/ordering"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// sentKinds maps the retire port's kinds of sent segments.
type sentKinds struct {
	engine.Kinds
	requests map[uint64]*spec.Operation // by kind: the request that its segments answer
}

func sentKindsOf(c gen.Config) sentKinds {
	k := sentKinds{Kinds: c.Engine().Kinds(), requests: map[uint64]*spec.Operation{}}
	for _, o := range c.Protocol().Operations() {
		if o.Executor != "" {
			k.requests[k.Response(o.Executor)] = o
		}
	}
	return k
}

// of returns the kind of a segment.
func (k sentKinds) of(op spec.Opcode) uint64 {
	row, _ := spec.AllExtensions.Operation(op)
	if request, is := row.Request(); is {
		return k.Response(request.Executor)
	}
	if isOf(op, spec.Terminate) {
		return engine.KindEnd
	}
	return engine.KindMessage
}

// answered returns the operation of the request that segments of a kind answer.
func (k sentKinds) answered(kind uint64) (o ordering.Operation, is bool) {
	request, is := k.requests[kind]
	if !is {
		return 0, false
	}
	return operationOf(request.Opcode)
}
