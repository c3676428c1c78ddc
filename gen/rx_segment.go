package gen

import (
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/wire"
)

// rxSegment is a record as the receive side looks at it: which message it belongs to and its header's fields.
type rxSegment struct {
	Record
	head header

	isWrite, isReadResponse, isSend, isInvalidating, isImmediate, isSolicited hdl.Value
	isRead, isAtomic, isTerminate, isAtomicResponse                           hdl.Value
	opcode, isTagged, last                                                    hdl.Value
}

// viewSegment names what rx_check needs of a record.
func viewSegment(m *hdl.Module, r Record) rxSegment {
	s := rxSegment{Record: r, head: header{m.Let("header", r.Header.ReverseOctets())}}
	m.Unused(s.head.bits)
	s.opcode = m.Let("opcode", s.untagged("opcode"))
	names := nameOpcodes(m, wire.OpWrite, wire.OpReadRequest, wire.OpReadResponse, wire.OpSend, wire.OpSendInv, wire.OpSendSE,
		wire.OpSendSEInv, wire.OpTerminate, wire.OpImmediate, wire.OpImmediateSE, wire.OpAtomicRequest, wire.OpAtomicResponse)
	is := func(name string, ops ...wire.Opcode) hdl.Value {
		var any []hdl.Value
		for _, o := range ops {
			any = append(any, s.opcode.Eq(names[o]))
		}
		return m.Let(name, hdl.AnyOf(any...))
	}
	s.isWrite = is("is_write", wire.OpWrite)
	s.isReadResponse = is("is_read_response", wire.OpReadResponse)
	s.isSend = is("is_send", wire.OpSend, wire.OpSendInv, wire.OpSendSE, wire.OpSendSEInv)
	s.isInvalidating = is("is_invalidating", wire.OpSendInv, wire.OpSendSEInv)
	s.isImmediate = is("is_immediate", wire.OpImmediate, wire.OpImmediateSE)
	s.isRead = is("is_read_request", wire.OpReadRequest)
	s.isAtomic = is("is_atomic_request", wire.OpAtomicRequest)
	s.isTerminate = is("is_terminate", wire.OpTerminate)
	s.isAtomicResponse = is("is_atomic_response", wire.OpAtomicResponse)
	s.isTagged = m.Let("is_tagged", s.untagged("t"))
	s.last = m.Let("is_last", s.untagged("l"))
	return s
}

func (s rxSegment) tagged(name string) hdl.Value { return s.head.field(0, wire.DDPTaggedTable, name) }
func (s rxSegment) untagged(name string) hdl.Value {
	return s.head.field(0, wire.DDPUntaggedTable, name)
}
func (s rxSegment) read(name string) hdl.Value { return s.head.field(18, wire.ReadRequestTable, name) }
func (s rxSegment) atomic(name string) hdl.Value {
	return s.head.field(18, wire.AtomicRequestTable, name)
}
func (s rxSegment) answer(name string) hdl.Value {
	return s.head.field(18, wire.AtomicResponseTable, name)
}
