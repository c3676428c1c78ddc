package rdmap

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// DDPClassifyPorts are the octets that decide whether a segment carries data, then the whole header, then the verdict.
type DDPClassifyPorts struct {
	Enable hdl.In `doc:"start is that of a new segment; the last one counts"`
	Start  hdl.In `doc:"octets 0 to 9, octet 0 most significant; octets that did not arrive are zero"`
	Header hdl.In `doc:"octets 0 to 17 of the segment whose start arrived last, octet 0 most significant; octets that did not arrive are zero"`
	Length hdl.In `doc:"octets of the segment, 16 bits"`

	StartCarries  hdl.Out `doc:"payload follows the DDP header of the segment whose start arrives"`
	CarriesData   hdl.Out `doc:"the same of the segment whose start arrived last"`
	Rule          hdl.Out `doc:"number of the first rule that the segment breaks; 0: none"`
	PayloadLength hdl.Out `doc:"octets of that payload"`
}

const ddpClassifyDoc = `ddp_classify checks one DDP segment in the order of the layers: DDP (RFC 5041), then RDMAP (RFC 5040 section 4, RFC
7306 section 4). The first broken rule is reported. Reserved bits are ignored. What octets 0 to 9 decide is checked
when they arrive and stored; header and length are those of the same segment, from the next cycle on. A segment of
fewer octets is too short, whatever is stored.`

// StartOctets is the number of octets that decide whether a segment carries data.
const StartOctets = 10

// DDPClassify checks what the octets of a segment determine; checks against the state of the stream are elsewhere.
func DDPClassify(p Profile) hdl.Block[DDPClassifyPorts] {
	return hdl.Block[DDPClassifyPorts]{
		Kind: "ddp_classify", Options: p.extensionOptions(),
		Doc: ddpClassifyDoc,
		Ports: DDPClassifyPorts{
			Enable: hdl.NewIn(1), Start: hdl.NewIn(8 * StartOctets), Header: hdl.NewIn(8 * 18), Length: hdl.NewIn(16),
			StartCarries: hdl.NewOut(1), CarriesData: hdl.NewOut(1), Rule: hdl.NewOut(spec.RuleBits), PayloadLength: hdl.NewOut(16),
		},
		Build: func(m *hdl.Module, ports DDPClassifyPorts) { buildDDPClassify(m, ports, p.Extensions) },
	}
}

func buildDDPClassify(m *hdl.Module, p DDPClassifyPorts, x spec.Extensions) {
	names := nameOpcodes(m, x, x.All(spec.Segments))
	ddpTagged, ddpUntagged := wire.DDPTables(x)
	start := classifyStart(m, p, x, names)

	m.Section("The whole segment")
	h := header{m, "header", p.Header.Value, map[string]headerField{}}
	as := func(as, name string) hdl.Value { return h.fieldAs(as, 0, ddpUntagged, name) }
	tagged, last, offset := as("is_tagged", "t"), as("last", "l"), as("mo", "mo")
	m.Unused("checked with the start", p.Header.Slice(8*18-3, 8*16))
	m.Unused("checked with the start, or against the state of the stream", p.Header.Slice(8*16-1, 8*4))

	m.Section("Length: the octets that are required are few")
	headerLength := m.Let("header_length", hdl.Mux(tagged, hdl.Const(16, uint64(ddpTagged.Octets)), hdl.Const(16, uint64(ddpUntagged.Octets))))
	short := m.Let("short_header", p.Length.Slice(15, 5).Any().Not().And(p.Length.Truncate(5).Lt(headerLength.Truncate(5))))
	rest := m.Let("rest", p.Length.Sub(headerLength))
	another, less := start.compare(m, p.Length.Value)

	m.Section("Checks")
	badOffset := m.Let("bad_mo", start.ZeroMO.And(offset.Any()))
	split := m.Let("is_split", last.Not().Or(offset.Any()))
	notExact := m.Let("is_not_exact", start.HeaderOnly.And(another))
	tooShort := m.Let("is_too_short", less)
	badLength := m.Let("bad_length", start.Single.And(hdl.AnyOf(split, notExact, tooShort)))
	inHeader := []ruleCheck{
		{Cond: start.BadDV.And(tagged), Rule: spec.TaggedDDPVersion},
		{Cond: start.BadDV, Rule: spec.UntaggedDDPVersion},
		{Cond: start.BadQueue, Rule: spec.NoSuchQueue},
		{Cond: start.BadRV, Rule: spec.BadRDMAPVersion},
		{Cond: start.BadOpcode, Rule: spec.ReservedOpcode},
		{Cond: start.BadTag, Rule: spec.WrongTBit},
		{Cond: start.BadQueueForOpcode, Rule: spec.WrongQueue},
	}
	all := slices.Concat([]ruleCheck{{Cond: short, Rule: spec.ShortHeader}}, inHeader, []ruleCheck{{Cond: badOffset, Rule: spec.MONotZero}, {Cond: badLength, Rule: spec.WrongLength}})

	m.Section("Verdict")
	rules := nameRules(m, x, func(r *spec.RuleRow) bool { return r.Header })
	rule, _ := firstBroken(m, rules, nil, all)
	m.Drive(p.Rule, rule)
	m.Drive(p.PayloadLength, rest.And(start.Carries.And(short.Not()).Replicate(16)))
}

// startChecks are what the start of a segment decides: rules that it breaks, whether the header is all of it, whether payload follows, and
// what its operation requires of the rest.
type startChecks struct {
	BadDV, BadQueue, BadRV, BadOpcode, BadTag, BadQueueForOpcode, HeaderOnly, Carries hdl.Value

	ZeroMO      hdl.Value // its Message Offset is 0
	Single      hdl.Value // it is all of its message
	WantsLength hdl.Value // it has at least so many octets, with its header
}

// classifyStart checks octets 0 to 9. The result is stored.
func classifyStart(m *hdl.Module, p DDPClassifyPorts, x spec.Extensions, names opcodes) startChecks {
	h := header{m, "start", p.Start.Value, map[string]headerField{}}
	_, untagged := wire.DDPTables(x)
	field := func(name string) hdl.Value { return h.field(0, untagged, name) }
	m.Section("The start of a segment, and what its opcode requires")
	tagged, opcode, queue := field("t"), field("opcode"), field("queue_number")
	m.Unused("ignored on receive, or checked later", field("l"), field("ddp_reserved"), field("rdmap_reserved"), field("invalidate_stag"))
	is := func(has func(*spec.Operation) bool) hdl.Value { return names.oneOf(opcode, x.Where(has)) }
	wantsTagged := m.Let("wants_tagged", is(func(o *spec.Operation) bool { return o.Tagged }))
	queueBits := bits.Len32(spec.QueueMax)
	wantsQueue := m.Let("wants_queue", choose(queueBits, spec.QueueMax, func(n uint64) hdl.Value {
		return is(func(o *spec.Operation) bool { return !o.Tagged && uint64(o.Queue) == n })
	}))
	now := startChecks{
		BadDV:             m.Let("bad_ddp_version", field("dv").Ne(hdl.Const(2, spec.DDPVersion))),
		BadQueue:          m.Let("bad_queue", tagged.Not().And(queue.Slice(31, queueBits).Any())),
		BadRV:             m.Let("bad_rdmap_version", field("rv").Ne(hdl.Const(2, spec.RDMAPVersion))),
		BadOpcode:         m.Let("bad_opcode", hdl.Const(x.OpcodeBits(), uint64(x.Count()-1)).Lt(opcode)),
		BadTag:            m.Let("bad_tag", tagged.Ne(wantsTagged)),
		BadQueueForOpcode: m.Let("bad_queue_for_opcode", tagged.Not().And(queue.Truncate(queueBits).Ne(wantsQueue))),
		HeaderOnly:        m.Let("is_header_only", is(exact)),
		ZeroMO:            m.Let("wants_zero_mo", is(func(o *spec.Operation) bool { return o.ZeroMO })),
		Single:            m.Let("is_single_segment", is(func(o *spec.Operation) bool { return o.SingleSegment })),
		WantsLength:       wantedLength(m, x, is),
	}
	m.Note("Errors of length and Message Offset do not count here: payload may have left before they are found.")
	if x&spec.Commit != 0 {
		now.Carries = m.Let("carries", carriesOf(m, x, is, now, tagged, queue.Truncate(queueBits)))
	} else {
		refused := m.Let("is_refused", hdl.AnyOf(now.BadDV, now.BadQueue, now.BadRV, now.BadOpcode, now.BadTag, now.BadQueueForOpcode))
		now.Carries = m.Let("carries", hdl.AnyOf(refused, now.HeaderOnly).Not())
	}
	stored := hdl.NewRegOf(m, "start", now, hdl.NoReset)
	m.OnClock(hdl.If(p.Enable.Value, stored.Set(now)))
	m.Drive(p.StartCarries, now.Carries)
	m.Drive(p.CarriesData, stored.Q.Carries)
	return stored.Q
}

// carriesOf is 1 for the start of a segment with payload: that of an operation that has some, on its queue. With many opcodes this is shorter than
// to find out what such a segment must not have.
func carriesOf(m *hdl.Module, x spec.Extensions, is func(func(*spec.Operation) bool) hdl.Value, now startChecks, tagged, queue hdl.Value) hdl.Value {
	some := []hdl.Value{tagged.And(m.Let("has_tagged_payload", is(func(o *spec.Operation) bool { return o.CarriesPayload && o.Tagged })))}
	for n := range uint64(spec.QueueMax + 1) {
		on := func(o *spec.Operation) bool { return o.CarriesPayload && !o.Tagged && uint64(o.Queue) == n }
		if len(x.Where(on)) > 0 {
			some = append(some, hdl.AllOf(tagged.Not(), queue.Is(n), m.Let(fmt.Sprintf("has_payload_on_%d", n), is(on))))
		}
	}
	return m.Let("has_payload", hdl.AnyOf(some...)).And(hdl.AnyOf(now.BadDV, now.BadQueue, now.BadRV).Not())
}

// exact is true if the message has a header of fixed length and nothing else.
func exact(o *spec.Operation) bool { return o.Empty || o.FixedLength > 0 }

// choose is the number from 1 to most whose condition holds, 0 if none does.
func choose(width int, most uint32, wants func(n uint64) hdl.Value) hdl.Value {
	var rows []hdl.When
	for n := uint64(1); n <= uint64(most); n++ {
		rows = append(rows, hdl.When{Cond: wants(n), Then: hdl.Const(width, n)})
	}
	return hdl.Select(hdl.Zero(width), rows...)
}
