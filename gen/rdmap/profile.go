package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Profile is RDMAP over DDP: RFC 5040, RFC 5041, RFC 7306, Swap of draft-00 if Draft00 is set, and Extensions.
type Profile struct {
	Draft00    bool
	Extensions spec.Extensions
	HostOrder  bool // an Atomic Write stores an integer as Atomics do
}

// Options has draft00 if Swap is supported, and commit if RDMA Flush, RDMA Verify and Atomic Write are.
func (p Profile) Options() (list []string) {
	if p.Draft00 {
		list = append(list, "draft00")
	}
	return append(list, p.extensionOptions()...)
}

// extensionOptions are the options of a block that knows opcodes.
func (p Profile) extensionOptions() []string {
	if p.Extensions&spec.Commit != 0 {
		return []string{"commit"}
	}
	return nil
}

func (p Profile) requests() []request { return requestsOf(p.Extensions) }

// Features has bit 0 set if Swap is supported.
func (p Profile) Features() uint64 {
	var bits uint64
	if p.Draft00 {
		bits |= 1
	}
	if p.commits() {
		bits |= 1 << featureCommit
	}
	return bits
}

// featureCommit is the bit of the register features that says that the extension is there.
const featureCommit = 3

func (p Profile) OpcodeBits() int { return p.Extensions.OpcodeBits() }
func (Profile) RuleBits() int     { return spec.RuleBits }
func (Profile) HeaderOctets() int { return HeaderOctets }

// requestTag is the input for the response to a request, or for a Terminate. Body is what follows the DDP header of the request, octet 0
// in the low bits; for a Terminate it is the terminated header as received.
type requestTag struct {
	ResponseMsn   hdl.Value `doc:"MSN of the response on queue 3"`
	Term          Term
	HeaderLen     hdl.Value `hdl:"header_length" doc:"octets of the body that a Terminate returns: 0, 14, 18 or 46"`
	SegmentLength hdl.Value `doc:"octets of the terminated segment"`
	Body          hdl.Value `doc:"what follows the DDP header, octet i in [8i+7:8i]; for an end the terminated header"`
	More          any       `hdl:"-"` // *requestMore; nil without the extension
}

// bodyOctets is the length of the longest body: an Atomic Request.
const bodyOctets = 52

// eventDetail is the Terminate that an event reports.
type eventDetail struct{ Term Term }

func (p Profile) RequestTag() any {
	return &requestTag{ResponseMsn: hdl.Bits(32), Term: term(), HeaderLen: hdl.Bits(6), SegmentLength: hdl.Bits(16), Body: hdl.Bits(8 * bodyOctets), More: p.requestMore()}
}

func (p Profile) AtomicTag() any {
	tag := &atomicTag{AtomicMsn: hdl.Bits(32), Identifier: hdl.Bits(32)}
	if p.commits() {
		tag.Write = &writeTag{hdl.Bits(1)}
	}
	return tag
}
func (Profile) MessageTag() any                                            { return nil }
func (Profile) Message(*hdl.Module, engine.HeldWork) any                   { return nil }
func (Profile) SetupTag(engine.Config) any                                 { return nil }
func (Profile) Setup(hdl.Value, func(register, name string) hdl.Value) any { return nil }
func (Profile) KindTag() any                                               { return nil }
func (Profile) DeliveryTag() any                                           { return nil }
func (Profile) AnswerTag() any                                             { return nil }
func (Profile) ResponseTag() any                                           { return nil }
func (Profile) OutcomeTag() any                                            { return nil }
func (Profile) EventDetail() any                                           { return &eventDetail{Term: term()} }
func (Profile) NoDetail() any                                              { return &eventDetail{Term: noTerm()} }

// Executors are those of the requests, in opcode order, then the one for words in far memory.
func (p Profile) Executors(c engine.Config) (list []engine.Executor) {
	for _, r := range p.requests() {
		x := r.block(c)
		x.Name = r.Executor
		list = append(list, x)
	}
	if c.HasFar() {
		list = append(list, farAtomics(c))
	}
	return list
}

// Starts decodes the body of a request for each executor.
func (p Profile) Starts(m *hdl.Module, c engine.Config, r engine.InboundRequest) (list []any) {
	body := requestBody(m, "body", r)
	for _, request := range p.requests() {
		list = append(list, request.start(m, c, r, body))
	}
	if c.HasFar() {
		list = append(list, atomicRequest(m, c, "set_of_far_word", r, body))
	}
	return list
}

func (p Profile) Reaches(m *hdl.Module, c engine.Config, r engine.InboundRequest) (list []hdl.Value) {
	body := requestBody(m, "named", r)
	for _, request := range p.requests() {
		list = append(list, request.reaches(body))
	}
	if c.HasFar() {
		list = append(list, hdl.Ones(1))
	}
	return list
}

// requestBody is the part of a request after its DDP header.
func requestBody(m *hdl.Module, name string, r engine.InboundRequest) header {
	m.Note("What follows the DDP header, octet 0 in the high bits.")
	body := newHeader(m, name, r.Tag.(*requestTag).Body.ReverseOctets())
	m.Unused("only its fields are read", body.bits)
	return body
}

// Work classifies opcodes.
func (p Profile) Work(m *hdl.Module, name string, opcode hdl.Value) engine.WorkKind {
	x := p.Extensions
	names := nameOpcodes(m, x, x.All(spec.Write|spec.Requests|spec.Receives))
	oneOf := func(what string, c spec.Class) hdl.Value { return m.Let(name+"_"+what, names.oneOf(opcode, x.All(c))) }
	k := engine.WorkKind{Write: oneOf("is_write", spec.Write)}
	any := []hdl.Value{k.Write}
	for _, r := range p.requests() {
		is := oneOf("is_"+r.Executor, r.Class)
		k.Requests, any = append(k.Requests, hdl.Name(r.Executor, is)), append(any, is)
	}
	k.Send = oneOf("is_send", spec.Sends)
	k.Invalidate = oneOf("invalidates", spec.SendInvalidate)
	k.Immediate = oneOf("is_immediate", spec.Immediate)
	k.Any = hdl.AnyOf(append(any, k.Send, k.Immediate)...)
	return k
}

// More is never 1: a work request has one buffer.
func (Profile) More(any) (more hdl.Value, may bool) { return more, false }

// Word is 1 for Immediate Data and for a request that moves one word.
func (p Profile) Word(k engine.WorkKind) hdl.Value {
	word := k.Immediate
	for i, r := range p.requests() {
		if r.Class&(spec.AtomicRequest|spec.AtomicWriteRequest) != 0 {
			word = k.Requests[i].Of.Or(word)
		}
	}
	return word
}

func (p Profile) Delivered(m *hdl.Module, d engine.Delivery, ends, _ hdl.Value) engine.DeliveredView {
	r := d.Request.Tag.(*requestTag)
	x := p.Extensions
	names := nameOpcodes(m, x, x.Where(func(o *spec.Operation) bool {
		return o.Solicited || o.Class&(spec.Immediate|spec.AtomicResponse|spec.VerifyResponse) != 0
	}))
	isImmediate := m.Let("is_immediate", names.oneOf(d.Opcode, x.All(spec.Immediate)))
	m.Note("The first octets after the DDP header, as numbers: Immediate Data, or the identifier and word of a response.")
	immediate := m.Let("immediate_data", r.Body.Slice(63, 0).ReverseOctets())
	returned := m.Let("returned_word", r.Body.Slice(95, 32).ReverseOctets())
	words := returned.And(names.oneOf(d.Opcode, x.All(spec.AtomicResponse)).Replicate(64))
	if more, is := r.More.(*requestMore); is {
		m.Note("A Verify Response says whether it is what it was compared with.")
		words = words.Or(more.Differs.And(names.oneOf(d.Opcode, x.All(spec.VerifyResponse))).ZeroExtend(64))
	}
	terms := func(v hdl.Value) hdl.Value { return v.And(ends.Replicate(v.Width())) }
	return engine.DeliveredView{
		Solicited: names.oneOf(d.Opcode, x.Where(func(o *spec.Operation) bool { return o.Solicited })),
		Received:  immediate.And(isImmediate.Replicate(64)),
		Returned:  words,
		STag:      d.Request.STag.And(isImmediate.Not().Replicate(32)),
		Detail:    &eventDetail{Term: Term{Layer: terms(r.Term.Layer), Etype: terms(r.Term.Etype), Code: terms(r.Term.Code)}},
	}
}

func (p Profile) Registers() engine.RegisterMap {
	return engine.RegisterMap{Registers: p.registers(), Log: "terminate_log", Lost: "terminates_lost", Ended: "terminates_sent", Closed: "terminates_received"}
}

func (p Profile) Atomics() []engine.AtomicCode {
	list := p.aopcodes()
	if p.commits() {
		list = append(list, engine.AtomicCode{Operation: engine.Store, Code: storeCode})
	}
	return list
}

// storeCode is the code of an Atomic Write in the atomic unit, which no AOpCode uses.
const storeCode = 0xF

// aopcodes are the Atomic Operations and their AOpCodes.
func (p Profile) aopcodes() []engine.AtomicCode {
	list := []engine.AtomicCode{{Operation: engine.FetchAdd, Code: uint64(wire.FetchAdd)}}
	if p.Draft00 {
		list = append(list, engine.AtomicCode{Operation: engine.Swap, Code: uint64(wire.Swap)})
	}
	return append(list, engine.AtomicCode{Operation: engine.CmpSwap, Code: uint64(wire.CmpSwap)})
}
