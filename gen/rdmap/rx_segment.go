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

	isWrite, isReadResponse, isSend, isInvalidating, isImmediate, isTerminate hdl.Value
	requests, replies                                                         []hdl.Value // by request: it is one; it is its response on queue 3, nil for none
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
	s.isTerminate = is("is_terminate", spec.Terminate)
	for _, r := range requests {
		s.requests = append(s.requests, is("is_"+r.Name, r.Class))
		s.replies = append(s.replies, hdl.Zero(1))
		if r.atQueue3() {
			s.replies[len(s.replies)-1] = is("is_"+r.answer.Name, r.answer.Class)
		}
	}
	s.isTagged = s.head.fieldAs("is_tagged", 0, wire.DDPUntaggedTable, "t")
	s.last = s.head.fieldAs("is_last", 0, wire.DDPUntaggedTable, "l")
	return s
}

func (s rxSegment) tagged(name string) hdl.Value { return s.head.field(0, wire.DDPTaggedTable, name) }
func (s rxSegment) untagged(name string) hdl.Value {
	return s.head.field(0, wire.DDPUntaggedTable, name)
}

// is tells whether it is a request for an executor.
func (s rxSegment) is(executor string) hdl.Value {
	for i, r := range requests {
		if r.Executor == executor {
			return s.requests[i]
		}
	}
	return hdl.Value{}
}

// isRequest and isReply tell whether it is a request, and whether it is a response on queue 3.
func (s rxSegment) isRequest() hdl.Value { return hdl.AnyOf(s.requests...) }
func (s rxSegment) isReply() hdl.Value   { return hdl.AnyOf(s.atQueue3()...) }

func (s rxSegment) atQueue3() (list []hdl.Value) {
	for i, r := range requests {
		if r.atQueue3() {
			list = append(list, s.replies[i])
		}
	}
	return list
}

// reply picks what responses on queue 3 have, by request.
func (s rxSegment) reply(of func(i int, r *response) hdl.Value) hdl.Value {
	var rows []hdl.When
	for i, r := range requests {
		if r.atQueue3() {
			rows = append(rows, hdl.When{Cond: s.replies[i], Then: of(i, r.response(s.head))})
		}
	}
	last := len(rows) - 1
	return hdl.Select(rows[last].Then, rows[:last]...)
}
