package rdmap

import (
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// example is a valid message of the peer on stream 0, which tests change to make it invalid.
type example struct {
	ready   func(t *T) // preparation for the message
	segment func(t *T) []byte
	lengths []int // numbers of octets after the DDP header: invalid ones besides 0 and one less, except for a Terminate
}

// examples has an example of every operation. Those of optional operations are added in init.
var examples = map[wire.Opcode]example{
	wire.OpWrite: {receiving, func(t *T) []byte {
		a := t.area(shared)
		return wire.AppendWrite(nil, a.stag(), a.to(0), true, pattern(8))
	}, nil},
	wire.OpReadRequest: {receiving, func(t *T) []byte {
		a := t.area(shared)
		return wire.AppendReadRequest(nil, 1, wire.ReadRequest{DataSinkSTag: 1, DataSinkTO: 2, ReadMessageSize: 8, DataSourceSTag: a.stag(), DataSourceTO: a.to(0)})
	}, []int{12, 29, 56}},
	wire.OpReadResponse: {func(t *T) { t.postRead(0, shared, 0, 8) }, func(t *T) []byte {
		a := t.area(shared)
		return wire.AppendReadResponse(nil, a.stag(), a.to(0), true, pattern(8))
	}, nil},
	wire.OpSend:        {receiving, sending(wire.OpSend), nil},
	wire.OpSendInv:     {receiving, sending(wire.OpSendInv), nil},
	wire.OpSendSE:      {receiving, sending(wire.OpSendSE), nil},
	wire.OpSendSEInv:   {receiving, sending(wire.OpSendSEInv), nil},
	wire.OpTerminate:   {receiving, func(*T) []byte { return wire.AppendTerminate(nil, wire.Terminate{}) }, []int{0, 1, 2, 5, 6, 20, 23, 52}},
	wire.OpImmediate:   {receiving, func(*T) []byte { return wire.AppendImmediate(nil, false, 1, data) }, []int{1, 4, 9}},
	wire.OpImmediateSE: {receiving, func(*T) []byte { return wire.AppendImmediate(nil, true, 1, data) }, []int{4, 9, 16}},
	wire.OpAtomicRequest: {receiving, func(t *T) []byte {
		return wire.AppendAtomicRequest(nil, 1, t.fetchAdd(shared, 0, 1, 0))
	}, []int{12, 28, 44, 53, 64, 104}},
	wire.OpAtomicResponse: {func(t *T) { t.postAtomic(0, shared, 0, rdmap.Operands{Data: 1}) }, func(*T) []byte {
		return wire.AppendAtomicResponse(nil, 1, wire.AtomicResponse{OriginalRequestIdentifier: 1, OriginalRemoteDataValue: data})
	}, []int{8, 13, 52}},
}

func receiving(t *T) { t.receives(0, 2) }

func sending(op wire.Opcode) func(t *T) []byte {
	return func(t *T) []byte { return wire.AppendSend(nil, op, t.area(shared).stag(), 1, 0, true, pattern(8)) }
}

func exampleOf(o *spec.Operation) example {
	one, is := examples[o.Opcode]
	if !is {
		panic("cases: no example of " + o.Name)
	}
	return one
}
