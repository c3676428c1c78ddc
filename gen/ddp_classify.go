package gen

import (
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/wire"
)

// DDPClassifyPorts is combinational: a header in, a verdict out.
type DDPClassifyPorts struct {
	Header hdl.In // octets 0 to 17, octet 0 most significant; octets that did not arrive are zero
	Length hdl.In // octets of the segment, 16 bits

	Error         hdl.Out // wire.ErrorKind, 4 bits
	TermLayer     hdl.Out
	TermEtype     hdl.Out
	TermCode      hdl.Out
	CarriesData   hdl.Out // what follows the DDP header is payload; known from octets 0 to 9
	PayloadLength hdl.Out // octets of that payload
}

const ddpClassifyDoc = `ddp_classify checks one DDP segment in the order of the layers: DDP (RFC 5041), then RDMAP (RFC 5040
section 4, RFC 7306 section 4). The first error found is the one reported. Reserved bits are ignored.`

// DDPClassify checks a segment's own octets; what depends on the stream's state is checked elsewhere.
func DDPClassify() hdl.Block[DDPClassifyPorts] {
	return hdl.Block[DDPClassifyPorts]{
		Kind: "ddp_classify",
		Doc:  ddpClassifyDoc,
		Ports: DDPClassifyPorts{
			Header: hdl.NewIn(8 * 18), Length: hdl.NewIn(16),
			Error: hdl.NewOut(4), TermLayer: hdl.NewOut(4), TermEtype: hdl.NewOut(4), TermCode: hdl.NewOut(8),
			CarriesData: hdl.NewOut(1), PayloadLength: hdl.NewOut(16),
		},
		Build: buildDDPClassify,
	}
}

func buildDDPClassify(m *hdl.Module, p DDPClassifyPorts) {
	h := header{p.Header.Value}
	untagged := func(name string) hdl.Value { return h.field(0, wire.DDPUntaggedTable, name) }

	m.Section("Header fields")
	tagged := m.Let("is_tagged", untagged("t"))
	last := m.Let("last", untagged("l"))
	opcode := m.Let("opcode", untagged("opcode"))
	queue := m.Let("queue_number", untagged("queue_number"))
	offset := m.Let("mo", untagged("mo"))
	m.Unused(untagged("ddp_reserved"))
	m.Unused(untagged("rdmap_reserved"))
	m.Unused(untagged("invalidate_stag"))
	m.Unused(untagged("msn"))

	m.Section("What the opcode demands")
	names := nameOpcodes(m, wire.OpWrite, wire.OpReadRequest, wire.OpReadResponse, wire.OpTerminate, wire.OpImmediate,
		wire.OpImmediateSE, wire.OpAtomicRequest, wire.OpAtomicResponse)
	is := func(ops ...wire.Opcode) hdl.Value {
		var any []hdl.Value
		for _, o := range ops {
			any = append(any, opcode.Eq(names[o]))
		}
		return hdl.AnyOf(any...)
	}
	wantsTagged := m.Let("wants_tagged", is(wire.OpWrite, wire.OpReadResponse))
	request := m.Let("is_request", is(wire.OpReadRequest, wire.OpAtomicRequest))
	terminate := m.Let("is_terminate", is(wire.OpTerminate))
	response := m.Let("is_response", is(wire.OpAtomicResponse))
	immediate := m.Let("is_immediate", is(wire.OpImmediate, wire.OpImmediateSE))
	wantsQueue := m.Let("wants_queue", hdl.Select(hdl.Const(2, 0),
		hdl.When{Cond: request, Then: hdl.Const(2, 1)},
		hdl.When{Cond: terminate, Then: hdl.Const(2, 2)},
		hdl.When{Cond: response, Then: hdl.Const(2, 3)}))
	headerOnly := m.Let("is_header_only", hdl.AnyOf(request, response, immediate))

	m.Section("Octets after the DDP header")
	headerLength := m.Let("header_length", hdl.Mux(tagged, hdl.Const(16, 14), hdl.Const(16, 18)))
	short := m.Let("short_header", p.Length.Lt(headerLength))
	rest := m.Let("rest", p.Length.Sub(headerLength))
	wantsRest := m.Let("wants_rest", hdl.Select(hdl.Const(16, 8),
		hdl.When{Cond: is(wire.OpReadRequest), Then: hdl.Const(16, 28)},
		hdl.When{Cond: is(wire.OpAtomicRequest), Then: hdl.Const(16, 52)},
		hdl.When{Cond: response, Then: hdl.Const(16, 12)}))

	m.Section("Checks")
	badDV := m.Let("bad_ddp_version", untagged("dv").Ne(hdl.Const(2, 1)))
	badQueue := m.Let("bad_queue", tagged.Not().And(hdl.Const(32, 3).Lt(queue)))
	badRV := m.Let("bad_rdmap_version", untagged("rv").Ne(hdl.Const(2, 1)))
	badOpcode := m.Let("bad_opcode", names[wire.OpAtomicResponse].Lt(opcode))
	badTag := m.Let("bad_tag", tagged.Ne(wantsTagged))
	mismatch := m.Let("bad_queue_for_opcode", tagged.Not().And(queue.Slice(1, 0).Ne(wantsQueue)))
	badOffset := m.Let("bad_mo", hdl.AnyOf(request, response, terminate).And(offset.Any()))
	split := m.Let("is_split", last.Not().Or(offset.Any()))
	notExact := m.Let("is_not_exact", split.Or(rest.Ne(wantsRest)))
	cutTerminate := m.Let("is_cut_terminate", last.Not().Or(rest.Lt(hdl.Const(16, 4))))
	badLength := m.Let("bad_length", headerOnly.And(notExact).Or(terminate.And(cutTerminate)))

	inHeader := []fault{
		{kind: wire.ErrDDPVersion, cond: badDV.And(tagged), layer: 1, etype: 1, code: 0x04},
		{kind: wire.ErrDDPVersion, cond: badDV, layer: 1, etype: 2, code: 0x06},
		{kind: wire.ErrQueueNumber, cond: badQueue, layer: 1, etype: 2, code: 0x01},
		{kind: wire.ErrRDMAPVersion, cond: badRV, layer: 0, etype: 2, code: 0x05},
		{kind: wire.ErrOpcode, cond: badOpcode, layer: 0, etype: 2, code: 0x06},
		{kind: wire.ErrTaggedFlag, cond: badTag, layer: 0, etype: 2, code: 0x06},
		{kind: wire.ErrQueueMismatch, cond: mismatch, layer: 0, etype: 2, code: 0x06},
	}
	faults := append([]fault{{kind: wire.ErrShortHeader, cond: short, layer: 1, etype: 0, code: 0x00}}, inHeader...)
	faults = append(faults,
		fault{kind: wire.ErrMessageOffset, cond: badOffset, layer: 1, etype: 2, code: 0x04},
		fault{kind: wire.ErrLength, cond: badLength, layer: 0, etype: 2, code: 0x07})

	m.Section("Verdict")
	kind, term := firstFault(m, faults)
	m.Drive(p.Error, kind)
	m.Drive(p.TermLayer, term.Layer)
	m.Drive(p.TermEtype, term.Etype)
	m.Drive(p.TermCode, term.Code)

	var bad []hdl.Value
	for _, f := range inHeader[1:] {
		bad = append(bad, f.cond)
	}
	m.Note("Errors of the length and of the Message Offset do not count here: they are found when payload may have left.")
	carries := m.Let("carries", hdl.AnyOf(append(bad, headerOnly)...).Not())
	m.Drive(p.CarriesData, carries)
	m.Drive(p.PayloadLength, hdl.Mux(carries.And(short.Not()), rest, hdl.Zero(16)))
}
