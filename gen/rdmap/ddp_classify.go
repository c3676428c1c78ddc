package rdmap

import (
	"math/bits"
	"slices"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// DDPClassifyPorts are those of a combinational block: header in, verdict out.
type DDPClassifyPorts struct {
	Header hdl.In `doc:"octets 0 to 17, octet 0 most significant; octets that did not arrive are zero"`
	Length hdl.In `doc:"octets of the segment, 16 bits"`

	Rule          hdl.Out `doc:"number of the first rule that the segment breaks; 0: none"`
	CarriesData   hdl.Out `doc:"payload follows the DDP header; depends on octets 0 to 9 only"`
	PayloadLength hdl.Out `doc:"octets of that payload"`
}

const ddpClassifyDoc = `ddp_classify checks one DDP segment in the order of the layers: DDP (RFC 5041), then RDMAP (RFC 5040 section 4, RFC
7306 section 4). The first broken rule is reported. Reserved bits are ignored.`

// DDPClassify checks what the octets of a segment determine; checks against the state of the stream are elsewhere.
func DDPClassify() hdl.Block[DDPClassifyPorts] {
	return hdl.Block[DDPClassifyPorts]{
		Kind: "ddp_classify",
		Doc:  ddpClassifyDoc,
		Ports: DDPClassifyPorts{
			Header: hdl.NewIn(8 * 18), Length: hdl.NewIn(16),
			Rule: hdl.NewOut(spec.RuleBits), CarriesData: hdl.NewOut(1), PayloadLength: hdl.NewOut(16),
		},
		Build: buildDDPClassify,
	}
}

func buildDDPClassify(m *hdl.Module, p DDPClassifyPorts) {
	h := header{m, "header", p.Header.Value, map[string]headerField{}}
	untagged := func(name string) hdl.Value { return h.field(0, wire.DDPUntaggedTable, name) }
	as := func(as, name string) hdl.Value { return h.fieldAs(as, 0, wire.DDPUntaggedTable, name) }

	m.Section("Header fields")
	tagged := as("is_tagged", "t")
	last := as("last", "l")
	opcode := as("opcode", "opcode")
	queue := as("queue_number", "queue_number")
	offset := as("mo", "mo")
	m.Unused("reserved: ignored on receive", untagged("ddp_reserved"), untagged("rdmap_reserved"))
	m.Unused("checked against the state of the stream", untagged("invalidate_stag"), untagged("msn"))

	m.Section("Requirements of the opcode")
	names := nameOpcodes(m, spec.Segments.All())
	is := func(has func(*spec.Operation) bool) hdl.Value { return names.oneOf(opcode, spec.Where(has)) }
	wantsTagged := m.Let("wants_tagged", is(func(o *spec.Operation) bool { return o.Tagged }))
	wantsQueue := m.Let("wants_queue", choose(bits.Len32(spec.QueueMax), spec.QueueMax, func(n uint64) hdl.Value {
		return is(func(o *spec.Operation) bool { return !o.Tagged && uint64(o.Queue) == n })
	}))
	headerOnly := m.Let("is_header_only", is(func(o *spec.Operation) bool { return !o.CarriesPayload }))
	zeroMO := m.Let("wants_zero_mo", is(func(o *spec.Operation) bool { return o.ZeroMO }))
	single := m.Let("is_single_segment", is(func(o *spec.Operation) bool { return o.SingleSegment }))

	m.Section("Octets after the DDP header")
	headerLength := m.Let("header_length", hdl.Mux(tagged, hdl.Const(16, uint64(wire.DDPTaggedTable.Octets)), hdl.Const(16, uint64(wire.DDPUntaggedTable.Octets))))
	short := m.Let("short_header", p.Length.Lt(headerLength))
	rest := m.Let("rest", p.Length.Sub(headerLength))
	wantsRest := m.Let("wants_rest", hdl.Select(hdl.Zero(16), lengths(is)...))

	m.Section("Checks")
	badDV := m.Let("bad_ddp_version", untagged("dv").Ne(hdl.Const(2, spec.DDPVersion)))
	badQueue := m.Let("bad_queue", tagged.Not().And(hdl.Const(32, uint64(spec.QueueMax)).Lt(queue)))
	badRV := m.Let("bad_rdmap_version", untagged("rv").Ne(hdl.Const(2, spec.RDMAPVersion)))
	badOpcode := m.Let("bad_opcode", hdl.Const(spec.OpcodeBits, uint64(len(spec.Operations)-1)).Lt(opcode))
	badTag := m.Let("bad_tag", tagged.Ne(wantsTagged))
	mismatch := m.Let("bad_queue_for_opcode", tagged.Not().And(queue.Truncate(wantsQueue.Width()).Ne(wantsQueue)))
	badOffset := m.Let("bad_mo", zeroMO.And(offset.Any()))
	split := m.Let("is_split", last.Not().Or(offset.Any()))
	notExact := m.Let("is_not_exact", headerOnly.And(rest.Ne(wantsRest)))
	badLength := m.Let("bad_length", single.And(hdl.AnyOf(split, notExact, rest.Lt(wantsRest))))

	inHeader := []ruleCheck{
		{badDV.And(tagged), spec.TaggedDDPVersion},
		{badDV, spec.UntaggedDDPVersion},
		{badQueue, spec.NoSuchQueue},
		{badRV, spec.BadRDMAPVersion},
		{badOpcode, spec.ReservedOpcode},
		{badTag, spec.WrongTBit},
		{mismatch, spec.WrongQueue},
	}
	all := slices.Concat([]ruleCheck{{short, spec.ShortHeader}}, inHeader, []ruleCheck{{badOffset, spec.MONotZero}, {badLength, spec.WrongLength}})

	m.Section("Verdict")
	rules := nameRules(m, func(r *spec.RuleRow) bool { return r.Header })
	rule, _ := firstBroken(m, rules, nil, all)
	m.Drive(p.Rule, rule)

	var bad []hdl.Value
	for _, b := range inHeader[1:] {
		bad = append(bad, b.cond)
	}
	m.Note("Errors of length and Message Offset do not count here: payload may have left before they are found.")
	refused := m.Let("is_refused", hdl.AnyOf(bad...))
	carries := m.Let("carries", hdl.AnyOf(refused, headerOnly).Not())
	m.Drive(p.CarriesData, carries)
	m.Drive(p.PayloadLength, hdl.Mux(carries.And(short.Not()), rest, hdl.Zero(16)))
}

// choose is the number from 1 to most whose condition holds, 0 if none does.
func choose(width int, most uint32, wants func(n uint64) hdl.Value) hdl.Value {
	var rows []hdl.When
	for n := uint64(1); n <= uint64(most); n++ {
		rows = append(rows, hdl.When{Cond: wants(n), Then: hdl.Const(width, n)})
	}
	return hdl.Select(hdl.Zero(width), rows...)
}

// lengths are the octets that operations require after the DDP header, as a minimum or exactly.
func lengths(is func(func(*spec.Operation) bool) hdl.Value) (rows []hdl.When) {
	var known []int
	for i := range spec.Operations {
		n := spec.Operations[i].MinLength
		if n == 0 || slices.Contains(known, n) {
			continue
		}
		known = append(known, n)
		rows = append(rows, hdl.When{Cond: is(func(o *spec.Operation) bool { return o.MinLength == n }), Then: hdl.Const(16, uint64(n))})
	}
	return rows
}
