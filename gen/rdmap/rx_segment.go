package rdmap

import (
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
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
	s := rxSegment{Record: r, head: newHeader(m, "header", r.Header.ReverseOctets())}
	m.Unused("only its fields are read", s.head.bits)
	s.opcode = s.head.fieldAs("opcode", 0, wire.DDPUntaggedTable, "opcode")
	names := nameOpcodes(m, spec.Segments.All())
	is := func(name string, c spec.Class) hdl.Value { return m.Let(name, names.oneOf(s.opcode, c.All())) }
	s.isWrite = is("is_write", spec.Write)
	s.isReadResponse = is("is_read_response", spec.ReadResponse)
	s.isSend = is("is_send", spec.Sends)
	s.isInvalidating = is("is_invalidating", spec.SendInvalidate)
	s.isImmediate = is("is_immediate", spec.Immediate)
	s.isRead = is("is_read_request", spec.ReadRequest)
	s.isAtomic = is("is_atomic_request", spec.AtomicRequest)
	s.isTerminate = is("is_terminate", spec.Terminate)
	s.isAtomicResponse = is("is_atomic_response", spec.AtomicResponse)
	s.isTagged = s.head.fieldAs("is_tagged", 0, wire.DDPUntaggedTable, "t")
	s.last = s.head.fieldAs("is_last", 0, wire.DDPUntaggedTable, "l")
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
