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
	requests []*spec.Operation // by kind: the request that its segments answer
}

func sentKindsOf(c gen.Config) sentKinds {
	k := sentKinds{Kinds: c.Engine().Kinds()}
	k.requests = make([]*spec.Operation, k.End)
	for i := range spec.Operations {
		if o := &spec.Operations[i]; o.Executor != "" {
			k.requests[k.Of(o.Executor)] = o
		}
	}
	return k
}

// of returns the kind of a segment.
func (k sentKinds) of(op spec.Opcode) uint64 {
	row, _ := op.Operation()
	if request, is := row.Request(); is {
		return k.Of(request.Executor)
	}
	if op.Is(spec.Terminate) {
		return k.End
	}
	return k.Message
}

// answered returns the operation of the request that segments of a kind answer.
func (k sentKinds) answered(kind uint64) (o ordering.Operation, is bool) {
	if kind >= k.End {
		return 0, false
	}
	return operationOf(k.requests[kind].Opcode)
}
